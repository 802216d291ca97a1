package accel

import (
	"math"
	"math/bits"

	"pillbox/geom"
)

// PacketSide is the largest number of columns and of rows of a packet that are traced at once. Callers
// that choose the size of their packets make them as large, so that none is cut.
const PacketSide = 32

const (
	packetSide = PacketSide
	maxRays    = packetSide * packetSide
)

// rays are the rays of one packet, in rows of packetSide, and what they met so far. Kernels
// know its layout.
type rays struct {
	t       [maxRays]float64 // distances of what they met, math.MaxFloat64 if nothing
	x, y, z [maxRays]float64 // directions of rays from the eye, origins of parallel rays

	nx, ny, nz [maxRays]float64 // outward normals where they met it, as far as they are made
	_          [lanes]float64   // kernels write whole groups of lanes

	// What they met, see meeting. No array that kernels calculate with ends here: they read on
	// behind its last row, and the small integers are denormal numbers, which are slow.
	met [maxRays]int64

	dir     geom.Vec3           // of parallel rays
	scratch [12 * lanes]float64 // memory of kernels

	// Scratch memory of the portable code.
	members [maxRays]uint16
	chosen  []uint16
}

// meeting says which solid a ray meets, by its reference, and from which side. It is negative if
// the ray meets none.
func meeting(at primRef, inside bool) int64 {
	m := int64(at) << 1
	if inside {
		m++
	}
	return m
}

// From which side a ray meets a solid where it enters and where it leaves it.
const fromOutside, fromInside = false, true

const nothing int64 = -1

func primMet(met int64) primRef { return primRef(met >> 1) }
func insideOf(met int64) bool   { return met&1 != 0 }

// way returns what ray i has of its own: its direction, or its origin if the rays are parallel.
func (r *rays) way(i int) geom.Vec3 { return geom.Vec3{X: r.x[i], Y: r.y[i], Z: r.z[i]} }

// window says which rays a solid is tested against and what to store for those that meet it.
// Kernels know its layout.
type window struct {
	offset    uint64  // of the first ray, in bytes
	rows      uint64  // how many, at least one
	columns   uint64  // a bit for each column from the first, at least one
	tMin      float64 // rays that met something before this distance cannot meet the solid
	near, far int64   // meetings
}

// raster is where the rays of a packet go. Kernels know its layout.
type raster struct {
	columns  [packetSide]float64 // offsets of the columns in the picture
	left, dx geom.Vec3           // a ray goes along left + column dx or, if parallel, starts there
}

// packetTracer finds what the rays of one packet meet first. It walks the tree once for all of them,
// front to back.
type packetTracer struct {
	bvh            *BVH
	packet         geom.Packet
	projection     projection
	screen         screen
	laneProjection laneProjection
	walk           traversal

	// The solid that is being tested, prepared for rays from the eye. Parallel rays have none.
	sphere  sphereFrom
	capsule capsuleFrom
	box     boxFrom

	rays    rays
	raster  raster
	depths  depthBuffer
	made    uint64 // a bit for each row whose rays are made
	begun   bool   // the rays are ready for the first test
	touched bool   // some ray met something

	sharing      sharing
	walker       singleTraversal
	across, down uint32        // where the last ray lay that went alone as a sample, in multiples of 2^-32 of the packet
	cost         traversalCost // of the walk so far, without nodes
}

func (bvh *BVH) newPacketTracer() *packetTracer {
	return &packetTracer{bvh: bvh, walker: singleTraversal{BVH: bvh}}
}

// ray returns ray i, which must be made.
func (b *packetTracer) ray(i int) geom.Ray {
	if b.packet.Parallel {
		return geom.Ray{Origin: b.rays.way(i), Dir: b.packet.Dir}
	}
	return geom.Ray{Origin: b.projection.o, Dir: b.rays.way(i)}
}

func (b *packetTracer) reset(p geom.Packet, f projection) {
	b.packet, b.projection = p, f
	b.projection.narrow(&b.packet)
	b.screen.prepare(&b.projection)
	b.made, b.begun, b.touched = 0, false, false
	b.depths.reset(p.NX, p.NY)
}

