package povray_test

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/convert/povray"
	"pillbox/internal/fixture"
	"pillbox/scene"
	"pillbox/shade"
)

const ball = `
[camera]
position = [0, 0, 4]
look_at = [0, 0, 0]
[[light]]
position = [3, 4, 5]
[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = 1
color = "white"
`

func decode(t *testing.T, text string) *scene.Scene {
	t.Helper()
	s, err := scene.Decode("test.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, s *scene.Scene) string {
	t.Helper()
	var b strings.Builder
	if err := povray.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func Example() {
	s, err := scene.Decode("ball.toml", []byte(ball))
	if err != nil {
		fmt.Println(err)
		return
	}
	var b bytes.Buffer
	if err := povray.Write(&b, s); err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "light_source") || strings.HasPrefix(line, "sphere {") {
			fmt.Print(line)
		}
	}
	// Output:
	// light_source { <3,4,5> rgb <1,1,1> }
	// sphere { <0,0,0>, 1 pigment { rgb <1,1,1> } } // "ball"
}

// TestSpotLight checks that the written keywords of a spot light give the scene's falloff in POV-Ray 3.7. According
// to its reference, POV-Ray compares the cosine of the direction with the cosines of two angles in degrees. Between
// them, it uses the cubic 3u^2 - 2u^3. The keyword tightness is the exponent of another factor.
func TestSpotLight(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	for range 200 {
		cone := 0.01 + 179.99*rng.Float64()
		edge := cone / 2 * rng.Float64()
		position := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
		along := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit()
		s := decode(t, ball)
		s.Lights[0].Light = shade.Light{Position: position, Direction: along, Cone: shade.Cone{Angle: geom.Angle(cone), Edge: geom.Angle(edge)}, Color: shade.White(), Intensity: 1}
		_, text, _ := strings.Cut(write(t, s), "light_source { ")
		var from, to geom.Vec3
		var radius, falloff, tightness float64
		if _, err := fmt.Sscanf(strings.NewReplacer("<", "", ">", "", ",", " ").Replace(text), "%g %g %g rgb 1 1 1 spotlight radius %g falloff %g tightness %g point_at %g %g %g",
			&from.X, &from.Y, &from.Z, &radius, &falloff, &tightness, &to.X, &to.Y, &to.Z); err != nil {
			t.Fatalf("%v in %q", err, text[:200])
		}
		if from != position || tightness != 0 || !(0 <= radius && radius <= falloff && falloff <= 90) {
			t.Fatalf("cone %v, edge %v: %v, radius %v, falloff %v, tightness %v", cone, edge, from, radius, falloff, tightness)
		}
		angle := falloff * 1.2 * rng.Float64()
		cos := func(degrees float64) float64 { return math.Cos(degrees * math.Pi / 180) }
		want := 1.0
		if c, inner, outer := cos(angle), cos(radius), cos(falloff); c < outer {
			want = 0
		} else if c < inner {
			u := (c - outer) / (inner - outer)
			want = (3 - 2*u) * u * u
		}
		if got := s.Lights[0].Cone.Falloff().At(cos(angle)); math.Abs(got-want) > 1e-6 || to.Sub(from).Unit().Sub(along).Norm() > 1e-14 {
			t.Errorf("cone %v, edge %v: at %v degrees %v, and %v in POV-Ray, along %v, want %v", cone, edge, angle, got, want, to.Sub(from).Unit(), along)
		}
	}
}

