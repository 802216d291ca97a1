package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The margin of the comparisons that narrower.narrow describes, in units of the distance D from the origin to the center of the
// solid's balls, for the rounding errors of single precision. Let u = 2^-24 be the largest relative error of an operation. The
// whole outer ball lies in front of the origin, so no vector to a point of the solid is longer than 2 D, and no axis or extent is
// longer than 2 D.
//
//   - A vector that is rounded to single precision is wrong by u times its length. So a cross product of two rounded vectors is
//     wrong by less than 4 sqrt(2) u = 5.7 u times the product of their lengths. (Each product of components is wrong by 3 u times
//     itself, and the difference by another u.)
//   - For a capsule, the points of the line from a x d to b x d are therefore wrong by less than 23 u D. The computed s differs
//     from the optimal one for the computed line by less than 7 u |a x d| / |w x d|, which lengthens the distance by less than 14
//     u D. The distance is computed from s with an error of less than 12 u D. Comparing squares adds 2 u D. For a cylinder, the
//     ends of the axis inside it are rounded, which moves them by less than 2 u D.
//   - For a box, f x d is wrong by less than 6 u D, and its product with an axis by less than 10 u D. The product of d and an axis is
//     wrong by less than 5 u, which makes the right side wrong by less than 12 u D. The difference adds 2 u D.
//
// In total this is less than 54 u D. The margin is almost five times as large.
const narrowError = 0x1p-16

// The squares of the distances D between which no number overflows or becomes inaccurately small, neither here nor in the kernel
// of masker.find.
const (
	narrowNearest  = 1e-20
	narrowFarthest = 1e30
)

// narrowing holds the registers of the kernel of narrower.narrow.
type narrowing struct {
	t, m    reg.GPVirtual // the narrower and the masker
	k       reg.GPVirtual // the index of the current solid
	may     reg.GPVirtual // the rays that may hit it
	blocked reg.GPVirtual
	solid   reg.GPVirtual // its address

	margin, outer, dist, pad, sure reg.VecVirtual // XMM registers with a number in double precision each
}

