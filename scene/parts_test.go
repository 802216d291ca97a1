package scene

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/tomltext"
	"pillbox/problem"
	"pillbox/shade"
	"pillbox/shapes"
)

// decodeFiles decodes x.toml, which may refer to the other files, and checks that the scene is valid.
func decodeFiles(t testing.TB, files fstest.MapFS) *Scene {
	t.Helper()
	s, err := Decode("x.toml", files["x.toml"].Data, WithFiles(files))
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, files["x.toml"].Data)
	}
	return s
}

// TestPlacementsAgainstBigNumbers expands random scenes of nested parts a second time, with 200-bit numbers, and
// compares the solids with those of the scene. The differences must stay within a bound, derived here with u = 2^-53.
//
// A copy of a part adds two frames to the placements around it: the frame of its placement, and the frame of its step,
// repeated i times. For each frame, three operations round:
//
//   - Computing the rotation matrix from its form adds an error of at most 24 u in the Frobenius norm.
//   - Multiplying it to the matrix of the outer frame adds 9 u: each of the nine numbers is a sum of three products, and
//     the squares of the numbers sum to 3.
//   - Making the product orthonormal adds at most 12 u, since this does not move it further from a rotation.
//
// The angle i * angle of a step is rounded as well. Let steps be the number of frames and turned the sum of these
// angles in degrees. Then the matrix of the innermost frame has an error of at most
//
//	f = (48 steps + 1.5 pi/180 turned) u
//
// A point is a sum of vectors that are rotated by such matrices, scaled (one rounding per frame) and added (one
// rounding per frame and component). Let reach be the sum of the lengths of these vectors. Then the error of the point
// is at most (f + 2 steps u + 8 u) reach.
func TestPlacementsAgainstBigNumbers(t *testing.T) {
	const u = 0x1p-53
	surfaces := map[string]shade.Material{
		"":                           {Albedo: shade.FromSRGB8(0xcc, 0xcc, 0xcc)},
		"color = \"teal\"\n":         {Albedo: shade.FromSRGB8(0, 0x80, 0x80)},
		"color = [0.1, 0.25, 0.7]\n": {Albedo: shade.FromSRGB(0.1, 0.25, 0.7)},
		"material = \"steel\"\n":     {Albedo: shade.FromSRGB(0.3, 0.35, 0.4), Mirror: 0.25},
	}
	solids, placed, worst := 0, 0, 0.0
	for seed := range effort.Of[uint64](15, 200, 3000) {
		random := newPartsScene(seed)
		s := decodeFiles(t, random.files())
		number := 0
		for kind, all := range random.expand() {
			k := Kind(kind)
			for i, want := range all {
				if kind, index := s.Of(number); kind != k || index != i {
					t.Fatalf("seed %d: solid %d is %s[%d], want %s[%d]", seed, number, kind, index, k, i)
				}
				points, sizes, axes := numbersOf(s.Solid(number))
				f := (48*float64(want.steps) + 1.5*want.turned*math.Pi/180) * u
				bound := (f + 2*float64(want.steps)*u + 8*u) * want.reach
				for j, p := range points {
					d := distance(p, want.points[j])
					if worst = max(worst, d/bound); d > bound {
						t.Errorf("seed %d: %s[%d] lies %g off, at most %g are allowed", seed, k, i, d, bound)
					}
				}
				sizesBound := float64(want.steps+1) * u * want.sizes.norm64()
				if d := distance(sizes, want.sizes); k == KindBox && d > sizesBound {
					t.Errorf("seed %d: box[%d] is %g too large, at most %g are allowed", seed, i, d, sizesBound)
				}
				if x, _ := want.sizes[0].Float64(); math.Abs(sizes.X-x) > float64(want.steps+1)*u*x {
					t.Errorf("seed %d: %s[%d] has the size %v, want %v", seed, k, i, sizes.X, x)
				}
				for j, axis := range axes {
					if d := distance(axis, want.axes[j]); d > f+48*u {
						t.Errorf("seed %d: an axis of box[%d] is %g off, at most %g are allowed", seed, i, d, f+48*u)
					}
				}
				o := s.Objects.Of(number)
				if o.Name != want.name || o.Material != surfaces[want.surface] {
					t.Errorf("seed %d: %s[%d] is %q of %v, want %q of %q", seed, k, i, o.Name, o.Material, want.name, want.surface)
				}
				if want.steps > 0 {
					placed++
				}
				number++
				solids++
			}
		}
		if number != s.Objects.Len() {
			t.Fatalf("seed %d: %d solids, want %d", seed, s.Objects.Len(), number)
		}
	}
	t.Logf("%d solids, %d of them placed; the worst point is at %.3f of its bound", solids, placed, worst)
	if placed < 300 || worst < 0.005 {
		t.Errorf("%d solids are placed, and the worst is at %.3f of its bound: that proves little", placed, worst)
	}
}

func (v bigVec) norm64() float64 {
	x, _ := v.norm().Float64()
	return x
}

func distance(v geom.Vec3, w bigVec) float64 {
	return bigVecOf(v).add(w.times(big.NewFloat(-1))).norm64()
}

