package ink

import (
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

// coverage measures which part of each pixel is inside an area, which is the union of polygons: a point is inside if
// its winding number is not zero. All arithmetic is in integers or is rounded explicitly, so the result is the same
// on every machine.
type coverage struct {
	clip image.Rectangle // the pixels that are measured
	rows [][]crossing    // for each line, where edges cross it
}

// crossing describes where an edge crosses a line. column is in parts of a pixel from the left of the clip; winding is
// 1 if the edge points down, and -1 if it points up.
type crossing struct{ column, winding int32 }

func newCoverage(clip image.Rectangle) *coverage {
	return &coverage{clip: clip, rows: make([][]crossing, clip.Dy()*rowsPerPixel)}
}

// polygon adds a closed polygon.
func (c *coverage) polygon(points []Point) {
	for i, p := range points {
		c.edge(p, points[(i+1)%len(points)])
	}
}

func (c *coverage) edge(p, q Point) {
	winding := int32(1)
	if p.Y > q.Y {
		p, q, winding = q, p, -1
	}
	top, left := float64(c.clip.Min.Y), float64(c.clip.Min.X)
	// Line i lies at y = top + (i + 1/2) / rowsPerPixel. The edge crosses those with p.Y <= y < q.Y.
	first := geom.ClampInt(math.Ceil(float64((p.Y-top)*rowsPerPixel)-0.5), 0, len(c.rows))
	end := geom.ClampInt(math.Ceil(float64((q.Y-top)*rowsPerPixel)-0.5), 0, len(c.rows))
	if first >= end {
		return
	}
	slope := (q.X - p.X) / (q.Y - p.Y)
	for i := first; i < end; i++ {
		y := top + float64((float64(i)+0.5)/rowsPerPixel)
		x := p.X + float64((y-p.Y)*slope)
		column := geom.ClampInt(math.Floor(float64((x-left)*columnsPerPixel)+0.5), 0, c.clip.Dx()*columnsPerPixel)
		c.rows[i] = append(c.rows[i], crossing{int32(column), winding})
	}
}

// row calls the function paint for each pixel with coverage in row y of the clip, counted from its top. The coverage is
// 1 to fullCoverage. sums is scratch memory with one element per pixel of the row. All elements must be 0; row sets
// them to 0 again at the end.
func (c *coverage) row(y int, sums []int32, paint func(x int, covered int32)) {
	first, last := len(sums), -1
	for _, line := range c.rows[y*rowsPerPixel:][:rowsPerPixel] {
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
	for x := first; x <= last; x++ {
		if sums[x] > 0 {
			paint(x, sums[x])
			sums[x] = 0
		}
	}
}

// addSpan adds the part of a line between two columns to the sums of its pixels.
func addSpan(sums []int32, from, to int32) {
	for x := from / columnsPerPixel; from < to; x++ {
		end := min(to, (x+1)*columnsPerPixel)
		sums[x] += end - from
		from = end
	}
}
