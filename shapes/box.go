package shapes

import (
	"fmt"
	"math"

	"pillbox/geom"
)

// Box is a rectangular block, turned by Rotation about its center: the points whose
// coordinates along the columns of Rotation, counted from Center, are at most HalfExtents in
// magnitude.
type Box struct {
	Center      geom.Vec3
	HalfExtents geom.Vec3 // half the edge lengths along the box's own axes, each positive
	Rotation    geom.Mat3 // its columns are the box's axes; geom.Identity() if not turned
}

// maxSkew bounds how far Rotation may be from orthonormal, as Mat3.OrthonormalError measures it.
// Rotations from package geom are within 8 units in the last place of 1, products of a dozen of them
// within 16. A matrix beyond 64 is not merely a rounded rotation. Bounds, which treats the columns as
// orthonormal, is wrong by up to three times this error.
const maxSkew = 64 * 0x1p-52

// IsRotation reports whether the columns of m are orthonormal to within 64 units in the last place of 1, as a
// box requires of its Rotation. It returns true for reflections, too.
func IsRotation(m geom.Mat3) bool { return m.OrthonormalError() <= maxSkew } // false for NaN

// Validate returns an error if the center or a half extent is out of range, or if Rotation
// fails [IsRotation], as the zero matrix does.
func (b *Box) Validate() error {
	if err := checkPoint("center", b.Center); err != nil {
		return err
	}
	for i, h := range [3]float64{b.HalfExtents.X, b.HalfExtents.Y, b.HalfExtents.Z} {
		if err := checkSize([3]string{"half_extents[0]", "half_extents[1]", "half_extents[2]"}[i], h); err != nil {
			return err
		}
	}
	if !IsRotation(b.Rotation) {
		return fmt.Errorf("rotation: columns must be orthonormal, got %v", b.Rotation)
	}
	return nil
}

// Bounds implements [Shape]. If Rotation is not exactly orthonormal, the bounds are wrong by up to
// three times its OrthonormalError, relative to the half extents.
func (b *Box) Bounds() geom.Bounds {
	h := b.HalfExtents
	x, y, z := b.Rotation.X.Scale(h.X), b.Rotation.Y.Scale(h.Y), b.Rotation.Z.Scale(h.Z)
	reach := geom.Vec3{
		X: math.Abs(x.X) + math.Abs(y.X) + math.Abs(z.X),
		Y: math.Abs(x.Y) + math.Abs(y.Y) + math.Abs(z.Y),
		Z: math.Abs(x.Z) + math.Abs(y.Z) + math.Abs(z.Z),
	}
	return geom.Bounds{Min: b.Center.Sub(reach), Max: b.Center.Add(reach)}
}

// Span implements [Shape].
func (b *Box) Span(r geom.Ray) (Span, bool) {
	near, far, ok := b.slabs(r)
	if !ok {
		return Span{}, false
	}
	s := Span{Near: near.hit(r, entering), Far: far.hit(r, leaving), Tangent: near.t == far.t}
	if s.Tangent {
		s.Far = s.Near
	}
	return s, true
}

// Intersect implements [Shape].
func (b *Box) Intersect(r geom.Ray, tMin, tMax float64) (Hit, bool) {
	near, far, ok := b.slabs(r)
	switch {
	case !ok:
		return Hit{}, false
	case tMin < near.t && near.t < tMax:
		return near.hit(r, entering), true
	case tMin < far.t && far.t < tMax:
		return far.hit(r, leaving), true
	}
	return Hit{}, false
}

// Touches implements [Shape].
func (b *Box) Touches(s geom.Segment) bool {
	p, q := b.local(s.A), b.local(s.B)
	lo, hi := 0.0, 1.0
	for _, axis := range [3]struct{ p, q, h float64 }{
		{p.X, q.X, b.HalfExtents.X}, {p.Y, q.Y, b.HalfExtents.Y}, {p.Z, q.Z, b.HalfExtents.Z},
	} {
		d := axis.q - axis.p
		if d == 0 {
			if math.Abs(axis.p) > axis.h {
				return false
			}
			continue
		}
		// Dividing, instead of multiplying with a reciprocal, keeps end points exact: one
		// on a face gives a quotient of exactly 0 or 1.
		t0, t1 := (-axis.h-axis.p)/d, (axis.h-axis.p)/d
		lo, hi = max(lo, min(t0, t1)), min(hi, max(t0, t1))
	}
	return lo <= hi
}

