package shade

import "pillbox/geom"

// Gradient is a color for every direction: Top straight up, Bottom straight down, and linear in the
// cosine of the angle to up in between.
type Gradient struct{ Top, Bottom Color }

// Even returns a gradient with the color c in every direction.
func Even(c Color) Gradient { return Gradient{c, c} }

// IsEven reports whether the gradient is the same in every direction.
func (g Gradient) IsEven() bool { return g.Top == g.Bottom }

// Toward returns the color in direction dir: (1 - t) Bottom + t Top with t = (1 + c) / 2, where c is
// the cosine of the angle between dir and up. dir and up must have unit length.
func (g Gradient) Toward(dir, up geom.Vec3) Color {
	if g.Top == g.Bottom { // IsEven would copy g
		return g.Top // mixing would round
	}
	// The conversion is not redundant: compilers turn a division by 2 into a product, which they may
	// fuse with an addition.
	return g.Bottom.Mix(g.Top, float64((1+dir.Dot(up))/2))
}

// Level returns the color in any direction that is perpendicular to up.
func (g Gradient) Level() Color { return g.Bottom.Mix(g.Top, 0.5) }
