package course

import (
	"pillbox/geom"
	"pillbox/shapes"
)

// cylinderStage returns the stage about the crossings of a line and a cylinder.
func cylinderStage() kind {
	return lineStage(cylinderAsks(), readLine, "cylinder.md", portraitCylinder())
}

// axisOf returns the direction and the length of a cylinder's axis.
func axisOf(c *shapes.Cylinder) (u geom.Vec3, length float64) {
	w := c.B.Sub(c.A)
	return w.Unit(), w.Norm()
}

// cylinder returns a random cylinder.
func (d *dice) cylinder() *shapes.Cylinder {
	a := d.point(5)
	for {
		c := &shapes.Cylinder{A: a, B: a.Add(d.point(4)), Radius: d.length(0.4, 2)}
		if _, length := axisOf(c); length > 0.8*c.Radius {
			return c
		}
	}
}

// uprightCylinder returns a cylinder whose axis is parallel to a coordinate axis. All its numbers are multiples of 1/8.
func (d *dice) uprightCylinder() *shapes.Cylinder {
	eighths := func(from, n int) float64 { return float64(from+d.IntN(n)) / 8 }
	a := geom.Vec3{X: eighths(-32, 65), Y: eighths(-32, 65), Z: eighths(-32, 65)}
	return &shapes.Cylinder{A: a, B: a.AddScaled(eighths(4, 28), d.axis()), Radius: eighths(2, 14)}
}

// alongAxis returns a cylinder whose axis is parallel to a coordinate axis, at the question's scale.
func (d *dice) alongAxis() *shapes.Cylinder {
	a := d.point(4)
	return &shapes.Cylinder{A: a, B: a.AddScaled(d.length(1, 4), d.axis()), Radius: d.length(0.4, 2)}
}

// inCylinder returns the point A + along (B - A) + across Radius out. It is in the cylinder if along and across are
// from 0 to 1 and out is a unit vector perpendicular to the axis.
func inCylinder(c *shapes.Cylinder, along, across float64, out geom.Vec3) geom.Vec3 {
	return geom.Segment{A: c.A, B: c.B}.At(along).AddScaled(across*c.Radius, out)
}

// through returns a line through two points of a cylinder, with its origin before the first.
func (d *dice) through(c *shapes.Cylinder, p, q geom.Vec3) lineQuestion {
	dir := q.Sub(p).Unit()
	return lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(2, 8), dir), Dir: dir}, c}
}

// eitherEnd exchanges the ends a and b of an axis with a probability of one half, so that no program passes that expects lines to
// come from the side of a.
func (d *dice) eitherEnd(a, b *geom.Vec3) {
	if d.IntN(2) == 0 {
		*a, *b = *b, *a
	}
}

// fromEitherEnd changes kinds of questions about cylinders so that they exchange the ends of the axis in half of the questions.
func fromEitherEnd(asks []ask[lineQuestion]) []ask[lineQuestion] {
	for i, a := range asks {
		asks[i].make = func(d *dice) lineQuestion {
			q := a.make(d)
			c := q.shape.(*shapes.Cylinder)
			d.eitherEnd(&c.A, &c.B)
			return q
		}
	}
	return asks
}

