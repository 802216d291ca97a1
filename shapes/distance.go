package shapes

import (
	"math"
	"slices"

	"pillbox/geom"
)

// Distance returns the distance between the closed segment s and the box, 0 if they meet.
// It is numeric: right to a few units in the last place of the coordinates.
//
// Along the segment, the squared distance to the box is convex and made of parabolas that
// join where a coordinate passes a face. Between two joints its derivative is linear, so
// the minimum lies where the derivative changes sign.
func (b *Box) Distance(s geom.Segment) float64 {
	p, q := b.local(s.A), b.local(s.B)
	d := q.Sub(p)
	joints := []float64{0, 1}
	for _, axis := range [3]struct{ p, d, h float64 }{
		{p.X, d.X, b.HalfExtents.X}, {p.Y, d.Y, b.HalfExtents.Y}, {p.Z, d.Z, b.HalfExtents.Z},
	} {
		if axis.d == 0 {
			continue
		}
		for _, h := range [2]float64{-axis.h, axis.h} {
			if t := (h - axis.p) / axis.d; 0 < t && t < 1 {
				joints = append(joints, t)
			}
		}
	}
	slices.Sort(joints)
	// outward is the vector from the box to the point at t, whose product with d is half
	// the derivative.
	outward := func(t float64) geom.Vec3 {
		x := p.AddScaled(t, d)
		return geom.Vec3{X: beyond(x.X, b.HalfExtents.X), Y: beyond(x.Y, b.HalfExtents.Y), Z: beyond(x.Z, b.HalfExtents.Z)}
	}
	best := min(outward(0).Norm(), outward(1).Norm())
	for i, t1 := range joints[1:] {
		t0 := joints[i]
		slope0, slope1 := outward(t0).Dot(d), outward(t1).Dot(d)
		t := t1
		if slope0 < 0 && slope1 > 0 {
			t = t0 + float64((t1-t0)*(slope0/(slope0-slope1)))
		}
		best = min(best, outward(t).Norm())
	}
	return best
}

// beyond returns how far x lies outside [-h, h], with its sign.
func beyond(x, h float64) float64 {
	switch {
	case x > h:
		return x - h
	case x < -h:
		return x + h
	}
	return 0
}

// Separation returns the width of the widest gap between the shadows of two boxes on any of
// 15 axes that decide: positive if the boxes are apart, 0 if they touch, negative if they
// overlap, and then the least distance by which one must move to get free. It is numeric:
// right to a few units in the last place of the coordinates. Source: Gottschalk, Lin,
// Manocha, "OBBTree", SIGGRAPH 1996.
func (b *Box) Separation(o *Box) float64 {
	between := o.Center.Sub(b.Center)
	mine := [3]geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z}
	theirs := [3]geom.Vec3{o.Rotation.X, o.Rotation.Y, o.Rotation.Z}
	widest := math.Inf(-1)
	try := func(axis geom.Vec3) {
		gap := math.Abs(between.Dot(axis)) - b.Reach(axis) - o.Reach(axis)
		widest = max(widest, gap)
	}
	for i := range 3 {
		try(mine[i])
		try(theirs[i])
		for j := range 3 {
			// Edges that are parallel to within rounding have no common normal, and need
			// none: the faces' normals decide.
			if n := mine[i].Cross(theirs[j]); n.Norm() > maxSkew {
				try(n.Unit())
			}
		}
	}
	return widest
}

// SegmentSeparation is [Box.Separation] for a segment instead of the other box. A segment has one
// direction and no faces, so six axes decide.
func (b *Box) SegmentSeparation(s geom.Segment) float64 {
	half := s.B.Sub(s.A).Scale(0.5)
	between := s.At(0.5).Sub(b.Center)
	widest := math.Inf(-1)
	try := func(axis geom.Vec3) {
		widest = max(widest, math.Abs(between.Dot(axis))-b.Reach(axis)-math.Abs(half.Dot(axis)))
	}
	for _, face := range [3]geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z} {
		try(face)
		if n := half.Cross(face); n.Norm() > float64(parallelSine*half.Norm()) {
			try(n.Unit())
		}
	}
	return widest
}

// parallelSine is the sine of the largest angle at which a segment counts as parallel to an edge: a few
// thousand roundings, up to which the normals of the faces decide to within as much.
const parallelSine = 0x1p-40

// Reach returns how far the box reaches from its center along n, times the length of n. It is
// numeric: right to a few units in the last place of the lengths of HalfExtents and n,
// multiplied.
func (b *Box) Reach(n geom.Vec3) float64 {
	return math.Abs(float64(b.HalfExtents.X*b.Rotation.X.Dot(n))) +
		math.Abs(float64(b.HalfExtents.Y*b.Rotation.Y.Dot(n))) +
		math.Abs(float64(b.HalfExtents.Z*b.Rotation.Z.Dot(n)))
}
