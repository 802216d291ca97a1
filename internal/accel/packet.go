package accel

import (
	"math"
	"math/bits"

	"pillbox/geom"
)

// PacketSide is the largest number of columns and rows of rays that are traced at once. [BVH.Nearest]
// divides larger packets. So packets of this size are the best choice for callers.
const PacketSide = 32

const (
	packetSide = PacketSide
	maxRays    = packetSide * packetSide
)

// rays are the rays of one packet, in rows of packetSide, with their closest hits so far. Kernels
// depend on its layout.
type rays struct {
	t       [maxRays]float64 // distances of the hits; math.MaxFloat64 for a ray without a hit
	x, y, z [maxRays]float64 // directions of rays from the eye, or origins of parallel rays

	nx, ny, nz [maxRays]float64 // outward normals at the hits; computed last
	_          [lanes]float64   // padding: kernels write whole groups of lanes

	// The solids that were hit, see encodeHit. This array must not directly follow an array of floats that kernels
	// compute with. Kernels also read beyond the last row of such an array, and would compute with these integers as
	// floats. Small integers are denormal floats, which are slow.
	met [maxRays]int64

	dir     geom.Vec3           // the direction of parallel rays
	scratch [12 * lanes]float64 // memory of kernels

	// Scratch memory of the portable code.
	members [maxRays]uint16
	chosen  []uint16
}

// encodeHit packs a hit into one integer: the reference to the solid, and whether it was hit from
// inside. noHit, for a ray without a hit, is negative.
func encodeHit(at primRef, inside bool) int64 {
	m := int64(at) << 1
	if inside {
		m++
	}
	return m
}

// Values of encodeHit's argument inside: for a hit where the ray enters the solid, and for one where it leaves.
const fromOutside, fromInside = false, true

const noHit int64 = -1

func hitPrim(met int64) primRef { return primRef(met >> 1) }
func hitInside(met int64) bool  { return met&1 != 0 }

// vector returns the part of ray i that differs between the rays: its direction or, if the rays are
// parallel, its origin.
func (r *rays) vector(i int) geom.Vec3 { return geom.Vec3{X: r.x[i], Y: r.y[i], Z: r.z[i]} }

// window is the rectangle of rays that are tested against a solid, and the values to store for those
// that hit it. Kernels depend on its layout.
type window struct {
	offset    uint64  // of the first ray, in bytes
	rows      uint64  // number of rows, at least one
	columns   uint64  // the lowest bits are set: one for each column of the rectangle, at least one
	tMin      float64 // a lower bound of the distance of the solid: rays with a closer hit need not be tested
	near, far int64   // the results of encodeHit for a hit where a ray enters and where it leaves
}

// raster holds the values from which a row of rays is computed. Kernels depend on its layout.
type raster struct {
	columns  [packetSide]float64 // offsets of the columns from the middle of the picture, in pixels
	left, dx geom.Vec3           // left + column dx is the unscaled direction of a ray or, if the rays are parallel, its origin
}

// packetTraversal finds the closest hits of the rays of one packet. It traverses the tree once for all of them, front to
// back, and abandons this traversal if single rays would cost less.
type packetTraversal struct {
	bvh            *BVH
	packet         geom.Packet
	projection     projection
	screen         screen
	laneProjection laneProjection
	walk           traversal

	seen fromPoint // the solid that is being tested, prepared for rays from the eye; not used for parallel rays

	rays    rays
	raster  raster
	depths  depthBuffer
	made    uint64 // a bit for each row whose rays are computed
	begun   bool   // whether begin has been called
	touched bool   // some ray has hit a solid

	sharing      sharing
	walker       singleTraversal
	across, down uint32        // position of the ray that sample traced last, in 2^-32 of the packet's size
	cost         traversalCost // cost of the tests of solids so far; walk counts the nodes
}

func (bvh *BVH) newPacketTraversal() *packetTraversal {
	return &packetTraversal{bvh: bvh, walker: singleTraversal{BVH: bvh}}
}

// ray returns ray i. The method makeRows must have computed it.
func (pt *packetTraversal) ray(i int) geom.Ray {
	if pt.packet.Parallel {
		return geom.Ray{Origin: pt.rays.vector(i), Dir: pt.packet.Dir}
	}
	return geom.Ray{Origin: pt.projection.o, Dir: pt.rays.vector(i)}
}

