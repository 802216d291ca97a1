package overlap_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/overlap"
	"pillbox/problem"
	"pillbox/scene"
	"pillbox/shapes"
)

func TestDescribeNamesPlaces(t *testing.T) {
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
	notes, all := overlap.Describe(s, text, 1000)
	var got []string
	for _, n := range notes {
		got = append(got, n.Error())
	}
	// In float64, 0.7 - 0.3 is less than 0.3 + 0.1, and the sphere would overlap the capsule.
	want := []string{
		`s.toml:1:1: note: capsule[0]: "arm" touches box "floor" at line 11, approximately`,
		`s.toml:7:1: note: sphere[0]: touches capsule "arm" at line 1`,
		`s.toml:7:1: note: sphere[0]: overlaps box "floor" at line 11, 0.2 deep, approximately`,
		`s.toml:16:1: note: sphere[1]: overlaps capsule "arm" at line 1, 0.15 deep`,
	}
	slices.Sort(got)
	slices.Sort(want)
	if fmt.Sprint(got) != fmt.Sprint(want) || all != len(want) {
		t.Errorf("%d notes:\n%q\nwant %d:\n%q", all, got, len(want), want)
	}
	notes, all = overlap.Describe(s, text, 1)
	if len(notes) != 2 || all != len(want) || notes[1].Error() != "s.toml: note: and 3 others that overlap or touch" {
		t.Errorf("at most 1 of %d, want 1 of %d and how many others there are:\n%v", all, len(want), notes)
	}
}

// TestDepthsAreNotNegative describes spheres that overlap by less than 1e-15, so that rounding decides what the computed
// depth is. It must not be negative.
func TestDepthsAreNotNegative(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	small := 0
	for range 100 {
		x, y := float64(rng.IntN(999)+1)/1000, float64(rng.IntN(999)+1)/1000
		reach := math.Ceil(math.Hypot(x, y)/4*1e15) / 1e15 // of both, to 15 digits
		s, text := decoded(t, fmt.Sprintf("sphere = [{ center = [0, 0, 0], radius = %v }, { center = [%v, %v, 0], radius = %v }]", reach, x/2, y/2, reach))
		notes, _ := overlap.Describe(s, text, 1)
		for _, n := range notes {
			if strings.Contains(n.Message, " -") {
				t.Errorf("at %v, %v with radius %v: %v", x/2, y/2, reach, n)
			}
			if strings.HasSuffix(n.Message, ", by less than rounding errors") {
				small++
			}
		}
	}
	if small == 0 {
		t.Error("no overlap is smaller than rounding errors")
	}
}

// TestDescribeStopsCounting describes 500 spheres at one place, which overlap in 124,750 pairs. Counting
// them must stop earlier.
func TestDescribeStopsCounting(t *testing.T) {
	s, text := decoded(t, heap(500, "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1.%03d\n"))
	notes, all := overlap.Describe(s, text, 3)
	if len(notes) != 4 || all != overlap.MaxCounted+1 {
		t.Fatalf("%d notes of %d, want 4 of %d", len(notes), all, overlap.MaxCounted+1)
	}
	if got, want := notes[3].Message, "and more than 99997 others that overlap or touch"; got != want {
		t.Errorf("says %q, want %q", got, want)
	}
}

// TestDescribeStopsExamining describes 3,000 slanted capsules. None overlap, but their bounds do, in 4.5
// million pairs. Examining these must stop earlier.
func TestDescribeStopsExamining(t *testing.T) {
	effort.Thorough(t)
	s, text := decoded(t, heap(3000, "[[capsule]]\na = [%d, 0, 0]\nb = [100000, 99999, 0]\nradius = 0.001\n"))
	for i := range s.Capsules {
		c := &s.Capsules[i]
		c.B.X = c.A.X + 100_000
	}
	notes, all := overlap.Describe(s, text, 3)
	if len(notes) != 1 || all != 0 || notes[0].Code != problem.CodeMoreOverlaps {
		t.Fatalf("%d: %v, want one note that not all was examined", all, notes)
	}
	if want := "s.toml: note: only the first 2000000 pairs of solids whose bounds overlap were examined"; notes[0].Error() != want {
		t.Errorf("says %v, want %s", notes[0], want)
	}
}

