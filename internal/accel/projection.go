package accel

import (
	"math"

	"pillbox/geom"
)

// rect is a half-open rectangle of a packet's columns and rows.
type rect struct{ x0, y0, x1, y1 int }

func (r rect) empty() bool { return r.x0 >= r.x1 || r.y0 >= r.y1 }

// projection projects points and solids to a packet's samples.
type projection struct {
	packet     *geom.Packet
	o          geom.Vec3 // the origin of the rays or, if they are parallel, of the plane in which they start
	a, b, c    geom.Vec3 // rows of the inverse matrix, see newProjection
	na, nb, nc float64   // and their lengths
	slack      float64   // see [BVH.slack]
	shortest   float64   // a lower bound of the distance along a ray to a point o + v with c.v == 1
	margin     float64   // number of samples by which rectangles are widened, see marginFactor
}

// laneProjection is a projection in the layout of the kernels. Each lane multiplies a point by one vector, and so maps
// it to one of four values:
//
//   - the undivided column: the product with a;
//   - the undivided row: the product with -b;
//   - their divisor: the product with c, or 1 if the rays are parallel;
//   - a lower bound of the distance at which a ray reaches the point: the product with c, times shortest.
type laneProjection struct {
	x, y, z       [lanes]float64 // components of the four vectors
	norms         [lanes]float64 // and their lengths
	offset        [lanes]float64
	center        [lanes]float64 // the middle of the picture, in pixels
	before, after [lanes]float64 // the first sample, minus and plus the margin
	size, last    [lanes]float64 // number of samples, and one less
	o             geom.Vec3
	slack         float64
	density       float64
}

// footprint is the rectangle of samples that a solid projects to, and a lower bound of the distance at
// which their rays hit it. Kernels depend on its layout.
type footprint struct {
	x0, y0, x1, y1 int32
	tMin           float64
}

func (p *footprint) rect() (rect, float64) {
	return rect{int(p.x0), int(p.y0), int(p.x1), int(p.y1)}, p.tMin
}

// prepare stores in l the projection f.
func (l *laneProjection) prepare(f *projection) {
	p := f.packet
	x, y := float64(p.X0)+0.5, float64(p.Y0)+0.5
	divisor, norm, offset := f.c, f.nc, 0.0
	if p.Parallel {
		divisor, norm, offset = geom.Vec3{}, 0, 1
	}
	depth := f.c.Scale(f.shortest)
	*l = laneProjection{
		x:       [lanes]float64{f.a.X, -f.b.X, divisor.X, depth.X},
		y:       [lanes]float64{f.a.Y, -f.b.Y, divisor.Y, depth.Y},
		z:       [lanes]float64{f.a.Z, -f.b.Z, divisor.Z, depth.Z},
		norms:   [lanes]float64{f.na, f.nb, norm, f.nc * f.shortest},
		offset:  [lanes]float64{2: offset},
		center:  [lanes]float64{p.CenterX, p.CenterY},
		before:  [lanes]float64{x + f.margin, y + f.margin},
		after:   [lanes]float64{x - f.margin, y - f.margin},
		size:    [lanes]float64{float64(p.NX), float64(p.NY)},
		last:    [lanes]float64{float64(p.NX - 1), float64(p.NY - 1)},
		o:       f.o,
		slack:   f.slack,
		density: p.Density,
	}
}

// marginFactor is the margin of a projection in units of 2^-53 S, where S is the largest column or row of
// the packet, counted in samples of the picture.
//
// Derivation: the ray of sample s has the offset q - CenterX with q = (s + 0.5) / Density, rounded.
// Consider an exact rectangle whose edge just includes this ray. Adding CenterX to the edge and rounding
// gives a value that is at worst q, because rounding is monotonic. The product of this value and the
// density differs from s + 0.5 by less than a unit in the last place, which is at most 2 2^-53 S. The
// offset itself is also rounded, in the ray and in the quotient of projection.rect. This error is at most 3
// 2^-53 of the offset and is part of slackFactor. The worst known ray needs 1.5.
const marginFactor = 2

// shortestLoss bounds by which fraction the shortest unscaled direction of a packet may be shorter than the direction
// nearest to the axis. These two directions can differ, because Dir, DX and DY need not be exactly perpendicular.
//
// Derivation: let a, b, c be the dot products of the unit vectors along Dir, DX and DY. Let z = (1, x, y) be the
// coordinates of a direction with respect to these unit vectors. Let O be the symmetric matrix with zeros on its
// diagonal and a, b, c off it. The squared length of the direction is z.z + z.Oz. Let z0 be the point with the least
// z.z in a convex set. Any other point of the set is z0 + d with z.z >= z0.z0 + d.d. So its squared length exceeds that
// of z0 by at least d.d + 2 d.Oz0 + d.Od, which is not less than -|O|^2 z0.z0. newProjection accepts only packets with
// a^2 + b^2 + c^2 <= 2^-31, so |O|^2 <= 4/3 2^-31. So the length is wrong by at most 1.34 2^-32 of itself. The worst
// known packet needs 0.98 2^-32.
const shortestLoss = 0x1.8p-32

// minDeterminant is the smallest determinant that newProjection accepts. It is so far above the
// smallest normal number that underflow, which loses up to 2^-1075 in each product of two components,
// is negligible. Only pixels of less than 1e-149 degrees have a smaller determinant.
const minDeterminant = 0x1p-1000