// numbersOf returns the points, sizes and axes of a solid.
func numbersOf(s shapes.Shape) (points []geom.Vec3, sizes geom.Vec3, axes []geom.Vec3) {
	switch s := s.(type) {
	case *shapes.Sphere:
		return []geom.Vec3{s.Center}, geom.Vec3{X: s.Radius}, nil
	case *shapes.Capsule:
		return []geom.Vec3{s.A, s.B}, geom.Vec3{X: s.Radius}, nil
	case *shapes.Cylinder:
		return []geom.Vec3{s.A, s.B}, geom.Vec3{X: s.Radius}, nil
	case *shapes.Box:
		return []geom.Vec3{s.Center}, s.HalfExtents, []geom.Vec3{s.Rotation.X, s.Rotation.Y, s.Rotation.Z}
	}
	panic("no solid")
}

// sameBits reports whether a and b are equal bit for bit. 0 and -0 are different.
func sameBits(a, b any) bool { return fmt.Sprintf("%#v %b", a, a) == fmt.Sprintf("%#v %b", b, b) }

// flat writes s with WriteTOML, and returns the scene that is decoded from the result.
func flat(t testing.TB, s *Scene) *Scene {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteTOML(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Decode("flat.toml", b.Bytes())
	if err != nil {
		t.Fatalf("%v in\n%s", err, b.Bytes())
	}
	return again
}

// checkFlat writes s as a file in which every solid has its own table. It fails the test if the scene decoded from
// it has different settings, lights, solids or names.
func checkFlat(t *testing.T, s *Scene) {
	t.Helper()
	got := flat(t, s)
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"image", got.Image, s.Image},
		{"shading", effective(got.Shading), effective(s.Shading)},
		{"lights", got.Lights, s.Lights},
		{"spheres", got.Spheres, s.Spheres},
		{"capsules", got.Capsules, s.Capsules},
		{"boxes", got.Boxes, s.Boxes},
		{"cylinders", got.Cylinders, s.Cylinders},
		{"objects", objectsAndSurfaces(got), objectsAndSurfaces(s)},
		{"overlaps", got.AllowedOverlaps, s.AllowedOverlaps},
	} {
		if !sameBits(c.got, c.want) {
			t.Errorf("%s: %s\n%v are written and read as\n%v", s.Name, c.what, c.want, c.got)
		}
	}
	want := s.Camera
	if (got.Camera == nil) != (want == nil) {
		t.Fatalf("%s: the camera is %v, want %v", s.Name, got.Camera, want)
	}
	if want == nil {
		return
	}
	for _, aspect := range []int{1, 2} { // compares views, because WriteTOML omits the keys that only the other projection uses
		a, errA := got.View(aspect*100, 100)
		b, errB := s.View(aspect*100, 100)
		if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s: the view is %v, %v, want %v, %v", s.Name, a, errA, b, errB)
		}
	}
	if len(got.Files) > 0 {
		t.Errorf("%s: the flat scene reads %v", s.Name, got.Files)
	}
}

// effective returns the shading that WriteTOML writes for s. If colors are flat, nothing else has an effect.
func effective(s Shading) Shading {
	if s.Flat {
		return Shading{Flat: true}
	}
	return s
}

// objectsAndSurfaces returns the objects of s without their pointers to checkers and ghosts, each followed by these. Hulls
// are numbered in the order of the objects.
func objectsAndSurfaces(s *Scene) (all []any) {
	hulls := make(map[shade.Surface]int64)
	for _, o := range s.Objects.List() {
		look := o.Material.Surface()
		if look.Ghost.Share > 0 {
			if hulls[look] == 0 {
				hulls[look] = int64(len(hulls)) + 1
			}
			look.Ghost.Hull = hulls[look]
		}
		o.Material.Checker, o.Material.Ghost = nil, nil
		all = append(all, o, look.Checker, look.Ghost)
	}
	return all
}

// TestWriteTOMLOfPlacements writes random scenes of nested parts as files without parts, in which every solid has
// its own table. Reading such a file must give the same scene.
func TestWriteTOMLOfPlacements(t *testing.T) {
	for seed := range effort.Of[uint64](40, 150, 150) {
		checkFlat(t, decodeFiles(t, newPartsScene(seed).files()))
	}
}

// TestWriteTOMLOfScenes writes the shipped scenes, which together have every key of the format, as files without
// parts and bulk files. Reading such a file must give the same scene.
func TestWriteTOMLOfScenes(t *testing.T) {
	paths, err := fs.Glob(fs.FS(Folder("../scenes")), "*.toml")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d scenes, %v", len(paths), err)
	}
	for _, path := range effort.Some(t, 12, paths) {
		s, err := Load("../scenes/" + path)
		if err != nil {
			t.Fatal(err)
		}
		checkFlat(t, s)
		if again := flat(t, s); len(again.Warnings) > 0 && len(s.Warnings) == 0 {
			t.Errorf("%s: the scene has no warnings, but written and read again it has %v", path, again.Warnings)
		}
	}
}

