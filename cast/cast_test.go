package cast_test

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox"
	"pillbox/cast"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/scene"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// solids holds the solids of a test scene, by kind.
type solids struct {
	spheres   []shapes.Sphere
	capsules  []shapes.Capsule
	boxes     []shapes.Box
	cylinders []shapes.Cylinder
}

func (s *solids) world() *pillbox.Prepared {
	sc := scene.New()
	sc.Spheres, sc.Capsules, sc.Boxes, sc.Cylinders = s.spheres, s.capsules, s.boxes, s.cylinders
	sc.Objects = scene.NewObjects(make([]scene.Object, len(s.all()))...)
	p, err := pillbox.Prepare(sc, pillbox.Picture{})
	if err != nil {
		panic(err)
	}
	return p
}

// all returns the solids in the order of their object numbers.
func (s *solids) all() []shapes.Shape {
	var all []shapes.Shape
	for i := range s.spheres {
		all = append(all, &s.spheres[i])
	}
	for i := range s.capsules {
		all = append(all, &s.capsules[i])
	}
	for i := range s.boxes {
		all = append(all, &s.boxes[i])
	}
	for i := range s.cylinders {
		all = append(all, &s.cylinders[i])
	}
	return all
}

// scatter returns n random solids with centers in a cube of half edge 10.
func scatter(rng *rand.Rand, n int) *solids {
	var s solids
	for range n {
		c, r := shapetest.Cube(rng, 10), shapetest.LogUniform(rng, 0.1, 2)
		switch rng.IntN(5) {
		case 0:
			s.spheres = append(s.spheres, shapes.Sphere{Center: c, Radius: r})
		case 1:
			s.capsules = append(s.capsules, shapes.Capsule{A: c, B: c.Add(shapetest.Cube(rng, 3*r)), Radius: r})
		case 2:
			s.boxes = append(s.boxes, shapes.Box{Center: c, HalfExtents: geom.Vec3{X: r, Y: r / 2, Z: r / 3}, Rotation: shapetest.Rotation(rng)})
		case 3: // on a lattice, so that faces coincide
			c = geom.Vec3{X: math.Round(c.X), Y: math.Round(c.Y), Z: math.Round(c.Z)}
			s.boxes = append(s.boxes, shapes.Box{Center: c, HalfExtents: geom.Vec3{X: 0.5, Y: 0.5, Z: 0.5}, Rotation: geom.Identity()})
		case 4:
			s.cylinders = append(s.cylinders, shapes.Cylinder{A: c, B: c.AddScaled(shapetest.LogUniform(rng, 0.1, 3), shapetest.Direction(rng)), Radius: r})
		}
	}
	return &s
}

// twoPoints returns two random points: anywhere, on surfaces or on a lattice. Sometimes they are the same point.
func twoPoints(rng *rand.Rand, all []shapes.Shape) (a, b geom.Vec3) {
	point := func() geom.Vec3 {
		switch p := shapetest.Cube(rng, 12); rng.IntN(3) {
		case 0:
			return p
		case 1:
			return geom.Vec3{X: math.Round(p.X), Y: math.Round(p.Y), Z: math.Round(2*p.Z) / 2}
		}
		return shapetest.GrazingPoint(rng, all[rng.IntN(len(all))])
	}
	a, b = point(), point()
	if rng.IntN(20) == 0 {
		b = a
	}
	return a, b
}

