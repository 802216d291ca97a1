package accel

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"pillbox/geom"
	"pillbox/shapes"
)

// BVH is a bounding-volume hierarchy over a set of solids. It is immutable and safe for concurrent use.
type BVH struct {
	solids
	tree  tree
	held  int     // the number of solids in the tree
	reach float64 // largest magnitude of a coordinate in the bounds of all solids; those of cut solids are whole
	balls leafBalls

	traversals       freeList[traversal]
	hemispheres      freeList[hemisphereTraversal]
	singleTraversals freeList[singleTraversal]
	streams          freeList[stream]
	packetTraversals freeList[packetTraversal]
	shadows          freeList[shadowTracer]
	covers           freeList[coverTracer]
	skies            freeList[skyTracer]
	reflections      freeList[reflectionTracer]

	views    freeList[BVH] // of this hierarchy: see Cancelable
	original *BVH          // of a view; otherwise nil
}

// MaxSolids is the maximum number of solids of each kind: a primitive reference has 28 bits for the
// index.
const MaxSolids = 1 << (31 - kindBits)

// New builds a BVH over copies of the solids. Each solid must pass its Validate. If a solid is invalid, New and all
// queries still terminate, but their results are undefined, even for the other solids. New panics if there are more
// than [MaxSolids] of a kind.
func New(given Source) *BVH {
	if n := max(len(given.Spheres), len(given.Capsules), len(given.Boxes), len(given.Cylinders)); n > MaxSolids {
		panic(fmt.Sprintf("accel: %d solids of a kind, want at most %d", n, MaxSolids))
	}
	tree, items := build(&given)
	w := &BVH{tree: tree, solids: given.prepare(items)}
	w.tree.assignRefs(items)
	if len(items) > 0 {
		w.held, w.reach = len(items), max(w.tree.all.MaxAbs(), w.cutReach())
	}
	return w
}

// Cancelable returns a view of the same hierarchy whose queries end early if canceled becomes true. A query that may have
// ended early has an undefined result, even if it is a valid one by its form. Call the function release when all queries
// of the view have ended.
func (bvh *BVH) Cancelable(canceled *atomic.Bool) (view *BVH, release func()) {
	view = bvh.views.take(func() *BVH {
		return &BVH{solids: bvh.solids, tree: bvh.tree, held: bvh.held, reach: bvh.reach, original: bvh}
	})
	view.tree.canceled = canceled
	return view, func() {
		view.tree.canceled = nil
		bvh.views.put(view)
	}
}

// Len returns the number of solids, without omitted and removed ones.
func (bvh *BVH) Len() int { return bvh.held }

// Enclosing returns the object numbers of the solids that contain the point p, in ascending order. It
// omits a solid if p is so near its surface that rounding could put it on either side.
func (bvh *BVH) Enclosing(p geom.Vec3) []int32 { return bvh.solidsAt(p, Encloses) }

// Touching returns the object numbers of the solids that contain the point p or have it on their surface, in
// ascending order.
func (bvh *BVH) Touching(p geom.Vec3) []int32 { return bvh.solidsAt(p, shapes.Contains) }

// solidsAt returns, in ascending order, the object numbers of the solids for which the function is returns
// true. It calls this function only for solids near the point p.
func (bvh *BVH) solidsAt(p geom.Vec3, is func(shapes.Shape, geom.Vec3) bool) []int32 {
	var found []int32
	around := geom.Bounds{Min: p, Max: p}.Expand(bvh.slack(p))
	t := bvh.traversals.take(newTraversal)
	t.start(&bvh.tree, (*region)(&around))
	for leaf := t.next(0); leaf != nil; leaf = t.next(0) {
		for _, at := range leaf {
			if is(bvh.shape(at), p) {
				found = append(found, bvh.objectNumber(at))
			}
		}
	}
	bvh.traversals.put(t)
	slices.Sort(found)
	return found
}

// Near reports whether a solid may overlap b. If it returns false, no solid overlaps b.
func (bvh *BVH) Near(b geom.Bounds) bool {
	around := b.Expand(bvh.slackIn(b))
	t := bvh.traversals.take(newTraversal)
	t.start(&bvh.tree, (*region)(&around))
	near := t.next(0) != nil
	bvh.traversals.put(t)
	return near
}

// Nearest stores the closest hit of each ray of the packet in hits, in row-major order, and returns the
// number of rays that hit a solid. A ray that starts inside a solid can hit it from inside. The length
// of hits must be p.Len().
func (bvh *BVH) Nearest(p *geom.Packet, hits []Hit) int {
	met := bvh.NearestIfAny(p, hits)
	if met == 0 {
		clearHits(hits)
	}
	return met
}

