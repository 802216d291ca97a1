package gltf_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	library "github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"
	"github.com/qmuntal/gltf/modeler"

	"pillbox/geom"
	"pillbox/internal/convert/gltf"
	"pillbox/internal/fixture/effort"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

func Example() {
	s, err := scene.Decode("pill.toml", []byte("[[capsule]]\nname = \"pill\"\na = [0, 0, 0]\nb = [2, 0, 0]\nradius = 1\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := gltf.Write(&file, s, gltf.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", file.Bytes()[:4])
	// Output: glTF
}

func random(seed uint64) *scene.Scene {
	r := rand.New(rand.NewPCG(seed, 0))
	number := func() float64 { return 20*r.Float64() - 10 }
	vec := func() geom.Vec3 { return geom.Vec3{X: number(), Y: number(), Z: number()} }
	size := func() float64 { return math.Exp(number() / 5) }
	s, _ := scene.Decode("random.toml", nil)
	s.Detach()
	for range 5 {
		s.Spheres = append(s.Spheres, shapes.Sphere{Center: vec(), Radius: size()})
		rotation, _ := geom.RotationQuaternion(number(), number(), number(), number())
		s.Boxes = append(s.Boxes, shapes.Box{Center: vec(), HalfExtents: geom.Vec3{X: size(), Y: size(), Z: size()}, Rotation: rotation})
		s.Capsules = append(s.Capsules, shapes.Capsule{A: vec(), B: vec(), Radius: size()})
		s.Cylinders = append(s.Cylinders, shapes.Cylinder{A: vec(), B: vec(), Radius: size()})
	}
	// Along every axis in both directions, and half turns, for which other formulas are used.
	for _, axis := range []geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		s.Capsules = append(s.Capsules, shapes.Capsule{B: axis, Radius: size()})
		s.Cylinders = append(s.Cylinders, shapes.Cylinder{B: axis, Radius: size()})
		turn, _ := geom.RotationAxis(axis, 180)
		s.Boxes = append(s.Boxes, shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 2, Z: 3}, Rotation: turn})
	}
	s.Capsules = append(s.Capsules, shapes.Capsule{A: geom.Vec3{X: 1}, B: geom.Vec3{X: 1}, Radius: 2})
	objects := make([]scene.Object, len(s.Spheres)+len(s.Capsules)+len(s.Boxes)+len(s.Cylinders))
	for i := range objects {
		objects[i] = scene.Object{Name: fmt.Sprint("solid ", i), Material: shade.Material{Albedo: shade.Gray(0.5)}}
	}
	s.Objects = scene.NewObjects(objects...)
	return s
}

