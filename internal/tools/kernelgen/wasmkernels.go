package main

import (
	"math"
	"os"
)

// linkerPrefix is the prefix of the names of package accel's functions in Go's linker.
const linkerPrefix = "pillbox_internal_accel."

// writeWasm writes the kernels for wasm: a module whose functions replace the stubs in kernels_wasm.s.
func writeWasm(file string) error {
	m := &module{}
	kernel := func(name string, write func(w *wasm)) {
		w := newWasm()
		target = w
		write(w)
		m.add(linkerPrefix+name, w)
	}
	kernel("linkedKernels", func(w *wasm) { w.returns(w.integer(1), w.integer(0), 0) })
	for _, s := range []struct {
		kind                 string
		from, fromForNormals func(*group)
		chord                func(*group) (near, far vec, ok mask)
		normal               func(*group) [3]vec
	}{
		{"sphere", sphereFrom, sphereFrom, sphereChord, sphereNormal},
		{"capsule", capsuleFrom, axisFrom, capsuleChord, capsuleNormal},
		{"box", boxFrom, boxFrom, boxChord, boxNormal},
		{"cylinder", cylinderFrom, cylinderFrom, cylinderChord, cylinderNormal},
	} {
		kernel(s.kind+"Kernel", func(w *wasm) { w.solid(nil, s.chord) })
		kernel(s.kind+"ParallelKernel", func(w *wasm) { w.solid(s.from, s.chord) })
		kernel(s.kind+"ShadowKernel", func(w *wasm) { w.shadow(s.from, s.chord) })
		kernel(s.kind+"NormalsKernel", func(w *wasm) { w.normals(nil, s.normal) })
		kernel(s.kind+"ParallelNormalsKernel", func(w *wasm) { w.normals(s.fromForNormals, s.normal) })
	}
	kernel("directionsKernel", func(w *wasm) { w.rayVectors(unit) })
	kernel("originsKernel", func(w *wasm) { w.rayVectors(nil) })
	kernel("frustumKernel", (*wasm).frustum)
	kernel("traverseKernel", (*wasm).traverse)
	return os.WriteFile(file, m.bytes(), 0o666)
}

// packet returns the group of a packet's rays that begins at an offset in their arrays. The kernel's first
// argument is the address of these arrays.
func (w *wasm) packet(offset local, parallel bool) *group {
	g := &group{
		rays:   w.argument(0),
		offset: offset,
		way:    array{at: offWay, stride: planeSize},
		next:   "next",
		slow:   "slow",
	}
	if parallel {
		g.origin, g.way = g.way, array{at: offDir, one: true}
		g.separate(offScratch)
	}
	return g
}

// attempt writes the code of body so that it can jump to two labels. A jump to the label next ends the
// group of rays. A jump to the label slow first sets the lowest bit of again: the portable code must then
// test the rays again.
func (w *wasm) attempt(g *group, again local, body func()) {
	w.block(g.next, func() {
		w.block(g.slow, func() {
			body()
			w.leave(g.next)
		})
		w.include(again, w.integer(1))
	})
}

// solid writes the kernel that tests a kind of solid against the rays in a window, two at a time. See the function
// solid for amd64.
func (w *wasm) solid(from func(*group), chord func(*group) (near, far vec, ok mask)) {
	offset := w.variable(i32)
	g := w.packet(offset, from != nil)
	window := w.argument(8)
	g.solid = w.argument(16)
	row, rows := w.word(window, winOffset), w.word(window, winRows)
	columns, met, again := w.variable(i32), w.variable(i32), w.variable(i32)
	w.loop("row", func() {
		w.copy(offset, row)
		w.copy(columns, w.word(window, winColumns))
		w.loop("group", func() {
			w.attempt(g, again, func() { w.meet(g, window, columns, met, again, from, chord) })
			w.change(offset, opI32Add, 8*wasmLanes)
			w.change(columns, opI32ShrU, wasmLanes)
			w.push(columns)
			w.leaveIf("group")
		})
		w.change(row, opI32Add, int64(rowBytes))
		w.countDown(rows, "row")
	})
	w.returns(met, again, 24)
}

