package main

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"strings"

	"golang.org/x/image/draw"

	"pillbox/golden"
	"pillbox/suite"
)

// hasTrueColor reports whether a terminal with colors shows all of them, by the variable that
// terminals set.
func hasTrueColor(getenv func(string) string) bool {
	c := getenv("COLORTERM")
	return c == "truecolor" || c == "24bit"
}

// preview shows what changed in half blocks, characters whose upper and lower half are a pixel each:
// want, got and the changed pixels, as far as there are.
func (s *screen) preview(r *suite.Result) error {
	var panels []*image.RGBA
	if r.Want != nil {
		panels = append(panels, s.third(r.Want, draw.ApproxBiLinear))
	}
	if r.Got != nil {
		panels = append(panels, s.third(r.Got, draw.ApproxBiLinear))
	}
	if len(panels) == 2 && r.Diff.Got == r.Diff.Want {
		panels = append(panels, s.third(golden.Changes(r.Got, r.Want, r.Diff), brightest{}))
	}
	return writeHalfBlocks(s, panels)
}

// The panels of a preview.
const (
	panelGap  = 1  // columns between two
	panelRows = 24 // at most
)

// show shows a picture in half blocks, as wide as the screen.
func (s *screen) show(img image.Image) error {
	return writeHalfBlocks(s, []*image.RGBA{newPanel(img, s.columns, draw.ApproxBiLinear)})
}

// third scales a picture to a third of the screen.
func (s *screen) third(img image.Image, reduce draw.Scaler) *image.RGBA {
	return newPanel(img, (s.columns-2*panelGap)/3, reduce)
}

// newPanel scales a picture to so many columns, or to all rows, on gray where it is transparent.
func newPanel(img image.Image, width int, reduce draw.Scaler) *image.RGBA {
	from := img.Bounds()
	height := 2 * panelRows
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

// brightest scales an opaque picture down so that no bright pixel gets lost.
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

// writeHalfBlocks prints panels side by side.
func writeHalfBlocks(w io.Writer, panels []*image.RGBA) error {
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
				writeHalfBlock(&b, p, x, 2*row)
			}
			b.WriteString(plain)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeHalfBlock prints the pixels (x, y) and (x, y+1).
func writeHalfBlock(b *strings.Builder, p *image.RGBA, x, y int) {
	if y >= p.Rect.Dy() {
		b.WriteString(plain + " ")
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
