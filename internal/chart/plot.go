package chart

import (
	"image/color"
	"math"
)

// Plot is a part of a drawing with a scale of its own, y up.
type Plot struct {
	*Drawing
	Frame Box     // on the drawing
	Scale float64 // pixels per length

	middle Point // of what is seen
}

// PlotOf returns a plot that fits the box seen into a frame on the drawing, with a margin in pixels
// around it.
func (d *Drawing) PlotOf(frame, seen Box, margin float64) *Plot {
	scale := min((frame.Width()-2*margin)/seen.Width(), (frame.Height()-2*margin)/seen.Height())
	return &Plot{Drawing: d, Frame: frame, Scale: scale, middle: seen.Middle()}
}

// On returns where a point of the plot lies on the drawing.
func (p *Plot) On(q Point) Point {
	m := p.Frame.Middle()
	return Point{m.X + (q.X-p.middle.X)*p.Scale, m.Y - (q.Y-p.middle.Y)*p.Scale}
}

// AllOn returns where points of the plot lie on the drawing.
func (p *Plot) AllOn(points []Point) []Point {
	out := make([]Point, len(points))
	for i, q := range points {
		out[i] = p.On(q)
	}
	return out
}

// Seen returns the part of the plot inside the frame, in units of the plot.
func (p *Plot) Seen() Box {
	half := Point{p.Frame.Width() / p.Scale / 2, p.Frame.Height() / p.Scale / 2}
	return Box{p.middle.Sub(half), p.middle.Add(half)}
}

// Shows reports whether a point of the plot lies in the frame.
func (p *Plot) Shows(at Point) bool { return p.Frame.Inset(-1).Contains(p.On(at)) }

// Segment draws a line between two points of the plot.
func (p *Plot) Segment(a, b Point, s Stroke) { p.Line(p.On(a), p.On(b), s) }

// Disc draws a filled circle.
func (p *Plot) Disc(middle Point, radius float64, fill, edge color.Color) {
	circle := p.AllOn(arc(middle, radius, 0, 2*math.Pi))
	p.Fill(circle, fill)
	p.Edge(circle, Solid(edge, 2))
}

// Name adds a label at a point of the plot, if the point is in the frame. toward is a direction in
// the plot.
func (p *Plot) Name(text string, at, toward Point, c color.Color) {
	if p.Shows(at) {
		p.Label(text, p.On(at), Point{toward.X, -toward.Y}, c, p.Frame.Inset(4))
	}
}

// Spot draws a dot and adds a label at a point of the plot, if the point is in the frame.
func (p *Plot) Spot(text string, at, toward Point, c color.Color) {
	if p.Shows(at) {
		p.Dot(p.On(at), 5, c)
		p.Name(text, at, toward, c)
	}
}
