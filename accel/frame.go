package accel

import (
	"math"

	"pillbox/geom"
)

// rect is a half-open rectangle of a packet's columns and rows.
type rect struct{ x0, y0, x1, y1 int }

func (r rect) empty() bool { return r.x0 >= r.x1 || r.y0 >= r.y1 }

// frame projects points to a packet's samples.
type frame struct {
	packet     *geom.Packet
	o          geom.Vec3
	a, b, c    geom.Vec3
	na, nb, nc float64
	slack      float64
	shortest   float64 // least T of a point with c == 1
}

// lens is a frame and a packet for kernels, which know its layout. The lanes stand for a point's
// column, row, what both are divided by, and the distance before which no ray comes to it: the
// products of a, -b, c and c times shortest with it, or 1 for the divisor of parallel rays.
type lens struct {
	x, y, z       [lanes]float64 // components of the rows
	norms         [lanes]float64 // and their lengths
	offset        [lanes]float64
	center        [lanes]float64 // the picture's middle, in pixels
	before, after [lanes]float64 // first sample, with a margin on either side
	size, last    [lanes]float64 // how many samples, and one less
	o             geom.Vec3
	slack         float64
	density       float64
}

// projection is the rectangle of samples that a solid projects to and a distance before
// which no ray meets it. Kernels know its layout.
type projection struct {
	x0, y0, x1, y1 int32
	tMin           float64
}

func (p *projection) rect() (rect, float64) {
	return rect{int(p.x0), int(p.y0), int(p.x1), int(p.y1)}, p.tMin
}

// focus prepares the lens for the packet. What f.shortest is must be known.
func (l *lens) focus(p *geom.Packet, f *frame) {
	x, y := float64(p.X0)+0.5, float64(p.Y0)+0.5
	divisor, norm, offset := f.c, f.nc, 0.0
	if p.Parallel {
		divisor, norm, offset = geom.Vec3{}, 0, 1
	}
	depth := f.c.Scale(f.shortest)
	*l = lens{
		x:       [lanes]float64{f.a.X, -f.b.X, divisor.X, depth.X},
		y:       [lanes]float64{f.a.Y, -f.b.Y, divisor.Y, depth.Y},
		z:       [lanes]float64{f.a.Z, -f.b.Z, divisor.Z, depth.Z},
		norms:   [lanes]float64{f.na, f.nb, norm, f.nc * f.shortest},
		offset:  [lanes]float64{2: offset},
		center:  [lanes]float64{p.CenterX, p.CenterY},
		before:  [lanes]float64{x + margin, y + margin},
		after:   [lanes]float64{x - margin, y - margin},
		size:    [lanes]float64{float64(p.NX), float64(p.NY)},
		last:    [lanes]float64{float64(p.NX - 1), float64(p.NY - 1)},
		o:       f.o,
		slack:   f.slack,
		density: p.Density,
	}
}

// margin is how many samples a projected rectangle is widened by where rounding leaves a doubt.
const margin = 0x1p-16

// newFrame inverts the matrix of the packet's three vectors: the point o + v lies on the
// ray through the offsets x = a.v / c.v and y = b.v / c.v or, if the rays are parallel, x = a.v
// and y = b.v, at the distance c.v. It returns false if the vectors are not perpendicular to
// each other, as those of a camera are, to within 2^-21 at worst.
func newFrame(p *geom.Packet, slack float64) (frame, bool) {
	n := p.DX.Cross(p.DY)
	det := n.Dot(p.Dir)
	if !(math.Abs(det) >= (1-0x1p-32)*p.DX.Norm()*p.DY.Norm()*p.Dir.Norm()) || det == 0 {
		return frame{}, false
	}
	f := frame{
		packet: p,
		o:      p.Origin,
		a:      p.DY.Cross(p.Dir).Div(det),
		b:      p.Dir.Cross(p.DX).Div(det),
		c:      n.Div(det),
		slack:  slack,
	}
	f.na, f.nb, f.nc = f.a.Norm(), f.b.Norm(), f.c.Norm()
	return f, true
}

