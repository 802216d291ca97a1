package figure_test

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/figure"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/ink"
)

// pinhole is a camera whose pictures of points are computed here with the functions of package math.
type pinhole struct {
	eye, at       geom.Vec3
	fov, height   float64 // of the view; in an orthographic picture height counts
	parallel      bool
	width, pixels float64 // size of the picture
}

func randomPinhole(rng *rand.Rand) pinhole {
	c := pinhole{eye: vector(rng, 1).Unit().Scale(7 + 5*rng.Float64()), at: vector(rng, 1), fov: 40 + 20*rng.Float64(), parallel: rng.IntN(2) == 0, width: 400, pixels: 300}
	c.height = 6 + 4*rng.Float64()
	return c
}

func (c *pinhole) toml() string {
	return fmt.Sprintf("image = { width = %v, height = %v, background = \"white\" }\ncamera = { position = %s, look_at = %s, fov = %v, view_height = %v, projection = %q }\n",
		c.width, c.pixels, toml(c.eye), toml(c.at), c.fov, c.height, map[bool]string{true: "orthographic", false: "perspective"}[c.parallel])
}

func (c *pinhole) project(p geom.Vec3) ink.Point {
	forward := c.at.Sub(c.eye).Unit()
	right := forward.Cross(geom.Vec3{Y: 1}).Unit()
	way := p.Sub(c.eye)
	half := c.height / 2
	if !c.parallel {
		half = way.Dot(forward) * math.Tan(c.fov/2*math.Pi/180)
	}
	return ink.Point{X: c.width/2 + way.Dot(right)/half*c.pixels/2, Y: c.pixels/2 - way.Dot(right.Cross(forward))/half*c.pixels/2}
}

// marksOf returns the lines of a figure, and the areas, including arrowheads.
func marksOf(f *figure.Figure) (lines []*ink.Line, fills [][]ink.Point) {
	for _, m := range f.Marks() {
		switch m := m.(type) {
		case *ink.Line:
			lines, fills = append(lines, m), append(fills, m.Heads...)
		case *ink.Fill:
			fills = append(fills, m.Points)
		}
	}
	return lines, fills
}

func near(p, q ink.Point, by float64) bool { return p.Sub(q).Norm() <= by }

// distance returns the distance of p from the segment from a to b.
func distance(p, a, b ink.Point) float64 {
	way := b.Sub(a)
	s := 0.0
	if n := way.Norm(); n > 0 {
		s = max(0, min(1, (p.Sub(a).X*way.X+p.Sub(a).Y*way.Y)/(n*n)))
	}
	return p.Sub(a.Between(b, s)).Norm()
}

