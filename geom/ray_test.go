package geom_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
)

// bigVec is a vector whose coordinates have prec bits.
type bigVec [3]*big.Float

func newVec(v geom.Vec3) bigVec { return bigVec{newFloat(v.X), newFloat(v.Y), newFloat(v.Z)} }

func (v bigVec) sub(w bigVec) bigVec {
	return bigVec{new(big.Float).Sub(v[0], w[0]), new(big.Float).Sub(v[1], w[1]), new(big.Float).Sub(v[2], w[2])}
}

func (v bigVec) addScaled(s *big.Float, w bigVec) bigVec {
	var sum bigVec
	for i := range sum {
		sum[i] = new(big.Float).Mul(s, w[i])
		sum[i].Add(sum[i], v[i])
	}
	return sum
}

func (v bigVec) dot(w bigVec) *big.Float {
	sum := newFloat(0)
	for i := range v {
		sum.Add(sum, new(big.Float).Mul(v[i], w[i]))
	}
	return sum
}

// closest returns the point nearest to p on the segment that starts at a and has the direction and length of ab.
func closest(a, ab, p bigVec) bigVec {
	along, norm2 := ab.dot(p.sub(a)), ab.dot(ab)
	switch {
	case along.Sign() <= 0:
		return a
	case along.Cmp(norm2) >= 0:
		return a.addScaled(newFloat(1), ab)
	}
	return a.addScaled(along.Quo(along, norm2), ab)
}

