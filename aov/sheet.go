package aov

import (
	"context"
	"fmt"
	"image"
	"math"
	"path/filepath"
	"slices"

	"pillbox"
	"pillbox/internal/chart"
	"pillbox/internal/geom2"
	"pillbox/scene"
)

// Lengths on a sheet, in its pixels.
const (
	margin  = 32
	gap     = 28 // between cells
	heading = 74
	sheetX  = 1640 // the views fit into sheetX x sheetY, without margins and heading, if their size is not given
	sheetY  = 1000
	lineOf  = 17 // line height of a view's meaning
	cellMin = 190

	maxColumns = 8 // the largest number of columns
)

// Sizes of text in pixels.
const (
	titleSize = 24
	nameSize  = 17
	textSize  = 14
	smallSize = 12
)

func textFont() chart.Font { return chart.Regular(textSize) }

// MaxSheetPixels is the largest number of pixels of each view on a sheet. A sheet has nine of them.
const MaxSheetPixels = 3 << 20

// Sheet draws the picture of s and all its views on one sheet, each with its name, its meaning
// and, if it has one, its scale.
//
// Only the Size, Antialias, Workers and Progress of opt are used. Size is the size of each view; if it
// is zero, the views are as large as fits on a sheet of about 1700 x 1100 pixels. Progress does not count the picture itself.
// The errors are those of [pillbox.Render]. More than [MaxSheetPixels] are an error, too.
func Sheet(ctx context.Context, s *scene.Scene, opt pillbox.Options) (image.Image, error) {
	pic := pillbox.Picture{Size: opt.Size, Antialias: opt.Antialias}
	size, err := pic.SizeOf(s)
	if err != nil {
		return nil, err
	}
	l := layoutOf(size)
	if pic.Size = size; opt.Size == (image.Point{}) {
		pic.Size = l.fitted(size)
	}
	if int64(pic.Size.X)*int64(pic.Size.Y) > MaxSheetPixels {
		return nil, fmt.Errorf("a sheet has views of at most %d pixels, got %d x %d: choose a smaller width or height", MaxSheetPixels, pic.Size.X, pic.Size.Y)
	}
	p, err := pillbox.Prepare(s, pic)
	if err != nil {
		return nil, err
	}
	kinds := slices.DeleteFunc(Kinds(), func(k Kind) bool { return k == Color })
	views, err := Render(ctx, p, kinds, opt.Work)
	if err != nil {
		return nil, err
	}
	film, err := p.Render(ctx, pillbox.Work{Workers: opt.Workers})
	if err != nil {
		return nil, err
	}
	cells := []cell{{kind: Color, image: film.Image}}
	for _, v := range views {
		c := cell{kind: v.Kind, image: v.Image()}
		c.scale, c.isScaled = v.sheetScale()
		v.Values = nil // they take more memory than the image
		cells = append(cells, c)
	}
	facts := fmt.Sprintf("%d x %d pixels, solids: %d; each view here %d x %d",
		s.Image.Width, s.Image.Height, s.Objects.Len(), pic.Size.X, pic.Size.Y)
	return newSheet(l, pic.Size, cells).paint(filepath.Base(s.Name), facts), nil
}

// cell is a view on a sheet; isScaled is whether a scale is drawn below it.
type cell struct {
	kind     Kind
	image    *image.NRGBA
	scale    scale
	isScaled bool
}

// layout is a grid of views, filled row by row.
type layout struct{ columns, rows int }

// layoutOf returns the layout in which pictures with the proportions of size are largest.
func layoutOf(size image.Point) layout {
	var best layout
	most := 0.0
	n := len(Kinds())
	for columns := 1; columns <= min(n, maxColumns); columns++ {
		l := layout{columns, (n + columns - 1) / columns}
		if w, h := l.fit(size); w*h > most {
			best, most = l, w*h
		}
	}
	return best
}

// fit returns how large a picture of the given proportions can be in a cell.
func (l layout) fit(size image.Point) (width, height float64) {
	const texts = nameSize + 2*lineOf + scaleHeight
	w := float64(sheetX-(l.columns-1)*gap) / float64(l.columns)
	h := float64(sheetY-(l.rows-1)*gap)/float64(l.rows) - texts
	by := min(w/float64(size.X), h/float64(size.Y))
	return by * float64(size.X), by * float64(size.Y)
}

// fitted returns the results of the method fit, rounded to whole pixels and at least 1.
func (l layout) fitted(size image.Point) image.Point {
	w, h := l.fit(size)
	return image.Pt(max(1, int(math.Round(w))), max(1, int(math.Round(h))))
}

// sheet holds the views on a sheet and the lengths of its layout.
type sheet struct {
	layout
	fonts  *chart.Fonts
	size   image.Point // of each view
	column int         // width of a column
	lines  int         // largest number of lines of a view's meaning
	cells  []cell
}

func newSheet(l layout, size image.Point, cells []cell) *sheet {
	s := &sheet{layout: l, fonts: chart.NewFonts(), size: size, column: max(size.X, cellMin), cells: cells}
	for _, c := range cells {
		s.lines = max(s.lines, len(s.fonts.Wrap(c.kind.Meaning(), float64(s.column), textFont())))
	}
	return s
}

// row returns the height of a row.
func (s *sheet) row() int { return s.caption() + s.size.Y + 8 + scaleHeight }

// caption returns the height of the texts above a view.
func (s *sheet) caption() int { return nameSize + s.lines*lineOf + 8 }

// paint draws the whole sheet: the title, the facts below it, and the cells with the views.
func (s *sheet) paint(title, facts string) image.Image {
	d := s.drawing(title, facts)
	d.Text(title, geom2.Point{X: margin, Y: margin + titleSize}, chart.Bold(titleSize), d.Ink)
	d.Text(facts, geom2.Point{X: margin, Y: margin + titleSize + 24}, textFont(), d.Muted)
	for i := range s.cells {
		x := margin + i%s.columns*(s.column+gap)
		y := margin + heading + i/s.columns*(s.row()+gap)
		s.cell(d, &s.cells[i], image.Pt(x, y))
	}
	return d.Image()
}

// drawing returns an empty drawing with room for the cells and the heading.
func (s *sheet) drawing(title, facts string) *chart.Drawing {
	wide := max(s.fonts.Width(title, chart.Bold(titleSize)), s.fonts.Width(facts, textFont()))
	width := max(s.columns*s.column+(s.columns-1)*gap, int(math.Ceil(wide)))
	height := heading + s.rows*s.row() + (s.rows-1)*gap
	return chart.New(float64(width+2*margin), float64(height+2*margin), chart.Light())
}

// cell draws a view with its top left at p.
func (s *sheet) cell(d *chart.Drawing, c *cell, p image.Point) {
	at := geom2.Point{X: float64(p.X), Y: float64(p.Y)}
	d.Text(c.kind.String(), at.Add(geom2.Point{Y: nameSize - 3}), chart.Bold(nameSize), d.Ink)
	for i, line := range s.fonts.Wrap(c.kind.Meaning(), float64(s.column), textFont()) {
		d.Text(line, at.Add(geom2.Point{Y: nameSize + float64((i+1)*lineOf) - 3}), textFont(), d.Muted)
	}
	d.Picture(c.image, p.Add(image.Pt(0, s.caption())))
	c.image = nil // the drawing has its own copy
	if c.isScaled {
		d.Overlay(c.scale.image(s.column, d.Theme), p.Add(image.Pt(0, s.caption()+s.size.Y+8)))
	}
}
