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
