package peers_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/geom"
	"pillbox/internal/tools/peers"
	"pillbox/scene"
	"pillbox/shapes"
)

func Example() {
	s := peers.Random(1, 3)
	fmt.Println(len(s.Spheres), len(s.Capsules), len(s.Boxes))
	if err := s.WriteTOML(io.Discard); err != nil {
		fmt.Println(err)
	}
	// Output: 1 1 1
}

// text returns what the function write writes.
func text(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wantScene compares got, a scene that Pillbox has read, with the original want. Albedos and the background must be
// approximately equal. The picture's size, the solids, the camera, the lights, the ambient light and the switch for
// shadows must be equal bit for bit.
func wantScene(t *testing.T, got *scene.Scene, want *peers.Scene) {
	t.Helper()
	if got.Image.Width != want.Image.Width || got.Image.Height != want.Image.Height || got.Image.Antialias != 1 {
		t.Errorf("image %+v, want %+v", got.Image, want.Image)
	}
	if !slices.Equal(got.Spheres, want.Spheres) || !slices.Equal(got.Capsules, want.Capsules) || !slices.Equal(got.Boxes, want.Boxes) ||
		!slices.Equal(got.Cylinders, want.Cylinders) {
		t.Fatalf("got solids %v %v %v %v, want %v %v %v %v", got.Spheres, got.Capsules, got.Boxes, got.Cylinders, want.Spheres, want.Capsules, want.Boxes,
			want.Cylinders)
	}
	for _, c := range []struct{ got, want any }{
		{*got.Camera, *want.Camera}, {got.Lights, want.Lights}, {got.Shading.Shadows, want.Shading.Shadows},
		{got.Shading.Ambient, want.Shading.Ambient},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Fatalf("got %v, want %v", c.got, c.want)
		}
	}
	if got.Objects.Len() != want.Objects.Len() {
		t.Fatalf("%d objects, want %d", got.Objects.Len(), want.Objects.Len())
	}
	for i := range want.Objects.Len() {
		a, b := got.Objects.Material(i).Albedo.Sub(want.Objects.Material(i).Albedo), 1e-15
		if math.Abs(a.R) > b || math.Abs(a.G) > b || math.Abs(a.B) > b {
			t.Errorf("object %d: %v, want %v", i, got.Objects.Of(i), want.Objects.Of(i))
		}
	}
	sky := got.Image.Background.Top.Sub(want.Image.Background.Top)
	if got.Image.Background.Top != got.Image.Background.Bottom || math.Abs(sky.R)+math.Abs(sky.G)+math.Abs(sky.B) > 1e-6 {
		t.Errorf("background %v, want %v", got.Image.Background, want.Image.Background)
	}
}

// sceneOf returns a random scene with n solids: one of all kinds, or one of cylinders only.
func sceneOf(seed uint64, n int) *peers.Scene {
	if seed%2 == 0 {
		return peers.Random(seed, n)
	}
	return peers.Cylinders(seed, n)
}

func TestTOMLReadsBack(t *testing.T) {
	for n := range 40 {
		want := sceneOf(uint64(n), n+3)
		want.Shading.Shadows = n%2 == 0
		want.Image.Width = 100 + n
		got, err := scene.Decode("random.toml", []byte(text(t, want.WriteTOML)))
		if err != nil {
			t.Fatal(err)
		}
		wantScene(t, got, want)
	}
}

func TestBulkReadsBack(t *testing.T) {
	for n := range 40 {
		want := sceneOf(uint64(n), n+3)
		want.Shading.Shadows = n%2 == 0
		files := fstest.MapFS{
			peers.SpheresFile:   {Data: []byte(text(t, want.WriteSpheres))},
			peers.CapsulesFile:  {Data: []byte(text(t, want.WriteCapsules))},
			peers.BoxesFile:     {Data: []byte(text(t, want.WriteBoxes))},
			peers.CylindersFile: {Data: []byte(text(t, want.WriteCylinders))},
		}
		got, err := scene.Decode("random.toml", []byte(text(t, want.WriteBulk)), scene.WithFiles(files))
		if err != nil {
			t.Fatal(err)
		}
		wantScene(t, got, want)
	}
}

// numbers returns the numbers in line. Text between them is ignored.
func numbers(line string) []float64 {
	var list []float64
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return !strings.ContainsRune("0123456789+-.e", r) }) {
		if x, err := strconv.ParseFloat(word, 64); err == nil {
			list = append(list, x)
		}
	}
	return list
}

