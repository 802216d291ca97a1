package scene_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/scene"
	"pillbox/shapes"
)

// randomScene returns a scene of 1 to 8 solids of random kinds, sizes and places, and a random framing.
func randomScene(r *rand.Rand) *scene.Scene {
	vector := func() geom.Vec3 { return geom.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()} }
	size := math.Pow(10, 6*r.Float64()-3)
	away := vector().Scale(size * math.Pow(10, 3*r.Float64()-2))
	point := func() geom.Vec3 { return vector().Scale(size).Add(away) }
	radius := func() float64 { return size * math.Pow(10, 2*r.Float64()-2) }
	s := new(scene.Scene)
	for range 1 + r.IntN(8) {
		switch r.IntN(4) {
		case 0:
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: point(), Radius: radius()})
		case 1:
			s.Capsules = append(s.Capsules, shapes.Capsule{A: point(), B: point(), Radius: radius()})
		case 2:
			m, _ := geom.RotationQuaternion(r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
			s.Boxes = append(s.Boxes, shapes.Box{Center: point(), HalfExtents: geom.Vec3{X: radius(), Y: radius(), Z: radius()}, Rotation: m})
		default:
			s.Cylinders = append(s.Cylinders, shapes.Cylinder{A: point(), B: point(), Radius: radius()})
		}
	}
	n := len(s.Spheres) + len(s.Capsules) + len(s.Boxes) + len(s.Cylinders)
	s.Objects = scene.NewObjects(make([]scene.Object, n)...)
	s.Image.Width, s.Image.Height = 40+r.IntN(2000), 40+r.IntN(2000)
	f := scene.DefaultFraming()
	f.Direction, f.Camera.Up = vector(), vector()
	f.Camera.FOV = geom.Angle(3 + 70*r.Float64())
	f.Camera.Projection = camera.Projection(r.IntN(2))
	f.Margin = 0.3 * r.Float64()
	s.Framing = &f
	return s
}

// oneSide is a camera in a plane through its viewing direction: the oracle projects to one axis of the picture, with angles.
type oneSide struct {
	at, forward, aside geom.Vec3
	parallel           bool
	pixel              float64
}

// reach returns how far a ball extends toward the side, in pixels from the middle of the picture.
func (e *oneSide) reach(center geom.Vec3, radius float64) float64 {
	d := center.Sub(e.at)
	x, z := d.Dot(e.aside), d.Dot(e.forward)
	if e.parallel {
		return (x + radius) / e.pixel
	}
	angle := math.Atan2(x, z) + math.Asin(min(1, radius/math.Hypot(x, z)))
	if angle >= math.Pi/2 || math.Hypot(x, z) <= radius {
		return math.Inf(1)
	}
	return math.Tan(angle) / e.pixel
}

// silhouette returns how far the solids of a scene extend toward the side, in pixels from the middle of the picture.
func (e *oneSide) silhouette(s *scene.Scene) float64 {
	most := math.Inf(-1)
	ball := func(center geom.Vec3, radius float64) { most = max(most, e.reach(center, radius)) }
	for _, x := range s.Spheres {
		ball(x.Center, x.Radius)
	}
	for _, x := range s.Capsules {
		ball(x.A, x.Radius)
		ball(x.B, x.Radius)
	}
	for _, x := range s.Boxes {
		for i := range 8 {
			h := x.HalfExtents
			corner := geom.Vec3{X: h.X * float64(i&1*2-1), Y: h.Y * float64(i>>1&1*2-1), Z: h.Z * float64(i>>2*2-1)}
			ball(x.Center.Add(x.Rotation.MulVec(corner)), 0)
		}
	}
	for _, x := range s.Cylinders {
		u := x.B.Sub(x.A).Unit()
		v := u.Cross(geom.Vec3{X: u.Y, Y: u.Z, Z: -u.X}).Unit()
		w := u.Cross(v)
		for i := range 2000 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 1000)
			rim := v.Scale(cos * x.Radius).Add(w.Scale(sin * x.Radius))
			ball(x.A.Add(rim), 0)
			ball(x.B.Add(rim), 0)
		}
	}
	return most
}

