package scene_test

import (
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/scene"
)

// TestFromSides compares where points on the axes of the world appear in the named views.
func TestFromSides(t *testing.T) {
	right, up, front := geom.Vec3{X: 1}, geom.Vec3{Y: 1}, geom.Vec3{Z: 1}
	type axes struct{ right, up geom.Vec3 } // the directions to the right and up in the picture
	want := map[string]axes{
		"front": {right, up}, "back": {right.Neg(), up}, "right": {front.Neg(), up}, "left": {front, up},
		"top": {right, front.Neg()}, "bottom": {right, front},
		"-z": {right, up}, "z": {right.Neg(), up}, "-x": {front.Neg(), up}, "x": {front, up}, "-y": {right, front.Neg()}, "y": {right, front},
	}
	ball := "[[sphere]]\ncenter = [3, 4, 5]\nradius = 2\n"
	zUp := map[string]axes{
		"front": {right, front}, "top": {right, up}, "right": {up, front}, "-z": {right, up}, "y": {right, front}, "-x": {up, front},
	}
	for text, views := range map[string]map[string]axes{ball: want, "up = \"z\"\n" + ball: zUp} {
		for name, is := range views {
			s, ok := decode(t, text).From(name)
			if !ok {
				t.Fatalf("there is no view %q", name)
			}
			v, err := s.View(300, 200)
			if err != nil {
				t.Fatal(err)
			}
			if got := v.Axes(); got.X != is.right || got.Y != is.up {
				t.Errorf("%s (%.8s...): got the axes %v and %v, want %v", name, text, got.X, got.Y, is)
			}
			if x, y, _ := v.Project(geom.Vec3{X: 3, Y: 4, Z: 5}); x != 150 || y != 100 {
				t.Errorf("%s: the ball is at (%v, %v), want the middle", name, x, y)
			}
		}
	}
	for _, name := range scene.ViewNames() {
		if _, ok := decode(t, ball).From(name); !ok {
			t.Errorf("there is no view %q", name)
		}
	}
	if _, ok := decode(t, ball).From("above"); ok {
		t.Error(`there is a view "above"`)
	}
}

// TestFromKeepsFilm verifies that a view of a moving scene shows all frames, and that tracks of the camera have no effect.
func TestFromKeepsFilm(t *testing.T) {
	text := `
[camera]
position = [0, 0, 9]
look_at = [0, 0, 0]
fov = 20
[animation]
duration = 1
fps = 4
[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = 1
[[animate]]
target = "ball.center"
times = [0, 1]
values = [[0, 0, 0], [4, 0, 0]]
[[animate]]
target = "camera.position"
times = [0, 1]
values = [[0, 0, 9], [9, 0, 9]]
`
	s, _ := decode(t, text).From("top")
	first, err := s.At(0)
	if err != nil {
		t.Fatal(err)
	}
	last, err := s.At(0.75)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := first.CameraFor(64, 64), last.CameraFor(64, 64); a != b || a.FOV != 20 || a.Position.X != 1.5 {
		t.Errorf("got the cameras %v and %v, want one of the middle between 0 and 3", a, b)
	}
	still, _ := decode(t, strings.Split(text, "[[animate]]")[0]+"[[animate]]"+strings.Split(text, "[[animate]]")[2]).From("top")
	if still.Moves() {
		t.Error("a scene in which only the camera moves moves in a view")
	}
}
