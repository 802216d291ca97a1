package accel

import "pillbox/geom"

// fan finds which shadow rays from one point to a light are blocked, for [BVH.Cover]. First, it tests all rays against
// the solids that Cover has found near the point's cone, until all rays are blocked. If Cover has not found all such
// solids, fan then traces the rays that are still open singly. The results are those of [BVH.Blocked].
type fan struct {
	cover *coverTracer
	trace TraceFan // the method traceAll, stored because each evaluation of the method value would allocate memory
	soa   shadowRays
	dirs  []geom.Vec3
	dist  []float64
	alone []int32 // indices of the open rays that are traced singly
}

func (f *fan) init(s *coverTracer) { f.cover, f.trace = s, f.traceAll }

// traceAll is the [TraceFan] that Cover gives to its caller. It passes at most maxGrouped rays at a time to
// traceSome.
func (f *fan) traceAll(dirs []geom.Vec3, dist []float64, blocked []bool) {
	for len(dirs) > 0 {
		n := min(len(dirs), maxGrouped)
		f.dirs, f.dist = dirs[:n], dist[:n]
		f.traceSome(blocked[:n])
		dirs, dist, blocked = dirs[n:], dist[n:], blocked[n:]
	}
}

// traceSome stores in blocked which of the rays with the directions f.dirs and the distances f.dist are blocked.
// There are at most maxGrouped rays.
func (f *fan) traceSome(blocked []bool) {
	s, n := f.cover, len(f.dirs)
	d := s.axes[s.point]
	for k, dir := range f.dirs {
		d.Ray.Dir = dir
		f.soa.set(k, &d.Ray, f.dist[k])
	}
	clear(f.soa.open[n:][:lanes])
	left := true
	for _, at := range s.touching {
		if left = f.test(&d, at); !left {
			break
		}
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

// test tests a solid against the open rays and reports whether any remains open. d has the origin and the list
// Eye that all these rays share; the direction of d is not used.
func (f *fan) test(d *SecondaryRay, at primRef) bool {
	s := f.cover
	if len(d.Eye) == 0 {
		if o := s.bvh.solids.occlude(at, &f.soa, len(f.dirs)); !o.undecided() {
			return o.met()
		}
	}
	left := false
	object := s.bvh.number(at)
	for k, dir := range f.dirs {
		if f.soa.open[k] != isOpen {
			continue
		}
		if near, far, ok := s.bvh.chord(at, d.Ray.Origin, dir); ok && d.blockedBy(object, near, far, f.dist[k]) {
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
			q.ray, q.object, q.eye, q.tMax = geom.Ray{Origin: d.Ray.Origin, Dir: f.dirs[k]}, s.own, d.Eye, f.dist[k]
			q.own, q.other = false, entering
			a.best = a.known(q)
		},
		func(a *activeRay) { blocked[f.alone[a.index]] = a.best.prim != noPrim })
}
