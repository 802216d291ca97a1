package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pillbox/internal/sampler/sine"
)

// samplerKernels writes the kernels of package sampler.
func samplerKernels() {
	TEXT("hemisphereKernel", NOSPLIT, "func(first, u, v uint32, frame, x, y, z, sectors *byte, groups uint64)")
	sectors := Load(Param("sectors"), GP64()).(reg.GPVirtual)
	directions(func(u, v vec) {
		VMOVDQU(sector(u, v), Mem{Base: sectors})
		ADDQ(U8(32), sectors)
	}, func(x, y vec, _ int) [3]vec {
		return [3]vec{x, y, sqrt(sub(constant(1), squares(x, y)))}
	}, rotate)

	TEXT("capKernel", NOSPLIT, "func(first, u, v uint32, oneMinusCos float64, frame, x, y, z, heights *byte, groups uint64)")
	heights := Load(Param("heights"), GP64()).(reg.GPVirtual)
	directions(func(u, v vec) {}, func(x, y vec, half int) [3]vec {
		drop := mul(squares(x, y), all(param("oneMinusCos")))
		stretch := sqrt(mul(all(param("oneMinusCos")), sub(constant(2), drop)))
		z := sub(constant(1), drop)
		VMOVUPD(z, Mem{Base: heights, Disp: 32 * half})
		if half == 1 {
			ADDQ(U8(64), heights)
		}
		return [3]vec{mul(x, stretch), mul(y, stretch), z}
	}, func(frame reg.GPVirtual, v [3]vec) [3]vec { return unit(rotate(frame, v)) })
}

// squares returns the sum of the squares of x and y.
func squares(x, y vec) vec { return add(mul(x, x), mul(y, y)) }

