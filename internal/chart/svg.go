package chart

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/color"
	"image/png"
	"io"

	"pillbox/internal/geom2"
	"pillbox/internal/svg"
)

// WriteSVG writes the drawing as an SVG file (SVG 1.1, W3C, 2011). Texts are written as text elements. Viewers without the
// Go font use another font, stretched to the same width.
func (d *Drawing) WriteSVG(w io.Writer) error {
	s := svgWriter{svg.NewWriter(w, perPixel)}
	s.Printf(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%[1]s" height="%[2]s" viewBox="0 0 %[1]s %[2]s" `,
		decimal(d.size.X), decimal(d.size.Y))
	s.Printf(`role="img" font-family="Go, 'Lucida Grande', 'DejaVu Sans', sans-serif" stroke-linecap="round" fill="none">` + "\n")
	s.Title(d.Title)
	s.Printf(`<rect width="100%%" height="100%%"%s/>`+"\n", paint("fill", d.Paper))
	var clip *geom2.Box
	clips := 0
	for _, m := range d.marks {
		if m.clip != clip {
			s.endClip(clip)
			if clip = m.clip; clip != nil {
				clips++
				s.Printf(`<clipPath id="clip%d"><path d="%s"/></clipPath><g clip-path="url(#clip%[1]d)">`+"\n", clips, s.Path(clip.Corners(), true))
			}
		}
		if err := s.draw(m.shape); err != nil {
			return err
		}
	}
	s.endClip(clip)
	s.Printf("</svg>\n")
	return s.Flush()
}

// svgWriter writes marks as elements of SVG.
type svgWriter struct{ svg.Writer }

// endClip ends the current group of clipped marks, if there is one.
func (s svgWriter) endClip(clip *geom2.Box) {
	if clip != nil {
		s.Printf("</g>\n")
	}
}

func (s svgWriter) draw(m shape) error {
	switch m := m.(type) {
	case path:
		s.Printf(`<path d="%s"%s%s/>`+"\n", s.Path(m.points, m.closed), paint("fill", m.fill), strokeOf(m.edge))
	case circle:
		s.Printf(`<circle cx="%s" cy="%s" r="%s"%s%s/>`+"\n",
			decimal(m.middle.X), decimal(m.middle.Y), decimal(m.radius), paint("fill", m.fill), strokeOf(m.edge))
	case text:
		s.text(m)
	case picture:
		var data bytes.Buffer
		if err := png.Encode(&data, m.image); err != nil {
			return err
		}
		size := m.image.Bounds().Size()
		s.Printf(`<image x="%d" y="%d" width="%d" height="%d" xlink:href="data:image/png;base64,%s"/>`+"\n",
			m.at.X, m.at.Y, size.X, size.Y, base64.StdEncoding.EncodeToString(data.Bytes()))
	}
	return nil
}

func (s svgWriter) text(t text) {
	weight, halo := "", ""
	if t.font.Bold {
		weight = ` font-weight="bold"`
	}
	if t.halo != nil {
		halo = ` paint-order="stroke"` + strokeOf(Solid(t.halo, 2*haloWidth))
	}
	s.Printf(`<text x="%s" y="%s" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs" xml:space="preserve"%s%s%s>%s</text>`+"\n",
		decimal(t.at.X), decimal(t.at.Y), decimal(t.font.Size), decimal(t.width), weight, paint("fill", t.color), halo, svg.Escaped(t.text))
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

// perPixel is the inverse of the fraction of a pixel to which lengths are rounded.
const perPixel = 100

func decimal(x float64) string { return svg.Rounded(x, perPixel) }
