package accel

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/internal/sampler"
)

// Cone is a cone of shadow rays: they start at one point of a surface, and differ from an axis by at most an angle of 90
// degrees. It contains all rays from there to a light with a size.
type Cone struct {
	Sin, Cos float64 // of the angle
	Near     float64 // solids block all rays that they meet closer than this; infinite for a directional light
	Far      float64 // all rays end before the plane that crosses the axis at this distance; infinite for a directional light
}

// Cover says how much of a light with a size solids hide.
type Cover uint8

const (
	Partial Cover = iota // some of it, all, or nothing: not decided
	Open                 // nothing: no shadow ray to any point of the light is blocked
	Covered              // all of it: every shadow ray to a point of the light is blocked
)

// AreaLight is a light with a size, in the form that [BVH.Cover] needs.
type AreaLight struct {
	// Center and Radius describe a ball of light. If Radius is 0, the light is directional, and the directions
	// toward it differ from the unit vector Axis by an angle whose cosine is Cos.
	Center geom.Vec3
	Radius float64
	Axis   geom.Vec3
	Cos    float64

	// Within lists the solids that contain the whole ball with a margin, so that no ray from inside such a solid
	// leaves it before it reaches the light.
	Within []int32
}

// Cover stores in covers, for each point from which rays toward a light with a size start, whether solids hide the
// light there. Open means that [BVH.Blocked] returns false for all rays in the point's cone that end at the light, and
// Covered that it returns true for all. One decision costs much less than these rays. axes[i] is the ray to the center
// of the light, and cones[i] the cone around it. The lengths of axes, cones and covers must be equal.
func (bvh *BVH) Cover(l *AreaLight, axes []SecondaryRay, cones []Cone, covers []Cover) {
	if bvh.Len() == 0 {
		for i := range covers {
			covers[i] = Open
		}
		return
	}
	s := bvh.covers.take(bvh.newCoverTracer)
	s.light = l
	for len(axes) > 0 {
		n := s.groups.sort(axes)
		s.axes, s.cones, s.covers = axes[:n], cones[:n], covers[:n]
		for k := range s.groups.n {
			s.own = bvh.primOf(s.groups.objects[k])
			s.traceGroup(s.groups.group(k))
		}
		axes, cones, covers = axes[n:], cones[n:], covers[n:]
	}
	bvh.covers.put(s)
}

// coverTracer decides for groups of points on the same solid. It finds the solids in the shaft from all points of a
// group to the light, and tests these solids for each point. If there are too many, it divides the group.
type coverTracer struct {
	bvh    *BVH
	light  *AreaLight
	groups rayGroups
	axes   []SecondaryRay
	cones  []Cone
	covers []Cover

	own        primRef // the solid that the group leaves
	walk       traversal
	shaft      shaft
	candidates [maxCandidates]primRef
}

// maxCandidates is the largest number of solids that are tested for each point of a group. A group with more solids is
// divided if it has at least minDivided points.
const (
	maxCandidates = 12
	minDivided    = 4
)

func (bvh *BVH) newCoverTracer() *coverTracer { return &coverTracer{bvh: bvh} }

// traceGroup stores the covers of the points with the indices members, of which there is at least one.
func (s *coverTracer) traceGroup(members []int32) {
	from := originBounds(s.axes, members)
	if n, ok := s.collect(from); ok {
		for _, i := range members {
			s.covers[i] = s.decide(&s.axes[i], &s.cones[i], s.candidates[:n])
		}
		return
	}
	n := 0
	if len(members) >= minDivided {
		n = s.divide(members, from)
	}
	if n == 0 || n == len(members) {
		for _, i := range members {
			s.covers[i] = s.alone(i)
		}
		return
	}
	s.traceGroup(members[:n])
	s.traceGroup(members[n:])
}

// divide moves the members whose points lie in the lower half of their bounds to the front, and returns their number.
func (s *coverTracer) divide(members []int32, from geom.Bounds) int {
	axis, at := middle(from)
	n := 0
	for k, i := range members {
		o := &s.axes[i].Ray.Origin
		if [3]float64{o.X, o.Y, o.Z}[axis] < at {
			members[k], members[n] = members[n], i
			n++
		}
	}
	return n
}

// alone returns the cover of one point, for which it collects the solids separately.
func (s *coverTracer) alone(i int32) Cover {
	o := s.axes[i].Ray.Origin
	if n, ok := s.collect(geom.Bounds{Min: o, Max: o}); ok {
		return s.decide(&s.axes[i], &s.cones[i], s.candidates[:n])
	}
	return Partial
}

