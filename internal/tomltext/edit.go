package tomltext

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Edit replaces an extent of a text.
type Edit struct {
	Extent
	Insert string
}

// Apply applies edits, which must be sorted and must not overlap, to a text.
func Apply(text []byte, edits []Edit) []byte {
	var out []byte
	end := 0
	for _, e := range edits {
		out = append(append(out, text[end:e.Start]...), e.Insert...)
		end = e.End
	}
	return append(out, text[end:]...)
}

// Change is a new value for a key, or the removal of a key.
type Change struct {
	Path  string // path of the key, as for [Locate]
	Value any    // a string, a boolean, a finite number, or []any or map[string]any of such; nil removes the key
}

// Set returns edits of a file's [Text] that apply the changes in order and keep everything else, including comments and
// whitespace. The edits are sorted and do not overlap. They are small: in an array of the same length, they replace
// only the elements that differ. A new key follows the other keys of its table. A new table precedes the first array of
// tables or, without any, ends the text. A key is removed with its line, including a comment at the end. A key that does
// not exist needs no removal.
//
// It returns an error if the text is not TOML, or if a value cannot be written in TOML. It also returns an error if a
// path is malformed, names a table or an element that does not exist, or leads through a value that is not a table. If ctx
// ends, Set soon returns the cause.
func Set(ctx context.Context, text []byte, changes ...Change) ([]Edit, error) {
	if _, err := Parse(text); err != nil {
		return nil, err
	}
	var d draft
	d.pieces = []piece{{Extent: Extent{0, len(text)}}}
	for _, c := range changes {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		path, err := splitPath(c.Path)
		if err != nil {
			return nil, err
		}
		now := d.text(text)
		s := setting{text: now, sections: Outline(now)}
		if err := s.change(path, c.Value); err != nil {
			return nil, err
		}
		slices.SortStableFunc(s.edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
		for _, e := range slices.Backward(s.edits) {
			d.replace(e)
		}
	}
	return d.edits(len(text)), nil
}

// segment is an element of a path: a key, as written in the path, or an index.
type segment struct {
	key   string
	index int // if key is empty
}

func splitPath(path string) (segments []segment, err error) {
	malformed := fmt.Errorf("%q is no path of a key, such as sphere[1].center", path)
	for rest := path; rest != ""; {
		var part string
		switch {
		case rest[0] == '[':
			digits, behind, closed := strings.Cut(rest[1:], "]")
			n, err := strconv.Atoi(digits)
			if !closed || err != nil || n < 0 || len(segments) == 0 {
				return nil, malformed
			}
			segments, rest = append(segments, segment{index: n}), behind
		case rest[0] == '"':
			if part, err = strconv.QuotedPrefix(rest); err != nil {
				return nil, malformed
			}
		default:
			part = rest[:len(rest)-len(strings.TrimLeft(rest, bareCharacters))]
			if part == "" {
				return nil, malformed
			}
		}
		if part != "" {
			segments, rest = append(segments, segment{key: part}), rest[len(part):]
		}
		if inner, dot := strings.CutPrefix(rest, "."); dot && inner != "" && inner[0] != '[' {
			rest = inner
		} else if rest != "" && rest[0] != '[' {
			return nil, malformed
		}
	}
	if len(segments) == 0 {
		return nil, malformed
	}
	return segments, nil
}

const bareCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

func joinPath(segments []segment) string {
	var b strings.Builder
	for i, s := range segments {
		switch {
		case s.key == "":
			fmt.Fprintf(&b, "[%d]", s.index)
		case i > 0:
			b.WriteString("." + s.key)
		default:
			b.WriteString(s.key)
		}
	}
	return b.String()
}

// setting finds the edits that give one key a value.
type setting struct {
	text     []byte
	sections []Section
	edits    []Edit
}

// form says how a text defines the table or value at a path.
type form int

const (
	absent  form = iota
	header       // a table with a header
	implied      // a table that exists only because of headers of tables in it
	dotted       // a table that exists because of dotted keys
	value        // a key with a value, or an element of an array
)

func (s *setting) find(path []segment) (Location, form) {
	name := joinPath(path)
	at := Locate(s.text, []string{name})[name]
	isHeader := func(t Section) bool { return t.Header == at.Value }
	switch i := slices.IndexFunc(s.sections, isHeader); {
	case !at.Found:
		return at, absent
	case i >= 0 && s.sections[i].Path == name:
		return at, header
	case i >= 0:
		return at, implied
	case at.Key.Start == at.Value.Start && path[len(path)-1].key != "":
		return at, dotted
	}
	return at, value
}

// change sets the key at a path to the value v, or removes it if v is nil.
func (s *setting) change(path []segment, v any) error {
	if v == nil {
		return s.remove(path)
	}
	text, err := literal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", joinPath(path), err)
	}
	return s.set(path, v, text)
}

