package course

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"

	"pillbox/exact"
	"pillbox/geom"
)

// integers is a capsule with integer coordinates, in two or three dimensions.
type integers struct {
	P      []int64 `json:"p"` // two coordinates or three
	Q      []int64 `json:"q"`
	Radius int64   `json:"radius"`
}

// overlapQuestion is two capsules of the same dimension.
type overlapQuestion struct {
	A integers `json:"a"`
	B integers `json:"b"`
}

// relation states how two capsules lie relative to each other: one of the words below.
type relation string

const (
	apart    relation = "apart"
	touches  relation = "touches"
	overlaps relation = "overlaps"
)

// MarshalJSON encodes the answer as docs/course/protocol.md describes it.
func (r relation) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"relation": string(r)})
}

// maxInteger is the largest magnitude of a number in a question. Every number fits in 32 bits.
const maxInteger = 1<<31 - 1

// overlapStage returns the stage about how two capsules with integer coordinates lie relative to each other.
func overlapStage() kind {
	return &stageOf[overlapQuestion, relation]{
		asks: overlapAsks(), solve: solveOverlap,
		read: func(_ *overlapQuestion, r *reader) relation {
			return relation(r.word("relation", string(apart), string(touches), string(overlaps)))
		},
		judge: judgeOverlap,
		scale: func(*overlapQuestion) float64 { return 0 },
		derive: func(q *overlapQuestion) Derivation {
			return Derivation{Args: []string{"explain", "--capsules=" + q.A.text() + "," + q.B.text()}}
		},
		keepers: overlapKeepers(), features: overlapFeatures(), words: true, equal: true, pixels: overlapPixels(),
		books:  books[overlapQuestion, relation]{lesson: "exact.md", styles: 1, run: (*program).overlap},
		random: []random[overlapQuestion, relation]{floats(), overflow()},
	}
}

// text formats the seven numbers of a capsule in three dimensions.
func (c *integers) text() string {
	p, q := c.in3()
	return fmt.Sprintf("%d,%d,%d,%d,%d,%d,%d", p[0], p[1], p[2], q[0], q[1], q[2], c.Radius)
}

// in3 returns the ends in three dimensions.
func (c *integers) in3() (p, q [3]int64) {
	copy(p[:], c.P)
	copy(q[:], c.Q)
	return p, q
}

func solveOverlap(q *overlapQuestion) relation {
	return map[exact.Relation]relation{exact.Apart: apart, exact.Touching: touches, exact.Overlapping: overlaps}[exact.Relate3(q.A.exact(), q.B.exact())]
}

// judgeOverlap returns an error that compares the squared distance of the axes with the squared sum of the radii, or nil.
func judgeOverlap(q *overlapQuestion, given relation) *problem {
	want := solveOverlap(q)
	if given == want {
		return nil
	}
	axes := axesOf(q)
	reach := new(big.Rat).SetInt64(q.A.Radius + q.B.Radius)
	reach.Mul(reach, reach)
	gap := new(big.Rat).Sub(axes.dist2(), reach)
	size, _ := new(big.Rat).Abs(gap).Float64()
	how := [...]string{fmt.Sprintf("%.4g less than", size), "equal to", fmt.Sprintf("%.4g more than", size)}[gap.Sign()+1]
	what := fmt.Sprintf("the squared distance of the axes is %s the squared sum of the radii, %s", how, reach.RatString())
	return differ("relation", what, string(want), string(given))
}

func (c *integers) exact() exact.Capsule3 {
	var e exact.Capsule3
	p, q := c.in3()
	for i := range 3 {
		e.P[i], e.Q[i] = big.NewInt(p[i]), big.NewInt(q[i])
	}
	e.R = big.NewInt(c.Radius)
	return e
}