// distance returns the distance between two segments. Along the first segment, the distance to the second one is a
// convex function. Bisection by the sign of its derivative finds the minimum, one bit per step, whatever the
// segments' position.
func distance(s, o geom.Segment) float64 {
	a, b, c, d := newVec(s.A), newVec(s.B), newVec(o.A), newVec(o.B)
	ab, cd := b.sub(a), d.sub(c)
	lo, hi := newFloat(0), newFloat(1)
	gap := a.sub(closest(c, cd, a))
	for range 120 {
		mid := new(big.Float).Add(lo, hi)
		mid.Quo(mid, newFloat(2))
		p := a.addScaled(mid, ab)
		gap = p.sub(closest(c, cd, p))
		if gap.dot(ab).Sign() > 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	dist, _ := new(big.Float).Sqrt(gap.dot(gap)).Float64()
	return dist
}

// segmentPairs returns pairs of segments in many positions for which rounding errors are large.
func segmentPairs(n int) [][2]geom.Segment {
	rng := rand.New(rand.NewPCG(5, 0))
	var pairs [][2]geom.Segment
	for range n {
		size := logUniform(rng, -3, 3)
		point := func() geom.Vec3 { return cube(rng).Scale(size) }
		s := geom.Segment{A: point(), B: point()}
		v := s.B.Sub(s.A)
		at := func() geom.Vec3 { return s.A.AddScaled(1.5*rng.Float64()-0.25, v) }
		nudge := func() geom.Vec3 { return cube(rng).Scale(size * logUniform(rng, -17, 0)) }
		var o geom.Segment
		switch rng.IntN(7) {
		case 0: // anywhere
			o = geom.Segment{A: point(), B: point()}
		case 1: // crossing, or almost
			p, w := at(), point()
			o = geom.Segment{A: p.Sub(w), B: p.AddScaled(rng.Float64(), w).Add(nudge())}
		case 2: // nearly parallel, at some distance
			off := nudge()
			o = geom.Segment{A: at().Add(off), B: at().Add(off).Add(nudge())}
		case 3: // nearly on one line
			o = geom.Segment{A: at(), B: at().Add(nudge())}
		case 4: // exactly parallel
			a, off := point(), point()
			v = geom.Vec3{X: math.Round(v.X * 8), Y: math.Round(v.Y * 8), Z: math.Round(v.Z * 8)}
			s = geom.Segment{A: a, B: a.Add(v)}
			o = geom.Segment{A: a.Add(off), B: a.Add(off).Add(v)}
		case 5: // a point
			p := at().Add(nudge())
			o = geom.Segment{A: p, B: p}
		case 6: // two points
			p := point()
			s, o = geom.Segment{A: p, B: p}, geom.Segment{A: p.Add(nudge()), B: p}
		}
		pairs = append(pairs, [2]geom.Segment{s, o})
	}
	return pairs
}

// distUlps bounds the errors of distances and nearest points, in units of the last place of the largest coordinate.
// It is more than four times the largest error of the distances of segmentPairs. It is an eighth of the bound that
// Dist2 documents, which adds up the largest error of each rounding.
const distUlps = 8

func TestSegmentDist2AgainstBigFloat(t *testing.T) {
	worst := 0.0
	for _, pair := range segmentPairs(effort.Of(300, 3000, 100_000)) {
		s, o := pair[0], pair[1]
		scale := max(s.A.MaxAbs(), s.B.MaxAbs(), o.A.MaxAbs(), o.B.MaxAbs())
		got, want := math.Sqrt(s.Dist2(o)), distance(s, o)
		e := math.Abs(got-want) / (scale * ulp)
		if !(e <= distUlps) {
			t.Errorf("distance of %#v and %#v = %v, want %v: off by %.3g ulp of the largest coordinate", s, o, got, want, e)
		}
		worst = max(worst, e)
		p, q := s.Nearest(o)
		onS, _ := s.Closest(p)
		onO, _ := o.Closest(q)
		if !(onS.Sub(p).Norm() <= distUlps*scale*ulp && onO.Sub(q).Norm() <= distUlps*scale*ulp) {
			t.Errorf("Nearest of %#v and %#v = %v and %v, which lie on neither", s, o, p, q)
		}
	}
	t.Logf("worst error %.3g ulp of the largest coordinate", worst)
}

func TestSegmentDist2Symmetric(t *testing.T) {
	for _, pair := range segmentPairs(4000) {
		s, o := pair[0], pair[1]
		scale := max(s.A.MaxAbs(), s.B.MaxAbs(), o.A.MaxAbs(), o.B.MaxAbs())
		want := math.Sqrt(s.Dist2(o))
		flip := func(s geom.Segment) geom.Segment { return geom.Segment{A: s.B, B: s.A} }
		for _, d2 := range []float64{o.Dist2(s), s.Dist2(flip(o)), flip(s).Dist2(o), flip(o).Dist2(flip(s))} {
			if got := math.Sqrt(d2); !(math.Abs(got-want) <= 2*distUlps*ulp*scale) {
				t.Errorf("distance of %#v and %#v = %v, turned round %v", s, o, want, got)
			}
		}
	}
}

func TestSegmentDist2Exact(t *testing.T) {
	seg := func(ax, ay, az, bx, by, bz float64) geom.Segment {
		return geom.Segment{A: geom.Vec3{X: ax, Y: ay, Z: az}, B: geom.Vec3{X: bx, Y: by, Z: bz}}
	}
	for _, c := range []struct {
		name string
		s, o geom.Segment
		want float64
	}{
		{"crossing", seg(-1, 0, 0, 1, 0, 0), seg(0, -1, 0, 0, 1, 0), 0},
		{"skew", seg(-1, 0, 0, 1, 0, 0), seg(0, -1, 3, 0, 1, 3), 9},
		{"end to inside", seg(-1, 0, 0, 1, 0, 0), seg(0, 2, 0, 0, 5, 0), 4},
		{"end to end", seg(0, 0, 0, 1, 0, 0), seg(4, 4, 0, 9, 9, 9), 25},
		{"parallel side by side", seg(0, 0, 0, 4, 0, 0), seg(1, 2, 0, 9, 2, 0), 4},
		{"on one line apart", seg(0, 0, 0, 1, 0, 0), seg(3, 0, 0, 9, 0, 0), 4},
		{"on one line overlapping", seg(0, 0, 0, 2, 0, 0), seg(1, 0, 0, 9, 0, 0), 0},
		{"sharing an end", seg(0, 0, 0, 1, 2, 3), seg(1, 2, 3, -4, 0, 1), 0},
		{"point and segment", seg(0, 3, 0, 0, 3, 0), seg(-5, 0, 0, 5, 0, 0), 9},
		{"two points", seg(1, 1, 1, 1, 1, 1), seg(1, 1, 3, 1, 1, 3), 4},
	} {
		if got := c.s.Dist2(c.o); got != c.want {
			t.Errorf("%s: Dist2 = %v, want %v", c.name, got, c.want)
		}
	}
}

func TestSegmentClosest(t *testing.T) {
	s := geom.Segment{A: geom.Vec3{X: 1}, B: geom.Vec3{X: 5}}
	point := geom.Segment{A: s.A, B: s.A}
	for _, c := range []struct {
		name string
		s    geom.Segment
		p, q geom.Vec3
		t    float64
	}{
		{"inside", s, geom.Vec3{X: 2, Y: 7}, geom.Vec3{X: 2}, 0.25},
		{"before A", s, geom.Vec3{X: -3, Z: 1}, s.A, 0},
		{"beside A", s, geom.Vec3{X: 1, Z: 1}, s.A, 0},
		{"beside B", s, geom.Vec3{X: 5, Y: -1}, s.B, 1},
		{"beyond B", s, geom.Vec3{X: 9}, s.B, 1},
		{"zero length", point, geom.Vec3{X: 9, Y: 9}, s.A, 0},
		{"zero length, at the point", point, s.A, s.A, 0},
	} {
		if q, u := c.s.Closest(c.p); q != c.q || u != c.t {
			t.Errorf("%s: Closest(%v) = %v, %v, want %v, %v", c.name, c.p, q, u, c.q, c.t)
		}
	}
}

// TestSegmentClosestAgainstBigFloat compares the results of Closest with the exact nearest point. Each returned
// point must be the point at the returned parameter.
func TestSegmentClosestAgainstBigFloat(t *testing.T) {
	for _, pair := range segmentPairs(4000) {
		s, p := pair[0], pair[1].A
		q, u := s.Closest(p)
		if !(0 <= u && u <= 1) || q != s.At(u) {
			t.Errorf("Closest(%v) of %#v = %v, %v, but At(%[4]v) = %v", p, s, q, u, s.At(u))
		}
		a := newVec(s.A)
		gap := newVec(q).sub(closest(a, newVec(s.B).sub(a), newVec(p)))
		e, _ := new(big.Float).Sqrt(gap.dot(gap)).Float64()
		if scale := max(s.A.MaxAbs(), s.B.MaxAbs(), p.MaxAbs()); !(e <= distUlps*ulp*scale) {
			t.Errorf("Closest(%v) of %#v = %v, off by %.3g ulp of the largest coordinate", p, s, q, e/(scale*ulp))
		}
	}
}

func TestSegmentAtEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for range 1000 {
		s := geom.Segment{A: cube(rng), B: cube(rng).Scale(logUniform(rng, -8, 8))}
		if s.At(0) != s.A || s.At(1) != s.B {
			t.Errorf("ends of %v = %v, %v", s, s.At(0), s.At(1))
		}
	}
	s := geom.Segment{A: geom.Vec3{X: 1, Y: 2, Z: 3}, B: geom.Vec3{X: 3, Y: 5, Z: 9}}
	if s.Length() != 7 {
		t.Errorf("%v: Length %v, want 7", s, s.Length())
	}
}

