package scene_test

import (
	"bytes"
	"slices"
	"testing"

	"pillbox"
	"pillbox/internal/fixture/effort"
	"pillbox/scene"
)

// TestExportBetweenKeys exports an animated scene at many times between the keys of its colors. The exported scenes
// must render to the same pixels: most interpolated colors are not the light of any sRGB color.
func TestExportBetweenKeys(t *testing.T) {
	s, err := scene.Decode("colors.toml", []byte(`
image = { width = 8, height = 6 }
camera = { position = [0, 0, 4], look_at = [0, 0, 0], fov = 60 }
material.tiles = { color = "gold", checker = { color = "navy", size = 0.3 } }
light = [{ name = "lamp", position = [3, 4, 5] }]
sphere = [{ name = "ball", center = [-1, 0, 0], radius = 0.9, color = "white" }]
box = [{ center = [1, 0, 0], half_extents = [0.8, 0.8, 0.8], rotate = [10, 20, 30], material = "tiles" }]
part.p = { capsule = [{ a = [0, 1, 0], b = [0, 2, 0], radius = 0.5 }] }
place = [{ name = "copies", part = "p", count = 2, step = { position = [1, 0, 0] } }]
animation = { duration = 2 }
animate = [
	{ target = "ball.color", times = [0, 1], values = ["white", "black"] },
	{ target = "copies.color", times = [0, 2], values = ["#123456", "tomato"] },
	{ target = "lamp.color", times = [0, 1], values = ["white", "#ff8000"] },
	{ target = "image.background", times = [0, 1], values = [{ top = "white", bottom = "navy" }, { top = "#335577", bottom = "#775533" }] },
	{ target = "shading.ambient", times = [0, 1], values = [{ top = 0.5, bottom = "#101010" }, { top = "teal", bottom = 0.1 }] },
]
`))
	if err != nil {
		t.Fatal(err)
	}
	pixels := func(s *scene.Scene) []uint8 {
		film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return film.Image.Pix
	}
	for i := 0; i < 199; i += effort.Of(7, 1, 1) {
		at, err := s.At(float64(i+1) / 200)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := at.WriteTOML(&file); err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		again, err := scene.Decode("flat.toml", file.Bytes())
		if err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		if !slices.Equal(pixels(again), pixels(at)) {
			t.Errorf("frame %d: the exported scene has other pixels:\n%s", i, file.Bytes())
		}
	}
}