// TestWriteTOMLOfLongNames writes solids whose name consists of a placement's name and their own. A name of 1,000
// characters must be written, and a longer one refused.
func TestWriteTOMLOfLongNames(t *testing.T) {
	for _, c := range []struct {
		placement int
		ok        bool
	}{{499, true}, {500, false}} {
		s := decode(t, fmt.Sprintf("[[part.a.sphere]]\ncenter = [0, 0, 0]\nradius = 1\nname = %q\n[[place]]\npart = \"a\"\nname = %q\n",
			strings.Repeat("ä", 500), strings.Repeat("ö", c.placement)))
		if c.ok {
			checkFlat(t, s)
			continue
		}
		err := s.WriteTOML(io.Discard)
		if err == nil || !strings.HasPrefix(err.Error(), "sphere[0].name: must have at most 1000 characters, got 1001 in") || len(err.Error()) > 300 {
			t.Errorf("a name of 1001 characters: %v", err)
		}
	}
}

// TestWriteTOMLOfMadeScenes checks that scenes that only Go code can make are written correctly or refused.
func TestWriteTOMLOfMadeScenes(t *testing.T) {
	made := func() *Scene {
		s := decode(t, "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nname = \"a\\u001b\\\"\\\\\"\n")
		s.Detach()
		return s
	}
	s := made()
	s.Objects = NewObjects(Object{s.Objects.Name(0), shade.Material{Albedo: shade.FromSRGB(0.1, 0.2, 0.3), Mirror: 0.5}})
	checkFlat(t, s)
	s.Materials = []Material{{"mirror-1", shade.Material{Mirror: 1}}}
	checkFlat(t, s)

	s.Objects = NewObjects(Object{s.Objects.Name(0), shade.Material{Checker: &shade.Checker{Albedo: shade.White(), Size: 1e-15}}})
	checkFlat(t, s)

	s = made()
	s.Spheres, s.Boxes = []shapes.Sphere{}, []shapes.Box{{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}}
	s.Boxes[0].Rotation.X.Y = math.Copysign(0, -1) // -0 equals 0, but has other bits
	checkFlat(t, s)

	s = made()
	s.Spheres[0].Radius = -1
	if err := s.WriteTOML(new(bytes.Buffer)); err == nil {
		t.Error("an invalid scene is written")
	}
	for name, spoil := range map[string]func(*Scene){
		"a picture without width":   func(s *Scene) { s.Image.Width = 0 },
		"too many pixels":           func(s *Scene) { s.Image.Width, s.Image.Height = MaxSide, MaxSide },
		"no samples":                func(s *Scene) { s.Image.Antialias = 0 },
		"a camera without place":    func(s *Scene) { s.Camera = &camera.Camera{} },
		"a light named as a solid":  func(s *Scene) { s.Lights = append(s.Lights, s.Lights[0]); s.Lights[0].Name = s.Objects.Name(0) },
		"two materials of one name": func(s *Scene) { s.Materials = []Material{{"m", shade.Material{}}, {"m", shade.Material{Mirror: 1}}} },
	} {
		s := made()
		s.Lights = []Light{{Light: shade.Light{Color: shade.White(), Intensity: 1}}}
		spoil(s)
		if err := s.WriteTOML(new(bytes.Buffer)); err == nil {
			t.Errorf("a scene with %s is written", name)
		}
	}

	s = made() // equal checkers are one material, and keep its name
	s.Spheres, s.Boxes = nil, make([]shapes.Box, 2)
	objects := make([]Object, 2)
	for i := range s.Boxes {
		s.Boxes[i] = shapes.Box{Center: geom.Vec3{X: float64(4 * i)}, HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}
		objects[i].Material.Checker = &shade.Checker{Albedo: shade.White(), Size: 1}
	}
	s.Objects = NewObjects(objects...)
	s.Materials = []Material{{"board", shade.Material{Checker: &shade.Checker{Albedo: shade.White(), Size: 1}}}}
	var flat bytes.Buffer
	if err := s.WriteTOML(&flat); err != nil || strings.Count(flat.String(), "[material.") != 1 || !strings.Contains(flat.String(), "[material.board]") {
		t.Errorf("WriteTOML = %v, and wrote\n%s", err, &flat)
	}

	broken := errors.New("broken")
	if err := made().WriteTOML(failing{broken}); !errors.Is(err, broken) {
		t.Errorf("WriteTOML = %v, want %v", err, broken)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestDirectionsCanBeWritten checks the function unnormalized. For the unit direction of a light, it must return a
// vector that normalizes to exactly this direction. It must succeed for nearly every direction, and always if it is
// given the vector that was in the file.
func TestDirectionsCanBeWritten(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 3))
	unfound := 0
	for range 20_000 {
		stated := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64() * math.Exp(-20*rng.Float64())}
		d, _ := geom.Direction(stated)
		if v, ok := unnormalized(d, stated); !ok || v != stated {
			t.Errorf("%v has the direction %v, and %v is found (%v)", stated, d, v, ok)
		}
		v, ok := unnormalized(d, geom.Vec3{})
		if again, _ := geom.Direction(v); ok && again != d {
			t.Errorf("%v has the direction %v, want %v", v, again, d)
		}
		if !ok {
			unfound++
		}
	}
	if unfound > 10 {
		t.Errorf("for %d directions of 20000 no vector is found", unfound)
	}
}

