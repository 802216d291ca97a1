package main

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// Tables of values for the test, in the order of their positions in the data. One unused byte comes before the
// first table, because no table begins at offset 0.
const (
	stackTable = "\x02\x04\x00" // one value
	linesTable = "\x06\x01\x05\x02\x03\x80\x01\x00"
	filesTable = "\x00\x05\x02\x01\x00" // the first difference of values is 0
	otherTable = "\x04\x09\x00"
)

// lineTableOf returns a table of two functions in the format of Go's linker. The names of files precede the tables
// of values.
func lineTableOf() (table []byte, files, tables, index int) {
	values := "\x00" + stackTable + linesTable + filesTable + otherTable
	files, tables = headSize, headSize+len("a.go\x00b.go\x00")
	index = tables + len(values)
	table = append([]byte(lineTableMagic), make([]byte, headSize-len(lineTableMagic))...)
	for at, x := range map[int]int{headFunctions: 2, headUnits: files, headTables: tables, headIndex: index} {
		binary.LittleEndian.PutUint64(table[at:], uint64(x))
	}
	table = append(append(table, "a.go\x00b.go\x00"...), values...)
	words := func(list ...int) {
		for _, x := range list {
			table = binary.LittleEndian.AppendUint32(table, uint32(x))
		}
	}
	stack, lines := 1, 1+len(stackTable)
	inFiles := lines + len(linesTable)
	other := inFiles + len(filesTable)
	const list = 8*2 + 4 // two entries, and the end of the last function
	words(0, list, 1, list+functionTables+4, 2)
	words(0, 7, 0, 0, stack, inFiles, lines, 1, 5, 40, 0, other)
	words(1, 8, 0, 0, stack, inFiles, lines, 0, 5, 50, 0)
	return table, files, tables, index
}

// TestClearLines checks that files and lines are cleared, and that the data for walking stacks is kept.
func TestClearLines(t *testing.T) {
	table, files, tables, index := lineTableOf()
	const address = 1000
	section := []byte{2, 0, opI32Const}
	section = append(section, 0xe8, 0x07, opEnd) // 1000
	section = appendSized(section, table[:index+3])
	section = append(section, 0, opI32Const)
	section = appendSigned(section, int64(address+index+3))
	section = appendSized(append(section, opEnd), table[index+3:])

	want := bytes.Clone(table)
	clear(want[files:tables])
	clear(want[tables+1+len(stackTable):][:len(linesTable)+len(filesTable)])
	for f, end := index+20, len(want); f < end; f += functionTables + 4 {
		clear(want[f+functionFiles : f+functionCount])
		clear(want[f+functionUnit : f+functionFirstLine+4])
	}
	var got []byte
	for _, s := range segments(clearLines(section)) {
		got = append(got, s.content...)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got[files:], want[files:])
	}
}

// TestClearLinesElsewhere checks that data without the table is not changed, and that a table in another format is
// an error.
func TestClearLinesElsewhere(t *testing.T) {
	plain := appendSized([]byte{1, 0, opI32Const, 8, opEnd}, []byte("some data"))
	if got := clearLines(plain); !bytes.Equal(got, plain) {
		t.Errorf("data becomes %q, want %q", got, plain)
	}
	table, _, _, index := lineTableOf()
	binary.LittleEndian.PutUint64(table[headTables:], uint64(index+1))
	data := appendSized([]byte{1, 0, opI32Const, 8, opEnd}, table)
	module := appendSized(append([]byte(preamble), dataSection), data)
	if _, err := straighten(module, nil); err == nil {
		t.Error("a table with overlapping parts is accepted")
	}
}

// appendSigned appends v in signed LEB128.
func appendSigned(b []byte, v int64) []byte {
	for ; v < -64 || v > 63; v >>= 7 {
		b = append(b, byte(v&0x7f)|0x80)
	}
	return append(b, byte(v&0x7f))
}
