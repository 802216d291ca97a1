package explain

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// side is a view of a capsule from the side: the plane through the ray that is parallel to
// the axis. Lengths along the axis and along the ray are true in it. The plane cuts the
// capsule in a stadium, which is smaller than the capsule's outline if the plane passes the
// axis at a distance.
type side struct {
	a, u, v geom.Vec3 // end A, and the plot's x and y
	length  float64   // of the axis; end B lies there, or at its negative if x runs from B to A
	depth   float64   // of the plane, from the axis
	slice   float64   // radius of the stadium; 0 if the plane misses
}

// sideOf returns the view in which the ray runs to the right and down. The axis must have a
// length.
func sideOf(c *shapes.Capsule, r geom.Ray) side {
	axis := c.B.Sub(c.A)
	s := side{a: c.A, length: axis.Norm()}
	s.u = axis.Div(s.length)
	if r.Dir.Dot(s.u) < 0 {
		s.u, s.length = s.u.Neg(), -s.length
	}
	const parallel = 1e-9 // for the eye
	f := r.Origin.Sub(c.A)
	across := r.Dir.AddScaled(-r.Dir.Dot(s.u), s.u)
	if across.Norm() < parallel {
		across = f.AddScaled(-f.Dot(s.u), s.u).Neg() // the ray runs above the axis
	}
	var ok bool
	if s.v, ok = geom.Direction(across.Neg()); !ok {
		s.v = perpendicularTo(s.u) // the ray runs in the axis
	}
	s.depth = math.Abs(f.Dot(s.u.Cross(s.v)))
	if s.depth < parallel*c.Radius {
		s.depth = 0
	}
	s.slice = math.Sqrt(max(0, c.Radius*c.Radius-s.depth*s.depth))
	return s
}

// perpendicularTo returns some unit vector perpendicular to d.
func perpendicularTo(d geom.Vec3) geom.Vec3 {
	e := geom.Vec3{X: 1}
	if math.Abs(d.X) > 0.8 {
		e = geom.Vec3{Y: 1}
	}
	return d.Cross(e).Unit()
}

// isThin reports whether the stadium is smaller than the capsule, as far as one can see.
func (s *side) isThin(radius float64) bool { return s.slice <= 0.99*radius }

// on returns where a point in space lies in the view.
func (s *side) on(p geom.Vec3) point {
	f := p.Sub(s.a)
	return point{f.Dot(s.u), f.Dot(s.v)}
}

// end returns where B lies in the view; A is at 0.
func (s *side) end() point { return point{s.length, 0} }

// capsule draws a capsule from the side and, in the column, along its axis.
func (k *sketch) capsule(c *shapes.Capsule) {
	if c.B.Sub(c.A).Norm() <= shapes.MinAxis*c.Radius { // no direction
		k.ball(c.A, c.Radius, "A = B")
		k.numbers("t_near", "t_far", "D", "o", "P", "Q", "d", "A", "r", "b_A", "l_A", "disc_A", "h_A")
		return
	}
	s := sideOf(c, k.ray)
	at := func(t float64) point { return s.on(k.ray.At(t)) }
	p := k.plotOf(plotFrame(), k.capsuleSeen(&s, c.Radius, at), 70)
	k.stadiums(p, &s, c.Radius)
	k.rayLine(p, at)
	if k.isSegment() {
		k.distanceLine(p, &s)
	} else {
		k.feet(p, &s, c)
	}
	k.roots(p, at, func(t float64) point {
		foot, _ := geom.Segment{A: c.A, B: c.B}.Closest(k.ray.At(t))
		return at(t).sub(s.on(foot)).scale(1 / c.Radius)
	})
	p.spot("A", point{}, point{-1, -1}, k.fore)
	p.spot("B", s.end(), point{1, -1}, k.fore)
	k.alongAxis(c, &s)
	k.numbers("t_near", "t_far", "D", "w", "L", "y", "dy", "disc", "c_near", "c_far", "y_near", "y_far",
		"body_near", "body_far", "near_A", "far_A", "near_B", "far_B", "d_P", "d_Q", "d_A", "d_B", "d_xy")
}

