package geom_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
)

// rotationUlps is the largest error of this package's rotations, in units of the last place of 1. It applies to
// deviations from an orthonormal matrix, and to differences between two ways of computing a rotation.
const rotationUlps = 8

// distanceMat returns the largest difference between components of m and n.
func distanceMat(m, n geom.Mat3) float64 {
	return max(m.X.Sub(n.X).MaxAbs(), m.Y.Sub(n.Y).MaxAbs(), m.Z.Sub(n.Z).MaxAbs())
}

func randomAngle(rng *rand.Rand) geom.Angle {
	switch rng.IntN(3) {
	case 0:
		return geom.Angle(15 * rng.IntN(48))
	case 1:
		return geom.Angle(math.Ldexp(rng.Float64(), -rng.IntN(60)))
	}
	return geom.Angle(720*rng.Float64() - 360)
}

func randomAxis(rng *rand.Rand) geom.Vec3 {
	axis := cube(rng).Scale(logUniform(rng, -300, 300))
	switch rng.IntN(4) {
	case 0:
		axis.X = 0
	case 1:
		axis.Y, axis.Z = 0, 0
	}
	return axis
}

// checkRotation reports an error unless m is a rotation: its columns must be orthonormal and right-handed.
func checkRotation(t *testing.T, what string, m geom.Mat3) {
	t.Helper()
	if e := m.OrthonormalError(); !(e <= rotationUlps*ulp) {
		t.Errorf("%s = %v, off by %g ulp from orthonormal", what, m, e/ulp)
	}
	for _, column := range []geom.Vec3{m.X, m.Y, m.Z} {
		checkUnit(t, what, column, 2*ulp)
	}
	if d := m.X.Cross(m.Y).Sub(m.Z).MaxAbs(); !(d <= rotationUlps*ulp) {
		t.Errorf("%s = %v, X x Y is %g away from Z", what, m, d)
	}
}

func TestRotationsAreRotations(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	for range effort.Of(2000, 20_000, 20_000) {
		x, y, z := randomAngle(rng), randomAngle(rng), randomAngle(rng)
		checkRotation(t, "RotationXYZ", geom.RotationXYZ(x, y, z))

		m, ok := geom.RotationAxis(randomAxis(rng), x)
		if !ok {
			t.Fatal("RotationAxis refuses an axis")
		}
		checkRotation(t, "RotationAxis", m)

		q, ok := geom.RotationQuaternion(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		if !ok {
			t.Fatal("RotationQuaternion refuses a quaternion")
		}
		checkRotation(t, "RotationQuaternion", q)
	}
}

// TestRotationXYZOrder checks the order of the three rotations by the definition: about the fixed x axis, then y,
// then z.
func TestRotationXYZOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	for range 5000 {
		x, y, z := randomAngle(rng), randomAngle(rng), randomAngle(rng)
		aboutX, _ := geom.RotationAxis(geom.Vec3{X: 1}, x)
		aboutY, _ := geom.RotationAxis(geom.Vec3{Y: 1}, y)
		aboutZ, _ := geom.RotationAxis(geom.Vec3{Z: 1}, z)
		v := cube(rng)
		want := aboutZ.MulVec(aboutY.MulVec(aboutX.MulVec(v)))
		if got := geom.RotationXYZ(x, y, z).MulVec(v); !(got.Sub(want).MaxAbs() <= rotationUlps*ulp) {
			t.Errorf("RotationXYZ(%v, %v, %v) takes %v to %v, want %v", x, y, z, v, got, want)
		}
	}
	// y goes to z about x, z goes to x about y, x goes to y about z: three quarter turns.
	m := geom.RotationXYZ(90, 90, 90)
	if got, want := m.MulVec(geom.Vec3{Y: 1}), (geom.Vec3{Y: 1}); got != want {
		t.Errorf("RotationXYZ(90, 90, 90) takes y to %v, want %v", got, want)
	}
	m = geom.RotationXYZ(90, 90, 0)
	if got, want := m.MulVec(geom.Vec3{Y: 1}), (geom.Vec3{X: 1}); got != want {
		t.Errorf("RotationXYZ(90, 90, 0) takes y to %v, want %v", got, want)
	}
}

