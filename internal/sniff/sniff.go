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

// conflicts returns a finding for each merge conflict. A single marker that was left over from a conflict also counts.
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

// Conflict is the beginning of the message about a merge conflict.
const Conflict = "an unresolved merge conflict"

const conflict = Conflict + ": keep the lines you want, and remove the lines <<<<<<<, ======= and >>>>>>>"

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
	{"\x89PNG\r\n", PNG},
	{"\xff\xd8\xff", JPEG},
	{"GIF8", GIF},
	{"II*\x00", TIFF},
	{"MM\x00*", TIFF},
	{"%PDF-", PDF},
	{"PK\x03\x04", ZIP},
	{"\x1f\x8b", Gzip},
	{"\xfd7zXZ\x00", XZ},
	{"PF\n", PFM},
	{"Pf\n", PFM},
	{"PF\r\n", PFM},
	{"Pf\r\n", PFM},
	{"PBSHARD\n", Shard},
	{"glTF", GLTF},
	{"\x1aE\xdf\xa3", WebM},
	{"\x93NUMPY", NumPy},
	{"SQLite format 3\x00", "a database"},
	{"\x7fELF", "a program"},
	{"#!", "a script"},
}

// Names of formats that [Format] and [Kind] return.
const (
	PNG  = "a PNG picture"
	JPEG = "a JPEG picture"
	GIF  = "a GIF picture"
	TIFF = "a TIFF picture"
	BMP  = "a BMP picture"
	PDF  = "a PDF document"
	GLTF = "a binary glTF model"
	MP4  = "an MP4 film"
	WebM = "a WebM film"
	JSON = "JSON"
	XML  = "XML"
	SVG  = "an SVG picture"
	HTML = "HTML"
	TOML = "TOML"

	PFM   = "a PFM picture"
	NumPy = "an array of NumPy"
	ZIP   = "a ZIP archive"
	Gzip  = "a file compressed by gzip"
	XZ    = "a file compressed by xz"
	Shard = "a shard"

	// [Kind] recognizes no file as one of these.
	CSV        = "CSV"
	Numbers    = "binary numbers"
	POVRay     = "a scene of POV-Ray"
	Text       = "text"
	YAML       = "YAML"
	Mesh       = "a mesh"
	Molecule   = "a molecule"
	BinaryCIF  = "BinaryCIF"
	NFF        = "a scene in NFF"
	TarArchive = "a tar archive"
)

// Recognizes reports whether [Kind] recognizes files of a format. The format "" stands for unknown ones.
func Recognizes(format string) bool {
	switch format {
	case "", CSV, Numbers, POVRay, Text, YAML, Mesh, Molecule, BinaryCIF, NFF, TarArchive:
		return false
	}
	return true
}

// Signature names the format of a file by the bytes with which every file of this format begins, such as [PNG]. It
// returns "" for other files, for example for text. data must begin with at least the first 16 bytes of the file, or
// be the whole file.
func Signature(data []byte) string {
	for _, f := range formats {
		if bytes.HasPrefix(data, []byte(f.begins)) {
			return f.name
		}
	}
	const box, unused = 4, 6 // offsets in an MP4 film and in a BMP picture
	switch {
	case len(data) >= 12 && string(data[box:box+4]) == "ftyp":
		return MP4
	case len(data) >= 10 && data[0] == 'B' && data[1] == 'M' && string(data[unused:unused+4]) == "\x00\x00\x00\x00":
		return BMP
	case len(data) >= 12 && string(data[:4]) == "RIFF":
		return "a RIFF file"
	}
	return ""
}

// Kind names the format of any file, valid or not, by its beginning data: it returns what [Signature] returns or, for
// text, [TOML], [JSON], [SVG], [HTML], [XML] or "".
func Kind(data []byte) string {
	if name := Signature(data); name != "" {
		return name
	}
	text := bytes.TrimLeft(data, " \t\r\n\uFEFF")
	switch {
	case isTOML(data):
		return TOML
	case bytes.HasPrefix(text, []byte("{")), bytes.HasPrefix(text, []byte("[")):
		return JSON
	case bytes.HasPrefix(text, []byte("<")) && xmlTag().Match(text):
		return markup(text)
	}
	return ""
}

