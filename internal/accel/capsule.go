package accel

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// capsule is a capsule prepared for rays from any origin.
type capsule struct {
	shapes.Capsule
	u      geom.Vec3 // the axis' direction from A to B
	length float64   // the axis' length; 0 if the capsule counts as a sphere
	number int32
}

func newCapsule(c shapes.Capsule, number int32) capsule {
	p := capsule{Capsule: c, number: number}
	axis := c.B.Sub(c.A)
	if length := axis.Norm(); length > shapes.MinAxis*c.Radius {
		p.u, p.length = axis.Div(length), length
	}
	return p
}

// capsuleFrom is a capsule prepared for rays from one origin.
type capsuleFrom struct {
	a, b   sphereFrom // the end spheres
	axis   geom.Vec3  // from A to B
	u      geom.Vec3  // its direction
	length float64    // and length
	y      float64    // the origin's height above A, along the axis
	f2     geom.Vec3  // from A to the origin, across the axis
}

// The method from stores in v the values that all rays from the point o share.
func (p *capsule) from(o geom.Vec3, v *capsuleFrom) {
	v.a.set(o.Sub(p.A), p.Radius)
	v.b.set(o.Sub(p.B), p.Radius)
	v.axis = p.B.Sub(p.A)
	v.u, v.length = p.u, p.length
	v.y = v.a.f.Dot(p.u)
	v.f2 = v.a.f.AddScaled(-v.y, p.u)
}

// chord returns where the line along d enters and leaves the capsule. It performs the operations of
// [shapes.Capsule.Span] in the same order, but computes no normals.
func (v *capsuleFrom) chord(d geom.Vec3) (near, far float64, ok bool) {
	dy := d.Dot(v.u)
	d2 := d.AddScaled(-dy, v.u)
	a := d2.Norm2()
	if a < shapes.ParallelSine*shapes.ParallelSine || v.length == 0 {
		return v.alongAxis(d, dy > 0)
	}
	b := -v.f2.Dot(d2) / a
	disc := v.a.r2 - v.f2.AddScaled(b, d2).Norm2()
	if !(disc >= 0) {
		return 0, 0, false
	}
	h := math.Sqrt(disc / a)
	near, far = b-h, b+h
	yNear, yFar := v.y+float64(near*dy), v.y+float64(far*dy)
	if 0 <= yNear && yNear <= v.length && 0 <= yFar && yFar <= v.length {
		return near, far, true
	}
	return v.overEnds(d, dy, near, far)
}

// overEnds computes the chord of a line that enters the infinite cylinder around the axis at the distance
// tNear and leaves it at tFar. At least one of these points lies beyond an end of the axis. There, the line
// crosses the capsule's surface on the ball at that end.
func (v *capsuleFrom) overEnds(d geom.Vec3, dy, tNear, tFar float64) (near, far float64, ok bool) {
	yNear, yFar := v.y+float64(tNear*dy), v.y+float64(tFar*dy)
	switch {
	case yNear < 0 && yFar < 0:
		return v.a.chord(d)
	case yNear > v.length && yFar > v.length:
		return v.b.chord(d)
	}
	near, far = tNear, tFar
	if end, height := v.endAt(yNear); height != yNear {
		if t, _, ok := end.chord(d); ok {
			near = t
		} else {
			near = (height - v.y) / dy
		}
	}
	if end, height := v.endAt(yFar); height != yFar {
		if _, t, ok := end.chord(d); ok {
			far = t
		} else {
			far = (height - v.y) / dy
		}
	}
	if far < near {
		far = near
	}
	return near, far, true
}

func (v *capsuleFrom) endAt(y float64) (*sphereFrom, float64) {
	switch {
	case y < 0:
		return &v.a, 0
	case y > v.length:
		return &v.b, v.length
	}
	return &v.a, y
}

// alongAxis returns the chord of a line that is parallel to the axis. It also handles every line if the
// axis has length 0. forward says whether the line runs in the direction from A to B.
func (v *capsuleFrom) alongAxis(d geom.Vec3, forward bool) (near, far float64, ok bool) {
	if v.length == 0 {
		return v.a.chord(d)
	}
	first, last := &v.a, &v.b
	if !forward {
		first, last = last, first
	}
	inNear, inFar, okIn := first.chord(d)
	outNear, outFar, okOut := last.chord(d)
	switch {
	case !okIn:
		return outNear, outFar, okOut
	case !okOut:
		return inNear, inFar, okIn
	}
	return inNear, outFar, true
}

// normal returns the outward normal where the line along d crosses the capsule at t. It points away
// from the nearest point of the axis, on the body and on the ends.
func (v *capsuleFrom) normal(d geom.Vec3, t float64) geom.Vec3 {
	away := v.a.f.AddScaled(t, d)
	q, _ := geom.Segment{B: v.axis}.Closest(away)
	return shapes.RoundNormal(away.Sub(q), v.a.r, d)
}
