package scene

import (
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/problem"
	"pillbox/shapes"
)

// TestFrustumAroundRays checks that solids that rays of the picture hit are in view, and that balls outside any
// plane of the frustum are not.
func TestFrustumAroundRays(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	vec := func(scale float64) geom.Vec3 {
		return geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Scale(scale)
	}
	for i := range 2000 {
		c := camera.Camera{
			Projection: camera.Projection(i % 2),
			Position:   vec(10),
			LookAt:     vec(10),
			Up:         vec(1),
			FOV:        geom.Angle(1 + 178*rng.Float64()),
			ViewHeight: 0.1 + 20*rng.Float64(),
		}
		w, h := 1+rng.IntN(300), 1+rng.IntN(300)
		v, err := c.View(w, h)
		if err != nil {
			t.Fatal(err)
		}
		in := inspector{}
		in.setView(keytable.Table{}, v, w, h)
		for range 20 {
			x, y := rng.IntN(w), rng.IntN(h)
			p := v.Packet(image.Rect(x, y, x+1, y+1), 1)
			ball := shapes.Sphere{Radius: 0.01 + rng.ExpFloat64()}
			hit := p.SampleRay(0, 0).At(20 * rng.Float64())
			ball.Center = hit.Add(vec(1).Unit().Scale(ball.Radius * rng.Float64()))
			if in.frustum.excludes(KindSphere.row().ball(&ball)) {
				t.Fatalf("camera %+v, %d x %d: pixel %d, %d sees %+v, which is said to be outside", c, w, h, x, y, ball)
			}
		}
		for _, p := range in.frustum {
			radius := 0.01 + rng.ExpFloat64()
			center := p.point.Add(p.normal.Scale(1.001 * radius))
			if !in.frustum.excludes(center, radius) {
				t.Fatalf("camera %+v: a ball of radius %g just outside of %+v is said to be in view", c, radius, p)
			}
		}
	}
}

// TestInspectBeyondPlacements checks the warnings about solids outside the view. If a placement has many such
// solids, which share a warning, other solids must still be reported.
func TestInspectBeyondPlacements(t *testing.T) {
	text := "camera = { position = [0, 0, 9], look_at = [0, 0, 0] }\n" +
		"[part.p]\nsphere = [{ center = [0, 0, 99], radius = 1 }]\nbox = [{ center = [0, 0, 88], half_extents = [1, 1, 1] }]\n" +
		"[[place]]\npart = \"p\"\ncount = 20\nstep = { position = [1, 0, 0] }\n" +
		strings.Repeat("[[capsule]]\na = [0, 0, 50]\nb = [0, 0, 60]\nradius = 1\n", 12)
	warnings, ok := problemsOf([]byte(text))
	if !ok {
		t.Fatal(warnings)
	}
	var got []string
	for _, w := range warnings {
		if w.Code == problem.CodeOutsideView {
			got = append(got, w.Error())
		}
	}
	if len(got) != maxOutside+1 || !strings.Contains(got[0], "place[0][0]/sphere[0] lies wholly") || !strings.HasSuffix(got[maxOutside], "like 2 more") {
		t.Errorf("got %d warnings:\n%s", len(got), strings.Join(got, "\n"))
	}
}

// TestInspectBehindFailedPlacement checks that a warning about a placement is not attributed to an invalid
// placement before it.
func TestInspectBehindFailedPlacement(t *testing.T) {
	problems, ok := problemsOf([]byte("camera = { position = [0, 0, 9], look_at = [0, 0, 0] }\n" +
		"[part.p]\nsphere = [{ center = [0, 0, 0], radius = 2 }]\n" +
		"[[place]]\npart = \"p\"\nname = \"far\"\nposition = [1e15, 0, 0]\nscale = 1e15\n" +
		"[[place]]\npart = \"p\"\nname = \"behind\"\nposition = [0, 0, 99]\n"))
	if ok {
		t.Fatal("a placement outside the limits is accepted")
	}
	for _, e := range problems {
		if e.Code == problem.CodeOutsideView && !strings.Contains(e.Error(), "behind/sphere[0]") {
			t.Error(e)
		}
	}
	if !slices.ContainsFunc(problems, func(e *problem.Error) bool { return e.Code == problem.CodeOutsideView }) {
		t.Errorf("no solid is said to lie outside the view: %v", problems)
	}
}