// cylinderAsks returns the kinds of questions about a line and a cylinder.
func cylinderAsks() []ask[lineQuestion] {
	return fromEitherEnd(append([]ask[lineQuestion]{
		{Ordinary, "through both discs", func(d *dice) lineQuestion {
			c := d.cylinder()
			u, _ := axisOf(c)
			return d.through(c, inCylinder(c, 0, d.between(0, 0.9), d.across(u)), inCylinder(c, 1, d.between(0, 0.9), d.across(u)))
		}},
		{Ordinary, "through the side", func(d *dice) lineQuestion {
			c := d.cylinder()
			u, _ := axisOf(c)
			out := d.across(u)
			opposite := out.Neg().AddScaled(d.between(-0.8, 0.8), out.Cross(u)).Unit()
			return d.through(c, inCylinder(c, d.between(0.1, 0.9), 1, out), inCylinder(c, d.between(0.1, 0.9), 1, opposite))
		}},
		{Ordinary, "through the side and a disc", func(d *dice) lineQuestion {
			c := d.cylinder()
			u, _ := axisOf(c)
			p, q := inCylinder(c, d.between(0.1, 0.9), 1, d.across(u)), inCylinder(c, 1, d.between(0, 0.8), d.across(u))
			if d.IntN(2) == 0 {
				p, q = q, p
			}
			return d.through(c, p, q)
		}},
		{Ordinary, "past an end", func(d *dice) lineQuestion {
			c := d.cylinder()
			u, _ := axisOf(c)
			p := c.B.AddScaled(c.Radius*d.between(1.1, 2), u)
			dir := d.across(u).AddScaled(d.between(-0.9, 0.9), u).Unit()
			return lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(4, 10), dir), Dir: dir}, c}
		}},
		{Ordinary, "past the side", func(d *dice) lineQuestion {
			c := d.cylinder()
			u, _ := axisOf(c)
			out := d.across(u)
			dir := out.Cross(u).AddScaled(d.between(-2, 2), u).Unit()
			p := inCylinder(c, d.between(0, 1), d.between(1.1, 2), out)
			return lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(4, 10), dir), Dir: dir}, c}
		}},
		{Degenerate, "along the axis", func(d *dice) lineQuestion {
			c := d.cylinder()
			u, _ := axisOf(c)
			from := inCylinder(c, 0, d.between(0, 0.9), d.across(u))
			return lineQuestion{geom.Ray{Origin: from.AddScaled(-d.length(8, 12), u), Dir: u}, c}
		}},
		{Degenerate, "along an upright axis", func(d *dice) lineQuestion {
			c := d.uprightCylinder()
			u, _ := axisOf(c)
			from := inCylinder(c, 0, float64(d.IntN(6))/4, d.acrossAxis(u)) // 4/4: on the side
			return lineQuestion{geom.Ray{Origin: from.AddScaled(-float64(8+d.IntN(8)), u), Dir: u}, c}
		}},
		{Degenerate, "nearly along the axis", func(d *dice) lineQuestion {
			c := d.cylinder()
			u, _ := axisOf(c)
			dir := u.AddScaled(1e-9, d.across(u)).Unit()
			return lineQuestion{geom.Ray{Origin: inCylinder(c, 0, 0.5, d.across(u)).AddScaled(-d.length(8, 12), u), Dir: dir}, c}
		}},
		{Degenerate, "parallel to the discs", func(d *dice) lineQuestion {
			c := d.uprightCylinder()
			u, _ := axisOf(c)
			dir := d.acrossAxis(u)
			along := [...]float64{-0.5, 0, 0.25, -0.25, 1.25, 0.75, 1, 1.5}[d.turn%8] // 0 and 1: in the plane of a disc
			p := inCylinder(c, along, float64(d.IntN(4))/4, dir.Cross(u))
			return lineQuestion{geom.Ray{Origin: p.AddScaled(-float64(8+d.IntN(8)), dir), Dir: dir}, c}
		}},
		{Degenerate, "through the rim", func(d *dice) lineQuestion {
			c := d.uprightCylinder()
			u, _ := axisOf(c)
			out := d.acrossAxis(u)
			inward := out.Add(u).Neg().AddScaled(d.Float64()-0.5, out.Cross(u)).Unit()
			return lineQuestion{geom.Ray{Origin: inCylinder(c, 1, 1, out).AddScaled(-d.length(1, 8), inward), Dir: inward}, c}
		}},
		{Degenerate, "touching the rim", func(d *dice) lineQuestion {
			c := d.uprightCylinder()
			u, _ := axisOf(c)
			out := d.acrossAxis(u)
			past := out.Sub(u).AddScaled(d.Float64()-0.5, out.Cross(u)).Unit()
			return lineQuestion{geom.Ray{Origin: inCylinder(c, 1, 1, out).AddScaled(-d.length(1, 8), past), Dir: past}, c}
		}},
		{Degenerate, "flat", func(d *dice) lineQuestion {
			c := d.cylinder()
			u, _ := axisOf(c)
			c.B = c.A.AddScaled(d.between(0.02, 0.05)*c.Radius, u)
			return lineQuestion{d.rayInto(c, c.A, c.Radius), c}
		}},
		{Degenerate, "inside", func(d *dice) lineQuestion {
			c := d.cylinder()
			u, _ := axisOf(c)
			return lineQuestion{geom.Ray{Origin: inCylinder(c, d.between(0.1, 0.9), d.between(0, 0.9), d.across(u)), Dir: d.direction()}, c}
		}},
		{Degenerate, "behind", func(d *dice) lineQuestion {
			c := d.cylinder()
			r := d.rayInto(c, geom.Segment{A: c.A, B: c.B}.At(0.5), c.Radius)
			return lineQuestion{geom.Ray{Origin: r.Origin, Dir: r.Dir.Neg()}, c}
		}},
		{Degenerate, "tangent to the side", func(d *dice) lineQuestion {
			c := d.uprightCylinder()
			u, _ := axisOf(c)
			out := d.acrossAxis(u)
			dir := u.Cross(out)
			return lineQuestion{geom.Ray{Origin: inCylinder(c, float64(d.IntN(5))/4, 1, out).AddScaled(-float64(8+d.IntN(8)), dir), Dir: dir}, c}
		}},
	}, closeCylinders()...))
}
