package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// wasm is a WebAssembly function under construction. Its vectors have 128 bits, that is, two lanes; it can
// have any number of local variables.
//
// The function has the calling convention of Go's linker (cmd/internal/obj/wasm). Its arguments and its
// result are on Go's stack; global variable 0 is the address of this stack. The WebAssembly parameter is
// not used. The WebAssembly result 0 means that the stack must not be unwound. The function refers only to
// global variable 0 and memory 0, so the same body works in any module.
type wasm struct {
	types  []byte   // types of the local variables after the parameter
	code   []byte   //
	set    int      // end of the code that sets the most recently set variable
	around []string // labels of open blocks, the innermost last
	sp     local    // Go's stack
}

// local is a local variable, as a register of the machine.
type local uint64

// Asm implements avo's interface of operands.
func (l local) Asm() string { return fmt.Sprint("local ", uint64(l)) }

const wasmLanes = 2

// Types of local variables.
const (
	i32  = 0x7f
	i64  = 0x7e
	v128 = 0x7b
)

// Instructions: WebAssembly Core Specification 2.0, section 5.4.
const (
	opBlock     = 0x02
	opLoop      = 0x03
	opIf        = 0x04
	opEnd       = 0x0b
	opBr        = 0x0c
	opBrIf      = 0x0d
	opSelect    = 0x1b
	opLocalGet  = 0x20
	opLocalSet  = 0x21
	opLocalTee  = 0x22
	opGlobalGet = 0x23
	opGlobalSet = 0x24
	opI32Load   = 0x28
	opI64Load   = 0x29
	opF32Load   = 0x2a
	opI32Store  = 0x36
	opI64Store  = 0x37
	opF64Store  = 0x39
	opI32Const  = 0x41
	opI64Const  = 0x42
	opI32Eqz    = 0x45
	opI32LtS    = 0x48
	opF32Gt     = 0x5e
	opF64Le     = 0x65
	opPopcnt    = 0x69
	opI32Add    = 0x6a
	opI32Sub    = 0x6b
	opI32Mul    = 0x6c
	opI32And    = 0x71
	opI32Or     = 0x72
	opI32Xor    = 0x73
	opI32Shl    = 0x74
	opI32ShrU   = 0x76
	opI64Add    = 0x7c
	opI64Or     = 0x84
	opI64Shl    = 0x86
	opExtendU   = 0xad
	opF32Bits   = 0xbe // from i32
	opVector    = 0xfd // prefix: the opcode follows
)

// Opcodes of vector instructions, after the prefix opVector.
const (
	vLoad        = 0x00
	vLoad32Splat = 0x09
	vLoad64Splat = 0x0a
	vStore       = 0x0b
	vConst       = 0x0c
	vShuffle     = 0x0d
	vSwizzle     = 0x0e
	vI32Splat    = 0x11
	vI64Splat    = 0x12
	vF64Lane     = 0x21
	vF32Le       = 0x45
	vF64Eq       = 0x47
	vF64Lt       = 0x49
	vF64Gt       = 0x4a
	vF64Le       = 0x4b
	vF64Ge       = 0x4c
	vNot         = 0x4d
	vAnd         = 0x4e
	vAndNot      = 0x4f
	vOr          = 0x50
	vBitSelect   = 0x52
	vAnyTrue     = 0x53
	vLoad64Zero  = 0x5d
	vPromote     = 0x5f
	vI8Sub       = 0x71
	vI32Mask     = 0xa4
	vI32Add      = 0xae
	vI32Mul      = 0xb5
	vI32Min      = 0xb6
	vI32Max      = 0xb8
	vI64Mask     = 0xc4
	vI64Eq       = 0xd6
	vF32Sub      = 0xe5
	vF32Mul      = 0xe6
	vF32PMin     = 0xea
	vF32PMax     = 0xeb
	vF64Sqrt     = 0xef
	vF64Add      = 0xf0
	vF64Sub      = 0xf1
	vF64Mul      = 0xf2
	vF64Div      = 0xf3
	vF64PMin     = 0xf6
	vF64PMax     = 0xf7
)

