package main

import (
	"bytes"
	"encoding/binary"
)

// dataSection is the section with the initial content of the memory.
const dataSection = 11

// lineTable is the table pclntab that Go's linker writes (runtime/symtab.go, pcHeader, and runtime/runtime2.go, _func).
// In it, the runtime looks up facts about the address of an instruction. Some of its tables contain the files and lines
// of all instructions, which only stack traces show: without them, a trace shows "?" and line 0. The other tables are
// needed to walk stacks.
type lineTable struct {
	memory []byte // from the table's first byte on
}

// The beginning of the table: a magic number, two zeros, the size of the shortest instruction, and the size of a
// pointer.
const lineTableMagic = "\xf1\xff\xff\xff\x00\x00\x01\x08"

// Offsets of fields in the table's header. Each field has 8 bytes.
const (
	headFunctions = 8
	headUnits     = 40 // offset of the numbers of files, for each unit of compilation
	headTables    = 56 // offset of the tables of values by address
	headIndex     = 64 // offset of the list of functions
	headSize      = 72
)

// Offsets of fields in the description of a function. A field has 4 bytes unless a comment states another size.
const (
	functionStack     = 16 // the table of the stack's depth
	functionFiles     = 20 // the table of files
	functionLines     = 24 // the table of lines
	functionCount     = 28 // the number of other tables
	functionUnit      = 32
	functionFirstLine = 36
	functionTables    = 44 // the other tables
)

// segment is a part of the initial content of the memory.
type segment struct {
	head    []byte // of the segment in the section: where it is placed
	address int
	content []byte
}

// segments returns the segments of a data section.
func segments(section []byte) (all []segment) {
	r := reader{section}
	for range r.unsigned() {
		begin := r.rest
		if r.unsigned() != 0 || r.byte() != opI32Const { // another kind of segment
			panic(errFormat)
		}
		address := int(r.signed())
		if address < 0 || r.byte() != opEnd {
			panic(errFormat)
		}
		head := begin[:len(begin)-len(r.rest)]
		all = append(all, segment{head, address, r.sized()})
	}
	return all
}

// clearLines clears the names of files, and the files and lines of all instructions, in a data section. It changes nothing
// if the section has no such table, and panics if the table has an unexpected form.
func clearLines(section []byte) []byte {
	all := segments(section)
	size := 0
	for _, s := range all {
		size = max(size, s.address+len(s.content))
	}
	memory := make([]byte, size) // the linker omits zeros between segments
	for _, s := range all {
		copy(memory[s.address:], s.content)
	}
	if at := bytes.Index(memory, []byte(lineTableMagic)); at >= 0 {
		(&lineTable{memory[at:]}).clear()
	}
	out := appendUnsigned(nil, uint64(len(all)))
	for _, s := range all {
		out = appendSized(append(out, s.head...), memory[s.address:][:len(s.content)])
	}
	return out
}

func (t *lineTable) long(at int) int { return int(binary.LittleEndian.Uint64(t.memory[at:])) }

func (t *lineTable) word(at int) int { return int(binary.LittleEndian.Uint32(t.memory[at:])) }

func (t *lineTable) clear() {
	units, tables, index := t.long(headUnits), t.long(headTables), t.long(headIndex)
	if !(headSize <= units && units <= tables && tables <= index && index <= len(t.memory)) {
		panic(errFormat)
	}
	needed := make([]bool, index-tables) // the bytes of tables that are needed
	keep := func(table int) {
		for i := range t.size(tables+table, index) {
			needed[table+i] = true
		}
	}
	for i := range t.long(headFunctions) {
		f := index + t.word(index+8*i+4)
		keep(t.word(f + functionStack))
		for j := range t.word(f + functionCount) {
			keep(t.word(f + functionTables + 4*j))
		}
		for _, field := range [...]int{functionFiles, functionLines, functionUnit, functionFirstLine} {
			clear(t.memory[f+field : f+field+4])
		}
	}
	clear(t.memory[units:tables])
	for i := range needed {
		if !needed[i] {
			t.memory[tables+i] = 0
		}
	}
}

// size returns the number of bytes of a table of values by address. The table is a list of pairs: the difference from
// the previous value and the difference from the previous address. A 0 in place of a difference of values ends the
// table, except in the first pair.
func (t *lineTable) size(at, end int) int {
	r := reader{t.memory[at:end]}
	for first := true; ; first = false {
		if r.unsigned() == 0 && !first {
			return end - at - len(r.rest)
		}
		r.unsigned()
	}
}
