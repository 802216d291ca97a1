package cli

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"strings"

	"golang.org/x/image/draw"
)

// HasTrueColor reports whether the terminal supports 24-bit colors, according to the environment variables that
// terminals set.
func HasTrueColor(getenv func(string) string) bool {
	c := getenv("COLORTERM")
	return c == "truecolor" || c == "24bit"
}

// Panels are pictures shown side by side on a terminal. They consist of half-block characters, whose upper and lower
// halves are one pixel each. If the locale lacks these characters, each cell has the average of its two pixels.
type Panels struct {
	width, rows int // of each panel, in cells
	panels      []*image.RGBA
}

const (
	panelGap   = 1  // columns between two panels
	panelRows  = 24 // maximum height
	fewestRows = 4  // minimum height, unless the screen is smaller: in fewer rows a picture is not recognizable
)

// NewPanels returns panels for at most the given number of pictures, side by side. The caller prints as many lines of text
// over the pictures as above says, and as many under the pictures as below says. The panels are so small that all fits on
// the screen. If the screen is too small for that, the lines over the pictures may scroll away.
func (s *Screen) NewPanels(most, above, below int) *Panels {
	p := &Panels{width: max(1, (s.Columns-(most-1)*panelGap)/most), rows: panelRows}
	if s.Rows > 0 {
		room := max(s.Rows-above-below, min(fewestRows, s.Rows-below), 1)
		p.rows = min(p.rows, room)
	}
	return p
}

// Add adds a picture.
func (p *Panels) Add(img image.Image) {
	p.panels = append(p.panels, p.scaled(img, draw.ApproxBiLinear))
}

// AddMarks adds an opaque picture with small bright marks and scales it so that every mark remains visible.
func (p *Panels) AddMarks(img image.Image) {
	p.panels = append(p.panels, p.scaled(img, brightest{}))
}

// Print prints the panels.
func (p *Panels) Print(to *Screen) error {
	draw := writeHalfBlock
	if to.ASCII {
		draw = writeSpace
	}
	return writeCells(to, p.panels, draw)
}

// scaled scales a picture to the width or the height of a panel and composites it over gray.
func (p *Panels) scaled(img image.Image, reduce draw.Scaler) *image.RGBA {
	from := img.Bounds()
	width, height := p.width, 2*p.rows
	if from.Dx()*height > from.Dy()*width {
		height = max(1, from.Dy()*width/from.Dx())
	} else {
		width = max(1, from.Dx()*height/from.Dy())
	}
	if width > from.Dx() {
		reduce = draw.NearestNeighbor
	}
	panel := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(panel, panel.Rect, image.NewUniform(color.Gray{Y: 0x80}), image.Point{}, draw.Src)
	reduce.Scale(panel, panel.Rect, img, from, draw.Over, nil)
	return panel
}

// brightest reduces an opaque picture by taking the brightest pixel, so that no bright pixel is lost.
type brightest struct{}

// Scale implements [draw.Scaler] for opaque pictures.
func (brightest) Scale(dst draw.Image, dr image.Rectangle, src image.Image, sr image.Rectangle, _ draw.Op, _ *draw.Options) {
	for y := sr.Min.Y; y < sr.Max.Y; y++ {
		for x := sr.Min.X; x < sr.Max.X; x++ {
			to := dr.Min.Add(image.Pt((x-sr.Min.X)*dr.Dx()/sr.Dx(), (y-sr.Min.Y)*dr.Dy()/sr.Dy()))
			c := src.At(x, y)
			first := (x-sr.Min.X)*dr.Dx()%sr.Dx() < dr.Dx() && (y-sr.Min.Y)*dr.Dy()%sr.Dy() < dr.Dy()
			if first || luminance(c) > luminance(dst.At(to.X, to.Y)) {
				dst.Set(to.X, to.Y, c)
			}
		}
	}
}

func luminance(c color.Color) uint8 { return color.GrayModel.Convert(c).(color.Gray).Y }

// writeCells prints panels side by side. Each cell shows two pixels.
func writeCells(w io.Writer, panels []*image.RGBA, draw func(b *strings.Builder, p *image.RGBA, x, y int)) error {
	rows := 0
	for _, p := range panels {
		rows = max(rows, (p.Rect.Dy()+1)/2)
	}
	var b strings.Builder
	for row := range rows {
		for i, p := range panels {
			if i > 0 {
				b.WriteString(strings.Repeat(" ", panelGap))
			}
			for x := range p.Rect.Dx() {
				draw(&b, p, x, 2*row)
			}
			b.WriteString(Plain)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeHalfBlock appends the pixels (x, y) and (x, y+1) to b as a half block.
func writeHalfBlock(b *strings.Builder, p *image.RGBA, x, y int) {
	if y >= p.Rect.Dy() {
		b.WriteString(Plain + " ")
		return
	}
	upper := p.RGBAAt(x, y)
	fmt.Fprintf(b, "\x1b[38;2;%d;%d;%dm", upper.R, upper.G, upper.B)
	if y+1 < p.Rect.Dy() {
		lower := p.RGBAAt(x, y+1)
		fmt.Fprintf(b, "\x1b[48;2;%d;%d;%dm", lower.R, lower.G, lower.B)
	} else {
		b.WriteString("\x1b[49m")
	}
	b.WriteRune('▀')
}

// writeSpace appends the average of the pixels (x, y) and (x, y+1) to b, as a colored space.
func writeSpace(b *strings.Builder, p *image.RGBA, x, y int) {
	if y >= p.Rect.Dy() {
		b.WriteString(Plain + " ")
		return
	}
	upper, lower := p.RGBAAt(x, y), p.RGBAAt(x, min(y+1, p.Rect.Dy()-1))
	mean := func(a, b uint8) int { return (int(a) + int(b) + 1) / 2 }
	fmt.Fprintf(b, "\x1b[48;2;%d;%d;%dm ", mean(upper.R, lower.R), mean(upper.G, lower.G), mean(upper.B, lower.B))
}
