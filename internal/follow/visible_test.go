package follow_test

import (
	"math"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/follow"
	"pillbox/internal/sampler"
	"pillbox/scene"
)

// TestVisibleLights checks which lights a mirror shows: visible ones with a radius, where the reflected ray meets their ball
// before any solid, the nearest first, and spot lights only where they shine.
func TestVisibleLights(t *testing.T) {
	const red, blue, behind = 2, 3, 1 // colors as multiples of a channel; 1 is the background
	for text, want := range map[string]float64{
		"":                behind,
		"visible = false": behind,
		"visible = true":  red,
		"visible = true\ndirection = [0, -1, 0]\ncone = 40":                                                                red,
		"visible = true\ndirection = [0, 1, 0]\ncone = 40":                                                                 behind,
		"visible = true\n[[light]]\nposition = [0, 4, 0]\nradius = 0.1\nintensity = 3\nvisible = true":                     red,
		"visible = true\n[[light]]\nposition = [0, 2, 0]\nradius = 0.1\nintensity = 3\nvisible = true":                     blue,
		"visible = true\n[[sphere]]\ncenter = [0, 2, 0]\nradius = 0.1\ncolor = \"black\"":                                  0,
		"visible = true\n[[sphere]]\ncenter = [0, 6, 0]\nradius = 0.1\ncolor = \"black\"":                                  red,
		"visible = true\n[[sphere]]\ncenter = [0, 2, 0]\nradius = 0.1\ncolor = \"black\"\nghost = 0.5":                     red / 2.0,
		"visible = true\n[[sphere]]\ncenter = [0, 6, 0]\nradius = 0.1\ncolor = \"black\"\nghost = 0.5":                     red,
		"visible = true\n[[section]]\npoint = [0, 1, 0]\nnormal = [0, 1, 0]\n[[sphere]]\ncenter = [0, 2, 0]\nradius = 0.1": red,
	} {
		s, err := scene.Decode("test.toml", []byte(`
			image.background = "white"
			camera = { position = [0, 1, 5], look_at = [0, 0, 0] }
			shading = { ambient = 0 }
			[material.mirror]
			mirror = 1
			[[box]]
			center = [0, -1, 0]
			half_extents = [9, 1, 9]
			material = "mirror"
			[[light]]
			position = [0, 3, 0]
			radius = 0.5
			intensity = 2
		`+text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		p, err := pillbox.Prepare(s, pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		st := follow.Of(p)
		down := st.Follow(st.ViewerRay(geom.Ray{Origin: geom.Vec3{Y: 0.5}, Dir: geom.Vec3{Y: -1}}), sampler.Position{}, nil)
		if got := down.Color.R; math.Abs(got-want) > 1e-12 {
			t.Errorf("%q: the mirror shows %v, want %v", text, got, want)
		}
		if up := st.Follow(st.ViewerRay(geom.Ray{Origin: geom.Vec3{Y: 0.5}, Dir: geom.Vec3{Y: 1}}), sampler.Position{}, nil); up.Light != 0 {
			t.Errorf("%q: a ray of the camera ends at a light", text)
		}
	}
}
