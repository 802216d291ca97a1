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
		judge: func(q *overlapQuestion, given relation) *problem {
			if want := solveOverlap(q); given != want {
				return differ("relation", "is not what the integers decide", string(want), string(given))
			}
			return nil
		},
		scale: func(*overlapQuestion) float64 { return 0 },
		derive: func(q *overlapQuestion) Derivation {
			return Derivation{Args: []string{"explain", "--capsules=" + q.A.text() + "," + q.B.text()}}
		},
		library: overlapMistakes(), changes: overlapChanges(), keepers: overlapKeepers(), features: overlapFeatures(), pairSample: 200, words: true, pixels: overlapPixels(),
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

// compared returns the relation for a squared distance d and a squared sum of radii r.
func compared(d, r ratio) relation { return signed(d.Cmp(r)) }

func signed(cmp int) relation { return [...]relation{overlaps, touches, apart}[cmp+1] }

func overlapMistakes() []variant[overlapQuestion, relation] {
	const lesson = "exact.md"
	reach2 := (*overlapQuestion).reach2
	oneSided := Mistake{"only the ends of one axis are tested", "Each of the four ends may be the closest: test both ends of both axes.", lesson}
	onlyEnds := Mistake{"only the ends of the axes are tested", "Axes may cross, and skew axes may be closest between their ends: then the common perpendicular decides.", lesson}
	oneFoot := Mistake{"only one foot of the common perpendicular is tested", "The common perpendicular counts only if both of its feet lie between the ends.", lesson}
	halfLine := Mistake{"an axis goes on beyond an end", "If the foot of the perpendicular lies beyond an end, that end is the closest point.", lesson}
	return []variant[overlapQuestion, relation]{
		{Mistake{"a division is cut off to an integer", "4900 / 1000 is more than 4: multiply the other side of the comparison instead of dividing.", lesson},
			func(q *overlapQuestion) relation {
				x := axesOf(q)
				d := x.dist2()
				return compared(new(big.Rat).SetInt(new(big.Int).Quo(d.Num(), d.Denom())), reach2(q))
			}},
		{halfLine, func(q *overlapQuestion) relation { return onHalfLines(q, false, true) }},
		{halfLine, func(q *overlapQuestion) relation { return onHalfLines(q, true, false) }},
		{halfLine, func(q *overlapQuestion) relation { return onHalfLines(q, true, true) }},
		{Mistake{"for the common perpendicular the radii are not squared", "(w · n)² is compared with (r1 + r2)² n · n.", lesson},
			func(q *overlapQuestion) relation {
				x := axesOf(q)
				least := compared(x.ends(), reach2(q))
				if s, t, ok := x.inner(); ok && inUnit(s) && inUnit(t) {
					return nearer(least, compared(x.between(s, t), new(big.Rat).SetInt64(q.A.Radius+q.B.Radius)))
				}
				return least
			}},
		{Mistake{"only the distances between the ends are tested", "The closest point of an axis may lie between its ends: project each end onto the other axis.", lesson},
			func(q *overlapQuestion) relation { return compared(axesOf(q).least((*axes).corners), reach2(q)) }},
		{Mistake{"only the distances between the ends are tested", "The closest point of an axis may lie between its ends: project each end onto the other axis.", lesson},
			func(q *overlapQuestion) relation {
				x := axesOf(q)
				d := x.least((*axes).corners)
				if s, t, ok := x.inner(); ok && inUnit(s) && inUnit(t) {
					d = x.between(s, t)
				}
				return compared(d, reach2(q))
			}},
		{Mistake{"a squared distance is compared with the radii", "Compare squares with squares: the squared distance with (r1 + r2)².", lesson},
			func(q *overlapQuestion) relation {
				x := axesOf(q)
				return compared(x.dist2(), new(big.Rat).SetInt64(q.A.Radius+q.B.Radius))
			}},
		{Mistake{"the radii are squared before they are added", "(r1 + r2)² is not r1² + r2².", lesson},
			func(q *overlapQuestion) relation {
				x := axesOf(q)
				a, b := new(big.Rat).SetInt64(q.A.Radius), new(big.Rat).SetInt64(q.B.Radius)
				return compared(x.dist2(), new(big.Rat).Add(a.Mul(a, a), b.Mul(b, b)))
			}},
		{onlyEnds,
			func(q *overlapQuestion) relation {
				x := axesOf(q)
				return compared(x.ends(), reach2(q))
			}},
		{Mistake{"the factor |w|² of the axis w is left out", "The squared distance of an end from an axis is |f × w|² / |w|². So compare |f × w|² with (r1 + r2)² |w|².", lesson},
			func(q *overlapQuestion) relation { return (&program{wrong: []doing{{step: withoutSquare}}}).overlap(q) }},
		{Mistake{"in space only the ends of the axes are tested", "The test for the plane is not enough in space: skew axes do not cross, but may be closest between their ends.", lesson},
			func(q *overlapQuestion) relation {
				x := axesOf(q)
				if x.flat {
					return compared(x.dist2(), reach2(q))
				}
				return compared(x.ends(), reach2(q))
			}},
		{Mistake{"in the plane only the ends of the axes are tested", "Axes that cross have distance 0, however far apart their ends are. Test all four orientations; a widely copied version passes one point twice.", lesson},
			func(q *overlapQuestion) relation {
				x := axesOf(q)
				if x.flat {
					return compared(x.ends(), reach2(q))
				}
				return compared(x.dist2(), reach2(q))
			}},
		{Mistake{"the axes are treated as infinite lines", "The feet of the common perpendicular count only if both lie between the ends.", lesson},
			func(q *overlapQuestion) relation {
				x := axesOf(q)
				if s, t, ok := x.inner(); ok {
					return compared(x.between(s, t), reach2(q))
				}
				return compared(x.ends(), reach2(q))
			}},
		{Mistake{"only the centers of the axes are tested", "The distance of capsules is the distance of their axes, which are segments, not of their centers.", lesson},
			func(q *overlapQuestion) relation {
				x := axesOf(q)
				half := big.NewRat(1, 2)
				return compared(x.between(half, half), reach2(q))
			}},
		{oneSided, func(q *overlapQuestion) relation { return oneSide(q, (*axes).endsOfA) }},
		{oneSided, func(q *overlapQuestion) relation { return oneSide(q, (*axes).endsOfB) }},
		{onlyEnds, func(q *overlapQuestion) relation { return compared(axesOf(q).least((*axes).endsOfA), reach2(q)) }},
		{onlyEnds, func(q *overlapQuestion) relation { return compared(axesOf(q).least((*axes).endsOfB), reach2(q)) }},
		{oneFoot, func(q *overlapQuestion) relation {
			return footed(q, func(s, _ ratio) bool { return inUnit(s) })
		}},
		{oneFoot, func(q *overlapQuestion) relation {
			return footed(q, func(_, t ratio) bool { return inUnit(t) })
		}},
	}
}

