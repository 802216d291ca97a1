package main

import (
	"fmt"
	"math"

	"pillbox/internal/chart"
	"pillbox/internal/geom2"
)

// Colors of the figures.
const (
	lightColor   chart.Hex = 0xb45309
	surfaceColor chart.Hex = 0x2563eb
	shareColor   chart.Hex = 0x15803d
)

// patch returns the width of the patch of a surface that a beam of the given width lights. angle is the angle between
// the surface's normal and the beam, in degrees.
func patch(width, angle float64) float64 { return width / math.Cos(angle*math.Pi/180) }

// beam draws two beams of light: one meets a surface head-on, the other a surface that is turned by 60 degrees.
func beam() (*chart.Drawing, string) {
	const side, height = 400, 300
	const width = 1.2 // of the beam
	d := chart.New(2*side, height, chart.Light())
	numbers := ""
	for i, angle := range [...]float64{0, 60} {
		frame := geom2.Rect(float64(i)*side, 0, float64(i+1)*side, height)
		p := d.PlotOf(frame, geom2.Rect(-2, -1.2, 2, 1.8), 12)
		sin, cos := math.Sincos(angle * math.Pi / 180)
		along := geom2.Pt(cos, -sin) // of the surface
		normal := geom2.Pt(sin, cos)
		half := patch(width, angle) / 2
		p.Segment(along.Scale(-1.9), along.Scale(1.9), chart.Solid(d.Muted, 3))
		p.Segment(along.Scale(-half), along.Scale(half), chart.Solid(surfaceColor, 7))
		for k := range 5 {
			x := width * (float64(k)/4 - 0.5)
			foot := along.Scale(x / cos)
			d.Arrow(p.On(geom2.Pt(x, 1.7)), p.On(foot), chart.Solid(lightColor, 2).Crossable())
		}
		d.Arrow(p.On(geom2.Point{}), p.On(normal.Scale(0.95)), chart.Solid(d.Ink, 2.5))
		p.Name("N", normal.Scale(0.95), normal, d.Ink)
		lit := patch(width, angle)
		p.Name(fmt.Sprintf("lit: %.3g", lit), along.Scale(-0.4*half).Sub(normal.Scale(0.12)), normal.Scale(-1), surfaceColor)
		p.Name(fmt.Sprintf("beam: %.3g", width), geom2.Pt(width/2, 1.5), geom2.Pt(1, 0), lightColor)
		numbers += fmt.Sprintf("angle %g degrees: the beam of width %.3g lights a patch of width %.3g, so each part of it gets the share %.3g\n", angle, width, lit, width/lit)
	}
	d.PlaceLabels()
	return d, numbers
}

// slabs draws a ray that crosses two slabs in a plane. Below, it draws three intervals on a number line: where the
// ray is in each slab, and where it is in both.
func slabs() (*chart.Drawing, string) {
	const width, height, bars = 760, 430, 120
	d := chart.New(width, height, chart.Light())
	p := d.PlotOf(geom2.Rect(0, 0, width, height-bars), geom2.Rect(-4.4, -1.9, 3.6, 2.1), 8)
	h := geom2.Pt(2, 1)
	o, dir := geom2.Pt(-4, -1.7), geom2.Pt(0.8, 0.6)
	seen := p.Seen()
	// The slab across x lies between two upright lines, and the slab across y between two level lines.
	d.Fill(p.AllOn([]geom2.Point{{X: -h.X, Y: seen.Min.Y}, {X: h.X, Y: seen.Min.Y}, {X: h.X, Y: seen.Max.Y}, {X: -h.X, Y: seen.Max.Y}}), surfaceColor.Between(d.Paper, 0.86))
	d.Fill(p.AllOn([]geom2.Point{{X: seen.Min.X, Y: -h.Y}, {X: seen.Max.X, Y: -h.Y}, {X: seen.Max.X, Y: h.Y}, {X: seen.Min.X, Y: h.Y}}), lightColor.Between(d.Paper, 0.86))
	d.Fill(p.AllOn([]geom2.Point{{X: -h.X, Y: -h.Y}, {X: h.X, Y: -h.Y}, {X: h.X, Y: h.Y}, {X: -h.X, Y: h.Y}}), shareColor.Between(d.Paper, 0.72))
	inX, outX := (-h.X-o.X)/dir.X, (h.X-o.X)/dir.X
	inY, outY := (-h.Y-o.Y)/dir.Y, (h.Y-o.Y)/dir.Y
	near, far := max(inX, inY), min(outX, outY)
	at := func(t float64) geom2.Point { return o.Add(dir.Scale(t)) }
	d.Arrow(p.On(o), p.On(at(6.2)), chart.Solid(d.Ink, 2).Crossable())
	p.Segment(at(near), at(far), chart.Solid(shareColor, 6).Crossable())
	p.Spot("o", o, geom2.Pt(-1, 1), d.Ink)
	for _, s := range []struct {
		name string
		t    float64
		side geom2.Point
		c    chart.Hex
	}{{"in_x", inX, geom2.Pt(-1, 1), surfaceColor}, {"out_x", outX, geom2.Pt(1, -1), surfaceColor}, {"in_y", inY, geom2.Pt(1, -1), lightColor}, {"out_y", outY, geom2.Pt(-1, 1), lightColor}} {
		p.Spot(s.name, at(s.t), s.side, s.c)
	}
	p.Name("slab across x", geom2.Pt(0, seen.Max.Y-0.2), geom2.Pt(0, 1), surfaceColor)
	p.Name("slab across y", geom2.Pt(3, 0.1), geom2.Pt(0, 1), lightColor)
	numberLine(d, height-bars, []interval{{"in x's slab", inX, outX, surfaceColor}, {"in y's slab", inY, outY, lightColor}, {"in both", near, far, shareColor}})
	d.PlaceLabels()
	return d, fmt.Sprintf("in x's slab from t = %.4g to %.4g, in y's slab from %.4g to %.4g, in both from %.4g to %.4g\n", inX, outX, inY, outY, near, far)
}