// The method meet writes the code that tests a solid against a group of rays and stores the hits.
func (w *wasm) meet(g *group, window, columns, met, again local, from func(*group), chord func(*group) (near, far vec, ok mask)) {
	best := g.load(offT)
	g.open = and(w.columnsIn(columns), compare(greaterOrEqual, best, number(window, winTMin)))
	w.leaveIfNone(g.open, g.next)
	if from != nil {
		from(g)
	}
	near, far, ok := chord(g)
	none := zero()
	front := compare(greater, near, none)
	t := choose(front, near, far)
	ok = and(ok, and(compare(greater, t, none), compare(lessOrEqual, t, best)))
	w.leaveIfNone(ok, g.next)
	tie := and(ok, compare(equal, t, best))
	w.include(again, w.lanesIn(tie))
	won := without(ok, tie)
	w.include(met, w.lanesIn(won))
	g.store(choose(won, t, best), offT)
	g.store(choose(won, choose(front, number(window, winNear), number(window, winFar)), g.load(offMet)), offMet)
}

// columnsIn returns the mask of the lanes whose columns are in the window: those whose lowest bits are set in
// columns.
func (w *wasm) columnsIn(columns local) mask {
	lanes := w.words(1, 0, 2, 0)
	w.push(columns)
	w.op(opExtendU)
	w.vector(vI64Splat)
	return w.compute(vI64Eq, and(w.popNew(v128), lanes), lanes)
}

// shadow writes the kernel that tests a kind of solid against open shadow rays, two at a time. See the function
// shadow for amd64.
func (w *wasm) shadow(from func(*group), chord func(*group) (near, far vec, ok mask)) {
	offset, left, again := w.variable(i32), w.variable(i32), w.variable(i32)
	g := &group{
		rays:   w.argument(0),
		solid:  w.argument(8),
		offset: offset,
		origin: array{at: shadowOrigin, stride: shadowSize},
		way:    array{at: shadowDir, stride: shadowSize},
		next:   "next",
		slow:   "slow",
	}
	g.separate(shadowScratch)
	groups := w.groups(16)
	w.loop("group", func() {
		w.block("empty", func() {
			w.attempt(g, again, func() {
				g.open = g.load(shadowOpen)
				w.leaveIfNone(g.open, "empty")
				from(g)
				near, _, ok := chord(g)
				ok = and(ok, and(compare(greater, near, zero()), compare(less, near, g.load(shadowDist))))
				g.store(without(g.open, ok), shadowOpen)
			})
			w.include(left, w.lanesIn(g.load(shadowOpen)))
		})
		w.change(offset, opI32Add, 8*wasmLanes)
		w.countDown(groups, "group")
	})
	w.returns(left, again, 24)
}

// groups returns the number of groups of wasmLanes rays. The kernel's argument at the given offset is the
// number of groups of lanes rays.
func (w *wasm) groups(behind int) local {
	return w.with(opI32Mul, w.argument(behind), lanes/wasmLanes)
}

// normals writes the kernel that computes the normals at the hits of consecutive rays on a solid, two at a time.
func (w *wasm) normals(from func(*group), normal func(*group) [3]vec) {
	offset := w.argument(16)
	g := w.packet(offset, from != nil)
	g.solid = w.argument(8)
	groups := w.groups(24)
	w.loop("group", func() {
		if from != nil {
			from(g)
		}
		for k, v := range normal(g) {
			g.store(v, offN+k*planeSize)
		}
		w.change(offset, opI32Add, 8*wasmLanes)
		w.countDown(groups, "group")
	})
}

// rayVectors writes the kernel that computes the vectors of one row of rays, two at a time. See the function
// rayVectors for amd64.
func (w *wasm) rayVectors(finish func([3]vec) [3]vec) {
	offset := w.argument(16)
	g := w.packet(offset, false)
	grid := w.argument(8)
	v, dx := vector(grid, gridLeft), vector(grid, gridDX)
	column, groups := w.copyOf(grid), w.integer(int64(side/wasmLanes))
	w.loop("group", func() {
		at := w.load(column, nil, gridColumns)
		var way [3]vec
		for k := range way {
			way[k] = add(v[k], mul(at, dx[k]))
		}
		if finish != nil {
			way = finish(way)
		}
		for k := range way {
			g.store(way[k], offWay+k*planeSize)
		}
		w.change(column, opI32Add, 8*wasmLanes)
		w.change(offset, opI32Add, 8*wasmLanes)
		w.countDown(groups, "group")
	})
}

func (w *wasm) copyOf(v local) local {
	w.push(v)
	return w.popNew(i32)
}