// corners returns the squared distances between the ends of the two axes.
func (x *axes) corners() []ratio {
	var all []ratio
	for _, s := range []ratio{new(big.Rat), big.NewRat(1, 1)} {
		for _, t := range []ratio{new(big.Rat), big.NewRat(1, 1)} {
			all = append(all, x.between(s, t))
		}
	}
	return all
}

// nearer returns overlaps if a or b is overlaps; otherwise touches if a or b is touches; and otherwise apart. If a and b
// are the relations of two capsules according to two pairs of points, the result is that of the nearer pair.
func nearer(a, b relation) relation {
	for _, r := range [...]relation{overlaps, touches} {
		if a == r || b == r {
			return r
		}
	}
	return apart
}

// onHalfLines returns the answer of a faulty program. The program drops a perpendicular from an end of one axis to
// the line of the other axis. Its foot should be moved to the nearest end if it lies off the other axis. The program
// forgets this at the beginning of the axis if before is true, and at its end if beyond is true.
func onHalfLines(q *overlapQuestion, before, beyond bool) relation {
	x := axesOf(q)
	free := func(num, den ratio) ratio {
		if den.Sign() == 0 {
			return new(big.Rat)
		}
		t := new(big.Rat).Quo(num, den)
		if inside := clamped(num, den); t.Sign() < 0 && !before || t.Sign() > 0 && !beyond {
			return inside
		}
		return t
	}
	a, b, c, d, e := dot(x.u, x.u), dot(x.u, x.v), dot(x.v, x.v), dot(x.u, x.w), dot(x.v, x.w)
	var all []ratio
	for _, end := range []ratio{new(big.Rat), big.NewRat(1, 1)} {
		all = append(all,
			x.between(end, free(new(big.Rat).Add(e, new(big.Rat).Mul(end, b)), c)),
			x.between(free(new(big.Rat).Sub(new(big.Rat).Mul(end, b), d), a), end))
	}
	if s, t, ok := x.inner(); ok && inUnit(s) && inUnit(t) {
		all = append(all, x.between(s, t))
	}
	return compared(slices.MinFunc(all, ratio.Cmp), q.reach2())
}

