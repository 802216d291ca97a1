package explain

import (
	"image/color"
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// frameView looks at a box in its own frame from a corner, without perspective. Source of
// the term: axonometric projection.
type frameView struct {
	toward      geom.Vec3 // the viewer
	right, up   geom.Vec3
	halfExtents geom.Vec3
}

// newFrameView looks from the side that a line along d, in the box's frame, comes from, and
// not along it.
func newFrameView(h, d geom.Vec3) frameView {
	side := func(x float64) float64 {
		if x > 0 {
			return -1
		}
		return 1
	}
	best, along := frameView{}, math.Inf(1)
	for _, w := range []geom.Vec3{{X: 0.55, Y: 0.45, Z: 0.7}, {X: 0.8, Y: 0.35, Z: 0.45}, {X: 0.35, Y: 0.5, Z: 0.8}, {X: 0.45, Y: 0.75, Z: 0.5}} {
		v := geom.Vec3{X: w.X * side(d.X), Y: w.Y * side(d.Y), Z: w.Z * side(d.Z)}.Unit()
		if a := math.Abs(v.Dot(d)); a < along {
			right := geom.Vec3{Y: 1}.Cross(v).Unit()
			best, along = frameView{v, right, v.Cross(right), h}, a
		}
	}
	return best
}

func (v *frameView) on(p geom.Vec3) point { return point{p.Dot(v.right), p.Dot(v.up)} }

// hides reports whether the box stands between the viewer and the point p outside it.
func (v *frameView) hides(p geom.Vec3) bool {
	first, last := 0.0, math.Inf(1)
	o, d, h := v.parts(p), v.parts(v.toward), v.parts(v.halfExtents)
	for i := range o {
		t0, t1 := (-h[i]-o[i])/d[i], (h[i]-o[i])/d[i]
		first, last = max(first, min(t0, t1)), min(last, max(t0, t1))
	}
	return last-first > 1e-9*v.halfExtents.Norm()
}

func (v *frameView) parts(p geom.Vec3) [3]float64 { return [3]float64{p.X, p.Y, p.Z} }

// box draws a box in its own frame and, below, where the line is inside each slab.
func (k *sketch) box(b *shapes.Box) {
	const lineTop = 610
	local, v := k.boxFrame(b)
	at := func(t float64) point { return v.on(local.At(t)) }
	seen := nowhere()
	for _, corner := range corners(b.HalfExtents) {
		seen = seen.include(v.on(corner), 0)
	}
	seen = k.withEnds(seen, at, 0.5*max(seen.x1-seen.x0, seen.y1-seen.y0))
	frame := plotFrame()
	frame.y1 = lineTop - 20
	p := k.plotOf(frame, seen, 52)
	k.faces(p, &v, b.HalfExtents)
	k.rayPast(p, &v, local)
	k.axes(p, &v, b.HalfExtents)
	k.roots(p, at, func(t float64) point { return v.on(k.faceNormal(t)) })
	k.slabs(box{edge, lineTop, plotRight, contentBottom})
	if k.isSegment() {
		k.caption("The box in its own frame. On the number line 0 is P and 1 is Q: the segment is inside the box where it is inside all three slabs.")
	} else {
		k.caption("The box in its own frame. The line is inside the box where it is inside all three slabs.")
	}
	k.numbers("t_near", "t_far", "first", "last", "o", "P", "Q", "d", "c", "h", "o'", "d'", "P'", "Q'",
		"in_x", "out_x", "in_y", "out_y", "in_z", "out_z")
}

// boxFrame returns the ray, or the segment's line, in the box's frame, and a view of it.
func (k *sketch) boxFrame(b *shapes.Box) (geom.Ray, frameView) {
	local := geom.Ray{Origin: k.vec("o'"), Dir: k.vec("d'")}
	if k.isSegment() {
		local = geom.Ray{Origin: k.vec("P'"), Dir: b.Rotation.TransposeMulVec(k.ray.Dir)}
	}
	return local, newFrameView(b.HalfExtents, local.Dir)
}

func corners(h geom.Vec3) []geom.Vec3 {
	var out []geom.Vec3
	for i := range 8 {
		sign := func(bit int) float64 { return float64(2*(i>>bit&1) - 1) }
		out = append(out, geom.Vec3{X: sign(0) * h.X, Y: sign(1) * h.Y, Z: sign(2) * h.Z})
	}
	return out
}

// unitOf returns the unit vector of an axis, 0 to 2, of the box's frame.
func unitOf(axis int) geom.Vec3 {
	return [3]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[axis]
}

// faceNormal returns the normal at an end of the chord, in the box's frame.
func (k *sketch) faceNormal(t float64) geom.Vec3 {
	face := k.chord.nearPart
	if t != k.chord.near {
		face = k.chord.farPart
	}
	n := unitOf(int(face[len(face)-1] - 'x'))
	if face[len(face)-2] == '-' {
		return n.Neg()
	}
	return n
}

// faces draws the faces that the viewer sees, that through which the ray comes in, or from
// inside goes out, and the edges, dashed behind the box.
func (k *sketch) faces(p *plot, v *frameView, h geom.Vec3) {
	for axis := range 3 {
		n := unitOf(axis)
		if v.toward.Dot(n) < 0 {
			n = n.Neg()
		}
		p.fill(p.onAll(v.face(n, h)), k.solid)
	}
	if k.chord.ok {
		t := k.chord.near
		if k.hit && k.inside {
			t = k.chord.far
		}
		p.fill(p.onAll(v.face(k.faceNormal(t), h)), k.theme.slice)
	}
	all := corners(h)
	for i, a := range all {
		for bit := range 3 {
			if j := i | 1<<bit; j != i {
				s := stroke{k.outline, 2, false}
				if middle := a.Add(all[j]).Scale(0.5); v.behind(middle) {
					s = stroke{k.outline, 1.2, true}
				}
				p.line(p.on(v.on(a)), p.on(v.on(all[j])), s)
			}
		}
	}
}

// face returns the outline of the face with the given normal.
func (v *frameView) face(n, h geom.Vec3) []point {
	// Two vectors along the face's edges, of the half extents' lengths.
	middle := geom.Vec3{X: n.X * h.X, Y: n.Y * h.Y, Z: n.Z * h.Z}
	a, b := geom.Vec3{X: h.X}, geom.Vec3{Y: h.Y}
	switch {
	case n.X != 0:
		a = geom.Vec3{Z: h.Z}
	case n.Y != 0:
		b = geom.Vec3{Z: h.Z}
	}
	return []point{
		v.on(middle.Add(a).Add(b)), v.on(middle.Add(a).Sub(b)),
		v.on(middle.Sub(a).Sub(b)), v.on(middle.Sub(a).Add(b)),
	}
}

// behind reports whether an edge with the given middle lies between two faces that look away
// from the viewer.
func (v *frameView) behind(middle geom.Vec3) bool {
	m, t := v.parts(middle), v.parts(v.toward)
	for i := range m {
		if m[i]*t[i] > 0 {
			return false
		}
	}
	return true
}

// rayPast draws the ray or the segment, dashed inside the box, behind it and beyond the ends.
func (k *sketch) rayPast(p *plot, v *frameView, local geom.Ray) {
	at := func(t float64) point { return v.on(local.At(t)) }
	from, to, ok := p.seen().clip(at(0), at(1))
	if !ok || k.length == 0 { // the line of a point could be any
		k.ends(p, at, 0, 0)
		return
	}
	const pieces = 240
	hidden := func(i int) bool {
		t := from + (to-from)*(float64(i)+0.5)/pieces
		return t < 0 || t > k.length || v.hides(local.At(t))
	}
	look, start := k.theme.ray, 0
	for i := range pieces {
		last := i == pieces-1
		if !last && hidden(i+1) == hidden(i) {
			continue
		}
		a, b := at(from+(to-from)*float64(start)/pieces), at(from+(to-from)*float64(i+1)/pieces)
		switch {
		case hidden(i):
			p.segment(a, b, stroke{look, 1.8, true})
		case last && !k.isSegment():
			p.arrow(p.on(a), p.on(b), stroke{look, 3, false})
		default:
			p.segment(a, b, stroke{look, 3, false})
		}
		start = i + 1
	}
	k.ends(p, at, from, to)
}

// axes draws the axes of the frame from the centre to the faces.
func (k *sketch) axes(p *plot, v *frameView, h geom.Vec3) {
	for axis, half := range v.parts(h) {
		n := unitOf(axis)
		if v.toward.Dot(n) < 0 && axis != 1 {
			n = n.Neg()
		}
		tip := v.on(n.Scale(half))
		p.arrow(p.on(point{}), p.on(tip), stroke{k.theme.axes[axis], 2, false})
		name := "h." + axes[axis:axis+1] + " = " + brief(half)
		p.label(name, tip.scale(0.7), tip.left(), k.theme.axes[axis])
	}
	p.dot(p.on(point{}), 4, k.fore, true)
	p.label("c", point{}, point{-1, -1}, k.fore)
}

// numberLine maps distances to the canvas.
type numberLine struct {
	lo, hi      float64 // what it shows
	left, right float64 // where that is
}

func (n *numberLine) x(t float64) float64 { return n.left + (t-n.lo)/(n.hi-n.lo)*(n.right-n.left) }

// within returns x(t), moved to the end of the line if t is beyond.
func (n *numberLine) within(t float64) float64 { return min(max(n.x(t), n.left), n.right) }

// slabs draws on a number line where the line is inside each slab and inside the box.
func (k *sketch) slabs(frame box) {
	const names, row = 34.0, 34.0
	first, last := k.slabEnds()
	n := k.slabRange(first.t, last.t)
	n.left, n.right = frame.x0+names, frame.x1
	top := frame.y0 + 26
	bottom := top + 3*row + 8
	if first.t <= last.t {
		k.dc.SetColor(k.theme.slice)
		k.dc.DrawRectangle(n.within(first.t), top-4, max(2, n.within(last.t)-n.within(first.t)), 3*row+8)
		k.dc.Fill()
	}
	k.line(point{n.left, bottom}, point{n.right, bottom}, stroke{k.muted, 1.5, false})
	marks := []string{"o, t = 0"}
	if k.isSegment() {
		marks = []string{"P, 0", "Q, 1"}
	}
	for i, name := range marks {
		if t := float64(i); n.lo <= t && t <= n.hi {
			k.line(point{n.x(t), top - 4}, point{n.x(t), bottom + 5}, stroke{k.theme.ray, 1.5, true})
			k.centred(name, n.x(t), bottom+22, &n, k.theme.ray)
		}
	}
	for axis := range axes {
		y := top + row*(float64(axis)+0.5)
		k.text(axes[axis:axis+1], point{frame.x0 + 6, y + 6}, k.theme.axes[axis], true, sizeLabel)
		k.bar(axis, y, &n)
	}
	k.slabLabels(first, last, &n, top-12)
}

// slabEnd is the last entry or the first exit.
type slabEnd struct {
	symbol string
	t      float64
	look   color.Color
}

func (k *sketch) slabEnds() (first, last slabEnd) {
	first = slabEnd{"t_near", 0, k.theme.ray}
	last = slabEnd{"t_far", 0, k.theme.ray}
	if k.isSegment() {
		first.symbol, last.symbol = "first", "last"
	}
	if k.hit && k.inside {
		last.look = k.accepted
	} else if k.hit {
		first.look = k.accepted
	}
	// The derivation of a segment that misses a slab altogether ends there.
	first.t, last.t = k.bound(first.symbol, math.Inf(1)), k.bound(last.symbol, math.Inf(-1))
	return first, last
}

// bound returns a value of the derivation, or another if it has none or NaN, which counts for
// nothing.
func (k *sketch) bound(symbol string, otherwise float64) float64 {
	if v, ok := k.values[symbol]; ok && v.x[0].equal(v.x[0]) {
		return float64(v.x[0])
	}
	return otherwise
}

// slabLabels writes the last entry and the first exit above the number line, in the order in
// which they stand, each reaching outward so that they never meet.
func (k *sketch) slabLabels(first, last slabEnd, n *numberLine, y float64) {
	if math.IsInf(first.t, 0) || math.IsInf(last.t, 0) {
		return
	}
	at := apart(readable, first.t, last.t)
	texts := [2]string{first.symbol + " = " + at[0], last.symbol + " = " + at[1]}
	two := [2]slabEnd{first, last}
	if first.t > last.t {
		texts = [2]string{texts[1], "only then " + texts[0]}
		two = [2]slabEnd{last, first}
	}
	k.setFace(false, sizeLabel)
	w0, w1 := k.width(texts[0]), k.width(texts[1])
	const gap = 24
	x0 := min(max(n.x(two[0].t)-w0+12, n.left), n.right-w0-w1-gap)
	x1 := min(max(n.x(two[1].t)-12, x0+w0+gap), n.right-w1)
	k.text(texts[0], point{x0, y}, two[0].look, false, sizeLabel)
	k.text(texts[1], point{x1, y}, two[1].look, false, sizeLabel)
}

// slabRange returns the part of the number line that is shown: what decides, and the origin
// unless it is so far away that the rest would be a dot.
func (k *sketch) slabRange(first, last float64) numberLine {
	lo, hi := min(first, last), max(first, last)
	if lo == hi { // a touch
		lo, hi = min(lo, 0), max(hi, 0)
	}
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) || lo == hi {
		lo, hi = 0, 1
	}
	wide := hi - lo
	if k.isSegment() || lo <= 8*wide && hi >= -8*wide {
		lo, hi = min(lo, 0), max(hi, 0)
		if k.isSegment() {
			hi = max(hi, 1)
		}
		wide = 0.35 * (hi - lo)
	}
	return numberLine{lo: lo - wide, hi: hi + wide}
}

