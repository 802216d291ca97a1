package robot_test

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/mjcf"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/internal/convert/robot"
	"pillbox/internal/convert/urdf"
	"pillbox/scene"
)

// arm is a robot with nested links, rows, scaled copies and every kind of solid.
const arm = `up = "%s"
[camera]
position = [9, 8, 7]
look_at = [0, 0, 0]
up = %s
[material.steel]
color = "#8899aa"
[[sphere]]
center = [1, 2, 3]
radius = 0.5
[[capsule]]
name = "pill & \"more\""
a = [0, 0, 0]
b = [0, 0, 0]
radius = 0.25
[[place]]
part = "upper"
name = "shoulder"
position = [0, 0.5, 1]
rotate = [10, 20, 30]
[[place]]
part = "upper"
position = [3, 0, 0]
axis = [1, 2, 3]
angle = 90
[[part.upper.capsule]]
a = [0, 0, 0]
b = [0.3, 0.2, 1]
radius = 0.1
[[part.upper.box]]
center = [0.5, 0, 0]
half_extents = [0.1, 0.2, 0.3]
rotate = [0, 90, 0]
material = "steel"
[[part.upper.place]]
part = "lower"
name = "elbow"
position = [0, 0, 1]
rotate = [0, -90, 45]
[[part.upper.place]]
part = "lower"
position = [0, 1, 0]
scale = 0.5
[[part.upper.place]]
part = "lower"
position = [0, 2, 0]
count = 3
step = { position = [0.5, 0, 0], axis = [0, 0, 1], angle = 30 }
[[part.lower.cylinder]]
a = [0, 0.4, 0]
b = [0.2, 0.5, 0.3]
radius = 0.12
[[part.lower.sphere]]
center = [0.1, 0.2, 0.3]
radius = 0.15
[[part.lower.box]]
center = [0, 0, 0.2]
half_extents = [0.05, 0.05, 0.2]
quaternion = [1, 2, 3, 4]
`

// nearest returns the distance to the first hit of r in s, or +Inf.
func nearest(s *scene.Scene, r geom.Ray) float64 {
	t := math.Inf(1)
	for i := range s.Objects.Len() {
		if h, ok := s.Solid(i).Intersect(r, 0, math.Inf(1)); ok {
			t = min(t, h.T)
		}
	}
	return t
}

// TestRoundTrip writes a scene as a robot and reads it again. Rays must have the same distances as in the original,
// which is rotated only if its up axis is y. Rolled cameras and those that look down must make no difference.
func TestRoundTrip(t *testing.T) {
	formats := map[string]struct {
		write func(*strings.Builder, *scene.Scene) error
		read  func(string) (*model.Scene, error)
	}{
		"mjcf": {
			func(b *strings.Builder, s *scene.Scene) error { return robot.WriteMJCF(b, s) },
			func(text string) (*model.Scene, error) {
				return mjcf.Read(model.Source{Name: "r.xml", Text: strings.NewReader(text)}, mjcf.Options{Strict: true})
			},
		},
		"urdf": {
			func(b *strings.Builder, s *scene.Scene) error { return robot.WriteURDF(b, s) },
			func(text string) (*model.Scene, error) {
				return urdf.Read(model.Source{Name: "r.urdf", Text: strings.NewReader(text)}, urdf.Options{Strict: true})
			},
		},
	}
	for format, f := range formats {
		for i, up := range []geom.Vec3{{Y: 1}, {Z: 1}, {X: 1}, {Z: -1}, {Y: 0.9, Z: 0.1}, {X: -0.7, Y: 0.1, Z: 0.2}} {
			axis := [...]string{"y", "z"}[i%2]
			text := fmt.Sprintf(arm, axis, fmt.Sprintf("[%g, %g, %g]", up.X, up.Y, up.Z))
			s, err := scene.Decode("r.toml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := f.write(&b, s); err != nil {
				t.Fatal(err)
			}
			m, err := f.read(b.String())
			if err != nil {
				t.Fatalf("%s: %v\n%s", format, err, b.String())
			}
			back := modeltest.Load(t, m)
			var turn model.Quaternion
			if axis == "y" {
				turn = model.Turn(geom.Vec3{X: 1}, 90)
			}
			r := rand.New(rand.NewPCG(1, 2))
			hits := 0
			for range 3000 {
				random := func() geom.Vec3 {
					return geom.Vec3{X: 8*r.Float64() - 3, Y: 8*r.Float64() - 3, Z: 8*r.Float64() - 3}
				}
				from := random()
				ray, ok := geom.Toward(from, random().Sub(from))
				if !ok {
					continue
				}
				turned := geom.Ray{Origin: turn.Rotate(ray.Origin), Dir: turn.Rotate(ray.Dir).Unit()}
				x, y := nearest(s, ray), nearest(back, turned)
				if x == y {
					continue
				}
				if !(math.Abs(x-y) < 1e-6) {
					t.Fatalf("%s, up %v: %v hits at %v, want %v\n%s", format, up, ray, y, x, b.String())
				}
				hits++
			}
			if hits < 100 {
				t.Errorf("%s: only %d rays hit", format, hits)
			}
		}
	}
}

