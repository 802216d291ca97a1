package explain

import (
	"image"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes/shapetest"
)

// steps returns every visible step of the derivations in d.
func (d *Document) steps() []formula.Step {
	var all []formula.Step
	for _, b := range d.Blocks() {
		if e, ok := b.(Equations); ok {
			for _, s := range e.Steps {
				all = append(all, formula.Step{Symbol: s.Symbol, Formula: s.Formula, Numbers: s.Numbers, Result: s.Result, Value: s.Value, Note: s.Note, Verdict: formula.Verdict(s.Verdict)})
			}
		}
	}
	return all
}

// checkStep evaluates the printed text of a step, as a reader with a calculator would, and compares the result with
// the printed result.
func checkStep[T formula.Number[T]](t *testing.T, s formula.Step) {
	t.Helper()
	if err := formula.Check[T](s); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc([]string{s.Numbers, s.Result}, hasMinusZero) {
		t.Fatalf("%+v: 0 has a sign", s)
	}
	if v := s.Value; v != nil && !slices.Contains(textsOf(v), s.Result) {
		t.Fatalf("%+v: the value %v is printed as %s", s, v, s.Result)
	}
}

// hasMinusZero reports whether text contains -0.
func hasMinusZero(text string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("(), |", r) }), "-0")
}

// textsOf returns the texts that a document may print for the value v: with few digits or with more.
func textsOf(v any) []string {
	var texts []string
	for digits := formula.Readable; digits <= formula.AllDigits; digits++ {
		texts = append(texts, textOf(v, digits))
	}
	return texts
}

func textOf(v any, digits int) string {
	switch v := v.(type) {
	case float64:
		return formula.Float(v).Text(digits)
	case *big.Int:
		return v.String()
	case []any:
		return "(" + textOf(v[0], digits) + ", " + textOf(v[1], digits) + ", " + textOf(v[2], digits) + ")"
	}
	return "?"
}

// TestEquationsHold evaluates every equation and relation, with the printed numbers, for some pixels of each
// shipped scene. With more effort, it tests more pixels.
func TestEquationsHold(t *testing.T) {
	all := 0
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		prepared, err := pillbox.Prepare(s, opt.Picture)
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(prepared)
		rng := rand.New(rand.NewPCG(5, 5))
		for i := range effort.Of(1, 12, 100) {
			p := image.Pt(rng.IntN(tracer.prepared.Size.X), rng.IntN(tracer.prepared.Size.Y))
			x, err := tracer.Pixel(p)
			if err != nil {
				t.Fatal(err)
			}
			steps := x.Document(Verbose - Detail(i%3)).steps()
			if i%4 == 0 {
				seg := geom.Segment{A: x.Samples[0].Ray.Origin, B: shapetest.Cube(rng, 4)}
				steps = append(steps, tracer.Segment(seg).Document(Verbose).steps()...)
			}
			for _, step := range steps {
				checkStep[formula.Float](t, step)
			}
			all += len(steps)
		}
	})
	t.Logf("%d steps", all)
}

// TestEquationsOfHardRaysHold evaluates the equations of rays that graze random solids, and of segments.
func TestEquationsOfHardRaysHold(t *testing.T) {
	for i := range effort.Of(100, 2000, 100_000) {
		rng := rand.New(rand.NewPCG(6, uint64(i)))
		s := shapetest.Solid(rng)
		r := shapetest.Ray(rng, s)
		d, c := derive.Roots(r, s)
		if c.OK {
			d.Know("t", formula.Real(c.Near), "")
			derive.Of(s).Normal(d, derive.End{Root: "t", Normal: "n", Part: c.NearPart})
		}
		touching, _ := derive.Touches(geom.Segment{A: r.Origin, B: r.At(shapetest.Uniform(rng, 0, 20))}, s)
		for _, step := range slices.Concat(d.Steps(), touching.Steps()) {
			checkStep[formula.Float](t, step)
		}
	}
}

func TestEquationsOfCapsulesHold(t *testing.T) {
	for i := range effort.Of(60, 1000, 30_000) {
		rng := rand.New(rand.NewPCG(10, uint64(i)))
		a, b := randomDecimal(rng), randomDecimal(rng)
		x, err := Capsules([2]string{"a", "b"}, a, b)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range x.Document(Usual).steps() {
			checkStep[formula.Integer](t, step)
		}
	}
}

// derived returns the last value of symbol in steps. If the value is a number, derived returns it as X.
func derived(t *testing.T, steps []formula.Step, symbol string) geom.Vec3 {
	t.Helper()
	for _, s := range slices.Backward(steps) {
		if s.Symbol != symbol {
			continue
		}
		switch v := s.Value.(type) {
		case float64:
			return geom.Vec3{X: v}
		case []any:
			return geom.Vec3{X: v[0].(float64), Y: v[1].(float64), Z: v[2].(float64)}
		}
	}
	t.Fatalf("%q is not derived in %+v", symbol, steps)
	return geom.Vec3{}
}