// local returns p as seen from the box: relative to its center, along its axes.
func (b *Box) local(p geom.Vec3) geom.Vec3 {
	return b.Rotation.TransposeMulVec(p.Sub(b.Center))
}

// Across returns the box axis, 0 to 2, to which the face with normal n is perpendicular. n may point
// inward or outward.
func (b *Box) Across(n geom.Vec3) int {
	along := b.Rotation.TransposeMulVec(n) // 1 or -1 along one axis, except for rounding
	switch x, y, z := math.Abs(along.X), math.Abs(along.Y), math.Abs(along.Z); {
	case x > y && x > z:
		return 0
	case y > z:
		return 1
	}
	return 2
}

// OnFace returns the coordinates of the surface point p on the face with normal n, along the other two
// box axes in their order. The origin is the middle of the face. n may point inward or outward.
func (b *Box) OnFace(p, n geom.Vec3) (u, v float64) {
	at := b.local(p)
	switch b.Across(n) {
	case 0:
		return at.Y, at.Z
	case 1:
		return at.X, at.Z
	}
	return at.X, at.Y
}

// face is a crossing with one of the two faces that are perpendicular to an axis of the box.
type face struct {
	t    float64
	axis *geom.Vec3
}

// A line enters through the face whose outward normal opposes its direction, and leaves through the one
// whose normal agrees with it.
const (
	entering = -1
	leaving  = +1
)

// hit returns the crossing with its outward normal. The argument way is entering or leaving.
func (f face) hit(r geom.Ray, way float64) Hit {
	side := math.Copysign(1, way*f.axis.Dot(r.Dir))
	return Hit{f.t, f.axis.Scale(side)}
}

// orLater returns f or a crossing at t, whichever is later, and f if t is NaN. (Go's max would return
// NaN.)
func (f face) orLater(t float64, axis *geom.Vec3) face {
	if t > f.t {
		return face{t, axis}
	}
	return f
}

// orEarlier returns f or a crossing at t, whichever is earlier, and f if t is NaN.
func (f face) orEarlier(t float64, axis *geom.Vec3) face {
	if t < f.t {
		return face{t, axis}
	}
	return f
}

// slabs returns where the line of r enters and leaves the box: the last entry into and the first exit
// from its three slabs. The axis of the slab that decides an end of the interval is also the normal
// there, so no hit point has to be compared with the faces. At edges and corners, where two slabs
// decide, the earlier axis wins. Source: Kay and Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986;
// in the box's own frame, Majercik et al., JCGT 7(3), 2018.
func (b *Box) slabs(r geom.Ray) (near, far face, ok bool) {
	axes := &b.Rotation
	o, d, h := b.local(r.Origin), axes.TransposeMulVec(r.Dir), b.HalfExtents
	inX, outX := slab(-h.X-o.X, h.X-o.X, d.X)
	inY, outY := slab(-h.Y-o.Y, h.Y-o.Y, d.Y)
	inZ, outZ := slab(-h.Z-o.Z, h.Z-o.Z, d.Z)
	near = face{math.Inf(-1), &axes.X}.orLater(inX, &axes.X).orLater(inY, &axes.Y).orLater(inZ, &axes.Z)
	far = face{math.Inf(1), &axes.X}.orEarlier(outX, &axes.X).orEarlier(outY, &axes.Y).orEarlier(outZ, &axes.Z)
	return near, far, near.t <= far.t
}

// slab returns the distances t at which a coordinate t d enters and leaves the interval from lower to upper.
//
// If d is 0, the coordinate is constant, and slab returns infinities. If the coordinate is outside the interval, these
// infinities make the intersection with other slabs empty. If it is inside, they do not change the intersection. If the
// coordinate is at an end of the interval, one result is NaN (0 * Inf), which the caller must ignore.
func slab(lower, upper, d float64) (in, out float64) {
	inv := 1 / d
	if inv < 0 { // d may be -0
		lower, upper = upper, lower
	}
	return float64(lower * inv), float64(upper * inv)
}
