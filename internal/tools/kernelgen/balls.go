package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// balls writes the kernel of coneSearch.findAmong. It tests one group after the other.
func balls() {
	TEXT("ballsKernel", NOSPLIT, "func(s, groups, slots *byte, n uint64)")
	s := &coneRegisters{s: Load(Param("s"), GP64()).(reg.GPVirtual), lanes: GP64(), count: GP64()}
	group := Load(Param("groups"), GP64()).(reg.GPVirtual)
	slots := Load(Param("slots"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64())
	LEAQ(packedLanes(), s.lanes)
	s.spreadQuery()
	MOVQ(s.field(coneCount), s.count)
	Label("group")
	s.testGroup(group, load(Mem{Base: slots}))
	ADDQ(I32(groupBytes), group)
	ADDQ(I32(4*2*lanes), slots)
	DECQ(n)
	JNZ(LabelRef("group"))
	MOVQ(s.count, s.field(coneCount))
	VZEROUPPER()
	RET()
}

// testGroup tests the balls of a group, which have the given slots, and appends the slots of those that the cone may meet to
// found, and those of large ones to large. There are few of the latter.
func (s *coneRegisters) testGroup(group reg.GPVirtual, slots vec) {
	met, large := ballsMet(group, s.query)
	near, wide, n := GP32(), GP32(), GP64()
	VMOVMSKPS(met, near)
	VMOVMSKPS(large, wide)
	s.push(slots, near, s.count, coneFound)
	TESTL(wide, wide)
	JZ(LabelRef("small"))
	MOVQ(s.field(coneLargeCount), n)
	s.push(slots, wide, n, coneLarge)
	MOVQ(n, s.field(coneLargeCount))
	Label("small")
}

// inEveryLane returns a vector with the number in single precision at the given address in every lane.
func inEveryLane(at Mem) vec {
	v := YMM()
	VBROADCASTSS(at, v)
	return v
}

// ballsMet writes code that tests the balls of a group, as ballQuery.testGroup does, and returns the masks of its results. The
// function query returns the operand of a vector with the number at the given offset in the ballQuery in every lane.
func ballsMet(group reg.GPVirtual, query func(at int) Mem) (met, large mask) {
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
	met = compare(notLess, around, zero())
	met = and(met, compare(notGreater, mul(across2, query(queryCos2)), mul(reach, reach)))
	met = and(met, compare(notLess, add(along, radius), zero()))
	met = and(met, compare(notGreater, sub(along, radius), query(queryFar)))
	smaller := mul(add(across2, mul(along, along)), query(querySin2))
	return met, and(met, compare(notGreater, smaller, mul(radius, radius)))
}