func overlapAsks() []ask[overlapQuestion] {
	// size returns the largest coordinate of a question: 40, or 2^31 - 1 if it is scaled.
	size := func(d *dice) int64 {
		if d.scale == 1 {
			return 40
		}
		return maxInteger
	}
	within := func(d *dice, n int64) int64 { return d.Int64N(2*n+1) - n }
	points := func(d *dice, dim int, n int64) []int64 {
		p := make([]int64, dim)
		for i := range p {
			p[i] = within(d, n)
		}
		return p
	}
	anywhere := func(dim int) func(d *dice) overlapQuestion {
		return func(d *dice) overlapQuestion {
			n := size(d)
			c := func() integers { return integers{points(d, dim, n), points(d, dim, n), d.Int64N(n/5) + 1} }
			return overlapQuestion{c(), c()}
		}
	}
	// lattice returns two capsules that touch. Their axes are parallel to two different coordinate axes, and their distance
	// along the third coordinate axis is gap. The first capsule has the radius ra. If inner is set, the nearest points are
	// between the ends of both axes; otherwise they are ends.
	lattice := func(d *dice, inner bool, gap, ra int64) overlapQuestion {
		order := d.Perm(3)
		p := points(d, 3, 1000)
		a, b := integers{append([]int64{}, p...), append([]int64{}, p...), ra}, integers{append([]int64{}, p...), append([]int64{}, p...), gap - ra}
		b.P[order[2]] += gap
		b.Q[order[2]] += gap
		a.Q[order[0]] += 1 + d.Int64N(500)
		b.Q[order[1]] += 1 + d.Int64N(500)
		if inner {
			a.P[order[0]] -= 1 + d.Int64N(500)
			b.P[order[1]] -= 1 + d.Int64N(500)
		}
		return overlapQuestion{a, b}
	}
	off := func(d *dice) int64 { return d.Int64N(3) - 1 } // -1, 0 or 1
	return append([]ask[overlapQuestion]{
		{Ordinary, "in the plane", anywhere(2)},
		{Ordinary, "in space", anywhere(3)},
		{Degenerate, "large radii", (*dice).largeRadii},
		{Degenerate, "crossing in the plane", func(d *dice) overlapQuestion {
			p := points(d, 2, 20)
			x, y := 2+d.Int64N(20), 2+d.Int64N(20)
			a := integers{[]int64{p[0] - x, p[1] - 1}, []int64{p[0] + x + 1, p[1] + 1}, d.Int64N(2)}
			b := integers{[]int64{p[0] - 1, p[1] - y}, []int64{p[0] + 1, p[1] + y + 1}, 1}
			return overlapQuestion{a, b}
		}},
		{Degenerate, "skew, nearest inside both", func(d *dice) overlapQuestion {
			gap := 5 + d.Int64N(60)
			q := lattice(d, true, gap, d.Int64N(gap-2)+1)
			q.A.Radius += off(d)
			return q
		}},
		{Degenerate, "nearest at the ends", func(d *dice) overlapQuestion {
			gap := 5 + d.Int64N(60)
			q := lattice(d, false, gap, d.Int64N(gap-2)+1)
			q.A.Radius += off(d)
			return q
		}},
		{Degenerate, "skew and far apart", func(d *dice) overlapQuestion {
			// The lines come close to each other, but the segments end before that.
			q := lattice(d, true, 10, 3)
			for i := range 3 {
				shift := 20 * (q.A.Q[i] - q.A.P[i])
				q.A.P[i] += shift
				q.A.Q[i] += shift
			}
			q.B.Radius += 5
			return q
		}},
		{Degenerate, "zero length", func(d *dice) overlapQuestion {
			p := points(d, 3, 30)
			k := 1 + d.Int64N(9)
			q := []int64{p[0] + 2*k, p[1] + 3*k, p[2] + 6*k} // at distance 7 k
			r := 1 + d.Int64N(7*k-1)
			return overlapQuestion{integers{p, p, r}, integers{q, q, 7*k - r + off(d)}}
		}},
		{Degenerate, "parallel", func(d *dice) overlapQuestion {
			p := points(d, 3, 30)
			k, n := 1+d.Int64N(9), 1+d.Int64N(9)
			move := func(from []int64, x, y, z int64) []int64 { return []int64{from[0] + x, from[1] + y, from[2] + z} }
			a := integers{p, move(p, 6*n, 2*n, -3*n), 1 + d.Int64N(7*k-1)} // in direction (6, 2, -3)
			b := integers{move(p, 2*k, 3*k, 6*k), move(p, 2*k+6*n, 3*k+2*n, 6*k-3*n), 7*k - a.Radius + off(d)}
			return overlapQuestion{a, b}
		}},
		{Degenerate, "one unit in a billion", func(d *dice) overlapQuestion {
			// Two discs at the distance d with d² = x² + y²; R is the sum of their radii. Either d² = R², by a
			// Pythagorean triple, or d² = R² + 1. For the latter, let k = a s, y = 2k + 1, x = s (k + 1) - a and
			// R = s (k + 1) + a. Then R² - x² and y² - 1 are both 4 k (k + 1).
			m, n := 30_000+d.Int64N(10_000), 1000+d.Int64N(20_000)
			x, y, r := m*m-n*n, 2*m*n, m*m+n*n
			if d.IntN(2) == 0 {
				a, s := 20_000_000+d.Int64N(20_000_000), 3+d.Int64N(4)
				k := a * s
				x, y, r = s*(k+1)-a, 2*k+1, s*(k+1)+a
			}
			first := r/3 + d.Int64N(r/3)
			p := points(d, 2, 1000)
			q := []int64{p[0] + x, p[1] + y}
			return overlapQuestion{integers{p, p, first}, integers{q, q, r - first}}
		}},
		{Degenerate, "just beside a long axis", func(d *dice) overlapQuestion {
			// A point near a long oblique segment: none of the distances is an integer.
			n := int64(1_000_000_000)
			a := integers{[]int64{-n, -n + d.Int64N(1000), d.Int64N(1000)}, []int64{n, n - d.Int64N(1000), -d.Int64N(1000)}, 0}
			p := points(d, 3, 1000)
			b := integers{p, p, 0}
			s := geom.Segment{A: vecOf(a.P), B: vecOf(a.Q)}
			near, _ := s.Closest(vecOf(p))
			b.Radius = max(1, int64(math.Floor(near.Sub(vecOf(p)).Norm()))+d.Int64N(2))
			return overlapQuestion{a, b}
		}},
	}, closeOverlaps()...)
}