// capsuleSeen returns what the view must show: the capsule or, of a long one, the part around
// the chord, and the ends of the ray or segment if they are not far away.
func (k *sketch) capsuleSeen(s *side, radius float64, at func(t float64) point) box {
	const long = 14 // radii
	whole := nowhere().include(point{}, radius).include(s.end(), radius)
	chord := nowhere()
	if k.chord.ok {
		chord = chord.include(at(k.chord.near), 0).include(at(k.chord.far), 0)
	}
	seen := whole
	if k.chord.ok && math.Abs(s.length) > long*radius {
		seen = nowhere().include(point{chord.x0 - long/4*radius, 0}, radius).include(point{chord.x1 + long/4*radius, 0}, radius)
	}
	if k.chord.ok {
		seen = seen.include(point{chord.x0, chord.y0}, 0).include(point{chord.x1, chord.y1}, 0)
	}
	switch {
	case k.isSegment():
		from, to := k.nearestPair(s)
		seen = seen.include(from, 0).include(to, 0)
	case !k.chord.ok:
		// Where the line passes by, unless the capsule would be a dot then.
		v := at(1).sub(at(0))
		by := at(whole.middle().sub(at(0)).dot(v) / v.dot(v))
		if size := whole.x1 - whole.x0; whole.inset(-3 * size).contains(by) {
			seen = seen.include(by, 0)
		}
	}
	return k.withEnds(seen, at, 0.6*max(seen.x1-seen.x0, seen.y1-seen.y0))
}

// stadiums draws the capsule's outline, the plane's cut through it, and the axis.
func (k *sketch) stadiums(p *plot, s *side, radius float64) {
	p.clip()
	defer p.dc.ResetClip()
	seen := p.seen()
	shown := func(q point) point { return point{min(max(q.x, seen.x0-2*radius), seen.x1+2*radius), 0} }
	a, b := shown(point{}), shown(s.end())
	outline := p.onAll(stadium(a, b, radius))
	p.fill(outline, k.solid)
	if s.isThin(radius) {
		p.outlined(outline, stroke{k.outline, 1.2, true})
	}
	if s.slice > 0 {
		slice := p.onAll(stadium(a, b, s.slice))
		p.fill(slice, k.theme.slice)
		p.outlined(slice, stroke{k.outline, 2.2, false})
	}
	for _, end := range []point{{}, s.end()} {
		if s.slice > 0 && p.shows(end) {
			p.segment(end.add(point{0, s.slice}), end.sub(point{0, s.slice}), stroke{k.faint, 1.5, false})
		}
	}
	p.segment(a, b, stroke{k.muted, 2, true})
}

// stadium returns the outline of a capsule with its axis along x.
func stadium(a, b point, radius float64) []point {
	if a.x > b.x {
		a, b = b, a
	}
	return append(arc(b, radius, -math.Pi/2, math.Pi/2), arc(a, radius, math.Pi/2, 3*math.Pi/2)...)
}

// feet draws the nearest points of the axis to both ends of the chord.
func (k *sketch) feet(p *plot, s *side, c *shapes.Capsule) {
	if !k.chord.ok {
		return
	}
	ends := []float64{k.chord.near, k.chord.far}
	if k.chord.near == k.chord.far {
		ends = ends[:1]
	}
	for i, t := range ends {
		hit := k.ray.At(t)
		foot, part := geom.Segment{A: c.A, B: c.B}.Closest(hit)
		p.segment(s.on(hit), s.on(foot), stroke{k.help, 2, false})
		p.spot([]string{"K1", "K2"}[i]+", s = "+brief(part), s.on(foot), point{0, -1}, k.help)
	}
}

