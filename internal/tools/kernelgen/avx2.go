package main

import (
	"fmt"
	"math"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx2 writes kernels for amd64 with AVX2: four lanes and sixteen registers.
type avx2 struct{}

const (
	lanes          = 4 // numbers in a register
	scratchVectors = 12
	scratchBytes   = 8 * lanes
)

func place(base, index address, disp int) Mem {
	return Mem{Base: base.(reg.Register), Index: index.(reg.Register), Scale: 1, Disp: disp}
}

func (avx2) load(base, index address, disp int) vec     { return load(place(base, index, disp)) }
func (avx2) store(v vec, base, index address, disp int) { VMOVUPD(v, place(base, index, disp)) }

func (avx2) keep(v vec, base address, disp int) (read func() vec) {
	at := Mem{Base: base.(reg.Register), Disp: disp}
	VMOVUPD(v, at)
	return func() vec { return load(at) }
}

func (avx2) all(base address, disp int) vec {
	return all(Mem{Base: base.(reg.Register), Disp: disp})
}

func (avx2) constant(v float64) vec { return all(constantAt(v)) }

func (avx2) zero() vec {
	v := YMM()
	VXORPD(v, v, v)
	return v
}

func (avx2) move(from, to vec) { VMOVAPD(from, to) }

func (avx2) add(a, b vec) vec     { v := YMM(); VADDPD(b, a, v); return v }
func (avx2) sub(a, b vec) vec     { v := YMM(); VSUBPD(b, a, v); return v }
func (avx2) mul(a, b vec) vec     { v := YMM(); VMULPD(b, a, v); return v }
func (avx2) div(a, b vec) vec     { v := YMM(); VDIVPD(b, a, v); return v }
func (avx2) sqrt(a vec) vec       { v := YMM(); VSQRTPD(a, v); return v }
func (avx2) larger(a, b vec) vec  { v := YMM(); VMAXPD(a, b, v); return v }
func (avx2) smaller(a, b vec) vec { v := YMM(); VMINPD(a, b, v); return v }

func (avx2) compare(r relation, a, b vec) mask { k := YMM(); VCMPPD(r, b, a, k); return k }
func (avx2) and(a, b mask) mask                { k := YMM(); VANDPD(b, a, k); return k }
func (avx2) or(a, b mask) mask                 { k := YMM(); VORPD(b, a, k); return k }
func (avx2) without(a, b mask) mask            { k := YMM(); VANDNPD(a, b, k); return k }
func (avx2) choose(k mask, a, b vec) vec       { v := YMM(); VBLENDVPD(k, a, b, v); return v }

// singleAVX2 has the arithmetic in single precision: eight lanes.
type singleAVX2 struct{ avx2 }

func (singleAVX2) add(a, b vec) vec     { v := YMM(); VADDPS(b, a, v); return v }
func (singleAVX2) sub(a, b vec) vec     { v := YMM(); VSUBPS(b, a, v); return v }
func (singleAVX2) mul(a, b vec) vec     { v := YMM(); VMULPS(b, a, v); return v }
func (singleAVX2) div(a, b vec) vec     { v := YMM(); VDIVPS(b, a, v); return v }
func (singleAVX2) sqrt(a vec) vec       { v := YMM(); VSQRTPS(a, v); return v }
func (singleAVX2) larger(a, b vec) vec  { v := YMM(); VMAXPS(a, b, v); return v }
func (singleAVX2) smaller(a, b vec) vec { v := YMM(); VMINPS(a, b, v); return v }

func (singleAVX2) constant(v float64) vec { return inEveryLane(singleAt(v)) }

func (singleAVX2) all(base address, disp int) vec {
	return inEveryLane(Mem{Base: base.(reg.Register), Disp: disp})
}

func (singleAVX2) compare(r relation, a, b vec) mask { k := YMM(); VCMPPS(r, b, a, k); return k }

// inSingle makes arithmetic use single precision until the function that it returns is called.
func inSingle() (end func()) {
	before := target
	target = singleAVX2{}
	return func() { target = before }
}

func (avx2) leaveIfAny(k mask, label string) {
	test(k)
	JNZ(LabelRef(label))
}

func (avx2) leaveIfNone(k mask, label string) {
	test(k)
	JZ(LabelRef(label))
}

func (m avx2) ifAny(k mask, label string, then func()) {
	m.leaveIfNone(k, label)
	then()
	Label(label)
}

func load(at Mem) reg.VecVirtual {
	v := YMM()
	VMOVUPD(at, v)
	return v
}

// all returns a vector with the number at the given address in every lane.
func all(at Mem) reg.VecVirtual {
	v := YMM()
	VBROADCASTSD(at, v)
	return v
}

func (g *group) mem(array int) Mem { return place(g.rays, g.offset, array) }

// prefetchChildren writes the function that prefetches a node's children, except those that are leaves.
func prefetchChildren() {
	TEXT("prefetchChildren", NOSPLIT, "func(n, nodes *byte)")
	n, nodes := Load(Param("n"), GP64()), Load(Param("nodes"), GP64())
	for k := range lanes * 2 {
		child := Mem{Base: n, Disp: nodeChildren + 8*k}
		at := GP64()
		MOVL(child, at.As32())
		SHLQ(U8(8), at) // nodeBytes
		ADDQ(nodes, at)
		CMPL(child.Offset(4), U8(0)) // without a branch, which would be unpredictable
		CMOVQNE(n, at)
		ask(at, nodeBytes/line)
	}
	RET()
}

const line = 64 // bytes

// The function ask writes instructions that prefetch lines cache lines, beginning at the given address.
func ask(at reg.Register, lines int) {
	for k := range lines {
		PREFETCHT0(Mem{Base: at, Disp: k * line})
	}
}

// store stores the lanes that are set in the mask.
func store(v vec, k mask, at Mem) {
	VMASKMOVPD(v, k, at)
}

// The function test returns a mask as an integer with one bit for each lane, and sets the processor's flags
// according to this integer.
func test(k mask) reg.GPVirtual {
	r := GP32()
	VMOVMSKPD(k, r)
	TESTL(r, r)
	return r
}

// maskOf converts an integer to a mask: lane k is set if bit k of the integer is set.
func maskOf(bits reg.GPVirtual) mask {
	k, at, table := YMM(), GP64(), GP64()
	MOVQ(bits, at)
	SHLQ(U8(5), at)
	LEAQ(masks(), table)
	VMOVUPD(Mem{Base: table, Index: at, Scale: 1}, k)
	return k
}

// masks returns the table of all masks of four lanes.
var masks = func() func() Mem {
	var table *Mem
	return func() Mem {
		if table == nil {
			t := GLOBL("masks", RODATA|NOPTR)
			for bits := range 16 {
				for lane := range 4 {
					DATA(bits*32+lane*8, U64(-uint64(bits>>lane&1)))
				}
			}
			table = &t
		}
		return *table
	}
}()

// packet returns the group of a packet's rays that begins at the given offset in the arrays of rays. If the
// rays are parallel, they have different origins, so the kernel must prepare the solid for each origin.
func packet(offset reg.GPVirtual, parallel bool) *group {
	g := &group{
		rays:   Load(Param("r"), GP64()).(reg.GPVirtual),
		offset: offset,
		way:    array{at: offWay, stride: planeSize},
	}
	if parallel {
		g.origin, g.way = g.way, array{at: offDir, one: true}
		g.separate(offScratch)
	}
	return g
}

// solid writes a kernel that tests a kind of solid against the rays in a window, in groups of lanes that start
// at its first column. The last group of a row may extend beyond the window; the kernel reads this memory but
// does not modify it. The kernel returns a verdict (a type of package accel). Its lower 32 bits are the lanes
// that hit the solid, and its upper 32 bits the lanes that need the portable code.
//
// If the function from is not nil, the rays are parallel, and from writes the code that prepares the solid for
// the origins of a group.
func solid(kind string, from func(*group), chord func(*group) (near, far vec, ok mask)) {
	TEXT(kind+"Kernel", NOSPLIT, "func(r, w, v *byte) uint64")
	g := packet(GP64(), from != nil)
	window := Load(Param("w"), GP64()).(reg.GPVirtual)
	g.solid = Load(Param("v"), GP64()).(reg.GPVirtual)
	g.next, g.slow = "next", "slow"
	row, rows, columns := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: window, Disp: winOffset}, row)
	MOVQ(Mem{Base: window, Disp: winRows}, rows)
	met, again := GP32(), GP32()
	XORL(met, met)
	XORL(again, again)

	Label("row")
	MOVQ(row, g.offset)
	MOVQ(Mem{Base: window, Disp: winColumns}, columns)
	Label("group")
	bits := GP64()
	MOVQ(columns, bits)
	ANDQ(U32(1<<lanes-1), bits)
	JZ(LabelRef("next"))
	best := load(g.mem(offT))
	g.open = and(maskOf(bits), compare(greaterOrEqual, best, number(window, winTMin)))
	test(g.open)
	JZ(LabelRef("next"))
	if from != nil {
		from(g)
	}
	near, far, ok := chord(g)

	none := zero()
	front := compare(greater, near, none)
	t := choose(front, near, far)
	ok = and(ok, compare(greater, t, none))
	ok = and(ok, compare(lessOrEqual, t, best))
	test(ok)
	JZ(LabelRef("next"))
	tie := and(ok, compare(equal, t, best))
	ORL(test(tie), again)
	won := without(ok, tie)
	ORL(test(won), met)
	store(t, won, g.mem(offT))
	store(choose(front, number(window, winNear), number(window, winFar)), won, g.mem(offMet))

	Label("next")
	ADDQ(U32(8*lanes), g.offset)
	SHRQ(U8(lanes), columns)
	JNZ(LabelRef("group"))
	ADDQ(U32(rowBytes), row)
	DECQ(rows)
	JNZ(LabelRef("row"))
	finish(kind, met, again)
}

