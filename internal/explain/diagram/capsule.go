package diagram

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/chart"
	"pillbox/internal/explain/formula"
	"pillbox/internal/geom2"
	"pillbox/shapes"
)

// side is a view of a capsule from the side: the projection onto the plane that contains the ray and is parallel to
// the axis. Lengths along the axis and along the ray are true in this plane. The plane cuts the capsule in a stadium.
// If the axis is not in the plane, the stadium is smaller than the capsule's outline.
type side struct {
	a, u, v geom.Vec3 // end A of the axis, and the directions of the plot along the axis and across it
	upright bool      // the axis is drawn from bottom to top, not from left to right
	length  float64   // length of the axis; negative if u points from B to A
	depth   float64   // distance of the plane from the axis
	slice   float64   // radius of the stadium; 0 if the plane misses
}

// isUpright reports whether a solid with an axis in the direction u stands upright, so that it is drawn so: the angle
// between its axis and up is at most 30 degrees.
func isUpright(u, up geom.Vec3) bool {
	const least = 0.866 // the cosine of 30 degrees
	return math.Abs(u.Dot(up)) >= least
}

// sideOf returns the view in which the ray runs to the right and, if the solid does not stand upright, down. up is the
// unit vector that points up in the scene. The two ends of the capsule's axis must differ.
func sideOf(c *shapes.Capsule, r geom.Ray, up geom.Vec3) side {
	axis := c.B.Sub(c.A)
	s := side{a: c.A, length: axis.Norm()}
	s.u = axis.Div(s.length)
	s.upright = isUpright(s.u, up)
	toward := r.Dir
	if s.upright {
		toward = up
	}
	if toward.Dot(s.u) < 0 {
		s.u, s.length = s.u.Neg(), -s.length
	}
	f := r.Origin.Sub(c.A)
	across := r.Dir.AddScaled(-r.Dir.Dot(s.u), s.u)
	if across.Norm() < invisible {
		across = f.AddScaled(-f.Dot(s.u), s.u).Neg() // the ray runs above the axis
	}
	var ok bool
	if s.v, ok = geom.Direction(across.Neg()); !ok || math.Abs(s.v.Dot(s.u)) > invisible {
		s.v = perpendicularTo(s.u) // the ray runs in the axis, except for rounding
	}
	if s.upright {
		s.v = s.v.Neg()
	}
	s.depth = math.Abs(f.Dot(s.u.Cross(s.v)))
	if s.depth < invisible*c.Radius {
		s.depth = 0
	}
	s.slice = math.Sqrt(max(0, c.Radius*c.Radius-s.depth*s.depth))
	return s
}

// perpendicularTo returns a unit vector perpendicular to d.
func perpendicularTo(d geom.Vec3) geom.Vec3 {
	e := geom.Vec3{X: 1}
	if math.Abs(d.X) > 0.8 {
		e = geom.Vec3{Y: 1}
	}
	return d.Cross(e).Unit()
}

// isThin reports whether the cut of the plane through the capsule, a stadium, is visibly smaller than
// the capsule's outline.
func (s *side) isThin(radius float64) bool { return s.slice <= 0.99*radius }

// pt returns the point of the plot at the given distances from A, along the axis and across it.
func (s *side) pt(along, across float64) geom2.Point {
	if s.upright {
		return geom2.Pt(across, along)
	}
	return geom2.Pt(along, across)
}

// along returns the distance of a point of the plot from A along the axis.
func (s *side) along(p geom2.Point) float64 {
	if s.upright {
		return p.Y
	}
	return p.X
}

// across returns the distance of a point of the plot from the axis, with a sign.
func (s *side) across(p geom2.Point) float64 {
	if s.upright {
		return p.X
	}
	return p.Y
}

// direction projects the vector v to the view.
func (s *side) direction(v geom.Vec3) geom2.Point { return s.pt(v.Dot(s.u), v.Dot(s.v)) }