func TestRayAt(t *testing.T) {
	r := geom.Ray{Origin: geom.Vec3{X: 1, Y: 2, Z: 3}, Dir: geom.Vec3{Y: -1}}
	for dist, want := range map[float64]geom.Vec3{0: r.Origin, 5: {X: 1, Y: -3, Z: 3}, -5: {X: 1, Y: 7, Z: 3}} {
		if got := r.At(dist); got != want {
			t.Errorf("At(%v) = %v, want %v", dist, got, want)
		}
	}
}

func ExampleSegment_Closest() {
	s := geom.Segment{A: geom.Vec3{X: 0}, B: geom.Vec3{X: 4}}
	fmt.Println(s.Closest(geom.Vec3{X: 1, Y: 2}))
	fmt.Println(s.Closest(geom.Vec3{X: 9, Y: 2}))
	// Output:
	// [1, 0, 0] 0.25
	// [4, 0, 0] 1
}

// TestToward checks that a ray from Toward has the normalized direction of the given vector. Given the direction
// of such a ray, Toward must return the same ray again. It must refuse only vectors that are zero or not finite.
func TestToward(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 10_000 {
		size := math.Ldexp(1, rng.IntN(2000)-1000)
		v := geom.Vec3{X: rng.NormFloat64() * size, Y: rng.NormFloat64() * size, Z: rng.NormFloat64() * size}
		r, ok := geom.Toward(geom.Vec3{X: 1}, v)
		if want, _ := geom.Direction(v); !ok || r.Dir != want || r.Origin != (geom.Vec3{X: 1}) {
			t.Fatalf("Toward(%v) = %v, %v, want %v", v, r, ok, want)
		}
		if again, ok := geom.Toward(r.Origin, r.Dir); !ok || again != r {
			t.Fatalf("Toward(%v) = %v, want the same", r.Dir, again.Dir)
		}
	}
	for _, v := range []geom.Vec3{{}, {X: math.NaN()}, {X: 1, Z: math.NaN()}, {Y: math.Inf(1)}} {
		if r, ok := geom.Toward(geom.Vec3{}, v); ok {
			t.Errorf("Toward(%v) = %v, want none", v, r)
		}
	}
}
