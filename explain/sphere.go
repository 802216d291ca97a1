package explain

import (
	"pillbox/geom"
	"pillbox/shapes"
)

// chord is where a line crosses a solid, and through which part of its surface.
type chord struct {
	ok                bool
	near, far         float64
	nearPart, farPart string // "" where a solid has only one
}

// chordNames are the symbols of a ball's derivation; a capsule has two balls.
type ballSymbols struct{ f, b, l, disc, h, near, far string }

func sphereSymbols() ballSymbols {
	return ballSymbols{"f", "b", "l", "disc", "h", "t_near", "t_far"}
}

// sphereChord derives where the line o + t d crosses a sphere.
func sphereChord(d *derivation[float], s *shapes.Sphere) chord {
	d.given("c", vector(s.Center), "centre")
	d.given("r", real(s.Radius), "radius")
	return ballChord(d, "c", sphereSymbols())
}

// ballChord derives where the line o + t d crosses the ball of radius r around a centre. See
// package shapes for the source.
func ballChord(d *derivation[float], center string, s ballSymbols) chord {
	d.let(s.f, "o - "+center, "from the centre to the ray's origin")
	d.let(s.b, "-("+s.f+" · d)", "where the line is nearest to the centre")
	d.let(s.l, s.f+" + "+s.b+" d", "from the centre to that point, perpendicular to the line")
	d.let(s.disc, "r² - |"+s.l+"|²", "discriminant: the square of half the chord")
	if d.holdsThen(s.disc+" < 0", "the line passes by: no roots") {
		return chord{}
	}
	if d.holds(s.disc + " = 0") {
		d.claim(s.disc+" = 0", "the line just touches: both roots are equal")
	}
	d.let(s.h, "√"+s.disc, "half the chord")
	near := d.let(s.near, s.b+" - "+s.h, "the line enters")
	far := d.let(s.far, s.b+" + "+s.h, "the line leaves")
	return chord{ok: true, near: float64(near.x[0]), far: float64(far.x[0])}
}

// sphereNormal derives the outward normal where the line crosses a sphere at t.
func sphereNormal(d *derivation[float]) geom.Vec3 {
	d.let("q", "f + t d", "from the centre to the point")
	return roundNormal(d, "q")
}

// roundNormal derives the unit vector along the one that leads from a centre or an axis to
// the surface.
func roundNormal(d *derivation[float], away string) geom.Vec3 {
	if d.holdsThen("|"+away+"|² < 0.25 * r * r", "rounding has eaten that vector: face the ray instead") {
		return vec3(d.let("n", "-d", "outward normal"))
	}
	return vec3(d.let("n", away+" / |"+away+"|", "outward normal"))
}
