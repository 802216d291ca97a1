package derive_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestDerivationsEqualShapes compares derived roots and normals with those of package shapes, bit for bit.
func TestDerivationsEqualShapes(t *testing.T) {
	count := map[string]int{}
	for i := range effort.Of(2000, 40_000, 2_000_000) {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		s := shapetest.Solid(rng)
		r := shapetest.Ray(rng, s)
		d := derive.Ray(r)
		d.Silent = true
		c := derive.Of(s).Chord(d)
		span, ok := s.Span(r)
		if c.OK != ok || ok && (c.Near != span.Near.T || c.Far != span.Far.T) {
			t.Fatalf("seed %d: %#v of %#v: chord %+v, Span %+v, %v", i, r, s, c, span, ok)
		}
		for _, what := range situations(d, c) {
			count[fmt.Sprintf("%T %s", s, what)]++
		}
		if !ok {
			continue
		}
		for _, x := range []struct {
			hit  shapes.Hit
			part string
		}{{span.Near, c.NearPart}, {span.Far, c.FarPart}} {
			d.Know("t", formula.Real(x.hit.T), "")
			if n := derive.Of(s).Normal(d, derive.End{Root: "t", Normal: "n", Part: x.part}); n != x.hit.Normal {
				t.Fatalf("seed %d: %#v of %#v: normal %v, Span %+v", i, r, s, n, span)
			}
		}
	}
	wantAll(t, count,
		"*shapes.Sphere missed", "*shapes.Sphere hit", "*shapes.Sphere tangent",
		"*shapes.Capsule missed", "*shapes.Capsule hit", "*shapes.Capsule tangent", "*shapes.Capsule parallel", "*shapes.Capsule over a seam",
		"*shapes.Cylinder missed", "*shapes.Cylinder hit", "*shapes.Cylinder tangent", "*shapes.Cylinder parallel", "*shapes.Cylinder over a seam",
		"*shapes.Box missed", "*shapes.Box hit", "*shapes.Box tangent", "*shapes.Box parallel", "*shapes.Box over a seam")
}

// situations returns the names of the cases that the derivation d of the chord c covers, such as "parallel" and
// "missed".
func situations(d *derive.Derivation, c derive.Chord) []string {
	var all []string
	_, isCapsule := d.Lookup("a")
	_, isBox := d.Lookup("d'")
	if isCapsule && d.Holds("a < parallel²") || isBox && (d.Holds("d'.x = 0") || d.Holds("d'.y = 0") || d.Holds("d'.z = 0")) {
		all = append(all, "parallel")
	}
	switch {
	case !c.OK:
		return append(all, "missed")
	case c.Near == c.Far:
		return append(all, "tangent")
	case c.NearPart != c.FarPart:
		all = append(all, "over a seam")
	}
	return append(all, "hit")
}

// wantAll reports an error for each of the cases with a count of zero.
func wantAll(t *testing.T, count map[string]int, cases ...string) {
	t.Helper()
	for _, c := range cases {
		if count[c] == 0 {
			t.Errorf("never %s, of %v", c, count)
		}
	}
}

// TestCapsuleIntervalsUnite checks the derivation of the interval in which a line is inside a capsule. It must be
// the union of three intervals: those in the balls at both ends, and the one in the body between them.
func TestCapsuleIntervalsUnite(t *testing.T) {
	united := 0
	for i := range effort.Of(1600, 20_000, 1_000_000) {
		rng := rand.New(rand.NewPCG(12, uint64(i)))
		a := shapetest.Cube(rng, 1)
		c := &shapes.Capsule{A: a, B: a.AddScaled(shapetest.Uniform(rng, 0.5, 5), shapetest.Direction(rng)), Radius: shapetest.Uniform(rng, 0.3, 2)}
		target := geom.Segment{A: c.A, B: c.B}.At(shapetest.Uniform(rng, -0.3, 1.3)).Add(shapetest.Cube(rng, 0.8*c.Radius))
		d := derive.Ray(geom.Ray{Origin: target, Dir: shapetest.Direction(rng)})
		d.Silent = true
		derive.Of(c).Chord(d)
		if _, ok := d.Lookup("body_near"); !ok {
			continue
		}
		united++
		get := func(symbol string, otherwise float64) float64 {
			if v, ok := d.Lookup(symbol); ok {
				return float64(v.Part(0))
			}
			return otherwise
		}
		const slack = 1e-6 // rounding errors are large where the line runs along the axis
		first := min(get("body_near", 0), get("near_A", math.Inf(1)), get("near_B", math.Inf(1)))
		last := max(get("body_far", 0), get("far_A", math.Inf(-1)), get("far_B", math.Inf(-1)))
		if math.Abs(first-get("t_near", 0)) > slack || math.Abs(last-get("t_far", 0)) > slack {
			t.Fatalf("seed %d: the union is %v to %v, of %+v", i, first, last, c)
		}
		for _, side := range []string{"near", "far"} {
			height := get("y", 0) + get("body_"+side, 0)*get("dy", 0)
			if height < -slack || height > get("L", 0)+slack {
				t.Fatalf("seed %d: the body ends at the height %v, of %+v", i, height, c)
			}
		}
	}
	if united < 1000 {
		t.Errorf("only %d lines through a body: the test has lost its point", united)
	}
}