func newWasm() *wasm {
	w := &wasm{}
	w.sp = w.variable(i32)
	w.op(opGlobalGet, 0)
	w.pop(w.sp)
	return w
}

func (w *wasm) op(code byte, operands ...uint64) {
	w.code = append(w.code, code)
	w.operands(operands)
}

func (w *wasm) vector(code uint64, operands ...uint64) {
	w.code = append(w.code, opVector)
	w.operands([]uint64{code})
	w.operands(operands)
}

func (w *wasm) operands(list []uint64) {
	for _, v := range list {
		w.code = binary.AppendUvarint(w.code, v)
	}
}

// variable returns a new local variable.
func (w *wasm) variable(kind byte) local {
	w.types = append(w.types, kind)
	return local(len(w.types)) // 0 is the parameter
}

// push pushes the values of variables on wasm's stack, and pop pops a value into a variable.
func (w *wasm) push(from ...address) {
	for _, v := range from {
		v := v.(local)
		set := binary.AppendUvarint([]byte{opLocalSet}, uint64(v))
		if w.set == len(w.code) && bytes.HasSuffix(w.code, set) {
			w.code[len(w.code)-len(set)] = opLocalTee
			w.set = 0
			continue
		}
		w.op(opLocalGet, uint64(v))
	}
}

func (w *wasm) pop(to local) {
	w.op(opLocalSet, uint64(to))
	w.set = len(w.code)
}

// popNew pops a value from wasm's stack into a new variable.
func (w *wasm) popNew(kind byte) local {
	v := w.variable(kind)
	w.pop(v)
	return v
}

// compute appends a vector instruction to the code and returns a new variable with its result.
func (w *wasm) compute(code uint64, from ...vec) local {
	w.push(from...)
	w.vector(code)
	return w.popNew(v128)
}

// number pushes an integer on wasm's stack.
func (w *wasm) number(code byte, v int64) {
	w.code = append(w.code, code)
	for ; v < -64 || v > 63; v >>= 7 {
		w.code = append(w.code, byte(v&0x7f|0x80))
	}
	w.code = append(w.code, byte(v&0x7f))
}

// integer returns a new variable that holds an integer.
func (w *wasm) integer(v int64) local {
	w.number(opI32Const, v)
	return w.popNew(i32)
}

// binary returns the result of an instruction with two integers.
func (w *wasm) binary(code byte, a, b local) local {
	w.push(a, b)
	w.op(code)
	return w.popNew(i32)
}

// The method with returns the result of an instruction whose operands are an integer variable and a constant.
func (w *wasm) with(code byte, a local, b int64) local {
	w.push(a)
	w.number(opI32Const, b)
	w.op(code)
	return w.popNew(i32)
}

// change applies an instruction and a constant to a variable.
func (w *wasm) change(v local, code byte, by int64) {
	w.push(v)
	w.number(opI32Const, by)
	w.op(code)
	w.pop(v)
}

// include sets, in the variable v, all bits that are set in the integer bits.
func (w *wasm) include(v, bits local) {
	w.push(v, bits)
	w.op(opI32Or)
	w.pop(v)
}

func (w *wasm) copy(to, from local) {
	w.push(from)
	w.pop(to)
}

// word returns the 32-bit integer in memory at the address base + disp.
func (w *wasm) word(base local, disp int) local {
	w.push(base)
	w.op(opI32Load, 0, uint64(disp))
	return w.popNew(i32)
}

func (w *wasm) setWord(v, base local, disp int) {
	w.push(base, v)
	w.op(opI32Store, 0, uint64(disp))
}

// argument returns the lower 32 bits of an argument of the kernel. The parameter behind is the offset of
// this argument from the first argument, in bytes.
func (w *wasm) argument(behind int) local { return w.word(w.sp, 8+behind) }