// markupRoot matches a text in XML or HTML up to the name of its first element, or of its document type, if that is svg, html, or div, with which a part of a page begins.
var markupRoot = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?is)^(?:\s|<\?.*?\?>|<!--.*?-->)*<(?:!doctype\s+)?(svg|html|div)\b`)
})

// markup returns [SVG], [HTML] or [XML].
func markup(text []byte) string {
	found := markupRoot().FindSubmatch(text)
	switch {
	case found == nil:
		return XML
	case strings.EqualFold(string(found[1]), "svg"):
		return SVG
	}
	return HTML
}

var tomlLine = sync.OnceValue(func() *regexp.Regexp {
	const key = `(?:[\w-]+|"[^"]*"|'[^']*')`
	const dotted = key + `(?:\s*\.\s*` + key + `)*`
	return regexp.MustCompile(`^(?:\[\s*[A-Za-z_][\w. "'-]*\]|\[\[\s*` + dotted + `\s*\]\]|` + dotted + `\s*=[^=])`)
})

// isTOML reports whether the first line of a text that is neither blank nor a comment begins a table of TOML or sets a
// key.
func isTOML(data []byte) bool {
	for line := range bytes.Lines(data) {
		line = bytes.TrimLeft(bytes.TrimSpace(line), "\uFEFF")
		if len(line) > 0 && line[0] != '#' {
			return tomlLine().Match(line)
		}
	}
	return false
}

// Format names the format of a file, such as "YAML", if it is one that is mistaken for a scene or a table. Otherwise it
// returns "". Call it only for files that are invalid.
func Format(data []byte) string {
	if name := Signature(data); name != "" {
		return name
	}
	switch text := bytes.TrimLeft(data, " \t\r\n\uFEFF"); {
	case jsonTop().Match(text):
		return JSON
	case bytes.HasPrefix(text, []byte("<")) && xmlTag().Match(text):
		return XML
	case isYAML(data):
		return YAML
	}
	return ""
}

var (
	xmlTag  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<[?!A-Za-z]`) })
	jsonTop = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:\{[^:]*:|\[\s*\{|\[\s*\n)`) })
	yamlTop = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:---|%YAML|- |["']?[\w.-]+["']?:(?:\s*(?:#.*)?$|\s+[{&!|>]))`)
	})
	yaml = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:---|%YAML.*|\.\.\.|- .*|-|["']?[\w ./-]+["']?:(?:\s.*)?)$`)
	})
)

// yamlLines is the number of lines by which YAML is recognized.
const yamlLines = 20

// isYAML reports whether the first lines of a text are YAML: items of a list, or keys with colons, of which one has a
// table or a list, or the document begins as only YAML does. An indented line without an equals sign may continue a value.
func isYAML(data []byte) bool {
	lines, top := 0, false
	for line := range strings.Lines(string(data[:min(len(data), 1<<14)])) {
		line = strings.TrimRight(line, " \t\r\n")
		text := strings.TrimLeft(line, " ")
		if text == "" || text[0] == '#' {
			continue
		}
		continues := line[0] == ' ' && top && !strings.Contains(line, "=")
		if !continues && !yaml().MatchString(text) {
			return false
		}
		top = top || yamlTop().MatchString(line)
		if lines++; lines == yamlLines {
			break
		}
	}
	return top
}

// Mistaken returns the message about a file in a format that [Format] names in place of the format want.
func Mistaken(format, want string) string {
	if format == YAML && want == TOML {
		return "this is YAML, not TOML: write `[image]` and `width = 640`, not `image:` and `width: 640`"
	}
	return fmt.Sprintf("this is %s, not %s", format, want)
}
