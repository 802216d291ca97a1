package exact_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/exact"
	"pillbox/internal/fixture/effort"
)

// digits50 is a precision of more than 50 decimal digits.
const digits50 = 400

func float(x float64) *big.Float { return new(big.Float).SetPrec(digits50).SetFloat64(x) }

func norm(v [3]*big.Float) *big.Float {
	sum := float(0)
	for _, x := range v {
		sum.Add(sum, float(0).Mul(x, x))
	}
	return sum.Sqrt(sum)
}

func from(p, q [3]float64) (d [3]*big.Float) {
	for i := range d {
		d[i] = float(0).Sub(float(q[i]), float(p[i]))
	}
	return d
}

// point returns coordinates of very different magnitudes, some of them with few digits.
func point(rng *rand.Rand) (p [3]float64) {
	for i := range p {
		switch p[i] = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(5)-2)); rng.IntN(4) {
		case 0:
			p[i] = math.Round(p[i])
		case 1:
			p[i] = math.Round(p[i]*8) / 8
		}
	}
	return p
}

// TestLengthText compares lengths with arithmetic of more than 50 digits, which rounds halves to even, too.
func TestLengthText(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range effort.Of(1500, 15000, 150000) {
		l := exact.Length{P: point(rng), Q: point(rng), Factor: []float64{1, 10, 1000, 0.001, 1.0 / 3}[rng.IntN(5)]}
		if rng.IntN(2) == 0 {
			l.More = math.Abs(point(rng)[0])
		}
		if rng.IntN(4) == 0 { // an axis: half way between two decimals are frequent
			l.Q = l.P
			l.Q[0] += float64(rng.IntN(1000)) / 16
		}
		want := norm(from(l.P, l.Q))
		want.Add(want, float(l.More))
		want.Mul(want, float(l.Factor))
		for places := range 10 {
			if got, want := l.Text(places), want.Text('f', places); got != want {
				t.Fatalf("%+v with %d places: %s, want %s", l, places, got, want)
			}
		}
		if x, _ := want.Float64(); math.Abs(l.Float64()-x) > 1e-15*x {
			t.Fatalf("%+v: %v, want %v", l, l.Float64(), x)
		}
	}
	for _, c := range []struct {
		l      exact.Length
		places int
		want   string
	}{
		{exact.Length{Q: [3]float64{3, 4}, Factor: 1}, 0, "5"},
		{exact.Length{Q: [3]float64{0.3, 0.4}, More: 2, Factor: 0.1}, 2, "0.25"},
		{exact.Length{Q: [3]float64{0.5}, Factor: 1}, 0, "0"},
		{exact.Length{Q: [3]float64{0.5, 5e-324}, Factor: 1}, 0, "1"}, // more than a half, by far less than any precision shows
		{exact.Length{Q: [3]float64{5e-324}, Factor: 1}, 324, "0." + strings.Repeat("0", 323) + "5"},
		{exact.Length{}, 3, "0.000"},
	} {
		if got := c.l.Text(c.places); got != c.want {
			t.Errorf("%+v with %d places: %s, want %s", c.l, c.places, got, c.want)
		}
	}
}

// cosine returns the cosine of an angle in degrees as a series, and is independent of arc tangents.
func cosine(degrees *big.Float) *big.Float {
	pi, ok := float(0).SetString("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651")
	if !ok {
		panic("pi")
	}
	x := float(0).Mul(degrees, pi)
	x.Quo(x, float(180))
	square := x.Mul(x, x)
	sum, term := float(1), float(1)
	for n := 1; n < 200; n += 2 {
		term.Mul(term, square)
		term.Quo(term, float(float64(n*(n+1))))
		sum.Add(sum, term.Neg(term))
	}
	return sum
}

// TestAngleText checks that the printed angle is the nearest decimal: the cosine of the angle lies between those of the
// middles to the decimals before and after it, with more than 50 digits.
func TestAngleText(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for range effort.Of(100, 1000, 10000) {
		a := exact.Angle{At: point(rng), From: point(rng), To: point(rng)}
		switch rng.IntN(6) {
		case 0:
			a.To = a.From
			a.To[rng.IntN(3)] += 1e-9
		case 1: // nearly opposite
			for i := range a.To {
				a.To[i] = 2*a.At[i] - a.From[i] + 1e-7*rng.Float64()
			}
		}
		if !a.IsDefined() {
			continue
		}
		u, v := from(a.At, a.From), from(a.At, a.To)
		want := float(0)
		for i := range u {
			want.Add(want, float(0).Mul(u[i], v[i]))
		}
		want.Quo(want, norm(u))
		want.Quo(want, norm(v))
		for places := range 10 {
			text := a.Text(places)
			got, ok := float(0).SetString(text)
			if !ok {
				t.Fatalf("%+v: %q", a, text)
			}
			half := float(0).Quo(float(0.5), float(0).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)))
			low, high := float(0).Sub(got, half), float(0).Add(got, half)
			if low.Sign() > 0 && cosine(low).Cmp(want) < 0 || high.Cmp(float(180)) < 0 && cosine(high).Cmp(want) > 0 {
				t.Fatalf("%+v with %d places: %s is not the nearest", a, places, text)
			}
		}
	}
	for _, c := range []struct {
		from, to [3]float64
		radians  bool
		places   int
		want     string
	}{
		{[3]float64{1}, [3]float64{0, 2}, false, 3, "90.000"},
		{[3]float64{3}, [3]float64{-0.1}, false, 2, "180.00"},
		{[3]float64{3}, [3]float64{0.1}, false, 1, "0.0"},
		{[3]float64{1, 1}, [3]float64{5}, false, 0, "45"},
		{[3]float64{1, 1, 0}, [3]float64{0, 1, 1}, false, 9, "60.000000000"},
		{[3]float64{1, 1, 0}, [3]float64{0, -1, -1}, false, 9, "120.000000000"},
		{[3]float64{1}, [3]float64{-1}, true, 9, "3.141592654"},
		{[3]float64{1}, [3]float64{0, 0, 1e300}, true, 20, "1.57079632679489661923"},
		{[3]float64{0}, [3]float64{0, 0, 1}, false, 1, "0.0"},
	} {
		if got := (exact.Angle{From: c.from, To: c.to, Radians: c.radians}).Text(c.places); got != c.want {
			t.Errorf("%v, %v: %s, want %s", c.from, c.to, got, c.want)
		}
	}
}
