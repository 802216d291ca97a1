package geom_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
)

// prec is the precision, in bits, of the exact computations in these tests. It holds the square of a float64
// exactly, and leaves 200 bits for cancellation.
const prec = 320

func newFloat(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

// bigPi returns pi, computed by Machin's formula: pi = 16 atan(1/5) - 4 atan(1/239).
func bigPi() *big.Float {
	arctan := func(inverse int64) *big.Float { // of 1/inverse
		sum := newFloat(0)
		power := new(big.Float).Quo(newFloat(1), newFloat(float64(inverse)))
		square := new(big.Float).Mul(power, power)
		for k := 1; power.MantExp(nil) > -prec; k += 2 {
			term := new(big.Float).Quo(power, newFloat(float64(k)))
			if k%4 == 3 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power.Mul(power, square)
		}
		return sum
	}
	return new(big.Float).Sub(
		new(big.Float).Mul(newFloat(16), arctan(5)),
		new(big.Float).Mul(newFloat(4), arctan(239)))
}

// bigSinCos returns the sine and the cosine of x degrees, computed by Taylor's series.
func bigSinCos(x float64, pi *big.Float) (sin, cos *big.Float) {
	// The precision of 1400 bits holds x less its full turns exactly, however large x is.
	turn := new(big.Float).SetPrec(1400).SetFloat64(x)
	n, _ := new(big.Float).Quo(turn, new(big.Float).SetPrec(1400).SetFloat64(360)).Int(nil)
	full := new(big.Float).SetPrec(1400).SetInt(n.Mul(n, big.NewInt(360)))
	rad := new(big.Float).SetPrec(prec).Sub(turn, full)
	rad.Quo(rad.Mul(rad, pi), newFloat(180))

	sin, cos = newFloat(0), newFloat(0)
	term := newFloat(1)
	for k := 0; k < 8 || term.Sign() != 0 && term.MantExp(nil) > rad.MantExp(nil)-prec; k++ {
		sum := cos
		if k%2 == 1 {
			sum = sin
		}
		if k%4 < 2 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term = new(big.Float).Quo(new(big.Float).Mul(term, rad), newFloat(float64(k+1)))
	}
	return sin, cos
}

// ulps returns the distance of got from want in units of the last place of want, rounded to a float64.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	ulp := math.Nextafter(math.Abs(w), math.Inf(1)) - math.Abs(w)
	diff, _ := new(big.Float).Sub(newFloat(got), want).Float64()
	return math.Abs(diff / ulp)
}

// angles returns angles of many kinds: common ones, whole degrees and numbers next to them, tiny and huge ones.
func angles(n int) []float64 {
	rng := rand.New(rand.NewPCG(1, 0))
	var xs []float64
	for x := -720.0; x <= 720; x += effort.Of(7.0, 1, 1) {
		xs = append(xs, x, math.Nextafter(x, 1e9), math.Nextafter(x, -1e9))
	}
	for range n {
		xs = append(xs, 720*rng.Float64()-360)
		// Near a quarter turn, where a sine or a cosine cancels.
		xs = append(xs, 90*float64(rng.IntN(9)-4)+math.Ldexp(rng.Float64(), -rng.IntN(50)))
		if x := math.Float64frombits(rng.Uint64()); x-x == 0 {
			xs = append(xs, x)
		}
	}
	return append(xs, 5e-324, 1e-310, math.MaxFloat64)
}

func TestAngleSinCosWithinOneUlp(t *testing.T) {
	pi := bigPi()
	worst := 0.0
	for _, x := range angles(effort.Of(500, 3000, 3000)) {
		if math.Mod(x, 90) == 0 {
			continue // TestAngleSinCosQuarterTurns is stricter
		}
		sin, cos := geom.Angle(x).SinCos()
		wantSin, wantCos := bigSinCos(x, pi)
		errSin, errCos := ulps(sin, wantSin), ulps(cos, wantCos)
		if !(errSin <= 1 && errCos <= 1) {
			t.Errorf("SinCos(%x) = %v, %v, off by %.3g and %.3g ulp", x, sin, cos, errSin, errCos)
		}
		worst = max(worst, errSin, errCos)
	}
	t.Logf("worst error %.3f ulp", worst)
}

func TestAngleSinCosQuarterTurns(t *testing.T) {
	quarters := [4][2]float64{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	for k := -4000; k <= 4000; k++ {
		want := quarters[(k%4+4)%4]
		sin, cos := (geom.Angle(k) * 90).SinCos()
		if sin != want[0] || cos != want[1] {
			t.Errorf("SinCos(%d) = %v, %v, want %v", 90*k, sin, cos, want)
		}
		if math.Signbit(sin) && sin == 0 || math.Signbit(cos) && cos == 0 {
			t.Errorf("SinCos(%d) = %v, %v with a negative zero", 90*k, sin, cos)
		}
	}
	// 45 * 2^100 is 360 * 2^97, a huge number of full turns.
	if sin, cos := geom.Angle(math.Ldexp(45, 100)).SinCos(); sin != 0 || cos != 1 {
		t.Errorf("SinCos(45 * 2^100) = %v, %v, want 0, 1", sin, cos)
	}
}

func TestAngleSinCosHalves(t *testing.T) {
	for x, want := range map[geom.Angle]float64{30 * geom.Degree: 0.5, 150: 0.5, 210: -0.5, 330: -0.5, -30: -0.5, 390: 0.5} {
		if sin, _ := x.SinCos(); sin != want {
			t.Errorf("sin(%v) = %v, want %v", x, sin, want)
		}
		if _, cos := (90 - x).SinCos(); cos != want {
			t.Errorf("cos(%v) = %v, want %v", 90-x, cos, want)
		}
	}
}

func TestAngleSinCosSymmetry(t *testing.T) {
	for _, x := range angles(3000) {
		a := geom.Angle(x)
		sin, cos := a.SinCos()
		if s, c := (-a).SinCos(); s != -sin || c != cos {
			t.Errorf("SinCos(%x) = %v, %v but SinCos(%x) = %v, %v", -x, s, c, x, sin, cos)
		}
		if math.Abs(x) > 360 {
			continue
		}
		// 180 - x is exact only for some x; then the sine must be the same bits.
		if y := 180 - a; 180-y == a && y-180 == -a {
			if s, c := y.SinCos(); s != sin || c != -cos {
				t.Errorf("SinCos(180 - %x) = %v, %v, want %v, %v", x, s, c, sin, -cos)
			}
		}
	}
}

func TestAngleSinCosNotFinite(t *testing.T) {
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		if sin, cos := geom.Angle(x).SinCos(); !math.IsNaN(sin) || !math.IsNaN(cos) {
			t.Errorf("SinCos(%v) = %v, %v, want NaN, NaN", x, sin, cos)
		}
	}
}

func TestAngleTan(t *testing.T) {
	pi := bigPi()
	for _, x := range angles(effort.Of(200, 1000, 1000)) {
		if math.Mod(x, 90) == 0 {
			continue
		}
		sin, cos := bigSinCos(x, pi)
		got := geom.Angle(x).Tan()
		if e := ulps(got, new(big.Float).Quo(sin, cos)); !(e <= 3) {
			t.Errorf("Tan(%x) = %v, off by %.3g ulp", x, got, e)
		}
	}
	for x, want := range map[geom.Angle]float64{0: 0, 180: 0, 90: math.Inf(1), 270: math.Inf(-1)} {
		if got := x.Tan(); got != want {
			t.Errorf("Tan(%v) = %v, want %v", x, got, want)
		}
	}
}
