package course

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// capsuleStage returns the stage about the crossings of a line and a capsule.
func capsuleStage() kind {
	return lineStage(capsuleAsks(), readLine, "capsule.md", capsuleMistakes(), portraitCapsule())
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
			if d.IntN(2) == 0 {
				u = u.Neg()
			}
			from := c.A.AddScaled(0.9*c.Radius*d.Float64(), d.across(u))
			return lineQuestion{geom.Ray{Origin: from.AddScaled(-d.length(8, 12), u), Dir: u}, c}
		}},
		{Degenerate, "along an upright axis", func(d *dice) lineQuestion {
			u := d.axis()
			a := d.point(4)
			c := &shapes.Capsule{A: a, B: a.AddScaled(d.length(1, 4), u), Radius: d.length(0.4, 2)}
			from := c.A.AddScaled(0.5*c.Radius*float64(d.IntN(2)), d.acrossAxis(u))
			return lineQuestion{geom.Ray{Origin: from.AddScaled(-d.length(8, 12), u), Dir: u}, c}
		}},
		{Degenerate, "nearly along the axis", func(d *dice) lineQuestion {
			c := capsule(d)
			u := c.B.Sub(c.A).Unit()
			dir := u.AddScaled(1e-9, d.across(u)).Unit()
			return lineQuestion{geom.Ray{Origin: c.A.AddScaled(0.5*c.Radius, d.across(u)).AddScaled(-d.length(8, 12), u), Dir: dir}, c}
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

// ballRoots returns the crossings of the line with the ball around one end of the axis.
func (b *body) ballRoots(end geom.Vec3) (near, far float64, ok bool) {
	s := shapes.Sphere{Center: end, Radius: b.c.Radius}
	span, ok := s.Span(b.r)
	return span.Near.T, span.Far.T, ok
}

// ends returns where the line crosses the union of the cylindrical part and the balls around the given ends of the
// axis.
func (b *body) ends(balls ...geom.Vec3) crossings {
	lo, hi := math.Inf(1), math.Inf(-1)
	take := func(t float64) { lo, hi = min(lo, t), max(hi, t) }
	for _, t := range [...]float64{b.near, b.far} {
		if y := b.y + float64(t*b.dy); b.ok && 0 <= y && y <= b.length {
			take(t)
		}
	}
	for _, end := range balls {
		if near, far, ok := b.ballRoots(end); ok {
			take(near)
			take(far)
		}
	}
	if lo > hi {
		return crossings{}
	}
	if lo == hi {
		return crossingsAt(b.r, rightNormal(b.c), lo)
	}
	return crossingsAt(b.r, rightNormal(b.c), lo, hi)
}

func capsuleMistakes() lineMistakes {
	const lesson = "capsule.md"
	// general returns the variant f, except for axes of zero length, for which it returns the right answer.
	general := func(f func(b *body) crossings) func(q *lineQuestion) crossings {
		return func(q *lineQuestion) crossings {
			b := bodyOf(q)
			if b.length == 0 {
				return solveLine(q)
			}
			return f(&b)
		}
	}
	parallel := func(b *body) bool { return b.d2.Norm2() < shapes.ParallelSine*shapes.ParallelSine }
	library := []lineVariant{
		{Mistake{"the ball at end b is forgotten", "A capsule has a ball at each end of its axis. Test both.", lesson},
			func(q *lineQuestion) crossings {
				b := bodyOf(q)
				if b.length == 0 {
					return solveLine(q)
				}
				return b.ends(b.c.A)
			}},
		{Mistake{"the ends are left open", "Beyond the ends of the axis the balls around a and b decide. Without them the capsule is an open tube.", lesson},
			general(func(b *body) crossings {
				var ts []float64
				if parallel(b) {
					return crossings{}
				}
				for _, t := range [...]float64{b.near, b.far} {
					if y := b.y + float64(t*b.dy); b.ok && 0 <= y && y <= b.length {
						ts = append(ts, t)
					}
				}
				return crossingsAt(b.r, rightNormal(b.c), ts...)
			})},
		{Mistake{"only the ball at the end nearer to the origin is tested", "A line can cross both balls, or only the farther one, wherever its origin is: test both.", lesson},
			general(func(b *body) crossings {
				if b.y < b.length/2 {
					return b.ends(b.c.A)
				}
				return b.ends(b.c.B)
			})},
		{Mistake{"the cylinder has no end", "The body reaches from height 0 to L along the axis. Crossings above or below that range count only if they belong to a ball.", lesson},
			general(func(b *body) crossings {
				if !b.ok || parallel(b) {
					return crossings{}
				}
				return crossingsAt(b.r, rightNormal(b.c), b.near, b.far)
			})},
		{Mistake{"parallel is tested as exactly 0", "|w|² - (w · d)² is rarely exactly 0 for a line along the axis: rounding leaves a small number of either sign, and dividing by it gives nonsense. Split origin and direction into parts along and across the axis, and treat a line as parallel if the part across is only rounding error.", lesson},
			func(q *lineQuestion) crossings {
				b := bodyOf(q)
				fa := q.ray.Origin.Sub(b.c.A)
				ww, wd, wf := b.w.Norm2(), b.w.Dot(q.ray.Dir), b.w.Dot(fa)
				a := ww - float64(wd*wd)
				if a == 0 {
					return solveLine(q)
				}
				half := float64(ww*fa.Dot(q.ray.Dir)) - float64(wf*wd)
				c := float64(ww*fa.Norm2()) - float64(wf*wf) - float64(float64(b.c.Radius*b.c.Radius)*ww)
				h := float64(half*half) - float64(a*c)
				if h < 0 {
					return crossings{}
				}
				b.near, b.far, b.ok = (-half-math.Sqrt(h))/a, (-half+math.Sqrt(h))/a, true
				return b.ends(b.c.A, b.c.B)
			}},
		{Mistake{"an axis of zero length divides by zero", "If a equals b, the axis has no direction: w / |w| is NaN. Such a capsule is a sphere.", lesson},
			func(q *lineQuestion) crossings {
				c := q.shape.(*shapes.Capsule)
				if c.A != c.B {
					return solveLine(q)
				}
				return crossings{}
			}},
		{Mistake{"the height and the length have different units", "Along the unit axis, the heights of the body run from 0 to L, not to 1. Along b - a itself, they run from 0 to L², not to L.", lesson},
			general(func(b *body) crossings {
				b.length = 1
				return b.ends(b.c.A, b.c.B)
			})},
		{Mistake{"the axis is not normalized", "Parts along the axis are dot products with a vector of length 1: divide b - a by its length.", lesson},
			general(func(b *body) crossings {
				long := *b
				long.u = b.w
				f := b.r.Origin.Sub(b.c.A)
				long.y, long.dy = f.Dot(long.u), b.r.Dir.Dot(long.u)
				long.f2, long.d2 = f.AddScaled(-long.y, long.u), b.r.Dir.AddScaled(-long.dy, long.u)
				a := long.d2.Norm2()
				mid := -long.f2.Dot(long.d2) / a
				disc := float64(b.c.Radius*b.c.Radius) - long.f2.AddScaled(mid, long.d2).Norm2()
				long.ok = !(disc < 0)
				h := math.Sqrt(disc / a)
				long.near, long.far = mid-h, mid+h
				if !long.ok {
					return crossings{}
				}
				return long.ends(b.c.A, b.c.B)
			})},
	}
	return lineMistakes{append(library, capsuleVariants()...), slices.Concat(capsuleNormals()), capsuleAlone()}
}
