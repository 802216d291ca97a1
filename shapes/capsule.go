package shapes

import (
	"math"

	"pillbox/geom"
)

// Capsule is the set of points within Radius of the segment A B: a pill. If A == B, it is a sphere.
type Capsule struct {
	A, B   geom.Vec3
	Radius float64 // positive
}

// Validate returns an error if an end point or the radius is out of range.
func (c *Capsule) Validate() error {
	if err := checkPoint("a", c.A); err != nil {
		return err
	}
	if err := checkPoint("b", c.B); err != nil {
		return err
	}
	return checkSize("radius", c.Radius)
}

// Bounds implements [Shape].
func (c *Capsule) Bounds() geom.Bounds {
	return geom.Bounds{Min: c.A, Max: c.A}.Include(c.B).Expand(c.Radius)
}

// Span implements [Shape].
func (c *Capsule) Span(r geom.Ray) (Span, bool) {
	x, ok := c.chord(r)
	if !ok {
		return Span{}, false
	}
	return Span{Near: c.hit(r, x.near), Far: c.hit(r, x.far), Tangent: x.tangent}, true
}

// Intersect implements [Shape].
func (c *Capsule) Intersect(r geom.Ray, tMin, tMax float64) (Hit, bool) {
	x, ok := c.chord(r)
	if !ok {
		return Hit{}, false
	}
	t, ok := x.first(tMin, tMax)
	if !ok {
		return Hit{}, false
	}
	return c.hit(r, t), true
}

// Touches implements [Shape].
func (c *Capsule) Touches(s geom.Segment) bool {
	// Coordinates relative to A keep rounding errors in proportion to distances, not to coordinates.
	axis := geom.Segment{B: c.B.Sub(c.A)}
	return axis.Dist2(geom.Segment{A: s.A.Sub(c.A), B: s.B.Sub(c.A)}) <= c.Radius*c.Radius
}

// hit returns the crossing at distance t. On the body and on both balls, the normal points away from the closest point
// of the axis. So normals are continuous where the body meets a ball.
func (c *Capsule) hit(r geom.Ray, t float64) Hit {
	p := r.Origin.Sub(c.A).AddScaled(t, r.Dir)
	q, _ := geom.Segment{B: c.B.Sub(c.A)}.Closest(p)
	return Hit{t, RoundNormal(p.Sub(q), c.Radius, r.Dir)}
}

// The limits below which a capsule or a line is a special case. They are exported for code that must
// compute the same bits as [Capsule.Span].
const (
	// MinAxis is the length of an axis, in radii, up to which the capsule counts as the sphere around
	// A: such an axis moves the surface by less than half a unit in the last place of the radius.
	MinAxis = 0x1p-54

	// ParallelSine is the sine of the angle between a line and the axis below which the line counts as parallel. The
	// component of the line's unit direction across the axis is then less than ParallelSine, which is no more than a
	// rounding error. Ignoring it moves a point of the line by less than two units in the last place of the point's
	// distance.
	ParallelSine = 0x1p-52
)

// chord returns where the line of r enters and leaves the capsule.
//
// Seen along the axis, the infinite cylinder around it is a circle. The line enters and leaves this
// circle at two heights y above A. If such a height lies between 0 and the length of the axis, that end
// of the chord is on the capsule's body; otherwise it is on the ball at that end of the axis.
func (c *Capsule) chord(r geom.Ray) (chord, bool) {
	axis := c.B.Sub(c.A)
	length := axis.Norm()
	if length <= MinAxis*c.Radius {
		return c.ball(r, c.A)
	}
	u, f := axis.Div(length), r.Origin.Sub(c.A)
	y, dy := f.Dot(u), r.Dir.Dot(u)
	f2, d2 := f.AddScaled(-y, u), r.Dir.AddScaled(-dy, u) // across the axis
	a := d2.Norm2()
	if a < ParallelSine*ParallelSine {
		return c.alongAxis(r, dy > 0)
	}
	b := -f2.Dot(d2) / a
	disc := float64(c.Radius*c.Radius) - f2.AddScaled(b, d2).Norm2()
	if !(disc >= 0) {
		return chord{}, false
	}
	h := math.Sqrt(disc / a)
	x := chord{b - h, b + h, disc == 0}
	yNear, yFar := y+float64(x.near*dy), y+float64(x.far*dy)
	switch {
	case yNear < 0 && yFar < 0:
		return c.ball(r, c.A)
	case yNear > length && yFar > length:
		return c.ball(r, c.B)
	}

	// The line passes through the body, so it certainly meets the capsule. Where it enters or leaves
	// beyond an end of the axis, it crosses the ball there. For a line that grazes the seam between
	// body and ball, rounding can make the ball a miss; then use the crossing with the plane of the
	// seam, which is as accurate.
	if end, height := c.endAt(yNear, length); height != yNear {
		if ball, ok := c.ball(r, end); ok {
			x.near = ball.near
		} else {
			x.near = (height - y) / dy
		}
	}
	if end, height := c.endAt(yFar, length); height != yFar {
		if ball, ok := c.ball(r, end); ok {
			x.far = ball.far
		} else {
			x.far = (height - y) / dy
		}
	}
	if x.far < x.near {
		x.far = x.near // rounding at a seam
	}
	return x, true
}

// endAt returns the end of the axis nearest to height y above A, and y clamped to the axis.
func (c *Capsule) endAt(y, length float64) (geom.Vec3, float64) {
	switch {
	case y < 0:
		return c.A, 0
	case y > length:
		return c.B, length
	}
	return c.A, y
}

// alongAxis returns the chord of a line parallel to the axis: in through the ball at one end and out through the ball
// at the other. forward is set if the line runs from A to B. The line has the same distance from the centers of both
// balls, so only rounding can make it miss just one ball.
func (c *Capsule) alongAxis(r geom.Ray, forward bool) (chord, bool) {
	first, last := c.A, c.B
	if !forward {
		first, last = last, first
	}
	in, okIn := c.ball(r, first)
	out, okOut := c.ball(r, last)
	switch {
	case !okIn:
		return out, okOut
	case !okOut:
		return in, okIn
	}
	return chord{near: in.near, far: out.far}, true
}

// ball returns the chord of the ball around one end of the axis.
func (c *Capsule) ball(r geom.Ray, center geom.Vec3) (chord, bool) {
	return ballChord(r.Origin.Sub(center), r.Dir, c.Radius)
}
