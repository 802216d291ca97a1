package course

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// sphereStage returns the stage about the crossings of a line and a sphere.
func sphereStage() kind {
	return lineStage(sphereAsks(), readLine, "sphere.md", sphereMistakes(), portraitSphere())
}

// sphereAsks returns the kinds of questions about a line and a sphere.
func sphereAsks() []ask[lineQuestion] {
	sphere := func(d *dice) *shapes.Sphere {
		return &shapes.Sphere{Center: d.point(5), Radius: d.length(0.5, 3)}
	}
	// A dyadic sphere has numbers for which floating-point arithmetic is exact.
	dyadic := func(d *dice) *shapes.Sphere {
		eighths := func() float64 { return float64(d.IntN(65)-32) / 8 }
		return &shapes.Sphere{Center: geom.Vec3{X: eighths(), Y: eighths(), Z: eighths()}, Radius: float64(1+d.IntN(24)) / 8}
	}
	return append([]ask[lineQuestion]{
		{Ordinary, "through", func(d *dice) lineQuestion {
			s := sphere(d)
			return lineQuestion{d.rayInto(s, s.Center, s.Radius), s}
		}},
		{Ordinary, "past", func(d *dice) lineQuestion {
			s := sphere(d)
			r := d.rayInto(s, s.Center, s.Radius)
			return lineQuestion{toward(r.Origin, s.Center.AddScaled(s.Radius*d.between(1.2, 3), d.across(r.Dir))), s}
		}},
		{Degenerate, "tangent", func(d *dice) lineQuestion {
			s := dyadic(d)
			along := d.axis()
			side := d.acrossAxis(along)
			return lineQuestion{geom.Ray{Origin: s.Center.AddScaled(s.Radius, side).AddScaled(-float64(1+d.IntN(10)), along), Dir: along}, s}
		}},
		{Degenerate, "nearly tangent", func(d *dice) lineQuestion {
			s := sphere(d)
			along := d.direction()
			side := d.across(along)
			r := s.Radius * (1 - d.between(0.1, 1)*1e-6)
			return lineQuestion{geom.Ray{Origin: s.Center.AddScaled(r, side).AddScaled(-d.length(1, 10), along), Dir: along}, s}
		}},
		{Degenerate, "inside", func(d *dice) lineQuestion {
			s := sphere(d)
			return lineQuestion{geom.Ray{Origin: d.inBall(s.Center, s.Radius), Dir: d.direction()}, s}
		}},
		{Degenerate, "behind", func(d *dice) lineQuestion {
			s := sphere(d)
			r := d.rayInto(s, s.Center, s.Radius)
			return lineQuestion{geom.Ray{Origin: r.Origin, Dir: r.Dir.Neg()}, s}
		}},
		{Degenerate, "on the surface", func(d *dice) lineQuestion {
			s := dyadic(d)
			return lineQuestion{geom.Ray{Origin: s.Center.AddScaled(s.Radius, d.axis()), Dir: d.direction()}, s}
		}},
		{Degenerate, "from far away", func(d *dice) lineQuestion {
			s := sphere(d)
			return lineQuestion{toward(s.Center.AddScaled(math.Round(d.between(1, 9)*1e5), d.direction()), d.inBall(s.Center, s.Radius)), s}
		}},
	}, closeRound(sphere)...)
}

// rayInto returns a ray from a random point outside of the solid s toward a random point in the ball with the given
// center and radius.
func (d *dice) rayInto(s shapes.Shape, center geom.Vec3, radius float64) geom.Ray {
	for {
		from := d.point(12)
		if !shapes.Contains(s, from) {
			return toward(from, d.inBall(center, radius))
		}
	}
}

// quadratic is a line and a sphere as most books describe them: t² + 2 b t + c = 0.
type quadratic struct {
	s    *shapes.Sphere
	f    geom.Vec3 // from the center to the origin
	b, c float64
}

func quadraticOf(q *lineQuestion) quadratic {
	s := q.shape.(*shapes.Sphere)
	f := q.ray.Origin.Sub(s.Center)
	return quadratic{s, f, f.Dot(q.ray.Dir), f.Norm2() - float64(s.Radius*s.Radius)}
}

func sphereMistakes() lineMistakes {
	const lesson = "sphere.md"
	right := func(q *lineQuestion, ts ...float64) crossings { return crossingsAt(q.ray, rightNormal(q.shape), ts...) }
	// roots returns the crossings for a given b and discriminant.
	roots := func(q *lineQuestion, b, disc float64) crossings {
		switch h := math.Sqrt(disc); {
		case disc < 0:
			return crossings{}
		case disc == 0:
			return right(q, -b)
		default:
			return right(q, -b-h, -b+h)
		}
	}
	library := []lineVariant{
		{Mistake{"the radius is not squared", "The discriminant compares squares: |l|² with r², not with r.", lesson},
			func(q *lineQuestion) crossings {
				e := quadraticOf(q)
				return roots(q, e.b, float64(e.b*e.b)-(e.f.Norm2()-e.s.Radius))
			}},
		{Mistake{"the radius is not squared", "The discriminant compares squares: |l|² with r², not with r.", lesson},
			func(q *lineQuestion) crossings { // with the perpendicular
				e := quadraticOf(q)
				return roots(q, e.b, e.s.Radius-e.f.AddScaled(-e.b, q.ray.Dir).Norm2())
			}},
		{Mistake{"the roots are not halved", "With the coefficients 1, 2b and c of t² + 2bt + c = 0 the roots are -b ± √(b² - c); the formula with (2b)² - 4c divides by 2.", lesson},
			func(q *lineQuestion) crossings {
				e := quadraticOf(q)
				return roots(q, 2*e.b, 4*(float64(e.b*e.b)-e.c))
			}},
		{Mistake{"b has the wrong sign", "With f = o - c, from the center to the origin, b = -(f · d). Either the minus is missing, or f is reversed: the roots have the opposite sign.", lesson},
			func(q *lineQuestion) crossings {
				e := quadraticOf(q)
				return roots(q, -e.b, float64(e.b*e.b)-e.c)
			}},
		{Mistake{"the discriminant is a difference of large squares", "b² - (f · f - r²), as in the quadratic formula, and r² - (|f|² - b²) are such differences: from far away all digits are lost. Use the perpendicular: r² - |l|² with l = f + b d.", lesson + "#why-not-the-quadratic-formula"},
			func(q *lineQuestion) crossings {
				e := quadraticOf(q)
				return roots(q, e.b, float64(e.b*e.b)-e.c)
			}},
	}
	changes := append(roundNormals(lesson), lineChange{
		Mistake{"the normal forgets the center", "p / |p| is the normal of a sphere around (0, 0, 0). Subtract the center first.", lesson},
		normalChange(func(_ *lineQuestion, p, _ geom.Vec3, _ int) geom.Vec3 { return p.Unit() }),
	})
	return lineMistakes{append(library, rootVariants(lesson)...), slices.Concat(changes, radiusChanges(lesson), []lineChange{touching(lesson)}), sphereAlone()}
}
