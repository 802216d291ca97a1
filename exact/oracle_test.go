package exact

import (
	"math/big"
	"math/rand/v2"

	"pillbox/internal/fixture/effort"
)

// pairs returns the number of random pairs for a comparison with the oracle.
func pairs() int { return effort.Of(1000, 10_000, 50_000) }

// pill is a capsule with small integer coordinates. Capsules in the plane have third coordinates of zero.
type pill struct {
	p, q [3]int64
	r    int64
}

func (c pill) capsule3() Capsule3 {
	return Capsule3{P: bigs(c.p), Q: bigs(c.q), R: big.NewInt(c.r)}
}

func (c pill) capsule2() Capsule2 { return flat(c.capsule3()) }

// flat returns c without its third coordinates.
func flat(c Capsule3) Capsule2 {
	return Capsule2{P: [2]*big.Int{c.P[0], c.P[1]}, Q: [2]*big.Int{c.Q[0], c.Q[1]}, R: c.R}
}

// largest returns the largest absolute value of the numbers of c.
func (c pill) largest() int64 {
	most := c.r
	for i := range c.p {
		most = max(most, c.p[i], -c.p[i], c.q[i], -c.q[i])
	}
	return most
}

func bigs(x [3]int64) [3]*big.Int {
	return [3]*big.Int{big.NewInt(x[0]), big.NewInt(x[1]), big.NewInt(x[2])}
}

func (c pill) scaled(k int64) pill { return pill{times(k, c.p), times(k, c.q), k * c.r} }