// heap returns n copies of table, a format string whose argument is the number of the copy.
func heap(n int, table string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, table, i)
	}
	return b.String()
}

func decoded(t *testing.T, text string) (*scene.Scene, []byte) {
	t.Helper()
	s, err := scene.Decode("s.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s, []byte(text)
}

// TestDescribeOfIdenticalSolids checks that identical solids come first in the list, once each, and that
// only the first of them is compared with other solids.
func TestDescribeOfIdenticalSolids(t *testing.T) {
	const pill = "[[capsule]]\na = [0, 0, 0]\nb = [0.1, 0, 0]\nradius = 0.3\n"
	const turned = "[[capsule]]\nb = [-0.0, 0, 0]\na = [0.1, 0, 0]\nradius = 0.3\n"
	const ball = "[[sphere]]\ncenter = [0.5, 0, 0]\nradius = 0.2\n"
	const flat = "[[capsule]]\na = [0.5, 0, 0]\nb = [0.5, 0, 0]\nradius = 0.2\n"
	const box = "[[box]]\ncenter = [5, 0, 0]\nhalf_extents = [1, 2, 3]\n"
	s, text := decoded(t, ball+pill+turned+flat+box+box+pill+"name = \"again\"\n")
	notes, all := overlap.Describe(s, text, 100)
	const want = "s.toml:8:1: note: capsule[1]: is identical to capsule[0] at line 4\n" +
		"s.toml:12:1: note: capsule[2]: is identical to sphere[0] at line 1\n" +
		"s.toml:19:1: note: box[1]: is identical to box[0] at line 16\n" +
		"s.toml:22:1: note: capsule[3]: \"again\" is identical to capsule[0] at line 4\n" +
		"s.toml:1:1: note: sphere[0]: overlaps capsule[0] at line 4, 0.1 deep"
	if notes.Error() != want || all != 5 {
		t.Errorf("%d notes:\n%v\nwant 5:\n%s", all, notes, want)
	}
	if notes, all := overlap.Describe(s, text, 1); len(notes) != 2 || all != 5 || notes[1].Message != "and 4 others that overlap or touch" {
		t.Errorf("at most 1: %d, %v", all, notes)
	}
}

// TestAllowedOverlaps checks that pairs of solids whose names match an allowed pair, in either order, are not
// reported.
func TestAllowedOverlaps(t *testing.T) {
	solids := ""
	for _, name := range []string{"arm1", "arm2", "hand", "leg", ""} {
		solids += "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1." + fmt.Sprint(len(solids)) + "\n"
		if name != "" {
			solids += fmt.Sprintf("name = %q\n", name)
		}
	}
	for allow, want := range map[string]int{
		`[]`:                                10,
		`[["arm*", "arm*"]]`:                9,
		`[["arm*", "hand"]]`:                8,
		`[["hand", "arm[12]"]]`:             8,
		`[["arm?", "*"]]`:                   3,
		`[["*", "*"]]`:                      0,
		`[["leg", "leg"], ["", "hand"]]`:    9,
		`[["arm1", "arm2"], ["leg", "?*"]]`: 6,
	} {
		s, text := decoded(t, "overlaps.allow = "+allow+"\n"+solids)
		if notes, all := overlap.Describe(s, text, 100); all != want || len(notes) != want {
			t.Errorf("allow = %s leaves %d pairs, want %d:\n%v", allow, all, want, notes)
		}
		n := 0
		for range overlap.All(s) {
			n++
		}
		if n != want {
			t.Errorf("allow = %s: All yields %d pairs, want %d", allow, n, want)
		}
	}
}

// TestOverlapDepth checks the depth of overlaps. No move shorter than the depth separates the solids, and a
// slightly longer move separates them in at least one of many directions.
func TestOverlapDepth(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	vec := func(scale float64) geom.Vec3 {
		return geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Scale(scale)
	}
	between := func(s *scene.Scene) (overlap.Overlap, bool) {
		for o := range overlap.All(s) {
			return o, true
		}
		return overlap.Overlap{}, false
	}
	seen := 0
	for i := range 300 {
		s := &scene.Scene{Objects: scene.NewObjects(make([]scene.Object, 2)...)}
		var move func(geom.Vec3)
		box := shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 0.7, Z: 0.4}, Rotation: geom.RotationXYZ(10, 20, geom.Angle(i))}
		pill := shapes.Capsule{A: vec(0.6), B: vec(1), Radius: 0.2}
		switch i % 3 {
		case 0: // in many of these pairs, the closest points lie inside both axes, on the common perpendicular
			s.Capsules = []shapes.Capsule{pill, {A: vec(1), B: vec(1), Radius: 0.6}}
			start := s.Capsules[0]
			move = func(d geom.Vec3) { s.Capsules[0].A, s.Capsules[0].B = start.A.Add(d), start.B.Add(d) }
		case 1:
			s.Capsules, s.Boxes = []shapes.Capsule{pill}, []shapes.Box{box}
			move = func(d geom.Vec3) { s.Boxes[0].Center = d }
		default:
			s.Boxes = []shapes.Box{box, {Center: vec(0.5), HalfExtents: geom.Vec3{X: 0.5, Y: 1, Z: 0.2}, Rotation: geom.RotationXYZ(geom.Angle(i), 50, 60)}}
			move = func(d geom.Vec3) { s.Boxes[0].Center = d }
		}
		o, ok := between(s)
		if !ok || o.Relation != exact.Overlapping {
			continue
		}
		seen++
		free := false
		for range 1000 {
			n := vec(1).Unit()
			if move(n.Scale(0.999 * o.Depth)); i%30 < 3 {
				if _, ok := between(s); !ok {
					t.Fatalf("%+v: %v deep, but free after moving 0.999 of that along %v", s, o.Depth, n)
				}
			}
			if move(n.Scale(1.1 * o.Depth)); !free {
				_, ok := between(s)
				free = !ok
			}
			if free && i%30 >= 3 {
				break
			}
		}
		if !free {
			t.Errorf("%+v: %v deep, but moving 1.1 times that never sets it free", s, o.Depth)
		}
	}
	if seen < 100 {
		t.Errorf("only %d pairs overlap", seen)
	}
}