// TestAreaLights checks how lights with a size are written: a ball as a disc of its radius, and a directional light
// as a distant disc of the same angle. The disc's grid must have at least four times as many points as there are
// samples.
func TestAreaLights(t *testing.T) {
	s := decode(t, ball)
	s.Lights = []scene.Light{
		{Light: shade.Light{Position: geom.Vec3{Y: 9}, Radius: 0.75, Color: shade.White(), Intensity: 1}},
		{Light: shade.Light{Directional: true, Direction: geom.Vec3{X: -1}, Angle: 6, Color: shade.White(), Intensity: 1}},
		{Light: shade.Light{Position: geom.Vec3{Y: 9}, Direction: geom.Vec3{Y: -1}, Cone: shade.Cone{Angle: 40}, Radius: 0.5, Color: shade.White(), Intensity: 1}},
	}
	for samples, side := range map[int]int{1: 5, 4: 5, 16: 9, 64: 17, 4096: 129} {
		s.Shading.Samples = samples
		lights := strings.Split(write(t, s), "light_source { ")[1:]
		if want := fmt.Sprintf("<0,9,0> rgb <1,1,1> area_light <1.5,0,0>, <0,1.5,0>, %d, %d circular orient jitter adaptive 2 area_illumination on }", side, side); !strings.HasPrefix(lights[0], want) {
			t.Errorf("%s, want %s", lights[0], want)
		}
		var at geom.Vec3
		var width float64
		text := strings.NewReplacer("<", "", ">", "", ",", " ").Replace(lights[1])
		if _, err := fmt.Sscanf(text, "%g %g %g rgb 1 1 1 area_light %g", &at.X, &at.Y, &at.Z, &width); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if got := 2 * math.Atan(width/2/at.X) * 180 / math.Pi; math.Abs(got-6) > 1e-9 || at.X < 1000 || at.Y != 0 {
			t.Errorf("the sun is at %v, %v degrees across", at, got)
		}
		if !strings.Contains(lights[2], " spotlight ") || !strings.Contains(lights[2], " area_light <1,0,0>") {
			t.Errorf("%s is no spot light with an area", lights[2])
		}
	}
}

// TestWithoutShadows checks that without shadows, lights keep their cones and sizes. POV-Ray's keyword shadowless would
// make lights ignore both, so all solids must have the keyword no_shadow instead.
func TestWithoutShadows(t *testing.T) {
	s := decode(t, `
shading.shadows = false
light = [
	{ position = [0, 9, 0], direction = [0, -1, 0], cone = 40 },
	{ position = [0, 9, 0], radius = 1 },
	{ direction = [0, -1, 0], angle = 2 },
	{ direction = [0, -1, 0] },
]
sphere = [{ center = [0, 0, 0], radius = 1 }]
capsule = [{ a = [3, 0, 0], b = [3, 1, 0], radius = 1 }]
box = [{ center = [-3, 0, 0], half_extents = [1, 1, 1] }]
cylinder = [{ a = [0, 3, 0], b = [0, 4, 0], radius = 1 }]
`)
	if got := write(t, s); strings.Contains(got, "shadowless") || strings.Count(got, " no_shadow ") != s.Objects.Len() {
		t.Errorf("want no_shadow at every solid and no shadowless light, got\n%s", got)
	}
	s.Shading.Shadows = true
	if got := write(t, s); strings.Contains(got, "no_shadow") {
		t.Errorf("with shadows: %s", got)
	}
}

// TestPOVRayShowsPenumbras compares soft shadows with those that POV-Ray renders with many points per light.
func TestPOVRayShowsPenumbras(t *testing.T) {
	program, err := exec.LookPath("povray")
	if err != nil {
		t.Skip("povray is not installed")
	}
	s := decode(t, `
[image]
width = 80
height = 60
[camera]
position = [0, 5, 7]
look_at = [0, 0, 0]
[shading]
ambient = 0.1
samples = 256
[[light]]
position = [2, 5, 1]
radius = 0.8
intensity = 0.5
[[light]]
direction = [-1, -2, 1]
angle = 10
intensity = 0.4
[[sphere]]
center = [0, 1, 0]
radius = 0.7
[[box]]
center = [0, -0.1, 0]
half_extents = [5, 0.1, 5]
`)
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "scene.pov")
	if err := os.WriteFile(name, []byte(write(t, s)), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := fixture.POVRay(program, "", "+I"+name, "+O"+name+".png", "-D", "+W80", "+H60", "-A"); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name + ".png")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	off, far := 0, 0
	for y := range 60 {
		for x := range 80 {
			r, _, _, _ := picture.At(x, y).RGBA()
			d := math.Abs(float64(r>>8) - float64(film.Image.NRGBAAt(x, y).R))
			if d > 4 {
				off++
			}
			if d > 16 {
				far++
			}
		}
	}
	// If lights had no sizes, hundreds of pixels would differ: every penumbra.
	if off > 60 || far > 6 {
		t.Errorf("%d of 4800 pixels differ by more than 4 levels, %d by more than 16", off, far)
	}
}

