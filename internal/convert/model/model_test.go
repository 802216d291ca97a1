package model_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/problem"
	"pillbox/scene"
)

// written writes s, and returns the scene file and the tables beside it.
func written(t *testing.T, s *model.Scene) (toml []byte, files fstest.MapFS) {
	t.Helper()
	files = fstest.MapFS{}
	buffers := make(map[string]*bytes.Buffer)
	var b bytes.Buffer
	err := s.Write(&b, model.Tables{Prefix: "made", Create: func(name string) (io.Writer, error) {
		if buffers[name] != nil {
			t.Errorf("%s is made twice", name)
		}
		buffers[name] = new(bytes.Buffer)
		return buffers[name], nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range buffers {
		files[name] = &fstest.MapFile{Data: data.Bytes()}
	}
	return b.Bytes(), files
}

// loaded writes s and loads the written files. It fails the test if loading causes errors, or warnings about unused
// elements.
func loaded(t *testing.T, s *model.Scene) *scene.Scene {
	t.Helper()
	toml, files := written(t, s)
	got, err := scene.Decode("made.toml", toml, scene.WithFiles(fs.FS(files)))
	if err != nil {
		t.Fatalf("%v\n%s", err, toml[:min(len(toml), 5000)])
	}
	for _, w := range got.Warnings {
		if w.Code == problem.CodeUnusedMaterial || w.Code == problem.CodeUnusedPart {
			t.Errorf("%v", w)
		}
	}
	return got
}

// random generates scenes whose names may be duplicate, unusual or empty.
type random struct{ *rand.Rand }

func (r random) vector() geom.Vec3 {
	return geom.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
}

func (r random) pose() model.Pose {
	p := model.Pose{Position: r.vector()}
	switch r.IntN(3) {
	case 0:
		p.Rotation = model.Quaternion{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
	case 1:
		p.Rotation = model.Turn(geom.Vec3{Y: 1}, geom.Angle(r.IntN(13)*30))
	}
	return p
}

func (r random) name() string {
	names := []string{"", "a", "b", "a-2", "two words", "q\"uote", "com,ma", "new\nline", "\xff", "x/y", " ", "a/b", "#", "ä"}
	return names[r.IntN(len(names))]
}

func (r random) label() model.Label {
	l := model.Label{Name: r.name()}
	switch r.IntN(3) {
	case 0:
		l.Material = []string{"steel", "new\nline", "unknown", "a,b"}[r.IntN(4)]
	case 1:
		l.Color = model.RGB(r.Float64(), 2, math.NaN())
	}
	return l
}

func (r random) part(depth int) *model.Part {
	p := &model.Part{Name: r.name()}
	for range r.IntN(4) {
		p.Spheres = append(p.Spheres, model.Sphere{Center: r.vector(), Radius: 0.1 + r.Float64(), Label: r.label()})
		p.Capsules = append(p.Capsules, model.Capsule{A: r.vector(), B: r.vector(), Radius: 0.1 + r.Float64(), Label: r.label()})
		pose := r.pose()
		p.Boxes = append(p.Boxes, model.Box{Center: pose.Position, Rotation: pose.Rotation, HalfExtents: geom.Vec3{X: 1, Y: 0.5, Z: 0.1 + r.Float64()}, Label: r.label(), Ground: r.IntN(3) == 0})
	}
	for range r.IntN(2) {
		p.Lights = append(p.Lights, model.Light{Name: r.name(), Vector: r.vector(), Intensity: 1, Beam: &model.Beam{Direction: geom.Vec3{Z: -1}, Cone: 40, Edge: 5}})
	}
	for range r.IntN(3) {
		if depth > 0 {
			l := r.label()
			p.Places = append(p.Places, model.Place{Part: r.part(depth - 1), Name: l.Name, Pose: r.pose(), Material: l.Material, Color: l.Color})
		}
	}
	return p
}

func (r random) scene(depth int) *model.Scene {
	s := &model.Scene{
		Source: r.name(), Notes: []string{r.name()}, Part: *r.part(depth),
		Materials: []model.Material{{Name: "steel", Color: "#abcdef", Mirror: 0.5}, {Name: "unused"}, {Name: "new\nline"}, {Name: "new_line"}, {Name: "a,b"}},
	}
	s.Spheres = append(s.Spheres, model.Sphere{Radius: 1})
	for range r.IntN(3) {
		s.Lights = append(s.Lights, model.Light{Name: r.name(), Directional: r.IntN(2) == 0, Vector: r.vector(), Intensity: r.Float64()})
	}
	return s
}

// places calls visit with each copy of each part in p, and with the copy's pose. at is the pose of p.
func places(p *model.Part, at model.Pose, visit func(*model.Part, model.Pose)) {
	visit(p, at)
	for i := range p.Places {
		places(p.Places[i].Part, at.Then(p.Places[i].Pose), visit)
	}
}

// TestWriteLoads checks that a written scene can be loaded, with any names, and that every solid has its pose.
func TestWriteLoads(t *testing.T) {
	for seed := range uint64(150) {
		r := random{rand.New(rand.NewPCG(seed, 71))}
		depth := 3
		s := r.scene(depth)
		if seed%10 == 0 { // nested more deeply than placements may be
			chain := &s.Part
			for range 40 {
				next := r.part(0)
				chain.Places = append(chain.Places, model.Place{Part: next, Name: r.name(), Pose: r.pose()})
				chain = next
			}
			chain.Boxes = append(chain.Boxes, model.Box{HalfExtents: geom.Vec3{X: 1, Y: 2, Z: 3}})
		}
		got := loaded(t, s)
		var want [4][]geom.Vec3
		places(&s.Part, model.Pose{}, func(p *model.Part, at model.Pose) {
			for _, x := range p.Spheres {
				want[0] = append(want[0], at.Point(x.Center))
			}
			for _, x := range p.Capsules {
				want[1] = append(want[1], at.Point(x.A))
			}
			for _, x := range p.Boxes {
				turned := at.Then(model.Pose{Position: x.Center, Rotation: x.Rotation})
				want[2] = append(want[2], turned.Point(x.HalfExtents))
			}
			for _, x := range p.Lights {
				if x.Beam != nil {
					want[3] = append(want[3], at.Point(x.Vector.Add(x.Beam.Direction)))
				}
			}
		})
		var have [4][]geom.Vec3
		for _, x := range got.Lights {
			if x.IsSpot() {
				have[3] = append(have[3], x.Position.Add(x.Direction))
			}
		}
		for _, x := range got.Spheres {
			have[0] = append(have[0], x.Center)
		}
		for _, x := range got.Capsules {
			have[1] = append(have[1], x.A)
		}
		for _, x := range got.Boxes {
			have[2] = append(have[2], x.Center.Add(x.Rotation.MulVec(x.HalfExtents)))
		}
		for k := range want {
			for _, p := range want[k] {
				if !near(have[k], p) {
					t.Errorf("seed %d, kind %d: nothing is at %v", seed, k, p)
				}
			}
			if len(have[k]) != len(want[k]) {
				t.Errorf("seed %d, kind %d: %d solids, want %d", seed, k, len(have[k]), len(want[k]))
			}
		}
	}
}

func near(points []geom.Vec3, p geom.Vec3) bool {
	for _, q := range points {
		if q.Sub(p).Norm() < 1e-9 {
			return true
		}
	}
	return false
}

// TestWriteViews checks the camera that is added to a scene without a valid camera. It must show everything except
// grounds, in pictures of any shape, whichever axis is up.
func TestWriteViews(t *testing.T) {
	for i, s := range []*model.Scene{
		{},
		{Up: geom.Vec3{Z: 1}},
		{Up: geom.Vec3{X: -2}, From: geom.Vec3{X: 3}},
		{Up: geom.Vec3{Z: 1}, From: geom.Vec3{Y: -1}},
		{Camera: &camera.Camera{Position: geom.Vec3{X: math.NaN()}}},
	} {
		s.Lights = []model.Light{{Vector: geom.Vec3{X: 2e15}}, {Directional: true}, {Intensity: -1}} // all of them are invalid
		s.Spheres = []model.Sphere{
			{Center: geom.Vec3{X: 9e3}, Radius: 1e-3, Label: model.Label{Name: "sphere"}},
			{Center: geom.Vec3{X: 9e3, Y: 5e-3}, Radius: 1e-3},
		}
		s.Boxes = []model.Box{{HalfExtents: geom.Vec3{X: 1e4, Y: 1e4, Z: 1}, Ground: true}}
		s.Places = []model.Place{{Part: &model.Part{Name: "a/b", Spheres: []model.Sphere{{Center: geom.Vec3{X: 9e3, Z: 2e-3}, Radius: 1e-3}}}}}
		got := loaded(t, s)
		for _, size := range [][2]int{{100, 50}, {50, 100}} {
			v, err := got.View(size[0], size[1])
			if err != nil {
				t.Fatal(err)
			}
			eye := v.Position().Sub(geom.Vec3{X: 9e3, Y: 2.5e-3}).Norm()
			if up, _ := geom.Direction(s.Up); s.Up != (geom.Vec3{}) && v.Up() != up || !(0.005 < eye && eye < 0.03) {
				t.Errorf("scene %d is seen from %v with %v up", i, v.Position(), v.Up())
			}
		}
		if len(got.Lights) != 1 || !got.Lights[0].Attached {
			t.Errorf("scene %d has the lights %+v", i, got.Lights)
		}
		for _, w := range got.Warnings {
			if w.Code == problem.CodeOutsideView {
				t.Errorf("scene %d: %v", i, w)
			}
		}
		if s.Spheres[1].Name != "" || s.Places[0].Name != "" {
			t.Errorf("writing scene %d changed it", i)
		}
	}
}

// TestWriteBulk checks that many solids of a kind are written to tables beside the scene, or into the scene if
// there is no folder for tables.
func TestWriteBulk(t *testing.T) {
	r := random{rand.New(rand.NewPCG(5, 72))}
	s := &model.Scene{Materials: []model.Material{{Name: "a,b", Color: "#123456"}}}
	part := &model.Part{Name: "../up"}
	for i := range 1001 {
		part.Spheres = append(part.Spheres, model.Sphere{Center: r.vector(), Radius: 1, Label: model.Label{Name: fmt.Sprint("s", i), Material: "a,b"}})
		part.Capsules = append(part.Capsules, model.Capsule{A: r.vector(), B: r.vector(), Radius: 1, Label: r.label()})
		pose := r.pose()
		part.Boxes = append(part.Boxes, model.Box{Center: pose.Position, Rotation: pose.Rotation, HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Label: r.label()})
	}
	s.Places = []model.Place{{Part: part, Name: "p"}}
	got := loaded(t, s)
	toml, files := written(t, s)
	if got.Objects.Len() != 3003 || len(files) != 3 || files["made-___up-boxes.csv"] == nil || len(toml) > 2000 {
		t.Errorf("%d solids, %d files, %d bytes", got.Objects.Len(), len(files), len(toml))
	}
	if o := got.Objects.Of(7); o.Name != "p/s7" || o.Material != got.Materials[0].Material {
		t.Errorf("object 7 is %+v", o)
	}
	var b bytes.Buffer
	if err := s.Write(&b, model.Tables{}); err != nil {
		t.Fatal(err)
	}
	alone, err := scene.Decode("made.toml", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for i := range alone.Boxes {
		if alone.Boxes[i].Center.Sub(got.Boxes[i].Center).Norm() > 1e-11 || alone.Objects.Name(i) != got.Objects.Name(i) {
			t.Fatalf("box %d is %v, in a table %v", i, alone.Boxes[i], got.Boxes[i])
		}
	}
}

// TestWriteHull checks that solids of the hull have a material with its own name, also in bulk tables, and that solids which
// are ghosts by their own key are not in bulk tables.
func TestWriteHull(t *testing.T) {
	s := &model.Scene{Materials: []model.Material{{Name: model.HullName, Color: "#ff0000"}}}
	for i := range 1001 {
		at := geom.Vec3{X: float64(i)}
		s.Spheres = append(s.Spheres, model.Sphere{Center: at, Radius: 1, Label: model.Label{InHull: true, Color: "#00ff00", Ghost: 0.9}})
		s.Capsules = append(s.Capsules, model.Capsule{A: at, B: geom.Vec3{Y: 9}, Radius: 1, Label: model.Label{Material: model.HullName, Ghost: 0.5}})
	}
	toml, files := written(t, s)
	if len(files) != 1 || files["made-spheres.csv"] == nil || strings.Count(string(toml), "ghost = ") != 1002 {
		t.Errorf("%d files, %d ghosts", len(files), strings.Count(string(toml), "ghost = "))
	}
	got := loaded(t, s)
	for i := range got.Objects.Len() {
		m, want := got.Objects.Material(i), 0.5
		if i < 1001 {
			want = model.HullShare
		}
		if m.Ghost == nil || m.Ghost.Share != want {
			t.Fatalf("solid %d has the material %+v, want the share %v", i, m, want)
		}
	}
	if names := []string{got.Materials[0].Name, got.Materials[1].Name}; !slices.Equal(names, []string{"ghost", "ghost-2"}) {
		t.Errorf("materials %q", names)
	}
}

// TestWriteShares checks that equal parts with the same name are written once.
func TestWriteShares(t *testing.T) {
	s := &model.Scene{}
	for i := range 5 {
		p := &model.Part{Name: "ball", Spheres: []model.Sphere{{Radius: float64(i/4 + 1)}}}
		s.Places = append(s.Places, model.Place{Part: p, Name: "n", Pose: model.Pose{Position: geom.Vec3{X: float64(5 * i)}}})
	}
	toml, _ := written(t, s)
	if strings.Count(string(toml), "[[part.") != 2 || !strings.Contains(string(toml), "[[part.ball-2.sphere]]") || !strings.Contains(string(toml), `name = "n-5"`) {
		t.Errorf("%s", toml)
	}
}

// TestWriteLongNames checks that names that are too long for a scene file are cut, and remain different even if
// they begin alike.
func TestWriteLongNames(t *testing.T) {
	long := strings.Repeat("ä", scene.MaxName)
	s := &model.Scene{Materials: []model.Material{{Name: long + "red", Color: "#ff0000"}, {Name: long + "blue", Color: "#0000ff"}}}
	for i, suffix := range []string{"red", "blue", "blue", "", ""} {
		p := &model.Part{Name: long + suffix, Spheres: []model.Sphere{{Radius: float64(i + 1), Label: model.Label{Name: long + suffix, Material: long + suffix}}}}
		s.Places = append(s.Places, model.Place{Part: p, Name: long + suffix, Pose: model.Pose{Position: geom.Vec3{X: float64(20 * i)}}})
		s.Lights = append(s.Lights, model.Light{Name: long + suffix, Vector: geom.Vec3{Y: 9}, Intensity: 1})
	}
	toml, _ := written(t, s)
	got, err := scene.Decode("m.toml", toml)
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for i := range got.Objects.Len() {
		names[got.Objects.Name(i)] = true
	}
	red, blue := got.Objects.Material(0).Albedo, got.Objects.Material(1).Albedo
	if got.Objects.Len() != 5 || len(names) != 5 || red.R != 1 || red.B != 0 || blue.R != 0 || blue.B != 1 {
		t.Errorf("%d solids with %d names, colors %v and %v; want 5, 5, red and blue", got.Objects.Len(), len(names), red, blue)
	}
}

func TestWriteRefuses(t *testing.T) {
	ball := &model.Part{Spheres: []model.Sphere{{Radius: 1}}}
	for _, c := range []struct {
		part model.Part
		says string
	}{
		{model.Part{}, "nothing to show"},
		{model.Part{Places: []model.Place{{Part: &model.Part{}}}}, "nothing to show"},
		{model.Part{Places: []model.Place{{Part: ball, Pose: model.Pose{Position: geom.Vec3{X: 2e14}}}}}, "m.x: solids may come to be farther from the origin than 1e+14, too far to be seen from a camera inside the limits of a scene, got 2e+14"},
		{model.Part{Spheres: []model.Sphere{{Radius: 1}, {Radius: 3e14, Label: model.Label{Name: "sun"}}}}, `such as "sun", got 3e+14`},
		{model.Part{Places: []model.Place{{Part: ball, Name: "moon", Count: 3, Step: model.Step{Position: geom.Vec3{Y: 1e14}}}}}, `such as "moon", got 2e+14`},
		{model.Part{Places: []model.Place{{Part: ball, Count: 20_000_000}}}, "more than 10000000 solids"},
	} {
		s := &model.Scene{File: "m.x", Part: c.part}
		if err := s.Write(io.Discard, model.Tables{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want %s", err, c.says)
		}
	}
	full := func(string) (io.Writer, error) { return nil, os.ErrPermission }
	s := &model.Scene{Part: model.Part{Spheres: make([]model.Sphere, 1001)}}
	if err := s.Write(io.Discard, model.Tables{Create: full}); !errors.Is(err, os.ErrPermission) {
		t.Errorf("error %v", err)
	}
}

// TestPose checks the operations on poses and rotations by applying them to random vectors. For example, the
// inverse of a pose must undo the pose.
func TestPose(t *testing.T) {
	r := random{rand.New(rand.NewPCG(6, 73))}
	for range 200 {
		p, q, v := r.pose(), r.pose(), r.vector()
		far := func(name string, a, b geom.Vec3) {
			if a.Sub(b).Norm() > 1e-12 {
				t.Errorf("%s gives %v, want %v for %+v, %+v", name, a, b, p, q)
			}
		}
		far("Then", p.Then(q).Point(v), p.Point(q.Point(v)))
		far("Inverse", p.Inverse().Point(p.Point(v)), v)
		far("QuaternionOf", model.QuaternionOf(p.Rotation.Matrix()).Rotate(v), p.Rotation.Rotate(v))
		u, _ := geom.Direction(v)
		far("FromZ", model.FromZ(v).Rotate(geom.Vec3{Z: 1}), u)
	}
	if got := model.FromZ(geom.Vec3{Z: -2}).Rotate(geom.Vec3{Z: 1}); got != (geom.Vec3{Z: -1}) {
		t.Errorf("FromZ of -z turns z to %v", got)
	}
	if got := model.Turn(geom.Vec3{Z: 3}, 90).Rotate(geom.Vec3{X: 1}); got.Sub(geom.Vec3{Y: 1}).Norm() > 1e-15 {
		t.Errorf("a quarter turn gives %v", got)
	}
}

func TestAccount(t *testing.T) {
	var a model.Account
	at := problem.Error{File: "f", Line: 3, Column: 4}
	for _, noun := range []string{"mesh", "torus", "mesh", "body", "body"} {
		a.Skip(noun, at)
	}
	a.Note("cone", "shown as a cylinder", at)
	a.Note("cone", "shown as a cylinder", at)
	want := "f:3:4: note: 2 meshes skipped\nf:3:4: note: 1 torus skipped\nf:3:4: note: 2 bodies skipped\nf:3:4: note: 2 cones shown as a cylinder each"
	if got := a.Notes().Error(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// Example writes a scene with one ball.
func Example() {
	s := &model.Scene{Source: "nothing", Part: model.Part{Spheres: []model.Sphere{{Radius: 1, Label: model.Label{Name: "ball"}}}}}
	s.Camera = &camera.Camera{Position: geom.Vec3{Z: 5}, Up: camera.DefaultUp(), FOV: 40}
	s.Lights = []model.Light{{Vector: geom.Vec3{Y: 9}, Intensity: 1}}
	if err := s.Write(os.Stdout, model.Tables{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// # Made by render import from nothing.
	// format = 1
	//
	// [camera]
	// position = [0, 0, 5]
	// look_at = [0, 0, 0]
	// fov = 40
	//
	// [[light]]
	// position = [0, 9, 0]
	// intensity = 1
	//
	// [[sphere]]
	// name = "ball"
	// center = [0, 0, 0]
	// radius = 1
}
