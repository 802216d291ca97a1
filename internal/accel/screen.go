package accel

import (
	"math"

	"pillbox/geom"
)

// screen finds the rectangle of a packet's samples to which the bounds of a node's child project. A [projection] does
// the same for solids. The rounding errors of a screen are no larger than those of a projection, so the same slack covers
// them. Kernels use the screen for one child per lane, and depend on its layout.
type screen struct {
	column, row screenRow  // a point's column and row, relative to the packet's first sample, times the divisor
	depth       screenRow  // c.(p - o) for a point p, with the vectors c and o of the projection
	last        [2]float64 // last column and last row
	margin      float64    // number of samples by which rectangles are widened

	perspective, constant float64 // the divisor is perspective * depth + constant: 1 and 0, or 0 and 1 if the rays are parallel

	shortest float64 // as in projection
}

// screenRow is a linear function N.p - k of a point p. Its range in bounds with the corners lo and hi is n.(lo + hi) - k,
// plus or minus reach.(hi - lo): see [screenRow.span].
type screenRow struct {
	n     geom.Vec3 // N/2
	reach geom.Vec3 // the magnitudes of the components of n
	k     float64
	slack float64 // widens the range in both directions
}

// screenMargin is the number of samples by which rectangles are widened at each side. It is much larger than the rounding
// error of a sample's position in any picture with less than 2^40 columns and rows, and much smaller than a block of
// samples. For larger pictures, prepare adds twice the projection's margin, because two positions are subtracted.
const screenMargin = 0x1p-10

// prepare stores in s the projection f.
func (s *screen) prepare(f *projection) {
	p := f.packet
	x, y := offsets(p)
	a, b, ka, kb := f.a.AddScaled(-x.lo, f.c), f.b.AddScaled(-y.hi, f.c), 0.0, 0.0
	s.perspective, s.constant = 1, 0
	if p.Parallel {
		a, b, ka, kb = f.a, f.b, x.lo, y.hi
		s.perspective, s.constant = 0, 1
	}
	s.column.set(a.Scale(p.Density), ka*p.Density, f)
	s.row.set(b.Scale(-p.Density), -kb*p.Density, f)
	s.depth.set(f.c, 0, f)
	s.last = [2]float64{float64(p.NX - 1), float64(p.NY - 1)}
	s.margin = screenMargin + 2*f.margin
	s.shortest = f.shortest
}

// set makes r the function n.(p - o) - k of a point p, where o is the point f.o of the projection.
func (r *screenRow) set(n geom.Vec3, k float64, f *projection) {
	r.k, r.slack = n.Dot(f.o)+k, float64(f.slack*n.Norm())
	r.n = n.Scale(0.5)
	r.reach = geom.Vec3{X: math.Abs(r.n.X), Y: math.Abs(r.n.Y), Z: math.Abs(r.n.Z)}
}

// span returns the range of the function in bounds, given the sum and the difference of their corners.
func (r *screenRow) span(sum, size geom.Vec3) span {
	return around(r.n.Dot(sum)-r.k, r.reach.Dot(size)+r.slack)
}

// enter stores in e, farthest first, the children of a node that are not hidden. A child is hidden if no ray of the packet
// meets its bounds, or if all rays near those that may meet them have already hit something closer, according to d.
func (s *screen) enter(n *node, e *entered, d *depthBuffer) {
	if enterScreen(s, n, e, d) {
		return
	}
	for k := range n.children {
		e.t[k] = math.Inf(1)
		if n.children[k].count < 0 {
			continue
		}
		if r, t, ok := s.rect(n.corners(k)); ok && !d.hides(blocksOf(r), depth(t)) {
			e.t[k] = float64(depth(max(t, 0)))
		}
	}
	e.list(n, math.MaxFloat64)
}

// rect returns the samples whose rays may meet the bounds with corners lo and hi, and a lower bound of
// the distance at which they do. It returns false if no ray meets them.
func (s *screen) rect(lo, hi geom.Vec3) (r rect, t float64, ok bool) {
	sum, size := lo.Add(hi), hi.Sub(lo)
	x, y, z := s.column.span(sum, size), s.row.span(sum, size), s.depth.span(sum, size)
	d := span{float64(z.lo*s.perspective) + s.constant, float64(z.hi*s.perspective) + s.constant}
	t = z.lo * s.shortest
	if z.hi < 0 {
		return rect{}, 0, false
	}
	if !(d.lo > 0) {
		// Bounds that extend behind the eye cannot be projected: compare them with the sides of the
		// frustum.
		if s.beside(x, d.hi, s.last[0]) || s.beside(y, d.hi, s.last[1]) {
			return rect{}, 0, false
		}
		x, y = span{0, s.last[0]}, span{0, s.last[1]}
	} else {
		x, y = x.over(d).widen(s.margin), y.over(d).widen(s.margin)
		x.clip(s.last[0])
		y.clip(s.last[1])
	}
	if !(x.lo <= x.hi && y.lo <= y.hi) {
		return rect{}, 0, false
	}
	sample := func(at float64) int { return geom.ClampInt(at, 0, packetSide-1) }
	return rect{sample(x.lo), sample(y.lo), sample(x.hi) + 1, sample(y.hi) + 1}, t, true
}

// clip limits s to the whole numbers 0, ..., last.
func (s *span) clip(last float64) {
	s.lo, s.hi = max(math.Ceil(s.lo), 0), min(math.Floor(s.hi), last)
}

// beside reports whether all samples x/y, for numbers x in the span and 0 < y <= d, lie before sample 0 or all lie after
// the sample last, in both cases by more than the margin.
func (s *screen) beside(x span, d, last float64) bool {
	return x.hi < -float64(s.margin*d) || x.lo > float64((last+s.margin)*d)
}
