package accel

import (
	"math"
	"math/bits"

	"pillbox/geom"
)

// Sky holds rays from one point in many directions, into the sky, and the results of tracing them with [BVH.BlockedSky].
// The rays share one traversal of the tree. Each entry of its stack holds a node, and one bit for each ray, which is set
// if the ray enters the node. So a node is loaded and put on the stack only once for all rays. A ray is tested against
// few more nodes than in a traversal of its own: nodes are visited in another order, but the order matters little when
// any hit counts.
type Sky struct {
	From    SecondaryRay // the origin of all rays; the direction is not used
	X, Y, Z []float64    // the directions, component by component
	Reach   float64      // only solids before this distance block rays; may be infinite
	Blocked []bool       // one for each ray; rays for which it is true already are not traced
}

// Ray returns ray k.
func (s *Sky) Ray(k int) SecondaryRay {
	d := s.From
	d.Ray.Dir = geom.Vec3{X: s.X[k], Y: s.Y[k], Z: s.Z[k]}
	return d
}

// skyRays are rays from one point in the layout of kernels. They are tested against bounds with the formulas of [slabRay],
// and against solids with those of [SecondaryRay.blockedBy], so the results are the same as for single rays.
type skyRays struct {
	origin        geom.Vec3
	dist          float64
	dir           [3][skyGroup]float64
	inv           [3][skyGroup]float32 // reciprocals, as in slabRay
	before, after [3]float32           // the origin minus and plus the slack: for distances to upper and to lower faces
	limit         [fanout]float32      // equal numbers, for a vector
}

// skyGroup is the largest number of rays that are traced together.
const skyGroup = 32

// raySet is a set of rays of a group: bit k is set if ray k belongs to it.
type raySet uint32

// skyTraversal is a traversal of the tree by rays from one point. Kernels depend on its layout.
type skyTraversal struct {
	rays    skyRays
	open    raySet         // the rays for which no blocking solid has been found
	at      int32          // the current node
	entered [fanout]raySet // for each child of the current node, the rays that enter it

	// The stack: nodes[i] is the index of a node, and sets[i] are the rays that enter it, for i < n.
	n     int64
	nodes [maxStack + fanout]int32
	sets  [maxStack + fanout]raySet
}

// skyTracer does the work of [BVH.BlockedSky].
type skyTracer struct {
	skyTraversal
	bvh  *BVH
	from *SecondaryRay
	own  primRef // the solid that the rays leave
	room [maxLeaf]primRef
}

func newSkyTracer() *skyTracer { return &skyTracer{} }

// BlockedSky sets s.Blocked[k] to true for each ray k that [BVH.Blocked] would report as blocked, and returns true. If
// [BVH.Blocked] is faster for so many rays, BlockedSky does nothing and returns false.
func (bvh *BVH) BlockedSky(s *Sky) bool {
	if !bvh.sharesSky(len(s.Blocked)) {
		return false
	}
	if bvh.Len() == 0 {
		return true
	}
	t := bvh.skies.take(newSkyTracer)
	t.bvh, t.from, t.own = bvh, &s.From, bvh.primOf(s.From.Object)
	for k := 0; k < len(s.Blocked); k += skyGroup {
		t.trace(s, k, min(skyGroup, len(s.Blocked)-k))
	}
	t.bvh, t.from = nil, nil
	bvh.skies.put(t)
	return true
}

// sharesSky reports whether n rays from one point are faster with a shared traversal than as single rays. Single rays can
// be faster for two reasons: in a large tree they are interleaved, which hides the latency of memory; and on some
// machines there are kernels for single rays but not for rays from one point.
func (bvh *BVH) sharesSky(n int) bool {
	const few = 16
	switch large := len(bvh.tree.nodes) > cachedNodes; {
	case haveKernels && !haveSkyKernels:
		return false
	case haveKernels:
		return !large || n >= few
	default:
		return !large
	}
}

