package play

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"pillbox/internal/tomltext"
)

// Range is a range of a text, in UTF-16 code units: [From, To).
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Edit replaces a range by another text.
type Edit struct {
	Range
	Insert string `json:"insert"`
}

// mark is a byte order mark. It counts as one code unit, and a [tomltext.Text] does not contain it.
const mark = "\uFEFF"

// sceneText is the text of a scene. It converts offsets between bytes and UTF-16 code units.
type sceneText struct {
	bytes []byte // without the byte order mark
	mark  int    // 1 if the text begins with a byte order mark
	units []int  // offset in code units of every byte and of the end; nil if it equals the byte offset
	lines []int  // offset in bytes of every line
}

func newText(s string) *sceneText {
	inner := strings.TrimPrefix(s, mark)
	t := &sceneText{bytes: []byte(inner), lines: []int{0}}
	if len(inner) < len(s) {
		t.mark = 1
	}
	ascii := true
	for i, b := range t.bytes {
		ascii = ascii && b < utf8.RuneSelf
		if b == '\n' {
			t.lines = append(t.lines, i+1)
		}
	}
	if ascii {
		return t
	}
	t.units = make([]int, len(t.bytes)+1)
	unit := 0
	for i := 0; i < len(t.bytes); {
		r, size := utf8.DecodeRune(t.bytes[i:])
		for range size {
			t.units[i] = unit
			i++
		}
		if unit++; r >= 0x10000 {
			unit++
		}
	}
	t.units[len(t.bytes)] = unit
	return t
}

// unit converts an offset in bytes to code units.
func (t *sceneText) unit(i int) int {
	i = max(0, min(i, len(t.bytes)))
	if t.units != nil {
		i = t.units[i]
	}
	return i + t.mark
}

// byte converts an offset in code units to bytes. Offsets after the end of the text become its end.
func (t *sceneText) byte(unit int) int {
	unit -= t.mark
	if t.units != nil {
		unit = sort.SearchInts(t.units, unit)
	}
	return max(0, min(unit, len(t.bytes)))
}

func (t *sceneText) span(e tomltext.Extent) Range { return Range{t.unit(e.Start), t.unit(e.End)} }

// column returns the offset in bytes of a line and a column, both counted from 1. Columns count characters.
func (t *sceneText) column(line, column int) int {
	if line < 1 || line > len(t.lines) {
		return 0
	}
	i := t.lines[line-1]
	for range column - 1 {
		if i == len(t.bytes) || t.bytes[i] == '\n' {
			break
		}
		_, size := utf8.DecodeRune(t.bytes[i:])
		i += size
	}
	return i
}

// edits converts edits with offsets in bytes to edits for a page, with offsets in code units.
func (t *sceneText) edits(list []tomltext.Edit) []Edit {
	edits := []Edit{}
	for _, e := range list {
		edits = append(edits, Edit{t.span(e.Extent), e.Insert})
	}
	return edits
}

// lineOf returns the offset at which the line that contains the offset i begins.
func (t *sceneText) lineOf(i int) int { return bytes.LastIndexByte(t.bytes[:i], '\n') + 1 }

// table describes a table of a text.
type table struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
	Name string `json:"name"`
	Range
}

// maxTables is the largest number of tables reported to a page.
const maxTables = 5000

// tables returns the tables that have headers.
func (t *sceneText) tables() []table {
	list := []table{}
	for _, s := range tomltext.Outline(t.bytes) {
		if len(list) == maxTables {
			break
		}
		list = append(list, table{s.Path, kindOf(s.Path), nameIn(t.bytes[s.Header.End:s.End]), Range{t.unit(s.Header.Start), t.unit(s.End)}})
	}
	return list
}

// kindOf returns the kind of a table: the first key of its path, without an index. For an element of an array of
// tables in a part or a material, it returns the last key instead. For example, the kind of part.leg.sphere[2] is
// sphere.
func kindOf(path string) string {
	first, rest, _ := strings.Cut(path, ".")
	if (first == "part" || first == "material") && rest != "" {
		if i := strings.LastIndexByte(rest, '.'); i >= 0 && strings.HasSuffix(rest, "]") {
			first = rest[i+1:]
		}
	}
	first, _, _ = strings.Cut(first, "[")
	return first
}

// nameIn returns the value of the key name in the lines of a table.
func nameIn(lines []byte) string {
	for line := range bytes.Lines(lines) {
		key, value, ok := bytes.Cut(line, []byte("="))
		if !ok || string(bytes.TrimSpace(key)) != "name" {
			continue
		}
		root, err := tomltext.Parse(slices.Concat([]byte("name ="), value))
		if name, ok := root["name"].(string); ok && err == nil {
			return name
		}
	}
	return ""
}

// place returns the range of the table or value with a path, and false if the text does not contain it.
func (t *sceneText) place(sections []tomltext.Section, path string) (Range, bool) {
	if i := slices.IndexFunc(sections, func(s tomltext.Section) bool { return s.Path == path }); i >= 0 {
		return Range{t.unit(sections[i].Header.Start), t.unit(sections[i].End)}, true
	}
	at := tomltext.Locate(t.bytes, []string{path})[path]
	return t.span(at.Value), at.Found
}
