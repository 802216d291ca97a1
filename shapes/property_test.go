package shapes_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
)

// mapped returns s with f applied to its points and directions, and with its points and sizes multiplied by scale.
func mapped(s validated, scale float64, f func(geom.Vec3) geom.Vec3) validated {
	switch s := s.(type) {
	case *shapes.Sphere:
		return &shapes.Sphere{Center: f(s.Center).Scale(scale), Radius: s.Radius * scale}
	case *shapes.Capsule:
		return &shapes.Capsule{A: f(s.A).Scale(scale), B: f(s.B).Scale(scale), Radius: s.Radius * scale}
	case *shapes.Cylinder:
		return &shapes.Cylinder{A: f(s.A).Scale(scale), B: f(s.B).Scale(scale), Radius: s.Radius * scale}
	case *shapes.Box:
		m := geom.Mat3{X: f(s.Rotation.X), Y: f(s.Rotation.Y), Z: f(s.Rotation.Z)}
		return &shapes.Box{Center: f(s.Center).Scale(scale), HalfExtents: s.HalfExtents.Scale(scale), Rotation: m}
	}
	panic("no such solid")
}

// checkMapped maps s, r and seg with f and scale. It checks that the spans, touches and bounds of the mapped s, r
// and seg equal the mapped results for the original ones, to the bit.
func checkMapped(t *testing.T, s validated, r geom.Ray, seg geom.Segment, scale float64, f func(geom.Vec3) geom.Vec3) {
	t.Helper()
	moved := mapped(s, scale, f)
	movedRay := geom.Ray{Origin: f(r.Origin).Scale(scale), Dir: f(r.Dir)}
	want, wantOK := s.Span(r)
	for _, h := range []*shapes.Hit{&want.Near, &want.Far} {
		h.T *= scale
		h.Normal = f(h.Normal)
	}
	if got, ok := moved.Span(movedRay); ok != wantOK || got != want {
		t.Errorf("%#v, %#v mapped: Span = %+v, %v, want %+v, %v", s, r, got, ok, want, wantOK)
	}
	movedSeg := geom.Segment{A: f(seg.A).Scale(scale), B: f(seg.B).Scale(scale)}
	if got, want := moved.Touches(movedSeg), s.Touches(seg); got != want {
		t.Errorf("%#v, %#v mapped: Touches = %v, want %v", s, seg, got, want)
	}
	b := s.Bounds()
	p, q := f(b.Min).Scale(scale), f(b.Max).Scale(scale)
	if got, want := moved.Bounds(), geom.EmptyBounds().Include(p).Include(q); got != want {
		t.Errorf("%#v mapped: Bounds = %v, want %v", s, got, want)
	}
}

// forEachRay calls check with random solids, each with a random ray and segment.
func forEachRay(n int, check func(rng *rand.Rand, s validated, r geom.Ray, seg geom.Segment)) {
	for i := range n / effort.Of(4, 1, 1) {
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		kinds := []func(*rand.Rand) (validated, geom.Ray){sphereRay, capsuleRay, boxRay, cylinderRay}
		s, r := kinds[i%len(kinds)](rng)
		check(rng, s, r, segmentOn(rng, s, r))
	}
}

// TestScalingByPowerOfTwo checks that scaling by a power of two gives the same bits, because no tolerance is
// absolute.
func TestScalingByPowerOfTwo(t *testing.T) {
	forEachRay(40_000, func(rng *rand.Rand, s validated, r geom.Ray, seg geom.Segment) {
		scale := math.Ldexp(1, rng.IntN(41)-20)
		checkMapped(t, s, r, seg, scale, func(v geom.Vec3) geom.Vec3 { return v })
	})
}

// TestHalfTurns checks that half turns and reflections, which negate coordinates, change only signs of the results.
func TestHalfTurns(t *testing.T) {
	forEachRay(40_000, func(rng *rand.Rand, s validated, r geom.Ray, seg geom.Segment) {
		sign := func() float64 { return 1 - 2*float64(rng.IntN(2)) }
		x, y, z := sign(), sign(), sign()
		checkMapped(t, s, r, seg, 1, func(v geom.Vec3) geom.Vec3 {
			return geom.Vec3{X: x * v.X, Y: y * v.Y, Z: z * v.Z}
		})
	})
}

// TestTurnedRay checks that reversing a line negates the distances at which it crosses a solid, to the bit. It
// skips lines that graze a seam, for which rounding may make both distances equal.
func TestTurnedRay(t *testing.T) {
	forEachRay(40_000, func(rng *rand.Rand, s validated, r geom.Ray, seg geom.Segment) {
		near, far, ok := roots(s, r)
		back := geom.Ray{Origin: r.Origin, Dir: r.Dir.Neg()}
		gotNear, gotFar, gotOK := roots(s, back)
		// At a seam, where rounding put far before near, one of them was set to the other.
		seam := ok && gotOK && (near == far || gotNear == gotFar)
		if ok != gotOK || ok && !seam && (gotNear != -far || gotFar != -near) {
			t.Errorf("%#v, %#v: roots are %v, %v, %v, turned round %v, %v, %v", s, r, near, far, ok, gotNear, gotFar, gotOK)
		}
	})
}

