package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The margins of the limits that masker.find describes. Let u = 2^-24 be the largest relative error of an operation in single
// precision.
//
//   - The vector from the origin to a ball is computed in double precision and rounded: 1 u. So the square of its length is wrong
//     by up to 5 u, the length by 3.5 u, the reciprocal of the square by 6 u, that of the length by 5.5 u, and the direction by
//     7.5 u.
//   - With the rounded directions of the rays, the difference of two unit vectors is wrong by less than 9 u, or 5.4e-7. If its
//     length is d, (d + 5.4e-7)^2 <= 1.001 d^2 + 3e-10.
//   - The radii with margins are wrong by 1 u, apart from the margin, which is rounded up. So the squares of the sines are wrong
//     by up to 10 u. A limit has at most the fourth power of such a square. With the other operations and the coefficients, it is
//     wrong by less than 60 u, and the squares in compareDirections by less than 6 u. This is less than 4e-6.
//
// The margins are at least five times as large as these errors.
const (
	maskScale  = 1.006
	maskOffset = 1.5e-9

	// If the computed square of the outer ball's sine is larger or NaN, the origin may lie in the ball.
	maskSine2 = 0.99998
)

// rayMasks writes the kernels of masker.find: one that compares eight rays at a time, and one that compares sixteen and
// needs AVX-512.
func rayMasks() {
	rayMasksOf("maskKernel", eightRays{})
	rayMasksOf("maskWideKernel", sixteenRays{})
}

func rayMasksOf(name string, w rayWidth) {
	TEXT(name, NOSPLIT, "func(m, l, balls, near, masks *byte, n, groups uint64)")
	if nestedBytes != 32 || nestedOuter != 24 || nestedInner != 28 {
		panic("eightBalls needs another layout of nestedBalls")
	}
	m := Load(Param("m"), GP64()).(reg.GPVirtual)
	roundDirections(m, w)
	limitBalls(m)
	compareDirections(m, w)
	VZEROUPPER()
	RET()
}

// rayWidth describes vectors that have a lane in single precision for each of several rays.
type rayWidth interface {
	rays() int
	vector() reg.VecVirtual
	sub(a reg.VecVirtual, b Mem) reg.VecVirtual       // subtracts the number b from each lane
	compare(r relation, a reg.VecVirtual, b Mem) mask // the lanes of which the relation to the number b holds
	bits(k mask) reg.GPVirtual                        // a bit for each lane
	storeMask(k mask, at Mem)                         // stores these bits
	load(at Mem) reg.GPVirtual                        // loads such bits
	store(bits reg.GPVirtual, at Mem)
}

// eightRays needs AVX2.
type eightRays struct{}

func (eightRays) rays() int              { return 8 }
func (eightRays) vector() reg.VecVirtual { return YMM() }

func (eightRays) sub(a reg.VecVirtual, b Mem) reg.VecVirtual {
	v := YMM()
	VBROADCASTSS(b, v)
	VSUBPS(v, a, v)
	return v
}

func (eightRays) compare(r relation, a reg.VecVirtual, b Mem) mask {
	v := YMM()
	VBROADCASTSS(b, v)
	VCMPPS(r, v, a, v)
	return v
}

func (eightRays) bits(k mask) reg.GPVirtual        { r := GP32(); VMOVMSKPS(k, r); return r }
func (w eightRays) storeMask(k mask, at Mem)       { w.store(w.bits(k), at) }
func (eightRays) load(at Mem) reg.GPVirtual        { r := GP32(); MOVBLZX(at, r); return r }
func (eightRays) store(bits reg.GPVirtual, at Mem) { MOVB(bits.As8(), at) }

// sixteenRays needs AVX-512. Operands in memory are spread to all lanes by the instructions that use them.
type sixteenRays struct{}

func (sixteenRays) rays() int              { return 16 }
func (sixteenRays) vector() reg.VecVirtual { return ZMM() }

func (sixteenRays) sub(a reg.VecVirtual, b Mem) reg.VecVirtual {
	v := ZMM()
	VSUBPS_BCST(b, a, v)
	return v
}

func (sixteenRays) compare(r relation, a reg.VecVirtual, b Mem) mask {
	k := K()
	VCMPPS_BCST(r, b, a, k)
	return k
}

