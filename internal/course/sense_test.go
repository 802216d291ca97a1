package course

import (
	"strings"
	"testing"

	"pillbox/geom"
)

// TestSense checks how the function sense describes the difference between a wrong vector and the right one, such
// as "reversed" or "mirrored".
func TestSense(t *testing.T) {
	v := geom.Vec3{X: 0.2, Y: -0.5, Z: 0.7}
	for _, c := range []struct {
		got  geom.Vec3
		says string
	}{
		{v.Neg(), "reversed"},
		{v.Scale(2.5), "scaled: 2.5 times the right one"},
		{geom.Vec3{X: -v.X, Y: v.Y, Z: v.Z}, "mirrored: x has the wrong sign"},
		{geom.Vec3{X: -v.X, Y: -v.Y, Z: v.Z}, "turned by half a turn: x and y have the wrong signs"},
		{geom.Vec3{X: v.X, Y: v.Z, Z: v.Y}, "the right one with y and z exchanged"},
		{v.Add(geom.Vec3{X: 0.25, Y: 0.25, Z: 0.25}), "offset: each number is +0.25 off"},
		{geom.Vec3{X: 0.3, Y: 0.1, Z: 0.4}, ""},
	} {
		if got := sense(v, c.got, [3]string{"x", "y", "z"}); got != c.says {
			t.Errorf("%v: %q, want %q", c.got, got, c.says)
		}
	}
}

// TestCameraSense checks that the description of a mirrored picture refers to the camera's axes and contains the
// angle.
func TestCameraSense(t *testing.T) {
	s, _ := Find("camera")
	for k, mistake := range s.kind().suspects() {
		if mistake.Name != "x is mirrored" {
			continue
		}
		v := verdict(t, answered(t, s, Options{Count: 20}, func(q question) any { return q.(interface{ suspectAnswer(int) any }).suspectAnswer(k) }))
		if v.First == nil || !strings.Contains(v.First.Problem, "degrees; it is mirrored: its part to the right has the wrong sign") {
			t.Errorf("%+v", v.First)
		}
	}
}