// newProjection inverts the matrix of the packet's vectors DX, DY and Dir; a, b and c are the rows of the
// inverse. The point o + v lies on the ray with the offsets x = a.v / c.v and y = b.v / c.v. If the rays are
// parallel, the offsets are x = a.v and y = b.v, and the distance is c.v. newProjection returns false if the
// vectors are too short or not perpendicular to each other to within about 2^-21. It accepts the packets of
// all cameras.
func newProjection(p *geom.Packet, slack float64) (projection, bool) {
	n := p.DX.Cross(p.DY)
	det := n.Dot(p.Dir)
	if !(math.Abs(det) >= max((1-0x1p-32)*p.DX.Norm()*p.DY.Norm()*p.Dir.Norm(), minDeterminant)) {
		return projection{}, false
	}
	f := projection{
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

// narrow limits the projection to a part of its packet.
func (f *projection) narrow(p *geom.Packet) {
	f.packet, f.shortest = p, 1
	columns, rows := max(-p.X0, p.X0+p.NX), max(-p.Y0, p.Y0+p.NY)
	f.margin = marginFactor * 0x1p-53 * float64(max(columns, rows))
	if p.Parallel {
		return
	}
	// The unscaled direction is shortest for the ray nearest to the axis.
	x, y := offsets(p)
	f.shortest = p.Dir.AddScaled(x.nearest0(), p.DX).AddScaled(y.nearest0(), p.DY).Norm() * (1 - shortestLoss)
}

// span is a closed range of numbers.
type span struct{ lo, hi float64 }

// offsets returns the range of the offsets of a packet's samples from the middle of the picture, in
// pixels: the multiples of DX and DY.
func offsets(p *geom.Packet) (x, y span) {
	x.lo = (float64(p.X0)+0.5)/p.Density - p.CenterX
	x.hi = (float64(p.X0+p.NX)-0.5)/p.Density - p.CenterX
	y.lo = p.CenterY - (float64(p.Y0+p.NY)-0.5)/p.Density
	y.hi = p.CenterY - (float64(p.Y0)+0.5)/p.Density
	return x, y
}

// nearest0 returns the number in s that is nearest to 0.
func (s span) nearest0() float64 { return max(s.lo, min(s.hi, 0)) }

// The method rect projects a region to samples. The region consists of all points o + v for which the
// products a.v, b.v and c.v lie in the given ranges. rect returns the rectangle of samples whose rays may
// reach the region, and a lower bound of the distance at which they do.
func (f *projection) rect(a, b, c span) (rect, float64) {
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
	r.x0, r.x1 = f.cover(span{x.lo + p.CenterX, x.hi + p.CenterX}, p.X0, p.NX)
	r.y0, r.y1 = f.cover(span{p.CenterY - y.hi, p.CenterY - y.lo}, p.Y0, p.NY)
	return r, c.lo * f.shortest
}

func (s span) widen(d float64) span { return span{s.lo - d, s.hi + d} }

// over returns the range of the quotients x / y for all x in s and y in d. All numbers in d must be
// positive.
func (s span) over(d span) span {
	// Multiplying by a reciprocal instead of dividing doubles the relative error, to 2^-52. slackFactor
	// includes this: see marginFactor.
	a, b := 1/d.lo, 1/d.hi
	return span{min(float64(s.lo*a), float64(s.lo*b)), max(float64(s.hi*a), float64(s.hi*b))}
}

// The method cover returns which samples have their centers in a span of pixels, widened by the margin. It
// considers n samples of a row or column, of which the first has the number first. The result consists of
// the samples with the numbers from first + from up to, but not including, first + to.
func (f *projection) cover(pixels span, first, n int) (from, to int) {
	shift := float64(first) + 0.5
	l := float64(pixels.lo*f.packet.Density) - (shift + f.margin)
	h := float64(pixels.hi*f.packet.Density) - (shift - f.margin)
	if !(l < float64(n)) || !(h >= 0) {
		return 0, 0
	}
	// Clamping floats needs no unpredictable branch.
	l, h = max(math.Ceil(l), 0), min(h, float64(n-1))
	return geom.ClampInt(l, 0, n), geom.ClampInt(h, 0, n-1) + 1
}

func (f *projection) sphere(s *sphere, l *laneProjection) (rect, float64) {
	var p footprint
	if seen, ok := projectSphere(l, s, &p); ok {
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

func (f *projection) capsule(s *capsule, l *laneProjection) (rect, float64) {
	var p footprint
	if seen, ok := projectCapsule(l, s, &p); ok {
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

func (f *projection) cylinder(s *cylinder, l *laneProjection) (rect, float64) {
	var p footprint
	if seen, ok := projectCylinder(l, s, &p); ok {
		if !seen {
			return rect{}, 0
		}
		return p.rect()
	}
	v, w := s.A.Sub(f.o), s.B.Sub(f.o)
	return f.rect(
		between(f.a.Dot(v), f.a.Dot(w)).widen(s.reach(f.a)),
		between(f.b.Dot(v), f.b.Dot(w)).widen(s.reach(f.b)),
		between(f.c.Dot(v), f.c.Dot(w)).widen(s.reach(f.c)))
}

func (f *projection) box(s *box, l *laneProjection) (rect, float64) {
	var p footprint
	if seen, ok := projectBox(l, s, &p); ok {
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