// frustum writes the kernel of frustum.enter. It computes the distances for two children of a node at a time.
func (w *wasm) frustum() {
	h, n, out := w.argument(0), w.argument(8), w.argument(16)
	plane, count, pairs := w.variable(i32), w.variable(i32), w.integer(8/wasmLanes)
	half := func(disp int) vec {
		w.push(n)
		w.vector(vLoad64Zero, 0, uint64(disp))
		w.vector(vPromote)
		return w.popNew(v128)
	}
	w.loop("pair", func() {
		var lo, hi [3]vec
		outside := zero()
		for i := range lo {
			lo[i], hi[i] = half(nodeLower+32*i), half(nodeUpper+32*i)
			apart := or(
				compare(greater, lo[i], number(h, frustumMax+8*i)),
				compare(less, hi[i], number(h, frustumMin+8*i)))
			outside = or(outside, apart)
		}
		least := func(plane local, disp int) vec {
			v := add(dot(vector(plane, disp+planeUp), lo), dot(vector(plane, disp+planeDown), hi))
			return sub(v, number(plane, disp+planeK))
		}
		w.block("ahead", func() {
			w.copy(count, w.word(h, frustumCount))
			w.copy(plane, w.with(opI32Add, h, int64(frustumPlanes)))
			w.push(count)
			w.op(opI32Eqz)
			w.leaveIf("ahead")
			w.loop("plane", func() {
				move(or(outside, compare(greater, least(plane, 0), zero())), outside)
				w.change(plane, opI32Add, int64(planeBytes))
				w.countDown(count, "plane")
			})
		})
		w.store(choose(outside, constant(posInf), least(h, frustumAhead)), out, nil, 0)
		w.change(n, opI32Add, 4*wasmLanes)
		w.change(out, opI32Add, 8*wasmLanes)
		w.countDown(pairs, "pair")
	})
}

// traversalLocals holds the variables of the kernel of traverse.
type traversalLocals struct {
	*wasm
	d, n           local // the traversalState, and the height of its stack
	nodes, spheres local
	first, count   local // the current node or leaf
}

// traverse writes a kernel with the same results as that of the function traverse for amd64. But here, each ray
// continues to a leaf before the next ray starts. Interleaving would not pay, because wasm has no prefetching
// and its conditional moves are slower.
func (w *wasm) traverse() {
	states, order, rays := w.argument(0), w.argument(8), w.argument(16)
	r := traversalLocals{wasm: w, nodes: w.argument(32), spheres: w.argument(40)}
	r.d, r.n, r.first, r.count = w.variable(i32), w.variable(i32), w.variable(i32), w.variable(i32)
	w.loop("ray", func() {
		w.copy(r.d, w.binary(opI32Add, states, w.word(order, turnsOrder)))
		w.copy(r.n, w.word(r.d, traversalN))
		w.block("done", func() {
			w.loop("next", r.step)
		})
		w.setWord(r.n, r.d, traversalN)
		w.setWord(r.first, r.d, traversalFirst)
		w.setWord(r.count, r.d, traversalCount)
		w.change(order, opI32Add, 4)
		w.countDown(rays, "ray")
	})
	w.returns(w.integer(0), w.integer(0), 48)
}

// step takes the top entry from the stack and tests it. If the stack is empty, or if the entry is a leaf
// with a solid that the ray may hit, the code leaves the block with the label done. Otherwise it continues
// with the next entry.
func (r *traversalLocals) step() {
	r.block("some", func() {
		r.push(r.n)
		r.leaveIf("some")
		r.copy(r.count, r.integer(-1))
		r.leave("done")
	})
	r.change(r.n, opI32Sub, 1)
	top := r.binary(opI32Add, r.d, r.with(opI32Shl, r.n, 2))
	r.push(r.with(opI32And, r.word(top, traversalStack), int64(^childBits)))
	r.op(opF32Bits)
	r.push(r.d)
	r.op(opF32Load, 0, uint64(traversalLimit))
	r.op(opF32Gt)
	r.leaveIf("next")
	r.copy(r.first, r.word(top, traversalStack+stackSize))
	r.copy(r.count, r.word(top, traversalStack+2*stackSize))
	r.block("leaf", func() {
		r.push(r.count)
		r.leaveIf("leaf")
		r.tally(traversalVisited, r.integer(1))
		r.intersectNode()
		r.leave("next")
	})
	r.tally(traversalTested, r.count)
	hits := r.intersectLeaf()
	r.setWord(hits, r.d, traversalHits)
	r.push(hits)
	r.op(opI32Eqz)
	r.leaveIf("next")
}

