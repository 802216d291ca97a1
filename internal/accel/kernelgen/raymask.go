package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The margins of the bound that masker.find describes. Each component of the two unit vectors is wrong by less than 2^-24 in
// single precision, so the length d of their difference is wrong by less than 4e-7, and (d + 4e-7)^2 <= 1.001 d^2 + 1.7e-10.
// The square of the cosine is wrong by less than 1e-6. The kernel subtracts maskCosine from it, so it is never too large,
// and the bound, 2 sin^2 b / (1 + cos b), is never too small because of it. The relative error of each other operation is
// less than 1e-6. All margins are at least five times as large as these errors.
const (
	maskCosine = 1e-5
	maskScale  = 1.006
	maskOffset = 1e-9

	// If the square of the distance is not between these, it is inaccurate, infinite or NaN.
	maskNearest  = 1e-290
	maskFarthest = 1e290
)

// rayMasks writes the kernel of masker.find. It tests eight rays at a time against one ball after the other.
func rayMasks() {
	TEXT("maskKernel", NOSPLIT, "func(m, l, balls, near, masks *byte, n, groups uint64)")
	m := Load(Param("m"), GP64())
	rays := Load(Param("l"), GP64())
	groups := Load(Param("groups"), GP64())
	left, offset, wide := GP64(), GP64(), GP64()

	Comment("Round the directions to single precision, eight rays at a time.")
	MOVQ(groups, left)
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
	DECQ(left)
	JNZ(LabelRef("round"))

	balls, near, masks := Load(Param("balls"), GP64()), Load(Param("near"), GP64()), Load(Param("masks"), GP64())
	n, at, lane := Load(Param("n"), GP64()), GP64(), GP64()
	Label("ball")
	MOVL(Mem{Base: near}, at.As32())
	ADDQ(U8(4), near)
	MOVL(at.As32(), lane.As32())
	ANDL(U8(lanes-1), lane.As32())
	SHRL(U8(2), at.As32())
	SHLQ(U8(7), at) // ballGroup
	LEAQ(Mem{Base: at, Index: lane, Scale: 8}, at)
	ADDQ(balls, at)

	Comment("The vector to the center, and its square.")
	var f [3]reg.VecVirtual
	square := XMM()
	for k := range f {
		f[k] = XMM()
		VMOVSD(Mem{Base: at, Disp: 32 * k}, f[k])
		VSUBSD(Mem{Base: m, Disp: maskOrigin + 8*k}, f[k], f[k])
		if k == 0 {
			VMULSD(f[k], f[k], square)
			continue
		}
		t := XMM()
		VMULSD(f[k], f[k], t)
		VADDSD(t, square, square)
	}
	Comment("The unit vector toward the center, and the sine of the ball's angle.")
	inv, sine := XMM(), XMM()
	VSQRTSD(square, square, inv)
	one := XMM()
	VMOVSD(constantAt(1), one)
	VDIVSD(inv, one, inv)
	VMOVSD(Mem{Base: at, Disp: 32 * 3}, sine)
	VADDSD(Mem{Base: m, Disp: maskMargin}, sine, sine)
	VMULSD(inv, sine, sine)
	var u [3]reg.VecVirtual
	for k := range f {
		VMULSD(inv, f[k], f[k])
		VCVTSD2SS(f[k], f[k], f[k])
		u[k] = YMM()
		VBROADCASTSS(f[k], u[k])
	}
	Comment("The bound, in single precision. It is NaN if all rays may meet the ball.")
	bound, cosine := XMM(), XMM()
	VCVTSD2SS(sine, sine, bound)
	VMULSS(bound, bound, bound)
	VMOVSS(singleAt(1-maskCosine), cosine)
	VSUBSS(bound, cosine, cosine)
	VSQRTSS(cosine, cosine, cosine)
	VADDSS(singleAt(1), cosine, cosine)
	VMULSS(singleAt(2*maskScale), bound, bound)
	VDIVSS(cosine, bound, bound)
	VADDSS(singleAt(maskOffset), bound, bound)
	tiny, huge := XMM(), XMM()
	VCMPSD(notGreater, constantAt(maskNearest), square, tiny)
	VCMPSD(notLess, constantAt(maskFarthest), square, huge)
	VORPD(huge, tiny, tiny)
	VORPD(tiny, bound, bound)
	bounds := YMM()
	VBROADCASTSS(bound, bounds)

	Comment("The rays whose directions differ from the unit vector by no more than the bound.")
	mask, bits, shift := GP64(), GP64(), GP64()
	XORQ(mask, mask)
	XORQ(shift, shift)
	XORQ(offset, offset)
	MOVQ(groups, left)
	Label("rays")
	sum := YMM()
	for k, at := range maskDirs {
		d := YMM()
		VSUBPS(place(m, offset, at), u[k], d)
		VMULPS(d, d, d)
		if k == 0 {
			VMOVAPS(d, sum)
		} else {
			VADDPS(d, sum, sum)
		}
	}
	VCMPPS(notGreater, bounds, sum, sum)
	VMOVMSKPS(sum, bits.As32())
	SHLXQ(shift, bits, bits)
	ORQ(bits, mask)
	ADDQ(U8(8), shift)
	ADDQ(U8(32), offset)
	DECQ(left)
	JNZ(LabelRef("rays"))
	MOVQ(mask, Mem{Base: masks})
	ADDQ(U8(8), masks)
	DECQ(n)
	JNZ(LabelRef("ball"))
	VZEROUPPER()
	RET()
}
