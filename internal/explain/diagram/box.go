package diagram

import (
	"fmt"
	"math"

	"pillbox/geom"
	"pillbox/internal/chart"
	"pillbox/internal/explain/formula"
	"pillbox/internal/geom2"
	"pillbox/shapes"
)

// frameView is an axonometric projection of a box in its own frame, seen from a corner.
type frameView struct {
	stretch     geom.Vec3 // factors by which the drawing is enlarged along each axis
	toward      geom.Vec3 // direction to the viewer
	right, up   geom.Vec3
	halfExtents geom.Vec3 // half extents as drawn
}

// look chooses from where to look at the box: among a few directions on the side from which the line comes, the one
// with the largest angle to the line. The vector d is the line's direction in the box's frame.
func (v *frameView) look(d geom.Vec3) {
	side := func(x float64) float64 {
		if x > 0 {
			return -1
		}
		return 1
	}
	along := math.Inf(1)
	for _, w := range []geom.Vec3{{X: 0.55, Y: 0.45, Z: 0.7}, {X: 0.8, Y: 0.35, Z: 0.45}, {X: 0.35, Y: 0.5, Z: 0.8}, {X: 0.45, Y: 0.75, Z: 0.5}} {
		toward := geom.Vec3{X: w.X * side(d.X), Y: w.Y * side(d.Y), Z: w.Z * side(d.Z)}.Unit()
		if a := math.Abs(toward.Dot(d)); a < along {
			v.toward, v.right = toward, geom.Vec3{Y: 1}.Cross(toward).Unit()
			v.up, along = toward.Cross(v.right), a
		}
	}
}

func (v *frameView) on(p geom.Vec3) geom2.Point { return geom2.Pt(p.Dot(v.right), p.Dot(v.up)) }

// hides reports whether the box is between the viewer and the point p, which is outside of the box.
func (v *frameView) hides(p geom.Vec3) bool {
	first, last := 0.0, math.Inf(1)
	o, d, h := v.parts(p), v.parts(v.toward), v.parts(v.halfExtents)
	for i := range o {
		t0, t1 := (-h[i]-o[i])/d[i], (h[i]-o[i])/d[i]
		first, last = max(first, min(t0, t1)), min(last, max(t0, t1))
	}
	return last-first > invisible*v.halfExtents.Norm()
}

func (v *frameView) parts(p geom.Vec3) [3]float64 { return [3]float64{p.X, p.Y, p.Z} }

type boxFigure struct{ *shapes.Box }

// draw draws the box in its own frame. Below, it draws a number line that shows where the line is inside each slab.
func (f boxFigure) draw(k *sketch) {
	b := f.Box
	local, v := k.boxFrame(b)
	h := v.halfExtents
	at := func(t float64) geom2.Point { return v.on(local.At(t)) }
	seen := geom2.Nowhere()
	for _, corner := range corners(h) {
		seen = seen.Include(v.on(corner), 0)
	}
	seen = k.withEnds(seen, at, 0.5*max(seen.Max.X-seen.Min.X, seen.Max.Y-seen.Min.Y))
	frame, line := k.plotFrame, k.plotFrame
	rows := k.slabRows()
	line.Min.Y = frame.Max.Y - slabsHeight(len(rows))
	frame.Max.Y = line.Min.Y - 20
	p := k.PlotOf(frame, seen, 52)
	k.faces(p, &v, h)
	k.rayPast(p, &v, local)
	k.axes(p, &v, b.HalfExtents)
	k.roots(p, at, func(t float64) geom2.Point { return v.on(k.faceNormal(t)) })
	k.slabs(line, rows)
	k.triad(func(e geom.Vec3) geom2.Point { return v.on(v.stretched(b.Rotation.TransposeMulVec(e))) })
	k.caption("The box in its own frame" + v.exaggeration() + ". " + k.boxKey())
	k.numbers("t_near", "t_far", "first", "last", "o", "P", "Q", "d", "c", "h", "o'", "d'", "P'", "Q'",
		"in_x", "out_x", "in_y", "out_y", "in_z", "out_z")
}

