package diagram

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/chart"
	"pillbox/internal/geom2"
	"pillbox/shapes"
)

type cylinderFigure struct{ *shapes.Cylinder }

// draw draws two views of the cylinder: from the side in the plot, with the planes of its discs, and along its axis
// in the column on the right.
func (f cylinderFigure) draw(k *sketch) {
	c := f.Cylinder
	around := &shapes.Capsule{A: c.A, B: c.B, Radius: c.Radius} // has the same axis
	s := sideOf(around, k.ray, k.up)
	at := func(t float64) geom2.Point { return s.on(k.ray.At(t)) }
	p := k.PlotOf(k.plotFrame, k.capsuleSeen(&s, c.Radius, at), 70)
	k.rectangles(p, &s, c.Radius)
	k.rayLine(p, at)
	k.roots(p, at, func(t float64) geom2.Point {
		return s.direction(f.normal(k.ray, t))
	})
	k.axisEnds(p, &s)
	entries := k.rayKey()
	if k.isSegment() {
		entries = []meaning{{"P, Q", "the ends of the segment"}}
	}
	k.alongAxis(around, &s, "cylinder", "The dashed lines are the planes of the discs. "+key(append(entries, meaning{"l", "from the axis to the line"})...))
	k.numbers("t_near", "t_far", "first", "last", "w", "L", "y", "dy", "disc", "side_in", "side_out", "disc_in", "disc_out", "y_P", "y_Q")
}

// normal returns the cylinder's outward normal at the end of the chord at distance t.
func (f cylinderFigure) normal(r geom.Ray, t float64) geom.Vec3 {
	span, _ := f.Span(r)
	if t == span.Far.T {
		return span.Far.Normal
	}
	return span.Near.Normal
}

func (f cylinderFigure) outline(s *profile) []geom2.Point {
	const corners = 48
	u := f.B.Sub(f.A).Unit()
	x := perpendicularTo(u)
	y := u.Cross(x)
	var points []geom2.Point
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		rim := x.Scale(cos*f.Radius).AddScaled(sin*f.Radius, y)
		points = append(points, s.project(f.A.Add(rim)), s.project(f.B.Add(rim)))
	}
	return geom2.Hull(points)
}

// rectangles draws the outline of a cylinder, the plane's cut through it, its axis and the planes of its discs.
func (k *sketch) rectangles(p *chart.Plot, s *side, radius float64) {
	seen := p.Seen()
	first, last := s.along(seen.Min), s.along(seen.Max)
	shown := func(x float64) float64 { return min(max(x, first-2*radius), last+2*radius) }
	a, b := shown(0), shown(s.length)
	rectangle := func(half float64) []geom2.Point {
		return p.AllOn([]geom2.Point{s.pt(a, -half), s.pt(a, half), s.pt(b, half), s.pt(b, -half)})
	}
	p.Clipped(p.Frame, func() {
		outline := rectangle(radius)
		p.Fill(outline, k.solid)
		if s.isThin(radius) {
			p.Edge(outline, chart.Dashed(k.outline, 1.2))
		}
		if s.slice > 0 {
			slice := rectangle(s.slice)
			p.Fill(slice, k.slice)
			p.Edge(slice, chart.Solid(k.outline, 2.2))
		}
		for _, x := range []float64{0, s.length} {
			if first <= x && x <= last {
				p.Segment(s.pt(x, s.across(seen.Min)), s.pt(x, s.across(seen.Max)), chart.Dashed(k.Muted, 1.2))
			}
		}
		p.Segment(s.pt(a, 0), s.pt(b, 0), chart.Dashed(k.Muted, 2))
	})
}
