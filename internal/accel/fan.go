package accel

import (
	"math/bits"

	"pillbox/geom"
	"pillbox/internal/sampler"
)

// fan finds which shadow rays from one point to a light are blocked, for [BVH.Cover]. It tests the rays
// against the solids that Cover has found near the point's cone, and stops when all rays are blocked. If
// Cover's search ended early, there may be more such solids; fan then traces each ray that is not yet
// blocked on its own. The results are those of [BVH.Blocked].
type fan struct {
	cover  *coverTracer
	trace  TraceFan // the method traceAll, stored because each evaluation of the method value would allocate memory
	soa    shadowRays
	n      int // the number of rays
	masker masker
	picked shadowRays // the rays that may meet the solid that is being tested
	alone  []int32    // indices of the rays that are not blocked by the solids that Cover has found
	solid  fromPoint  // the solid that is being tested without a kernel
}

func (f *fan) init(s *coverTracer) { f.cover, f.trace = s, f.traceAll }

// traceAll is the [TraceFan] that Cover gives to its caller. It passes at most maxMasked rays at a time to
// traceSome.
func (f *fan) traceAll(dirs *sampler.Directions, dist []float64, blocked []bool) {
	for first := 0; first < len(dist); first += maxMasked {
		last := min(first+maxMasked, len(dist))
		f.prepare(dirs, dist, first, last)
		f.traceSome(blocked[first:last])
	}
}

// prepare sets f.soa to the rays with the indices first, ..., last - 1. All of them are open: not yet known
// to be blocked.
func (f *fan) prepare(dirs *sampler.Directions, dist []float64, first, last int) {
	s, l := f.cover, &f.soa
	o := s.axes[s.point].Ray.Origin
	f.n = last - first
	copy(l.dx[:], dirs.X[first:last])
	copy(l.dy[:], dirs.Y[first:last])
	copy(l.dz[:], dirs.Z[first:last])
	copy(l.dist[:], dist[first:last])
	for k := range f.n {
		l.ox[k], l.oy[k], l.oz[k] = o.X, o.Y, o.Z
		l.open[k] = isOpen
	}
	clear(l.open[f.n:][:lanes])
}

// traceSome stores in blocked which rays in f.soa are blocked.
func (f *fan) traceSome(blocked []bool) {
	s := f.cover
	d := s.axes[s.point]
	left := f.testSpheres(&d) && f.testTouching(&d)
	f.alone = f.alone[:0]
	for k := range blocked {
		if blocked[k] = f.soa.open[k] != isOpen; !blocked[k] {
			f.alone = append(f.alone, int32(k))
		}
	}
	if !s.complete && left {
		f.traceAlone(&d, blocked)
	}
}

// testSpheres tests the open rays against the spheres that Cover has found, and reports whether a ray
// remains open. The parameter d is as for the method test.
func (f *fan) testSpheres(d *SecondaryRay) bool {
	s := f.cover
	if len(s.spheres) > 0 && len(d.Eye) == 0 {
		if left, ok := occludeSpheres(&f.soa, s.bvh.spheres, s.spheres, f.n); ok {
			return left
		}
	}
	left := true
	for k := 0; left && k < len(s.spheres); k++ {
		left = f.test(d, s.spheres[k], &f.soa, f.n)
	}
	return left
}

// minMasked is the least number of solids for which the masks of a masker save time.
const minMasked = 4

// testTouching tests the open rays against the solids other than spheres that Cover has found, and reports whether a ray
// remains open. It tests each solid only against the rays that may meet the ball around it.
func (f *fan) testTouching(d *SecondaryRay) bool {
	s := f.cover
	f.masker.origin, f.masker.margin = d.Ray.Origin, s.search.margin
	if len(s.touching) < minMasked || !f.masker.find(&f.soa, f.n, s.around, s.touching) {
		left := true
		for k := 0; left && k < len(s.touching); k++ {
			left = f.test(d, s.around.refs[s.touching[k]], &f.soa, f.n)
		}
		return left
	}
	open := f.soa.openRays(f.n)
	for k, may := range f.masker.masks {
		if may &= open; may != 0 {
			open &^= f.testSome(d, s.around.refs[s.touching[k]], may)
		}
	}
	for k := range f.n {
		if open>>k&1 == 0 {
			f.soa.open[k] = 0
		}
	}
	return open != 0
}

// testSome tests the given open rays against a solid, and returns which of them it blocks.
func (f *fan) testSome(d *SecondaryRay, at primRef, rays rayMask) (blocked rayMask) {
	l, p := &f.soa, &f.picked
	n := 0
	for m := rays; m != 0; m &= m - 1 {
		k := bits.TrailingZeros64(uint64(m))
		p.ox[n], p.oy[n], p.oz[n] = l.ox[k], l.oy[k], l.oz[k]
		p.dx[n], p.dy[n], p.dz[n] = l.dx[k], l.dy[k], l.dz[k]
		p.dist[n], p.open[n] = l.dist[k], isOpen
		n++
	}
	clear(p.open[n:][:lanes])
	f.test(d, at, p, n)
	n = 0
	for m := rays; m != 0; m &= m - 1 {
		if p.open[n] != isOpen {
			blocked |= m & -m
		}
		n++
	}
	return blocked
}

// test tests those of the first n rays of l that are open against a solid, and reports whether a ray remains open. All
// rays share the origin and the list Eye of d; the direction of d is not used.
func (f *fan) test(d *SecondaryRay, at primRef, l *shadowRays, n int) bool {
	s := f.cover
	if len(d.Eye) == 0 {
		if o := s.bvh.solids.occlude(at, l, n); !o.undecided() {
			return o.met()
		}
	}
	left := false
	object := s.bvh.number(at)
	f.solid.prepare(&s.bvh.solids, at, d.Ray.Origin)
	for k := range n {
		if l.open[k] != isOpen {
			continue
		}
		if near, far, ok := f.solid.chord(l.dir(k)); ok && d.blockedBy(object, near, far, l.dist[k]) {
			l.open[k] = 0
		} else {
			left = true
		}
	}
	return left
}

// traceAlone traces the open rays singly and stores the results in blocked. d has the origin and the list Eye
// that all these rays share.
func (f *fan) traceAlone(d *SecondaryRay, blocked []bool) {
	s := f.cover
	s.bvh.traceStream(len(f.alone), anyHit,
		func(a *activeRay) {
			k := f.alone[a.index]
			q := &a.query
			q.ray, q.object, q.eye, q.tMax = geom.Ray{Origin: d.Ray.Origin, Dir: f.soa.dir(int(k))}, s.bvh.primOf(d.Object), d.Eye, f.soa.dist[k]
			q.own, q.other = false, entering
			a.best = a.known(q)
		},
		func(a *activeRay) { blocked[f.alone[a.index]] = a.best.prim != noPrim })
}
