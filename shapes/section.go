package shapes

import (
	"math"

	"pillbox/geom"
)

// Section is a plane at which solids are cut. What lies on the side that Normal points to is taken away. The plane
// itself belongs to the side that is kept.
type Section struct {
	Point  geom.Vec3 // a point of the plane
	Normal geom.Vec3 // unit length
	Index  int       // identifies the section to the caller; this package does not use it
}

// Beyond returns the distance of p from the plane, positive on the side that is taken away. It may be wrong by [Slack]
// times the distance between p and Point.
func (x *Section) Beyond(p geom.Vec3) float64 { return p.Sub(x.Point).Dot(x.Normal) }

// KeptSide returns the interval in which the line of a ray is on the kept side. It is empty, with in > out, if the line is
// parallel to the plane on the other side.
func (x *Section) KeptSide(r geom.Ray) (in, out float64) {
	in, out = math.Inf(-1), math.Inf(1)
	left, rise := -x.Beyond(r.Origin), r.Dir.Dot(x.Normal)
	switch {
	case rise < 0: // the line comes from the side that is taken away
		in = left / rise
	case rise > 0:
		out = left / rise
	case left < 0:
		in, out = out, in
	}
	return in, out
}

// Division says on which sides of a section a solid lies.
type Division uint8

const (
	Kept    Division = iota // nothing is taken away; the solid may touch the plane
	Divided                 // the plane passes through the solid
	Removed                 // the whole solid is taken away; it may touch the plane
)

// Divide returns on which sides of x a solid lies, one of the four kinds of this package. This decides whether x cuts the
// solid, for all rays alike: a solid that x keeps is exactly the solid without x, also where it touches the plane.
func (x *Section) Divide(s Shape) Division {
	low, high := x.reach(s)
	switch {
	case high <= 0:
		return Kept
	case low >= 0:
		return Removed
	}
	return Divided
}

// Dissect returns what sections do to a solid: those that divide it, or that the whole solid is removed.
func Dissect(s Shape, sections []Section) (by []Section, removed bool) {
	for i := range sections {
		switch sections[i].Divide(s) {
		case Removed:
			return nil, true
		case Divided:
			by = append(by, sections[i])
		}
	}
	if len(by) > 1 && (&Cut{s, by}).Bounds().IsEmpty() {
		return nil, true
	}
	return by, false
}

// reach returns the least and the largest value of Beyond for all points of a solid.
func (x *Section) reach(s Shape) (low, high float64) {
	switch s := s.(type) {
	case *Sphere:
		return x.around(s.Center, s.Center, s.Radius)
	case *Capsule:
		return x.around(s.A, s.B, s.Radius)
	case *Box:
		return x.around(s.Center, s.Center, s.Reach(x.Normal))
	case *Cylinder:
		u, _ := s.axis()
		return x.around(s.A, s.B, float64(s.Radius*x.Normal.Cross(u).Norm()))
	}
	panic("shapes: a section of an unknown solid")
}

// around returns the values of Beyond for a and b, the smaller one reduced and the larger one increased by r.
func (x *Section) around(a, b geom.Vec3, r float64) (low, high float64) {
	u, v := x.Beyond(a), x.Beyond(b)
	return min(u, v) - r, max(u, v) + r
}

// Cut is what is left of a solid after sections have taken parts of it away: the points of the solid on the kept sides of
// all sections. This may be nothing. It implements [Shape]. The flat faces along the sections are its cut faces.
//
// A line meets a Cut in the part of its [Span] in the whole solid that lies on the kept sides. Where this part begins or
// ends because of a section, the normal is that of the section. If the line crosses the solid's own surface and sections at
// the same distance, the crossing belongs to the surface; otherwise, if it crosses several sections at the same distance, it
// belongs to the first in the list. A line in the plane of a section does not cross it: it lies on the kept side. A line
// that meets the Cut in one point is Tangent, and both crossings are the one where it enters.
//
// The accuracy is that of the package, if D is at least the distances from the sections' Points to the ray's origin and to
// the farthest point of the solid, except for Touches. The Normal of a cut face is exactly that of its section.
type Cut struct {
	Whole Shape
	By    []Section // those that divide Whole, at least one
}

// Ends is the part of a line that lies in a Cut: the distances at which the line enters and leaves. In and Out are the
// indices in By of the sections that it crosses there, or -1 where it crosses the surface of the whole solid.
type Ends struct {
	Near, Far float64
	In, Out   int
}

