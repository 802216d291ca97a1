package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cone writes the kernel of coneSearch.search. A step tests the eight children of a node at once. It pushes those that
// are nodes on the stack and tests the balls of those that are leaves, four at once.
func cone() {
	TEXT("coneKernel", NOSPLIT, "func(s, nodes, first, groups *byte)")
	s := &coneRegisters{
		s:     Load(Param("s"), GP64()).(reg.GPVirtual),
		nodes: Load(Param("nodes"), GP64()).(reg.GPVirtual),
		node:  GP64(), n: GP64(), count: GP64(), hits: GP32(), child: GP64(),
	}
	s.prepare()
	MOVQ(s.field(coneN), s.n)
	MOVQ(s.field(coneCount), s.count)
	Label("node")
	SUBQ(U8(1), s.n)
	MOVL(Mem{Base: s.s, Index: s.n, Scale: 4, Disp: coneStack}, s.node.As32())
	SHLQ(U8(8), s.node) // nodeBytes
	ADDQ(s.nodes, s.node)
	s.intersectNode()
	Label("children")
	TESTL(s.hits, s.hits)
	JZ(LabelRef("visited"))
	TZCNTL(s.hits, s.child.As32())
	BLSRL(s.hits, s.hits)
	left := GP64()
	MOVL(Mem{Base: s.node, Index: s.child, Scale: 8, Disp: nodeChildren + 4}, left.As32())
	TESTL(left.As32(), left.As32())
	JS(LabelRef("children"))
	JNZ(LabelRef("leaf"))
	at := GP64()
	MOVL(Mem{Base: s.node, Index: s.child, Scale: 8, Disp: nodeChildren}, at.As32())
	MOVL(at.As32(), Mem{Base: s.s, Index: s.n, Scale: 4, Disp: coneStack})
	INCQ(s.n)
	SHLQ(U8(8), at)
	ADDQ(s.nodes, at)
	ask(at, nodeBytes/line)
	JMP(LabelRef("children"))
	Label("leaf")
	s.intersectLeaf(left)
	JMP(LabelRef("children"))

	Label("visited")
	INCQ(s.field(coneVisited))
	TESTQ(s.n, s.n)
	JZ(LabelRef("end"))
	CMPQ(s.count, s.field(coneMost))
	JG(LabelRef("end"))
	CMPQ(s.field(coneVisited), U32(mostNodes))
	JLE(LabelRef("node"))
	Label("end")
	MOVQ(s.n, s.field(coneN))
	MOVQ(s.count, s.field(coneCount))
	VZEROUPPER()
	RET()
}

// coneRegisters holds the registers of the kernel of cone.
type coneRegisters struct {
	s           reg.GPVirtual // the coneSearch
	nodes, node reg.GPVirtual // the first and the current node
	n, count    reg.GPVirtual // the fields of these names
	hits        reg.GPVirtual // a bit for each child of the node that may be met
	child       reg.GPVirtual // the current child
}

func (s *coneRegisters) field(at int) Mem { return Mem{Base: s.s, Disp: at} }

// coneNumbers lists the numbers of a coneLimit, in the order in which prepare stores them.
var coneNumbers = [...]int{coneFrom, coneInv, coneAtLeast, coneAtMost}

// spread returns the memory operand of a vector in scratch memory. All lanes of this vector hold the same
// number of a limit.
func (s *coneRegisters) spread(limit, number int) Mem {
	return s.field(coneScratch + 32*(len(coneNumbers)*limit+number))
}

// prepare stores, for every number of every limit, a vector with this number in all lanes. spread returns
// their addresses.
func (s *coneRegisters) prepare() {
	for limit := range 3 * 2 {
		for k, at := range coneNumbers {
			v := YMM()
			VBROADCASTSS(s.field(coneLimits+coneLimitBytes*limit+at), v)
			VMOVUPS(v, s.spread(limit, k))
		}
	}
}

// intersectNode sets hits to the children of the node for which coneSearch.meets returns true.
func (s *coneRegisters) intersectNode() {
	in, out := YMM(), YMM()
	VXORPS(in, in, in)
	VMOVUPS(eight("ones", func(int) uint32 { return math.Float32bits(1) }), out)
	for limit := range 3 * 2 {
		t, least := YMM(), YMM()
		VMOVUPS(Mem{Base: s.node, Disp: [2]int{nodeLower, nodeUpper}[limit%2] + 32*(limit/2)}, t)
		VSUBPS(s.spread(limit, 0), t, t)
		VMULPS(s.spread(limit, 1), t, t)
		VMINPS(s.spread(limit, 2), t, least)
		VMAXPS(in, least, in)
		VMAXPS(s.spread(limit, 3), t, t)
		VMINPS(out, t, out)
	}
	VMULPS(eight("growth", func(int) uint32 { return math.Float32bits(1 + 0x1p-20) }), out, out)
	VCMPPS(lessOrEqual, out, in, out)
	VMOVMSKPS(out, s.hits)
}

// intersectLeaf tests the balls of the current child, a leaf, and appends those that the cone may meet to
// found. The register left contains the number of balls.
func (s *coneRegisters) intersectLeaf(left reg.GPVirtual) {
	group, at, first, near := GP64(), GP64(), GP64(), GP32()
	MOVQ(s.node, at)
	SUBQ(s.nodes, at)
	SHRQ(U8(3), at) // a node of 2^8 bytes has 2^5 bytes in first
	Load(Param("first"), first)
	ADDQ(first, at)
	MOVL(Mem{Base: at, Index: s.child, Scale: 4}, group.As32())
	Label("group")
	MOVQ(group, at)
	SHLQ(U8(7), at) // ballGroup
	ADDQ(param("groups"), at)
	missed := ballsMissed(s.s, func(array int) vec { return load(Mem{Base: at, Disp: 32 * array}) })
	VMOVMSKPD(missed, near)
	XORL(U32(1<<lanes-1), near)

	// Append the indices of the balls to found: for each lane that is set, this is lanes * group plus the
	// number of the lane.
	slot, index := GP32(), XMM()
	MOVL(group.As32(), slot)
	SHLL(U8(2), slot)
	VMOVD(slot, index)
	VPBROADCASTD(index, index)
	table, row := GP64(), GP64()
	LEAQ(packedLanes(), table)
	MOVL(near, row.As32())
	SHLQ(U8(4), row)
	VPADDD(Mem{Base: table, Index: row, Scale: 1}, index, index)
	VMOVDQU(index, Mem{Base: s.s, Index: s.count, Scale: 4, Disp: coneFound})
	POPCNTL(near, near)
	ADDQ(near.As64(), s.count)
	INCQ(group)
	SUBL(U8(lanes), left.As32())
	JG(LabelRef("group"))
}

// packedLanes returns a table with a row for each mask of four lanes. The row lists the numbers of the
// lanes that are set, in ascending order.
func packedLanes() Mem {
	t := GLOBL("lanes", RODATA|NOPTR)
	for bits := range 16 {
		n := 0
		for lane := range 4 {
			if bits>>lane&1 == 1 {
				DATA(bits*16+n*4, U32(lane))
				n++
			}
		}
		for ; n < 4; n++ {
			DATA(bits*16+n*4, U32(0))
		}
	}
	return t
}
