package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// updateDepths writes the kernel of depthBuffer.update: it computes the largest distance in each block of a
// rectangle of blocks.
func updateDepths() {
	TEXT("updateDepthsKernel", NOSPLIT, "func(t, d *byte, first, columns, rows uint64)")
	rays := Load(Param("t"), GP64()).(reg.GPVirtual)
	depths := Load(Param("d"), GP64()).(reg.GPVirtual)
	rows := Load(Param("rows"), GP64())
	row := GP64()
	Load(Param("first"), row)
	LEAQ(Mem{Base: depths, Index: row, Scale: 4}, row)
	most := XMM()
	VMOVSS(eight("maxFloat32", maxFloat32), most)
	Label("row")
	column, columns := GP64(), GP64()
	XORQ(column, column)
	Load(Param("columns"), columns)
	Label("block")
	block := GP64()
	MOVQ(column, block)
	SHLQ(U8(5), block) // 8 * blockSide
	ADDQ(rays, block)
	far := load(Mem{Base: block})
	for j := 1; j < blockSide; j++ {
		VMAXPD(Mem{Base: block, Disp: j * rowBytes}, far, far)
	}
	x, other := far.AsX(), XMM()
	VEXTRACTF128(U8(1), far, other)
	VMAXPD(other, x, x)
	VPERMILPD(U8(1), x, other)
	VMAXSD(other, x, x)
	VCVTSD2SS(x, x, x)
	VMINSS(most, x, x)
	VMOVSS(x, Mem{Base: row, Index: column, Scale: 4})
	INCQ(column)
	DECQ(columns)
	JNZ(LabelRef("block"))
	ADDQ(U32(blockSide*rowBytes), rays)
	ADDQ(U8(4*side/blockSide), row)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// coarsen writes the kernel of depthBuffer.coarsen. The values that it stores for squares that extend
// beyond the last block are meaningless.
func coarsen() {
	TEXT("coarsenKernel", NOSPLIT, "func(d *byte)")
	depths := Load(Param("d"), GP64()).(reg.GPVirtual)
	next := YMM()
	VMOVDQU(eight("next", func(k int) uint32 { return uint32(k+1) % 8 }), next)
	widened := func(v vec, half int) vec {
		w := YMM()
		if half == 1 {
			VPERMPS(v, next, w)
		} else {
			VPERMPD(U8(0x39), v, w)
		}
		VMAXPS(w, v, w)
		return w
	}
	var rows []vec
	for j := range blocks {
		v := YMM()
		VMOVUPS(Mem{Base: depths, Disp: 4 * blocks * j}, v)
		rows = append(rows, v)
	}
	for k, half := range []int{1, 2} {
		for j := range rows {
			rows[j] = widened(rows[j], half)
		}
		for j := range rows[half:] {
			VMAXPS(rows[j+half], rows[j], rows[j])
			VMOVUPS(rows[j], Mem{Base: depths, Disp: 4*blocks*blocks*(k+1) + 4*blocks*j})
		}
		rows = rows[:len(rows)-half]
	}
	VZEROUPPER()
	RET()
}

// screen writes the kernel of screen.enter, which lists the children of a node that rays may reach. It tests all
// eight children.
func screen() {
	TEXT("screenKernel", NOSPLIT, "func(s, n, e, d *byte)")
	s := Load(Param("s"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	e := Load(Param("e"), GP64()).(reg.GPVirtual)
	for half := range 2 {
		screenFour(s, n, e, half)
	}
	t, other := zero().(reg.VecVirtual), XMM()
	VCVTPD2PSY(Mem{Base: e, Disp: enteredT}, t.AsX())
	VCVTPD2PSY(Mem{Base: e, Disp: enteredT + 32}, other)
	VINSERTF128(U8(1), other, t, t)
	VMAXPS(t, zero(), t) // keeps NaN, which marks empty bounds
	rounded := YMM()
	VCVTPS2PD(t.AsX(), rounded)
	VMOVUPD(rounded, Mem{Base: e, Disp: enteredT})
	VEXTRACTF128(U8(1), t, other)
	VCVTPS2PD(other, rounded)
	VMOVUPD(rounded, Mem{Base: e, Disp: enteredT + 32})

	depths, far := Load(Param("d"), GP64()).(reg.GPVirtual), YMM()
	VMOVUPS(eight("maxFloat32", maxFloat32), far)
	TESTQ(depths, depths)
	JZ(LabelRef("seen"))
	VMOVAPS(farthestAround(depths, e), far)
	Label("seen")
	open := YMM()
	VCMPPS(lessOrEqual, far, t, open)
	bits, count := GP32(), GP64()
	VMOVMSKPS(open, bits)
	POPCNTL(bits, count.As32())
	MOVQ(count, Mem{Base: e, Disp: enteredN})
	VANDPS(eight("distance", distanceBits), t, t)
	VPOR(eight("child", childNumber), t, t)
	VPXOR(eight("every", func(int) uint32 { return math.MaxUint32 }), open, open)
	VPOR(open, t, t) // -1 if not entered: sorted last
	sort(t)
	VMOVDQU(t, Mem{Base: e, Disp: enteredOrder})
	VZEROUPPER()
	RET()
}

// farthestAround returns, for each of the eight children of a node, the largest of the depths with which
// depthBuffer.hides compares the child's distance.
func farthestAround(depths, e reg.GPVirtual) vec {
	ints := func(at Mem) vec { v := YMM(); VMOVDQU(at, v); return v }
	every := func(name string, n uint32) vec { return ints(eight(name, func(int) uint32 { return n })) }
	stored := func(disp int) vec { // loaded in halves because it was stored in halves: a wide load would have to wait for both stores
		v := zero().(reg.VecVirtual)
		VMOVDQU(Mem{Base: e, Disp: disp}, v.AsX())
		VINSERTI128(U8(1), Mem{Base: e, Disp: disp + 16}, v, v)
		return v
	}
	x0, x1 := stored(enteredX0), stored(enteredX1)
	y0, y1 := stored(enteredY0), stored(enteredY1)
	size, height := YMM(), YMM()
	VPSUBD(x0, x1, size)
	VPSUBD(y0, y1, height)
	VPMAXSD(height, size, size)
	k, large := YMM(), YMM()
	VPCMPGTD(zero(), size, k)
	VPCMPGTD(every("two", 2), size, large)
	VPADDD(large, k, k)
	VPABSD(k, k)
	// The first block of the last square, and its distance from the last block.
	last, back := every("blocks", uint32(side/blockSide)), every("one", 1)
	VPSLLVD(k, back, back)
	VPSUBD(back, last, last)
	VPSUBD(every("one", 1), back, back)
	VPSLLD(U8(6), k, k) // blocks * blocks
	for _, v := range []vec{x0, y0} {
		VPMINSD(last, v, v)
	}
	for _, v := range []vec{x1, y1} {
		VPSUBD(back, v, v)
		VPMAXSD(zero(), v, v)
	}
	for _, v := range []vec{y0, y1} {
		VPSLLD(U8(3), v, v) // blocks
		VPADDD(k, v, v)
	}
	var far vec
	for _, y := range []vec{y0, y1} {
		for _, x := range []vec{x0, x1} {
			at, v := YMM(), zero()
			VPADDD(x, y, at)
			VGATHERDPS(every("every", math.MaxUint32), Mem{Base: depths, Index: at, Scale: 4}, v)
			if far == nil {
				far = v
			} else {
				VMAXPS(v, far, far)
			}
		}
	}
	return far
}

// screenFour computes screen.rect for one half of the children, which are four. VMAXPD and VMINPD return their
// second source if the first is NaN, so NaN gives valid blocks.
func screenFour(s, n, e reg.GPVirtual, half int) {
	label := func(name string) string { return fmt.Sprint(name, half) }
	field := func(disp int) vec { return number(s, disp) }
	var sum, size [3]vec
	for i := range sum {
		lo, hi := YMM(), YMM()
		VCVTPS2PD(Mem{Base: n, Disp: nodeLower + 32*i + 16*half}, lo)
		VCVTPS2PD(Mem{Base: n, Disp: nodeUpper + 32*i + 16*half}, hi)
		sum[i], size[i] = add(lo, hi), sub(hi, lo)
	}
	product := func(row int, v [3]vec) vec { // one after the other, to save registers
		sum := mul(field(row), v[0])
		sum = add(sum, mul(field(row+8), v[1]))
		return add(sum, mul(field(row+16), v[2]))
	}
	span := func(row int) (lo, hi vec) {
		m := sub(product(row+screenRowN, sum), field(row+screenRowK))
		r := add(product(row+screenRowReach, size), field(row+screenRowSlack))
		return sub(m, r), add(m, r)
	}
	near, far := span(screenDepth)
	outside := compare(less, far, zero())
	VMOVUPD(mul(near, field(screenShortest)), Mem{Base: e, Disp: enteredT + 32*half})
	kept := func(k int) Mem { return Mem{Base: e, Disp: enteredKept + 32*k} }
	near = add(mul(near, field(screenPerspective)), field(screenConstant))
	far = add(mul(far, field(screenPerspective)), field(screenConstant))
	VMOVUPD(near, kept(0))
	VMOVUPD(far, kept(1))
	behind := test(compare(notGreater, near, zero()))
	VMOVUPD(div(constant(1), near), kept(4))
	VMOVUPD(div(constant(1), far), kept(5))
	for i, row := range []int{screenColumn, screenRow} {
		last := func() vec { return field(screenLast + 8*i) }
		lo, hi := span(row)
		VMOVUPD(lo, kept(2))
		VMOVUPD(hi, kept(3))
		from, to := YMM(), YMM()
		VMINPD(mul(lo, load(kept(4))), mul(lo, load(kept(5))), from)
		VMAXPD(mul(hi, load(kept(4))), mul(hi, load(kept(5))), to)
		VROUNDPD(U8(2), sub(from, field(screenMargin)), from)
		VROUNDPD(U8(1), add(to, field(screenMargin)), to)
		beside := or(or(compare(greater, from, last()), compare(less, to, zero())), compare(greater, from, to))
		TESTL(behind, behind)
		JZ(LabelRef(label(fmt.Sprint("ahead", i))))
		reaches := func() mask { return compare(notGreater, load(kept(0)), zero()) }
		move(choose(reaches(), zero(), from), from)
		move(choose(reaches(), last(), to), to)
		aside := compare(less, load(kept(3)), sub(zero(), mul(field(screenMargin), load(kept(1)))))
		aside = or(aside, compare(greater, load(kept(2)), mul(add(last(), field(screenMargin)), load(kept(1)))))
		move(choose(reaches(), aside, beside), beside)
		Label(label(fmt.Sprint("ahead", i)))
		outside = or(outside, beside)
		for end, v := range []vec{from, to} {
			x := XMM()
			VMAXPD(zero(), v, v)
			VMINPD(last(), v, v)
			VCVTTPD2DQY(v, x)
			VPSRAD(U8(2), x, x) // blockSide
			VMOVDQU(x, Mem{Base: e, Disp: enteredX0 + 64*end + 32*i + 16*half})
		}
	}
	t := load(Mem{Base: e, Disp: enteredT + 32*half})
	VMOVUPD(choose(outside, constant(posInf), t), Mem{Base: e, Disp: enteredT + 32*half})
}

func maxFloat32(int) uint32 { return math.Float32bits(math.MaxFloat32) }
