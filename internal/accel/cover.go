package accel

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/internal/sampler"
)

// Cone is a cone of shadow rays. Its apex is a point of a surface, and it contains all rays from there to
// an area light. The axis is given separately. No ray makes a larger angle with the axis than the cone's
// angle, which is at most 90 degrees.
type Cone struct {
	Sin, Cos float64 // of the cone's angle
	Near     float64 // every ray reaches the light at this distance or later; infinite for a directional light
	Far      float64 // every ray ends before the plane that crosses the axis at right angles at this distance; infinite for a directional light
}

// Cover says whether solids hide an area light.
type Cover uint8

const (
	Partial Cover = iota // undecided: the light can be visible, hidden, or partly hidden
	Open                 // visible: no shadow ray to any point of the light is blocked
	Covered              // hidden: every shadow ray to a point of the light is blocked
)

// AreaLight is a light with a size: a ball or, if Radius is 0, a directional light with an angular size.
type AreaLight struct {
	// Center and Radius describe the ball. The directions toward a directional light differ from the unit vector Axis
	// by at most an angle with this sine and cosine, which is at most 90 degrees.
	Center   geom.Vec3
	Radius   float64
	Axis     geom.Vec3
	Sin, Cos float64
}

// CastFan casts shadow rays from the point with the given index. It passes their directions and lengths to
// trace, which finds out which of them are blocked. The rays must lie in the cone of the point, and must end where
// its fields Near and Far say. CastFan returns false to stop.
type CastFan func(point int, trace TraceFan) (more bool)

// TraceFan stores in blocked which rays of one point are blocked before their distance in dist, as [BVH.Blocked] does.
// There must be as many directions as elements of dist and of blocked. It must not be called after its [CastFan] has returned.
type TraceFan func(dirs *sampler.Directions, dist []float64, blocked []bool)

// Cover decides for many points at once whether solids hide the light, and stores the decisions in covers. axes[i] is
// the ray from point i to the center of the light, and cones[i] is the cone around it. Open means that [BVH.Blocked]
// finds none of the rays from the point to the light blocked, and Covered that it finds all of them blocked. One
// decision costs much less than casting these rays. The lengths of axes, cones and covers must be equal.
//
// For each point that remains Partial, Cover calls cast, unless cast is nil. This is faster than casting the rays
// afterwards, because Cover has already found the solids near the cone. If cast returns false, Cover stops, and the
// covers of the points that are not decided yet are undefined.
func (bvh *BVH) Cover(l *AreaLight, axes []SecondaryRay, cones []Cone, covers []Cover, cast CastFan) {
	if bvh.Len() == 0 {
		for i := range covers {
			covers[i] = Open
		}
		return
	}
	s := bvh.covers.take(bvh.newCoverTracer)
	s.light, s.room, s.cast, s.first, s.stopped = l, NewRoom(l.Center, l.Radius, bvh), cast, 0, false
	for len(axes) > 0 && !s.stopped {
		n := s.groups.sort(axes)
		s.axes, s.cones, s.covers = axes[:n], cones[:n], covers[:n]
		for k := range s.groups.n {
			s.own = s.groups.objects[k]
			s.traceGroup(s.groups.group(k))
		}
		s.traceRest()
		axes, cones, covers = axes[n:], cones[n:], covers[n:]
		s.first += n
	}
	s.light, s.room, s.cast, s.axes, s.cones, s.covers = nil, Room{}, nil, nil, nil, nil // belong to the caller
	bvh.covers.put(s)
}

// CastAll implements the method Cover without deciding anything. It sets all covers to Partial and, unless
// cast is nil, calls cast for each point until cast returns false. The rays are traced with w.Blocked.
func CastAll(w interface {
	Blocked(rays []SecondaryRay, dist []float64, blocked []bool)
}, axes []SecondaryRay, covers []Cover, cast CastFan) {
	clear(covers)
	if cast == nil {
		return
	}
	var rays []SecondaryRay
	for i := range axes {
		if !cast(i, func(dirs *sampler.Directions, dist []float64, blocked []bool) {
			rays = rays[:0]
			for k := range dist {
				d := axes[i]
				d.Ray.Dir = dirs.At(k)
				rays = append(rays, d)
			}
			w.Blocked(rays, dist, blocked)
		}) {
			return
		}
	}
}

