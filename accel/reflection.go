package accel

import (
	"math"

	"pillbox/geom"
)

// reflections finds what reflected rays meet first. Rays that leave one solid together, in similar
// directions, share one walk through the tree.
type reflections struct {
	*World
	groups
	walker walker
	rays   []Departure
	hits   []Hit

	object   int32
	active   []int32
	best     [maxGrouped]candidate
	farthest float64
	walk     traversal
	shaft    shaft
}

// trace answers [World.Reflected].
func (s *reflections) trace(rays []Departure, hits []Hit) {
	for len(rays) > 0 {
		n := s.sort(rays)
		s.rays, s.hits = rays[:n], hits[:n]
		for k := range s.n {
			s.object, s.active = s.objects[k], s.group(k)
			if len(s.active) < minShared || !s.traceGroup() {
				s.traceSingly()
			}
		}
		rays, hits = rays[n:], hits[n:]
	}
}

// traceSingly traces the active rays one by one.
func (s *reflections) traceSingly() {
	for _, i := range s.active {
		d := &s.rays[i]
		q := query{ray: d.Ray, object: d.Object, own: d.Inside, other: entering, eye: d.Eye, tMax: math.Inf(1)}
		s.hits[i] = s.walker.nearest(&q)
	}
}

const (
	minShared = 4    // reflected rays that are worth a shaft
	maxSpread = 0.25 // the largest range of a component of their directions
)

// traceGroup walks the tree once with the shaft around the active rays and keeps the best
// candidate of each. It reports whether the rays are close enough for that.
func (s *reflections) traceGroup() bool {
	dirs := geom.EmptyBounds()
	from, to := geom.EmptyBounds(), geom.EmptyBounds()
	for _, i := range s.active {
		include(&dirs, s.rays[i].Ray.Dir)
		include(&from, s.rays[i].Ray.Origin)
	}
	spread := dirs.Size()
	if !(spread.X+spread.Y+spread.Z <= maxSpread) {
		return false
	}
	far := 4 * (from.MaxAbs() + s.reach)
	for k, i := range s.active {
		d := &s.rays[i]
		include(&to, d.Ray.At(far))
		s.best[k] = candidate{t: math.MaxFloat64, slot: noSlot}
		if d.Inside {
			s.meet(&query{ray: d.Ray}, s.slots[d.Object], leaving, &s.best[k])
		}
	}
	s.farthest = math.MaxFloat64
	slack := s.slack(from.Min) + s.slack(from.Max)
	s.shaft.stretch(from, to, slack)
	s.shaft.aim(dirs.Center(), from, slack)
	s.walk.start(&s.tree, &s.shaft)
	for leaf := s.walk.next(s.farthest); leaf != nil; leaf = s.walk.next(s.farthest) {
		for _, at := range leaf {
			s.test(at)
		}
		s.shorten()
	}
	for k, i := range s.active {
		best := &s.best[k]
		if best.slot == noSlot {
			s.hits[i] = Hit{T: math.Inf(1), Object: None}
		} else {
			s.hits[i] = s.hit(best.slot, s.rays[i].Ray, best.t, best.inside)
		}
	}
	return true
}

// shorten updates the distance beyond which no active ray looks any more.
func (s *reflections) shorten() {
	far := 0.0
	for k := range s.active {
		far = max(far, s.best[k].t)
	}
	s.farthest = far
}

// aim lets the shaft measure distances along dir from the bounds that its rays start in.
func (s *shaft) aim(dir geom.Vec3, from geom.Bounds, slack float64) {
	dir = dir.Unit()
	var back plane
	back.set(dir.Neg(), 0)
	s.ahead.set(dir, slack-back.least(from.Min, from.Max))
}

// test tests the solid in a slot against every active ray.
func (s *reflections) test(at slot) {
	object := s.number(at)
	if object == s.object || !s.shaft.admits(&s.solids, at) {
		return
	}
	for k, i := range s.active {
		d := &s.rays[i]
		if near, far, ok := s.chord(at, d.Ray.Origin, d.Ray.Dir); ok {
			s.keep(at, d.side(object), near, far, &s.best[k])
		}
	}
}