func TestDescribeNamesLines(t *testing.T) {
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
	s, err := scene.Decode("s.toml", text, scene.WithFiles(files))
	if err != nil {
		t.Fatal(err)
	}
	notes, all := overlap.Describe(s, text, 1000)
	const want = "s.toml:10:1: note: sphere[0]: touches sphere[1] at atoms.csv:3\n" +
		"s.toml:18:1: note: capsule[0]: overlaps capsule[1] at pills.csv:2, 0.1 deep\n" +
		"s.toml:18:1: note: capsule[0]: overlaps box[0] at line 14, 1.1 deep, approximately\n" +
		"atoms.csv:3:1: note: sphere[1]: overlaps sphere \"near\" at line 5, 1 deep\n" +
		"atoms.csv:4:1: note: sphere[2]: \"far\" touches capsule[1] at pills.csv:2\n" +
		"pills.csv:2:1: note: capsule[1]: overlaps box[0] at s.toml:14, 0.5 deep, approximately"
	if notes.Error() != want || all != 6 {
		t.Errorf("%d notes:\n%v\nwant\n%s", all, notes, want)
	}
}

// TestAllAgreesWithEveryPair compares the overlaps with the exact relation of every pair of solids. The solids
// are spheres and capsules on a coarse grid, some of which touch.
func TestAllAgreesWithEveryPair(t *testing.T) {
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
	s.Objects = scene.NewObjects(make([]scene.Object, len(pills))...)
	found := map[[2]int]exact.Relation{}
	for o := range overlap.All(s) {
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

// TestAllOfBoxesAndCylinders checks the relations of pairs with boxes or cylinders, in cases with known
// relations, including touching. The pairs must be marked as approximate.
func TestAllOfBoxesAndCylinders(t *testing.T) {
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
		{"cylinder on box", scene.Scene{Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}}, Cylinders: []shapes.Cylinder{{A: geom.Vec3{Y: 1}, B: geom.Vec3{Y: 1.7}, Radius: 0.3}}}, exact.Touching},
		{"cylinder above box", scene.Scene{Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}}, Cylinders: []shapes.Cylinder{{A: geom.Vec3{Y: 1.01}, B: geom.Vec3{Y: 1.7}, Radius: 0.3}}}, exact.Apart},
		{"cylinder in box", scene.Scene{Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}}, Cylinders: []shapes.Cylinder{{A: geom.Vec3{Y: 0.9}, B: geom.Vec3{Y: 1.7}, Radius: 0.3}}}, exact.Overlapping},
		{"cylinder rolls on box", scene.Scene{Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}}, Cylinders: []shapes.Cylinder{{A: geom.Vec3{X: -0.3, Y: 1.5}, B: geom.Vec3{X: 0.3, Y: 1.5, Z: 0.2}, Radius: 0.5}}}, exact.Touching},
		{"stacked cylinders", scene.Scene{Cylinders: []shapes.Cylinder{{B: geom.Vec3{Z: 1}, Radius: 1}, {A: geom.Vec3{X: 0.5, Z: 1}, B: geom.Vec3{X: 0.5, Z: 2}, Radius: 2}}}, exact.Touching},
		{"cylinders side by side", scene.Scene{Cylinders: []shapes.Cylinder{{B: geom.Vec3{Z: 1}, Radius: 1}, {A: geom.Vec3{X: 3, Z: 0.5}, B: geom.Vec3{X: 3, Z: 2}, Radius: 2}}}, exact.Touching},
		{"cylinders one behind the other", scene.Scene{Cylinders: []shapes.Cylinder{{B: geom.Vec3{Z: 1}, Radius: 1}, {A: geom.Vec3{Z: 1.001}, B: geom.Vec3{Z: 2}, Radius: 1}}}, exact.Apart},
		{"sphere on a rim", scene.Scene{Spheres: []shapes.Sphere{{Center: geom.Vec3{X: 4, Z: 5}, Radius: 5}}, Cylinders: []shapes.Cylinder{{A: geom.Vec3{Z: -3}, B: geom.Vec3{Z: 1}, Radius: 1}}}, exact.Touching},
		{"capsule along a side", scene.Scene{Capsules: []shapes.Capsule{{A: geom.Vec3{X: 1.5, Z: -9}, B: geom.Vec3{X: 1.5, Z: 9}, Radius: 0.5}}, Cylinders: []shapes.Cylinder{{A: geom.Vec3{Z: -3}, B: geom.Vec3{Z: 1}, Radius: 1}}}, exact.Touching},
		{"capsule past a rim, where the endless cylinder is", scene.Scene{Capsules: []shapes.Capsule{{A: geom.Vec3{X: -9, Z: 1.6}, B: geom.Vec3{X: 9, Z: 1.6}, Radius: 0.5}}, Cylinders: []shapes.Cylinder{{A: geom.Vec3{Z: -3}, B: geom.Vec3{Z: 1}, Radius: 1}}}, exact.Apart},
		{"capsule at edge", scene.Scene{Capsules: []shapes.Capsule{{A: geom.Vec3{X: 1.3, Y: 1.4, Z: -5}, B: geom.Vec3{X: 1.3, Y: 1.4, Z: 5}, Radius: 0.5}}, Boxes: []shapes.Box{{HalfExtents: unit, Rotation: geom.Identity()}}}, exact.Touching},
	} {
		got := exact.Apart
		for o := range overlap.All(&c.s) {
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

func BenchmarkAll(b *testing.B) {
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
				for range overlap.All(s) {
					count++
				}
			}
			b.ReportMetric(float64(count), "pairs")
		})
	}
}

