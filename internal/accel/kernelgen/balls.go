package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// balls writes the kernel that tests balls against a cone. The kernel tests eight balls at a time, as
// ballQuery.meets tests one, and stores a byte for them. In this byte, the bits of the balls that the cone may
// meet are set.
func balls() {
	TEXT("ballsKernel", NOSPLIT, "func(q, x, y, z, radius, near *byte, groups uint64)")
	q := Load(Param("q"), GP64()).(reg.GPVirtual)
	near := Load(Param("near"), GP64()).(reg.GPVirtual)
	groups := Load(Param("groups"), GP64())
	var from [4]reg.GPVirtual
	for k, name := range []string{"x", "y", "z", "radius"} {
		from[k] = Load(Param(name), GP64()).(reg.GPVirtual)
	}
	offset, bits, upper := GP64(), GP32(), GP32()
	XORQ(offset, offset)
	Label("group")
	for half, bits := range []reg.GPVirtual{bits, upper} {
		missed := ballsMissed(q, func(array int) vec {
			return load(Mem{Base: from[array], Index: offset, Scale: 8, Disp: 32 * half})
		})
		VMOVMSKPD(missed, bits)
	}
	SHLL(U8(lanes), upper)
	ORL(upper, bits)
	XORL(U32(0xff), bits)
	MOVB(bits.As8(), Mem{Base: near})
	INCQ(near)
	ADDQ(U8(2*lanes), offset)
	DECQ(groups)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// ballsMissed writes code that tests the balls in the lanes of a vector, as ballQuery.meets does. It returns the
// mask of those that the cone does not meet. The function ball returns their x, y, z and radius.
func ballsMissed(q reg.GPVirtual, ball func(array int) vec) mask {
	var f [3]vec
	axis := vector(q, queryDir)
	for k := range f {
		f[k] = sub(ball(k), number(q, queryOrigin+8*k))
	}
	radius := ball(3)
	along := dot(f, axis)
	for k := range f {
		f[k] = sub(f[k], mul(along, axis[k]))
	}
	across2 := dot(f, f)
	across, cos, sin := sqrt(across2), number(q, queryCos), number(q, querySin)
	margin := number(q, queryMargin)
	beside := compare(greater, sub(sub(mul(across, cos), mul(along, sin)), radius), margin)
	reach := add(radius, margin)
	behind := and(
		compare(less, add(mul(along, cos), mul(across, sin)), zero()),
		compare(greater, add(across2, mul(along, along)), mul(reach, reach)))
	beyond := compare(greater, sub(along, radius), number(q, queryFar))
	return or(or(beside, behind), beyond)
}
