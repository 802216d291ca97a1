package scene

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/geom"
	"pillbox/shade"
	"pillbox/shapes"
)

// stageText is a scene with most things that may be animated. The function stageScene adds more keys to it.
const stageText = `
image = { background = "white" }
camera = { position = [0, 0, 9], look_at = [0, 0, 0] %[2]s }
shading = { bounces = 3 %[3]s }
light = [{ name = "sun", direction = [0, -1, 0] %[4]s }, { name = "lamp", position = [0, 5, 0] }]
material.red.color = "red"
material.blue.color = "blue"
place = [
	{ name = "walker", part = "body" %[5]s },
	{ name = "crowd", part = "body", count = 3, step = { position = [3, 0, 0] } %[6]s },
	{ part = "leg", position = [0, 0, -3] },
]
sphere = [{ name = "ball", center = [0, 3, 0], radius = 1 %[7]s }, { center = [0, 4, 0], radius = 0.5 %[8]s }]
capsule = [{ name = "pill", a = [1, 0, 0], b = [2, 0, 0], radius = 0.25 %[9]s }]
box = [{ name = "brick", center = [5, 5, 5], half_extents = [1, 2, 3] %[10]s }]
[part.body]
place = [{ name = "left", part = "leg", position = [-1, 0, 0] %[11]s }, { name = "right", part = "leg", position = [1, 0, 0] }]
capsule = [{ name = "spine", a = [0, 0, 0], b = [0, 2, 0], radius = 0.3 }]
[part.leg]
capsule = [{ name = "thigh", a = [0, 0, 0], b = [0, -1, 0], radius = 0.2 %[12]s }]
%[1]s
`

// Numbers of the tables in stageText, for stageScene.
const (
	cameraSlot = iota + 1
	shadingSlot
	sunSlot
	walkerSlot
	crowdSlot
	ballSlot
	unnamedSlot
	pillSlot
	brickSlot
	leftSlot
	thighSlot
	slotCount
)

// stageScene returns stageText with two additions. It adds key to the table with the number slot, and the text in
// behind at the end.
func stageScene(slot int, key, behind string) string {
	args := make([]any, slotCount)
	for i := range args {
		args[i] = ""
	}
	args[0] = behind
	if slot > 0 {
		args[slot] = ", " + key
	}
	return fmt.Sprintf(stageText, args...)
}

func animate(target, times, values, ease string) string {
	return fmt.Sprintf("[[animate]]\ntarget = %q\ntimes = %s\nvalues = %s\nease = %q\n", target, times, values, ease)
}

func mustAt(t *testing.T, s *Scene, seconds float64) *Scene {
	t.Helper()
	at, err := s.At(seconds)
	if err != nil {
		t.Fatalf("at %v: %v", seconds, err)
	}
	return at
}

// sameScene reports an error unless got and want have the same pictures, cameras, shading, lights, solids,
// materials and names.
func sameScene(t *testing.T, what string, got, want *Scene) {
	t.Helper()
	for _, s := range []*Scene{got, want} {
		for i := range s.Lights {
			s.Lights[i].stated = geom.Vec3{}
		}
	}
	for _, pair := range [][2]any{
		{got.Image, want.Image}, {got.Camera, want.Camera}, {got.Shading, want.Shading}, {got.Lights, want.Lights},
		{got.Spheres, want.Spheres}, {got.Capsules, want.Capsules}, {got.Boxes, want.Boxes}, {got.Cylinders, want.Cylinders}, {got.Objects.List(), want.Objects.List()},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: got\n%+v\nwant\n%+v", what, pair[0], pair[1])
		}
	}
}