// TestWriteLeavesOutWhatIsThere checks that a sphere that occurs as a ball and at the ends of two capsules is
// written once, as the ball.
func TestWriteLeavesOutWhatIsThere(t *testing.T) {
	const bone = "[[capsule]]\na = [0, 0, 0]\nb = [%d, 0, 0]\nradius = 1\n"
	got := write(t, decode(t, ball+fmt.Sprintf(bone, 2)+fmt.Sprintf(bone, -2)))
	if n := strings.Count(got, "<0,0,0>, 1 "); n != 1 { // the ball's
		t.Errorf("%d balls for the joint, want one, in\n%s", n, got)
	}
	if n := strings.Count(got, "sphere { <"); n != 3 {
		t.Errorf("%d spheres, want 3, in\n%s", n, got)
	}
}

// TestWriteCylinder checks that a cylinder is written as a closed cylinder. The cylinder of a capsule is open.
func TestWriteCylinder(t *testing.T) {
	for scale, unit := range map[float64]float64{1: 1, 0x1p-20: 0x1p23} {
		text := fmt.Sprintf("[[cylinder]]\nname = \"can\"\na = [0, %v, 0]\nb = [0, %v, 0]\nradius = %v\ncolor = \"white\"\n", -scale, scale, scale/2)
		want := fmt.Sprintf("\ncylinder { <0,%v,0>, <0,%v,0>, %v pigment { rgb <1,1,1> } } // \"can\"\n", -scale*unit, scale*unit, scale/2*unit)
		if got := write(t, decode(t, text)); !strings.HasSuffix(got, want) {
			t.Errorf("size %v: want %s at the end of\n%s", scale, want, got)
		}
	}
}

// TestWriteScales checks that lengths of tiny and huge scenes are scaled by a power of two, so that POV-Ray's
// tolerances do not matter. Lengths of other scenes must not be scaled.
func TestWriteScales(t *testing.T) {
	for size, want := range map[float64]string{1: "", 1e-6: "Lengths are 8.388608e+06 times", 1e9: "Lengths are 0.000244140625 times", 100: ""} {
		s := decode(t, fmt.Sprintf("[[sphere]]\ncenter = [0, 0, 0]\nradius = %v\n", size))
		if got := write(t, s); !strings.Contains(got, want) || strings.Contains(got, "Lengths") != (want != "") {
			t.Errorf("radius %g:\n%s\nwant %q", size, got, want)
		}
	}
}

// TestNamesEndNoComment checks that the name of a solid cannot end the comment in which it is written.
func TestNamesEndNoComment(t *testing.T) {
	s := decode(t, ball)
	s.Objects = s.Objects.With(0, scene.Object{Name: "a\nsphere { 0, 1 }\r*/ \u2028"})
	if got := write(t, s); strings.Count(got, "\nsphere") != 1 || !strings.HasSuffix(got, "\\u2028\"\n") {
		t.Errorf("%s", got)
	}
}

func TestNotes(t *testing.T) {
	s := decode(t, ball)
	if got := povray.Notes(s); got != nil {
		t.Errorf("without mirrors: %q", got)
	}
	s.Objects = s.Objects.With(0, scene.Object{Material: shade.Material{Mirror: 0.5}})
	if got := povray.Notes(s); len(got) != 1 || !strings.Contains(got[0], "4 times") {
		t.Errorf("with a mirror: %q", got)
	}
	s.Objects = s.Objects.With(0, scene.Object{Material: shade.Material{Ghost: &shade.Ghost{Share: 0.5}}})
	if got := povray.Notes(s); got != nil {
		t.Errorf("with a ghost of one solid: %q", got)
	}
	s.Lights = []scene.Light{{Light: shade.Light{Radius: 1, Visible: true, Cone: shade.Cone{Angle: 40}}}}
	if got := povray.Notes(s); len(got) != 2 || got[0] != "mirrors do not show spot lights" {
		t.Errorf("with a visible spot light: %q", got)
	}
	s.Lights = nil
	s.Objects = s.Objects.With(0, scene.Object{Material: shade.Material{Mirror: 0.5}})
	s.Shading.Bounces = 0
	if got := povray.Notes(s); got != nil || strings.Contains(write(t, s), "reflection") {
		t.Errorf("without bounces, mirrors are matte, got %q", got)
	}
	s.Shading.Occlusion.Enabled = true
	s.Lights = []scene.Light{{Light: shade.Light{Radius: 1}}, {Light: shade.Light{Directional: true, Angle: 2}}}
	if got := povray.Notes(s); len(got) != 2 || !strings.Contains(got[0], "occlusion") || !strings.Contains(got[1], "area lights") {
		t.Errorf("with occlusion and lights with a size: %q", got)
	}
}

