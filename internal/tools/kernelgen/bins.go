package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// itemCentroid returns twice the centroid of an item: the sum of both corners of its bounds. The upper corner is stored
// negated.
func itemCentroid(item reg.GPVirtual) reg.VecVirtual {
	c := XMM()
	VMOVUPS(Mem{Base: item, Disp: itemLower}, c)
	VSUBPS(Mem{Base: item, Disp: itemUpper}, c, c)
	return c
}

// centroids writes the kernel that finds the bounds of items' centroids.
func centroids() {
	TEXT("centroidsKernel", NOSPLIT, "func(l, items *byte, n uint64)")
	l := Load(Param("l"), GP64()).(reg.GPVirtual)
	item := Load(Param("items"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64())
	lower, upper := XMM(), XMM()
	VMOVUPS(Mem{Base: l}, lower)
	VMOVUPS(Mem{Base: l, Disp: 16}, upper)
	negative := eight("negative", func(int) uint32 { return 1 << 31 })
	Label("item")
	c, negated := itemCentroid(item), XMM()
	VXORPS(negative, c, negated)
	VMINPS(lower, c, lower)
	VMINPS(upper, negated, upper)
	ADDQ(U8(itemBytes), item)
	DECQ(n)
	JNZ(LabelRef("item"))
	VMOVUPS(lower, Mem{Base: l})
	VMOVUPS(upper, Mem{Base: l, Disp: 16})
	VZEROUPPER()
	RET()
}

// bins writes the kernel that adds items to bins. VMINPS and VMAXPD return their second source if the first is
// NaN. So an item whose centroid is NaN goes to the first bin, and a bin's bounds ignore NaN.
func bins() {
	TEXT("binsKernel", NOSPLIT, "func(l, items *byte, n uint64)")
	l := Load(Param("l"), GP64()).(reg.GPVirtual)
	item := Load(Param("items"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64())
	lo, scale, last := load(Mem{Base: l, Disp: binsLo}), load(Mem{Base: l, Disp: binsScale}), load(Mem{Base: l, Disp: binsLast})
	none := zero()
	Label("item")
	centroid, slices := YMM(), XMM()
	VCVTPS2PD(itemCentroid(item), centroid)
	at := mul(sub(centroid, lo), scale)
	VMAXPD(none, at, at)
	VMINPD(last, at, at)
	VCVTTPD2DQY(at, slices)
	ends := YMM()
	VMOVUPS(Mem{Base: item, Disp: itemLower}, ends)
	for axis := range 3 {
		k := GP64()
		VPEXTRD(U8(axis), slices, k.As32())
		INCL(Mem{Base: l, Index: k, Scale: 4, Disp: binsCount + 4*binsEach*axis})
		SHLQ(U8(5), k)
		all := Mem{Base: l, Index: k, Scale: 1, Disp: binsAll + 32*binsEach*axis}
		sum := YMM()
		VMINPS(all, ends, sum)
		VMOVUPS(sum, all)
	}
	ADDQ(U8(itemBytes), item)
	DECQ(n)
	JNZ(LabelRef("item"))
	VZEROUPPER()
	RET()
}

// partition writes the kernel that moves the items below a plane to the front. It swaps every item,
// without a branch that would be unpredictable.
func partition() {
	TEXT("partitionKernel", NOSPLIT, "func(items *byte, n, axis uint64, lo, scale, above float64) uint64")
	item := Load(Param("items"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64())
	axis := Load(Param("axis"), GP64()).(reg.GPVirtual)
	lo, scale, above := Load(Param("lo"), XMM()), Load(Param("scale"), XMM()), Load(Param("above"), XMM())
	first, next := GP64(), GP64()
	MOVQ(item, first)
	MOVQ(item, next)
	Label("item")
	at, x, y, below := XMM(), YMM(), YMM(), GP64()
	VMOVSS(Mem{Base: item, Index: axis, Scale: 4, Disp: itemLower}, at)
	VSUBSS(Mem{Base: item, Index: axis, Scale: 4, Disp: itemUpper}, at, at)
	VCVTSS2SD(at, at, at)
	VSUBSD(lo, at, at)
	VMULSD(scale, at, at)
	VMOVUPS(Mem{Base: item}, x)
	VMOVUPS(Mem{Base: next}, y)
	VMOVUPS(y, Mem{Base: item})
	VMOVUPS(x, Mem{Base: next})
	VUCOMISD(above, at) // sets the carry flag if it is less or NaN
	SBBQ(below, below)
	ANDQ(U8(itemBytes), below)
	ADDQ(below, next)
	ADDQ(U8(itemBytes), item)
	DECQ(n)
	JNZ(LabelRef("item"))
	SUBQ(first, next)
	SHRQ(U8(5), next)
	Store(next, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
