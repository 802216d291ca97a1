package scene

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/BurntSushi/toml"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/problem"
	"pillbox/shade"
	"pillbox/shapes"
)

// decode decodes text, which must be valid. It may refer to a file atoms.csv.
func decode(t *testing.T, text string) *Scene {
	t.Helper()
	files := fstest.MapFS{"atoms.csv": {Data: []byte("x,y,z,radius\n1,2,3,4\n")}}
	s, err := Decode("test.toml", []byte(text), WithFiles(files))
	if err != nil {
		t.Fatalf("Decode: %v\n%s", err, text)
	}
	return s
}

func TestDecodeEmpty(t *testing.T) {
	want := &Scene{
		Name: "test.toml",
		Image: Image{
			Width: 1280, Height: 720, Antialias: 1,
			Background: Background{Gradient: shade.Gradient{Top: shade.FromSRGB8(0x9c, 0xc3, 0xf0), Bottom: shade.FromSRGB8(0xf2, 0xf6, 0xfb)}},
		},
		Shading:   Shading{Ambient: shade.Even(shade.Gray(0.1)), Shadows: true, Bounces: 4, Samples: 16},
		Spheres:   []shapes.Sphere{},
		Capsules:  []shapes.Capsule{},
		Boxes:     []shapes.Box{},
		Cylinders: []shapes.Cylinder{},
		Objects:   NewObjects(),
	}
	for _, text := range []string{"", "\n", "# nothing", "\uFEFF", "format = 1", "[image]\n[shading]\n[material]", "light = []\nsphere = []"} {
		got := decode(t, text)
		if len(got.Warnings) != 1 || got.Warnings[0].Code != problem.CodeNoSolids {
			t.Errorf("Decode(%q) warns %v, want one warning that there are no solids", text, got.Warnings)
		}
		got.root, got.Warnings, got.Objects = nil, nil, NewObjects(got.Objects.List()...)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("Decode(%q) = %+v, want %+v", text, got, want)
		}
	}
}