func vecOf(p []int64) geom.Vec3 {
	var v [3]float64
	for i, x := range p {
		v[i] = float64(x)
	}
	return geom.Vec3{X: v[0], Y: v[1], Z: v[2]}
}

// ratio is an exact fraction.
type ratio = *big.Rat

// axes holds the two axes of a question in the variables that a typical program uses.
type axes struct {
	p, u, q, v, w [3]ratio // ends, directions, and p - q
	flat          bool     // the capsules are in the plane
}

func axesOf(q *overlapQuestion) axes {
	var x axes
	ap, aq := q.A.in3()
	bp, bq := q.B.in3()
	for i := range 3 {
		r := func(n int64) ratio { return new(big.Rat).SetInt64(n) }
		x.p[i], x.u[i] = r(ap[i]), r(aq[i]-ap[i])
		x.q[i], x.v[i] = r(bp[i]), r(bq[i]-bp[i])
		x.w[i] = r(ap[i] - bp[i])
	}
	x.flat = len(q.A.P) == 2
	return x
}

func dot(a, b [3]ratio) ratio {
	sum := new(big.Rat)
	for i := range 3 {
		sum.Add(sum, new(big.Rat).Mul(a[i], b[i]))
	}
	return sum
}

// between returns the squared distance between two points: the point p + s u of the first axis, and the point q + t
// v of the second.
func (x *axes) between(s, t ratio) ratio {
	var d [3]ratio
	for i := range 3 {
		d[i] = new(big.Rat).Add(x.w[i], new(big.Rat).Mul(s, x.u[i]))
		d[i].Sub(d[i], new(big.Rat).Mul(t, x.v[i]))
	}
	return dot(d, d)
}

// inner returns the parameters of the points at which the common perpendicular of the two lines meets them. It returns
// false if the axes are parallel.
func (x *axes) inner() (s, t ratio, ok bool) {
	a, b, c := dot(x.u, x.u), dot(x.u, x.v), dot(x.v, x.v)
	d, e := dot(x.u, x.w), dot(x.v, x.w)
	det := new(big.Rat).Sub(new(big.Rat).Mul(a, c), new(big.Rat).Mul(b, b))
	if det.Sign() == 0 {
		return nil, nil, false
	}
	s = new(big.Rat).Sub(new(big.Rat).Mul(b, e), new(big.Rat).Mul(c, d))
	t = new(big.Rat).Sub(new(big.Rat).Mul(a, e), new(big.Rat).Mul(b, d))
	return s.Quo(s, det), t.Quo(t, det), true
}