// TestAtEqualsTable checks scenes at the time of a keyframe. They must be exactly equal to a scene with the
// keyframe's value in the table.
func TestAtEqualsTable(t *testing.T) {
	for _, c := range []struct {
		slot                int
		target, key         string
		first, second, ease string
	}{
		{cameraSlot, "camera", "up", "[0, 1, 0.1]", "[0.5, 1, 0]", "linear"},
		{cameraSlot, "camera", "fov", "30", "70.5", "smooth"},
		{cameraSlot, "camera", "projection", `"orthographic"`, `"perspective"`, "step"},
		{shadingSlot, "shading", "ambient", "0.3", `{ top = 0.1, bottom = "#204060" }`, "linear"},
		{shadingSlot, "shading", "shadows", "false", "true", "step"},
		{sunSlot, "sun", "color", `"red"`, "[0.1, 0.2, 0.3]", "linear"},
		{sunSlot, "sun", "intensity", "0", "2", "linear"},
		{sunSlot, "light[0]", "attach", `"camera"`, `"camera"`, "step"},
		{walkerSlot, "walker", "position", "[1, 2, 3]", "[0.1, 0.7, -5]", "linear"},
		{walkerSlot, "walker", "rotate", "[10, 20, 30]", "[0, 0, 90]", "smooth"},
		{walkerSlot, "walker", "quaternion", "[1, 2, 3, 4]", "[0, 0, 0, 7]", "linear"},
		{walkerSlot, "walker", "scale", "0.1", "3", "linear"},
		{walkerSlot, "walker", "material", `"red"`, `"blue"`, "step"},
		{crowdSlot, "crowd", "position", "[1, 2, 3]", "[0.1, 0.7, -5]", "linear"},
		{crowdSlot, "crowd", "color", `"red"`, `"blue"`, "linear"},
		{ballSlot, "ball", "color", `"#123456"`, `"teal"`, "linear"},
		{unnamedSlot, "sphere[1]", "color", `"#123456"`, `"teal"`, "linear"},
		{pillSlot, "pill", "material", `"red"`, `"blue"`, "step"},
		{brickSlot, "brick", "rotate", "[1, 2, 3]", "[0, 0, 0]", "linear"},
		{brickSlot, "brick", "axes", "[[0, 1, 0], [-1, 0, 0], [0, 0, 1]]", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "step"},
		{leftSlot, "part.body/left", "rotate", "[1, 2, 3]", "[0, 0, 40]", "linear"},
		{thighSlot, "part.leg/thigh", "color", `"#123456"`, `"teal"`, "linear"},
	} {
		values := fmt.Sprintf("[%s, %s]", c.first, c.second)
		s := decode(t, stageScene(0, "", animate(c.target+"."+c.key, "[1, 3]", values, c.ease)))
		before := decode(t, stageScene(c.slot, c.key+" = "+c.first, ""))
		after := decode(t, stageScene(c.slot, c.key+" = "+c.second, ""))
		what := c.target + "." + c.key
		if !s.Moves() || before.Moves() {
			t.Errorf("%s: moves %v, without animation %v", what, s.Moves(), before.Moves())
		}
		for _, seconds := range []float64{0, 0.5, 1} {
			sameScene(t, what, mustAt(t, s, seconds), before)
		}
		for _, seconds := range []float64{3, 99} {
			sameScene(t, what, mustAt(t, s, seconds), after)
		}
		if c.ease == "step" {
			sameScene(t, what, mustAt(t, s, 2.99), before)
		}
		sameScene(t, what+" itself", s, decode(t, stageScene(0, "", "")))
	}
}

// TestAtOcclusion checks that the distance of occlusion and other keys of shading can be animated independently, in
// either order of their tables.
func TestAtOcclusion(t *testing.T) {
	tracks := []string{
		animate("shading.occlusion.distance", "[0, 2]", "[1, 3]", "linear"),
		animate("shading.ambient", "[0, 2]", "[0.2, 0.4]", "linear"),
		animate("shading.samples", "[0, 2]", "[4, 64]", "step"),
	}
	for range tracks {
		tracks = append(tracks[1:], tracks[0])
		s := decode(t, "[shading.occlusion]\ndistance = 7\n"+strings.Join(tracks, ""))
		for seconds, want := range map[float64]Shading{
			0: {Ambient: shade.Even(shade.Gray(0.2)), Samples: 4, Occlusion: Occlusion{Enabled: true, Distance: 1}},
			1: {Ambient: shade.Even(shade.Gray(0.2).Mix(shade.Gray(0.4), 0.5)), Samples: 4, Occlusion: Occlusion{Enabled: true, Distance: 2}},
			2: {Ambient: shade.Even(shade.Gray(0.4)), Samples: 64, Occlusion: Occlusion{Enabled: true, Distance: 3}},
		} {
			want.Shadows, want.Bounces = true, 4
			if got := mustAt(t, s, seconds).Shading; got != want {
				t.Errorf("at %v s: %+v, want %+v", seconds, got, want)
			}
		}
	}
}

