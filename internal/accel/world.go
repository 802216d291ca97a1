package accel

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// World is a set of solids prepared for ray queries. It is immutable and safe for
// concurrent use.
type World struct {
	solids
	tree  tree
	reach float64 // largest magnitude of a coordinate in the tree's bounds

	traversals  spares[traversal]
	walkers     spares[walker]
	streams     spares[stream]
	bundles     spares[bundle]
	shadows     spares[shadows]
	reflections spares[reflections]
}

// New prepares the solids, each of which must pass its Validate. It keeps copies. At most
// 2^29 solids of a kind fit. If a solid is invalid, New and all queries still end, but what they
// answer means nothing, not even for the other solids.
func New(spheres []shapes.Sphere, capsules []shapes.Capsule, boxes []shapes.Box) *World {
	given := source{spheres, capsules, boxes}
	tree, items := build(&given)
	w := &World{tree: tree, solids: given.prepare(items)}
	w.tree.place(items)
	if w.Len() > 0 {
		w.reach = w.tree.all.MaxAbs()
	}
	return w
}

// Len returns the number of solids.
func (w *World) Len() int { return len(w.slots) }

// Bounds returns the bounds of all solids together, empty if there are none.
func (w *World) Bounds() geom.Bounds { return w.tree.all }

// Enclosing returns the numbers of the solids around the point p, in ascending order. A
// solid whose surface is so near that rounding cannot tell the side is not around p.
func (w *World) Enclosing(p geom.Vec3) []int32 { return w.at(p, encloses) }

// Touching returns the numbers of the solids that contain the point p, surfaces included,
// in ascending order.
func (w *World) Touching(p geom.Vec3) []int32 { return w.at(p, shapes.Contains) }

// at returns the numbers of the solids at p for which is holds.
func (w *World) at(p geom.Vec3, is func(shapes.Shape, geom.Vec3) bool) []int32 {
	var found []int32
	around := geom.Bounds{Min: p, Max: p}.Expand(w.slack(p))
	t := w.traversals.take(newTraversal)
	defer w.traversals.put(t)
	t.start(&w.tree, (*region)(&around))
	for leaf := t.next(0); leaf != nil; leaf = t.next(0) {
		for _, at := range leaf {
			if is(w.shape(at), p) {
				found = append(found, w.number(at))
			}
		}
	}
	slices.Sort(found)
	return found
}

// Near reports whether a solid may reach into b: false means that none does.
func (w *World) Near(b geom.Bounds) bool {
	around := b.Expand(w.slackIn(b))
	t := w.traversals.take(newTraversal)
	defer w.traversals.put(t)
	t.start(&w.tree, (*region)(&around))
	return t.next(0) != nil
}

// Nearest stores into hits what each ray of the packet meets first, in row-major order, and
// returns how many of them meet a solid. The rays start in free space; one that starts
// inside a solid hits it from inside. The length of hits must be p.Len().
func (w *World) Nearest(p *geom.Packet, hits []Hit) int {
	met := w.NearestIfAny(p, hits)
	if met == 0 {
		clearHits(hits)
	}
	return met
}

// NearestIfAny is [World.Nearest], but where it returns 0 it may leave the hits as they are. So much of a
// picture may be nothing but background that storing there that nothing was met takes long.
func (w *World) NearestIfAny(p *geom.Packet, hits []Hit) int {
	if w.Len() == 0 {
		return 0
	}
	// Solids are seen from p.Origin, and hit by rays from between the corners.
	origins := p.Origins().Include(p.Origin)
	f, ok := newProjection(p, w.slackIn(origins))
	if !ok {
		return w.nearestSingly(p, hits)
	}
	b := w.bundles.take(w.newBundle)
	defer w.bundles.put(b)
	met := 0
	for y := 0; y < p.NY; y += packetSide {
		for x := 0; x < p.NX; x += packetSide {
			q := *p
			q.X0, q.Y0 = p.X0+x, p.Y0+y
			q.NX, q.NY = min(packetSide, p.NX-x), min(packetSide, p.NY-y)
			b.reset(q, f)
			b.trace()
			if b.touched || q.Len() < p.Len() {
				met += b.finish(hits[y*p.NX+x:], p.NX)
			}
		}
	}
	return met
}

