package explain

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/explain/formula"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/lone"
	"pillbox/scene"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestLineTellsBothEnds compares the crossings of a line with those of package shapes. Some are behind the origin of the
// ray.
func TestLineTellsBothEnds(t *testing.T) {
	count := map[int]int{}
	behind := 0
	for i := range effort.Of(300, 2000, 50_000) {
		rng := rand.New(rand.NewPCG(31, uint64(i)))
		s := shapetest.Solid(rng)
		r := shapetest.Ray(rng, s)
		prepared, err := pillbox.Prepare(lone.Scene(s), pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(prepared)
		x := aimed(t, tracer, r).WithSolid(0)
		span, ok := s.Span(r)
		if want := shapes.Crossings(s, r); x.Line.Crossings != want || ok != (want > 0) {
			t.Fatalf("seed %d: %d crossings, want %d", i, x.Line.Crossings, want)
		}
		count[x.Line.Crossings]++
		if x.Line.Crossings == 0 {
			continue
		}
		if span.Far.T < 0 {
			behind++
		}
		steps := tracer.lineSteps(x.traced(), x.Line, false)
		ends := []struct {
			point, normal string
			hit           shapes.Hit
		}{{"P1", "n1", span.Near}, {"P2", "n2", span.Far}}
		for _, e := range ends[:x.Line.Crossings] {
			if got := derived(t, steps, e.point); got != r.At(e.hit.T) {
				t.Fatalf("seed %d: %s = %v, want %v", i, e.point, got, r.At(e.hit.T))
			}
			if got := derived(t, steps, e.normal); got != e.hit.Normal {
				t.Fatalf("seed %d: %s = %v, want %v", i, e.normal, got, e.hit.Normal)
			}
		}
		for _, step := range steps {
			checkStep[formula.Float](t, step)
		}
	}
	if count[0] < 10 || count[1] < 10 || count[2] < 10 || behind < 10 {
		t.Errorf("crossings %v, %d behind: the test has lost its point", count, behind)
	}
}

// notes returns the notes of the steps of d, one per line.
func notes(d *Document) string {
	var all []string
	for _, s := range d.steps() {
		all = append(all, s.Note)
	}
	return strings.Join(all, "\n")
}

// TestLineOfSolidBehind checks the derivation of a solid behind the ray's origin, which the traversal of the tree
// does not test.
func TestLineOfSolidBehind(t *testing.T) {
	prepared, err := pillbox.Prepare(lone.Scene(&shapes.Sphere{Radius: 1}), pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := New(prepared)
	x := aimed(t, tracer, geom.Ray{Origin: geom.Vec3{Z: -5}, Dir: geom.Vec3{Z: -1}})
	if x.Line != nil {
		t.Fatalf("the ray meets %+v", x.Line)
	}
	x = x.WithSolid(0)
	if l := x.Line; l.Crossings != 2 || l.Near.T != -6 || l.Far.T != -4 {
		t.Errorf("%+v", l)
	}
	if said := notes(x.Document(Usual)); !strings.Contains(said, "Two crossings: the line enters at t_near, behind the ray's origin, and leaves at t_far, behind the ray's origin.") {
		t.Errorf("said:\n%s", said)
	}
}

// TestRayStartsOnSurface checks that a root of 0, of a ray that starts on a surface, is not described as behind the
// eye.
func TestRayStartsOnSurface(t *testing.T) {
	solids := []shapes.Shape{
		&shapes.Sphere{Radius: 1},
		&shapes.Capsule{A: geom.Vec3{X: -1}, B: geom.Vec3{X: 1}, Radius: 1},
		&shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()},
		&shapes.Cylinder{A: geom.Vec3{Z: -1}, B: geom.Vec3{Z: 1}, Radius: 1},
		&shapes.Cylinder{A: geom.Vec3{X: -1}, B: geom.Vec3{X: 1}, Radius: 1},
	}
	for _, s := range solids {
		prepared, err := pillbox.Prepare(lone.Scene(s), pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(prepared)
		for along, root := range map[float64]string{-1: "t_near", 1: "t_far"} {
			x := aimed(t, tracer, geom.Ray{Origin: geom.Vec3{Z: 1}, Dir: geom.Vec3{Z: along}})
			if met := x.Hit != nil; met != (along < 0) || met && x.Hit.T != 2 {
				t.Fatalf("%T: met %+v", s, x.Hit)
			}
			said := notes(x.Document(Verbose))
			if !strings.Contains(said, "rejected: "+root+" is at the ray's origin, and only hits ahead of it count") || strings.Contains(said, root+" is behind") {
				t.Errorf("%T along %v: said\n%s", s, along, said)
			}
		}
	}
}

// TestTiesAreTold checks rays through an edge or corner of a box, a seam of a capsule, or a rim of a cylinder. The
// explanation must say that the point lies on several parts of the surface, and which part's normal is used.
func TestTiesAreTold(t *testing.T) {
	box := &shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}
	pill := &shapes.Capsule{A: geom.Vec3{X: -1}, B: geom.Vec3{X: 1}, Radius: 1}
	can := &shapes.Cylinder{A: geom.Vec3{Y: -1}, B: geom.Vec3{Y: 1}, Radius: 1}
	diagonal := math.Sqrt(0.5)
	for name, test := range map[string]struct {
		shape shapes.Shape
		ray   geom.Ray
		want  string
	}{
		"edge":    {box, geom.Ray{Origin: geom.Vec3{Y: 3, Z: 3}, Dir: geom.Vec3{Y: -diagonal, Z: -diagonal}}, "on an edge, which two faces share: the first axis decides, so the normal is that of the face +y"},
		"corner":  {box, geom.Ray{Origin: geom.Vec3{X: 3, Y: 3, Z: 3}, Dir: geom.Vec3{X: -1, Y: -1, Z: -1}.Unit()}, "at a corner, which three faces share: the first axis decides, so the normal is that of the face +x"},
		"face":    {box, geom.Ray{Origin: geom.Vec3{Z: 3}, Dir: geom.Vec3{Z: -1}}, ""},
		"seam A":  {pill, geom.Ray{Origin: geom.Vec3{X: -1, Z: 3}, Dir: geom.Vec3{Z: -1}}, "on the seam of body and ball A: the body counts"},
		"seam B":  {pill, geom.Ray{Origin: geom.Vec3{X: 1, Z: 3}, Dir: geom.Vec3{Z: -1}}, "on the seam of body and ball B: the body counts"},
		"rim A":   {can, geom.Ray{Origin: geom.Vec3{Y: -3, Z: 3}, Dir: geom.Vec3{Y: diagonal, Z: -diagonal}}, "on the rim: the normal is that of the disc around A"},
		"rim B":   {can, geom.Ray{Origin: geom.Vec3{Y: 3, Z: 3}, Dir: geom.Vec3{Y: -diagonal, Z: -diagonal}}, "on the rim: the normal is that of the disc around B"},
		"no rim":  {can, geom.Ray{Origin: geom.Vec3{Z: 3}, Dir: geom.Vec3{Z: -1}}, ""},
		"no seam": {pill, geom.Ray{Origin: geom.Vec3{X: 0.5, Z: 3}, Dir: geom.Vec3{Z: -1}}, ""},
	} {
		prepared, err := pillbox.Prepare(lone.Scene(test.shape), pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(prepared)
		said := notes(aimed(t, tracer, test.ray).Document(Usual))
		if test.want == "" && strings.Contains(said, " tie") || !strings.Contains(said, test.want) {
			t.Errorf("%s: want %q, said\n%s", name, test.want, said)
		}
	}
}

// TestSegmentWithSolid checks that a chosen solid is derived even in a scene with so many solids that most are
// omitted.
func TestSegmentWithSolid(t *testing.T) {
	s := lone.Scene(&shapes.Sphere{Radius: 1})
	for range 20 {
		s.Spheres = append(s.Spheres, s.Spheres[0])
	}
	s.Objects = scene.NewObjects(make([]scene.Object, len(s.Spheres))...)
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := New(prepared)
	x := tracer.Segment(geom.Segment{A: geom.Vec3{X: 5}, B: geom.Vec3{X: 6}})
	isTold := func(x *Segment) bool {
		return slices.ContainsFunc(x.Document(Usual).blocks, func(b Block) bool {
			h, ok := b.(Heading)
			return ok && h.Text == "sphere[7]: not touched"
		})
	}
	if isTold(x) || !isTold(x.WithSolid(7)) {
		t.Errorf("told without asking: %v; when asked: %v", isTold(x), isTold(x.WithSolid(7)))
	}
}