// TestCastEqualsShapes compares the hits that each kind of query finds in a scene with the hits that package
// shapes computes for each solid alone.
func TestCastEqualsShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	crossings := 0
	for range 30 {
		s := scatter(rng, 40)
		w, all := s.world(), s.all()
		for range 200 {
			a, b := twoPoints(rng, all)
			along := b.Sub(a).Scale(math.Ldexp(1, rng.IntN(100)-50))
			for q, want := range map[cast.Query][]cast.Hit{
				cast.First: crossed(all, a, along, ahead, 1), cast.Ahead: crossed(all, a, along, ahead, math.MaxInt), cast.Line: crossed(all, a, along, everywhere, math.MaxInt),
			} {
				got, err := cast.Cast(w, q, a, along, nil)
				if errors.Is(err, cast.ErrNoDirection) != (along == geom.Vec3{}) {
					t.Fatalf("query %d of %v along %v: %v", q, a, along, err)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("query %d of %v along %v:\n%+v, want\n%+v", q, a, along, got, want)
				}
				crossings += len(got)
			}
			checkSegment(t, w, all, geom.Segment{A: a, B: b})
		}
	}
	if crossings < 10_000 {
		t.Errorf("only %d crossings", crossings)
	}
}

func ahead(t float64) bool    { return t > 0 }
func everywhere(float64) bool { return true }

// crossed returns the hits of a line with the solids in all, nearest first. The line passes through the point
// from, in the direction along. The result contains only hits at distances for which wanted returns true, and at
// most the number of hits in most.
func crossed(all []shapes.Shape, from, along geom.Vec3, wanted func(float64) bool, most int) []cast.Hit {
	var hits []cast.Hit
	r, ok := geom.Toward(from, along)
	for i, s := range all {
		span, met := s.Span(r)
		if !ok || !met {
			continue
		}
		hit := func(h shapes.Hit, inside bool) {
			if wanted(h.T) {
				hits = append(hits, cast.Hit{T: h.T, Point: r.At(h.T), Normal: h.Normal, Object: int32(i), Inside: inside})
			}
		}
		hit(span.Near, false)
		if shapes.Crossings(s, r) == 2 {
			hit(span.Far, true)
		}
	}
	slices.SortStableFunc(hits, func(a, b cast.Hit) int { return cmp.Compare(a.T, b.T) })
	return hits[:min(len(hits), most)]
}

// checkSegment runs the queries Segment and Through for the segment s. It compares the hits with those that
// package shapes computes for each solid alone.
func checkSegment(t *testing.T, w *pillbox.Prepared, all []shapes.Shape, s geom.Segment) {
	t.Helper()
	got, _ := cast.Cast(w, cast.Through, s.A, s.B, nil)
	first, _ := cast.Cast(w, cast.Segment, s.A, s.B, nil)
	if !slices.Equal(first, got[:min(1, len(got))]) {
		t.Fatalf("%v meets %+v first, but in all %+v", s, first, got)
	}
	if !slices.IsSortedFunc(got, func(a, b cast.Hit) int { return cmp.Compare(a.T, b.T) }) {
		t.Fatalf("%v: not in order: %+v", s, got)
	}
	seen := make(map[int32][]cast.Hit)
	for _, h := range got {
		seen[h.Object] = append(seen[h.Object], h)
		if h.Touches != all[h.Object].Touches(s) {
			t.Fatalf("%v: %+v, but Touches says otherwise", s, h)
		}
		if isNone := math.IsInf(h.T, 1); isNone && !(h.Touches && h.Inside) || !isNone && !(0 <= h.T && h.T <= 1) {
			t.Fatalf("%v: %+v", s, h)
		}
	}
	r, ok := geom.Toward(s.A, s.B.Sub(s.A))
	for i, shape := range all {
		hits := seen[int32(i)]
		if shape.Touches(s) && len(hits) == 0 {
			t.Fatalf("%v touches %+v, which is not met", s, shape)
		}
		if !ok {
			continue
		}
		span, met := shape.Span(r)
		for _, end := range []shapes.Hit{span.Near, span.Far} {
			within := met && 0 <= end.T && end.T <= s.Length()
			if within && !slices.ContainsFunc(hits, func(h cast.Hit) bool { return h.T == end.T/s.Length() && h.Normal == end.Normal }) {
				t.Fatalf("%v crosses %+v at %v, which is not met: %+v", s, shape, end, hits)
			}
		}
	}
}

