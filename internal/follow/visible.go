package follow

import (
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shade"
	"pillbox/shapes"
)

// addLight ends a reflected ray at the nearest visible light whose ball it meets before its hit.
func (s *Prepared) addLight(q *Interaction) {
	if i, t, ok := s.LightMet(q.Ray, q.Hit.T); ok {
		q.Hit, q.Light = LightHit(t), i+1
	}
}

// LightHit returns the hit of a reflected ray that ends at a light at the distance t: one without an object.
func LightHit(t float64) accel.Hit { return accel.Hit{T: t, Object: accel.None} }

// MeetsLights reports whether reflected rays may meet lights.
func (s *Prepared) MeetsLights() bool { return len(s.visible) > 0 }

// LightMet returns the index of the nearest light that is visible and whose ball the reflected ray r meets before the
// distance reach, and the distance at which the ray enters the ball. Of equally distant lights, it returns the first. A spot
// light is met only where it shines.
func (s *Prepared) LightMet(r geom.Ray, reach float64) (index int, t float64, ok bool) {
	t = reach
	for _, i := range s.visible {
		l := &s.Lights[i]
		if !(l.Share(r.Dir) > 0) {
			continue
		}
		ball := shapes.Sphere{Center: l.Position, Radius: l.Radius}
		if span, meets := ball.Span(r); meets && 0 < span.Near.T && span.Near.T < t {
			index, t, ok = i, span.Near.T, true
		}
	}
	return index, t, ok
}

// Glow returns the color of a light with the given index for a ray that meets it in the direction dir.
func (s *Prepared) Glow(index int, dir geom.Vec3) shade.Color {
	l := &s.Lights[index]
	return l.Strength().Scale(l.Share(dir))
}