// on projects the point p to the view.
func (s *side) on(p geom.Vec3) geom2.Point { return s.direction(p.Sub(s.a)) }

// end returns the position of B in the view; A is at 0.
func (s *side) end() geom2.Point { return s.pt(s.length, 0) }

type capsuleFigure struct{ *shapes.Capsule }

// draw draws two views of the capsule: from the side in the plot and, in the column on the right, along its axis.
func (f capsuleFigure) draw(k *sketch) {
	c := f.Capsule
	if c.B.Sub(c.A).Norm() <= shapes.MinAxis*c.Radius { // no direction
		k.sphere(c.A, c.Radius, "A = B")
		k.numbers("t_near", "t_far", "D", "o", "P", "Q", "d", "A", "B", "r", "w", "L", "b_A", "l_A", "disc_A", "h_A", "near_A", "far_A")
		return
	}
	s := sideOf(c, k.ray, k.up)
	at := func(t float64) geom2.Point { return s.on(k.ray.At(t)) }
	p := k.PlotOf(k.plotFrame, k.capsuleSeen(&s, c.Radius, at), 70)
	k.stadiums(p, &s, c.Radius)
	k.rayLine(p, at)
	if k.isSegment() {
		k.distanceLine(p, &s)
	} else {
		k.feet(p, &s, c)
	}
	k.roots(p, at, func(t float64) geom2.Point {
		foot, _ := geom.Segment{A: c.A, B: c.B}.Closest(k.ray.At(t))
		return at(t).Sub(s.on(foot)).Scale(1 / c.Radius)
	})
	k.axisEnds(p, &s)
	k.alongAxis(c, &s, "capsule", k.capsuleKey())
	k.numbers("t_near", "t_far", "D", "w", "L", "y", "dy", "disc", "c_near", "c_far", "y_near", "y_far",
		"body_near", "body_far", "near_A", "far_A", "near_B", "far_B", "d_P", "d_Q", "d_A", "d_B", "d_xy")
}

func (f capsuleFigure) outline(s *profile) []geom2.Point {
	return geom2.Stadium(s.project(f.A), s.project(f.B), f.Radius)
}

// capsuleSeen returns the visible part of the view: the capsule or, if it is long, the part around the chord. It
// includes the ends of the ray or segment if they are not far away.
func (k *sketch) capsuleSeen(s *side, radius float64, at func(t float64) geom2.Point) geom2.Box {
	const long = 14 // radii
	whole := geom2.Nowhere().Include(geom2.Point{}, radius).Include(s.end(), radius)
	chord := geom2.Nowhere()
	if k.chord.OK {
		chord = chord.Include(at(k.chord.Near), 0).Include(at(k.chord.Far), 0)
	}
	seen := whole
	if k.chord.OK && math.Abs(s.length) > long*radius {
		seen = geom2.Nowhere().Include(s.pt(s.along(chord.Min)-long/4*radius, 0), radius).Include(s.pt(s.along(chord.Max)+long/4*radius, 0), radius)
	}
	if k.chord.OK {
		seen = seen.Include(geom2.Pt(chord.Min.X, chord.Min.Y), 0).Include(geom2.Pt(chord.Max.X, chord.Max.Y), 0)
	}
	switch {
	case k.isSegment():
		from, to := k.nearestPair(s)
		seen = seen.Include(from, 0).Include(to, 0)
	case !k.chord.OK:
		// Include the nearest point of the line, if the capsule then is still larger than a dot.
		v := at(1).Sub(at(0))
		by := at(whole.Middle().Sub(at(0)).Dot(v) / v.Dot(v))
		if size := max(whole.Width(), whole.Height()); whole.Inset(-3 * size).Contains(by) {
			seen = seen.Include(by, 0)
		}
	}
	return k.withEnds(seen, at, 0.6*max(seen.Max.X-seen.Min.X, seen.Max.Y-seen.Min.Y))
}

