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

// maxSkew bounds how far Rotation may be from orthonormal. The rotations of package geom
// are within 8 units in the last place of 1 and products of a dozen of them within 16;
// beyond this bound a matrix is not a rotation that was merely rounded, and Bounds, which
// takes the columns for orthonormal, would be off by more than three times as much.
const maxSkew = 64 * 0x1p-52

// IsRotation reports whether the columns of m are orthonormal to within 64 units in the last
// place of 1, as those of a box's Rotation must be. Those of a reflection are, too.
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

// Bounds implements [Shape]. The error grows by three times that by which Rotation is not
// orthonormal.
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

// Across returns the axis, 0 to 2, to which a face is perpendicular. The normal n of the face may
// point either way.
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

// OnFace returns where on its face, whose normal n may point either way, a point p of the surface
// lies: its coordinates along the face from the middle of it, in the order of the box's axes.
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

// face is a crossing with one of the two faces across an axis of the box.
type face struct {
	t    float64
	axis *geom.Vec3
}

// A line enters through the face that looks against its direction and leaves through the
// one that looks along it.
const (
	entering = -1
	leaving  = +1
)

// hit completes the crossing with the outward normal.
func (f face) hit(r geom.Ray, way float64) Hit {
	side := math.Copysign(1, way*f.axis.Dot(r.Dir))
	return Hit{f.t, f.axis.Scale(side)}
}

// orLater returns f or a crossing at t, whichever is later. It passes over NaN, where Go's
// max would return it: every comparison with NaN is false.
func (f face) orLater(t float64, axis *geom.Vec3) face {
	if t > f.t {
		return face{t, axis}
	}
	return f
}

// orEarlier returns f or a crossing at t, whichever is earlier, and passes over NaN, too.
func (f face) orEarlier(t float64, axis *geom.Vec3) face {
	if t < f.t {
		return face{t, axis}
	}
	return f
}

// slabs returns where the line of r enters and leaves the box: the last entry into and the
// first exit from its three slabs. The axis that gives an end of the interval gives its
// normal, so no point is ever compared with a face. At edges and corners the earlier axis
// wins. Source: Kay and Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986; in the box's
// own frame, Majercik et al., JCGT 7(3), 2018.
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

// slab returns where the coordinate t d enters and leaves the interval from lower to upper. A
// constant coordinate never does: it gives infinities that leave out nothing or everything,
// and on a face one NaN, from 0 * Inf, that must not count.
func slab(lower, upper, d float64) (in, out float64) {
	inv := 1 / d
	if inv < 0 { // d may be -0
		lower, upper = upper, lower
	}
	return float64(lower * inv), float64(upper * inv)
}
