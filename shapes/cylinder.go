package shapes

import (
	"fmt"
	"math"

	"pillbox/geom"
)

// Cylinder is the set of points within Radius of the line through A and B that lie between two flat
// discs, one around A and one around B, perpendicular to that line.
//
// The rim of a disc is an edge, where the surface has two normals. Where the computed distances to the
// disc and to the side are equal, the crossing has the normal of the disc. A line in the plane of a
// disc does not cross that disc, so its crossings have the normals of the side.
type Cylinder struct {
	A, B   geom.Vec3 // the centers of the discs, at least geom.MinSize apart
	Radius float64   // positive
}

// Validate returns an error if a center or the radius is out of range, or if the centers are so close
// that the axis has no direction.
func (c *Cylinder) Validate() error {
	if err := checkPoint("a", c.A); err != nil {
		return err
	}
	if err := checkPoint("b", c.B); err != nil {
		return err
	}
	if length := c.B.Sub(c.A).Norm(); length < geom.MinSize {
		return fmt.Errorf("b: must be at least %g from a, got %v", geom.MinSize, length)
	}
	return checkSize("radius", c.Radius)
}

// Bounds implements [Shape]. Along a coordinate axis, a disc extends from its center by Radius times
// the sine of the angle between that axis and the cylinder's.
func (c *Cylinder) Bounds() geom.Bounds {
	u, _ := c.axis()
	// sqrt(1 - u.X^2) would be inaccurate for an axis that is nearly along x.
	reach := geom.Vec3{
		X: float64(c.Radius * geom.Vec3{Y: u.Y, Z: u.Z}.Norm()),
		Y: float64(c.Radius * geom.Vec3{X: u.X, Z: u.Z}.Norm()),
		Z: float64(c.Radius * geom.Vec3{X: u.X, Y: u.Y}.Norm()),
	}
	b := geom.Bounds{Min: c.A, Max: c.A}.Include(c.B)
	return geom.Bounds{Min: b.Min.Sub(reach), Max: b.Max.Add(reach)}
}

// axis returns the direction from A to B and the distance between them.
func (c *Cylinder) axis() (u geom.Vec3, length float64) {
	axis := c.B.Sub(c.A)
	length = axis.Norm()
	return axis.Div(length), length
}

// Span implements [Shape].
func (c *Cylinder) Span(r geom.Ray) (Span, bool) {
	x, ok := c.cut(r)
	if !ok {
		return Span{}, false
	}
	return Span{Near: x.hit(r, x.near), Far: x.hit(r, x.far), Tangent: x.tangent}, true
}

// Intersect implements [Shape].
func (c *Cylinder) Intersect(r geom.Ray, tMin, tMax float64) (Hit, bool) {
	x, ok := c.cut(r)
	if !ok {
		return Hit{}, false
	}
	t, ok := x.first(tMin, tMax)
	if !ok {
		return Hit{}, false
	}
	return x.hit(r, t), true
}

// Touches implements [Shape]. It clips the segment to the slab between the discs, and compares the
// distance of the remaining part from the axis with the radius.
func (c *Cylinder) Touches(s geom.Segment) bool {
	u, length := c.axis()
	f, g := s.A.Sub(c.A), s.B.Sub(c.A)
	y, z := f.Dot(u), g.Dot(u)
	lo, hi := 0.0, 1.0
	if d := z - y; d != 0 {
		// Division, unlike multiplication with a reciprocal, is exact for an end point in the plane of
		// a disc: 0 or 1.
		t0, t1 := -y/d, (length-y)/d
		lo, hi = max(lo, min(t0, t1)), min(hi, max(t0, t1))
	} else if y < 0 || y > length {
		return false
	}
	if lo > hi {
		return false
	}
	across := geom.Segment{A: f.AddScaled(-y, u), B: g.AddScaled(-z, u)}
	q, _ := geom.Segment{A: across.At(lo), B: across.At(hi)}.Closest(geom.Vec3{})
	return q.Norm2() <= c.Radius*c.Radius
}

// cylinderChord is the part of a line inside a cylinder, with the values from which hit computes the
// normals.
type cylinderChord struct {
	chord
	in, out float64   // where the line enters and leaves the slab between the discs
	u       geom.Vec3 // the axis' direction
	dy      float64   // the component of the line's direction along the axis
	f2, d2  geom.Vec3 // the components across the axis of its origin, relative to A, and of its direction
	radius  float64
}

// cut returns where the line of r enters and leaves the cylinder. The cylinder is the intersection of the infinite
// cylinder around its axis and the slab between its discs. So the line enters at the later of the two entries and
// leaves at the earlier of the two exits.
func (c *Cylinder) cut(r geom.Ray) (cylinderChord, bool) {
	u, length := c.axis()
	f := r.Origin.Sub(c.A)
	y, dy := f.Dot(u), r.Dir.Dot(u)
	f2, d2 := f.AddScaled(-y, u), r.Dir.AddScaled(-dy, u)
	a := d2.Norm2()
	parallel := a < ParallelSine*ParallelSine
	b := 0.0 // all points of a line parallel to the axis are equally near to it
	if !parallel {
		b = -f2.Dot(d2) / a
	}
	disc := float64(c.Radius*c.Radius) - f2.AddScaled(b, d2).Norm2()
	if !(disc >= 0) {
		return cylinderChord{}, false
	}
	h := math.Inf(1)
	if !parallel {
		h = math.Sqrt(disc / a)
	}
	x := cylinderChord{chord: chord{near: b - h, far: b + h}, u: u, dy: dy, f2: f2, d2: d2, radius: c.Radius}
	x.in, x.out = slab(-y, length-y, dy)
	// x.in and x.out can be NaN, for which these comparisons are false: see slab.
	if x.in > x.near {
		x.near = x.in
	}
	if x.out < x.far {
		x.far = x.out
	}
	x.tangent = x.near == x.far
	return x, x.near <= x.far
}

// hit returns the crossing at t, an end of the chord. Where t is a crossing with the plane of a disc,
// the normal is the disc's; otherwise it leads away from the axis.
func (x *cylinderChord) hit(r geom.Ray, t float64) Hit {
	switch t {
	case x.in:
		return Hit{t, x.u.Scale(math.Copysign(1, -x.dy))}
	case x.out:
		return Hit{t, x.u.Scale(math.Copysign(1, x.dy))}
	}
	return Hit{t, RoundNormal(x.f2.AddScaled(t, x.d2), x.radius, r.Dir)}
}
