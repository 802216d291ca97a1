package shade

import "pillbox/geom"

// Sky counts sampled directions above a surface: all of them, and the open ones, in which no solid hides the sky. The
// density of the samples is proportional to the cosine of the angle to the surface's normal. Directions above the
// horizon are counted apart from those below. The zero Sky has no directions.
type Sky struct{ Above, Below Part }

// Part counts the directions in a part of the sky.
type Part struct{ Open, All int }

// Add counts the unit direction dir; up has unit length, too. A direction along the horizon counts as above.
func (s *Sky) Add(dir, up geom.Vec3, isOpen bool) {
	part := &s.Above
	if dir.Dot(up) < 0 {
		part = &s.Below
	}
	part.All++
	if isOpen {
		part.Open++
	}
}

// Share returns the number of open directions divided by the number of all directions, which must not be 0. If the
// ambient light is the same from all directions, this share of it arrives at the surface.
func (s *Sky) Share() float64 {
	return float64(s.Above.Open+s.Below.Open) / float64(s.Above.All+s.Below.All)
}

// share returns the share of open directions in a part. If no direction was sampled in the part, it returns the share
// of the whole sky.
func (s *Sky) share(p Part) float64 {
	if p.All == 0 {
		return s.Share()
	}
	return float64(p.Open) / float64(p.All)
}

// Under returns the ambient light that arrives at a surface with the unit normal n if s counts the open directions
// above it. s must have at least one direction. up has unit length.
//
// [Gradient.Toward] is the light that arrives if the sky is Top above the horizon, Bottom below, and open everywhere.
// Weighted by the cosine of the angle to n, the share (1 + n.up) / 2 of the directions above the surface points above
// the horizon. So Under multiplies each of the two parts of that light by the open share of its part of the sky. If all
// directions are open, the result is exactly that of Toward.
func (g Gradient) Under(s *Sky, n, up geom.Vec3) Color {
	if g.IsEven() {
		return g.Top.Scale(s.Share())
	}
	t := float64((1 + n.Dot(up)) / 2)
	return g.Bottom.Scale(float64((1 - t) * s.share(s.Below))).Add(g.Top.Scale(float64(t * s.share(s.Above))))
}