// The method returns stores the kernel's 64-bit result, given as two halves. The result lies after the
// arguments; the parameter behind is the size of the arguments, in bytes.
func (w *wasm) returns(lower, upper local, behind int) {
	w.setWord(lower, w.sp, 8+behind)
	w.setWord(upper, w.sp, 8+behind+4)
}

// block, loop and branch begin structures with a label. A branch runs its body if the value on wasm's
// stack is not 0.
func (w *wasm) block(label string, body func())  { w.structure(opBlock, label, body) }
func (w *wasm) loop(label string, body func())   { w.structure(opLoop, label, body) }
func (w *wasm) branch(label string, body func()) { w.structure(opIf, label, body) }

func (w *wasm) structure(code byte, label string, body func()) {
	const noResult = 0x40
	w.op(code, noResult)
	w.around = append(w.around, label)
	body()
	w.around = w.around[:len(w.around)-1]
	w.op(opEnd)
}

// leave jumps to the end of a block or to the head of a loop. leaveIf does so if the value on wasm's
// stack is not 0.
func (w *wasm) leave(label string)   { w.op(opBr, w.depth(label)) }
func (w *wasm) leaveIf(label string) { w.op(opBrIf, w.depth(label)) }

func (w *wasm) depth(label string) uint64 {
	at := slices.Index(w.around, label)
	if at < 0 {
		panic("no " + label)
	}
	return uint64(len(w.around) - 1 - at)
}

// countDown decrements a variable and jumps to the label unless it is then 0.
func (w *wasm) countDown(v local, label string) {
	w.change(v, opI32Sub, 1)
	w.push(v)
	w.leaveIf(label)
}

// The methods of a machine.

func (w *wasm) memory(base, index address) {
	w.push(base)
	if index != nil {
		w.push(index)
		w.op(opI32Add)
	}
}

func (w *wasm) load(base, index address, disp int) vec {
	w.memory(base, index)
	w.vector(vLoad, 0, uint64(disp))
	return w.popNew(v128)
}

func (w *wasm) store(v vec, base, index address, disp int) {
	w.memory(base, index)
	w.push(v)
	w.vector(vStore, 0, uint64(disp))
}

func (w *wasm) keep(v vec, _ address, _ int) (read func() vec) { return func() vec { return v } }

func (w *wasm) all(base address, disp int) vec {
	w.push(base)
	w.vector(vLoad64Splat, 0, uint64(disp))
	return w.popNew(v128)
}

func (w *wasm) constant(v float64) vec {
	bits := math.Float64bits(v)
	return w.words(uint32(bits), uint32(bits>>32), uint32(bits), uint32(bits>>32))
}

// words returns a vector of four integers.
func (w *wasm) words(v ...uint32) vec {
	w.vector(vConst)
	for _, v := range v {
		w.code = binary.LittleEndian.AppendUint32(w.code, v)
	}
	return w.popNew(v128)
}

func (w *wasm) zero() vec { return w.words(0, 0, 0, 0) }

func (w *wasm) move(from, to vec) { w.copy(to.(local), from.(local)) }

func (w *wasm) add(a, b vec) vec     { return w.compute(vF64Add, a, b) }
func (w *wasm) sub(a, b vec) vec     { return w.compute(vF64Sub, a, b) }
func (w *wasm) mul(a, b vec) vec     { return w.compute(vF64Mul, a, b) }
func (w *wasm) div(a, b vec) vec     { return w.compute(vF64Div, a, b) }
func (w *wasm) sqrt(a vec) vec       { return w.compute(vF64Sqrt, a) }
func (w *wasm) larger(a, b vec) vec  { return w.compute(vF64PMax, a, b) }
func (w *wasm) smaller(a, b vec) vec { return w.compute(vF64PMin, a, b) }

func (w *wasm) compare(r relation, a, b vec) mask {
	code, ok := map[relation]uint64{equal: vF64Eq, less: vF64Lt, lessOrEqual: vF64Le, greaterOrEqual: vF64Ge, greater: vF64Gt}[r]
	if !ok {
		panic("no such comparison")
	}
	return w.compute(code, a, b)
}

