package shade_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/shade"
)

// bigCos returns the cosine of x degrees with 200 bits, computed by Taylor's series. x must be between -90 and 90.
func bigCos(x float64) *big.Float {
	// Pi with 60 digits.
	pi, _, _ := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494", 10, 200, big.ToNearestEven)
	square := new(big.Float).Mul(pi, new(big.Float).SetFloat64(x))
	square.Quo(square, big.NewFloat(180))
	square.Mul(square, square)
	cos, term := big.NewFloat(1).SetPrec(200), big.NewFloat(1).SetPrec(200)
	for k := int64(2); k < 100; k += 2 {
		term.Mul(term, square)
		term.Quo(term, new(big.Float).SetInt64(-k*(k-1)))
		cos.Add(cos, term)
	}
	return cos
}

// randomCone returns a random cone with any angle that a scene may have.
func randomCone(rng *rand.Rand) shade.Cone {
	c := shade.Cone{Angle: geom.Angle(math.Exp(math.Log(0.01) + rng.Float64()*math.Log(180/0.01)))}
	if rng.IntN(4) > 0 {
		c.Edge = geom.Angle(float64(c.Angle) / 2 * rng.Float64())
	}
	return c
}

// TestFalloffAlongArc compares the falloff with the cubic 3u² - 2u³, computed from exact cosines. An error of 2^-53
// in a cosine changes u by 2^-53 divided by the width of the edge, and the slope of the cubic is at most 3/2.
func TestFalloffAlongArc(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 4))
	edges := 0
	for range 3000 {
		cone := randomCone(rng)
		half, edge := cone.Angle.Degrees()/2, cone.Edge.Degrees()
		_, cos := geom.Angle(half * 1.2 * rng.Float64()).SinCos()
		outer, inner := bigCos(half), bigCos(half-edge)
		width, _ := new(big.Float).Sub(inner, outer).Float64()
		got := cone.Falloff().At(cos)
		above, _ := new(big.Float).Sub(new(big.Float).SetFloat64(cos), outer).Float64()
		var want, slack float64
		switch u := above / width; {
		case width == 0 && math.Abs(above) < 0x1p-51, width > 0 && width < 0x1p-40:
			continue // within the rounding of the cosines
		case width == 0 && above > 0 || width > 0 && u >= 1:
			want = 1
		case above > 0:
			want = 3*u*u - 2*u*u*u
			edges++
		}
		if width > 0 {
			slack = 1.5*0x1p-51/width + 0x1p-51
		}
		if math.Abs(got-want) > slack {
			t.Errorf("%+v at cosine %v: %v, want %v within %v", cone, cos, got, want, slack)
		}
	}
	if edges < 500 {
		t.Errorf("only %d directions were in an edge", edges)
	}
}

// TestFalloffBorders checks that the share of light is 1 on the axis and never increases away from it. A cone of
// 180 degrees without an edge must be exactly a half space that includes its border.
func TestFalloffBorders(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 5))
	for range 2000 {
		f := randomCone(rng).Falloff()
		if f.At(1) != 1 || f.At(f.Inner) != 1 || f.At(-1) != 0 || f.At(math.NaN()) != 0 {
			t.Fatalf("%+v: %v on the axis, %v at the edge's end, %v behind", f, f.At(1), f.At(f.Inner), f.At(-1))
		}
		if f.Inner > f.Outer && f.At(f.Outer) != 0 {
			t.Fatalf("%+v: %v on the border", f, f.At(f.Outer))
		}
		a, b := 2*rng.Float64()-1, 2*rng.Float64()-1
		if lo, hi := f.At(min(a, b)), f.At(max(a, b)); lo > hi || lo < 0 || hi > 1 {
			t.Fatalf("%+v: %v at %v, %v at %v", f, lo, min(a, b), hi, max(a, b))
		}
	}
	hard := shade.Cone{Angle: 180}.Falloff()
	if hard != (shade.Falloff{}) || hard.At(0) != 1 || hard.At(-0x1p-1000) != 0 {
		t.Errorf("a half space falls off as %+v", hard)
	}
}

// TestFalloffSameBitsOnEveryMachine compares a hash of many falloffs with a constant, which must be the same on all
// machines. If it changes, golden pictures change.
func TestFalloffSameBitsOnEveryMachine(t *testing.T) {
	hash, rng := fnv.New64a(), rand.New(rand.NewPCG(27, 6))
	for range 5000 {
		f := randomCone(rng).Falloff()
		cos := f.Outer + float64(1.2*rng.Float64()*(f.Inner-f.Outer))
		_ = binary.Write(hash, binary.LittleEndian, []float64{f.Outer, f.Inner, f.At(cos)}) // cannot fail
	}
	if got, want := hash.Sum64(), uint64(0x153355025c995a68); got != want {
		t.Errorf("hash of all results = %#x, want %#x", got, want)
	}
}
