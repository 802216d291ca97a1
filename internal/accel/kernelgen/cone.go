package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cone writes the kernel of coneSearch.search. A step tests the eight children of a node at once. It pushes those that
// are nodes on the stack. If a child is a leaf, it tests all balls of the leaf at once.
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
	s.intersectLeaf()
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

// spreadQuery returns the memory operand of a vector in scratch memory. All lanes hold the number at the given offset
// in the ballQuery.
func (s *coneRegisters) spreadQuery(at int) Mem { return s.spread(3*2, at/4) }

// prepare stores, for every number of every limit and of the ballQuery, a vector with this number in all lanes. spread and
// spreadQuery return their addresses.
func (s *coneRegisters) prepare() {
	for limit := range 3 * 2 {
		for k, at := range coneNumbers {
			VMOVUPS(inEveryLane(s.field(coneLimits+coneLimitBytes*limit+at)), s.spread(limit, k))
		}
	}
	if 32*(3*2*len(coneNumbers)+queryNumbers) != coneScratchBytes {
		panic("the scratch memory of coneSearch has the wrong size")
	}
	for k := range queryNumbers {
		VMOVUPS(inEveryLane(s.field(4*k)), s.spreadQuery(4*k))
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

// intersectLeaf tests the balls of the current child, a leaf, and appends the slots of those that the cone may meet to
// found.
func (s *coneRegisters) intersectLeaf() {
	at, group, near := GP64(), GP64(), GP64()
	MOVQ(s.node, at)
	SUBQ(s.nodes, at)
	SHRQ(U8(3), at) // a node of 2^8 bytes has 2^5 bytes in first
	ADDQ(param("first"), at)
	first := Mem{Base: at, Index: s.child, Scale: 4}
	slots := YMM()
	VPBROADCASTD(first, slots)
	MOVL(first, group.As32())
	SHLQ(U8(4), group) // a slot of a ballGroup has 2^4 bytes
	ADDQ(param("groups"), group)
	VMOVMSKPS(ballsMet(group, func(at int) vec { return s.spreadQuery(at) }), near.As32())

	// The slot of a ball is the first slot plus the number of its lane.
	table, packed := GP64(), YMM()
	LEAQ(packedLanes(), table)
	VPMOVZXBD(Mem{Base: table, Index: near, Scale: 8}, packed)
	VPADDD(packed, slots, slots)
	VMOVDQU(slots, Mem{Base: s.s, Index: s.count, Scale: 4, Disp: coneFound})
	POPCNTL(near.As32(), near.As32())
	ADDQ(near, s.count)
}

// packedLanes returns a table with eight bytes for each mask of eight lanes: the numbers of the lanes that are set, in
// ascending order.
func packedLanes() Mem {
	t := GLOBL("lanes", RODATA|NOPTR)
	for bits := range 256 {
		row, n := uint64(0), 0
		for lane := range 8 {
			if bits>>lane&1 == 1 {
				row |= uint64(lane) << (8 * n)
				n++
			}
		}
		DATA(8*bits, U64(row))
	}
	return t
}