// directions writes the loop of a kernel that computes a direction for each point of a set, eight points at
// a time. It passes the coordinates of the eight points, as integers, to the function see. Then it handles
// the points in two halves of four: it maps the points from the square to the disc, calls lift to map them
// from the disc to the sphere, and calls turn to rotate the results. These are the directions.
func directions(see func(u, v vec), lift func(x, y vec, half int) [3]vec, turn func(frame reg.GPVirtual, v [3]vec) [3]vec) {
	groups := Load(Param("groups"), GP64())
	frame := Load(Param("frame"), GP64()).(reg.GPVirtual)
	var out [3]reg.GPVirtual
	for k, axis := range []string{"x", "y", "z"} {
		out[k] = Load(Param(axis), GP64()).(reg.GPVirtual)
	}
	index := integers("first")
	VPOR(eight("lane", func(lane int) uint32 { return uint32(lane) }), index, index)

	Label("group")
	u, v := digits(scramble(index, "u")), digits(scramble(pascal(index), "v"))
	see(u, v)
	for half := range 2 {
		x, y := disc(coordinate(u, half), coordinate(v, half))
		for k, d := range turn(frame, lift(x, y, half)) {
			VMOVUPD(d, Mem{Base: out[k], Disp: 32 * half})
		}
	}
	VPADDD(word("eight", 8), index, index)
	for _, at := range out {
		ADDQ(U8(64), at)
	}
	DECQ(groups)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// integers returns a vector of eight 32-bit integers, all equal to the kernel's parameter with the given
// name.
func integers(name string) vec {
	x, v := XMM(), YMM()
	VMOVD(Load(Param(name), GP32()), x)
	VPBROADCASTD(x, v)
	return v
}

// word returns the memory operand of a vector of eight equal integers.
func word(name string, x uint32) Mem { return eight(name, func(int) uint32 { return x }) }

// pascal returns the digits of the second coordinates of eight Sobol points, given their indices. It does the same
// as the function pascal of package sampler.
func pascal(index vec) vec {
	i := YMM()
	VMOVDQA(index, i)
	t := YMM()
	for k, kept := range []uint32{0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff} {
		VPSRLD(U8(1<<k), i, t)
		VPAND(word(fmt.Sprint("lower", 1<<k), kept), t, t)
		VPXOR(t, i, i)
	}
	return i
}

// scramble permutes the digits of eight coordinates, depending on the kernel's parameter named seed. It does the
// same as the function scramble of package sampler.
func scramble(x vec, seed string) vec {
	v, t := YMM(), YMM()
	VPMULLD(word("scramble1", 0x3d20adea), x, t)
	VPXOR(t, x, v)
	s := integers(seed)
	VPADDD(s, v, v)
	VPSRLD(U8(16), s, s)
	VPOR(word("one", 1), s, s)
	VPMULLD(s, v, v)
	VPMULLD(word("scramble2", 0x05526c56), v, t)
	VPXOR(t, v, v)
	VPMULLD(word("scramble3", 0x53a22864), v, t)
	VPXOR(t, v, v)
	return v
}

// digits reverses the order of the bits of each integer. It looks up the reversals of the two halves of
// each byte in tables, and reverses the order of the bytes.
func digits(x vec) vec {
	reversed := func(shift int) func(int) uint32 {
		return func(lane int) uint32 {
			w := uint32(0)
			for k := range 4 {
				n := uint32(lane%4*4 + k)
				w |= (n&1<<3 | n&2<<1 | n&4>>1 | n&8>>3) << shift << (8 * k)
			}
			return w
		}
	}
	low, high := YMM(), YMM()
	nibbles := word("lower4", 0x0f0f0f0f)
	VPAND(nibbles, x, low)
	VPSRLD(U8(4), x, high)
	VPAND(nibbles, high, high)
	table := YMM()
	VMOVDQU(eight("reversedLow", reversed(4)), table)
	VPSHUFB(low, table, low)
	VMOVDQU(eight("reversedHigh", reversed(0)), table)
	VPSHUFB(high, table, high)
	VPOR(high, low, low)
	VPSHUFB(eight("bytes", func(lane int) uint32 { return 0x00010203 + uint32(lane%4)*0x04040404 }), low, low)
	return low
}

// sector returns, for each point, the number of the sector that contains it: a number of four bits, the
// first two binary digits of u and then the first two of v.
func sector(u, v vec) vec {
	a, b := YMM(), YMM()
	VPSRLD(U8(30), u, a)
	VPSLLD(U8(2), a, a)
	VPSRLD(U8(30), v, b)
	VPOR(b, a, a)
	return a
}

// coordinate converts four of the eight coordinates with the given digits; half, 0 or 1, selects the four. It
// returns each coordinate's difference from 0.5, times two. These numbers are exact.
func coordinate(digits vec, half int) vec {
	signed, four, v := YMM(), XMM(), YMM()
	VPXOR(word("sign", 1<<31), digits, signed)
	VEXTRACTI128(U8(half), signed, four)
	VCVTDQ2PD(four, v)
	return mul(add(v, constant(0.5)), constant(0x1p-31))
}

// disc maps points of the unit square to the unit disc, as sampler.Disc does. The arguments are the numbers that
// the function coordinate returns.
func disc(a, b vec) (x, y vec) {
	abs := func(v vec) vec { return without(v, constant(negZero)) }
	swap := compare(greater, abs(a), abs(b))
	large, small := choose(swap, a, b), choose(swap, b, a)
	sin, cos := sinCosOctant(div(small, large))
	p, q := mul(large, sin), mul(large, cos)
	return choose(swap, q, p), choose(swap, p, q)
}

// sinCosOctant returns the sine and the cosine of t eighths of a turn, as the function sinCosOctant of package
// sampler does.
func sinCosOctant(t vec) (sin, cos vec) {
	z := mul(t, t)
	p := constant(sine.C15)
	for _, c := range []float64{sine.C13, sine.C11, sine.C9, sine.C7, sine.C5, sine.C3, sine.C1} {
		p = add(constant(c), mul(z, p))
	}
	sin = mul(t, p)
	return sin, sqrt(sub(constant(1), mul(sin, sin)))
}

// rotate multiplies the matrix at the address frame by the vectors v, as geom.Mat3.MulVec does.
func rotate(frame reg.GPVirtual, v [3]vec) [3]vec {
	var r [3]vec
	for k := range r {
		r[k] = dot([3]vec{number(frame, 8*k), number(frame, 24+8*k), number(frame, 48+8*k)}, v)
	}
	return r
}
