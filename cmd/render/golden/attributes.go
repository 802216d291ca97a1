package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
)

func goldenInitCommand(p *command.Env) *cobra.Command {
	lfs := false
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a .gitattributes for scenes and goldens",
		Long: `Add lines for scenes and goldens to the file .gitattributes at the root of the git work
tree, or in the current folder without git: texts have LF as line endings, and pictures and
stored files are binary. Lines that the file has already are kept and take precedence.`,
		Example: `  render golden init
  render golden init --lfs`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return writeAttributes(p, lfs) },
	}
	cmd.Flags().BoolVar(&lfs, "lfs", false, "keep the pictures of goldens in Git LFS")
	return cmd
}

// attributes are the lines of .gitattributes for scenes and goldens.
func attributes(lfs bool) []string {
	lines := []string{
		"*.toml text eol=lf",
		"*.csv text eol=lf",
		"*.scene.files text eol=lf",
		"*.gz binary",
		"*.png binary",
	}
	if lfs {
		lines = append(lines, "**/golden/*.png filter=lfs diff=lfs merge=lfs -text")
	}
	return lines
}

// writeAttributes adds the missing lines to .gitattributes.
func writeAttributes(p *command.Env, lfs bool) error {
	name := ".gitattributes"
	if index := readIndex(); index.root != "" {
		name = filepath.Join(index.root, name)
	}
	old, err := readAttributes(name)
	if err != nil {
		return err
	}
	merged, added := mergeAttributes(old, attributes(lfs))
	if len(added) == 0 {
		p.Out.Printf("%s has all lines for goldens\n", text.Escape(name))
		return nil
	}
	p.Files.RefuseLinks = true // neither does git follow it
	err = p.Files.Rewrite(name, func(w io.Writer) error { _, err := w.Write(merged); return err })
	if err != nil {
		return err
	}
	p.Out.Printf("added to %s:\n", text.Escape(name))
	for _, line := range added {
		p.Out.Printf("  %s\n", line)
	}
	p.Note("'git add --renormalize .' applies them to the files that git has already")
	return nil
}

// readAttributes reads a file .gitattributes, which need not exist.
func readAttributes(name string) ([]byte, error) {
	const most = 1 << 20
	file, err := osfile.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("%s is larger than 1 MiB", name)
	}
	return data, err
}

// mergeAttributes returns a text with the lines for patterns that it lacks, and these lines. They come first, because in
// git the last line that matches a file decides, but after a byte order mark.
func mergeAttributes(old []byte, lines []string) (merged []byte, added []string) {
	rest := tomltext.WithoutMark(old)
	merged = slices.Clone(old[:len(old)-len(rest)])
	end := "\n"
	if bytes.Contains(rest, []byte("\r\n")) {
		end = "\r\n"
	}
	for _, line := range lines {
		if !decides(rest, line) {
			added = append(added, line)
			merged = append(merged, line+end...)
		}
	}
	return append(merged, rest...), added
}

// decides reports whether a text has a line for the pattern of the given line that says how git stores such files.
func decides(text []byte, line string) bool {
	pattern := strings.Fields(line)[0]
	for other := range strings.Lines(string(text)) {
		words := strings.Fields(other)
		if len(words) > 0 && words[0] == pattern && slices.ContainsFunc(words[1:], isStorage) {
			return true
		}
	}
	return false
}

// isStorage reports whether a word of a line concerns how git stores files: as texts, as they are or through a filter.
func isStorage(word string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-!"), "=")
	switch name {
	case "text", "binary", "eol", "crlf", "filter":
		return true
	}
	return false
}