// oneSide returns the answer of a program that takes the ends of one axis and the common perpendicular into account,
// but not the ends of the other axis. The function ends returns the squared distances of the ends that count.
func oneSide(q *overlapQuestion, ends func(*axes) []ratio) relation {
	x := axesOf(q)
	all := ends(&x)
	if s, t, ok := x.inner(); ok && inUnit(s) && inUnit(t) {
		all = append(all, x.between(s, t))
	}
	return compared(slices.MinFunc(all, ratio.Cmp), q.reach2())
}

// footed returns the answer of a program that takes the common perpendicular of the two lines into account only if
// the function inside returns true for its feet. The arguments s and t of inside are the parameters of the feet on
// the two axes.
func footed(q *overlapQuestion, inside func(s, t ratio) bool) relation {
	x := axesOf(q)
	d := x.ends()
	if s, t, ok := x.inner(); ok && inside(s, t) {
		if inner := x.between(s, t); inner.Cmp(d) < 0 {
			d = inner
		}
	}
	return compared(d, q.reach2())
}

// reach2 returns the square of the sum of the radii.
func (q *overlapQuestion) reach2() ratio {
	r := new(big.Rat).SetInt64(q.A.Radius + q.B.Radius)
	return r.Mul(r, r)
}

// least returns the smallest of the squared distances that the function of returns.
func (x axes) least(of func(*axes) []ratio) ratio { return slices.MinFunc(of(&x), ratio.Cmp) }

// overlapChanges returns the mistakes of the stage overlap that change the question or the right answer.
func overlapChanges() []change[overlapQuestion, relation] {
	const lesson = "exact.md"
	words := func(m map[relation]relation) func(*overlapQuestion) func(*relation) {
		return telling(func(_ *overlapQuestion, r *relation) {
			if w, ok := m[*r]; ok {
				*r = w
			}
		})
	}
	asks := func(f func(q *overlapQuestion)) func(*overlapQuestion) func(*relation) {
		return asking[overlapQuestion, relation](f)
	}
	return []change[overlapQuestion, relation]{
		{Mistake{"touching counts as overlapping", "If both sides are equal, the capsules touch: their interiors share no point.", lesson}, words(map[relation]relation{touches: overlaps})},
		{Mistake{"touching counts as apart", "If both sides are equal, the capsules touch: their surfaces share a point.", lesson}, words(map[relation]relation{touches: apart})},
		{Mistake{"the comparison is reversed", "Capsules overlap if the squared distance is less than (r1 + r2)².", lesson}, words(map[relation]relation{overlaps: apart, apart: overlaps})},
		{Mistake{"z is ignored", "Points with three numbers are in space: z counts like x and y.", lesson}, asks(func(q *overlapQuestion) {
			if len(q.A.P) == 3 {
				q.A, q.B = q.A.flattened(), q.B.flattened()
			}
		})},
		{Mistake{"the radii are subtracted", "The capsules touch at a distance of r1 + r2.", lesson}, asks(func(q *overlapQuestion) {
			q.A.Radius, q.B.Radius = max(q.A.Radius, q.B.Radius)-min(q.A.Radius, q.B.Radius), 0
		})},
		{Mistake{"the radii are doubled", "The capsules touch at a distance of r1 + r2: a radius is not a diameter.", lesson}, asks(func(q *overlapQuestion) { q.A.Radius, q.B.Radius = 2*q.A.Radius, 2*q.B.Radius })},
		{Mistake{"only the larger radius counts", "The capsules touch at a distance of r1 + r2.", lesson}, asks(func(q *overlapQuestion) { q.A.Radius, q.B.Radius = max(q.A.Radius, q.B.Radius), 0 })},
		{Mistake{"one radius counts twice", "The capsules touch at a distance of r1 + r2: check the names.", lesson}, asks(func(q *overlapQuestion) { q.B.Radius = q.A.Radius })},
		{Mistake{"one radius counts twice", "The capsules touch at a distance of r1 + r2: check the names.", lesson}, asks(func(q *overlapQuestion) { q.A.Radius = q.B.Radius })},
		{Mistake{"the radii are ignored", "Capsules touch at a distance of r1 + r2, axes at a distance of 0.", lesson}, asks(func(q *overlapQuestion) { q.A.Radius, q.B.Radius = 0, 0 })},
		{Mistake{"only one radius counts", "The capsules touch at a distance of r1 + r2.", lesson}, asks(func(q *overlapQuestion) { q.B.Radius = 0 })},
		{Mistake{"only one radius counts", "The capsules touch at a distance of r1 + r2.", lesson}, asks(func(q *overlapQuestion) { q.A.Radius = 0 })},
	}
}

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
