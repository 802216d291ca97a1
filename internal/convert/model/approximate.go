package model

import "pillbox/geom"

// CapsuleFor returns a capsule in place of a cylinder whose axis runs from a to b: with its radius
// and its length or, where the cylinder is shorter than thick, a ball in its middle.
func CapsuleFor(a, b geom.Vec3, radius float64, label Label) Capsule {
	axis := b.Sub(a)
	length := axis.Norm()
	c := Capsule{A: a, B: b, Radius: radius, Label: label}
	if length <= 2*radius {
		c.A = a.AddScaled(0.5, axis)
		c.B = c.A
		return c
	}
	inset := axis.Scale(radius / length)
	c.A, c.B = a.Add(inset), b.Sub(inset)
	return c
}

// What is noted of cylinders.
const (
	Cylinder  = "cylinder"
	AsCapsule = "shown as a capsule"
)
