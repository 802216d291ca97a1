package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The margins of the limits that masker.find describes. The components of the two unit vectors are wrong by less than 2^-24 in
// single precision, so the length d of their difference is wrong by less than 4e-7, and (d + 4e-7)^2 <= 1.001 d^2 + 1.7e-10.
// The relative error of each operation in single precision is less than 1e-6. All margins are at least five times as large as
// these errors.
const (
	maskScale  = 1.006
	maskOffset = 1e-9

	// If the square of the distance is not between these, it is inaccurate, infinite or NaN.
	maskNearest  = 1e-290
	maskFarthest = 1e290
)

// rayMasks writes the kernel of masker.find.
func rayMasks() {
	TEXT("maskKernel", NOSPLIT, "func(m, l, balls, near, masks *byte, n, groups uint64)")
	if nestedBytes != 32 || nestedOuter != 24 || nestedInner != 28 {
		panic("fourBalls needs another layout of nestedBalls")
	}
	m := Load(Param("m"), GP64()).(reg.GPVirtual)
	roundDirections(m)
	limitBalls(m)
	compareDirections(m)
	VZEROUPPER()
	RET()
}

// roundDirections rounds the directions of the rays to single precision, eight rays at a time.
func roundDirections(m reg.GPVirtual) {
	rays, groups := Load(Param("l"), GP64()), Load(Param("groups"), GP64())
	offset, wide := GP64(), GP64()
	XORQ(offset, offset)
	XORQ(wide, wide)
	Label("round")
	for k, at := range maskDirs {
		for half := range 2 {
			v := XMM()
			VCVTPD2PSY(place(rays, wide, shadowDir+k*shadowSize+32*half), v)
			VMOVUPS(v, place(m, offset, at+16*half))
		}
	}
	ADDQ(U8(32), offset)
	ADDQ(U8(64), wide)
	DECQ(groups)
	JNZ(LabelRef("round"))
}

// limitBalls stores the directions to the balls and their limits, for four balls at a time.
func limitBalls(m reg.GPVirtual) {
	near, last, k := Load(Param("near"), GP64()).(reg.GPVirtual), Load(Param("n"), GP64()).(reg.GPVirtual), GP64()
	DECQ(last)
	XORQ(k, k)
	Label("balls")
	f, outer, inner := fourBalls(near, k, last)
	for axis := range f {
		f[axis] = sub(f[axis], number(m, maskOrigin+8*axis))
	}
	square, margin := dot(f, f), number(m, maskMargin)
	dist := sqrt(square)
	inv := div(constant(1), dist)
	keep := func(v vec, at int) {
		single := XMM()
		VCVTPD2PSY(v, single)
		VMOVUPS(single, Mem{Base: m, Index: k, Scale: 4, Disp: at})
	}
	for axis, at := range maskToward {
		keep(mul(f[axis], inv), at)
	}
	reach, depth := add(outer, margin), sub(inner, margin)
	outside := compare(greater, square, constant(maskNearest))
	outside = and(outside, compare(less, square, constant(maskFarthest)))
	outside = and(outside, compare(greater, dist, reach))
	most := add(mul(mostChord2(mul(reach, inv)), constant(maskScale)), constant(maskOffset))
	keep(choose(outside, most, constant(math.NaN())), maskMost)

	sure := and(outside, compare(greater, depth, zero()))
	sure = and(sure, compare(less, dist, number(m, maskLight)))
	least := sub(mul(leastChord2(mul(depth, inv)), constant(1/maskScale)), constant(maskOffset))
	keep(and(sure, least), maskLeast)

	ADDQ(U8(lanes), k)
	CMPQ(k, last)
	JLE(LabelRef("balls"))
}

// mostChord2 returns an upper bound of the square of the chord of an angle up to 90 degrees, from its sine s. The square is
//
//	2 (1 - sqrt(1 - s^2)) = s^2 (1 + s^2/4 + s^4/8 + 5 s^6/64 + ...)
//
// All coefficients are positive. For s = 1 the square is 2, so the sum of the coefficients from 5/64 on is 5/8. If s^6 is
// multiplied by this sum, the result is not smaller than the series, and only slightly larger for small angles.
func mostChord2(sine vec) vec { return chord2(sine, 0.625) }

