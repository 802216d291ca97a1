package accel

import (
	"math"

	"pillbox/geom"
)

const (
	maxBins = 16 // per axis

	// The number of bins of a cluster is fewBins, plus one for every itemsPerBin items. More bins do
	// not improve small trees.
	fewBins, itemsPerBin = 4, 4
)

// bins divide a cluster into slices of equal width along each axis. Each bin holds the bounds and the
// number of the items whose centroids lie in its slice. The arrays lo, scale and last have one element for
// each axis, so that a vector of a kernel holds all axes. Kernels depend on the layout.
type bins struct {
	lo, scale, last [lanes]float64 // of the grid of each axis
	all             [3][maxBins]bounds32
	count           [3][maxBins]int32
	best            bestCut
	costs           [maxBins]float64 // scratch of sweep
	slices          int              // number of slices along each axis
}

// bestCut is the cheapest plane that sweep has found. It lies between the slices last and last + 1 of its axis.
type bestCut struct {
	cost         float64 // sum over both sides of half the surface area times the number of items; +Inf if every plane leaves one side empty
	axis, last   int32
	lower, upper bounds32 // bounds of the items on each side, unless cost is +Inf
}

// manyItems is the number of items above which several goroutines share a pass over them.
const manyItems = 4 * chunk

// fill divides the bounds of the items' centroids into bins and adds the items to them. There must be at
// least two items.
func (b *bins) fill(items []item) {
	slices := min(maxBins, len(items), fewBins+len(items)/itemsPerBin)
	if len(items) <= manyItems {
		b.prepare(centroidsOf(items), slices)
		b.addItems(items)
		return
	}
	cut := chunks(len(items))
	centroids, parts := make([]bounds32, cut.Parts()), make([]bins, cut.Parts())
	cut.Do(func(part, from, to int) { centroids[part] = centroidsOf(items[from:to]) })
	all := emptyBounds32()
	for i := range centroids {
		all.addBounds(&centroids[i])
	}
	cut.Do(func(part, from, to int) {
		parts[part].prepare(all, slices)
		parts[part].addItems(items[from:to])
	})
	b.prepare(all, slices)
	for i := range parts {
		b.join(&parts[i])
	}
}

// plane returns the plane that sweep found.
func (b *bins) plane() splitPlane {
	c := &b.best
	return splitPlane{b.grid(int(c.axis)), int(c.axis), int(c.last), c.lower, c.upper}
}

// prepare empties b and divides each axis of the bounds of the centroids into slices.
func (b *bins) prepare(centroids bounds32, slices int) {
	b.slices = slices
	empty := emptyBounds32()
	for a := range 3 {
		g := newGrid(centroids[0][a], -centroids[1][a], slices)
		b.lo[a], b.scale[a], b.last[a] = g.lo, g.scale, float64(g.last)
		for k := range b.all[a][:slices] {
			b.all[a][k] = empty
		}
	}
	clear(b.count[:])
}

// grid returns the grid of an axis.
func (b *bins) grid(axis int) grid {
	return grid{b.lo[axis], b.scale[axis], b.slices - 1}
}

// addItems adds items to their bins.
func (b *bins) addItems(items []item) {
	if addToBins(b, items) {
		return
	}
	grids := [3]grid{b.grid(0), b.grid(1), b.grid(2)}
	for i := range items {
		c := items[i].bounds()
		for a := range grids {
			k := grids[a].find(items[i].centroid(a))
			b.all[a][k].addBounds(&c)
			b.count[a][k]++
		}
	}
}

// join adds the contents of c to b. Both must divide the axes into the same slices.
func (b *bins) join(c *bins) {
	for a := range b.all {
		for k := range b.all[a] {
			b.all[a][k].addBounds(&c.all[a][k])
			b.count[a][k] += c.count[a][k]
		}
	}
}

// sweep finds the cheapest plane between two slices and stores it in b.best. The bins hold n items.
func (b *bins) sweep(n int) {
	if sweepBins(b, n) {
		return
	}
	b.best = bestCut{cost: math.Inf(1)}
	for a := range b.all {
		side, count := emptyBounds32(), 0
		for k := b.slices - 1; k > 0; k-- {
			side.addBounds(&b.all[a][k])
			count += int(b.count[a][k])
			b.costs[k] = float64(side.halfArea() * float64(count))
		}
		side, count = emptyBounds32(), 0
		for k := range b.slices - 1 {
			side.addBounds(&b.all[a][k])
			count += int(b.count[a][k])
			if count == 0 || count == n {
				continue
			}
			if c := float64(side.halfArea()*float64(count)) + b.costs[k+1]; c < b.best.cost {
				b.best.cost, b.best.axis, b.best.last = c, int32(a), int32(k)
			}
		}
	}
	b.best.lower, b.best.upper = emptyBounds32(), emptyBounds32()
	for k := range b.slices {
		side := &b.best.lower
		if k > int(b.best.last) {
			side = &b.best.upper
		}
		side.addBounds(&b.all[b.best.axis][k])
	}
}

// centroidsOf returns the bounds of the items' centroids.
func centroidsOf(items []item) bounds32 {
	l := emptyBounds32()
	if !addCentroids(&l, items) {
		for i := range items {
			x, y, z := items[i].centroid(0), items[i].centroid(1), items[i].centroid(2)
			l.addBounds(&bounds32{{x, y, z}, {-x, -y, -z}})
		}
	}
	return l
}

// grid divides an interval into slices of equal width.
type grid struct {
	lo, scale float64
	last      int
}

func newGrid(lo, hi float32, n int) grid {
	s := grid{lo: float64(lo), last: n - 1}
	if width := float64(hi) - float64(lo); width > 0 {
		s.scale = float64(n) / width
	}
	return s
}

// find returns the slice that contains x, or the nearest slice.
func (s *grid) find(x float32) int {
	return geom.ClampInt((float64(x)-s.lo)*s.scale, 0, s.last)
}