func vec(x []float64) geom.Vec3 { return geom.Vec3{X: x[0], Y: x[1], Z: x[2]} }

// linesWith returns the numbers in each line of text that begins with word.
func linesWith(text, word string) (list [][]float64) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, word+" "); ok {
			list = append(list, numbers(rest))
		}
	}
	return list
}

// TestEmbreeReadsBack parses the file for Embree and compares it with the scene, including rotations, which are
// written by rows.
func TestEmbreeReadsBack(t *testing.T) {
	s := peers.Random(7, 30)
	out := text(t, s.WriteEmbree)
	spheres, capsules, boxes := linesWith(out, "sphere"), linesWith(out, "capsule"), linesWith(out, "box")
	if len(spheres) != 10 || len(capsules) != 10 || len(boxes) != 10 {
		t.Fatalf("%d spheres, %d capsules, %d boxes, want 10 of each", len(spheres), len(capsules), len(boxes))
	}
	for i, x := range s.Spheres {
		if got := spheres[i]; len(got) != 8 || vec(got) != x.Center || got[3] != x.Radius {
			t.Errorf("sphere %v, want %v", got, x)
		}
	}
	for i, x := range s.Capsules {
		if got := capsules[i]; len(got) != 11 || vec(got) != x.A || vec(got[3:]) != x.B || got[6] != x.Radius {
			t.Errorf("capsule %v, want %v", got, x)
		}
	}
	for i, x := range s.Boxes {
		got := boxes[i]
		if len(got) != 19 || vec(got) != x.Center || vec(got[3:]) != x.HalfExtents {
			t.Fatalf("box %v, want %v", got, x)
		}
		for column, axis := range []geom.Vec3{x.Rotation.X, x.Rotation.Y, x.Rotation.Z} {
			if (geom.Vec3{X: got[6+column], Y: got[9+column], Z: got[12+column]}) != axis {
				t.Errorf("box with rotation %v, want %v", got[6:15], x.Rotation)
			}
		}
		a := s.Objects.Material(20 + i).Albedo
		if got[15] != a.R || got[16] != a.G || got[17] != a.B {
			t.Errorf("box of color %v, want %v", got[15:], a)
		}
	}
}

// TestCylindersReplaceCapsules compares a scene of capsules with the same scene of cylinders. Axes, radii and
// colors must be equal, and lines for Embree must differ only in the first word.
func TestCylindersReplaceCapsules(t *testing.T) {
	a, b := peers.Capsules(5, 40), peers.Cylinders(5, 40)
	if len(a.Capsules) != 40 || len(b.Cylinders) != 40 || a.Objects.Len() != 40 || len(b.Capsules) != 0 {
		t.Fatalf("%d capsules, %d cylinders, want 40 of each", len(a.Capsules), len(b.Cylinders))
	}
	for i, x := range a.Capsules {
		if b.Cylinders[i] != shapes.Cylinder(x) {
			t.Errorf("cylinder %v, want %v", b.Cylinders[i], x)
		}
	}
	if got, want := text(t, b.WriteEmbree), strings.ReplaceAll(text(t, a.WriteEmbree), "\ncapsule ", "\ncylinder "); got != want {
		t.Errorf("Embree gets\n%s\nwant\n%s", got, want)
	}
}

// TestTachyonCylindersAreClosed checks that each open cylinder in the file for Tachyon has a disc at each end,
// perpendicular to its axis and with its radius.
func TestTachyonCylindersAreClosed(t *testing.T) {
	s := peers.Cylinders(3, 20)
	out := text(t, s.WriteTachyon)
	tubes, discs := linesWith(out, "FCYLINDER"), linesWith(out, "RING")
	if len(tubes) != 20 || len(discs) != 40 {
		t.Fatalf("%d cylinders and %d discs, want 20 and 40", len(tubes), len(discs))
	}
	for i, tube := range tubes {
		a, b, radius := vec(tube), vec(tube[3:]), tube[6]
		for k, center := range []geom.Vec3{a, b} {
			disc := discs[2*i+k]
			if vec(disc) != center || vec(disc[3:]).Sub(b.Sub(a).Unit()).Norm() > 1e-15 || disc[6] != 0 || disc[7] != radius {
				t.Errorf("cylinder %v has the disc %v", tube, disc)
			}
		}
	}
}