func sum(a, b [3]int64) [3]int64 { return [3]int64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func inner(a, b [3]int64) int64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func times(k int64, a [3]int64) [3]int64 { return [3]int64{k * a[0], k * a[1], k * a[2]} }

// point is a vector of fractions.
type point [3]*big.Rat

func newPoint(x [3]int64) point {
	return point{big.NewRat(x[0], 1), big.NewRat(x[1], 1), big.NewRat(x[2], 1)}
}

// along returns p + t (q - p).
func along(p, q point, t *big.Rat) point {
	var x point
	for i := range x {
		x[i] = new(big.Rat).Sub(q[i], p[i])
		x[i].Mul(x[i], t).Add(x[i], p[i])
	}
	return x
}

// product returns (b - a) . (d - c).
func product(a, b, c, d point) *big.Rat {
	sum, x, y := new(big.Rat), new(big.Rat), new(big.Rat)
	for i := range a {
		x.Sub(b[i], a[i])
		y.Sub(d[i], c[i])
		sum.Add(sum, x.Mul(x, y))
	}
	return sum
}

// distance2 returns the squared distance of the axes of a and b. This is the distance of an end of one axis from
// the other axis, or the distance between the inner points that innerDistance2 finds, whichever is smaller. inner
// is true if the distance of the inner points is smaller.
func distance2(a, b pill) (least *big.Rat, inner bool) {
	ap, aq, bp, bq := newPoint(a.p), newPoint(a.q), newPoint(b.p), newPoint(b.q)
	least = pointDistance2(ap, bp, bq)
	for _, d := range []*big.Rat{
		pointDistance2(aq, bp, bq), pointDistance2(bp, ap, aq), pointDistance2(bq, ap, aq),
	} {
		if d.Cmp(least) < 0 {
			least = d
		}
	}
	if d, ok := innerDistance2(ap, aq, bp, bq); ok && d.Cmp(least) < 0 {
		return d, true
	}
	return least, false
}

// pointDistance2 returns the squared distance of x from the segment from p to q. It projects x to the line and
// clamps the result to the segment.
func pointDistance2(x, p, q point) *big.Rat {
	t := new(big.Rat)
	if length2 := product(p, q, p, q); length2.Sign() > 0 {
		t.Quo(product(p, q, p, x), length2)
	}
	if t.Sign() < 0 {
		t.SetInt64(0)
	}
	if beyond(t) {
		t.SetInt64(1)
	}
	foot := along(p, q, t)
	return product(foot, x, foot, x)
}

// beyond reports whether t > 1.
func beyond(t *big.Rat) bool { return t.Num().Cmp(t.Denom()) > 0 }

// innerDistance2 returns the squared length of the common perpendicular of two axes, one from ap to aq and the
// other from bp to bq. ok is false if the perpendicular does not meet both axes, if the axes are parallel, or if
// an axis is a point.
func innerDistance2(ap, aq, bp, bq point) (d *big.Rat, ok bool) {
	// uu s - uv t = up and uv s - vv t = vp: the connecting line is perpendicular to u and to v.
	uu, uv, vv := product(ap, aq, ap, aq), product(ap, aq, bp, bq), product(bp, bq, bp, bq)
	up, vp := product(ap, aq, ap, bp), product(bp, bq, ap, bp)
	if uu.Sign() == 0 {
		return nil, false
	}
	ratio := new(big.Rat).Quo(uv, uu)
	pivot := new(big.Rat).Mul(ratio, uv)
	pivot.Sub(pivot, vv)
	if pivot.Sign() == 0 {
		return nil, false
	}
	t := new(big.Rat).Mul(ratio, up)
	t.Sub(vp, t).Quo(t, pivot)
	s := new(big.Rat).Mul(uv, t)
	s.Add(s, up).Quo(s, uu)
	for _, x := range []*big.Rat{s, t} {
		if x.Sign() < 0 || beyond(x) {
			return nil, false
		}
	}
	a, b := along(ap, aq, s), along(bp, bq, t)
	return product(a, b, a, b), true
}

// oracle returns the relation of a and b, computed with fractions.
func oracle(a, b pill) Relation {
	d, _ := distance2(a, b)
	r := new(big.Rat).SetInt64(a.r + b.r)
	switch d.Cmp(r.Mul(r, r)) {
	case -1:
		return Overlapping
	case 0:
		return Touching
	}
	return Apart
}

// maker generates random pairs of capsules in dim dimensions.
type maker struct {
	*rand.Rand
	dim int
}

func newMaker(dim int, seed uint64) *maker {
	return &maker{rand.New(rand.NewPCG(seed, 0)), dim}
}

// within returns a random integer from -n to n.
func (m *maker) within(n int64) int64 { return m.Int64N(2*n+1) - n }

func (m *maker) vector(n int64) (x [3]int64) {
	for i := range m.dim {
		x[i] = m.within(n)
	}
	return x
}

// pair returns two random capsules. Their axes are in one of eight arrangements, sometimes rotated away from the
// coordinate axes. The capsules often touch.
func (m *maker) pair() (a, b pill) {
	n := []int64{1, 2, 3, 5, 10}[m.IntN(5)]
	a.p, a.q, b.p, b.q = m.vector(n), m.vector(n), m.vector(n), m.vector(n)
	direction := m.vector(3)
	along := func(p [3]int64) [3]int64 { return sum(p, times(m.within(4), direction)) }
	switch m.IntN(8) {
	case 0: // parallel
		if m.IntN(2) == 0 { // an integer apart
			direction[0] = 0
			b.p = sum(along(a.p), [3]int64{m.within(3)})
		}
		a.q, b.q = along(a.p), along(b.p)
	case 1: // on one line
		a.q, b.p, b.q = along(a.p), along(a.p), along(a.p)
	case 2: // a point
		b.q = b.p
	case 3: // two points
		a.q, b.q = a.p, b.p
	case 4: // in two parallel planes, so that skew axes may be an integer apart
		a.q[2], b.q[2] = a.p[2], b.p[2]
	case 5: // a common end
		b.p = a.q
	case 6: // a common center
		center := m.vector(n)
		a.q, b.q = sum(times(2, center), times(-1, a.p)), sum(times(2, center), times(-1, b.p))
	}
	if m.IntN(2) == 0 {
		a, b = b, a
	}
	a, b = m.inflate(a, b)
	if m.IntN(3) == 0 {
		a, b = m.turn(a, b)
	}
	return a, b
}

// inflate returns a and b with radii. If the distance of their axes is rational, inflate usually makes the
// capsules touch, or nearly touch. It scales both capsules so that the distance is an integer. Then it chooses
// radii whose sum is this distance, or one more or less.
func (m *maker) inflate(a, b pill) (pill, pill) {
	d, _ := distance2(a, b)
	num, okNum := root(d.Num())
	den, okDen := root(d.Denom())
	if !okNum || !okDen || m.IntN(3) == 0 {
		a.r, b.r = m.Int64N(4), m.Int64N(4)
		return a, b
	}
	rr := max(num+[]int64{-1, 0, 0, 0, 0, 1}[m.IntN(6)], 0)
	a, b = a.scaled(den), b.scaled(den)
	a.r = m.Int64N(rr + 1)
	b.r = rr - a.r
	return a, b
}

// root returns the square root of x, and whether it is an integer.
func root(x *big.Int) (int64, bool) {
	r := new(big.Int).Sqrt(x)
	return r.Int64(), new(big.Int).Mul(r, r).Cmp(x) == 0
}

// turn returns a and b rotated by a random quaternion of integers and scaled by its norm. In two dimensions, the
// rotation is about the third axis.
func (m *maker) turn(a, b pill) (pill, pill) {
	w, x, y, z := 1+m.Int64N(3), int64(0), int64(0), m.within(3)
	if m.dim == 3 {
		x, y = m.within(2), m.within(2)
	}
	rows := [3][3]int64{
		{w*w + x*x - y*y - z*z, 2 * (x*y - w*z), 2 * (x*z + w*y)},
		{2 * (x*y + w*z), w*w - x*x + y*y - z*z, 2 * (y*z - w*x)},
		{2 * (x*z - w*y), 2 * (y*z + w*x), w*w - x*x - y*y + z*z},
	}
	rotated := func(p [3]int64) [3]int64 {
		return [3]int64{inner(rows[0], p), inner(rows[1], p), inner(rows[2], p)}
	}
	norm := w*w + x*x + y*y + z*z
	return pill{rotated(a.p), rotated(a.q), norm * a.r}, pill{rotated(b.p), rotated(b.q), norm * b.r}
}