// TestPlacedNamesOfLights checks that a placement that gives a solid the name of a light is reported.
func TestPlacedNamesOfLights(t *testing.T) {
	problems, _ := problemsOf([]byte("light = [{ name = \"a/b\", position = [0, 9, 0] }]\n[part.p]\nsphere = [{ name = \"b\", center = [0, 0, 0], radius = 1 }]\n[[place]]\npart = \"p\"\nname = \"a\"\n"))
	if len(problems) != 1 || problems[0].Code != problem.CodeDuplicateName || !strings.Contains(problems[0].Error(), "light[0] has it too") {
		t.Errorf("got %v, want one duplicate name", problems)
	}
}

// TestInspectPoints compares the points found inside solids with a test of every pair of a solid and a point.
func TestInspectPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	vec := func() geom.Vec3 {
		return geom.Vec3{X: 4 * rng.Float64(), Y: 4 * rng.Float64(), Z: 4 * rng.Float64()}
	}
	for range 200 {
		var in inspector
		for range rng.IntN(20) {
			in.addPoint(point{Vec3: vec(), noun: "light"})
		}
		if len(in.points) > 1 {
			in.points[1].Vec3 = in.points[0].Vec3
		}
		in.sort()
		var got findings
		want := make([][]int, len(in.points))
		for number := range 20 {
			var s shapes.Shape = &shapes.Sphere{Center: vec(), Radius: rng.Float64()}
			if number%2 == 0 {
				s = &shapes.Box{Center: vec(), HalfExtents: vec().Scale(0.3), Rotation: geom.RotationXYZ(30, 40, 50)}
			}
			in.findAround(&got, number, s)
			for i, p := range in.points {
				if shapes.Contains(s, p.Vec3) {
					want[i] = append(want[i], number)
				}
			}
		}
		for i, p := range in.points {
			if c := got.around[i]; c.count != len(want[i]) || !slices.Equal(c.first, want[i][:min(len(want[i]), maxOutside+1)]) {
				t.Fatalf("%v lies in the solids %v, want %v", p.Vec3, c, want[i])
			}
		}
	}
}

// TestCappedListJoins checks that joining the lists of several chunks gives the list of the whole.
func TestCappedListJoins(t *testing.T) {
	for n := range 40 {
		for cut := range n + 1 {
			var whole, a, b cappedList
			for i := range n {
				whole.addNumber(i)
				if i < cut {
					a.addNumber(i)
				} else {
					b.addNumber(i)
				}
			}
			if a.join(b); a.count != whole.count || !slices.Equal(a.first, whole.first) {
				t.Fatalf("%d and %d solids join to %v, want %v", cut, n-cut, a, whole)
			}
		}
	}
}

// TestInspectionsAreBounded checks that the cost is bounded for a scene in which every light lies inside every
// solid.
func TestInspectionsAreBounded(t *testing.T) {
	const n = 3000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[[light]]\nposition = [0, 0, %d]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1e4\n", i)
	}
	w := decode(t, b.String()).Warnings
	const looked = maxInspections / n
	if len(w) != looked+1 {
		t.Fatalf("%d warnings, want %d", len(w), looked+1)
	}
	want := fmt.Sprintf("light[%d].position: this light and %d later lights were not checked for being inside solids: there are too many", looked, n-looked-1)
	if e := w[looked]; !strings.HasSuffix(e.Error(), want) || e.Code != problem.CodeTooManyLights {
		t.Errorf("got %v, want %s", e, want)
	}
	want = fmt.Sprintf("light[%d].position: the light lies inside sphere[0] and %d more", looked-1, n-1)
	if e := w[looked-1]; !strings.HasSuffix(e.Error(), want) {
		t.Errorf("got %v, want %s", e, want)
	}
}

