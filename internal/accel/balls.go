package accel

import (
	"math"

	"pillbox/geom"
)

// balls holds one ball around each of several solids, as a structure of arrays for vector kernels. Kernels
// always read ballGroupSize balls at a time.
type balls struct {
	x, y, z, radius []float64
	near            []uint8 // the result of find
}

const ballGroupSize = 8

func (b *balls) clear() { b.x, b.y, b.z, b.radius = b.x[:0], b.y[:0], b.z[:0], b.radius[:0] }

// add appends a ball.
func (b *balls) add(center geom.Vec3, radius float64) {
	n := len(b.x)
	if n+ballGroupSize > cap(b.x) {
		b.grow(2*n + 2*ballGroupSize)
	}
	b.x, b.y, b.z, b.radius = b.x[:n+1], b.y[:n+1], b.z[:n+1], b.radius[:n+1]
	b.x[n], b.y[n], b.z[n], b.radius[n] = center.X, center.Y, center.Z, radius
}

// grow gives every array the same capacity.
func (b *balls) grow(room int) {
	for _, a := range []*[]float64{&b.x, &b.y, &b.z, &b.radius} {
		*a = append(make([]float64, 0, room), *a...)
	}
	b.near = make([]uint8, room/ballGroupSize+1)
}

// ballQuery is the input of the method find: a cone of rays. Kernels depend on its layout.
type ballQuery struct {
	ray      geom.Ray // from the apex along the axis
	sin, cos float64  // of the angle between the axis and the border of the cone
	far      float64  // all rays end before the plane that crosses the axis at this distance, which includes the margin
	margin   float64  // a ball counts as met if it is no farther from the cone than this
}

// meets reports whether the cone may meet a ball. It returns false if the ball is farther than the margin from all rays
// of the cone, or if it lies beyond the plane before which all rays end.
//
// The vector f from the apex to the ball's center has the part along on the axis and the part across beside it. If f makes
// an angle of more than 90 degrees with the side of the cone that is closest to it, the closest point of the cone is the
// apex. Otherwise, the distance from the cone is the distance from that side.
func (q *ballQuery) meets(center geom.Vec3, radius float64) bool {
	f := center.Sub(q.ray.Origin)
	along := f.Dot(q.ray.Dir)
	across2 := f.AddScaled(-along, q.ray.Dir).Norm2()
	across, reach := math.Sqrt(across2), radius+q.margin
	beside := float64(across*q.cos)-float64(along*q.sin)-radius > q.margin
	behind := float64(along*q.cos)+float64(across*q.sin) < 0 && across2+float64(along*along) > float64(reach*reach)
	return !(beside || behind || along-radius > q.far)
}

// find returns which of the balls the cone may meet: for each group a byte with a bit for each ball. The slice is valid until
// the next call.
func (b *balls) find(q *ballQuery) []uint8 {
	n := len(b.x)
	near := b.near[:(n+ballGroupSize-1)/ballGroupSize]
	if !findBalls(q, b, near) {
		clear(near)
		for k := range n {
			if q.meets(geom.Vec3{X: b.x[k], Y: b.y[k], Z: b.z[k]}, b.radius[k]) {
				near[k/ballGroupSize] |= 1 << (k % ballGroupSize)
			}
		}
	}
	if last := n % ballGroupSize; last > 0 {
		near[len(near)-1] &= 1<<last - 1 // the other bits are not those of balls
	}
	return near
}

// around returns the smallest ball around a solid, up to rounding.
func (s *solids) around(at primRef) (center geom.Vec3, radius float64) {
	switch i := at.index(); at.kind() {
	case sphereKind:
		b := &s.spheres[i]
		return b.Center, b.Radius
	case capsuleKind:
		p := &s.capsules[i]
		return p.A.Add(p.B).Scale(0.5), float64(p.B.Sub(p.A).Norm()/2) + p.Radius
	case boxKind:
		b := &s.boxes[i]
		return b.Center, b.HalfExtents.Norm()
	default:
		p := &s.cylinders[i]
		return p.A.Add(p.B).Scale(0.5), math.Sqrt(float64(p.length*p.length/4) + float64(p.Radius*p.Radius))
	}
}

// inside returns the radius of a ball inside a solid, with the same center as the ball of the method around.
func (s *solids) inside(at primRef) float64 {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return s.spheres[i].Radius
	case capsuleKind:
		return s.capsules[i].Radius
	case boxKind:
		h := s.boxes[i].HalfExtents
		return min(h.X, h.Y, h.Z)
	default:
		p := &s.cylinders[i]
		return min(p.Radius, p.length/2)
	}
}
