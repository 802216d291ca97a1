package play

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillbox/internal/tomltext"
	"pillbox/scene"
)

// cursor describes the context of the editor's cursor: the table around it, and whether it is in a header, a key or a
// value.
type cursor struct {
	kind    cursorKind
	table   []string // keys of the table, including inline tables
	key     string   // the key whose value the cursor is in
	start   int      // offset of the word at the cursor
	quoted  bool     // whether the word is in a string
	section []byte   // the lines of the table, to find the keys that it already has
}

type cursorKind int

const (
	inNothing cursorKind = iota // elsewhere, such as in a comment
	inHeader
	inKey
	inValue
)

// header is a line with the header of a table, which may be incomplete: the offset of the line, and the range of its keys.
type header struct{ line, from, to int }

// headersOf returns the headers in a text, which need not be valid TOML.
func headersOf(data []byte) (all []header) {
	at := 0
	for line := range bytes.Lines(data) {
		keys, is := bytes.CutPrefix(bytes.TrimLeft(line, " \t"), []byte("["))
		keys = bytes.TrimLeft(bytes.TrimPrefix(keys, []byte("[")), " \t")
		if is && len(keys) > 0 && (isLetter(keys[0]) || strings.IndexByte(`_"'`, keys[0]) >= 0) {
			n := bytes.IndexAny(keys, "]\n#=")
			if n < 0 {
				n = len(keys)
			}
			from := at + len(line) - len(keys)
			all = append(all, header{at, from, from + n})
		}
		at += len(line)
	}
	return all
}

func isLetter(b byte) bool { return 'a' <= b|' ' && b|' ' <= 'z' }

// bareKeys contains the characters that keys may have without quotes.
const bareKeys = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// keyOf returns the first key of a line that assigns a value, and false for other lines.
func keyOf(line []byte) (key []byte, ok bool) {
	line = bytes.TrimLeft(line, " \t")
	rest := bytes.TrimLeft(line, bareKeys)
	key, rest = line[:len(line)-len(rest)], bytes.TrimLeft(rest, " \t")
	return key, len(key) > 0 && len(rest) > 0 && (rest[0] == '=' || rest[0] == '.')
}

// cursorAt determines the context of an offset from the lines before it. They need not be valid TOML, because the user is
// typing.
func cursorAt(data []byte, at int) cursor {
	c := cursor{kind: inKey, start: at}
	begin, end := 0, len(data)
	for _, h := range headersOf(data) {
		if h.line >= at {
			end = h.line
			break
		}
		lineEnd := len(data)
		if i := bytes.IndexByte(data[h.line:], '\n'); i >= 0 {
			lineEnd = h.line + i
		}
		if at <= lineEnd {
			c.kind, c.start = inHeader, h.from
			c.table = keysOf(data[h.from:min(at, h.to)])
			return c
		}
		begin, c.table = lineEnd, keysOf(data[h.from:h.to])
	}
	lineStart := bytes.LastIndexByte(data[:at], '\n') + 1
	if line := bytes.TrimLeft(data[lineStart:at], " \t"); len(line) > 0 && len(bytes.TrimLeft(line, "[")) == 0 && len(line) <= 2 && !openValue(data[begin:lineStart]) {
		c.kind = inHeader
		return c
	}
	c.section = data[begin:end]
	c.read(data[begin:at], begin)
	return c
}

// keysOf returns the keys in a header.
func keysOf(header []byte) []string {
	var keys []string
	for _, key := range strings.Split(string(header), ".") {
		keys = append(keys, strings.Trim(strings.TrimSpace(key), `"'`))
	}
	return keys
}

// openValue reports whether the lines end inside an array or an inline table.
func openValue(lines []byte) bool {
	var c cursor
	return c.read(lines, 0) > 0
}

