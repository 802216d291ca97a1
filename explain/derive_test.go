package explain

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/shapes"
)

func uniform(rng *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }

func logUniform(rng *rand.Rand, lo, hi float64) float64 {
	return math.Exp(uniform(rng, math.Log(lo), math.Log(hi)))
}

func cube(rng *rand.Rand, half float64) geom.Vec3 {
	return geom.Vec3{X: uniform(rng, -half, half), Y: uniform(rng, -half, half), Z: uniform(rng, -half, half)}
}

func direction(rng *rand.Rand) geom.Vec3 {
	for {
		if d, ok := geom.Direction(cube(rng, 1)); ok {
			return d
		}
	}
}

// randomSolid returns a solid of size about 1 around the origin, with degenerate ones among
// them.
func randomSolid(rng *rand.Rand) shapes.Shape {
	size := func() float64 { return logUniform(rng, 0.1, 10) }
	switch rng.IntN(3) {
	case 0:
		return &shapes.Sphere{Center: cube(rng, 1), Radius: size()}
	case 1:
		a := cube(rng, 1)
		c := &shapes.Capsule{A: a, B: a.AddScaled(logUniform(rng, 1e-3, 10), direction(rng)), Radius: size()}
		switch rng.IntN(6) {
		case 0:
			c.B = c.A
		case 1:
			c.B = c.A.Add(geom.Vec3{Y: 2})
		}
		return c
	}
	b := &shapes.Box{Center: cube(rng, 1), HalfExtents: geom.Vec3{X: size(), Y: size(), Z: size()}, Rotation: geom.Identity()}
	if rng.IntN(3) > 0 {
		b.Rotation, _ = geom.RotationQuaternion(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	} else {
		b.Center = geom.Vec3{}
	}
	return b
}

// randomRay returns a ray that mostly has to do with the solid: through it, grazing it,
// along its axes and faces, from outside and from within.
func randomRay(rng *rand.Rand, s shapes.Shape) geom.Ray {
	b := s.Bounds()
	target := b.Center().Add(cube(rng, 0.6*b.Size().Norm()))
	d := direction(rng)
	switch rng.IntN(4) {
	case 0:
		d, _ = geom.Direction(geom.Vec3{X: float64(rng.IntN(3) - 1), Y: float64(rng.IntN(3) - 1), Z: 1})
	case 1:
		if c, ok := s.(*shapes.Capsule); ok {
			if u, ok := geom.Direction(c.B.Sub(c.A)); ok {
				d = u
			}
		}
	}
	switch s := s.(type) {
	case *shapes.Box:
		if rng.IntN(2) == 0 { // through a face, an edge or a corner
			h := s.HalfExtents
			side := func() float64 { return float64(rng.IntN(3) - 1) }
			target = s.Center.Add(s.Rotation.MulVec(geom.Vec3{X: h.X * side(), Y: h.Y * side(), Z: h.Z * side()}))
		}
	case *shapes.Capsule:
		if rng.IntN(2) == 0 {
			target = geom.Segment{A: s.A, B: s.B}.At(rng.Float64()).AddScaled(s.Radius, direction(rng))
		}
	case *shapes.Sphere:
		if rng.IntN(2) == 0 {
			target = s.Center.AddScaled(s.Radius, direction(rng))
		}
	}
	if rng.IntN(8) == 0 { // straight over the top, which often comes out as a touch
		top := func(center geom.Vec3, radius float64) {
			d, target = geom.Vec3{Z: 1}, center.Add(geom.Vec3{Y: radius})
		}
		switch s := s.(type) {
		case *shapes.Capsule:
			top(s.A, s.Radius)
		case *shapes.Sphere:
			top(s.Center, s.Radius)
		}
	}
	far := []float64{20, 20, 20, 1e6}[rng.IntN(4)]
	return geom.Ray{Origin: target.AddScaled(uniform(rng, -far, far/4), d), Dir: d}
}

// often returns how often a random test runs: the second number with -long.
func often(usual, thorough int) int {
	if *long {
		return thorough
	}
	return usual
}

// TestDerivationsEqualShapes holds roots and normals to the bits of package shapes.
func TestDerivationsEqualShapes(t *testing.T) {
	count := map[string]int{}
	for i := range often(40_000, 2_000_000) {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		s := randomSolid(rng)
		r := randomRay(rng, s)
		d := rayDerivation(r)
		d.silent = true
		c := lineChord(d, s)
		span, ok := s.Span(r)
		if c.ok != ok || ok && (c.near != span.Near.T || c.far != span.Far.T) {
			t.Fatalf("seed %d: %#v of %#v: chord %+v, Span %+v, %v", i, r, s, c, span, ok)
		}
		for _, what := range situations(d, c) {
			count[fmt.Sprintf("%T %s", s, what)]++
		}
		if !ok {
			continue
		}
		for _, end := range []struct {
			hit    shapes.Hit
			inside bool
		}{{span.Near, false}, {span.Far, true}} {
			d.know("t", real(end.hit.T))
			if n := surfaceNormal(d, s, c, end.inside); n != end.hit.Normal {
				t.Fatalf("seed %d: %#v of %#v: normal %v, Span %+v", i, r, s, n, span)
			}
		}
	}
	wantAll(t, count,
		"*shapes.Sphere missed", "*shapes.Sphere hit", "*shapes.Sphere tangent",
		"*shapes.Capsule missed", "*shapes.Capsule hit", "*shapes.Capsule tangent", "*shapes.Capsule parallel", "*shapes.Capsule over a seam",
		"*shapes.Box missed", "*shapes.Box hit", "*shapes.Box tangent", "*shapes.Box parallel", "*shapes.Box over a seam")
}

// situations names what there is to a chord.
func situations(d *derivation[float], c chord) []string {
	var all []string
	_, isCapsule := d.values["a"]
	_, isBox := d.values["d'"]
	if isCapsule && d.holds("a < parallel²") || isBox && (d.holds("d'.x = 0") || d.holds("d'.y = 0") || d.holds("d'.z = 0")) {
		all = append(all, "parallel")
	}
	switch {
	case !c.ok:
		return append(all, "missed")
	case c.near == c.far:
		return append(all, "tangent")
	case c.nearPart != c.farPart:
		all = append(all, "over a seam")
	}
	return append(all, "hit")
}

// wantAll looks for cases that a test has lost.
func wantAll(t *testing.T, count map[string]int, cases ...string) {
	t.Helper()
	for _, c := range cases {
		if count[c] == 0 {
			t.Errorf("never %s, of %v", c, count)
		}
	}
}

// TestCapsuleIntervalsUnite checks that the chord of a capsule is the union of the intervals
// that are told: of the body, which ends where a height is 0 or L, and of both balls.
func TestCapsuleIntervalsUnite(t *testing.T) {
	united := 0
	for i := range often(20_000, 1_000_000) {
		rng := rand.New(rand.NewPCG(12, uint64(i)))
		a := cube(rng, 1)
		c := &shapes.Capsule{A: a, B: a.AddScaled(uniform(rng, 0.5, 5), direction(rng)), Radius: uniform(rng, 0.3, 2)}
		target := geom.Segment{A: c.A, B: c.B}.At(uniform(rng, -0.3, 1.3)).Add(cube(rng, 0.8*c.Radius))
		d := rayDerivation(geom.Ray{Origin: target, Dir: direction(rng)})
		d.silent = true
		lineChord(d, c)
		if _, ok := d.values["body_near"]; !ok {
			continue
		}
		united++
		get := func(symbol string, otherwise float64) float64 {
			if v, ok := d.values[symbol]; ok {
				return float64(v.x[0])
			}
			return otherwise
		}
		const slack = 1e-6 // rounding is magnified where the line runs along the axis
		first := min(get("body_near", 0), get("near_A", math.Inf(1)), get("near_B", math.Inf(1)))
		last := max(get("body_far", 0), get("far_A", math.Inf(-1)), get("far_B", math.Inf(-1)))
		if math.Abs(first-get("t_near", 0)) > slack || math.Abs(last-get("t_far", 0)) > slack {
			t.Fatalf("seed %d: the union is %v to %v, of %v", i, first, last, d.values)
		}
		for _, side := range []string{"near", "far"} {
			height := get("y", 0) + get("body_"+side, 0)*get("dy", 0)
			if height < -slack || height > get("L", 0)+slack {
				t.Fatalf("seed %d: the body ends at the height %v, of %v", i, height, d.values)
			}
		}
	}
	if united < 1000 {
		t.Errorf("only %d lines through a body: the test has lost its point", united)
	}
}

// TestTouchesEqualShapes holds the segment test to that of package shapes.
func TestTouchesEqualShapes(t *testing.T) {
	count := map[string]int{}
	for i := range often(20_000, 1_000_000) {
		rng := rand.New(rand.NewPCG(8, uint64(i)))
		s := randomSolid(rng)
		r := randomRay(rng, s)
		seg := geom.Segment{A: r.At(uniform(rng, 0, 20)), B: r.At(uniform(rng, 0, 20))}
		switch rng.IntN(8) {
		case 0:
			seg.B = seg.A
		case 1:
			if c, ok := s.(*shapes.Capsule); ok { // parallel to the axis
				seg.B = seg.A.Add(c.B.Sub(c.A))
			}
		}
		d := newDerivation[float]()
		d.silent = true
		if got, want := touches(d, s, seg), s.Touches(seg); got != want {
			t.Fatalf("seed %d: %#v and %#v: %v, want %v", i, s, seg, got, want)
		}
		count[fmt.Sprintf("%T %s", s, touchText(s.Touches(seg)))]++
		if seg.A == seg.B {
			count["a point"]++
		}
		if n, ok := d.values["n"]; ok && vec3(n) == (geom.Vec3{}) && seg.A != seg.B {
			count["parallel"]++
		}
	}
	wantAll(t, count, "*shapes.Sphere touched", "*shapes.Sphere not touched", "*shapes.Capsule touched", "*shapes.Capsule not touched",
		"*shapes.Box touched", "*shapes.Box not touched", "a point", "parallel")
}

// TestPerpendicularMeetsAxis looks at what is said of the common perpendicular of a segment and
// the axis of a capsule, which it may meet at an end.
func TestPerpendicularMeetsAxis(t *testing.T) {
	capsule := &shapes.Capsule{B: geom.Vec3{Y: 1}, Radius: 0.5}
	for height, between := range map[float64]bool{-1: false, 0: false, 0.25: true, 1: false, 2: false} {
		d := newDerivation[float]()
		touches(d, capsule, geom.Segment{A: geom.Vec3{X: -2, Y: height}, B: geom.Vec3{X: 2, Y: height}})
		if got := float64(d.scalar("t")); got != height {
			t.Fatalf("t = %v, want %v", got, height)
		}
		said := slices.ContainsFunc(d.steps, func(s Step) bool {
			return s.Note == "The common perpendicular does not meet the axis between its ends: the ends decide."
		})
		misses := slices.ContainsFunc(d.steps, func(s Step) bool { return strings.Contains(s.Note, "misses") })
		if said == between || misses {
			t.Errorf("t = %v: does not meet it between its ends: %v; misses it: %v", height, said, misses)
		}
	}
}

// TestRelateEqualsExact holds the integer test to that of package exact.
func TestRelateEqualsExact(t *testing.T) {
	count := map[string]int{}
	for i := range often(10_000, 200_000) {
		rng := rand.New(rand.NewPCG(9, uint64(i)))
		a, b := randomDecimal(rng), randomDecimal(rng)
		if rng.IntN(4) == 0 {
			for k := range 3 {
				b.Q[k] = b.P[k] + a.Q[k] - a.P[k]
			}
		}
		x, err := Capsules([2]string{"a", "b"}, a, b)
		if err != nil {
			t.Fatal(err)
		}
		d := newDerivation[whole]()
		d.silent = true
		if got := relate(d, x.Whole[0], x.Whole[1]); got != x.Relation {
			t.Fatalf("seed %d: %v and %v: %v, want %v", i, a, b, got, x.Relation)
		}
		for k, c := range x.Decimals {
			scale := new(big.Rat).SetInt(x.Whole[k].R)
			power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(x.Exponent, -x.Exponent))), nil))
			if x.Exponent < 0 {
				power.Inv(power)
			}
			want, _ := new(big.Rat).SetString(fmt.Sprint(c.R))
			if scale.Mul(scale, power).Cmp(want) != 0 {
				t.Fatalf("seed %d: %v of %v times 10^%d is not %v", i, x.Whole[k].R, c, x.Exponent, c.R)
			}
		}
		count[x.Relation.String()]++
		if d.holds("D = 0") {
			count["parallel"]++
		}
		if _, ok := d.values["h"]; ok {
			count["between the lines"]++
		}
	}
	wantAll(t, count, "apart", "touching", "overlapping", "parallel", "between the lines")
}

// randomDecimal returns a capsule of few digits, so that axes of two meet, run parallel, and
// capsules touch.
func randomDecimal(rng *rand.Rand) exact.Decimal3 {
	digits := math.Pow(10, float64(rng.IntN(3)))
	number := func(most int) float64 { return float64(rng.IntN(2*most+1)-most) / digits }
	point := func() [3]float64 { return [3]float64{number(4), number(4), number(1)} }
	return exact.Decimal3{P: point(), Q: point(), R: math.Abs(number(3))}
}