// coverTracer decides for groups of points on the same solid. It searches once for the solids near all rays
// from the group to the light, and tests these solids against the cone of each point. If it finds so many
// that the common search costs more than it saves, it divides the group. For a single point, it searches
// for the solids near the point's cone.
type coverTracer struct {
	search  coneSearch // of the cone of a point or of the rays of a group; first for the sake of alignment
	bvh     *BVH
	light   *AreaLight
	room    Room
	cast    CastFan
	groups  rayGroups
	first   int // the index of axes[0] in the argument of Cover
	axes    []SecondaryRay
	cones   []Cone
	covers  []Cover
	stopped bool // cast has returned false

	sharing    sharing
	own        int32   // the object that the points of the group leave, or None if they leave none or several
	rest       []int32 // the points that traceRest decides: their groups are too small to share a search
	candidates balls   // around the solids near the rays of the group

	point    int32      // the point for which rays are cast
	around   *leafBalls // a ball around each solid of the BVH
	near     []int32    // the solids whose balls its cone meets, except some that block no ray: slots of leafBalls; part of search.found
	blocker  primRef    // the solid that hides the light from the point that was decided last, or noPrim
	complete bool       // whether near contains all solids that may block rays
	pyramid  pyramid
	fan      fan
}

func (bvh *BVH) newCoverTracer() *coverTracer {
	s := &coverTracer{bvh: bvh, around: bvh.ballsOf(), complete: true, blocker: noPrim}
	s.fan.init(s)
	return s
}

// traceGroup decides the covers of the points with the indices members, and casts rays from those that
// remain Partial. If it seems worthwhile, it makes one search for solids for all these points. If this is
// not tried, or if the search finds too many solids, traceGroup divides the group and calls itself for both parts. It
// decides the points one by one if they are few or cannot be divided.
func (s *coverTracer) traceGroup(members []int32) {
	if s.stopped {
		return
	}
	if len(members) < minCovered {
		s.settleFew(members)
		return
	}
	from := originBounds(s.axes, members)
	found := false
	if x := s.sharing.class(len(members), from.Size().Norm()/s.bvh.reach); s.sharing.worthTrying(x) {
		if x.shouldSample() {
			x.recordSample(s.settleAlone(members[:1]))
			members = members[1:]
		}
		var isCheap bool
		if found, isCheap = s.share(x, from, members); isCheap {
			s.settle(members)
			return
		}
	}
	switch n := halve(s.axes, members, from); {
	case n > 0 && n < len(members):
		s.traceGroup(members[:n])
		s.traceGroup(members[n:])
	case found:
		s.settle(members)
	default:
		s.settleAlone(members)
	}
}

// share collects the candidates for a group of class x, whose points lie in from. The result found is false if there may
// be more candidates. The result isCheap is true if testing them costs so little that the group is not worth dividing.
func (s *coverTracer) share(x *costStatistics, from geom.Bounds, members []int32) (found, isCheap bool) {
	n := len(members)
	tests := x.alone(n)
	search, found := s.collect(from, members)
	if found {
		tests = s.testCost(n)
	}
	x.learn(n, search+tests)
	return found, found && (tests <= mostTests*search || n < 2*minCovered)
}

// testCost returns the cost of testing all candidates against the cones of n points.
func (s *coverTracer) testCost(n int) traversalCost {
	return coneBalls * traversalCost(s.candidates.n*n) / ballGroupSize
}

// settleFew handles a group that is too small to share a search. It adds the members to rest if they leave one solid.
// Otherwise it decides them one by one.
func (s *coverTracer) settleFew(members []int32) {
	if s.own == None {
		s.settleAlone(members)
		return
	}
	s.rest = append(s.rest, members...)
}

// traceRest decides the points in rest. Points on different solids share a search if they are close to each other.
func (s *coverTracer) traceRest() {
	s.own = None
	if len(s.rest) > 0 {
		s.traceGroup(s.rest)
	}
	s.rest = s.rest[:0]
}

const (
	minCovered = 3  // the least number of points that share a search
	mostTests  = 16 // a group is divided if testing its solids would cost more than this many searches, because parts need fewer tests
)

// settleAlone decides the covers of the members, each with its own search for the solids near its cone. It returns
// the cost of the searches.
func (s *coverTracer) settleAlone(members []int32) traversalCost {
	sum := traversalCost(0)
	for k := range members {
		sum += s.settleOne(members[k])
	}
	return sum
}