// read parses the statements of a table up to the cursor. It returns the cursor's nesting depth in arrays and inline
// tables. The lines start at the given offset of the text.
func (c *cursor) read(lines []byte, offset int) (depth int) {
	type level struct {
		isTable bool
		key     string
	}
	levels := []level{{isTable: true}}
	top := func() *level { return &levels[len(levels)-1] }
	word, value := -1, false // offset of the current word; whether a value follows
	for i := 0; i < len(lines); i++ {
		switch b := lines[i]; {
		case b == '#':
			end := bytes.IndexByte(lines[i:], '\n')
			if end < 0 {
				c.kind = inNothing
				return len(levels) - 1
			}
			i += end - 1
		case b == '"' || b == '\'':
			end := i + 1
			for end < len(lines) && lines[end] != b && lines[end] != '\n' {
				if lines[end] == '\\' && b == '"' {
					end++
				}
				end++
			}
			if end >= len(lines) {
				c.start, c.quoted = offset+i, true
				word = i
				i = len(lines)
				break
			}
			if word < 0 {
				word = i
			}
			i = end
		case b == '=' && top().isTable:
			top().key = strings.Trim(strings.TrimSpace(string(lines[max(word, 0):i])), `"'`)
			value, word = true, -1
		case b == '{':
			levels, value, word = append(levels, level{isTable: true}), false, -1
		case b == '[':
			levels, word = append(levels, level{}), -1
		case b == ']' || b == '}':
			if len(levels) > 1 {
				levels = levels[:len(levels)-1]
			}
			value, word = true, -1
		case b == ',':
			value, word = !top().isTable, -1
		case b == '\n' && len(levels) == 1:
			value, word = false, -1
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			if value {
				word = -1
			}
		case word < 0:
			word = i
		}
	}
	for _, l := range levels[:len(levels)-1] {
		if l.key != "" {
			c.table = append(c.table, l.key)
		}
	}
	if value || !top().isTable {
		c.kind, c.key = inValue, top().key
		if !top().isTable && len(c.table) > 0 {
			c.key, c.table = c.table[len(c.table)-1], c.table[:len(c.table)-1]
		}
	}
	if word >= 0 && !c.quoted {
		c.start = offset + word
	}
	return len(levels) - 1
}

type wordsRequest struct {
	Text     string `json:"text"`
	Position int    `json:"position"`
	Explicit bool   `json:"explicit"`
}

type completeAnswer struct {
	Range
	Options []option `json:"options"`
}

// option is a completion at the cursor.
type option struct {
	Label  string `json:"label"`
	Kind   string `json:"kind"` // table, key, value, name
	Detail string `json:"detail"`
	Info   string `json:"info"`
	Apply  string `json:"apply"`
}

func (e *Engine) complete(ctx context.Context, r *wordsRequest) (*completeAnswer, error) {
	t := newText(r.Text)
	at := t.byte(r.Position)
	c := cursorAt(t.bytes, at)
	a := &completeAnswer{Range: Range{t.unit(c.start), t.unit(at)}, Options: []option{}}
	switch c.kind {
	case inHeader:
		start := t.lineOf(at)
		start += len(t.bytes[start:at]) - len(bytes.TrimLeft(t.bytes[start:at], " \t"))
		a.Range = Range{t.unit(start), t.unit(behindBrackets(t.bytes, at))}
		a.Options = headers(t)
	case inKey:
		a.Options = c.keys(t)
		if len(c.table) == 0 || bytes.HasPrefix(t.bytes[t.lineOf(at):at], []byte("[")) {
			a.Options = append(a.Options, headers(t)...)
		}
	case inValue:
		a.Options = c.values(t)
		if end := at; c.quoted && end < len(t.bytes) && t.bytes[end] == t.bytes[c.start] {
			a.To = t.unit(end + 1)
		}
	}
	return a, context.Cause(ctx)
}

// behindBrackets returns the offset after the brackets that close a header at the cursor.
func behindBrackets(data []byte, at int) int {
	for at < len(data) && data[at] == ']' {
		at++
	}
	return at
}

// headers returns completions for all tables that a scene may have.
func headers(t *sceneText) []option {
	var options []option
	add := func(name string, r *rule) {
		text := "[" + name + "]"
		if r.isArrayOfTables() {
			text = "[" + text + "]"
		}
		options = append(options, option{Label: text, Kind: "table", Detail: r.kind(), Info: r.Description, Apply: text})
	}
	file := rules()
	for _, name := range slices.Sorted(maps.Keys(file.Properties)) {
		switch r := file.Properties[name]; {
		case name == "material" || name == "part":
			add(name+".NAME", r)
		case r.isTable() || r.isArrayOfTables():
			add(name, r)
		}
	}
	for _, name := range named(t, "part") {
		for _, kind := range append(scene.KindNames(), "place", "bulk") {
			add("part."+name+"."+kind, ruleAt([]string{"part", name, kind}))
		}
	}
	return options
}

// keys returns completions for the keys that the table may have and does not have yet.
func (c *cursor) keys(t *sceneText) []option {
	r := ruleAt(c.table).table()
	if len(c.table) == 0 {
		r = rules()
	}
	if r == nil {
		return []option{}
	}
	has := map[string]bool{}
	for line := range bytes.Lines(c.section) {
		if key, ok := keyOf(line); ok {
			has[string(key)] = true
		}
	}
	if i := c.start - t.lineOf(c.start); i >= 0 { // without the word at the cursor
		word, _, _ := bytes.Cut(t.bytes[c.start:], []byte("="))
		delete(has, string(bytes.TrimSpace(word)))
	}
	options := []option{}
	for _, name := range slices.Sorted(maps.Keys(r.Properties)) {
		inner := r.Properties[name]
		if has[name] || inner.isArrayOfTables() || len(c.table) == 0 && inner.isTable() {
			continue
		}
		detail := inner.kind()
		if slices.Contains(r.Required, name) {
			detail += ", required"
		}
		options = append(options, option{Label: name, Kind: "key", Detail: detail, Info: about(inner), Apply: name + " = "})
	}
	return options
}