func (sixteenRays) bits(k mask) reg.GPVirtual        { r := GP32(); KMOVW(k, r); return r }
func (sixteenRays) storeMask(k mask, at Mem)         { KMOVW(k, at) }
func (sixteenRays) load(at Mem) reg.GPVirtual        { r := GP32(); MOVWLZX(at, r); return r }
func (sixteenRays) store(bits reg.GPVirtual, at Mem) { MOVW(bits.As16(), at) }

// roundDirections rounds the directions of the rays to single precision.
func roundDirections(m reg.GPVirtual, w rayWidth) {
	rays, groups := Load(Param("l"), GP64()), Load(Param("groups"), GP64())
	offset, wide := GP64(), GP64()
	XORQ(offset, offset)
	XORQ(wide, wide)
	Label("round")
	for k, at := range maskDirs {
		for four := range w.rays() / lanes {
			v := XMM()
			VCVTPD2PSY(place(rays, wide, shadowDir+k*shadowSize+8*lanes*four), v)
			VMOVUPS(v, place(m, offset, at+4*lanes*four))
		}
	}
	ADDQ(U8(4*w.rays()), offset)
	ADDQ(U8(8*w.rays()), wide)
	DECQ(groups)
	JNZ(LabelRef("round"))
}

// limitBalls stores the directions to the balls and their limits, for eight balls at a time. The last eight may overlap those
// before them. If there are fewer than eight balls, near has eight elements nevertheless.
func limitBalls(m reg.GPVirtual) {
	near, last, k := Load(Param("near"), GP64()).(reg.GPVirtual), Load(Param("n"), GP64()).(reg.GPVirtual), GP64()
	XORQ(k, k)
	SUBQ(U8(8), last)
	CMOVQLT(k, last)
	Label("balls")
	f, outer, inner := eightBalls(m, near, k)
	limitEight(m, k, f, outer, inner)
	CMPQ(k, last)
	JE(LabelRef("limited"))
	ADDQ(U8(8), k)
	CMPQ(k, last)
	CMOVQGT(last, k)
	JMP(LabelRef("balls"))
	Label("limited")
}

// limitEight stores the directions to the balls k, ..., k + 7 and their limits.
//
// Squares that overflow or underflow need no tests. If the square of the distance is infinite, the direction is NaN, so in
// compareDirections any ray may hit, and none hits certainly. If the distance is less than leastMaskMargin, its square can be too
// small for single precision. But then the reach is larger than the distance, and sine2 is larger than 1.
func limitEight(m, k reg.GPVirtual, f [3]vec, outer, inner vec) {
	defer inSingle()()
	keep := func(v vec, at int) { VMOVUPS(v, Mem{Base: m, Index: k, Scale: 4, Disp: at}) }
	square, margin := dot(f, f), number(m, maskSingleMargin)
	dist, inv2 := sqrt(square), div(constant(1), square)
	inv := mul(dist, inv2) // sooner than by a division that waits for the root
	for axis, at := range maskToward {
		keep(mul(f[axis], inv), at)
	}
	reach := add(outer, margin)
	sine2 := mul(mul(reach, reach), inv2)
	inside := compare(notLess, sine2, constant(maskSine2))
	most := add(mostChord2(sine2, maskScale), constant(maskOffset))
	keep(or(most, inside), maskMost) // NaN if all bits are set

	depth := larger(sub(inner, margin), zero())
	least := sub(leastChord2(mul(mul(depth, depth), inv2), 1/maskScale), constant(maskOffset))
	sure := without(compare(less, dist, number(m, maskSingleLight)), inside)
	keep(and(sure, least), maskLeast)
}

// mostChord2 returns an upper bound of the square of the chord of an angle up to 90 degrees, times scale. It takes the square s of
// the angle's sine. The square of the chord is
//
//	2 (1 - sqrt(1 - s)) = s (1 + s/4 + s^2/8 + 5 s^3/64 + ...)
//
// All coefficients are positive. For s = 1 the result is 2, so the sum of the coefficients from 5/64 on is 5/8. If s^3 is
// multiplied by this sum, the result is not smaller than the series, and only slightly larger for small angles.
func mostChord2(sine2 vec, scale float64) vec { return chord2(sine2, scale, 5./8) }

// leastChord2 returns a lower bound of the square that mostChord2 describes, times scale.
func leastChord2(sine2 vec, scale float64) vec { return chord2(sine2, scale, 5./64) }