// TestDeepPlacementsAreValid checks that the axes of boxes remain orthonormal in deeply nested placements.
func TestDeepPlacementsAreValid(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 4))
	for range 20 {
		var b strings.Builder
		b.WriteString("[part.p0]\nbox = [{ center = [1, 2, 3], half_extents = [1, 1, 1], rotate = [10, 20, 30] }]\n")
		for i := range MaxNesting {
			header := fmt.Sprintf("[part.p%d]\n[[part.p%d.place]]\n", i+1, i+1)
			if i == MaxNesting-1 {
				header = "[[place]]\n"
			}
			fmt.Fprintf(&b, "%spart = \"p%d\"\nrotate = [%v, %v, %v]\ncount = 1\nstep = { axis = [%v, 1, 2], angle = %v }\n",
				header, i, rng.Float64()*360, rng.Float64()*360, rng.Float64()*360, rng.NormFloat64(), rng.Float64()*360)
		}
		s := decode(t, b.String())
		for i := range s.Boxes {
			if skew := s.Boxes[i].Rotation.OrthonormalError(); skew > 4*0x1p-52 {
				t.Errorf("an axis of a box is %g off", skew)
			}
		}
	}
}

// TestOriginOfPlacements checks the origin of every solid of a random scene. It must be a placement if and only if
// a placement makes the solid. The name and the size of the solid must correspond to those in the table that
// defines it.
func TestOriginOfPlacements(t *testing.T) {
	for seed := range uint64(40) {
		s := decodeFiles(t, newPartsScene(seed).files())
		for number := range s.Objects.Len() {
			o, _ := s.origin(number)
			from, ok := s.Origin(number)
			if !ok || (len(o.placed) > 0) != (from.Table == "place") {
				t.Fatalf("seed %d: solid %d comes from %+v, %v", seed, number, from, ok)
			}
			object := s.Objects.Of(number)
			if len(o.placed) > 0 && object.Name != "" && o.path() != object.Name && o.bulk == nil {
				t.Errorf("seed %d: solid %d is called %q and has the path %q", seed, number, object.Name, o.path())
			}
			// The origin's solid has the size of this solid, divided by the scales of its placements.
			wantSize := 0.0
			switch {
			case o.bulk != nil:
				file, line, _ := s.BulkLine(number)
				if file != o.bulk.Name || file != from.File.Name || line < 2 {
					t.Errorf("seed %d: solid %d stands at %s:%d, want the file %s", seed, number, file, line, o.bulk.Name)
				}
				continue
			case o.kind == KindSphere:
				wantSize = o.part.own[o.kind].spheres[o.index].Radius
			case o.kind == KindCapsule:
				wantSize = o.part.own[o.kind].capsules[o.index].Radius
			case o.kind == KindCylinder:
				wantSize = o.part.own[o.kind].cylinders[o.index].Radius
			case o.kind == KindBox:
				wantSize = o.part.own[o.kind].boxes[o.index].HalfExtents.X
			}
			scale := 1.0
			for _, c := range o.placed {
				scale *= c.transform.scale
			}
			_, size, _ := numbersOf(s.Solid(number))
			if math.Abs(size.X-scale*wantSize) > 1e-12*size.X {
				t.Errorf("seed %d: solid %d has the size %v, want %v times %v", seed, number, size.X, scale, wantSize)
			}
		}
	}
}

// TestPlacementsDoNotDrift checks that copy i is computed from the first copy, so that rounding errors do not add
// up. A quarter turn and a step of a power of two must be exact.
func TestPlacementsDoNotDrift(t *testing.T) {
	s := decode(t, `
[part.p]
sphere = [{ center = [0, 0, 0], radius = 1 }]
[[place]]
part = "p"
position = [3, 0, 0]
count = 100_001
step = { position = [0, 0.5, 0], axis = [0, 1, 0], angle = 90 }
`)
	if got, want := s.Spheres[100_000].Center, (geom.Vec3{X: 3, Y: 50_000}); got != want {
		t.Errorf("after 25000 turns the sphere is at %v, want %v", got, want)
	}
	if got, want := s.Spheres[1].Center, (geom.Vec3{Y: 0.5, Z: -3}); got != want {
		t.Errorf("after a quarter turn about y the sphere is at %v, want %v", got, want)
	}
}

// TestPlacedSurfaces checks the precedence of surfaces: a solid's own surface comes before those of placements, and
// the surface of an inner placement before that of an outer one.
func TestPlacedSurfaces(t *testing.T) {
	s := decode(t, `
[material.steel]
mirror = 0.5
[part.inner]
sphere = [{ center = [0, 0, 0], radius = 1 }, { center = [0, 0, 0], radius = 1, color = "red" }]
[part.outer]
place = [{ part = "inner", material = "steel" }, { part = "inner" }]
[[place]]
part = "outer"
color = "blue"
[[place]]
part = "inner"
`)
	gray, steel := shade.FromSRGB8(0xcc, 0xcc, 0xcc), shade.Material{Albedo: shade.FromSRGB8(0xcc, 0xcc, 0xcc), Mirror: 0.5}
	red, blue := shade.Material{Albedo: shade.Color{R: 1}}, shade.Material{Albedo: shade.Color{B: 1}}
	for i, want := range []shade.Material{steel, red, blue, red, {Albedo: gray}, red} {
		if got := *s.Objects.Material(i); got != want {
			t.Errorf("sphere[%d] is %v, want %v", i, got, want)
		}
	}
}

