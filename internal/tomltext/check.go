package tomltext

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"sync"

	"github.com/pelletier/go-toml/v2/unstable"
)

// check returns the first error in a text that is invalid in TOML 1.0 although BurntSushi/toml accepts it, or nil. It
// also finds every key and table that is defined twice, and names the first definition. Both the decoder and the parser
// of go-toml accept the syntax that TOML 1.1 added. The decoder also lets tables be extended that TOML closes. check
// stops at the first error of the grammar, which the decoder reports.
func check(text []byte) *SyntaxError {
	root := definition{kind: explicitTable}
	c := checker{text: text, root: &root, table: &root}
	var p unstable.Parser
	p.Reset(text)
	for c.err == nil && p.NextExpression() {
		c.expression(p.Expression())
	}
	var stop *unstable.ParserError
	if c.err == nil && errors.As(p.Error(), &stop) {
		return syntax(wholeCharacters(text, rangeExtent(p.Range(stop.Highlight))), "%s", tidy(stop.Message))
	}
	return c.err
}

// definitionKind is what a key is defined as.
type definitionKind uint8

const (
	closedValue   definitionKind = iota // also an array or an inline table, which nothing can extend
	explicitTable                       // by its own header
	superTable                          // only by headers of tables in it; its own header may follow
	dottedTable                         // by dotted keys; only these and headers of tables in it can extend it
	arrayOfTables                       // by headers with two brackets
)

// String returns what a message calls such a key.
func (k definitionKind) String() string {
	switch k {
	case closedValue:
		return "value"
	case arrayOfTables:
		return "array of tables"
	}
	return "table"
}

// definition is a key and where it is first defined. For an array of tables, keys are those of its last element.
type definition struct {
	kind definitionKind
	at   Extent
	keys map[string]*definition
}

// checker checks a text, expression by expression.
type checker struct {
	text  []byte
	root  *definition
	table *definition // of the last header
	end   int         // of the expression
	err   *SyntaxError
}

// fail records an error, unless there is one already.
func (c *checker) fail(at Extent, format string, args ...any) {
	if c.err == nil {
		c.err = &SyntaxError{Extent: at, Message: fmt.Sprintf(format, args...), final: true}
	}
}

// again records that a key is defined again.
func (c *checker) again(key *unstable.Node, first *definition, format string, args ...any) {
	c.fail(rawExtent(key), format, args...)
	if c.err.first == (Extent{}) {
		c.err.first = first.at
	}
}

// name returns a part of a key for a message.
func name(key *unstable.Node) string { return shorten(QuoteKey(string(key.Data))) }

func (c *checker) expression(n *unstable.Node) {
	if n.Kind == unstable.KeyValue {
		c.end = rawExtent(n).End
		c.keyValue(c.table, n)
		return
	}
	table := c.root
	for it := n.Key(); it.Next() && c.err == nil; {
		c.escapes(it.Node())
		switch {
		case !it.IsLast():
			table = c.outer(table, it.Node())
		case n.Kind == unstable.ArrayTable:
			table = c.element(table, it.Node())
		default:
			table = c.header(table, it.Node())
		}
	}
	c.table = table
}

// define returns the definition of a key of a table. If it is new, define creates it with the given kind.
func (t *definition) define(key *unstable.Node, kind definitionKind) (d *definition, isNew bool) {
	if d, ok := t.keys[string(key.Data)]; ok {
		return d, false
	}
	if t.keys == nil {
		t.keys = make(map[string]*definition)
	}
	d = &definition{kind: kind, at: rawExtent(key)}
	t.keys[string(key.Data)] = d
	return d, true
}

// outer enters the table that a key in a header names before its last part.
func (c *checker) outer(t *definition, key *unstable.Node) *definition {
	d, _ := t.define(key, superTable)
	if d.kind == closedValue {
		c.again(key, d, "a header cannot extend the value %s", name(key))
	}
	return d
}

// header enters the table that the last part of the key in a header defines.
func (c *checker) header(t *definition, key *unstable.Node) *definition {
	d, isNew := t.define(key, explicitTable)
	switch {
	case isNew:
	case d.kind == superTable:
		d.kind = explicitTable
	case d.kind == explicitTable:
		c.again(key, d, "the table %s appears twice", name(key))
	case d.kind == dottedTable:
		c.again(key, d, "a header cannot extend the table %s of dotted keys", name(key))
	default:
		c.again(key, d, "a header cannot extend the %s %s", d.kind, name(key))
	}
	return d
}