// TestBodies checks that placements become bodies with their poses and names, and that solids of other placements
// are in the enclosing body.
func TestBodies(t *testing.T) {
	s, err := scene.Decode("dir/my arm.toml", []byte(fmt.Sprintf(arm, "z", "[0, 1, 0]")))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := robot.WriteMJCF(&b, s); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<mujoco model="my arm">`,
		"\n    <geom type=\"sphere\" size=\"0.5\" pos=\"1 2 3\" rgba=",
		`name="pill &amp; &#34;more&#34;" type="sphere"`,
		"\n    <body name=\"shoulder\" pos=\"0 0.5 1\" quat=",
		"\n      <geom type=\"capsule\" size=\"0.1\" fromto=\"0 0 0 0.3 0.2 1\"",
		"\n      <body name=\"elbow\" pos=\"0 0 1\"",
		"\n    <body name=\"upper\" pos=\"3 0 0\"",
		`rgba="0.5333 0.6000 0.6667 1"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(b.String(), "<body"); n != 4 {
		t.Errorf("%d bodies, want 4: two arms with an elbow each", n)
	}
	if t.Failed() {
		t.Log(b.String())
	}
}

// TestURDFVersion checks that capsules are written as such, in a robot of URDF 1.1, and that other robots have no version.
func TestURDFVersion(t *testing.T) {
	for text, want := range map[string]bool{"[[capsule]]\na = [0, 0, 0]\nb = [0, 0, 2]\nradius = 1\n": true, "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n": false} {
		s, err := scene.Decode("r.toml", []byte("up = \"z\"\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := robot.WriteURDF(&b, s); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), `version="1.1">`) && strings.Contains(b.String(), `<capsule radius="1" length="2"/>`); got != want || strings.Count(b.String(), "<collision") != 1 {
			t.Errorf("%s gives\n%s", text, b.String())
		}
	}
}

func Example() {
	s, err := scene.Decode("lamp.toml", []byte(`
up = "z"
[[place]]
part = "head"
name = "bulb"
position = [0, 0, 0.5]
[[part.head.sphere]]
center = [0, 0, 0]
radius = 0.1
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := robot.WriteMJCF(os.Stdout, s); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <mujoco model="lamp">
	//   <worldbody>
	//     <body name="bulb" pos="0 0 0.5">
	//       <geom type="sphere" size="0.1" rgba="0.8000 0.8000 0.8000 1"/>
	//     </body>
	//   </worldbody>
	// </mujoco>
}

// TestGhostsHaveAlpha checks that the share of a ghost becomes the alpha of its color, also in a placement.
func TestGhostsHaveAlpha(t *testing.T) {
	s, err := scene.Decode("arm.toml", []byte(`
		[[sphere]]
		center = [0, 0, 0]
		radius = 1
		color = "white"
		ghost = 0.35
		[[part.p.box]]
		center = [0, 0, 0]
		half_extents = [1, 1, 1]
		color = "red"
		[[place]]
		part = "p"
		ghost = 0.5
	`))
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(io.Writer, *scene.Scene) error{"MJCF": robot.WriteMJCF, "URDF": robot.WriteURDF} {
		var b strings.Builder
		if err := write(&b, s); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`rgba="1.0000 1.0000 1.0000 0.35"`, `rgba="1.0000 0.0000 0.0000 0.5"`} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %s in %s", name, want, &b)
			}
		}
	}
}
