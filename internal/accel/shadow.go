package accel

import (
	"pillbox/geom"
	"pillbox/internal/accel/prefetch"
)

// shadowRays are the rays of a group in the layout of the kernels. A ray is open until a solid is found
// that blocks it.
type shadowRays struct {
	ox, oy, oz [maxGrouped + lanes]float64
	dx, dy, dz [maxGrouped + lanes]float64
	dist       [maxGrouped + lanes]float64
	open       [maxGrouped + lanes]int64 // isOpen, or 0 for a blocked ray

	scratch [12 * lanes]float64 // memory of kernels
}

const isOpen int64 = -1

// The method set stores the ray r and its distance as ray k, and makes it open.
func (l *shadowRays) set(k int, r *geom.Ray, dist float64) {
	l.ox[k], l.oy[k], l.oz[k] = r.Origin.X, r.Origin.Y, r.Origin.Z
	l.dx[k], l.dy[k], l.dz[k] = r.Dir.X, r.Dir.Y, r.Dir.Z
	l.dist[k], l.open[k] = dist, isOpen
}

// dir returns the direction of ray k.
func (l *shadowRays) dir(k int) geom.Vec3 { return geom.Vec3{X: l.dx[k], Y: l.dy[k], Z: l.dz[k]} }

// shadowTracer finds which shadow rays are blocked. Rays that leave the same solid, and start and end
// close to each other, share one traversal of the tree; others are traced singly.
type shadowTracer struct {
	bvh     *BVH
	groups  rayGroups
	sharing sharing
	walker  singleTraversal
	rays    []SecondaryRay
	dist    []float64
	blocked []bool

	singles singleRays
	shared  int        // the number of rays that have shared a traversal to its end
	members []int32    // the rays that share a traversal
	eyeless bool       // the list Eye of every ray is empty
	soa     shadowRays // the same rays as a structure of arrays
	walk    traversal
	shaft   shaft
}

func (bvh *BVH) newShadowTracer() *shadowTracer {
	return &shadowTracer{bvh: bvh, walker: singleTraversal{BVH: bvh}}
}

// singleRays collects the rays that are traced singly after all groups.
type singleRays struct {
	own   primRef // the solid that the current group leaves
	alone []singleRay
}

// singleRay is a ray that is traced singly.
type singleRay struct {
	ray int32
	own primRef // the solid that it leaves
}

// traceSinglyLater adds rays of the current group to the list alone.
func (l *singleRays) traceSinglyLater(rays []int32) {
	for _, i := range rays {
		l.alone = append(l.alone, singleRay{i, l.own})
	}
}

// trace stores in blocked which shadow rays are blocked. See [BVH.Blocked].
func (s *shadowTracer) trace(rays []SecondaryRay, dist []float64, blocked []bool) {
	for len(rays) > 0 {
		n := s.groups.sort(rays)
		s.rays, s.dist, s.blocked = rays[:n], dist[:n], blocked[:n]
		if s.bvh.tree.exceedsCache() {
			for _, object := range s.groups.objects[:s.groups.n] {
				if object != None {
					prefetch.Struct(&s.bvh.refs[object])
				}
			}
		}
		for k := range s.groups.n {
			s.singles.own = s.bvh.primOf(s.groups.objects[k])
			s.traceGroup(s.groups.group(k))
		}
		s.traceAlone()
		rays, dist, blocked = rays[n:], dist[n:], blocked[n:]
	}
}

// traceGroup finds which rays of a group are blocked. If a shared traversal is worth trying, it traces the rays together.
// Otherwise, if dividing is worthwhile, it divides the group in two and calls itself for each half. The rays of all other
// groups, and of small ones, are only added to the list of those that traceAlone traces singly.
func (s *shadowTracer) traceGroup(members []int32) {
	if len(members) < minShared {
		s.singles.traceSinglyLater(members)
		return
	}
	from := originBounds(s.rays, members)
	x := s.sharing.class(len(members), from.Size().Norm()/s.bvh.reach)
	if s.sharing.worthTrying(x) {
		if x.shouldSample() {
			x.recordSample(s.traceFirst(members))
			members = members[1:]
		}
		s.members = members
		x.learn(len(members), s.traceTogether(from, x))
		return
	}
	if !s.sharing.worthDividing(x) {
		s.singles.traceSinglyLater(members)
		return
	}
	n := halve(s.rays, members, from)
	if n == 0 || n == len(members) {
		s.singles.traceSinglyLater(members)
		return
	}
	all, before := len(members), s.shared
	s.traceGroup(members[:n])
	s.traceGroup(members[n:])
	x.learnDivision(all, s.shared-before)
}

// aimAlone sets q to the query of a shadow ray that is traced singly.
func (s *shadowTracer) aimAlone(a singleRay, q *rayQuery) {
	d := &s.rays[a.ray]
	q.ray, q.object, q.eye, q.tMax = d.Ray, a.own, d.Eye, s.dist[a.ray]
	q.own, q.other = false, entering
}

// traceFirst traces the first of the members singly, stores whether it is blocked and returns the cost.
func (s *shadowTracer) traceFirst(members []int32) traversalCost {
	var q rayQuery
	s.aimAlone(singleRay{members[0], s.singles.own}, &q)
	s.blocked[members[0]] = s.walker.blocked(&q)
	s.sharing.total += s.walker.cost()
	return s.walker.cost()
}

