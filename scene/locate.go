package scene

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// extent is a part of a file: the bytes [start, end).
type extent struct{ start, end int }

// place is where a file has a key and its value. The value of a table with a header is the
// header; that of a table that only dotted keys imply is the first of these keys with its
// value.
type place struct {
	found      bool
	key, value extent
}

// locate finds the paths that are the keys of wanted in a TOML file. Paths are those of
// [table.key]. It is called only if there is something to report: reading a file a second
// time costs a tenth of decoding it.
func locate(text []byte, wanted map[string]*place) {
	w := walker{text: text, wanted: wanted, left: len(wanted), elements: make(map[string]int)}
	var p unstable.Parser
	p.Reset(text)
	for w.left > 0 && p.NextExpression() {
		w.expression(p.Expression())
	}
	// There are texts that the decoder takes for TOML and this parser does not. What is not
	// found then stands somewhere behind the place where it gave up.
	var stop *unstable.ParserError
	if errors.As(p.Error(), &stop) {
		at := rangeExtent(p.Range(stop.Highlight))
		// In any order: all get the same place.
		for _, place := range wanted {
			if !place.found {
				place.value = at
			}
		}
	}
}

// walker keeps the path of what it meets in a file.
type walker struct {
	text     []byte
	wanted   map[string]*place
	left     int            // how many are not found yet
	elements map[string]int // how often each array of tables had a header so far
	path     []byte         // between two expressions: that of the table
}

// found notes the place of the current path if it is wanted. Only the first place counts:
// a table may be implied before it is defined.
func (w *walker) found(key, value extent) {
	// The compiler makes no string of the bytes for a lookup.
	if p, ok := w.wanted[string(w.path)]; ok && !p.found {
		*p = place{true, key, value}
		w.left--
	}
}

func (w *walker) expression(n *unstable.Node) {
	if n.Kind == unstable.KeyValue {
		w.keyValue(n)
		return
	}
	w.path = w.path[:0]
	header := w.header(n)
	for it := n.Key(); it.Next(); {
		key := it.Node()
		w.enter(key)
		w.found(rawExtent(key), header)
		count, isArray := w.elements[string(w.path)]
		if n.Kind == unstable.ArrayTable && it.IsLast() {
			w.elements[string(w.path)] = count + 1
			w.enterElement(count)
			w.found(rawExtent(key), header)
		} else if isArray {
			w.enterElement(count - 1)
		}
	}
}

// header returns the extent of a table header, brackets included.
func (w *walker) header(n *unstable.Node) extent {
	var e extent
	it := n.Key()
	for first := true; it.Next(); first = false {
		key := rawExtent(it.Node())
		if first {
			e.start = bytes.LastIndexByte(w.text[:key.start], '[')
		}
		e.end = key.end
	}
	e.end += bytes.IndexByte(w.text[e.end:], ']') + 1
	if n.Kind == unstable.ArrayTable {
		return extent{e.start - 1, e.end + 1}
	}
	return e
}

// keyValue walks a key, which may be dotted, and its value.
func (w *walker) keyValue(n *unstable.Node) {
	length := len(w.path)
	whole := rawExtent(n)
	for it := n.Key(); it.Next(); {
		key := rawExtent(it.Node())
		w.enter(it.Node())
		if !it.IsLast() {
			w.found(key, whole)
			continue
		}
		start := w.skip(key.end, " \t=")
		w.found(key, extent{start, whole.end})
		w.value(n.Value(), start)
	}
	w.path = w.path[:length]
}

// value walks the elements of a value that starts at the given offset and returns where it
// ends.
func (w *walker) value(n *unstable.Node, start int) (end int) {
	switch n.Kind {
	case unstable.Array:
		return w.array(n, start)
	case unstable.InlineTable:
		end = start + 1
		for it := n.Children(); it.Next(); {
			w.keyValue(it.Node())
			end = rawExtent(it.Node()).end
		}
		return w.skipFiller(end) + 1
	}
	return rawExtent(n).end
}

func (w *walker) array(n *unstable.Node, start int) (end int) {
	length := len(w.path)
	end = start + 1
	it := n.Children()
	for i := 0; it.Next(); i++ {
		w.enterElement(i)
		start := w.skipFiller(end)
		end = w.value(it.Node(), start)
		e := extent{start, end}
		w.found(e, e)
		w.path = w.path[:length]
	}
	return w.skipFiller(end) + 1
}

func (w *walker) enter(key *unstable.Node) {
	if len(w.path) > 0 {
		w.path = append(w.path, '.')
	}
	if quote := w.text[key.Raw.Offset]; quote == '"' || quote == '\'' {
		w.path = append(w.path, quoteKey(string(key.Data))...)
		return
	}
	w.path = append(w.path, key.Data...)
}

func (w *walker) enterElement(i int) {
	w.path = append(w.path, '[')
	w.path = strconv.AppendInt(w.path, int64(i), 10)
	w.path = append(w.path, ']')
}

// skip returns the offset of the first byte from i on that is not one of those in set.
func (w *walker) skip(i int, set string) int {
	rest := bytes.TrimLeft(w.text[i:], set)
	return len(w.text) - len(rest)
}

// skipFiller skips what may stand between the elements of an array or inline table.
func (w *walker) skipFiller(i int) int {
	for {
		i = w.skip(i, " \t\r\n,")
		if i == len(w.text) || w.text[i] != '#' {
			return i
		}
		i += bytes.IndexByte(w.text[i:], '\n')
	}
}

func rawExtent(n *unstable.Node) extent { return rangeExtent(n.Raw) }

func rangeExtent(r unstable.Range) extent {
	return extent{int(r.Offset), int(r.Offset + r.Length)}
}

// quoteKey returns one part of a key as it stands in a path: bare if TOML allows that.
func quoteKey(key string) string {
	bare := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-'
	}
	if key != "" && strings.IndexFunc(key, func(r rune) bool { return !bare(r) }) < 0 {
		return key
	}
	return strconv.Quote(key)
}

// withPositions returns the errors of problems that are sorted by their extents, with lines and
// columns. It goes through the file once.
func withPositions(file string, text []byte, problems []*problem) Errors {
	list := make(Errors, len(problems))
	offset, line, column := 0, 1, 1
	for i, p := range problems {
		passed := text[offset:p.extent.start]
		if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
			line += bytes.Count(passed, []byte("\n"))
			column = 1
			passed = passed[i+1:]
		}
		column += utf8.RuneCount(passed)
		offset = p.extent.start
		p.File, p.Line, p.Column = file, line, column
		p.EndColumn = column + utf8.RuneCount(firstLine(text[p.extent.start:p.extent.end]))
		list[i] = &p.Error
	}
	return list
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// excerpt returns a piece of a file as one short, printable line.
func excerpt(text []byte) string {
	const most = 60 // characters
	s := string(text)
	if strings.Contains(s, "\n") {
		s = strings.Join(strings.Fields(s), " ")
	}
	line := []rune(s)
	if len(line) > most {
		line = append(line[:most-4], []rune(" ...")...)
	}
	for i, r := range line {
		if !unicode.IsPrint(r) {
			line[i] = ' '
		}
	}
	return string(line)
}
