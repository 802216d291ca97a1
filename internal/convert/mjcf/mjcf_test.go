package mjcf_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/geom"
	"pillbox/internal/convert/mjcf"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/problem"
	"pillbox/scene"
	"pillbox/shade"
)

// read reads the model in text. files are the other files in its folder.
func read(text string, opt mjcf.Options, files map[string]string) (*model.Scene, error) {
	folder := fstest.MapFS{}
	for name, data := range files {
		folder[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return mjcf.Read(model.Source{Name: "m.xml", Text: strings.NewReader(text), Folder: folder}, opt)
}

// must reads the model in text like the function read, and fails the test if there is an error.
func must(t *testing.T, text string, opt mjcf.Options, files map[string]string) *model.Scene {
	t.Helper()
	m, err := read(text, opt, files)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

func world(body string) string {
	return "<mujoco><worldbody>\n" + body + "</worldbody></mujoco>"
}

func TestReadGroups(t *testing.T) {
	text := world(`<geom size="1"/><geom size="2" group="2"/><geom size="3" group="3"/><geom size="4" group="9"/><site size="5" group="1"/><geom size="6" rgba="1 1 1 0"/>`)
	for _, c := range []struct {
		opt  mjcf.Options
		want []float64
		note string
	}{
		{mjcf.Options{}, []float64{1, 2}, "m.xml:2:43: note: 1 geom of group 3 skipped\nm.xml:2:69: note: 1 geom of group 9 skipped\nm.xml:2:121: note: 1 invisible geom skipped"},
		{mjcf.Options{Groups: []int{3, 5}}, []float64{3, 4}, "m.xml:2:1: note: 1 geom of group 0 skipped\nm.xml:2:17: note: 1 geom of group 2 skipped\nm.xml:2:121: note: 1 invisible geom skipped"},
		{mjcf.Options{Groups: []int{1}, Sites: true}, []float64{5}, ""},
	} {
		m := must(t, text, c.opt, nil)
		var got []float64
		for _, s := range m.Spheres {
			got = append(got, s.Radius)
		}
		if notes := m.Account.Notes().Error(); !slices.Equal(got, c.want) || c.note != "" && notes != c.note {
			t.Errorf("%+v: %v, %s\nwant %v, %s", c.opt, got, notes, c.want, c.note)
		}
	}
}

// TestReadClasses checks the precedence of attributes: those of the element come before those of its class, which
// come before those of the class's parent. If a class has two elements of a kind, the last one takes precedence.
func TestReadClasses(t *testing.T) {
	m := must(t, `<mujoco><default><geom size="1" pos="1 0 0" rgba="1 0 0 1"/>
<default class="a"><geom size="2"/><geom size="3"/><default class="b"><geom rgba="0 1 0 1"/></default></default></default>
<worldbody><geom/><geom class="a"/><geom class="b" pos="2 0 0"/><body childclass="b"><geom/><geom class="main"/></body></worldbody></mujoco>`, mjcf.Options{}, nil)
	var got []string
	for _, s := range append(m.Spheres, m.Places[0].Part.Spheres...) {
		got = append(got, fmt.Sprint(s.Radius, s.Center.X, s.Color))
	}
	if want := "1 1#ff0000, 3 1#ff0000, 3 2#00ff00, 3 1#00ff00, 1 1#ff0000"; strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
}

// TestReadAccount checks that elements that a scene cannot show are counted by kind.
func TestReadAccount(t *testing.T) {
	text := `<mujoco><asset><mesh name="b" file="b.obj"/></asset><tendon><spatial/></tendon><deformable><flex/></deformable><worldbody>
<geom type="mesh" mesh="a"/><geom type="capsule" mesh="a"/><geom type="hfield"/><geom type="sdf"/><geom type="box" mesh="b"/><geom type="box" mesh="b"/>
<geom type="ellipsoid" size="1 2 1"/><geom type="ellipsoid" size="2 2 2"/><geom type="cylinder" size="1 5"/><geom size="1" rgba="1 1 1 .5"/>
<composite/><flexcomp/></worldbody></mujoco>`
	m := must(t, text, mjcf.Options{}, nil)
	want := `m.xml:2:1: note: 1 mesh skipped (--approximate shows what contains it)
m.xml:2:29: note: 1 shape fitted to a mesh skipped: a is not in the assets
m.xml:2:60: note: 1 height field skipped
m.xml:2:81: note: 1 signed distance field skipped
m.xml:2:99: note: 2 shapes fitted to a mesh skipped: b.obj was not found in the model's folder; --root DIR allows another folder
m.xml:3:1: note: 1 ellipsoid skipped (--approximate shows what contains it)
m.xml:4:1: note: 1 composite skipped
m.xml:4:13: note: 1 flexcomp skipped
m.xml:1:61: note: 1 tendon skipped
m.xml:1:92: note: 1 flex skipped`
	if got := m.Account.Notes().Error(); got != want || len(m.Spheres) != 2 || len(m.Cylinders) != 1 || m.Cylinders[0].B != (geom.Vec3{Z: 5}) {
		t.Errorf("%d spheres,\n%s\nwant\n%s", len(m.Spheres), got, want)
	}
	m = must(t, text, mjcf.Options{Approximate: true}, nil)
	if len(m.Capsules) != 1 || m.Capsules[0].Radius < 1 || !strings.Contains(m.Account.Notes().Error(), "1 ellipsoid shown as a capsule of 1.2") {
		t.Errorf("%v, %v", m.Capsules, m.Account.Notes())
	}
}

func TestReadMaterials(t *testing.T) {
	m := must(t, `<mujoco>
<default><material rgba="1 1 0 1"/><default class="red"><geom material="m"/></default></default>
<asset>
  <texture type="skybox" builtin="gradient" rgb1="1 0 0" rgb2="0 0 1"/>
  <texture name="squares" type="2d" builtin="checker" rgb1="0 0 0" rgb2="1 1 1"/>
  <material name="m" rgba="1 0 0 1" reflectance="0.5"/>
  <material name="d"/>
  <material name="floor" texture="squares" texrepeat="4 4" texuniform="true" rgba="1 1 1 1"/>
  <material name="tiles" texture="squares" texrepeat="4 4" rgba="1 1 1 1"/>
</asset>
<worldbody>
  <geom size="1" class="red"/><geom size="1" material="d"/><geom size="1" class="red" rgba="0 0 1 1"/><geom size="1"/>
  <geom type="plane" size="2 3 1" material="floor"/><geom type="plane" size="2 3 1" material="tiles"/><geom type="plane" size="0 0 1" material="floor"/>
</worldbody></mujoco>`, mjcf.Options{}, nil)
	var got []string
	for _, s := range m.Spheres {
		got = append(got, s.Material+string(s.Color))
	}
	for _, b := range m.Boxes {
		got = append(got, b.Material)
	}
	for _, x := range m.Materials {
		if got = append(got, fmt.Sprint(x.Name, x.Color, x.Mirror)); x.Checker != nil {
			got = append(got, fmt.Sprint(*x.Checker))
		}
	}
	want := "m d #0000ff #808080 floor checker tiles checker floor checker m#ff00000 d#ffff000 floor#8080800 tiles#8080800 floor checker#0000000 {#ffffff 0.25} tiles checker#0000000 {#ffffff 0.5}"
	if strings.Join(got, " ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, " "), want)
	}
	if *m.Background != (model.Gradient{Top: "#ff0000", Bottom: "#0000ff"}) {
		t.Errorf("the background is %v", *m.Background)
	}
}

// TestReadTextureFile checks the color of a material with a texture in a file: the mean of the picture in linear light, times
// the material's color. Layers, the folder of textures, and textures that follow their materials are supported.
func TestReadTextureFile(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 4, 4))
	for i := range 4 {
		img.Pix[i] = 0xff
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, img); err != nil {
		t.Fatal(err)
	}
	folder := map[string]string{"tex/wood.png": picture.String(), "tex/wood.ktx": "x"}
	for asset, want := range map[string]model.Color{
		`<texture name="t" type="2d" file="wood.png"/><material name="m" texture="t"/>`:                                  "#898989",
		`<material name="m" texture="wood" rgba="1 0 1 1"/><texture type="2d" file="wood.png"/>`:                         "#890089",
		`<texture name="t" type="cube" fileup="wood.png"/><material name="m"><layer role="rgb" texture="t"/></material>`: "#898989",
		`<texture name="t" type="2d" file="wood.ktx"/><material name="m" texture="t" rgba="1 0 0 1"/>`:                   "#ff0000",
	} {
		m := must(t, `<mujoco><compiler texturedir="tex"/><asset>`+asset+`</asset><worldbody><geom size="1" material="m"/></worldbody></mujoco>`, mjcf.Options{}, folder)
		notes := m.Account.Notes().Error()
		says := "1 texture of a material shown as its mean color"
		if strings.Contains(asset, "ktx") {
			says = "1 texture of a material not shown: wood.ktx is neither a PNG nor a JPEG"
		}
		if m.Materials[0].Color != want || !strings.Contains(notes, says) {
			t.Errorf("%s: %v, %s; want %s, %s", asset, m.Materials[0].Color, notes, want, says)
		}
	}
}

// TestReadUnknownMaterial checks that a geom with an unknown material is shown, and that the material is reported once.
func TestReadUnknownMaterial(t *testing.T) {
	m := must(t, world(`<geom size="2" material="x" rgba="1 0 0 1"/><geom size="1" material="x"/>`), mjcf.Options{}, nil)
	if notes := m.Account.Notes(); len(m.Spheres) != 2 || m.Spheres[0].Color != "#ff0000" || len(notes) != 1 || notes[0].Severity != problem.SeverityWarning {
		t.Errorf("%+v, notes %v", m.Spheres, notes)
	}
}

// TestReadTexture checks that a note reports textures that are not shown.
func TestReadTexture(t *testing.T) {
	m := must(t, `<mujoco><asset><texture name="t" type="2d" file="wood.png"/><texture name="u" type="2d" builtin="flat" rgb1="0 1 0"/><material name="a" texture="t"/><material name="b" texture="u"/></asset>
<worldbody><geom size="1" material="a"/><geom size="1" material="b"/></worldbody></mujoco>`, mjcf.Options{}, nil)
	if got := m.Account.Notes().Error(); !strings.Contains(got, "note: 1 texture of a material not shown: wood.png was not found in the model's folder") {
		t.Errorf("notes %s", got)
	}
}

// TestReadUnusedTexture checks that textures are read only if a geom uses a material that has them.
func TestReadUnusedTexture(t *testing.T) {
	folder := map[string]string{"a.png": "x", "b.png": "x", "c.png": "x"}
	m := must(t, `<mujoco><asset><texture name="a" type="2d" file="a.png"/><texture name="b" type="2d" file="b.png"/><texture name="c" type="2d" file="c.png"/>
<material name="a" texture="a"/><material name="b" texture="b"/></asset><worldbody><geom size="1" material="a"/><geom size="2" material="a"/></worldbody></mujoco>`, mjcf.Options{}, folder)
	const want = "m.xml:2:1: note: 1 texture of a material not shown: a.png is neither a PNG nor a JPEG"
	if got := m.Account.Notes().Error(); got != want || !slices.Equal(m.Files, []string{"a.png"}) {
		t.Errorf("notes %s, files %q; want %s", got, m.Files, want)
	}
}

// TestReadFreeCamera checks that the name free selects none of the cameras, and that an unknown name lists them.
func TestReadFreeCamera(t *testing.T) {
	text := world(`<geom size="2"/><camera name="front"/><camera/><camera name="side"/>`)
	if m := must(t, text, mjcf.Options{Camera: "free"}, nil); m.Camera != nil {
		t.Errorf("camera %+v", *m.Camera)
	}
	_, err := mjcf.Read(model.Source{Name: "m.xml", Text: strings.NewReader(text)}, mjcf.Options{Camera: "fron"})
	if err == nil || !strings.Contains(err.Error(), `did you mean "front"?; its cameras: front, side;`) {
		t.Error(err)
	}
}

// TestReadAbsolute checks meshes and included files with absolute paths in the model's folder.
func TestReadAbsolute(t *testing.T) {
	path := t.TempDir()
	folder := fstest.MapFS{
		"m/part.xml":  {Data: []byte(`<mujocoinclude><worldbody><geom size="3"/></worldbody></mujocoinclude>`)},
		"m/tetra.obj": {Data: []byte("v 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")},
	}
	text := fmt.Sprintf(`<mujoco><include file="%[1]s/m/part.xml"/><asset><mesh file="%[1]s/m/tetra.obj"/></asset><worldbody><geom type="mesh" mesh="tetra"/></worldbody></mujoco>`, filepath.ToSlash(path))
	m, err := mjcf.Read(model.Source{Name: "m.xml", Text: strings.NewReader(text), Folder: folder, Path: path}, mjcf.Options{Approximate: true})
	if err != nil || m.Len() != 2 {
		t.Errorf("%v, %+v", err, m)
	}
}

// TestReadReflectance checks that only the first plane or box with a reflectance is a mirror, as in MuJoCo, and that
// only the face of a box on the side of +z is one. The world's geoms come first, wherever they are in the file.
func TestReadReflectance(t *testing.T) {
	const assets = `<mujoco><asset><material name="m" rgba="1 0 0 1" reflectance="0.5"/></asset><worldbody>`
	mirrors := func(m *model.Scene) (names []string) {
		for _, x := range m.Materials {
			if x.Mirror > 0 {
				names = append(names, fmt.Sprint(x.Name, x.Color, x.Mirror))
			}
		}
		return names
	}
	m := must(t, assets+`<geom size="1" material="m"/><geom type="box" size="1 2 3" material="m" rgba="1 0 0 0.5"/>
<body><geom type="box" size="1 1 1" material="m"/></body>
<geom name="table" type="box" size="1 2 3" pos="1 2 3" euler="90 0 0" material="m" rgba="0 1 0 1"/><geom type="plane" size="1 1 1" material="m"/></worldbody></mujoco>`, mjcf.Options{}, nil)
	if got := strings.Join(mirrors(m), " "); got != "m mirror#00ff000.5" || len(m.Places[0].Part.Boxes) != 1 || m.Spheres[0].Material != "m" {
		t.Errorf("mirrors %s, %+v", got, m.Part)
	}
	table, face := m.Boxes[1], m.Boxes[2]
	ends := func(b model.Box, z float64) geom.Vec3 {
		return b.Center.Add(b.Rotation.Rotate(geom.Vec3{Z: z * b.HalfExtents.Z}))
	}
	up := geom.Vec3{Y: -1}
	if face.Material != "m mirror" || table.Color != "#00ff00" || ends(face, 1).Sub(geom.Vec3{X: 1, Y: 2, Z: 3}.AddScaled(3, up)).Norm() > 1e-12 ||
		ends(face, -1).Sub(ends(table, 1)).Norm() > 1e-12 || ends(table, -1).Sub(geom.Vec3{X: 1, Y: 2, Z: 3}.AddScaled(-3, up)).Norm() > 1e-12 {
		t.Errorf("table %+v, face %+v", table, face)
	}
	m = must(t, assets+`<geom type="plane" size="1 1 1" material="m"/><geom type="box" size="1 1 1" material="m"/></worldbody></mujoco>`, mjcf.Options{}, nil)
	if len(m.Boxes) != 2 || m.Boxes[1].Material != "m mirror" || m.Boxes[0].Material != "m" {
		t.Errorf("%+v", m.Boxes)
	}
}

// TestReadPlane checks that a plane becomes a box with the plane as its upper face. The box of an infinite plane
// must be wide.
func TestReadPlane(t *testing.T) {
	m := must(t, world(`<geom size="2" pos="3 0 2"/><body pos="0 0 -1"><geom type="plane" size="5 0 .1" zaxis="0 0 -1"/></body>`), mjcf.Options{}, nil)
	b := m.Places[0].Part.Boxes[0]
	top := b.Center.Add(b.Rotation.Rotate(geom.Vec3{Z: b.HalfExtents.Z}))
	if top.Norm() > 1e-15 || b.HalfExtents.X != 5 || b.HalfExtents.Y != 100 || !b.Ground || !(b.HalfExtents.Z > 0) || b.Center.Z < 0 {
		t.Errorf("%+v, its upper face at %v", b, top)
	}
}

func TestReadView(t *testing.T) {
	text := `<mujoco><visual><headlight ambient="0 0 0" diffuse=".5 .25 0"/></visual><worldbody><geom size="1"/>
<body name="b" pos="1 2 3"><joint axis="1 0 0" type="slide"/><geom size="1"/>
  <camera name="eye"/><camera name="fixed" pos="0 -5 0" xyaxes="1 0 0 0 0 1" fovy="30" resolution="320 200"/>
  <light name="lamp" pos="0 0 1" dir="1 0 0" directional="true" diffuse="0 1 0"/>
</body>
<body><camera name="aimed" pos="0 0 9" mode="targetbody" target="b" projection="orthographic" fovy="4"/><light active="false"/><light pos="0 1 0" diffuse="1 1 1"/></body>
<body pos="0 0 1"><joint type="ball"/><camera name="track" pos="5 0 0" zaxis="1 0 0" mode="track"/></body>
</worldbody></mujoco>`
	turned := []float64{2, 0, 1, 0, 0}
	m := must(t, text, mjcf.Options{QPos: turned}, nil)
	if m.Camera == nil || m.Camera.ViewHeight != 4 {
		t.Errorf("the first camera that shows the model from outside is %+v", m.Camera)
	}
	m = must(t, text, mjcf.Options{QPos: turned, Camera: "fixed"}, nil)
	c := m.Camera
	if c.Position.Sub(geom.Vec3{X: 3, Y: -3, Z: 3}).Norm() > 1e-12 || c.Up.Sub(geom.Vec3{Z: 1}).Norm() > 1e-12 || c.LookAt.Y < -3 || c.FOV != 30 || m.Width != 320 || m.Height != 200 {
		t.Errorf("fixed camera: %+v, %d x %d", c, m.Width, m.Height)
	}
	var lights []string
	s := modeltest.Load(t, m)
	for _, l := range s.Lights {
		lights = append(lights, fmt.Sprintf("%s %v %v %v %v %.3g %.3f", l.Name, l.Attached, l.Directional, l.Position, l.Direction, l.Cone, l.Intensity))
	}
	scale := 1.4 / 2.5
	want := fmt.Sprintf("headlight true false [0, 0, 0] [0, 0, 0] {0 0} %.3f; b/lamp false true [0, 0, 0] [1, 0, 0] {0 0} %.3f;  false false [0, 1, 0] [0, 0, -1] {69.4 34.7} %.3f", 0.5*scale, scale, scale)
	if got := strings.Join(lights, "; "); got != want {
		t.Errorf("lights: %s\nwant %s", got, want)
	}
	c = must(t, text, mjcf.Options{QPos: turned, Camera: "aimed"}, nil).Camera
	if c.LookAt != (geom.Vec3{X: 3, Y: 2, Z: 3}) || c.ViewHeight != 4 {
		t.Errorf("aimed camera: %+v", c)
	}
	c = must(t, text, mjcf.Options{QPos: turned, Camera: "track"}, nil).Camera
	if c.Position.Sub(geom.Vec3{X: 5, Z: 1}).Norm() > 1e-12 || c.LookAt.X > 5 { // the camera does not rotate with the body
		t.Errorf("tracking camera: %+v", c)
	}
	if _, err := read(text, mjcf.Options{Camera: "fixd"}, nil); err == nil || !strings.Contains(err.Error(), `did you mean "fixed"?`) {
		t.Errorf("error %v", err)
	}
}

// TestReadLights checks that lights fixed to a body are in the body's part. Lights that follow a body must be in
// the scene itself, at their pose for the requested joint positions.
func TestReadLights(t *testing.T) {
	text := `<mujoco><visual><headlight active="0"/></visual><worldbody><geom size="1"/><light name="sky" pos="0 0 9" type="point"/>
<body name="arm" pos="0 0 1"><joint axis="1 0 0" type="hinge"/><geom size="1"/>
  <body name="head" pos="0 2 0"><light name="bulb" pos="0 0 -1" dir="0 0 -1" cutoff="30" exponent="0" diffuse="1 1 1"/></body>
  <light name="watch" mode="targetbody" target="head" pos="0 0 5" cutoff="10" exponent="0"/>
  <light name="track" mode="track" pos="0 0 5" cutoff="170"/>
</body></worldbody></mujoco>`
	m := must(t, text, mjcf.Options{QPos: []float64{math.Pi / 2}}, nil)
	if head := m.Places[0].Part.Places[0].Part; len(head.Lights) != 1 || head.Lights[0].Vector != (geom.Vec3{Z: -1}) {
		t.Errorf("the head has the lights %+v", head.Lights)
	}
	s := modeltest.Load(t, m)
	// The arm is rotated by 90 degrees about x: its y axis points up, its z axis along -y.
	want := []scene.Light{
		{Name: "sky", Light: shade.Light{Position: geom.Vec3{Z: 9}}},
		{Name: "watch", Light: shade.Light{Position: geom.Vec3{Y: -5, Z: 1}, Direction: geom.Vec3{Y: 5, Z: 2}.Unit(), Cone: shade.Cone{Angle: 20}}},
		{Name: "track", Light: shade.Light{Position: geom.Vec3{Z: 6}}},
		{Name: "arm/head/bulb", Light: shade.Light{Position: geom.Vec3{Y: 1, Z: 3}, Direction: geom.Vec3{Y: 1}, Cone: shade.Cone{Angle: 60}}},
	}
	if len(s.Lights) != len(want) {
		t.Fatalf("%d lights, want %d", len(s.Lights), len(want))
	}
	for i, l := range s.Lights {
		w := want[i]
		if l.Name != w.Name || l.Position.Sub(w.Position).Norm() > 1e-11 || l.Direction.Sub(w.Direction).Norm() > 1e-11 || l.Cone != w.Cone {
			t.Errorf("light %d is %+v, want %+v", i, l, w)
		}
	}
}

// TestReadSpotLights compares the cones of spot lights with OpenGL's formula, cos^exponent up to the cutoff. A cone
// must contain as much light, and must not extend beyond the cutoff.
func TestReadSpotLights(t *testing.T) {
	for _, cutoff := range []float64{0.5, 10, 30, 45, 80, 90} {
		for _, exponent := range []float64{0, 0.5, 1, 10, 100, 2000} {
			text := fmt.Sprintf(`<mujoco><visual><headlight active="0"/></visual><worldbody><geom size="1"/><light pos="0 0 9" cutoff="%v" exponent="%v"/></worldbody></mujoco>`, cutoff, exponent)
			b := must(t, text, mjcf.Options{}, nil).Lights[0].Beam
			const steps = 200_000
			outer := math.Cos(cutoff * math.Pi / 180)
			want, got := 0.0, 0.0
			falloff := shade.Cone{Angle: geom.Angle(b.Cone), Edge: geom.Angle(b.Edge)}.Falloff()
			for i := range steps {
				cos := outer + (1-outer)*(float64(i)+0.5)/steps
				want += math.Pow(cos, exponent)
				got += falloff.At(cos)
			}
			if b.Cone > 2*cutoff+0.005 || math.Abs(got/want-1) > 0.01+0.01/cutoff {
				t.Errorf("cutoff %v, exponent %v: %+v contains %v times as much light", cutoff, exponent, *b, got/want)
			}
			if exponent == 0 && (b.Cone != 2*cutoff || b.Edge != 0) {
				t.Errorf("cutoff %v without falloff: %+v", cutoff, *b)
			}
		}
	}
	for _, wrong := range []string{`cutoff="0"`, `cutoff="-5"`, `exponent="-1"`} {
		if _, err := read(world(`<geom size="1"/><light `+wrong+`/>`), mjcf.Options{Strict: true}, nil); err == nil {
			t.Errorf("%s is no error", wrong)
		}
	}
}

// TestReadBulbs checks that the bulb radius becomes the radius of a light. Lights without a bulb radius must be
// points. Directional lights must ignore it.
func TestReadBulbs(t *testing.T) {
	text := `<mujoco><default><default class="soft"><light bulbradius="0.3"/></default></default><visual><headlight active="0"/></visual><worldbody><geom size="1"/>
<light pos="0 0 9"/><light pos="0 0 9" bulbradius="0.25"/><light pos="0 0 9" class="soft" type="point"/><light pos="0 0 9" directional="true" bulbradius="1"/></worldbody></mujoco>`
	s := load(t, text, mjcf.Options{})
	for i, want := range []float64{0, 0.25, 0.3, 0} {
		if got := s.Lights[i].Radius; got != want {
			t.Errorf("light %d has the radius %v, want %v", i, got, want)
		}
	}
	if _, err := read(world(`<geom size="1"/><light bulbradius="-1"/>`), mjcf.Options{Strict: true}, nil); err == nil {
		t.Error("a negative radius is no error")
	}
}

// TestReadGlobal checks that a model with global coordinates, as in old versions of MuJoCo, gives the same scene as
// the model with local coordinates.
func TestReadGlobal(t *testing.T) {
	local := load(t, world(`<body pos="1 0 0" euler="0 0 90"><geom size=".1" pos="1 0 0"/><joint type="free"/>
<body pos="0 0 1"><joint axis="1 0 0" pos="0 1 0"/><geom type="capsule" size=".1" fromto="0 0 0 0 0 1"/></body></body>`), mjcf.Options{QPos: []float64{1, 0, 0, 1, 0, 0, 1, 0.5}})
	global := load(t, `<mujoco><compiler coordinate="global"/>`+world(`<body pos="1 0 0" euler="0 0 90"><geom size=".1" pos="1 1 0"/><joint type="free"/>
<body><joint axis="0 1 0" pos="0 0 1"/><geom type="capsule" size=".1" fromto="1 0 1 1 0 2"/></body></body>`)[len("<mujoco>"):], mjcf.Options{QPos: []float64{1, 0, 0, 1, 0, 0, 1, 0.5}})
	a, b := local.Capsules[0], global.Capsules[0]
	if local.Spheres[0].Center.Sub(global.Spheres[0].Center).Norm() > 1e-11 || a.A.Sub(b.A).Norm() > 1e-11 || a.B.Sub(b.B).Norm() > 1e-11 {
		t.Errorf("%v, %v\nglobal %v, %v", local.Spheres, local.Capsules, global.Spheres, global.Capsules)
	}
}

// TestReadNames checks that replicated elements have the names that MuJoCo gives them, and that the copies of a
// body share one part.
func TestReadNames(t *testing.T) {
	text := world(`<replicate count="12" offset="1 0 0" sep="_"><body name="b"><geom name="g" size=".1"/></body><geom name="h" size=".1"/></replicate>`)
	s := load(t, text, mjcf.Options{})
	var names []string
	for _, o := range s.Objects.List() {
		names = append(names, o.Name)
	}
	if !slices.Contains(names, "b_00/g") || !slices.Contains(names, "b_11/g") || !slices.Contains(names, "h_07") {
		t.Errorf("names %q", names)
	}
	var b bytes.Buffer
	if err := must(t, text, mjcf.Options{}, nil).Write(&b, model.Tables{}); err != nil || strings.Count(b.String(), "[[part.") != 1 {
		t.Errorf("%v\n%s", err, b.Bytes())
	}
}

func TestReadInclude(t *testing.T) {
	files := map[string]string{
		"parts/body.xml": `<mujocoinclude><body name="b"><include file="geom.xml"/></body></mujocoinclude>`,
		"parts/geom.xml": "<mujoco>\n<geom size='1'/></mujoco>",
		"geom.xml":       `<mujoco><geom size='2'/></mujoco>`,
		"bad.xml":        "<mujoco>\n  <geom size='x'/></mujoco>",
		"self.xml":       `<mujoco><include file="self.xml"/></mujoco>`,
		"open.xml":       `<mujoco>`,
	}
	m := must(t, world(`<include file="parts/body.xml"/>`), mjcf.Options{}, files)
	if r := m.Places[0].Part.Spheres[0].Radius; r != 2 || fmt.Sprint(m.Files) != "[parts/body.xml geom.xml]" {
		t.Errorf("radius %v of %q: a file is looked for in the model's folder first", r, m.Files)
	}
	delete(files, "geom.xml")
	if r := must(t, world(`<include file="parts/body.xml"/>`), mjcf.Options{}, files).Places[0].Part.Spheres[0].Radius; r != 1 {
		t.Errorf("radius %v", r)
	}
	// A path that leads out of the model's folder can be valid relative to the referring file.
	files["parts/up.xml"] = `<mujoco><include file="../side.xml"/></mujoco>`
	files["side.xml"] = `<mujoco><geom size="3"/></mujoco>`
	if r := must(t, world(`<include file="parts/up.xml"/>`), mjcf.Options{}, files).Spheres[0].Radius; r != 3 {
		t.Errorf("radius %v", r)
	}
	for file, want := range map[string]string{
		"../up.xml":  `m.xml:2:16: include.file: must be in the folder of the model or below it; --root DIR allows another folder, got "../up.xml"`,
		"/etc/fstab": `m.xml:2:16: include.file: must be in the folder of the model or below it; --root DIR allows another folder, got "/etc/fstab"`,
		"":           "m.xml:2:1: include.file: is missing",
		"none.xml":   `m.xml:2:16: include.file: cannot be read: file does not exist, got "none.xml"`,
		"bad.xml":    `bad.xml:2:15: geom.size: must be numbers of at most 1e+15 in magnitude, got "x"`,
		"self.xml":   `self.xml:1:24: include.file: is included already`,
		"open.xml":   `open.xml:1:9: is no XML: unexpected EOF`,
		"parts":      `m.xml:2:16: include.file: must be a regular file, got "parts"`,
		"m.xml":      `is included already`,
	} {
		attr := fmt.Sprintf(" file=%q", file)
		if file == "" {
			attr = ""
		}
		if file == "m.xml" {
			files["m.xml"] = ""
		}
		_, err := read(world("<include"+attr+"/>"), mjcf.Options{Strict: true}, files)
		var problem *problem.Error
		if !errors.As(err, &problem) || !strings.HasPrefix(err.Error(), want) && !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v\nwant %s", file, err, want)
		}
	}
	if _, err := mjcf.Read(model.Source{Name: "m.xml", Text: strings.NewReader(world(`<include file="a"/>`))}, mjcf.Options{}); err == nil || !strings.Contains(err.Error(), "cannot be read here") {
		t.Errorf("error %v", err)
	}
}