// TestTachyonBoxesAreClosed checks the twelve triangles that represent a box in the file for Tachyon. Mirrored in
// x, they must have the bounds of the box. Every edge must belong to exactly two triangles, so that there are no
// gaps.
func TestTachyonBoxesAreClosed(t *testing.T) {
	s := peers.Random(3, 60)
	triangles := linesWith(text(t, s.WriteTachyon), "TRI")
	if len(triangles) != 12*len(s.Boxes) {
		t.Fatalf("%d triangles for %d boxes", len(triangles), len(s.Boxes))
	}
	for i, x := range s.Boxes {
		edges := map[[2]geom.Vec3]int{}
		bounds := geom.EmptyBounds()
		for _, tri := range triangles[12*i : 12*i+12] {
			// The labels of the vertices contain numbers, too: V0 x y z V1 x y z V2 x y z.
			p := [3]geom.Vec3{vec(tri[1:]), vec(tri[5:]), vec(tri[9:])}
			for k := range p {
				p[k].X = -p[k].X
				bounds = bounds.Union(geom.Bounds{Min: p[k], Max: p[k]})
			}
			for k := range p {
				edges[[2]geom.Vec3{p[k], p[(k+1)%3]}]++
				edges[[2]geom.Vec3{p[(k+1)%3], p[k]}]++
			}
		}
		for edge, n := range edges {
			if n != 2 {
				t.Errorf("box %d: %d triangles share the edge %v", i, n, edge)
			}
		}
		want := x.Bounds()
		if bounds.Min.Sub(want.Min).Norm() > 1e-12 || bounds.Max.Sub(want.Max).Norm() > 1e-12 {
			t.Errorf("box %d spans %v, want %v", i, bounds, want)
		}
	}
}

func TestRandomIsFunctionOfSeed(t *testing.T) {
	a, b, c := peers.Random(5, 50), peers.Random(5, 50), peers.Random(6, 50)
	if !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, c) {
		t.Error("the seed does not decide the scene")
	}
}

// TestRandomIsUniform compares averages over many random solids with the expected values. The variance of a single
// number is 1/12 of its range squared.
func TestRandomIsUniform(t *testing.T) {
	const n = 30_000
	s := peers.Random(11, n)
	if len(s.Spheres) != n/3 || len(s.Capsules) != n/3 || len(s.Boxes) != n/3 || len(s.Turns) != n/3 {
		t.Fatalf("%d spheres, %d capsules, %d boxes", len(s.Spheres), len(s.Capsules), len(s.Boxes))
	}
	size := 4.5 / math.Cbrt(n)
	var place, axis, turned geom.Vec3
	var radius, length float64
	for i := range n / 3 {
		c := &s.Capsules[i]
		place = place.Add(s.Spheres[i].Center)
		radius += s.Spheres[i].Radius / size
		length += c.B.Sub(c.A).Norm() / size
		axis = axis.Add(c.B.Sub(c.A).Unit())
		turned = turned.Add(s.Boxes[i].Rotation.X)
	}
	const deviations = 5
	within := func(what string, got, want, spread float64) {
		if limit := deviations * spread / math.Sqrt(12*n/3); math.Abs(got-want) > limit {
			t.Errorf("mean %s is %v, want %v +- %v", what, got, want, limit)
		}
	}
	for k, v := range []geom.Vec3{place, axis, turned} {
		spread := []float64{20, 2, 2}[k]
		within("x", v.X*3/n, 0, spread)
		within("y", v.Y*3/n, 0, spread)
		within("z", v.Z*3/n, 0, spread)
	}
	within("radius", radius*3/n, 0.75, 0.5)
	within("length", length*3/n, 2, 2)
	for _, q := range s.Turns {
		if norm2 := q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]; math.Abs(norm2-1) > 1e-15 {
			t.Errorf("quaternion %v of length %v", q, math.Sqrt(norm2))
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWritersReturnErrors(t *testing.T) {
	s := peers.Random(1, 3)
	for name, write := range map[string]func(io.Writer) error{
		"WriteTOML": s.WriteTOML, "WriteBulk": s.WriteBulk, "WriteSpheres": s.WriteSpheres, "WriteCapsules": s.WriteCapsules,
		"WriteBoxes": s.WriteBoxes, "WriteCylinders": s.WriteCylinders, "WriteTachyon": s.WriteTachyon, "WriteEmbree": s.WriteEmbree,
	} {
		if err := write(full{}); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s on a broken writer = %v, want its error", name, err)
		}
	}
}
