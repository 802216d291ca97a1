package main

import (
	"math"
	"sync"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cone writes the kernel of coneSearch.search. It tests the eight children of a node at once, and all balls of a leaf at
// once. Within a level, almost no branch depends on the results of tests.
func cone() {
	TEXT("coneKernel", NOSPLIT, "func(s, nodes, children, groups *byte)")
	s := &coneRegisters{
		s:       Load(Param("s"), GP64()).(reg.GPVirtual),
		nodes:   Load(Param("nodes"), GP64()).(reg.GPVirtual),
		lanes:   GP64(),
		visited: GP64(), queued: GP64(), leaves: GP64(), count: GP64(),
	}
	LEAQ(packedLanes(), s.lanes)
	s.spreadLimits()
	s.spreadQuery()
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
	CMPQ(s.count, U32(mostFound))
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

// coneRegisters holds the registers of kernels that use a coneSearch.
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

// query returns the memory operand of a vector in scratch memory. All lanes hold the number at the given offset in the
// ballQuery.
func (s *coneRegisters) query(at int) Mem { return s.spread(3*2, at/4) }

// spreadLimits stores, for every number of every limit, a vector with this number in all lanes.
func (s *coneRegisters) spreadLimits() {
	for limit := range 3 * 2 {
		for k, at := range coneNumbers {
			VMOVUPS(inEveryLane(s.field(coneLimits+coneLimitBytes*limit+at)), s.spread(limit, k))
		}
	}
}

// spreadQuery stores, for every number of the ballQuery, a vector with this number in all lanes.
func (s *coneRegisters) spreadQuery() {
	if 32*(3*2*len(coneNumbers)+queryNumbers) != coneScratchBytes {
		panic("the scratch memory of coneSearch has the wrong size")
	}
	for k := range queryNumbers {
		VMOVUPS(inEveryLane(s.field(coneQuery+4*k)), s.query(4*k))
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

// push appends some lanes of v to the list with n elements at the given offset.
func (s *coneRegisters) push(v vec, some, n reg.GPVirtual, list int) {
	packed := YMM()
	VPMOVZXBD(Mem{Base: s.lanes, Index: some.As64(), Scale: 8}, packed)
	VPERMD(v, packed, packed)
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

// testLeaf tests the balls of leaf k.
func (s *coneRegisters) testLeaf(k reg.GPVirtual) {
	first, single, slots := GP64(), XMM(), YMM()
	MOVL(Mem{Base: s.s, Index: k, Scale: 4, Disp: coneLeaves}, first.As32())
	NOTL(first.As32())
	VMOVD(first.As32(), single)
	VPBROADCASTD(single, slots)
	VPADDD(eight("lane", func(lane int) uint32 { return uint32(lane) }), slots, slots)
	SHLQ(U8(4), first) // a slot of a ballGroup has 2^4 bytes
	ADDQ(param("groups"), first)
	s.testGroup(first, slots)
}

// packedLanes returns a table with eight bytes for each mask of eight lanes: the numbers of the lanes that are set, in
// ascending order.
var packedLanes = sync.OnceValue(func() Mem {
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
})
