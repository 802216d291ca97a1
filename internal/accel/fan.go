package accel

import (
	"pillbox/geom"
	"pillbox/internal/sampler"
)

// fan finds which shadow rays from one point to a light are blocked, for [BVH.Cover]. It tests the rays
// against the solids that Cover has found near the point's cone, and stops when all rays are blocked. If
// Cover's search ended early, there may be more such solids; fan then traces each ray that is not yet
// blocked on its own. The results are those of [BVH.Blocked].
type fan struct {
	cover *coverTracer
	trace TraceFan // the method traceAll, stored because each evaluation of the method value would allocate memory
	soa   shadowRays
	n     int       // the number of rays
	alone []int32   // indices of the rays that are not blocked by the solids that Cover has found
	solid fromPoint // the solid that is being tested without a kernel
}

func (f *fan) init(s *coverTracer) { f.cover, f.trace = s, f.traceAll }

// traceAll is the [TraceFan] that Cover gives to its caller. It passes at most maxGrouped rays at a time to
// traceSome.
func (f *fan) traceAll(dirs *sampler.Directions, dist []float64, blocked []bool) {
	for first := 0; first < len(dist); first += maxGrouped {
		last := min(first+maxGrouped, len(dist))
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
	left := f.testSpheres(&d)
	for k := 0; left && k < len(s.touching); k++ {
		left = f.test(&d, s.touching[k])
	}
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
		left = f.test(d, s.spheres[k])
	}
	return left
}

// test tests the open rays against a solid, and reports whether a ray remains open. All rays share the
// origin and the list Eye of d; the direction of d is not used.
func (f *fan) test(d *SecondaryRay, at primRef) bool {
	s := f.cover
	if len(d.Eye) == 0 {
		if o := s.bvh.solids.occlude(at, &f.soa, f.n); !o.undecided() {
			return o.met()
		}
	}
	left := false
	object := s.bvh.number(at)
	f.solid.prepare(&s.bvh.solids, at, d.Ray.Origin)
	for k := range f.n {
		if f.soa.open[k] != isOpen {
			continue
		}
		if near, far, ok := f.solid.chord(f.soa.dir(k)); ok && d.blockedBy(object, near, far, f.soa.dist[k]) {
			f.soa.open[k] = 0
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