// stadiums draws the capsule's outline, the plane's cut through it, and the axis.
func (k *sketch) stadiums(p *chart.Plot, s *side, radius float64) {
	seen := p.Seen()
	shown := func(q geom2.Point) geom2.Point {
		return s.pt(min(max(s.along(q), s.along(seen.Min)-2*radius), s.along(seen.Max)+2*radius), 0)
	}
	a, b := shown(geom2.Point{}), shown(s.end())
	p.Clipped(p.Frame, func() {
		outline := p.AllOn(geom2.Stadium(a, b, radius))
		p.Fill(outline, k.solid)
		if s.isThin(radius) {
			p.Edge(outline, chart.Dashed(k.outline, 1.2))
		}
		if s.slice > 0 {
			slice := p.AllOn(geom2.Stadium(a, b, s.slice))
			p.Fill(slice, k.slice)
			p.Edge(slice, chart.Solid(k.outline, 2.2))
		}
		for _, end := range []geom2.Point{{}, s.end()} {
			if s.slice > 0 && p.Shows(end) {
				seam := s.pt(0, s.slice)
				p.Segment(end.Add(seam), end.Sub(seam), chart.Solid(k.outline, 1.2).Crossable())
			}
		}
		p.Segment(a, b, chart.Dashed(k.Muted, 2))
	})
}

// feet draws, for each end of the chord, the point of the axis that is closest to it.
func (k *sketch) feet(p *chart.Plot, s *side, c *shapes.Capsule) {
	if !k.chord.OK {
		return
	}
	ends := []float64{k.chord.Near, k.chord.Far}
	if k.chord.Near == k.chord.Far {
		ends = ends[:1]
	}
	for i, t := range ends {
		hit := k.ray.At(t)
		foot, part := geom.Segment{A: c.A, B: c.B}.Closest(hit)
		p.Segment(s.on(hit), s.on(foot), chart.Solid(k.help, 2))
		p.Spot([]string{"K1", "K2"}[i]+", s = "+brief(part), s.on(foot), s.pt(0, -1), k.help)
	}
}

// nearestPair returns the closest points of the segment and the axis in the view. Either point may be the one of the
// segment.
func (k *sketch) nearestPair(s *side) (from, to geom2.Point) {
	for _, pair := range [][3]string{
		{"d_P", "P'", "k_P"}, {"d_Q", "Q'", "k_Q"}, {"d_A", "k_A", ""}, {"d_B", "k_B", "w"}, {"d_xy", "k_y", "k_x"},
	} {
		if k.has(pair[0]) && k.scalar(pair[0]) == k.scalar("D") {
			from, to = s.on(s.a.Add(k.fromA(pair[1]))), s.on(s.a.Add(k.fromA(pair[2])))
		}
	}
	return from, to
}

// fromA returns the vector with the given symbol in the derivation: a point relative to the end A. It is zero if symbol
// is empty.
func (k *sketch) fromA(symbol string) geom.Vec3 {
	if symbol == "" {
		return geom.Vec3{}
	}
	return k.vec(symbol)
}

// axisEnds marks the ends of the axis.
func (k *sketch) axisEnds(p *chart.Plot, s *side) {
	p.Spot("A", geom2.Point{}, s.pt(-1, -1), k.Ink)
	p.Spot("B", s.end(), s.pt(1, -1), k.Ink)
}

// distanceLine draws the shortest way between the axis and the segment.
func (k *sketch) distanceLine(p *chart.Plot, s *side) {
	from, to := k.nearestPair(s)
	p.Segment(from, to, chart.Solid(k.help, 2))
	p.Dot(p.On(from), 5, k.help)
	p.Dot(p.On(to), 5, k.help)
	p.Name("distance "+formula.Short(math.Sqrt(k.scalar("D"))), from.Between(to, 0.5), geom2.Pt(1, 0), k.help)
}

