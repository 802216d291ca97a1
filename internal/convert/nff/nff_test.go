package nff_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/internal/convert/nff"
	"pillbox/problem"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

const view = "v\nfrom 2.1 1.3 1.7\nat 0 0 0\nup 0 0 1\nangle 45\nhither 1\nresolution 512 256\n"

func read(t testing.TB, text string, opt nff.Options) *model.Scene {
	t.Helper()
	s, err := nff.Read(model.Source{Name: "m.nff", Text: strings.NewReader(text)}, opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

func TestScene(t *testing.T) {
	s := modeltest.Load(t, read(t, view+`# a comment
b 0.5 0.25 1
l 4 3 2
l -1 -4 4 0 2 1
f 1 0.5 0.25 0.5 0.5 3 0 0
s 1 2 3 0.5
f 0 0 1 1 0 0 0 0
s 4 5 6 1.5
f 1 0.5 0.25 0.5 0.5 3 0 0
s 7 8 9 1
`, nff.Options{}))
	if s.Image.Width != 512 || s.Image.Height != 256 || s.Camera.FOV != 45 || s.Camera.Position != (geom.Vec3{X: 2.1, Y: 1.3, Z: 1.7}) || s.Camera.Up != (geom.Vec3{Z: 1}) {
		t.Errorf("the camera is %+v, %d x %d", s.Camera, s.Image.Width, s.Image.Height)
	}
	if len(s.Spheres) != 3 || s.Spheres[1] != (shapes.Sphere{Center: geom.Vec3{X: 4, Y: 5, Z: 6}, Radius: 1.5}) {
		t.Errorf("spheres are %v", s.Spheres)
	}
	if len(s.Lights) != 2 || math.Abs(s.Lights[0].Intensity-math.Sqrt(0.5)) > 1e-9 || math.Abs(s.Lights[1].Intensity-2*math.Sqrt(0.5)) > 1e-9 {
		t.Errorf("lights are %+v", s.Lights)
	}
	first, third := *s.Objects.Material(0), *s.Objects.Material(2)
	if first != third || first.Mirror != 0.5 {
		t.Errorf("materials are %+v and %+v, want the same", first, third)
	}
}

// box returns the six faces of b as polygons, with faces and corners in random order.
func box(rng *rand.Rand, b shapes.Box) string {
	var all []string
	axes := [3]geom.Vec3{b.Rotation.X.Scale(b.HalfExtents.X), b.Rotation.Y.Scale(b.HalfExtents.Y), b.Rotation.Z.Scale(b.HalfExtents.Z)}
	for k := range 3 {
		for _, side := range [...]float64{-1, 1} {
			u, v, w := axes[(k+1)%3], axes[(k+2)%3], axes[k].Scale(side)
			if rng.IntN(2) == 0 {
				u, v = v, u
			}
			corners := []geom.Vec3{u.Neg().Sub(v), u.Sub(v), u.Add(v), v.Sub(u)}
			text := "p 4\n"
			first := rng.IntN(4)
			for i := range corners {
				p := b.Center.Add(w).Add(corners[(i+first)%4])
				text += fmt.Sprintf("%.9g %.9g %.9g\n", p.X, p.Y, p.Z)
			}
			all = append(all, text)
		}
	}
	rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	return strings.Join(all, "")
}

// TestBoxes checks that six polygons that are the faces of a box become that box.
func TestBoxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		x := shapetest.Direction(rng)
		y := x.Cross(shapetest.Direction(rng)).Unit()
		want := shapes.Box{
			Center:      shapetest.Cube(rng, 5),
			HalfExtents: geom.Vec3{X: 0.1 + rng.Float64(), Y: 0.1 + rng.Float64(), Z: 0.1 + rng.Float64()},
			Rotation:    geom.Mat3{X: x, Y: y, Z: x.Cross(y)},
		}
		if rng.IntN(3) == 0 {
			want.HalfExtents.Y = want.HalfExtents.X // then the axes cannot be distinguished by length
		}
		s := modeltest.Load(t, read(t, "f 1 1 1 1 0 0 0 0\n"+box(rng, want), nff.Options{}))
		if len(s.Boxes) != 1 || s.Objects.Len() != 1 {
			t.Fatalf("%d boxes", len(s.Boxes))
		}
		for range 20 {
			from := want.Center.AddScaled(9, shapetest.Direction(rng))
			r, _ := geom.Toward(from, want.Center.Add(shapetest.Cube(rng, 0.05)).Sub(from))
			a, okA := want.Intersect(r, 0, math.Inf(1))
			b, okB := s.Boxes[0].Intersect(r, 0, math.Inf(1))
			if okA != okB || math.Abs(a.T-b.T) > 1e-6 {
				t.Fatalf("%v meets %v at %v, and the box that was read at %v", r, want, a, b)
			}
		}
	}
}