// TestArrowsAreAtTheirPoints compares the ends of lines and the corners of arrowheads with the pictures of their points,
// and dashes with their lengths.
func TestArrowsAreAtTheirPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 1))
	for n := range 300 {
		c, from, to := randomPinhole(rng), vector(rng, 3), vector(rng, 3)
		width, head := 0.5+3*rng.Float64(), 4+12*rng.Float64()
		heads := []string{"none", "end", "start", "both"}[n%4]
		f := arrange(t, decode(t, "%s line = [{ from = %s, to = %s, width = %v, head = %v, heads = %q }]", c.toml(), toml(from), toml(to), width, head, heads), image.Point{})
		lines, fills := marksOf(f)
		a, b := c.project(from), c.project(to)
		whole := b.Sub(a).Norm()
		if head = min(head, whole); whole < 1 {
			continue
		}
		way := b.Sub(a).Scale(1 / whole)
		start, end := a, b
		var tips []ink.Point
		if heads == "start" || heads == "both" {
			tips, start = append(tips, a), a.Add(way.Scale(0.7*head))
		}
		if heads == "end" || heads == "both" {
			tips, end = append(tips, b), b.Sub(way.Scale(0.7*head))
		}
		if start.Sub(a).Norm()+b.Sub(end).Norm() < whole {
			if len(lines) != 1 || lines[0].Width != width || !near(lines[0].Points[0], start, 1e-6) || !near(lines[0].Points[1], end, 1e-6) {
				t.Fatalf("%d: lines %+v, want one from %v to %v", n, lines, start, end)
			}
		}
		if len(fills) != len(tips) {
			t.Fatalf("%d: %d arrowheads, want %d", n, len(fills), len(tips))
		}
		for i, tip := range tips {
			p := fills[i]
			back := p[1].Between(p[2], 0.5)
			inward := way
			if tip == b {
				inward = way.Scale(-1)
			}
			if !near(p[0], tip, 1e-6) || !near(back, tip.Add(inward.Scale(head)), 1e-6) || math.Abs(p[1].Sub(p[2]).Norm()-head*2/3) > 1e-6 {
				t.Fatalf("%d: arrowhead %v, want the tip %v and the length %v", n, p, tip, head)
			}
		}

		lines, _ = marksOf(arrange(t, decode(t, "%s line = [{ from = %s, to = %s, dash = [7, 5] }]", c.toml(), toml(from), toml(to)), image.Point{}))
		if want := int(math.Ceil(whole / 12)); len(lines) != want && len(lines) != want-1 {
			t.Fatalf("%d: %d dashes in %v pixels", n, len(lines), whole)
		}
		for i, l := range lines {
			first, last := a.Add(way.Scale(12*float64(i))), a.Add(way.Scale(min(whole, 12*float64(i)+7)))
			if !near(l.Points[0], first, 1e-6) || !near(l.Points[1], last, 1e-6) {
				t.Fatalf("%d: dash %d is %v, want %v to %v", n, i, l.Points, first, last)
			}
		}
	}
}

// TestArcsAreAtTheirPoints compares arcs with the pictures of points on them.
func TestArcsAreAtTheirPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 2))
	for n := range 200 {
		c, at, from, to := randomPinhole(rng), vector(rng, 2), vector(rng, 4), vector(rng, 4)
		radius := 0.2 + 1.5*rng.Float64()
		f := arrange(t, decode(t, "%s angle = [{ at = %s, from = %s, to = %s, radius = %v, text = \"\" }]", c.toml(), toml(at), toml(from), toml(to), radius), image.Point{})
		lines, _ := marksOf(f)
		if len(lines) != 1 {
			t.Fatalf("%d: %d lines", n, len(lines))
		}
		points := lines[0].Points
		u, v := from.Sub(at).Unit(), to.Sub(at).Unit()
		w := v.Sub(u.Scale(u.Dot(v))).Unit()
		whole := math.Atan2(v.Dot(w), v.Dot(u))
		const steps = 500
		next := 0 // the arc and the line go in the same direction
		for i := range steps + 1 {
			sin, cos := math.Sincos(whole * float64(i) / steps)
			p := c.project(at.Add(u.Scale(radius * cos)).Add(w.Scale(radius * sin)))
			for next < len(points)-2 && distance(p, points[next+1], points[next+2]) <= distance(p, points[next], points[next+1]) {
				next++
			}
			if d := distance(p, points[next], points[next+1]); d > 0.05 {
				t.Fatalf("%d: the arc of %v degrees is %v pixels away from its point %d", n, whole*180/math.Pi, d, i)
			}
			if i == 0 && !near(p, points[0], 1e-6) || i == steps && !near(p, points[len(points)-1], 1e-6) {
				t.Fatalf("%d: the arc does not end at its legs", n)
			}
		}
	}
}

