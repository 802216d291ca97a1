package explain

import (
	"encoding/json"
	"image"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/scene"
	"pillbox/shade"
)

// ghostScene has ghosts in front of each other, of a mirror and of the background. A section cuts them.
func ghostScene(t *testing.T, background string) *scene.Scene {
	t.Helper()
	s, err := scene.Decode("ghosts.toml", []byte(`
[image]
width = 36
height = 24
antialias = 2
background = "`+background+`"
[camera]
position = [0, 0, 9]
look_at = [0, 0, 0]
[shading.occlusion]
[fog]
strength = 0.5
[[light]]
position = [4, 6, 5]
radius = 0.5
[[section]]
name = "lid"
point = [0, 0, 1]
normal = [0, 0, 1]
color = "green"
[material.shell]
color = "#3f7fbf"
ghost = 0.35
[[sphere]]
name = "front"
center = [0, 0, 0]
radius = 2
material = "shell"
[[capsule]]
name = "inner"
a = [-2, 0, 0]
b = [2.5, 0, 0]
radius = 0.7
color = "orange"
ghost = 0.2
[[box]]
name = "wall"
center = [0, -1.5, -3]
half_extents = [2, 1, 0.5]
color = "red"
[material.glossy]
color = "#c0c0c0"
mirror = 0.5
[[box]]
name = "mirror"
center = [-2.4, 1, -2]
half_extents = [1, 1, 0.2]
rotate = [0, 35, 0]
material = "glossy"
`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPixelsWithGhostsEqualRender(t *testing.T) {
	for _, background := range []string{"white", "transparent"} {
		checkPixels(t, ghostScene(t, background), pillbox.Options{})
	}
}

// TestStatementsAboutGhosts checks for the pixels of a scene that every equation follows from the numbers above it, that the
// derived color is that of the ray, that the contributions add up to it, and that the JSON has the layers.
func TestStatementsAboutGhosts(t *testing.T) {
	schema := compile(t)
	layers := make(map[int]int)
	for _, background := range []string{"white", "transparent"} {
		p, err := pillbox.Prepare(ghostScene(t, background), pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(p)
		for y := 0; y < 24; y += effort.Of(7, 1, 1) {
			for x := y % 3; x < 36; x += 3 {
				pixel, err := tracer.Pixel(image.Pt(x, y))
				if err != nil {
					t.Fatal(err)
				}
				replay(t, pixel.Document(Verbose), floatsOf)
				data, err := validate(t, schema, pixel, Usual)
				if err != nil {
					t.Fatal(err)
				}
				checkGhosts(t, tracer, pixel.Samples[0].Path, data)
				layers[len(pixel.Samples[0].Ghosts)]++
			}
		}
	}
	for n := range 3 {
		if layers[n] < 5 {
			t.Errorf("only %d rays enter %d ghosts", layers[n], n)
		}
	}
}

func checkGhosts(t *testing.T, tracer *Tracer, path *Path, data []byte) {
	t.Helper()
	q := path.traced()
	var sum shade.Color
	for _, c := range tracer.contributions(q) {
		sum = sum.Add(c.Color)
	}
	if !isNear(sum, q.Color) {
		t.Fatalf("the contributions are %v, the color is %v", sum, q.Color)
	}
	var got struct {
		Samples []struct {
			Ghosts []struct {
				Hit struct {
					Object int32
					T      float64
				}
				Share float64
				Color [3]float64
			}
			Behind [3]float64
		}
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	s := got.Samples[0]
	if len(s.Ghosts) != len(path.Ghosts) {
		t.Fatalf("%d ghosts in JSON, want %d", len(s.Ghosts), len(path.Ghosts))
	}
	color := shade.Color{R: s.Behind[0], G: s.Behind[1], B: s.Behind[2]}
	for i := len(s.Ghosts) - 1; i >= 0; i-- {
		g := s.Ghosts[i]
		color = color.Mix(shade.Color{R: g.Color[0], G: g.Color[1], B: g.Color[2]}, g.Share)
		if want := path.Ghosts[i].Hit; g.Hit.Object != want.Object || g.Hit.T != want.T {
			t.Fatalf("ghost %+v, want %+v", g, *want)
		}
	}
	if len(s.Ghosts) > 0 && color != q.Color {
		t.Fatalf("the layers mix to %v, want %v", color, q.Color)
	}
}

// TestMixtureNamesLayers compares the sentence about the layers of a ray with a text.
func TestMixtureNamesLayers(t *testing.T) {
	for background, ends := range map[string][2]string{
		"white":       {"the background", "The ray hits no solid but ghosts before the background"},
		"transparent": {"the transparent background", "The ray hits no solid but ghosts, and the background is transparent."},
	} {
		p, err := pillbox.Prepare(ghostScene(t, background), pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		ray, err := New(p).Ray(geom.Vec3{Z: 9}, geom.Vec3{Z: -1})
		if err != nil {
			t.Fatal(err)
		}
		text := written(t, ray.Document(Brief), TextStyle{})
		text = strings.Join(strings.Fields(text), " ")
		for _, want := range []string{
			`The ray enters ghosts, so its color is a mixture: 35 % sphere "front" at 8, on the cut face of section "lid", 65 % of what is behind it: 20 % capsule "inner" at 8.3, 80 % of what is behind it: ` + ends[0] + ".",
			ends[1],
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s\nlacks: %s", text, want)
			}
		}
	}
}
