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
	cover    *coverTracer
	trace    TraceFan   // the method traceAll, stored because each evaluation of the method value would allocate memory
	n        int        // the number of rays
	rays     shadowRays // of which only the directions and distances are used
	masker   masker
	narrower narrower
	picked   shadowRays // the rays that may hit the solid that is being tested
	solid    fromPoint  // the solid that is being tested without a kernel
	alone    []int32    // indices of the rays that are not blocked by the solids that Cover has found
}

func (f *fan) init(s *coverTracer) { f.cover, f.trace = s, f.traceAll }

// traceAll is the [TraceFan] that Cover gives to its caller. It passes at most maxMasked rays at a time to
// traceSome.
func (f *fan) traceAll(dirs *sampler.Directions, dist []float64, blocked []bool) {
	s := f.cover
	f.setOrigin(&s.axes[s.point], &s.cones[s.point])
	for first := 0; first < len(dist); first += maxMasked {
		last := min(first+maxMasked, len(dist))
		f.prepare(dirs, dist, first, last)
		f.traceSome(blocked[first:last])
	}
}

// setOrigin prepares the fan for rays from the origin of d, in the cone c.
func (f *fan) setOrigin(d *SecondaryRay, c *Cone) {
	m := &f.masker
	m.origin, m.margin, m.light = d.Ray.Origin, f.cover.search.margin, c.Near-f.cover.search.margin
	if len(d.Eye) > 0 {
		m.light = 0 // a ray to the light may hit a solid around the eye from inside
	}
}

// prepare sets f.rays to the rays with the indices first, ..., last - 1.
func (f *fan) prepare(dirs *sampler.Directions, dist []float64, first, last int) {
	l := &f.rays
	f.n = last - first
	copy(l.dx[:], dirs.X[first:last])
	copy(l.dy[:], dirs.Y[first:last])
	copy(l.dz[:], dirs.Z[first:last])
	copy(l.dist[:], dist[first:last])
}

// traceSome stores in blocked which rays in f.rays are blocked.
func (f *fan) traceSome(blocked []bool) {
	s := f.cover
	d := &s.axes[s.point]
	open := f.testTouching(d)
	for k := range blocked {
		blocked[k] = open>>k&1 == 0
	}
	if !s.complete && open != 0 {
		f.traceAlone(d, open, blocked)
	}
}

// testTouching tests the rays against the solids that Cover has found, and returns those that remain open. All rays share
// the origin and the list Eye of d; the direction of d is not used.
func (f *fan) testTouching(d *SecondaryRay) (open rayMask) {
	s, m := f.cover, &f.masker
	open = firstRays(f.n)
	for near := s.near; len(near) > 0 && open != 0; {
		some := near[:min(len(near), maskedBalls)]
		near = near[len(some):]
		m.blocked = ^open
		if !m.find(&f.rays, f.n, s.around.nested, some) {
			m.fill(len(some))
		}
		if open = ^m.blocked; open == 0 {
			break
		}
		left := f.narrower.narrow(m, &s.bvh.solids, s.around, some)
		open = ^m.blocked
		for _, k := range left {
			if may := m.masks[k] & open; may != 0 {
				open &^= f.test(d, s.around.refs[some[k]], may)
			}
		}
	}
	return open
}

// test tests some rays against a solid, and returns which of them it blocks. The parameter d is as for the method
// testTouching.
func (f *fan) test(d *SecondaryRay, at primRef, rays rayMask) (blocked rayMask) {
	s := f.cover
	if len(d.Eye) == 0 {
		n := f.pick(d, rays)
		if o := s.bvh.solids.occlude(at, &f.picked, n); !o.undecided() {
			return f.unpick(rays)
		}
	}
	object := s.bvh.objectNumber(at)
	f.solid.prepare(&s.bvh.solids, at, d.Ray.Origin)
	for m := rays; m != 0; m &= m - 1 {
		k := m.first()
		if near, far, ok := f.solid.chord(f.rays.dir(k)); ok && d.blockedBy(object, near, far, f.rays.dist[k]) {
			blocked |= 1 << k
		}
	}
	return blocked
}

// pick copies some rays to f.picked, all of them open, and returns their number.
func (f *fan) pick(d *SecondaryRay, rays rayMask) (n int) {
	l, p, o := &f.rays, &f.picked, &d.Ray.Origin
	for m := rays; m != 0; m &= m - 1 {
		k := m.first()
		p.ox[n], p.oy[n], p.oz[n] = o.X, o.Y, o.Z
		p.dx[n], p.dy[n], p.dz[n] = l.dx[k], l.dy[k], l.dz[k]
		p.dist[n], p.open[n] = l.dist[k], isOpen
		n++
	}
	clear(p.open[n:][:lanes])
	return n
}

// unpick returns which of the rays, which have been picked, are not open.
func (f *fan) unpick(rays rayMask) (blocked rayMask) {
	n := 0
	for m := rays; m != 0; m &= m - 1 {
		if f.picked.open[n] != isOpen {
			blocked |= m & -m
		}
		n++
	}
	return blocked
}

// traceAlone traces the open rays singly and stores the results in blocked. d has the origin and the list Eye
// that all these rays share.
func (f *fan) traceAlone(d *SecondaryRay, open rayMask, blocked []bool) {
	s := f.cover
	f.alone = f.alone[:0]
	for ; open != 0; open &= open - 1 {
		f.alone = append(f.alone, int32(open.first()))
	}
	s.bvh.traceStream(len(f.alone), anyHit,
		func(a *activeRay) {
			k := f.alone[a.index]
			q := &a.query
			q.ray, q.object, q.eye, q.tMax = geom.Ray{Origin: d.Ray.Origin, Dir: f.rays.dir(int(k))}, s.bvh.primOf(d.Object), d.Eye, f.rays.dist[k]
			q.own, q.other = false, entering
			a.best = a.known(q)
		},
		func(a *activeRay) { blocked[f.alone[a.index]] = a.best.prim != noPrim })
}