// TestRectangles checks that a single rectangle becomes an almost flat box. Its front is on the side from which the
// corners run counterclockwise.
func TestRectangles(t *testing.T) {
	floor := "p 4\n5 5 -1\n-5 5 -1\n-5 -5 -1\n5 -5 -1\n"
	m := read(t, "f 1 1 1 1 0 0 0 0\n"+floor+"p 3\n0 0 0\n1 0 0\n0 1 0\ns 0 0 0 1\n", nff.Options{})
	s := modeltest.Load(t, m)
	ray := geom.Ray{Origin: geom.Vec3{X: 2, Y: 2, Z: 4}, Dir: geom.Vec3{Z: -1}}
	hit, ok := s.Boxes[0].Intersect(ray, 0, math.Inf(1))
	if !ok || math.Abs(hit.T-5) > 1e-9 || math.Abs(hit.Normal.Z-1) > 1e-9 {
		t.Errorf("the floor is met at %v, %v", hit, ok)
	}
	if notes := m.Account.Notes(); len(notes) != 2 || notes[0].Message != "1 polygon skipped" || notes[1].Message != "1 rectangle shown as a thin box" {
		t.Errorf("notes are %v", notes)
	}
}

// TestCones checks that a cone with equal radii becomes a cylinder. Other cones must be skipped, or replaced by
// solids that contain them.
func TestCones(t *testing.T) {
	text := "f 1 1 1 1 0 0 0 0\ns 0 0 0 1\nc\n0 0 0 0.5\n0 0 4 0.5\nc\n0 0 0 0.5\n0 0 4 0.25\nc\n1 1 1 0.5\n1 1 1 0.5\n"
	m := read(t, text, nff.Options{})
	cylinder := model.Cylinder{B: geom.Vec3{Z: 4}, Radius: 0.5}
	if len(m.Cylinders) != 1 || m.Cylinders[0].B != cylinder.B || m.Cylinders[0].Radius != cylinder.Radius || m.Len() != 2 || len(m.Account.Notes()) != 2 {
		t.Errorf("%v, %v", m.Cylinders, m.Account.Notes())
	}
	m = read(t, text, nff.Options{Approximate: true})
	if m.Len() != 3 || !strings.Contains(m.Account.Notes().Error(), "1 cone shown as a ") {
		t.Errorf("%d solids, %v", m.Len(), m.Account.Notes())
	}
}