// TestReadAttach checks that bodies of attached models keep the classes, materials and compiler settings of their
// model.
func TestReadAttach(t *testing.T) {
	files := map[string]string{"parts/arm.xml": `<mujoco model="arm"><compiler angle="radian"/>
<default><geom material="skin"/><default class="big"><geom size="2"/></default></default>
<asset><material name="skin" rgba="0 1 0 1"/></asset>
<worldbody><geom name="base" size="1"/><body childclass="big"><body name="hand" euler="0 0 1.5707963267948966" pos="5 0 0"><geom name="palm" pos="1 0 0"/><camera name="wrist"/></body></body></worldbody></mujoco>`}
	assets := `<mujoco><asset><material name="skin" rgba="1 0 0 1"/><model name="a" file="parts/arm.xml"/><model name="gone" file="../arm.xml"/></asset>`
	m := must(t, assets+`<worldbody><frame pos="0 0 1"><replicate count="3" offset="0 0 2"><attach model="a" body="hand" prefix="x_"/></replicate></frame>
<geom size="3" material="skin"/><attach model="gone" prefix=""/><attach model="a" prefix="y_"/></worldbody></mujoco>`, mjcf.Options{}, files)
	hand := m.Places[2]
	palm := hand.Part.Spheres[0]
	if hand.Name != "x_hand2" || hand.Position != (geom.Vec3{X: 5, Z: 5}) || palm.Radius != 2 || palm.Material != "arm/skin" || hand.Point(palm.Center).Sub(geom.Vec3{X: 5, Y: 1, Z: 5}).Norm() > 1e-12 {
		t.Errorf("%+v with %+v", hand, palm)
	}
	if m.Spheres[0].Material != "skin" || m.Spheres[1].Name != "y_base" || len(m.Places) != 4 || m.Camera != nil {
		t.Errorf("%+v", m.Part)
	}
	if got := m.Account.Notes().Error(); got != "m.xml:2:33: note: 1 attached model skipped: \"../arm.xml\" must be in the folder of the model or below it; --root DIR allows another folder" {
		t.Errorf("account: %s", got)
	}
	m = must(t, world(`<body name="b"><geom size="1"/></body><attach body="b" prefix="again_"/>`), mjcf.Options{}, nil)
	if len(m.Places) != 2 || m.Places[1].Name != "again_b" {
		t.Errorf("%+v", m.Places)
	}
	files["self.xml"] = `<mujoco><asset><model name="s" file="self.xml"/></asset></mujoco>`
	files["bad.xml"] = `<mujoco><asset>`
	for text, want := range map[string]string{
		assets + `<worldbody><attach model="b" prefix=""/></worldbody></mujoco>`:          `attach.model: must be the name of a model in the assets, got "b"`,
		assets + `<worldbody><attach model="a" body="c" prefix=""/></worldbody></mujoco>`: `attach.body: must be the name of a body in the model, got "c"`,
		assets + `<worldbody><attach prefix=""/></worldbody></mujoco>`:                    `attach.model: is missing, and so is body`,
		`<mujoco><asset><model file="self.xml"/></asset></mujoco>`:                        `models must be in each other at most 8 deep`,
		`<mujoco><asset><model file="bad.xml"/></asset></mujoco>`:                         `bad.xml:1:16: is no XML`,
		world(`<body name="b"><geom size="1"/><attach body="b" prefix=""/></body>`):       `elements must nest at most 2000 deep`,
	} {
		if _, err := read(text, mjcf.Options{Strict: true}, files); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngives %v\nwant %s", text, err, want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"<robot/>", "m.xml:1:1: robot: is a robot in URDF"},
		{"<scene/>", "m.xml:1:1: scene: must be <mujoco>"},
		{"<mujocoinclude/>", "m.xml:1:1: mujocoinclude: is a part of models that include it: import one of those"},
		{"<mujoco><compiler angle='deg'/></mujoco>", "m.xml:1:26: compiler.angle: must be degree or radian, got \"deg\""},
		{"<mujoco><compiler eulerseq='xyq'/></mujoco>", "compiler.eulerseq: must be three of the letters"},
		{"<mujoco><default><default/></default></mujoco>", "m.xml:1:18: default.class: is missing"},
		{"<mujoco><default><default class='a'/><default class='a'/></default></mujoco>", "must be unique among default classes"},
		{"<mujoco><asset><material/></asset></mujoco>", "material.name: is missing"},
		{"<mujoco><asset><material name='a'/><material name='a'/></asset></mujoco>", "must be unique among materials"},
		{world("<geom class='x' size='1'/>"), `m.xml:2:14: geom.class: must be the name of a default class, got "x"`},
		{world("<geom type='ball' size='1'/>"), "geom.type: must be sphere, capsule,"},
		{world("<geom/>"), "m.xml:2:1: geom.size: must be 1 positive numbers"},
		{world("<geom size='-1'/>"), "m.xml:2:13: geom.size: must be 1 positive numbers, got \"-1\""},
		{world("<geom type='box' size='1 1'/>"), "geom.size: must be 3 positive numbers"},
		{world("<geom size='1 1 1 1'/>"), "geom.size: must be 1 to 3 numbers"},
		{world("<geom size='1' fromto='1 1 1 1 1 2'/>"), "geom.fromto: is for capsules"},
		{world("<geom type='capsule' size='1' fromto='1 1 1 1 1 1'/>"), "must be two points that are not too near"},
		{world("<geom size='1' group='x'/>"), "geom.group: must be a whole number"},
		{world("<geom size='1' material='x'/>"), "geom.material: must be the name of a material"},
		{world("<geom size='1' quat='0 0 0 0'/>"), "geom.quat: must not be zero"},
		{world("<geom size='1' euler='0 0 0' zaxis='1 0 0'/>"), "cannot be combined with another orientation"},
		{world("<geom size='1' xyaxes='1 0 0 2 0 0'/>"), "geom.xyaxes: must be two axes"},
		{world("<geom size='1' axisangle='0 0 0 2'/>"), "geom.axisangle: must have an axis"},
		{world("<geom size='1' zaxis='0 0 0'/>"), "geom.zaxis: must not be zero"},
		{world("<joint/>"), "joint: not allowed in the world body"},
		{world("<body><joint axis='0 0 0'/></body>"), "joint.axis: must not be zero"},
		{world("<body><body><freejoint/></body></body>"), "must be the only joint of a body in the world"},
		{world("<body><freejoint/><joint/></body>"), "cannot be combined with a free joint"},
		{world("<replicate count='x'/>"), "replicate.count: must be a whole number"},
		{world("<replicate count='1000000'><replicate count='1000000'/></replicate>"), "makes more than 1000000 elements"},
		{world("<replicate count='1000'><replicate count='1000'><light active='false'/></replicate></replicate>"), "1000000 elements"},
		{world("<geom size='1'/><camera mode='targetbody' target='x'/>"), "camera.target: must be the name of a body"},
		{world("<geom size='1'/><camera fovy='180'/>"), "camera.fovy: must be positive"},
		{world("<geom size='1'/><light dir='0 0 0'/>"), "light.dir: must not be zero"},
	} {
		_, err := read(c.text, mjcf.Options{Strict: true}, nil)
		var problem *problem.Error
		if !errors.As(err, &problem) || problem.Line < 1 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.100s\ngives %v\nwant %s", c.text, err, c.want)
		}
	}
	posed := `<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody><keyframe><key name="home" qpos="1"/><key qpos="1 2"/></keyframe></mujoco>`
	for _, c := range []struct {
		opt  mjcf.Options
		want string
	}{
		{mjcf.Options{QPos: []float64{1, 2}}, "the model has 1 positions of joints (qpos), got 2"},
		{mjcf.Options{Keyframe: "hoem"}, `the model has 2 keyframes, and none is called "hoem"; did you mean "home"?`},
		{mjcf.Options{Keyframe: "1"}, `key.qpos: must be 1 number, got "1 2"`},
		{mjcf.Options{Keyframe: "0"}, ""},
		{mjcf.Options{Keyframe: "home"}, ""},
	} {
		if _, err := read(posed, c.opt, nil); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v gives %v, want %q", c.opt, err, c.want)
		}
	}
}

