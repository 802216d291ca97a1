package exact

import "math/big"

// capsule is a Capsule3 with numbers of type T.
type capsule[T integer[T]] struct {
	p, q [3]T
	r    T
}

func convert[T integer[T]](c Capsule3, of func(*big.Int) T) capsule[T] {
	return capsule[T]{
		p: [3]T{of(c.P[0]), of(c.P[1]), of(c.P[2])},
		q: [3]T{of(c.Q[0]), of(c.Q[1]), of(c.Q[2])},
		r: of(c.R),
	}
}

// relate returns whether the distance of the axes of a and b is larger than, equal to or less than the
// sum of their radii.
//
// Let u, v and w be as in the code. The points a.p + s u and b.p + t v of the axes have the distance
// |w + s u - t v|. Its square is convex in s and t. If the axes are not parallel, the square has a
// single minimum, which Cramer's rule finds at s = sn/d and t = tn/d. If both are in [0, 1], the
// distance of the axes is that of their lines, |w . n| / |n| with n = u x v. Otherwise, the minimum over
// 0 <= s, t <= 1 lies where s or t is 0 or 1, that is, at an end of one of the axes. This is also the case if
// the axes are parallel or one of them is a point. The case distinction is that of Christer Ericson, Real-Time Collision
// Detection, 2005, section 5.1.9, without its divisions.
func relate[T integer[T]](a, b capsule[T]) Relation {
	u, v, w := minus(a.q, a.p), minus(b.q, b.p), minus(a.p, b.p)
	uu, uv, vv := dot(u, u), dot(u, v), dot(v, v)
	f := dot(v, w)               // how far a.p lies along b's axis, times |v|
	g := dot(u, minus(b.p, a.p)) // how far b.p lies along a's axis, times |u|
	r := a.r.add(b.r)
	rr := r.mul(r)

	d := uu.mul(vv).sub(uv.mul(uv)) // |n|²
	sn := vv.mul(g).add(uv.mul(f))
	tn := uu.mul(f).add(uv.mul(g))
	if d.sign() > 0 && within(sn, d) && within(tn, d) {
		h := dot(w, cross(u, v))
		return relation(h.cmpMul(h, rr, d))
	}

	pp := dot(w, w)                // a.p to b.p, squared
	qp := pp.sub(g).sub(g).add(uu) // a.q to b.p
	pq := pp.sub(f).sub(f).add(vv) // a.p to b.q
	return max(
		relateEnd(pp, f, vv, rr),         // a.p
		relateEnd(qp, f.add(uv), vv, rr), // a.q
		relateEnd(pp, g, uu, rr),         // b.p
		relateEnd(pq, g.add(uv), uu, rr), // b.q
	)
}

// relateEnd compares the distance of a point from a segment with r. x is the vector from the start of
// the segment to the point, and v the vector to its end. xx, xv and vv are their dot products; rr is
// r².
func relateEnd[T integer[T]](xx, xv, vv, rr T) Relation {
	if xv.sign() <= 0 { // also if the segment is a point, where vv is zero
		return relation(xx.sub(rr).sign())
	}
	if xv.sub(vv).sign() >= 0 {
		return relation(xx.sub(xv).sub(xv).add(vv).sub(rr).sign())
	}
	return relation(xx.sub(rr).cmpMul(vv, xv, xv)) // xx - xv²/vv against rr
}

// relation returns the Relation for a distance that is less than (-1), equal to (0) or larger than (1)
// r1 + r2.
func relation(cmp int) Relation {
	return Touching - Relation(cmp)
}

// within reports whether 0 <= x <= d.
func within[T integer[T]](x, d T) bool {
	return x.sign() >= 0 && d.sub(x).sign() >= 0
}

// meet reports whether the axes of a and b, both at height zero, have a point in common. They do if the
// ends of each axis are on different sides of the other, or if an end of one lies on the other.
func meet[T integer[T]](a, b capsule[T]) bool {
	ap, aq := orient(b.p, b.q, a.p), orient(b.p, b.q, a.q)
	bp, bq := orient(a.p, a.q, b.p), orient(a.p, a.q, b.q)
	return ap*aq < 0 && bp*bq < 0 ||
		ap == 0 && between(b.p, b.q, a.p) ||
		aq == 0 && between(b.p, b.q, a.q) ||
		bp == 0 && between(a.p, a.q, b.p) ||
		bq == 0 && between(a.p, a.q, b.q)
}

// orient returns on which side of the line from p to q the point x lies, seen from above: 1 for left and -1 for
// right. It returns 0 if x is on the line or p equals q.
func orient[T integer[T]](p, q, x [3]T) int {
	u, v := minus(q, p), minus(x, p)
	return u[0].cmpMul(v[1], u[1], v[0])
}

// between reports whether x, a point of the line through p and q, lies on the closed segment from p to
// q.
func between[T integer[T]](p, q, x [3]T) bool {
	return dot(minus(p, x), minus(q, x)).sign() <= 0
}

func minus[T integer[T]](a, b [3]T) [3]T {
	return [3]T{a[0].sub(b[0]), a[1].sub(b[1]), a[2].sub(b[2])}
}

func dot[T integer[T]](a, b [3]T) T {
	return a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

func cross[T integer[T]](a, b [3]T) [3]T {
	return [3]T{
		a[1].mul(b[2]).sub(a[2].mul(b[1])),
		a[2].mul(b[0]).sub(a[0].mul(b[2])),
		a[0].mul(b[1]).sub(a[1].mul(b[0])),
	}
}
