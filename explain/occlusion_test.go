package explain

import (
	"bytes"
	"image"
	"strings"
	"testing"

	"pillbox"
	"pillbox/scene"
)

// TestOcclusionNamesHiders: the explanation counts the open directions and those that each solid hides. A disc at height 1 hides
// the form factor r^2 / (1 + r^2), here 1/2, and a ball behind it nothing.
func TestOcclusionNamesHiders(t *testing.T) {
	s, err := scene.Decode("disc.toml", []byte(`
[image]
width = 1
height = 1
[camera]
position = [0, 0.5, 0]
look_at = [0, 0, 0]
up = [0, 0, 1]
[shading]
samples = 256
occlusion = {}
[[box]]
name = "floor"
center = [0, -1, 0]
half_extents = [9, 1, 9]
[[cylinder]]
name = "disc"
a = [0, 1, 0]
b = [0, 1.1, 0]
radius = 1
[[sphere]]
name = "ball"
center = [0, 3, 0]
radius = 1
`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := New(p).Pixel(image.Point{})
	if err != nil {
		t.Fatal(err)
	}
	for detail, directions := range map[Detail]int{Usual: 0, Verbose: 256} {
		var text bytes.Buffer
		if err := x.Document(detail).WriteText(&text, TextStyle{}); err != nil {
			t.Fatal(err)
		}
		got := text.String()
		o := x.Samples[0].traced().Occlusion
		if n := o.Above.Open + o.Below.Open; n < 125 || n > 131 {
			t.Errorf("%+v are open, want 128", o.Sky)
		}
		for _, want := range []string{"Ambient light: " + openText(o), `cylinder "disc" hides `} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is missing in\n%s", want, got)
			}
		}
		if strings.Contains(got, `"ball" hides`) {
			t.Error("a ball behind the disc hides the sky")
		}
		if n := strings.Count(got, "direction ") - strings.Count(got, "direction of"); directions == 0 && strings.Contains(got, "direction 0,") || n < directions {
			t.Errorf("detail %v lists %d directions, want %d", detail, n, directions)
		}
	}
}
