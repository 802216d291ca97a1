package scene

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pillbox/internal/archive"
	"pillbox/internal/parallel"
)

// tableRows is the number of records of a table that one goroutine reads at a time.
const tableRows = 1 << 13

// readTable reads the solids of a table that holds its numbers in binary, and returns a copy of b with them. It returns
// nil if t is nil, if the header, the type of a column or any record is invalid, or if the solids have names. Such
// tables are read as text instead, because messages about them need the text.
func (b *bulk) readTable(t *archive.Table, p *progress) *bulk {
	if t == nil {
		return nil
	}
	read := *b
	header := newRows(b.Name, t.Header(), 1)
	if header.invalid() != nil || !read.readHeader(&header) {
		return nil
	}
	read.findColumns()
	if read.flawed || read.index.name >= 0 || !read.typed(t) {
		return nil
	}
	parts := parallel.Partition{N: t.Len(), Size: tableRows}
	chunks := make([]*chunk, parts.Parts())
	read.solids = makeSolids(b.kind, 0, t.Len())
	rest := read.solids
	for i := range chunks {
		n := min(tableRows, t.Len()-i*tableRows)
		chunks[i] = &chunk{bulk: &read, table: t, record: i * tableRows, solids: rest.cut(b.kind, n), errors: cappedErrors{countOnly: true}}
	}
	counted := p.section(int64(t.Len()))
	defer counted.end()
	parallel.For(len(chunks), func(i int) {
		chunks[i].readRecords(min(tableRows, t.Len()-i*tableRows))
		counted.read(len(chunks[i].objects))
	})
	if slices.ContainsFunc(chunks, func(c *chunk) bool { return c.errors.count > 0 }) {
		return nil
	}
	read.join(chunks)
	return &read
}

// typed reports whether the columns of a table have the types of the columns of b.
func (b *bulk) typed(t *archive.Table) bool {
	for i, c := range b.columns {
		if t.IsNumber(i) != (c.slot >= 0) {
			return false
		}
	}
	return true
}

// readRecords reads n records, up to the first that is invalid.
func (c *chunk) readRecords(n int) {
	for range n {
		c.lines = appendLine(c.lines, len(c.objects), c.record+2) // the first line is the header
		values, o, has := c.newRow()
		c.readNumbers(&values)
		o.material, has = c.surfaceOf(&values)
		if c.errors.count > 0 {
			return
		}
		c.addObject(&values, o, has)
		c.valid = append(c.valid, true)
		c.record++
	}
	c.own.recent = nil
}

// word returns a word of the current record. If a text file could not contain the word as it is, word counts an error.
func (c *chunk) word(column int) string {
	word := c.table.Word(c.record, column)
	if !utf8.ValidString(word) || strings.ContainsFunc(word, unicode.IsControl) {
		c.errors.count++
	}
	return word
}