// settleOne searches for the solids near the cone of one member, decides its cover, and casts rays if it remains
// Partial. It returns the cost of the search.
func (s *coverTracer) settleOne(i int32) traversalCost {
	if s.stopped {
		return 0
	}
	d, c := &s.axes[i], &s.cones[i]
	s.aim(d, c)
	if s.isCoveredAgain(d, c) {
		s.covers[i] = Covered
		return coneStart
	}
	s.searchAlone(d)
	s.finish(i)
	s.complete = true
	return coneStart + coneNode*traversalCost(s.search.visited)
}

// searchAlone searches for the solids whose balls meet the cone of the query.
func (s *coverTracer) searchAlone(d *SecondaryRay) {
	o := d.Ray.Origin
	from := geom.Bounds{Min: o, Max: o}
	s.search.aim(from, s.ends(from), s.bvh.slack(o))
	s.complete = s.search.search(&s.bvh.tree, s.around)
}

// isCoveredAgain reports whether the solid that hid the light from the last point hides it from this one, too.
func (s *coverTracer) isCoveredAgain(d *SecondaryRay, c *Cone) bool {
	at := s.blocker
	if at == noPrim || at == s.bvh.primOf(d.Object) || s.ignores(d, at) {
		return false
	}
	front := s.bvh.least(at, d.Ray.Dir) - d.Ray.Dir.Dot(d.Ray.Origin)
	return s.covered(d, c, at, front, s.search.margin)
}

// collect sets candidates to the solids that may block rays from the members, whose points lie in from, to the light.
// It returns false if there may be more, because the search has ended early. It also returns the cost of the search.
func (s *coverTracer) collect(from geom.Bounds, members []int32) (cost traversalCost, ok bool) {
	s.candidates.clear()
	if !s.aimTogether(from, &s.axes[members[0]], &s.cones[members[0]]) {
		return 0, false
	}
	s.search.aim(from, s.ends(from), s.bvh.slackIn(from))
	ok = s.search.search(&s.bvh.tree, s.around)
	cost = coneStart + coneNode*traversalCost(s.search.visited)
	if !ok {
		return cost, false
	}
	own := s.around.slotOf(s.own)
	for _, k := range s.search.found[:s.search.count] {
		if k != own {
			s.candidates.addBall(s.around, k)
		}
	}
	return cost, true
}

// aimTogether prepares the query for all rays from points in from to the light. d and c are the axis and
// the cone of one of these points. It returns false if the center of from lies inside the light.
//
// The query is for the cone at o, the center of from. Consider a ray from a point p in from to a point e of
// the light. It stays close to the segment from o to e: its distance from this segment is nowhere larger
// than the distance of p from o. The margin of the query includes this distance.
func (s *coverTracer) aimTogether(from geom.Bounds, d *SecondaryRay, c *Cone) bool {
	o := from.Center()
	margin := 2*s.bvh.slackIn(from) + float64(from.Size().Norm()*0.5000001)
	axis, sin, cos, far := d.Ray.Dir, c.Sin, c.Cos, math.Inf(1)
	if r := s.light.Radius; r > 0 {
		v := s.light.Center.Sub(o)
		dist := v.Norm()
		if !(dist > r) {
			return false
		}
		axis, far = v.Div(dist), dist+r
		sin, cos = r/dist, math.Sqrt(float64((dist-r)*(dist+r)))/dist
	}
	s.search.setCone(o, axis, sin, cos, far, margin)
	return true
}

// ends returns bounds of the far ends of all rays from points in from to the light. For a directional light, the rays
// end behind all solids.
func (s *coverTracer) ends(from geom.Bounds) geom.Bounds {
	l := s.light
	if l.Radius > 0 {
		return geom.Bounds{Min: l.Center, Max: l.Center}.Expand(l.Radius)
	}
	// A unit vector toward a point of the light differs from the axis by at most twice the sine of half the angle. Since 1 - cos
	// would be inaccurate for a small angle, this is computed from the sine.
	far := s.bvh.beyond(from)
	step, chord := l.Axis.Scale(far), float64(l.Sin*math.Sqrt(2/(1+l.Cos)))
	return geom.Bounds{Min: from.Min.Add(step), Max: from.Max.Add(step)}.Expand(float64(far * chord))
}

// settle decides the covers of the members from the solids in candidates, and casts rays from those that remain
// Partial.
func (s *coverTracer) settle(members []int32) {
	if s.candidates.n == 0 {
		for _, i := range members {
			s.covers[i] = Open
		}
		return
	}
	for _, i := range members {
		if s.stopped {
			return
		}
		d, c := &s.axes[i], &s.cones[i]
		s.aim(d, c)
		if s.isCoveredAgain(d, c) {
			s.covers[i] = Covered
			continue
		}
		s.search.findAmong(&s.candidates)
		s.finish(i)
	}
}

