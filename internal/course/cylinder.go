package course

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// cylinderStage returns the stage about the crossings of a line and a cylinder.
func cylinderStage() kind {
	return lineStage(cylinderAsks(), readLine, "cylinder.md", cylinderMistakes(), portraitCylinder())
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

// reversed returns c or, with a probability of one half, c with its ends exchanged.
func (d *dice) reversed(c *shapes.Cylinder) *shapes.Cylinder {
	if d.IntN(2) == 0 {
		c.A, c.B = c.B, c.A
	}
	return c
}

// cylinderAsks returns the kinds of questions about a line and a cylinder.
func cylinderAsks() []ask[lineQuestion] {
	return append([]ask[lineQuestion]{
		{Ordinary, "through both discs", func(d *dice) lineQuestion {
			c := d.reversed(d.cylinder())
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
			c := d.reversed(d.cylinder())
			u, _ := axisOf(c)
			p, q := inCylinder(c, d.between(0.1, 0.9), 1, d.across(u)), inCylinder(c, 1, d.between(0, 0.8), d.across(u))
			if d.IntN(2) == 0 {
				p, q = q, p
			}
			return d.through(c, p, q)
		}},
		{Ordinary, "past an end", func(d *dice) lineQuestion {
			c := d.reversed(d.cylinder())
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
			c := d.reversed(d.cylinder())
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
			c := d.reversed(d.cylinder())
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
			c := d.reversed(d.uprightCylinder())
			u, _ := axisOf(c)
			out := d.acrossAxis(u)
			inward := out.Add(u).Neg().AddScaled(d.Float64()-0.5, out.Cross(u)).Unit()
			return lineQuestion{geom.Ray{Origin: inCylinder(c, 1, 1, out).AddScaled(-d.length(1, 8), inward), Dir: inward}, c}
		}},
		{Degenerate, "touching the rim", func(d *dice) lineQuestion {
			c := d.reversed(d.uprightCylinder())
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
	}, closeCylinders()...)
}

// tube is a line and a cylinder, with the numbers in [body] that most programs compute.
type tube struct {
	body
	c *shapes.Cylinder
}

func tubeOf(q *lineQuestion) tube {
	c := q.shape.(*shapes.Cylinder)
	return tube{bodyOf(&lineQuestion{q.ray, &shapes.Capsule{A: c.A, B: c.B, Radius: c.Radius}}), c}
}

// side returns the crossings with the side: those with the infinite cylinder that lie between the ends.
func (t *tube) side() []shapes.Hit {
	var hits []shapes.Hit
	for _, x := range t.circle() {
		if y := t.y + float64(x.T*t.dy); 0 <= y && y <= t.length {
			hits = append(hits, x)
		}
	}
	return hits
}

// circle returns the crossings with the infinite cylinder.
func (t *tube) circle() []shapes.Hit {
	if !t.ok || t.isParallel() {
		return nil
	}
	hit := func(x float64) shapes.Hit { return shapes.Hit{T: x, Normal: t.f2.AddScaled(x, t.d2).Unit()} }
	return []shapes.Hit{hit(t.near), hit(t.far)}
}

// isParallel reports whether the line is parallel to the axis, up to a few rounding errors. Programs choose different
// tolerances for this. No question has an angle whose sine is between [shapes.ParallelSine] and 64 times that.
func (t *tube) isParallel() bool { return t.d2.Norm() < 64*shapes.ParallelSine }

// missesCircle reports whether the line misses the infinite cylinder.
func (t *tube) missesCircle() bool {
	if t.isParallel() {
		return t.f2.Norm() > t.c.Radius
	}
	return !t.ok
}

// plane returns the crossing with the plane of a disc: of the disc around B if b is true, and of the disc around A
// otherwise. It returns none if the line is parallel to the plane.
func (t *tube) plane(b bool) []shapes.Hit {
	height, out := 0.0, t.u.Neg()
	if b {
		height, out = t.length, t.u
	}
	if t.dy == 0 {
		return nil
	}
	return []shapes.Hit{{T: (height - t.y) / t.dy, Normal: out}}
}

// disc returns the crossing with the disc around B if b is true, and with the disc around A otherwise. It returns none if
// the line misses the disc.
func (t *tube) disc(b bool) []shapes.Hit {
	for _, x := range t.plane(b) {
		if t.f2.AddScaled(x.T, t.d2).Norm2() <= t.c.Radius*t.c.Radius {
			return []shapes.Hit{x}
		}
	}
	return nil
}

// outermost returns the first and the last of the given crossings.
func (t *tube) outermost(parts ...[]shapes.Hit) crossings {
	near, far := shapes.Hit{T: math.Inf(1)}, shapes.Hit{T: math.Inf(-1)}
	for _, part := range parts {
		for _, x := range part {
			if x.T < near.T {
				near = x
			}
			if x.T > far.T {
				far = x
			}
		}
	}
	switch {
	case near.T > far.T:
		return crossings{}
	case near.T == far.T:
		return crossingsAt(t.r, func(geom.Vec3, int) geom.Vec3 { return near.Normal }, near.T)
	}
	return crossingsAt(t.r, func(_ geom.Vec3, i int) geom.Vec3 { return [...]geom.Vec3{near.Normal, far.Normal}[i] }, near.T, far.T)
}

// halfOpen returns the crossings with a cylinder that lacks the disc at one end: at B if b is true, and at A otherwise.
func (t *tube) halfOpen(b bool) crossings {
	switch {
	case t.missesCircle():
		return crossings{}
	case t.dy == 0:
		return solveLine(&lineQuestion{t.r, t.c})
	case t.isParallel():
		return crossings{Count: 2, T: []float64{math.NaN(), math.NaN()}, Points: []geom.Vec3{nowhere(), nowhere()}, Normals: []geom.Vec3{nowhere(), nowhere()}}
	}
	lo, hi := 0.0, math.Inf(1)
	if !b {
		lo, hi = math.Inf(-1), t.length
	}
	var hits []shapes.Hit
	for _, x := range t.circle() {
		if y := t.y + float64(x.T*t.dy); lo <= y && y <= hi {
			hits = append(hits, x)
		}
	}
	return t.outermost(hits, t.disc(!b))
}

// isDisc reports whether a normal of a cylinder is the normal of one of its discs.
func isDisc(c *shapes.Cylinder, n geom.Vec3) bool {
	u, _ := axisOf(c)
	return math.Abs(n.Dot(u)) > 0.5
}

func cylinderMistakes() lineMistakes {
	const lesson = "cylinder.md"
	const common = lesson + "#common-mistakes"
	const normal = lesson + "#the-normal"
	noEdge := Mistake{"a disc has no edge", "A disc ends at the radius. A crossing of its plane farther from the axis does not count.", common}
	on := func(f func(t *tube) crossings) func(q *lineQuestion) crossings {
		return func(q *lineQuestion) crossings {
			t := tubeOf(q)
			return f(&t)
		}
	}
	// normals returns an edit that changes the normals.
	normals := func(f func(c *shapes.Cylinder, p, n geom.Vec3, i int) geom.Vec3) func(*lineQuestion) func(*crossings) {
		return normalChange(func(q *lineQuestion, p, n geom.Vec3, i int) geom.Vec3 { return f(q.shape.(*shapes.Cylinder), p, n, i) })
	}
	library := []lineVariant{
		{Mistake{"the disc around b is forgotten", "A cylinder has a disc at each end of its axis. Test both.", common},
			on(func(t *tube) crossings { return t.outermost(t.side(), t.disc(false)) })},
		{Mistake{"the ends are left open", "Two discs close the cylinder. Without them it is an open tube.", common},
			on(func(t *tube) crossings { return t.outermost(t.side()) })},
		{Mistake{"the cylinder has no end", "The side reaches from height 0 to L along the axis. Crossings of the infinite cylinder above or below that range do not count.", common},
			on(func(t *tube) crossings { return t.outermost(t.circle()) })},
		{Mistake{"the side has no end", "The side reaches from height 0 to L along the axis. Crossings of the infinite cylinder above or below that range do not count.", common},
			on(func(t *tube) crossings { return t.outermost(t.circle(), t.disc(false), t.disc(true)) })},
		{noEdge, on(func(t *tube) crossings { return t.outermost(t.side(), t.plane(false), t.plane(true)) })},
		{noEdge, on(func(t *tube) crossings {
			if t.missesCircle() {
				return crossings{}
			}
			return t.outermost(t.side(), t.plane(false), t.plane(true))
		})},
		{cylinderParallelMiss(), on(func(t *tube) crossings {
			if t.isParallel() {
				return crossings{}
			}
			return solveLine(&lineQuestion{t.r, t.c})
		})},
		{cylinderParallelMiss(), on(func(t *tube) crossings { // 0 / 0 is NaN, but rounding may hide the 0
			if t.d2 == (geom.Vec3{}) {
				return crossings{}
			}
			return solveLine(&lineQuestion{t.r, t.c})
		})},
		{Mistake{"lines parallel to the discs always miss", "A line parallel to the discs crosses neither, but it crosses the side if its height is between 0 and L.", lesson + "#question"},
			on(func(t *tube) crossings {
				if t.dy == 0 {
					return crossings{}
				}
				return solveLine(&lineQuestion{t.r, t.c})
			})},
		{Mistake{"lines parallel to the discs are never outside", "If a line is parallel to the discs, it is between them either always or never: compare its height with 0 and L.", lesson + "#question"},
			on(func(t *tube) crossings {
				if t.dy == 0 {
					return t.outermost(t.circle())
				}
				return solveLine(&lineQuestion{t.r, t.c})
			})},
		{Mistake{"the disc around a is forgotten", "A cylinder has a disc at each end of its axis. Test both.", common},
			on(func(t *tube) crossings { return t.outermost(t.side(), t.disc(true)) })},
		{Mistake{"the side has no end at a", "The side reaches from height 0 to L along the axis, and a disc closes it at each end.", common},
			on(func(t *tube) crossings { return t.halfOpen(false) })},
		{Mistake{"the side has no end at b", "The side reaches from height 0 to L along the axis, and a disc closes it at each end.", common},
			on(func(t *tube) crossings { return t.halfOpen(true) })},
		{Mistake{"the ends are round", "A cylinder ends in flat discs. Round ends are those of a capsule.", common},
			on(func(t *tube) crossings {
				return solveLine(&lineQuestion{t.r, &shapes.Capsule{A: t.c.A, B: t.c.B, Radius: t.c.Radius}})
			})},
		{Mistake{"a distance is compared with the squared radius", "Compare squares with squares: the squared distance from the axis with r².", common},
			on(func(t *tube) crossings {
				if t.missesCircle() {
					return crossings{}
				}
				wide := *t.c
				wide.Radius *= wide.Radius
				discs := tube{t.body, &wide}
				return t.outermost(t.side(), discs.disc(false), discs.disc(true))
			})},
	}
	changes := []lineChange{
		{Mistake{"the normals of the discs are reversed", "The outward normal is u on the disc around b and -u on the disc around a.", normal},
			normals(func(c *shapes.Cylinder, _, n geom.Vec3, _ int) geom.Vec3 {
				if isDisc(c, n) {
					return n.Neg()
				}
				return n
			})},
		{Mistake{"the normal of the side is used on the discs", "The normal of a disc is the direction of the axis, outward. Remember which part the line crosses.", normal},
			normals(func(c *shapes.Cylinder, p, n geom.Vec3, _ int) geom.Vec3 {
				u, _ := axisOf(c)
				f := p.Sub(c.A)
				if across := f.AddScaled(-f.Dot(u), u); across.Norm() > 0 {
					return across.Unit()
				}
				return n
			})},
		{Mistake{"both discs have the same normal", "The outward normal is u on the disc around b and -u on the disc around a.", normal},
			normals(func(c *shapes.Cylinder, _, n geom.Vec3, _ int) geom.Vec3 {
				if u, _ := axisOf(c); isDisc(c, n) {
					return u
				}
				return n
			})},
		{Mistake{"the normal of the side leans along the axis", "On the side the normal points from the axis to the point: remove the part along the axis.", normal},
			normals(func(c *shapes.Cylinder, p, n geom.Vec3, _ int) geom.Vec3 {
				if isDisc(c, n) {
					return n
				}
				return p.Sub(c.A).Unit()
			})},
	}
	library = append(library, lineVariant{
		Mistake{"the height and the length have different units", "Along the unit axis, the heights of the side run from 0 to L, not to 1. Along b - a itself, they run from 0 to L², not to L.", lesson},
		func(q *lineQuestion) crossings {
			c := *q.shape.(*shapes.Cylinder)
			u, _ := axisOf(&c)
			c.B = c.A.Add(u)
			return solveLine(&lineQuestion{q.ray, &c})
		}})
	return lineMistakes{append(library, cylinderVariants()...), slices.Concat(changes), cylinderAlone()}
}
