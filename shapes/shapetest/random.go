package shapetest

import (
	"math"
	"math/rand/v2"

	"pillbox/geom"
	"pillbox/shapes"
)

// Uniform returns a number between lo and hi.
func Uniform(rng *rand.Rand, lo, hi float64) float64 { return lo + float64((hi-lo)*rng.Float64()) }

// LogUniform returns a number between lo and hi, both of them positive, every order of magnitude
// as often as any other.
func LogUniform(rng *rand.Rand, lo, hi float64) float64 {
	return lo * math.Pow(hi/lo, rng.Float64())
}

// Cube returns a point whose coordinates lie between -half and half.
func Cube(rng *rand.Rand, half float64) geom.Vec3 {
	return geom.Vec3{X: Uniform(rng, -half, half), Y: Uniform(rng, -half, half), Z: Uniform(rng, -half, half)}
}

// Direction returns a unit vector, every direction as often as any other.
func Direction(rng *rand.Rand) geom.Vec3 {
	for {
		if d, ok := geom.Direction(geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}); ok {
			return d
		}
	}
}

// Rotation returns a rotation, every one as often as any other.
func Rotation(rng *rand.Rand) geom.Mat3 {
	m, _ := geom.RotationQuaternion(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	return m
}

// GrazingPoint returns a point of a sphere, a capsule or a box at which rays are hard: on the
// surface of a sphere or a capsule, where many directions are tangent; at a corner, in the middle
// of an edge or of a face, or at the centre of a box.
func GrazingPoint(rng *rand.Rand, shape shapes.Shape) geom.Vec3 {
	switch s := shape.(type) {
	case *shapes.Sphere:
		return s.Center.AddScaled(s.Radius, Direction(rng))
	case *shapes.Capsule:
		return geom.Segment{A: s.A, B: s.B}.At(rng.Float64()).AddScaled(s.Radius, Direction(rng))
	case *shapes.Box:
		side := func() float64 { return float64(rng.IntN(3) - 1) }
		h := s.HalfExtents
		return s.Center.Add(s.Rotation.MulVec(geom.Vec3{X: h.X * side(), Y: h.Y * side(), Z: h.Z * side()}))
	}
	return shape.Bounds().Center()
}