// TestJoinedCapsules checks that a cylinder with spheres at both ends becomes one capsule, even if several
// cylinders share a sphere. If a sphere is missing, is smaller or has another surface, the cylinder must remain.
func TestJoinedCapsules(t *testing.T) {
	const surface = "f 1 1 1 1 0 0 0 0\n"
	sphere := func(x int) string { return fmt.Sprintf("s %d 0 0 0.5\n", x) }
	cylinder := func(a, b int) string { return fmt.Sprintf("c\n%d 0 0 0.5\n%d 0 0 0.5\n", a, b) }
	for _, c := range []struct {
		name, text                   string
		spheres, capsules, cylinders int
	}{
		{"one", surface + sphere(0) + cylinder(0, 4) + sphere(4), 0, 1, 0},
		{"shared", surface + sphere(0) + sphere(4) + sphere(8) + cylinder(0, 4) + cylinder(4, 8), 0, 2, 0},
		{"twice", surface + sphere(0) + sphere(0) + sphere(4) + cylinder(0, 4), 0, 1, 0},
		{"open", surface + sphere(0) + cylinder(0, 4), 1, 0, 1},
		{"chain with an open end", surface + sphere(0) + sphere(4) + cylinder(0, 4) + cylinder(4, 8), 0, 1, 1},
		{"small", surface + sphere(0) + "s 4 0 0 0.4\n" + cylinder(0, 4), 2, 0, 1},
		{"surface", surface + sphere(0) + cylinder(0, 4) + "f 1 0 0 1 0 0 0 0\n" + sphere(4), 2, 0, 1},
	} {
		m := read(t, c.text, nff.Options{})
		if len(m.Spheres) != c.spheres || len(m.Capsules) != c.capsules || len(m.Cylinders) != c.cylinders {
			t.Errorf("%s: %d spheres, %d capsules, %d cylinders; want %d, %d, %d", c.name, len(m.Spheres), len(m.Capsules), len(m.Cylinders), c.spheres, c.capsules, c.cylinders)
		}
		if notes := m.Account.Notes(); len(notes) > 0 {
			t.Errorf("%s: %v", c.name, notes)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"x 1 2 3\n":                           `m.nff:1:1: must be v, b, l, f, s, c, p or pp, got "x"`,
		"s 1 2 three 4\n":                     `m.nff:1:7: z: must be a number, got "three"`,
		"s 1 2 3\n":                           "m.nff:2:1: the file ends before radius",
		"s 1 2 3\nf 1 1 1 1 0\n":              `m.nff:2:1: radius: must be a number, got "f"`,
		"s 0 0 0 1 5\n":                       `m.nff:1:11: must be v, b, l, f, s, c, p or pp, got "5"`,
		"s 1 2 3 0\n":                         `m.nff:1:9: radius: must be at least 1e-15, got "0"`,
		"\n# c\np 4\n0 0 0\n":                 "m.nff:5:1: the file ends before corner 2 of 4.x",
		"p 2\n":                               `m.nff:1:3: number of corners: must be a whole number from 3 to 10000, got "2"`,
		"v\nat 0 0 0\n":                       `m.nff:2:1: must be from, got "at"`,
		strings.Replace(view, "45", "180", 1): `m.nff:5:7: angle: must be between 0 and 180 degrees, got "180"`,
		strings.Replace(view, "512 256", "9 32769", 1):    `m.nff:7:14: resolution: must be a whole number from 1 to 32768, got "32769"`,
		strings.Replace(view, "512 256", "32768 8193", 1): `m.nff:7:18: resolution: width times height must be at most 268435456, got "8193"`,
		"c\n0 0 0 1\n": "m.nff:3:1: the file ends before apex.x",
	} {
		_, err := nff.Read(model.Source{Name: "m.nff", Text: strings.NewReader(text)}, nff.Options{})
		var place *problem.Error
		if !errors.As(err, &place) || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestColorsOutsideRange checks the note about colors with channels outside 0 to 1, which has the position of the
// first one. Lights may exceed 1.
func TestColorsOutsideRange(t *testing.T) {
	const text = "b 0 1.5 0\nl 1 1 1 3 0 0\nl 1 1 1 1 -1 0\nf 1 0.5 0 1 0 0 0 1\ns 0 0 0 1\nf 1 -0.5 0 1 0 0 0 1\n"
	m, err := nff.Read(model.Source{Name: "m.nff", Text: strings.NewReader(text)}, nff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range m.Account.Notes() {
		got = append(got, n.Error())
	}
	want := []string{
		"m.nff:1:1: note: 1 background color clamped to 0 to 1",
		"m.nff:3:1: note: 1 light color clamped to 0 to 1",
		"m.nff:6:1: note: 1 surface color clamped to 0 to 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
}

// TestLinesDoNotMatter checks that words may be separated by any white space and by comments.
func TestLinesDoNotMatter(t *testing.T) {
	words := strings.Fields(view + "b 0.5 0.25 1 l 4 3 2 l -1 -4 4 0 2 1 f 1 0.5 0.25 0.5 0.5 3 0 0 s 1 2 3 0.5 " +
		"c 0 0 0 0.5 0 0 4 0.5 f 0 0 1 1 0 p 3 0 0 0 1 0 0 0 1 0 pp 3 0 0 0 0 0 1 1 0 0 0 0 1 0 1 0 0 0 1 s 4 5 6 1.5")
	opt := nff.Options{Approximate: true}
	want := written(t, read(t, strings.Join(words, " "), opt))
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		var b strings.Builder
		for _, w := range words {
			b.WriteString(w + []string{" ", "\n", "\t", " \r\n", "\n\n", " # s 9 9 9 9\n", "\n#c\n"}[rng.IntN(7)])
		}
		if got := written(t, read(t, b.String(), opt)); got != want {
			t.Fatalf("%q is read as\n%s\nwant\n%s", b.String(), got, want)
		}
	}
}

// written returns s as a scene file, without comments, because these contain positions in the source.
func written(t *testing.T, s *model.Scene) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b, model.Tables{}); err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile("(?m)^#.*\n").ReplaceAllString(b.String(), "")
}

// FuzzRead checks that no input causes a panic, and that the result can be written and loaded.
func FuzzRead(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 4))
	unit := shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 2, Z: 3}, Rotation: geom.Mat3{X: geom.Vec3{X: 1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}}}
	f.Add([]byte(view + "b 0.1 0.2 0.3\nl 1 2 3\nl 3 2 1 1 0 1\nf 1 .9 .7 .5 .5 3 0.2 1\ns 0 0 0 1\nc\n0 0 0 1\n0 0 2 1\npp 3\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n" + box(rng, unit)))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := nff.Read(model.Source{Name: "m.nff", Text: bytes.NewReader(text)}, nff.Options{Approximate: true})
		modeltest.Check(t, s, err)
	})
}