// span is a range of products of a row of the matrix with points, seen from the origin.
type span struct{ lo, hi float64 }

// rect returns the samples whose rays may meet what lies within the given ranges of
// a.v, b.v and c.v, and a distance before which they do not.
func (f *frame) rect(a, b, c span) (rect, float64) {
	a, b, c = a.widen(float64(f.slack*f.na)), b.widen(float64(f.slack*f.nb)), c.widen(float64(f.slack*f.nc))
	p := f.packet
	if c.hi < 0 {
		return rect{}, 0
	}
	divisor := c
	if p.Parallel {
		divisor = span{1, 1}
	}
	if divisor.lo <= 0 {
		return rect{0, 0, p.NX, p.NY}, 0
	}
	x, y := a.over(divisor), b.over(divisor)
	var r rect
	r.x0, r.x1 = cover(x.lo+p.CenterX, x.hi+p.CenterX, p.Density, p.X0, p.NX)
	r.y0, r.y1 = cover(p.CenterY-y.hi, p.CenterY-y.lo, p.Density, p.Y0, p.NY)
	return r, c.lo * f.shortest
}

func (s span) widen(d float64) span { return span{s.lo - d, s.hi + d} }

// over returns the range of quotients of a number in s by one in d, which is positive.
func (s span) over(d span) span {
	// Products with reciprocals: what they lose is far below what cover adds.
	a, b := 1/d.lo, 1/d.hi
	return span{min(float64(s.lo*a), float64(s.lo*b)), max(float64(s.hi*a), float64(s.hi*b))}
}

// cover returns the half-open range of the samples first, ..., first + n - 1, relative to
// first, whose centres lie between lo and hi pixels, and a few more where rounding leaves
// a doubt.
func cover(lo, hi, density float64, first, n int) (from, to int) {
	shift := float64(first) + 0.5
	l := float64(lo*density) - shift - margin
	h := float64(hi*density) - shift + margin
	if !(l < float64(n)) || !(h >= 0) {
		return 0, 0
	}
	// Limited as floats, which takes no branch that is hard to predict.
	l, h = max(math.Ceil(l), 0), min(h, float64(n-1))
	return geom.ClampInt(l, 0, n), geom.ClampInt(h, 0, n-1) + 1
}

func (f *frame) ball(s *ball, l *lens) (rect, float64) {
	var p projection
	if seen, ok := projectBall(l, s, &p); ok {
		if !seen {
			return rect{}, 0
		}
		return p.rect()
	}
	v := s.Center.Sub(f.o)
	return f.rect(
		around(f.a.Dot(v), float64(f.na*s.Radius)),
		around(f.b.Dot(v), float64(f.nb*s.Radius)),
		around(f.c.Dot(v), float64(f.nc*s.Radius)))
}

func (f *frame) pill(s *pill, l *lens) (rect, float64) {
	var p projection
	if seen, ok := projectPill(l, s, &p); ok {
		if !seen {
			return rect{}, 0
		}
		return p.rect()
	}
	v, w := s.A.Sub(f.o), s.B.Sub(f.o)
	return f.rect(
		between(f.a.Dot(v), f.a.Dot(w)).widen(float64(f.na*s.Radius)),
		between(f.b.Dot(v), f.b.Dot(w)).widen(float64(f.nb*s.Radius)),
		between(f.c.Dot(v), f.c.Dot(w)).widen(float64(f.nc*s.Radius)))
}

func (f *frame) block(s *block, l *lens) (rect, float64) {
	var p projection
	if seen, ok := projectBlock(l, s, &p); ok {
		if !seen {
			return rect{}, 0
		}
		return p.rect()
	}
	v := s.Center.Sub(f.o)
	return f.rect(
		around(f.a.Dot(v), s.Reach(f.a)),
		around(f.b.Dot(v), s.Reach(f.b)),
		around(f.c.Dot(v), s.Reach(f.c)))
}

func around(m, r float64) span { return span{m - r, m + r} }

func between(a, b float64) span {
	if a > b {
		return span{b, a}
	}
	return span{a, b}
}