// aim prepares the query for the cone of one point.
func (s *coverTracer) aim(d *SecondaryRay, c *Cone) {
	s.search.setCone(d.Ray.Origin, d.Ray.Dir, c.Sin, c.Cos, c.Far, 2*s.bvh.slack(d.Ray.Origin))
	s.pyramid.prepared = false
}

// finish stores the cover of one point, for which search.found is known, and casts rays from it if it remains Partial.
func (s *coverTracer) finish(i int32) {
	s.near = s.search.found[:s.search.count]
	s.covers[i] = s.decide(&s.axes[i], &s.cones[i])
	if s.covers[i] == Partial && s.cast != nil {
		s.point = i
		s.stopped = !s.cast(s.first+int(i), s.fan.trace)
	}
}

// decide returns the cover of one point. It removes from near the solid that the rays leave and the solids that can be ignored.
// If near is complete, it also removes solids that miss the cone, but only up to the first one that may touch it: from then on,
// the cover cannot be Open.
func (s *coverTracer) decide(d *SecondaryRay, c *Cone) Cover {
	s.blocker = noPrim
	s.near = remove(s.near, s.around.slotOf(d.Object))
	if len(d.Eye) > 0 && s.light.Radius > 0 {
		s.near = slices.DeleteFunc(s.near, func(k int32) bool { return s.ignores(d, s.around.refs[k]) })
	}
	for s.complete && len(s.near) > 0 && s.misses(d, c, s.around.refs[s.near[0]], s.search.margin) {
		s.near = s.near[1:]
	}
	if s.complete && len(s.near) == 0 {
		return Open
	}
	if s.blocker = s.findCovering(d, c); s.blocker != noPrim {
		return Covered
	}
	return Partial
}

// findCovering returns a solid that certainly blocks all rays of the point's cone, or noPrim.
func (s *coverTracer) findCovering(d *SecondaryRay, c *Cone) primRef {
	along := d.Ray.Dir.Dot(d.Ray.Origin)
	for _, k := range s.search.large[:s.search.largeCount] {
		at := s.around.refs[k]
		if s.bvh.objectNumber(at) == d.Object || len(d.Eye) > 0 && s.ignores(d, at) {
			continue
		}
		front := s.bvh.least(at, d.Ray.Dir) - along
		if s.covered(d, c, at, front, s.search.margin) {
			return at
		}
	}
	return noPrim
}

// remove removes the slot k from the list, if it is there. It changes the order.
func remove(list []int32, k int32) []int32 {
	i := slices.Index(list, k)
	if i < 0 {
		return list
	}
	last := len(list) - 1
	list[i] = list[last]
	return list[:last]
}

// ignores reports whether a solid cannot block any ray because it contains both the eye and the light. Such a solid
// blocks rays only where they leave it, which is behind the light.
func (s *coverTracer) ignores(d *SecondaryRay, at primRef) bool {
	object := s.bvh.objectNumber(at)
	return slices.Contains(d.Eye, object) && s.room.Holds(object)
}

// misses reports whether it finds a plane that separates a solid from the cone. The distance from the plane must exceed
// margin, which is twice the slack: once for the rounding errors of the rays, and once for those of the planes.
func (s *coverTracer) misses(d *SecondaryRay, c *Cone, at primRef, margin float64) bool {
	if at.kind() == sphereKind {
		return false // its ball has been tested
	}
	o, axis := d.Ray.Origin, d.Ray.Dir
	if s.bvh.least(at, axis)-axis.Dot(o) > c.Far+margin {
		return true
	}
	// For a point q of the solid, consider the plane that touches the cone on the side of q. Its normal is b cos a -
	// axis sin a, where a is the angle of the cone, and b is the unit vector from the axis toward q.
	marks, n := s.bvh.landmarks(at)
	for _, q := range marks[:n] {
		b, ok := aside(q.Sub(o), axis)
		if !ok {
			continue
		}
		side := b.Scale(c.Cos).AddScaled(-c.Sin, axis)
		if s.bvh.least(at, side)-side.Dot(o) > margin {
			return true
		}
	}
	return s.isBehindItsFace(at, d, c, margin)
}

