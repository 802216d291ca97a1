package course

import (
	"math"
	"math/big"
)

// The questions of this file lie exactly on the boundary between two relations, or as close to it as integers allow, at
// every size of numbers. They are generated in the plane z = 0, or with a gap along z. Then their coordinates are
// exchanged, mirrored and moved.

// sizes are the numbers of bits of the integers in questions.
var sizes = [...]int{28, 2, 27, 5, 28, 10, 26, 28, 3, 20, 28, 15, 7}

// size returns an element of sizes: the next one for each further question of the same kind and class.
func (d *dice) size() int { return sizes[d.turn%len(sizes)] }

// bits returns a random number with n bits.
func (d *dice) bits(n int) int64 {
	least := int64(1) << max(0, n-1)
	return least + d.Int64N(least)
}

// side returns -1, 0 or 1, in turn, so that all sizes get all three.
func (d *dice) side() int64 { return int64(d.turn)%3 - 1 }

// closeOverlaps returns the kinds of questions about capsules that touch or nearly touch, and about axes that cross or
// nearly cross.
func closeOverlaps() []ask[overlapQuestion] {
	crossing := ask[overlapQuestion]{Degenerate, "crossing, or passing by one unit", func(d *dice) overlapQuestion {
		p, q := d.coprime(d.size())
		x, y := beside(p, q, 1-2*(d.side()&1))
		k := 1 + d.Int64N(3)
		return d.placed(planar(0, 0, p, q), planar(x, y, x-k*q, y+k*p), 0)
	}}
	foot := ask[overlapQuestion]{Degenerate, "skew, the foot at an end of the axis or next to it", func(d *dice) overlapQuestion {
		// The two axes are in planes z = constant. The distance of the planes is the sum of the radii. One axis is along x.
		// Seen along z, the other passes through the end of the first, or one unit beside it.
		n := d.size()/2 + 1
		p, q := d.coprime(n)
		x, y := bezout(q, -p, d.side()) // x q - y p
		gap := d.bits(d.size())
		return d.placed([2][3]int64{{0, 0, 0}, {-d.bits(n), 0, 0}}, [2][3]int64{{x, y, gap}, {x - p, y - q, gap}}, gap)
	}}
	return []ask[overlapQuestion]{
		crossing, crossing, foot, foot, // twice each: a mistake may affect only one of the two axes or ends
		{Degenerate, "two ends, on the boundary or next to it", func(d *dice) overlapQuestion {
			x, y, r := d.nearSquares(d.size(), d.side())
			return d.placed(planar(0, 0, -d.Int64N(3)*x, -d.Int64N(3)*y), planar(x, y, x+d.Int64N(3)*x, y+d.Int64N(3)*y), r)
		}},
		{Degenerate, "an end beside an axis, on the boundary or next to it", func(d *dice) overlapQuestion {
			p, q, n, r := d.nearMultiple(d.size(), d.side())
			x, y := beside(p, q, n)
			away := d.Int64N(2) * min(1+d.Int64N(9), (1<<29)/max(p, q)) // the other end is farther from the axis
			return d.placed(planar(0, 0, p, q), planar(x, y, x+q*away, y-p*away), r)
		}},
		{Degenerate, "skew, on the boundary or next to it", func(d *dice) overlapQuestion {
			p, q, n, r := d.nearMultiple(d.size(), d.side())
			y, z := beside(p, q, n)
			a := [2][3]int64{{0, 0, 0}, {0, p, q}}
			b := [2][3]int64{{-d.bits(4), y, z}, {d.bits(4), y, z}}
			return d.placed(a, b, r)
		}},
		{Degenerate, "the foot at an end of the axis or next to it", func(d *dice) overlapQuestion {
			// The ends (0, 0) and (x, y) of the two axes are at the distance r. The first axis starts at (0, 0) in the
			// direction (p, q). The perpendicular from (x, y) meets its line just before the start, at the start, or
			// just after it.
			x, y, r := d.triple(d.size())
			p, q := bezout(x, y, d.side())
			for range d.IntN(3) {
				p, q = p-y, q+x
			}
			return d.placed(planar(0, 0, p, q), planar(x, y, x+d.Int64N(2)*x, y+d.Int64N(2)*y), r)
		}},
		{Degenerate, "lines that cross one length beyond an axis", func(d *dice) overlapQuestion {
			p, q := d.coprime(1 + d.turn%3)
			x, y := bezout(q, -p, 1)
			return d.placed(planar(0, 0, p, q), planar(-p, -q, x-p, y-q), 0)
		}},
		{Degenerate, "nearly parallel, crossing or one above the other", func(d *dice) overlapQuestion {
			// The cross product of the axes is one unit. Each end lies beside the other axis, at a distance of less
			// than one unit.
			p, q := d.coprime(d.size())
			x, y := bezout(q, -p, 1)
			gap := d.Int64N(2) * d.bits(d.size())
			return d.placed([2][3]int64{{-p, -q, 0}, {p, q, 0}}, [2][3]int64{{-p - x, -q - y, gap}, {p + x, q + y, gap}}, gap)
		}},
		{Degenerate, "small numbers in the plane", func(d *dice) overlapQuestion { return d.small(2) }},
		{Degenerate, "small numbers in space", func(d *dice) overlapQuestion { return d.small(3) }},
	}
}