func inUnit(x ratio) bool { return x.Sign() >= 0 && x.Cmp(big.NewRat(1, 1)) <= 0 }

// clamped returns num / den, clamped to 0..1; 0 if den is 0.
func clamped(num, den ratio) ratio {
	if den.Sign() == 0 || num.Sign()*den.Sign() < 0 {
		return new(big.Rat)
	}
	q := new(big.Rat).Quo(num, den)
	if one := big.NewRat(1, 1); q.Cmp(one) > 0 {
		return one
	}
	return q
}

// endsOfA returns the squared distances of the ends of the first axis from the second.
func (x *axes) endsOfA() []ratio {
	var all []ratio
	b, c, e := dot(x.u, x.v), dot(x.v, x.v), dot(x.v, x.w)
	for _, s := range []ratio{new(big.Rat), big.NewRat(1, 1)} {
		all = append(all, x.between(s, clamped(new(big.Rat).Add(e, new(big.Rat).Mul(s, b)), c)))
	}
	return all
}

// endsOfB returns the squared distances of the ends of the second axis from the first.
func (x *axes) endsOfB() []ratio {
	var all []ratio
	a, b, d := dot(x.u, x.u), dot(x.u, x.v), dot(x.u, x.w)
	for _, t := range []ratio{new(big.Rat), big.NewRat(1, 1)} {
		all = append(all, x.between(clamped(new(big.Rat).Sub(new(big.Rat).Mul(t, b), d), a), t))
	}
	return all
}

// ends returns the smallest squared distance between an end of one axis and the other axis.
func (x *axes) ends() ratio {
	return slices.MinFunc(append(x.endsOfA(), x.endsOfB()...), ratio.Cmp)
}

// dist2 returns the squared distance between the axes.
func (x *axes) dist2() ratio {
	if s, t, ok := x.inner(); ok && inUnit(s) && inUnit(t) {
		return x.between(s, t)
	}
	return x.ends()
}

func signed(cmp int) relation { return [...]relation{overlaps, touches, apart}[cmp+1] }

// flattened returns the capsule without its z coordinates.
func (c integers) flattened() integers { return integers{c.P[:2], c.Q[:2], c.Radius} }

// overflow returns the mistake of computing with integers of 64 bits. Which answers become wrong depends on the order of
// operations, but only questions with products of more than 63 bits can have wrong answers.
func overflow() random[overlapQuestion, relation] {
	return random[overlapQuestion, relation]{
		Mistake: Mistake{"64-bit integers overflow", "Products of four numbers near 2^31 have 124 bits and more. Use integers of any size.", "exact.md"},
		may: func(q *overlapQuestion, _ relation) bool {
			x := axesOf(q)
			bits := 2 * big.NewInt(q.A.Radius+q.B.Radius).BitLen()
			u, v, w := longest(x.u), longest(x.v), longest(x.w)
			largest := max(u, v, w)
			return max(bits+2*largest, 4*largest) > 63
		},
	}
}

// longest returns the number of bits of the largest coordinate. The coordinates must be integers.
func longest(v [3]ratio) int {
	bits := 0
	for _, x := range v {
		bits = max(bits, x.Num().BitLen())
	}
	return bits
}

// floats returns the mistake of computing with floating-point numbers. Which answers become wrong depends on the order of
// operations, but only questions with capsules whose surfaces nearly touch can have wrong answers.
func floats() random[overlapQuestion, relation] {
	return random[overlapQuestion, relation]{
		Mistake: Mistake{"floats decide", "Squares of numbers near 2^31 need 62 bits or more, but a float has 53. Use integers of any size, and multiply both sides instead of dividing.", "exact.md"},
		may: func(q *overlapQuestion, _ relation) bool {
			x := axesOf(q)
			d2, _ := x.dist2().Float64()
			r := float64(q.A.Radius + q.B.Radius)
			largest := r
			for _, v := range [...][3]ratio{x.u, x.v, x.w} {
				v2, _ := dot(v, v).Float64()
				largest = max(largest, math.Sqrt(v2))
			}
			return math.Abs(math.Sqrt(d2)-r) <= 1e-8*largest
		},
	}
}
