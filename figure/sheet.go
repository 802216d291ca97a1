package figure

import (
	"image"
	"image/draw"
	"math"

	"pillbox/internal/ink"
	"pillbox/internal/typeface"
	"pillbox/scene"
	"pillbox/shade"
)

// Cell is a picture of a [Sheet].
type Cell struct {
	Figure        *Figure      // nil for a picture without annotations
	Picture       *image.NRGBA // without annotations
	Letter, Title string       // above the picture; "" for none
}

// Sheet puts pictures with their annotations into rows of one picture. Lengths are pixels.
type Sheet struct {
	Columns    int
	Width      int // of each picture
	Gap        int // between pictures
	Background shade.Color
	Lettering  scene.Lettering // of letters and titles
}

// heading is the height of the letters and titles above the pictures of a row, as a multiple of their size.
const heading = 1.6

// Compose returns the sheet with some cells: the picture without annotations, and the figure that draws them.
func (s *Sheet) Compose(cells []Cell) (*Figure, *image.NRGBA) {
	f, places := new(Figure), make([]image.Point, len(cells))
	y := 0
	for first := 0; first < len(cells); first += s.Columns {
		row := cells[first:min(first+s.Columns, len(cells))]
		if first > 0 {
			y += s.Gap
		}
		above, below := 0, 0
		for _, c := range row {
			if c.Letter != "" || c.Title != "" {
				above = int(math.Ceil(float64(heading * s.Lettering.Size)))
			}
			below = max(below, c.Picture.Rect.Dy())
		}
		for i, c := range row {
			places[first+i] = image.Pt(i*(s.Width+s.Gap), y+above)
			s.write(&f.page, c, float64(places[first+i].X), float64(y))
		}
		y += above + below
	}
	columns := min(s.Columns, len(cells))
	f.page.Size = image.Pt(columns*s.Width+(columns-1)*s.Gap, y)
	picture := image.NewNRGBA(image.Rectangle{Max: f.page.Size})
	background := inkOf(s.Background)
	for i := 0; i < len(picture.Pix); i += 4 {
		picture.Pix[i], picture.Pix[i+1], picture.Pix[i+2], picture.Pix[i+3] = background.R, background.G, background.B, 255
	}
	for i, c := range cells {
		draw.Draw(picture, image.Rectangle{Max: c.Picture.Rect.Size()}.Add(places[i]), c.Picture, c.Picture.Rect.Min, draw.Over)
		if c.Figure != nil {
			f.page.Panels = append(f.page.Panels, ink.Panel{At: places[i], Page: &c.Figure.page})
		}
	}
	return f, picture
}

// write adds the letter and the title of a cell to a page, at the given left and top.
func (s *Sheet) write(p *ink.Page, c Cell, left, top float64) {
	l := layout{fonts: ink.NewFonts(), scale: 1}
	for _, text := range []struct {
		text   string
		isBold bool
	}{{c.Letter, true}, {c.Title, false}} {
		if text.text == "" {
			continue
		}
		t := l.lettered("", text.text, &s.Lettering, text.isBold)
		for _, mark := range t.marks(text.text, ink.Point{X: left, Y: top + float64(0.2*t.size) + t.cap}) {
			p.Marks = append(p.Marks, mark)
		}
		left += typeface.LineWidth(text.text, t.size, text.isBold) + float64(0.5*t.size)
	}
}