// largeRadii returns two capsules whose radii have a sum R near 2^32, so that R² needs 64 bits. Two of their ends are nearest. The
// distance of these ends is in turn a little less than R, a little more, a little more than 2^32, so that its square modulo 2^64 is
// small, or a little less than the root of 2^63, so that its square fits in 63 bits while R² does not.
func (d *dice) largeRadii() overlapQuestion {
	const n = maxInteger
	a, b := integers{Radius: n - d.Int64N(n/4)}, integers{Radius: n - d.Int64N(n/4)}
	sum := a.Radius + b.Radius
	part, root := sum/(20+d.Int64N(1000)), int64(math.Sqrt(1<<63))
	far := [...]int64{sum - part, sum + part, 1<<32 + d.Int64N(n/64), root - d.Int64N(n/64)}[d.turn%4]
	x, y := far/3+d.Int64N(far/6), far/3+d.Int64N(far/6)
	z := int64(math.Sqrt(float64(far)*float64(far) - float64(x)*float64(x) - float64(y)*float64(y)))
	apart := [3]int64{x, y, z}
	for _, i := range d.Perm(3) {
		sign, shift := 1-2*d.Int64N(2), apart[i]/2
		a.P, b.P = append(a.P, -sign*shift), append(b.P, sign*(apart[i]-shift))
		a.Q, b.Q = append(a.Q, -sign*(shift+d.Int64N(n/64))), append(b.Q, sign*(apart[i]-shift+d.Int64N(n/64)))
	}
	if d.IntN(2) == 0 {
		a.P, a.Q = a.Q, a.P
	}
	if d.IntN(2) == 0 {
		b.P, b.Q = b.Q, b.P
	}
	return overlapQuestion{a, b}
}

// small returns two capsules with coordinates and radii of a few units. Many such pairs touch.
func (d *dice) small(dim int) overlapQuestion {
	most := [...]int64{1, 1, 2, 3}[d.turn%4]
	capsule := func() integers {
		c := integers{make([]int64, dim), make([]int64, dim), d.Int64N(most + 1)}
		for i := range dim {
			c.P[i], c.Q[i] = d.Int64N(2*most+1)-most, d.Int64N(2*most+1)-most
		}
		return c
	}
	return overlapQuestion{capsule(), capsule()}
}

// planar returns an axis in the plane z = 0.
func planar(px, py, qx, qy int64) [2][3]int64 { return [2][3]int64{{px, py, 0}, {qx, qy, 0}} }

// nearSquares returns x, y and r with about the given number of bits and x² + y² = r² + side.
func (d *dice) nearSquares(bits int, side int64) (x, y, r int64) {
	switch side {
	case 0:
		return d.triple(bits)
	case 1:
		r = d.bits(bits)
		return r, 1, r
	}
	a := d.bits(max(1, bits/2))
	return 2 * a * a, 2 * a, 2*a*a + 1
}

// triple returns coprime x, y and r with about the given number of bits and x² + y² = r².
func (d *dice) triple(bits int) (x, y, r int64) {
	for {
		m := d.bits(max(2, bits/2))
		n := 1 + d.Int64N(m-1)
		if (m+n)%2 == 1 && gcd(m, n) == 1 {
			return m*m - n*n, 2 * m * n, m*m + n*n
		}
	}
}

