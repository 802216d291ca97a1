package accel

import "pillbox/geom"

// shadowRays are the rays of a group in the layout of the kernels. A ray is open as long as no
// solid is known to block it.
type shadowRays struct {
	ox, oy, oz [maxGrouped + lanes]float64
	dx, dy, dz [maxGrouped + lanes]float64
	dist       [maxGrouped + lanes]float64
	open       [maxGrouped + lanes]int64 // isOpen or 0

	_ [12 * lanes]float64 // scratch memory of kernels
}

const isOpen int64 = -1

// set stores ray k, which is open.
func (l *shadowRays) set(k int, r *geom.Ray, dist float64) {
	l.ox[k], l.oy[k], l.oz[k] = r.Origin.X, r.Origin.Y, r.Origin.Z
	l.dx[k], l.dy[k], l.dz[k] = r.Dir.X, r.Dir.Y, r.Dir.Z
	l.dist[k], l.open[k] = dist, isOpen
}

// shadows finds which shadow rays are blocked: rays that leave one solid together, and start and
// end close to each other, share one walk through the tree.
type shadows struct {
	*World
	groups
	rays    []Departure
	dist    []float64
	blocked []bool

	object  int32      // the solid that the group leaves
	members []int32    // the rays of the group
	eyeless bool       // none of them comes from an eye inside a solid
	soa     shadowRays // the rays of the group as kernels want them
	walk    traversal
	shaft   shaft
}

// trace answers [World.Blocked].
func (s *shadows) trace(rays []Departure, dist []float64, blocked []bool) {
	for len(rays) > 0 {
		n := s.sort(rays)
		s.rays, s.dist, s.blocked = rays[:n], dist[:n], blocked[:n]
		for k := range s.n {
			s.object, s.members = s.objects[k], s.group(k)
			s.traceGroup()
		}
		rays, dist, blocked = rays[n:], dist[n:], blocked[n:]
	}
}

// traceGroup walks the tree once with the shaft around the group's rays and tests the solids in
// it against those that are open.
func (s *shadows) traceGroup() {
	s.aim()
	s.walk.start(&s.tree, &s.shaft)
	for leaf := s.walk.next(0); leaf != nil; leaf = s.walk.next(0) {
		for _, at := range leaf {
			if s.number(at) != s.object && s.shaft.admits(&s.solids, at) && !s.test(at) {
				s.walk.stop()
				break
			}
		}
	}
	for k, i := range s.members {
		s.blocked[i] = s.soa.open[k] != isOpen
	}
}

// aim prepares the rays of the group and the shaft around them.
func (s *shadows) aim() {
	from, to := geom.EmptyBounds(), geom.EmptyBounds()
	s.eyeless = true
	for k, i := range s.members {
		d := &s.rays[i]
		s.soa.set(k, &d.Ray, s.dist[i])
		s.eyeless = s.eyeless && len(d.Eye) == 0
		include(&from, d.Ray.Origin)
	}
	clear(s.soa.open[len(s.members):][:lanes])
	far := 4 * (from.MaxAbs() + s.reach)
	for _, i := range s.members {
		include(&to, s.rays[i].Ray.At(min(s.dist[i], far)))
	}
	s.shaft.stretch(from, to, s.slack(from.Min)+s.slack(from.Max))
}

// test tests the solid in a slot against the open rays of the group and reports whether any
// stays open.
func (s *shadows) test(at slot) bool {
	o := undecided
	if s.eyeless {
		o = s.solids.occlude(at, &s.soa, len(s.members))
	}
	if !o.undecided() {
		return o.met()
	}
	left := false
	object := s.number(at)
	for k, i := range s.members {
		if s.soa.open[k] != isOpen {
			continue
		}
		d := &s.rays[i]
		if near, far, ok := s.chord(at, d.Ray.Origin, d.Ray.Dir); ok && d.blockedBy(object, near, far, s.dist[i]) {
			s.soa.open[k] = 0
		} else {
			left = true
		}
	}
	return left
}

// occlude lets a kernel test the solid in a slot against the first n rays. In the verdict, rays that
// stay open take the place of rays that met the solid.
func (s *solids) occlude(at slot, l *shadowRays, n int) verdict {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return occludeSphere(l, &s.spheres[i], n)
	case capsuleKind:
		return occludeCapsule(l, &s.capsules[i], n)
	default:
		return occludeBox(l, &s.boxes[i], n)
	}
}

// blockedBy reports whether a solid that the ray's line crosses at near and far blocks the ray before
// the distance dist.
func (d *Departure) blockedBy(object int32, near, far, dist float64) bool {
	t, _, ok := d.side(object).pick(near, far)
	return ok && t < dist
}
