package course

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// sphereStage returns the stage about the crossings of a line and a sphere.
func sphereStage() kind {
	return lineStage(sphereAsks(), readLine, "sphere.md", portraitSphere())
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
