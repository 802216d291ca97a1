package ink

import (
	"image"
	"math"
)

// Reach is the largest distance of a letter from its part of the baseline, as a multiple of the size.
const Reach = reach

func everywhere() image.Rectangle {
	return image.Rect(math.MinInt32, math.MinInt32, math.MaxInt32, math.MaxInt32)
}

// Polygons returns the polygons that the mark m fills. Those of its halo are not included.
func Polygons(m Mark) (all [][]Point) {
	outline(m, func(p polygon) {
		all = append(all, placed(&p))
	})
	return all
}

func outline(m Mark, add func(polygon)) {
	switch m := m.(type) {
	case *Line:
		m.polygons(add)
	case *Fill:
		add(polygon{corners: m.Points})
	case *Text:
		NewFonts().text(m, everywhere(), func(p []Point) { add(polygon{corners: p}) })
	}
}

// HaloCovered returns the coverage of the halo of t, as strokes or, for comparison, as any polygons.
func HaloCovered(t *Text, clip image.Rectangle, strokes bool) []int32 {
	c := newCoverage(clip, strokes)
	NewFonts().text(t, clip, func(contour []Point) {
		stroke(contour, 2*t.Halo.Width, true, true, func(p polygon) {
			if !strokes {
				p.at, p.corners, p.radius = Point{}, placed(&p), 0
			}
			c.addPolygon(p)
		})
	})
	return c.covered()
}

func placed(p *polygon) (all []Point) {
	for i := range p.corners {
		all = append(all, p.corner(i))
	}
	return all
}

// Covered returns the coverage of each pixel in clip, row by row.
func Covered(polygons [][]Point, clip image.Rectangle) []int32 {
	c := newCoverage(clip, false)
	for _, p := range polygons {
		c.addPolygon(polygon{corners: p})
	}
	return c.covered()
}

func (c *coverage) covered() []int32 {
	c.begin()
	var all []int32
	sums := make([]int32, c.clip.Dx())
	for y := range c.clip.Dy() {
		row := make([]int32, c.clip.Dx())
		c.row(y, sums, func(x int, covered int32) { row[x] = covered })
		all = append(all, row...)
	}
	return all
}

// WidthOf returns the width of a text in its font.
func (f *Fonts) WidthOf(t *Text) float64 {
	face := f.face(t)
	return inPixels(face, face.Width(t.Text), t.Size)
}