// remove removes a key with a value.
func (s *setting) remove(path []segment) error {
	at, form := s.find(path)
	switch {
	case form == absent:
		return nil
	case form != value || path[len(path)-1].key == "":
		return fmt.Errorf("%s is not a key with a value", joinPath(path))
	case s.isInline(path):
		s.removeInline(at)
		return nil
	}
	start, end := bytes.LastIndexByte(s.text[:at.Key.Start], '\n')+1, len(s.text)
	if n := bytes.IndexByte(s.text[at.Value.End:], '\n'); n >= 0 {
		end = at.Value.End + n + 1
	}
	s.edit(start, end, "")
	return nil
}

// removeInline removes a key of an inline table, and the comma after it or, for the last key, the one before it.
func (s *setting) removeInline(at Location) {
	rest := bytes.TrimLeft(s.text[at.Value.End:], " \t\r\n")
	if after, comma := bytes.CutPrefix(rest, []byte(",")); comma {
		s.edit(at.Key.Start, len(s.text)-len(bytes.TrimLeft(after, " \t")), "")
		return
	}
	before := bytes.TrimRight(s.text[:at.Key.Start], " \t\r\n")
	s.edit(len(bytes.TrimSuffix(before, []byte(","))), at.Value.End, "")
}

func (s *setting) set(path []segment, v any, text string) error {
	at, form := s.find(path)
	switch form {
	case value:
		s.replace(path, at.Value, v, text)
		return nil
	case absent:
		return s.insert(path, v, text)
	}
	return fmt.Errorf("%s is a table and cannot be a value", joinPath(path))
}

func (s *setting) edit(start, end int, insert string) {
	s.edits = append(s.edits, Edit{Extent{start, end}, insert})
}

// replace changes the value of an existing key to v. The extent at is that of the old value, and text is v in TOML.
func (s *setting) replace(path []segment, at Extent, v any, text string) {
	old := s.text[at.Start:at.End]
	root, err := Parse(slices.Concat([]byte("x = "), old))
	if err == nil && same(root["x"], v) {
		return
	}
	is, wasArray := root["x"].([]any)
	want, isArray := v.([]any)
	if err != nil || !wasArray || !isArray || len(is) != len(want) {
		s.edit(at.Start, at.End, text)
		return
	}
	for i := range want {
		element := append(slices.Clone(path), segment{index: i})
		name := joinPath(element)
		text, err := literal(want[i])
		if err != nil {
			return // cannot happen: literal has converted the whole array before
		}
		s.replace(element, Locate(s.text, []string{name})[name].Value, want[i], text)
	}
}

// insert adds a key to a table, and the table if it does not exist.
func (s *setting) insert(path []segment, v any, text string) error {
	last := path[len(path)-1]
	if last.key == "" {
		return fmt.Errorf("there is no %s", joinPath(path))
	}
	line := last.key + " = " + text
	if len(path) == 1 {
		s.insertAtTop(line)
		return nil
	}
	table := path[:len(path)-1]
	at, form := s.find(table)
	switch form {
	case header:
		i := slices.IndexFunc(s.sections, func(t Section) bool { return t.Header == at.Value })
		end := s.sections[i].End
		s.edit(end, end, s.newline()+s.indentation(end)+line)
	case implied:
		start := s.aboveComments(at.Value.Start)
		s.edit(start, start, s.headline(table)+s.newline()+line+s.newline()+s.newline())
	case dotted:
		written := string(s.text[at.Value.Start:at.Key.End])
		if s.isInline(table) {
			s.edit(at.Value.End, at.Value.End, ", "+written+"."+line)
		} else {
			s.edit(at.Value.End, at.Value.End, s.newline()+s.indentation(at.Value.End)+written+"."+line)
		}
	case value:
		if s.text[at.Value.Start] != '{' {
			return fmt.Errorf("%s is no table", joinPath(table))
		}
		s.insertInline(at.Value, line)
	default:
		return s.insertTable(path, v, line)
	}
	return nil
}

