package shapes_test

import (
	"math"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
)

// badCoordinates and badSizes return invalid values, each with a part of the expected message.
func badCoordinates() map[float64]string {
	return map[float64]string{
		math.NaN():    "finite",
		math.Inf(1):   "finite",
		math.Inf(-1):  "finite",
		1.000001e15:   "1e+15",
		-1.000001e15:  "1e+15",
		math.MaxInt64: "1e+15",
	}
}

func badSizes() map[float64]string {
	return map[float64]string{
		0:                    "positive",
		math.Copysign(0, -1): "positive",
		-1:                   "positive",
		math.NaN():           "finite",
		math.Inf(1):          "finite",
		math.Inf(-1):         "finite",
		9e-16:                "between 1e-15 and 1e+15",
		2e15:                 "between 1e-15 and 1e+15",
		5e-324:               "between 1e-15 and 1e+15",
	}
}

// checkRefused sets *field to each value in bad. The error must begin with key.
func checkRefused(t *testing.T, s validated, key string, field *float64, bad map[float64]string) {
	t.Helper()
	good := *field
	for x, part := range bad {
		*field = x
		err := s.Validate()
		if err == nil || !strings.HasPrefix(err.Error(), key+": ") || !strings.Contains(err.Error(), part) {
			t.Errorf("%s = %v: error %v, want one about %s that says %q", key, x, err, key, part)
		}
	}
	*field = good
	if err := s.Validate(); err != nil {
		t.Errorf("%#v: %v", s, err)
	}
}

func TestSphereValidate(t *testing.T) {
	s := &shapes.Sphere{Radius: 1}
	for _, c := range []*float64{&s.Center.X, &s.Center.Y, &s.Center.Z} {
		checkRefused(t, s, "center", c, badCoordinates())
	}
	checkRefused(t, s, "radius", &s.Radius, badSizes())
}

func TestCapsuleValidate(t *testing.T) {
	c := &shapes.Capsule{Radius: 1} // A == B is allowed
	for _, x := range []*float64{&c.A.X, &c.A.Y, &c.A.Z} {
		checkRefused(t, c, "a", x, badCoordinates())
	}
	for _, x := range []*float64{&c.B.X, &c.B.Y, &c.B.Z} {
		checkRefused(t, c, "b", x, badCoordinates())
	}
	checkRefused(t, c, "radius", &c.Radius, badSizes())
}

func TestBoxValidate(t *testing.T) {
	b := &shapes.Box{HalfExtents: vec(1, 2, 3), Rotation: geom.Identity()}
	for _, x := range []*float64{&b.Center.X, &b.Center.Y, &b.Center.Z} {
		checkRefused(t, b, "center", x, badCoordinates())
	}
	checkRefused(t, b, "half_extents[0]", &b.HalfExtents.X, badSizes())
	checkRefused(t, b, "half_extents[1]", &b.HalfExtents.Y, badSizes())
	checkRefused(t, b, "half_extents[2]", &b.HalfExtents.Z, badSizes())
}

func TestBoxValidateRotation(t *testing.T) {
	box := func(m geom.Mat3) *shapes.Box { return &shapes.Box{HalfExtents: vec(1, 1, 1), Rotation: m} }
	shear, stretched, broken := geom.Identity(), geom.Identity(), geom.Identity()
	shear.X.Y = 1e-10
	stretched.Z = stretched.Z.Scale(1 + 1e-10)
	broken.Y.Z = math.NaN()
	for name, m := range map[string]geom.Mat3{"zero": {}, "shear": shear, "stretched": stretched, "NaN": broken} {
		if err := box(m).Validate(); err == nil || !strings.HasPrefix(err.Error(), "rotation: ") {
			t.Errorf("%s: error %v, want one about rotation", name, err)
		}
	}

	m := geom.Identity()
	for i := range 16 {
		m = m.Mul(geom.RotationXYZ(geom.Angle(10*i), 20, 30))
		if err := box(m).Validate(); err != nil {
			t.Errorf("product of %d rotations: %v", i+1, err)
		}
	}
}

// TestValidateLimits checks that Validate accepts solids with all numbers at their limits.
func TestValidateLimits(t *testing.T) {
	far := vec(geom.MaxCoordinate, -geom.MaxCoordinate, geom.MaxCoordinate)
	for _, s := range []validated{
		&shapes.Sphere{Center: far, Radius: geom.MaxSize},
		&shapes.Sphere{Center: far, Radius: geom.MinSize},
		&shapes.Capsule{A: far, B: far.Neg(), Radius: geom.MaxSize},
		&shapes.Capsule{A: far, B: far.Neg(), Radius: geom.MinSize},
		&shapes.Cylinder{A: far, B: far.Neg(), Radius: geom.MinSize},
		&shapes.Cylinder{B: vec(geom.MinSize, 0, 0), Radius: geom.MaxSize},
		&shapes.Box{Center: far, HalfExtents: vec(geom.MinSize, geom.MaxSize, 1), Rotation: geom.Identity()},
	} {
		if err := s.Validate(); err != nil {
			t.Errorf("%#v: %v", s, err)
		}
	}
}