// TestCastSegmentEnds checks that both ends belong to a segment, and that a segment inside a solid touches the
// solid without crossing its surface.
func TestCastSegmentEnds(t *testing.T) {
	w := (&solids{spheres: []shapes.Sphere{{Center: geom.Vec3{X: 5}, Radius: 1}}, boxes: []shapes.Box{{Center: geom.Vec3{X: 2, Y: 1, Z: 1}, HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}}}).world()
	const ball, box = 0, 1
	none := math.Inf(1)
	// The length of a segment is rounded, and so are fractions of it.
	equal := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 0x1p-50 }
	for _, c := range []struct {
		a, b   geom.Vec3
		object int32
		t      []float64
	}{
		{geom.Vec3{}, geom.Vec3{X: 3.9, Y: -0.5}, accel.None, nil},
		{geom.Vec3{X: 3.5, Y: -1}, geom.Vec3{X: 3.5, Y: 3}, accel.None, nil},
		{geom.Vec3{X: 3.5}, geom.Vec3{X: 4}, ball, []float64{1}},
		{geom.Vec3{X: 4}, geom.Vec3{X: 3.5}, ball, []float64{0}},
		{geom.Vec3{X: 4.5}, geom.Vec3{X: 5.5}, ball, []float64{none}},
		{geom.Vec3{X: 5}, geom.Vec3{X: 5}, ball, []float64{none}},
		{geom.Vec3{X: 4}, geom.Vec3{X: 4}, ball, []float64{none}},
		{geom.Vec3{X: 3.5}, geom.Vec3{X: 7.5}, ball, []float64{0.125, 0.625}},
		{geom.Vec3{X: 5, Y: -1, Z: 1}, geom.Vec3{X: 5, Y: 1, Z: 1}, ball, []float64{0.5}}, // touches
		{geom.Vec3{X: -1, Y: -1, Z: -1}, geom.Vec3{X: 1, Y: 1, Z: 1}, box, []float64{1}},
	} {
		hits, err := cast.Cast(w, cast.Through, c.a, c.b, nil)
		var got []float64
		for _, h := range hits {
			if h.Object != c.object || !h.Touches {
				t.Errorf("%v to %v: %+v, want solid %d touched", c.a, c.b, h, c.object)
			}
			got = append(got, h.T)
		}
		if err != nil || !slices.EqualFunc(got, c.t, equal) {
			t.Errorf("%v to %v: %v, %v, want %v", c.a, c.b, got, err, c.t)
		}
	}
}

// TestCastOrdersTies checks that crossings at equal distances are sorted by object number.
func TestCastOrdersTies(t *testing.T) {
	var s solids
	rng := rand.New(rand.NewPCG(33, 34))
	for i := range 60 { // three equal spheres of every radius; all touch the plane x = 5
		r := 1 + float64(i%20)
		s.spheres = append(s.spheres, shapes.Sphere{Center: geom.Vec3{X: 5 + r}, Radius: r})
	}
	rng.Shuffle(len(s.spheres), func(i, j int) { s.spheres[i], s.spheres[j] = s.spheres[j], s.spheres[i] })
	w := s.world()
	for _, q := range []cast.Query{cast.Ahead, cast.Line, cast.Through} {
		hits, err := cast.Cast(w, q, geom.Vec3{}, geom.Vec3{X: 64}, nil)
		if err != nil || len(hits) != 2*len(s.spheres) {
			t.Fatalf("query %d: %d hits, %v", q, len(hits), err)
		}
		if !slices.IsSortedFunc(hits, func(a, b cast.Hit) int {
			return cmp.Or(cmp.Compare(a.T, b.T), cmp.Compare(a.Object, b.Object))
		}) {
			t.Errorf("query %d: %+v", q, hits)
		}
	}
}

