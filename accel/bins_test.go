package accel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
)

// TestKernelsBinAlike lets kernels and the portable code put the same items into bins, NaN among them.
func TestKernelsBinAlike(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels on this machine")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 1; n < 200; n++ {
		items := make([]item, n)
		for i := range items {
			b := &items[i].bounds
			for a := range 3 {
				b.min[a] = float32(math.Round(20*rng.NormFloat64()) / 4)
				b.max[a] = b.min[a] + float32(rng.IntN(3))
			}
			items[i].number = rng.Int32()
			if n%10 == 0 && rng.IntN(20) == 0 {
				b.max[rng.IntN(3)] = float32(math.NaN())
			}
		}
		gotAll := centroidsOf(items)
		haveKernels = false
		wantAll := centroidsOf(items)
		haveKernels = true
		if gotAll != wantAll {
			t.Fatalf("%d items: kernels say that centroids lie in %v, want %v", n, gotAll, wantAll)
		}
		var grids [3]grid
		for a := range grids {
			grids[a] = newGrid(wantAll.min[a], wantAll.max[a], min(maxBins, n))
		}
		got := toBins(items, &grids)
		haveKernels = false
		want := toBins(items, &grids)
		haveKernels = true
		if got != want {
			t.Fatalf("%d items: kernels make the bins %v, want %v", n, got, want)
		}
	}
}

// TestKernelStarts compares the bounds of rays' origins with those of the portable code.
func TestKernelStarts(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels on this machine")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	rays := make([]Departure, 100)
	for i := range rays {
		rays[i].Ray = geom.Ray{Origin: randomVector(rng), Dir: randomVector(rng).Scale(100)}
	}
	for n := 1; n < 50; n++ {
		members := make([]int32, n)
		for k := range members {
			members[k] = rng.Int32N(int32(len(rays)))
		}
		got := starts(rays, members)
		haveKernels = false
		want := starts(rays, members)
		haveKernels = true
		if got != want {
			t.Fatalf("%d rays start in %v according to the kernel, want %v", n, got, want)
		}
	}
}