// TestArrowCoverage compares the pixels of an arrow with the shares of them that its geometry covers, counted with
// samples.
func TestArrowCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 3))
	for n := range effort.Of(1, 8, 8) {
		c, from, to := randomPinhole(rng), vector(rng, 3), vector(rng, 3)
		s := decode(t, "%s arrow = [{ from = %s, to = %s, width = 3, head = 20 }]", c.toml(), toml(from), toml(to))
		film, err := figure.Render(t.Context(), s, pillbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, b := c.project(from), c.project(to)
		whole := b.Sub(a).Norm()
		way := b.Sub(a).Scale(1 / whole)
		head := min(20, whole)
		covered := func(p ink.Point) bool {
			along := (p.X-a.X)*way.X + (p.Y-a.Y)*way.Y
			aside := math.Abs((p.X-a.X)*way.Y - (p.Y-a.Y)*way.X)
			return along >= 0 && along <= whole-0.7*head && aside <= 1.5 || along >= whole-head && along <= whole && aside <= (whole-along)/3
		}
		const k = 12
		for y := range 300 {
			for x := range 400 {
				count := 0
				for i := range k * k {
					if covered(ink.Point{X: float64(x) + (float64(i%k)+0.5)/k, Y: float64(y) + (float64(i/k)+0.5)/k}) {
						count++
					}
				}
				want := 255 * (1 - float64(count)/(k*k))
				if got := float64(film.Image.NRGBAAt(x, y).R); math.Abs(got-want) > 255*0.06 {
					t.Fatalf("%d: pixel %d, %d is %v, want %.1f", n, x, y, got, want)
				}
			}
		}
	}
}

// TestDashAndArcCoverage compares the pixels of dashed lines and of arcs with the shares of them that the pictures of their
// points cover, counted with samples: the rectangles of dashes, and what is within half of the width of the circle's picture.
func TestDashAndArcCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 4))
	for n := range effort.Of(2, 10, 100) {
		c := randomPinhole(rng)
		width := 1 + 3*rng.Float64()
		var drawn string
		var outside func(p ink.Point) float64 // how far a point is from what is drawn, negative inside
		var ends []ink.Point                  // of the arc, where the line is cut off; not compared
		if n%2 == 0 {
			from, to := vector(rng, 3), vector(rng, 3)
			dash, gap := 3+6*rng.Float64(), 3+6*rng.Float64()
			drawn = fmt.Sprintf("line = [{ from = %s, to = %s, width = %v, dash = [%v, %v] }]", toml(from), toml(to), width, dash, gap)
			a, b := c.project(from), c.project(to)
			whole := b.Sub(a).Norm()
			way := b.Sub(a).Scale(1 / whole)
			outside = func(p ink.Point) float64 {
				p = p.Sub(a)
				along, aside := p.X*way.X+p.Y*way.Y, math.Abs(p.X*way.Y-p.Y*way.X)-width/2
				i := math.Floor(along / (dash + gap))
				least := math.Inf(1)
				for _, start := range [...]float64{i * (dash + gap), (i + 1) * (dash + gap)} { // of the dashes around p
					if end := min(start+dash, whole); start >= 0 && start < whole {
						least = min(least, max(start-along, along-end))
					}
				}
				return max(aside, least)
			}
		} else {
			at, u, v := vector(rng, 2), vector(rng, 1).Unit(), vector(rng, 1).Unit()
			drawn = fmt.Sprintf("angle = [{ at = %s, from = %s, to = %s, radius = 1.2, width = %v, text = \"\" }]", toml(at), toml(at.Add(u)), toml(at.Add(v)), width)
			w := v.Sub(u.Scale(u.Dot(v))).Unit()
			var arc []ink.Point
			for i := range 61 {
				sin, cos := math.Sincos(math.Atan2(v.Dot(w), v.Dot(u)) * float64(i) / 60)
				arc = append(arc, c.project(at.Add(u.Scale(1.2*cos)).Add(w.Scale(1.2*sin))))
			}
			ends = []ink.Point{arc[0], arc[60]}
			outside = func(p ink.Point) float64 {
				least := math.Inf(1)
				for i := range arc[1:] {
					least = min(least, distance(p, arc[i], arc[i+1]))
				}
				return least - width/2
			}
		}
		film, err := figure.Render(t.Context(), decode(t, "%s %s", c.toml(), drawn), pillbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		const k = 12
		covered := 0.0
		for y := range 300 {
			for x := range 400 {
				want, middle := 0.0, ink.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}
				if slices.ContainsFunc(ends, func(p ink.Point) bool { return near(p, middle, width+1) }) {
					continue
				}
				if outside(middle) < 1 {
					for i := range k * k {
						if outside(ink.Point{X: float64(x) + (float64(i%k)+0.5)/k, Y: float64(y) + (float64(i/k)+0.5)/k}) <= 0 {
							want += 1.0 / (k * k)
						}
					}
				}
				covered += want
				if got := 1 - float64(film.Image.NRGBAAt(x, y).R)/255; math.Abs(got-want) > 0.08 {
					t.Fatalf("%d: %v covers %.3f of pixel %d, %d, want %.3f", n, drawn, got, x, y, want)
				}
			}
		}
		if covered < 20 {
			t.Errorf("%d: only %v pixels are covered", n, covered)
		}
	}
}

