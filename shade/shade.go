// Package shade turns hits into color: linear-light colors, gradients, materials, lights, Lambert's
// law, mirror directions and the sRGB transfer function. It is arithmetic only: it does not depend on
// solids and casts no rays.
//
// Conventions: every [Color] is linear light with the primaries of sRGB, nominally 0 to 1 but not
// clamped. Only [FromSRGB8], [FromSRGB], [EncodeSRGB8], [Color.ExactSRGB8] and [Color.NearestSRGB] convert from and to
// sRGB. All functions are pure, safe for concurrent use, and give the same bits on every platform (see
// package geom for the rules they follow).
package shade

import "pillbox/geom"

// Color is linear light: red, green and blue.
type Color struct{ R, G, B float64 }

// String returns c in the form of a color in a scene file, such as [0.5, 0.5, 1], but as linear light.
func (c Color) String() string { return geom.Vec3{X: c.R, Y: c.G, Z: c.B}.String() }

// White returns the color whose three channels are 1.
func White() Color { return Color{1, 1, 1} }

// Gray returns the color with all three channels v.
func Gray(v float64) Color { return Color{v, v, v} }

// Add returns c + d.
func (c Color) Add(d Color) Color { return Color{c.R + d.R, c.G + d.G, c.B + d.B} }

// AddTimes adds d to c, n times in a row. It gives the same bits as adding n equal samples, which
// adding n d would not.
func (c Color) AddTimes(d Color, n int) Color {
	for range n {
		c = c.Add(d)
	}
	return c
}

// Sub returns c - d.
func (c Color) Sub(d Color) Color { return Color{c.R - d.R, c.G - d.G, c.B - d.B} }

// Mul returns the product of c and d, channel by channel, rounded so that the compiler
// cannot fuse it with a later addition.
func (c Color) Mul(d Color) Color {
	return Color{float64(c.R * d.R), float64(c.G * d.G), float64(c.B * d.B)}
}

// Scale returns c times s, rounded like [Color.Mul].
func (c Color) Scale(s float64) Color {
	return Color{float64(c.R * s), float64(c.G * s), float64(c.B * s)}
}

// Div returns c divided by s.
func (c Color) Div(s float64) Color { return Color{c.R / s, c.G / s, c.B / s} }

// Mix returns (1 - t) c + t d.
func (c Color) Mix(d Color, t float64) Color { return c.Scale(1 - t).Add(d.Scale(t)) }

// Luminance returns the luminance of the linear light c in sRGB's primaries (IEC 61966-2-1).
func (c Color) Luminance() float64 {
	return float64(0.2126*c.R) + float64(0.7152*c.G) + float64(0.0722*c.B)
}

// Clamp returns c with every channel limited to 0..1.
func (c Color) Clamp() Color { return Color{clamp(c.R), clamp(c.G), clamp(c.B)} }

// ClampTo returns c with every channel limited to 0..most, as colors multiplied by their opacity are.
func (c Color) ClampTo(most float64) Color {
	c = c.Clamp()
	return Color{min(c.R, most), min(c.G, most), min(c.B, most)}
}

func clamp(v float64) float64 {
	if v > 1 {
		return 1
	}
	if v > 0 {
		return v
	}
	return 0 // also for NaN
}

// Material is the surface of a solid: a matte color, mixed with a perfect mirror.
type Material struct {
	Albedo  Color    // the share of light that a matte surface returns, 0..1
	Mirror  float64  // the weight of the mirror, 0..1; the matte part has 1 - Mirror
	Checker *Checker // pattern on the faces of boxes, without effect on other solids; nil: no pattern; must not be modified
	Ghost   *Ghost   // makes the surface transparent; nil: an ordinary, opaque surface; must not be modified
	Value   *float64 // the value that Albedo stands for in a [Colormap], without effect on the picture; nil: none; must not be modified
}

// Ghost describes a transparent surface, which a ray passes straight on. Where a ray enters a hull of ghosts, its color is
// the share Share of the surface's color and the rest of what lies behind. All ghosts with equal [Surface] values are one
// hull, which a ray enters at most once. Ghosts cast no shadows. They cannot be mirrors.
type Ghost struct {
	Share float64 // of the surface in the color, greater than 0 and less than 1
	Hull  int64   // distinguishes hulls that look the same
}

// Veil returns the color of what lies behind g, seen through a surface of g with the color surface.
func (g *Ghost) Veil(behind, surface Color) Color { return behind.Mix(surface, g.Share) }

// VeilAlpha returns the opacity of what lies behind g, where 1 is opaque, together with a surface of g before it.
func (g *Ghost) VeilAlpha(behind float64) float64 {
	return float64((1-g.Share)*behind) + g.Share
}

// Surface describes the appearance of a [Material]: materials with equal surfaces look the same. It can be
// compared with == and be the key of a map.
type Surface struct {
	Albedo  Color
	Mirror  float64
	Checker Checker // zero: none
	Ghost   Ghost   // zero: none
}

// Surface returns the appearance of m.
func (m Material) Surface() Surface {
	s := Surface{Albedo: m.Albedo, Mirror: m.Mirror}
	if m.Checker != nil {
		s.Checker = *m.Checker
	}
	if m.Ghost != nil {
		s.Ghost = *m.Ghost
	}
	return s
}

// Light is a point light, a spot light or a directional light. Its strength does not fall off with
// distance. With a Radius or an Angle it has a size, so its shadows have soft edges.
type Light struct {
	// Directional selects parallel light that travels along Direction; Position and Cone are ignored. All
	// other light spreads from Position: along Direction if there is a Cone, or else in all directions.
	Directional bool
	Position    geom.Vec3
	Direction   geom.Vec3 // unit length; ignored for a point light
	Cone        Cone
	Radius      float64    // of the ball from which a point light or spot light shines; 0 for a point; ignored for a directional light
	Angle       geom.Angle // the angle that a directional light covers in the sky, 0..180 degrees; 0 for parallel light; ignored for other lights
	Color       Color
	Intensity   float64 // >= 0, multiplies Color
	Visible     bool    // whether mirrors show the ball of a point light or spot light with a Radius; camera rays do not
}

// IsSpot reports whether l is a spot light.
func (l *Light) IsSpot() bool { return !l.Directional && l.Cone != Cone{} }

// HasSize reports whether l is a light with a size.
func (l *Light) HasSize() bool { return l.Directional && l.Angle > 0 || !l.Directional && l.Radius > 0 }