// insertTable adds the last key of a path, and the table that contains the key. v is the value, and line is the key
// with the value in TOML.
func (s *setting) insertTable(path []segment, v any, line string) error {
	table := path[:len(path)-1]
	if table[len(table)-1].key == "" {
		return fmt.Errorf("there is no %s", joinPath(table))
	}
	for i := len(table) - 1; i > 0; i-- {
		if _, form := s.find(table[:i]); form == value || form == dotted {
			inner := map[string]any{unquoteKey(path[len(path)-1].key): v}
			text, err := literal(inner)
			if err != nil {
				return err
			}
			return s.insert(table, inner, text)
		} else if form != absent {
			break
		} else if table[i-1].key == "" {
			return fmt.Errorf("there is no %s", joinPath(table[:i]))
		}
	}
	lines := s.headline(table) + s.newline() + line + s.newline()
	i := slices.IndexFunc(s.sections, func(t Section) bool { return s.text[t.Header.Start+1] == '[' })
	if i >= 0 {
		start := s.aboveComments(s.sections[i].Header.Start)
		s.edit(start, start, lines+s.newline())
		return nil
	}
	end, gap := len(s.text), s.newline()
	switch {
	case end == 0:
		gap = ""
	case s.text[end-1] != '\n':
		gap += gap
	}
	s.edit(end, end, gap+lines)
	return nil
}

// headline returns the header of a table.
func (s *setting) headline(table []segment) string {
	var keys []string
	for _, part := range table {
		if part.key != "" {
			keys = append(keys, part.key) // a header refers to the last element of an array
		}
	}
	return "[" + strings.Join(keys, ".") + "]"
}

// insertAtTop adds a line to the keys before the first header.
func (s *setting) insertAtTop(line string) {
	if len(s.sections) == 0 {
		lead := ""
		if n := len(s.text); n > 0 && s.text[n-1] != '\n' {
			lead = s.newline()
		}
		s.edit(len(s.text), len(s.text), lead+line+s.newline())
		return
	}
	start := s.aboveComments(s.sections[0].Header.Start)
	s.edit(start, start, line+s.newline()+s.newline())
}

// insertInline adds a key to an inline table.
func (s *setting) insertInline(table Extent, line string) {
	inner := s.text[table.Start+1 : table.End-1]
	end := table.Start + 1 + len(bytes.TrimRight(inner, " \t\r\n,"))
	if len(bytes.TrimSpace(inner)) == 0 {
		s.edit(table.Start, table.End, "{ "+line+" }")
		return
	}
	s.edit(end, end, ", "+line)
}

// isInline reports whether a key is in an inline table.
func (s *setting) isInline(path []segment) bool {
	for i := range path[:len(path)-1] {
		if _, form := s.find(path[:i+1]); form == value {
			return true
		}
	}
	return false
}

// aboveComments returns the offset of the first of the comment lines directly above the line that contains i. If there
// are none, it returns the offset of the line itself.
func (s *setting) aboveComments(i int) int {
	start := bytes.LastIndexByte(s.text[:i], '\n') + 1
	for start > 0 {
		above := bytes.LastIndexByte(s.text[:start-1], '\n') + 1
		if line := bytes.TrimSpace(s.text[above:start]); len(line) == 0 || line[0] != '#' {
			break
		}
		start = above
	}
	return start
}