// TestDepthOfDrawings checks, to a twentieth of a pixel, where a ball hides a line, an arc and a marker.
func TestDepthOfDrawings(t *testing.T) {
	const view = `image = { width = 400, height = 300 }
		camera = { position = [0, 0, 10], look_at = [0, 0, 0], projection = "orthographic", view_height = 10 }
		sphere = [{ name = "ball", center = [0.3, 0.5, 0], radius = 1.3 }]
		`
	half := math.Sqrt(1.3*1.3-0.5*0.5) * 30
	for depth, want := range map[string]float64{"": 300, `, depth = true, hidden = "hide"`: 300 - 2*half, ", depth = false": 300} {
		sum, _ := lineLengths(arrange(t, decode(t, "%s line = [{ from = [-5, 0, 0], to = [5, 0, 0] %s }]", view, depth), image.Point{}))
		if math.Abs(sum-want) > 0.05 {
			t.Errorf("%s: lines of %v pixels, want %v", depth, sum, want)
		}
	}
	lines, _ := marksOf(arrange(t, decode(t, "%s line = [{ from = [-5, 0, 0], to = [5, 0, 0], depth = true, width = 2 }]", view), image.Point{}))
	first := lines[0].Points[1].X
	if want := 200 + 0.3*30 - half; math.Abs(first-want) > 0.05 {
		t.Errorf("the line is hidden from %v on, want %v", first, want)
	}
	for i, l := range lines[1 : len(lines)-1] { // dashes of 8 pixels, gaps of 6
		if want := first + 14*float64(i); math.Abs(l.Points[0].X-want) > 0.05 || l.Points[1].X-l.Points[0].X > 8.05 {
			t.Errorf("dash %d from %v to %v, want its start at %v", i, l.Points[0].X, l.Points[1].X, want)
		}
	}

	// A circle of radius 2 around the ball, half of it behind the ball's plane: in the picture it is a line, of which the ball hides its
	// width.
	arc := `angle = [{ at = [0.3, 0.5, 0], from = [9, 0.5, 0], to = [-9, 0.5, -0.01], radius = 2, text = "", depth = true, hidden = "hide" }]`
	total := 0.0
	lines, _ = marksOf(arrange(t, decode(t, "%s %s", view, arc), image.Point{}))
	for _, l := range lines {
		for i := range l.Points[1:] {
			total += l.Points[i+1].Sub(l.Points[i]).Norm()
		}
	}
	if want := (4 - 2*1.3) * 30; len(lines) != 2 || math.Abs(total-want) > 0.1 {
		t.Errorf("%d visible parts of the arc with %v pixels, want 2 with %v", len(lines), total, want)
	}

	for at, want := range map[string]int{"[0.3, 0.5, 5]": 1, "[0.3, 0.5, -5]": 0, `"ball"`: 1, `"ball.center"`: 1, "[3, 0, -5]": 1} {
		lines, fills := marksOf(arrange(t, decode(t, "%s marker = [{ at = %s, shape = \"diamond\", depth = true, hidden = \"hide\" }]", view, at), image.Point{}))
		if len(lines) != 0 || len(fills) != want {
			t.Errorf("a marker at %s: %d lines, %d areas, want %d", at, len(lines), len(fills), want)
		}
	}
}

