package shapes_test

import (
	"math"
	"math/big"

	"pillbox/geom"
	"pillbox/shapes"
)

// The oracle intersects lines with solids in 256-bit arithmetic, by other methods than the code under
// test: the textbook's quadratics in t with all their cancellation, a capsule as the union of a finite
// cylinder and two balls, a cylinder by vector products with its axis, a box by its six rectangles.

const prec = 256

func newFloat(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

func add(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Add(x, y) }
func sub(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Sub(x, y) }
func mul(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Mul(x, y) }
func quo(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Quo(x, y) }
func root(x *big.Float) *big.Float   { return new(big.Float).SetPrec(prec).Sqrt(x) }

func float(x *big.Float) float64 { f, _ := x.Float64(); return f }

type bigVec [3]*big.Float

func newVec(v geom.Vec3) bigVec { return bigVec{newFloat(v.X), newFloat(v.Y), newFloat(v.Z)} }

func (v bigVec) sub(w bigVec) bigVec {
	return bigVec{sub(v[0], w[0]), sub(v[1], w[1]), sub(v[2], w[2])}
}

func (v bigVec) addScaled(s *big.Float, w bigVec) bigVec {
	return bigVec{add(v[0], mul(s, w[0])), add(v[1], mul(s, w[1])), add(v[2], mul(s, w[2]))}
}

func (v bigVec) dot(w bigVec) *big.Float {
	return add(add(mul(v[0], w[0]), mul(v[1], w[1])), mul(v[2], w[2]))
}

func (v bigVec) cross(w bigVec) bigVec {
	return bigVec{
		sub(mul(v[1], w[2]), mul(v[2], w[1])),
		sub(mul(v[2], w[0]), mul(v[0], w[2])),
		sub(mul(v[0], w[1]), mul(v[1], w[0])),
	}
}

func (v bigVec) norm() *big.Float { return root(v.dot(v)) }

// unit returns v scaled to unit length and rounded. It scales before it rounds, so that nothing underflows.
func (v bigVec) unit() geom.Vec3 {
	n := v.norm()
	if n.Sign() == 0 {
		return geom.Vec3{}
	}
	return geom.Vec3{X: float(quo(v[0], n)), Y: float(quo(v[1], n)), Z: float(quo(v[2], n))}
}

// extent is the part of a line that is inside a solid. A nil extent is empty. An end that is nil is infinitely far.
type extent struct{ near, far *big.Float }

// union returns the smallest extent that contains x and y.
func (x *extent) union(y *extent) *extent {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	u := *x
	if y.near.Cmp(u.near) < 0 {
		u.near = y.near
	}
	if y.far.Cmp(u.far) > 0 {
		u.far = y.far
	}
	return &u
}

// clip returns the part of x between t0 and t1.
func (x *extent) clip(t0, t1 *big.Float) *extent {
	if x == nil {
		return nil
	}
	if t0.Cmp(t1) > 0 {
		t0, t1 = t1, t0
	}
	c := *x
	if c.near == nil || t0.Cmp(c.near) > 0 {
		c.near = t0
	}
	if c.far == nil || t1.Cmp(c.far) < 0 {
		c.far = t1
	}
	if c.near.Cmp(c.far) > 0 {
		return nil
	}
	return &c
}

// negative returns the numbers t for which a t^2 + 2 b t + c <= 0. a must not be negative.
func negative(a, b, c *big.Float) *extent {
	if a.Sign() == 0 { // then b is 0, too: c is the least value of a sum of squares
		if c.Sign() > 0 {
			return nil
		}
		return &extent{}
	}
	disc := sub(mul(b, b), mul(a, c))
	if disc.Sign() < 0 {
		return nil
	}
	h := root(disc)
	return &extent{quo(sub(sub(newFloat(0), b), h), a), quo(sub(h, b), a)}
}

// line is the line of a ray, with the precision of the oracle.
type line struct{ o, d bigVec }

func newLine(r geom.Ray) line { return line{newVec(r.Origin), newVec(r.Dir)} }

func (l line) at(t *big.Float) bigVec { return l.o.addScaled(t, l.d) }

// ball returns the part of l at most radius away from c.
func (l line) ball(c bigVec, radius *big.Float) *extent {
	f := l.o.sub(c)
	return negative(l.d.dot(l.d), f.dot(l.d), sub(f.dot(f), mul(radius, radius)))
}

// cylinder returns the part of l at most radius away from the line through a and b, and between the planes through
// a and b perpendicular to it.
func (l line) cylinder(a, b bigVec, radius *big.Float) *extent {
	w, f := b.sub(a), l.o.sub(a)
	w2 := w.dot(w)
	if w2.Sign() == 0 {
		return nil
	}
	wd, wf := w.cross(l.d), w.cross(f)
	x := negative(wd.dot(wd), wf.dot(wd), sub(wf.dot(wf), mul(mul(radius, radius), w2)))
	height, slope := w.dot(f), w.dot(l.d)
	if slope.Sign() == 0 {
		if height.Sign() < 0 || height.Cmp(w2) > 0 {
			return nil
		}
		return x
	}
	return x.clip(quo(sub(newFloat(0), height), slope), quo(sub(w2, height), slope))
}

// box returns the part of l inside b with its faces moved outward by grow. It computes where l crosses the planes
// of the six faces, and keeps the crossings that are on the faces.
func (l line) box(b *shapes.Box, grow *big.Float) *extent {
	f := l.o.sub(newVec(b.Center))
	half := newVec(b.HalfExtents)
	var o, d bigVec
	for i, axis := range []geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z} {
		o[i], d[i] = f.dot(newVec(axis)), l.d.dot(newVec(axis))
		if half[i] = add(half[i], grow); half[i].Sign() < 0 {
			return nil
		}
	}
	within := func(i int, t *big.Float) bool {
		x := add(o[i], mul(t, d[i]))
		return x.Abs(x).Cmp(half[i]) <= 0
	}
	var x *extent
	for i := range 3 {
		if d[i].Sign() == 0 {
			continue
		}
		for _, face := range []*big.Float{half[i], sub(newFloat(0), half[i])} {
			t := quo(sub(face, o[i]), d[i])
			if within((i+1)%3, t) && within((i+2)%3, t) {
				x = x.union(&extent{t, t})
			}
		}
	}
	return x
}

