package accel

import (
	"fmt"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// BVH is a set of solids prepared for ray queries. It is immutable and safe for
// concurrent use.
type BVH struct {
	solids
	tree  tree
	reach float64 // largest magnitude of a coordinate in the tree's bounds

	traversals       freeList[traversal]
	singleTraversals freeList[singleTraversal]
	streams          freeList[stream]
	packetTraversals freeList[packetTraversal]
	shadows          freeList[shadowTracer]
	reflections      freeList[reflectionTracer]
}

// MaxSolids is the maximum number of solids of a kind: a [primRef] has 28 bits for the index.
const MaxSolids = 1 << (31 - kindBits)

// New prepares the solids, each of which must pass its Validate. It keeps copies. If a solid is
// invalid, New and all queries still end, but their answers are undefined, even for the other
// solids. New panics if there are more than [MaxSolids] of a kind.
func New(given Source) *BVH {
	if n := max(len(given.Spheres), len(given.Capsules), len(given.Boxes), len(given.Cylinders)); n > MaxSolids {
		panic(fmt.Sprintf("accel: %d solids of a kind, want at most %d", n, MaxSolids))
	}
	tree, items := build(&given)
	w := &BVH{tree: tree, solids: given.prepare(items)}
	w.tree.assignRefs(items)
	if w.Len() > 0 {
		w.reach = w.tree.all.MaxAbs()
	}
	return w
}

// Len returns the number of solids.
func (bvh *BVH) Len() int { return len(bvh.refs) }

// Bounds returns the bounds of all solids together, empty if none exist.
func (bvh *BVH) Bounds() geom.Bounds { return bvh.tree.all }

// Enclosing returns the numbers of the solids around the point p, in ascending order. A
// solid whose surface is so near that rounding cannot tell the side is not around p.
func (bvh *BVH) Enclosing(p geom.Vec3) []int32 { return bvh.at(p, encloses) }

// Touching returns the numbers of the solids that contain the point p, surfaces included,
// in ascending order.
func (bvh *BVH) Touching(p geom.Vec3) []int32 { return bvh.at(p, shapes.Contains) }

// at returns the numbers of the solids at p for which is holds.
func (bvh *BVH) at(p geom.Vec3, is func(shapes.Shape, geom.Vec3) bool) []int32 {
	var found []int32
	around := geom.Bounds{Min: p, Max: p}.Expand(bvh.slack(p))
	t := bvh.traversals.take(newTraversal)
	t.start(&bvh.tree, (*region)(&around))
	for leaf := t.next(0); leaf != nil; leaf = t.next(0) {
		for _, at := range leaf {
			if is(bvh.shape(at), p) {
				found = append(found, bvh.number(at))
			}
		}
	}
	bvh.traversals.put(t)
	slices.Sort(found)
	return found
}

// Near reports whether a solid may reach into b: false means that none does.
func (bvh *BVH) Near(b geom.Bounds) bool {
	around := b.Expand(bvh.slackIn(b))
	t := bvh.traversals.take(newTraversal)
	t.start(&bvh.tree, (*region)(&around))
	near := t.next(0) != nil
	bvh.traversals.put(t)
	return near
}

// Nearest stores into hits what each ray of the packet meets first, in row-major order, and
// returns how many of them meet a solid. The rays start in free space; one that starts
// inside a solid hits it from inside. The length of hits must be p.Len().
func (bvh *BVH) Nearest(p *geom.Packet, hits []Hit) int {
	met := bvh.NearestIfAny(p, hits)
	if met == 0 {
		clearHits(hits)
	}
	return met
}

// NearestIfAny is [BVH.Nearest], but if it returns 0, it may leave the hits unchanged: in a picture that is mostly
// background, storing misses takes long.
func (bvh *BVH) NearestIfAny(p *geom.Packet, hits []Hit) int {
	if bvh.Len() == 0 {
		return 0
	}
	// Solids are seen from p.Origin, and hit by rays from between the corners.
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

// nearestSingly is Nearest ray by ray, for packets whose vectors are not perpendicular.
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

// nearestEach stores into hits what each of some rays meets first.
func (bvh *BVH) nearestEach(hits []Hit, ray func(int) geom.Ray) {
	bvh.traceStream(len(hits), nearest,
		func(a *activeRay) {
			a.query = rayQuery{ray: ray(a.index), object: noPrim, other: either, tMax: math.Inf(1)}
			a.best = a.known(&a.query)
		},
		func(a *activeRay) { a.complete(&hits[a.index], &a.query.ray, a.best) })
}

// NearestEach stores into hits what each ray meets first, as [BVH.Nearest] does, of rays that need have
// nothing in common. The lengths of rays and hits must be equal.
func (bvh *BVH) NearestEach(rays []geom.Ray, hits []Hit) {
	bvh.nearestEach(hits, func(i int) geom.Ray { return rays[i] })
}

// Reflected stores into hits what each reflected ray meets first. The lengths of rays and hits
// must be equal.
func (bvh *BVH) Reflected(rays []SecondaryRay, hits []Hit) {
	if bvh.Len() == 0 {
		clearHits(hits)
		return
	}
	s := bvh.reflections.take(bvh.newReflectionTracer)
	s.trace(rays, hits)
	bvh.reflections.put(s)
}

// Blocked stores into blocked whether a solid other than the one it leaves lies on each
// ray before the distance dist, which may be infinite. The lengths of rays, dist and
// blocked must be equal.
//
// The solid that a ray leaves is not considered: from outside it blocks nothing, and from
// inside it blocks exactly the lights outside it.
func (bvh *BVH) Blocked(rays []SecondaryRay, dist []float64, blocked []bool) {
	if bvh.Len() == 0 {
		clear(blocked)
		return
	}
	s := bvh.shadows.take(bvh.newShadowTracer)
	s.trace(rays, dist, blocked)
	bvh.shadows.put(s)
}

// slackFactor is [BVH.slack] in multiples of shapes.Slack (|o| + reach), in terms of largest
// coordinates. What follows is to first order, in the same multiples.
//
//   - No point of a solid is farther from o than sqrt(3) (|o| + reach). Package shapes moves the
//     surface and the distance of a hit by so many 2^-53 of that: a box by 12 each, 0.65 together,
//     a capsule or a cylinder by 49 each, 2.7 together, a sphere by less.
//   - A box is the points p with |r.(p - center)| <= h for the columns r of its rotation, and its
//     bounds and projections take the columns for orthonormal. They may be off by 2^-46 = 2
//     shapes.Slack in every product. Along a unit vector n, that moves a corner by as much, times
//     the sum of |n.r|, which is at most sqrt(3), times the sum of the half extents, which is at
//     most 3 reach because that of the bounds' is: 10.4.
//   - All other values of this package (bounds, planes, edges of shafts, rows of the projection and
//     their products, directions and origins of rays) have an error of at most 57 2^-53 of the same lengths: 0.9.
//
// So a box needs less than 12 and the other solids less than 4. Boxes that need 6.5 are known.
const slackFactor = 12

// slack is how far bounds, frusta, shafts and projections are moved outward for rays from o, so
// that none culls what package shapes calls a hit. See Ize, "Robust BVH Ray Traversal", JCGT 2(2),
// 2013.
func (bvh *BVH) slack(o geom.Vec3) float64 {
	return float64(slackFactor * shapes.Slack * (o.MaxAbs() + bvh.reach))
}

// slackIn returns the slack for rays from any point of b.
func (bvh *BVH) slackIn(b geom.Bounds) float64 { return max(bvh.slack(b.Min), bvh.slack(b.Max)) }

// beyond returns a distance that no hit of a ray from a point of b exceeds. No point of a solid is
// farther than sqrt(3) (|b| + reach), in terms of largest coordinates.
func (bvh *BVH) beyond(b geom.Bounds) float64 { return reachFactor * (b.MaxAbs() + bvh.reach) }

const reachFactor = 2