// traceAlone traces all rays that were left for tracing singly.
func (s *shadowTracer) traceAlone() {
	s.sharing.total += s.bvh.traceStream(len(s.singles.alone), anyHit,
		func(a *activeRay) {
			s.aimAlone(s.singles.alone[a.index], &a.query)
			a.best = a.known(&a.query)
		},
		func(a *activeRay) { s.blocked[s.singles.alone[a.index].ray] = a.best.prim != noPrim })
	s.singles.alone = s.singles.alone[:0]
}

// traceTogether traverses the tree once with a [shaft], a convex region that contains the rays, and tests the solids in
// it against the open rays. The bounds from contain the rays' origins. When the cost reaches certain values,
// traceTogether traces a few rays singly to measure whether single rays cost as much as the budget assumes. If the cost
// exceeds the budget, it abandons the traversal, and the open rays are traced singly later. It returns the cost of the
// shared traversal plus, if it was abandoned, the estimated cost of tracing the open rays singly.
func (s *shadowTracer) traceTogether(from geom.Bounds, x *costStatistics) traversalCost {
	budget := s.sharing.budget(x, len(s.members))
	s.aim(from)
	cost, each := sharedStart(len(s.members)), sharedSolid(len(s.members))
	recheck := budget // at this cost, check the estimate on which the budget is based
	if len(s.members) >= minSampled {
		recheck /= 2
		if x.groups <= newcomers {
			recheck /= 8
		}
	}
	s.walk.start(&s.bvh.tree, &s.shaft)
	for leaf := s.walk.next(0); leaf != nil; leaf = s.walk.next(0) {
		for _, at := range leaf {
			cost++
			if at == s.singles.own || !s.shaft.admits(&s.bvh.solids, at) {
				continue
			}
			cost += each
			if !s.test(at) {
				s.walk.stop()
				break
			}
		}
		if spent := cost + s.walk.cost(); (spent > recheck || spent > budget) && s.walk.n > 0 {
			if spent > budget {
				break
			}
			alone := s.sample()
			cost += alone
			budget = min(budget, worth(alone*traversalCost(len(s.members)))/samples)
			recheck = max(4*recheck, spent)
		}
	}
	cost += s.walk.cost()
	s.sharing.total += cost
	if s.walk.n == 0 {
		s.shared += len(s.members)
	}
	open := s.members[:0]
	for k, i := range s.members {
		s.blocked[i] = s.soa.open[k] != isOpen
		if !s.blocked[i] {
			open = append(open, i)
		}
	}
	if s.walk.n > 0 {
		s.sharing.wasted += cost
		s.singles.traceSinglyLater(open)
		cost += x.alone(len(open))
	}
	return cost
}

// sample traces a few evenly chosen rays singly and returns their total cost.
func (s *shadowTracer) sample() traversalCost {
	sum := traversalCost(0)
	for k := range samples {
		i := s.members[(2*k+1)*len(s.members)/(2*samples)]
		sum += s.traceFirst([]int32{i})
	}
	s.sharing.total -= sum // the caller counts it as part of the shared traversal
	return sum
}

// aim prepares the rays and the shaft around them; their origins lie in from.
func (s *shadowTracer) aim(from geom.Bounds) {
	to := geom.EmptyBounds()
	s.eyeless = true
	far := s.bvh.beyond(from)
	for k, i := range s.members {
		d := &s.rays[i]
		s.soa.set(k, &d.Ray, s.dist[i])
		s.eyeless = s.eyeless && len(d.Eye) == 0
		end := s.dist[i]
		if end > far {
			end = far
		}
		include(&to, d.Ray.At(end))
	}
	clear(s.soa.open[len(s.members):][:lanes])
	s.shaft.stretch(from, to, s.bvh.slackIn(from))
}

// test tests a solid against the open rays of the group and reports whether any remains open.
func (s *shadowTracer) test(at primRef) bool {
	o := undecided
	if s.eyeless {
		o = s.bvh.solids.occlude(at, &s.soa, len(s.members))
	}
	if !o.undecided() {
		return o.met()
	}
	left := false
	object := s.bvh.objectNumber(at)
	for k, i := range s.members {
		if s.soa.open[k] != isOpen {
			continue
		}
		d := &s.rays[i]
		if near, far, ok := s.bvh.chord(at, d.Ray.Origin, d.Ray.Dir); ok && d.blockedBy(object, near, far, s.dist[i]) {
			s.soa.open[k] = 0
		} else {
			left = true
		}
	}
	return left
}

// occlude tests a solid against the first n rays with a kernel, and marks the rays that the solid blocks as not open. The
// lower half of the verdict is nonzero if any of the n rays is still open.
func (s *solids) occlude(at primRef, l *shadowRays, n int) verdict {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return occludeSphere(l, &s.spheres[i], n)
	case capsuleKind:
		return occludeCapsule(l, &s.capsules[i], n)
	case boxKind:
		return occludeBox(l, &s.boxes[i], n)
	case cutKind:
		return undecided
	default:
		return occludeCylinder(l, &s.cylinders[i], n)
	}
}

// blockedBy reports whether a solid blocks the ray before the distance dist. near and far are the distances at
// which the ray's line enters and leaves the solid.
func (d *SecondaryRay) blockedBy(object int32, near, far, dist float64) bool {
	t, _, ok := d.rule(object).pick(near, far)
	return ok && t < dist
}
