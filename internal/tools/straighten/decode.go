package main

import "encoding/binary"

// The instructions that this program must recognize.
const (
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opCall         = 0x10
	opCallIndirect = 0x11
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opTableSet     = 0x26
	opLoad         = 0x28 // the first of the loads and stores
	opStore        = 0x3e // the last of the loads and stores
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opNumeric      = 0x45 // the first numeric instruction without an operand
	opExtend       = 0xc4 // the last numeric instruction without an operand
	opMore         = 0xfc // prefix; the rest of the instruction's number follows
	moreSaturate   = 7    // the last of the saturating conversions, which have no operand
	moreCopy       = 10
	moreFill       = 11
)

type instruction struct {
	bytes   []byte
	op      byte
	operand int64    // the first operand, if the instruction has one
	labels  []uint64 // of opBrTable; the last is the default
}

// reader parses a module. At the end of the data it panics. At an instruction that Go's compiler does not use, it panics
// with an [unknownOp].
type reader struct{ rest []byte }

// unknownOp is the number of an instruction that Go's compiler is not known to use. For instructions with a prefix, it
// is 256 times the prefix plus the number after it.
type unknownOp uint64

func (r *reader) takeBytes(n uint64) []byte {
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte { return r.takeBytes(1)[0] }

func (r *reader) sized() []byte { return r.takeBytes(r.unsigned()) }

func (r *reader) unsigned() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		panic(errFormat)
	}
	r.takeBytes(uint64(n))
	return v
}

// signed reads a signed LEB128 number.
func (r *reader) signed() (v int64) {
	for shift := 0; ; {
		b := r.byte()
		v |= int64(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			unused := max(0, 64-shift)
			return v << unused >> unused
		}
	}
}

// locals skips the declarations of local variables.
func (r *reader) locals() {
	for range r.unsigned() {
		r.unsigned()
		r.byte()
	}
}

func (r *reader) instruction() instruction {
	begin := r.rest
	i := instruction{op: r.byte()}
	r.operands(&i)
	i.bytes = begin[:len(begin)-len(r.rest)]
	return i
}

func (r *reader) operands(i *instruction) {
	switch op := i.op; {
	case op == opBlock, op == opLoop, op == opIf, op == opI32Const, op == opI64Const:
		i.operand = r.signed()
	case op == opBr, op == opBrIf, op == opCall, opLocalGet <= op && op <= opTableSet:
		i.operand = int64(r.unsigned())
	case op == opBrTable:
		for range r.unsigned() + 1 {
			i.labels = append(i.labels, r.unsigned())
		}
	case op == opCallIndirect, opLoad <= op && op <= opStore:
		r.unsigned()
		r.unsigned()
	case op == opMemorySize, op == opMemoryGrow:
		r.byte()
	case op == opF32Const:
		r.takeBytes(4)
	case op == opF64Const:
		r.takeBytes(8)
	case op == opMore:
		r.more()
	case op < opBlock, op == 0x05, op == opEnd, op == 0x0f, op == 0x1a, op == 0x1b, opNumeric <= op && op <= opExtend:
		// unreachable, nop, else, end, return, drop, select and arithmetic have no operand
	default:
		panic(unknownOp(op))
	}
}

// The method more reads the rest of an instruction whose first byte is the prefix opMore.
func (r *reader) more() {
	switch op := r.unsigned(); {
	case op <= moreSaturate:
	case op == moreCopy:
		r.takeBytes(2)
	case op == moreFill:
		r.takeBytes(1)
	default:
		panic(unknownOp(opMore<<8 | op))
	}
}

func appendUnsigned(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

func appendSized(b, content []byte) []byte {
	return append(appendUnsigned(b, uint64(len(content))), content...)
}
