package diagram

import (
	"errors"
	"image"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/scene"
)

// hall is a scene with a ball, a mirror, and a roof that shadows the space below it.
const hall = `
[image]
width = 8
height = 6
[camera]
position = [-3, 1, 0]
look_at = [0, 1, 0]
[[light]]
position = [0, 4, 0]
[[light]]
direction = [0, 0, -1]
[material.mirror]
color = "white"
mirror = 0.5
[[sphere]]
name = "ball"
center = [0, 0.5, 0]
radius = 0.5
[[box]]
name = "mirror"
center = [3, 1, 0]
half_extents = [0.1, 1, 2]
material = "mirror"
[[box]]
name = "roof"
center = [1, 3, 0]
half_extents = [1, 0.1, 1]
`

func tracerOf(t *testing.T, text string) *explain.Tracer {
	t.Helper()
	s, err := scene.Decode("hall.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := explain.New(prepared)
	return tracer
}

// TestKinds draws the kinds Path, Tree, Light and Camera. Each must contain the expected texts, and no text may
// cover another.
func TestKinds(t *testing.T) {
	tracer := tracerOf(t, hall)
	pixel, err := tracer.Pixel(image.Pt(4, 2))
	if err != nil {
		t.Fatal(err)
	}
	for kind, wants := range map[Kind][]string{
		Path:   {"p1", "light 0: blocked by box \"roof\"", "light 1: the surface faces away", "Its mirror, 0.5, reflects the ray."},
		Tree:   {"Green: boxes that the ray enters."},
		Light:  {"N", "L"},
		Camera: {"F", "right", "up", "pixel 4,2"},
	} {
		d, err := Draw(pixel, Options{Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(d.Texts(), "\n")
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", kind, want, text)
			}
		}
		if texts, _ := d.Collisions(); texts > 0 {
			t.Errorf("%s: %d texts cover each other", kind, texts)
		}
	}
}

// TestSpotLights checks that a diagram of the kind Path names each spot light. It must state the share of the
// light's strength that arrives, or that the point is outside the light's cone.
func TestSpotLights(t *testing.T) {
	tracer := tracerOf(t, `
[camera]
position = [-6, 3, 0]
look_at = [0, 0, 0]
[[light]]
position = [-2, 2, 0]
direction = [1, -1, 0]
cone = 40
edge = 20
[[light]]
position = [-3, 3, 0]
direction = [1, 0, 0]
cone = 40
[[box]]
name = "floor"
center = [0, -0.5, 0]
half_extents = [4, 0.5, 4]
`)
	x, err := tracer.Ray(geom.Vec3{X: -4, Y: 1}, geom.Vec3{X: 4.3, Y: -1})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Draw(x, Options{Kind: Path})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(d.Texts(), "\n")
	for _, want := range []string{"light 0: arrives, 0.", " of its strength", "light 1: the point is outside its cone"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if texts, _ := d.Collisions(); texts > 0 {
		t.Errorf("%d texts cover each other", texts)
	}
}

// TestPenumbra checks that a diagram of the kind Path shows a light that is hidden in part, and how much of it
// arrives.
func TestPenumbra(t *testing.T) {
	const text = `
[camera]
position = [-6, 3, 0]
look_at = [0, 0, 0]
[[light]]
position = [0, 2, 0]
radius = 0.5
[[capsule]]
name = "arm"
a = [0.3, 1, -1]
b = [0.3, 1, 1]
radius = 0.2
[[box]]
name = "floor"
center = [0, -0.5, 0]
half_extents = [4, 0.5, 4]
`
	x, err := tracerOf(t, text).Ray(geom.Vec3{X: -4, Y: 4}, geom.Vec3{X: 4.3, Y: -4})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Draw(x, Options{Kind: Path})
	if err != nil {
		t.Fatal(err)
	}
	texts := strings.ReplaceAll(strings.Join(d.Texts(), " "), "\n", " ")
	if !strings.Contains(texts, ` of 16 points arrive; capsule "arm" hides some`) {
		t.Errorf("the text does not state how much of the light arrives:\n%s", texts)
	}
	if !slices.Contains(d.Texts(), "light 0") {
		t.Errorf("the drawing does not show the light: %q", d.Texts())
	}
	if texts, _ := d.Collisions(); texts > 0 {
		t.Errorf("%d texts cover each other", texts)
	}
}

// TestKindsOfMiss checks the diagrams of a ray that hits nothing. They show the solid that it missed, or its path.
// The kind Light must be impossible, because there is no normal.
func TestKindsOfMiss(t *testing.T) {
	x, err := tracerOf(t, hall).Ray(geom.Vec3{Y: 9}, geom.Vec3{Y: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []Kind{"", Solid, Path, Tree} {
		d, err := Draw(x, Options{Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(d.Texts(), "\n")
		want := "The ray hits no solid; "
		if kind == Path {
			want = "Ray 1 hits nothing and sees the background."
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", kind, want, text)
		}
		if texts, _ := d.Collisions(); texts > 0 {
			t.Errorf("%s: %d texts cover each other", kind, texts)
		}
	}
}

// TestImpossibleKinds checks that Draw returns a [KindError] if a diagram of the requested kind is impossible.
func TestImpossibleKinds(t *testing.T) {
	parallel := tracerOf(t, "[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\nprojection = \"orthographic\"\nview_height = 4\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n")
	pixel := func(x, y int) explain.Explanation {
		p, err := parallel.Pixel(image.Pt(x, y))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	ray := func(toward geom.Vec3) explain.Explanation {
		r, err := parallel.Ray(geom.Vec3{Z: 9}, toward)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	const center = 20
	for _, c := range []struct {
		name string
		x    explain.Explanation
		kind Kind
		ok   bool
	}{
		{"orthographic", pixel(center, 15), Camera, false},
		{"orthographic", pixel(center, 15), Solid, true},
		{"a pixel that misses", pixel(0, 0), Light, false},
		{"a ray that misses", ray(geom.Vec3{Z: 1}), Light, false},
		{"a ray that hits", ray(geom.Vec3{Z: -1}), Light, true},
		{"a ray that hits", ray(geom.Vec3{Z: -1}), Camera, false},
		{"lights without a size", ray(geom.Vec3{Z: -1}), Disc, false},
		{"no ambient occlusion", ray(geom.Vec3{Z: -1}), Sky, false},
		{"a ray that misses", ray(geom.Vec3{Z: 1}), Disc, false},
		{"a ray that misses", ray(geom.Vec3{Z: 1}), Sky, false},
	} {
		_, err := Draw(c.x, Options{Kind: c.kind})
		var wrong *KindError
		if errors.As(err, &wrong) == c.ok || wrong != nil && wrong.Kind != c.kind || c.ok && err != nil {
			t.Errorf("%s, drawn as %s: %v", c.name, c.kind, err)
		}
	}
}

// shell is a scene whose camera and lamp are on different sides of a ball.
const shell = `
[camera]
position = [0, 0, 0]
look_at = [0, 0, -1]
[[light]]
position = [0, 4, 0]
[[sphere]]
name = "shell"
center = [0, 0, 0]
radius = 3
`

// TestEnclosed checks that a light outside of the ball that contains the camera is drawn as blocked: the same
// lines appear as for the visible light inside the ball, but in another color.
func TestEnclosed(t *testing.T) {
	draw := func(text string) (svg, texts string) {
		t.Helper()
		x, err := tracerOf(t, text).Ray(geom.Vec3{}, geom.Vec3{Z: -1, Y: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		d, err := Draw(x, Options{Kind: Path})
		if err != nil {
			t.Fatal(err)
		}
		var file strings.Builder
		if err := d.WriteSVG(&file); err != nil {
			t.Fatal(err)
		}
		return file.String(), strings.Join(d.Texts(), "\n")
	}
	const arrives = "#15803d"
	inside, texts := draw(strings.Replace(shell, "[0, 4, 0]", "[0, 2, 0]", 1))
	if !strings.Contains(inside, arrives) || !strings.Contains(texts, "light 0: arrives") {
		t.Errorf("the light inside the ball is not drawn as arriving:\n%s", texts)
	}
	outside, texts := draw(shell)
	if strings.Contains(outside, arrives) || !strings.Contains(texts, `light 0: blocked from inside by sphere "shell"`) {
		t.Errorf("the light outside of the ball is drawn as arriving:\n%s", texts)
	}
}