// eyes returns the eyes of a camera for the four sides.
func eyes(t *testing.T, c camera.Camera, width, height int) (all []*oneSide) {
	t.Helper()
	v, err := c.View(width, height)
	if err != nil {
		t.Fatal(err)
	}
	a := v.Axes()
	for _, aside := range [4]geom.Vec3{a.X.Neg(), a.X, a.Y.Neg(), a.Y} {
		all = append(all, &oneSide{v.Position(), a.Z.Neg(), aside, v.Parallel(), v.PixelAt(1)})
	}
	return all
}

// TestFramedTouches compares the silhouettes of random scenes with the margin: they touch it on both sides of the limiting
// pair, and are inside of it on all sides.
func TestFramedTouches(t *testing.T) {
	for seed := range uint64(effort.Of(100, 1000, 20000)) {
		s := randomScene(rand.New(rand.NewPCG(seed, 1)))
		w, h := s.Image.Width, s.Image.Height
		found, err := s.Framed(w, h)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if found.Camera != s.CameraFor(w, h) {
			t.Fatalf("seed %d: CameraFor differs from Framed", seed)
		}
		margin := s.Framing.Margin * float64(min(w, h))
		for side, e := range eyes(t, found.Camera, w, h) {
			want := float64(w)/2 - margin
			if side >= 2 {
				want = float64(h)/2 - margin
			}
			const slack = 0.01 // of a pixel; the rims of the oracle's cylinders are polygons
			got := e.silhouette(s)
			if got > want+slack {
				t.Errorf("seed %d: the %v side of the silhouette is at %v, want at most %v", seed, camera.Side(side), got, want)
			}
			limits := !found.Close && side/2 == int(found.Limit)/2
			if limits && got < want-slack {
				t.Errorf("seed %d: the %v side of the silhouette is at %v, want %v", seed, camera.Side(side), got, want)
			}
			n, ok := s.Touching(camera.Side(side), w, h)
			if !ok {
				t.Fatalf("seed %d: nothing touches the %v side", seed, camera.Side(side))
			}
			if alone := e.silhouette(only(s, n)); math.Abs(alone-got) > slack && limits {
				t.Errorf("seed %d: solid %d reaches %v on the %v side, but the scene %v", seed, n, alone, camera.Side(side), got)
			}
		}
	}
}

// only returns a scene with one solid of s.
func only(s *scene.Scene, n int) *scene.Scene {
	one := new(scene.Scene)
	switch x := s.Solid(n).(type) {
	case *shapes.Sphere:
		one.Spheres = []shapes.Sphere{*x}
	case *shapes.Capsule:
		one.Capsules = []shapes.Capsule{*x}
	case *shapes.Box:
		one.Boxes = []shapes.Box{*x}
	case *shapes.Cylinder:
		one.Cylinders = []shapes.Cylinder{*x}
	}
	return one
}

// TestFramedByBisection finds the scale of a camera by bisection, for the limiting pair.
func TestFramedByBisection(t *testing.T) {
	for seed := range uint64(effort.Of(20, 200, 2000)) {
		s := randomScene(rand.New(rand.NewPCG(seed, 2)))
		s.Cylinders = nil // the oracle's cylinders are slow
		if n := len(s.Spheres) + len(s.Capsules) + len(s.Boxes); n == 0 {
			continue
		} else {
			s.Objects = scene.NewObjects(make([]scene.Object, n)...)
		}
		w, h := s.Image.Width, s.Image.Height
		found, err := s.Framed(w, h)
		if err != nil || found.Close {
			continue
		}
		side, half := found.Limit, float64(w)/2
		if side == camera.Bottom {
			half = float64(h) / 2
		}
		half -= s.Framing.Margin * float64(min(w, h))
		pair := eyes(t, found.Camera, w, h)[side : side+2]
		size := found.Camera.Position.Sub(found.Camera.LookAt).Norm()
		fits := func(back, scale float64) bool {
			need := [2]float64{}
			for i := range pair {
				e := *pair[i]
				e.at = e.at.AddScaled(-back, e.forward)
				if e.parallel {
					e.pixel *= scale
				}
				low, high := -1e3*size, 1e3*size // how far the camera must move aside
				for range 100 {
					moved := e
					middle := (low + high) / 2
					moved.at = e.at.AddScaled(middle, e.aside)
					if moved.silhouette(s) <= half {
						high = middle
					} else {
						low = middle
					}
				}
				need[i] = high
			}
			return need[0]+need[1] <= 1e-9*size
		}
		if d := 1e-6 * size; !fits(d, 1+1e-6) || fits(-d, 1-1e-6) {
			t.Errorf("seed %d: the camera is not the nearest", seed)
		}
	}
}

