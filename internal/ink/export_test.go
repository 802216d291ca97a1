package ink

import "image"

// FullCoverage is the coverage of a pixel that lies completely inside a polygon.
const FullCoverage = fullCoverage

// Polygons returns the polygons that the mark m fills. Those of its halo are not included.
func Polygons(m Mark) (all [][]Point) {
	add := func(p []Point) { all = append(all, p) }
	switch m := m.(type) {
	case *Line:
		stroke(m.Points, m.Width, m.Round, false, add)
	case *Fill:
		add(m.Points)
	case *Text:
		NewFonts().text(m, add)
	}
	return all
}

// Covered returns the coverage of each pixel in clip, row by row.
func Covered(polygons [][]Point, clip image.Rectangle) []int32 {
	c := newCoverage(clip)
	for _, p := range polygons {
		c.polygon(p)
	}
	var all []int32
	sums := make([]int32, clip.Dx())
	for y := range clip.Dy() {
		row := make([]int32, clip.Dx())
		c.row(y, sums, func(x int, covered int32) { row[x] = covered })
		all = append(all, row...)
	}
	return all
}