// TestReadTolerates checks that an invalid element is skipped with a warning at its position, and that everything
// else is read.
func TestReadTolerates(t *testing.T) {
	for bad, want := range map[string]string{
		"<geom size='x'/>":                                  `m.xml:3:13: warning: geom.size: must be numbers of at most 1e+15 in magnitude (skipped), got "x"`,
		"<geom type='ball' size='1'/>":                      "geom.type: must be sphere,",
		"<geom class='none' size='1'/>":                     "geom.class: must be the name of a default class (skipped)",
		"<body pos='1 2'><geom size='4'/></body>":           "body.pos: must be 3 numbers (skipped)",
		"<replicate count='x'><geom size='4'/></replicate>": "replicate.count: must be a whole number",
		"<light dir='a b c'/>":                              "light.dir: must be numbers",
		"<light mode='targetbody' target='x'/>":             "light.target: must be the name of a body (skipped)",
		"<camera mode='targetbody' target='x'/>":            "camera.target: must be the name of a body (skipped)",
		"<camera fovy='x'/>":                                "camera.fovy: must be",
		"<attach model='none' prefix=''/>":                  "attach.model: must be the name",
	} {
		text := world("\n" + bad + "<geom size='2'/><body pos='0 0 3'><geom size='3'/></body>")
		m := must(t, text, mjcf.Options{}, nil)
		if notes := m.Account.Notes().Error(); !strings.Contains(notes, want) || strings.Count(notes, "\n") > 0 {
			t.Errorf("%s: notes are %s, want %s", bad, notes, want)
		}
		if len(m.Spheres) != 1 || len(m.Places) != 1 || len(m.Places[0].Part.Spheres) != 1 {
			t.Errorf("%s: the scene is %+v", bad, m.Part)
		}
		if _, err := read(text, mjcf.Options{Strict: true}, nil); err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(want, " (skipped)")) && !strings.Contains(want, "warning") {
			t.Errorf("%s: strict reading gives %v", bad, err)
		}
	}
}

