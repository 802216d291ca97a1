package ink

import (
	"cmp"
	"image"
	"math"
	"slices"

	"pillbox/geom"
)

// rowsPerPixel is the number of horizontal lines per row of pixels along which coverage is measured. Along these lines,
// coverage is exact to 1/columnsPerPixel of a pixel. So the coverage of a pixel is wrong by at most 1/64 for each edge
// in it that is nearly horizontal. The eye cannot see such an error.
const (
	rowsPerPixel    = 32
	columnsPerPixel = 256
	fullCoverage    = rowsPerPixel * columnsPerPixel
)

// FullCoverage is the coverage of a pixel that a mark covers entirely.
const FullCoverage = fullCoverage

// coverage measures which part of each pixel is inside an area, which is the union of polygons: a point is inside if
// its winding number is not zero. All arithmetic is in integers or is rounded explicitly, so the result is the same
// on every machine.
//
// Only the polygons that meet the clip are stored, and only the crossings of one row of pixels at a time. The area of
// strokes is a union of many convex polygons that overlap nearly everywhere: per row, pixels inside a single disc are
// found first, and polygons that reach no other pixels are skipped. This does not affect the result.
type coverage struct {
	clip     image.Rectangle // the pixels that are measured
	strokes  bool            // whether all polygons are convex and wind in the same direction
	polygons []placedPolygon
	active   []*placedPolygon // those that meet the current row
	next     int              // the first polygon that has not been active
	lines    [rowsPerPixel]crossings

	// fullUntil is the first pixel from each pixel of the current row on that is not inside a single disc. It is the
	// pixel itself if no disc contains it. It has one more element than a row has pixels; it is nil unless strokes is set.
	fullUntil []int
}

// placedPolygon is a polygon with the rows of the clip that it meets: from first to before end.
type placedPolygon struct {
	polygon
	first, end int
	isFar      bool // whether it extends so far that rounding errors could exceed the margin of inner and outer
}

// crossing describes where an edge crosses a line. column is in parts of a pixel from the left of the clip; winding is
// 1 if the edge points down, and -1 if it points up.
type crossing struct{ column, winding int32 }

// crossings are the crossings of a line.
type crossings struct {
	all    []crossing
	enough int // united joins the intervals if there are more
}

// span is a range of x: from <= x <= to.
type span struct{ from, to float64 }

func newCoverage(clip image.Rectangle, strokes bool) *coverage {
	c := &coverage{clip: clip, strokes: strokes}
	if strokes {
		c.fullUntil = make([]int, clip.Dx()+1)
	}
	return c
}

// farAway is the largest coordinate of polygons that inner and outer are used for. Here, rounding errors of positions
// are far below margin.
const farAway = 1 << 30

// addPolygon adds a polygon, before the first call of row. Polygons beside the clip are omitted: each line enters them as often
// as it leaves them.
func (c *coverage) addPolygon(p polygon) {
	b := p.bounds()
	top, bottom := float64(c.clip.Min.Y), float64(c.clip.Max.Y)
	if !(b.Max.X > float64(c.clip.Min.X) && b.Min.X < float64(c.clip.Max.X) && b.Max.Y > top && b.Min.Y < bottom) { // also for NaN
		return
	}
	c.polygons = append(c.polygons, placedPolygon{
		polygon: p,
		first:   geom.ClampInt(math.Floor(b.Min.Y-top), 0, c.clip.Dy()),
		end:     geom.ClampInt(math.Ceil(b.Max.Y-top)+1, 0, c.clip.Dy()),
		isFar:   max(-b.Min.X, -b.Min.Y, b.Max.X, b.Max.Y) > farAway,
	})
}

// begin prepares for the first row.
func (c *coverage) begin() {
	slices.SortStableFunc(c.polygons, func(p, q placedPolygon) int { return cmp.Compare(p.first, q.first) })
}

// row calls the function paint for each pixel with coverage in row y of the clip, counted from its top. It must be called
// for all rows from the top to the bottom, after begin. The coverage is 1 to fullCoverage. sums is scratch memory with one
// element per pixel of the row. All elements must be 0; row sets them to 0 again at the end.
func (c *coverage) row(y int, sums []int32, paint func(x int, covered int32)) {
	c.active = slices.DeleteFunc(c.active, func(p *placedPolygon) bool { return p.end <= y })
	for ; c.next < len(c.polygons) && c.polygons[c.next].first <= y; c.next++ {
		c.active = append(c.active, &c.polygons[c.next])
	}
	if len(c.active) == 0 {
		return
	}
	if c.strokes {
		c.findFull(y)
	}
	for i := range c.lines {
		c.lines[i] = crossings{c.lines[i].all[:0], 1024}
	}
	for _, p := range c.active {
		if !c.strokes || !c.isFull(p, y) {
			c.cross(p, y)
		}
	}
	first, last := c.sum(sums)
	for x, until := range c.fullUntil {
		if x < until {
			paint(x, fullCoverage)
			sums[x] = 0
		}
	}
	for x := first; x <= last; x++ {
		if sums[x] > 0 {
			paint(x, sums[x])
			sums[x] = 0
		}
	}
}

