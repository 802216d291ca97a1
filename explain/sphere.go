package explain

import (
	"pillbox/geom"
	"pillbox/internal/explain/formula"
	"pillbox/shapes"
)

// derivation is of floats: it comes out with the bits of package shapes.
type derivation = formula.Derivation[formula.Float]

// Chord is where a line crosses a solid, and through which part of its surface.
type Chord struct {
	OK                bool    // the line meets the solid; if not, the rest is zero
	Near, Far         float64 // distances from the origin, Near <= Far; equal where the line touches
	NearPart, FarPart string  // a capsule's body or ball, a box's face; "" where a solid has only one
}

// ballSymbols are the symbols of a ball's derivation; a capsule has two balls.
type ballSymbols struct{ f, b, l, disc, h, near, far string }

func sphereSymbols() ballSymbols {
	return ballSymbols{"f", "b", "l", "disc", "h", "t_near", "t_far"}
}

// sphereChord derives where the line o + t d crosses a sphere.
func sphereChord(d *derivation, s *shapes.Sphere) Chord {
	d.Given("c", formula.Vector(s.Center), "center")
	d.Given("r", formula.Real(s.Radius), "radius")
	return ballChord(d, "c", sphereSymbols())
}

// ballChord derives where the line o + t d crosses the ball of radius r around a center. See
// package shapes for the source.
func ballChord(d *derivation, center string, s ballSymbols) Chord {
	d.Let(s.f, "o - "+center, "from the center to the ray's origin")
	d.Let(s.b, "-("+s.f+" · d)", "where the line is nearest to the center")
	d.Let(s.l, s.f+" + "+s.b+" d", "from the center to that point, perpendicular to the line")
	d.Let(s.disc, "r² - |"+s.l+"|²", "discriminant: the square of half the chord")
	if d.HoldsThen(s.disc+" < 0", "the line passes by: no roots") {
		return Chord{}
	}
	if d.Holds(s.disc + " = 0") {
		d.Claim(s.disc+" = 0", "the line just touches: both roots are equal")
	}
	d.Let(s.h, "√"+s.disc, "half the chord")
	near := d.Let(s.near, s.b+" - "+s.h, "the line enters")
	far := d.Let(s.far, s.b+" + "+s.h, "the line leaves")
	return Chord{OK: true, Near: float64(near.Part(0)), Far: float64(far.Part(0))}
}

// sphereNormal derives the outward normal at an end of a sphere's chord.
func sphereNormal(d *derivation, e end) geom.Vec3 {
	d.Let("q", "f + "+e.root+" d", "from the center to the point")
	return roundNormal(d, "q", e.normal)
}

// roundNormal derives the unit vector along the one that leads from a center or an axis to
// the surface.
func roundNormal(d *derivation, away, normal string) geom.Vec3 {
	if d.HoldsThen("|"+away+"|² < 0.25 * r * r", "rounding has eaten that vector: face the ray instead") {
		return formula.Vec3(d.Let(normal, "-d", "outward normal"))
	}
	return formula.Vec3(d.Let(normal, away+" / |"+away+"|", "outward normal"))
}
