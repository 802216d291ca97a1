package accel

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// sphere is a sphere prepared for rays from anywhere.
type sphere struct{ shapes.Sphere }

// sphereFrom is a sphere prepared for rays from one origin: what they have in common is computed.
type sphereFrom struct {
	f  geom.Vec3 // from the center to the origin
	r  float64   // radius
	r2 float64   // and its square
}

// from prepares v for rays from o. Returning it would copy it.
func (b *sphere) from(o geom.Vec3, v *sphereFrom) { v.set(o.Sub(b.Center), b.Radius) }

func (v *sphereFrom) set(f geom.Vec3, r float64) { v.f, v.r, v.r2 = f, r, float64(r*r) }

// chord is [shapes.Sphere.Span] for the direction d, without normals: the same operations in the same
// order.
func (v *sphereFrom) chord(d geom.Vec3) (near, far float64, ok bool) {
	b := -v.f.Dot(d)
	disc := v.r2 - v.f.AddScaled(b, d).Norm2()
	if !(disc >= 0) {
		return 0, 0, false
	}
	h := math.Sqrt(disc)
	return b - h, b + h, true
}

// chord is that of the sphere as it is seen from o, without storing it.
func (b *sphere) chord(o, d geom.Vec3) (near, far float64, ok bool) {
	f := o.Sub(b.Center)
	t := -f.Dot(d)
	disc := float64(b.Radius*b.Radius) - f.AddScaled(t, d).Norm2()
	if !(disc >= 0) {
		return 0, 0, false
	}
	h := math.Sqrt(disc)
	return t - h, t + h, true
}

// normal returns the outward normal where the line along d crosses the sphere at t.
func (v *sphereFrom) normal(d geom.Vec3, t float64) geom.Vec3 {
	return shapes.RoundNormal(v.f.AddScaled(t, d), v.r, d)
}