func TestWriteRefuses(t *testing.T) {
	s := decode(t, ball)
	r, w := io.Pipe()
	r.CloseWithError(os.ErrClosed)
	if err := povray.Write(w, s); !errors.Is(err, os.ErrClosed) {
		t.Errorf("to a broken writer: %v", err)
	}
	s.Spheres[0].Radius = -1
	if err := povray.Write(io.Discard, s); err == nil {
		t.Error("a negative radius is written")
	}
}

// TestPOVRayReadsNothing checks that POV-Ray can render an exported scene without solids.
func TestPOVRayReadsNothing(t *testing.T) {
	program, err := exec.LookPath("povray")
	if err != nil {
		t.Skip("povray is not installed")
	}
	name := filepath.Join(t.TempDir(), "scene.pov")
	if err := os.WriteFile(name, []byte(write(t, decode(t, "[image]\nwidth = 8\nheight = 6\n"))), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := fixture.POVRay(program, "", "+I"+name, "+O"+name+".png", "-D", "+W8", "+H6"); err != nil {
		t.Error(err)
	}
}

// TestFlatAndOutline checks that flat colors are written as ambient light of 1 without mirrors, and that a note
// reports outlines, which are not written.
func TestFlatAndOutline(t *testing.T) {
	s, err := scene.Decode("flat.toml", []byte(`
		shading = { color = "flat" }
		outline = {}
		light = [{ position = [9, 9, 9] }]
		material.steel = { color = "red", mirror = 0.5 }
		sphere = [{ center = [0, 0, 0], radius = 1, material = "steel" }]`))
	if err != nil {
		t.Fatal(err)
	}
	if got := povray.Notes(s); len(got) != 1 || got[0] != "the lines of the outline are not exported" {
		t.Errorf("notes: %q", got)
	}
	var text strings.Builder
	if err := povray.Write(&text, s); err != nil {
		t.Fatal(err)
	}
	if got := text.String(); !strings.Contains(got, "ambient rgb <1,1,1>") || strings.Contains(got, "reflection") {
		t.Errorf("flat colors are exported as\n%s", got)
	}
}

// TestCutFacesStayInPlace checks the depths of cut faces: those of solids that overlap differ, in the order of the solids.
// Those of solids apart from each other do not get deeper with their number.
func TestCutFacesStayInPlace(t *testing.T) {
	const pairs = 500
	text := strings.Builder{}
	text.WriteString("[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n[[section]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n")
	for i := range 2 * pairs {
		fmt.Fprintf(&text, "[[sphere]]\ncenter = [%v, %d, 0]\nradius = 0.3\n", float64(i%2)/4, i/2)
	}
	var depths []float64
	for line := range strings.Lines(write(t, decode(t, text.String()))) {
		if _, plane, ok := strings.Cut(line, "plane { <0,0,1>, 0 translate <0,0,"); ok {
			var z float64
			if _, err := fmt.Sscanf(plane, "%g>", &z); err != nil {
				t.Fatal(err)
			}
			depths = append(depths, -z)
		}
	}
	if len(depths) != 2*pairs {
		t.Fatalf("%d cut faces, want %d", len(depths), 2*pairs)
	}
	for i, depth := range depths {
		if i%2 == 0 && depth != 0 || i%2 == 1 && !(0 < depth && depth <= 1e-3) {
			t.Errorf("the face of solid %d is at the depth %g", i, depth)
		}
	}
}
