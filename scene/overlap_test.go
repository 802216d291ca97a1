package scene_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shapes"
)

func TestDescribeOverlapsNamesPlaces(t *testing.T) {
	text := []byte(`[[capsule]]
name = "arm"
a = [0.1, 0, 0]
b = [0.3, 0, 0]
radius = 0.1

[[sphere]]
center = [0.7, 0, 0]
radius = 0.3

[[box]]
name = "floor"
center = [0, -0.6, 0]
half_extents = [5, 0.5, 5]

[[sphere]]
center = [0.3, 0.05, 0]
radius = 0.1
`)
	s, err := scene.Decode("s.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	notes, all := s.DescribeOverlaps(text, 1000)
	var got []string
	for _, n := range notes {
		got = append(got, n.Error())
	}
	// In float64 0.3 + 0.1 + 0.3 is more than 0.7 and the pair would overlap.
	want := []string{
		`s.toml:1:1: note: capsule[0]: "arm" touches box[0] "floor" at line 11, approximately`,
		`s.toml:7:1: note: sphere[0]: touches capsule[0] "arm" at line 1`,
		`s.toml:7:1: note: sphere[0]: overlaps box[0] "floor" at line 11, approximately`,
		`s.toml:16:1: note: sphere[1]: overlaps capsule[0] "arm" at line 1`,
	}
	slices.Sort(got)
	slices.Sort(want)
	if fmt.Sprint(got) != fmt.Sprint(want) || all != len(want) {
		t.Errorf("%d notes:\n%q\nwant %d:\n%q", all, got, len(want), want)
	}
	if notes, all := s.DescribeOverlaps(text, 1); len(notes) != 1 || all != len(want) {
		t.Errorf("at most 1: %d notes of %d, want 1 of %d", len(notes), all, len(want))
	}
}

// TestDescribeOverlapsStopsCounting: 500 spheres at one place are 124,750 pairs.
func TestDescribeOverlapsStopsCounting(t *testing.T) {
	text := []byte(strings.Repeat("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n", 500))
	s, err := scene.Decode("s.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	if notes, all := s.DescribeOverlaps(text, 3); len(notes) != 3 || all != scene.MaxCountedOverlaps+1 {
		t.Errorf("%d notes of %d, want 3 of %d", len(notes), all, scene.MaxCountedOverlaps+1)
	}
}

func TestDescribeOverlapsNamesLines(t *testing.T) {
	files := fstest.MapFS{
		"atoms.csv": {Data: []byte("x,y,z,radius,name\n\n0,0,0,1,\n9,0,0,1,far\n1,0,0,1,near\n")},
		"pills.csv": {Data: []byte("ax,ay,az,bx,by,bz,radius\n9,2,0,9,3,0,1\n")},
	}
	text := []byte(`
[[bulk]]
file = "pills.csv"
shape = "capsule"

[[bulk]]
file = "atoms.csv"
shape = "sphere"

[[sphere]]
center = [-2, 0, 0]
radius = 1

[[box]]
center = [9, 4.5, 0]
half_extents = [1, 1, 1]

[[capsule]]
a = [9, 4, 0]
b = [9, 5, 0]
radius = 0.1
`)
	s, err := scene.DecodeFS(files, "s.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	notes, all := s.DescribeOverlaps(text, 1000)
	const want = "s.toml:10:1: note: sphere[0]: touches sphere[1] at atoms.csv:3\n" +
		"s.toml:18:1: note: capsule[0]: overlaps capsule[1] at pills.csv:2\n" +
		"s.toml:18:1: note: capsule[0]: overlaps box[0] at line 14, approximately\n" +
		"atoms.csv:3:1: note: sphere[1]: overlaps sphere[3] \"near\" at line 5\n" +
		"atoms.csv:4:1: note: sphere[2]: \"far\" touches capsule[1] at pills.csv:2\n" +
		"pills.csv:2:1: note: capsule[1]: overlaps box[0] at s.toml:14, approximately"
	if notes.Error() != want || all != 6 {
		t.Errorf("%d notes:\n%v\nwant\n%s", all, notes, want)
	}
}

// TestOverlapsAgreesWithEveryPair compares with the exact relation of every pair of pills
// on a coarse grid, where touching is common.
func TestOverlapsAgreesWithEveryPair(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	grid := func() geom.Vec3 {
		return geom.Vec3{X: float64(rng.IntN(50)) / 10, Y: float64(rng.IntN(50)) / 10, Z: float64(rng.IntN(50)) / 10}
	}
	s := &scene.Scene{}
	var pills []exact.Decimal3
	add := func(a, b geom.Vec3, r float64) {
		pills = append(pills, exact.Decimal3{P: [3]float64{a.X, a.Y, a.Z}, Q: [3]float64{b.X, b.Y, b.Z}, R: r})
	}
	for range 150 {
		c := grid()
		s.Spheres = append(s.Spheres, shapes.Sphere{Center: c, Radius: 0.3})
		add(c, c, 0.3)
	}
	for range 150 {
		a, b := grid(), grid()
		s.Capsules = append(s.Capsules, shapes.Capsule{A: a, B: b, Radius: 0.2})
		add(a, b, 0.2)
	}
	s.Objects = make([]scene.Object, len(pills))
	found := map[[2]int]exact.Relation{}
	for o := range s.Overlaps() {
		found[[2]int{o.A, o.B}] = o.Relation
	}
	touching := 0
	for a := range pills {
		for b := a + 1; b < len(pills); b++ {
			want := exact.RelateDecimal3(pills[a], pills[b])
			if got := found[[2]int{a, b}]; got != want {
				t.Errorf("%d and %d are %v, want %v", a, b, got, want)
			}
			if want == exact.Touching {
				touching++
			}
		}
	}
	if touching < 5 {
		t.Errorf("only %d pairs touch: the test has lost its point", touching)
	}
}

func TestOverlapsOfBoxes(t *testing.T) {
	turned := geom.RotationXYZ(0, 45, 0)
	unit := geom.Vec3{X: 1, Y: 1, Z: 1}
	for _, c := range []struct {
		name string
		s    scene.Scene
		want exact.Relation
	}{
		{"boxes flush", scene.Scene{Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}, {Center: geom.Vec3{X: 2}, HalfExtents: unit, Rotation: geom.Identity()}}}, exact.Touching},
		{"edge to face", scene.Scene{Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}, {Center: geom.Vec3{X: 2.4}, HalfExtents: unit, Rotation: turned}}}, exact.Overlapping},
		{"edge before face", scene.Scene{Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}, {Center: geom.Vec3{X: 2.42}, HalfExtents: unit, Rotation: turned}}}, exact.Apart},
		{"sphere on box", scene.Scene{Spheres: []shapes.Sphere{{Center: geom.Vec3{Y: 1.3}, Radius: 0.3}}, Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}}}, exact.Touching},
		{"sphere inside box", scene.Scene{Spheres: []shapes.Sphere{{Radius: 0.3}}, Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}}}, exact.Overlapping},
		{"capsule past edge", scene.Scene{Capsules: []shapes.Capsule{{A: geom.Vec3{X: 1.2, Y: 1.2, Z: -5}, B: geom.Vec3{X: 1.2, Y: 1.2, Z: 5}, Radius: 0.28}}, Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}}}, exact.Apart},
		{"capsule at edge", scene.Scene{Capsules: []shapes.Capsule{{A: geom.Vec3{X: 1.3, Y: 1.4, Z: -5}, B: geom.Vec3{X: 1.3, Y: 1.4, Z: 5}, Radius: 0.5}}, Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}}}, exact.Touching},
	} {
		got := exact.Apart
		for o := range c.s.Overlaps() {
			got = o.Relation
			if !o.Approximate {
				t.Errorf("%s: not marked as approximate", c.name)
			}
		}
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func BenchmarkOverlaps(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprintf("solids=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			s := &scene.Scene{}
			at := func() geom.Vec3 { return geom.Vec3{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}.Scale(100) }
			for range n / 3 {
				c := at()
				s.Spheres = append(s.Spheres, shapes.Sphere{Center: at(), Radius: 0.2})
				s.Capsules = append(s.Capsules, shapes.Capsule{A: c, B: c.Add(geom.Vec3{X: 0.3, Z: -0.2}), Radius: 0.1})
				s.Boxes = append(s.Boxes, shapes.Box{Center: at(), HalfExtents: geom.Vec3{X: 0.2, Y: 0.1, Z: 0.2}, Rotation: geom.Identity()})
			}
			count := 0
			for b.Loop() {
				count = 0
				for range s.Overlaps() {
					count++
				}
			}
			b.ReportMetric(float64(count), "pairs")
		})
	}
}
