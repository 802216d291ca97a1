package shade_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shade"
)

func Example() {
	// A red matte surface, half turned away from a white light.
	light := shade.Light{Position: geom.Vec3{Y: 2}, Color: shade.White(), Intensity: 0.9}
	normal, _ := geom.Direction(geom.Vec3{X: math.Sqrt(3), Y: 1})
	dir, _ := light.Toward(geom.Vec3{})
	irradiance := shade.Gray(0.1).Add(light.Irradiance(normal.Dot(dir)))
	c := shade.Lambert(shade.FromSRGB8(200, 40, 40), irradiance)
	fmt.Printf("linear red %.4f, sRGB %d %d %d\n",
		c.R, shade.EncodeSRGB8(c.R), shade.EncodeSRGB8(c.G), shade.EncodeSRGB8(c.B))
	// Output: linear red 0.3177, sRGB 153 28 28
}

// linear returns the linear light of the sRGB value v, computed with 200 bits by the formula of IEC 61966-2-1.
func linear(v *big.Float) *big.Float {
	num := func(s string) *big.Float {
		x, _, _ := big.ParseFloat(s, 10, 200, big.ToNearestEven)
		return x
	}
	if v.Cmp(num("0.04045")) <= 0 {
		return new(big.Float).Quo(v, num("12.92"))
	}
	x := new(big.Float).SetPrec(200).Add(v, num("0.055"))
	x.Quo(x, num("1.055"))
	x2 := new(big.Float).SetPrec(200).Mul(x, x)
	// The fifth root of x^2 by bisection, which is independent of the code under test.
	lo, hi := big.NewFloat(0).SetPrec(200), big.NewFloat(1).SetPrec(200)
	for range 190 {
		mid := new(big.Float).SetPrec(200).Add(lo, hi)
		mid.Quo(mid, num("2"))
		p := new(big.Float).SetPrec(200).Mul(mid, mid)
		p.Mul(p, p).Mul(p, mid)
		if p.Cmp(x2) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return x2.Mul(x2, hi)
}

func fraction(num, den int64) *big.Float {
	return new(big.Float).SetPrec(200).Quo(new(big.Float).SetPrec(200).SetInt64(num), new(big.Float).SetInt64(den))
}

// TestSRGBTables compares the results of FromSRGB8 and EncodeSRGB8, which use tables, with results computed with
// 200 bits.
func TestSRGBTables(t *testing.T) {
	for k := range 256 {
		want, _ := linear(fraction(int64(k), 255)).Float64()
		if got := shade.FromSRGB8(uint8(k), 0, 0).R; got != want {
			t.Errorf("FromSRGB8(%d) = %v, want %v", k, got, want)
		}
	}
	for k := 1; k < 256; k++ {
		threshold := linear(fraction(int64(2*k-1), 510))
		v, _ := threshold.Float64()
		for _, c := range []float64{math.Nextafter(v, 0), v, math.Nextafter(v, 1)} {
			want := uint8(k)
			if new(big.Float).SetFloat64(c).Cmp(threshold) < 0 {
				want--
			}
			if got := shade.EncodeSRGB8(c); got != want {
				t.Errorf("EncodeSRGB8(%v) = %d, want %d", c, got, want)
			}
		}
	}
}

func TestEncodeSRGB8OutOfRange(t *testing.T) {
	for v, want := range map[float64]uint8{-1: 0, 0: 0, 1: 255, 2: 255, math.Inf(1): 255, math.Inf(-1): 0} {
		if got := shade.EncodeSRGB8(v); got != want {
			t.Errorf("EncodeSRGB8(%v) = %d, want %d", v, got, want)
		}
	}
	if got := shade.EncodeSRGB8(math.NaN()); got != 0 {
		t.Errorf("EncodeSRGB8(NaN) = %d, want 0", got)
	}
}

func TestSRGBRoundTrip(t *testing.T) {
	for k := range 256 {
		if got := shade.EncodeSRGB8(shade.FromSRGB8(uint8(k), 0, 0).R); got != uint8(k) {
			t.Errorf("%d comes back as %d", k, got)
		}
	}
}

func TestFromSRGBWithinTwoUlp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		v := rng.Float64()
		if i < 500 {
			v = 0.03 + v/20 // around the joint of the two branches
		}
		got := shade.FromSRGB(v, 0, 0).R
		want := linear(new(big.Float).SetPrec(200).SetFloat64(v))
		diff, _ := new(big.Float).Sub(want, new(big.Float).SetFloat64(got)).Float64()
		ulp := math.Nextafter(got, 2) - got
		if math.Abs(diff) > 2*ulp {
			t.Errorf("FromSRGB(%v) = %v, off by %.2f ulp", v, got, diff/ulp)
		}
	}
	if got := shade.FromSRGB(0, 1, math.NaN()); got != (shade.Color{G: 1}) {
		t.Errorf("FromSRGB(0, 1, NaN) = %v, want green", got)
	}
}