// TestTouchesEqualShapes compares the results of the derived test of segments with those of package shapes.
func TestTouchesEqualShapes(t *testing.T) {
	count := map[string]int{}
	for i := range effort.Of(1600, 20_000, 1_000_000) {
		rng := rand.New(rand.NewPCG(8, uint64(i)))
		s := shapetest.Solid(rng)
		r := shapetest.Ray(rng, s)
		seg := geom.Segment{A: r.At(shapetest.Uniform(rng, 0, 20)), B: r.At(shapetest.Uniform(rng, 0, 20))}
		switch rng.IntN(8) {
		case 0:
			seg.B = seg.A
		case 1:
			if c, ok := s.(*shapes.Capsule); ok { // make the segment parallel to the axis
				seg.B = seg.A.Add(c.B.Sub(c.A))
			}
		}
		d := derive.Segment(seg)
		d.Silent = true
		got := derive.Of(s).Touches(d)
		if want := s.Touches(seg); got != want {
			t.Fatalf("seed %d: %#v and %#v: %v, want %v", i, s, seg, got, want)
		}
		count[fmt.Sprintf("%T touched: %v", s, got)]++
		if seg.A == seg.B {
			count["a point"]++
		}
		if n, ok := d.Lookup("n"); ok && formula.Vec3(n) == (geom.Vec3{}) && seg.A != seg.B {
			count["parallel"]++
		}
	}
	wantAll(t, count, "*shapes.Sphere touched: true", "*shapes.Sphere touched: false", "*shapes.Capsule touched: true", "*shapes.Capsule touched: false",
		"*shapes.Box touched: true", "*shapes.Box touched: false", "a point", "parallel")
}

// TestPerpendicularMeetsAxis checks the derivation of the common perpendicular of a segment and a capsule's axis,
// also if it meets the axis at an end.
func TestPerpendicularMeetsAxis(t *testing.T) {
	capsule := &shapes.Capsule{B: geom.Vec3{Y: 1}, Radius: 0.5}
	for height, between := range map[float64]bool{-1: false, 0: false, 0.25: true, 1: false, 2: false} {
		d, _ := derive.Touches(geom.Segment{A: geom.Vec3{X: -2, Y: height}, B: geom.Vec3{X: 2, Y: height}}, capsule)
		if got := float64(d.Scalar("t")); got != height {
			t.Fatalf("t = %v, want %v", got, height)
		}
		said := slices.ContainsFunc(d.Steps(), func(s formula.Step) bool {
			return s.Note == "The common perpendicular does not meet the axis between its ends: the ends decide."
		})
		misses := slices.ContainsFunc(d.Steps(), func(s formula.Step) bool { return strings.Contains(s.Note, "misses") })
		if said == between || misses {
			t.Errorf("t = %v: does not meet it between its ends: %v; misses it: %v", height, said, misses)
		}
	}
}

// TestCapsulesEqualExact compares the results of the derived test of two capsules with those of package exact.
func TestCapsulesEqualExact(t *testing.T) {
	count := map[string]int{}
	for i := range effort.Of(200, 4000, 200_000) {
		rng := rand.New(rand.NewPCG(9, uint64(i)))
		a, b := randomDecimal(rng), randomDecimal(rng)
		if rng.IntN(4) == 0 {
			for k := range 3 {
				b.Q[k] = b.P[k] + a.Q[k] - a.P[k]
			}
		}
		want := exact.RelateDecimal3(a, b)
		d, got := derive.Capsules(exact.Common3(a, b))
		if got != want {
			t.Fatalf("seed %d: %v and %v: %v, want %v", i, a, b, got, want)
		}
		count[got.String()]++
		if d.Holds("D = 0") {
			count["parallel"]++
		}
		if _, ok := d.Lookup("h"); ok {
			count["between the lines"]++
		}
	}
	wantAll(t, count, "apart", "touching", "overlapping", "parallel", "between the lines")
}

// randomDecimal returns a capsule whose numbers have few digits. Among random pairs of such capsules, many axes
// intersect or are parallel, and many capsules touch.
func randomDecimal(rng *rand.Rand) exact.Decimal3 {
	digits := math.Pow(10, float64(rng.IntN(3)))
	number := func(most int) float64 { return float64(rng.IntN(2*most+1)-most) / digits }
	point := func() [3]float64 { return [3]float64{number(4), number(4), number(1)} }
	return exact.Decimal3{P: point(), Q: point(), R: math.Abs(number(3))}
}