func asVector(c shade.Color) geom.Vec3 { return geom.Vec3{X: c.R, Y: c.G, Z: c.B} }

// TestDerivationsEqualTrace compares the rays, roots, points, normals, lights and colors in derivations with those
// of the renderer.
func TestDerivationsEqualTrace(t *testing.T) {
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		checkDerivations(t, s, opt, effort.Of(3, 12, 100))
	})
	for i := range effort.Of(6, 40, 300) {
		s := randomScene(rand.New(rand.NewPCG(1, uint64(i))))
		t.Run(s.Name, func(t *testing.T) { checkDerivations(t, s, pillbox.Options{}, 8) })
	}
}

// checkDerivations compares the derivations of the given number of pixels with what the renderer computed.
func checkDerivations(t *testing.T, s *scene.Scene, opt pillbox.Options, pixels int) {
	prepared, err := pillbox.Prepare(s, opt.Picture)
	if err != nil {
		t.Fatal(err)
	}
	tracer := New(prepared)
	rng := rand.New(rand.NewPCG(11, 11))
	for range pixels {
		x, err := tracer.Pixel(image.Pt(rng.IntN(tracer.prepared.Size.X), rng.IntN(tracer.prepared.Size.Y)))
		if err != nil {
			t.Fatal(err)
		}
		want := func(what string, got, want geom.Vec3) {
			t.Helper()
			if got != want {
				t.Fatalf("pixel %v: %s is derived as %v, traced %v", x.At, what, got, want)
			}
		}
		sample := &x.Samples[rng.IntN(len(x.Samples))]
		camera := tracer.cameraSteps(x, sample)
		want("o", derived(t, camera, "o"), sample.Ray.Origin)
		want("d", derived(t, camera, "d"), sample.Ray.Dir)
		if x.Seen > 0 {
			want("c", derived(t, tracer.averageSteps(x), "c"), asVector(x.Linear))
		}
		for q := sample.traced(); q != nil; q = q.Mirror {
			checkPath(t, tracer, q, want)
		}
	}
}

func checkPath(t *testing.T, tracer *Tracer, q *follow.Path, want func(what string, got, want geom.Vec3)) {
	t.Helper()
	kind := cameraRay
	if q.Depth > 0 {
		kind = mirrorRay
	}
	checkTests(t, tracer, &q.SecondaryRay, kind, &q.Traversal, want)
	if q.Hit.Object == accel.None {
		if q.Seen {
			want("background", derived(t, tracer.backgroundSteps(q), "color"), asVector(q.Color))
		}
		return
	}
	surface := tracer.surfaceSteps(q)
	want("p", derived(t, surface, "p"), q.Hit.Point)
	want("n", derived(t, surface, "n"), q.Hit.Normal)
	want("N", derived(t, surface, "N"), q.Normal)
	for i := range q.Lights {
		a := &q.Lights[i]
		steps := tracer.lightSteps(q, a)
		want("L", derived(t, steps, "L"), a.Dir)
		want("cos", derived(t, steps, "cos"), geom.Vec3{X: a.Cos})
		if a.Light.IsSpot() && a.Visibility.Arrives() {
			want("share", derived(t, steps, "share"), geom.Vec3{X: a.Share})
		}
		if a.Visibility.Arrives() {
			want("E", derived(t, steps, "E"+string(rune('0'+a.Index))), asVector(a.Irradiance))
		}
		if a.Traversal != nil {
			from := q.SpawnRay(a.Dir)
			checkTests(t, tracer, &from, shadowRay, a.Traversal, want)
		}
	}
	color := tracer.colorSteps(q)
	want("E", derived(t, color, "E"), asVector(q.Irradiance))
	want("matte", derived(t, color, "matte"), asVector(q.Matte))
	want("color", derived(t, color, "color"), asVector(q.Color))
	if q.Mirror != nil {
		want("mirror direction", derived(t, mirrorSteps(q), "d"), q.Mirror.Ray.Dir)
	}
}

// checkTests compares the derived roots and verdicts with those of the traversal of the tree.
func checkTests(t *testing.T, tracer *Tracer, from *accel.SecondaryRay, kind rayKind, traversal *follow.Traversal, want func(what string, got, want geom.Vec3)) {
	t.Helper()
	for _, step := range traversal.Steps {
		s := step.Solid
		if s == nil {
			continue
		}
		steps := tracer.test(from, kind, s)
		accepts := slices.ContainsFunc(steps, func(s formula.Step) bool { return s.Verdict == formula.Accepts })
		if accepts != (s.Outcome == accel.Accepted) {
			t.Fatalf("%+v: told as %+v", s, steps)
		}
		if s.Outcome == accel.Missed {
			continue
		}
		want("t_near", derived(t, steps, "t_near"), geom.Vec3{X: s.Near})
		want("t_far", derived(t, steps, "t_far"), geom.Vec3{X: s.Far})
		for _, step := range steps {
			if step.Verdict != "" && !strings.HasPrefix(step.Note, string(step.Verdict)+": ") {
				t.Fatalf("%+v does not say its verdict", step)
			}
		}
	}
}