// about describes a key: its meaning, its valid values and its default.
func about(r *rule) string {
	info := r.Description
	if limits := r.limits(); limits != "" {
		info += " " + strings.ToUpper(limits[:1]) + limits[1:] + "."
	}
	if usual := r.defaultText(); usual != "" {
		info += " Default: " + usual + "."
	}
	return strings.TrimSpace(info)
}

// values returns completions for the value of a key.
func (c *cursor) values(t *sceneText) []option {
	options := []option{}
	add := func(kind, value, detail string) {
		options = append(options, option{Label: value, Kind: kind, Detail: detail, Apply: value})
	}
	switch c.key {
	case "material", "part":
		for _, name := range named(t, c.key) {
			add("name", tomltext.Quote(unquoted(name)), c.key)
		}
		return options
	}
	keys := append(slices.Clone(c.table), c.key)
	r := ruleAt(keys)
	if r == nil {
		return options
	}
	if usual := r.defaultText(); usual != "" && !c.quoted {
		add("value", usual, "default")
	}
	for _, word := range allowed(r) {
		add("value", word, "")
	}
	return slices.CompactFunc(options, func(a, b option) bool { return a.Label == b.Label })
}

// allowed returns the words that are valid as a value.
func allowed(r *rule) []string {
	r = r.resolved()
	if r == nil {
		return nil
	}
	var words []string
	if r.Type == "boolean" {
		words = append(words, "true", "false")
	}
	for _, v := range r.Enum {
		words = append(words, written(v))
	}
	for _, form := range r.AnyOf {
		words = append(words, allowed(form)...)
	}
	return words
}

// written returns a value as TOML.
func written(v any) string {
	switch v := v.(type) {
	case string:
		return tomltext.Quote(v)
	case []any:
		var texts []string
		for _, x := range v {
			texts = append(texts, written(x))
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case map[string]any:
		var texts []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			texts = append(texts, key+" = "+written(v[key]))
		}
		return "{ " + strings.Join(texts, ", ") + " }"
	}
	return fmt.Sprint(v)
}

// named returns the names of the parts or materials in a text.
func named(t *sceneText, kind string) []string {
	var names []string
	for _, h := range headersOf(t.bytes) {
		keys := strings.SplitN(string(t.bytes[h.from:h.to]), ".", 3)
		if len(keys) > 1 && strings.TrimSpace(keys[0]) == kind {
			if name := strings.TrimSpace(keys[1]); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func unquoted(name string) string { return strings.Trim(name, `"'`) }

// hoverAnswer describes the key at a position. It is empty if there is no key.
type hoverAnswer struct {
	*Range
	Key     string `json:"key,omitempty"`
	Doc     string `json:"doc,omitempty"`
	Type    string `json:"type,omitempty"`
	Default string `json:"default,omitempty"`
	Limits  string `json:"range,omitempty"`
}

func (e *Engine) hover(ctx context.Context, r *wordsRequest) (*hoverAnswer, error) {
	t := newText(r.Text)
	i := t.byte(r.Position)
	from, to := i, i
	for from > 0 && isWord(t.bytes[from-1]) {
		from--
	}
	for to < len(t.bytes) && isWord(t.bytes[to]) {
		to++
	}
	if from == to {
		return &hoverAnswer{}, nil
	}
	word := string(t.bytes[from:to])
	c := cursorAt(t.bytes, from)
	keys := append(slices.Clone(c.table), word)
	if c.kind == inHeader {
		keys = keysOf(t.bytes[c.start:to])
	}
	if c.kind != inHeader && c.kind != inKey {
		return &hoverAnswer{}, nil
	}
	known := ruleAt(keys)
	if known == nil {
		return &hoverAnswer{}, nil
	}
	doc := known.Description
	if doc == "" && known.table() != nil {
		doc = known.table().Description
	}
	return &hoverAnswer{&Range{t.unit(from), t.unit(to)}, strings.Join(keys, "."), doc, known.kind(), known.defaultText(), known.limits()}, context.Cause(ctx)
}

func isWord(b byte) bool {
	return b == '_' || b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}