// TestCastSegmentEndsOnSurface checks segments that end on a surface. If rounding puts the crossing beyond the end,
// it must count as a crossing at the end.
func TestCastSegmentEndsOnSurface(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	behind := 0
	balls := effort.Of(500, 5000, 50_000)
	for range balls {
		ball := shapes.Sphere{Center: shapetest.Cube(rng, 5), Radius: shapetest.LogUniform(rng, 0.1, 2)}
		from := ball.Center.Add(shapetest.Direction(rng).Scale(ball.Radius * (1.5 + 10*rng.Float64())))
		r, _ := geom.Toward(from, ball.Center.Add(shapetest.Direction(rng).Scale(ball.Radius/2)).Sub(from))
		span, _ := ball.Span(r)
		s := geom.Segment{A: from, B: r.At(span.Near.T)}
		if !ball.Touches(s) {
			continue
		}
		own, _ := geom.Toward(s.A, s.B.Sub(s.A))
		if span, met := ball.Span(own); met && span.Near.T > s.Length() {
			behind++
		}
		hits, err := cast.Cast((&solids{spheres: []shapes.Sphere{ball}}).world(), cast.Through, s.A, s.B, nil)
		if err != nil || len(hits) != 1 || !(hits[0].T <= 1) || !hits[0].Touches || hits[0].Inside {
			t.Fatalf("%v ends on %+v: %+v, %v", s, ball, hits, err)
		}
	}
	if behind < balls/50 {
		t.Errorf("rounding put only %d crossings behind the end", behind)
	}
}

// TestCastAppends checks that Cast appends to the given slice, and returns it unchanged with an error if the
// direction is zero or not finite.
func TestCastAppends(t *testing.T) {
	w := (&solids{spheres: []shapes.Sphere{{Center: geom.Vec3{Z: -5}, Radius: 1}}}).world()
	known := []cast.Hit{{T: 99, Object: 7}}
	for q, want := range map[cast.Query]int{cast.First: 2, cast.Ahead: 3, cast.Line: 3, cast.Segment: 2, cast.Through: 3} {
		got, err := cast.Cast(w, q, geom.Vec3{}, geom.Vec3{Z: -10}, slices.Clone(known))
		if err != nil || len(got) != want || got[0] != known[0] {
			t.Errorf("query %d: %+v, %v, want %d hits", q, got, err, want)
		}
	}
	for _, bad := range []geom.Vec3{{}, {X: math.NaN()}, {Y: math.Inf(1)}} {
		if got, err := cast.Cast(w, cast.First, geom.Vec3{}, bad, known); !errors.Is(err, cast.ErrNoDirection) || len(got) != 1 {
			t.Errorf("along %v: %+v, %v", bad, got, err)
		}
	}
}

// TestCastEqualsExplain checks that the query First returns the hit that the explanation of the ray reports, to the
// bit.
func TestCastEqualsExplain(t *testing.T) {
	s, err := scene.Load("../scenes/demo.toml")
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	w, tracer := prepared, explain.New(prepared)
	rng := rand.New(rand.NewPCG(33, 34))
	met := 0
	for range 10_000 {
		from := shapetest.Cube(rng, 6)
		along := shapetest.Cube(rng, 3).Sub(from).Scale(shapetest.LogUniform(rng, 1e-9, 1e9))
		if rng.IntN(4) == 0 {
			along = along.Unit() // unit vectors are used unchanged
		}
		x, err := tracer.Ray(from, along)
		if err != nil {
			t.Fatal(err)
		}
		got, err := cast.Cast(w, cast.First, from, along, nil)
		var want []cast.Hit
		if x.Hit != nil {
			want = []cast.Hit{{T: x.Hit.T, Point: x.Hit.Point, Normal: x.Hit.Normal, Object: x.Hit.Object, Inside: x.Hit.Inside}}
			met++
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v along %v meets %+v, %v, explained as %+v", from, along, got, err, want)
		}
	}
	if met < 5000 {
		t.Errorf("only %d rays meet something", met)
	}
}