// nearMultiple returns coprime p and q, and n and r with n² = r² (p² + q²) + side. A point (x, y) with x q - y p = n
// has the distance n / √(p² + q²) from the line through (0, 0) along (p, q). If side is 0, this distance is r. If side
// is ±1, it is as close to r as possible without being equal. Then q is 1, and n and r solve Pell's equation n² - (p² +
// 1) r² = ±1. In a solution, n + r √(p² + 1) is a power of p + √(p² + 1).
func (d *dice) nearMultiple(bits int, side int64) (p, q, n, r int64) {
	if side == 0 {
		x, y, w := d.triple(bits)
		r = d.bits(2 + d.IntN(bits))
		return x, y, r * w, r
	}
	m := d.bits(bits)
	if side < 0 { // odd powers solve the equation for -1
		if d.IntN(2) == 0 {
			return m, 1, m, 1
		}
		m = d.bits(max(1, bits/2))
		return m, 1, 4*m*m*m + 3*m, 4*m*m + 1
	}
	return m, 1, 2*m*m + 1, 2 * m
}

// coprime returns two coprime numbers with the given number of bits.
func (d *dice) coprime(bits int) (p, q int64) {
	for {
		p, q = d.bits(bits), d.bits(bits)
		if gcd(p, q) == 1 {
			return p, q
		}
	}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// bezout returns x and y with a x + b y = c, for coprime a and b. If c is -1, 0 or 1, then |x| and |y| are at most
// max(|a|, |b|).
func bezout(a, b, c int64) (x, y int64) {
	var u, v big.Int
	g := new(big.Int).GCD(&u, &v, big.NewInt(max(a, -a)), big.NewInt(max(b, -b)))
	if g.Int64() != 1 {
		panic("course: numbers with a common divisor")
	}
	x, y = u.Int64()*c, v.Int64()*c
	if a < 0 {
		x = -x
	}
	if b < 0 {
		y = -y
	}
	return x, y
}

// beside returns a point (x, y) with x q - y p = n, for coprime p and q. The perpendicular from the point meets the
// segment from (0, 0) to (p, q) between its ends.
func beside(p, q, n int64) (x, y int64) {
	u, v := bezout(q, -p, 1)
	big1 := func(x int64) *big.Int { return big.NewInt(x) }
	bx, by := new(big.Int).Mul(big1(u), big1(n)), new(big.Int).Mul(big1(v), big1(n))
	along := new(big.Int).Add(new(big.Int).Mul(bx, big1(p)), new(big.Int).Mul(by, big1(q)))
	back := new(big.Int).Div(along, big1(p*p+q*q)) // rounded down
	bx.Sub(bx, new(big.Int).Mul(back, big1(p)))
	by.Sub(by, new(big.Int).Mul(back, big1(q)))
	return bx.Int64(), by.Int64()
}

// placed makes a question of two axes. It exchanges, mirrors and moves their coordinates at random. It also divides
// the sum r of the radii at random between the two capsules. Successive questions have the ends and the capsules in
// different orders.
func (d *dice) placed(a, b [2][3]int64, r int64) overlapQuestion {
	dim := 3
	if a[0][2] == 0 && a[1][2] == 0 && b[0][2] == 0 && b[1][2] == 0 && d.IntN(3) > 0 {
		dim = 2
	}
	order := d.Perm(dim)
	var sign, move [3]int64
	largest := r
	for _, p := range [...][3]int64{a[0], a[1], b[0], b[1]} {
		for _, x := range p {
			largest = max(largest, x, -x)
		}
	}
	for i := range sign {
		sign[i] = 1 - 2*d.Int64N(2)
		most := min(maxInteger-largest, 4*largest)
		move[i] = d.Int64N(2*most+1) - most
	}
	if largest > maxInteger {
		panic("course: a question with too large numbers")
	}
	at := func(p [3]int64) []int64 {
		out := make([]int64, dim)
		for i := range out {
			out[i] = move[i] + sign[i]*p[order[i]]
		}
		return out
	}
	first := d.Int64N(r + 1)
	if d.IntN(4) == 0 {
		first = r * d.Int64N(2)
	}
	if d.turn&4 > 0 {
		a[0], a[1] = a[1], a[0]
	}
	if d.turn&2 > 0 {
		b[0], b[1] = b[1], b[0]
	}
	if d.turn&1 > 0 {
		a, b = b, a
	}
	return overlapQuestion{integers{at(a[0]), at(a[1]), first}, integers{at(b[0]), at(b[1]), r - first}}
}
