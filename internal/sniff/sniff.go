// Package sniff recognizes files that are not what they should be: what git leaves in place of a file, and files of
// another format. The messages name the remedy.
package sniff

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Finding is something that does not belong in a file.
type Finding struct {
	Start, End int    // the bytes of the file that show it
	Message    string // one line that begins in lower case, without a full stop
}

// pointers are the beginnings of Git LFS pointers, of the current and the older specification.
var pointers = []string{"version https://git-lfs.github.com/spec/", "version https://hawser.github.com/spec/", "version http://git-media.io/v/"}

// Git returns what git left in a file: that the file is a Git LFS pointer, or one finding for each merge conflict.
// A text file of any format may contain a line like a conflict marker, so call Git only for files that are invalid.
func Git(data []byte) []Finding {
	for _, p := range pointers {
		if bytes.HasPrefix(data, []byte(p)) {
			end := bytes.IndexAny(data, "\r\n")
			if end < 0 {
				end = len(data)
			}
			return []Finding{{0, end, "a Git LFS pointer is in place of this file: get the file with `git lfs pull`"}}
		}
	}
	return conflicts(data)
}

// maxConflicts is the number of conflicts that are reported of a file.
const maxConflicts = 20

// conflicts returns a finding for each merge conflict. A marker without the others of its conflict, which somebody
// forgot to remove, also counts.
func conflicts(data []byte) (all []Finding) {
	if !slices.ContainsFunc([]string{"<<<<<<<", "=======", ">>>>>>>"}, func(m string) bool { return bytes.Contains(data, []byte(m)) }) {
		return nil // fast, because a table may have a gigabyte
	}
	open := false
	for start := 0; start < len(data) && len(all) < maxConflicts; {
		line := data[start:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		text := bytes.TrimRight(line, "\r\n")
		switch kind := marker(text); {
		case kind == 0:
		case kind == '<' || !open:
			all = append(all, Finding{start, start + len(text), conflict})
			open = kind != '>'
		case kind == '>':
			open = false
		}
		start += len(line)
	}
	return all
}

const conflict = "an unresolved merge conflict: keep the lines you want, and remove the lines <<<<<<<, ======= and >>>>>>>"

// marker returns the character of a conflict marker, or 0 for any other line. The marker ======= stands alone, others
// have a space and a name after them.
func marker(line []byte) byte {
	const length = 7
	if len(line) < length || !bytes.ContainsRune([]byte("<|=>"), rune(line[0])) {
		return 0
	}
	run := len(line) - len(bytes.TrimLeft(line, string(line[:1])))
	if run != length || len(line) > length && (line[0] == '=' || line[length] != ' ') {
		return 0
	}
	return line[0]
}

// format is a format of files by what its files begin with.
type format struct{ begins, name string }

var formats = []format{
	{"\x89PNG\r\n", "a PNG picture"},
	{"\xff\xd8\xff", "a JPEG picture"},
	{"GIF8", "a GIF picture"},
	{"%PDF-", "a PDF document"},
	{"PK\x03\x04", "a ZIP archive"},
	{"\x1f\x8b", "a file compressed by gzip"},
	{"glTF", "a binary glTF model"},
	{"\x7fELF", "a program"},
}

// Format names the format of a file, such as "YAML", if it is one that is mistaken for a scene or a table. Otherwise it
// returns "". Call it only for files that are invalid.
func Format(data []byte) string {
	for _, f := range formats {
		if bytes.HasPrefix(data, []byte(f.begins)) {
			return f.name
		}
	}
	switch text := bytes.TrimLeft(data, " \t\r\n\uFEFF"); {
	case bytes.HasPrefix(text, []byte("{")) && bytes.Contains(text, []byte(":")):
		return "JSON"
	case bytes.HasPrefix(text, []byte("<")) && xmlTag().Match(text):
		return "XML"
	case isYAML(data):
		return "YAML"
	}
	return ""
}

var (
	xmlTag  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<[?!A-Za-z]`) })
	yamlTop = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:---|%YAML|[\w.-]+:$)`) })
	yaml    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:---|%YAML.*|\.\.\.|- .*|-|["']?[\w ./-]+["']?:(?:\s.*)?)$`)
	})
)

// yamlLines is the number of lines by which YAML is recognized.
const yamlLines = 20

// isYAML reports whether the first lines of a text are YAML: keys with colons, of which one has a table or a list, or
// the document begins as only YAML does.
func isYAML(data []byte) bool {
	lines, top := 0, false
	for line := range strings.Lines(string(data[:min(len(data), 1<<14)])) {
		line = strings.TrimRight(line, " \t\r\n")
		text := strings.TrimLeft(line, " ")
		if text == "" || text[0] == '#' {
			continue
		}
		if !yaml().MatchString(text) {
			return false
		}
		top = top || yamlTop().MatchString(line)
		if lines++; lines == yamlLines {
			break
		}
	}
	return lines > 1 && top
}

// Mistaken returns the message about a file in a format that [Format] names in place of the format want.
func Mistaken(format, want string) string {
	if format == "YAML" && want == "TOML" {
		return "this is YAML, not TOML: write `[image]` and `width = 640`, not `image:` and `width: 640`"
	}
	return fmt.Sprintf("this is %s, not %s", format, want)
}