func (pt *packetTraversal) reset(p geom.Packet, f projection) {
	pt.packet, pt.projection = p, f
	pt.projection.narrow(&pt.packet)
	pt.screen.prepare(&pt.projection)
	pt.made, pt.begun, pt.touched = 0, false, false
	pt.depths.reset(p.NX, p.NY)
}

// begin initializes the hits before the first test of a solid. Packets that reach no leaf skip this; in many pictures
// these are the majority.
func (pt *packetTraversal) begin() {
	pt.begun = true
	pt.laneProjection.prepare(&pt.projection)
	p := &pt.packet
	pt.raster.dx, pt.rays.dir = p.DX, p.Dir
	for i := range p.NX {
		pt.raster.columns[i] = (float64(p.X0+i)+0.5)/p.Density - p.CenterX
	}
	for j := range p.NY {
		row := j * packetSide
		for i := range packetSide {
			pt.rays.t[row+i], pt.rays.met[row+i] = math.MaxFloat64, noHit
		}
		clear(pt.rays.t[row+p.NX:][:packetSide-p.NX]) // so that rays beyond the packet never decide the depth of a block
	}
	clear(pt.rays.t[p.NY*packetSide:])
}

func (pt *packetTraversal) trace() {
	x := pt.sharing.class(pt.packet.Len(), 1)
	if x.shouldSample() {
		x.recordSample(pt.sample())
	}
	budget := pt.sharing.budget(x, pt.packet.Len())
	if x.gain < 0 {
		budget /= sharingRetry
	}
	pt.cost = 0
	recheck := budget // at this cost, check the estimate on which the budget is based
	if pt.packet.Len() >= minSampled {
		recheck /= 4
	}
	pt.walk.start(&pt.bvh.tree, pt)
	for leaf := pt.walk.next(pt.depths.farthest); leaf != nil; leaf = pt.walk.next(pt.depths.farthest) {
		if !pt.begun {
			pt.begin()
		}
		for _, at := range leaf {
			pt.test(at)
		}
		if spent := pt.cost + pt.walk.cost(); spent > recheck && pt.walk.n > 0 {
			if spent > budget {
				break
			}
			alone := pt.sample()
			x.recordSample(alone)
			budget = min(budget, worth(alone*traversalCost(pt.packet.Len())))
			recheck = budget
		}
	}
	pt.cost += pt.walk.cost()
	pt.sharing.total += pt.cost
	if pt.walk.n > 0 {
		pt.sharing.wasted += pt.cost
		pt.cost += pt.traceSingly()
	}
	x.learn(pt.packet.Len(), pt.cost)
}

// enter implements [volume]. It lists a child if some ray may hit one of its solids before the ray's closest hit so
// far. It also prefetches the solids of all children that are leaves, even of those that are not listed.
func (pt *packetTraversal) enter(n *node, e *entered, _ float64) {
	if pt.bvh.tree.exceedsCache() {
		var room [maxLeaf]primRef
		for _, c := range n.children {
			if c.count > 0 {
				pt.bvh.prefetch(pt.bvh.tree.leaf(c, &room))
			}
		}
	}
	if pt.depths.stale {
		pt.depths.settle()
	}
	pt.screen.enter(n, e, &pt.depths)
}

// sample returns the mean cost of tracing a ray singly. It traces a few rays that are evenly
// distributed over the packet, different ones in each call.
func (pt *packetTraversal) sample() traversalCost {
	p := &pt.packet
	sum := traversalCost(0)
	n := min(samples, 1+p.Len()/minSampled)
	for range n {
		// Source: Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018: powers of the
		// plastic number, here in multiples of 2^-32.
		pt.across, pt.down = pt.across+0xc13fa9a9, pt.down+0x91e10da5
		i, j := int(uint64(pt.across)*uint64(p.NX)>>32), int(uint64(pt.down)*uint64(p.NY)>>32)
		pt.walker.nearestCrossing(&rayQuery{ray: p.SampleRay(i, j), object: noPrim, other: either, tMax: math.Inf(1)})
		sum += pt.walker.cost()
	}
	pt.sharing.total += sum
	return sum / traversalCost(n)
}

