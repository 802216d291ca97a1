// Package shapes intersects rays and segments with solids: spheres, capsules, oriented boxes and
// cylinders. It is the specification: the renderer's faster code computes the same bits.
//
// Conventions: all solids are closed and convex, so a line meets each in one interval, a [Span].
// Normals point outward and have unit length. A touch counts as a hit: where the computed discriminant
// is exactly 0, along a box's face or through its edge, along a cylinder's side or through its rim.
// There are no absolute tolerances. Rays parallel to an axis or a face, or nearly so, rays from inside
// and rays with zero direction components need no special treatment. The methods expect a solid that
// passes its Validate, a finite ray with a unit direction, and finite segments. They modify nothing and
// are safe for concurrent use.
//
// # Accuracy
//
// Let e = [Slack] * D, with D the largest distance between the ray's origin and a point of the solid.
// Rounding moves a surface by at most e, and a distance along the ray by at most another e. So each
// computed result lies between the exact results for the solid shrunk by e and for the solid grown by
// e:
//
//   - A line that meets the shrunk solid is a hit, one that misses the grown solid is a
//     miss. Only a line that passes within e of touching can go either way.
//   - Near.T lies between its values for the grown and the shrunk solid, plus or minus e, and so does
//     Far.T. Where the angle between line and surface has the sine s, the error is about e/s; where the
//     line just touches, it is up to sqrt(2 e Radius), half the length of a chord that rounding can
//     hide.
//   - The point at T lies within 2 e of the surface. The Normal of a sphere, a capsule or the side of a
//     cylinder is within 2 e / Radius of the exact one. The normal of a box is a column of its Rotation
//     or its opposite; that of a cylinder's disc is the axis or its opposite.
//   - Touches is wrong only if the segment passes within e of touching, where D is the largest distance
//     between a point of the segment and a point of the solid.
//
// The length of a normal differs from 1 by at most four units in the last place; for a box, this
// requires a Rotation from package geom.
package shapes

import "pillbox/geom"

// Slack bounds the rounding errors of this package as a fraction of the distance D (see the package
// documentation). It is the sum of the largest possible errors of all roundings, to first order,
// rounded up to a power of two. The list below shows these sums, in units of u D with u = 2^-53. The
// largest error that millions of random rays show is 3 u D.
//
//   - Sphere, 1 + 10 + 3 + 2 = 16: the vector from the center to the origin; the foot of the
//     perpendicular from the center, along the line; the vector to the foot, across the line; the radius
//     and the discriminant.
//   - Box, 4 + 3 + 3 + 2 = 12: the origin and the direction in the box's frame; the quotient; and an
//     allowance because |o - Center| + |HalfExtents| may exceed D by half.
//   - Capsule, 4 + 4 + 17 + 24 = 49: the axis; splitting origin and direction into parts along and
//     across the axis; the circle across the axis; heights along the axis. The heights matter only where
//     rounding makes the line miss a ball; elsewhere only their squares enter.
//   - Cylinder, 25 + 24 = 49: axis, splitting and circle as for a capsule; heights along the axis, where
//     a disc is hit.
const Slack = 64 * 0x1p-53

// Hit is a point where a ray crosses a surface.
type Hit struct {
	T      float64   // distance along the ray; negative behind the origin
	Normal geom.Vec3 // outward, unit length
}

// Span is the part of a line that lies inside a solid.
type Span struct {
	Near, Far Hit  // where the line enters and leaves; Near.T <= Far.T
	Tangent   bool // the line touches the solid in one point: Near == Far
}

// Shape is a closed convex solid.
type Shape interface {
	// Bounds returns the smallest axis-aligned bounds of the solid, each face right to within four units in the last
	// place of the solid's extent plus its coordinates. The bounds of a [Box] can have a larger error.
	Bounds() geom.Bounds

	// Span returns where the whole line of r enters and leaves the solid, even behind the
	// ray's origin, and false if the line misses it.
	Span(r geom.Ray) (Span, bool)

	// Intersect returns the first crossing of r with the surface whose distance lies
	// strictly between tMin and tMax, and false if none exists. A ray that starts inside
	// hits from within.
	Intersect(r geom.Ray, tMin, tMax float64) (Hit, bool)

	// Touches reports whether the closed segment s meets the closed solid. Touching the
	// surface counts, and so does lying inside; a zero-length segment is a point.
	Touches(s geom.Segment) bool
}

// Crossings returns how often the whole line of r crosses the surface of s: 0 if it misses, 1 if it touches in one
// point, and otherwise 2. A line that runs along a face or a capsule's body crosses twice.
func Crossings(s Shape, r geom.Ray) int {
	span, ok := s.Span(r)
	switch {
	case !ok:
		return 0
	case span.Tangent:
		return 1
	}
	return 2
}

// Contains reports whether the point p lies in the closed solid s.
func Contains(s Shape, p geom.Vec3) bool { return s.Touches(geom.Segment{A: p, B: p}) }

// chord is the part of a line inside a solid: a [Span] without the normals, which most queries do not
// need.
type chord struct {
	near, far float64
	tangent   bool
}

// first returns the first end of the chord strictly between tMin and tMax.
func (c chord) first(tMin, tMax float64) (t float64, ok bool) {
	switch {
	case tMin < c.near && c.near < tMax:
		return c.near, true
	case tMin < c.far && c.far < tMax:
		return c.far, true
	}
	return 0, false
}

// RoundNormal returns the normal of a sphere, a capsule or the side of a cylinder: the vector away, scaled to unit
// length. The vector leads from the center or the axis to a point on the surface. If rounding has made it shorter than
// half the radius, RoundNormal returns -dir, the opposite of the ray's direction. This happens when the radius is about
// 1e15 times smaller than the distance to the ray's origin.
//
// RoundNormal is exported for other implementations of these solids, which must give the same bits.
func RoundNormal(away geom.Vec3, radius float64, dir geom.Vec3) geom.Vec3 {
	if away.Norm2() < 0.25*radius*radius {
		return dir.Neg()
	}
	return away.Unit()
}