// Clip returns the part of a ray's line in the Cut, given the distances at which the line enters and leaves the whole solid.
// It returns false if the line misses the Cut. It is exported for other implementations, which must give the same bits.
func (c *Cut) Clip(r geom.Ray, near, far float64) (Ends, bool) {
	x := Ends{near, far, -1, -1}
	for i := range c.By {
		in, out := c.By[i].KeptSide(r)
		if in > x.Near {
			x.Near, x.In = in, i
		}
		if out < x.Far {
			x.Far, x.Out = out, i
		}
	}
	if x.Near == x.Far {
		x.Out = x.In
	}
	return x, x.Near <= x.Far
}

// Ends returns where the line of r enters and leaves the Cut, and false if it misses.
func (c *Cut) Ends(r geom.Ray) (Ends, bool) {
	whole, ok := c.Whole.Span(r)
	if !ok {
		return Ends{}, false
	}
	return c.Clip(r, whole.Near.T, whole.Far.T)
}

// Span implements [Shape].
func (c *Cut) Span(r geom.Ray) (Span, bool) {
	whole, ok := c.Whole.Span(r)
	if !ok {
		return Span{}, false
	}
	x, ok := c.Clip(r, whole.Near.T, whole.Far.T)
	if !ok {
		return Span{}, false
	}
	s := Span{Near: c.hit(whole.Near, x.Near, x.In), Far: c.hit(whole.Far, x.Far, x.Out), Tangent: x.Near == x.Far}
	if s.Tangent {
		s.Far = s.Near
	}
	return s, true
}

// hit returns the crossing at t with section i or, if i is -1, that of the whole solid.
func (c *Cut) hit(whole Hit, t float64, i int) Hit {
	if i < 0 {
		return whole
	}
	return Hit{t, c.By[i].Normal}
}

// Intersect implements [Shape].
func (c *Cut) Intersect(r geom.Ray, tMin, tMax float64) (Hit, bool) {
	s, ok := c.Span(r)
	switch {
	case !ok:
	case tMin < s.Near.T && s.Near.T < tMax:
		return s.Near, true
	case tMin < s.Far.T && s.Far.T < tMax:
		return s.Far, true
	}
	return Hit{}, false
}

// Touches implements [Shape]. It may be wrong if the segment passes within 2 e of touching, twice as far as for other shapes.
func (c *Cut) Touches(s geom.Segment) bool {
	if !c.Whole.Touches(s) {
		return false
	}
	inside := true
	for i := range c.By {
		a, b := c.By[i].Beyond(s.A), c.By[i].Beyond(s.B)
		if a > 0 && b > 0 {
			return false
		}
		inside = inside && a <= 0 && b <= 0
	}
	if inside {
		return true
	}
	// Clipping the segment would round its ends to their coordinates. Distances along its line are more accurate.
	along := s.B.Sub(s.A)
	dir, ok := geom.Direction(along)
	if !ok {
		return false
	}
	x, ok := c.Ends(geom.Ray{Origin: s.A, Dir: dir})
	return ok && x.Near <= along.Norm() && x.Far >= 0
}

// Bounds implements [Shape]. It returns the bounds of the whole solid, without what a section takes away whose normal is
// along a coordinate axis. Other sections do not reduce the bounds. If nothing is left, the bounds may be empty.
func (c *Cut) Bounds() geom.Bounds {
	b := c.Whole.Bounds()
	for i := range c.By {
		p := c.By[i].Point
		switch c.By[i].Normal {
		case geom.Vec3{X: 1}:
			b.Max.X = min(b.Max.X, p.X)
		case geom.Vec3{X: -1}:
			b.Min.X = max(b.Min.X, p.X)
		case geom.Vec3{Y: 1}:
			b.Max.Y = min(b.Max.Y, p.Y)
		case geom.Vec3{Y: -1}:
			b.Min.Y = max(b.Min.Y, p.Y)
		case geom.Vec3{Z: 1}:
			b.Max.Z = min(b.Max.Z, p.Z)
		case geom.Vec3{Z: -1}:
			b.Min.Z = max(b.Min.Z, p.Z)
		}
	}
	return b
}

// Encloses reports whether every section keeps the point p, with a margin: p is farther from each plane.
func (c *Cut) Encloses(p geom.Vec3, margin float64) bool {
	for i := range c.By {
		if !(c.By[i].Beyond(p) < -margin) {
			return false
		}
	}
	return true
}