func (w *wasm) and(a, b mask) mask          { return w.compute(vAnd, a, b) }
func (w *wasm) or(a, b mask) mask           { return w.compute(vOr, a, b) }
func (w *wasm) without(a, b mask) mask      { return w.compute(vAndNot, a, b) }
func (w *wasm) choose(k mask, a, b vec) vec { return w.compute(vBitSelect, a, b, k) }

func (w *wasm) leaveIfAny(k mask, label string) {
	w.push(k)
	w.vector(vAnyTrue)
	w.leaveIf(label)
}

func (w *wasm) leaveIfNone(k mask, label string) {
	w.push(k)
	w.vector(vAnyTrue)
	w.op(opI32Eqz)
	w.leaveIf(label)
}

func (w *wasm) ifAny(k mask, label string, then func()) {
	w.push(k)
	w.vector(vAnyTrue)
	w.branch(label, then)
}

// lanesIn returns a mask as an integer with one bit for each lane.
func (w *wasm) lanesIn(k mask) local {
	w.push(k)
	w.vector(vI64Mask)
	return w.popNew(i32)
}

// shuffle returns the selected lanes of two vectors. A lane has the given number of bytes.
func (w *wasm) shuffle(a, b vec, bytes int, lanes ...int) local {
	w.push(a, b)
	w.vector(vShuffle)
	for _, lane := range lanes {
		for k := range bytes {
			w.code = append(w.code, byte(lane*bytes+k))
		}
	}
	return w.popNew(v128)
}

// body returns the function in the form in which a module contains it: the local variables, in groups
// of one type, and the code.
func (w *wasm) body() []byte {
	w.push(w.sp)
	w.number(opI32Const, 8)
	w.op(opI32Add)
	w.op(opGlobalSet, 0)
	w.number(opI32Const, 0)
	w.op(opEnd)
	var groups []byte
	n := uint64(0)
	for from := 0; from < len(w.types); n++ {
		to := from + 1
		for to < len(w.types) && w.types[to] == w.types[from] {
			to++
		}
		groups = append(binary.AppendUvarint(groups, uint64(to-from)), w.types[from])
		from = to
	}
	return slices.Concat(binary.AppendUvarint(nil, n), groups, w.code)
}

// module collects functions for a WebAssembly module.
type module struct {
	names  []string
	bodies [][]byte
}

func (m *module) add(name string, w *wasm) {
	m.names, m.bodies = append(m.names, name), append(m.bodies, w.body())
}

// bytes returns the module. It imports the global variable and the memory that its functions refer to, and
// exports the functions.
func (m *module) bytes() []byte {
	const (
		typeSection, importSection, functionSection, exportSection, codeSection = 1, 2, 3, 7, 10
		functionType, ofFunction, ofMemory, ofGlobal, mutable                   = 0x60, 0, 2, 3, 1
	)
	sized := func(content []byte) []byte {
		return append(binary.AppendUvarint(nil, uint64(len(content))), content...)
	}
	text := func(s string) []byte { return sized([]byte(s)) }
	count := binary.AppendUvarint(nil, uint64(len(m.names)))
	functions, exports, codes := slices.Clone(count), slices.Clone(count), slices.Clone(count)
	for k := range m.names {
		functions = append(functions, 0)
		exports = append(append(exports, text(m.names[k])...), ofFunction)
		exports = binary.AppendUvarint(exports, uint64(k))
		codes = append(codes, sized(m.bodies[k])...)
	}
	imports := slices.Concat([]byte{2}, text("go"), text("mem"), []byte{ofMemory, 0, 1}, text("go"), text("sp"), []byte{ofGlobal, i32, mutable})
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, content []byte) { out = append(append(out, id), sized(content)...) }
	section(typeSection, []byte{1, functionType, 1, i32, 1, i32})
	section(importSection, imports)
	section(functionSection, functions)
	section(exportSection, exports)
	section(codeSection, codes)
	return out
}
