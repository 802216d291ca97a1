package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pillbox/internal/parallel"
	"pillbox/internal/text"
)

// Table is an array of records in the format of NumPy's files, which the NumPy Enhancement Proposal 1 and
// the documentation of numpy.lib.format describe. It is immutable and safe for concurrent use.
type Table struct {
	fields  []field
	records []byte // of stride bytes each
	count   int
	stride  int // size of a record in bytes
}

// field is a field of a record. Its values are numbers, or texts, which are called words here.
type field struct {
	name   string
	offset int
	size   int
	append func(out, value []byte) []byte // appends the text of the value
	number func(value []byte) float64     // nil for words
	word   func(value []byte) string      // nil for numbers
}

// Header returns the first line of the table as CSV: the names of the columns.
func (t *Table) Header() []byte {
	var line []byte
	for i, f := range t.fields {
		if i > 0 {
			line = append(line, ',')
		}
		line = quoted(line, f.name)
	}
	return append(line, '\n')
}

// Len returns the number of records.
func (t *Table) Len() int { return t.count }

// IsNumber reports whether the values in a column are numbers. Otherwise they are words, that is, texts.
func (t *Table) IsNumber(column int) bool { return t.fields[column].number != nil }

// Number returns the value of a record in a column of numbers. The text of the number in the CSV parses to the same value.
func (t *Table) Number(record, column int) float64 {
	f := &t.fields[column]
	return f.number(t.records[record*t.stride+f.offset:][:f.size])
}

// Word returns the value of a record in a column of words, that is, texts.
func (t *Table) Word(record, column int) string {
	f := &t.fields[column]
	return f.word(t.records[record*t.stride+f.offset:][:f.size])
}

// header matches the text that NumPy writes before the records: a Python dictionary with these keys in this order.
var (
	header = text.Pattern(`^\{'descr': (.*), 'fortran_order': (?:False|True), 'shape': \((.*)\), ?\}\s*$`)
	fields = text.Pattern(`^\[(?:\('[^'\\]*', '[^'\\]*'\)(?:, )?)+\]$`)
	pair   = text.Pattern(`\('([^']*)', '([^']*)'\)`)
	length = text.Pattern(`^(\d+),$`)
	kind   = text.Pattern(`^([<>|=])([fiuSU])(\d+)$`)
)

// parseTable returns the table in a file. It reads the file's header; the records remain in data.
func parseTable(data []byte) (*Table, error) {
	text, records, err := split(data)
	if err != nil {
		return nil, err
	}
	parts := header().FindStringSubmatch(text)
	if parts == nil {
		return nil, errors.New("must be an array of NumPy; its header is invalid")
	}
	if !fields().MatchString(parts[1]) {
		return nil, fmt.Errorf("must have named fields of one number or one word each, got the type %.80s", parts[1])
	}
	shape := length().FindStringSubmatch(parts[2])
	if shape == nil {
		return nil, fmt.Errorf("must have one dimension, got the shape (%.80s)", parts[2])
	}
	t := &Table{records: records}
	for _, p := range pair().FindAllStringSubmatch(parts[1], -1) {
		f, err := newField(p[1], p[2])
		if err != nil {
			return nil, err
		}
		f.offset = t.stride
		t.stride += f.size
		t.fields = append(t.fields, f)
	}
	t.count, err = strconv.Atoi(shape[1])
	if err != nil || t.stride == 0 || t.count > MaxBytes || t.count*t.stride != len(records) {
		return nil, fmt.Errorf("must have %s records of %d bytes, got %d bytes", shape[1], t.stride, len(records))
	}
	return t, nil
}

// split divides the bytes of a file and returns the text of the header, and the records.
func split(data []byte) (text string, records []byte, err error) {
	const magic = "\x93NUMPY"
	if len(data) < 12 || string(data[:6]) != magic {
		return "", nil, errors.New("must be an array of NumPy; it does not begin like one")
	}
	start, size := 10, int(binary.LittleEndian.Uint16(data[8:]))
	if data[6] > 1 { // versions 2 and 3 have a longer length
		start, size = 12, int(binary.LittleEndian.Uint32(data[8:]))
	}
	if size > len(data)-start {
		return "", nil, errors.New("must be an array of NumPy; it is cut off in its header")
	}
	return string(data[start : start+size]), data[start+size:], nil
}

