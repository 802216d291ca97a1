package exact

import (
	"fmt"
	"math/big"
	"slices"
	"testing"
)

// arrangement returns a name for the relative position of the axes of a and b, such as "parallel" or "skew". The
// algorithm treats each of these arrangements in its own way.
func arrangement(a, b pill) string {
	u, v, w := sum(a.q, times(-1, a.p)), sum(b.q, times(-1, b.p)), sum(b.p, times(-1, a.p))
	zero := [3]int64{}
	switch {
	case u == zero && v == zero:
		return "points"
	case u == zero || v == zero:
		return "point"
	case isParallel(u, v) && isParallel(u, w):
		return "collinear"
	case isParallel(u, v):
		return "parallel"
	}
	d, inner := distance2(a, b)
	switch {
	case inner && d.Sign() == 0:
		return "crossing"
	case inner:
		return "skew"
	}
	return "end"
}

func isParallel(u, v [3]int64) bool {
	return u[0]*v[1] == u[1]*v[0] && u[1]*v[2] == u[2]*v[1] && u[2]*v[0] == u[0]*v[2]
}

// classes counts the random pairs of capsules in each class. The name of a class states the arrangement of the
// axes and the expected result, such as "parallel touching".
type classes map[string]int

// check fails the test if a class in want has too few pairs, less than one in 200 of all random pairs.
func (c classes) check(t *testing.T, want []string) {
	t.Helper()
	for _, class := range want {
		if c[class] < pairs()/200 {
			t.Errorf("%d pairs are %s, want at least %d", c[class], class, pairs()/200)
		}
	}
	t.Log(c)
}

func TestRelateAgainstFractions(t *testing.T) {
	plane := []string{
		"points apart", "points touching", "points overlapping",
		"point apart", "point touching", "point overlapping",
		"collinear apart", "collinear touching", "collinear overlapping",
		"parallel apart", "parallel touching", "parallel overlapping",
		"end apart", "end touching", "end overlapping",
		"crossing touching", "crossing overlapping",
	}
	for dim, want := range map[int][]string{
		2: plane,
		3: append([]string{"skew apart", "skew touching", "skew overlapping"}, plane...),
	} {
		t.Run(fmt.Sprintf("dim=%d", dim), func(t *testing.T) {
			t.Parallel()
			m := newMaker(dim, 1)
			seen := classes{}
			for range pairs() {
				a, b := m.pair()
				want := oracle(a, b)
				seen[fmt.Sprint(arrangement(a, b), " ", want)]++
				checkRelation(t, dim, a, b, want)
			}
			seen.check(t, want)
		})
	}
}

// checkRelation checks that every function that relates two integer capsules returns want for a and b.
func checkRelation(t *testing.T, dim int, a, b pill, want Relation) {
	t.Helper()
	x, y := a.capsule3(), b.capsule3()
	open := want == Overlapping && a.r > 0 && b.r > 0
	if got := Relate3(x, y); got != want {
		t.Fatalf("Relate3(%v, %v) = %v, want %v", a, b, got, want)
	}
	if got := relate(convert(x, newBigInt), convert(y, newBigInt)); got != want {
		t.Fatalf("relate(%v, %v) in big integers = %v, want %v", a, b, got, want)
	}
	if got := Intersects3(x, y); got != open {
		t.Fatalf("Intersects3(%v, %v) = %v, want %v", a, b, got, open)
	}
	if dim == 3 {
		return
	}
	if got := Relate2(a.capsule2(), b.capsule2()); got != want {
		t.Fatalf("Relate2(%v, %v) = %v, want %v", a, b, got, want)
	}
	if got := Intersects2(a.capsule2(), b.capsule2()); got != open {
		t.Fatalf("Intersects2(%v, %v) = %v, want %v", a, b, got, open)
	}
}

func TestSegmentsIntersectAgainstFractions(t *testing.T) {
	t.Parallel()
	m := newMaker(2, 2)
	seen := classes{}
	for range pairs() {
		a, b := m.pair()
		d, _ := distance2(a, b)
		want := d.Sign() == 0
		seen[fmt.Sprint(arrangement(a, b), " ", want)]++
		x, y := a.capsule2(), b.capsule2()
		if got := SegmentsIntersect(x.P, x.Q, y.P, y.Q); got != want {
			t.Fatalf("SegmentsIntersect(%v, %v) = %v, want %v", a, b, got, want)
		}
		if got := meet(convert(x.lift(), newBigInt), convert(y.lift(), newBigInt)); got != want {
			t.Fatalf("meet(%v, %v) in big integers = %v, want %v", a, b, got, want)
		}
	}
	seen.check(t, []string{
		"points true", "points false", "point true", "point false", "collinear true", "collinear false",
		"parallel false", "crossing true", "end true", "end false",
	})
}

func point2(x, y int64) [2]*big.Int { return [2]*big.Int{big.NewInt(x), big.NewInt(y)} }