// TestMarkers checks that markers have their size, and that their middle is the picture of their point.
func TestMarkers(t *testing.T) {
	for _, shape := range []string{"dot", "circle", "square", "diamond", "plus", "cross", "triangle"} {
		s := decode(t, `image = { width = 120, height = 90, background = "white" }
			camera = { position = [0, 0, 9], look_at = [0, 0, 0], projection = "orthographic", view_height = 9 }
			marker = [{ at = [1, 0.5, 0], size = 40, width = 2, shape = %q }]`, shape)
		film, err := figure.Render(t.Context(), s, pillbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		box, dark := image.Rectangle{}, false
		for y := range 90 {
			for x := range 120 {
				if film.Image.NRGBAAt(x, y).R < 128 {
					box = box.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		dark = film.Image.NRGBAAt(70, 40).R < 128
		want := image.Rect(50, 20, 90, 60)
		away := max(abs(box.Min.X-want.Min.X), abs(box.Min.Y-want.Min.Y), abs(box.Max.X-want.Max.X), abs(box.Max.Y-want.Max.Y))
		if shape == "cross" || shape == "triangle" { // on the circle
			away -= 10
		}
		if away > 1 || dark == (shape == "circle") {
			t.Errorf("%s: %v, want %v; dark in the middle: %v", shape, box, want, dark)
		}
	}
}

func abs(x int) int { return max(x, -x) }

// TestAngleNumbers checks the texts of angles.
func TestAngleNumbers(t *testing.T) {
	const text = `camera = { position = [0, 0, 9], look_at = [0, 0, 0] }
		capsule = [{ name = "arm", a = [0, 0, 0], b = [1, 1, 0], radius = 0.1 }]
		part.leg.angle = [{ at = [0, 0, 0], from = [1, 0, 0], to = [1, 1, 0], text = "leg {}" }]
		place = [{ part = "leg", rotate = [0, 0, 37], scale = 0.3 }]
		angle = [
			{ at = "arm.a", from = [1, 0, 0], to = "arm.b", text = "θ = {}" },
			{ at = [0, 0, 0], from = [1, 0, 0], to = [1, 2, 0] },
			{ at = [0, 0, 0], from = [1, 0, 0], to = [1, 2, 0], digits = 4 },
			{ at = [0, 0, 0], from = [1, 0, 0], to = [1, 2, 0], unit = "radians" },
			{ at = [0, 0, 0], from = [1, 0, 0], to = [1, 0.0005, 0] },
			{ at = [0, 0, 0], from = [1, 0, 0], to = [-1, 0, 0] },
			{ at = [0, 0, 0], from = [1, 0, 0], to = [0, 0, 1], text = "a" },
			{ at = [0, 0, 0], from = [1, 0, 0], to = [0, 0, 1], text = "" },
			{ at = [0, 0, 0], from = [0, 0, 0], to = [0, 0, 1] },
		]`
	var got []string
	for _, e := range arrange(t, decode(t, "%s", text), image.Pt(1600, 1200)).Entries() {
		if e.Kind == "angle" {
			got = append(got, e.Text)
		}
	}
	if want := []string{"θ = 45°", "63.4°", "63.4349°", "1.107 rad", "0.03°", "180°", "a", "leg 45°"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the texts are %q, want %q", got, want)
	}
}

const drawing = `image = { width = 200, height = 150 }
	camera = { position = [0, 2, 9], look_at = [0, 0, 0] }
	sphere = [{ name = "ball", center = [0, 0, 0], radius = 1 }]
	part.pair.capsule = [{ name = "rod", a = [0, 0, 0], b = [1, 0, 0], radius = 0.1 }]
	part.pair.sphere = [{ name = "end.b", center = [1, 0, 0], radius = 0.3 }]
	part.pair.arrow = [{ from = "rod.a", to = "end.b", depth = true }, { from = [0, 1, 0], to = ["rod", "end.b"], dash = [3, 2], heads = "both" }]
	part.pair.line = [{ from = "rod", to = "end.b.center", color = "red", dash = true }]
	part.pair.angle = [{ at = "rod.b", from = "rod.a", to = [1, 1, 0], radius = 0.4, digits = 2, heads = "end" }]
	part.pair.marker = [{ at = "end.b", shape = "plus", depth = true, hidden = "hide" }]
	place = [{ part = "pair", name = "p", position = [0, 1.5, 0], rotate = [0, 0, 30], scale = 0.5, count = 2, step.position = [0, 0, -3] }]
	line = [{ from = "p[1]/rod.b", to = "p[0]" }, { from = "ball", to = [2, 2, 2], head = 12, heads = "start" }]
	angle = [{ at = "ball", from = "p[0]/end.b", to = [3, 0, 0], unit = "radians", text = "φ {}", size = 9, halo = "white" }]
	marker = [{ at = "ball.center", size = 5, color = "blue" }]
	`

// TestDrawingsOfParts checks that a scene with drawings in parts that is written and read again has the same figure, and that
// drawings move with their solids.
func TestDrawingsOfParts(t *testing.T) {
	s := decode(t, "%s", drawing)
	var file strings.Builder
	if err := s.WriteTOML(&file); err != nil {
		t.Fatal(err)
	}
	again := decode(t, "%s", file.String())
	want := arrange(t, s, image.Point{}).Marks()
	if got := arrange(t, again, image.Point{}).Marks(); !reflect.DeepEqual(got, want) || len(want) < 15 {
		t.Errorf("%s\nhas other marks", &file)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	moving := decode(t, `image = { width = 100, height = 100 }
		camera = { position = [0, 0, 9], look_at = [0, 0, 0], projection = "orthographic", view_height = 10 }
		animation = { duration = 1 }
		part.arm.sphere = [{ name = "hand", center = [1, 0, 0], radius = 0.5 }]
		place = [{ part = "arm", name = "left" }]
		line = [{ from = [0, 0, 0], to = "left/hand" }]
		animate = [{ target = "left.position", times = [0, 1], values = [[0, 0, 0], [0, 3, 0]] }]`)
	for _, seconds := range []float64{0, 0.5, 1} {
		at, err := moving.At(seconds)
		if err != nil {
			t.Fatal(err)
		}
		lines, _ := marksOf(arrange(t, at, image.Point{}))
		if want := (ink.Point{X: 60, Y: 50 - 30*seconds}); !near(lines[0].Points[1], want, 1e-9) {
			t.Errorf("at %v the line ends at %v, want %v", seconds, lines[0].Points[1], want)
		}
	}
}

// TestMarkupOfTexts checks the places and sizes of the runs of a text, and that no halo covers letters.
func TestMarkupOfTexts(t *testing.T) {
	s := decode(t, `image = { width = 400, height = 300 }
		camera = { position = [0, 0, 9], look_at = [0, 0, 0] }
		title = { text = "*E* = mc^2" }
		label = [{ text = "*T*_{max} e\u0301", at = [0, 0, 0], size = 20, halo = "white" }, { text = "arm_left", at = [0, 2, 0] }]`)
	f := arrange(t, s, image.Point{})
	var texts []*ink.Text
	for _, m := range f.Marks() {
		if m, ok := m.(*ink.Text); ok {
			texts = append(texts, m)
		}
	}
	var got []string
	for _, m := range texts {
		got = append(got, fmt.Sprintf("%s %v %v %v", m.Text, m.Size, m.Italic, m.HaloOnly))
	}
	want := []string{"E 24 true false", " = mc 24 false false", "2 16.799999999999997 false false", "T 20 true true", "max 14 false true", " é 20 false true", "T 20 true false", "max 14 false false", " é 20 false false", "arm_left 16 false false"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the texts are %q, want %q", got, want)
	}
	for i := range 2 {
		if up := texts[0].At.Y - texts[2].At.Y; math.Abs(up-0.38*24) > 1e-9 || texts[2].At.X <= texts[1].At.X {
			t.Errorf("the exponent is at %v, want it %v above %v", texts[2].At, 0.38*24, texts[0].At)
		}
		if texts[4+i].At.X <= texts[3+i].At.X || texts[7+i].At != texts[4+i].At {
			t.Error("runs and their halos are not side by side")
		}
	}
	if e := f.Entries()[0]; e.Text != "*E* = mc^2" || math.Abs(e.X-200) > 1e-9 {
		t.Errorf("the title is %v", e)
	}
}
