package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

var (
	posInf  = math.Inf(1)
	negInf  = math.Inf(-1)
	negZero = math.Copysign(0, -1)
)

var constants = map[uint64]Mem{}

// constantAt returns the memory operand of a constant.
func constantAt(v float64) Mem {
	bits := math.Float64bits(v)
	return stored(constants, "constant", bits, U64(bits))
}

var singles = map[uint32]Mem{}

// singleAt returns the memory operand of a constant in single precision.
func singleAt(v float64) Mem {
	bits := math.Float32bits(float32(v))
	return stored(singles, "single", bits, U32(bits))
}

// stored returns the memory operand of a constant with the given bits. It stores each constant once, under a name that
// begins with prefix.
func stored[T comparable](known map[T]Mem, prefix string, bits T, value Constant) Mem {
	at, ok := known[bits]
	if !ok {
		at = GLOBL(fmt.Sprintf("%s%d", prefix, len(known)), RODATA|NOPTR)
		DATA(0, value)
		known[bits] = at
	}
	return at
}
