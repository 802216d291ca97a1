package accel

import (
	"math"
	"slices"
	"sync"

	"pillbox/geom"
	"pillbox/shapes"
)

// World is a set of solids prepared for ray queries. It is immutable and safe for
// concurrent use.
type World struct {
	solids
	tree  tree
	reach float64 // largest magnitude of a coordinate in the tree's bounds

	bundles, shadows, reflections sync.Pool // scratch memory of queries that are done
}

// New prepares the solids, each of which must pass its Validate. It keeps copies. At most
// 2^29 solids of a kind fit. If a solid is invalid, New and all queries still end, but what they
// answer means nothing, not even for the other solids.
func New(spheres []shapes.Sphere, capsules []shapes.Capsule, boxes []shapes.Box) *World {
	given := source{spheres, capsules, boxes}
	tree, order := build(given.len(), given.bounds)
	w := &World{tree: tree}
	w.solids, w.tree.slots = given.prepare(order)
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
	var t traversal
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
	around := b.Expand(w.slack(b.Min) + w.slack(b.Max))
	var t traversal
	t.start(&w.tree, (*region)(&around))
	return t.next(0) != nil
}

// Nearest stores into hits what each ray of the packet meets first, in row-major order, and
// returns how many of them meet a solid. The rays start in free space; one that starts
// inside a solid hits it from inside. The length of hits must be p.Len().
func (w *World) Nearest(p *geom.Packet, hits []Hit) int {
	if w.Len() == 0 {
		clearHits(hits)
		return 0
	}
	// Solids are seen from p.Origin, and hit by rays from between the corners.
	origins := p.Origins().Include(p.Origin)
	f, ok := newProjection(p, max(w.slack(origins.Min), w.slack(origins.Max)))
	if !ok {
		return w.nearestSingly(p, hits)
	}
	b, _ := w.bundles.Get().(*bundle)
	if b == nil {
		b = newBundle(w)
	}
	defer w.bundles.Put(b)
	met := 0
	for y := 0; y < p.NY; y += packetSide {
		for x := 0; x < p.NX; x += packetSide {
			q := *p
			q.X0, q.Y0 = p.X0+x, p.Y0+y
			q.NX, q.NY = min(packetSide, p.NX-x), min(packetSide, p.NY-y)
			b.reset(q, f)
			b.trace()
			met += b.finish(hits[y*p.NX+x:], p.NX)
		}
	}
	return met
}

// nearestSingly is Nearest ray by ray, for packets whose vectors are not perpendicular.
func (w *World) nearestSingly(p *geom.Packet, hits []Hit) int {
	a, met := walker{World: w}, 0
	for i := range hits {
		hits[i] = a.nearest(&query{ray: p.At(i), object: None, other: either, tMax: math.Inf(1)})
		if hits[i].Object != None {
			met++
		}
	}
	return met
}

// Reflected stores into hits what each reflected ray meets first. The lengths of rays and hits
// must be equal.
func (w *World) Reflected(rays []Departure, hits []Hit) {
	if w.Len() == 0 {
		clearHits(hits)
		return
	}
	s, _ := w.reflections.Get().(*reflections)
	if s == nil {
		s = newReflections(w)
	}
	defer w.reflections.Put(s)
	s.trace(rays, hits)
}

// Blocked stores into blocked whether a solid other than the one it leaves lies on each
// ray before the distance dist, which may be infinite. The lengths of rays, dist and
// blocked must be equal.
//
// The solid that a ray leaves is not considered: from outside it blocks nothing, and from
// inside it blocks exactly the lights outside it.
func (w *World) Blocked(rays []Departure, dist []float64, blocked []bool) {
	if w.Len() == 0 {
		clear(blocked)
		return
	}
	s, _ := w.shadows.Get().(*shadows)
	if s == nil {
		s = newShadows(w)
	}
	defer w.shadows.Put(s)
	s.trace(rays, dist, blocked)
}

// slack is how far bounds, frusta and shafts are moved outward for rays from o, so that
// none culls what package shapes calls a hit. In multiples of shapes.Slack (|o| + reach), in
// terms of largest coordinates:
//
//   - The distance D from o to any point of a solid is at most sqrt(3) (|o| + reach), and the
//     computed hit lies within 2 shapes.Slack D of the solid: 3.5.
//   - A box whose rotation is as skew as package shapes permits, 2^-46 = 2 shapes.Slack, reaches
//     farther than its half extents say by as much of each of them, for each of them, times
//     sqrt(3) at most: 3 * 2 sqrt(3) = 10.4.
//   - What else this package computes is good to a few dozen 2^-53 of the same lengths: less
//     than 1.
//
// See Ize, "Robust BVH Ray Traversal", JCGT 2(2), 2013.
func (w *World) slack(o geom.Vec3) float64 {
	return float64(16 * shapes.Slack * (o.MaxAbs() + w.reach))
}