// collect stores the solids that may block rays to the light from points in from, and returns their number. It returns
// false if there are more than maxCandidates.
func (s *coverTracer) collect(from geom.Bounds) (n int, ok bool) {
	s.shaft.stretch(from, s.ends(from), s.bvh.slackIn(from))
	s.walk.start(&s.bvh.tree, &s.shaft)
	for leaf := s.walk.next(0); leaf != nil; leaf = s.walk.next(0) {
		for _, at := range leaf {
			if at == s.own || !s.shaft.admits(&s.bvh.solids, at) {
				continue
			}
			if n == maxCandidates {
				s.walk.stop()
				return 0, false
			}
			s.candidates[n] = at
			n++
		}
	}
	return n, true
}

// ends returns bounds of the ends of all rays from points in from to the light: bounds of the ball or, for a
// directional light, of points behind all solids.
func (s *coverTracer) ends(from geom.Bounds) geom.Bounds {
	l := s.light
	if l.Radius > 0 {
		return geom.Bounds{Min: l.Center, Max: l.Center}.Expand(l.Radius)
	}
	// The unit vectors to two points of the light differ by twice the sine of half the angle between them.
	far := s.bvh.beyond(from)
	step := l.Axis.Scale(far)
	return geom.Bounds{Min: from.Min.Add(step), Max: from.Max.Add(step)}.Expand(float64(far * math.Sqrt(2*(1-l.Cos))))
}

// decide returns the cover of one point. candidates must contain all solids that may block a ray from there
// to the light.
func (s *coverTracer) decide(d *SecondaryRay, c *Cone, candidates []primRef) Cover {
	cover := Open
	margin := 2 * s.bvh.slack(d.Ray.Origin)
	for _, at := range candidates {
		if s.ignores(d, at) || s.misses(d, c, at, margin) {
			continue
		}
		if s.covered(d, c, at, margin) {
			return Covered
		}
		cover = Partial
	}
	return cover
}

// ignores reports whether a solid cannot block because it contains both the eye and the light: rays leave it only
// behind the light.
func (s *coverTracer) ignores(d *SecondaryRay, at primRef) bool {
	return len(d.Eye) > 0 && len(s.light.Within) > 0 &&
		slices.Contains(s.light.Within, s.bvh.number(at)) && slices.Contains(d.Eye, s.bvh.number(at))
}

// misses reports whether a plane separates a solid from the cone, with a margin that exceeds the rounding errors of both:
// twice the slack. One slack is for the rays, as everywhere; the other is for the planes.
func (s *coverTracer) misses(d *SecondaryRay, c *Cone, at primRef, margin float64) bool {
	o, axis := d.Ray.Origin, d.Ray.Dir
	if s.bvh.least(at, axis)-axis.Dot(o) > c.Far+margin {
		return true
	}
	// The plane that touches the cone on the side of a point q of the solid has the normal cos a b - sin a axis, where b
	// points from the axis to q.
	for _, q := range s.bvh.landmarks(at) {
		b, ok := aside(q.Sub(o), axis)
		if !ok {
			continue
		}
		n := b.Scale(c.Cos).AddScaled(-c.Sin, axis)
		if s.bvh.least(at, n)-n.Dot(o) > margin {
			return true
		}
	}
	return at.kind() == boxKind && s.isBehindFace(&s.bvh.boxes[at.index()], d, c, margin)
}

// aside returns the direction of the part of f that is perpendicular to the unit vector axis, and false if f is so close to
// the axis that this part consists of rounding errors.
func aside(f, axis geom.Vec3) (geom.Vec3, bool) {
	// The first difference may keep a part along the axis: an error of 2^-53 of f, which can be much of a short difference. The
	// second removes it, unless nothing else is left.
	const perpendicular = 0x1p-50
	b, ok := geom.Direction(f.AddScaled(-f.Dot(axis), axis))
	if !ok {
		return b, false
	}
	b, ok = geom.Direction(b.AddScaled(-b.Dot(axis), axis))
	return b, ok && math.Abs(b.Dot(axis)) <= perpendicular
}