// TestPlacedSurfacesOfRows checks that a row has its own surface if a field of the row or its table sets one.
func TestPlacedSurfacesOfRows(t *testing.T) {
	s := decodeFiles(t, fstest.MapFS{
		"x.toml": {Data: []byte("[part.p]\nbulk = [{ file = \"p.csv\", shape = \"sphere\" }, { file = \"p.csv\", shape = \"sphere\", color = \"red\" }]\n[[place]]\npart = \"p\"\ncolor = \"blue\"\n")},
		"p.csv":  {Data: []byte("x,y,z,radius,r,g,b\n0,0,0,1,,,\n0,0,0,1,0,1,0\n")},
	})
	red, green, blue := shade.Color{R: 1}, shade.Color{G: 1}, shade.Color{B: 1}
	for i, want := range []shade.Color{blue, green, red, green} {
		if got := s.Objects.Material(i).Albedo; got != want {
			t.Errorf("sphere[%d] has the color %v, want %v", i, got, want)
		}
	}
}

// TestProblemsBesideFailedPlacement checks that messages about solids after an invalid placement name the right
// rows.
func TestProblemsBesideFailedPlacement(t *testing.T) {
	files := fstest.MapFS{
		"x.toml": {Data: []byte("camera = { position = [0, 0, 9], look_at = [0, 0, 0] }\nbulk = [{ file = \"p.csv\", shape = \"sphere\" }]\n" +
			"[part.p]\nsphere = [{ center = [1, 0, 0], radius = 1 }]\n[[place]]\npart = \"p\"\ncount = 3\nstep = { position = [1e15, 0, 0] }\n")},
		"p.csv": {Data: []byte("x,y,z,radius\n0,0,0,1\n0,0,9,1\n")},
	}
	_, err := Decode("x.toml", files["x.toml"].Data, WithFiles(files))
	const want = "x.toml:1:23: warning: camera.position: the eye lies inside sphere[4] at p.csv:3\n" +
		"x.toml:5:1: place[0]: puts place[0][1]/sphere[0] (part.p.sphere[0]) outside the limits: center: coordinates must be finite and at most 1e+15 in magnitude, got [1.000000000000001e+15, 0, 0]"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// TestSceneLabel checks the label of a solid: its name or, without a name, its path if it is in a placement, or its
// key otherwise.
func TestSceneLabel(t *testing.T) {
	files := fstest.MapFS{
		"x.toml": {Data: []byte("sphere = [{ center = [9, 0, 0], radius = 1 }, { name = \"own\", center = [9, 9, 0], radius = 1 }]\n" +
			"bulk = [{ file = \"p.csv\", shape = \"sphere\" }]\n" +
			"[part.p]\nsphere = [{ center = [0, 0, 0], radius = 1 }, { name = \"bone\", center = [0, 9, 0], radius = 1 }]\n" +
			"bulk = [{ file = \"p.csv\", shape = \"sphere\" }]\n" +
			"[[place]]\npart = \"p\"\ncount = 2\nstep = { position = [0, 0, 50] }\n" +
			"[[place]]\npart = \"p\"\nname = \"index\"\nposition = [50, 0, 0]\n")},
		"p.csv": {Data: []byte("x,y,z,radius\n0,0,9,1\n")},
	}
	s, err := Decode("x.toml", files["x.toml"].Data, WithFiles(files))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"sphere[0]", `sphere "own"`,
		"place[0][0]/sphere[0]", "place[0][0]/bone", "place[0][0]/p.csv:2",
		"place[0][1]/sphere[0]", "place[0][1]/bone", "place[0][1]/p.csv:2",
		"index/sphere[0]", `sphere "index/bone"`, "index/p.csv:2",
		"sphere[11]",
	}
	for number := range s.Objects.Len() {
		if got := s.Label(number); got != want[number] {
			t.Errorf("solid %d is called %s, want %s", number, got, want[number])
		}
	}
	s.Detach()
	if got := s.Label(2); got != "sphere[2]" {
		t.Errorf("without its file, a solid is called %s, want sphere[2]", got)
	}
}

// TestPlacementBits compares the numbers that placements compute with recorded bits. A single different rounding
// could change pixels of golden pictures.
func TestPlacementBits(t *testing.T) {
	h := fnv.New64a()
	for seed := range uint64(30) {
		s := decodeFiles(t, newPartsScene(seed).files())
		for number := range s.Objects.Len() {
			points, sizes, axes := numbersOf(s.Solid(number))
			for _, v := range slices.Concat(points, []geom.Vec3{sizes}, axes) {
				fmt.Fprintf(h, "%b %b %b\n", v.X, v.Y, v.Z)
			}
		}
	}
	const want = 0x53cc235bd5fbfc42
	if got := h.Sum64(); got != want {
		t.Errorf("the hash of all numbers is %#x, want %#x", got, uint64(want))
	}
}

