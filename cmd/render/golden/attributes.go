package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/text"
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
// git the last line that matches a file decides.
func mergeAttributes(old []byte, lines []string) (merged []byte, added []string) {
	patterns := make(map[string]bool)
	for line := range strings.Lines(string(old)) {
		if words := strings.Fields(line); len(words) > 0 {
			patterns[words[0]] = true
		}
	}
	end := "\n"
	if bytes.Contains(old, []byte("\r\n")) {
		end = "\r\n"
	}
	for _, line := range lines {
		if !patterns[strings.Fields(line)[0]] {
			added = append(added, line)
			merged = append(merged, line+end...)
		}
	}
	return append(merged, old...), added
}