// alongAxis draws a second view in the column beside the main view, unless the diagram has no column. It looks along
// the axis, so the solid is a disc. The argument what is the noun for the solid in the caption. The caption ends
// with the text key.
func (k *sketch) alongAxis(c *shapes.Capsule, s *side, what, key string) {
	if k.plotOnly {
		return
	}
	tall := 180.0
	if k.below > contentTop { // below the picture
		tall = 120
	}
	frame := geom2.Rect(columnLeft, k.below+8, columnRight, k.below+8+tall)
	f := k.ray.Origin.Sub(c.A)
	right := s.v
	if !s.upright {
		right = right.Neg()
	}
	w := right.Cross(s.u)
	flat := func(t float64) geom2.Point {
		x := f.AddScaled(t, k.ray.Dir)
		return geom2.Pt(x.Dot(right), x.Dot(w)) // the ray runs to the right here, too
	}
	seen := geom2.Nowhere().Include(geom2.Point{}, 1.2*c.Radius).Include(geom2.Pt(0, flat(0).Y), 0.2*c.Radius)
	if isPoint(flat) {
		seen = k.withEnds(seen, flat, 10*c.Radius)
	}
	p := k.PlotOf(frame, seen, 4)
	p.Disc(geom2.Point{}, c.Radius, k.slice, k.outline)
	k.across(p, flat)
	p.Dot(p.On(geom2.Point{}), 4, k.Ink)
	k.below = frame.Max.Y
	where := "through the axis AB"
	if s.depth > 0 {
		where = brief(s.depth) + " from the axis AB"
	}
	if s.isThin(c.Radius) {
		where += "; the dashed outline is the whole " + what
	}
	k.caption("Above: along the axis, where the cylinder is a disc. Left: the plane through the " + k.what() +
		", parallel to the axis, " + where + ". " + key)
	k.triad(s.direction)
}

// capsuleKey describes what the letters represent.
func (k *sketch) capsuleKey() string {
	entries := k.rayKey()
	switch {
	case k.isSegment():
		return key(meaning{"P, Q", "the ends of the segment"})
	case k.chord.OK:
		entries = append(entries, meaning{"K", "the closest point of the axis, r away"}, meaning{"s", "0 at A, 1 at B"})
	}
	return key(append(entries, meaning{"l", "from the axis to the line"})...)
}

// what returns "segment" or "ray".
func (k *sketch) what() string {
	if k.isSegment() {
		return "segment"
	}
	return "ray"
}

// isPoint reports whether a line looks like a point in the view along the axis.
func isPoint(flat func(t float64) geom2.Point) bool { return flat(1).Sub(flat(0)).Norm() < invisible }

// across draws the ray as seen along the axis, and its distance from the axis.
func (k *sketch) across(p *chart.Plot, flat func(t float64) geom2.Point) {
	from, to, ok := p.Seen().Clip(flat(0), flat(1))
	if isPoint(flat) || !ok {
		if p.Shows(flat(0)) {
			p.Dot(p.On(flat(0)), 6, k.colors.ray)
		}
		return
	}
	if k.isSegment() {
		p.Segment(flat(from), flat(to), chart.Dashed(k.colors.ray, 1.5))
		p.Segment(flat(max(0, from)), flat(min(k.length, to)), chart.Solid(k.colors.ray, 3))
		return
	}
	p.Arrow(p.On(flat(from)), p.On(flat(to)), chart.Solid(k.colors.ray, 2.5))
	foot := flat(k.scalar("b"))
	p.Segment(geom2.Point{}, foot, chart.Solid(k.help, 2))
	p.Name("|l|", foot.Scale(0.5), geom2.Pt(1, 0), k.help)
	for _, symbol := range []string{"c_near", "c_far", "side_in", "side_out"} {
		if k.has(symbol) {
			p.Dot(p.On(flat(k.scalar(symbol))), 4, k.colors.ray)
		}
	}
}