// exactExtent returns the part of l inside s with its surface moved outward by grow, or inward if grow is negative.
func exactExtent(s shapes.Shape, l line, grow float64) *extent {
	switch s := s.(type) {
	case *shapes.Sphere:
		radius := add(newFloat(s.Radius), newFloat(grow))
		if radius.Sign() < 0 {
			return nil
		}
		return l.ball(newVec(s.Center), radius)
	case *shapes.Capsule:
		radius := add(newFloat(s.Radius), newFloat(grow))
		if radius.Sign() < 0 {
			return nil
		}
		a, b := newVec(s.A), newVec(s.B)
		return l.cylinder(a, b, radius).union(l.ball(a, radius)).union(l.ball(b, radius))
	case *shapes.Cylinder:
		radius := add(newFloat(s.Radius), newFloat(grow))
		a, b := newVec(s.A), newVec(s.B)
		w := b.sub(a)
		outward := quo(newFloat(grow), w.norm()) // in lengths of the axis
		if radius.Sign() < 0 || add(newFloat(0.5), outward).Sign() <= 0 {
			return nil
		}
		return l.cylinder(a.addScaled(sub(newFloat(0), outward), w), b.addScaled(outward, w), radius)
	case *shapes.Box:
		return l.box(s, newFloat(grow))
	case *shapes.Cut:
		x := exactExtent(s.Whole, l, grow)
		for i := range s.By {
			x = l.keep(x, &s.By[i], grow)
		}
		return x
	}
	panic("no oracle for this solid")
}

// keep returns the part of x on the kept side of a section whose plane is moved outward by grow. It interpolates between
// the distances of the ends of x from the plane.
func (l line) keep(x *extent, s *shapes.Section, grow float64) *extent {
	if x == nil {
		return nil
	}
	n := newVec(s.Normal)
	out := mul(newFloat(grow), n.norm())
	beyond := func(t *big.Float) *big.Float { return sub(l.at(t).sub(newVec(s.Point)).dot(n), out) }
	a, b := beyond(x.near), beyond(x.far)
	if a.Sign() <= 0 && b.Sign() <= 0 {
		return x
	}
	if a.Sign() > 0 && b.Sign() > 0 {
		return nil
	}
	t := add(x.near, quo(mul(a, sub(x.far, x.near)), sub(a, b)))
	if a.Sign() > 0 {
		return &extent{t, x.far}
	}
	return &extent{x.near, t}
}

// touches reports whether the closed segment seg meets s with its surface moved outward by grow. For a segment that
// is a point, any line through the point can be used.
func touches(s shapes.Shape, seg geom.Segment, grow float64) bool {
	if seg.A == seg.B {
		l := line{newVec(seg.A), newVec(geom.Vec3{X: 1})}
		return exactExtent(s, l, grow).clip(newFloat(0), newFloat(0)) != nil
	}
	a := newVec(seg.A)
	l := line{a, newVec(seg.B).sub(a)}
	return exactExtent(s, l, grow).clip(newFloat(0), newFloat(1)) != nil
}

// farthest returns the largest distance from p to a point of s.
func farthest(s shapes.Shape, p geom.Vec3) float64 {
	switch s := s.(type) {
	case *shapes.Sphere:
		return p.Sub(s.Center).Norm() + s.Radius
	case *shapes.Capsule:
		return max(p.Sub(s.A).Norm(), p.Sub(s.B).Norm()) + s.Radius
	case *shapes.Cylinder:
		u, _ := geom.Direction(s.B.Sub(s.A))
		f := p.Sub(s.A)
		across := f.AddScaled(-f.Dot(u), u).Norm() + s.Radius
		return max(math.Hypot(across, f.Dot(u)), math.Hypot(across, p.Sub(s.B).Dot(u)))
	case *shapes.Box:
		f := s.Rotation.TransposeMulVec(p.Sub(s.Center))
		return geom.Vec3{
			X: math.Abs(f.X) + s.HalfExtents.X,
			Y: math.Abs(f.Y) + s.HalfExtents.Y,
			Z: math.Abs(f.Z) + s.HalfExtents.Z,
		}.Norm()
	case *shapes.Cut:
		far := farthest(s.Whole, p)
		for i := range s.By {
			at := s.By[i].Point
			far = max(far, p.Sub(at).Norm(), farthest(s.Whole, at))
		}
		return far
	}
	panic("no oracle for this solid")
}
