package scene

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/problem"
	"pillbox/shapes"
)

// TestWidthIsSmallest compares the width of the outlines of random solids with the smallest of their extents along many
// directions perpendicular to the viewing direction.
func TestWidthIsSmallest(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 5))
	vec := func() geom.Vec3 { return geom.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()} }
	size := func() float64 { return math.Exp(2 * r.NormFloat64()) }
	list := func(v geom.Vec3) string { return fmt.Sprintf("[%g, %g, %g]", v.X, v.Y, v.Z) }
	for range effort.Of(60, 300, 300) {
		axis, half := vec(), geom.Vec3{X: size(), Y: size(), Z: size()}
		a := vec()
		s, err := Decode("x.toml", fmt.Appendf(nil, `
[[sphere]]
center = %[1]s
radius = %[2]g
[[capsule]]
a = %[1]s
b = %[3]s
radius = %[2]g
[[cylinder]]
a = %[1]s
b = %[3]s
radius = %[2]g
[[box]]
center = %[1]s
half_extents = %[4]s
axis = %[5]s
angle = %[6]g
`, list(a), size(), list(vec()), list(half), list(axis), 360*r.Float64()))
		if err != nil {
			t.Fatal(err)
		}
		along := vec().Unit()
		u := along.Cross(axis).Unit()
		v := along.Cross(u)
		for number := range s.Count(KindSphere) + s.Count(KindCapsule) + s.Count(KindCylinder) + s.Count(KindBox) {
			k, i := s.Of(number)
			got := k.row().width(s.Solid(number), along)
			steps := effort.Of(500, 4000, 4000)
			want := math.Inf(1)
			for step := range steps {
				sin, cos := math.Sincos(math.Pi * float64(step) / float64(steps))
				e := k.row().extent(s, Range{First: i, Count: 1}, a, u.Scale(cos).Add(v.Scale(sin)))
				want = min(want, e.high-e.low)
			}
			_, radius := k.row().ball(s.Solid(number))
			if got > want*(1+1e-9) || got < want-radius*2*math.Pi/float64(steps) {
				t.Errorf("%s %d along %v: width %g, the smallest extent is %g", k, i, along, got, want)
			}
		}
	}
}

// TestThinSolids checks which solids are reported, and their widths in a picture of 100 pixels for a height of 2 units.
func TestThinSolids(t *testing.T) {
	const head = "[image]\nwidth = 100\nheight = 100\nantialias = %d\nantialias_mode = %q\n" +
		"[camera]\nprojection = %q\nposition = [0, 0, 10]\nlook_at = [0, 0, 0]\n%s\n"
	const wire = "[[capsule]]\na = [-1, -0.7, 0]\nb = [1, 0.8, 0]\nradius = 0.004\n"
	flat := func(solids string) string {
		return fmt.Sprintf(head, 3, "adaptive", "orthographic", "view_height = 2") + solids
	}
	for _, c := range []struct{ text, want string }{
		{flat(wire), "capsule[0]: is at most 0.4 pixels wide"},
		{fmt.Sprintf(head, 1, "adaptive", "orthographic", "view_height = 2") + wire, ""},
		{fmt.Sprintf(head, 3, "full", "orthographic", "view_height = 2") + wire, ""},
		{fmt.Sprintf(head, 3, "adaptive", "perspective", "fov = 90") + wire, "capsule[0]: is at most 0.046 pixels wide"},
		{flat(strings.Replace(wire, "0.004", "0.0101", 1)), ""},
		{flat(wire + wire + wire), "capsule[0]: is at most 0.4 pixels wide, and adaptive antialiasing loses parts of what is narrower than 1 pixel: " +
			`antialias_mode = "full" shows all of it and of 2 more`},
		{flat("[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [0.5, 0.5, 0.001]\n"), ""}, // seen from the front
		{flat("[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [0.001, 0.5, 0.5]\n"), "box[0]: is at most 0.1 pixels wide"},
		{flat("[[cylinder]]\na = [0, 0, 0]\nb = [0, 0.002, 0]\nradius = 0.5\n"), "cylinder[0]: is at most 0.1 pixels wide"},
		{flat("[[cylinder]]\na = [0, 0, 0]\nb = [0, 0, 0.002]\nradius = 0.5\n"), ""},
		{flat("[[sphere]]\ncenter = [9, 0, 0]\nradius = 0.001\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"), ""},
	} {
		warnings, ok := problemsOf([]byte(c.text))
		if !ok {
			t.Fatal(warnings)
		}
		var got []string
		for _, w := range warnings {
			if w.Code == problem.CodeThin {
				got = append(got, w.Error())
			}
		}
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !regexp.MustCompile(regexp.QuoteMeta(c.want)+`\b`).MatchString(got[0])) {
			t.Errorf("got %q, want %q for\n%s", got, c.want, c.text)
		}
	}
}

// TestPixelsAcrossIsNotTooSmall compares the stated width of small solids anywhere in perspective pictures, which stretch
// what is far from the center, with the width of many projected points of the solid.
func TestPixelsAcrossIsNotTooSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 15))
	vec := func() geom.Vec3 { return geom.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()} }
	largest := 0.0
	for range effort.Of(100, 400, 400) {
		c := camera.Camera{FOV: geom.Angle(20 + 120*r.Float64()), LookAt: geom.Vec3{Z: -1}, Up: geom.Vec3{Y: 1}}
		view, err := c.View(400, 200)
		if err != nil {
			t.Fatal(err)
		}
		ray := view.Through(400*r.Float64(), 200*r.Float64())
		a := ray.At(5 + 20*r.Float64())
		x := &shapes.Capsule{A: a, B: a.Add(vec().Scale(0.5 * r.Float64())), Radius: 0.01 + 0.3*r.Float64()}
		stated := pixelsAcross(view, KindCapsule, x)
		var points [][2]float64
		for range 1000 {
			u := vec().Unit()
			for _, end := range []geom.Vec3{x.A, x.B} {
				px, py, _ := view.Project(end.Add(u.Scale(x.Radius)))
				points = append(points, [2]float64{px, py})
			}
		}
		narrowest := math.Inf(1)
		ax, ay, _ := view.Project(x.A)
		bx, by, _ := view.Project(x.B)
		across := math.Atan2(bx-ax, ay-by) // a long capsule is narrowest nearly across its axis
		for step := range 121 {
			turn := float64(step-60) / 60
			sin, cos := math.Sincos(across + math.Pi/2*turn*turn*turn)
			low, high := math.Inf(1), math.Inf(-1)
			for _, p := range points {
				at := float64(p[0]*cos) + float64(p[1]*sin)
				low, high = min(low, at), max(high, at)
			}
			narrowest = min(narrowest, high-low)
		}
		if stated < 0.99*narrowest && stated != 1 { // the directions may miss the narrowest one
			t.Errorf("%+v: %g pixels across, but its points are %g pixels wide", x, stated, narrowest)
		}
		largest = max(largest, narrowest/stated)
	}
	if largest < 0.8 {
		t.Errorf("the stated widths are all at least %g times the real ones", 1/largest)
	}
}