// traceSingly traces every ray singly, starting from its closest hit so far, and returns the cost.
func (pt *packetTraversal) traceSingly() traversalCost {
	pt.makeRows(0, pt.packet.NY)
	sum := pt.bvh.traceStream(pt.packet.Len(), closestHit,
		func(a *activeRay) {
			i := pt.nth(a.index)
			a.query = rayQuery{ray: pt.ray(i), object: noPrim, other: either}
			a.best = candidate{t: pt.rays.t[i], prim: noPrim}
			if pt.rays.met[i] != noHit {
				a.best.prim, a.best.inside = hitPrim(pt.rays.met[i]), hitInside(pt.rays.met[i])
			}
		},
		func(a *activeRay) {
			if a.best.prim != noPrim {
				i := pt.nth(a.index)
				pt.rays.t[i], pt.rays.met[i] = a.best.t, encodeHit(a.best.prim, a.best.inside)
				pt.touched = true
			}
		})
	pt.sharing.total += sum
	return sum
}

// nth returns the index, in the arrays of pt.rays, of the packet's k-th ray in row-major order.
func (pt *packetTraversal) nth(k int) int { return k/pt.packet.NX*packetSide + k%pt.packet.NX }

// test tests a solid against the rays in the rectangle that the solid projects to. For each ray that hits the
// solid, it keeps the hit if it is closer than the ray's hit so far.
func (pt *packetTraversal) test(at primRef) {
	r, tMin := pt.project(at)
	pt.cost += packetSolid
	if r.empty() {
		return
	}
	pt.cost += traversalCost((r.y1 - r.y0) * int(laneGroups(r.x1-r.x0)))
	w := pt.window(r, tMin, at)
	o := pt.meet(at, &w)
	if o.met() {
		pt.touched = true
	}
	if o.undecided() && pt.choose(r, tMin) {
		pt.meetChosen(at)
	}
	if o != 0 {
		pt.depths.update(&pt.rays, r)
	}
}

// project returns the rectangle of samples that a solid projects to, and a lower bound of the distance
// at which a ray hits it.
func (pt *packetTraversal) project(at primRef) (rect, float64) {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return pt.projection.sphere(&pt.bvh.spheres[i], &pt.laneProjection)
	case capsuleKind:
		return pt.projection.capsule(&pt.bvh.capsules[i], &pt.laneProjection)
	case boxKind:
		return pt.projection.box(&pt.bvh.boxes[i], &pt.laneProjection)
	case cutKind:
		return pt.project(pt.bvh.cuts[i].whole)
	default:
		return pt.projection.cylinder(&pt.bvh.cylinders[i], &pt.laneProjection)
	}
}

// The method meet tests a solid against the rays of the window w with a kernel.
func (pt *packetTraversal) meet(at primRef, w *window) verdict {
	parallel := pt.packet.Parallel
	pt.seen.kind = at.kind()
	switch i := at.index(); at.kind() {
	case sphereKind:
		s := &pt.bvh.spheres[i]
		if parallel {
			return meetSphereParallel(&pt.rays, w, s)
		}
		s.from(pt.projection.o, &pt.seen.sphere)
		return meetSphere(&pt.rays, w, &pt.seen.sphere)
	case capsuleKind:
		s := &pt.bvh.capsules[i]
		if parallel {
			return meetCapsuleParallel(&pt.rays, w, s)
		}
		s.from(pt.projection.o, &pt.seen.capsule)
		return meetCapsule(&pt.rays, w, &pt.seen.capsule)
	case boxKind:
		s := &pt.bvh.boxes[i]
		if parallel {
			return meetBoxParallel(&pt.rays, w, s)
		}
		s.from(pt.projection.o, &pt.seen.box)
		return meetBox(&pt.rays, w, &pt.seen.box)
	case cutKind:
		if !parallel {
			pt.seen.prepare(&pt.bvh.solids, at, pt.projection.o)
		}
		return undecided
	default:
		s := &pt.bvh.cylinders[i]
		if parallel {
			return meetCylinderParallel(&pt.rays, w, s)
		}
		s.from(pt.projection.o, &pt.seen.cylinder)
		return meetCylinder(&pt.rays, w, &pt.seen.cylinder)
	}
}

