package accel

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
)

// TestKernelsBinAlike compares kernels with the portable code. Both must sort the same items, some of which contain
// NaN, into the same bins, and find the same cheapest plane.
func TestKernelsBinAlike(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels on this machine")
	}
	defer func() { haveKernels = true }()
	rng := rand.New(rand.NewPCG(5, 6))
	without := 0
	for i := range 3000 {
		items := randomItems(rng, 2+i%200, i%10 == 0)
		var got, want bins
		for _, kernels := range []bool{true, false} {
			b := &want
			if haveKernels = kernels; kernels {
				b = &got
			}
			b.fill(items)
			b.sweep(len(items))
			b.costs = [maxBins]float64{} // scratch memory
			for _, l := range b.lanes() {
				l[0][3], l[1][3] = 0, 0 // unused
			}
		}
		if got != want {
			t.Fatalf("%d items: kernels make the bins\n%v, want\n%v", len(items), got, want)
		}
		if math.IsInf(got.best.cost, 1) {
			without++
		}
	}
	if without == 0 || without > 1000 {
		t.Errorf("%d of 3000 clusters have no plane", without)
	}
}

// lanes returns pointers to all bounds in b.
func (b *bins) lanes() []*bounds32 {
	all := []*bounds32{&b.best.lower, &b.best.upper}
	for a := range b.all {
		for k := range b.all[a] {
			all = append(all, &b.all[a][k])
		}
	}
	return all
}

// randomItems returns n items on a coarse grid, some of them at the same place. If invalid is set, some contain
// NaN.
func randomItems(rng *rand.Rand, n int, invalid bool) []item {
	items, spread := make([]item, n), float64(rng.IntN(20))
	for i := range items {
		x := &items[i]
		for a := range 3 {
			x.lower[a] = float32(math.Round(spread*rng.NormFloat64()) / 4)
			x.upper[a] = -(x.lower[a] + float32(rng.IntN(3))*float32(min(spread, 1)))
		}
		x.number = int32(i)
		if invalid && rng.IntN(20) == 0 {
			x.upper[rng.IntN(3)] = float32(math.NaN())
		}
	}
	return items
}

// TestManyItemsAreSplitAlike checks that several goroutines compute the same bins of a large cluster, and split it
// in the same way, as one goroutine.
func TestManyItemsAreSplitAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	items := randomItems(rng, 3*manyItems+17, false)
	var got, want bins
	got.fill(items)
	want.prepare(centroidsOf(items), maxBins)
	want.addItems(items)
	got.sweep(len(items))
	want.sweep(len(items))
	for _, b := range []*bins{&got, &want} {
		for _, l := range b.lanes() {
			l[0][3], l[1][3] = 0, 0
		}
	}
	if got != want {
		t.Fatal("many items make other bins at once than one after the other")
	}
	p := got.plane()
	for _, p.last = range []int{-1, 3, got.plane().last, maxBins - 2} {
		some := slices.Clone(items)
		border := p.partitionAll(some)
		for i := range some {
			if below := p.find(some[i].centroid(p.axis)) <= p.last; below != (i < border) {
				t.Fatalf("plane %d: item %d is on the wrong side of %d", p.last, i, border)
			}
		}
		byNumber := func(x, y item) int { return cmp.Compare(x.number, y.number) }
		slices.SortStableFunc(some, byNumber)
		all := slices.Clone(items)
		slices.SortStableFunc(all, byNumber)
		if !slices.Equal(some, all) {
			t.Fatalf("plane %d: items are lost", p.last)
		}
	}
}

// TestKernelStarts checks that a kernel and the portable code compute the same bounds of the rays' origins.
func TestKernelStarts(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels on this machine")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	rays := make([]SecondaryRay, 100)
	for i := range rays {
		rays[i].Ray = geom.Ray{Origin: randomVector(rng), Dir: randomVector(rng).Scale(100)}
	}
	for n := 1; n < 50; n++ {
		members := make([]int32, n)
		for k := range members {
			members[k] = rng.Int32N(int32(len(rays)))
		}
		got := originBounds(rays, members)
		haveKernels = false
		want := originBounds(rays, members)
		haveKernels = true
		if got != want {
			t.Fatalf("%d rays start in %v according to the kernel, want %v", n, got, want)
		}
	}
}