// TestAtBetween compares interpolated values with the expected ones.
func TestAtBetween(t *testing.T) {
	s := decode(t, stageScene(0, "", animate("walker.position", "[1, 3]", "[[0, 0, 0], [8, 4, -8]]", "linear")+
		animate("crowd.scale", "[1, 3]", "[1, 3]", "smooth")+
		animate("ball.color", "[1, 3]", `["black", "white"]`, "linear")))
	at := mustAt(t, s, 1.5)
	want := decode(t, strings.Replace(stageScene(crowdSlot, "scale = 1.3125", ""), `part = "body"  }`, `part = "body", position = [2, 1, -2] }`, 1))
	want.Objects = want.Objects.With(0, Object{want.Objects.Name(0), shade.Material{Albedo: shade.Gray(0.25)}})
	sameScene(t, "a quarter of the way", at, want)
}

// TestAtOfCopies checks that the path of a target can select one copy, one instance, or all of them.
func TestAtOfCopies(t *testing.T) {
	bone := func(s *Scene, name string) geom.Vec3 {
		for i := range s.Objects.Len() {
			if s.Objects.Name(i) == name {
				return s.Capsules[i-len(s.Spheres)].B
			}
		}
		t.Fatalf("no %q", name)
		return geom.Vec3{}
	}
	names := []string{"walker/left/thigh", "walker/right/thigh", "crowd[0]/left/thigh", "crowd[1]/left/thigh", "crowd[1]/right/thigh", "crowd[2]/left/thigh"}
	base := decode(t, stageScene(0, "", ""))
	for target, moved := range map[string][]string{
		"walker.position":                {names[0], names[1]},
		"walker/left.position":           {names[0]},
		"walker/left/thigh.b":            {names[0]},
		"crowd.position":                 names[2:],
		"crowd[1].position":              {names[3], names[4]},
		"crowd[1]/left.position":         {names[3]},
		"crowd/left.position":            {names[2], names[3], names[5]},
		"part.body/left.position":        {names[0], names[2], names[3], names[5]},
		"part.body/left/thigh.b":         {names[0], names[2], names[3], names[5]},
		"part.leg/thigh.b":               names,
		"part.leg/capsule[0].b":          names,
		"crowd[2]/place[0]/capsule[0].b": {names[5]},
	} {
		at := mustAt(t, decode(t, stageScene(0, "", animate(target, "[0]", "[[40, 50, 60]]", "linear"))), 7)
		for _, name := range names {
			want := false
			for _, m := range moved {
				want = want || m == name
			}
			if got := bone(at, name) != bone(base, name); got != want {
				t.Errorf("%s: %s moved is %v, want %v", target, name, got, want)
			}
		}
	}
	// Tracks of one instance override tracks of all instances, in any order.
	all, one := animate("part.leg/thigh.b", "[0]", "[[1, 1, 1]]", "linear"), animate("crowd[1]/left/thigh.b", "[0]", "[[0, 2, 0]]", "linear")
	for _, text := range []string{all + one, one + all} {
		at := mustAt(t, decode(t, stageScene(0, "", text)), 0)
		if got, want := bone(at, "crowd[1]/left/thigh"), (geom.Vec3{X: 2, Y: 2}); got != want {
			t.Errorf("one of all: %v, want %v", got, want)
		}
		if got, want := bone(at, "crowd[0]/left/thigh"), (geom.Vec3{X: 0, Y: 1, Z: 1}); got != want {
			t.Errorf("another: %v, want %v", got, want)
		}
	}
}