// tally adds a number to a field of 64 bits.
func (r *traversalLocals) tally(field int, n local) {
	r.push(r.d, r.d)
	r.op(opI64Load, 0, uint64(field))
	r.push(n)
	r.op(opExtendU)
	r.op(opI64Add)
	r.op(opI64Store, 0, uint64(field))
}

// intersectNode pushes the children of a node that the ray enters on the stack, nearest on top.
func (r *traversalLocals) intersectNode() {
	node := r.binary(opI32Add, r.nodes, r.with(opI32Mul, r.first, int64(nodeBytes)))
	of := func(field, axis int) vec {
		r.push(r.d)
		r.vector(vLoad32Splat, 0, uint64(field+4*axis))
		return r.popNew(v128)
	}
	var in, out, keys [2]vec
	for axis := range 3 {
		descends := r.with(opI32Mul, r.word(r.d, traversalDescends+4*axis), int64(nodeUpper))
		lower := r.binary(opI32Add, node, descends)
		upper := r.binary(opI32Sub, node, descends)
		near, far, inv := of(traversalNear, axis), of(traversalFar, axis), of(traversalInv, axis)
		for half := range in {
			at := 32*axis + 16*half
			t0 := r.compute(vF32Mul, r.compute(vF32Sub, r.load(lower, nil, nodeLower+at), near), inv)
			t1 := r.compute(vF32Mul, r.compute(vF32Sub, r.load(upper, nil, nodeUpper+at), far), inv)
			if axis == 0 {
				in[half], out[half] = r.compute(vF32PMax, zero(), t0), t1
			} else {
				in[half], out[half] = r.compute(vF32PMax, t0, in[half]), r.compute(vF32PMin, t1, out[half])
			}
		}
	}
	bits := func(f float32) uint32 { return math.Float32bits(f) }
	growth := r.words(bits(1+0x1p-20), bits(1+0x1p-20), bits(1+0x1p-20), bits(1+0x1p-20))
	distance := ^uint32(childBits) & math.MaxInt32
	limit := of(traversalLimit, 0)
	hits := r.integer(0)
	for half := range in {
		met := and(r.compute(vF32Le, in[half], r.compute(vF32Mul, out[half], growth)), r.compute(vF32Le, in[half], limit))
		r.push(hits, met)
		r.vector(vI32Mask)
		r.op(opPopcnt)
		r.op(opI32Add)
		r.pop(hits)
		k := uint32(4 * half)
		key := or(and(in[half], r.words(distance, distance, distance, distance)), r.words(k, k+1, k+2, k+3))
		keys[half] = or(key, r.compute(vNot, met)) // -1 if not hit: sorted last
	}
	r.stack(node, sorted(r.wasm, keys))
	r.copy(r.n, r.binary(opI32Add, r.n, hits))
}

// sorted sorts eight integers in descending order, with Batcher's bitonic network, as on amd64.
func sorted(w *wasm, v [2]vec) [2]vec {
	for k := 2; k <= 8; k *= 2 {
		for j := k / 2; j >= 1; j /= 2 {
			if j == 4 {
				v[0], v[1] = w.compute(vI32Max, v[0], v[1]), w.compute(vI32Min, v[0], v[1])
				continue
			}
			for half := range v {
				other := w.shuffle(v[half], v[half], 4, 0^j, 1^j, 2^j, 3^j)
				larger, smaller := w.compute(vI32Max, v[half], other), w.compute(vI32Min, v[half], other)
				var from [4]int
				for i := range from {
					lane := 4*half + i
					from[i] = i
					if (lane&j == 0) != (lane&k == 0) {
						from[i] += 4
					}
				}
				v[half] = w.shuffle(larger, smaller, 4, from[:]...)
			}
		}
	}
	return v
}

