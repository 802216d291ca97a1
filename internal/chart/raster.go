package chart

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/fogleman/gg"

	"pillbox/internal/geom2"
)

// Lengths of a dash and of the gap after it.
const dash, dashGap = 7, 6

// haloWidth is the width of the background color around letters.
const haloWidth = 2.5

// Image returns the drawing as pixels, opaque.
func (d *Drawing) Image() *image.RGBA {
	size := d.whole()
	out := image.NewRGBA(image.Rectangle{Max: size})
	r := raster{out, gg.NewContextForRGBA(out), d.Fonts}
	r.dc.SetColor(d.Paper)
	r.dc.Clear()
	r.dc.SetLineCapRound()
	var clip *geom2.Box
	for _, m := range d.marks {
		if m.clip != clip {
			clip = m.clip
			r.dc.ResetClip()
			if clip != nil {
				r.dc.DrawRectangle(clip.Min.X, clip.Min.Y, clip.Width(), clip.Height())
				r.dc.Clip()
			}
		}
		r.draw(m)
	}
	return out
}

// raster draws marks as pixels.
type raster struct {
	out   *image.RGBA
	dc    *gg.Context // draws into out
	fonts *Fonts
}

func (r raster) draw(m mark) {
	switch s := m.shape.(type) {
	case path:
		r.dc.NewSubPath()
		for _, p := range s.points {
			r.dc.LineTo(p.X, p.Y)
		}
		if s.closed {
			r.dc.ClosePath()
		}
		r.paint(s.fill, s.edge)
	case circle:
		r.dc.DrawCircle(s.middle.X, s.middle.Y, s.radius)
		r.paint(s.fill, s.edge)
	case text:
		r.text(s)
	case picture:
		on := s.image.Bounds().Sub(s.image.Bounds().Min).Add(s.at)
		draw.Draw(r.out, on, s.image, s.image.Bounds().Min, draw.Over)
	}
}

// paint fills the current path and draws its edge.
func (r raster) paint(fill color.Color, edge Stroke) {
	if fill != nil {
		r.dc.SetColor(fill)
		r.dc.FillPreserve()
	}
	if edge.Width > 0 {
		r.dc.SetColor(edge.Color)
		r.dc.SetLineWidth(edge.Width)
		r.dc.SetDash()
		if edge.Dash {
			r.dc.SetDash(dash, dashGap)
		}
		r.dc.StrokePreserve()
	}
	r.dc.ClearPath()
}

func (r raster) text(t text) {
	r.dc.SetFontFace(r.fonts.face(t.font))
	if t.halo != nil {
		r.dc.SetColor(t.halo)
		for k := range 8 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 4)
			r.dc.DrawString(t.text, t.at.X+haloWidth*cos, t.at.Y+haloWidth*sin)
		}
	}
	r.dc.SetColor(t.color)
	r.dc.DrawString(t.text, t.at.X, t.at.Y)
}