// bar draws the interval of one slab.
func (k *sketch) bar(axis int, y float64, n *numberLine) {
	name, look := axes[axis:axis+1], k.theme.axes[axis]
	in, out := k.bound("in_"+name, math.Inf(-1)), k.bound("out_"+name, math.Inf(1))
	if p := k.values[k.pointSymbol()]; k.isSegment() && k.number("e_"+name) == 0 && math.Abs(float64(p.x[axis])) > float64(k.values["h"].x[axis]) {
		in, out = math.Inf(1), math.Inf(-1)
	}
	if in > out {
		k.text("never inside", point{n.left + 8, y + 5}, look, false, sizeSmall)
		return
	}
	const half = 8
	x0, x1 := n.within(in), n.within(out)
	k.dc.SetColor(look)
	k.dc.DrawRectangle(x0, y-half, max(2, x1-x0), 2*half)
	k.dc.Fill()
	if math.IsInf(in, -1) && math.IsInf(out, 1) {
		k.text("always inside", point{n.left + 8, y + 5.5}, k.paper, false, sizeSmall)
		return
	}
	at := apart(4, in, out)
	k.barEnd("in "+at[0], x0, y, -1, n, look)
	k.barEnd("out "+at[1], x1, y, +1, n, look)
}

// pointSymbol is the symbol of the ray's origin or the segment's first end in the box's frame.
func (k *sketch) pointSymbol() string {
	if k.isSegment() {
		return "P'"
	}
	return "o'"
}

// barEnd writes where a bar ends beside it or, where there is no room, into it.
func (k *sketch) barEnd(text string, x, y, way float64, n *numberLine, look color.Color) {
	const gap = 6
	k.setFace(false, sizeSmall)
	w := k.width(text)
	start := x + gap
	if way < 0 {
		start = x - gap - w
	}
	if start < n.left || start+w > n.right {
		look = k.paper
		start = x - gap - w
		if way < 0 {
			start = x + gap
		}
	} else {
		k.halo(text, point{start, y + 5.5}, sizeSmall)
	}
	k.text(text, point{start, y + 5.5}, look, false, sizeSmall)
}

// centred writes text around x, moved so that it stays within the number line.
func (k *sketch) centred(s string, x, y float64, n *numberLine, look color.Color) {
	k.setFace(false, sizeSmall)
	w := k.width(s)
	k.text(s, point{min(max(x-w/2, n.left), n.right-w), y}, look, false, sizeSmall)
}