// sum adds the parts of the lines inside the area to the sums of their pixels. It returns the first and the last pixel.
func (c *coverage) sum(sums []int32) (first, last int) {
	first, last = len(sums), -1
	for i := range c.lines {
		line := c.lines[i].all
		slices.SortFunc(line, func(a, b crossing) int { return int(a.column - b.column) })
		winding := int32(0)
		for i, x := range line {
			if winding != 0 && x.column > line[i-1].column {
				from, to := line[i-1].column, x.column
				first, last = min(first, int(from/columnsPerPixel)), max(last, int((to-1)/columnsPerPixel))
				addSpan(sums, from, to)
			}
			winding += x.winding
		}
	}
	return first, last
}

// cross adds the crossings of a polygon's edges with the lines of row y.
func (c *coverage) cross(p *placedPolygon, y int) {
	for i := range p.corners {
		c.edge(p.corner(i), p.corner((i+1)%len(p.corners)), y*rowsPerPixel)
	}
	if !c.strokes {
		return
	}
	for i := range c.lines {
		c.lines[i].unite()
	}
}

// edge adds the crossings of the edge from p to q with the lines of a row, the first of which has the given number.
func (c *coverage) edge(p, q Point, line int) {
	winding := int32(1)
	if p.Y > q.Y {
		p, q, winding = q, p, -1
	}
	top, left := float64(c.clip.Min.Y), float64(c.clip.Min.X)
	// Line i lies at y = top + (i + 1/2) / rowsPerPixel. The edge crosses those with p.Y <= y < q.Y.
	first := geom.ClampInt(math.Ceil(float64((p.Y-top)*rowsPerPixel)-0.5), line, line+rowsPerPixel)
	end := geom.ClampInt(math.Ceil(float64((q.Y-top)*rowsPerPixel)-0.5), line, line+rowsPerPixel)
	if first >= end {
		return
	}
	slope := (q.X - p.X) / (q.Y - p.Y)
	for i := first; i < end; i++ {
		y := top + float64((float64(i)+0.5)/rowsPerPixel)
		x := p.X + float64((y-p.Y)*slope)
		column := geom.ClampInt(math.Floor(float64((x-left)*columnsPerPixel)+0.5), 0, c.clip.Dx()*columnsPerPixel)
		l := &c.lines[i-line]
		l.all = append(l.all, crossing{int32(column), winding})
	}
}

// unite replaces overlapping intervals by their union if there are many crossings. So their number is limited by the
// number of columns. All intervals must have the same winding.
func (l *crossings) unite() {
	if len(l.all) <= l.enough {
		return
	}
	slices.SortFunc(l.all, func(a, b crossing) int { return int(a.column - b.column) })
	sign := int32(1)
	winding, kept := int32(0), 0
	for i, x := range l.all {
		before := winding
		winding += x.winding
		if (before == 0) == (winding == 0) {
			continue
		}
		if before == 0 {
			sign = x.winding
			// An interval that begins where the previous one ends continues it.
			if kept > 0 && l.all[kept-1].column == l.all[i].column {
				kept--
				continue
			}
		}
		l.all[kept] = crossing{x.column, sign}
		if winding == 0 {
			l.all[kept].winding = -sign
		}
		kept++
	}
	l.all = l.all[:kept]
	l.enough = 2*kept + 1024
}

// findFull finds the pixels of row y that are inside a single disc of a stroke.
func (c *coverage) findFull(y int) {
	clear(c.fullUntil)
	top, left := float64(c.clip.Min.Y+y), float64(c.clip.Min.X)
	width := len(c.fullUntil) - 1
	for _, p := range c.active {
		if p.radius == 0 || p.isFar {
			continue
		}
		if in := p.inner(top, top+1); in.from < in.to {
			from, to := geom.ClampInt(math.Ceil(in.from-left), 0, width), geom.ClampInt(math.Floor(in.to-left), 0, width)
			if from < to { // count where the ranges begin and end
				c.fullUntil[from]++
				c.fullUntil[to]--
			}
		}
	}
	discs := 0
	for x, change := range c.fullUntil {
		discs += change
		c.fullUntil[x] = discs
	}
	until := width
	for x := width; x >= 0; x-- {
		if c.fullUntil[x] == 0 {
			until = x
		}
		c.fullUntil[x] = until
	}
}

// isFull reports whether all pixels of row y that a polygon can meet are inside single discs.
func (c *coverage) isFull(p *placedPolygon, y int) bool {
	if p.isFar {
		return false
	}
	top, left := float64(c.clip.Min.Y+y), float64(c.clip.Min.X)
	out := p.outer(top, top+1)
	width := len(c.fullUntil) - 1
	from, to := geom.ClampInt(math.Floor(out.from-left), 0, width), geom.ClampInt(math.Ceil(out.to-left), 0, width)
	return from >= to || to <= c.fullUntil[from]
}

// addSpan adds the part of a line between two columns to the sums of its pixels.
func addSpan(sums []int32, from, to int32) {
	for x := from / columnsPerPixel; from < to; x++ {
		end := min(to, (x+1)*columnsPerPixel)
		sums[x] += end - from
		from = end
	}
}