func TestRotationQuarterTurnsExact(t *testing.T) {
	isExact := func(m geom.Mat3) bool {
		for _, c := range []float64{m.X.X, m.X.Y, m.X.Z, m.Y.X, m.Y.Y, m.Y.Z, m.Z.X, m.Z.Y, m.Z.Z} {
			if c != 0 && math.Abs(c) != 1 {
				return false
			}
		}
		return m.OrthonormalError() == 0 && m.X.Cross(m.Y) == m.Z
	}
	for x := geom.Angle(-360); x <= 360; x += 90 {
		for y := geom.Angle(-360); y <= 360; y += 90 {
			for z := geom.Angle(-360); z <= 360; z += 90 {
				if m := geom.RotationXYZ(x, y, z); !isExact(m) {
					t.Errorf("RotationXYZ(%v, %v, %v) = %v is not exact", x, y, z, m)
				}
			}
		}
		for _, axis := range []geom.Vec3{{X: 3}, {Y: -1e-9}, {Z: 1e300}} {
			if m, ok := geom.RotationAxis(axis, x); !ok || !isExact(m) {
				t.Errorf("RotationAxis(%v, %v) = %v is not exact", axis, x, m)
			}
		}
	}
	// The 24 rotations of a cube are the quaternions with one, two or four parts of magnitude 1 and all others 0.
	parts := []float64{-1, 0, 1}
	for _, w := range parts {
		for _, x := range parts {
			for _, y := range parts {
				for _, z := range parts {
					n := w*w + x*x + y*y + z*z
					if n != 1 && n != 2 && n != 4 {
						continue // not a rotation of a cube
					}
					if m, ok := geom.RotationQuaternion(w, x, y, z); !ok || !isExact(m) {
						t.Errorf("RotationQuaternion(%v, %v, %v, %v) = %v is not exact", w, x, y, z, m)
					}
				}
			}
		}
	}
	if m := geom.RotationXYZ(0, 0, 0); m != geom.Identity() {
		t.Errorf("no turn = %v", m)
	}
}

func TestRotationQuaternionAgreesWithAxis(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	for range 5000 {
		axis, a := randomAxis(rng), randomAngle(rng)
		u, ok := geom.Direction(axis)
		if !ok {
			continue
		}
		s, c := (a / 2).SinCos()
		got, ok := geom.RotationQuaternion(c, s*u.X, s*u.Y, s*u.Z)
		want, okAxis := geom.RotationAxis(axis, a)
		if !ok || !okAxis || !(distanceMat(got, want) <= rotationUlps*ulp) {
			t.Errorf("axis %v, angle %v: quaternion gives %v, axis %v", axis, a, got, want)
		}
		back, _ := geom.RotationAxis(axis.Neg(), -a)
		if back != want {
			t.Errorf("axis %v, angle %v: both negated give %v, want %v", axis, a, back, want)
		}
	}
}

func TestRotationQuaternionAnyLength(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	for range 2000 {
		w, x, y, z := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		want, _ := geom.RotationQuaternion(w, x, y, z)
		for _, s := range []float64{-1, 0x1p-900, -0x1p1000} { // exact: the same bits
			if got, ok := geom.RotationQuaternion(s*w, s*x, s*y, s*z); !ok || got != want {
				t.Errorf("quaternion (%v, %v, %v, %v) times %g = %v, want %v", w, x, y, z, s, got, want)
			}
		}
		for _, s := range []float64{1e-300, 3e300, 1.0 / 3} {
			if got, ok := geom.RotationQuaternion(s*w, s*x, s*y, s*z); !ok || !(distanceMat(got, want) <= rotationUlps*ulp) {
				t.Errorf("quaternion (%v, %v, %v, %v) times %g = %v, want %v", w, x, y, z, s, got, want)
			}
		}
	}
	if m, ok := geom.RotationQuaternion(0, 5e-324, 0, 0); !ok || m.X != (geom.Vec3{X: 1}) || m.Y != (geom.Vec3{Y: -1}) {
		t.Errorf("the smallest quaternion = %v, %v", m, ok)
	}
}

func TestRotationRefusesDegenerate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, axis := range []geom.Vec3{{}, {X: nan}, {Y: inf}, {X: 1, Z: nan}} {
		if m, ok := geom.RotationAxis(axis, 30); ok || m != (geom.Mat3{}) {
			t.Errorf("RotationAxis(%v) = %v, %v, want false", axis, m, ok)
		}
	}
	for _, q := range [][4]float64{{}, {nan, 1, 0, 0}, {1, inf, 0, 0}, {1, 0, -inf, 0}, {0, 0, inf, nan}} {
		if m, ok := geom.RotationQuaternion(q[0], q[1], q[2], q[3]); ok || m != (geom.Mat3{}) {
			t.Errorf("RotationQuaternion(%v) = %v, %v, want false", q, m, ok)
		}
	}
}