// interval is a part of a ray: the distances where it begins and ends, which may be infinite.
type interval struct {
	name     string
	from, to float64
	c        chart.Hex
}

// numberLine draws intervals as bars on number lines, one below the other, from the height top.
func numberLine(d *chart.Drawing, top float64, list []interval) {
	const end = 8 // the largest distance on the line
	x := func(t float64) float64 { return 150 + min(t, end)*70 }
	for i, bar := range list {
		y := top + float64(26+32*i)
		d.Text(bar.name, geom2.Pt(20, y+5), chart.Regular(16), bar.c)
		d.Line(geom2.Pt(x(0), y), geom2.Pt(x(end), y), chart.Solid(d.Faint, 2))
		d.Line(geom2.Pt(x(bar.from), y), geom2.Pt(x(bar.to), y), chart.Solid(bar.c, 8))
		for _, t := range [...]float64{bar.from, bar.to} {
			if t <= end {
				d.TextOver(fmt.Sprintf("%.3g", t), geom2.Pt(x(t)-8, y-9), chart.Regular(14), d.Ink)
			}
		}
	}
}

// cut draws a ray that enters a ball through its cut face. Below, it draws three intervals on a number line: where the ray
// is in the whole ball, where it is on the kept side of the section, and where it is in both. It is the ball of the lesson
// on sections, in the plane z = 0.
func cut() (*chart.Drawing, string) {
	const width, height, bars = 760, 470, 120
	const radius = 2
	d := chart.New(width, height, chart.Light())
	p := d.PlotOf(geom2.Rect(0, 0, width, height-bars), geom2.Rect(-5.2, -2.5, 5.2, 4.2), 8)
	normal := geom2.Pt(0.6, 0.8) // of the section, whose plane is 1 from the center
	along := geom2.Pt(0.8, -0.6)
	o, dir := geom2.Pt(1, 4), geom2.Pt(0, -1)
	b := -(o.X*dir.X + o.Y*dir.Y)
	l := o.Add(dir.Scale(b))
	h := math.Sqrt(radius*radius - (l.X*l.X + l.Y*l.Y))
	kept := (1 - (o.X*normal.X + o.Y*normal.Y)) / (dir.X*normal.X + dir.Y*normal.Y)
	near, far := max(b-h, kept), b+h
	at := func(t float64) geom2.Point { return o.Add(dir.Scale(t)) }
	disc := func(from, to float64) (points []geom2.Point) { // the part of the ball between two angles from the normal, in degrees
		const n = 96
		for i := range n + 1 {
			sin, cos := math.Sincos((from + (to-from)*float64(i)/n) * math.Pi / 180)
			points = append(points, normal.Scale(radius*cos).Add(along.Scale(radius*sin)))
		}
		return points
	}
	const edge = 60 // the angle of the edge of the cut face: its cosine is 1/2
	d.Fill(p.AllOn(disc(edge, 360-edge)), shareColor.Between(d.Paper, 0.72))
	d.Fill(p.AllOn(disc(-edge, edge)), surfaceColor.Between(d.Paper, 0.86))
	p.Segment(normal.Add(along.Scale(-4.4)), normal.Add(along.Scale(3.6)), chart.Solid(lightColor, 2).Crossable())
	foot := normal.Sub(along.Scale(2.6)) // of the arrow, outside the ball
	d.Arrow(p.On(foot), p.On(foot.Add(normal)), chart.Solid(lightColor, 2.5))
	p.Name("N", foot.Add(normal), normal, lightColor)
	d.Arrow(p.On(o), p.On(at(6.3)), chart.Solid(d.Ink, 2).Crossable())
	p.Segment(at(near), at(far), chart.Solid(shareColor, 6).Crossable())
	p.Spot("o", o, geom2.Pt(-1, 1), d.Ink)
	p.Spot("in", at(b-h), geom2.Pt(1, 1), surfaceColor)
	p.Spot("s", at(kept), geom2.Pt(1, 1), lightColor)
	p.Spot("out", at(far), geom2.Pt(1, 1), surfaceColor)
	p.Name("taken away", geom2.Pt(3.2, 1.6), geom2.Pt(0, 1), lightColor)
	p.Name("kept", geom2.Pt(3.2, -1.6), geom2.Pt(0, -1), shareColor)
	numberLine(d, height-bars, []interval{{"in the ball", b - h, b + h, surfaceColor}, {"on the kept side", kept, math.Inf(1), lightColor}, {"in both", near, far, shareColor}})
	d.PlaceLabels()
	return d, fmt.Sprintf("in the ball from t = %.4g to %.4g, on the kept side from %.4g, in both from %.4g to %.4g\n", b-h, b+h, kept, near, far)
}
