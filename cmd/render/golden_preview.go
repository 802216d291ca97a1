package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"io"
	"strings"

	"golang.org/x/image/draw"

	"pillbox/golden"
)

// A graphics protocol is a way to show pictures on a terminal.
type graphics int

const (
	noGraphics  graphics = iota
	halfBlocks           // two pixels to a character, its upper half in the colour of the text
	kittyImages          // sw.kovidgoyal.net/kitty/graphics-protocol
	itermImages          // iterm2.com/documentation-images.html
)

// graphicsOf returns what a terminal with colours understands, by the variables that
// terminals set.
func graphicsOf(getenv func(string) string) graphics {
	switch {
	case getenv("TMUX") != "":
		// It passes neither protocol on.
	case getenv("KITTY_WINDOW_ID") != "", getenv("TERM") == "xterm-kitty", getenv("TERM_PROGRAM") == "ghostty":
		return kittyImages
	case getenv("TERM_PROGRAM") == "iTerm.app", getenv("TERM_PROGRAM") == "WezTerm", getenv("LC_TERMINAL") == "iTerm2":
		return itermImages
	}
	if c := getenv("COLORTERM"); c == "truecolor" || c == "24bit" {
		return halfBlocks
	}
	return noGraphics
}

// preview shows what changed: want, got and the changed pixels, as far as there are.
func (s *screen) preview(j *judgement, how graphics) error {
	both := j.got != nil && j.want != nil
	var one image.Image
	switch {
	case both:
		one = golden.Picture(j.got, j.want, j.diff)
	case j.got != nil:
		one = j.got
	case j.want != nil:
		one = j.want
	default:
		return nil
	}
	switch how {
	case kittyImages:
		return writeKitty(s, one, s.cells(one))
	case itermImages:
		return writeITerm(s, one, s.cells(one))
	case halfBlocks:
		panels := []*image.RGBA{s.panel(one, draw.ApproxBiLinear)}
		if both {
			panels = s.triptych(j)
		}
		return writeHalfBlocks(s, panels)
	}
	return nil
}

// cells returns how many columns a picture gets: all at most, and fewer if it would be
// enlarged.
func (s *screen) cells(img image.Image) int {
	const cellWidth = 8 // in pixels, about
	return min(s.columns, (img.Bounds().Dx()+cellWidth-1)/cellWidth)
}

// writeKitty shows a picture in a terminal that speaks the protocol of kitty.
func writeKitty(w io.Writer, img image.Image, columns int) error {
	const chunk = 4096 // bytes, the most that the protocol allows
	data, err := base64PNG(img)
	if err != nil {
		return err
	}
	control := fmt.Sprintf("a=T,f=100,q=2,c=%d,", columns)
	for len(data) > 0 {
		n, more := min(chunk, len(data)), 0
		if len(data) > chunk {
			more = 1
		}
		if _, err := fmt.Fprintf(w, "\x1b_G%sm=%d;%s\x1b\\", control, more, data[:n]); err != nil {
			return err
		}
		control, data = "", data[n:]
	}
	_, err = fmt.Fprintln(w)
	return err
}

// writeITerm shows a picture in a terminal that speaks the protocol of iTerm2.
func writeITerm(w io.Writer, img image.Image, columns int) error {
	data, err := base64PNG(img)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\x1b]1337;File=inline=1;width=%d;preserveAspectRatio=1:%s\a\n", columns, data)
	return err
}

func base64PNG(img image.Image) (string, error) {
	var b bytes.Buffer
	if err := encodePNG(&b, img); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// The panels of a preview in half blocks.
const (
	panelGap  = 1  // columns between two
	panelRows = 24 // at most
)

// triptych returns want, got and the changed pixels, to stand side by side.
func (s *screen) triptych(j *judgement) []*image.RGBA {
	panels := []*image.RGBA{s.panel(j.want, draw.ApproxBiLinear), s.panel(j.got, draw.ApproxBiLinear)}
	if j.diff.Got == j.diff.Want {
		panels = append(panels, s.panel(golden.Changes(j.got, j.want, j.diff), brightest{}))
	}
	return panels
}

// panel scales a picture to a third of the screen, on grey where it is transparent.
func (s *screen) panel(img image.Image, reduce draw.Scaler) *image.RGBA {
	from := img.Bounds()
	width, height := (s.columns-2*panelGap)/3, 2*panelRows
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