// TestAllOfLongDecimals checks that digits that a float64 cannot hold decide the relation of solids, in tables
// and in bulk files.
func TestAllOfLongDecimals(t *testing.T) {
	const far = "0.30000000000000001" // 0.3 for a float64
	for _, c := range []struct {
		text, csv string
		want      exact.Relation
	}{
		{text: "[[sphere]]\ncenter = [0, 0, 0]\nradius = 0.1\n[[sphere]]\ncenter = [0.3, 0, 0]\nradius = 0.2\n", want: exact.Touching},
		{text: "[[sphere]]\ncenter = [0, 0, 0]\nradius = 0.1\n[[sphere]]\ncenter = [" + far + ", 0, 0]\nradius = 0.2\n", want: exact.Apart},
		{text: "sphere = [{ center = [-" + far + "\n, 0, 0], radius = 0.1_0 },\n{ center = [0, 0, 0], radius = 0.2 }]\n", want: exact.Apart},
		{text: "[[sphere]]\ncenter = [0, 0, 0]\nradius = 0.1_00_000_000_000_000_000_000_000_1\n[[sphere]]\ncenter = [0.3, 0, 0]\nradius = 0.2\n", want: exact.Overlapping},
		{text: "[[sphere]]\ncenter = [0, 0, 0]\nradius = 0.1\n[[capsule]]\na = [0.3, -1, 0]\nb = [" + far + ", 1, 0]\nradius = 0.2\n", want: exact.Apart},
		{text: "[[capsule]]\na = [0, 1, 0]\nb = [0, -1, 0]\nradius = 0.1\n[[capsule]]\nb = [" + far + ", 5, 0]\na = [" + far + ", -5, 0]\nradius = 0.2\n", want: exact.Apart},
		{text: "[[bulk]]\nfile = \"x.csv\"\nshape = \"sphere\"\n", csv: "x,y,z,radius\n0,0,0,0.1\n0.3,0,0,0.2\n", want: exact.Touching},
		{text: "[[bulk]]\nfile = \"x.csv\"\nshape = \"sphere\"\n", csv: "x,y,z,radius\n0,0,0,0.1\n" + far + ",0,0,0.2\n", want: exact.Apart},
		{text: "[[bulk]]\nfile = \"x.csv\"\nshape = \"sphere\"\nradius = 1.49999999999999999\n", csv: "x,y,z\n0,0,0\n3,0,0\n", want: exact.Apart},
		{text: "[[bulk]]\nfile = \"x.csv\"\nshape = \"sphere\"\nradius = 1.49999999999999999\n", csv: "x,y,z,radius\n0,0,0,\n3,0,0,1.50000000000000001\n", want: exact.Touching},
		{text: "[[bulk]]\nfile = \"x.csv\"\nshape = \"capsule\"\n", csv: "ax,ay,az,bx,by,bz,radius\n0,0,1,0,0,1,1\n0,0,3,0,0,3.1,0.99999999999999999999999999\n", want: exact.Apart},
		// The coordinates of a solid that a placement made are computed.
		{text: "[[sphere]]\ncenter = [0, 0, 0]\nradius = 0.1\n[[place]]\npart = \"p\"\n[[part.p.sphere]]\ncenter = [" + far + ", 0, 0]\nradius = 0.2\n", want: exact.Touching},
	} {
		files := fstest.MapFS{"x.csv": {Data: []byte(c.csv)}}
		s, err := scene.Decode("s.toml", []byte(c.text), scene.WithFiles(files), scene.WithAllDigits())
		if err != nil {
			t.Fatal(err)
		}
		if got := relation(s); got != c.want {
			t.Errorf("%s%s: %v, want %v", c.text, c.csv, got, c.want)
		}
		// A solid that Go code has moved has no text.
		for i := range s.Spheres {
			s.Spheres[i].Center.X *= 0.5
		}
		for i := range s.Capsules {
			s.Capsules[i].A.X, s.Capsules[i].B.X, s.Capsules[i].Radius = 0, 0, 5
		}
		if got := relation(s); got != exact.Overlapping {
			t.Errorf("%s%s, moved: %v, want overlapping", c.text, c.csv, got)
		}
	}
}