// leastChord2 returns a lower bound of the square that mostChord2 describes.
func leastChord2(sine vec) vec { return chord2(sine, 5./64) }

// chord2 returns s^2 (1 + s^2/4 + s^4/8 + last s^6).
func chord2(s vec, last float64) vec {
	s2 := mul(s, s)
	sum := constant(last)
	for _, c := range []float64{1. / 8, 1. / 4, 1} {
		sum = add(mul(s2, sum), constant(c))
	}
	return mul(s2, sum)
}

// fourBalls returns the centers and radii of the balls near[k], ..., near[k+3], but reads near[last] instead of what follows it.
func fourBalls(near, k, last reg.GPVirtual) (center [3]vec, outer, inner vec) {
	balls, i, at := Load(Param("balls"), GP64()), GP64(), GP64()
	var rows [4]vec
	for lane := range rows {
		LEAQ(Mem{Base: k, Disp: lane}, i)
		CMPQ(i, last)
		CMOVQGT(last, i)
		MOVL(Mem{Base: near, Index: i, Scale: 4}, at.As32())
		SHLQ(U8(5), at) // nestedBalls
		rows[lane] = load(Mem{Base: balls, Index: at, Scale: 1})
	}
	center, radii := transpose(rows)
	return center, radius(radii, 0x88), radius(radii, 0xdd)
}

// radius returns one of the two radii in each lane, which are in single precision. The selection is that of VSHUFPS.
func radius(radii vec, selection uint8) vec {
	single, double := YMM(), YMM()
	VSHUFPS(U8(selection), radii, radii, single)
	VPERMPD(U8(0x08), single, single)
	VCVTPS2PD(single.AsX(), double)
	return double
}

// compareDirections compares the directions of the rays, eight at a time, with those to the balls. It stores a byte for these
// rays in the mask of each ball. It continues with the next eight rays as soon as all of these are blocked.
func compareDirections(m reg.GPVirtual) {
	n, masks, left := Load(Param("n"), GP64()), Load(Param("masks"), GP64()), Load(Param("groups"), GP64())
	group, k, blocked, sure, may := GP64(), GP64(), GP32(), GP32(), GP32()
	XORQ(group, group)
	Label("rays")
	MOVBLZX(Mem{Base: m, Index: group, Scale: 1, Disp: maskBlocked}, blocked)
	var dir [3]reg.VecVirtual
	offset := GP64()
	MOVQ(group, offset)
	SHLQ(U8(5), offset)
	for axis, at := range maskDirs {
		dir[axis] = YMM()
		VMOVUPS(place(m, offset, at), dir[axis])
	}
	XORQ(k, k)
	Label("ball")
	CMPL(blocked, U32(0xff))
	JE(LabelRef("next"))
	spread := func(at int) reg.VecVirtual {
		v := YMM()
		VBROADCASTSS(Mem{Base: m, Index: k, Scale: 4, Disp: at}, v)
		return v
	}
	sum := YMM()
	for axis, at := range maskToward {
		d := spread(at)
		VSUBPS(dir[axis], d, d)
		if VMULPS(d, d, d); axis == 0 {
			VMOVAPS(d, sum)
		} else {
			VADDPS(d, sum, sum)
		}
	}
	within := YMM()
	VCMPPS(less, spread(maskLeast), sum, within)
	VMOVMSKPS(within, sure)
	VCMPPS(notGreater, spread(maskMost), sum, within)
	VMOVMSKPS(within, may)
	ORL(sure, blocked)
	ANDNL(may, blocked, may)
	MOVB(may.As8(), Mem{Base: masks, Index: k, Scale: 8})
	INCQ(k)
	CMPQ(k, n)
	JB(LabelRef("ball"))
	Label("next")
	MOVB(blocked.As8(), Mem{Base: m, Index: group, Scale: 1, Disp: maskBlocked})
	INCQ(masks)
	INCQ(group)
	DECQ(left)
	JNZ(LabelRef("rays"))
}