func TestTowardPointAndDirection(t *testing.T) {
	point := shade.Light{Position: geom.Vec3{X: 3, Y: 4}}
	if dir, reach := point.Toward(geom.Vec3{}); dir != (geom.Vec3{X: 0.6, Y: 0.8}) || !(reach < 5 && reach > 5*(1-1e-12)) {
		t.Errorf("Toward = %v, %v, want (0.6, 0.8, 0) and just less than 5", dir, reach)
	}
	if dir, dist := point.Toward(point.Position); dir != (geom.Vec3{}) || dist != 0 {
		t.Errorf("Toward from the light itself = %v, %v, want zeros", dir, dist)
	}
	sun := shade.Light{Directional: true, Direction: geom.Vec3{Y: -1}}
	if dir, dist := sun.Toward(geom.Vec3{X: 9}); dir.Y != 1 || !math.IsInf(dist, 1) {
		t.Errorf("Toward = %v, %v, want up, +Inf", dir, dist)
	}
}

func TestReflect(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	random := func() geom.Vec3 {
		v, _ := geom.Direction(geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()})
		return v
	}
	for range 1000 {
		d, n := random(), random()
		r := shade.Reflect(d, n)
		if math.Abs(r.Norm()-1) > 4*0x1p-52 {
			t.Errorf("Reflect(%v, %v) has length %v", d, n, r.Norm())
		}
		// The angle of incidence is that of reflection, and all three lie in one plane.
		const slack = 16 * 0x1p-52
		if math.Abs(r.Dot(n)+d.Dot(n)) > slack || math.Abs(r.Cross(n).Dot(d)) > slack {
			t.Errorf("Reflect(%v, %v) = %v is no reflection", d, n, r)
		}
		if r != shade.Reflect(d, n.Neg()) {
			t.Errorf("Reflect(%v, %v) depends on the side that the normal faces", d, n)
		}
	}
}

func TestMix(t *testing.T) {
	a, b := shade.Color{R: 1}, shade.Color{G: 1}
	if got := a.Mix(b, 0); got != a {
		t.Errorf("Mix(0) = %v, want %v", got, a)
	}
	if got := a.Mix(b, 1); got != b {
		t.Errorf("Mix(1) = %v, want %v", got, b)
	}
	if got, want := a.Mix(b, 0.25), (shade.Color{R: 0.75, G: 0.25}); got != want {
		t.Errorf("Mix(0.25) = %v, want %v", got, want)
	}
}

func BenchmarkEncodeSRGB8(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	var in [1024]float64
	for i := range in {
		in[i] = rng.Float64()
	}
	var sum int
	for b.Loop() {
		for _, v := range in {
			sum += int(shade.EncodeSRGB8(v))
		}
	}
	b.ReportMetric(float64(len(in))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mvalue/s")
	_ = sum
}

// TestSRGBInvertsFromSRGB checks that ExactSRGB8 and NearestSRGB invert FromSRGB8 and FromSRGB. The channels that
// they return must decode to the same light, to the bit, or for other colors to nearly the same.
func TestSRGBInvertsFromSRGB(t *testing.T) {
	for v := range 256 {
		r, g, b, ok := shade.FromSRGB8(uint8(v), 0, 255).ExactSRGB8()
		if !ok || int(r) != v || g != 0 || b != 255 {
			t.Errorf("SRGB8 of %d = %d, %d, %d, %v", v, r, g, b, ok)
		}
	}
	rng := rand.New(rand.NewPCG(14, 2))
	channel := func() float64 {
		switch rng.IntN(4) {
		case 0:
			return math.Exp(-30 * rng.Float64())
		case 1:
			return 0.04045 + 0.0001*(rng.Float64()-0.5) // where the two pieces of the curve meet
		case 2:
			return float64(rng.IntN(101)) / 100
		}
		return rng.Float64()
	}
	for range effort.Of(2000, 20_000, 500_000) {
		want := shade.FromSRGB(channel(), channel(), channel())
		r, g, b := want.NearestSRGB()
		if got := shade.FromSRGB(r, g, b); got != want {
			t.Fatalf("%v is the light of %v, %v, %v, which have %v", want, r, g, b, got)
		}
		v := rng.Float64() // probably no light of an sRGB channel
		r, _, _ = shade.Gray(v).NearestSRGB()
		if got := shade.FromSRGB(r, 0, 0).R; math.Abs(got-v) > 0x1p-49*v {
			t.Fatalf("%v is written as %v, which has %v", v, r, got)
		}
	}
	for _, c := range []shade.Color{{R: -1}, {G: 1.5}, {B: math.NaN()}, {R: math.Inf(1)}} {
		if r, g, b := c.NearestSRGB(); shade.FromSRGB(r, g, b) != c.Clamp() {
			t.Errorf("%v has the sRGB channels %v, %v, %v", c, r, g, b)
		}
		if _, _, _, ok := c.ExactSRGB8(); ok {
			t.Errorf("%v has 8-bit sRGB channels", c)
		}
	}
}

// TestCosine checks the cosine of the angle of light: 1 from above, 1/2 at 60 degrees, 0 from the side, and
// negative from behind.
func TestCosine(t *testing.T) {
	up := geom.Vec3{Y: 1}
	for _, c := range []struct {
		toLight geom.Vec3
		want    float64
	}{
		{up, 1}, {geom.Vec3{X: math.Sqrt(3) / 2, Y: 0.5}, 0.5}, {geom.Vec3{X: 1}, 0}, {geom.Vec3{Y: -1}, -1},
	} {
		if got := shade.Cosine(up, c.toLight); got != c.want {
			t.Errorf("Cosine toward %v = %v, want %v", c.toLight, got, c.want)
		}
	}
}
