package sampler

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/sampler/sine"
)

// Disc maps the unit square to the unit disc. It multiplies all areas by pi and keeps neighborhoods:
// concentric squares become concentric circles. The distance of the result from the center is less than 1.
//
// Source: Shirley and Chiu, "A low distortion map between disk and square", Journal of Graphics Tools 2(3), 1997.
func Disc(u, v float64) (x, y float64) {
	// Coordinates are swapped as integers, without branches, which would be unpredictable: for half of all points,
	// the first coordinate has the larger magnitude.
	const sign = 1 << 63
	a, b := math.Float64bits((u-0.5)*2), math.Float64bits((v-0.5)*2)
	swap := uint64(0) // all bits, or none
	if a&^sign > b&^sign {
		swap--
	}
	differ := (a ^ b) & swap
	large, small := math.Float64frombits(b^differ), math.Float64frombits(a^differ)
	if large == 0 {
		return 0, 0
	}
	sin, cos := sinCosOctant(small / large)
	p, q := math.Float64bits(float64(large*sin)), math.Float64bits(float64(large*cos))
	differ = (p ^ q) & swap
	return math.Float64frombits(p ^ differ), math.Float64frombits(q ^ differ)
}

// sinCosOctant returns the sine and the cosine of t eighths of a turn, |t| <= 1. The sine is its power series up to
// t^15; the next term is less than 5e-17. The sum of the squares of the results is 1 up to rounding.
func sinCosOctant(t float64) (sin, cos float64) {
	z := float64(t * t)
	p := sine.C13 + float64(z*sine.C15)
	p = sine.C11 + float64(z*p)
	p = sine.C9 + float64(z*p)
	p = sine.C7 + float64(z*p)
	p = sine.C5 + float64(z*p)
	p = sine.C3 + float64(z*p)
	p = sine.C1 + float64(z*p)
	sin = float64(t * p)
	return sin, math.Sqrt(1 - float64(sin*sin))
}

// Cap maps the unit square to the directions in a cone around the z axis. oneMinusCos, 0..2, is 1 minus the cosine of
// the largest angle to the axis. Cap multiplies all areas by the same factor, so points that fill the square evenly
// also fill the solid angle evenly. The result has unit length.
func Cap(u, v, oneMinusCos float64) geom.Vec3 {
	// A disc becomes a cap without change of areas if z falls with the square of the distance from the center:
	// Lambert's azimuthal projection.
	x, y := Disc(u, v)
	drop := float64((float64(x*x) + float64(y*y)) * oneMinusCos)
	stretch := math.Sqrt(float64(oneMinusCos * (2 - drop)))
	return geom.Vec3{X: float64(x * stretch), Y: float64(y * stretch), Z: 1 - drop}
}

// Hemisphere maps the unit square to the directions above the plane z = 0. The density is proportional to the cosine
// of the angle to the z axis, which is the weight of a direction in Lambert's law. The result has unit length and a
// positive z.
//
// Source: Malley's method, in Pharr, Jakob and Humphreys, "Physically Based Rendering", 4th edition, A.5.3.
func Hemisphere(u, v float64) geom.Vec3 {
	x, y := Disc(u, v)
	return geom.Vec3{X: x, Y: y, Z: math.Sqrt(1 - (float64(x*x) + float64(y*y)))}
}

// Frame returns a right-handed rotation whose z axis is the given one, of unit length. Its other axes are
// discontinuous only where axis.Z changes its sign.
func Frame(axis geom.Vec3) geom.Mat3 {
	x, y := Across(axis)
	return geom.Mat3{X: x, Y: y, Z: axis}
}

// Across returns the x and the y axis of a [Frame].
//
// Source: Duff, Burgess, Christensen, Hery, Kensler, Liani and Villemin, "Building an orthonormal basis, revisited",
// JCGT 6(1), 2017.
func Across(axis geom.Vec3) (x, y geom.Vec3) {
	sign := math.Copysign(1, axis.Z)
	a := -1 / (sign + axis.Z)
	b := float64(float64(axis.X*axis.Y) * a)
	x = geom.Vec3{X: 1 + float64(float64(float64(sign*axis.X)*axis.X)*a), Y: float64(sign * b), Z: float64(-sign * axis.X)}
	y = geom.Vec3{X: b, Y: sign + float64(float64(axis.Y*axis.Y)*a), Z: -axis.Y}
	return x, y
}