// chord2 returns s (1 + s/4 + s^2/8 + last s^3) times scale. It adds pairs of terms, which takes less time than Horner's rule
// because independent operations overlap.
func chord2(s vec, scale, last float64) vec {
	lower := add(mul(s, constant(scale/4)), constant(scale))
	upper := add(mul(s, constant(scale*last)), constant(scale/8))
	return mul(s, add(lower, mul(mul(s, s), upper)))
}

// eightBalls returns the vectors from the origin to the balls near[k], ..., near[k+7], and their radii, in single precision.
func eightBalls(m, near, k reg.GPVirtual) (f [3]vec, outer, inner vec) {
	var halves [2][3]reg.VecVirtual
	var radii [2]vec
	for half := range 2 {
		var center [3]vec
		center, radii[half] = fourBalls(near, k, 4*half)
		for axis := range center {
			v := XMM()
			VCVTPD2PSY(sub(center[axis], number(m, maskOrigin+8*axis)), v)
			halves[half][axis] = v
		}
	}
	for axis := range f {
		v := YMM()
		VINSERTF128(U8(1), halves[1][axis], halves[0][axis].AsY(), v)
		f[axis] = v
	}
	return f, radius(radii, 0x88), radius(radii, 0xdd)
}

// fourBalls returns the centers of the balls near[k+first], ..., near[k+first+3], and in each lane of radii both radii of a ball.
func fourBalls(near, k reg.GPVirtual, first int) (center [3]vec, radii vec) {
	balls, at := Load(Param("balls"), GP64()), GP64()
	var rows [4]vec
	for i := range rows {
		MOVL(Mem{Base: near, Index: k, Scale: 4, Disp: 4 * (first + i)}, at.As32())
		SHLQ(U8(5), at) // nestedBalls
		rows[i] = load(Mem{Base: balls, Index: at, Scale: 1})
	}
	return transpose(rows)
}

// radius returns one of the two radii of eight balls. The selection is that of VSHUFPS.
func radius(radii [2]vec, selection uint8) vec {
	v := YMM()
	VSHUFPS(U8(selection), radii[1], radii[0], v) // its pairs are those of the balls 0, 4, 2 and 6
	VPERMPD(U8(0xd8), v, v)
	return v
}

// compareDirections compares the directions of the rays, as many at a time as the width says, with those to the balls. It stores
// the bits of these rays in the mask of each ball. It continues with the next rays as soon as all of these are blocked.
func compareDirections(m reg.GPVirtual, w rayWidth) {
	n, masks, left := Load(Param("n"), GP64()), Load(Param("masks"), GP64()), Load(Param("groups"), GP64())
	offset, k := GP64(), GP64() // offset is that of the rays' bits
	XORQ(offset, offset)
	Label("rays")
	blocked := w.load(place(m, offset, maskBlocked))
	var dir [3]reg.VecVirtual
	numbers := GP64()
	MOVQ(offset, numbers)
	SHLQ(U8(5), numbers) // a number for each bit
	for axis, at := range maskDirs {
		dir[axis] = w.vector()
		VMOVUPS(place(m, numbers, at), dir[axis])
	}
	XORQ(k, k)
	Label("ball")
	CMPL(blocked, U32(1<<w.rays()-1))
	JE(LabelRef("next"))
	number := func(at int) Mem { return Mem{Base: m, Index: k, Scale: 4, Disp: at} }
	var sum reg.VecVirtual
	for axis, at := range maskToward {
		d := w.sub(dir[axis], number(at))
		if VMULPS(d, d, d); axis == 0 {
			sum = d
		} else {
			VADDPS(d, sum, sum)
		}
	}
	w.storeMask(w.compare(notGreater, sum, number(maskMost)), Mem{Base: masks, Index: k, Scale: 8})
	ORL(w.bits(w.compare(less, sum, number(maskLeast))), blocked)
	INCQ(k)
	CMPQ(k, n)
	JB(LabelRef("ball"))
	Label("next")
	w.store(blocked, place(m, offset, maskBlocked))
	ADDQ(U8(w.rays()/8), masks)
	ADDQ(U8(w.rays()/8), offset)
	DECQ(left)
	JNZ(LabelRef("rays"))
}