// window computes the rays in r, unless they are computed already, and returns the window for testing a
// solid against them.
func (pt *packetTraversal) window(r rect, tMin float64, at primRef) window {
	pt.makeRows(r.y0, r.y1)
	return window{
		offset:  uint64(r.y0*packetSide+r.x0) * 8,
		rows:    uint64(r.y1 - r.y0),
		columns: 1<<(r.x1-r.x0) - 1,
		tMin:    tMin,
		near:    encodeHit(at, fromOutside),
		far:     encodeHit(at, fromInside),
	}
}

// choose collects the rays in r that have no hit before tMin in the list chosen, and reports whether there are
// any.
func (pt *packetTraversal) choose(r rect, tMin float64) bool {
	n := 0
	for j := r.y0; j < r.y1; j++ {
		row := j * packetSide
		for i, t := range pt.rays.t[row+r.x0 : row+r.x1] {
			pt.rays.members[n&(maxRays-1)] = uint16(row + r.x0 + i)
			if t >= tMin {
				n++
			}
		}
	}
	pt.rays.chosen = pt.rays.members[:n]
	return n > 0
}

// meetChosen tests a solid against the chosen rays without kernels, after a call of the method meet for this solid, which
// has prepared it unless the rays are parallel.
func (pt *packetTraversal) meetChosen(at primRef) {
	for _, k := range pt.rays.chosen {
		var near, far float64
		var ok bool
		if v := pt.rays.vector(int(k)); pt.packet.Parallel {
			near, far, ok = pt.bvh.chord(at, v, pt.packet.Dir)
		} else {
			near, far, ok = pt.seen.chord(v)
		}
		pt.offer(k, at, near, far, ok)
	}
}

// offer stores a ray's hit of a solid if it is closer than the ray's hit so far. near and far are the
// distances at which the ray's line enters and leaves the solid; ok is false if the line misses it.
func (pt *packetTraversal) offer(ray uint16, at primRef, near, far float64, ok bool) {
	t, inside, ahead := either.pick(near, far)
	i := ray & (maxRays - 1)
	if !ok || !ahead || t > pt.rays.t[i] {
		return
	}
	if t < pt.rays.t[i] || pt.bvh.winsTie(at, hitPrim(pt.rays.met[i])) {
		pt.rays.t[i], pt.rays.met[i] = t, encodeHit(at, inside)
		pt.touched = true
	}
}

// makeRows computes the rays of rows y0, ..., y1 - 1 unless they are computed already. They have the same bits as
// those of [geom.Packet.SampleRay]. makeRows is faster, because it computes the values that a row or column of
// rays shares only once.
func (pt *packetTraversal) makeRows(y0, y1 int) {
	missing := (uint64(1)<<y1 - uint64(1)<<y0) &^ pt.made
	pt.made |= missing
	p := &pt.packet
	for ; missing != 0; missing &= missing - 1 {
		j := bits.TrailingZeros64(missing)
		y := p.CenterY - (float64(p.Y0+j)+0.5)/p.Density
		from := p.Dir
		if p.Parallel {
			from = p.Origin
		}
		pt.raster.left = from.AddScaled(y, p.DY)
		if makeRow(&pt.rays, &pt.raster, j, p.Parallel) {
			continue
		}
		for i := range p.NX {
			v := pt.raster.left.AddScaled(pt.raster.columns[i], p.DX)
			if !p.Parallel {
				v = v.Unit()
			}
			k := (j*packetSide + i) & (maxRays - 1)
			pt.rays.x[k], pt.rays.y[k], pt.rays.z[k] = v.X, v.Y, v.Z
		}
	}
}

