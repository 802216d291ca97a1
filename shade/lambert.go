package shade

import (
	"math"

	"pillbox/geom"
)

// beforeLight is the fraction of the distance to a point light within which a solid can block it. Such a light may lie
// on a surface, as a lamp does on a ceiling. That surface must not block it, although rounding may put the hit slightly
// before the light. The error of the hit's distance is a few 2^-53 of the distance to the far end of the solid, divided
// by the sine of the angle between ray and surface. That is usually a thousand times less than 2^-40 of the distance to
// the light, which leaves room for large solids and small angles.
const beforeLight = 1 - 0x1p-40

// Toward returns the unit direction from p to the light, and the distance up to which a solid on that
// ray blocks the light: infinity for a directional light. For a point light at p itself, both are zero.
func (l *Light) Toward(p geom.Vec3) (dir geom.Vec3, reach float64) {
	if l.Directional {
		return l.Direction.Neg(), math.Inf(1)
	}
	d := l.Position.Sub(p)
	dist := d.Norm()
	if dist == 0 {
		return geom.Vec3{}, 0
	}
	return d.Div(dist), BeforeLight(dist)
}

// BeforeLight returns the distance up to which a solid on a ray blocks a light, or a point of a light with a size, at
// the distance dist. It is a little less than dist, because the light may lie on the surface of a solid.
func BeforeLight(dist float64) float64 { return float64(dist * beforeLight) }

// Cosine returns N.L, the cosine of the angle between a surface's unit normal and the unit direction
// toward a light. By Lambert's cosine law the light that falls on the surface is proportional to it;
// if it is not positive, the surface faces away and receives nothing.
//
// Source: Lambert, Photometria, 1760.
func Cosine(normal, toLight geom.Vec3) float64 { return normal.Dot(toLight) }

// Irradiance returns the irradiance from the light on a surface that it reaches: the light's strength times cos, 0 <
// cos <= 1. For a point light or a directional light, cos is the [Cosine]. For a spot light, it is the Cosine times the
// share that [Falloff.At] returns. For a light with a size, it is an average over the light, in which the parts that
// solids hide count as 0.
//
// There is no falloff with distance and no factor 1/pi, so a white surface facing a white light of intensity 1 is
// white. The renderer computes the same product with [Light.Strength], which it looks up once for many points.
func (l *Light) Irradiance(cos float64) Color { return l.Strength().Scale(cos) }

// Strength returns the light's color times its intensity.
func (l *Light) Strength() Color { return l.Color.Scale(l.Intensity) }

// Lambert returns the light that a matte surface reflects, which is equal in every direction: albedo
// times irradiance. The irradiance is the sum of the ambient light and the [Light.Irradiance] of every
// light that reaches the surface.
func Lambert(albedo, irradiance Color) Color { return albedo.Mul(irradiance) }
