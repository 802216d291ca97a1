package geom

import "math"

// Ray is a half-line: the points Origin + t*Dir with t >= 0. Dir has unit length, so t is
// a distance.
type Ray struct{ Origin, Dir Vec3 }

// unitSlack is an upper bound of |s - 1|, where s is the squared length of a result of [Vec3.Unit]. The length
// itself is within two units in the last place of 1.
const unitSlack = 8 * 0x1p-53

// Toward returns the ray from origin in the direction along, a vector of any length, which it scales to
// unit length. A vector that already has unit length except for rounding is kept unchanged, so that a
// ray can be written to a file and read back exactly. Toward returns false if along is zero, infinite
// or NaN.
func Toward(origin, along Vec3) (Ray, bool) {
	if math.Abs(along.Norm2()-1) <= unitSlack {
		return Ray{origin, along}, true
	}
	dir, ok := Direction(along)
	return Ray{origin, dir}, ok
}

// At returns the point at distance t along the ray's line. A negative t lies behind the
// origin.
func (r Ray) At(t float64) Vec3 { return r.Origin.AddScaled(t, r.Dir) }

// Segment is the closed set of points between A and B, ends included. A == B is allowed
// and is a point.
type Segment struct{ A, B Vec3 }

// At returns the point A + t*(B - A). At(0) is A and At(1) is B, exactly.
func (s Segment) At(t float64) Vec3 {
	if t == 1 {
		return s.B // A + (B - A) may round to something else
	}
	return s.A.AddScaled(t, s.B.Sub(s.A))
}

// Closest returns the point q of the segment nearest to p and its parameter t in [0, 1],
// so that q = s.At(t). On a zero-length segment t is 0.
func (s Segment) Closest(p Vec3) (q Vec3, t float64) {
	w := s.B.Sub(s.A)
	dot, norm2 := w.Dot(p.Sub(s.A)), w.Norm2()
	switch {
	case dot <= 0 || norm2 == 0:
		return s.A, 0
	case dot >= norm2:
		return s.B, 1
	}
	t = dot / norm2
	return s.At(t), t
}

// Dist2 returns the squared distance between two closed segments, computed between the two points that
// [Segment.Nearest] returns. Except for the rounding of these points, the result is never too small.
// Its square root differs from the exact distance by at most 64 units in the last place of the largest
// coordinate.
func (s Segment) Dist2(o Segment) float64 {
	p, q := s.Nearest(o)
	return p.Sub(q).Norm2()
}

// Nearest returns the point p of s and the point q of o with the smallest distance, except for
// rounding. If several pairs have this distance, as in parallel segments, it returns one of them.
//
// The nearest pair of two segments involves an end point unless the feet of the common perpendicular
// lie inside both. The perpendicular comes from a cross product: the usual determinant ac - b^2
// (Ericson, "Real-Time Collision Detection", 2005, section 5.1.9) loses all digits where the angle
// between the segments is below 1e-8.
func (s Segment) Nearest(o Segment) (p, q Vec3) {
	q = o.A
	p, _ = s.Closest(q)
	best := p.Sub(q).Norm2()
	try := func(a, b Vec3) {
		if d := a.Sub(b).Norm2(); d < best {
			p, q, best = a, b, d
		}
	}
	a, _ := s.Closest(o.B)
	try(a, o.B)
	b, _ := o.Closest(s.A)
	try(s.A, b)
	b, _ = o.Closest(s.B)
	try(s.B, b)

	v, w := s.B.Sub(s.A), o.B.Sub(o.A)
	n := v.Cross(w)
	n2 := n.Norm2()
	if n2 == 0 {
		return p, q
	}
	if t := o.A.Sub(s.A).Cross(w).Dot(n) / n2; 0 < t && t < 1 {
		// Two projections, to the other segment and back, refine the computed foot.
		b, _ := o.Closest(s.At(t))
		a, _ := s.Closest(b)
		try(a, b)
	}
	return p, q
}

// Length returns the length of the segment.
func (s Segment) Length() float64 { return math.Sqrt(s.B.Sub(s.A).Norm2()) }
