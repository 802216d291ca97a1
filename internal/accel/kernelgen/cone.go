package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cone writes the kernel of coneSearch.search. A step tests the eight children of a node at once. It pushes those that
// are nodes on the stack, all at once. Then it tests those that are leaves one by one, but all balls of a leaf at once.
func cone() {
	TEXT("coneKernel", NOSPLIT, "func(s, nodes, children, groups *byte)")
	s := &coneRegisters{
		s:     Load(Param("s"), GP64()).(reg.GPVirtual),
		nodes: Load(Param("nodes"), GP64()).(reg.GPVirtual),
		lanes: GP64(),
		node:  GP64(), row: GP64(), n: GP64(), count: GP64(), leaves: GP32(),
	}
	LEAQ(packedLanes(), s.lanes)
	s.prepare()
	MOVQ(s.field(coneN), s.n)
	MOVQ(s.field(coneCount), s.count)
	Label("node")
	SUBQ(U8(1), s.n)
	MOVL(Mem{Base: s.s, Index: s.n, Scale: 4, Disp: coneStack}, s.node.As32())
	MOVQ(s.node, s.row)
	SHLQ(U8(5), s.row) // bytes of leafBalls.children
	ADDQ(param("children"), s.row)
	SHLQ(U8(8), s.node) // nodeBytes
	ADDQ(s.nodes, s.node)
	s.pushNodes(s.intersectNode())
	Label("leaves")
	TESTL(s.leaves, s.leaves)
	JZ(LabelRef("visited"))
	s.intersectLeaf()
	JMP(LabelRef("leaves"))

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
	row         reg.GPVirtual // the children of the current node
	n, count    reg.GPVirtual // the fields of these names
	leaves      reg.GPVirtual // a bit for each leaf of the node that may be met and is not yet tested
	lanes       reg.GPVirtual // the table packedLanes
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

// intersectNode returns a bit for each child of the node for which coneSearch.meets returns true.
func (s *coneRegisters) intersectNode() (hits reg.GPVirtual) {
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
	hits = GP32()
	VMOVMSKPS(out, hits)
	return hits
}

// pushNodes pushes the children among hits that are nodes on the stack, and sets leaves to the others.
func (s *coneRegisters) pushNodes(hits reg.GPVirtual) {
	children, nodes := YMM(), GP32()
	VMOVDQU(Mem{Base: s.row}, children)
	VMOVMSKPS(children, s.leaves)
	ANDNL(hits, s.leaves, nodes)
	ANDL(hits, s.leaves)
	VPERMD(children, s.packed(nodes), children)
	VMOVDQU(children, Mem{Base: s.s, Index: s.n, Scale: 4, Disp: coneStack})
	POPCNTL(nodes, nodes)
	ADDQ(nodes.As64(), s.n)
}

// intersectLeaf tests the balls of the first of the leaves, and appends the slots of those that the cone may meet to
// found.
func (s *coneRegisters) intersectLeaf() {
	child, group, near, slots := GP64(), GP64(), GP64(), YMM()
	TZCNTL(s.leaves, child.As32())
	BLSRL(s.leaves, s.leaves)
	MOVL(Mem{Base: s.row, Index: child, Scale: 4}, group.As32())
	NOTL(group.As32())
	first := XMM()
	VMOVD(group.As32(), first)
	VPBROADCASTD(first, slots)
	SHLQ(U8(4), group) // a slot of a ballGroup has 2^4 bytes
	ADDQ(param("groups"), group)
	VMOVMSKPS(ballsMet(group, func(at int) vec { return s.spreadQuery(at) }), near.As32())

	// The slot of a ball is the first slot plus the number of its lane.
	VPADDD(s.packed(near), slots, slots)
	VMOVDQU(slots, Mem{Base: s.s, Index: s.count, Scale: 4, Disp: coneFound})
	POPCNTL(near.As32(), near.As32())
	ADDQ(near, s.count)
}

// packed returns the numbers of the lanes that are set in a mask of eight lanes. The result's other lanes are 0.
func (s *coneRegisters) packed(lanes reg.GPVirtual) vec {
	v := YMM()
	VPMOVZXBD(Mem{Base: s.lanes, Index: lanes.As64(), Scale: 8}, v)
	return v
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