// begin makes the rays ready: most packets of many pictures never come that far.
func (b *packetTracer) begin() {
	b.begun = true
	b.laneProjection.prepare(&b.projection)
	p := &b.packet
	b.raster.dx, b.rays.dir = p.DX, p.Dir
	for i := range p.NX {
		b.raster.columns[i] = (float64(p.X0+i)+0.5)/p.Density - p.CenterX
	}
	for j := range p.NY {
		row := j * packetSide
		for i := range packetSide {
			b.rays.t[row+i], b.rays.met[row+i] = math.MaxFloat64, nothing
		}
		clear(b.rays.t[row+p.NX:][:packetSide-p.NX]) // what lies beyond the packet is never the farthest of a block
	}
	clear(b.rays.t[p.NY*packetSide:])
}

func (b *packetTracer) trace() {
	x := b.sharing.class(b.packet.Len(), 1)
	if x.measures() {
		x.measured(b.sample())
	}
	budget := b.sharing.budget(x, b.packet.Len())
	if x.gain < 0 {
		budget /= sharingRetry
	}
	b.cost = 0
	doubt := budget // when so much is spent, the estimate behind the budget is checked
	if b.packet.Len() >= minSampled {
		doubt /= 4
	}
	b.walk.start(&b.bvh.tree, b)
	for leaf := b.walk.next(b.depths.farthest); leaf != nil; leaf = b.walk.next(b.depths.farthest) {
		if !b.begun {
			b.begin()
		}
		for _, at := range leaf {
			b.test(at)
		}
		if spent := b.cost + b.walk.cost(); spent > doubt && b.walk.n > 0 {
			if spent > budget {
				break
			}
			alone := b.sample()
			x.measured(alone)
			budget = min(budget, worth(alone*traversalCost(b.packet.Len())))
			doubt = budget
		}
	}
	b.cost += b.walk.cost()
	b.sharing.total += b.cost
	if b.walk.n > 0 {
		b.sharing.wasted += b.cost
		b.cost += b.traceSingly()
	}
	x.learn(b.packet.Len(), b.cost)
}

// enter implements volume: a child is entered where some ray may meet what it holds before what that met so
// far. What the leaves among the children hold is prefetched before it is known which of them are entered.
func (b *packetTracer) enter(n *node, e *entered, _ float64) {
	if b.bvh.tree.far() {
		var room [maxLeaf]primRef
		for _, c := range n.children {
			if c.count > 0 {
				b.bvh.prefetch(b.bvh.tree.leaf(c, &room))
			}
		}
	}
	if b.depths.stale {
		b.depths.settle()
	}
	b.screen.enter(n, e, &b.depths)
}

// sample returns what a ray costs alone: the mean of some, evenly spread over the packet, and each time others.
func (b *packetTracer) sample() traversalCost {
	p := &b.packet
	sum := traversalCost(0)
	n := min(samples, 1+p.Len()/minSampled)
	for range n {
		// Source: Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018: powers of the
		// plastic number, here in multiples of 2^-32.
		b.across, b.down = b.across+0xc13fa9a9, b.down+0x91e10da5
		i, j := int(uint64(b.across)*uint64(p.NX)>>32), int(uint64(b.down)*uint64(p.NY)>>32)
		b.walker.nearestCrossing(&rayQuery{ray: p.Ray(i, j), object: noPrim, other: either, tMax: math.Inf(1)})
		sum += b.walker.cost()
	}
	b.sharing.total += sum
	return sum / traversalCost(n)
}

// traceSingly lets every ray go on alone and returns what that cost.
func (b *packetTracer) traceSingly() traversalCost {
	b.makeRows(0, b.packet.NY)
	sum := b.bvh.traceStream(b.packet.Len(), nearest,
		func(a *activeRay) {
			i := b.nth(a.index)
			a.query = rayQuery{ray: b.ray(i), object: noPrim, other: either}
			a.best = candidate{t: b.rays.t[i], slot: noPrim}
			if b.rays.met[i] != nothing {
				a.best.slot, a.best.inside = primMet(b.rays.met[i]), insideOf(b.rays.met[i])
			}
		},
		func(a *activeRay) {
			if a.best.slot != noPrim {
				i := b.nth(a.index)
				b.rays.t[i], b.rays.met[i] = a.best.t, meeting(a.best.slot, a.best.inside)
				b.touched = true
			}
		})
	b.sharing.total += sum
	return sum
}

// nth returns where in the rows the k-th ray of the packet is.
func (b *packetTracer) nth(k int) int { return k/b.packet.NX*packetSide + k%b.packet.NX }

