package course

import (
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
)

// TestDistancesAreJudgedFirst checks that an answer whose second distance, first point and first normal are wrong fails for the
// distance, without it for the point, and without both for the normal. A verdict states what before the error is right.
func TestDistancesAreJudgedFirst(t *testing.T) {
	q := &lineQuestion{geom.Ray{Origin: geom.Vec3{X: -3}, Dir: geom.Vec3{X: 1}}, &shapes.Sphere{Radius: 1}}
	wrong := geom.Vec3{Y: 1}
	for _, c := range []struct {
		spoil func(a *crossings)
		field string
	}{
		{func(a *crossings) { a.Normals[0], a.Points[0], a.T[1] = wrong, wrong, 3 }, "t[1]"},
		{func(a *crossings) { a.Normals[0], a.Points[1] = wrong, wrong }, "points[1]"},
		{func(a *crossings) { a.Normals[0] = wrong }, "normals[0]"},
	} {
		a := solveLine(q)
		c.spoil(&a)
		if p := judgeLine(q, a); p == nil || p.field != c.field {
			t.Errorf("the problem is %+v, want one with %s", p, c.field)
		}
	}
}
