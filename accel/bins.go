package accel

import (
	"math"

	"pillbox/geom"
)

const maxBins = 16 // per axis

// bins are the slices of a cluster along each axis, and the items whose centroids lie in them. Kernels know
// their layout, which holds an axis to a lane.
type bins struct {
	lo, scale, last [lanes]float64 // of the grids
	all             [3][maxBins]boundsLanes
	count           [3][maxBins]int32
	best            bestCut
	costs           [maxBins]float64 // scratch memory of sweep
	slices          int              // of each axis
}

// bestCut lies above one of the slices along an axis, the last one of the lower side.
type bestCut struct {
	cost         float64 // sum over both sides of area times number of items; +Inf if one of them is always empty
	axis, last   int32
	lower, upper boundsLanes // of the items on either side, if both have some
}

// boundsLanes are bounds as kernels gather them: x, y and z of the lower ends, then the negated ones of the
// upper ends. Their fourth lanes mean nothing.
type boundsLanes [2][lanes]float32

func emptyLanes() boundsLanes {
	inf := float32(math.Inf(1))
	return boundsLanes{{inf, inf, inf, inf}, {inf, inf, inf, inf}}
}

func (l *boundsLanes) bounds() bounds32 {
	return bounds32{[3]float32(l[0][:]), [3]float32{-l[1][0], -l[1][1], -l[1][2]}}
}

// add includes the bounds c. NaN does not count.
func (l *boundsLanes) add(c *boundsLanes) {
	for end := range l {
		for axis := range 3 { // comparisons, which NaN fails, are faster than min and max
			if x := c[end][axis]; x < l[end][axis] {
				l[end][axis] = x
			}
		}
	}
}

func (b *bounds32) lanes() boundsLanes {
	return boundsLanes{{b.min[0], b.min[1], b.min[2]}, {-b.max[0], -b.max[1], -b.max[2]}}
}

// halfArea returns half the surface area, and 0 of empty bounds.
func (l *boundsLanes) halfArea() float64 {
	x, y, z := float64(-l[1][0])-float64(l[0][0]), float64(-l[1][1])-float64(l[0][1]), float64(-l[1][2])-float64(l[0][2])
	if x < 0 {
		return 0
	}
	return float64(x*y) + float64(y*z) + float64(z*x)
}

// manyItems is how many items one goroutine goes through at most where others can help.
const manyItems = 4 * chunk

// fill sorts items, two at least, into slices as wide as their centroids need.
func (b *bins) fill(items []item) {
	slices := min(maxBins, len(items))
	if len(items) <= manyItems {
		b.prepare(centroidsOf(items), slices)
		b.add(items)
		return
	}
	centroids, parts := make([]bounds32, chunks(len(items))), make([]bins, chunks(len(items)))
	inChunks(len(items), func(part, from, to int) { centroids[part] = centroidsOf(items[from:to]) })
	all := emptyBounds32()
	for i := range centroids {
		all.add(&centroids[i])
	}
	inChunks(len(items), func(part, from, to int) {
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
	return splitPlane{b.grid(int(c.axis)), int(c.axis), int(c.last), c.lower.bounds(), c.upper.bounds()}
}

// prepare makes b the empty bins of so many slices of each side of some bounds.
func (b *bins) prepare(centroids bounds32, slices int) {
	b.slices = slices
	empty := emptyLanes()
	for a := range 3 {
		g := newGrid(centroids.min[a], centroids.max[a], slices)
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
		c := items[i].bounds.lanes()
		for a := range grids {
			k := grids[a].find(items[i].bounds.centroid(a))
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
		side, count := emptyLanes(), 0
		for k := b.slices - 1; k > 0; k-- {
			side.add(&b.all[a][k])
			count += int(b.count[a][k])
			b.costs[k] = float64(side.halfArea() * float64(count))
		}
		side, count = emptyLanes(), 0
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
	b.best.lower, b.best.upper = emptyLanes(), emptyLanes()
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
	l := emptyLanes()
	if !addCentroids(&l, items) {
		for i := range items {
			b := &items[i].bounds
			m := [3]float32{b.centroid(0), b.centroid(1), b.centroid(2)}
			c := (&bounds32{m, m}).lanes()
			l.add(&c)
		}
	}
	return l.bounds()
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