// isBehindFace reports whether the whole cone lies on the outer side of a face of a box.
func (s *coverTracer) isBehindFace(b *box, d *SecondaryRay, c *Cone, margin float64) bool {
	p := b.Rotation.TransposeMulVec(d.Ray.Origin.Sub(b.Center))
	u := b.Rotation.TransposeMulVec(d.Ray.Dir)
	// All rays of the cone rise along a face's normal if the angle between the axis and the normal is at most 90
	// degrees minus the angle of the cone. The margin rise covers the rounding of all directions.
	const rise = 0x1p-40
	isOut := func(p, u, h float64) bool {
		return math.Abs(p)-h > margin && math.Copysign(u, u*p) >= c.Sin+rise
	}
	return isOut(p.X, u.X, b.HalfExtents.X) || isOut(p.Y, u.Y, b.HalfExtents.Y) || isOut(p.Z, u.Z, b.HalfExtents.Z)
}

// landmarks returns points of a solid. If a plane separates the solid from a cone, it is likely to touch the
// cone on the side of one of these points.
func (bvh *BVH) landmarks(at primRef) [3]geom.Vec3 {
	switch i := at.index(); at.kind() {
	case sphereKind:
		c := bvh.spheres[i].Center
		return [3]geom.Vec3{c, c, c}
	case capsuleKind:
		p := &bvh.capsules[i]
		return [3]geom.Vec3{p.A.Add(p.B).Scale(0.5), p.A, p.B}
	case boxKind:
		c := bvh.boxes[i].Center
		return [3]geom.Vec3{c, c, c}
	default:
		p := &bvh.cylinders[i]
		return [3]geom.Vec3{p.A.Add(p.B).Scale(0.5), p.A, p.B}
	}
}

// least returns the smallest inner product of the unit vector n and a point of a solid.
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
	default:
		p := &s.cylinders[i]
		return min(n.Dot(p.A), n.Dot(p.B)) - p.reach(n)
	}
}

const (
	// widest is the largest tangent of the angle of a cone for which covered decides.
	widest = 1.0

	// inflation is the fraction by which the pyramid of covered is wider than the cone.
	inflation = 0x1p-6
)

// octagon returns the directions from the axis to the corners of the pyramid of covered, opposite ones in succession.
func octagon() [8][2]float64 {
	const h = math.Sqrt2 / 2
	return [8][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {h, h}, {-h, -h}, {h, -h}, {-h, h}}
}

// covered reports whether one solid blocks all rays of the cone.
//
// The eight edges of a pyramid around the cone must enter the solid before they reach the light. Since the solid is convex,
// it contains the convex hull of these eight points, which every ray of the cone crosses, not farther away than the
// farthest of them. Rounding may move the points by the slack e, so they surround a ray only if the pyramid is wide
// enough: the distance of a ray of the cone from the edges of the hull is at least
//
//	0.7 t tan a inflation / 2
//
// where t is the distance of the closest point and a the cone's angle, with tan a <= 1. The condition below makes that
// more than 5 e: the solid, as package shapes computes it, then contains more than 2 e around the ray. The origin must lie
// outside the solid, because only solids that a ray enters block it; a plane between both shows that.
func (s *coverTracer) covered(d *SecondaryRay, c *Cone, at primRef, margin float64) bool {
	tan := c.Sin / c.Cos
	if !(tan <= widest) || d.rule(s.bvh.number(at)) != entering {
		return false
	}
	o, axis := d.Ray.Origin, d.Ray.Dir
	if !(s.bvh.least(at, axis)-axis.Dot(o) > margin) && !s.isApart(at, o, margin) {
		return false
	}
	frame := sampler.Frame(axis)
	const cosine = 0.9238795325112867 // of an eighth of half a turn: the radius of the inner circle of an octagon
	width := tan * (1 + inflation) / cosine
	first, last := math.Inf(1), 0.0
	for _, k := range octagon() {
		dir := axis.AddScaled(float64(width*k[0]), frame.X).AddScaled(float64(width*k[1]), frame.Y).Unit()
		near, _, ok := s.bvh.chord(at, o, dir)
		if !ok || !(near > margin) {
			return false
		}
		first, last = min(first, near), max(last, near)
	}
	const enough = 8 // 5 e is 2.5 margins, which is less than 8 * 0.7 / 2
	return first*tan*inflation > enough*margin && last+float64(2*margin) < c.Near
}

// isApart reports whether the point p is outside a solid. It tests only planes that are perpendicular to the line from
// p to the middle of the solid's bounds: one of them must separate p from the solid.
func (s *coverTracer) isApart(at primRef, p geom.Vec3, margin float64) bool {
	n, ok := geom.Direction(s.bvh.shape(at).Bounds().Center().Sub(p))
	return ok && s.bvh.least(at, n)-n.Dot(p) > margin
}
