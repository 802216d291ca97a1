package scene_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"pillbox/scene"
)

// pointScene has a text of each kind with the given size. It moves.
func pointScene(size string) string {
	return strings.ReplaceAll(`
label = [{ text = "a", on = "s", size = SIZE }]
dimension = [{ from = [0, 0, 0], to = [1, 0, 0], size = SIZE }]
angle = [{ at = [0, 0, 0], from = [1, 0, 0], to = [0, 1, 0], size = SIZE }]
title = { text = "t", size = SIZE }
axes = { at = [0, 0, 0], length = 1, size = SIZE }
scale_bar = { length = 1, size = SIZE }
legend = { materials = ["m"], size = SIZE }
colormap = { range = [0, 1], size = SIZE }
material.m = { color = "red" }
camera = { direction = [0, 0, -1], projection = "orthographic" }
animation = { duration = 1 }
sphere = [{ center = [0, 0, 0], radius = 1, name = "s", value = 0.5 }, { center = [0, 0, 0], radius = 2, material = "m" }]
animate = [{ target = "s.radius", times = [0, 1], values = [1, 2] }]
`, "SIZE", size)
}

// sizes returns the sizes of all texts of a scene.
func sizes(s *scene.Scene) []float64 {
	a := &s.Annotations
	return []float64{
		a.Labels[0].Size, a.Dimensions[0].Size, a.Angles[0].Size, a.Title.Size, a.Axes.Size, a.ScaleBar.Size, a.Legend.Size, a.ColorBar.Size,
	}
}

// TestSizesInPoints checks sizes such as "9pt" of all kinds of texts: 96 pixels per inch by default, those of Print otherwise,
// also at another time. The scene from which another one was printed keeps its sizes.
func TestSizesInPoints(t *testing.T) {
	s := decode(t, pointScene(`"9pt"`))
	want := func(s *scene.Scene, size float64) {
		t.Helper()
		for i, got := range sizes(s) {
			if got != size {
				t.Errorf("text %d has the size %v, want %v", i, got, size)
			}
		}
	}
	want(s, 12)
	frame, err := s.At(0.5)
	if err != nil {
		t.Fatal(err)
	}
	want(frame, 12)
	if err := frame.Print(600); err != nil {
		t.Fatal(err)
	}
	want(frame, 75)
	if other, err := s.At(0.25); err != nil {
		t.Error(err)
	} else {
		want(other, 75) // the frames of a film have one camera, and so one resolution
	}
	if err := s.Print(300); err != nil {
		t.Fatal(err)
	}
	want(s, 37.5)
	var b bytes.Buffer
	if err := s.WriteTOML(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), `size = "9pt"`); n != 8 {
		t.Errorf("the scene was written with %d sizes in points:\n%s", n, &b)
	}
	pixels := decode(t, pointScene("20"))
	if err := pixels.Print(300); err != nil {
		t.Fatal(err)
	}
	want(pixels, 20)
	for _, density := range []float64{0, -1, math.Inf(1), math.NaN()} {
		if s.Print(density) == nil {
			t.Errorf("a scene with %v pixels per inch", density)
		}
	}
}

// TestFramingLeavesRoomForPrintedTexts checks that a camera of a film leaves more room for a title that is larger in print.
func TestFramingLeavesRoomForPrintedTexts(t *testing.T) {
	s := decode(t, pointScene(`"9pt"`))
	small := s.CameraFor(400, 300).ViewHeight
	if err := s.Print(192); err != nil {
		t.Fatal(err)
	}
	if large := s.CameraFor(400, 300).ViewHeight; large <= small {
		t.Errorf("the picture is %v high, and %v with small texts", large, small)
	}
}

// TestWrongSizesInPoints checks the errors of invalid sizes.
func TestWrongSizesInPoints(t *testing.T) {
	for size, want := range map[string]string{
		`"9 pt"`: "must be a number of pixels", `"pt"`: "must be a number of pixels", `"9"`: "must be a number of pixels", `"1e3pt"`: "must be a number of pixels",
		`"0.1pt"`: "must lie between 0.75pt and 750pt", `"751pt"`: "must lie between 0.75pt and 750pt", `"1.2.3pt"`: "must be a number of pixels",
		`"9.pt"`: "must be a number of pixels", `".9pt"`: "must be a number of pixels", "true": "must be a number",
	} {
		text := fmt.Sprintf("sphere = [{ center = [0, 0, 0], radius = 1 }]\ntitle = { text = \"t\", size = %s }\n", size)
		if _, err := scene.Decode("s.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), "title.size: "+want) {
			t.Errorf("size = %s: %v, want %q", size, err, want)
		}
	}
}
