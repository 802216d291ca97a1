package geom_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
)

const ulp = 0x1p-52 // the unit in the last place of 1

func cube(rng *rand.Rand) geom.Vec3 {
	return geom.Vec3{X: 2*rng.Float64() - 1, Y: 2*rng.Float64() - 1, Z: 2*rng.Float64() - 1}
}

// logUniform returns a random number between 10^lo and 10^hi, uniform in its logarithm.
func logUniform(rng *rand.Rand, lo, hi float64) float64 {
	return math.Pow(10, lo+(hi-lo)*rng.Float64())
}

// checkUnit reports an error if the exact length of v differs from 1 by more than tol.
func checkUnit(t *testing.T, what string, v geom.Vec3, tol float64) {
	t.Helper()
	sum := newFloat(0)
	for _, c := range []float64{v.X, v.Y, v.Z} {
		x := newFloat(c)
		sum.Add(sum, x.Mul(x, x))
	}
	excess, _ := new(big.Float).Sub(sum.Sqrt(sum), newFloat(1)).Float64()
	if !(math.Abs(excess) <= tol) {
		t.Errorf("%s = %v, longer than 1 by %g ulp, want within %g", what, v, excess/ulp, tol/ulp)
	}
}

func TestVec3Identities(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range 1000 {
		v, w := cube(rng), cube(rng)
		if v.Add(w) != w.Add(v) {
			t.Errorf("%v + %v does not commute", v, w)
		}
		if v.Sub(w) != w.Sub(v).Neg() || v.Sub(w) != v.Add(w.Neg()) {
			t.Errorf("%v - %v is not -(w - v) or v + (-w)", v, w)
		}
		if v.Dot(w) != w.Dot(v) {
			t.Errorf("%v . %v does not commute", v, w)
		}
		if v.Cross(w) != w.Cross(v).Neg() || v.Cross(v) != (geom.Vec3{}) {
			t.Errorf("%v x %v does not anticommute", v, w)
		}
		if v.Scale(2) != v.Add(v) || v.Scale(2).Div(2) != v || v.AddScaled(2, w) != v.Add(w.Add(w)) {
			t.Errorf("doubling %v or %v is not exact", v, w)
		}
		if n := v.Norm(); n*n-v.Norm2() > 4*ulp || n < v.MaxAbs() {
			t.Errorf("Norm(%v) = %v, want the root of %v, at least %v", v, n, v.Norm2(), v.MaxAbs())
		}
		// The product is perpendicular to both factors, up to the rounding of nine products.
		if n := v.Cross(w); math.Abs(n.Dot(v)) > 9*ulp || math.Abs(n.Dot(w)) > 9*ulp {
			t.Errorf("%v x %v = %v is not perpendicular to both", v, w, n)
		}
	}
}

func TestVec3KnownValues(t *testing.T) {
	x, y, z := geom.Vec3{X: 1}, geom.Vec3{Y: 1}, geom.Vec3{Z: 1}
	if x.Cross(y) != z || y.Cross(z) != x || z.Cross(x) != y {
		t.Error("the axes are not right-handed")
	}
	v := geom.Vec3{X: 2, Y: -3, Z: 6}
	if v.Norm() != 7 || v.Norm2() != 49 || v.MaxAbs() != 6 {
		t.Errorf("%v: Norm %v, Norm2 %v, MaxAbs %v, want 7, 49, 6", v, v.Norm(), v.Norm2(), v.MaxAbs())
	}
	if got, want := v.Dot(geom.Vec3{X: 1, Y: 10, Z: 100}), 572.0; got != want {
		t.Errorf("Dot = %v, want %v", got, want)
	}
	if got, want := v.Unit(), (geom.Vec3{X: 2.0 / 7, Y: -3.0 / 7, Z: 6.0 / 7}); got != want {
		t.Errorf("Unit = %v, want %v", got, want)
	}
	for _, bad := range []geom.Vec3{{X: math.NaN()}, {Y: math.Inf(1)}, {Z: math.Inf(-1)}} {
		if bad.IsFinite() {
			t.Errorf("%v counts as finite", bad)
		}
	}
	if !v.IsFinite() {
		t.Errorf("%v does not count as finite", v)
	}
}

func TestVec3UnitWithinTwoUlp(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 20000 {
		v := cube(rng).Scale(logUniform(rng, -149, 149))
		checkUnit(t, "Unit", v.Unit(), 2*ulp)
	}
}

func TestDirection(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for range 20000 {
		v := cube(rng)
		want := v.Unit()
		// A power of two changes no bit, up to the ends of the range of float64.
		for _, exp := range []int{0, -700, 1000} {
			s := math.Ldexp(1, exp)
			if got, ok := geom.Direction(v.Scale(s)); !ok || got != want {
				t.Errorf("Direction(%v * 2^%d) = %v, %v, want %v", v, exp, got, ok, want)
			}
		}
		d, ok := geom.Direction(cube(rng).Scale(logUniform(rng, -320, 308)))
		if ok {
			checkUnit(t, "Direction", d, 2*ulp)
		}
	}
	for _, tiny := range []float64{5e-324, 1e-310} {
		if d, ok := geom.Direction(geom.Vec3{Y: -tiny}); !ok || d != (geom.Vec3{Y: -1}) {
			t.Errorf("Direction of (0, %g, 0) = %v, %v", -tiny, d, ok)
		}
	}
	huge := math.MaxFloat64
	d, ok := geom.Direction(geom.Vec3{X: huge, Y: huge, Z: -huge})
	if !ok {
		t.Error("no Direction of the largest vector")
	}
	checkUnit(t, "Direction of the largest vector", d, 2*ulp)

	for _, bad := range []geom.Vec3{
		{}, {X: math.Copysign(0, -1)}, {X: math.NaN(), Y: 1}, {Y: math.Inf(1)}, {X: 1, Z: math.Inf(-1)},
	} {
		if d, ok := geom.Direction(bad); ok || d != (geom.Vec3{}) {
			t.Errorf("Direction(%v) = %v, %v, want false", bad, d, ok)
		}
	}
}

func TestLimits(t *testing.T) {
	for x, want := range map[float64]bool{
		geom.MaxCoordinate: true, -geom.MaxCoordinate: true, 0: true, 5e-324: true,
		math.Nextafter(geom.MaxCoordinate, 1e16): false, math.Inf(-1): false, math.Inf(1): false,
	} {
		for _, v := range []geom.Vec3{{X: x}, {Y: x}, {Z: x}} {
			if geom.IsCoordinate(v) != want {
				t.Errorf("IsCoordinate(%v) = %v", v, !want)
			}
		}
	}
	for x, want := range map[float64]bool{
		geom.MinSize: true, geom.MaxSize: true, 1: true,
		0: false, -1: false, math.Nextafter(geom.MinSize, 0): false, math.Nextafter(geom.MaxSize, 1e16): false,
	} {
		if geom.IsSize(x) != want {
			t.Errorf("IsSize(%v) = %v", x, !want)
		}
	}
	nan := math.NaN()
	if geom.IsSize(nan) || geom.IsCoordinate(geom.Vec3{X: nan}) || geom.IsCoordinate(geom.Vec3{X: 1, Y: nan}) {
		t.Error("NaN counts as a size or a coordinate")
	}
}
