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
	sharing
	walker walker
	rays   []SecondaryRay
	hits   []Hit

	loners
	active   []int32
	best     [maxGrouped]candidate
	farthest float64
	walk     traversal
	shaft    shaft
}

func (w *World) newReflections() *reflections {
	return &reflections{World: w, walker: walker{World: w}}
}

// trace answers [World.Reflected].
func (s *reflections) trace(rays []SecondaryRay, hits []Hit) {
	for len(rays) > 0 {
		n := s.sort(rays)
		s.rays, s.hits = rays[:n], hits[:n]
		for k := range s.n {
			s.own = s.slotOf(s.objects[k])
			s.traceGroup(s.group(k))
		}
		s.traceAlone()
		rays, hits = rays[n:], hits[n:]
	}
}

// traceGroup finds what the rays of a group meet, together if that has prospects.
func (s *reflections) traceGroup(active []int32) {
	if len(active) < minShared {
		s.leaveAlone(active)
		return
	}
	dirs, from := geom.EmptyBounds(), geom.EmptyBounds()
	for _, i := range active {
		include(&dirs, s.rays[i].Ray.Dir)
		include(&from, s.rays[i].Ray.Origin)
	}
	width := dirs.Size().Norm() + from.Size().Norm()/s.reach
	x := s.class(len(active), width)
	if !(width < maxSpread) || !s.promises(x) {
		s.leaveAlone(active)
		return
	}
	if x.measures() {
		x.measured(s.traceFirst(active))
		active = active[1:]
	}
	s.active = active
	x.learn(len(active), s.traceTogether(dirs, from, x))
}

// aimAlone makes q the query of a ray that goes alone.
func (s *reflections) aimAlone(a lone, q *query) {
	d := &s.rays[a.ray]
	q.ray, q.object, q.eye, q.tMax = d.Ray, a.own, d.Eye, math.Inf(1)
	q.own, q.other = d.Inside, entering
}

// traceFirst follows the first of some rays at once and returns what that cost.
func (s *reflections) traceFirst(active []int32) effort {
	var q query
	s.aimAlone(lone{active[0], s.own}, &q)
	s.hits[active[0]] = s.walker.nearest(&q)
	s.total += s.walker.effort()
	return s.walker.effort()
}

// traceAlone follows all rays that go alone.
func (s *reflections) traceAlone() {
	s.total += s.follow(len(s.alone), nearest,
		func(a *strand) {
			s.aimAlone(s.alone[a.index], &a.query)
			a.best = a.known(&a.query)
		},
		func(a *strand) { s.complete(&s.hits[s.alone[a.index].ray], &a.query.ray, a.best) })
	s.alone = s.alone[:0]
}

// traceTogether walks the tree once with the shaft around the active rays, whose directions and
// origins lie in the given bounds, and keeps the best candidate of each. When that has cost more than
// the budget, the rays start again alone later. It returns what all that costs.
func (s *reflections) traceTogether(dirs, from geom.Bounds, x *experience) effort {
	budget := s.budget(x, len(s.active))
	to := geom.EmptyBounds()
	far := s.beyond(from)
	for k, i := range s.active {
		d := &s.rays[i]
		include(&to, d.Ray.At(far))
		s.best[k] = candidate{t: math.MaxFloat64, slot: noSlot}
		if d.Inside {
			s.meet(&query{ray: d.Ray}, s.own, leaving, &s.best[k])
		}
	}
	s.farthest = math.MaxFloat64
	slack := s.slackIn(from)
	s.shaft.stretch(from, to, slack)
	s.shaft.aim(dirs.Center(), from, slack)
	s.walk.start(&s.tree, &s.shaft)
	cost := sharedStart(len(s.active))
	for leaf := s.walk.next(s.farthest); leaf != nil; leaf = s.walk.next(s.farthest) {
		for _, at := range leaf {
			cost++
			if s.test(at) {
				cost += walkSolid * effort(len(s.active))
			}
		}
		s.shorten()
		if s.walk.n > 0 && cost+s.walk.effort() > budget {
			cost += s.walk.effort()
			s.total += cost
			s.wasted += cost
			s.leaveAlone(s.active)
			return cost + x.alone(len(s.active))
		}
	}
	cost += s.walk.effort()
	s.total += cost
	for k, i := range s.active {
		s.complete(&s.hits[i], &s.rays[i].Ray, s.best[k])
	}
	return cost
}

// shorten updates the distance beyond which no active ray looks any more.
func (s *reflections) shorten() {
	far := 0.0
	for k := range s.active {
		if t := s.best[k].t; t > far { // in wasm, max is a call
			far = t
		}
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

// test tests the solid in a slot against every active ray, unless none can meet it.
func (s *reflections) test(at slot) bool {
	if at == s.own || !s.shaft.admits(&s.solids, at) {
		return false
	}
	object := s.number(at)
	for k, i := range s.active {
		d := &s.rays[i]
		if near, far, ok := s.chord(at, d.Ray.Origin, d.Ray.Dir); ok {
			s.keep(at, d.side(object), near, far, &s.best[k])
		}
	}
	return true
}
