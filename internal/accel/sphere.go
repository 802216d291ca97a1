package accel

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// sphere is a sphere prepared for rays from any origin.
type sphere struct{ shapes.Sphere }

// sphereFrom is a sphere prepared for rays from one origin: it holds the values that all these rays
// share.
type sphereFrom struct {
	f  geom.Vec3 // from the center to the origin
	r  float64   // radius
	r2 float64   // and its square
}

// The method from stores in v the values that all rays from the point o share. Returning a value instead would
// copy it.
func (b *sphere) from(o geom.Vec3, v *sphereFrom) { v.set(o.Sub(b.Center), b.Radius) }

func (v *sphereFrom) set(f geom.Vec3, r float64) { v.f, v.r, v.r2 = f, r, float64(r*r) }

// chord returns where the line along d enters and leaves the sphere. It performs the operations of
// [shapes.Sphere.Span] in the same order, but computes no normals.
func (v *sphereFrom) chord(d geom.Vec3) (near, far float64, ok bool) {
	b := -v.f.Dot(d)
	disc := v.r2 - v.f.AddScaled(b, d).Norm2()
	if !(disc >= 0) {
		return 0, 0, false
	}
	h := math.Sqrt(disc)
	return b - h, b + h, true
}

// chord returns where the line through o along d enters and leaves the sphere. The result has the same bits as that of
// [sphereFrom.chord], but no sphereFrom needs to be stored.
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

// normal returns the outward normal at the point where the line along d crosses the sphere at the distance t.
func (v *sphereFrom) normal(d geom.Vec3, t float64) geom.Vec3 {
	return shapes.RoundNormal(v.f.AddScaled(t, d), v.r, d)
}
