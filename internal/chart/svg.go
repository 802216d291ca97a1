package chart

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	"pillbox/internal/geom2"
)

// WriteSVG writes the drawing as an SVG file (SVG 1.1, W3C, 2011). Texts are written as text elements. Viewers without the
// Go font use another font, stretched to the same width.
func (d *Drawing) WriteSVG(w io.Writer) error {
	s := svg{Writer: bufio.NewWriter(w)} // keeps its first error
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%[1]s" height="%[2]s" viewBox="0 0 %[1]s %[2]s" `,
		decimal(d.size.X), decimal(d.size.Y))
	s.printf(`role="img" font-family="Go, 'Lucida Grande', 'DejaVu Sans', sans-serif" stroke-linecap="round" fill="none">` + "\n")
	if d.Title != "" {
		s.printf("<title>%s</title>\n", escaped(d.Title))
	}
	s.printf(`<rect width="100%%" height="100%%"%s/>`+"\n", paint("fill", d.Paper))
	var clip *geom2.Box
	clips := 0
	for _, m := range d.marks {
		if m.clip != clip {
			s.endClip(clip)
			if clip = m.clip; clip != nil {
				clips++
				s.printf(`<clipPath id="clip%d"><path d="%s"/></clipPath><g clip-path="url(#clip%[1]d)">`+"\n", clips, outline(path{points: clip.Corners(), closed: true}))
			}
		}
		if err := s.draw(m.shape); err != nil {
			return err
		}
	}
	s.endClip(clip)
	s.printf("</svg>\n")
	return s.Flush()
}

// svg writes elements of SVG.
type svg struct{ *bufio.Writer }

func (s svg) printf(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// endClip ends the current group of clipped marks, if there is one.
func (s svg) endClip(clip *geom2.Box) {
	if clip != nil {
		s.printf("</g>\n")
	}
}

func (s svg) draw(m shape) error {
	switch m := m.(type) {
	case path:
		s.printf(`<path d="%s"%s%s/>`+"\n", outline(m), paint("fill", m.fill), strokeOf(m.edge))
	case circle:
		s.printf(`<circle cx="%s" cy="%s" r="%s"%s%s/>`+"\n",
			decimal(m.middle.X), decimal(m.middle.Y), decimal(m.radius), paint("fill", m.fill), strokeOf(m.edge))
	case text:
		s.text(m)
	case picture:
		var data bytes.Buffer
		if err := png.Encode(&data, m.image); err != nil {
			return err
		}
		size := m.image.Bounds().Size()
		s.printf(`<image x="%d" y="%d" width="%d" height="%d" xlink:href="data:image/png;base64,%s"/>`+"\n",
			m.at.X, m.at.Y, size.X, size.Y, base64.StdEncoding.EncodeToString(data.Bytes()))
	}
	return nil
}

func (s svg) text(t text) {
	weight, halo := "", ""
	if t.font.Bold {
		weight = ` font-weight="bold"`
	}
	if t.halo != nil {
		halo = ` paint-order="stroke"` + strokeOf(Solid(t.halo, 2*haloWidth))
	}
	s.printf(`<text x="%s" y="%s" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs" xml:space="preserve"%s%s%s>%s</text>`+"\n",
		decimal(t.at.X), decimal(t.at.Y), decimal(t.font.Size), decimal(t.width), weight, paint("fill", t.color), halo, escaped(t.text))
}

// outline returns the data of a path.
func outline(m path) string {
	var b strings.Builder
	for i, p := range m.points {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(decimal(p.X) + " " + decimal(p.Y))
	}
	if m.closed {
		b.WriteByte('Z')
	}
	return b.String()
}

// strokeOf returns the attributes for a stroke.
func strokeOf(s Stroke) string {
	if !(s.Width > 0) {
		return ""
	}
	attributes := paint("stroke", s.Color) + fmt.Sprintf(` stroke-width="%s"`, decimal(s.Width))
	if s.Dash {
		attributes += fmt.Sprintf(` stroke-dasharray="%d %d"`, dash, dashGap)
	}
	return attributes
}

// paint returns the attributes that fill or stroke with a color. For a nil color, it returns none.
func paint(what string, c color.Color) string {
	if c == nil {
		return ""
	}
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	attributes := fmt.Sprintf(` %s="#%02x%02x%02x"`, what, n.R, n.G, n.B)
	if n.A < 0xff {
		attributes += fmt.Sprintf(` %s-opacity="%s"`, what, decimal(float64(n.A)/0xff))
	}
	return attributes
}

// decimal formats a length, rounded to a hundredth of a pixel.
func decimal(x float64) string {
	return strconv.FormatFloat(math.Round(100*x)/100+0, 'f', -1, 64) // + 0 turns -0 into 0
}

// escaped escapes text for XML.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder has no errors
	return b.String()
}