// nearestSingly is Nearest ray by ray, for packets whose vectors are not perpendicular.
func (w *World) nearestSingly(p *geom.Packet, hits []Hit) int {
	w.nearestEach(hits, p.At)
	met := 0
	for i := range hits {
		if hits[i].Object != None {
			met++
		}
	}
	return met
}

// nearestEach stores into hits what each of some rays meets first.
func (w *World) nearestEach(hits []Hit, ray func(int) geom.Ray) {
	w.follow(len(hits), nearest,
		func(a *strand) {
			a.query = query{ray: ray(a.index), object: noSlot, other: either, tMax: math.Inf(1)}
			a.best = a.known(&a.query)
		},
		func(a *strand) { a.complete(&hits[a.index], &a.query.ray, a.best) })
}

// NearestEach stores into hits what each ray meets first, as [World.Nearest] does, of rays that need have
// nothing in common. The lengths of rays and hits must be equal.
func (w *World) NearestEach(rays []geom.Ray, hits []Hit) {
	w.nearestEach(hits, func(i int) geom.Ray { return rays[i] })
}

// Reflected stores into hits what each reflected ray meets first. The lengths of rays and hits
// must be equal.
func (w *World) Reflected(rays []SecondaryRay, hits []Hit) {
	if w.Len() == 0 {
		clearHits(hits)
		return
	}
	s := w.reflections.take(w.newReflections)
	defer w.reflections.put(s)
	s.trace(rays, hits)
}

// Blocked stores into blocked whether a solid other than the one it leaves lies on each
// ray before the distance dist, which may be infinite. The lengths of rays, dist and
// blocked must be equal.
//
// The solid that a ray leaves is not considered: from outside it blocks nothing, and from
// inside it blocks exactly the lights outside it.
func (w *World) Blocked(rays []SecondaryRay, dist []float64, blocked []bool) {
	if w.Len() == 0 {
		clear(blocked)
		return
	}
	s := w.shadows.take(w.newShadows)
	defer w.shadows.put(s)
	s.trace(rays, dist, blocked)
}

// slackFactor is [World.slack] in multiples of shapes.Slack (|o| + reach), in terms of largest
// coordinates. What follows is to first order, in the same multiples.
//
//   - No point of a solid is farther from o than sqrt(3) (|o| + reach). Package shapes moves the
//     surface and the distance of a hit by so many 2^-53 of that: a box by 12 each, 0.65 together,
//     a capsule by 49 each, 2.7 together, a sphere by less.
//   - A box is the points p with |r.(p - center)| <= h for the columns r of its rotation, and its
//     bounds and projections take the columns for orthonormal. They may be off by 2^-46 = 2
//     shapes.Slack in every product. Along a unit vector n, that moves a corner by as much, times
//     the sum of |n.r|, which is at most sqrt(3), times the sum of the half extents, which is at
//     most 3 reach because that of the bounds' is: 10.4.
//   - What else this package computes (bounds, planes, edges of shafts, rows of the projection and
//     their products, directions and origins of rays) is good to 57 2^-53 of the same lengths: 0.9.
//
// So a box needs less than 12 and the other solids less than 4. Boxes that need 6.5 are known.
const slackFactor = 12

// slack is how far bounds, frusta, shafts and projections are moved outward for rays from o, so
// that none culls what package shapes calls a hit. See Ize, "Robust BVH Ray Traversal", JCGT 2(2),
// 2013.
func (w *World) slack(o geom.Vec3) float64 {
	return float64(slackFactor * shapes.Slack * (o.MaxAbs() + w.reach))
}

// slackIn returns the slack for rays from any point of b.
func (w *World) slackIn(b geom.Bounds) float64 { return max(w.slack(b.Min), w.slack(b.Max)) }

// beyond returns a distance that no hit of a ray from a point of b exceeds. No point of a solid is
// farther than sqrt(3) (|b| + reach), in terms of largest coordinates.
func (w *World) beyond(b geom.Bounds) float64 { return reachFactor * (b.MaxAbs() + w.reach) }

const reachFactor = 2
