package ink

import (
	"image"

	"pillbox/internal/geom2"
)

// borderCost is about how many times as long as a line a part of a letter's border takes, for each curve of its outline: two
// polygons, with the other parts of the letter in the same rows.
const borderCost = 8

// Cost estimates what drawing the page costs: the number of rows of pixels that each polygon of each mark meets, added
// up. Each takes about a third of a microsecond.
func (p *Page) Cost() int64 {
	page := image.Rectangle{Max: p.Size}
	rows := func(distance float64, points ...Point) int64 {
		return int64(boundsOf(points, distance).Intersect(page).Dy())
	}
	fonts := NewFonts()
	cost := int64(0)
	for _, m := range p.Marks {
		switch m := m.(type) {
		case *Line:
			for i := 1; i < len(m.Points); i++ {
				cost += 2 * rows(m.Width/2, m.Points[i-1], m.Points[i]) // a part of the line, and a joint
			}
			for _, head := range m.Heads {
				cost += rows(0, head...)
			}
		case *Fill:
			cost += rows(0, m.Points...)
		case *Text:
			cost += fonts.cost(m, rows)
		}
	}
	return cost
}

// cost estimates what drawing a text costs; rows counts the rows near some points.
func (f *Fonts) cost(t *Text, rows func(distance float64, points ...Point) int64) (cost int64) {
	face := f.face(t)
	x := 0
	for _, letter := range letters(face, t.Text) {
		at := geom2.Pt(t.At.X+inPixels(face, x, t.Size), t.At.Y)
		x += face.Advance(letter)
		all := rows(float64(reach*t.Size)+t.Halo.Width, at)
		cost += 4 * all
		if t.Halo.Width > 0 {
			for _, c := range face.Outline(letter) {
				cost += borderCost * int64(len(c.Curves)) * min(all, int64(4*t.Halo.Width)+2)
			}
		}
	}
	return cost
}
