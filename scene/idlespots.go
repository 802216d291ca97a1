package scene

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/shade"
)

// idleSpots warns about spot lights whose cones reach no solid: their direction is probably wrong. It tests a ball
// around each solid, so it can overlook such a light. It does not check lights that are attached to the camera. Of
// the lights that a placement makes, it warns about at most one, and about none if any of them shines on a solid.
//
// After it has examined more than maxInspections pairs of a light and a solid, idleSpots checks no more lights and
// does not warn about placements.
func (l *loader) idleSpots() {
	s := l.scene
	if l.failed() || l.incomplete || s.Objects.Len() == 0 {
		return
	}
	const message = "shines on no solid: direction is the way the light travels, and cone its whole angle in degrees"
	busy, idle := make(map[*place]bool), make(map[*place]string) // placements, and the path of an idle light of each
	pairs := 0
	for i := range s.Lights {
		light := &s.Lights[i]
		if !light.IsSpot() || light.Attached {
			continue
		}
		o := s.root.lightOrigin(i)
		if pairs > maxInspections {
			return
		}
		shines, examined := s.shinesOnSolid(&light.Light)
		pairs += examined
		switch {
		case len(o.placed) == 0 && !shines:
			o.part.lights[o.index].table.Warn("direction", problem.CodeIdleLight, message)
		case len(o.placed) == 0:
		case shines:
			busy[o.placed[0].place] = true
		case idle[o.placed[0].place] == "":
			idle[o.placed[0].place] = o.path()
		}
	}
	for _, pl := range s.root.places {
		if path := idle[pl]; path != "" && !busy[pl] {
			pl.table.Warn("", problem.CodeIdleLight, "the light %s %s", text.EscapeName(text.ShortenMiddle(path)), message)
		}
	}
}

// shinesOnSolid reports whether a ball around any solid reaches into the cone of a spot light. It also returns the
// number of solids that it examined.
func (s *Scene) shinesOnSolid(l *shade.Light) (shines bool, examined int) {
	cos := l.Cone.Falloff().Outer
	sin := math.Sqrt(max(0, 1-float64(cos*cos)))
	for k, row := range kindTable() {
		for i := range s.Count(Kind(k)) {
			examined++
			if center, radius := row.ball(row.solid(s, i)); reaches(center.Sub(l.Position), radius, l.Direction, cos, sin) {
				return true, examined
			}
		}
	}
	return false, examined
}

// reaches reports whether a ball reaches into a cone. center is relative to the cone's apex. cos and sin are those of
// half the cone's angle, which is at most 90 degrees. Seen from the apex, half the ball's angle has the sine radius /
// distance. The ball reaches into the cone if the angle between the axis and the ball's center is at most the sum of
// the two half angles.
func reaches(center geom.Vec3, radius float64, axis geom.Vec3, cos, sin float64) bool {
	const slack = 1e-9 // much more than rounding: a missing warning is better than a wrong one
	distance := center.Norm()
	if distance <= radius {
		return true
	}
	seen := radius / distance
	return center.Dot(axis)/distance >= float64(cos*math.Sqrt(1-float64(seen*seen)))-float64(sin*seen)-slack
}