// aside returns the unit vector across the axis in the direction of f: the part of f that is perpendicular
// to the axis, normalized. The axis must be a unit vector. aside returns false if this part is mostly
// rounding errors, or too short or too long to normalize.
func aside(f, axis geom.Vec3) (geom.Vec3, bool) {
	// The first subtraction may leave a part along the axis, of up to 2^-53 times the length of f. That is much if f is
	// almost parallel to the axis. The second subtraction removes it, unless nothing else is left.
	const (
		perpendicular = 0x1p-50
		least, most   = 1e-280, 1e280 // squares between these have accurate roots
	)
	b := f.AddScaled(-f.Dot(axis), axis)
	b = b.AddScaled(-b.Dot(axis), axis)
	n2 := b.Norm2()
	if !(n2 > least && n2 < most) {
		return b, false
	}
	b = b.Scale(1 / math.Sqrt(n2))
	return b, math.Abs(b.Dot(axis)) <= perpendicular
}

// isBehindItsFace reports whether the solid is a box and the whole cone lies on the outer side of one of its faces.
func (s *coverTracer) isBehindItsFace(at primRef, d *SecondaryRay, c *Cone, margin float64) bool {
	return at.kind() == boxKind && s.isBehindFace(&s.bvh.boxes[at.index()], d, c, margin)
}

// isBehindFace reports whether the whole cone lies on the outer side of a face of a box.
func (s *coverTracer) isBehindFace(b *box, d *SecondaryRay, c *Cone, margin float64) bool {
	p := b.Rotation.TransposeMulVec(d.Ray.Origin.Sub(b.Center))
	u := b.Rotation.TransposeMulVec(d.Ray.Dir)
	// All rays of the cone move away from the face if the angle between the axis and the face's normal is at most 90
	// degrees minus the angle of the cone. rise is a margin for the rounding errors of all directions.
	const rise = 0x1p-40
	isOut := func(p, u, h float64) bool {
		return math.Abs(p)-h > margin && math.Copysign(u, u*p) >= c.Sin+rise
	}
	return isOut(p.X, u.X, b.HalfExtents.X) || isOut(p.Y, u.Y, b.HalfExtents.Y) || isOut(p.Z, u.Z, b.HalfExtents.Z)
}

// landmarks returns points of a solid, in the first n elements of the array. For each point, [coverTracer.misses]
// tries one plane. If any plane separates the solid from the cone, one of these planes is likely to do so.
func (bvh *BVH) landmarks(at primRef) (points [3]geom.Vec3, n int) {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return [3]geom.Vec3{bvh.spheres[i].Center}, 1
	case capsuleKind:
		p := &bvh.capsules[i]
		return [3]geom.Vec3{p.A.Add(p.B).Scale(0.5), p.A, p.B}, 3
	case boxKind:
		return [3]geom.Vec3{bvh.boxes[i].Center}, 1
	case cutKind:
		return bvh.landmarks(bvh.cuts[i].whole)
	default:
		p := &bvh.cylinders[i]
		return [3]geom.Vec3{p.A.Add(p.B).Scale(0.5), p.A, p.B}, 3
	}
}

// breadth returns an upper bound of the radius of a disc that fits into the silhouette of a solid, from any side.
func (s *solids) breadth(at primRef) float64 {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return s.spheres[i].Radius
	case capsuleKind:
		return s.capsules[i].Radius
	case boxKind:
		return s.boxes[i].HalfExtents.Norm()
	case cutKind:
		return s.breadth(s.cuts[i].whole)
	default:
		return s.cylinders[i].Radius
	}
}

// least returns the smallest dot product of the unit vector n and a point of a solid.
func (s *solids) least(at primRef, n geom.Vec3) float64 {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return n.Dot(s.spheres[i].Center) - s.spheres[i].Radius
	case capsuleKind:
		p := &s.capsules[i]
		return min(n.Dot(p.A), n.Dot(p.B)) - p.Radius
	case boxKind:
		b := &s.boxes[i]
		return n.Dot(b.Center) - b.Reach(n)
	case cutKind:
		return s.least(s.cuts[i].whole, n)
	default:
		p := &s.cylinders[i]
		return min(n.Dot(p.A), n.Dot(p.B)) - p.reach(n)
	}
}

const (
	// widest is the largest tangent of a cone's angle for which covered can return true.
	widest = 1.0

	// inflation is the least fraction by which the pyramid in the method covered is wider than the cone.
	inflation = 0x1p-6
)

// pyramid is a pyramid with eight edges around a cone, which [coverTracer.covered] uses.
type pyramid struct {
	prepared bool
	edges    [8]geom.Vec3 // the directions of the edges, as unit vectors; opposite edges follow each other
}

