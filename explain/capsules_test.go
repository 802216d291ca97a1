package explain

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes/shapetest"
)

// TestCapsulesAreWhole checks the conversion of a pair of capsules to integers: each radius times the unit must be
// the decimal radius.
func TestCapsulesAreWhole(t *testing.T) {
	for i := range effort.Of(200, 4000, 100_000) {
		rng := rand.New(rand.NewPCG(9, uint64(i)))
		a, b := randomDecimal(rng), randomDecimal(rng)
		x, err := Capsules([2]string{"a", "b"}, a, b)
		if err != nil {
			t.Fatal(err)
		}
		for k, c := range x.Decimals {
			scale := new(big.Rat).SetInt(x.Whole[k].R)
			power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(x.Exponent, -x.Exponent))), nil))
			if x.Exponent < 0 {
				power.Inv(power)
			}
			want, _ := new(big.Rat).SetString(fmt.Sprint(c.R))
			if scale.Mul(scale, power).Cmp(want) != 0 {
				t.Fatalf("seed %d: %v of %v times 10^%d is not %v", i, x.Whole[k].R, c, x.Exponent, c.R)
			}
		}
	}
}

// randomDecimal returns a capsule whose numbers have few digits. Among random pairs of such capsules, many axes
// intersect or are parallel, and many capsules touch.
func randomDecimal(rng *rand.Rand) exact.Decimal3 {
	digits := math.Pow(10, float64(rng.IntN(3)))
	number := func(most int) float64 { return float64(rng.IntN(2*most+1)-most) / digits }
	point := func() [3]float64 { return [3]float64{number(4), number(4), number(1)} }
	return exact.Decimal3{P: point(), Q: point(), R: math.Abs(number(3))}
}

func randomSegment(rng *rand.Rand) geom.Segment {
	return geom.Segment{A: shapetest.Cube(rng, 4), B: shapetest.Cube(rng, 4)}
}