// TestInspectionsOfManyPointsApart checks that many lights and solids are inspected completely if few of them are
// close to each other.
func TestInspectionsOfManyPointsApart(t *testing.T) {
	const n = 3000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[[light]]\nposition = [%d, 0, 0]\n[[sphere]]\ncenter = [%d, 0, 0]\nradius = 0.4\n", i, i)
	}
	if w := decode(t, b.String()).Warnings; len(w) != n {
		t.Errorf("%d warnings, want one for each of %d lights; the last is %v", len(w), n, w[len(w)-1])
	}
}

func ExampleDecode() {
	const good = `
[camera]
position = [0, 1, 5]
look_at = [0, 0, 0]

[material.red]
color = "#c8323c"
mirror = 0.25

[[sphere]]
center = [0, 1, 0]
radius = 1
material = "red"

[[box]]
center = [0, -0.1, 0]
half_extents = [3, 0.1, 3]
`
	s, err := Decode("good.toml", []byte(good))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Objects.Len(), "solids, sphere of radius", s.Spheres[0].Radius)

	const bad = `
[camera]
position = [0, 1, 5]

[material.red]
color = "#c8323"

[[sphere]]
center = [0, 1, 0]
radius = -1
material = "rde"
colour = "red"
`
	_, err = Decode("bad.toml", []byte(bad))
	fmt.Println(err)

	// Output:
	// 2 solids, sphere of radius 1
	// bad.toml:2:1: camera.look_at: missing
	// bad.toml:6:9: material.red.color: must have 3 or 6 hexadecimal digits, got "#c8323"
	// bad.toml:10:10: sphere[0].radius: must be positive and finite, got -1
	// bad.toml:11:12: sphere[0].material: must be the name of a [material.NAME], got "rde", did you mean `red`?
	// bad.toml:12:1: sphere[0].colour: unknown key, did you mean `color`?
}

// TestBeside checks the method beside. For each point, it must return the number of valid solids whose extent
// along x includes the point. The test compares these numbers with a test of every pair of a solid and a point.
func TestBeside(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 20 {
		s := &Scene{Spheres: make([]shapes.Sphere, rng.IntN(3*inspected))}
		s.Objects = NewObjects(make([]Object, len(s.Spheres))...)
		l := &loader{scene: s, valid: make([]bool, len(s.Spheres))}
		for i := range s.Spheres {
			s.Spheres[i] = shapes.Sphere{Center: geom.Vec3{X: float64(rng.IntN(20))}, Radius: float64(rng.IntN(4))}
			l.valid[i] = rng.IntN(5) > 0
		}
		points := make([]point, rng.IntN(10))
		for i := range points {
			points[i].X = float64(rng.IntN(20))
		}
		for i, got := range l.beside(points) {
			want := 0
			for k, x := range s.Spheres {
				if b := x.Bounds(); l.valid[k] && b.Min.X <= points[i].X && points[i].X <= b.Max.X {
					want++
				}
			}
			if got != want {
				t.Fatalf("%d of %d spheres are beside %v, want %d", got, len(s.Spheres), points[i].X, want)
			}
		}
	}
}

// TestBallsOfLightInside checks that a ball of light that extends beyond a solid is not reported as inside it,
// because it lights what is outside.
func TestBallsOfLightInside(t *testing.T) {
	for radius, want := range map[string]int{"0": 1, "0.5": 1, "0.7": 1, "0.71": 0, "9": 0} {
		problems, _ := problemsOf([]byte("light = [{ position = [0, 0.3, 0], radius = " + radius + " }]\nsphere = [{ center = [0, 0, 0], radius = 1 }]\n"))
		n := 0
		for _, e := range problems {
			if e.Code == problem.CodeLightInside {
				n++
			}
		}
		if n != want {
			t.Errorf("radius %s: %v, want %d", radius, problems, want)
		}
	}
}
