package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// balls writes the kernel of balls.find. It tests one group after the other.
func balls() {
	TEXT("ballsKernel", NOSPLIT, "func(q, groups, near *byte, n uint64)")
	q := Load(Param("q"), GP64()).(reg.GPVirtual)
	group := Load(Param("groups"), GP64()).(reg.GPVirtual)
	near := Load(Param("near"), GP64())
	n := Load(Param("n"), GP64())
	var numbers []vec
	for k := range queryNumbers {
		numbers = append(numbers, inEveryLane(Mem{Base: q, Disp: 4 * k}))
	}
	Label("group")
	met := ballsMet(group, func(at int) vec { return numbers[at/4] })
	bits := GP32()
	VMOVMSKPS(met, bits)
	MOVB(bits.As8(), Mem{Base: near})
	INCQ(near)
	ADDQ(I32(groupBytes), group)
	DECQ(n)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// inEveryLane returns a vector with the number in single precision at the given address in every lane.
func inEveryLane(at Mem) vec {
	v := YMM()
	VBROADCASTSS(at, v)
	return v
}

// ballsMet writes code that tests the balls of a group, as ballQuery.meets does, and returns the mask of those that the
// cone may meet. The function query returns a vector with the number at the given offset in the ballQuery in every lane, or
// the memory operand of such a vector.
func ballsMet(group reg.GPVirtual, query func(at int) vec) mask {
	defer inSingle()()
	var f, axis [3]vec
	for k, at := range [...]int{groupX, groupY, groupZ} {
		f[k] = sub(load(Mem{Base: group, Disp: at}), query(queryOrigin+4*k))
		axis[k] = query(queryAxis + 4*k)
	}
	along := dot(f, axis)
	for k := range f {
		f[k] = sub(f[k], mul(along, axis[k]))
	}
	across2 := dot(f, f)
	around := load(Mem{Base: group, Disp: groupRadius})
	radius := add(around, query(queryPadding))
	reach := add(mul(along, query(querySin)), radius)
	near := compare(notLess, around, zero())
	near = and(near, compare(notGreater, mul(across2, query(queryCos2)), mul(reach, reach)))
	near = and(near, compare(notLess, add(along, radius), zero()))
	return and(near, compare(notGreater, sub(along, radius), query(queryFar)))
}