// trace traces the n rays beginning with ray k.
func (t *skyTracer) trace(s *Sky, k, n int) {
	blocked := s.Blocked[k : k+n]
	t.open = 0
	for i, b := range blocked {
		if !b {
			t.open |= 1 << i
		}
	}
	r := &t.rays
	copy(r.dir[0][:n], s.X[k:])
	copy(r.dir[1][:n], s.Y[k:])
	copy(r.dir[2][:n], s.Z[k:])
	r.prepare(s.From.Ray.Origin, t.bvh.slack(s.From.Ray.Origin), s.Reach, n)
	t.traverse()
	for i := range blocked {
		blocked[i] = t.open&(1<<i) == 0
	}
}

// prepare prepares the first n rays, whose directions are set.
func (r *skyRays) prepare(origin geom.Vec3, slack, reach float64, n int) {
	var s slabRay
	r.origin, r.dist = origin, min(reach, math.MaxFloat64)
	for k := range r.limit {
		r.limit[k] = limit(reach)
	}
	s.prepare(&geom.Ray{Origin: origin, Dir: geom.Vec3{X: 1, Y: 1, Z: 1}}, slack)
	r.after, r.before = s.near, s.far
	if invertSky(r, n) {
		return
	}
	for axis := range r.dir {
		for k, d := range r.dir[axis][:n] {
			r.inv[axis][k] = invert(d)
		}
	}
}

// traverse finds the open rays that are blocked.
func (t *skyTracer) traverse() {
	t.nodes[0], t.sets[0], t.n = 0, t.open, 1
	for {
		leaves, ok := nextSky(&t.skyTraversal, t.bvh.tree.nodes)
		if !ok {
			leaves = t.next(t.bvh.tree.nodes)
		}
		if leaves == 0 || t.bvh.tree.isCanceled() {
			return
		}
		n := &t.bvh.tree.nodes[t.at]
		for ; leaves != 0; leaves &= leaves - 1 {
			k := bits.TrailingZeros32(leaves) & (fanout - 1)
			if rays := t.entered[k] & t.open; rays != 0 {
				t.testLeaf(n.children[k], rays)
			}
		}
	}
}

// The method next continues the traversal to the next node with a leaf that open rays enter. It returns a bit for each
// such leaf among the node's children, or 0 at the end.
func (t *skyTraversal) next(nodes []node) (leaves uint32) {
	for t.n > 0 && leaves == 0 {
		t.n--
		rays := t.sets[t.n] & t.open
		if rays == 0 {
			continue
		}
		t.at = t.nodes[t.n]
		n := &nodes[t.at]
		t.rays.enter(n, rays, &t.entered)
		leaves = t.push(n)
	}
	return leaves
}

// enter stores in entered, for each child of the node, which of the given rays enter its bounds. A ray enters bounds if
// the distance that [slabRay.enter] computes is at most the limit. Because all rays have the same origin, the distances
// along the axes from the origin to the faces are computed once for all rays.
func (r *skyRays) enter(n *node, rays raySet, entered *[fanout]raySet) {
	var lower, upper [3][fanout]float32
	for axis := range lower {
		for k := range fanout {
			lower[axis][k] = n.bounds[0][axis][k] - r.after[axis]
			upper[axis][k] = n.bounds[1][axis][k] - r.before[axis]
		}
	}
	*entered = [fanout]raySet{}
	for ; rays != 0; rays &= rays - 1 {
		i := rays.first()
		var inv [3]float32
		var near, far [3]*[fanout]float32
		for axis := range inv {
			inv[axis], near[axis], far[axis] = r.inv[axis][i], &lower[axis], &upper[axis]
			if inv[axis] < 0 {
				near[axis], far[axis] = far[axis], near[axis]
			}
		}
		for k := range entered {
			in := max(0, near[0][k]*inv[0], near[1][k]*inv[1], near[2][k]*inv[2])
			out := min(far[0][k]*inv[0], far[1][k]*inv[1], far[2][k]*inv[2])
			if in <= min(out*boundsGrowth, r.limit[k]) {
				entered[k] |= 1 << i
			}
		}
	}
}