func TestCapsuleOfLengthZeroEqualsSphere(t *testing.T) {
	for i := range 20_000 {
		rng := rand.New(rand.NewPCG(uint64(i), 2))
		solid, r := sphereRay(rng)
		s := solid.(*shapes.Sphere)
		c := &shapes.Capsule{A: s.Center, B: s.Center, Radius: s.Radius}
		got, ok := c.Span(r)
		if want, wantOK := s.Span(r); got != want || ok != wantOK {
			t.Errorf("%#v, %#v: Span = %+v, %v, want the sphere's %+v, %v", c, r, got, ok, want, wantOK)
		}
		if c.Bounds() != s.Bounds() {
			t.Errorf("%#v: Bounds = %v, want the sphere's %v", c, c.Bounds(), s.Bounds())
		}
	}
}

// TestCapsuleSwapEnds checks that swapping the ends of a capsule moves the hits by rounding errors only.
func TestCapsuleSwapEnds(t *testing.T) {
	for i := range effort.Of(1000, 5000, 5000) {
		rng := rand.New(rand.NewPCG(uint64(i), 3))
		solid, r := capsuleRay(rng)
		c := solid.(*shapes.Capsule)
		swapped := &shapes.Capsule{A: c.B, B: c.A, Radius: c.Radius}
		if _, err := checkRay(swapped, r, shapes.Slack); err != nil {
			t.Errorf("%#v, %#v: %v", swapped, r, err)
		}
		if swapped.Bounds() != c.Bounds() {
			t.Errorf("%#v: Bounds = %v, want %v", swapped, swapped.Bounds(), c.Bounds())
		}
	}
}

// TestBoxRenamedAxes checks that permuting or negating the axes of a box changes only normals at edges, where two
// faces have the same distance.
func TestBoxRenamedAxes(t *testing.T) {
	for i := range 20_000 {
		rng := rand.New(rand.NewPCG(uint64(i), 4))
		solid, r := boxRay(rng)
		b := solid.(*shapes.Box)
		h, m := b.HalfExtents, b.Rotation
		renamed := &shapes.Box{
			Center:      b.Center,
			HalfExtents: vec(h.Y, h.Z, h.X),
			Rotation:    geom.Mat3{X: m.Y.Neg(), Y: m.Z, Z: m.X.Neg()},
		}
		near, far, ok := roots(renamed, r)
		if wantNear, wantFar, wantOK := roots(b, r); ok != wantOK || ok && (near != wantNear || far != wantFar) {
			t.Errorf("%#v, %#v: roots are %v, %v, %v, want %v, %v, %v", b, r, near, far, ok, wantNear, wantFar, wantOK)
		}
	}
}

// TestBounds compares the results of Bounds with exact bounds. Those of a box are computed with the inverse of its
// rotation, which equals the transpose only if the rotation is exactly orthonormal.
func TestBounds(t *testing.T) {
	forEachRay(40_000, func(rng *rand.Rand, s validated, r geom.Ray, seg geom.Segment) {
		got := s.Bounds()
		lo, hi := exactBounds(s)
		worst := 0.0
		allowed := 4 * ulp * (got.Size().MaxAbs() + got.MaxAbs())
		if b, ok := s.(*shapes.Box); ok {
			allowed += 3 * b.Rotation.OrthonormalError() * b.HalfExtents.MaxAbs()
		}
		for i, x := range []float64{got.Min.X, got.Min.Y, got.Min.Z} {
			worst = max(worst, math.Abs(float(sub(newFloat(x), lo[i]))))
		}
		for i, x := range []float64{got.Max.X, got.Max.Y, got.Max.Z} {
			worst = max(worst, math.Abs(float(sub(newFloat(x), hi[i]))))
		}
		if !(worst <= allowed) {
			t.Errorf("%#v: Bounds = %v, off by %g, want at most %g", s, got, worst, allowed)
		}
	})
}

// exactBounds returns two corners of the bounds of s, with exact coordinates.
func exactBounds(s shapes.Shape) (lo, hi bigVec) {
	around := func(points []geom.Vec3, reach bigVec) {
		for i := range 3 {
			for _, p := range points {
				x := newVec(p)[i]
				if l := sub(x, reach[i]); lo[i] == nil || l.Cmp(lo[i]) < 0 {
					lo[i] = l
				}
				if h := add(x, reach[i]); hi[i] == nil || h.Cmp(hi[i]) > 0 {
					hi[i] = h
				}
			}
		}
	}
	switch s := s.(type) {
	case *shapes.Sphere:
		around([]geom.Vec3{s.Center}, newVec(vec(s.Radius, s.Radius, s.Radius)))
	case *shapes.Capsule:
		around([]geom.Vec3{s.A, s.B}, newVec(vec(s.Radius, s.Radius, s.Radius)))
	case *shapes.Cylinder:
		w := newVec(s.B).sub(newVec(s.A))
		w2 := w.dot(w)
		var reach bigVec
		for i := range 3 {
			across := quo(sub(w2, mul(w[i], w[i])), w2)
			reach[i] = mul(newFloat(s.Radius), root(across))
		}
		around([]geom.Vec3{s.A, s.B}, reach)
	case *shapes.Box:
		x, y, z := newVec(s.Rotation.X), newVec(s.Rotation.Y), newVec(s.Rotation.Z)
		det := x.dot(y.cross(z))
		h := newVec(s.HalfExtents)
		var reach bigVec
		for i := range 3 {
			reach[i] = newFloat(0)
			for j, column := range []bigVec{y.cross(z), z.cross(x), x.cross(y)} {
				part := quo(mul(column[i], h[j]), det)
				reach[i] = add(reach[i], new(big.Float).Abs(part))
			}
		}
		around([]geom.Vec3{s.Center}, reach)
	}
	return lo, hi
}
