package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// skyInverse writes the kernel that computes the reciprocals of directions: invert for four rays at a time.
func skyInverse() {
	TEXT("skyInverseKernel", NOSPLIT, "func(r *byte, groups uint64)")
	r := Load(Param("r"), GP64()).(reg.GPVirtual)
	groups := Load(Param("groups"), GP64())
	one, most, least := constant(1), constant(maxInv), constant(-maxInv)
	i := GP64()
	XORQ(i, i)
	Label("group")
	for axis := range 3 {
		v := div(one, load(Mem{Base: r, Index: i, Scale: 8, Disp: skyDir + 8*skyGroup*axis}))
		v = larger(smaller(v, most), least)
		single := XMM()
		VCVTPD2PSY(v, single)
		VMOVUPS(single, Mem{Base: r, Index: i, Scale: 4, Disp: skyInv + 4*skyGroup*axis})
	}
	ADDQ(U8(lanes), i)
	DECQ(groups)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// skyTraverse writes the kernel of skyTraversal.next. At each node it tests one ray at a time against the eight children.
// The distances from the shifted origins to the faces along the axes are the same for all rays.
func skyTraverse() {
	TEXT("skyTraverseKernel", NOSPLIT, "func(t, nodes *byte) uint32")
	t := Load(Param("t"), GP64()).(reg.GPVirtual)
	nodes := Load(Param("nodes"), GP64()).(reg.GPVirtual)
	bits := rayBits()
	n, node, rays, leaves := GP64(), GP64(), GP32(), GP32()
	MOVQ(Mem{Base: t, Disp: skyN}, n)

	Label("pop")
	XORL(leaves, leaves)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	DECQ(n)
	MOVL(Mem{Base: t, Index: n, Scale: 4, Disp: skyRaysStack}, rays)
	ANDL(Mem{Base: t, Disp: skyOpen}, rays)
	JZ(LabelRef("pop"))
	below := GP64()
	MOVL(Mem{Base: t, Index: n, Scale: 4, Disp: skyNodes - 4}, below.As32())
	SHLQ(U8(8), below) // nodeBytes
	ADDQ(nodes, below)
	ask(below, nodeBytes/line)
	MOVL(Mem{Base: t, Index: n, Scale: 4, Disp: skyNodes}, node.As32())
	MOVL(node.As32(), Mem{Base: t, Disp: skyAt})
	SHLQ(U8(8), node) // nodeBytes
	ADDQ(nodes, node)
	found, free := skyChildren(t, node, rays, bits)
	skyPush(t, node, n, leaves, found, free)
	TESTL(leaves, leaves)
	JZ(LabelRef("pop"))
	VMOVDQU(found, Mem{Base: t, Disp: skyEntered})

	Label("done")
	MOVQ(n, Mem{Base: t, Disp: skyN})
	Store(leaves, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// skyChildren finds, for each child of the node, which of the given rays enter its bounds. The vector found
// contains this set as bits, and the vector free contains skyGroup minus the number of these rays. For
// missing children, the results are arbitrary.
func skyChildren(t, node, rays reg.GPVirtual, bits reg.Register) (found, free vec) {
	var lower, upper [3]vec
	for axis := range 3 {
		lower[axis], upper[axis] = YMM(), YMM()
		VMOVUPS(Mem{Base: node, Disp: nodeLower + 32*axis}, lower[axis])
		VMOVUPS(Mem{Base: node, Disp: nodeUpper + 32*axis}, upper[axis])
		shift := YMM()
		VBROADCASTSS(Mem{Base: t, Disp: skyAfter + 4*axis}, shift)
		VSUBPS(shift, lower[axis], lower[axis])
		VBROADCASTSS(Mem{Base: t, Disp: skyBefore + 4*axis}, shift)
		VSUBPS(shift, upper[axis], upper[axis])
	}
	found, free = YMM(), YMM()
	VPXOR(found, found, found)
	VMOVDQU(eight("raysOfGroup", func(int) uint32 { return uint32(skyGroup) }), free)

	Label("ray")
	k := GP64()
	TZCNTL(rays, k.As32())
	in, out := YMM(), YMM()
	for axis := range 3 {
		inv, a, near := YMM(), YMM(), YMM()
		VBROADCASTSS(Mem{Base: t, Index: k, Scale: 4, Disp: skyInv + 4*skyGroup*axis}, inv)
		VMULPS(inv, lower[axis], a)
		VMULPS(inv, upper[axis], inv)
		VMINPS(a, inv, near)
		VMAXPS(a, inv, a)
		if axis == 0 {
			VMAXPS(eight("zeros", func(int) uint32 { return 0 }), near, in)
			VMOVAPS(a, out)
		} else {
			VMAXPS(near, in, in)
			VMINPS(a, out, out)
		}
	}
	VMULPS(eight("growth", func(int) uint32 { return math.Float32bits(1 + 0x1p-20) }), out, out)
	VMINPS(Mem{Base: t, Disp: skyLimit}, out, out)
	bit := YMM()
	VCMPPS(lessOrEqual, out, in, in)
	VPADDD(in, free, free)
	VPBROADCASTD(Mem{Base: bits, Index: k, Scale: 4}, bit)
	VANDPS(bit, in, in)
	VORPS(in, found, found)
	BLSRL(rays, rays)
	JNZ(LabelRef("ray"))
	return found, free
}

// skyPush pushes the children of the node that rays enter, except leaves, on the stack. The child that most
// rays enter is on top. n is the height of the stack, which skyPush updates. skyPush stores in leaves a bit
// for each leaf that rays enter.
func skyPush(t, node, n, leaves reg.GPVirtual, found, free vec) {
	first, count, other := YMM(), YMM(), YMM()
	VMOVUPS(Mem{Base: node, Disp: nodeChildren}, count)
	VMOVUPS(Mem{Base: node, Disp: nodeChildren + 32}, other)
	VSHUFPS(U8(0x88), other, count, first)
	VSHUFPS(U8(0xdd), other, count, count)
	VPERMQ(U8(0xd8), first, first)
	VPERMQ(U8(0xd8), count, count)
	none, skipped, inner := YMM(), YMM(), YMM()
	VPXOR(none, none, none)
	VPCMPEQD(none, found, skipped)
	VPCMPEQD(none, count, inner)
	VPCMPGTD(none, count, count)
	VPANDN(count, skipped, count)
	VPANDN(inner, skipped, inner)
	VMOVMSKPS(count, leaves)
	pushed := GP32()
	VMOVMSKPS(inner, pushed)
	TESTL(pushed, pushed)
	JZ(LabelRef("pushed"))
	keys := YMM()
	VPSLLD(U8(3), free, keys)
	VPOR(eight("child", childNumber), keys, keys)
	VPCMPEQD(none, none, none)
	VPXOR(none, inner, inner)
	VPOR(inner, keys, keys) // -1 if not pushed: sorted last
	sort(keys)
	VPERMD(first, keys, first)
	VMOVDQU(first, Mem{Base: t, Index: n, Scale: 4, Disp: skyNodes})
	VPERMD(found, keys, first)
	VMOVDQU(first, Mem{Base: t, Index: n, Scale: 4, Disp: skyRaysStack})
	POPCNTL(pushed, pushed)
	ADDQ(pushed.As64(), n)
	Label("pushed")
}

// rayBits returns the address of a table with one bit for each ray.
func rayBits() reg.Register {
	at := GLOBL("rayBits", RODATA|NOPTR)
	for k := range skyGroup {
		DATA(4*k, U32(1<<k))
	}
	base := GP64()
	LEAQ(at, base)
	return base
}

// skySpheres writes the kernel that tests the spheres of a leaf against rays from one point: one ray at a time against
// four spheres. The bits of the parameter tested are those of the spheres to test. The kernel returns the set of the
// rays that are blocked.
func skySpheres() {
	TEXT("skySpheresKernel", NOSPLIT, "func(r, spheres *byte, rays, tested uint32) uint32")
	r := Load(Param("r"), GP64()).(reg.GPVirtual)
	at := Load(Param("spheres"), GP64()).(reg.GPVirtual)
	rays := Load(Param("rays"), GP32()).(reg.GPVirtual)
	tested := Load(Param("tested"), GP32()).(reg.GPVirtual)
	blocked, left := GP32(), GP32()
	XORL(blocked, blocked)

	Label("four")
	f, radius := fourSpheres(at)
	for k := range f {
		f[k] = sub(number(r, skyOrigin+8*k), f[k])
	}
	r2 := mul(radius, radius)
	MOVL(rays, left)
	Label("ray")
	k := GP64()
	TZCNTL(left, k.As32())
	var dir [3]vec
	for axis := range dir {
		dir[axis] = all(Mem{Base: r, Index: k, Scale: 8, Disp: skyDir + 8*skyGroup*axis})
	}
	c := dot(f, dir) // -t
	var g [3]vec
	for axis := range g {
		g[axis] = sub(f[axis], mul(c, dir[axis]))
	}
	disc := sub(r2, dot(g, g))
	none := zero()
	ok := compare(greaterOrEqual, disc, none)
	near := sub(sub(none, c), sqrt(disc))
	ok = and(ok, compare(greater, near, none))
	ok = and(ok, compare(less, near, number(r, skyDist)))
	met, bit := GP32(), GP32()
	VMOVMSKPD(ok, met)
	XORL(bit, bit)
	ANDL(tested, met)
	SETNE(bit.As8())
	SHLXL(k.As32(), bit, bit)
	ORL(bit, blocked)
	BLSRL(left, left)
	JNZ(LabelRef("ray"))

	ANDNL(rays, blocked, rays)
	JZ(LabelRef("done"))
	ADDQ(U32(4*32), at)
	SHRL(U8(lanes), tested)
	JNZ(LabelRef("four"))
	Label("done")
	Store(blocked, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