func decode(t *testing.T, s *scene.Scene) *library.Document {
	t.Helper()
	var file bytes.Buffer
	if err := gltf.Write(&file, s, gltf.Options{}); err != nil {
		t.Fatal(err)
	}
	doc := new(library.Document)
	if err := library.NewDecoder(&file).Decode(doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// off returns the distance of p from the nearest place where the mesh of a solid may have a vertex. These places
// are the surface of a sphere or capsule, the rims of a cylinder, and the corners of a box.
func off(s *scene.Scene, number int, p geom.Vec3) float64 {
	kind, i := s.Of(number)
	switch kind {
	case scene.KindSphere:
		return math.Abs(p.Sub(s.Spheres[i].Center).Norm() - s.Spheres[i].Radius)
	case scene.KindCapsule:
		c := s.Capsules[i]
		q, _ := geom.Segment{A: c.A, B: c.B}.Closest(p)
		return math.Abs(p.Sub(q).Norm() - c.Radius)
	case scene.KindCylinder:
		// Every vertex is on a rim.
		c := s.Cylinders[i]
		w, f := c.B.Sub(c.A), p.Sub(c.A)
		height := f.Dot(w) / w.Norm()
		return geom.Vec3{X: f.AddScaled(-height/w.Norm(), w).Norm() - c.Radius, Y: min(math.Abs(height), math.Abs(height-w.Norm()))}.Norm()
	}
	b := s.Boxes[i]
	at, h := b.Rotation.TransposeMulVec(p.Sub(b.Center)), b.HalfExtents
	// Every vertex is a corner.
	return geom.Vec3{X: math.Abs(at.X) - h.X, Y: math.Abs(at.Y) - h.Y, Z: math.Abs(at.Z) - h.Z}.Norm()
}

// transforms lists nested nodes from the innermost to the outermost, the order in which their transformations are
// applied.
type transforms []*library.Node

func (n transforms) point(p geom.Vec3, normal bool) geom.Vec3 {
	for _, x := range n {
		s, q, d := x.ScaleOrDefault(), x.RotationOrDefault(), x.Translation
		m, _ := geom.RotationQuaternion(q[3], q[0], q[1], q[2])
		if normal {
			p = m.MulVec(geom.Vec3{X: p.X / s[0], Y: p.Y / s[1], Z: p.Z / s[2]})
			continue
		}
		p = m.MulVec(geom.Vec3{X: p.X * s[0], Y: p.Y * s[1], Z: p.Z * s[2]}).Add(geom.Vec3{X: d[0], Y: d[1], Z: d[2]})
	}
	return p
}

func vec(p [3]float32) geom.Vec3 {
	return geom.Vec3{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
}

// TestVerticesLieOnSurfaces decodes a written file. Each vertex must lie on the surface of its solid, and triangles
// and normals must face outward.
func TestVerticesLieOnSurfaces(t *testing.T) {
	for seed := range effort.Of[uint64](2, 10, 100) {
		s := random(seed)
		doc := decode(t, s)
		byName := map[string]int{}
		for i, o := range s.Objects.List() {
			byName[o.Name] = i
		}
		seen := 0
		for _, root := range doc.Scenes[0].Nodes {
			number, ok := byName[doc.Nodes[root].Name]
			if !ok {
				continue // the camera, or a light
			}
			seen++
			all := []transforms{{doc.Nodes[root]}}
			for _, child := range doc.Nodes[root].Children {
				all = append(all, transforms{doc.Nodes[child], doc.Nodes[root]})
			}
			for _, at := range all {
				if at[0].Mesh != nil {
					checkMesh(t, doc, s, number, at)
				}
			}
		}
		if seen != s.Objects.Len() {
			t.Fatalf("%d solids have nodes, want %d", seen, s.Objects.Len())
		}
	}
}

func checkMesh(t *testing.T, doc *library.Document, s *scene.Scene, number int, at transforms) {
	t.Helper()
	p := doc.Meshes[*at[0].Mesh].Primitives[0]
	positions, err1 := modeler.ReadPosition(doc, doc.Accessors[p.Attributes[library.POSITION]], nil)
	normals, err2 := modeler.ReadNormal(doc, doc.Accessors[p.Attributes[library.NORMAL]], nil)
	indices, err3 := modeler.ReadIndices(doc, doc.Accessors[*p.Indices], nil)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	const float32Error = 0x1p-22 // of a coordinate: two roundings of a vertex
	for _, v := range positions {
		q := at.point(vec(v), false)
		_, size := s.BoundingSphere()
		if d := off(s, number, q); d > float32Error*size {
			t.Fatalf("%s: the vertex %v lies %g off", s.Label(number), q, d)
		}
	}
	for i := 0; i < len(indices); i += 3 {
		a, b, c := indices[i], indices[i+1], indices[i+2]
		pa, pb, pc := at.point(vec(positions[a]), false), at.point(vec(positions[b]), false), at.point(vec(positions[c]), false)
		across := pb.Sub(pa).Cross(pc.Sub(pa))
		for _, v := range []uint32{a, b, c} {
			if !(across.Dot(at.point(vec(normals[v]), true)) > 0) {
				t.Fatalf("%s: triangle %d does not look where its normals do", s.Label(number), i/3)
			}
		}
		if middle := pa.Add(pb).Add(pc).Scale(1.0 / 3); !(across.Dot(middle.Sub(center(s, number))) > 0) {
			t.Fatalf("%s: triangle %d looks inward", s.Label(number), i/3)
		}
	}
}

func center(s *scene.Scene, number int) geom.Vec3 {
	switch kind, i := s.Of(number); kind {
	case scene.KindSphere:
		return s.Spheres[i].Center
	case scene.KindCapsule:
		return s.Capsules[i].A.Add(s.Capsules[i].B).Scale(0.5)
	case scene.KindCylinder:
		return s.Cylinders[i].A.Add(s.Cylinders[i].B).Scale(0.5)
	default:
		return s.Boxes[i].Center
	}
}

// TestMeshesAreShared checks that many solids with few materials share few meshes and one buffer.
func TestMeshesAreShared(t *testing.T) {
	s := random(1)
	s.Objects = s.Objects.With(0, scene.Object{Name: s.Objects.Name(0), Material: shade.Material{Albedo: shade.Gray(0.5), Mirror: 0.5}})
	doc := decode(t, s)
	if len(doc.Meshes) != 6 || len(doc.Materials) != 2 || len(doc.Accessors) != 5*3 {
		t.Errorf("%d meshes, %d materials, %d accessors, want 6, 2, 15", len(doc.Meshes), len(doc.Materials), len(doc.Accessors))
	}
}

func TestWriteRefuses(t *testing.T) {
	s := random(1)
	r, w := io.Pipe()
	r.CloseWithError(os.ErrClosed)
	if err := gltf.Write(w, s, gltf.Options{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("to a broken writer: %v", err)
	}
	s.Spheres[0].Radius = -1
	if err := gltf.Write(io.Discard, s, gltf.Options{}); err == nil || !strings.Contains(err.Error(), "radius") {
		t.Errorf("a negative radius: %v", err)
	}
}

// TestCameraAndLights checks the camera and the lights in a written file: their positions and directions, the
// camera's field of view, and the intensities and cones of the lights.
func TestCameraAndLights(t *testing.T) {
	s, err := scene.Decode("lit.toml", []byte(`
[image]
width = 400
height = 200
[camera]
position = [3, 2, 5]
look_at = [1, 0, 0]
fov = 60
[[light]]
name = "sun"
direction = [1, -2, 0.5]
intensity = 0.5
[[light]]
name = "lamp"
position = [0, 10, 0]
color = "red"
[[light]]
name = "spot"
position = [0, 5, 0]
direction = [0, -3, 4]
cone = 60
edge = 10
[[light]]
name = "hard"
position = [0, 5, 0]
direction = [0, -1, 0]
cone = 60
[[sphere]]
center = [0, 0, 0]
radius = 1
`))
	if err != nil {
		t.Fatal(err)
	}
	doc := decode(t, s)
	ahead := geom.Vec3{Z: -1}
	near := func(what string, got, want geom.Vec3) {
		if !(got.Sub(want).Norm() < 1e-12) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	camera, sun, lamp := transforms{doc.Nodes[0]}, transforms{doc.Nodes[1]}, transforms{doc.Nodes[2]}
	near("camera", camera.point(geom.Vec3{}, false), geom.Vec3{X: 3, Y: 2, Z: 5})
	near("look", camera.point(ahead, true), geom.Vec3{X: -2, Y: -2, Z: -5}.Unit())
	near("sun", sun.point(ahead, true), geom.Vec3{X: 1, Y: -2, Z: 0.5}.Unit())
	near("lamp", lamp.point(geom.Vec3{}, false), geom.Vec3{Y: 10})
	p := doc.Cameras[0].Perspective
	if math.Abs(p.Yfov-math.Pi/3) > 1e-15 || *p.AspectRatio != 2 || !(0 < p.Znear && p.Znear < 5 && *p.Zfar > 8) {
		t.Errorf("camera %+v", *p)
	}
	lights := doc.Extensions[lightspunctual.ExtensionName].(lightspunctual.Lights)
	for i, want := range []struct {
		kind      string
		intensity float64
	}{{lightspunctual.TypeDirectional, 0.5 * math.Pi}, {lightspunctual.TypePoint, 100 * math.Pi}} {
		if got := lights[i]; got.Type != want.kind || math.Abs(*got.Intensity-want.intensity) > 1e-12 {
			t.Errorf("light %d: %s, %v, want %s, %v", i, got.Type, *got.Intensity, want.kind, want.intensity)
		}
	}
	spot := transforms{doc.Nodes[3]}
	near("spot", spot.point(geom.Vec3{}, false), geom.Vec3{Y: 5})
	near("its axis", spot.point(ahead, true), geom.Vec3{Y: -0.6, Z: 0.8})
	for i, edge := range []float64{10, 0} {
		// The specification: 0 <= inner < outer <= 90 degrees, in radians.
		got := lights[2+i]
		if got.Type != lightspunctual.TypeSpot || math.Abs(*got.Intensity-25*math.Pi) > 1e-12 {
			t.Errorf("a spot light is %s, %v", got.Type, *got.Intensity)
		}
		inner, outer := got.Spot.InnerConeAngle*180/math.Pi, *got.Spot.OuterConeAngle*180/math.Pi
		if math.Abs(outer-30) > 1e-12 || math.Abs(inner-(30-edge)) > 1e-4 || inner >= outer {
			t.Errorf("a cone of 60 degrees with an edge of %v is %v to %v", edge, inner, outer)
		}
	}
	if c := *lights[1].Color; c != [3]float64{1, 0, 0} {
		t.Errorf("a red light is %v", c)
	}
}

// upright returns a scene whose camera has the up vector up.
func upright(t *testing.T, up geom.Vec3) *scene.Scene {
	t.Helper()
	s, err := scene.Decode("up.toml", fmt.Appendf(nil, "[camera]\nposition = [3, 4, 5]\nlook_at = [0, 0, 0]\nup = [%v, %v, %v]\n", up.X, up.Y, up.Z))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAxisUp checks that the axis closest to the camera's up vector becomes y, and that the camera still shows the
// same picture.
func TestAxisUp(t *testing.T) {
	for _, up := range []geom.Vec3{{X: 1}, {X: -1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		s := upright(t, up)
		doc := decode(t, s)
		if len(doc.Scenes[0].Nodes) != 1 {
			t.Fatalf("up %v: %d root nodes, want 1", up, len(doc.Scenes[0].Nodes))
		}
		root := doc.Nodes[doc.Scenes[0].Nodes[0]]
		if got := (transforms{root}).point(up, true); !(got.Sub(geom.Vec3{Y: 1}).Norm() < 1e-12) {
			t.Errorf("up %v becomes %v", up, got)
		}
		camera := doc.Nodes[root.Children[0]]
		if got := (transforms{camera}).point(geom.Vec3{}, false); !(got.Sub(s.Camera.Position).Norm() < 1e-12) {
			t.Errorf("up %v: the camera is at %v below the root", up, got)
		}
	}
	for _, up := range []geom.Vec3{{Y: 1}, {X: 1, Y: 5}} {
		if doc := decode(t, upright(t, up)); len(doc.Scenes[0].Nodes) != 2 {
			t.Errorf("up %v: the scene is turned", up)
		}
	}
}

// TestBlenderLights checks that the option Blender multiplies intensities by 683.
func TestBlenderLights(t *testing.T) {
	s := random(1)
	s.Lights = []scene.Light{
		{Light: shade.Light{Directional: true, Direction: geom.Vec3{Y: -1}, Color: shade.White(), Intensity: 1}},
		{Light: shade.Light{Position: geom.Vec3{Y: 9}, Color: shade.White(), Intensity: 2}},
	}
	var intensities [2][]float64
	for k, opt := range []gltf.Options{{}, {Blender: true}} {
		var b bytes.Buffer
		if err := gltf.Write(&b, s, opt); err != nil {
			t.Fatal(err)
		}
		doc := new(library.Document)
		if err := library.NewDecoder(&b).Decode(doc); err != nil {
			t.Fatal(err)
		}
		for _, l := range doc.Extensions[lightspunctual.ExtensionName].(lightspunctual.Lights) {
			intensities[k] = append(intensities[k], *l.Intensity)
		}
	}
	for i, plain := range intensities[0] {
		if got := intensities[1][i]; math.Abs(got/plain-683) > 1e-9 {
			t.Errorf("light %d: %v for Blender, %v for others", i, got, plain)
		}
	}
}

// TestNotesAndEmptyScene checks that a scene without solids can be written, and that notes mention only what the
// scene contains.
func TestNotesAndEmptyScene(t *testing.T) {
	s, err := scene.Decode("empty.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	if doc := decode(t, s); len(doc.Meshes) != 0 || len(doc.Nodes) != 2 {
		t.Errorf("%d meshes, %d nodes, want a camera and a light alone", len(doc.Meshes), len(doc.Nodes))
	}
	s = random(1)
	s.Lights = []scene.Light{{Light: shade.Light{Directional: true, Direction: geom.Vec3{Y: -1}, Color: shade.White(), Intensity: 1}}}
	if got := gltf.Notes(s); len(got) != 1 {
		t.Errorf("a plain scene has notes %q", got)
	}
	s.Lights[0].Angle = 2
	if got := gltf.Notes(s); len(got) != 2 || !strings.Contains(strings.Join(got, "\n"), "size") {
		t.Errorf("a scene with a light of a size has notes %q", got)
	}
	s.Shading.Occlusion.Enabled = true
	if got := gltf.Notes(s); len(got) != 3 || !strings.Contains(strings.Join(got, "\n"), "occlusion") {
		t.Errorf("a scene with ambient occlusion has notes %q", got)
	}
	s.Shading.Occlusion.Enabled = false
	s.Lights[0].Angle = 0
	s.Lights = append(s.Lights, scene.Light{Light: shade.Light{Direction: geom.Vec3{Y: -1}, Cone: shade.Cone{Angle: 40, Edge: 5}, Color: shade.White(), Intensity: 1}})
	if got := gltf.Notes(s); len(got) != 3 {
		t.Errorf("a scene with a spot light has notes %q", got)
	}
	s.Objects = s.Objects.With(0, scene.Object{Material: shade.Material{Mirror: 1, Checker: &shade.Checker{Size: 1}}})
	s.Lights = nil
	if got := gltf.Notes(s); len(got) != 4 {
		t.Errorf("notes %q, want 4", got)
	}
}

func TestWriteHoldsToMaxSolids(t *testing.T) {
	s, err := scene.Decode("many.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Objects = scene.NewObjects(make([]scene.Object, gltf.MaxSolids+1)...) // Write does not read them
	if err := gltf.Write(io.Discard, s, gltf.Options{}); err == nil || !strings.Contains(err.Error(), "at most 4000000 solids") {
		t.Errorf("%v", err)
	}
}

// TestGhostsAndSections checks that ghosts are blended with their share as the alpha, that notes report them and visible
// lights, and that sections are refused.
func TestGhostsAndSections(t *testing.T) {
	const text = `
material.veil = { color = "white", ghost = 0.25 }
light = [{ position = [0, 9, 0], radius = 1, visible = true }]
sphere = [{ center = [0, 0, 0], radius = 1, material = "veil" }, { center = [0, 0, 0], radius = 0.5, color = "white" }]
`
	s, err := scene.Decode("ghosts.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range decode(t, s).Materials {
		alpha, mode := 1.0, library.AlphaOpaque
		if m.Name == "veil" {
			alpha, mode = 0.25, library.AlphaBlend
		}
		if got := m.PBRMetallicRoughness.BaseColorFactor[3]; got != alpha || m.AlphaMode != mode {
			t.Errorf("%q: alpha %v, mode %v, want %v and %v", m.Name, got, m.AlphaMode, alpha, mode)
		}
	}
	notes := strings.Join(gltf.Notes(s), "\n")
	for _, want := range []string{"all surfaces of ghosts", "mirrors do not show lights"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q, want %q", notes, want)
		}
	}
	s, err = scene.Decode("cut.toml", []byte(text+"section = [{ point = [0, 0, 0], normal = [0, 0, 1] }]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := gltf.Write(io.Discard, s, gltf.Options{}); err == nil || !strings.Contains(err.Error(), "remove the [[section]] tables") {
		t.Errorf("a scene with a section: %v", err)
	}
}
