// Package geom2 is the geometry of the plane that drawings need: points, boxes, outlines, convex polygons. All products are
// rounded before they are added, so that what uses no sine and no cosine is the same on every machine.
package geom2

import "math"

// Point is a point or a vector in a plane.
type Point struct{ X, Y float64 }

// Pt returns the point with the given coordinates.
func Pt(x, y float64) Point { return Point{x, y} }

// Add returns p + q. The conversions keep compilers from fusing products in q with the sums.
func (p Point) Add(q Point) Point { return Point{p.X + float64(q.X), p.Y + float64(q.Y)} }

// Sub returns p - q.
func (p Point) Sub(q Point) Point { return Point{p.X - float64(q.X), p.Y - float64(q.Y)} }

// Scale returns s p.
func (p Point) Scale(s float64) Point { return Point{float64(s * p.X), float64(s * p.Y)} }

// Dot returns the dot product.
func (p Point) Dot(q Point) float64 { return float64(p.X*q.X) + float64(p.Y*q.Y) }

// Norm returns the length of p.
func (p Point) Norm() float64 { return math.Sqrt(p.Dot(p)) }

// Between returns the interpolation between p (t = 0) and q (t = 1).
func (p Point) Between(q Point, t float64) Point { return p.Add(q.Sub(p).Scale(t)) }

// Unit returns the unit vector in the direction of p. If p is zero, it returns the vector in the parameter
// otherwise.
func (p Point) Unit(otherwise Point) Point {
	if n := p.Norm(); n > 0 {
		return p.Scale(1 / n)
	}
	return otherwise
}

// Left returns p rotated by 90 degrees: counterclockwise if y points up, clockwise if y points down.
func (p Point) Left() Point { return Point{-p.Y, p.X} }

// Right returns -p.Left().
func (p Point) Right() Point { return Point{p.Y, -p.X} }

// Box is a closed rectangle with sides along the axes. It is empty if Max is less than Min in
// any coordinate.
type Box struct{ Min, Max Point }

// Rect returns the box with two given corners.
func Rect(x0, y0, x1, y1 float64) Box { return Box{Point{x0, y0}, Point{x1, y1}} }

// Nowhere returns the empty box, to which Include adds points.
func Nowhere() Box { return Rect(math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)) }

// Width is the length of the sides along x.
func (b Box) Width() float64 { return b.Max.X - b.Min.X }

// Height is the length of the sides along y.
func (b Box) Height() float64 { return b.Max.Y - b.Min.Y }

// Middle returns the center.
func (b Box) Middle() Point { return b.Min.Between(b.Max, 0.5) }

// Include returns the smallest box that contains b and the square around p with sides of twice the margin.
func (b Box) Include(p Point, margin float64) Box {
	return Rect(
		min(b.Min.X, p.X-margin), min(b.Min.Y, p.Y-margin),
		max(b.Max.X, p.X+margin), max(b.Max.Y, p.Y+margin),
	)
}

// Inset returns b reduced by d on all sides; a negative d enlarges it.
func (b Box) Inset(d float64) Box {
	d = float64(d) // a product in the argument must not be fused with the sums
	return Rect(b.Min.X+d, b.Min.Y+d, b.Max.X-d, b.Max.Y-d)
}

// Moved returns b, moved along a vector.
func (b Box) Moved(by Point) Box { return Box{b.Min.Add(by), b.Max.Add(by)} }

// Contains reports whether p lies in b.
func (b Box) Contains(p Point) bool {
	return b.Min.X <= p.X && p.X <= b.Max.X && b.Min.Y <= p.Y && p.Y <= b.Max.Y
}

// Holds reports whether all of c, which must not be empty, lies in b.
func (b Box) Holds(c Box) bool { return b.Contains(c.Min) && b.Contains(c.Max) }

// Overlaps reports whether the interiors of b and c overlap.
func (b Box) Overlaps(c Box) bool {
	return b.Min.X < c.Max.X && c.Min.X < b.Max.X && b.Min.Y < c.Max.Y && c.Min.Y < b.Max.Y
}

// Nearest returns the point of b closest to p.
func (b Box) Nearest(p Point) Point {
	return Point{min(max(p.X, b.Min.X), b.Max.X), min(max(p.Y, b.Min.Y), b.Max.Y)}
}

// Clip returns the range of t for which the point p + t (q - p) lies in the box. It returns false if there is no such t, or
// if p equals q.
func (b Box) Clip(p, q Point) (from, to float64, ok bool) {
	v := q.Sub(p)
	from, to = math.Inf(-1), math.Inf(1)
	for _, axis := range [2]struct{ p, v, lo, hi float64 }{{p.X, v.X, b.Min.X, b.Max.X}, {p.Y, v.Y, b.Min.Y, b.Max.Y}} {
		if axis.v == 0 {
			if axis.p < axis.lo || axis.p > axis.hi {
				return 0, 0, false
			}
			continue
		}
		t0, t1 := (axis.lo-axis.p)/axis.v, (axis.hi-axis.p)/axis.v
		from, to = max(from, min(t0, t1)), min(to, max(t0, t1))
	}
	return from, to, from <= to && !math.IsInf(to-from, 0)
}

// ClipSegment returns the range of t in 0..1 for which the point p + t (q - p) of the segment from p to q lies in the box.
// It returns false if there is no such t, or if p equals q.
func (b Box) ClipSegment(p, q Point) (from, to float64, ok bool) {
	from, to, ok = b.Clip(p, q)
	from, to = max(from, 0), min(to, 1)
	return from, to, ok && from <= to
}

// Corners returns the corners of the box, clockwise if y points down.
func (b Box) Corners() []Point {
	return []Point{b.Min, {b.Max.X, b.Min.Y}, b.Max, {b.Min.X, b.Max.Y}}
}

// Arc returns points on a circle between two angles in radians, counterclockwise if y points up.
func Arc(middle Point, radius, from, to float64) []Point {
	const steps = 72
	var out []Point
	for i := range steps + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(i)/steps)
		out = append(out, middle.Add(Pt(radius*cos, radius*sin)))
	}
	return out
}

// Stadium returns the outline of the points within a radius of the segment from a to b.
func Stadium(a, b Point, radius float64) []Point {
	x := b.Sub(a).Unit(Pt(1, 0))
	angle := math.Atan2(x.Y, x.X)
	return append(Arc(b, radius, angle-math.Pi/2, angle+math.Pi/2), Arc(a, radius, angle+math.Pi/2, angle+3*math.Pi/2)...)
}
