package explain

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/accel"
	"pillbox/exact"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shapes"
)

func randomSegment(rng *rand.Rand) geom.Segment {
	return geom.Segment{A: cube(rng, 4), B: cube(rng, 4)}
}

// lone returns a scene of one solid.
func lone(s shapes.Shape) *scene.Scene {
	x := &scene.Scene{Name: "scene.toml", Objects: make([]scene.Object, 1)}
	x.Image = scene.Image{Width: 8, Height: 8, Antialias: 1}
	switch s := s.(type) {
	case *shapes.Sphere:
		x.Spheres = []shapes.Sphere{*s}
	case *shapes.Capsule:
		x.Capsules = []shapes.Capsule{*s}
	case *shapes.Box:
		x.Boxes = []shapes.Box{*s}
	}
	return x
}

// TestDiagramLabels draws random solids with rays and segments that graze them, of sizes from
// the smallest to the largest, and looks for labels and numbers that cover each other or leave
// the diagram, and for those that decide.
func TestDiagramLabels(t *testing.T) {
	for i := range often(60, 3000) {
		k := randomSketch(t, rand.New(rand.NewPCG(14, uint64(i))), i)
		if len(k.taken) < 2 {
			t.Errorf("seed %d: only %d labels", i, len(k.taken))
		}
		checkTexts(t, i, k.canvas)
		if k.chord.ok && (!k.tells("t_near") || !k.tells("t_far")) {
			t.Errorf("seed %d: no t_near and t_far among the numbers", i)
		}
	}
}

