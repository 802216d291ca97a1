package chart

import (
	"image/color"
	"math"

	"pillbox/internal/geom2"
)

// Plot is a part of a drawing with its own scale and with y up.
type Plot struct {
	*Drawing
	Frame geom2.Box // in the drawing
	Scale float64   // pixels per unit of length

	middle geom2.Point // center of the visible part
}

// PlotOf returns a plot in a frame of the drawing. Its scale is such that the box in the parameter seen, in
// units of the plot, fits into the frame with a margin in pixels around it.
func (d *Drawing) PlotOf(frame, seen geom2.Box, margin float64) *Plot {
	scale := min((frame.Width()-2*margin)/seen.Width(), (frame.Height()-2*margin)/seen.Height())
	return &Plot{Drawing: d, Frame: frame, Scale: scale, middle: seen.Middle()}
}

// The method On converts a point of the plot to a point of the drawing.
func (p *Plot) On(q geom2.Point) geom2.Point {
	m := p.Frame.Middle()
	return geom2.Pt(m.X+(q.X-p.middle.X)*p.Scale, m.Y-(q.Y-p.middle.Y)*p.Scale)
}

// AllOn converts points of the plot to points of the drawing.
func (p *Plot) AllOn(points []geom2.Point) []geom2.Point {
	out := make([]geom2.Point, len(points))
	for i, q := range points {
		out[i] = p.On(q)
	}
	return out
}

// Seen returns the part of the plot inside the frame, in units of the plot.
func (p *Plot) Seen() geom2.Box {
	half := geom2.Pt(p.Frame.Width()/p.Scale/2, p.Frame.Height()/p.Scale/2)
	return geom2.Box{Min: p.middle.Sub(half), Max: p.middle.Add(half)}
}

// Shows reports whether a point of the plot lies in the frame or at most a pixel outside.
func (p *Plot) Shows(at geom2.Point) bool { return p.Frame.Inset(-1).Contains(p.On(at)) }

// Segment draws a line between two points of the plot.
func (p *Plot) Segment(a, b geom2.Point, s Stroke) { p.Line(p.On(a), p.On(b), s) }

// Disc draws a filled circle.
func (p *Plot) Disc(middle geom2.Point, radius float64, fill, edge color.Color) {
	circle := p.AllOn(geom2.Arc(middle, radius, 0, 2*math.Pi))
	p.Fill(circle, fill)
	p.Edge(circle, Solid(edge, 2))
}

// Name adds a label at a point of the plot, if the frame contains the point. toward is a direction in the plot.
func (p *Plot) Name(text string, at, toward geom2.Point, c color.Color) {
	if p.Shows(at) {
		p.Label(text, p.On(at), geom2.Pt(toward.X, -toward.Y), c, p.Frame.Inset(4))
	}
}

// Spot draws a dot with a label at a point of the plot, if the frame contains the point.
func (p *Plot) Spot(text string, at, toward geom2.Point, c color.Color) {
	if p.Shows(at) {
		p.Dot(p.On(at), 5, c)
		p.Name(text, at, toward, c)
	}
}