// TestDecodeEveryKey decodes a scene in which many keys of the format have values other than the default.
func TestDecodeEveryKey(t *testing.T) {
	got := decode(t, `
format = 1

[image]
width = 640
height = 480
antialias = 3
background = { top = "red", bottom = "#00f" }

[camera]
projection = "orthographic"
position = [1, 2, 30]
look_at = [1.5, 2, 3]
up = [0, 1, 1]
view_height = 12.5

[shading]
ambient = 0.25
shadows = false
bounces = 7
samples = 64
occlusion = { distance = 2.5 }

[[light]]
position = [10, 20, 30]
color = "lime"
intensity = 0.5

[[light]]
direction = [0, -3, -4]

[material.steel]
color = "#808080"
mirror = 0.75

[material.chalk]

[[box]]
center = [1, 2, 3]
half_extents = [1, 2, 3]
rotate = [0, 90, 0]
name = "crate"
material = "steel"

[[capsule]]
a = [0, 0, 0]
b = [0, 2, 0]
radius = 0.5
material = "chalk"

[[sphere]]
center = [1, 2.5, -3]
radius = 1.5
name = "ball"
color = [1, 0, 0.0]

[[sphere]]
center = [0, 0, 0]
radius = 1
`)
	gray := shade.FromSRGB8(0xcc, 0xcc, 0xcc)
	steel := shade.Material{Albedo: shade.FromSRGB8(0x80, 0x80, 0x80), Mirror: 0.75}
	chalk := shade.Material{Albedo: gray}
	want := &Scene{
		Name: "test.toml",
		Image: Image{
			Width: 640, Height: 480, Antialias: 3,
			Background: Background{Gradient: shade.Gradient{Top: shade.Color{R: 1}, Bottom: shade.Color{B: 1}}},
		},
		Camera: &camera.Camera{
			Projection: camera.Orthographic,
			Position:   geom.Vec3{X: 1, Y: 2, Z: 30},
			LookAt:     geom.Vec3{X: 1.5, Y: 2, Z: 3},
			Up:         geom.Vec3{X: 0, Y: 1, Z: 1},
			FOV:        camera.DefaultFOV,
			ViewHeight: 12.5,
		},
		Shading: Shading{Ambient: shade.Even(shade.Gray(0.25)), Bounces: 7, Samples: 64, Occlusion: Occlusion{Enabled: true, Distance: 2.5}},
		Lights: []Light{
			{Light: shade.Light{Position: geom.Vec3{X: 10, Y: 20, Z: 30}, Color: shade.Color{G: 1}, Intensity: 0.5}},
			{Light: shade.Light{Directional: true, Direction: geom.Vec3{X: 0, Y: -0.6, Z: -0.8}, Color: shade.White(), Intensity: 1}},
		},
		Materials: []Material{{"chalk", chalk}, {"steel", steel}},
		Spheres: []shapes.Sphere{
			{Center: geom.Vec3{X: 1, Y: 2.5, Z: -3}, Radius: 1.5},
			{Radius: 1},
		},
		Capsules: []shapes.Capsule{{B: geom.Vec3{Y: 2}, Radius: 0.5}},
		Boxes: []shapes.Box{{
			Center:      geom.Vec3{X: 1, Y: 2, Z: 3},
			HalfExtents: geom.Vec3{X: 1, Y: 2, Z: 3},
			Rotation:    geom.RotationXYZ(0, 90, 0),
		}},
		Cylinders: []shapes.Cylinder{},
		Objects: NewObjects([]Object{
			{Name: "ball", Material: shade.Material{Albedo: shade.Color{R: 1}}},
			{Material: chalk},
			{Material: chalk},
			{Name: "crate", Material: steel},
		}...),
	}
	got.root, got.Objects = nil, NewObjects(got.Objects.List()...)
	for i := range got.Lights {
		got.Lights[i].stated = geom.Vec3{}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestDecodeCamera(t *testing.T) {
	c := *decode(t, "[camera]\nposition = [0, 0, 1]\nlook_at = [0, 0, 0]\n").Camera
	want := camera.Camera{
		Position:   geom.Vec3{Z: 1},
		Up:         geom.Vec3{Y: 1},
		FOV:        40,
		ViewHeight: 10,
	}
	if c != want {
		t.Errorf("defaults: got %+v, want %+v", c, want)
	}
	c = *decode(t, "[camera]\nposition = [0, 0, 1]\nlook_at = [0, 0, 0]\nprojection = \"perspective\"\nfov = 60.5\n").Camera
	if c.Projection != camera.Perspective || c.FOV != 60.5 {
		t.Errorf("got %+v, want a perspective camera with 60.5 degrees", c)
	}
}

func TestDecodeColor(t *testing.T) {
	rgb := shade.FromSRGB8
	for _, c := range []struct {
		text string
		want shade.Color
	}{
		{`"#1af"`, rgb(0x11, 0xaa, 0xff)},
		{`"#1AF"`, rgb(0x11, 0xaa, 0xff)},
		{`"#12abEF"`, rgb(0x12, 0xab, 0xef)},
		{`'#000'`, rgb(0, 0, 0)},
		{`[1, 0.5, 0]`, shade.FromSRGB(1, 0.5, 0)},
		{`[0.25, 1.0, 1e-3]`, shade.FromSRGB(0.25, 1, 1e-3)},
		{`"aqua"`, rgb(0, 0xff, 0xff)},
		{`"black"`, rgb(0, 0, 0)},
		{`"blue"`, rgb(0, 0, 0xff)},
		{`"fuchsia"`, rgb(0xff, 0, 0xff)},
		{`"gray"`, rgb(0x80, 0x80, 0x80)},
		{`"green"`, rgb(0, 0x80, 0)},
		{`"lime"`, rgb(0, 0xff, 0)},
		{`"maroon"`, rgb(0x80, 0, 0)},
		{`"navy"`, rgb(0, 0, 0x80)},
		{`"olive"`, rgb(0x80, 0x80, 0)},
		{`"purple"`, rgb(0x80, 0, 0x80)},
		{`"red"`, rgb(0xff, 0, 0)},
		{`"silver"`, rgb(0xc0, 0xc0, 0xc0)},
		{`"teal"`, rgb(0, 0x80, 0x80)},
		{`"white"`, rgb(0xff, 0xff, 0xff)},
		{`"yellow"`, rgb(0xff, 0xff, 0)},
	} {
		s := decode(t, fmt.Sprintf("image.background = %[1]s\nshading.ambient = %[1]s\nlight = [{ direction = [0, 0, 1], color = %[1]s }]\n"+
			"material.m.color = %[1]s\nsphere = [{ center = [0, 0, 0], radius = 1, color = %[1]s }]", c.text))
		for where, got := range map[string]shade.Color{
			"background.top":    s.Image.Background.Top,
			"background.bottom": s.Image.Background.Bottom,
			"ambient":           s.Shading.Ambient.Top,
			"light":             s.Lights[0].Color,
			"material":          s.Materials[0].Albedo,
			"sphere":            s.Objects.Material(0).Albedo,
		} {
			if got != c.want {
				t.Errorf("%s = %s: got %v, want %v", where, c.text, got, c.want)
			}
		}
	}
}

func TestDecodeBackground(t *testing.T) {
	top, bottom := shade.FromSRGB8(0x9c, 0xc3, 0xf0), shade.FromSRGB8(0xf2, 0xf6, 0xfb)
	red := shade.Color{R: 1}
	for text, want := range map[string]Background{
		`background = "transparent"`:            {Transparent: true},
		`background = "red"`:                    {Gradient: shade.Gradient{Top: red, Bottom: red}},
		`background = { top = "red" }`:          {Gradient: shade.Gradient{Top: red, Bottom: bottom}},
		`background = { bottom = [1, 0, 0] }`:   {Gradient: shade.Gradient{Top: top, Bottom: red}},
		`background = {}`:                       {Gradient: shade.Gradient{Top: top, Bottom: bottom}},
		"background.top = \"red\"":              {Gradient: shade.Gradient{Top: red, Bottom: bottom}},
		"[image.background]\nbottom = \"#f00\"": {Gradient: shade.Gradient{Top: top, Bottom: red}},
	} {
		if got := decode(t, "[image]\n"+text).Image.Background; got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}

func TestDecodeAmbient(t *testing.T) {
	gray, red := shade.Gray, shade.Color{R: 1}
	for text, want := range map[string]shade.Gradient{
		"":                                  shade.Even(gray(0.1)),
		"ambient = 0.25":                    shade.Even(gray(0.25)),
		"ambient = 1":                       shade.Even(gray(1)),
		`ambient = "red"`:                   shade.Even(red),
		"ambient = { top = 0.5 }":           {Top: gray(0.5), Bottom: gray(0.1)},
		`ambient = { bottom = "#f00" }`:     {Top: gray(0.1), Bottom: red},
		`ambient = {}`:                      shade.Even(gray(0.1)),
		"ambient.top = 0\nambient.bottom=1": {Top: gray(0), Bottom: gray(1)},
	} {
		if got := decode(t, "[shading]\n"+text).Shading.Ambient; got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}

func TestDecodeLightNames(t *testing.T) {
	s := decode(t, "[[light]]\nname = \"sun\"\ndirection = [0, -1, 0]\n[[light]]\nname = \"lamp\"\nattach = \"camera\"\nposition = [0, 1, 0]\n")
	if s.Lights[0].Name != "sun" || s.Lights[0].Attached || s.Lights[1].Name != "lamp" || !s.Lights[1].Attached {
		t.Errorf("got %+v", s.Lights)
	}
}

func TestDecodeChecker(t *testing.T) {
	s := decode(t, `
		[material.floor]
		color = "white"
		checker = { color = [1, 0, 0], size = 0.5 }
		[[box]]
		center = [0, 0, 0]
		half_extents = [1, 1, 1]
		material = "floor"
		[[place]]
		part = "tile"
		scale = 4
		[[part.tile.box]]
		center = [0, 0, 0]
		half_extents = [1, 1, 1]
		material = "floor"`)
	want := shade.Checker{Albedo: shade.Color{R: 1}, Size: 0.5}
	for i, o := range s.Objects.List() {
		if c := o.Material.Checker; c == nil || *c != want {
			t.Errorf("box %d has the checker %v, want %v: scale does not change it", i, c, want)
		}
	}
}

func TestDecodeRotation(t *testing.T) {
	axis, _ := geom.RotationAxis(geom.Vec3{X: 1, Y: 2, Z: -2}, 33)
	quaternion, _ := geom.RotationQuaternion(2, 0, -3, 1)
	for text, want := range map[string]geom.Mat3{
		"":                              geom.Identity(),
		"rotate = [10, -20.5, 400]":     geom.RotationXYZ(10, -20.5, 400),
		"axis = [1, 2, -2]\nangle = 33": axis,
		"axis = [1e-200, 2e-200, -2e-200]\nangle = 33": axis,
		"quaternion = [2, 0, -3, 1]":                   quaternion,
	} {
		got := decode(t, "[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, 1]\n"+text).Boxes[0].Rotation
		if got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// TestDecodeWritings checks that different ways of writing the same scene in TOML give the same scene.
func TestDecodeWritings(t *testing.T) {
	want := decode(t, `
[image]
width = 320
background = { top = "red", bottom = "blue" }

[camera]
position = [0, 0, 100]
look_at = [0, 0, 0]

[material."my red"]
color = "red"

[[sphere]]
center = [0, 0, 0]
radius = 16
material = "my red"

[[sphere]]
center = [1, 2, 3]
radius = 0.5
`)
	writings := map[string]string{
		"dotted": `
image.width = 320
image.background.top = "red"
image.background.bottom = "blue"
camera.position = [0, 0, 100]
camera.look_at = [0, 0, 0]
material."my red".color = "red"
[[sphere]]
center = [0, 0, 0]
radius = 16
material = "my red"
[[sphere]]
center = [1, 2, 3]
radius = 0.5
`,
		"inline": `
image = { width = 320, background = { top = "red", bottom = "blue" } }
camera = { position = [0, 0, 100], look_at = [0, 0, 0] }
material = { 'my red' = { color = "red" } }
sphere = [
  { center = [0, 0, 0], radius = 16, material = "my red" }, # one
  { center = [1, 2, 3], radius = 0.5 },
]
`,
		"spelling": `
[ "image" ]
"width" = 0x1_40
'background' = { top = 'red', "bottom" = """blue""" }
[camera]
position = [ +0, 0.0, 1e2, ]
look_at = [
	-0, # minus zero is an integer here
	0e5,
	0b0,
]
[material.'my red']
color = [1, 0, 0]
[[sphere]]
radius = 1_6.0
center = [0, 0, 0]
material = "my\u0020red"
[[ sphere ]]
center = [1.0, 2, 3]
radius = 5e-1
`,
	}
	for name, text := range writings {
		for _, eol := range []string{"\n", "\r\n"} {
			for _, bom := range []string{"", "\uFEFF"} {
				if got := decode(t, bom+strings.ReplaceAll(text, "\n", eol)); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, end of line %q, byte order mark %q: got %+v, want %+v", name, eol, bom, got, want)
				}
			}
		}
	}
}

func TestDecodeValidates(t *testing.T) {
	paths, err := filepath.Glob("../scenes/*.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, "starter.toml") {
		s, err := Load(path)
		if err != nil {
			t.Error(err)
			continue
		}
		checkValid(t, s)
	}
}

// checkValid fails the test unless the view, the lights and the solids of s meet the requirements of the other
// packages.
func checkValid(t *testing.T, s *Scene) {
	t.Helper()
	for _, k := range Kinds() {
		if err := k.row().validate(s); err != nil {
			t.Error(err)
		}
	}
	if n := len(s.Spheres) + len(s.Capsules) + len(s.Boxes) + len(s.Cylinders); n != s.Objects.Len() {
		t.Errorf("%d solids, but %d objects", n, s.Objects.Len())
	}
	if _, err := s.View(s.Image.Width, s.Image.Height); err != nil {
		t.Error(err)
	}
	for i, l := range s.Lights {
		if l.Directional && l.Direction.Norm() < 0.999 {
			t.Errorf("light[%d]: direction %v is not unit", i, l.Direction)
		}
	}
}

func TestDecodeCopies(t *testing.T) {
	data := []byte("[material.red]\n[[sphere]]\nname = \"ball\"\ncenter = [0, 0, 0]\nradius = 1\nmaterial = \"red\"")
	s := decode(t, string(data))
	got, err := Decode("test.toml", data)
	if err != nil {
		t.Fatal(err)
	}
	clear(data)
	if !reflect.DeepEqual(got, s) {
		t.Errorf("the scene changed with the data: %+v", got)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.toml"), filepath.Join(dir, "bad.toml")
	os.WriteFile(good, []byte("[image]\nwidth = 320\n"), 0o666)
	os.WriteFile(bad, []byte("[image]\nwidth = 0\n"), 0o666)

	s, err := Load(good)
	if err != nil || s.Name != good || s.Image.Width != 320 {
		t.Errorf("Load(good) = %+v, %v", s, err)
	}

	var e *problem.Error
	if s, err := Load(bad); s != nil || !errors.As(err, &e) || e.File != bad || e.Line != 2 {
		t.Errorf("Load(bad) = %v, %v, want an *Error on line 2", s, err)
	}

	if _, err := Load(filepath.Join(dir, "none.toml")); !errors.Is(err, fs.ErrNotExist) || errors.As(err, &e) {
		t.Errorf("Load of no file: %v, want fs.ErrNotExist", err)
	}
	if _, err := Load(dir); err == nil || errors.As(err, &e) {
		t.Errorf("Load of a directory: %v, want an error of the operating system", err)
	}
}

// randomScene returns a scene of n solids, about a third each spheres, capsules and boxes, which are all in view.
func randomScene(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	f := func() float64 { return 2*rng.Float64() - 1 }
	u := rng.Float64
	b.WriteString("[camera]\nposition = [0, 0, 10]\nlook_at = [0, 0, 0]\n\n[[light]]\nposition = [30, 40, 50]\nintensity = 0.9\n\n")
	for i := range n {
		switch i % 3 {
		case 0:
			fmt.Fprintf(&b, "[[sphere]]\ncenter = [%v, %v, %v]\nradius = %v\n", f(), f(), f(), u())
		case 1:
			fmt.Fprintf(&b, "[[capsule]]\na = [%v, %v, %v]\nb = [%v, %v, %v]\nradius = %v\n", f(), f(), f(), f(), f(), f(), u())
		case 2:
			fmt.Fprintf(&b, "[[box]]\ncenter = [%v, %v, %v]\nhalf_extents = [%v, %v, %v]\nquaternion = [%v, %v, %v, %v]\n",
				f(), f(), f(), u(), u(), u(), f(), f(), f(), f())
		}
		fmt.Fprintf(&b, "color = [%v, %v, %v]\n\n", u(), u(), u())
	}
	return []byte(b.String())
}

// BenchmarkDecode compares Decode with decoding only the TOML, untyped or into structs. It also decodes a file with
// a problem at its end, whose position must be found.
func BenchmarkDecode(b *testing.B) {
	type structs struct {
		Camera  struct{ Position, Up any }
		Light   []struct{ Position, Direction, Radius, Color, Intensity any }
		Sphere  []struct{ Center, Radius, Name, Material, Color any }
		Capsule []struct{ A, B, Radius, Name, Material, Color any }
		Box     []struct {
			Center                                any
			HalfExtents                           any `toml:"half_extents"`
			Rotate, Axis, Angle, Quaternion, Axes any
			Name, Material, Color                 any
		}
	}
	for _, n := range []int{1000, 100000} {
		data := randomScene(n)
		run := func(into string, decode func() error) {
			b.Run(fmt.Sprintf("solids=%d/into=%s", n, into), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					if err := decode(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("maps", func() error { return toml.Unmarshal(data, new(map[string]any)) })
		run("structs", func() error { return toml.Unmarshal(data, new(structs)) })
		run("scene", func() error {
			s, err := Decode("", data)
			if err == nil && s.Warnings != nil {
				return s.Warnings
			}
			return err
		})
		bad := append(data[:len(data):len(data)], "[[sphere]]\ncenter = [0, 0, 0]\nradius = 0\n"...)
		run("problem", func() error {
			if _, err := Decode("", bad); err == nil {
				return errors.New("no problem found")
			}
			return nil
		})
	}
}

// TestPlacedLightsAtTheEye checks the lights that the view decides about. For a scene without lights, PlacedLights must return
// one light at the eye.
func TestPlacedLightsAtTheEye(t *testing.T) {
	eye := geom.Vec3{X: 3}
	view, err := camera.Camera{Position: eye, Up: geom.Vec3{Y: 1}, FOV: 60}.View(4, 3) // along -x
	if err != nil {
		t.Fatal(err)
	}
	s := decode(t, "[shading]\nambient = 0.25\n")
	want := PlacedLight{Light: shade.Light{Position: eye, Color: shade.Gray(0.75), Intensity: 1}}
	if got := s.PlacedLights(view); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("without lights: %+v, want %+v", got, want)
	}
	s = decode(t, "[[light]]\nposition = [5, 0, 0]\n[[light]]\ndirection = [0, -1, 0]\n")
	got := s.PlacedLights(view)
	if len(got) != 2 || got[0].Position.X != 5 {
		t.Errorf("a point light: %+v", got)
	}
	if !got[1].Directional {
		t.Errorf("a directional light: %+v", got[1])
	}

	s = decode(t, "shading.ambient = { top = 0.5, bottom = 0.25 }\n")
	if got := s.PlacedLights(view); got[0].Color != shade.Gray(1-0.375) {
		t.Errorf("beside hemispheres the light at the camera is %v", got[0].Color)
	}
	s = decode(t, "[[light]]\nattach = \"camera\"\nposition = [1, 2, 4]\n[[light]]\nattach = \"camera\"\ndirection = [3, 0, -4]\n")
	got = s.PlacedLights(view)
	if want := (geom.Vec3{X: 3 + 4, Y: 2, Z: -1}); got[0].Position != want {
		t.Errorf("a light to the right, above and behind the camera: %+v, want it at %v", got[0], want)
	}
	if want := (geom.Vec3{X: -0.8, Z: -0.6}); got[1].Direction.Sub(want).Norm() > 1e-15 {
		t.Errorf("light ahead and to the right: %+v, want %v", got[1], want)
	}
}

// TestAxesStayAsTheyStand checks that a box has exactly the axes that its table or its row of a bulk file states.
func TestAxesStayAsTheyStand(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	for range 200 {
		q := [4]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		if rng.IntN(4) == 0 {
			q = [4]float64{float64(rng.IntN(2)), 1, 0, 0} // a quarter or a half turn, with zeros
		}
		want, _ := geom.RotationQuaternion(q[0], q[1], q[2], q[3])
		var components []string
		for _, v := range []geom.Vec3{want.X, want.Y, want.Z} {
			for _, x := range []float64{v.X, v.Y, v.Z} {
				components = append(components, strconv.FormatFloat(x, 'e', -1, 64)) // so that -0 is a float
			}
		}
		vector := func(i int) string { return "[" + strings.Join(components[3*i:3*i+3], ", ") + "]" }
		text := fmt.Sprintf("[[box]]\ncenter = [1, 2, 3]\nhalf_extents = [4, 5, 6]\naxes = [%s, %s, %s]\n"+
			"[[bulk]]\nfile = \"a.csv\"\nshape = \"box\"\n", vector(0), vector(1), vector(2))
		rows := "x,y,z,hx,hy,hz,ax_x,ax_y,ax_z,ay_x,ay_y,ay_z,az_x,az_y,az_z\n1,2,3,4,5,6," + strings.Join(components, ",") + "\n"
		s, err := Decode("x.toml", []byte(text), WithFiles(fstest.MapFS{"a.csv": {Data: []byte(rows)}}))
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Boxes {
			if got := fmt.Sprintf("%b", s.Boxes[i].Rotation); got != fmt.Sprintf("%b", want) {
				t.Errorf("box[%d] has the axes %s, want %b", i, got, want)
			}
		}
	}
}
