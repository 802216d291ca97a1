package exact

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// benchmark measures decide, called with the indices 0 to n-1 in turn.
func benchmark(b *testing.B, n int, decide func(i int)) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		decide(i)
		i = (i + 1) % n
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpair/s")
}

func BenchmarkRelate(b *testing.B) {
	rng := rand.New(rand.NewPCG(13, 0))
	for _, bits := range []uint{fitBits, 60, 120, 1000} {
		limit := new(big.Int).Lsh(big.NewInt(1), bits-1)
		number := func() *big.Int { return randomBig(rng, limit) }
		var pairs [256][2]Capsule3
		for i := range pairs {
			for j := range pairs[i] {
				pairs[i][j] = Capsule3{
					P: [3]*big.Int{number(), number(), number()},
					Q: [3]*big.Int{number(), number(), number()},
					R: new(big.Int).Rsh(number(), 3),
				}
			}
		}
		b.Run(fmt.Sprintf("dim=3/bits=%d", bits), func(b *testing.B) {
			benchmark(b, len(pairs), func(i int) { Relate3(pairs[i][0], pairs[i][1]) })
		})
		b.Run(fmt.Sprintf("dim=2/bits=%d", bits), func(b *testing.B) {
			benchmark(b, len(pairs), func(i int) { Relate2(flat(pairs[i][0]), flat(pairs[i][1])) })
		})
	}
}

// randomBig returns a random integer from 0 up to limit, which is excluded.
func randomBig(rng *rand.Rand, limit *big.Int) *big.Int {
	x := new(big.Int)
	for x.BitLen() < limit.BitLen() {
		x.Lsh(x, 64)
		x.Or(x, new(big.Int).SetUint64(rng.Uint64()))
	}
	return x.Mod(x, limit)
}

func BenchmarkSegmentsIntersect(b *testing.B) {
	m := newMaker(2, 14)
	var pairs [256][2]Capsule2
	for i := range pairs {
		x, y := m.pair()
		pairs[i] = [2]Capsule2{x.capsule2(), y.capsule2()}
	}
	benchmark(b, len(pairs), func(i int) {
		x, y := pairs[i][0], pairs[i][1]
		SegmentsIntersect(x.P, x.Q, y.P, y.Q)
	})
}

// BenchmarkRelateDecimal3 relates neighbors in a lattice of spheres. They are apart or overlap by 0.2 percent of
// their distance, touch exactly in short decimals, or touch except for the rounding errors of computed coordinates.
func BenchmarkRelateDecimal3(b *testing.B) {
	for _, c := range []struct {
		pair   string
		radius float64
		noise  float64
	}{
		{"apart", 0.0499, 0},
		{"overlapping", 0.0501, 0},
		{"touching", 0.05, 0},
		{"nearly", 0.05, 1e-15},
	} {
		b.Run("pair="+c.pair, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(15, 0))
			var spheres [257]Decimal3
			for i := range spheres {
				x := float64(i) / 10
				p := [3]float64{x + c.noise*rng.Float64(), 2.5 + c.noise*rng.Float64(), 12.75}
				spheres[i] = Decimal3{P: p, Q: p, R: c.radius}
			}
			benchmark(b, len(spheres)-1, func(i int) { RelateDecimal3(spheres[i], spheres[i+1]) })
		})
	}
}
