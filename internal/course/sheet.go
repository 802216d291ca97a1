package course

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"pillbox/internal/chart"
	"pillbox/internal/geom2"
	"pillbox/internal/text"
)

// Summary states in one sentence how many pixels differ, and which is the first.
func (c *Comparison) Summary() string {
	all := c.Want.Rect.Dx() * c.Want.Rect.Dy()
	if c.First == nil {
		return fmt.Sprintf("all %d pixels are as expected", all)
	}
	out := fmt.Sprintf("%d of %d pixels differ", len(c.Wrong), all)
	if c.Missing > 0 && c.Missing < len(c.Wrong) {
		out += fmt.Sprintf(", of which %d have no answer", c.Missing)
	} else if c.Missing > 0 {
		out = fmt.Sprintf("%d of %d pixels have no answer", c.Missing, all)
	}
	return out + fmt.Sprintf("; the first is pixel %d,%d", c.First.X, c.First.Y)
}

// Text describes the error in the pixel.
func (p *Pixel) Text() string {
	out := p.Problem
	if p.Field != "" {
		out = p.Field + ": " + out
	}
	if p.Want != nil || p.Got != nil {
		out += fmt.Sprintf("; expected %s, got %s", inJSON(p.Want), inJSON(p.Got))
	}
	return out
}

// Lengths in the drawing of a comparison, in pixels of the drawing.
const (
	sheetMargin  = 20
	sheetCaption = 26 // height
	sheetLine    = 24 // height of a line of text
	panelWidth   = 360
	titleSize    = 20
	textSize     = 15
)

// Colors of the marks in the drawing.
const (
	wrongColor chart.Hex = 0xe11d48
	markColor  chart.Hex = 0xe11d48
)

// Draw draws three pictures side by side: the learner's, the right one, and the pixels that differ. The first of these
// pixels is marked in each.
func (c *Comparison) Draw() image.Image {
	size := c.Want.Rect.Size()
	zoom := max(1, panelWidth/size.X)
	panel := size.Mul(zoom)
	column := max(panel.X, panelWidth*2/3)
	width := 3*column + 4*sheetMargin
	top := sheetMargin + sheetLine + sheetLine + sheetCaption
	fonts := chart.NewFonts()
	var about []string
	if c.First != nil {
		about = fonts.Wrap(fmt.Sprintf("Pixel %d,%d: %s", c.First.X, c.First.Y, text.Escape(c.First.Text())), float64(width-2*sheetMargin), chart.Regular(textSize))
	}
	height := top + panel.Y + sheetMargin + sheetLine*len(about)
	if len(about) > 0 {
		height += sheetMargin / 2
	}
	d := chart.New(float64(width), float64(height), chart.Light())
	at := func(x, y int) geom2.Point { return geom2.Point{X: float64(x), Y: float64(y)} }
	d.Text(c.Stage, at(sheetMargin, sheetMargin+titleSize-4), chart.Bold(titleSize), d.Ink)
	d.Text(capital(c.Summary()), at(sheetMargin, sheetMargin+sheetLine+titleSize-4), chart.Regular(textSize), d.Ink)
	for i, p := range [...]struct {
		caption string
		image   *image.NRGBA
	}{{c.gotCaption(), c.Got}, {"expected", c.Want}, {"different pixels", c.differences()}} {
		corner := image.Pt(sheetMargin+i*(column+sheetMargin), top)
		d.Text(p.caption, at(corner.X, top-8), chart.Regular(textSize), d.Muted)
		d.Picture(enlarged(p.image, zoom), corner)
		if c.First != nil {
			mark(d, at(corner.X, corner.Y), image.Pt(c.First.X, c.First.Y), zoom)
		}
	}
	for i, line := range about {
		d.Text(line, at(sheetMargin, top+panel.Y+sheetMargin+textSize+i*sheetLine), chart.Regular(textSize), d.Ink)
	}
	return d.Image()
}

// capital returns a sentence with its first letter in upper case.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// gotCaption returns the caption of the learner's picture. If a wrong pixel has the color [Nonsense], the caption
// says that this color marks answers that are not finite numbers.
func (c *Comparison) gotCaption() string {
	for _, p := range c.Wrong {
		if c.Got.NRGBAAt(p.X, p.Y) == Nonsense() {
			return "yours (magenta: not a finite number)"
		}
	}
	return "yours"
}

// differences returns the right picture, darkened, with the wrong pixels in a bright color.
func (c *Comparison) differences() *image.NRGBA {
	out := image.NewNRGBA(c.Want.Rect)
	for i, v := range c.Want.Pix {
		out.Pix[i] = v / 3
		if i%4 == 3 {
			out.Pix[i] = 255
		}
	}
	r, g, b, _ := wrongColor.RGBA()
	for _, p := range c.Wrong {
		out.SetNRGBA(p.X, p.Y, color.NRGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 255})
	}
	return out
}

// enlarged returns an image with every pixel enlarged to a square.
func enlarged(m *image.NRGBA, zoom int) *image.NRGBA {
	if zoom == 1 {
		return m
	}
	out := image.NewNRGBA(image.Rectangle{Max: m.Bounds().Size().Mul(zoom)})
	for y := range out.Rect.Max.Y {
		for x := range out.Rect.Max.X {
			out.SetNRGBA(x, y, m.NRGBAAt(x/zoom, y/zoom))
		}
	}
	return out
}

// mark draws a ring around a pixel of a panel.
func mark(d *chart.Drawing, corner geom2.Point, pixel image.Point, zoom int) {
	center := corner.Add(geom2.Point{X: (float64(pixel.X) + 0.5) * float64(zoom), Y: (float64(pixel.Y) + 0.5) * float64(zoom)})
	radius := float64(zoom) + 6
	d.Circle(center, radius, chart.Solid(d.Paper, 5))
	d.Circle(center, radius, chart.Solid(markColor, 2.5))
}