// relation returns the relation of the two solids of s.
func relation(s *scene.Scene) exact.Relation {
	for o := range overlap.All(s) {
		return o.Relation
	}
	return exact.Apart
}

// TestIdenticalSolidsOfLongDecimals checks that solids that differ only in a digit that a float64 cannot hold are
// not identical.
func TestIdenticalSolidsOfLongDecimals(t *testing.T) {
	for radius, want := range map[string]string{"0.30000000000000001": "identical", "0.3": "overlap", "0.300000000000000010": "identical"} {
		text := []byte("[[sphere]]\ncenter = [0, 0, 0]\nradius = 0.30000000000000001\n[[sphere]]\ncenter = [0, 0, 0]\nradius = " + radius + "\n")
		s, err := scene.Decode("s.toml", text, scene.WithAllDigits())
		if err != nil {
			t.Fatal(err)
		}
		if notes, _ := overlap.Describe(s, text, 5); len(notes) != 1 || string(notes[0].Code) != want {
			t.Errorf("radius %s: %v, want %s", radius, notes, want)
		}
	}
}

// TestIdenticalSolidsBesideOthersOfTheSameFloats checks that solids with equal digits are identical, including
// digits that a float64 cannot hold. This must hold even after a solid with the same float64s and other digits.
func TestIdenticalSolidsBesideOthersOfTheSameFloats(t *testing.T) {
	var text strings.Builder
	for _, radius := range []string{"0.3", "0.30000000000000001", "0.30000000000000001", "0.3"} {
		fmt.Fprintf(&text, "[[sphere]]\ncenter = [0, 0, 0]\nradius = %s\n", radius)
	}
	s, err := scene.Decode("s.toml", []byte(text.String()), scene.WithAllDigits())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	notes, _ := overlap.Describe(s, []byte(text.String()), 5)
	for _, n := range notes {
		got = append(got, fmt.Sprintf("%d %s", n.Line, n.Code))
	}
	if want := []string{"7 identical", "10 identical", "1 overlap"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTooLongDecimals checks that a number with too many digits for an exact test is an error and is not rounded.
func TestTooLongDecimals(t *testing.T) {
	long := "0." + strings.Repeat("3", exact.MaxPlaces+1)
	const message = "must have at most 400 decimal places for exact overlaps, got "
	for _, c := range []struct{ text, csv, place string }{
		{"[[sphere]]\ncenter = [0, " + long + ", 0]\nradius = 1\n", "", "s.toml:2:14: sphere[0].center[1]: "},
		{"[[capsule]]\na = [0, 0, 0]\nb = [0, 0, 0]\nradius = " + long + "\n", "", "s.toml:4:10: capsule[0].radius: "},
		{"[[bulk]]\nfile = \"x.csv\"\nshape = \"sphere\"\nradius = " + long, "x,y,z\n0,0,0\n", "s.toml:4:10: bulk[0].radius: "},
		{"[[bulk]]\nfile = \"x.csv\"\nshape = \"sphere\"\nradius = 1\n", "x,y,z\n0,0,-" + long + "\n", "x.csv:2:5: z: "},
	} {
		files := fstest.MapFS{"x.csv": {Data: []byte(c.csv)}}
		if _, err := scene.Decode("s.toml", []byte(c.text), scene.WithFiles(files), scene.WithAllDigits()); err == nil || !strings.HasPrefix(err.Error(), c.place+message) {
			t.Errorf("%.60s: %v, want %s", c.text, err, c.place+message)
		}
		if _, err := scene.Decode("s.toml", []byte(c.text), scene.WithFiles(files)); err != nil {
			t.Errorf("%.60s: to render it: %v", c.text, err)
		}
	}
	// The number of digits does not matter for boxes, nor outside solids.
	text := "# " + long + "\n[camera]\nposition = [" + long + ", 0, 9]\nlook_at = [0, 0, 0]\n[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [1, " + long + ", 1]\n"
	if _, err := scene.Decode("s.toml", []byte(text), scene.WithAllDigits()); err != nil {
		t.Error(err)
	}
}

// TestDescribeOfPlacements checks that all overlapping pairs of solids from the same two placements are
// reported in one note. Pairs that only touch must share another note.
func TestDescribeOfPlacements(t *testing.T) {
	text := []byte(`box = [{ name = "floor", center = [0, 0, 0], half_extents = [50, 0.5, 50] }]
[part.p]
sphere = [{ name = "bone", center = [0, 0, 0], radius = 1 }]
[[place]]
part = "p"
name = "row"
count = 5
step = { position = [1, 0, 0] }
[[place]]
part = "p"
position = [0, 10, 0]
[[place]]
part = "p"
position = [0, 10, 0]
count = 2
step = { position = [0, 2, 0] }
`)
	s, err := scene.Decode("s.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	notes, all := overlap.Describe(s, text, 3)
	want := "s.toml:12:1: note: place[2]: \"place[2][0]/bone\" (defined at line 3) is identical to place[1]/bone at line 9 (defined at line 3)\n" +
		"s.toml:4:1: note: place[0]: \"row[0]/bone\" (defined at line 3) overlaps sphere \"row[1]/bone\" at line 4 (defined at line 3), 1 deep, like 3 more pairs of the same placements\n" +
		"s.toml:4:1: note: place[0]: \"row[0]/bone\" (defined at line 3) touches sphere \"row[2]/bone\" at line 4 (defined at line 3), like 2 more pairs of the same placements\n" +
		"s.toml: note: and 6 others that overlap or touch"
	if got := notes.Error(); got != want || all != 14 {
		t.Errorf("%d pairs:\n%s\nwant 14:\n%s", all, got, want)
	}
}

// TestDescribeNamesDefinitions checks the two lines in notes about a solid of a part: the line of the
// placement, and the line where the part defines the solid. The definition may be in the scene's file, an included
// file or a bulk file.
func TestDescribeNamesDefinitions(t *testing.T) {
	const text = `include = ["pieces.toml"]

[part.stair]
[[part.stair.box]]
center = [9, 0, 0]
half_extents = [1, 1, 1]
[[part.stair.box]]
name = "step"
center = [0, 0, 0]
half_extents = [1, 1, 1]

[part.dust]
[[part.dust.bulk]]
file = "dust.csv"
shape = "sphere"

[[place]]
part = "stair"
name = "left"
[[place]]
part = "rail"
name = "right"
position = [0.5, 0, 0]
[[place]]
part = "dust"
position = [0, 1, 0]
[[sphere]]
center = [0, -1, 0]
radius = 0.25
`
	const pieces = "[part.pole]\n\n[[part.pole.sphere]]\nname = \"knob\"\ncenter = [0, 0, 0]\nradius = 0.5\n" +
		"[part.rail]\n[[part.rail.place]]\npart = \"pole\"\nname = \"first\"\n"
	files := fstest.MapFS{"pieces.toml": {Data: []byte(pieces)}, "dust.csv": {Data: []byte("x,y,z,radius\n7,7,7,0.1\n0,0,0,0.01\n")}}
	s, err := scene.Decode("s.toml", []byte(text), scene.WithFiles(files))
	if err != nil {
		t.Fatal(err)
	}
	notes, all := overlap.Describe(s, []byte(text), 10)
	const want = `s.toml:20:1: note: place[1]: "right/first/knob" (defined at pieces.toml:3) overlaps box "left/step" at line 17 (defined at line 7), 1 deep, approximately
s.toml:24:1: note: place[2]: "place[2]/dust.csv:3" (defined at dust.csv:3) overlaps box "left/step" at line 17 (defined at line 7), 0.01 deep, approximately
s.toml:27:1: note: sphere[0]: overlaps box "left/step" at line 17 (defined at line 7), 0.25 deep, approximately`
	if notes.Error() != want || all != 3 {
		t.Errorf("%d pairs:\n%v\nwant:\n%s", all, notes, want)
	}
}
