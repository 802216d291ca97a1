package diagram

import (
	"cmp"
	"maps"
	"slices"

	"pillbox/internal/geom2"
)

// region is a part of the plane in which all points have the same label.
type region struct {
	label   int32
	outline []geom2.Point // counter-clockwise
	area    float64       // inside the outline, including regions that it surrounds
}

// newLabelGrid labels the points of a grid around the unit disc, with the given number of cells in each direction.
// label must return the label of a point, and [beyond] for points outside of the disc.
func newLabelGrid(cells int, label func(geom2.Point) int32) *labelGrid {
	g := &labelGrid{side: cells + 1, label: label, crossings: map[gridEdge]geom2.Point{}}
	for j := range g.side {
		for i := range g.side {
			g.labels = append(g.labels, label(g.position(i, j)))
		}
	}
	return g
}

// regions divides the disc into regions and sorts them from the largest to the smallest. So a region comes before those
// that it surrounds. Parts that are narrower than a cell of the grid may be missing.
//
// Source of the method: Lorensen and Cline, "Marching cubes", 1987; here in two dimensions, for several labels, and
// with outlines that are found by bisection.
func (g *labelGrid) regions() []region {
	var out []region
	for _, l := range slices.Compact(slices.Sorted(slices.Values(g.labels))) {
		if l != beyond {
			out = append(out, g.loops(l)...)
		}
	}
	slices.SortStableFunc(out, func(a, b region) int { return cmp.Compare(b.area, a.area) })
	return out
}

// sums returns, for each label, the sum of the weights of the grid's points with this label.
func (g *labelGrid) sums(weight func(geom2.Point) float64) map[int32]float64 {
	sums := map[int32]float64{}
	for j := range g.side {
		for i := range g.side {
			if l := g.of(i, j); l != beyond {
				sums[l] += weight(g.position(i, j))
			}
		}
	}
	return sums
}

// beyond is the label of the points beyond the disc.
const beyond int32 = -3

// labelGrid holds the labels at the points of a grid around the unit disc.
type labelGrid struct {
	side      int // points in each direction
	labels    []int32
	label     func(geom2.Point) int32
	crossings map[gridEdge]geom2.Point
}

// gridEdge joins the point i, j of a grid to its right neighbor or, if it isUpward, to its upper neighbor.
type gridEdge struct {
	i, j     int
	isUpward bool
}

// end returns the grid coordinates of the second point of the edge. The first is (e.i, e.j).
func (e gridEdge) end() (i, j int) {
	if e.isUpward {
		return e.i, e.j + 1
	}
	return e.i + 1, e.j
}

func (g *labelGrid) of(i, j int) int32 { return g.labels[j*g.side+i] }

// position returns the position of the point (i, j) of the grid. The points on the border of the grid lie beyond the disc.
func (g *labelGrid) position(i, j int) geom2.Point {
	const half = 1.02
	cell := 2 * half / float64(g.side-1)
	return geom2.Pt(float64(i)*cell-half, float64(j)*cell-half)
}

// loops returns the regions with the given label.
func (g *labelGrid) loops(label int32) []region {
	next := map[gridEdge]gridEdge{} // along the outline, with the region to the left
	for j := range g.side - 1 {
		for i := range g.side - 1 {
			g.join(label, i, j, next)
		}
	}
	starts := slices.SortedFunc(maps.Keys(next), func(a, b gridEdge) int {
		return cmp.Or(cmp.Compare(a.j, b.j), cmp.Compare(a.i, b.i))
	})
	var out []region
	for _, start := range starts {
		var outline []geom2.Point
		for e, ok := start, true; ok; {
			var following gridEdge
			if following, ok = next[e]; ok {
				delete(next, e)
				outline = append(outline, g.crossing(e))
				e = following
			}
		}
		// Outlines of holes are clockwise. The regions in them are drawn later.
		if area := signedArea(outline); area > 0 {
			out = append(out, region{label, outline, area})
		}
	}
	return out
}

// join adds to next the parts of a label's outline that cross the cell between the points (i, j) and (i+1, j+1).
func (g *labelGrid) join(label int32, i, j int, next map[gridEdge]gridEdge) {
	corners := [4]bool{g.of(i, j) == label, g.of(i+1, j) == label, g.of(i+1, j+1) == label, g.of(i, j+1) == label}
	edges := [4]gridEdge{{i, j, false}, {i + 1, j, true}, {i, j + 1, false}, {i, j, true}}
	for k := range 4 {
		// Counter-clockwise around the cell, the label's area ends on edge k and begins again on a later edge.
		if !corners[k] || corners[(k+1)%4] {
			continue
		}
		begin := (k + 1) % 4
		for !(!corners[begin] && corners[(begin+1)%4]) {
			begin = (begin + 1) % 4
		}
		next[edges[k]] = edges[begin]
	}
}

// crossing returns the point on an edge of the grid at which the label stops being that of the edge's first point.
func (g *labelGrid) crossing(e gridEdge) geom2.Point {
	if p, ok := g.crossings[e]; ok {
		return p
	}
	const steps = 14
	a, b, first := g.position(e.i, e.j), g.position(e.end()), g.of(e.i, e.j)
	from, to := 0.0, 1.0
	for range steps {
		if middle := (from + to) / 2; g.label(a.Between(b, middle)) == first {
			from = middle
		} else {
			to = middle
		}
	}
	p := a.Between(b, from)
	g.crossings[e] = p
	return p
}

// signedArea returns the area of a polygon, negative if it is clockwise.
func signedArea(outline []geom2.Point) float64 {
	sum := 0.0
	for i, p := range outline {
		q := outline[(i+1)%len(outline)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return sum / 2
}