func (f boxFigure) outline(s *profile) []geom2.Point {
	var points []geom2.Point
	for _, corner := range corners(f.HalfExtents) {
		points = append(points, s.project(f.Center.Add(f.Rotation.MulVec(corner))))
	}
	return geom2.Hull(points)
}

// boxKey describes what the letters and the number line represent.
func (k *sketch) boxKey() string {
	const inside = " is inside the box where it is inside all three slabs. A pointed bar goes on."
	box := []meaning{{"c", "center"}, {"h", "half extents"}}
	if k.isSegment() {
		return key(append(box, meaning{"P, Q", "the ends of the segment"})...) + " On the number line 0 is P and 1 is Q: the segment" + inside
	}
	return key(append(k.rayKey(), box...)...) + " The line" + inside
}

// boxFrame returns the view of the box in its own frame. It also returns the ray, or the line of the segment, in
// that frame, enlarged along the axes as in the drawing.
func (k *sketch) boxFrame(b *shapes.Box) (geom.Ray, frameView) {
	var local geom.Ray
	if k.isSegment() {
		local = geom.Ray{Origin: k.vec("P'"), Dir: b.Rotation.TransposeMulVec(k.ray.Dir)}
	} else {
		local = geom.Ray{Origin: k.vec("o'"), Dir: k.vec("d'")}
	}
	v := frameView{stretch: stretchOf(b.HalfExtents)}
	v.halfExtents = v.stretched(b.HalfExtents)
	local = geom.Ray{Origin: v.stretched(local.Origin), Dir: v.stretched(local.Dir)}
	v.look(local.Dir)
	return local, v
}

// stretchOf returns the factors by which a diagram enlarges a box along its three axes, so that the faces of a thin
// box can be distinguished. The vector h contains the half extents. The line is enlarged in the same way, so the
// distances at which it crosses the box stay the same.
func stretchOf(h geom.Vec3) geom.Vec3 {
	const thinnest = 0.2 // smallest half extent in the drawing, as a fraction of the largest
	longest := max(h.X, h.Y, h.Z)
	by := func(x float64) float64 { return max(1, thinnest*longest/x) }
	return geom.Vec3{X: by(h.X), Y: by(h.Y), Z: by(h.Z)}
}

// stretched returns a vector of the box's frame, enlarged along the axes as in the drawing.
func (v *frameView) stretched(p geom.Vec3) geom.Vec3 {
	return geom.Vec3{X: p.X * v.stretch.X, Y: p.Y * v.stretch.Y, Z: p.Z * v.stretch.Z}
}

// exaggeration returns a text that names the axes along which the box is drawn longer than it is. The text begins
// with a comma. It is empty if there is no such axis.
func (v *frameView) exaggeration() string {
	text := ""
	for axis, by := range v.parts(v.stretch) {
		if by > 1 {
			text += fmt.Sprintf(", %s drawn %s times as long as it is", axisNames[axis:axis+1], formula.Float(by).Text(3))
		}
	}
	return text
}

// corners returns the corners of the box with half extents h around (0, 0, 0).
func corners(h geom.Vec3) [8]geom.Vec3 { return geom.Bounds{Min: h.Neg(), Max: h}.Corners() }

// unitOf returns the unit vector of an axis, 0 to 2, of the box's frame.
func unitOf(axis int) geom.Vec3 {
	return [3]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[axis]
}

// faceNormal returns the outward normal, in the box's frame, of the face at the end of the chord at distance t.
func (k *sketch) faceNormal(t float64) geom.Vec3 {
	face := k.chord.NearPart
	if t != k.chord.Near {
		face = k.chord.FarPart
	}
	n := unitOf(int(face[len(face)-1] - 'x'))
	if face[len(face)-2] == '-' {
		return n.Neg()
	}
	return n
}