// element enters a new element of an array of tables.
func (c *checker) element(t *definition, key *unstable.Node) *definition {
	d, _ := t.define(key, arrayOfTables)
	if d.kind != arrayOfTables {
		c.again(key, d, "the header of an array of tables cannot extend the %s %s", d.kind, name(key))
	}
	d.keys = nil
	return d
}

// keyValue defines a key, which may be dotted, of a table.
func (c *checker) keyValue(t *definition, n *unstable.Node) {
	for it := n.Key(); it.Next() && c.err == nil; {
		key := it.Node()
		c.escapes(key)
		if it.IsLast() {
			if d, isNew := t.define(key, closedValue); !isNew {
				c.again(key, d, "the key %s appears twice in this table", name(key))
			}
			c.value(n.Value())
			return
		}
		d, isNew := t.define(key, dottedTable)
		switch {
		case isNew || d.kind == dottedTable:
		case d.kind == superTable:
			d.kind = dottedTable
		default:
			c.again(key, d, "a dotted key cannot extend the %s %s", d.kind, name(key))
		}
		t = d
	}
}

// value checks a value and all values in it.
func (c *checker) value(n *unstable.Node) {
	switch n.Kind {
	case unstable.Array:
		for it := n.Children(); it.Next(); {
			c.value(it.Node())
		}
	case unstable.InlineTable:
		c.inlineTable(n)
	case unstable.String:
		c.escapes(n)
	case unstable.LocalTime, unstable.LocalDate, unstable.LocalDateTime, unstable.DateTime:
		c.time(n)
	}
}

// inlineTable checks an inline table. TOML 1.1 allows line breaks, comments and a comma at its end, but TOML 1.0 does
// not.
func (c *checker) inlineTable(n *unstable.Node) {
	var table definition
	brace := rawExtent(n)
	end := brace.End
	oneLine := func(next int) {
		if bytes.IndexByte(c.text[end:next], '\n') >= 0 {
			c.fail(Extent{brace.Start, c.end}, "an inline table must be on one line: join the lines, or write a table with a header")
		}
	}
	for it := n.Children(); it.Next(); {
		at := rawExtent(it.Node())
		oneLine(at.Start)
		c.keyValue(&table, it.Node())
		end = at.End
	}
	closing := end + bytes.IndexAny(c.text[end:], "}\n")
	oneLine(closing + 1)
	if comma := bytes.IndexByte(c.text[end:closing], ','); comma >= 0 {
		c.fail(Extent{end + comma, end + comma + 1}, "an inline table must not end with a comma: remove it")
	}
}

// escapes reports an escape sequence that TOML 1.0 does not have in a string or a quoted key.
func (c *checker) escapes(n *unstable.Node) {
	at := rawExtent(n)
	token := c.text[at.Start:at.End]
	if token[0] != '"' {
		return
	}
	for i := 0; i < len(token); i++ {
		if token[i] != '\\' {
			continue
		}
		switch i++; token[i] {
		case 'e':
			c.fail(Extent{at.Start + i - 1, at.Start + i + 1}, `TOML 1.0 has no escape \e: write \u001b`)
		case 'x':
			c.fail(Extent{at.Start + i - 1, at.Start + i + 3}, `TOML 1.0 has no escape \x: write \u00%s`, token[i+1:i+3])
		}
	}
}

// timePattern matches the dates and times of TOML 1.0. The decoder checks their ranges, except that of the offset.
var timePattern = sync.OnceValue(func() *regexp.Regexp {
	const date, time, offset = `\d{4}-\d\d-\d\d`, `\d\d:\d\d:\d\d(?:\.\d+)?`, `(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)`
	return regexp.MustCompile(`^(?:` + date + `(?:[Tt ]` + time + offset + `?)?|` + time + `)$`)
})

// time checks the form of a date or time. TOML 1.1 allows times without seconds, but TOML 1.0 does not.
func (c *checker) time(n *unstable.Node) {
	if !timePattern().Match(n.Data) {
		c.fail(rawExtent(n), "invalid date or time: write it as 2006-01-02T15:04:05Z")
	}
}