func TestMat3Products(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	for range 2000 {
		m := geom.RotationXYZ(randomAngle(rng), randomAngle(rng), randomAngle(rng))
		n := geom.RotationXYZ(randomAngle(rng), randomAngle(rng), randomAngle(rng))
		v, w := cube(rng), cube(rng)
		if got, want := m.Mul(n).MulVec(v), m.MulVec(n.MulVec(v)); !(got.Sub(want).MaxAbs() <= rotationUlps*ulp) {
			t.Errorf("(m n) v = %v, m (n v) = %v", got, want)
		}
		if got := m.TransposeMulVec(m.MulVec(v)); !(got.Sub(v).MaxAbs() <= rotationUlps*ulp) {
			t.Errorf("there and back takes %v to %v", v, got)
		}
		if got, want := m.MulVec(v).Dot(w), v.Dot(m.TransposeMulVec(w)); !(math.Abs(got-want) <= rotationUlps*ulp) {
			t.Errorf("m v . w = %v, v . m'w = %v", got, want)
		}
	}
	m := geom.Mat3{X: geom.Vec3{X: 1, Y: 2, Z: 3}, Y: geom.Vec3{X: 4, Y: 5, Z: 6}, Z: geom.Vec3{X: 7, Y: 8, Z: 10}}
	if m.MulVec(geom.Vec3{Y: 1}) != m.Y || m.Mul(geom.Identity()) != m || geom.Identity().Mul(m) != m {
		t.Error("the columns are not the images of the axes")
	}
}

func TestMat3OrthonormalError(t *testing.T) {
	if e := geom.Identity().OrthonormalError(); e != 0 {
		t.Errorf("of the identity = %v, want 0", e)
	}
	if e := (geom.Mat3{}).OrthonormalError(); e != 1 {
		t.Errorf("of the zero matrix = %v, want 1", e)
	}
	for i := range 9 {
		m := geom.Identity()
		c := []*float64{&m.X.X, &m.X.Y, &m.X.Z, &m.Y.X, &m.Y.Y, &m.Y.Z, &m.Z.X, &m.Z.Y, &m.Z.Z}[i]
		// A stretch by 3/2 makes a squared length 9/4; a shear makes a product of columns.
		*c += 0.5
		want := 0.5
		if *c == 1.5 {
			want = 1.25
		}
		if e := m.OrthonormalError(); e != want {
			t.Errorf("with component %d changed = %v, want %v", i, e, want)
		}
		*c = math.NaN()
		if e := m.OrthonormalError(); !math.IsNaN(e) {
			t.Errorf("with NaN in component %d = %v, want NaN", i, e)
		}
	}
}

// TestOrthonormalizedProducts checks that a product of many rotations remains a rotation if it is made orthonormal
// after each step. It must differ from the plain product only by rounding errors.
func TestOrthonormalizedProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 6))
	angle := func() geom.Angle { return geom.Angle(720 * (rng.Float64() - 0.5)) }
	product, plain := geom.Identity(), geom.Identity()
	for n := range 20_000 {
		r := geom.RotationXYZ(angle(), angle(), angle())
		product, plain = r.Mul(product).Orthonormalized(), r.Mul(plain)
		if e := product.OrthonormalError(); e > 4*0x1p-52 {
			t.Fatalf("after %d products the columns are %g off orthonormal", n+1, e)
		}
		if n == 1000 {
			for _, d := range []geom.Vec3{product.X.Sub(plain.X), product.Y.Sub(plain.Y), product.Z.Sub(plain.Z)} {
				if d.Norm() > 1000*24*0x1p-53 {
					t.Errorf("a column is %g off that of the plain product", d.Norm())
				}
			}
		}
	}
	if plain.OrthonormalError() < 16*0x1p-52 {
		t.Error("the plain product is orthonormal as well: that proves little")
	}
}

// TestOrthonormalizedKeepsQuarterTurns checks that Orthonormalized returns quarter turns unchanged, to the bit.
func TestOrthonormalizedKeepsQuarterTurns(t *testing.T) {
	for x := geom.Angle(0); x < 360; x += 90 {
		for y := geom.Angle(0); y < 360; y += 90 {
			if m := geom.RotationXYZ(x, y, 90); m.Orthonormalized() != m {
				t.Errorf("%v becomes %v", m, m.Orthonormalized())
			}
		}
	}
	// Even for an error of 1e-8, one step suffices.
	m := geom.RotationXYZ(10, 20, 30)
	m.X = m.X.Scale(1 + 1e-8)
	m.Y = m.Y.Add(m.Z.Scale(1e-8))
	if e := m.Orthonormalized().OrthonormalError(); e > 4*0x1p-52 {
		t.Errorf("from 1e-8 it comes to %g", e)
	}
}
