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
	at, ok := constants[bits]
	if !ok {
		at = GLOBL(fmt.Sprintf("constant%d", len(constants)), RODATA|NOPTR)
		DATA(0, U64(bits))
		constants[bits] = at
	}
	return at
}

var singles = map[uint32]Mem{}

// singleAt returns the memory operand of a constant in single precision.
func singleAt(v float64) Mem {
	bits := math.Float32bits(float32(v))
	at, ok := singles[bits]
	if !ok {
		at = GLOBL(fmt.Sprintf("single%d", len(singles)), RODATA|NOPTR)
		DATA(0, U32(bits))
		singles[bits] = at
	}
	return at
}