// TestSegmentsIntersectOrientationOfSecondSegment checks segments for which a well-known bug gives wrong results:
// the orientations of p1 and q1 are computed relative to their own segment instead of the other one.
func TestSegmentsIntersectOrientationOfSecondSegment(t *testing.T) {
	for _, c := range []struct {
		p1, q1, p2, q2 [2]*big.Int
		want           bool
	}{
		{point2(0, 0), point2(4, 4), point2(0, 4), point2(4, 0), true},
		{point2(0, 0), point2(1, 1), point2(0, 4), point2(4, 0), false}, // p1 and q1 below the second line
		{point2(9, 9), point2(8, 8), point2(0, 4), point2(4, 0), false}, // p1 and q1 above it
	} {
		if got := SegmentsIntersect(c.p1, c.q1, c.p2, c.q2); got != c.want {
			t.Errorf("SegmentsIntersect(%v, %v, %v, %v) = %v, want %v", c.p1, c.q1, c.p2, c.q2, got, c.want)
		}
		if got := SegmentsIntersect(c.p2, c.q2, c.p1, c.q1); got != c.want {
			t.Errorf("SegmentsIntersect(%v, %v, %v, %v) = %v, want %v", c.p2, c.q2, c.p1, c.q1, got, c.want)
		}
	}
}

// TestRelate3SkewAxesPassEachOther checks capsules whose axes cross if seen from above, but have the distance 5.
// Each end is farther than 5 from the other axis.
func TestRelate3SkewAxesPassEachOther(t *testing.T) {
	for r, want := range []Relation{0: Apart, 4: Apart, 5: Touching, 6: Overlapping} {
		a := pill{p: [3]int64{-9, 0, 0}, q: [3]int64{9, 0, 0}, r: int64(r)}
		b := pill{p: [3]int64{0, -9, 5}, q: [3]int64{0, 9, 5}}
		if got := Relate3(a.capsule3(), b.capsule3()); got != want {
			t.Errorf("Relate3(%v, %v) = %v, want %v", a, b, got, want)
		}
		a.p[2], a.q[2] = 5, 5
		if got := Relate3(a.capsule3(), b.capsule3()); r > 0 && got != Overlapping {
			t.Errorf("Relate3(%v, %v) = %v, want overlapping", a, b, got)
		}
	}
}

// TestRelate3Invariance checks that the relation stays the same if the capsules or the ends of an axis are
// exchanged, and if both capsules are moved, rotated, mirrored or scaled together.
func TestRelate3Invariance(t *testing.T) {
	m := newMaker(3, 3)
	for range 3000 {
		a, b := m.pair()
		x, y := a.capsule3(), b.capsule3()
		want := Relate3(x, y)
		same := func(how string, a, b Capsule3) {
			t.Helper()
			if got := Relate3(a, b); got != want {
				t.Fatalf("Relate3(%v, %v) = %v, but %v after %s", x, y, want, got, how)
			}
		}
		same("exchange", y, x)
		same("swapping the ends of one", Capsule3{x.Q, x.P, x.R}, y)
		same("swapping the ends of the other", x, Capsule3{y.Q, y.P, y.R})

		d := Capsule3{P: bigs(m.vector(1 << 40)), R: new(big.Int).Lsh(big.NewInt(1), uint(m.IntN(200)))}
		move := func(i int, c *big.Int) *big.Int {
			shift := new(big.Int).Mul(d.P[i], d.R)
			return shift.Add(shift, c)
		}
		keep := func(r *big.Int) *big.Int { return r }
		same("translation", mapped(x, move, keep), mapped(y, move, keep))

		k := new(big.Int).Mul(big.NewInt(1+m.Int64N(1<<40)), d.R)
		scale := func(r *big.Int) *big.Int { return new(big.Int).Mul(r, k) }
		blow := func(_ int, c *big.Int) *big.Int { return scale(c) }
		flip := func(_ int, c *big.Int) *big.Int { return scale(new(big.Int).Neg(c)) }
		same("scaling", mapped(x, blow, scale), mapped(y, blow, scale))
		same("scaling by a negative number", mapped(x, flip, scale), mapped(y, flip, scale))

		axis, order := m.IntN(3), m.Perm(3)
		mirror := func(i int, c *big.Int) *big.Int {
			if i == axis {
				return new(big.Int).Neg(c)
			}
			return c
		}
		same("mirroring", mapped(x, mirror, keep), mapped(y, mirror, keep))
		same("permuting coordinates", permuted(x, order), permuted(y, order))

		c, e := m.turn(a, b)
		same("rotation and scaling", c.capsule3(), e.capsule3())
	}
}

// mapped returns c with changed numbers: each coordinate is replaced by the result of the function coordinate for
// its index and value, and R by the result of the function radius.
func mapped(c Capsule3, coordinate func(int, *big.Int) *big.Int, radius func(*big.Int) *big.Int) Capsule3 {
	for i := range c.P {
		c.P[i], c.Q[i] = coordinate(i, c.P[i]), coordinate(i, c.Q[i])
	}
	c.R = radius(c.R)
	return c
}

func permuted(c Capsule3, order []int) Capsule3 {
	return Capsule3{
		P: [3]*big.Int{c.P[order[0]], c.P[order[1]], c.P[order[2]]},
		Q: [3]*big.Int{c.Q[order[0]], c.Q[order[1]], c.Q[order[2]]},
		R: c.R,
	}
}