// test tests a solid against the rays inside the rectangle that it projects to.
func (b *packetTracer) test(at primRef) {
	r, tMin := b.project(at)
	b.cost += packetSolid
	if r.empty() {
		return
	}
	b.cost += traversalCost((r.y1 - r.y0) * int(laneGroups(r.x1-r.x0)))
	w := b.window(r, tMin, at)
	o := b.meet(at, &w)
	if o.met() {
		b.touched = true
	}
	if o.undecided() && b.choose(r, tMin) {
		b.meetChosen(at)
	}
	if o != 0 {
		b.depths.look(&b.rays, r)
	}
}

// project returns the rectangle that the solid that a reference refers to projects to and a distance before which
// no ray meets it.
func (b *packetTracer) project(at primRef) (rect, float64) {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return b.projection.sphere(&b.bvh.spheres[i], &b.laneProjection)
	case capsuleKind:
		return b.projection.capsule(&b.bvh.capsules[i], &b.laneProjection)
	default:
		return b.projection.box(&b.bvh.boxes[i], &b.laneProjection)
	}
}

// meet lets a kernel test the solid that a reference refers to.
func (b *packetTracer) meet(at primRef, w *window) verdict {
	parallel := b.packet.Parallel
	switch i := at.index(); at.kind() {
	case sphereKind:
		s := &b.bvh.spheres[i]
		if parallel {
			return meetSphereParallel(&b.rays, w, s)
		}
		s.from(b.projection.o, &b.sphere)
		return meetSphere(&b.rays, w, &b.sphere)
	case capsuleKind:
		s := &b.bvh.capsules[i]
		if parallel {
			return meetCapsuleParallel(&b.rays, w, s)
		}
		s.from(b.projection.o, &b.capsule)
		return meetCapsule(&b.rays, w, &b.capsule)
	default:
		s := &b.bvh.boxes[i]
		if parallel {
			return meetBoxParallel(&b.rays, w, s)
		}
		s.from(b.projection.o, &b.box)
		return meetBox(&b.rays, w, &b.box)
	}
}

// window prepares the rays in r for a test of the solid that a reference refers to.
func (b *packetTracer) window(r rect, tMin float64, at primRef) window {
	b.makeRows(r.y0, r.y1)
	return window{
		offset:  uint64(r.y0*packetSide+r.x0) * 8,
		rows:    uint64(r.y1 - r.y0),
		columns: 1<<(r.x1-r.x0) - 1,
		tMin:    tMin,
		near:    meeting(at, fromOutside),
		far:     meeting(at, fromInside),
	}
}

// choose chooses the rays in r that have met nothing before tMin yet and reports whether
// there are any.
func (b *packetTracer) choose(r rect, tMin float64) bool {
	n := 0
	for j := r.y0; j < r.y1; j++ {
		row := j * packetSide
		for i, t := range b.rays.t[row+r.x0 : row+r.x1] {
			b.rays.members[n&(maxRays-1)] = uint16(row + r.x0 + i)
			if t >= tMin {
				n++
			}
		}
	}
	b.rays.chosen = b.rays.members[:n]
	return n > 0
}

// meetChosen does for the chosen rays what meet left undone.
func (b *packetTracer) meetChosen(at primRef) {
	for _, k := range b.rays.chosen {
		near, far, ok := b.chordOf(at, int(k))
		b.offer(k, at, near, far, ok)
	}
}

// chordOf returns where ray i crosses the solid that a reference refers to, which meet has prepared.
func (b *packetTracer) chordOf(at primRef, i int) (near, far float64, ok bool) {
	v := b.rays.way(i)
	if b.packet.Parallel {
		return b.bvh.chord(at, v, b.packet.Dir)
	}
	switch at.kind() {
	case sphereKind:
		return b.sphere.chord(v)
	case capsuleKind:
		return b.capsule.chord(v)
	default:
		return b.box.chord(v)
	}
}

// offer keeps where a ray crosses a solid, if it does, and before what it met so far.
func (b *packetTracer) offer(ray uint16, at primRef, near, far float64, ok bool) {
	t, inside, ahead := either.pick(near, far)
	i := ray & (maxRays - 1)
	if !ok || !ahead || t > b.rays.t[i] {
		return
	}
	if t < b.rays.t[i] || b.bvh.number(at) < b.bvh.number(primMet(b.rays.met[i])) {
		b.rays.t[i], b.rays.met[i] = t, meeting(at, inside)
		b.touched = true
	}
}