// randomSketch draws a random solid and a ray or, every fourth time, a segment.
func randomSketch(t *testing.T, rng *rand.Rand, i int) *sketch {
	t.Helper()
	shape := randomSolid(rng)
	r := randomRay(rng, shape)
	tracer, err := New(lone(shape), pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var k *sketch
	opt := DiagramOptions{Dark: i%2 == 0, Object: 0}
	if i%4 == 3 {
		k = tracer.Segment(geom.Segment{A: r.Origin, B: r.At(uniform(rng, 0, 20))}).sketch(opt)
	} else {
		k = tracer.sketch(aimed(t, tracer, r).Path, "a ray", opt)
	}
	k.finish(shape)
	return k
}

// TestDiagramLinesPassLabels looks for arrows and other firm lines through labels. Some diagrams
// are too full to keep them all off: one in a thousand may be.
func TestDiagramLinesPassLabels(t *testing.T) {
	n := often(240, 4000)
	crossed := 0
	for i := range n {
		k := randomSketch(t, rand.New(rand.NewPCG(16, uint64(i))), i)
		if through := k.linesThroughLabels(); through > 0 {
			t.Logf("seed %d: %d", i, through)
			crossed++
		}
	}
	if crossed > n/1000 {
		t.Errorf("in %d of %d diagrams there are lines through labels", crossed, n)
	}
}

// TestDiagramOfRayInsidePassesLabels: the normals and half extents of a small box leave little
// room beside them.
func TestDiagramOfRayInsidePassesLabels(t *testing.T) {
	s, err := scene.Decode("turned.toml", []byte("[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [1.2, 0.6, 0.4]\nrotate = [20, 35, 10]\n"))
	if err != nil {
		t.Fatal(err)
	}
	k := sketched(t, &s.Boxes[0], geom.Ray{Dir: geom.Vec3{X: 1, Y: 1}.Unit()})
	k.finish(&s.Boxes[0])
	if n := k.linesThroughLabels(); n > 0 {
		t.Errorf("%d lines cross labels", n)
	}
}

// TestArrowHeadsKeepLabelsOff: the head is wider than the line and reaches beyond its end.
func TestArrowHeadsKeepLabelsOff(t *testing.T) {
	c := newCanvas(false)
	c.arrow(point{100, 100}, point{200, 100}, stroke{c.fore, 3, false})
	for _, text := range []box{{199, 95, 300, 105}, {150, 103, 250, 120}, {150, 80, 250, 97}} {
		if !slices.ContainsFunc(c.drawn, func(line track) bool { return line.firm && line.within(text) > 0 }) {
			t.Errorf("the head does not reach into %v", text)
		}
	}
}

// linesThroughLabels counts the firm lines that cross labels.
func (c *canvas) linesThroughLabels() int {
	n := 0
	for _, line := range c.drawn {
		if line.firm && slices.ContainsFunc(c.taken, func(b box) bool { return line.within(b.inset(1)) > 0 }) {
			n++
		}
	}
	return n
}

// checkTexts looks for texts that cover each other or leave the diagram.
func checkTexts(t *testing.T, seed int, c *canvas) {
	t.Helper()
	all := c.taken
	for _, w := range c.written {
		all = append(all, w.at)
	}
	for j, b := range all {
		if !canvasBox().contains(point{b.x0, b.y0}) || !canvasBox().contains(point{b.x1, b.y1}) {
			t.Errorf("seed %d: the text at %v leaves the diagram", seed, b)
		}
		for _, c := range all[:j] {
			if b.overlaps(c) {
				t.Errorf("seed %d: the texts at %v and %v overlap", seed, b, c)
			}
		}
	}
}

// tells reports whether a line begins so.
func (c *canvas) tells(beginning string) bool {
	return slices.ContainsFunc(c.written, func(w writing) bool { return strings.HasPrefix(w.text, beginning) })
}

// TestDiagramOfPixelTellsRoots: beside the picture there is less room for numbers.
func TestDiagramOfPixelTellsRoots(t *testing.T) {
	for _, file := range []string{"capsule", "inside-capsule", "huge", "tiny", "rotate"} {
		s, err := scene.Load("../scenes/" + file + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		tracer, err := New(s, pillbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		met := 0
		for i := 0; met < 4; i++ {
			x, err := tracer.Pixel(image.Pt(i*7919%tracer.stage.Size.X, i*104729%tracer.stage.Size.Y))
			if err != nil {
				t.Fatal(err)
			}
			q := x.Samples[0].Path
			if q.Hit.Object == accel.None {
				continue
			}
			met++
			k := tracer.sketch(q, "a pixel", DiagramOptions{Object: q.Hit.Object})
			if k.below, err = x.inset(k.canvas); err != nil {
				t.Fatal(err)
			}
			k.finish(tracer.solids().at(q.Hit.Object))
			checkTexts(t, i, k.canvas)
			if !k.tells("t_near") || !k.tells("t_far") {
				t.Errorf("%s, pixel %v: no t_near and t_far among the numbers", file, x.At)
			}
		}
	}
}

// TestDiagramOfPairFits draws capsules whose integers have from a few to many digits.
func TestDiagramOfPairFits(t *testing.T) {
	for i := range often(40, 1000) {
		rng := rand.New(rand.NewPCG(15, uint64(i)))
		a, b := randomDecimal(rng), randomDecimal(rng)
		if i%2 == 0 {
			for k := range 3 {
				a.P[k] += rng.Float64() * 1e3
				b.Q[k] += math.Round(rng.Float64()*1e9) / 1e9
			}
		}
		x, err := Capsules([2]string{"a", "b"}, a, b)
		if err != nil {
			t.Fatal(err)
		}
		c := x.draw(DiagramOptions{})
		checkTexts(t, i, c)
		var decides string // is told last
		for _, s := range x.steps() {
			if s.Symbol == "" && s.Formula != "" {
				decides = s.Formula + ":"
			}
		}
		if !c.tells(decides) {
			t.Errorf("seed %d: %v: nothing begins with %q", i, x.Relation, decides)
		}
	}
}

// TestDiagramOfPairTellsItsPlane: whether the axes lie in one is decided without rounding, as
// everything else about them.
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
		{end{}, end{3}, end{0, 0, 0.25}, end{0, 3, 0.25}, "planes are 0.25 apart."},
		{end{}, end{3e9}, end{0, 0, -7e9}, end{0, 3e9, -7e9}, "planes are 7e+09 apart."},
		{end{0.1, 1}, end{3, 1}, end{0.1, 1, 3e-300}, end{0, 3, 3e-300}, "planes are 3e-300 apart."},
		{end{}, end{1, 0, 3}, end{0, 1, 5e-324}, end{0, 2, 5e-324}, "planes are 0 apart."}, // it rounds to 0
		{end{}, end{3}, end{0, 1, 1}, end{3, 1, 1 + 1e-12}, "nearly in this plane."},
	} {
		x, err := Capsules([2]string{"a", "b"}, exact.Decimal3{P: test.p1, Q: test.q1, R: 1}, exact.Decimal3{P: test.p2, Q: test.q2, R: 1})
		if err != nil {
			t.Fatal(err)
		}
		f := flatOf(axisOf(x.Decimals[0]), axisOf(x.Decimals[1]))
		if got := x.where(&f); !strings.HasSuffix(got, test.want) {
			t.Errorf("%v: %q, want %q", test, got, test.want)
		}
	}
}

// TestDiagramOfTouchingCapsules: at a small angle, too, the axes are nearest where the integers say.
func TestDiagramOfTouchingCapsules(t *testing.T) {
	x, err := Capsules([2]string{"a", "b"},
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
	s, err := scene.Load("../scenes/sphere.toml")
	if err != nil {
		t.Fatal(err)
	}
	tracer, err := New(s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, dark := range []bool{false, true} {
		x, err := tracer.Pixel(image.Pt(160, 120))
		if err != nil {
			t.Fatal(err)
		}
		img, err := x.Diagram(DiagramOptions{Dark: dark, Object: accel.None})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := img.Bounds().Size(), image.Pt(1200, 800); got != want {
			t.Errorf("size %v, want %v", got, want)
		}
		if got, want := color.NRGBAModel.Convert(img.At(2, 2)), themeOf(dark).paper; got != want {
			t.Errorf("the corner is %v, want %v", got, want)
		}
		// The picture is 267 x 200 in the middle of the column, the cross hairs on its middle.
		mark := color.NRGBAModel.Convert(img.At(1012, 104)).(color.NRGBA)
		if mark.R < 0x90 || mark.G > 0x90 {
			t.Errorf("there is %v where the pixel should be marked", mark)
		}
	}
}

func TestDiagramOfNothing(t *testing.T) {
	s := lone(&shapes.Sphere{Radius: 1})
	s.Spheres, s.Objects = nil, nil
	tracer, err := New(s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []Explanation{aimed(t, tracer, geom.Ray{Dir: geom.Vec3{X: 1}}), tracer.Segment(geom.Segment{})} {
		if _, err := x.Diagram(DiagramOptions{Object: accel.None}); err != ErrNothing {
			t.Errorf("%T: error %v, want ErrNothing", x, err)
		}
	}
}

// sketched begins a diagram of the only solid of a scene and a ray.
func sketched(t *testing.T, s shapes.Shape, r geom.Ray) *sketch {
	t.Helper()
	tracer, err := New(lone(s), pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tracer.sketch(aimed(t, tracer, r).Path, "a ray", DiagramOptions{Object: 0})
}

// sketchedSegment does the same for a segment.
func sketchedSegment(t *testing.T, s shapes.Shape, seg geom.Segment) *sketch {
	t.Helper()
	tracer, err := New(lone(s), pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tracer.Segment(seg).sketch(DiagramOptions{Object: 0})
}

// TestDiagramOfBallTellsSmallDistance: a distance too short to draw is not 0.
func TestDiagramOfBallTellsSmallDistance(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want string
	}{{0.001, "|l| = 0.001"}, {0, "|l| = 0"}} {
		ball := &shapes.Sphere{Radius: 1}
		k := sketched(t, ball, geom.Ray{Origin: geom.Vec3{X: test.x, Z: 5}, Dir: geom.Vec3{Z: -1}})
		k.ball(ball.Center, ball.Radius, "c")
		if !slices.ContainsFunc(k.labels, func(l label) bool { return l.text == test.want }) {
			t.Errorf("%v: no label is %q", test.x, test.want)
		}
	}
}

// TestSlabRangeShowsTouch: a box that is just touched has its only crossing on the number line.
func TestSlabRangeShowsTouch(t *testing.T) {
	box := &shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}
	along := geom.Vec3{X: 1, Y: 1}.Unit() // over the edge at (-1, 1)
	k := sketched(t, box, geom.Ray{Origin: geom.Vec3{X: -8, Y: -6}, Dir: along})
	if !k.chord.ok || k.chord.near != k.chord.far {
		t.Fatalf("%+v is no touch", k.chord)
	}
	if n := k.slabRange(k.chord.near, k.chord.far); !(n.lo < 0 && k.chord.near < n.hi) {
		t.Errorf("shows %v to %v, want 0 and %v", n.lo, n.hi, k.chord.near)
	}
	for _, touch := range []float64{-3, 0, 1e7} {
		if n := k.slabRange(touch, touch); !(n.lo < min(touch, 0) && max(touch, 0) < n.hi) {
			t.Errorf("shows %v to %v, want 0 and %v", n.lo, n.hi, touch)
		}
	}
}

// TestDiagramOfPointHasNoLine: a segment without length is a dot, whatever its line.
func TestDiagramOfPointHasNoLine(t *testing.T) {
	box := &shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}
	p := geom.Vec3{X: 0.25, Y: 0.5}
	k := sketchedSegment(t, box, geom.Segment{A: p, B: p})
	local, v := k.boxFrame(box)
	k.rayPast(k.plotOf(plotFrame(), canvasBox(), 0), &v, local)
	if n := len(k.drawn); n > 2 { // the dot alone
		t.Errorf("%d lines are drawn", n)
	}
}

// TestDiagramOfCapsuleWithoutDirection: an axis of next to no length makes a ball.
func TestDiagramOfCapsuleWithoutDirection(t *testing.T) {
	for _, length := range []float64{0, 1e-300, 1e-20, 0x1p-54} {
		c := &shapes.Capsule{B: geom.Vec3{X: length}, Radius: 1}
		r := geom.Ray{Origin: geom.Vec3{X: 0.5, Z: 5}, Dir: geom.Vec3{Z: -1}}
		for _, k := range []*sketch{sketched(t, c, r), sketchedSegment(t, c, geom.Segment{A: r.Origin, B: r.At(3)})} {
			k.capsule(c)
			if !slices.ContainsFunc(k.labels, func(l label) bool { return l.text == "A = B" }) {
				t.Errorf("%v: the ends have names of their own", length)
			}
		}
	}
}

// TestDiagramAlongAxisStaysInItsPlot: a ray that runs far beside the axis is none of the small
// plot's business.
func TestDiagramAlongAxisStaysInItsPlot(t *testing.T) {
	c := &shapes.Capsule{B: geom.Vec3{X: 2}, Radius: 1}
	for _, far := range []float64{0.5, -5} {
		k := sketched(t, c, geom.Ray{Origin: geom.Vec3{X: -5}, Dir: geom.Vec3{X: 1}})
		frame := box{columnLeft, contentTop, columnRight, contentTop + 180}
		p := k.plotOf(frame, nowhere().include(point{}, 1.2), 4)
		k.drawn = nil
		k.across(p, func(float64) point { return point{far, 0} })
		if drawn := len(k.drawn) > 0; drawn != (far > 0) {
			t.Errorf("%v beside the axis: a dot is drawn: %v", far, drawn)
		}
	}
}

// TestDiagramAlongAxisShowsRayBeside: the small plot has room for a ray some radii beside the
// axis.
func TestDiagramAlongAxisShowsRayBeside(t *testing.T) {
	c := &shapes.Capsule{B: geom.Vec3{X: 2}, Radius: 1}
	for beside, want := range map[float64]bool{0: true, 0.5: true, 9: true, 1000: false} {
		k := sketched(t, c, geom.Ray{Origin: geom.Vec3{X: -5, Y: beside}, Dir: geom.Vec3{X: 1}})
		k.capsule(c)
		shown := false
		for y := int(contentTop); y < int(contentTop)+190; y++ {
			for x := int(columnLeft); x < int(columnRight); x++ {
				shown = shown || color.NRGBAModel.Convert(k.dc.Image().At(x, y)) == k.theme.ray
			}
		}
		if shown != want {
			t.Errorf("%v beside the axis: the ray is shown: %v", beside, shown)
		}
	}
}

// TestDiagramOfCapsuleTellsOfDashesThatAreThere: there are none where the plane passes so near
// to the axis that its cut looks like the whole capsule.
func TestDiagramOfCapsuleTellsOfDashesThatAreThere(t *testing.T) {
	for depth, want := range map[float64]bool{0: false, 0.1: false, 0.5: true, 2: true} {
		c := &shapes.Capsule{A: geom.Vec3{X: -1}, B: geom.Vec3{X: 1}, Radius: 1}
		k := sketched(t, c, geom.Ray{Origin: geom.Vec3{Y: depth, Z: 5}, Dir: geom.Vec3{Z: -1}})
		k.capsule(c)
		var caption strings.Builder
		for _, w := range k.written {
			caption.WriteString(w.text + " ")
		}
		if got := strings.Contains(caption.String(), "dashed outline"); got != want {
			t.Errorf("%v from the axis: %q", depth, caption.String())
		}
	}
}
