package shade

import "pillbox/geom"

// Gradient is a color for every direction: Top straight up, Bottom straight down, and mixed
// linearly in between.
type Gradient struct{ Top, Bottom Color }

// Even returns the gradient that is c in every direction.
func Even(c Color) Gradient { return Gradient{c, c} }

// IsEven reports whether the gradient is the same in every direction.
func (g Gradient) IsEven() bool { return g.Top == g.Bottom }

// Toward returns the color in a direction: with u the cosine of the angle between it and up, both
// of unit length, Bottom and Top are mixed by (1 + u) / 2.
func (g Gradient) Toward(dir, up geom.Vec3) Color {
	if g.IsEven() {
		return g.Top // mixing a color with itself would round
	}
	// The conversion is not redundant: compilers turn a division by 2 into a product.
	return g.Bottom.Mix(g.Top, float64((1+dir.Dot(up))/2))
}

// Level returns the color in any direction that is perpendicular to up.
func (g Gradient) Level() Color { return g.Bottom.Mix(g.Top, 0.5) }
