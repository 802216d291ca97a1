package explain

import (
	"pillbox/geom"
	"pillbox/internal/explain/formula"
	"pillbox/shapes"
)

// derivation computes with floats and gives the same bits as package shapes.
type derivation = formula.Derivation[formula.Float]

// Chord is where a line crosses a solid, and through which parts of its surface.
type Chord struct {
	OK                bool    // the line hits the solid; if not, the other fields are zero
	Near, Far         float64 // distances from the origin, Near <= Far; equal if the line is tangent
	NearPart, FarPart string  // a capsule's body or ball, a box's face; "" where a solid has only one
}

// ballSymbols are the symbols in the derivation of a ball; a capsule has two balls.
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
	d.Let(s.b, "-("+s.f+" · d)", "where the line is closest to the center")
	d.Let(s.l, s.f+" + "+s.b+" d", "from the center to that point, perpendicular to the line")
	d.Let(s.disc, "r² - |"+s.l+"|²", "discriminant: the square of half the chord")
	if d.HoldsThen(s.disc+" < 0", "the line misses: no roots") {
		return Chord{}
	}
	if d.Holds(s.disc + " = 0") {
		d.Claim(s.disc+" = 0", "the line is tangent: both roots are equal")
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

// roundNormal derives the normal from the vector that leads from a center or an axis to the surface.
func roundNormal(d *derivation, away, normal string) geom.Vec3 {
	if d.HoldsThen("|"+away+"|² < 0.25 * r * r", "rounding has canceled that vector: use the direction back along the ray") {
		return formula.Vec3(d.Let(normal, "-d", "outward normal"))
	}
	return formula.Vec3(d.Let(normal, away+" / |"+away+"|", "outward normal"))
}
