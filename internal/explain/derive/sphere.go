package derive

import (
	"pillbox/geom"
	"pillbox/internal/explain/formula"
	"pillbox/shapes"
)

// sphere derives what package shapes computes about a sphere.
type sphere struct{ *shapes.Sphere }

// ballSymbols are the symbols in the derivation of a ball; a capsule has two balls.
type ballSymbols struct{ f, b, l, disc, h, near, far string }

func sphereSymbols() ballSymbols {
	return ballSymbols{"f", "b", "l", "disc", "h", "t_near", "t_far"}
}

// Chord implements [Solid].
func (s sphere) Chord(d *Derivation) Chord {
	d.Given("c", formula.Vector(s.Center), "center")
	d.Given("r", formula.Real(s.Radius), "radius")
	return ballChord(d, "c", sphereSymbols())
}

// ballChord derives where the line o + t d crosses the ball of radius r around a center. See
// package shapes for the source.
func ballChord(d *Derivation, center string, s ballSymbols) Chord {
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

// Normal implements [Solid].
func (s sphere) Normal(d *Derivation, e End) geom.Vec3 {
	d.Let("q", "f + "+e.Root+" d", "from the center to the point")
	return roundNormal(d, "q", e.Normal)
}

// Touches implements [Solid].
func (s sphere) Touches(d *Derivation) bool {
	d.Given("c", formula.Vector(s.Center), "center")
	d.Given("r", formula.Real(s.Radius), "radius")
	d.Let("P'", "P - c", "the segment relative to the center")
	d.Let("Q'", "Q - c", "")
	d.Let("e", "Q' - P'", "along the segment")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: zero})
	return atMost(d, "|k|²", "r²")
}

// roundNormal derives the outward normal at a point of the surface. The symbol away is that of the vector to this
// point from the center, or from the closest point of the axis.
func roundNormal(d *Derivation, away, normal string) geom.Vec3 {
	if d.HoldsThen("|"+away+"|² < 0.25 * r * r", "rounding has canceled that vector: use the direction back along the ray") {
		return formula.Vec3(d.Let(normal, "-d", "outward normal"))
	}
	return formula.Vec3(d.Let(normal, away+" / |"+away+"|", "outward normal"))
}
