package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sweeping holds the operands of the kernel that finds the cheapest plane between bins. For each axis, the kernel first
// goes from the last bin to the first, then from the first to the last. The current side consists of the bins that it has
// passed.
type sweeping struct {
	bins    reg.GPVirtual
	ends    Mem            // mask of the three lanes that hold coordinates
	empty   Mem            // empty bounds
	side    reg.VecVirtual // bounds of the items on the current side
	count   reg.GPVirtual  // and their number
	at      reg.GPVirtual  // offset of the bin in bytes
	counted reg.GPVirtual  // offset of the number of items in the bin, in bytes
}

// sweep writes the kernel that finds the cheapest plane between bins with items on both sides.
func sweep() {
	TEXT("sweepKernel", NOSPLIT, "func(b *byte, slices, n uint64)")
	s := sweeping{
		bins: Load(Param("b"), GP64()).(reg.GPVirtual),
		ends: eight("ends", func(lane int) uint32 {
			if lane%4 == 3 {
				return 0
			}
			return math.MaxUint32
		}),
		empty:   eight("empty", func(int) uint32 { return math.Float32bits(float32(math.Inf(1))) }),
		side:    YMM(),
		count:   GP64(),
		at:      GP64(),
		counted: GP64(),
	}
	last, n := Load(Param("slices"), GP64()), Load(Param("n"), GP64())
	DECQ(last)
	best, inf := XMM(), GP64()
	MOVQ(U64(math.Float64bits(math.Inf(1))), inf)
	VMOVQ(inf, best)
	bestAt, axis := GP64(), GP64() // the bin in the lower bits, the axis above
	XORQ(bestAt, bestAt)
	for axis := range 3 {
		s.upperSide(axis, last)
		s.lowerSide(axis, last, n, best, bestAt)
	}
	MOVQ(bestAt, axis)
	SHRQ(U8(axisShift), axis)
	ANDQ(U8(1<<axisShift-1), bestAt)
	VMOVSD(best, Mem{Base: s.bins, Disp: binsBest + bestCost})
	MOVL(axis.As32(), Mem{Base: s.bins, Disp: binsBest + bestAxis})
	MOVL(bestAt.As32(), Mem{Base: s.bins, Disp: binsBest + bestLast})
	s.sides(last, axis, bestAt)
	VZEROUPPER()
	RET()
}

// upperSide stores, for each plane perpendicular to an axis, the cost of the side above it: half the area of its bounds
// times the number of its items.
func (s *sweeping) upperSide(axis int, last reg.Register) {
	next, done := fmt.Sprint("upper", axis), fmt.Sprint("lower", axis)
	s.start()
	k := GP64()
	MOVQ(last, k)
	Label(next)
	TESTQ(k, k)
	JZ(LabelRef(done))
	s.include(axis, k)
	VMOVSD(s.cost(), Mem{Base: s.bins, Index: k, Scale: 8, Disp: binsCosts})
	DECQ(k)
	JMP(LabelRef(next))
	Label(done)
}

const axisShift = 5 // bits of a bin's number

// lowerSide adds the cost of the side below each plane to the stored cost of the side above it, and records the plane with
// the smallest sum so far. It has no unpredictable branches.
func (s *sweeping) lowerSide(axis int, last, n reg.Register, best reg.VecVirtual, bestAt reg.GPVirtual) {
	next, done := fmt.Sprint("plane", axis), fmt.Sprint("done", axis)
	s.start()
	k := GP64()
	XORQ(k, k)
	Label(next)
	CMPQ(k, last)
	JGE(LabelRef(done))
	s.include(axis, k)
	INCQ(k)
	TESTQ(s.count, s.count)
	JZ(LabelRef(next))
	CMPQ(s.count, n)
	JE(LabelRef(next))
	cost := s.cost()
	VADDSD(Mem{Base: s.bins, Index: k, Scale: 8, Disp: binsCosts}, cost, cost)
	at := GP64()
	LEAQ(Mem{Base: k, Disp: axis<<axisShift - 1}, at)
	VUCOMISD(cost, best) // condition "above" if the cost is less
	CMOVQHI(at, bestAt)
	VMINSD(best, cost, best) // the smaller one
	JMP(LabelRef(next))
	Label(done)
}

// start makes the current side empty.
func (s *sweeping) start() {
	VMOVUPS(s.empty, s.side)
	XORQ(s.count, s.count)
}

// include adds bin k along an axis to the current side.
func (s *sweeping) include(axis int, k reg.GPVirtual) {
	MOVQ(k, s.at)
	SHLQ(U8(5), s.at)
	bin := YMM()
	VMOVUPS(Mem{Base: s.bins, Index: s.at, Scale: 1, Disp: binsAll + 32*binsEach*axis}, bin)
	VMINPS(s.side, bin, s.side)
	MOVL(Mem{Base: s.bins, Index: k, Scale: 4, Disp: binsCount + 4*binsEach*axis}, s.counted.As32())
	ADDQ(s.counted, s.count)
}

// cost returns half the area of the side's bounds times the number of items. Because the upper ends are stored negated,
// so are the computed lengths; in the products of two lengths the signs cancel.
func (s *sweeping) cost() reg.VecVirtual {
	ends, upper := YMM(), XMM()
	VANDPS(s.ends, s.side, ends)
	lo, hi := YMM(), YMM()
	VCVTPS2PD(ends.AsX(), lo)
	VEXTRACTF128(U8(1), ends, upper)
	VCVTPS2PD(upper, hi)
	x := add(lo, hi)
	y := YMM()
	VPERMPD(U8(0b11_00_10_01), x, y)
	products := mul(x, y)
	area, second, third := XMM(), XMM(), XMM()
	lower := products.(reg.VecVirtual).AsX()
	VUNPCKHPD(lower, lower, second)
	VEXTRACTF128(U8(1), products, third)
	VADDSD(second, lower, area)
	VADDSD(third, area, area)
	count := XMM()
	VXORPD(count, count, count)
	VCVTSI2SDQ(s.count, count, count)
	VMULSD(count, area, area)
	return area
}

// sides stores the bounds of the items on both sides of the best plane.
func (s *sweeping) sides(last reg.Register, axis, bestAt reg.GPVirtual) {
	upper := YMM()
	VMOVUPS(s.empty, s.side)
	VMOVUPS(s.empty, upper)
	SHLQ(U8(9), axis) // 32 * binsEach
	ADDQ(s.bins, axis)
	k, bin := GP64(), YMM()
	XORQ(k, k)
	Label("below")
	VMOVUPS(Mem{Base: axis, Disp: binsAll}, bin)
	VMINPS(s.side, bin, s.side)
	ADDQ(U8(32), axis)
	INCQ(k)
	CMPQ(k, bestAt)
	JLE(LabelRef("below"))
	Label("above")
	CMPQ(k, last)
	JG(LabelRef("found"))
	VMOVUPS(Mem{Base: axis, Disp: binsAll}, bin)
	VMINPS(upper, bin, upper)
	ADDQ(U8(32), axis)
	INCQ(k)
	JMP(LabelRef("above"))
	Label("found")
	VMOVUPS(s.side, Mem{Base: s.bins, Disp: binsBest + bestLower})
	VMOVUPS(upper, Mem{Base: s.bins, Disp: binsBest + bestUpper})
}