// prepare sets p to the pyramid around the cone with the given axis and the tangent of its angle.
func (p *pyramid) prepare(axis geom.Vec3, tan float64) {
	const h = math.Sqrt2 / 2
	const cosine = 0.9238795325112867 // of 22.5 degrees: the ratio of the radii of the inner and outer circles of an octagon
	corners := [8][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {h, h}, {-h, -h}, {h, -h}, {-h, h}}
	frame := sampler.Frame(axis)
	width := tan * (1 + inflation) / cosine
	unit := 1 / math.Sqrt(1+float64(width*width)) // all edges have the same length
	along, across := axis.Scale(unit), float64(width*unit)
	for i := range corners {
		k := &corners[i]
		p.edges[i] = along.AddScaled(float64(across*k[0]), frame.X).AddScaled(float64(across*k[1]), frame.Y)
	}
	p.prepared = true
}

// covered reports whether it is certain that one solid blocks all rays of the cone.
//
// It tests the eight edges of a pyramid around the cone. All edges must enter the solid before they reach the light.
// Because the solid is convex, it contains the convex hull of the eight points where they enter. Every ray of the cone
// crosses this hull, no farther away than the farthest of the points.
//
// Rounding may move the points by the slack e. They surround every ray even then, because the pyramid is wider than the
// cone. The distance of a ray of the cone from the edges of the hull is at least
//
//	0.7 t tan a inflation / 2
//
// where t is the distance of the closest point, and a is the cone's angle, with tan a <= 1. The last condition in the
// code makes this more than 5 e. So package shapes, too, finds that the solid contains the ray with a margin of 2 e.
// Only solids that a ray enters block it, so the origin must lie outside the solid: a plane between them proves this.
//
// The parameter front is a lower bound of the distance, measured along the axis, from the apex to the solid. A solid
// that is narrower than the cone at this distance cannot cover the cone.
func (s *coverTracer) covered(d *SecondaryRay, c *Cone, at primRef, front, margin float64) bool {
	if at.kind() == sphereKind {
		return s.coveredBySphere(d, c, at, margin)
	}
	tan := c.Sin / c.Cos
	if !(tan <= widest) || front*tan > s.bvh.breadth(at) || d.rule(s.bvh.objectNumber(at)) != entering {
		return false
	}
	o := d.Ray.Origin
	if !(front > margin) && !s.isApart(at, o, margin) {
		return false
	}
	if !s.pyramid.prepared {
		s.pyramid.prepare(d.Ray.Dir, tan)
	}
	first, last := math.Inf(1), 0.0
	for _, edge := range s.pyramid.edges {
		near, _, ok := s.bvh.chord(at, o, edge)
		if !ok || !(near > margin) {
			return false
		}
		first, last = min(first, near), max(last, near)
	}
	const enough = 8 // 5 e is 2.5 margins, which is less than 8 * 0.7 / 2
	return first*tan*inflation > enough*margin && last+float64(2*margin) < c.Near
}

// coveredBySphere reports whether it is certain that a sphere blocks all rays of the cone.
//
// Let b be the angle at the origin between the line to the sphere's center and a tangent of the sphere. The sphere
// covers the cone if the angle between that line and the axis of the cone is at most b minus the angle of the
// cone. The function compares the sines of these two angles. It reduces the sphere's radius by the margin, which is
// much larger than all rounding errors.
func (s *coverTracer) coveredBySphere(d *SecondaryRay, c *Cone, at primRef, margin float64) bool {
	b := &s.bvh.spheres[at.index()]
	f := b.Center.Sub(d.Ray.Origin)
	along := f.Dot(d.Ray.Dir)
	if !(along > 0) || float64(along*c.Sin) > b.Radius {
		return false
	}
	across, dist, r := f.AddScaled(-along, d.Ray.Dir).Norm(), f.Norm(), b.Radius-margin
	if !(dist > b.Radius+margin) {
		return false
	}
	tangent := math.Sqrt(float64((dist - r) * (dist + r)))
	return across+margin < float64(r*c.Cos)-float64(tangent*c.Sin) && tangent+float64(2*margin) < c.Near &&
		d.rule(s.bvh.objectNumber(at)) == entering
}

// isApart reports whether a plane separates the point p from a solid. It tries only the planes that are perpendicular
// to the line from p to the middle of the solid's bounds, so it may return false for a point outside.
func (s *coverTracer) isApart(at primRef, p geom.Vec3, margin float64) bool {
	n, ok := geom.Direction(s.bvh.shape(at).Bounds().Center().Sub(p))
	return ok && s.bvh.least(at, n)-n.Dot(p) > margin
}
