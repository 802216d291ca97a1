package accel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/internal/fixture/effort"
)

func TestBelow(t *testing.T) {
	inf := float32(math.Inf(1))
	rng := rand.New(rand.NewPCG(11, 12))
	for i := range 100_000 {
		f := math.Float32frombits(rng.Uint32())
		if f != f {
			continue
		}
		switch i { // zeros, the smallest and the largest numbers, infinities
		case 0, 1:
			f = 0
		case 2:
			f = math.SmallestNonzeroFloat32
		case 3:
			f = -math.SmallestNonzeroFloat32
		case 4:
			f = math.MaxFloat32
		case 5:
			f = -math.MaxFloat32
		case 6:
			f = inf
		case 7:
			f = -inf
		}
		x := float64(f)
		for _, x := range []float64{x, math.Nextafter(x, math.Inf(1)), math.Nextafter(x, math.Inf(-1)), x * (1 + rng.Float64()*0x1p-22)} {
			got := below(x)
			if !(float64(got) <= x) || got < inf && !(float64(math.Nextafter32(got, inf)) > x) {
				t.Fatalf("below(%v) = %v, want the greatest that does not exceed it", x, got)
			}
		}
	}
	if got := below(math.NaN()); got == got {
		t.Errorf("below(NaN) = %v, want NaN", got)
	}
}

// TestKernelsBuildAlike checks that trees built with and without kernels are equal.
func TestKernelsBuildAlike(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels on this machine")
	}
	defer func() { haveKernels = true }()
	rng := rand.New(rand.NewPCG(13, 14))
	for _, n := range []int{1, 2, 3, 10, 100, 3000, effort.Of(1, 3, 3)*manyItems + 1} {
		items := randomItems(rng, n, false)
		c := cluster{items: items, all: boundsOf(items), spheres: int32(n / 2)}
		again := c
		again.items = slices.Clone(items)
		got := nodesOver(c, 0, new(progress))
		haveKernels = false
		want := nodesOver(again, 0, new(progress))
		haveKernels = true
		if !slices.Equal(got, want) || !slices.Equal(items, again.items) {
			t.Errorf("%d items: kernels build another tree", n)
		}
	}
}

// TestPairsAreCutAsByBins checks that two items are split in the same way with and without bins.
func TestPairsAreCutAsByBins(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	cut, kept := 0, 0
	for range 10_000 {
		items := randomItems(rng, 2, false)
		near := rng.Float32() // the closer they are, the less a cut helps
		for axis := range 3 {
			a, b := &items[0], &items[1]
			b.lower[axis] = a.lower[axis] + near*(b.lower[axis]-a.lower[axis])
			b.upper[axis] = a.upper[axis] + near*(b.upper[axis]-a.upper[axis])
		}
		c := cluster{items: items, all: boundsOf(items)}
		b := newBuilder()
		b.decide(&c, 0)
		b.bins.fill(items)
		b.bins.sweep(2)
		if math.IsInf(b.bins.best.cost, 1) { // no plane lies between items of one centroid
			continue
		}
		want := b.bins.best.cost < (2-visitCost)*c.all.halfArea()
		if helps := b.bins.best.cost < 2*c.all.halfArea(); c.plan.leaf == want || c.plan.helps != helps || !c.plan.halve {
			t.Fatalf("the plan of %v is %+v, want a cut: %v", items, c.plan, want)
		}
		if want {
			cut++
		} else {
			kept++
		}
	}
	if cut < 100 || kept < 100 {
		t.Errorf("%d pairs are cut and %d are not", cut, kept)
	}
}

// TestHeightBelowPlanes checks the largest height of a subtree that begins at the depth sahDepth, where lists of
// items are halved instead of split at planes. A node halves its largest part repeatedly, until it has enough
// children. Here the largest part is always the first one, because the items are sorted by size. So one child gets
// half of the node's items, and the subtree becomes as high as possible.
func TestHeightBelowPlanes(t *testing.T) {
	items := make([]item, effort.Of(1<<18, 1<<21, 1<<21))
	for i := range items {
		size := float32(len(items) - i)
		items[i] = item{upper: [3]float32{-size, -size, -size}, number: int32(i)}
	}
	c := cluster{items: items, all: boundsOf(items)}
	nodes := nodesOver(c, sahDepth, new(progress))
	var height func(at int32) int
	height = func(at int32) int {
		most := 0
		for _, c := range nodes[at].children {
			if c.count == 0 {
				most = max(most, height(c.first))
			}
		}
		return 1 + most
	}
	got := height(0)
	t.Logf("%d levels", got)
	if most := maxDepth - sahDepth; got > most {
		t.Errorf("the tree has %d levels, want at most %d", got, most)
	}
}