// makeRows makes the rays of rows y0, ..., y1 - 1 unless they are made: those of
// [geom.Packet.Ray], with what a row and a column have in common computed once.
func (b *packetTracer) makeRows(y0, y1 int) {
	missing := (uint64(1)<<y1 - uint64(1)<<y0) &^ b.made
	b.made |= missing
	p := &b.packet
	for ; missing != 0; missing &= missing - 1 {
		j := bits.TrailingZeros64(missing)
		y := p.CenterY - (float64(p.Y0+j)+0.5)/p.Density
		from := p.Dir
		if p.Parallel {
			from = p.Origin
		}
		b.raster.left = from.AddScaled(y, p.DY)
		if makeRow(&b.rays, &b.raster, j, p.Parallel) {
			continue
		}
		for i := range p.NX {
			v := b.raster.left.AddScaled(b.raster.columns[i], p.DX)
			if !p.Parallel {
				v = v.Unit()
			}
			k := (j*packetSide + i) & (maxRays - 1)
			b.rays.x[k], b.rays.y[k], b.rays.z[k] = v.X, v.Y, v.Z
		}
	}
}

// finish stores what the rays met, in rows of the given stride, and returns how many met
// something.
func (b *packetTracer) finish(hits []Hit, stride int) int {
	met := 0
	if !b.touched {
		for j := range b.packet.NY {
			clearHits(hits[j*stride:][:b.packet.NX])
		}
		return 0
	}
	for j := range b.packet.NY {
		row := j * packetSide
		for i := 0; i < b.packet.NX; {
			from, at := row+i, primMet(b.rays.met[row+i])
			for i++; i < b.packet.NX && primMet(b.rays.met[row+i]) == at; i++ {
			}
			if b.finishRun(hits[j*stride+from-row:], from, row+i) {
				met += row + i - from
			}
		}
	}
	return met
}

// finishRun stores what the rays from, ..., to - 1 met and reports whether they met
// anything: all of them the same solid, or nothing.
func (b *packetTracer) finishRun(hits []Hit, from, to int) bool {
	hits = hits[:to-from]
	if b.rays.met[from] == nothing {
		clearHits(hits)
		return false
	}
	at := primMet(b.rays.met[from])
	b.makeNormals(at, from, to)
	number := b.bvh.number(at)
	for k := range hits {
		// Field by field: a whole Hit would be put together elsewhere first, and copied.
		i, h := (from+k)&(maxRays-1), &hits[k]
		t, o, d := b.rays.t[i], b.projection.o, b.rays.way(i)
		if b.packet.Parallel {
			o, d = d, b.packet.Dir
		}
		h.T = t
		h.Point.X, h.Point.Y, h.Point.Z = o.X+float64(t*d.X), o.Y+float64(t*d.Y), o.Z+float64(t*d.Z)
		h.Normal.X, h.Normal.Y, h.Normal.Z = b.rays.nx[i], b.rays.ny[i], b.rays.nz[i]
		h.Object, h.Inside = number, insideOf(b.rays.met[i])
	}
	return true
}

// makeNormals makes the normals of rays from, ..., to - 1, all of which meet the solid in a
// slot.
func (b *packetTracer) makeNormals(at primRef, from, to int) {
	if b.kernelNormals(at, from, to) {
		return
	}
	for i := from; i < to; i++ {
		n := b.bvh.normal(at, b.ray(i), b.rays.t[i])
		b.rays.nx[i], b.rays.ny[i], b.rays.nz[i] = n.X, n.Y, n.Z
	}
}

// kernelNormals lets a kernel make the normals and reports whether it did.
func (b *packetTracer) kernelNormals(at primRef, from, to int) bool {
	parallel := b.packet.Parallel
	switch i := at.index(); at.kind() {
	case sphereKind:
		s := &b.bvh.spheres[i]
		if parallel {
			return sphereNormalsParallel(&b.rays, s, from, to)
		}
		s.from(b.projection.o, &b.sphere)
		return sphereNormals(&b.rays, &b.sphere, from, to)
	case capsuleKind:
		s := &b.bvh.capsules[i]
		if parallel {
			return capsuleNormalsParallel(&b.rays, s, from, to)
		}
		s.from(b.projection.o, &b.capsule)
		return capsuleNormals(&b.rays, &b.capsule, from, to)
	default:
		s := &b.bvh.boxes[i]
		if parallel {
			return boxNormalsParallel(&b.rays, s, from, to)
		}
		s.from(b.projection.o, &b.box)
		return boxNormals(&b.rays, &b.box, from, to)
	}
}

// clearHits stores that nothing was met.
func clearHits(hits []Hit) {
	for i := range hits {
		hits[i].T, hits[i].Object = math.Inf(1), None
	}
}
