package shade_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pillbox/shade"
)

// TestCellParity compares the color of squares with that computed with big integers. The coordinates have all
// magnitudes that a scene may have. Some lie on borders of squares or next to them.
func TestCellParity(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	magnitude := func() float64 { return math.Copysign(math.Pow(10, 30*rng.Float64()-15), rng.Float64()-0.5) }
	odd := 0
	for range 100_000 {
		c := shade.Checker{Size: math.Abs(magnitude())}
		at := [2]float64{magnitude(), magnitude()}
		for i := range at {
			switch rng.IntN(4) {
			case 0:
				at[i] = float64(rng.IntN(2000)-1000) * c.Size
			case 1:
				at[i] = math.Nextafter(float64(rng.IntN(2000)-1000)*c.Size, magnitude())
			case 2:
				at[i] = rng.NormFloat64() * 10 * c.Size
			}
		}
		want := uint(0)
		for _, x := range at {
			q := new(big.Float).SetFloat64(x / c.Size)
			n, accuracy := q.Int(nil)
			if accuracy == big.Above { // of a negative number: it was cut off toward 0
				n.Sub(n, big.NewInt(1))
			}
			want ^= n.Bit(0)
		}
		if got := c.Cell(at[0], at[1]).IsOdd(); got != (want == 1) {
			t.Fatalf("size %v at %v: odd is %v", c.Size, at, got)
		}
		odd += int(want)
	}
	if odd < 10_000 {
		t.Errorf("only %d squares were odd", odd)
	}
}

// TestCellsMeetInTheMiddle checks the four squares of a checker that meet at the origin. Squares that share an
// edge must have different colors.
func TestCellsMeetInTheMiddle(t *testing.T) {
	c := shade.Checker{Size: 0.3}
	for _, q := range []struct {
		u, v  float64
		isOdd bool
	}{{0.1, 0.2, false}, {-0.1, 0.2, true}, {0.1, -0.2, true}, {-0.1, -0.2, false}, {0, 0, false}, {0.4, 0, true}} {
		if got := c.Cell(q.u, q.v).IsOdd(); got != q.isOdd {
			t.Errorf("at %v, %v: odd is %v", q.u, q.v, got)
		}
	}
}

func TestSurface(t *testing.T) {
	plain := shade.Material{Albedo: shade.White(), Mirror: 0.5}
	checkered := func(size float64) shade.Material {
		m := plain
		m.Checker = &shade.Checker{Size: size}
		return m
	}
	if plain.Surface() != plain.Surface() || checkered(2).Surface() != checkered(2).Surface() {
		t.Error("equal materials differ")
	}
	for _, pair := range [][2]shade.Material{
		{plain, checkered(1)}, {checkered(1), plain}, {checkered(1), checkered(2)}, {plain, {Albedo: shade.White()}}, {plain, {Mirror: 0.5}},
	} {
		if pair[0].Surface() == pair[1].Surface() {
			t.Errorf("%+v and %+v are equal", pair[0], pair[1])
		}
	}
}
