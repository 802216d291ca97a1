package accel

import (
	"math"

	"pillbox/geom"
)

// reflections finds what rays meet first.
type reflections struct {
	*World
	groups
	walker walker
	rays   []Departure
	hits   []Hit

	object   int32
	active   []int32
	best     [maxGroup]candidate
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
			if len(s.active) < minBundle || !s.bundle() {
				s.single()
			}
		}
		rays, hits = rays[n:], hits[n:]
	}
}

// single follows the active rays one by one.
func (s *reflections) single() {
	for _, i := range s.active {
		d := &s.rays[i]
		q := query{ray: d.Ray, object: d.Object, own: d.Inside, other: entering, eye: d.Eye, tMax: math.Inf(1)}
		s.hits[i] = s.walker.nearest(&q)
	}
}

const (
	minBundle = 4    // mirror rays that are worth a shaft
	maxSpread = 0.25 // the largest range of a component of their directions
)

// bundle follows all active rays at once: it walks the tree with the shaft around them and
// keeps the best candidate of each.
func (s *reflections) bundle() bool {
	dirs := geom.EmptyBounds()
	from, to := geom.EmptyBounds(), geom.EmptyBounds()
	for _, i := range s.active {
		grow(&dirs, s.rays[i].Ray.Dir)
		grow(&from, s.rays[i].Ray.Origin)
	}
	spread := dirs.Size()
	if !(spread.X+spread.Y+spread.Z <= maxSpread) {
		return false
	}
	far := 4 * (from.MaxAbs() + s.reach)
	for k, i := range s.active {
		d := &s.rays[i]
		grow(&to, d.Ray.At(far))
		s.best[k] = candidate{t: math.MaxFloat64, slot: None}
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
		for _, slot := range leaf {
			s.test(slot)
		}
		s.shorten()
	}
	for k, i := range s.active {
		best := &s.best[k]
		if best.slot == None {
			s.hits[i] = Hit{T: math.Inf(1), Object: None}
		} else {
			s.hits[i] = s.hit(best.slot, s.rays[i].Ray, best.t, best.inside)
		}
	}
	return true
}

func (s *reflections) shorten() {
	far := 0.0
	for k := range s.active {
		far = max(far, s.best[k].t)
	}
	s.farthest = far
}

// aim lets the shaft measure distances along dir from the box that its rays start in.
func (s *shaft) aim(dir geom.Vec3, from geom.Bounds, slack float64) {
	dir = dir.Unit()
	var back plane
	back.set(dir.Neg(), 0)
	s.ahead.set(dir, slack-back.least(from.Min, from.Max))
}

// test offers the solid in a slot to every active ray.
func (s *reflections) test(slot int32) {
	object := s.number(slot)
	if object == s.object || !s.shaft.admits(&s.solids, slot) {
		return
	}
	for k, i := range s.active {
		d := &s.rays[i]
		if near, far, ok := s.chord(slot, d.Ray.Origin, d.Ray.Dir); ok {
			s.keep(slot, d.side(object), near, far, &s.best[k])
		}
	}
}