// narrowMasks writes the kernel of narrower.narrow.
func narrowMasks() {
	TEXT("narrowKernel", NOSPLIT, "func(t, m, solids, refs, balls, near, masks *byte, n uint64) uint64")
	s := &narrowing{
		t: Load(Param("t"), GP64()).(reg.GPVirtual),
		m: Load(Param("m"), GP64()).(reg.GPVirtual),
		k: GP64(), may: GP64(), blocked: GP64(), solid: GP64(),
	}
	MOVQ(Mem{Base: s.m, Disp: maskBlocked}, s.blocked)
	n := s.list()
	i, left, ref := GP64(), GP64(), GP64()
	XORQ(i, i)
	XORQ(left, left)
	JMP(LabelRef("more"))
	Label("solid")
	MOVL(s.listed(i), s.k.As32())
	INCQ(i)
	ANDNQ(s.mask(), s.blocked, s.may)
	JZ(LabelRef("more"))
	s.reachBall(ref)
	kind := GP32()
	MOVL(ref.As32(), kind)
	SHRL(U8(kindBits), ref.As32())
	ANDL(U32(1<<kindBits-1), kind)
	CMPL(kind, U32(capsuleKind))
	JE(LabelRef("capsule"))
	CMPL(kind, U32(boxKind))
	JE(LabelRef("box"))
	CMPL(kind, U32(cylinderKind))
	JNE(LabelRef("keep"))
	s.narrowCylinder(ref)
	JMP(LabelRef("keep"))
	Label("box")
	s.narrowBox(ref)
	JMP(LabelRef("keep"))
	Label("capsule")
	s.narrowCapsule(ref)
	Label("keep")
	MOVQ(s.may, s.mask())
	MOVL(s.k.As32(), s.listed(left))
	NEGQ(s.may) // sets the carry flag if rays remain
	ADCQ(U32(0), left)
	Label("more")
	CMPQ(i, n)
	JB(LabelRef("solid"))
	MOVQ(s.blocked, Mem{Base: s.m, Disp: maskBlocked})
	Store(left, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// listed returns the memory operand of an element of narrower.left.
func (s *narrowing) listed(i reg.GPVirtual) Mem {
	return Mem{Base: s.t, Index: i, Scale: 4, Disp: narrowLeft}
}

// mask returns the memory operand of the mask of the current solid.
func (s *narrowing) mask() Mem {
	masks := GP64()
	return Mem{Base: Load(Param("masks"), masks).(reg.GPVirtual), Index: s.k, Scale: 8}
}

// list stores in left the indices of the solids with rays that are not blocked, and returns their number. It has no branches,
// which would be unpredictable.
func (s *narrowing) list() (n reg.GPVirtual) {
	n = GP64()
	masks, all, may := Load(Param("masks"), GP64()).(reg.GPVirtual), Load(Param("n"), GP64()), GP64()
	XORQ(n, n)
	XORQ(s.k, s.k)
	Label("list")
	MOVL(s.k.As32(), s.listed(n))
	ANDNQ(Mem{Base: masks, Index: s.k, Scale: 8}, s.blocked, may)
	NEGQ(may)
	ADCQ(U32(0), n)
	INCQ(s.k)
	CMPQ(s.k, all)
	JB(LabelRef("list"))
	return n
}

// reachBall loads the reference of the current solid. It computes the values of s for this solid: the distance of its balls, the
// margin of the comparisons, and whether a ray that hits the solid is certainly blocked. It stores the vector f in scratch
// memory. If the origin does not lie outside the outer ball, or if the distance is out of range, the code jumps to keep.
func (s *narrowing) reachBall(ref reg.GPVirtual) {
	slot, ball := GP64(), GP64()
	MOVL(Mem{Base: Load(Param("near"), GP64()).(reg.GPVirtual), Index: s.k, Scale: 4}, slot.As32())
	MOVL(Mem{Base: Load(Param("refs"), GP64()).(reg.GPVirtual), Index: slot, Scale: 4}, ref.As32())
	SHLQ(U8(5), slot) // nestedBalls
	Load(Param("balls"), ball)
	ADDQ(slot, ball)

	f := sub(load(Mem{Base: ball}), load(Mem{Base: s.m, Disp: maskOrigin})).(reg.VecVirtual)
	VBLENDPD(U8(1<<3), zero(), f, f)
	s.keepSingle(f, narrowF)
	square, high, square2 := mul(f, f).(reg.VecVirtual), XMM(), XMM()
	VEXTRACTF128(U8(1), square, high)
	VADDPD(square.AsX(), high, high)
	VPERMILPD(U8(1), high, square2)
	VADDSD(high, square2, square2)
	s.dist, s.margin, s.outer, s.pad, s.sure = XMM(), XMM(), XMM(), XMM(), XMM()
	leaveUnless := func(large reg.VecVirtual, small Op) { // including NaN
		VUCOMISD(small, large)
		JLS(LabelRef("keep"))
	}
	leaveUnless(square2, constantAt(narrowNearest))
	farthest := XMM()
	VMOVSD(constantAt(narrowFarthest), farthest)
	leaveUnless(farthest, square2)
	VSQRTSD(square2, square2, s.dist)
	VMOVSD(Mem{Base: s.m, Disp: maskMargin}, s.margin)
	VXORPD(s.outer, s.outer, s.outer)
	VCVTSS2SD(Mem{Base: ball, Disp: nestedOuter}, s.outer, s.outer)
	reach, before := XMM(), XMM()
	VADDSD(s.margin, s.outer, reach)
	VMULSD(constantAt(1+1/float64(narrowSpace)), reach, reach)
	leaveUnless(s.dist, reach)
	VMULSD(constantAt(1.5), s.margin, s.pad)
	VMULSD(constantAt(narrowError), s.dist, reach)
	VADDSD(reach, s.pad, s.pad)
	VMOVSD(Mem{Base: s.m, Disp: maskLight}, before)
	VSUBSD(s.outer, before, before)
	VCMPSD(greater, s.dist, before, s.sure)
}

// keepSingle stores a vector of four numbers in scratch memory, in single precision.
func (s *narrowing) keepSingle(v reg.VecVirtual, at int) {
	single := XMM()
	VCVTPD2PSY(v, single)
	VMOVUPS(single, Mem{Base: s.t, Disp: narrowScratch + at})
}

// keepLimit stores the number v in scratch memory, in single precision.
func (s *narrowing) keepLimit(v reg.VecVirtual, at int) {
	single := XMM()
	VCVTSD2SS(v, v, single)
	VMOVSS(single, Mem{Base: s.t, Disp: narrowScratch + at})
}

// Offsets in the scratch memory.
const (
	narrowF     = 0  // the vector f
	narrowA     = 16 // of a capsule or a cylinder: the vectors a and w
	narrowW     = 32
	narrowFirst = 48 // of a cylinder: the largest and the smallest -s inside it
	narrowLast  = 52
	narrowAxes  = 16 // of a box: its axes, 16 bytes each; in the last, the vector begins after 4 bytes
	narrowHalf  = 64 // of a box: the half extents; their fourth number is the first limit
	narrowMiss  = 76 // the limit beyond which rays miss the solid
	narrowHit   = 12 // the limit below which they hit it
)

// numberAt returns a vector with the number at an offset in the scratch memory in every lane.
func (s *narrowing) numberAt(at int) vec {
	return inEveryLane(Mem{Base: s.t, Disp: narrowScratch + at})
}

func (s *narrowing) vectorAt(at int) [3]vec {
	return [3]vec{s.numberAt(at), s.numberAt(at + 4), s.numberAt(at + 8)}
}

// find sets solid to the address of the solid with the given index, from its slice and the size of an element.
func (s *narrowing) find(index reg.GPVirtual, slice, size int) {
	first := GP64()
	MOVQ(Mem{Base: Load(Param("solids"), GP64()).(reg.GPVirtual), Disp: slice}, first)
	IMUL3Q(U32(uint32(size)), index, s.solid)
	ADDQ(first, s.solid)
}

// narrowCapsule narrows the mask of the capsule with the given index.
func (s *narrowing) narrowCapsule(index reg.GPVirtual) {
	s.find(index, solidsCapsules, capsuleBytes)
	s.keepAxis(capsuleA, capsuleB)
	radius := XMM()
	VMOVSD(Mem{Base: s.solid, Disp: capsuleRadius}, radius)
	s.limitSquares(radius, radius)
	s.eachGroup("capsule", func(d [3]vec) (far, near vec) {
		p, w, back := s.aimAtAxis(d)
		far = offAxis(p, w, smaller(larger(inEveryLane(singleAt(-1)), back), zero()))
		return far, far
	})
}

// narrowCylinder narrows the mask of the cylinder with the given index.
func (s *narrowing) narrowCylinder(index reg.GPVirtual) {
	s.find(index, solidsCylinders, cylinderBytes)
	s.keepAxis(cylinderA, cylinderB)
	length, radius, inner, first := XMM(), XMM(), XMM(), XMM()
	VMOVSD(Mem{Base: s.solid, Disp: cylinderLength}, length)
	VMOVSD(Mem{Base: s.solid, Disp: cylinderRadius}, radius)
	VMULSD(constantAt(0.5), length, inner)
	VMINSD(radius, inner, inner)
	VDIVSD(length, inner, first)
	VSUBSD(constantAt(1), first, length)
	s.keepLimit(length, narrowLast)
	VXORPD(length, length, length)
	VSUBSD(first, length, first)
	s.keepLimit(first, narrowFirst)
	s.limitSquares(radius, inner)
	s.eachGroup("cylinder", func(d [3]vec) (far, near vec) {
		p, w, back := s.aimAtAxis(d)
		far = offAxis(p, w, smaller(larger(inEveryLane(singleAt(-1)), back), zero()))
		return far, offAxis(p, w, smaller(larger(s.numberAt(narrowLast), back), s.numberAt(narrowFirst)))
	})
}

// keepAxis stores the vectors a and w, from the fields with the ends of the solid's axis.
func (s *narrowing) keepAxis(from, to int) {
	a := load(Mem{Base: s.solid, Disp: from})
	w := sub(load(Mem{Base: s.solid, Disp: to}), a).(reg.VecVirtual)
	a = sub(a, load(Mem{Base: s.m, Disp: maskOrigin})).(reg.VecVirtual)
	s.keepSingle(a, narrowA)
	s.keepSingle(w, narrowW)
}

// limitSquares stores the limits of the squared distances from a solid's axis, from the radii of a capsule around the solid and of
// one inside it.
func (s *narrowing) limitSquares(outer, inner reg.VecVirtual) {
	limit, none := XMM(), XMM()
	VADDSD(s.pad, outer, limit)
	VMULSD(limit, limit, limit)
	s.keepLimit(limit, narrowMiss)
	VSUBSD(s.pad, inner, limit)
	VXORPD(none, none, none)
	VMAXSD(none, limit, limit)
	VANDPD(s.sure, limit, limit)
	VMULSD(limit, limit, limit)
	s.keepLimit(limit, narrowHit)
}

// aimAtAxis returns a x d and w x d for the directions d, and the negative number s for which the point a + s w is nearest to the
// line if the axis is infinite.
func (s *narrowing) aimAtAxis(d [3]vec) (p, w [3]vec, back vec) {
	p, w = cross(s.vectorAt(narrowA), d), cross(s.vectorAt(narrowW), d)
	return p, w, div(dot(p, w), dot(w, w))
}

// offAxis returns the square of p + s w, from -s.
func offAxis(p, w [3]vec, back vec) vec {
	q := minus(p, back, w)
	return dot(q, q)
}

// narrowBox narrows the mask of the box with the given index.
func (s *narrowing) narrowBox(index reg.GPVirtual) {
	s.find(index, solidsBoxes, boxBytes)
	for axis, at := range []int{0, 24, 40} {
		s.keepSingle(load(Mem{Base: s.solid, Disp: boxAxes + at}), narrowAxes+16*axis)
	}
	s.keepSingle(load(Mem{Base: s.solid, Disp: boxHalf}), narrowHalf)
	s.keepLimit(s.pad, narrowMiss)
	least, limit, deep := XMM(), XMM(), XMM()
	VMOVSD(Mem{Base: s.solid, Disp: boxHalf}, least)
	VMINSD(Mem{Base: s.solid, Disp: boxHalf + 8}, least, least)
	VMINSD(Mem{Base: s.solid, Disp: boxHalf + 16}, least, least)
	VCMPSD(greater, s.margin, least, deep)
	VANDPD(s.sure, deep, deep)
	VXORPD(limit, limit, limit)
	VSUBSD(s.pad, limit, limit)
	never := XMM()
	VMOVSD(constantAt(negInf), never)
	VBLENDVPD(deep, limit, never, limit)
	s.keepLimit(limit, narrowHit)
	s.eachGroup("box", func(d [3]vec) (far, near vec) {
		c := cross(s.vectorAt(narrowF), d)
		var beside, along [3]vec
		for axis := range 3 {
			e := s.vectorAt(narrowAxes + 16*axis + 4*(axis/2))
			beside[axis], along[axis] = magnitude(dot(e, c)), magnitude(dot(e, d))
		}
		h := s.vectorAt(narrowHalf)
		var most vec
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			off := sub(beside[i], add(mul(h[j], along[k]), mul(h[k], along[j])))
			if i == 0 {
				most = off
			} else {
				most = larger(most, off)
			}
		}
		return most, most
	})
}

// eachGroup narrows the mask of a solid, for eight rays at a time. The function off returns two numbers for each direction:
// a ray misses the solid if far exceeds one limit, and hits it if near is less than the other.
func (s *narrowing) eachGroup(name string, off func(dir [3]vec) (far, near vec)) {
	defer inSingle()()
	todo, at, bits, hits := GP64(), GP64(), GP64(), GP64()
	MOVQ(s.may, todo)
	Label(name + "Rays")
	TZCNTQ(todo, at)
	ANDL(U32(^uint32(7)), at.As32())
	var d [3]vec
	for axis := range d {
		d[axis] = load(Mem{Base: s.m, Index: at, Scale: 4, Disp: maskDirs[axis]})
	}
	far, near := off(d)
	VMOVMSKPS(compare(greater, far, s.numberAt(narrowMiss)), bits.As32())
	VMOVMSKPS(compare(less, near, s.numberAt(narrowHit)), hits.As32())
	SHLXQ(at, bits, bits)
	SHLXQ(at, hits, hits)
	ANDQ(s.may, hits)
	ORQ(hits, s.blocked)
	ORQ(hits, bits)
	ANDNQ(s.may, bits, s.may)
	MOVL(U32(0xff), bits.As32())
	SHLXQ(at, bits, bits)
	ANDNQ(todo, bits, todo)
	JNZ(LabelRef(name + "Rays"))
}

func cross(a, b [3]vec) (c [3]vec) {
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = sub(mul(a[j], b[k]), mul(a[k], b[j]))
	}
	return c
}

// magnitude returns the absolute values of numbers in single precision.
func magnitude(v vec) vec {
	return target.and(v, eight("magnitude", func(int) uint32 { return 1<<31 - 1 }))
}
