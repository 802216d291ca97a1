package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cone writes the kernel of coneSearch.search. It tests the eight children of a node at once, and all balls of a leaf at
// once. Within a level, no branch depends on the results.
func cone() {
	TEXT("coneKernel", NOSPLIT, "func(s, nodes, children, groups *byte)")
	s := &coneRegisters{
		s:       Load(Param("s"), GP64()).(reg.GPVirtual),
		nodes:   Load(Param("nodes"), GP64()).(reg.GPVirtual),
		lanes:   GP64(),
		visited: GP64(), queued: GP64(), leaves: GP64(), count: GP64(),
	}
	LEAQ(packedLanes(), s.lanes)
	s.prepare()
	MOVQ(s.field(coneVisited), s.visited)
	MOVQ(s.field(coneQueued), s.queued)
	MOVQ(s.field(coneCount), s.count)
	last, k := GP64(), GP64()

	Label("level")
	CMPQ(s.visited, s.queued)
	JE(LabelRef("end"))
	CMPQ(s.queued, U32(mostNodes))
	JG(LabelRef("end"))
	MOVQ(s.queued, last)
	XORQ(s.leaves, s.leaves)
	Label("node")
	s.visitNode()
	INCQ(s.visited)
	CMPQ(s.visited, last)
	JB(LabelRef("node"))

	XORQ(k, k)
	Label("leaf")
	CMPQ(s.count, s.field(coneMost))
	JG(LabelRef("end"))
	CMPQ(k, s.leaves)
	JE(LabelRef("level"))
	s.testLeaf(k)
	INCQ(k)
	JMP(LabelRef("leaf"))

	Label("end")
	MOVQ(s.visited, s.field(coneVisited))
	MOVQ(s.queued, s.field(coneQueued))
	MOVQ(s.count, s.field(coneCount))
	VZEROUPPER()
	RET()
}

// coneRegisters holds the registers of the kernel of cone.
type coneRegisters struct {
	s               reg.GPVirtual // the coneSearch
	nodes           reg.GPVirtual // the first node
	lanes           reg.GPVirtual // the table packedLanes
	visited, queued reg.GPVirtual // the fields of these names
	count           reg.GPVirtual // the field of this name
	leaves          reg.GPVirtual // the number of leaves of the level
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

// visitNode tests the children of the next node in the queue, and appends those that the cone may meet to the queue or to
// the leaves.
func (s *coneRegisters) visitNode() {
	node, row, children, leaves, nodes := GP64(), GP64(), YMM(), GP32(), GP32()
	MOVL(Mem{Base: s.s, Index: s.visited, Scale: 4, Disp: coneQueue}, node.As32())
	MOVQ(node, row)
	SHLQ(U8(5), row) // bytes of leafBalls.children
	ADDQ(param("children"), row)
	SHLQ(U8(8), node) // nodeBytes
	ADDQ(s.nodes, node)
	hits := s.intersectNode(node)
	VMOVDQU(Mem{Base: row}, children)
	VMOVMSKPS(children, leaves)
	ANDNL(hits, leaves, nodes)
	ANDL(hits, leaves)
	s.push(children, nodes, s.queued, coneQueue)
	s.push(children, leaves, s.leaves, coneLeaves)
}

// push appends some children of a node to the list with n elements at the given offset.
func (s *coneRegisters) push(children vec, some, n reg.GPVirtual, list int) {
	packed := YMM()
	VPERMD(children, s.packed(some), packed)
	VMOVDQU(packed, Mem{Base: s.s, Index: n, Scale: 4, Disp: list})
	POPCNTL(some, some)
	ADDQ(some.As64(), n)
}

// intersectNode returns a bit for each child of the node for which coneSearch.meets returns true.
func (s *coneRegisters) intersectNode(node reg.GPVirtual) (hits reg.GPVirtual) {
	in, out := YMM(), YMM()
	VXORPS(in, in, in)
	VMOVUPS(eight("ones", func(int) uint32 { return math.Float32bits(1) }), out)
	for limit := range 3 * 2 {
		t, least := YMM(), YMM()
		VMOVUPS(Mem{Base: node, Disp: [2]int{nodeLower, nodeUpper}[limit%2] + 32*(limit/2)}, t)
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

// testLeaf tests the balls of leaf k, and appends the slots of those that the cone may meet to found. The slot of a ball is the
// leaf's first slot plus the number of the lane.
func (s *coneRegisters) testLeaf(k reg.GPVirtual) {
	first, near, single, slots := GP64(), GP64(), XMM(), YMM()
	MOVL(Mem{Base: s.s, Index: k, Scale: 4, Disp: coneLeaves}, first.As32())
	NOTL(first.As32())
	VMOVD(first.As32(), single)
	VPBROADCASTD(single, slots)
	SHLQ(U8(4), first) // a slot of a ballGroup has 2^4 bytes
	ADDQ(param("groups"), first)
	VMOVMSKPS(ballsMet(first, func(at int) vec { return s.spreadQuery(at) }), near.As32())
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