// finish stores the hits of the packet's rays in hits, and returns the number of rays that hit a solid. The
// hits of row j begin at index j*stride.
func (pt *packetTraversal) finish(hits []Hit, stride int) int {
	met := 0
	if !pt.touched {
		for j := range pt.packet.NY {
			clearHits(hits[j*stride:][:pt.packet.NX])
		}
		return 0
	}
	for j := range pt.packet.NY {
		row := j * packetSide
		for i := 0; i < pt.packet.NX; {
			from, at := row+i, hitPrim(pt.rays.met[row+i])
			for i++; i < pt.packet.NX && hitPrim(pt.rays.met[row+i]) == at; i++ {
			}
			if pt.finishRun(hits[j*stride+from-row:], from, row+i) {
				met += row + i - from
			}
		}
	}
	return met
}

// finishRun stores the hits of the rays from, ..., to - 1, which all hit the same solid or all miss. It
// reports whether they hit.
func (pt *packetTraversal) finishRun(hits []Hit, from, to int) bool {
	hits = hits[:to-from]
	if pt.rays.met[from] == noHit {
		clearHits(hits)
		return false
	}
	at := hitPrim(pt.rays.met[from])
	pt.makeNormals(at, from, to)
	number := pt.bvh.objectNumber(at)
	for k := range hits {
		// Set each field: the compiler would build a whole Hit in temporary memory and copy it.
		i, h := (from+k)&(maxRays-1), &hits[k]
		t, o, d := pt.rays.t[i], pt.projection.o, pt.rays.vector(i)
		if pt.packet.Parallel {
			o, d = d, pt.packet.Dir
		}
		h.T = t
		h.Point.X, h.Point.Y, h.Point.Z = o.X+float64(t*d.X), o.Y+float64(t*d.Y), o.Z+float64(t*d.Z)
		h.Normal.X, h.Normal.Y, h.Normal.Z = pt.rays.nx[i], pt.rays.ny[i], pt.rays.nz[i]
		h.Object, h.Inside, h.Face = number, hitInside(pt.rays.met[i]), 0
	}
	if at.kind() == cutKind {
		for k := range hits {
			_, hits[k].Face = pt.bvh.surface(&pt.bvh.cuts[at.index()], pt.ray(from+k), hits[k].T)
		}
	}
	return true
}

// makeNormals computes the normals of the rays from, ..., to - 1, all of which hit the same solid.
func (pt *packetTraversal) makeNormals(at primRef, from, to int) {
	if pt.kernelNormals(at, from, to) {
		return
	}
	for i := from; i < to; i++ {
		n := pt.bvh.normal(at, pt.ray(i), pt.rays.t[i])
		pt.rays.nx[i], pt.rays.ny[i], pt.rays.nz[i] = n.X, n.Y, n.Z
	}
}

// kernelNormals does the work of makeNormals with a kernel. Without kernels, it does nothing and returns
// false.
func (pt *packetTraversal) kernelNormals(at primRef, from, to int) bool {
	parallel := pt.packet.Parallel
	switch i := at.index(); at.kind() {
	case sphereKind:
		s := &pt.bvh.spheres[i]
		if parallel {
			return sphereNormalsParallel(&pt.rays, s, from, to)
		}
		s.from(pt.projection.o, &pt.seen.sphere)
		return sphereNormals(&pt.rays, &pt.seen.sphere, from, to)
	case capsuleKind:
		s := &pt.bvh.capsules[i]
		if parallel {
			return capsuleNormalsParallel(&pt.rays, s, from, to)
		}
		s.from(pt.projection.o, &pt.seen.capsule)
		return capsuleNormals(&pt.rays, &pt.seen.capsule, from, to)
	case boxKind:
		s := &pt.bvh.boxes[i]
		if parallel {
			return boxNormalsParallel(&pt.rays, s, from, to)
		}
		s.from(pt.projection.o, &pt.seen.box)
		return boxNormals(&pt.rays, &pt.seen.box, from, to)
	case cutKind:
		return false
	default:
		s := &pt.bvh.cylinders[i]
		if parallel {
			return cylinderNormalsParallel(&pt.rays, s, from, to)
		}
		s.from(pt.projection.o, &pt.seen.cylinder)
		return cylinderNormals(&pt.rays, &pt.seen.cylinder, from, to)
	}
}

// clearHits sets all elements of hits to misses.
func clearHits(hits []Hit) {
	for i := range hits {
		hits[i].T, hits[i].Object = math.Inf(1), None
	}
}