// TestFramedPermuted compares the bits of the cameras of scenes with the same solids in another order.
func TestFramedPermuted(t *testing.T) {
	for seed := range uint64(effort.Of(100, 1000, 10000)) {
		s := randomScene(rand.New(rand.NewPCG(seed, 3)))
		p := *s
		p.Spheres, p.Capsules, p.Boxes, p.Cylinders = reversed(s.Spheres), reversed(s.Capsules), reversed(s.Boxes), reversed(s.Cylinders)
		if a, b := s.CameraFor(300, 200), p.CameraFor(300, 200); a != b {
			t.Fatalf("seed %d: cameras differ: %v and %v", seed, a, b)
		}
	}
}

func reversed[T any](list []T) []T {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

const framedBall = `
[image]
width = 400
height = 200
[camera]
direction = [0, 0, -1]
margin = 0
[[sphere]]
name = "left"
center = [-3, 0, 0]
radius = 1
material = "red"
[[sphere]]
name = "right"
center = [3, 0, 0]
radius = 1
color = "#ff0000"
[material.red]
color = "#ff0000"
[part.pair]
sphere = [{ center = [0, 2, 0], radius = 0.5 }]
[[place]]
part = "pair"
name = "up"
position = [0, 1, 0]
`

func decode(t *testing.T, text string) *scene.Scene {
	t.Helper()
	s, err := scene.Decode("test.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFitNames compares which solids the key fit selects.
func TestFitNames(t *testing.T) {
	for fit, want := range map[string]string{
		`"all"`:               "[]",
		`"left"`:              "[{0 1}]",
		`"material.red"`:      "[{0 1}]", // not the other solid, which has only the same color
		`["right", "red"]`:    "[{0 2}]",
		`"up"`:                "[{2 1}]",
		`["part.pair", "up"]`: "[{2 1}]",
		`"pair"`:              "[{2 1}]",
		`["up", "right"]`:     "[{1 2}]",
	} {
		s := decode(t, strings.Replace(framedBall, "margin = 0", "margin = 0\nfit = "+fit, 1))
		if got := fmt.Sprint(s.Framing.Fit); got != want {
			t.Errorf("fit = %s: got %s, want %s", fit, got, want)
		}
	}
}

// TestFramingMessages compares the messages about wrong values of a camera that frames the solids.
func TestFramingMessages(t *testing.T) {
	for keys, want := range map[string]string{
		`fit = "lift"`:                      `camera.fit: must be "all" or the name of a solid, placement, part or material, got "lift", did you mean ` + "`left`?",
		`fit = []`:                          `camera.fit: must be "all" or have 1 to 4096 names`,
		`fit = ["left", 3]`:                 `camera.fit[1]: must be the name of a solid, placement, part or material, got 3`,
		`margin = 0.5`:                      `camera.margin: must lie between 0 and 0.45, got 0.5`,
		`direction = [0, 0, 0]`:             `camera.direction: must not be zero, got [0, 0, 0]`,
		`direction = [0, 1, 0]`:             `camera.up: required here: the default is parallel to the view`,
		"direction = [0, 1, 0]\nup=[0,1,0]": `camera.up: must not be parallel to the view`,
		"position = [0, 0, 9]\nmargin = 0":  `camera.margin: cannot be combined with position`,
		"position = [0, 0, 9]":              `camera.look_at: missing`,
		"margin = 0\nview_height = 3":       `camera.view_height: cannot be combined with margin, which makes the camera frame the solids: they decide its height`,
		"fov = 30":                          `camera.position: missing`,
		`fit_time = "some"`:                 `camera.fit_time: must be "all" or "each"`,
	} {
		text := strings.Replace(framedBall, "direction = [0, 0, -1]\nmargin = 0", keys, 1)
		_, err := scene.Decode("test.toml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", keys, err, want)
		}
	}
}

// TestFitTime compares the camera of the frames of a film.
func TestFitTime(t *testing.T) {
	text := strings.Replace(framedBall, "margin = 0", "margin = 0\nfit_time = \"each\"", 1) + `
[animation]
duration = 2
fps = 5
[[animate]]
target = "right.center"
times = [0, 2]
values = [[3, 0, 0], [9, 4, 0]]
`
	each := decode(t, text)
	all := decode(t, strings.Replace(text, `"each"`, `"all"`, 1))
	first, err := all.At(0)
	if err != nil {
		t.Fatal(err)
	}
	c := first.CameraFor(400, 200)
	inside := eyes(t, c, 400, 200)
	distances := make(map[float64]bool)
	for i := range 10 {
		seconds := float64(i) / 5
		a, err := all.At(seconds)
		if err != nil {
			t.Fatal(err)
		}
		if a.CameraFor(400, 200) != c {
			t.Errorf("the camera of the film differs at %v s", seconds)
		}
		for side := range inside {
			if got, most := inside[side].silhouette(a), []float64{200, 200, 100, 100}[side]; got > most+0.01 {
				t.Errorf("at %v s the %v side is at %v, want at most %v", seconds, camera.Side(side), got, most)
			}
		}
		e, err := each.At(seconds)
		if err != nil {
			t.Fatal(err)
		}
		alone := *e
		alone.Detach()
		if e.CameraFor(400, 200) != alone.CameraFor(400, 200) {
			t.Errorf("fit_time = \"each\": the camera depends on other frames at %v s", seconds)
		}
		distances[e.CameraFor(400, 200).Position.Z] = true
	}
	if len(distances) < 9 {
		t.Errorf("fit_time = \"each\": got %d different distances in 10 frames", len(distances))
	}
}

// TestFramedRoom compares the room for outlines, titles and labels in an orthographic picture, where a pixel has one size.
func TestFramedRoom(t *testing.T) {
	base := strings.Replace(framedBall, "margin = 0", "margin = 0\nprojection = \"orthographic\"\nfit = \"left\"", 1)
	pixels := func(text string, side camera.Side) float64 { // from the middle of the picture to the ball's edge
		s := decode(t, text)
		return eyes(t, s.CameraFor(400, 200), 400, 200)[side].reach(s.Spheres[0].Center, 1)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: the edge is at %v, want %v", what, got, want)
		}
	}
	near("nothing", pixels(base, camera.Top), 100)
	near("outline", pixels(base+"[outline]\nwidth = 12\n", camera.Top), 94)
	title := base + "[title]\ntext = \"T\"\nsize = 20\n"
	if got := pixels(title, camera.Top); got > 100-30 || got < 100-36 {
		t.Errorf("title: the edge is at %v, want about 32 pixels of room", got)
	}
	near("title", pixels(title, camera.Bottom), 100)
	near("title below", pixels(title+"side = \"bottom\"\n", camera.Top), 100)
	label := base + "[[label]]\ntext = \"I\"\non = \"left\"\nanchor = \"bottom\"\noffset = [0, -110]\n"
	if got := pixels(label, camera.Top); math.Abs(got-54) > 3 {
		t.Errorf("label: the edge is at %v, want about 54, the height of the picture less twice the label's", got)
	}
}

// TestFramingNote compares the descriptions of what a camera frames.
func TestFramingNote(t *testing.T) {
	for keys, want := range map[string]string{
		"fit = [\"left\", \"right\"]":               `framed: the left plane touches sphere "left", the right plane sphere "right"`,
		"direction = [0, 0, -1]\nfit = \"up\"":      `framed: the bottom plane touches up/sphere[0], the top plane up/sphere[0]`,
		"position = [0, 0, 9]\nlook_at = [0, 0, 0]": "",
	} {
		s := decode(t, strings.Replace(framedBall, "direction = [0, 0, -1]\nmargin = 0", keys, 1))
		if got := s.FramingNote(400, 200); got != want {
			t.Errorf("%s: got %q, want %q", keys, got, want)
		}
	}
}

// TestFramedInSmallPictures checks that a picture can be as small as a pixel: an outline and a title then cover the solids,
// which have at least a quarter of the room inside of the margins.
func TestFramedInSmallPictures(t *testing.T) {
	s := decode(t, "[outline]\nwidth = 40\n[title]\ntext = 'a\\nb'\nsize = 60\n[camera]\ndirection = [0, 0, -1]\nprojection = 'orthographic'\nmargin = 0.1\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 2\n")
	for _, size := range [][2]int{{1, 1}, {2, 11}, {11, 2}, {40, 3000}, {3000, 40}, {320, 240}} {
		found, err := s.Framed(size[0], size[1])
		if err != nil {
			t.Errorf("%d x %d: %v", size[0], size[1], err)
			continue
		}
		pixel := found.Camera.ViewHeight / float64(size[1])
		least := 0.25 * (1 - 2*0.1) * float64(min(size[0], size[1])) // pixels for the sphere's diameter
		if got := 4 / pixel; got < least*(1-1e-9) {
			t.Errorf("%d x %d: the sphere has %g pixels, want at least %g", size[0], size[1], got, least)
		}
	}
}

// TestFramedFilmWithOptionalCamera checks that a moment of a film without a camera can be had if the camera is optional: the
// camera of all frames then depends on the moments.
func TestFramedFilmWithOptionalCamera(t *testing.T) {
	const text = "[animation]\nduration = 1\n[[sphere]]\nname = 'a'\ncenter = [0, 0, 0]\nradius = 1\n" +
		"[[animate]]\ntarget = 'a.center'\ntimes = [0, 1]\nvalues = [[0, 0, 0], [9, 0, 0]]\n"
	want := decode(t, text).CameraFor(40, 30)
	s, err := scene.Decode("s.toml", []byte(text), scene.WithOptionalCamera())
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.At(0.5)
	if err != nil {
		t.Fatal(err)
	}
	if got := at.CameraFor(40, 30); got != want {
		t.Errorf("the camera at 0.5 s is %v, want that of the film, %v", got, want)
	}
}

// TestCrowded checks which annotations are said to leave little room: those that take the largest part of a full side.
func TestCrowded(t *testing.T) {
	const bar, key = "colormap = { label = \"length\", range = [0, 1]%s }\n", "legend = { %s }\nmaterial.m = { color = \"red\" }\n"
	for _, c := range []struct{ text, want string }{
		{"image = { width = 120, height = 90 }\n" + fmt.Sprintf(bar, "") + fmt.Sprintf(key, ""), "colormap"},
		{"image = { width = 120, height = 90 }\n" + fmt.Sprintf(bar, ", size = 4, length = 20") + fmt.Sprintf(key, "size = 40"), "legend"},
		{"image = { width = 400, height = 90 }\n" + fmt.Sprintf(bar, ", size = 9") + "title = { text = \"T\", size = 50 }\n" + fmt.Sprintf(key, "size = 9"), "title"},
		{"image = { width = 640, height = 480 }\n" + fmt.Sprintf(bar, "") + fmt.Sprintf(key, ""), ""},
	} {
		s := decode(t, c.text+"sphere = [{ center = [0, 0, 0], radius = 1, material = \"m\" }, { center = [0, 2, 0], radius = 1, value = 0.5 }]\n")
		if got := s.Crowded(s.Image.Width, s.Image.Height); got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}