// faces draws the visible faces, the face through which the ray enters (or leaves, if it starts inside), and the edges.
// Hidden edges are dashed.
func (k *sketch) faces(p *chart.Plot, v *frameView, h geom.Vec3) {
	for axis := range 3 {
		n := unitOf(axis)
		if v.toward.Dot(n) < 0 {
			n = n.Neg()
		}
		p.Fill(p.AllOn(v.face(n, h)), k.solid)
	}
	if k.chord.OK {
		t := k.chord.Near
		if k.hit && k.inside {
			t = k.chord.Far
		}
		p.Fill(p.AllOn(v.face(k.faceNormal(t), h)), k.slice)
	}
	all := corners(h)
	for i, a := range all {
		for bit := range 3 {
			if j := i | 1<<bit; j != i {
				s := chart.Solid(k.outline, 2).Crossable()
				if middle := a.Add(all[j]).Scale(0.5); v.behind(middle) {
					s = chart.Dashed(k.outline, 1.2)
				}
				p.Line(p.On(v.on(a)), p.On(v.on(all[j])), s)
			}
		}
	}
}

// face returns the outline, in the drawing, of the face with the normal n of a box with the half extents h.
func (v *frameView) face(n, h geom.Vec3) []geom2.Point {
	// Two vectors along the face's edges, whose lengths are the half extents.
	middle := geom.Vec3{X: n.X * h.X, Y: n.Y * h.Y, Z: n.Z * h.Z}
	a, b := geom.Vec3{X: h.X}, geom.Vec3{Y: h.Y}
	switch {
	case n.X != 0:
		a = geom.Vec3{Z: h.Z}
	case n.Y != 0:
		b = geom.Vec3{Z: h.Z}
	}
	return []geom2.Point{
		v.on(middle.Add(a).Add(b)), v.on(middle.Add(a).Sub(b)),
		v.on(middle.Sub(a).Sub(b)), v.on(middle.Sub(a).Add(b)),
	}
}

// behind reports whether an edge with the given middle is hidden, because both of its faces point away from the viewer.
func (v *frameView) behind(middle geom.Vec3) bool {
	m, t := v.parts(middle), v.parts(v.toward)
	for i := range m {
		if m[i]*t[i] > 0 {
			return false
		}
	}
	return true
}

// rayPast draws the line of the ray or segment. The line is dashed inside and behind the box, before the origin of a
// ray and beyond the ends of a segment.
func (k *sketch) rayPast(p *chart.Plot, v *frameView, local geom.Ray) {
	at := func(t float64) geom2.Point { return v.on(local.At(t)) }
	from, to, ok := p.Seen().Clip(at(0), at(1))
	if !ok || k.length == 0 { // a point has no line
		k.ends(p, at, 0, 0)
		return
	}
	const pieces = 240
	hidden := func(i int) bool {
		t := from + (to-from)*(float64(i)+0.5)/pieces
		return t < 0 || t > k.length || v.hides(local.At(t))
	}
	look, start := k.colors.ray, 0
	for i := range pieces {
		last := i == pieces-1
		if !last && hidden(i+1) == hidden(i) {
			continue
		}
		a, b := at(from+(to-from)*float64(start)/pieces), at(from+(to-from)*float64(i+1)/pieces)
		switch {
		case hidden(i):
			p.Segment(a, b, chart.Dashed(look, 1.8))
		case last && !k.isSegment():
			p.Arrow(p.On(a), p.On(b), chart.Solid(look, 3))
		default:
			p.Segment(a, b, chart.Solid(look, 3))
		}
		start = i + 1
	}
	k.ends(p, at, from, to)
}

// axisNames are the names of the three axes, one letter each, of a box or of the scene.
const axisNames = "xyz"

// axes draws the axes of the frame from the center to the faces.
func (k *sketch) axes(p *chart.Plot, v *frameView, h geom.Vec3) {
	drawn := v.parts(v.halfExtents)
	for axis, half := range v.parts(h) {
		n := unitOf(axis)
		if v.toward.Dot(n) < 0 && axis != 1 {
			n = n.Neg()
		}
		tip, look := v.on(n.Scale(drawn[axis])), k.colors.axes[axis]
		p.Arrow(p.On(geom2.Point{}), p.On(tip), chart.Solid(look, 2))
		p.Name("h."+axisNames[axis:axis+1]+" = "+brief(half), tip.Scale(0.7), tip.Left(), look)
	}
	p.Dot(p.On(geom2.Point{}), 4, k.Ink)
	p.Name("c", geom2.Point{}, geom2.Pt(-1, -1), k.Ink)
}