// TestReadDeep checks a model whose bodies nest more deeply than placements in a scene can.
func TestReadDeep(t *testing.T) {
	text := world(strings.Repeat(`<body pos="1 0 0" euler="0 0 10"><geom size="0.5"/>`, 100) + strings.Repeat("</body>", 100))
	s := load(t, text, mjcf.Options{})
	var want geom.Vec3
	for i := range 100 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 18)
		want = want.Add(geom.Vec3{X: cos, Y: sin})
	}
	if got := s.Spheres[99].Center; len(s.Spheres) != 100 || got.Sub(want).Norm() > 1e-9 {
		t.Errorf("the last of %d is at %v, want %v", len(s.Spheres), got, want)
	}
}

// FuzzRead checks that no input causes a panic, that errors have a position, and that every written scene can be
// loaded.
func FuzzRead(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(makeExample(seed, 0).text, seed%2 == 0, "")
	}
	for _, name := range []string{"figure.xml"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), true, "squat")
	}
	f.Add(world(`<include file="a.xml"/>`), true, "0")
	f.Add(`<mujoco><asset><model name="a" file="a.xml"/></asset><worldbody><geom size="1"/><attach model="a" prefix="p"/></worldbody></mujoco>`, true, "")
	included := `<mujoco><default><default class="a"><geom size="1" pos="1 2 3"/></default></default><geom class="a" name="x/y"/></mujoco>`
	f.Fuzz(func(t *testing.T, text string, flag bool, key string) {
		m, err := read(text, mjcf.Options{Approximate: flag, Sites: flag, Keyframe: key}, map[string]string{"a.xml": included})
		var problem *problem.Error
		if err != nil && !(errors.As(err, &problem) && problem.Line > 0) && !strings.Contains(err.Error(), "keyframes") {
			t.Fatalf("error %#v", err)
		}
		modeltest.Check(t, m, err)
	})
}