// indentation returns the whitespace at the beginning of the line up to i.
func (s *setting) indentation(i int) string {
	line := s.text[bytes.LastIndexByte(s.text[:i], '\n')+1 : i]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// newline returns the line ending of the text.
func (s *setting) newline() string {
	if i := bytes.IndexByte(s.text, '\n'); i > 0 && s.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// same reports whether a value of a file equals the wanted one. An integer and a float are equal if
// they are the same number.
func same(is, want any) bool {
	if a, ok := NumberOf(is); ok {
		b, ok := NumberOf(want)
		return ok && a == b
	}
	switch want := want.(type) {
	case []any:
		list, ok := is.([]any)
		return ok && slices.EqualFunc(list, want, same)
	case map[string]any:
		table, ok := is.(map[string]any)
		return ok && maps.EqualFunc(table, want, same)
	}
	return is == want
}

// NumberOf returns the number that a decoded value is, and false if it is none.
func NumberOf(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case int:
		return float64(v), true
	}
	return 0, false
}

// literal returns a value in TOML syntax.
func literal(v any) (string, error) {
	if x, ok := NumberOf(v); ok {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return "", fmt.Errorf("must be finite, got %v", x)
		}
		return strconv.FormatFloat(x+0, 'g', -1, 64), nil // without the sign of -0
	}
	switch v := v.(type) {
	case string:
		return Quote(v), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []any:
		var texts []string
		for _, element := range v {
			text, err := literal(element)
			if err != nil {
				return "", err
			}
			texts = append(texts, text)
		}
		return "[" + strings.Join(texts, ", ") + "]", nil
	case map[string]any:
		var texts []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			text, err := literal(v[key])
			if err != nil {
				return "", err
			}
			texts = append(texts, QuoteKey(key)+" = "+text)
		}
		if len(texts) == 0 {
			return "{}", nil
		}
		return "{ " + strings.Join(texts, ", ") + " }", nil
	}
	return "", fmt.Errorf("must be a string, a boolean, a number, or arrays or tables of such, got %T", v)
}

// unquoteKey returns the key of an element of a path, without quotes.
func unquoteKey(part string) string {
	if key, err := strconv.Unquote(part); err == nil {
		return key
	}
	return part
}

// draft is a text during editing: pieces of the original text and insertions.
type draft struct{ pieces []piece }

// piece is an extent of the original text or, if that is empty, an insertion.
type piece struct {
	Extent
	insert string
}

func (p piece) len() int { return p.End - p.Start + len(p.insert) }

func (d *draft) text(original []byte) []byte {
	var text []byte
	for _, p := range d.pieces {
		text = append(append(text, original[p.Start:p.End]...), p.insert...)
	}
	return text
}

// replace applies an edit to the current text of the draft.
func (d *draft) replace(e Edit) {
	var pieces []piece
	at, done := 0, false
	for _, p := range d.pieces {
		before, behind := p.cut(e.Start-at), p.cutFront(e.End-at)
		at += p.len()
		pieces = append(pieces, before)
		if !done && at >= e.Start {
			pieces, done = append(pieces, piece{insert: e.Insert}), true
		}
		pieces = append(pieces, behind)
	}
	if !done {
		pieces = append(pieces, piece{insert: e.Insert})
	}
	d.pieces = slices.DeleteFunc(pieces, func(p piece) bool { return p.len() == 0 })
}

// cut returns the first n bytes of a piece.
func (p piece) cut(n int) piece {
	n = max(0, min(n, p.len()))
	if p.insert != "" {
		return piece{insert: p.insert[:n]}
	}
	return piece{Extent: Extent{p.Start, p.Start + n}}
}

// cutFront returns a piece without its first n bytes.
func (p piece) cutFront(n int) piece {
	n = max(0, min(n, p.len()))
	if p.insert != "" {
		return piece{insert: p.insert[n:]}
	}
	return piece{Extent: Extent{p.Start + n, p.End}}
}

// edits returns the edits that turn the original text, of the given length, into the draft.
func (d *draft) edits(length int) []Edit {
	var edits []Edit
	end, insert := 0, ""
	flush := func(start int) {
		if start > end || insert != "" {
			edits = append(edits, Edit{Extent{end, start}, insert})
		}
		insert = ""
	}
	for _, p := range d.pieces {
		if p.insert != "" {
			insert += p.insert
			continue
		}
		flush(p.Start)
		end = p.End
	}
	flush(length)
	return edits
}