// NearestIfAny stores the closest hits in hits and returns their number, like [BVH.Nearest]. But if no ray hits a
// solid, it returns 0 and may leave hits unchanged. This saves the time for storing misses in pictures that are
// mostly background.
func (bvh *BVH) NearestIfAny(p *geom.Packet, hits []Hit) int {
	if bvh.Len() == 0 {
		return 0
	}
	// The slack must cover p.Origin, from which solids are projected, and the origins of all rays.
	origins := p.Origins().Include(p.Origin)
	f, ok := newProjection(p, bvh.slackIn(origins))
	if !ok {
		return bvh.nearestSingly(p, hits)
	}
	pt := bvh.packetTraversals.take(bvh.newPacketTraversal)
	met := 0
	for y := 0; y < p.NY; y += packetSide {
		for x := 0; x < p.NX; x += packetSide {
			q := *p
			q.X0, q.Y0 = p.X0+x, p.Y0+y
			q.NX, q.NY = min(packetSide, p.NX-x), min(packetSide, p.NY-y)
			pt.reset(q, f)
			pt.trace()
			if pt.touched || q.Len() < p.Len() {
				met += pt.finish(hits[y*p.NX+x:], p.NX)
			}
		}
	}
	bvh.packetTraversals.put(pt)
	return met
}

// nearestSingly stores the closest hits in hits and returns their number, as Nearest does, but traces each ray
// alone. It is for packets whose vectors Dir, DX and DY are not perpendicular.
func (bvh *BVH) nearestSingly(p *geom.Packet, hits []Hit) int {
	bvh.nearestEach(hits, p.At)
	met := 0
	for i := range hits {
		if hits[i].Object != None {
			met++
		}
	}
	return met
}

// nearestEach stores the closest hit of ray(i) in hits[i].
func (bvh *BVH) nearestEach(hits []Hit, ray func(int) geom.Ray) {
	bvh.traceStream(len(hits), closestHit,
		func(a *activeRay) {
			a.query = rayQuery{ray: ray(a.index), object: noPrim, other: either, tMax: math.Inf(1)}
			a.best = a.known(&a.query)
		},
		func(a *activeRay) { a.complete(&hits[a.index], &a.query.ray, a.best) })
}

// NearestEach stores the closest hit of each ray in hits. Unlike the rays of [BVH.Nearest], these can
// be independent of each other. The lengths of rays and hits must be equal.
func (bvh *BVH) NearestEach(rays []geom.Ray, hits []Hit) {
	bvh.nearestEach(hits, func(i int) geom.Ray { return rays[i] })
}

// Reflected stores the closest hit of each reflected ray in hits. The lengths of rays and hits must be
// equal.
func (bvh *BVH) Reflected(rays []SecondaryRay, hits []Hit) {
	if bvh.Len() == 0 {
		clearHits(hits)
		return
	}
	s := bvh.reflections.take(bvh.newReflectionTracer)
	s.trace(rays, hits)
	bvh.reflections.put(s)
}

// Blocked stores in blocked, for each shadow ray, whether it hits a solid other than the one it leaves before
// its distance in dist, which may be infinite. The lengths of rays, dist and blocked must be equal.
//
// Blocked ignores the solid that a ray leaves. A ray that starts on the outside of the solid does not hit it
// again. For a ray that starts on the inside, the caller must decide whether the ray's end is inside the
// solid, too.
func (bvh *BVH) Blocked(rays []SecondaryRay, dist []float64, blocked []bool) {
	if bvh.Len() == 0 {
		clear(blocked)
		return
	}
	s := bvh.shadows.take(bvh.newShadowTracer)
	s.trace(rays, dist, blocked)
	bvh.shadows.put(s)
}

// slackFactor is the value of [BVH.slack] in units of shapes.Slack (|o| + reach), where |o| is the largest magnitude of
// a coordinate of o. It is the sum of the following bounds, which are to first order and in the same units.
//
//   - No point of a solid is farther from o than D = sqrt(3) (|o| + reach). Rounding in package shapes moves the surface by
//     a multiple of 2^-53 D, and the distance of a hit by the same multiple. The multiple is 12 for a box, so that the two
//     errors add up to 0.65. It is 49 for a capsule or a cylinder: they add up to 2.7. For a sphere it is smaller.
//   - A box is the set of points p with |r.(p - center)| <= h for the columns r of its rotation. Bounds and projections treat
//     these columns as orthonormal, but the dot product of two columns may be wrong by 2^-46 = 2 shapes.Slack. Along a unit
//     vector n, this moves a corner by 2 shapes.Slack, times the sum of |n.r|, which is at most sqrt(3), times the sum of the
//     half extents, which is at most 3 reach: 10.4.
//   - All other values of this package (bounds, planes, edges of shafts, rows of the projection and their products,
//     directions and origins of rays) have errors of at most 57 2^-53 (|o| + reach): 0.9.
//
// So a box needs less than 12, and other solids less than 4. The worst known box needs 6.5.
const slackFactor = 12

// slack returns the margin by which bounds, frusta, shafts and projections are widened for rays from o, so that
// they never cull a hit of package shapes. See Ize, "Robust BVH Ray Traversal", JCGT 2(2), 2013.
func (bvh *BVH) slack(o geom.Vec3) float64 {
	return float64(slackFactor * shapes.Slack * (o.MaxAbs() + bvh.reach))
}

// slackIn returns the slack for rays from any point of b.
func (bvh *BVH) slackIn(b geom.Bounds) float64 { return max(bvh.slack(b.Min), bvh.slack(b.Max)) }

// beyond returns an upper bound for the distance of a hit of a ray from a point of b. No point of a
// solid is farther away than sqrt(3) (|b| + reach), where |b| is the largest magnitude of a coordinate
// in b.
func (bvh *BVH) beyond(b geom.Bounds) float64 { return reachFactor * (b.MaxAbs() + bvh.reach) }

const reachFactor = 2