func Example() {
	text := `<mujoco>
  <worldbody>
    <body name="pendulum" pos="0 0 2">
      <joint axis="0 1 0"/>
      <geom type="capsule" size="0.1" fromto="0 0 0 0 0 -1"/>
    </body>
  </worldbody>
</mujoco>`
	s, err := mjcf.Read(model.Source{Name: "pendulum.xml", Text: strings.NewReader(text)}, mjcf.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := s.Places[0]
	fmt.Println(p.Name, p.Position, p.Part.Capsules[0].B)
	// Output: pendulum [0, 0, 2] [0, 0, -1]
}

// TestReadVerticalCamera checks the up direction of vertical cameras: y for a camera aimed straight down, -y for one
// aimed straight up.
func TestReadVerticalCamera(t *testing.T) {
	for z, up := range map[string]float64{"5": 1, "-5": -1} {
		s := load(t, `<mujoco><worldbody><body name="b" pos="0 0 1"><geom size="0.3"/></body><camera pos="0 0 `+z+`" mode="targetbody" target="b"/></worldbody></mujoco>`, mjcf.Options{})
		if s.Camera.Up != (geom.Vec3{Y: up}) || s.Camera.LookAt != (geom.Vec3{Z: 1}) {
			t.Errorf("from z = %s: %+v", z, s.Camera)
		}
	}
}

// TestTransparentGeomsAreGhosts checks that the alpha of a geom's own color, or else of its material, becomes a ghost.
func TestTransparentGeomsAreGhosts(t *testing.T) {
	s := modeltest.Load(t, must(t, `<mujoco><asset><material name="glass" rgba="0 0 1 .25" reflectance=".5"/></asset><worldbody>
<geom size="1" rgba="1 1 1 .5"/><geom size="1" material="glass"/><geom size="1" rgba="1 0 0 1" material="glass"/><geom size="1"/>
</worldbody></mujoco>`, mjcf.Options{}, nil))
	var got []float64
	for i := range s.Objects.Len() {
		share := 1.0
		if g := s.Objects.Material(i).Ghost; g != nil {
			share = g.Share
		}
		got = append(got, share)
	}
	if want := []float64{0.5, 0.25, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("shares %v, want %v", got, want)
	}
}

// TestGhost checks that geoms of the groups in the option Ghost are in the hull, whether or not they are in Groups, and
// without their mirrors and patterns.
func TestGhost(t *testing.T) {
	const text = `<mujoco><asset><texture name="tiles" type="2d" builtin="checker" width="8" height="8" rgb1="0 0 0" rgb2="1 1 1"/>
<material name="floor" texture="tiles" reflectance=".5"/></asset><worldbody>
<geom name="a" size="1"/><geom name="b" size="1" group="3"/><geom name="c" size="1" group="4"/>
<geom name="d" type="plane" size="1 1 1" material="floor" group="3"/><geom name="e" size="1" group="3" rgba="1 0 0 .8"/>
</worldbody></mujoco>`
	for _, c := range []struct {
		options mjcf.Options
		want    map[string]bool // whether it is in the hull
	}{
		{mjcf.Options{}, map[string]bool{"a": false}},
		{mjcf.Options{Ghost: []int{3}}, map[string]bool{"a": false, "b": true, "d": true, "e": true}},
		{mjcf.Options{Groups: []int{3, 4}, Ghost: []int{4}}, map[string]bool{"b": false, "c": true, "d": false, "e": false}},
	} {
		s := modeltest.Load(t, must(t, text, c.options, nil))
		got := make(map[string]bool)
		for i := range s.Objects.Len() {
			m := s.Objects.Material(i)
			got[s.Objects.Name(i)] = m.Ghost != nil && m.Ghost.Share == 0.35
			if m.Ghost != nil && (m.Mirror > 0 || m.Checker != nil) {
				t.Errorf("%+v: the ghost %s is %+v", c.options, s.Objects.Name(i), m)
			}
		}
		delete(got, "") // the face of a mirror
		if !maps.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.options, got, c.want)
		}
	}
}
