package aov

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"path/filepath"
	"slices"

	"github.com/fogleman/gg"
	"golang.org/x/image/draw"

	"pillbox"
	"pillbox/scene"
)

// Lengths on a sheet, in its pixels.
const (
	margin  = 32
	gap     = 28 // between cells
	heading = 74
	sheetX  = 1640 // into which views of no given size fit, margins and heading left out
	sheetY  = 1000
	lineOf  = 17 // height of a line of what a view means
	cellMin = 190
	tileOf  = 8 // of the board behind what is transparent
)

// Sheet draws all views of s and its picture on one sheet, each with its name and what it
// means, and its scale if it has one.
//
// The options mean what they mean to [Render], but Region does not count and Size is that of
// each view; zero means as large as fits on a sheet of some 1700 x 1100 pixels. Progress is
// called for the views. The errors are those of Render.
func Sheet(ctx context.Context, s *scene.Scene, opt pillbox.Options) (image.Image, error) {
	opt.Region = image.Rectangle{}
	whole, err := opt.Stage(s)
	if err != nil {
		return nil, err
	}
	size := whole.Size
	opt.World = whole.World
	l := layoutOf(size)
	if opt.Size == (image.Point{}) {
		opt.Size = l.fitted(size)
	} else {
		opt.Size = size
	}
	kinds := slices.DeleteFunc(Kinds(), func(k Kind) bool { return k == Color })
	views, err := Render(ctx, s, kinds, opt)
	if err != nil {
		return nil, err
	}
	film, err := pillbox.Render(ctx, s, pillbox.Options{
		Size: opt.Size, Antialias: opt.Antialias, Workers: opt.Workers, World: opt.World,
	})
	if err != nil {
		return nil, err
	}
	cells := []cell{{kind: Color, image: film.Image}}
	for _, v := range views {
		c := cell{kind: v.Kind, image: v.Image()}
		c.scale, c.isScaled = v.scale()
		cells = append(cells, c)
	}
	facts := fmt.Sprintf("%d x %d pixels, %s; each view here %d x %d",
		s.Image.Width, s.Image.Height, plural(len(s.Objects), "solid"), opt.Size.X, opt.Size.Y)
	return newSheet(l, opt.Size, cells).paint(filepath.Base(s.Name), facts), nil
}

// cell is a view on a sheet.
type cell struct {
	kind     Kind
	image    *image.NRGBA
	scale    scale
	isScaled bool
}

// layout is how the views are arranged: in columns, of rows that fill up from the left.
type layout struct{ columns, rows int }

// layoutOf returns the layout that shows pictures of these proportions largest.
func layoutOf(size image.Point) layout {
	var best layout
	most := 0.0
	for columns := len(Kinds()); columns > 0; columns /= 2 {
		l := layout{columns, len(Kinds()) / columns}
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

// fitted is fit in whole pixels.
func (l layout) fitted(size image.Point) image.Point {
	w, h := l.fit(size)
	return image.Pt(max(1, int(math.Round(w))), max(1, int(math.Round(h))))
}

// sheet is a sheet in the making.
type sheet struct {
	layout
	canvas *image.RGBA
	dc     *gg.Context // draws on canvas
	size   image.Point // of each view
	column int         // width
	lines  int         // of what a view means, at most
	cells  []cell
}

func newSheet(l layout, size image.Point, cells []cell) *sheet {
	s := &sheet{layout: l, size: size, column: max(size.X, cellMin), cells: cells}
	measure := gg.NewContext(1, 1)
	setFace(measure, textSize)
	for _, c := range cells {
		s.lines = max(s.lines, len(measure.WordWrap(c.kind.Meaning(), float64(s.column))))
	}
	return s
}

// row returns the height of a row.
func (s *sheet) row() int { return s.caption() + s.size.Y + 8 + scaleHeight }

// caption returns the height of the texts above a view.
func (s *sheet) caption() int { return nameSize + s.lines*lineOf + 8 }

// paint draws everything.
func (s *sheet) paint(title, facts string) image.Image {
	s.prepare(title, facts)
	writeBold(s.dc, title, margin, margin+titleSize, titleSize, ink())
	write(s.dc, facts, margin, margin+titleSize+24, textSize, muted())
	for i := range s.cells {
		x := margin + i%s.columns*(s.column+gap)
		y := margin + heading + i/s.columns*(s.row()+gap)
		s.cell(&s.cells[i], image.Pt(x, y))
	}
	return s.canvas
}

// prepare makes a canvas that the cells fit on, and the lines of the heading.
func (s *sheet) prepare(title, facts string) {
	measure := gg.NewContext(1, 1)
	setBoldFace(measure, titleSize)
	wide, _ := measure.MeasureString(title)
	setFace(measure, textSize)
	wider, _ := measure.MeasureString(facts)
	width := max(s.columns*s.column+(s.columns-1)*gap, int(math.Ceil(max(wide, wider))))
	height := heading + s.rows*s.row() + (s.rows-1)*gap
	s.canvas = image.NewRGBA(image.Rect(0, 0, width+2*margin, height+2*margin))
	s.dc = gg.NewContextForRGBA(s.canvas)
	s.dc.SetColor(paper())
	s.dc.Clear()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// cell draws a view with its top left at p.
func (s *sheet) cell(c *cell, p image.Point) {
	x, y := float64(p.X), float64(p.Y)
	writeBold(s.dc, c.kind.String(), x, y+nameSize-3, nameSize, ink())
	setFace(s.dc, textSize)
	for i, line := range s.dc.WordWrap(c.kind.Meaning(), float64(s.column)) {
		write(s.dc, line, x, y+nameSize+float64((i+1)*lineOf)-3, textSize, muted())
	}
	p.Y += s.caption()
	on := image.Rectangle{p, p.Add(s.size)}
	draw.Draw(s.canvas, on.Inset(-1), image.NewUniform(color.NRGBA{0xa8, 0xb0, 0xba, 0xff}), image.Point{}, draw.Src)
	s.board(on)
	draw.Draw(s.canvas, on, c.image, image.Point{}, draw.Over)
	if c.isScaled {
		c.scale.draw(s.dc, x, float64(on.Max.Y+8), float64(s.column))
	}
}

// board draws a checkerboard, to show through what is transparent.
func (s *sheet) board(on image.Rectangle) {
	light, dark := color.RGBA{0xf0, 0xf2, 0xf5, 0xff}, color.RGBA{0xd9, 0xde, 0xe5, 0xff}
	for y := range on.Dy() {
		for x := range on.Dx() {
			c := light
			if (x/tileOf+y/tileOf)%2 != 0 {
				c = dark
			}
			s.canvas.SetRGBA(on.Min.X+x, on.Min.Y+y, c)
		}
	}
}