// nearestPair returns the nearest points of the segment and the axis, in either order.
func (k *sketch) nearestPair(s *side) (from, to point) {
	for _, pair := range [][3]string{
		{"d_P", "P'", "k_P"}, {"d_Q", "Q'", "k_Q"}, {"d_A", "k_A", ""}, {"d_B", "k_B", "w"}, {"d_xy", "k_y", "k_x"},
	} {
		if v, ok := k.values[pair[0]]; ok && v == k.values["D"] {
			// Seen from A; the value of no symbol is A itself.
			from, to = s.on(s.a.Add(k.vec(pair[1]))), s.on(s.a.Add(k.vec(pair[2])))
		}
	}
	return from, to
}

// distanceLine draws the shortest way between the axis and the segment.
func (k *sketch) distanceLine(p *plot, s *side) {
	from, to := k.nearestPair(s)
	p.segment(from, to, stroke{k.help, 2, false})
	p.dot(p.on(from), 5, k.help, true)
	p.dot(p.on(to), 5, k.help, true)
	p.label("distance "+short(math.Sqrt(k.number("D"))), from.between(to, 0.5), point{1, 0}, k.help)
}

// alongAxis draws in the column what the ray looks like along the axis, where the capsule is
// a disc.
func (k *sketch) alongAxis(c *shapes.Capsule, s *side) {
	const tall = 180
	frame := box{columnLeft, k.below + 8, columnRight, k.below + 8 + tall}
	f := k.ray.Origin.Sub(c.A)
	w := s.u.Cross(s.v)
	flat := func(t float64) point {
		x := f.AddScaled(t, k.ray.Dir)
		return point{-x.Dot(s.v), x.Dot(w)} // the ray runs to the right here, too
	}
	seen := nowhere().include(point{}, 1.2*c.Radius).include(point{0, flat(0).y}, 0.2*c.Radius)
	if isPoint(flat) {
		seen = k.withEnds(seen, flat, 10*c.Radius)
	}
	p := k.plotOf(frame, seen, 4)
	p.disc(point{}, c.Radius, k.theme.slice, k.outline)
	k.across(p, flat)
	p.dot(p.on(point{}), 4, k.fore, true)
	k.below = frame.y1
	where := "through the axis"
	if s.depth > 0 {
		where = brief(s.depth) + " from it"
	}
	if s.isThin(c.Radius) {
		where += "; the dashed outline is the whole capsule"
	}
	k.caption("Above: along the axis, where the cylinder is a disc. Left: the plane through the " + k.what() +
		", parallel to the axis, " + where + "." + k.aboutFeet())
}

func (k *sketch) aboutFeet() string {
	if !k.chord.ok {
		return ""
	}
	return " K: the nearest point of the axis, r away."
}

// what names what the diagram is about.
func (k *sketch) what() string {
	if k.isSegment() {
		return "segment"
	}
	return "ray"
}

// isPoint reports whether a line, as seen along the axis, is none, for the eye.
func isPoint(flat func(t float64) point) bool { return flat(1).sub(flat(0)).norm() < 1e-9 }

// across draws the ray as seen along the axis, and its distance from it.
func (k *sketch) across(p *plot, flat func(t float64) point) {
	from, to, ok := p.seen().clip(flat(0), flat(1))
	if isPoint(flat) || !ok {
		if p.shows(flat(0)) {
			p.dot(p.on(flat(0)), 6, k.theme.ray, true)
		}
		return
	}
	if k.isSegment() {
		p.segment(flat(from), flat(to), stroke{k.theme.ray, 1.5, true})
		p.segment(flat(max(0, from)), flat(min(k.length, to)), stroke{k.theme.ray, 3, false})
		return
	}
	p.arrow(p.on(flat(from)), p.on(flat(to)), stroke{k.theme.ray, 2.5, false})
	foot := flat(k.number("b"))
	p.segment(point{}, foot, stroke{k.help, 2, false})
	p.label("|l|", foot.scale(0.5), point{1, 0}, k.help)
	for _, symbol := range []string{"c_near", "c_far"} {
		if _, ok := k.values[symbol]; ok {
			p.dot(p.on(flat(k.number(symbol))), 4, k.theme.ray, true)
		}
	}
}