// TestRelate3RadiusMonotonic checks that only the sum of the radii matters, and that a larger sum never separates
// capsules.
func TestRelate3RadiusMonotonic(t *testing.T) {
	m := newMaker(3, 4)
	for range 1000 {
		a, b := m.pair()
		last := Apart
		for r := range int64(12) {
			a.r, b.r = r, 0
			got := Relate3(a.capsule3(), b.capsule3())
			if got < last {
				t.Fatalf("Relate3(%v, %v) = %v, but %v with a smaller radius", a, b, got, last)
			}
			last = got
			a.r, b.r = r/3, r-r/3
			if split := Relate3(a.capsule3(), b.capsule3()); split != got {
				t.Fatalf("Relate3(%v, %v) = %v, but %v with the radii summed", a, b, split, got)
			}
		}
	}
}

func TestRelateWithoutRadius(t *testing.T) {
	a := pill{p: [3]int64{0, 0, 0}, q: [3]int64{4, 0, 0}}
	for _, c := range []struct {
		b    pill
		want Relation
	}{
		{pill{p: [3]int64{2, -1, 0}, q: [3]int64{2, 1, 0}}, Touching},         // crossing
		{pill{p: [3]int64{4, 0, 0}, q: [3]int64{9, 9, 0}}, Touching},          // at an end
		{pill{p: [3]int64{3, 0, 0}, q: [3]int64{9, 0, 0}}, Touching},          // on one line
		{pill{p: [3]int64{1, 0, 0}, q: [3]int64{1, 0, 0}}, Touching},          // point
		{pill{p: [3]int64{2, 1, 0}, q: [3]int64{2, 9, 0}}, Apart},             //
		{pill{p: [3]int64{2, 1, 0}, q: [3]int64{2, 9, 0}, r: 1}, Touching},    //
		{pill{p: [3]int64{2, 1, 0}, q: [3]int64{2, 9, 0}, r: 2}, Overlapping}, //
		{pill{p: [3]int64{2, 0, 0}, q: [3]int64{2, 9, 0}, r: 1}, Overlapping}, //
	} {
		checkRelation(t, 2, a, c.b, c.want)
		checkRelation(t, 2, c.b, a, c.want)
	}
}

func TestInvalidCapsuleIsEmpty(t *testing.T) {
	good := pill{q: [3]int64{2, 3, 5}, r: 7}.capsule3()
	if err := good.Validate(); err != nil {
		t.Errorf("Validate() = %v, want nil", err)
	}
	for _, c := range []struct {
		want  string
		spoil func(*Capsule3)
	}{
		{"P[1]: must be an integer, got nil", func(c *Capsule3) { c.P[1] = nil }},
		{"Q[0]: must be an integer, got nil", func(c *Capsule3) { c.Q[0] = nil }},
		{"R: must be an integer, got nil", func(c *Capsule3) { c.R = nil }},
		{"R: must not be negative, got -1", func(c *Capsule3) { c.R = big.NewInt(-1) }},
	} {
		bad := good
		c.spoil(&bad)
		if err := bad.Validate(); err == nil || err.Error() != c.want {
			t.Errorf("Validate() = %v, want %s", err, c.want)
		}
		if Relate3(bad, good) != Apart || Relate3(good, bad) != Apart || Relate3(bad, bad) != Apart {
			t.Errorf("a pill with %s is not apart", c.want)
		}
		if Intersects3(bad, good) || Intersects3(good, bad) {
			t.Errorf("a pill with %s intersects", c.want)
		}

		if err := flat(bad).Validate(); err == nil || err.Error() != c.want {
			t.Errorf("Validate() = %v, want %s", err, c.want)
		}
		if Relate2(flat(bad), flat(good)) != Apart || Intersects2(flat(good), flat(bad)) {
			t.Errorf("a stadium with %s is not apart", c.want)
		}
	}
	p := point2(0, 0)
	if SegmentsIntersect(p, p, p, [2]*big.Int{p[0], nil}) {
		t.Error("a segment with a nil coordinate intersects")
	}
}

func TestInputsAreNotModified(t *testing.T) {
	m := newMaker(3, 5)
	for _, shift := range []uint{0, 100} {
		a, b := m.pair()
		up := func(x *big.Int) *big.Int { return x.Lsh(x, shift) }
		at := func(_ int, x *big.Int) *big.Int { return up(x) }
		x, y := mapped(a.capsule3(), at, up), mapped(b.capsule3(), at, up)
		before := fmt.Sprint(x, y)
		Relate3(x, y)
		Intersects3(x, y)
		SegmentsIntersect(flat(x).P, flat(x).Q, flat(y).P, flat(y).Q)
		if after := fmt.Sprint(x, y); after != before {
			t.Errorf("inputs became %s, want %s", after, before)
		}
	}
}

func TestRelationString(t *testing.T) {
	want := []string{"apart", "touching", "overlapping", "Relation(3)"}
	var got []string
	for r := range Relation(4) {
		got = append(got, r.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("String() = %q, want %q", got, want)
	}
}
