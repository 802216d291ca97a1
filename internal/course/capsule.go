package course

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// capsuleStage returns the stage about the crossings of a line and a capsule.
func capsuleStage() kind {
	return lineStage(capsuleAsks(), readLine, "capsule.md", portraitCapsule())
}

// capsuleAsks returns the kinds of questions about a line and a capsule.
func capsuleAsks() []ask[lineQuestion] {
	capsule := func(d *dice) *shapes.Capsule {
		a := d.point(5)
		for {
			c := &shapes.Capsule{A: a, B: a.Add(d.point(4)), Radius: d.length(0.4, 2)}
			if c.B.Sub(c.A).Norm() > 0.8*c.Radius {
				return c
			}
		}
	}
	at := func(c *shapes.Capsule, t float64) geom.Vec3 { return geom.Segment{A: c.A, B: c.B}.At(t) }
	return append([]ask[lineQuestion]{
		{Ordinary, "through the body", func(d *dice) lineQuestion {
			c := capsule(d)
			return lineQuestion{d.rayInto(c, at(c, d.Float64()), c.Radius), c}
		}},
		{Ordinary, "through end a", func(d *dice) lineQuestion {
			c := capsule(d)
			return lineQuestion{d.rayOverEnd(c, c.A, c.B), c}
		}},
		{Ordinary, "through end b", func(d *dice) lineQuestion {
			c := capsule(d)
			return lineQuestion{d.rayOverEnd(c, c.B, c.A), c}
		}},
		{Ordinary, "past", func(d *dice) lineQuestion {
			c := capsule(d)
			for {
				r := toward(d.point(12), d.inBall(at(c, 0.5), c.B.Sub(c.A).Norm()+2*c.Radius))
				if !tolerantChord(r, c).possible {
					return lineQuestion{r, c}
				}
			}
		}},
		{Degenerate, "along the axis", func(d *dice) lineQuestion {
			c := capsule(d)
			u := c.B.Sub(c.A).Unit()
			from := c.A.AddScaled(0.9*c.Radius*d.Float64(), d.across(u))
			q := lineQuestion{geom.Ray{Origin: from.AddScaled(-d.length(8, 12), u), Dir: u}, c}
			d.eitherEnd(&c.A, &c.B)
			return q
		}},
		{Degenerate, "along an upright axis", func(d *dice) lineQuestion {
			u := d.axis()
			a := d.point(4)
			c := &shapes.Capsule{A: a, B: a.AddScaled(d.length(1, 4), u), Radius: d.length(0.4, 2)}
			from := c.A.AddScaled(0.5*c.Radius*float64(d.IntN(2)), d.acrossAxis(u))
			q := lineQuestion{geom.Ray{Origin: from.AddScaled(-d.length(8, 12), u), Dir: u}, c}
			d.eitherEnd(&c.A, &c.B)
			return q
		}},
		{Degenerate, "nearly along the axis", func(d *dice) lineQuestion {
			c := capsule(d)
			u := c.B.Sub(c.A).Unit()
			dir := u.AddScaled(1e-9, d.across(u)).Unit()
			q := lineQuestion{geom.Ray{Origin: c.A.AddScaled(0.5*c.Radius, d.across(u)).AddScaled(-d.length(8, 12), u), Dir: dir}, c}
			d.eitherEnd(&c.A, &c.B)
			return q
		}},
		{Degenerate, "axis of zero length", func(d *dice) lineQuestion {
			c := capsule(d)
			c.B = c.A
			return lineQuestion{d.rayInto(c, c.A, c.Radius), c}
		}},
		{Degenerate, "inside", func(d *dice) lineQuestion {
			c := capsule(d)
			return lineQuestion{geom.Ray{Origin: d.inBall(at(c, d.Float64()), c.Radius), Dir: d.direction()}, c}
		}},
		{Degenerate, "behind", func(d *dice) lineQuestion {
			c := capsule(d)
			r := d.rayInto(c, at(c, d.Float64()), c.Radius)
			return lineQuestion{geom.Ray{Origin: r.Origin, Dir: r.Dir.Neg()}, c}
		}},
		{Degenerate, "tangent", func(d *dice) lineQuestion {
			u := d.axis()
			side := d.acrossAxis(u)
			a := geom.Vec3{X: float64(d.IntN(9) - 4), Y: float64(d.IntN(9) - 4), Z: float64(d.IntN(9) - 4)}
			c := &shapes.Capsule{A: a, B: a.AddScaled(4, u), Radius: float64(1+d.IntN(8)) / 4}
			dir := u.Cross(side)
			return lineQuestion{geom.Ray{Origin: a.AddScaled(float64(d.IntN(5)), u).AddScaled(c.Radius, side).AddScaled(-8, dir), Dir: dir}, c}
		}},
	}, closeCapsules(capsule)...)
}

// rayOverEnd returns a ray from outside of a capsule toward the ball around one of its ends, beyond the cylindrical part.
func (d *dice) rayOverEnd(c *shapes.Capsule, end, other geom.Vec3) geom.Ray {
	u := end.Sub(other).Unit()
	return d.rayInto(c, end.AddScaled(0.6*c.Radius, u), 0.3*c.Radius)
}

// body is a line and the infinite cylinder around a capsule's axis, projected along that axis. Most programs compute
// with them in this form.
type body struct {
	c         *shapes.Capsule
	r         geom.Ray
	w, u      geom.Vec3 // from A to B; its direction
	length    float64   // of w
	y, dy     float64   // height of the ray's origin above A along u; its change along the ray
	f2, d2    geom.Vec3 // parts across the axis of the vector from A to the origin and of the direction
	near, far float64   // crossings with the infinite cylinder
	ok        bool
}

func bodyOf(q *lineQuestion) body {
	c := q.shape.(*shapes.Capsule)
	b := body{c: c, r: q.ray, w: c.B.Sub(c.A)}
	b.length = b.w.Norm()
	b.u = b.w.Div(b.length)
	f := q.ray.Origin.Sub(c.A)
	b.y, b.dy = f.Dot(b.u), q.ray.Dir.Dot(b.u)
	b.f2, b.d2 = f.AddScaled(-b.y, b.u), q.ray.Dir.AddScaled(-b.dy, b.u)
	a := b.d2.Norm2()
	mid := -b.f2.Dot(b.d2) / a
	disc := float64(c.Radius*c.Radius) - b.f2.AddScaled(mid, b.d2).Norm2()
	b.ok = !(disc < 0)
	h := math.Sqrt(disc / a)
	b.near, b.far = mid-h, mid+h
	return b
}

// capsuleAxis returns the vector from end a to end b of a capsule.
func capsuleAxis(s shapes.Shape) geom.Vec3 {
	c := s.(*shapes.Capsule)
	return c.B.Sub(c.A)
}

// exactlyParallel returns the mistake of a program that treats only lines as parallel to the axis whose part across it is
// computed as exactly 0. Rounding decides which lines these are, and all others that are nearly parallel divide by noise.
func exactlyParallel() random[lineQuestion, crossings] {
	return random[lineQuestion, crossings]{
		Mistake: Mistake{"parallel is tested as exactly 0", "|w|² - (w · d)² is rarely exactly 0 for a line along the axis: rounding leaves a small number of either sign, and dividing by it gives nonsense. Subtract the part along the axis from the direction, and compare what is left with the rounding error.", "capsule.md"},
		may:     func(q *lineQuestion, _ crossings) bool { return isAlong(q.ray.Dir, capsuleAxis(q.shape)) },
		always:  true,
	}
}
