package sampler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
)

// TestDirections compares the directions of a set with those of the functions [Hemisphere] and [Cap], bit for bit,
// with and without kernels. It also checks the sectors of the directions, and that large sets have equally many
// directions in each sector.
func TestDirections(t *testing.T) {
	have := haveKernels
	defer func() { haveKernels = have }()
	rng := rand.New(rand.NewPCG(5, 1))
	var d Directions
	for i := range 4000 {
		haveKernels = have && i%2 == 0
		n := 1 << rng.IntN(8)
		s := New(n, 1+rng.IntN(9))
		set := s.Set(randomPosition(rng, 1), Light(rng.IntN(3)), rng.IntN(3))
		frame := Frame(geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit())
		oneMinusCos := 2 * rng.Float64() * rng.Float64()
		set.Hemisphere(n, &frame, &d)
		var counts [Sectors]int
		for k := range n {
			u, v := set.Point(k)
			if want := frame.MulVec(Hemisphere(u, v)); d.At(k) != want {
				t.Fatalf("set %d: direction %d of a hemisphere is %v, want %v", i, k, d.At(k), want)
			}
			if want := int32(4*u)*4 + int32(4*v); d.Sectors[k] != want {
				t.Fatalf("set %d: direction %d is in the sector %d, want %d", i, k, d.Sectors[k], want)
			}
			counts[d.Sectors[k]]++
		}
		if len(d.X) != n || len(d.Sectors) != n || n >= Sectors && slices.Max(counts[:]) > n/Sectors {
			t.Fatalf("set %d: the sectors have %v of %d directions", i, counts, n)
		}
		set.Cap(n, &frame, oneMinusCos, &d)
		for k := range n {
			u, v := set.Point(k)
			local := Cap(u, v, oneMinusCos)
			if want := frame.MulVec(local).Unit(); d.At(k) != want || d.Heights[k] != local.Z {
				t.Fatalf("set %d: direction %d of a cap is %v at the height %v, want %v at %v", i, k, d.At(k), d.Heights[k], want, local.Z)
			}
		}
	}
}
