package accel

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// box is a box as the BVH stores it, with its object number.
type box struct {
	shapes.Box
	number int32
}

// boxFrom is a box prepared for rays from one origin.
type boxFrom struct {
	axes geom.Mat3
	// The coordinates of the lower and the upper faces relative to the origin, along the box's axes.
	lower, upper geom.Vec3
}

// The method from stores in v the values that all rays from the point o share.
func (b *box) from(o geom.Vec3, v *boxFrom) {
	p := b.Rotation.TransposeMulVec(o.Sub(b.Center))
	v.axes = b.Rotation
	v.lower, v.upper = b.HalfExtents.Neg().Sub(p), b.HalfExtents.Sub(p)
}

// chord returns where the line along d enters and leaves the box. It performs the operations of [shapes.Box.Span]
// in the same order, but computes no normals.
func (v *boxFrom) chord(d geom.Vec3) (near, far float64, ok bool) {
	near, far = math.Inf(-1), math.Inf(1)
	near, far = cut(near, far, v.lower.X, v.upper.X, v.axes.X.Dot(d))
	near, far = cut(near, far, v.lower.Y, v.upper.Y, v.axes.Y.Dot(d))
	near, far = cut(near, far, v.lower.Z, v.upper.Z, v.axes.Z.Dot(d))
	return near, far, near <= far
}

// cut clips a chord to the slab between two faces. For a line in the plane of a face, slab returns NaN
// (0 * Inf), which must not clip the chord: comparisons with NaN are false.
func cut(near, far, lower, upper, d float64) (float64, float64) {
	in, out := slab(lower, upper, d)
	if in > near {
		near = in
	}
	if out < far {
		far = out
	}
	return near, far
}

// slab returns the distances at which a line that advances by d per unit of distance passes two
// parallel faces.
func slab(lower, upper, d float64) (in, out float64) {
	inv := 1 / d
	if inv < 0 {
		lower, upper = upper, lower
	}
	return float64(lower * inv), float64(upper * inv)
}

// normal returns the outward normal at the point where the line along d enters or leaves the box. The point
// has the distance t from the line's origin. If several faces lie at t, a face where the line enters takes
// precedence over one where it leaves; among equals, the first axis takes precedence. Package shapes has
// the same rules.
func (v *boxFrom) normal(d geom.Vec3, t float64) geom.Vec3 {
	r := &v.axes
	x, y, z := r.X.Dot(d), r.Y.Dot(d), r.Z.Dot(d)
	inX, outX := slab(v.lower.X, v.upper.X, x)
	if inX == t {
		return r.X.Scale(math.Copysign(1, -x))
	}
	inY, outY := slab(v.lower.Y, v.upper.Y, y)
	if inY == t {
		return r.Y.Scale(math.Copysign(1, -y))
	}
	inZ, _ := slab(v.lower.Z, v.upper.Z, z)
	switch {
	case inZ == t:
		return r.Z.Scale(math.Copysign(1, -z))
	case outX == t:
		return r.X.Scale(math.Copysign(1, x))
	case outY == t:
		return r.Y.Scale(math.Copysign(1, y))
	}
	return r.Z.Scale(math.Copysign(1, z))
}