// TestPlacementsNeedNoMemoryOfTheirOwn checks that copies without names, and copies of rows of a bulk table, are
// not allocated one by one. So the time to load grows linearly, up to a million copies.
func TestPlacementsNeedNoMemoryOfTheirOwn(t *testing.T) {
	allocations := func(count int) float64 {
		files := fstest.MapFS{
			"x.toml": {Data: fmt.Appendf(nil, "[part.p]\nbulk = [{ file = \"p.csv\", shape = \"sphere\" }]\n[part.q]\nplace = [{ part = \"p\", rotate = [1, 2, 3] }]\n"+
				"[[place]]\npart = \"q\"\ncount = %d\nstep = { position = [1, 0, 0], axis = [0, 1, 0], angle = 1 }\n", count)},
			"p.csv": {Data: []byte("x,y,z,radius,name\n0,0,0,1,a\n0,1,0,1,b\n0,2,0,1,c\n")},
		}
		return testing.AllocsPerRun(1, func() {
			if s := decodeFiles(t, files); len(s.Spheres) != 3*count {
				t.Errorf("%d spheres, want %d", len(s.Spheres), 3*count)
			}
		})
	}
	if few, many := allocations(10), allocations(30_000); many > few+200 {
		t.Errorf("%v allocations for 10 copies, %v for 30000", few, many)
	}
}

// BenchmarkDecodePlacements places a part of ten rows. The name of each sub-benchmark is the number of copies.
func BenchmarkDecodePlacements(b *testing.B) {
	rows := "x,y,z,radius\n" + strings.Repeat("1,2,3,0.5\n", 10)
	for _, count := range []int{1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("copies=%d", count), func(b *testing.B) {
			files := fstest.MapFS{
				"x.toml": {Data: fmt.Appendf(nil, "[part.p]\nbulk = [{ file = \"p.csv\", shape = \"sphere\" }]\n"+
					"[[place]]\npart = \"p\"\ncount = %d\nstep = { position = [1, 0, 0] }\n", count)},
				"p.csv": {Data: []byte(rows)},
			}
			for b.Loop() {
				decodeFiles(b, files)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(10*count), "ns/solid")
		})
	}
}

// TestInclude checks that a scene can use the parts and materials of included files, and that problems in these
// files have their positions.
func TestInclude(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"good", map[string]string{
			"x.toml":       "include = [\"a.toml\", \"below/b.toml\"]\n[[place]]\npart = \"tip\"\n",
			"a.toml":       "format = 1\n[material.skin]\n[part.nail]\nsphere = [{ center = [0, 0, 0], radius = 1, material = \"skin\" }]\n",
			"below/b.toml": "[part.tip]\nplace = [{ part = \"nail\" }]\nbulk = [{ file = \"c.csv\", shape = \"sphere\" }]\n[part.unused]\n[material.unused]\n",
			"below/c.csv":  "x,y,z,radius\n0,0,9,1\n",
		}, ""},
		{"errors inside", map[string]string{
			"x.toml": "include = [\"a.toml\"]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 0\n",
			"a.toml": "[part.p]\nsphere = [{ center = [0, 0], radius = 1 }]\n[material.m]\nmirror = 2\n",
		}, `dir/x.toml:4:10: sphere[0].radius: must be positive and finite, got 0
dir/a.toml:2:22: part.p.sphere[0].center: must be an array of 3 numbers, got [0, 0]
dir/a.toml:4:10: material.m.mirror: must lie between 0 and 1, got 2`},
		{"bulk inside", map[string]string{
			"x.toml":   "include = [\"b/a.toml\"]\n",
			"b/a.toml": "[part.p]\nbulk = [{ file = \"c.csv\", shape = \"sphere\" }, { file = \"d.csv\", shape = \"box\" }]\n",
			"b/c.csv":  "x,y,z,radius\n0,0,9,-1\n",
		}, `dir/b/a.toml:2:56: part.p.bulk[1].file: there is no such file, got "d.csv", did you mean ` + "`c.csv`" + `?
dir/b/c.csv:2:7: radius: must be positive and finite, got -1`},
		{"other tables", map[string]string{
			"x.toml": "include = [\"a.toml\"]\n",
			"a.toml": "include = []\nnonsense = 1\n[camera]\n[[sphere]]\n",
		}, `dir/a.toml:1:1: include: not allowed in an included file: only [part], [material] and [theme] tables are
dir/a.toml:2:1: nonsense: unknown key, want one of format, theme, material, part
dir/a.toml:3:2: camera: not allowed in an included file: only [part], [material] and [theme] tables are
dir/a.toml:4:3: sphere: not allowed in an included file: only [part], [material] and [theme] tables are`},
		{"not TOML", map[string]string{
			"x.toml": "include = [\"a.toml\"]\n[[place]]\npart = \"p\"\nmaterial = \"m\"\n",
			"a.toml": "[part.p\n",
		}, `dir/x.toml:4:12: place[0].material: must be the name of a [material.NAME], got "m"
dir/a.toml:1:8: unbalanced brackets in the header: write ` + "`[part.p]`"},
		{"unreadable", map[string]string{
			"x.toml": "include = [\"../a.toml\", \"b.toml\", 1, \"a.toml\", \"./a.toml\"]\n[[place]]\npart = \"p\"\n",
			"a.toml": "",
		}, `dir/x.toml:1:12: include[0]: must be in the scene's folder or below, without "..", got "../a.toml"
dir/x.toml:1:25: include[1]: there is no such file, got "b.toml", did you mean ` + "`a.toml`" + `?
dir/x.toml:1:35: include[2]: must be a string, got 1
dir/x.toml:1:48: include[4]: is included already, got "./a.toml"`},
		{"clashes", map[string]string{
			"x.toml": "include = [\"a.toml\", \"b.toml\"]\n[part.p]\nsphere = []\n[material.m]\n[[place]]\npart = \"p\"\nmaterial = \"m\"\n",
			"a.toml": "[part.p]\n[part.q]\n",
			"b.toml": "[part.q]\n[material.m]\n",
		}, `dir/a.toml:1:7: part.p: a part of this name is already in dir/x.toml
dir/b.toml:1:7: part.q: a part of this name is already in dir/a.toml
dir/b.toml:2:11: material.m: a material of this name is already in dir/x.toml`},
		{"no array", map[string]string{"x.toml": "include = \"a.toml\"\n"},
			`dir/x.toml:1:11: include: must be an array of file names, got "a.toml"`},
	} {
		files := make(fstest.MapFS)
		for name, text := range c.files {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		s, err := Decode("dir/x.toml", []byte(c.files["x.toml"]), WithFiles(files))
		switch {
		case c.want != "" && (err == nil || err.Error() != c.want):
			t.Errorf("%s: got\n%v\nwant\n%s", c.name, err, c.want)
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want == "" && (len(s.Spheres) != 2 || len(s.Warnings) > 0 || len(s.Files) != 3):
			t.Errorf("%s: %v, %v, files %v", c.name, s.Spheres, s.Warnings, s.Files)
		}
	}
	if _, err := Decode("x.toml", []byte("include = [\"a.toml\"]\n")); err == nil || !strings.Contains(err.Error(), "option WithFiles") {
		t.Errorf("Decode includes files: %v", err)
	}
}

