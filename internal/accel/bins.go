package accel

import (
	"math"

	"pillbox/geom"
)

const (
	maxBins = 16 // per axis

	// A cluster has few bins and one more for so many items: finer planes do not make small trees better.
	fewBins, itemsPerBin = 4, 4
)

// bins are the slices of a cluster along each axis, and the items whose centroids lie in them. Kernels know
// their layout, which holds an axis to a lane.
type bins struct {
	lo, scale, last [lanes]float64 // of the grids
	all             [3][maxBins]bounds32
	count           [3][maxBins]int32
	best            bestCut
	costs           [maxBins]float64 // scratch memory of sweep
	slices          int              // of each axis
}

// bestCut lies above one of the slices along an axis, the last one of the lower side.
type bestCut struct {
	cost         float64 // sum over both sides of area times number of items; +Inf if one of them is always empty
	axis, last   int32
	lower, upper bounds32 // of the items on either side, if both have some
}

// manyItems is how many items one goroutine goes through at most where others can help.
const manyItems = 4 * chunk

// fill sorts items, two at least, into slices as wide as their centroids need.
func (b *bins) fill(items []item) {
	slices := min(maxBins, len(items), fewBins+len(items)/itemsPerBin)
	if len(items) <= manyItems {
		b.prepare(centroidsOf(items), slices)
		b.add(items)
		return
	}
	cut := chunks(len(items))
	centroids, parts := make([]bounds32, cut.Parts()), make([]bins, cut.Parts())
	cut.Do(func(part, from, to int) { centroids[part] = centroidsOf(items[from:to]) })
	all := emptyBounds32()
	for i := range centroids {
		all.add(&centroids[i])
	}
	cut.Do(func(part, from, to int) {
		parts[part].prepare(all, slices)
		parts[part].add(items[from:to])
	})
	b.prepare(all, slices)
	for i := range parts {
		b.join(&parts[i])
	}
}

// plane returns the cut that sweep found.
func (b *bins) plane() splitPlane {
	c := &b.best
	return splitPlane{b.grid(int(c.axis)), int(c.axis), int(c.last), c.lower, c.upper}
}

// prepare makes b the empty bins of so many slices of each side of some bounds.
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

// grid returns the slices along an axis.
func (b *bins) grid(axis int) grid {
	return grid{b.lo[axis], b.scale[axis], b.slices - 1}
}

// add puts items into their bins.
func (b *bins) add(items []item) {
	if addToBins(b, items) {
		return
	}
	grids := [3]grid{b.grid(0), b.grid(1), b.grid(2)}
	for i := range items {
		c := items[i].bounds()
		for a := range grids {
			k := grids[a].find(items[i].centroid(a))
			b.all[a][k].add(&c)
			b.count[a][k]++
		}
	}
}

// join adds what is in other bins of the same slices.
func (b *bins) join(c *bins) {
	for a := range b.all {
		for k := range b.all[a] {
			b.all[a][k].add(&c.all[a][k])
			b.count[a][k] += c.count[a][k]
		}
	}
}

// sweep makes best the cheapest of the planes between the slices, which hold n items.
func (b *bins) sweep(n int) {
	if sweepBins(b, n) {
		return
	}
	b.best = bestCut{cost: math.Inf(1)}
	for a := range b.all {
		side, count := emptyBounds32(), 0
		for k := b.slices - 1; k > 0; k-- {
			side.add(&b.all[a][k])
			count += int(b.count[a][k])
			b.costs[k] = float64(side.halfArea() * float64(count))
		}
		side, count = emptyBounds32(), 0
		for k := range b.slices - 1 {
			side.add(&b.all[a][k])
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
		side.add(&b.all[b.best.axis][k])
	}
}

// centroidsOf returns the bounds of the items' centroids.
func centroidsOf(items []item) bounds32 {
	l := emptyBounds32()
	if !addCentroids(&l, items) {
		for i := range items {
			x, y, z := items[i].centroid(0), items[i].centroid(1), items[i].centroid(2)
			l.add(&bounds32{{x, y, z}, {-x, -y, -z}})
		}
	}
	return l
}

// grid cuts an interval into equal slices.
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

// find returns the slice that x lies in, or the nearest one.
func (s *grid) find(x float32) int {
	return geom.ClampInt((float64(x)-s.lo)*s.scale, 0, s.last)
}