// TestAtQuaternionsGoTheShorterWay interpolates between two close rotations whose quaternions have
// opposite signs.
func TestAtQuaternionsGoTheShorterWay(t *testing.T) {
	s := decode(t, stageScene(0, "", animate("brick.quaternion", "[0, 1]", "[[1, 0, 0, 0], [-20, 0, 0, -20]]", "linear")))
	want := geom.RotationXYZ(0, 0, 45)
	got := mustAt(t, s, 0.5).Boxes[0].Rotation
	if d := got.X.Sub(want.X).Norm() + got.Y.Sub(want.Y).Norm(); d > 1e-15 {
		t.Errorf("half a quarter turn is %v, want %v", got, want)
	}
}

// TestAtOutOfRange checks that the error about an invalid interpolated value contains the time.
func TestAtOutOfRange(t *testing.T) {
	for text, want := range map[string]string{
		animate("camera.up", "[0, 2]", "[[0, 1, 0], [0, -1, 0]]", "linear"):      "test.toml: camera.up: at 1 s: must not be zero",
		animate("camera.look_at", "[0, 2]", "[[0, 0, 0], [0, 0, 18]]", "linear"): "test.toml: camera.look_at: at 1 s: must differ from position",
		animate("walker.scale", "[0, 2]", "[1, 1e15]", "linear"):                 "test.toml: place[0]: at 1 s: puts walker/spine",
		animate("sun.direction", "[0, 2]", "[[0, 1, 0], [0, -1, 0]]", "linear"):  "test.toml: light[0].direction: at 1 s: must not be zero",
	} {
		s := decode(t, stageScene(0, "", text))
		if at, err := s.At(1); at != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		mustAt(t, s, 0)
	}
	for _, seconds := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := decode(t, "").At(seconds); err == nil {
			t.Errorf("%v seconds are a time", seconds)
		}
	}
}

func TestAnimationFrames(t *testing.T) {
	s := decode(t, "[animation]\nduration = 4")
	if a := s.Animation; a.Frames() != 120 {
		t.Errorf("%+v has %d frames", a, a.Frames())
	}
	for text, want := range map[string]int{"duration = 0.5\nfps = 25": 13, "duration = 0.001": 1, "duration = 1000\nfps = 1000": 1_000_000} {
		if got := decode(t, "[animation]\n"+text).Animation.Frames(); got != want {
			t.Errorf("%s: %d frames, want %d", text, got, want)
		}
	}
}

// TestAtSteps checks that animating a step moves all copies, including those with animations of their own. The
// scene must equal one whose table has the interpolated step.
func TestAtSteps(t *testing.T) {
	for _, c := range [][3]string{ // target, value, step
		{"crowd.step.position", "[1, 2, 3]", "position = [1, 2, 3]"},
		{"place[1].step.position", "[1, 2, 3]", "position = [1, 2, 3]"},
		{"turned.step.angle", "33.5", "axis = [0, 1, 0], angle = 33.5"},
		{"turned.step.axis", "[1, 0, 1]", "axis = [1, 0, 1], angle = 5"},
	} {
		const turned = `{ name = "turned", part = "leg", count = 4, position = [5, 0, 0], step = { axis = [0, 1, 0], angle = 5 } }, { part = "leg", position = [0, 0, -3] }`
		text := strings.Replace(stageScene(0, "", ""), `{ part = "leg", position = [0, 0, -3] }`, turned, 1)
		one := animate("crowd[1].position", "[0]", "[[9, 9, 9]]", "linear")
		s := decode(t, text+animate(c[0], "[1, 2]", "["+c[1]+", "+c[1]+"]", "linear")+one)
		old := "step = { axis = [0, 1, 0], angle = 5 }"
		if !strings.HasPrefix(c[0], "turned") {
			old = "step = { position = [3, 0, 0] }"
		}
		want := decode(t, strings.Replace(text, old, "step = { "+c[2]+" }", 1)+one)
		sameScene(t, c[0], mustAt(t, s, 1.5), mustAt(t, want, 1.5))
		sameScene(t, c[0]+" itself", s, decode(t, text))
	}
}