// TestMutatedParts makes random changes to scenes of nested parts, their included files and their bulk files.
// Nothing must panic, and every problem must have a position inside one of the files.
func TestMutatedParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 5))
	files, refused, codes := effort.Of(150, 2500, 50_000), 0, make(map[problem.Code]int)
	var scenes [50]fstest.MapFS
	for i := range scenes {
		scenes[i] = newPartsScene(uint64(i)).files()
	}
	for range files {
		scene := maps.Clone(scenes[rng.IntN(len(scenes))])
		names := []string{"x.toml", "one.toml", "below/two.toml"}
		for name := range scene {
			if strings.HasSuffix(name, ".csv") && rng.IntN(8) == 0 {
				names = append(names[:0:0], name)
			}
		}
		name := names[rng.IntN(len(names))]
		for range 1 + rng.IntN(3) {
			scene[name] = &fstest.MapFile{Data: mutated(rng, scene[name].Data)}
		}
		s, err := Decode("x.toml", scene["x.toml"].Data, WithFiles(scene))
		var es problem.Errors
		if err == nil {
			es = s.Warnings
			checkValid(t, s)
		} else if refused++; !errors.As(err, &es) {
			t.Fatalf("Decode returned %T", err)
		}
		for _, e := range es {
			codes[e.Code]++
			file, ok := scene[e.File]
			if lines := bytes.Count(file.Data, []byte("\n")) + 1; !ok || e.Line < 1 || e.Line > lines || e.Column < 1 || e.EndColumn < e.Column {
				t.Errorf("%v: there is no such place, in\n%s", e, file.Data)
			}
			if e.File == "x.toml" && e.Code != problem.CodeDuplicateName {
				checkPlace(t, file.Data, e)
			}
		}
	}
	t.Logf("%d of %d files are refused, for %d kinds of problems", refused, files, len(codes))
	if refused < files/4 || refused > files*19/20 || len(codes) < effort.Of(15, 20, 20) {
		t.Errorf("%d of %d files are refused, for %v: that proves little", refused, files, codes)
	}
}

// mutated returns data with a line, a word or another piece removed, replaced, or followed by another one.
func mutated(rng *rand.Rand, data []byte) []byte {
	separator := [][]byte{[]byte("\n"), []byte(" "), []byte(","), []byte("."), nil}[rng.IntN(5)]
	pieces := bytes.SplitAfter(data, separator)
	if len(pieces) < 2 {
		return data
	}
	i, j := rng.IntN(len(pieces)), rng.IntN(len(pieces))
	words := []string{"[[place]]\n", "part = \"p1\"\n", "count = 1000000\n", "step = {}\n", "scale = 1e12\n", "-1", "1e300", "nan", "\"p2\"", "\"\"", "[", "]", "{", "name = \"solid 0\"\n",
		"[part.p1]\n", "material = \"stel\"\n", "include = [\"one.toml\"]\n", "axes = [[1, 0, 0], [0, 1, 0], [0, 0, 2]]\n", "[[part.p1.place]]\npart = \"p0\"\n", "[[part.p3.place]]\npart = \"p1\"\n"}
	switch rng.IntN(4) {
	case 0:
		pieces = append(pieces[:i:i], pieces[i+1:]...)
	case 1:
		pieces[i] = pieces[j]
	case 2:
		pieces[i] = append(bytes.Clone(pieces[i]), pieces[j]...)
	case 3:
		pieces[i] = append(bytes.Clone(pieces[i]), words[rng.IntN(len(words))]...)
	}
	return bytes.Join(pieces, nil)
}