// newField returns a field with a type of NumPy, such as <f8. It does not set the field's offset.
func newField(name, typ string) (field, error) {
	wrong := fmt.Errorf("field %s: must be a float, an integer or text, got the type %.20s", name, typ)
	parts := kind().FindStringSubmatch(typ)
	if parts == nil {
		return field{}, wrong
	}
	var order binary.ByteOrder = binary.LittleEndian
	if parts[1] == ">" {
		order = binary.BigEndian
	}
	size, err := strconv.Atoi(parts[3])
	if err != nil || size > 1<<16 {
		return field{}, wrong
	}
	f := field{name: name, size: size}
	switch parts[2] + parts[3] {
	case "f8":
		f.number = func(v []byte) float64 { return math.Float64frombits(order.Uint64(v)) }
	case "f4":
		f.number = func(v []byte) float64 { return float64(math.Float32frombits(order.Uint32(v))) }
	case "i1", "i2", "i4", "i8":
		shift := 64 - 8*size
		integer := func(v []byte) int64 { return int64(whole(order, v)<<shift) >> shift }
		f.append = func(out, v []byte) []byte { return strconv.AppendInt(out, integer(v), 10) }
		f.number = func(v []byte) float64 { return float64(integer(v)) }
	case "u1", "u2", "u4", "u8":
		f.append = func(out, v []byte) []byte { return strconv.AppendUint(out, whole(order, v), 10) }
		f.number = func(v []byte) float64 { return float64(whole(order, v)) }
	default:
		switch parts[2] {
		case "S":
			f.word = func(v []byte) string { return string(bytes.TrimRight(v, "\x00")) }
		case "U":
			f.size *= 4
			f.word = func(v []byte) string { return characters(order, v) }
		default:
			return field{}, wrong
		}
		f.append = func(out, v []byte) []byte { return quoted(out, f.word(v)) }
	}
	if f.append == nil {
		f.append = func(out, v []byte) []byte { return strconv.AppendFloat(out, f.number(v), 'g', -1, 64) }
	}
	return f, nil
}

// whole returns an integer of 1, 2, 4 or 8 bytes.
func whole(order binary.ByteOrder, v []byte) uint64 {
	switch len(v) {
	case 1:
		return uint64(v[0])
	case 2:
		return uint64(order.Uint16(v))
	case 4:
		return uint64(order.Uint32(v))
	}
	return order.Uint64(v)
}

// characters decodes a text of 32-bit code points, without the zeros after its end.
func characters(order binary.ByteOrder, v []byte) string {
	var b strings.Builder
	for ; len(v) > 0; v = v[4:] {
		b.WriteRune(rune(order.Uint32(v)))
	}
	return strings.TrimRight(b.String(), "\x00")
}

// quoted appends a word as a field of CSV.
func quoted(out []byte, word string) []byte {
	if !strings.ContainsAny(word, "\",\r\n ") {
		return append(out, word...)
	}
	out = append(out, '"')
	out = append(out, strings.ReplaceAll(word, `"`, `""`)...)
	return append(out, '"')
}

// content returns the size of the table as CSV, which it estimates from the first rows, and a reader of the CSV. The
// method can be used as a function of the type [content].
func (t *Table) content() (size int64, from io.Reader) {
	r := &rows{Table: t, ready: t.Header()}
	size = int64(len(r.ready))
	if t.count > 0 {
		sample := min(t.count, 100)
		size += int64(len(t.text(nil, 0, sample))) * int64(t.count) / int64(sample)
	}
	return size, r
}

// The method text appends to out the CSV rows of the records i with from <= i < to.
func (t *Table) text(out []byte, from, to int) []byte {
	for i := from; i < to; i++ {
		record := t.records[i*t.stride : (i+1)*t.stride]
		for k := range t.fields {
			if k > 0 {
				out = append(out, ',')
			}
			f := &t.fields[k]
			out = f.append(out, record[f.offset:f.offset+f.size])
		}
		out = append(out, '\n')
	}
	return out
}

// rows is a reader that gives the bytes of a table as CSV. It converts many rows at a time, on all processors.
type rows struct {
	*Table
	ready []byte   // text that was made but not read yet
	later [][]byte // more such text, after ready
	next  int      // the first record whose text was not made yet
}

// pieceRows is the number of rows that one goroutine converts to text at a time. This is about as much text as the
// reader of a bulk file reads at a time.
const pieceRows = 4096

// Read implements [io.Reader].
func (r *rows) Read(p []byte) (int, error) {
	for len(r.ready) == 0 {
		switch {
		case len(r.later) > 0:
			r.ready, r.later = r.later[0], r.later[1:]
		case r.next < r.count:
			r.advance()
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// advance converts the next rows to text.
func (r *rows) advance() {
	pieces := min(2*parallel.Workers(0), (r.count-r.next+pieceRows-1)/pieceRows)
	r.later = make([][]byte, pieces)
	parallel.For(pieces, func(i int) {
		from := r.next + i*pieceRows
		r.later[i] = r.text(nil, from, min(from+pieceRows, r.count))
	})
	r.next = min(r.next+pieces*pieceRows, r.count)
}