// finish writes the end of a kernel that tests solids. The kernel returns a verdict: lower is its lower
// half, and again, the lanes that the portable code must test again, is its upper half.
func finish(kind string, lower, again reg.GPVirtual) {
	SHLQ(U8(32), again.As64())
	ORQ(lower.As64(), again.As64())
	Store(again.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()

	if strings.HasPrefix(kind, "capsule") {
		Label("slow")
		ORL(U32(1), again)
		JMP(LabelRef("next"))
	}
}

// rayVectors writes a kernel that computes the vectors of one row of rays: the row's left vector plus dx times
// the column. If finish is not nil, the kernel applies it to each vector.
func rayVectors(name string, finish func([3]vec) [3]vec) {
	TEXT(name+"Kernel", NOSPLIT, "func(r, p *byte, offset uint64)")
	g := packet(Load(Param("offset"), GP64()).(reg.GPVirtual), false)
	grid := Load(Param("p"), GP64()).(reg.GPVirtual)
	for i := 0; i < side; i += lanes {
		column := load(Mem{Base: grid, Disp: gridColumns + 8*i})
		v, dx := vector(grid, gridLeft), vector(grid, gridDX)
		for k := range v {
			v[k] = add(v[k], mul(column, dx[k]))
		}
		if finish != nil {
			v = finish(v)
		}
		for k := range v {
			VMOVUPD(v[k], g.mem(offWay+k*planeSize+8*i))
		}
	}
	VZEROUPPER()
	RET()
}

// shadow writes a kernel that tests a kind of solid against open shadow rays. In the verdict, the lower 32 bits are the
// lanes whose rays remain open, and the upper 32 bits the lanes that need the portable code.
func shadow(kind string, from func(*group), chord func(*group) (near, far vec, ok mask)) {
	TEXT(kind+"ShadowKernel", NOSPLIT, "func(l, v *byte, groups uint64) uint64")
	g := &group{
		rays:   Load(Param("l"), GP64()).(reg.GPVirtual),
		solid:  Load(Param("v"), GP64()).(reg.GPVirtual),
		offset: GP64(),
		origin: array{at: shadowOrigin, stride: shadowSize},
		way:    array{at: shadowDir, stride: shadowSize},
		next:   "next",
		slow:   "slow",
	}
	g.separate(shadowScratch)
	groups := Load(Param("groups"), GP64()).(reg.GPVirtual)
	left, again := GP32(), GP32()
	XORL(left, left)
	XORL(again, again)
	XORQ(g.offset, g.offset)

	Label("group")
	g.open = load(g.mem(shadowOpen))
	test(g.open)
	JZ(LabelRef("empty"))
	from(g)
	near, _, ok := chord(g)
	ok = and(ok, compare(greater, near, zero()))
	ok = and(ok, compare(less, near, load(g.mem(shadowDist))))
	VMOVUPD(without(load(g.mem(shadowOpen)), ok), g.mem(shadowOpen))
	Label("next")
	ORL(test(load(g.mem(shadowOpen))), left)
	Label("empty")
	ADDQ(U32(8*lanes), g.offset)
	DECQ(groups)
	JNZ(LabelRef("group"))
	finish(kind, left, again)
}

// normals writes a kernel that computes the normals at the hits of consecutive rays on a solid, four at a time.
// The parameter from has the same meaning as in [solid].
func normals(kind string, from func(*group), normal func(*group) [3]vec) {
	TEXT(kind+"NormalsKernel", NOSPLIT, "func(r, v *byte, offset, groups uint64)")
	g := packet(Load(Param("offset"), GP64()).(reg.GPVirtual), from != nil)
	g.solid = Load(Param("v"), GP64()).(reg.GPVirtual)
	groups := Load(Param("groups"), GP64()).(reg.GPVirtual)
	Label("group")
	if from != nil {
		from(g)
	}
	for k, v := range normal(g) {
		VMOVUPD(v, g.mem(offN+k*planeSize))
	}
	ADDQ(U32(8*lanes), g.offset)
	DECQ(groups)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// frustum writes the kernel of frustum.enter: for each of the eight children of a node, it computes a lower bound
// of the distance at which rays of the frustum enter the child's bounds, or +Inf if none does.
func frustum() {
	TEXT("frustumKernel", NOSPLIT, "func(h, n, t *byte)")
	h := Load(Param("h"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	out := Load(Param("t"), GP64()).(reg.GPVirtual)
	for half := range 2 {
		frustumOfFour(h, n, out, half)
	}
	VZEROUPPER()
	RET()
}

// frustumOfFour writes the part of this kernel for four of the eight children; half is 0 or 1.
func frustumOfFour(h, n, out reg.GPVirtual, half int) {
	label := func(name string) string { return fmt.Sprint(name, half) }
	var lo, hi [3]vec
	var outside mask
	for i := range lo {
		lo[i], hi[i] = YMM(), YMM()
		VCVTPS2PD(Mem{Base: n, Disp: nodeLower + 32*i + 16*half}, lo[i])
		VCVTPS2PD(Mem{Base: n, Disp: nodeUpper + 32*i + 16*half}, hi[i])
		apart := or(
			compare(greater, lo[i], number(h, frustumMax+8*i)),
			compare(less, hi[i], number(h, frustumMin+8*i)))
		if outside == nil {
			outside = apart
		} else {
			outside = or(outside, apart)
		}
	}
	least := func(plane reg.GPVirtual, disp int) vec {
		v := add(dot(vector(plane, disp+planeUp), lo), dot(vector(plane, disp+planeDown), hi))
		return sub(v, number(plane, disp+planeK))
	}
	worst := zero()
	count, plane := GP64(), GP64()
	MOVQ(Mem{Base: h, Disp: frustumCount}, count)
	LEAQ(Mem{Base: h, Disp: frustumPlanes}, plane)
	TESTQ(count, count)
	JZ(LabelRef(label("ahead")))
	Label(label("plane"))
	VMAXPD(worst, least(plane, 0), worst)
	ADDQ(U32(planeBytes), plane)
	DECQ(count)
	JNZ(LabelRef(label("plane")))
	Label(label("ahead"))
	far := or(outside, compare(greater, worst, zero()))
	VMOVUPD(choose(far, constant(posInf), least(h, frustumAhead)), Mem{Base: out, Disp: 32 * half})
}

// traverse writes the kernel that traverses the tree with several rays, each until it reaches a leaf with a
// solid that it may hit. The kernel works in rounds. First it takes every ray to its next node or leaf and
// prefetches this. Then it tests every ray there. So while one ray waits for memory or for the result of an
// instruction, the others make progress. Rays at nodes and rays at leaves are kept in separate lists. They
// are sorted into these lists without branches, because a mispredicted branch takes almost as long as a
// step.
func traverse() {
	TEXT("traverseKernel", NOSPLIT, "func(states, turns *byte, n, enough int64, nodes, spheres *byte) int64")
	r := &traversalRegisters{list: GP64(), inner: GP64(), leaves: GP64(), end: GP64(), ray: GP64(), d: GP64()}
	r.states = Load(Param("states"), GP64()).(reg.GPVirtual)
	last, i, j := GP64(), GP64(), GP64()
	order := Load(Param("turns"), GP64()).(reg.GPVirtual)
	Load(Param("n"), r.end)
	LEAQ(Mem{Base: order, Disp: turnsLists}, r.list)
	LEAQ(Mem{Base: order, Disp: turnsLists + listBytes}, last)
	r.clear()
	XORQ(i, i)
	Label("begin")
	r.take(order, i, turnsOrder)
	first, count := GP64(), GP64()
	MOVL(r.field(traversalFirst), first.As32())
	MOVL(r.field(traversalCount), count.As32())
	r.enlist(first, count)
	INCQ(i)
	CMPQ(i, r.end)
	JL(LabelRef("begin"))

	Label("turn")
	XCHGQ(last, r.list)
	MOVQ(r.inner, i)
	MOVQ(r.leaves, j)
	r.clear()
	Label("inner")
	SUBQ(U8(1), i)
	JB(LabelRef("leaves"))
	r.take(last, i, listInner)
	r.step("inner", r.push())
	Label("leaves")
	SUBQ(U8(1), j)
	JB(LabelRef("stepped"))
	r.take(last, j, listLeaves)
	CMPL(r.field(traversalHits), U8(0))
	JNE(LabelRef("stopleaves"))
	n := GP64()
	MOVQ(r.field(traversalN), n)
	r.step("leaves", n)

	Label("stepped")
	MOVQ(r.inner, i)
	Label("node")
	SUBQ(U8(1), i)
	JB(LabelRef("nodes"))
	r.take(r.list, i, listInner)
	r.intersectNode()
	JMP(LabelRef("node"))
	Label("nodes")
	MOVQ(r.leaves, i)
	Label("leaf")
	SUBQ(U8(1), i)
	JB(LabelRef("looked"))
	r.take(r.list, i, listLeaves)
	r.intersectLeaf("leaf")
	Label("looked")
	enough := Load(Param("enough"), GP64())
	CMPQ(r.end, enough)
	JGE(LabelRef("turn"))

	Load(Param("turns"), order)
	MOVQ(r.end, j)
	r.giveBack("moreInner", order, j, r.inner, listInner)
	r.giveBack("moreLeaves", order, j, r.leaves, listLeaves)
	Store(r.end, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// traversalRegisters holds the registers of the kernel of traverse. The kernel identifies a ray by the
// distance, in bytes, of its traversalState from the first traversalState.
type traversalRegisters struct {
	states        reg.GPVirtual // the first traversalState
	list          reg.GPVirtual // the lists that are being filled
	inner, leaves reg.GPVirtual // number of rays on each list
	end           reg.GPVirtual // number of active rays; those that have stopped come after them
	ray, d        reg.GPVirtual // the current ray and its traversalState
}

// param returns the memory operand of a parameter of the kernel.
func param(name string) Mem {
	at, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return at.Addr
}

func (r *traversalRegisters) field(at int) Mem { return Mem{Base: r.d, Disp: at} }

// onStack returns the memory operand of one field of the stack entry with the given index. The parameter
// array selects the field: 0 is the key, 1 and 2 are the two words of the child.
func (r *traversalRegisters) onStack(array int, index reg.GPVirtual) Mem {
	return Mem{Base: r.d, Index: index, Scale: 4, Disp: traversalStack + array*stackSize}
}

func (r *traversalRegisters) clear() {
	XORQ(r.inner, r.inner)
	XORQ(r.leaves, r.leaves)
}

// take writes code that makes a ray the current ray: the one at the given index of a list.
func (r *traversalRegisters) take(lists, index reg.GPVirtual, list int) {
	MOVL(Mem{Base: lists, Index: index, Scale: 4, Disp: list}, r.ray.As32())
	LEAQ(Mem{Base: r.states, Index: r.ray, Scale: 1}, r.d)
}

// giveBack writes code that moves the rays of a list to the order of the rays, at the indices n-1, n-2, and
// so on. The register count contains the length of the list. The code subtracts this length from n.
func (r *traversalRegisters) giveBack(label string, order, n, count reg.GPVirtual, list int) {
	ray := GP32()
	Label(label)
	SUBQ(U8(1), count)
	JB(LabelRef(label + "None"))
	SUBQ(U8(1), n)
	MOVL(Mem{Base: r.list, Index: count, Scale: 4, Disp: list}, ray)
	MOVL(ray, Mem{Base: order, Index: n, Scale: 4, Disp: turnsOrder})
	JMP(LabelRef(label))
	Label(label + "None")
}

// push pushes the children that the ray enters on the stack, nearest on top, and returns the stack's height.
func (r *traversalRegisters) push() reg.GPVirtual {
	node, n, hits := GP64(), GP64(), GP32()
	MOVL(r.field(traversalFirst), node.As32())
	SHLQ(U8(8), node) // nodeBytes
	ADDQ(param("nodes"), node)
	MOVQ(r.field(traversalN), n)
	keys := YMM()
	VMOVDQU(r.field(traversalKeys), keys)
	sort(keys)
	VMOVDQU(keys, r.onStack(0, n))
	// In memory, the two fields of each child alternate. The 32-bit words with even indices are the fields
	// named first, those with odd indices the fields named count.
	a, b, field := YMM(), YMM(), YMM()
	VMOVUPS(Mem{Base: node, Disp: nodeChildren}, a)
	VMOVUPS(Mem{Base: node, Disp: nodeChildren + 32}, b)
	for odd := range 2 {
		VSHUFPS(U8(0x88+0x55*odd), b, a, field)
		VPERMQ(U8(0xd8), field, field)
		VPERMD(field, keys, field)
		VMOVDQU(field, r.onStack(1+odd, n))
	}
	POPCNTL(r.field(traversalHits), hits)
	ADDQ(hits.As64(), n)
	return n
}

// step writes code that takes the current ray to the top entry of its stack. n is the height of the stack.
// The code skips entries that are farther away than the ray's limit, and then jumps to the label. If the
// stack is empty, the ray is no longer active.
func (r *traversalRegisters) step(label string, n reg.GPVirtual) {
	Label("pop" + label)
	SUBQ(U8(1), n)
	JB(LabelRef("none" + label))
	key, entry := GP32(), XMM()
	MOVL(r.onStack(0, n), key)
	ANDL(I32(^childBits), key)
	VMOVD(key, entry)
	VUCOMISS(r.field(traversalLimit), entry)
	JA(LabelRef("pop" + label))
	first, count := GP64(), GP64()
	MOVL(r.onStack(1, n), first.As32())
	MOVL(r.onStack(2, n), count.As32())
	MOVQ(n, r.field(traversalN))
	MOVL(first.As32(), r.field(traversalFirst))
	MOVL(count.As32(), r.field(traversalCount))
	r.enlist(first, count)
	JMP(LabelRef(label))

	Label("none" + label)
	MOVQ(I32(0), r.field(traversalN))
	MOVL(I32(-1), r.field(traversalCount))
	Label("stop" + label)
	SUBQ(U8(1), r.end)
	order := Load(Param("turns"), GP64())
	MOVL(r.ray.As32(), Mem{Base: order, Index: r.end, Scale: 4, Disp: turnsOrder})
	JMP(LabelRef(label))
}

// enlist adds the ray to the list of rays at nodes or at leaves, and prefetches its node or the first
// solids of its leaf.
func (r *traversalRegisters) enlist(first, count reg.GPVirtual) {
	MOVL(r.ray.As32(), Mem{Base: r.list, Index: r.inner, Scale: 4, Disp: listInner})
	MOVL(r.ray.As32(), Mem{Base: r.list, Index: r.leaves, Scale: 4, Disp: listLeaves})
	at := GP64()
	Load(Param("spheres"), at)
	LEAQ(sphereAt(at, first), at)
	SHLQ(U8(8), first) // nodeBytes
	ADDQ(param("nodes"), first)
	CMPL(count.As32(), U8(1))
	CMOVQCS(first, at)
	ADCQ(U8(0), r.inner)
	CMPL(count.As32(), U8(1))
	SBBQ(I8(-1), r.leaves)
	ask(at, nodeBytes/line)
}

// sphereAt returns the memory operand of the sphere with the reference ref. A sphere has 2^5 bytes.
func sphereAt(spheres, ref reg.Register) Mem {
	return Mem{Base: spheres, Index: ref, Scale: uint8(1 << (5 - kindBits))}
}

// intersectNode finds which children of a node the ray enters, and computes their keys.
func (r *traversalRegisters) intersectNode() {
	node, lower, upper := GP64(), GP64(), GP64()
	INCQ(r.field(traversalVisited))
	MOVL(r.field(traversalFirst), node.As32())
	SHLQ(U8(8), node) // nodeBytes
	ADDQ(param("nodes"), node)
	in, out := YMM(), YMM()
	of := func(field, axis int) vec {
		v := YMM()
		VBROADCASTSS(r.field(field+4*axis), v)
		return v
	}
	for axis := range 3 {
		MOVL(r.field(traversalDescends+4*axis), lower.As32())
		IMUL3Q(U8(nodeUpper), lower, lower)
		MOVQ(U32(nodeUpper), upper)
		SUBQ(lower, upper)
		t0, t1, inv := YMM(), YMM(), of(traversalInv, axis)
		VMOVUPS(Mem{Base: node, Index: lower, Scale: 1, Disp: nodeLower + 32*axis}, t0)
		VMOVUPS(Mem{Base: node, Index: upper, Scale: 1, Disp: nodeLower + 32*axis}, t1)
		VSUBPS(of(traversalNear, axis), t0, t0)
		VMULPS(inv, t0, t0)
		VSUBPS(of(traversalFar, axis), t1, t1)
		VMULPS(inv, t1, t1)
		if axis == 0 {
			VMAXPS(eight("zeros", func(int) uint32 { return 0 }), t0, in)
			VMOVAPS(t1, out)
		} else {
			VMAXPS(t0, in, in)
			VMINPS(t1, out, out)
		}
	}
	VMULPS(eight("growth", func(int) uint32 { return math.Float32bits(1 + 0x1p-20) }), out, out)
	VCMPPS(lessOrEqual, out, in, out)
	near, hits := YMM(), GP32()
	VCMPPS(lessOrEqual, of(traversalLimit, 0), in, near)
	VANDPS(near, out, out)
	VMOVMSKPS(out, hits)
	MOVL(hits, r.field(traversalHits))
	VANDPS(eight("distance", distanceBits), in, in)
	VPOR(eight("child", childNumber), in, in)
	ones := YMM()
	VPCMPEQD(ones, ones, ones)
	VPXOR(ones, out, out)
	VPOR(out, in, in) // -1 if not hit: sorted last
	VMOVDQU(in, r.field(traversalKeys))
}

// intersectLeaf finds which solids of a leaf the ray may hit. In a leaf of spheres, these are the spheres that the ray
// enters at or before tMax and leaves ahead of its origin. If the field enters is onlyEnters, the ray must also enter
// them ahead of its origin. The distances are those of sphere.chord, for four spheres at a time. In other leaves,
// all solids may be hit, unless the ray's own solid is the only one.
func (r *traversalRegisters) intersectLeaf(label string) {
	at, left, hits, bit := GP64(), GP64(), GP32(), GP32()
	MOVL(r.field(traversalFirst), at.As32())
	MOVL(r.field(traversalCount), left.As32())
	ADDQ(left, r.field(traversalTested))
	TESTL(U32(1<<kindBits-1), at.As32())
	JNZ(LabelRef("solids"))
	spheres := Load(Param("spheres"), GP64())
	LEAQ(sphereAt(spheres, at), at)
	XORL(hits, hits)
	XORL(bit, bit)

	Label("four")
	f, radius := fourSpheres(at)
	var dir [3]vec
	for k := range f {
		f[k] = sub(number(r.d, traversalOrigin+8*k), f[k])
		dir[k] = number(r.d, traversalDir+8*k)
	}
	c := dot(f, dir) // -t
	for k := range f {
		f[k] = sub(f[k], mul(c, dir[k]))
	}
	disc := sub(mul(radius, radius), dot(f, f))
	none := zero()
	ok := compare(greaterOrEqual, disc, none)
	h, t := sqrt(disc), sub(none, c)
	crossing := choose(number(r.d, traversalEnters), sub(t, h), add(t, h))
	ok = and(ok, compare(notLessOrEqual, crossing, none))
	ok = and(ok, compare(notGreater, sub(t, h), number(r.d, traversalTMax)))
	met := GP32()
	VMOVMSKPD(ok, met)
	BZHIL(left.As32(), met, met) // ignore spheres after the end of the leaf
	SHLXL(bit, met, met)
	ORL(met, hits)
	ADDL(U8(lanes), bit)
	ADDQ(U32(4*32), at)
	SUBQ(U8(4), left)
	JG(LabelRef("four"))
	MOVL(hits, r.field(traversalHits))
	JMP(LabelRef(label))

	Label("solids") // solids of other kinds: skip the leaf only if it holds nothing but the solid that the ray leaves
	DECL(left.As32())
	SUBL(r.field(traversalOwn), at.As32())
	ORL(left.As32(), at.As32())
	NEGL(at.As32()) // carries unless it is 0
	SBBL(hits, hits)
	MOVL(hits, r.field(traversalHits))
	JMP(LabelRef(label))
}

// fourSpheres loads the centers and radii of four neighboring spheres: it transposes them.
func fourSpheres(at reg.GPVirtual) (center [3]vec, radius vec) {
	var rows [4]vec
	for k := range rows {
		rows[k] = load(Mem{Base: at, Disp: 32 * k})
	}
	return transpose(rows)
}

// transpose returns the first three columns of a matrix with the given rows, and the fourth.
func transpose(rows [4]vec) (three [3]vec, fourth vec) {
	pairs := func(a, b vec) (even, odd vec) {
		even, odd = YMM(), YMM()
		VUNPCKLPD(b, a, even)
		VUNPCKHPD(b, a, odd)
		return even, odd
	}
	halves := func(a, b vec) (lower, upper vec) {
		lower, upper = YMM(), YMM()
		VPERM2F128(U8(0x20), b, a, lower)
		VPERM2F128(U8(0x31), b, a, upper)
		return lower, upper
	}
	xz0, yr0 := pairs(rows[0], rows[1])
	xz2, yr2 := pairs(rows[2], rows[3])
	three[0], three[2] = halves(xz0, xz2)
	three[1], fourth = halves(yr0, yr2)
	return three, fourth
}

func distanceBits(int) uint32  { return ^uint32(childBits) & math.MaxInt32 }
func childNumber(k int) uint32 { return uint32(k) }

// sort sorts eight keys in descending order, with Batcher's bitonic network.
func sort(keys vec) {
	for k := 2; k <= 8; k *= 2 {
		for j := k / 2; j >= 1; j /= 2 {
			exchange(keys, j, k)
		}
	}
}

// exchange is a step of Batcher's bitonic network. It sorts each pair of lanes whose indices differ by j: in ascending
// order if the indices have the bit k, otherwise in descending order.
func exchange(v vec, j, k int) {
	other, larger := YMM(), YMM()
	switch j {
	case 1:
		VPSHUFD(U8(0xb1), v, other)
	case 2:
		VPSHUFD(U8(0x4e), v, other)
	case 4:
		VPERM2I128(U8(0x01), v, v, other)
	}
	VPMAXSD(other, v, larger)
	VPMINSD(other, v, other)
	keepLarger := 0
	for lane := range 8 {
		if (lane&j == 0) == (lane&k == 0) {
			keepLarger |= 1 << lane
		}
	}
	VPBLENDD(U8(keepLarger), larger, other, v)
}

// eight returns the memory operand of a constant with eight 32-bit numbers.
func eight(name string, number func(lane int) uint32) Mem {
	at, ok := eights[name]
	if !ok {
		at = GLOBL(name, RODATA|NOPTR)
		for lane := range 8 {
			DATA(4*lane, U32(number(lane)))
		}
		eights[name] = at
	}
	return at
}

var eights = map[string]Mem{}

// slabRay writes the kernel that prepares a ray for testing bounds: slabRay.set for all axes at once. The
// fourth lanes are unused.
func slabRay() {
	TEXT("slabRayKernel", NOSPLIT, "func(s, ray *byte, slack float64)")
	s := Load(Param("s"), GP64()).(reg.GPVirtual)
	ray := Load(Param("ray"), GP64()).(reg.GPVirtual)
	// Load the components separately: a wide load of memory that was just written in narrower pieces
	// has to wait until these are in the cache.
	vector := func(at int) vec {
		xy, z, v := XMM(), XMM(), YMM()
		VMOVSD(Mem{Base: ray, Disp: at}, xy)
		VMOVHPD(Mem{Base: ray, Disp: at + 8}, xy, xy)
		VMOVDDUP(Mem{Base: ray, Disp: at + 16}, z)
		VINSERTF128(U8(1), z, xy.AsY(), v)
		return v
	}
	o, d := vector(0), vector(24)
	// Load would use MOVSD, which waits for hundreds of cycles behind instructions on wide registers.
	slack, sign := all(param("slack")), constant(negZero)
	rounding := add(mul(add(without(o, sign), slack), constant(0x1p-23)), constant(0x1p-149))
	inv := div(constant(1), d)
	sign = and(inv, sign)
	outward := or(add(slack, rounding), sign)
	size := YMM()
	VMINPD(without(inv, constant(negZero)), constant(maxInv), size) // the first operand if it is NaN
	single := func(v vec, at int) reg.VecVirtual {
		x := XMM()
		VCVTPD2PSY(v, x)
		VMOVUPS(x, Mem{Base: s, Disp: at}) // the fourth lane is overwritten
		return x
	}
	single(add(o, outward), traversalNear)
	single(sub(o, outward), traversalFar)
	descends := single(or(size, sign), traversalInv)
	VPSRLD(U8(31), descends, descends)
	VMOVQ(descends, Mem{Base: s, Disp: traversalDescends})
	VPEXTRD(U8(2), descends, Mem{Base: s, Disp: traversalDescends + 8})
	VZEROUPPER()
	RET()
}

// originBounds writes the kernel that computes the bounds of the origins of rays. The fourth lane is unused.
func originBounds() {
	TEXT("originBoundsKernel", NOSPLIT, "func(rays, members *byte, n uint64, ends *byte)")
	rays := Load(Param("rays"), GP64()).(reg.GPVirtual)
	members := Load(Param("members"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64())
	ends := Load(Param("ends"), GP64()).(reg.GPVirtual)
	least, most := constant(posInf), constant(negInf)
	Label("ray")
	i := GP64()
	MOVL(Mem{Base: members}, i.As32())
	IMUL3Q(U8(secondaryRayBytes), i, i)
	o := load(Mem{Base: rays, Index: i, Scale: 1})
	VMINPD(least, o, least)
	VMAXPD(most, o, most)
	ADDQ(U8(4), members)
	DECQ(n)
	JNZ(LabelRef("ray"))
	VMOVUPD(least, Mem{Base: ends})
	VMOVUPD(most, Mem{Base: ends, Disp: 32})
	VZEROUPPER()
	RET()
}

// Lanes of a laneProjection: the divisor of columns and rows, and the lower bound of the distance.
const (
	divisor  = 2
	distance = 3
)

// project writes a kernel that projects a kind of solid to a packet's samples: projection.rect with one axis per
// lane. The kernel returns 1 if it has stored a footprint. It returns 0 if the solid lies behind the rays' origin
// or projects to none of the packet's samples.
func project(kind string, spans func(proj, solid reg.GPVirtual) (lo, hi vec)) {
	TEXT(kind+"RectKernel", NOSPLIT, "func(l, v, p *byte) uint64")
	proj := Load(Param("l"), GP64()).(reg.GPVirtual)
	solid := Load(Param("v"), GP64()).(reg.GPVirtual)
	out := Load(Param("p"), GP64()).(reg.GPVirtual)
	at := func(field int) vec { return load(Mem{Base: proj, Disp: field}) }

	lo, hi := spans(proj, solid)
	lo, hi = add(lo, at(lanesOffset)), add(hi, at(lanesOffset))
	lane := func(k uint8, v vec) vec {
		all := YMM()
		VPERMPD(U8(0x55*k), v, all)
		return all
	}
	none := zero()
	test(compare(less, lane(distance, hi), none))
	JNZ(LabelRef("none"))
	first, end := XMM(), XMM()
	tMin, least, most := lane(distance, lo), lane(divisor, lo), lane(divisor, hi)
	test(compare(lessOrEqual, least, none))
	JNZ(LabelRef("all"))

	a, b := div(constant(1), least), div(constant(1), most)
	from, to := smaller(mul(lo, a), mul(lo, b)), larger(mul(hi, a), mul(hi, b))
	density := number(proj, lanesDensity)
	from = sub(mul(add(from, at(lanesCenter)), density), at(lanesBefore))
	to = sub(mul(add(to, at(lanesCenter)), density), at(lanesAfter))
	beside := test(or(compare(greaterOrEqual, from, at(lanesSize)), compare(less, to, none)))
	ANDL(U32(3), beside)
	JNZ(LabelRef("none"))
	up := YMM()
	VROUNDPD(U8(2), from, up)
	VMAXPD(none, up, up)
	VMINPD(at(lanesLast), to, to)
	VCVTTPD2DQY(up, first)
	VCVTTPD2DQY(to, end)
	one := XMM()
	VPCMPEQD(one, one, one)
	VPSUBD(one, end, end)
	Label("store")
	VMOVSD(tMin.(reg.VecVirtual).AsX(), Mem{Base: out, Disp: footprintTMin})
	VMOVQ(first, Mem{Base: out, Disp: footprintFirst})
	VMOVQ(end, Mem{Base: out, Disp: footprintEnd})
	result := GP64()
	MOVQ(U32(1), result)
	Store(result, ReturnIndex(0))
	VZEROUPPER()
	RET()

	Label("all")
	VPXOR(first, first, first)
	VCVTTPD2DQY(at(lanesSize), end)
	VXORPD(tMin, tMin, tMin)
	JMP(LabelRef("store"))

	Label("none")
	zeroResult := GP64()
	XORQ(zeroResult, zeroResult)
	Store(zeroResult, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// rowsTimes returns the products of the projection's rows with a vector, one per lane.
func rowsTimes(proj reg.GPVirtual, v [3]vec) vec {
	return dot([3]vec{
		load(Mem{Base: proj, Disp: lanesX}),
		load(Mem{Base: proj, Disp: lanesY}),
		load(Mem{Base: proj, Disp: lanesZ}),
	}, v)
}

// fromEye returns the vector from the projection's origin to a point.
func fromEye(proj, solid reg.GPVirtual, point int) [3]vec {
	var v [3]vec
	for k, p := range vector(solid, point) {
		v[k] = sub(p, number(proj, lanesO+8*k))
	}
	return v
}

// wide returns the distance by which a radius and the slack widen a span.
func wide(proj reg.GPVirtual, radius vec) vec {
	return mul(load(Mem{Base: proj, Disp: lanesNorms}), add(radius, number(proj, lanesSlack)))
}

func sphereSpans(proj, solid reg.GPVirtual) (lo, hi vec) {
	m := rowsTimes(proj, fromEye(proj, solid, sphereCenter))
	r := wide(proj, number(solid, sphereRadius))
	return sub(m, r), add(m, r)
}

func capsuleSpans(proj, solid reg.GPVirtual) (lo, hi vec) {
	a := rowsTimes(proj, fromEye(proj, solid, capsuleA))
	b := rowsTimes(proj, fromEye(proj, solid, capsuleB))
	r := wide(proj, number(solid, capsuleRadius))
	lo, hi = YMM(), YMM()
	VMINPD(a, b, lo)
	VMAXPD(a, b, hi)
	return sub(lo, r), add(hi, r)
}

func boxSpans(proj, solid reg.GPVirtual) (lo, hi vec) {
	m := rowsTimes(proj, fromEye(proj, solid, boxCenter))
	r := wide(proj, zero())
	for axis := range 3 {
		edge := mul(number(solid, boxHalf+8*axis), rowsTimes(proj, vector(solid, boxAxes+24*axis)))
		r = add(r, without(edge, constant(negZero)))
	}
	return sub(m, r), add(m, r)
}

func cylinderSpans(proj, solid reg.GPVirtual) (lo, hi vec) {
	row := [3]vec{load(Mem{Base: proj, Disp: lanesX}), load(Mem{Base: proj, Disp: lanesY}), load(Mem{Base: proj, Disp: lanesZ})}
	u := vector(solid, cylinderU)
	var across [3]vec
	for k := range across {
		i, j := (k+1)%3, (k+2)%3
		across[k] = sub(mul(row[i], u[j]), mul(row[j], u[i]))
	}
	r := mul(number(solid, cylinderRadius), sqrt(dot(across, across)))
	r = add(r, wide(proj, zero()))
	a := rowsTimes(proj, fromEye(proj, solid, cylinderA))
	b := rowsTimes(proj, fromEye(proj, solid, cylinderB))
	lo, hi = YMM(), YMM()
	VMINPD(a, b, lo)
	VMAXPD(a, b, hi)
	return sub(lo, r), add(hi, r)
}
