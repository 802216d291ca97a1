// Package arealight computes the light that arrives from lights with a size: balls of light, and directional lights
// whose directions differ by up to an angle, like those from the disc of the sun.
//
// Seen from a point, the directions toward such a light form a [Cap]. The light shines evenly: all directions of the cap
// have the same radiance. If the whole cap is above a surface and nothing hides the light, the surface receives exactly
// as much as from a light without a size at the center. [Cap.Cosine] integrates Lambert's law over the part of the cap
// that is above the surface.
//
// [Cap.Points] chooses points of the light, with weights. If solids hide some of the points, the surface receives only a
// fraction of the integral: the weight of the visible points divided by the weight of all points. The fraction is exactly
// 1 if all points are visible, and exactly 0 if none is.
//
// The results have the same bits on every machine; see package geom for the rules.
package arealight

import (
	"math"

	"pillbox/geom"
	"pillbox/shade"
)

// Emitter is a light prepared for computing its caps. A light without a size has the zero Emitter.
type Emitter struct {
	center geom.Vec3 // of a ball
	radius float64   // of a ball, or 0
	sun    Cap       // of a directional light with a size; otherwise its Sin is 0
}

// minAngle is the smallest angle that counts. A directional light with a smaller angle is treated like one without a
// size, because rounding would make its directions nearly equal. The corresponding limit for balls is [geom.MinSize].
const minAngle = 1e-12 * geom.Degree

// New returns the emitter of a light.
func New(l *shade.Light) Emitter {
	switch {
	case l.Directional && l.Angle < minAngle || !l.Directional && l.Radius < geom.MinSize:
		return Emitter{}
	case l.Directional:
		sin, cos := (l.Angle / 2).SinCos()
		return Emitter{sun: Cap{Axis: l.Direction.Neg(), Sin: sin, Cos: cos, Distance: math.Inf(1)}}
	}
	return Emitter{center: l.Position, radius: l.Radius}
}

// HasSize reports whether the light has a size. If it returns false, the caps that From returns are meaningless.
func (e *Emitter) HasSize() bool { return e.radius > 0 || e.sun.Sin > 0 }

// Ball returns the center and the radius of a ball of light. The radius of a directional light is 0.
func (e *Emitter) Ball() (center geom.Vec3, radius float64) { return e.center, e.radius }

// Cap is the set of the directions from a point toward a light: those that differ from an axis by at most an angle, up
// to 90 degrees. For a point on the surface of a ball of light or inside it, the set is the hemisphere around the
// direction to the center.
type Cap struct {
	Axis     geom.Vec3 // unit direction toward the center; zero at the center itself
	Sin, Cos float64   // of the angle
	Distance float64   // from the point to the center; infinite for a directional light
}

// From returns the cap of the light seen from p.
func (e *Emitter) From(p geom.Vec3) (c Cap) {
	c.Aim(e, p)
	return c
}

// Aim sets c to the result of [Emitter.From]. It writes each field in place: a result with so many fields would be copied
// through memory.
func (c *Cap) Aim(e *Emitter, p geom.Vec3) {
	if e.radius == 0 {
		*c = e.sun
		return
	}
	d := e.center.Sub(p)
	dist := d.Norm()
	if c.Axis = d.Div(dist); dist == 0 {
		c.Axis = geom.Vec3{}
	}
	c.Sin, c.Cos, c.Distance = 1, 0, dist
	if dist > e.radius {
		c.Sin, c.Cos = e.radius/dist, math.Sqrt(float64((dist-e.radius)*(dist+e.radius)))/dist
	}
}

// IsInside reports whether the point lies inside the ball of the light or on its surface. No solid hides the light from
// such a point.
func (c *Cap) IsInside() bool { return c.Cos == 0 && !math.IsInf(c.Distance, 1) }

// IsWhole reports whether no part of the cap is below the horizon of a surface with the unit normal n.
func (c *Cap) IsWhole(n geom.Vec3) bool { return shade.Cosine(n, c.Axis) >= c.Sin }

// Cosine returns the light that a surface with the unit normal n receives if nothing is in between, as a factor of the
// light's strength, 0..1. If the whole cap is above the surface's horizon, this is the [shade.Cosine] toward the
// center; if the whole cap is below, it is 0. Otherwise it is the integral of the cosine over the part of the cap above
// the horizon, divided by pi times the square of the sine of the cap's angle.
//
// Source of the integral: Snyder, "Area light sources for real-time graphics", Microsoft Research, 1996.
func (c *Cap) Cosine(n geom.Vec3) float64 {
	cos := shade.Cosine(n, c.Axis)
	switch {
	case cos >= c.Sin:
		return cos
	case cos <= -c.Sin:
		return 0
	}
	return c.clipped(cos)
}

// clipped computes [Cap.Cosine] for a cap that the horizon cuts. cos is the cosine of the angle between the
// normal and the axis.
func (c *Cap) clipped(cos float64) float64 {
	// With the cap's angle a and w = sqrt(sin^2 a - cos^2), the integral divided by sin^2 a is
	//
	//	cos atan2(w, -cos cos a) + (atan(t) - w cos a) / sin^2 a, where t = w / cos a
	//
	// For a small cap, the difference in parentheses would lose most of its digits. There it is computed as
	// t sin^2 a - (t - atan t), which is equal.
	const small = 0.25
	w := math.Sqrt(float64((c.Sin - cos) * (c.Sin + cos)))
	rest := 0.0
	if t := w / c.Cos; t <= small {
		u := t / c.Sin
		rest = t - float64(float64(t*u)*float64(u*excess(float64(t*t))))
	} else {
		rest = (atan2(w, c.Cos) - float64(w*c.Cos)) / float64(c.Sin*c.Sin)
	}
	return max(0, (float64(cos*atan2(w, -float64(cos*c.Cos)))+rest)/math.Pi)
}

// excess returns (t - atan t) / t^3, given z = t^2, 0 <= z <= 1/16. It sums the series 1/3 - z/5 + z^2/7 - ...; the
// first term that is omitted is less than 1e-18.
func excess(z float64) float64 {
	const terms = 14
	sum := 0.0
	for k := terms - 1; k >= 0; k-- {
		sum = 1/float64(2*k+3) - float64(z*sum)
	}
	return sum
}

// atan2 returns the angle in radians between the vector (x, y) and the x axis, 0..pi. y must not be negative, and
// the length of the vector must lie between 1e-150 and 1e150. The error is a few units in the last place of pi.
// The function halves the angle three times, so that it needs the series only for angles up to an eighth of a
// right angle.
func atan2(y, x float64) float64 {
	if x < 0 {
		return math.Pi - atan2(y, -x)
	}
	t := y / (x + math.Sqrt(float64(x*x)+float64(y*y)))
	t /= 1 + math.Sqrt(1+float64(t*t))
	t /= 1 + math.Sqrt(1+float64(t*t))
	z := float64(t * t)
	return 8 * (t - float64(float64(t*z)*excess(z)))
}