// first returns the index of the first ray.
func (s raySet) first() int { return bits.TrailingZeros32(uint32(s)) & (skyGroup - 1) }

// testLeaf tests the solids of a leaf against the given rays.
func (t *skyTracer) testLeaf(leaf child, rays raySet) {
	if len(t.from.Eye) == 0 && primRef(leaf.first).kind() == sphereKind {
		if blocked, ok := blockSky(&t.rays, t.bvh.spheres, leaf, t.own, rays); ok {
			t.open &^= blocked
			return
		}
	}
	for _, at := range t.bvh.tree.leaf(leaf, &t.room) {
		if at != t.own {
			t.open &^= t.blockedBy(at, rays&t.open)
		}
	}
}

// blockedBy returns which of the given rays a solid blocks.
func (t *skyTracer) blockedBy(at primRef, rays raySet) (blocked raySet) {
	r := &t.rays
	object := t.bvh.objectNumber(at)
	var v fromPoint
	v.prepare(&t.bvh.solids, at, r.origin)
	for ; rays != 0; rays &= rays - 1 {
		i := rays.first()
		near, far, ok := v.chord(geom.Vec3{X: r.dir[0][i], Y: r.dir[1][i], Z: r.dir[2][i]})
		if ok && t.from.blockedBy(object, near, far, r.dist) {
			blocked |= 1 << i
		}
	}
	return blocked
}

// fromPoint is a solid of any kind prepared for rays from one origin.
type fromPoint struct {
	kind     kind
	sphere   sphereFrom
	capsule  capsuleFrom
	box      boxFrom
	cylinder cylinderFrom
	cut      *cutSolid // if the kind is cutKind; the whole solid is then in one of the other fields
	origin   geom.Vec3 // only for a cut
}

func (v *fromPoint) prepare(s *solids, at primRef, o geom.Vec3) {
	if at.kind() == cutKind {
		c := &s.cuts[at.index()]
		v.prepare(s, c.whole, o)
		v.kind, v.cut, v.origin = cutKind, c, o
		return
	}
	v.kind = at.kind()
	switch i := at.index(); v.kind {
	case sphereKind:
		s.spheres[i].from(o, &v.sphere)
	case capsuleKind:
		s.capsules[i].from(o, &v.capsule)
	case boxKind:
		s.boxes[i].from(o, &v.box)
	default:
		s.cylinders[i].from(o, &v.cylinder)
	}
}

// chord returns where the line along d enters and leaves the solid, and false if it misses.
func (v *fromPoint) chord(d geom.Vec3) (near, far float64, ok bool) { return v.chordOf(v.kind, d) }

func (v *fromPoint) chordOf(k kind, d geom.Vec3) (near, far float64, ok bool) {
	switch k {
	case sphereKind:
		return v.sphere.chord(d)
	case capsuleKind:
		return v.capsule.chord(d)
	case boxKind:
		return v.box.chord(d)
	case cutKind:
		near, far, ok = v.chordOf(v.cut.whole.kind(), d)
		return v.cut.chord(v.origin, d, near, far, ok)
	default:
		return v.cylinder.chord(d)
	}
}

// push handles the current node's children that rays enter. It puts nodes on the stack, the node that most rays enter on
// top. It does not put leaves on the stack, because they are tested at once: leaves near the root of the tree are rare,
// and their solids are large. It returns a bit for each leaf that rays enter: bit k is set for child k.
func (t *skyTraversal) push(n *node) (leaves uint32) {
	bottom := t.n
	for k, rays := range t.entered {
		c := &n.children[k]
		if c.count < 0 || rays == 0 {
			continue
		}
		if c.count > 0 {
			leaves |= 1 << k
			continue
		}
		i := t.n
		for size := rays.len(); i > bottom && t.sets[i-1].len() >= size; i-- {
			t.nodes[i], t.sets[i] = t.nodes[i-1], t.sets[i-1]
		}
		t.nodes[i], t.sets[i] = c.first, rays
		t.n++
	}
	return leaves
}

// len returns the number of rays.
func (s raySet) len() int { return bits.OnesCount32(uint32(s)) }