// TestScenesExpandAgain expands the parts of a decoded scene a second time, which must give the same solids. If a
// placement is moved before that, exactly its solids must move.
func TestScenesExpandAgain(t *testing.T) {
	for seed := range uint64(40) {
		s := decodeFiles(t, newPartsScene(seed).files())
		again := *s
		newExpander(&again).root(func(_ *place, err error) { t.Errorf("seed %d: %v", seed, err) })
		if !sameBits(again.Spheres, s.Spheres) || !sameBits(again.Capsules, s.Capsules) || !sameBits(again.Boxes, s.Boxes) || !sameBits(again.Cylinders, s.Cylinders) || !sameBits(again.Objects.List(), s.Objects.List()) {
			t.Errorf("seed %d: other solids the second time", seed)
		}
		if len(s.root.places) == 0 {
			continue
		}
		moved := *s.root.places[0]
		moved.transform.position.X += 1000
		root := *s.root
		root.places = append([]*place{&moved}, root.places[1:]...)
		again = *s
		again.root = &root
		newExpander(&again).root(func(_ *place, err error) { t.Errorf("seed %d: %v", seed, err) })
		for number := range s.Objects.Len() {
			p, _, _ := numbersOf(s.Solid(number))
			q, _, _ := numbersOf(again.Solid(number))
			o, _ := s.origin(number)
			if moves := len(o.placed) > 0 && o.placed[0].place == s.root.places[0]; moves == (p[0] == q[0]) {
				t.Errorf("seed %d: %s is at %v and then at %v", seed, s.Label(number), p[0], q[0])
			}
		}
	}
}

// TestPlacementMessagesArePrintable checks that every message about parts escapes names with control characters of
// terminals.
func TestPlacementMessagesArePrintable(t *testing.T) {
	const evil = `\u001b[31m\u202e\n::error::`
	seen := make(map[problem.Code]bool)
	for _, text := range []string{
		"[part.\"a%s\"]\nplace = [{ part = \"b%s\" }]\n[part.\"b%s\"]\nplace = [{ part = \"a%s\" }]\n[[place]]\npart = \"c%s\"\n",
		"[part.\"a%s\"]\nsphere = [{ name = \"s%s\", center = [1e15, 0, 0], radius = 1 }]\n[[place]]\npart = \"a%s\"\nname = \"p%s\"\nscale = 2\n",
		"camera = { position = [0, 0, 9], look_at = [0, 0, 0] }\nlight = [{ position = [0, 0, 99] }]\n[part.\"a%s\"]\nsphere = [{ name = \"s%s\", center = [0, 0, 99], radius = 1 }]\n[[place]]\npart = \"a%s\"\nname = \"p%s\"\n[part.\"u%s\"]\n",
		"[part.\"a%s\"]\nsphere = [{ name = \"s%s\", center = [0, 0, 0], radius = 1 }]\n[[place]]\npart = \"a%s\"\nname = \"p%s\"\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nname = \"p%s/s%s\"\n",
	} {
		es, _ := problemsOf([]byte(strings.ReplaceAll(text, "%s", evil)))
		for _, e := range es {
			seen[e.Code] = true
			line := e.Error()
			if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) || strings.Contains(line, "\n") {
				t.Errorf("%q", line)
			}
		}
	}
	for _, code := range []problem.Code{problem.CodeCycle, problem.CodeUnknownPart, problem.CodePlacedOutOfRange, problem.CodeOutsideView, problem.CodeLightInside, problem.CodeUnusedPart, problem.CodeDuplicateName} {
		if !seen[code] {
			t.Errorf("no message is %s", code)
		}
	}
}

// TestTable checks that the table that Table returns for a solid contains that solid.
func TestTable(t *testing.T) {
	s, err := Load("../scenes/parts.toml")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range s.Objects.Len() {
		key, file, ok := s.Table(i)
		if !ok {
			t.Fatalf("solid %d has no table", i)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := tomltext.Text(data)
		if at := tomltext.Locate(text, []string{key})[key]; !at.Found {
			t.Errorf("solid %d: there is no %s in %s", i, key, file)
		}
		seen[file] = true
	}
	if len(seen) != 2 {
		t.Errorf("solids of files %v, want those of two", seen)
	}
	s.Detach()
	if _, _, ok := s.Table(0); ok {
		t.Error("a detached scene knows a table")
	}
}

// TestDecodeWithMaxPlaced checks the limit that keeps a small text from making too many solids.
func TestDecodeWithMaxPlaced(t *testing.T) {
	text := []byte("[[part.a.sphere]]\ncenter=[0,0,0]\nradius=1\n[[place]]\npart=\"a\"\ncount=1000\nstep={position=[3,0,0]}\n")
	if _, err := Decode("s.toml", text, WithMaxPlaced(1000)); err != nil {
		t.Error(err)
	}
	_, err := Decode("s.toml", text, WithMaxPlaced(999))
	if err == nil || !strings.Contains(err.Error(), "must make at most 999 solids, but they make 1000") {
		t.Errorf("1000 solids of at most 999: %v", err)
	}
}
