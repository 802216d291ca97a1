package shade

import "pillbox/geom"

// Cone is the cone into which a spot light shines, around its direction. The zero Cone means no cone:
// light spreads in all directions.
type Cone struct {
	Angle geom.Angle // full opening angle in degrees, 0 < Angle <= 180
	Edge  geom.Angle // angle from the cone's border inward to where the light has its full strength, 0 <= Edge <= Angle / 2
}

// Falloff is a [Cone] prepared for shading. A direction is compared by its cosine, so no angle is computed
// for a pixel.
type Falloff struct {
	Outer float64 // the cosine of Angle / 2, where the light begins
	Inner float64 // the cosine of Angle / 2 - Edge, where it has its full strength
}

// Falloff returns the prepared cone. For the zero Cone, the result is undefined.
func (c Cone) Falloff() Falloff {
	half := geom.Angle(float64(c.Angle / 2))
	_, outer := half.SinCos()
	_, inner := (half - c.Edge).SinCos()
	return Falloff{outer, inner}
}

// At returns the share of its strength, 0..1, that a spot light emits in a direction. cos is the cosine
// of the angle between this direction and the light's. The share is 0 outside the cone, 1 where cos is
// at least Inner, and 3u^2 - 2u^3 in between, with u = (cos - Outer) / (Inner - Outer). If the edge is
// 0, a direction on the border gets the full strength.
//
// Source: Pharr, Jakob and Humphreys, "Physically Based Rendering", 4th edition, 12.2.1, Spotlights.
func (f Falloff) At(cos float64) float64 {
	if cos >= f.Inner {
		return 1
	}
	if !(cos > f.Outer) {
		return 0
	}
	u := (cos - f.Outer) / (f.Inner - f.Outer)
	return float64(float64(u*u) * (3 - float64(2*u)))
}