// The method stack stores keys, and the children that belong to them, on the ray's stack.
func (r *traversalLocals) stack(node local, keys [2]vec) {
	top := r.binary(opI32Add, r.d, r.with(opI32Shl, r.n, 2))
	// In memory, the two fields of each child alternate: the 32-bit words with even indices are the fields
	// first, those with odd indices the fields count. The swizzle instruction selects, by byte index, the
	// field of a child among the fields of four children. It gives 0 if the child is not one of the four.
	var children [4]vec
	for k := range children {
		children[k] = r.load(node, nil, nodeChildren+16*k)
	}
	const each, bytes, four = 0x04040404, 0x03020100, 0x10101010
	for half, key := range keys {
		r.store(key, top, nil, traversalStack+16*half)
		child := and(key, r.words(uint32(childBits), uint32(childBits), uint32(childBits), uint32(childBits)))
		lower := r.compute(vI32Add, r.compute(vI32Mul, child, r.words(each, each, each, each)), r.words(bytes, bytes, bytes, bytes))
		upper := r.compute(vI8Sub, lower, r.words(four, four, four, four))
		for odd := range 2 {
			a := r.shuffle(children[0], children[1], 4, odd, 2+odd, 4+odd, 6+odd)
			b := r.shuffle(children[2], children[3], 4, odd, 2+odd, 4+odd, 6+odd)
			field := or(r.compute(vSwizzle, a, lower), r.compute(vSwizzle, b, upper))
			r.store(field, top, nil, traversalStack+(1+odd)*stackSize+16*half)
		}
	}
}

// intersectLeaf finds which spheres of a leaf the ray may hit, as on amd64, two at a time.
func (r *traversalLocals) intersectLeaf() (hits local) {
	hits = r.variable(i32)
	r.block("looked", func() {
		r.block("spheres", func() {
			r.push(r.with(opI32And, r.first, int64(1<<kindBits-1)))
			r.op(opI32Eqz)
			r.leaveIf("spheres")
			// Solids of other kinds: skip the leaf only if it holds nothing but the solid that the ray
			// leaves.
			r.push(r.binary(opI32Or, r.with(opI32Sub, r.count, 1), r.binary(opI32Sub, r.first, r.word(r.d, traversalOwn))))
			r.op(opI32Eqz)
			r.number(opI32Const, 1)
			r.op(opI32Sub)
			r.pop(hits)
			r.leave("looked")
		})
		at := r.binary(opI32Add, r.spheres, r.with(opI32Shl, r.first, int64(5-kindBits))) // a sphere has 2^5 bytes
		left, bit := r.copyOf(r.count), r.integer(0)
		r.copy(hits, bit)
		var origin, dir [3]vec
		for k := range origin {
			origin[k], dir[k] = number(r.d, traversalOrigin+8*k), number(r.d, traversalDir+8*k)
		}
		enters, tMax, none := number(r.d, traversalEnters), number(r.d, traversalTMax), zero()
		r.loop("pair", func() {
			ok := r.mayMeet(at, origin, dir, enters, tMax, none)
			r.include(hits, r.binary(opI32Shl, r.lanesIn(ok), bit))
			r.change(bit, opI32Add, wasmLanes)
			r.change(at, opI32Add, 32*wasmLanes)
			r.change(left, opI32Sub, wasmLanes)
			r.number(opI32Const, 0)
			r.push(left)
			r.op(opI32LtS)
			r.leaveIf("pair")
		})
		// Ignore spheres after the end of the leaf.
		all := r.binary(opI32Shl, r.integer(-1), r.count)
		r.push(all)
		r.number(opI32Const, -1)
		r.op(opI32Xor)
		r.push(hits)
		r.op(opI32And)
		r.pop(hits)
	})
	return hits
}

// mayMeet returns which of two neighboring spheres a ray may hit.
func (r *traversalLocals) mayMeet(at local, origin, dir [3]vec, enters, tMax, none vec) mask {
	var rows [4]vec
	for k := range rows {
		rows[k] = r.load(at, nil, 16*k)
	}
	f := [3]vec{r.shuffle(rows[0], rows[2], 8, 0, 2), r.shuffle(rows[0], rows[2], 8, 1, 3), r.shuffle(rows[1], rows[3], 8, 0, 2)}
	radius := r.shuffle(rows[1], rows[3], 8, 1, 3)
	for k := range f {
		f[k] = sub(origin[k], f[k])
	}
	c := dot(f, dir) // -t
	for k := range f {
		f[k] = sub(f[k], mul(c, dir[k]))
	}
	disc := sub(mul(radius, radius), dot(f, f))
	ok := compare(greaterOrEqual, disc, none)
	h, t := sqrt(disc), sub(none, c)
	near := sub(t, h)
	crossing := choose(enters, near, add(t, h))
	ok = without(ok, compare(lessOrEqual, crossing, none))
	return without(ok, compare(greater, near, tMax))
}
