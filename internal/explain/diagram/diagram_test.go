package diagram

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pillbox"
	"pillbox/exact"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/chart"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/lone"
	"pillbox/internal/fixture/shipped"
	"pillbox/internal/follow"
	"pillbox/internal/geom2"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// tracer returns a tracer for a scene whose only solid is s.
func tracer(t *testing.T, s shapes.Shape) *explain.Tracer {
	t.Helper()
	prepared, err := pillbox.Prepare(lone.Scene(s), pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := explain.New(prepared)
	return tracer
}

// sketched returns the diagram of the solid s and the ray r before it is completed.
func sketched(t *testing.T, s shapes.Shape, r geom.Ray, opt Options) *sketch {
	t.Helper()
	x, err := tracer(t, s).Ray(r.Origin, r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	k := ofRay(x.WithSolid(0), opt)
	return k
}

// sketchedSegment returns the diagram of the solid s and the segment seg before it is completed.
func sketchedSegment(t *testing.T, s shapes.Shape, seg geom.Segment, opt Options) *sketch {
	t.Helper()
	k, err := ofSegment(tracer(t, s).Segment(seg), opt)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// randomSketch returns the diagram of a random solid and a random ray. For every fourth i, it has a segment instead
// of the ray.
func randomSketch(t *testing.T, rng *rand.Rand, i int) *sketch {
	t.Helper()
	shape := shapetest.Solid(rng)
	r := shapetest.Ray(rng, shape)
	opt := Options{Dark: i%2 == 0}
	var k *sketch
	if i%4 == 3 {
		k = sketchedSegment(t, shape, geom.Segment{A: r.Origin, B: r.At(shapetest.Uniform(rng, 0, 20))}, opt)
	} else {
		k = sketched(t, shape, r, opt)
	}
	k.finish()
	return k
}

// says reports whether a line of text in the diagram begins with the string beginning.
func says(d *chart.Drawing, beginning string) bool {
	return slices.ContainsFunc(d.Texts(), func(line string) bool { return strings.HasPrefix(line, beginning) })
}

// TestDiagramLabels draws random solids of all sizes, with rays and segments that graze them. Labels and numbers
// must not cover each other or leave the diagram, and the numbers that decide the result must be shown.
func TestDiagramLabels(t *testing.T) {
	n := effort.Of(30, 200, 4000)
	crossed := 0
	for i := range n {
		k := randomSketch(t, rand.New(rand.NewPCG(14, uint64(i))), i)
		texts, lines := k.Collisions()
		if texts > 0 {
			t.Errorf("seed %d: %d texts collide", i, texts)
		}
		if lines > 0 {
			t.Logf("seed %d: %d lines through labels", i, lines)
			crossed++
		}
		if k.chord.OK && !(says(k.Drawing, "t_near") && says(k.Drawing, "t_far")) {
			t.Errorf("seed %d: no t_near and t_far among the numbers", i)
		}
	}
	// Some diagrams are too full to keep all labels off lines.
	if crossed > n/1000 {
		t.Errorf("in %d of %d diagrams there are lines through labels", crossed, n)
	}
}

// TestDiagramOfRayInsidePassesLabels checks that no line crosses a label in the diagram of a ray inside a small
// box. Normals and half extents leave little room for labels there.
func TestDiagramOfRayInsidePassesLabels(t *testing.T) {
	s, err := scene.Decode("turned.toml", []byte("[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [1.2, 0.6, 0.4]\nrotate = [20, 35, 10]\n"))
	if err != nil {
		t.Fatal(err)
	}
	k := sketched(t, &s.Boxes[0], geom.Ray{Dir: geom.Vec3{X: 1, Y: 1}.Unit()}, Options{})
	k.finish()
	if _, n := k.Collisions(); n > 0 {
		t.Errorf("%d lines cross labels", n)
	}
}

// TestDiagramOfPixelTellsRoots checks that the diagram of a pixel shows the roots, although its picture leaves
// little room for numbers.
func TestDiagramOfPixelTellsRoots(t *testing.T) {
	for _, file := range []string{"capsule", "inside-capsule", "huge", "tiny", "rotate"} {
		s, err := scene.Load("../../../scenes/" + file + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		prepared, err := pillbox.Prepare(s, pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		tracer := explain.New(prepared)
		met := 0
		for i := 0; met < 4; i++ {
			x, err := tracer.Pixel(image.Pt(i*7919%s.Image.Width, i*104729%s.Image.Height))
			if err != nil {
				t.Fatal(err)
			}
			q := follow.Of(x.Samples[0].Path)
			if q.Hit.Object == accel.None {
				continue
			}
			met++
			d, err := Draw(x, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if texts, _ := d.Collisions(); texts > 0 {
				t.Errorf("%s, pixel %v: %d texts collide", file, x.At, texts)
			}
			k, err := ofPixel(x, Options{})
			if err != nil {
				t.Fatal(err)
			}
			k.finish()
			for _, symbol := range []string{"t_near", "t_far", "w", "L", "y", "dy", "disc", "c_near", "c_far", "y_near", "y_far", "near_A", "far_A", "near_B", "far_B", "d'", "in_z", "out_z"} {
				if k.has(symbol) && !slices.Contains(k.Texts(), symbol) {
					t.Errorf("%s, pixel %v: %s is not in the table", file, x.At, symbol)
				}
			}
			if !says(d, "t_near") || !says(d, "t_far") {
				t.Errorf("%s, pixel %v: no t_near and t_far among the numbers", file, x.At)
			}
		}
	}
}

// TestDiagramOfPairFits draws pairs of capsules with short and long integers, and checks that all texts fit.
func TestDiagramOfPairFits(t *testing.T) {
	for i := range effort.Of(15, 100, 1000) {
		rng := rand.New(rand.NewPCG(15, uint64(i)))
		digits := math.Pow(10, float64(rng.IntN(3)))
		number := func() float64 { return float64(rng.IntN(9)-4) / digits }
		capsule := func() exact.Decimal3 {
			return exact.Decimal3{P: [3]float64{number(), number(), number()}, Q: [3]float64{number(), number(), number()}, R: math.Abs(number())}
		}
		a, b := capsule(), capsule()
		if i%2 == 0 {
			for k := range 3 {
				a.P[k] += rng.Float64() * 1e3
				b.Q[k] += math.Round(rng.Float64()*1e9) / 1e9
			}
		}
		x, err := explain.Capsules([2]string{"a", "b"}, a, b)
		if err != nil {
			t.Fatal(err)
		}
		c := ofPair(x, Options{})
		if texts, _ := c.Collisions(); texts > 0 {
			t.Errorf("seed %d: %d texts collide", i, texts)
		}
		var decides string // the last one
		for _, s := range x.Steps() {
			if s.Symbol == "" && s.Formula != "" {
				decides = s.Formula + ":"
			}
		}
		if !says(c.Drawing, decides) {
			t.Errorf("seed %d: %v: nothing begins with %q", i, x.Relation, decides)
		}
	}
}

// TestDiagramOfPairTellsItsPlane checks whether the diagram states correctly that both axes lie in one plane, or do
// not. Package exact decides this without rounding.
func TestDiagramOfPairTellsItsPlane(t *testing.T) {
	type end = [3]float64
	const same = "Both axes lie in this plane."
	for _, test := range []struct {
		p1, q1, p2, q2 end
		want           string
	}{
		{end{-2, 0.3, 0.8}, end{-1, 1.2}, end{-1, 1.2}, end{0, 0.3, 0.6}, same},                // an end in common
		{end{0.1, 0.2, 0.3}, end{0.5, 0.9, 0.7}, end{1.1, 0.2, 0.3}, end{1.5, 0.9, 0.7}, same}, // parallel
		{end{0.1, 0.2, 0.3}, end{0.5, 0.9, 0.7}, end{1, 2, 3}, end{1, 2, 3}, same},             // a point
		{end{}, end{3}, end{0, 0, 0.25}, end{0, 3, 0.25}, "in planes 0.25 apart."},
		{end{}, end{3e9}, end{0, 0, -7e9}, end{0, 3e9, -7e9}, "in planes 7e+09 apart."},
		{end{0.1, 1}, end{3, 1}, end{0.1, 1, 3e-300}, end{0, 3, 3e-300}, "in planes 3e-300 apart."},
		{end{}, end{1, 0, 3}, end{0, 1, 5e-324}, end{0, 2, 5e-324}, "in planes 0 apart."}, // it rounds to 0
		{end{}, end{3}, end{0, 1, 1}, end{3, 1, 1 + 1e-12}, "nearly in this plane."},
	} {
		x, err := explain.Capsules([2]string{"a", "b"}, exact.Decimal3{P: test.p1, Q: test.q1, R: 1}, exact.Decimal3{P: test.p2, Q: test.q2, R: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := ofPair(x, Options{}).where(); !strings.HasSuffix(got, test.want) {
			t.Errorf("%v: %q, want %q", test, got, test.want)
		}
	}
}

// TestDiagramOfTouchingCapsules checks that the closest points of two axes are drawn at their exact positions, even
// if the axes form a small angle.
func TestDiagramOfTouchingCapsules(t *testing.T) {
	x, err := explain.Capsules([2]string{"a", "b"},
		exact.Decimal3{Q: [3]float64{100}, R: 0.5},
		exact.Decimal3{P: [3]float64{0, -0.3, 1}, Q: [3]float64{100, 0.7, 1}, R: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	a, b := axisOf(x.Decimals[0]).Nearest(axisOf(x.Decimals[1]))
	if d := a.Sub(b).Norm(); x.Relation != exact.Touching || d != 1 || math.Abs(a.X-30) > 1e-9 {
		t.Errorf("%v, nearest at %v and %v, %v apart, want touching at x = 30", x.Relation, a, b, d)
	}
}

func TestDiagramOfPixelMarksIt(t *testing.T) {
	s, err := scene.Load("../../../scenes/sphere.toml")
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := explain.New(prepared)
	for _, dark := range []bool{false, true} {
		x, err := tracer.Pixel(image.Pt(160, 120))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Draw(x, Options{Dark: dark})
		if err != nil {
			t.Fatal(err)
		}
		img := d.Image()
		if got, want := img.Bounds().Size(), image.Pt(1200, 800); got != want {
			t.Errorf("size %v, want %v", got, want)
		}
		if got, want := img.At(2, 2), color.RGBAModel.Convert(d.Paper); got != want {
			t.Errorf("the corner is %v, want %v", got, want)
		}
		// The picture has 267 x 200 pixels and is in the middle of the column. The cross hairs are in its middle.
		mark := color.NRGBAModel.Convert(img.At(1012, 104)).(color.NRGBA)
		if mark.R < 0x90 || mark.G > 0x90 {
			t.Errorf("there is %v where the pixel should be marked", mark)
		}
	}
}

func TestDiagramOfNothing(t *testing.T) {
	s := lone.Scene(&shapes.Sphere{Radius: 1})
	s.Spheres, s.Objects = nil, scene.Objects{}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := explain.New(prepared)
	ray, err := tracer.Ray(geom.Vec3{}, geom.Vec3{X: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Draw(tracer.Segment(geom.Segment{}), Options{}); err != ErrNoSolids {
		t.Errorf("error %v, want ErrNoSolids", err)
	}
	if _, err := Draw(ray, Options{}); err != nil {
		t.Error(err)
	}
}

// TestDiagramOfBallTellsSmallDistance checks that a distance that is too short to draw is not labeled as 0.
func TestDiagramOfBallTellsSmallDistance(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want string
	}{{0.001, "|l| = 0.001"}, {0, "|l| = 0"}} {
		ball := &shapes.Sphere{Radius: 1}
		k := sketched(t, ball, geom.Ray{Origin: geom.Vec3{X: test.x, Z: 5}, Dir: geom.Vec3{Z: -1}}, Options{})
		k.finish()
		if !slices.Contains(k.Texts(), test.want) {
			t.Errorf("%v: no label is %q", test.x, test.want)
		}
	}
}

// TestSlabRangeShowsTouch checks the number line in the diagram of a line that only touches a box. It must show
// the origin and the point where the line touches the box.
func TestSlabRangeShowsTouch(t *testing.T) {
	box := &shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}
	along := geom.Vec3{X: 1, Y: 1}.Unit() // over the edge at (-1, 1)
	k := sketched(t, box, geom.Ray{Origin: geom.Vec3{X: -8, Y: -6}, Dir: along}, Options{})
	if !k.chord.OK || k.chord.Near != k.chord.Far {
		t.Fatalf("%+v is no touch", k.chord)
	}
	if n := k.slabRange(k.chord.Near, k.chord.Far); !(n.lo < 0 && k.chord.Near < n.hi) {
		t.Errorf("shows %v to %v, want 0 and %v", n.lo, n.hi, k.chord.Near)
	}
	for _, touch := range []float64{-3, 0, 1e7} {
		if n := k.slabRange(touch, touch); !(n.lo < min(touch, 0) && max(touch, 0) < n.hi) {
			t.Errorf("shows %v to %v, want 0 and %v", n.lo, n.hi, touch)
		}
	}
}

// count returns the number of pixels with the color c in the rectangle within of a drawing.
func count(d *chart.Drawing, within image.Rectangle, c chart.Hex) int {
	img, want, n := d.Image(), color.RGBAModel.Convert(c), 0
	for y := within.Min.Y; y < within.Max.Y; y++ {
		for x := within.Min.X; x < within.Max.X; x++ {
			if img.At(x, y) == want {
				n++
			}
		}
	}
	return n
}

// TestDiagramOfPointHasNoLine checks that a segment of length 0 is drawn as a dot without a line.
func TestDiagramOfPointHasNoLine(t *testing.T) {
	box := &shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}
	p := geom.Vec3{X: 0.25, Y: 0.5}
	k := sketchedSegment(t, box, geom.Segment{A: p, B: p}, Options{})
	local, v := k.boxFrame(box)
	k.rayPast(k.PlotOf(k.plotFrame, k.Bounds(), 0), &v, local)
	if n := count(k.Drawing, image.Rect(0, 0, width, height), k.colors.ray); n > 100 { // of the dot
		t.Errorf("%d pixels are drawn", n)
	}
}

// TestDiagramOfCapsuleWithoutDirection checks that a capsule with an extremely short axis is drawn as a ball.
func TestDiagramOfCapsuleWithoutDirection(t *testing.T) {
	for _, length := range []float64{0, 1e-300, 1e-20, 0x1p-54} {
		c := &shapes.Capsule{B: geom.Vec3{X: length}, Radius: 1}
		r := geom.Ray{Origin: geom.Vec3{X: 0.5, Z: 5}, Dir: geom.Vec3{Z: -1}}
		for _, k := range []*sketch{sketched(t, c, r, Options{}), sketchedSegment(t, c, geom.Segment{A: r.Origin, B: r.At(3)}, Options{})} {
			k.finish()
			if !slices.Contains(k.Texts(), "A = B") {
				t.Errorf("%v: the ends have names of their own", length)
			}
		}
	}
}

// TestDiagramOfRayInAxis checks that a ray that misses a capsule's axis only because of rounding is drawn along the
// axis.
func TestDiagramOfRayInAxis(t *testing.T) {
	for i := range effort.Of(10, 50, 200) {
		rng := rand.New(rand.NewPCG(17, uint64(i)))
		c := &shapes.Capsule{A: shapetest.Cube(rng, 2), B: shapetest.Cube(rng, 2), Radius: 0.5}
		axis := c.B.Sub(c.A)
		r := geom.Ray{Origin: c.A.Sub(axis), Dir: axis.Unit()}
		s := sideOf(c, r, geom.Vec3{Y: 1})
		if a, b := s.on(r.Origin), s.on(r.At(1)); math.Abs(s.across(a)) > 1e-9 || math.Abs(s.across(b)) > 1e-9 {
			t.Errorf("seed %d: the ray passes %v and %v", i, a, b)
		}
		sketched(t, c, r, Options{}).finish()
	}
}

// TestUprightSolidsAreDrawnUpright checks the view of capsules from the side: within 30 degrees of up, the end that is
// higher in the scene is drawn higher. Lengths are true, and the ray runs to the right.
func TestUprightSolidsAreDrawnUpright(t *testing.T) {
	tried := [2]int{}
	for i := range effort.Of(100, 1000, 10000) {
		rng := rand.New(rand.NewPCG(18, uint64(i)))
		c := &shapes.Capsule{A: shapetest.Cube(rng, 2), B: shapetest.Cube(rng, 2), Radius: 0.5}
		up := shapetest.Cube(rng, 1).Unit()
		r := geom.Ray{Origin: shapetest.Cube(rng, 4), Dir: shapetest.Cube(rng, 1).Unit()}
		if i%2 == 0 {
			c.B = c.A.AddScaled(2-4*rng.Float64(), up.AddScaled(0.5, shapetest.Cube(rng, 1).Unit()).Unit())
		}
		s := sideOf(c, r, up)
		a, b := s.on(c.A), s.on(c.B)
		axis := c.B.Sub(c.A)
		rise := axis.Dot(up)
		isUpright := math.Abs(rise) > math.Cos(math.Pi/6)*axis.Norm()
		if isUpright {
			tried[0]++
			if math.Abs(b.X-a.X) > 1e-9 || (b.Y > a.Y) != (rise > 0) {
				t.Errorf("seed %d: an axis that rises by %g runs from %v to %v", i, rise, a, b)
			}
		} else if math.Abs(math.Abs(rise)/axis.Norm()-math.Cos(math.Pi/6)) > 1e-3 {
			tried[1]++
			if math.Abs(b.Y-a.Y) > 1e-9 {
				t.Errorf("seed %d: a lying axis runs from %v to %v", i, a, b)
			}
		}
		from, to := s.on(r.Origin), s.on(r.At(1))
		if to.X < from.X-1e-9 || math.Abs(to.Sub(from).Norm()-1) > 1e-9 {
			t.Errorf("seed %d: the ray runs from %v to %v", i, from, to)
		}
		if d := b.Sub(a).Norm(); math.Abs(d-axis.Norm()) > 1e-9 {
			t.Errorf("seed %d: the axis has the length %g, want %g", i, d, axis.Norm())
		}
	}
	if min(tried[0], tried[1]) < 20 {
		t.Errorf("%d upright and %d lying axes", tried[0], tried[1])
	}
}

// TestDiagramAlongAxisShowsRayBeside checks that the small plot shows a ray that passes some radii beside the axis,
// but not one that is far away.
func TestDiagramAlongAxisShowsRayBeside(t *testing.T) {
	c := &shapes.Capsule{B: geom.Vec3{X: 2}, Radius: 1}
	column := image.Rect(columnLeft, contentTop, columnRight, contentTop+190)
	for beside, want := range map[float64]bool{0: true, 0.5: true, 9: true, 1000: false} {
		k := sketched(t, c, geom.Ray{Origin: geom.Vec3{X: -5, Y: beside}, Dir: geom.Vec3{X: 1}}, Options{})
		k.finish()
		if shown := count(k.Drawing, column, k.colors.ray) > 0; shown != want {
			t.Errorf("%v beside the axis: the ray is shown: %v", beside, shown)
		}
	}
}

// TestDiagramOfCapsuleTellsOfDashesThatAreThere checks that the key of a diagram explains the dashed outline of a
// capsule if and only if it is drawn. It is not drawn if the plane of the diagram passes close to the axis,
// because the cut then looks like the whole capsule.
func TestDiagramOfCapsuleTellsOfDashesThatAreThere(t *testing.T) {
	for depth, want := range map[float64]bool{0: false, 0.1: false, 0.5: true, 2: true} {
		c := &shapes.Capsule{A: geom.Vec3{X: -1}, B: geom.Vec3{X: 1}, Radius: 1}
		k := sketched(t, c, geom.Ray{Origin: geom.Vec3{Y: depth, Z: 5}, Dir: geom.Vec3{Z: -1}}, Options{})
		k.finish()
		if got := strings.Contains(strings.Join(k.Texts(), " "), "dashed outline"); got != want {
			t.Errorf("%v from the axis: %q", depth, k.Texts())
		}
	}
}

// contrast returns the contrast ratio of two colors as WCAG 2.1 defines it.
func contrast(a, b chart.Hex) float64 {
	luminance := func(h chart.Hex) float64 {
		linear := func(shift int) float64 { return shade.FromSRGB(float64(h>>shift&0xff)/255, 0, 0).R }
		return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0) + 0.05
	}
	x, y := luminance(a), luminance(b)
	return max(x, y) / min(x, y)
}

// TestColorsAreLegible checks the contrast of text with the paper. It also checks the contrast of lines on solids,
// such as seams and axes, with the solids.
func TestColorsAreLegible(t *testing.T) {
	for _, dark := range []bool{false, true} {
		c := newCanvas(Options{Dark: dark})
		texts := append(c.colors.axes[:], c.colors.ray, c.colors.normal, c.help, c.accepted)
		seen := map[chart.Hex]bool{}
		for _, look := range c.relations {
			texts = append(texts, look)
			seen[look] = true
		}
		for _, look := range texts {
			if r := contrast(look, c.Paper); r < 4.5 {
				t.Errorf("dark %v: %06x on paper has contrast %.2f", dark, int(look), r)
			}
		}
		for _, ground := range []chart.Hex{c.solid, c.slice} {
			if r := contrast(c.outline, ground); r < 3 {
				t.Errorf("dark %v: an edge or a seam on %06x has contrast %.2f", dark, int(ground), r)
			}
		}
		if len(seen) != 3 {
			t.Errorf("dark %v: %d colors for three relations", dark, len(seen))
		}
	}
}

// TestSlabBarsThatGoOnArePointed checks that a bar that continues outside the number line ends in a point there.
func TestSlabBarsThatGoOnArePointed(t *testing.T) {
	n := numberLine{lo: -1, hi: 3, left: 100, right: 500}
	for _, test := range []struct {
		in, out     float64
		left, right bool
	}{
		{0, 2, false, false}, {-1, 3, false, false}, {-2, 2, true, false}, {0, 4, false, true},
		{math.Inf(-1), math.Inf(1), true, true},
	} {
		points := map[float64]int{} // at an end
		for _, p := range n.interval(test.in, test.out, 50) {
			points[p.X]++
		}
		if left, right := points[n.within(test.in)] == 1, points[n.within(test.out)] == 1; left != test.left || right != test.right {
			t.Errorf("%v to %v: pointed on the left %v, on the right %v", test.in, test.out, left, right)
		}
	}
}

// TestDiagramOfThinBoxTellsEndsApart checks that a thin plate is drawn thick enough to distinguish the points where
// a line enters and leaves it.
func TestDiagramOfThinBoxTellsEndsApart(t *testing.T) {
	for _, thin := range []float64{2, 0.05, 1e-3, 1e-9} {
		b := &shapes.Box{HalfExtents: geom.Vec3{X: 6, Y: thin, Z: 4}, Rotation: geom.Identity()}
		k := sketched(t, b, geom.Ray{Origin: geom.Vec3{Y: 3, Z: 2}, Dir: geom.Vec3{X: 0.2, Y: -1, Z: -0.3}.Unit()}, Options{})
		k.finish()
		local, v := k.boxFrame(b)
		seen := geom2.Nowhere()
		for _, corner := range corners(v.halfExtents) {
			seen = seen.Include(v.on(corner), 0)
		}
		apart := v.on(local.At(k.chord.Near)).Sub(v.on(local.At(k.chord.Far))).Norm()
		if share := apart / max(seen.Width(), seen.Height()); share < 0.05 {
			t.Errorf("%v thin: the ends are %v of the box apart", thin, share)
		}
		if texts, lines := k.Collisions(); texts > 0 || lines > 0 {
			t.Errorf("%v thin: %d texts and %d lines collide", thin, texts, lines)
		}
		said := strings.Join(k.Texts(), " ")
		if says := strings.Contains(said, "times as long as it is"); says != (thin < 1) {
			t.Errorf("%v thin: says %q", thin, said)
		}
	}
}

// TestDiagramNamesEndsFarAway checks that the end of a segment that lies outside the plot is named where the line
// leaves the plot.
func TestDiagramNamesEndsFarAway(t *testing.T) {
	for _, s := range []shapes.Shape{
		&shapes.Sphere{Radius: 1},
		&shapes.Capsule{A: geom.Vec3{X: -1}, B: geom.Vec3{X: 1}, Radius: 1},
		&shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()},
	} {
		far, near := geom.Vec3{X: 100, Y: 3}, geom.Vec3{X: 0.5, Y: 0.25}
		for want, seg := range map[string]geom.Segment{"P is ": {A: far, B: near}, "Q is ": {A: near, B: far}} {
			k := sketchedSegment(t, s, seg, Options{})
			k.finish()
			if !says(k.Drawing, want) {
				t.Errorf("%T: nothing begins with %q in %q", s, want, k.Texts())
			}
		}
	}
}

// TestDiagramsHaveAxesAndAKey checks that each diagram shows the directions of the scene's axes, and explains its
// letters.
func TestDiagramsHaveAxesAndAKey(t *testing.T) {
	r := geom.Ray{Origin: geom.Vec3{X: 0.25, Y: 0.5, Z: 5}, Dir: geom.Vec3{X: 0.1, Z: -1}.Unit()}
	pair, err := explain.Capsules([2]string{"a", "b"}, exact.Decimal3{Q: [3]float64{3}, R: 1}, exact.Decimal3{P: [3]float64{0, 3}, Q: [3]float64{3, 4}, R: 1})
	if err != nil {
		t.Fatal(err)
	}
	drawings := map[string]*chart.Drawing{"p, q;r;u, v;w": ofPair(pair, Options{}).Drawing}
	for letters, s := range map[string]shapes.Shape{
		"o;d;n;c;r;l;h": &shapes.Sphere{Radius: 1},
		"o;d;n;K;s;l":   &shapes.Capsule{A: geom.Vec3{X: -1}, B: geom.Vec3{X: 1}, Radius: 1},
		"o;d;n;c;h":     &shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()},
	} {
		k := sketched(t, s, r, Options{})
		k.finish()
		drawings[letters] = k.Drawing
	}
	for letters, d := range drawings {
		said := strings.Join(d.Texts(), " ")
		for letter := range strings.SplitSeq(letters, ";") {
			if !strings.Contains(said, " "+letter+": ") {
				t.Errorf("no text explains %q: %q", letter, said)
			}
		}
		for _, axis := range []string{"x", "y", "z"} {
			if !slices.Contains(d.Texts(), axis) {
				t.Errorf("no axis %s: %q", axis, d.Texts())
			}
		}
	}
}

// TestPlotOnlyIsReadable checks diagrams of the plot only. At their intended width, no text may be smaller than 11
// pixels or lie outside the diagram.
func TestPlotOnlyIsReadable(t *testing.T) {
	sizes := regexp.MustCompile(`<svg [^>]*width="([\d.]+)"|<text x="([-\d.]+)" y="([-\d.]+)" font-size="([\d.]+)" textLength="([\d.]+)"`)
	shipped.Each(t, func(t *testing.T, s *scene.Scene) {
		if s.Objects.Len() > 50 {
			return // drawing the search tree of many solids takes long
		}
		prepared, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(80, 60)})
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []image.Point{{40, 30}, {20, 45}} {
			x, err := explain.New(prepared).Pixel(at)
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range Kinds() {
				const shown = 340
				d, err := Draw(x, Options{Width: shown, Kind: kind})
				if err != nil {
					continue // the pixel has no diagram of this kind
				}
				var svg strings.Builder
				if err := d.WriteSVG(&svg); err != nil {
					t.Fatal(err)
				}
				var wide float64
				for _, m := range sizes.FindAllStringSubmatch(svg.String(), -1) {
					number := func(i int) float64 {
						n, _ := strconv.ParseFloat(m[i], 64)
						return n
					}
					if m[1] != "" {
						wide = number(1)
						continue
					}
					if size := number(4) * shown / wide; size < leastSize-0.01 {
						t.Errorf("%s %v: a text of %.2f pixels", kind, at, size)
					}
					if x := number(2); x < 0 || x+number(5) > wide {
						t.Errorf("%s %v: a text from %g to %g in a width of %g", kind, at, x, x+number(5), wide)
					}
				}
			}
		}
	})
}
