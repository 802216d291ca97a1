package shapetest

import (
	"math"
	"math/rand/v2"

	"pillbox/geom"
	"pillbox/shapes"
)

// Uniform returns a number between lo and hi.
func Uniform(rng *rand.Rand, lo, hi float64) float64 { return lo + float64((hi-lo)*rng.Float64()) }

// LogUniform returns a number between lo and hi, both positive. Its logarithm is uniformly distributed. LogUniform panics if
// hi/lo overflows.
func LogUniform(rng *rand.Rand, lo, hi float64) float64 {
	ratio := hi / lo
	if math.IsInf(ratio, 1) {
		panic("shapetest: the range of LogUniform is too large")
	}
	return lo * math.Pow(ratio, rng.Float64())
}

// Cube returns a point whose coordinates lie between -half and half.
func Cube(rng *rand.Rand, half float64) geom.Vec3 {
	return geom.Vec3{X: Uniform(rng, -half, half), Y: Uniform(rng, -half, half), Z: Uniform(rng, -half, half)}
}

// Direction returns a uniformly distributed unit vector.
func Direction(rng *rand.Rand) geom.Vec3 {
	for {
		if d, ok := geom.Direction(geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}); ok {
			return d
		}
	}
}

// Rotation returns a uniformly distributed rotation.
func Rotation(rng *rand.Rand) geom.Mat3 {
	m, _ := geom.RotationQuaternion(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	return m
}

// Skew returns the rotation m, distorted until it is nearly as far from orthonormal as [shapes.IsRotation] allows. In a
// box with this rotation, the corner whose coordinates along m's columns have the signs of toward is farther from the
// center than in an undistorted box. So is the opposite corner. A test can show that code does not rely on orthonormal
// columns.
func Skew(m geom.Mat3, toward geom.Vec3) geom.Mat3 {
	s := geom.Vec3{X: math.Copysign(1, toward.X), Y: math.Copysign(1, toward.Y), Z: math.Copysign(1, toward.Z)}
	diagonal := m.MulVec(s)
	for skew := 0x1p-46; ; skew *= 1 - 0x1p-7 {
		k := geom.Mat3{
			X: m.X.AddScaled(-skew/2*s.X, diagonal),
			Y: m.Y.AddScaled(-skew/2*s.Y, diagonal),
			Z: m.Z.AddScaled(-skew/2*s.Z, diagonal),
		}
		if shapes.IsRotation(k) {
			return k
		}
	}
}

// Corner returns the corner of a box whose coordinates along the columns of its rotation have the signs
// of toward. It is also right if these columns are not orthonormal.
func Corner(b *shapes.Box, toward geom.Vec3) geom.Vec3 {
	h, m := b.HalfExtents, b.Rotation
	x, y, z := math.Copysign(h.X, toward.X), math.Copysign(h.Y, toward.Y), math.Copysign(h.Z, toward.Z)
	det := m.X.Cross(m.Y).Dot(m.Z)
	q := m.Y.Cross(m.Z).Scale(x).Add(m.Z.Cross(m.X).Scale(y)).Add(m.X.Cross(m.Y).Scale(z)).Div(det)
	return b.Center.Add(q)
}

// GrazingPoint returns a point of a solid near which intersections with rays are often hard to compute. In a sphere, it
// is on the surface, where many directions are tangent; in a capsule, at the distance Radius from a point of the axis;
// in a box, a corner, the middle of an edge or of a face, or the center; in a cylinder, on a rim or the side.
func GrazingPoint(rng *rand.Rand, shape shapes.Shape) geom.Vec3 {
	switch s := shape.(type) {
	case *shapes.Sphere:
		return s.Center.AddScaled(s.Radius, Direction(rng))
	case *shapes.Capsule:
		return geom.Segment{A: s.A, B: s.B}.At(rng.Float64()).AddScaled(s.Radius, Direction(rng))
	case *shapes.Cylinder:
		u, _ := geom.Direction(s.B.Sub(s.A))
		across, ok := geom.Direction(u.Cross(Direction(rng)))
		if !ok {
			return s.A
		}
		along := []float64{0, 1, rng.Float64()}[rng.IntN(3)]
		return geom.Segment{A: s.A, B: s.B}.At(along).AddScaled(s.Radius, across)
	case *shapes.Box:
		side := func() float64 { return float64(rng.IntN(3) - 1) }
		h := s.HalfExtents
		return s.Center.Add(s.Rotation.MulVec(geom.Vec3{X: h.X * side(), Y: h.Y * side(), Z: h.Z * side()}))
	}
	return shape.Bounds().Center()
}

// Solid returns a random solid near the origin, with sizes from 0.1 to 10 or less; some are degenerate.
func Solid(rng *rand.Rand) shapes.Shape {
	size := func() float64 { return LogUniform(rng, 0.1, 10) }
	switch rng.IntN(4) {
	case 0:
		return &shapes.Sphere{Center: Cube(rng, 1), Radius: size()}
	case 1:
		a := Cube(rng, 1)
		c := &shapes.Capsule{A: a, B: a.AddScaled(LogUniform(rng, 1e-3, 10), Direction(rng)), Radius: size()}
		switch rng.IntN(6) {
		case 0:
			c.B = c.A
		case 1:
			c.B = c.A.Add(geom.Vec3{Y: 2})
		}
		return c
	case 2:
		a := Cube(rng, 1)
		c := &shapes.Cylinder{A: a, B: a.AddScaled(LogUniform(rng, 1e-3, 10), Direction(rng)), Radius: size()}
		if rng.IntN(3) == 0 {
			c.B = c.A.Add(geom.Vec3{Y: 2})
		}
		return c
	}
	b := &shapes.Box{Center: Cube(rng, 1), HalfExtents: geom.Vec3{X: size(), Y: size(), Z: size()}, Rotation: geom.Identity()}
	if rng.IntN(3) > 0 {
		b.Rotation = Rotation(rng)
	} else {
		b.Center = geom.Vec3{}
	}
	return b
}

// Ray returns a random ray at or near the solid: through it, grazing it, along its axes and faces, from
// outside and from inside.
func Ray(rng *rand.Rand, s shapes.Shape) geom.Ray {
	b := s.Bounds()
	target := b.Center().Add(Cube(rng, 0.6*b.Size().Norm()))
	d := Direction(rng)
	switch rng.IntN(4) {
	case 0:
		d, _ = geom.Direction(geom.Vec3{X: float64(rng.IntN(3) - 1), Y: float64(rng.IntN(3) - 1), Z: 1})
	case 1:
		var axis geom.Vec3
		switch s := s.(type) {
		case *shapes.Capsule:
			axis = s.B.Sub(s.A)
		case *shapes.Cylinder:
			axis = s.B.Sub(s.A)
		}
		if u, ok := geom.Direction(axis); ok {
			d = u
		}
	}
	if rng.IntN(2) == 0 {
		target = GrazingPoint(rng, s)
	}
	if rng.IntN(8) == 0 { // along z through the top, where the computed discriminant is often exactly 0
		top := func(center geom.Vec3, radius float64) {
			d, target = geom.Vec3{Z: 1}, center.Add(geom.Vec3{Y: radius})
		}
		switch s := s.(type) {
		case *shapes.Capsule:
			top(s.A, s.Radius)
		case *shapes.Cylinder:
			top(s.A, s.Radius)
		case *shapes.Sphere:
			top(s.Center, s.Radius)
		}
	}
	far := []float64{20, 20, 20, 1e6}[rng.IntN(4)]
	return geom.Ray{Origin: target.AddScaled(Uniform(rng, -far, far/4), d), Dir: d}
}