// TestAtRows checks that an animated row of a bulk file equals a row with the interpolated values, and that other
// rows do not change.
func TestAtRows(t *testing.T) {
	files := func(rows ...string) fstest.MapFS {
		return fstest.MapFS{
			"balls.csv":  {Data: []byte("x,y,z,radius,name,color\n" + rows[0])},
			"bricks.csv": {Data: []byte("x,y,z,hx,hy,hz,rx,ry,rz\n" + rows[1])},
		}
	}
	const balls, bricks = "0,0,0,1,first,red\n\n1,2,3,0.5,,\n", "0,0,0,1,1,1,10,20,30\n4,4,4,1,2,3,0,0,0\n"
	const text = `
material.blue.color = "blue"
[part.heap]
bulk = [{ file = "balls.csv", shape = "sphere" }]
[[bulk]]
file = "balls.csv"
shape = "sphere"
material = "blue"
[[bulk]]
file = "bricks.csv"
shape = "box"
[[place]]
name = "here"
part = "heap"
position = [0, 0, 10]
[[place]]
name = "there"
part = "heap"
position = [0, 0, 20]
`
	decoded := func(files fstest.MapFS, text string) *Scene {
		t.Helper()
		s, err := Decode("rows.toml", []byte(text), WithFiles(files))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return s
	}
	base := decoded(files(balls, bricks), text)
	const hereFirst, thereFirst, first, hereSecond = 0, 2, 4, 1
	for _, c := range []struct {
		target, value, ease string
		spheres             map[int]shapes.Sphere
		box                 string // the first row of bricks.csv afterwards; "" if no box changes
	}{
		{target: "first.center", value: "[7, 8, 9]", spheres: map[int]shapes.Sphere{first: {Center: geom.Vec3{X: 7, Y: 8, Z: 9}, Radius: 1}}},
		{target: "balls.csv:2.radius", value: "3", spheres: map[int]shapes.Sphere{first: {Radius: 3}}},
		{target: "here/balls.csv:4.radius", value: "3", spheres: map[int]shapes.Sphere{hereSecond: {Center: geom.Vec3{X: 1, Y: 2, Z: 13}, Radius: 3}}},
		{target: "part.heap/first.radius", value: "3", spheres: map[int]shapes.Sphere{hereFirst: {Center: geom.Vec3{Z: 10}, Radius: 3}, thereFirst: {Center: geom.Vec3{Z: 20}, Radius: 3}}},
		{target: "bricks.csv:2.rotate", value: "[0, 0, 45]", box: "0,0,0,1,1,1,0,0,45"},
		{target: "bricks.csv:2.half_extents", value: "[3, 2, 1]", box: "0,0,0,3,2,1,10,20,30"},
	} {
		at := mustAt(t, decoded(files(balls, bricks), text+animate(c.target, "[1]", "["+c.value+"]", "linear")), 2)
		want := *base
		want.Spheres = slices.Clone(base.Spheres)
		for i, x := range c.spheres {
			want.Spheres[i] = x
		}
		if c.box != "" {
			_, rest, _ := strings.Cut(bricks, "\n")
			want.Boxes = decoded(files(balls, c.box+"\n"+rest), text).Boxes
		}
		sameScene(t, c.target, at, &want)
	}
	at := mustAt(t, decoded(files(balls, bricks), text+animate("first.color", "[1]", `["white"]`, "linear")+animate("balls.csv:4.material", "[1]", `["blue"]`, "step")), 2)
	if got := at.Objects.Of(first); got.Material.Albedo != shade.Gray(1) || got.Name != "first" {
		t.Errorf("the first row is %+v", got)
	}
	for target, want := range map[string]string{
		"balls.csv:3.radius":  "rows.toml:21:10: animate[0].target: no solid, placement, section or light is called \"balls.csv:3\"",
		"balls.csv:2.name":    "want one of the keys that may change with time",
		"balls.csv:2.x":       "want one of the keys that may change with time",
		"here.step.position":  "the placement has no step: it needs a count",
		"here[0].step.angle":  "no solid, placement, section or light is called \"here[0].step\"",
		"balls.csv:2.radius ": "want one of the keys",
	} {
		_, err := Decode("rows.toml", []byte(text+animate(target, "[1]", "[1]", "linear")), WithFiles(files(balls, bricks)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", target, err, want)
		}
	}
	twice := strings.Replace(text, "[[bulk]]\nfile = \"bricks.csv\"\nshape = \"box\"", "[[bulk]]\nfile = \"deep/balls.csv\"\nshape = \"sphere\"", 1)
	both := files(balls, bricks)
	both["deep/balls.csv"] = &fstest.MapFile{Data: []byte("x,y,z,radius\n0,0,0,1\n")}
	_, err := Decode("rows.toml", []byte(twice+animate("balls.csv:2.radius", "[1]", "[1]", "linear")), WithFiles(both))
	if want := "may mean bulk[0] at balls.csv:2 or bulk[1] at deep/balls.csv:2"; err == nil || !strings.Contains(filepath.ToSlash(err.Error()), want) {
		t.Errorf("%v, want %s", err, want)
	}
	s := decoded(files(balls, bricks), text+animate("first.radius", "[0, 1]", "[1, 2]", "linear")+animate("here.scale", "[0, 1]", "[1, 1e15]", "linear"))
	if _, err := s.At(0.5); err == nil || !strings.Contains(err.Error(), "at 0.5 s") {
		t.Errorf("%v", err)
	}
	_, err = Decode("rows.toml", []byte(text+animate("first.radius", "[0, 1]", "[1, -2]", "linear")), WithFiles(files(balls, bricks)))
	if want := "animate[0].values[1]: must be positive and finite, got -2"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestAtMostSpecificPathWins checks which of several paths to one solid takes precedence. It is the path with an
// index at the innermost placement or, if that does not decide, the longer path. The order in the file must not
// matter.
func TestAtMostSpecificPathWins(t *testing.T) {
	const parts = `[[part.A.sphere]]
name = "s"
center = [0, 0, 0]
radius = 1
[[part.B.place]]
part = "A"
name = "a"
count = 3
step = { position = [9, 0, 0] }
[[place]]
part = "B"
name = "b"
count = 2
step = { position = [0, 9, 0] }
`
	// From the weakest to the strongest, for the solid b[1]/a[1]/s.
	paths := []string{"part.A/s", "part.B/a/s", "b/a/s", "b[1]/a/s", "part.B/a[1]/s", "b/a[1]/s", "b[1]/a[1]/s"}
	track := func(path string, radius int) string {
		return fmt.Sprintf("[[animate]]\ntarget = \"%s.radius\"\ntimes = [0]\nvalues = [%d]\n", path, radius)
	}
	for strong := range paths {
		for weak := range strong {
			for _, tracks := range []string{
				track(paths[weak], 2) + track(paths[strong], 3), track(paths[strong], 3) + track(paths[weak], 2),
			} {
				s, err := decode(t, parts+tracks).At(0)
				if err != nil {
					t.Fatal(err)
				}
				for i, x := range s.Spheres {
					if s.Objects.Name(i) == "b[1]/a[1]/s" && x.Radius != 3 {
						t.Errorf("%s and %s: radius %v, want that of %s", paths[weak], paths[strong], x.Radius, paths[strong])
					}
				}
			}
		}
	}
}

// TestAtQuaternionsHalfATurnApart interpolates between two rotations that are half a turn apart, so that both ways
// are equally long. The signs of the quaternions in the file must decide which way is taken.
func TestAtQuaternionsHalfATurnApart(t *testing.T) {
	for _, test := range []struct {
		end  string
		axis geom.Vec3 // the box's x axis halfway
	}{{"[0, 0, 0, 1]", geom.Vec3{Y: 1}}, {"[0, 0, 0, -2]", geom.Vec3{Y: -1}}} {
		s, err := decode(t, `[[box]]
name = "b"
center = [0, 0, 0]
half_extents = [1, 2, 3]
[[animate]]
target = "b.quaternion"
times = [0, 2]
values = [[1, 0, 0, 0], `+test.end+`]
`).At(1)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Boxes[0].Rotation.X; got.Sub(test.axis).Norm() > 1e-15 {
			t.Errorf("halfway to %s: x axis %v, want %v", test.end, got, test.axis)
		}
	}
}
