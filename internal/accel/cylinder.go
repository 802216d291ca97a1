package accel

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// cylinder is a cylinder prepared for rays from any origin.
type cylinder struct {
	shapes.Cylinder
	u      geom.Vec3 // the axis' direction from A to B
	length float64   // the axis' length
	number int32
}

func newCylinder(c shapes.Cylinder, number int32) cylinder {
	axis := c.B.Sub(c.A)
	length := axis.Norm()
	return cylinder{c, axis.Div(length), length, number}
}

// reach returns how far a disc of the cylinder extends from its center along n, times the length of n.
func (p *cylinder) reach(n geom.Vec3) float64 { return float64(p.Radius * n.Cross(p.u).Norm()) }

// cylinderFrom is a cylinder prepared for rays from one origin.
type cylinderFrom struct {
	u            geom.Vec3 // the axis' direction from A to B
	lower, upper float64   // heights of the discs above the origin, along the axis
	f2           geom.Vec3 // from A to the origin, across the axis
	r            float64   // radius
	r2           float64   // and its square
}

// The method from stores in v the values that all rays from the point o share.
func (p *cylinder) from(o geom.Vec3, v *cylinderFrom) {
	f := o.Sub(p.A)
	y := f.Dot(p.u)
	v.u = p.u
	v.lower, v.upper = -y, p.length-y
	v.f2 = f.AddScaled(-y, p.u)
	v.r, v.r2 = p.Radius, float64(p.Radius*p.Radius)
}

// chord returns where the line along d enters and leaves the cylinder. It performs the operations of
// [shapes.Cylinder.Span] in the same order, but computes no normals.
func (v *cylinderFrom) chord(d geom.Vec3) (near, far float64, ok bool) {
	dy := d.Dot(v.u)
	d2 := d.AddScaled(-dy, v.u)
	a := d2.Norm2()
	parallel := a < shapes.ParallelSine*shapes.ParallelSine
	b := 0.0
	if !parallel {
		b = -v.f2.Dot(d2) / a
	}
	disc := v.r2 - v.f2.AddScaled(b, d2).Norm2()
	if !(disc >= 0) {
		return 0, 0, false
	}
	h := math.Inf(1)
	if !parallel {
		h = math.Sqrt(disc / a)
	}
	near, far = cut(b-h, b+h, v.lower, v.upper, dy)
	return near, far, near <= far
}

// normal returns the outward normal at the point where the line along d enters or leaves the cylinder. The
// point has the distance t from the line's origin. On a rim, the normal is that of the disc, as in package
// shapes.
func (v *cylinderFrom) normal(d geom.Vec3, t float64) geom.Vec3 {
	dy := d.Dot(v.u)
	switch in, out := slab(v.lower, v.upper, dy); t {
	case in:
		return v.u.Scale(math.Copysign(1, -dy))
	case out:
		return v.u.Scale(math.Copysign(1, dy))
	}
	return shapes.RoundNormal(v.f2.AddScaled(t, d.AddScaled(-dy, v.u)), v.r, d)
}
