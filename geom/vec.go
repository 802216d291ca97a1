package geom

import (
	"math"
	"strconv"
)

// Vec3 is a point, a displacement or a direction in three dimensions.
type Vec3 struct{ X, Y, Z float64 }

// String returns v as in a scene file, such as [0, 1.5, -2], with the fewest digits that identify each number.
func (v Vec3) String() string {
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return "[" + text(v.X) + ", " + text(v.Y) + ", " + text(v.Z) + "]"
}

// Add returns v + w.
func (v Vec3) Add(w Vec3) Vec3 { return Vec3{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v - w.
func (v Vec3) Sub(w Vec3) Vec3 { return Vec3{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Neg returns -v.
func (v Vec3) Neg() Vec3 { return Vec3{-v.X, -v.Y, -v.Z} }

// Scale returns v times s. Each product is rounded, so the compiler cannot fuse it with a later
// addition.
func (v Vec3) Scale(s float64) Vec3 {
	return Vec3{float64(v.X * s), float64(v.Y * s), float64(v.Z * s)}
}

// Div returns v divided by s, component by component.
func (v Vec3) Div(s float64) Vec3 { return Vec3{v.X / s, v.Y / s, v.Z / s} }

// AddScaled returns v + s*w.
func (v Vec3) AddScaled(s float64, w Vec3) Vec3 {
	return Vec3{v.X + float64(s*w.X), v.Y + float64(s*w.Y), v.Z + float64(s*w.Z)}
}

// Dot returns the inner product of v and w, summed from x to z.
func (v Vec3) Dot(w Vec3) float64 {
	return float64(v.X*w.X) + float64(v.Y*w.Y) + float64(v.Z*w.Z)
}

// Cross returns the vector product v x w.
func (v Vec3) Cross(w Vec3) Vec3 {
	return Vec3{
		float64(v.Y*w.Z) - float64(v.Z*w.Y),
		float64(v.Z*w.X) - float64(v.X*w.Z),
		float64(v.X*w.Y) - float64(v.Y*w.X),
	}
}

// Norm2 returns the squared length of v.
func (v Vec3) Norm2() float64 { return v.Dot(v) }

// Norm returns the length of v. It is accurate for lengths between 1e-150 and 1e150.
func (v Vec3) Norm() float64 { return math.Sqrt(v.Norm2()) }

// Unit returns v divided by its length: a vector whose length is within two units in the last place of
// 1. The length of v must lie between 1e-150 and 1e150; use [Direction] for vectors of unknown length.
func (v Vec3) Unit() Vec3 { return v.Div(v.Norm()) }

// IsFinite reports whether no component of v is infinite or NaN.
func (v Vec3) IsFinite() bool { return isFinite(v.X) && isFinite(v.Y) && isFinite(v.Z) }

// MaxAbs returns the largest magnitude among the components of v, which must not be NaN.
func (v Vec3) MaxAbs() float64 {
	return max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z))
}

// Direction returns the unit vector along v for any finite v, however long or short, and
// false if v is zero, infinite or NaN.
func Direction(v Vec3) (Vec3, bool) {
	if v == (Vec3{}) || !v.IsFinite() {
		return Vec3{}, false
	}
	// Scaling by a power of two keeps the squares from over- and underflowing. It is exact, except for components too
	// small to matter.
	largest := v.MaxAbs()
	if e := math.Float64bits(largest) >> 52; e > 0 && e <= 2*bias-2 {
		// Multiplying is faster than Ldexp. The largest component becomes at least 1/2 and less than 1.
		v = v.Scale(math.Float64frombits((2*bias - 1 - e) << 52))
	} else {
		_, exp := math.Frexp(largest)
		v = Vec3{math.Ldexp(v.X, -exp), math.Ldexp(v.Y, -exp), math.Ldexp(v.Z, -exp)}
	}
	return v.Unit(), true
}

// bias is the exponent bias of a float64: the stored exponent is the exponent of the number plus bias.
const bias = 1023

func isFinite(x float64) bool { return x-x == 0 }
