package shade

import (
	"math"

	"pillbox/geom"
)

// beforeLight is the fraction of the way to a light on which something can block it. A
// point light may lie on a surface, a lamp on a ceiling say, which does not block it
// although rounding may find that surface a little before the light: off by a few 2^-53 of
// the distance to the far end of the solid, over the sine of the angle at which it is
// crossed. That is some thousand times less than 2^-40 of the distance to the light, which
// leaves room for large solids and flat angles.
const beforeLight = 1 - 0x1p-40

// Toward returns the unit direction from p to the light and its reach: what the ray meets
// before that distance blocks the light. A directional light is infinitely far away. For a
// point light at p itself both are zero.
func (l *Light) Toward(p geom.Vec3) (dir geom.Vec3, reach float64) {
	if l.Directional {
		return l.Direction.Neg(), math.Inf(1)
	}
	d := l.Position.Sub(p)
	dist := d.Norm()
	if dist == 0 {
		return geom.Vec3{}, 0
	}
	return d.Div(dist), float64(dist * beforeLight)
}

// Cosine returns N.L, the cosine of the angle between a surface's unit normal and the unit direction
// toward a light. By Lambert's cosine law the light that falls on the surface is proportional to it;
// if it is not positive, the surface faces away and receives nothing.
//
// Source: Lambert, Photometria, 1760.
func Cosine(normal, toLight geom.Vec3) float64 { return normal.Dot(toLight) }

// Irradiance returns what the light adds to a surface that it reaches, given the [Cosine] there,
// 0 < cos <= 1. There is no falloff with distance and no factor 1/pi, so a white surface facing a
// white light of intensity 1 is white.
func (l *Light) Irradiance(cos float64) Color { return l.Strength().Scale(cos) }

// Strength returns the light's color times its intensity.
func (l *Light) Strength() Color { return l.Color.Scale(l.Intensity) }

// Lambert returns the light that a matte surface sends in every direction: its albedo times
// the irradiance, which is the ambient light plus that of every light that reaches it.
func Lambert(albedo, irradiance Color) Color { return albedo.Mul(irradiance) }

// Reflect returns the unit direction into which a mirror with unit normal n sends a ray of
// unit direction d. The normal may face either way.
func Reflect(d, n geom.Vec3) geom.Vec3 {
	// Normalizing keeps the length from drifting over many bounces.
	return d.AddScaled(-2*d.Dot(n), n).Unit()
}
