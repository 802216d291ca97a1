package accel

import (
	"math"

	"pillbox/geom"
)

// reflectionTracer finds the closest hits of reflected rays. Rays that leave the same solid from nearby
// points in similar directions share one traversal of the tree.
type reflectionTracer struct {
	bvh     *BVH
	groups  rayGroups
	sharing sharing
	walker  singleTraversal
	rays    []SecondaryRay
	hits    []Hit

	singles  singleRays
	active   []int32
	best     [maxGrouped]candidate
	farthest float64
	walk     traversal
	shaft    shaft
}

func (bvh *BVH) newReflectionTracer() *reflectionTracer {
	return &reflectionTracer{bvh: bvh, walker: singleTraversal{BVH: bvh}}
}

// trace stores the closest hit of each reflected ray in hits. See [BVH.Reflected].
func (s *reflectionTracer) trace(rays []SecondaryRay, hits []Hit) {
	for len(rays) > 0 {
		n := s.groups.sort(rays)
		s.rays, s.hits = rays[:n], hits[:n]
		for k := range s.groups.n {
			s.singles.own = s.bvh.primOf(s.groups.objects[k])
			s.traceGroup(s.groups.group(k))
		}
		s.traceAlone()
		rays, hits = rays[n:], hits[n:]
	}
}

// traceGroup finds the closest hits of the rays of a group with a shared traversal. If that is not worth trying, it only
// adds the rays to the list of those that traceAlone traces singly.
func (s *reflectionTracer) traceGroup(active []int32) {
	if len(active) < minShared {
		s.singles.traceSinglyLater(active)
		return
	}
	dirs, from := geom.EmptyBounds(), geom.EmptyBounds()
	for _, i := range active {
		include(&dirs, s.rays[i].Ray.Dir)
		include(&from, s.rays[i].Ray.Origin)
	}
	width := dirs.Size().Norm() + from.Size().Norm()/s.bvh.reach
	x := s.sharing.class(len(active), width)
	if !(width < maxSpread) || !s.sharing.worthTrying(x) {
		s.singles.traceSinglyLater(active)
		return
	}
	if x.shouldSample() {
		x.recordSample(s.traceFirst(active))
		active = active[1:]
	}
	s.active = active
	x.learn(len(active), s.traceTogether(dirs, from, x))
}

// aimAlone sets q to the query for the closest hit of the reflected ray a, which is traced singly.
func (s *reflectionTracer) aimAlone(a singleRay, q *rayQuery) {
	d := &s.rays[a.ray]
	q.ray, q.object, q.eye, q.tMax = d.Ray, a.own, d.Eye, math.Inf(1)
	q.own, q.other = d.Inside, entering
}

// traceFirst traces the first of the active rays singly, stores its hit and returns the cost.
func (s *reflectionTracer) traceFirst(active []int32) traversalCost {
	var q rayQuery
	s.aimAlone(singleRay{active[0], s.singles.own}, &q)
	s.hits[active[0]] = s.walker.nearest(&q)
	s.sharing.total += s.walker.cost()
	return s.walker.cost()
}

// traceAlone traces all rays that were left for tracing singly.
func (s *reflectionTracer) traceAlone() {
	s.sharing.total += s.bvh.traceStream(len(s.singles.alone), closestHit,
		func(a *activeRay) {
			s.aimAlone(s.singles.alone[a.index], &a.query)
			a.best = a.known(&a.query)
		},
		func(a *activeRay) { s.bvh.complete(&s.hits[s.singles.alone[a.index].ray], &a.query.ray, a.best) })
	s.singles.alone = s.singles.alone[:0]
}

// traceTogether finds the closest hit of each active ray by traversing the tree once with a [shaft], a convex region
// that contains the rays. dirs and from are the bounds of the rays' directions and origins. If the cost exceeds the
// budget, traceTogether abandons the traversal, and the rays are traced singly later. It returns the cost of the shared
// traversal plus, if it was abandoned, the estimated cost of tracing the rays singly.
func (s *reflectionTracer) traceTogether(dirs, from geom.Bounds, x *costStatistics) traversalCost {
	budget := s.sharing.budget(x, len(s.active))
	to := geom.EmptyBounds()
	far := s.bvh.beyond(from)
	for k, i := range s.active {
		d := &s.rays[i]
		include(&to, d.Ray.At(far))
		s.best[k] = candidate{t: math.MaxFloat64, prim: noPrim}
		if d.Inside {
			s.bvh.meet(&rayQuery{ray: d.Ray}, s.singles.own, leaving, &s.best[k])
		}
	}
	s.farthest = math.MaxFloat64
	slack := s.bvh.slackIn(from)
	s.shaft.stretch(from, to, slack)
	s.shaft.aim(dirs.Center(), from, slack)
	s.walk.start(&s.bvh.tree, &s.shaft)
	cost := sharedStart(len(s.active))
	for leaf := s.walk.next(s.farthest); leaf != nil; leaf = s.walk.next(s.farthest) {
		for _, at := range leaf {
			cost++
			if s.test(at) {
				cost += walkSolid * traversalCost(len(s.active))
			}
		}
		s.shorten()
		if s.walk.n > 0 && cost+s.walk.cost() > budget {
			cost += s.walk.cost()
			s.sharing.total += cost
			s.sharing.wasted += cost
			s.singles.traceSinglyLater(s.active)
			return cost + x.alone(len(s.active))
		}
	}
	cost += s.walk.cost()
	s.sharing.total += cost
	for k, i := range s.active {
		s.bvh.complete(&s.hits[i], &s.rays[i].Ray, s.best[k])
	}
	return cost
}

// shorten sets the field farthest to the largest distance among the active rays' closest hits so far. Beyond
// this distance, no active ray can find a closer hit.
func (s *reflectionTracer) shorten() {
	far := 0.0
	for k := range s.active {
		if t := s.best[k].t; t > far { // in wasm, max is a call
			far = t
		}
	}
	s.farthest = far
}

// aim sets the direction dir along which the shaft measures how far ahead a node is. Distances are measured from the
// bounds from, which contain the rays' origins, and are reduced by the slack to allow for rounding.
func (s *shaft) aim(dir geom.Vec3, from geom.Bounds, slack float64) {
	dir = dir.Unit()
	var back plane
	back.set(dir.Neg(), 0)
	s.ahead.set(dir, slack-back.least(from.Min, from.Max))
}

// test tests a solid against every active ray and returns true. If no ray can hit the solid, because it lies
// outside the shaft or is the solid that the rays leave, test skips it and returns false.
func (s *reflectionTracer) test(at primRef) bool {
	if at == s.singles.own || !s.shaft.admits(&s.bvh.solids, at) {
		return false
	}
	object := s.bvh.objectNumber(at)
	for k, i := range s.active {
		d := &s.rays[i]
		if near, far, ok := s.bvh.chord(at, d.Ray.Origin, d.Ray.Dir); ok {
			s.bvh.keep(at, d.rule(object), near, far, &s.best[k])
		}
	}
	return true
}
