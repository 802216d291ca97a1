package accel

import (
	"math"

	"pillbox/geom"
)

// ball is a ball around a solid.
type ball struct {
	center geom.Vec3
	radius float64
}

// ballGroupSize is the number of balls in a group. The solids of a leaf are one group.
const ballGroupSize = maxLeaf

// ballGroup is a group of balls in single precision, as a structure of arrays. Unused lanes have the radius -Inf: no cone
// meets them. Kernels depend on its layout.
type ballGroup struct {
	x, y, z, radius [ballGroupSize]float32
}

// emptyGroup is a group without balls.
var emptyGroup = func() (g ballGroup) {
	for k := range g.radius {
		g.radius[k] = float32(math.Inf(-1))
	}
	return g
}()

// set sets ball k to a ball that contains b.
func (g *ballGroup) set(k int, b *ball) {
	center, off := single(b.center)
	g.x[k], g.y[k], g.z[k] = center[0], center[1], center[2]
	g.radius[k] = float32((b.radius + off) * (1 + 2*coneError))
}

// single rounds the point p to single precision. It also returns an upper bound of the distance from p, up to rounding. The
// distance is infinite or NaN if p is so far from the origin that squares might overflow.
func single(p geom.Vec3) (rounded [3]float32, off float64) {
	const farthest = 0x1p60
	x, y, z := float32(p.X), float32(p.Y), float32(p.Z)
	off = math.Abs(p.X-float64(x)) + math.Abs(p.Y-float64(y)) + math.Abs(p.Z-float64(z))
	if p.MaxAbs() > farthest {
		off = math.Inf(1)
	}
	return [3]float32{x, y, z}, off
}

// balls is a list of balls. Each ball has a slot of [leafBalls].
type balls struct {
	n      int
	groups []ballGroup
	slots  [][ballGroupSize]int32
}

func (b *balls) clear() { b.n, b.groups, b.slots = 0, b.groups[:0], b.slots[:0] }

// addBall appends the ball in a slot.
func (b *balls) addBall(from *leafBalls, slot int32) {
	lane := b.n % ballGroupSize
	if lane == 0 {
		b.groups, b.slots = append(b.groups, emptyGroup), append(b.slots, [ballGroupSize]int32{})
	}
	last := len(b.groups) - 1
	to, g, k := &b.groups[last], &from.groups[slot/ballGroupSize], slot%ballGroupSize
	to.x[lane], to.y[lane], to.z[lane], to.radius[lane] = g.x[k], g.y[k], g.z[k], g.radius[k]
	b.slots[last][lane] = slot
	b.n++
}

// ballQuery is a cone of rays in single precision, with margins. Its methods find out which balls the cone may meet. This
// only saves exact tests, so a ball that the cone misses closely may count as met. Kernels depend on the layout.
type ballQuery struct {
	origin, axis [3]float32
	sin          float32 // of the cone's angle
	cos2, sin2   float32 // the squares of the cosine and the sine
	far          float32 // all rays end before the plane that crosses the axis at this distance
	padding      float32 // added to the radius of each ball. If it is infinite or NaN, the cone may meet all balls
}

// Rounding never makes the method test of ballQuery omit a ball that the cone meets. Let u = 2^-24 be the
// largest relative error of an operation in single precision, sin and cos those of the cone's angle, F the length of the
// vector f from the apex to the center of the ball, and R the radius plus the padding.
//
//   - Rounding the center and the apex moves them by distances that the radius and the padding include.
//   - The vector f is wrong by u F, and so is its product with the axis because the axis is rounded. With the three
//     roundings of a dot product, along is wrong by up to 5 u F.
//   - So the vector across the axis is wrong by up to (1 + 5 + 1 + 1 + 1) u F: the errors of f, of along, of the axis, of
//     the product and of the difference.
//   - F is at most the sum of across and the magnitude of along. So these errors change across cos - along sin by up to
//     (9 cos + 5 sin) u times across, and as much times along. The operations that follow change it by up to 4 u times
//     across cos, 2 u times along sin and 2 u times R. In total, this is less than 16 u times across, along and R each.
//   - If the cone meets the ball, F is at most far/cos + R, and along is at least (F - R) cos - R. So the comparisons
//     with far and with the apex are wrong by up to 7 u times far/cos, and 7 u times R.
//
// coneError is 64 u. The sine and far are increased by it, and the cosine is reduced. If along is negative, a larger sine
// has the wrong effect. But then the cone meets the ball only if along is at least -R, so it suffices that R is increased by
// 2 coneError. If the cosine is less than 2 coneError, the cone may meet all balls.
//
// Squares that are too small for single precision change the tests by less than 1e-21, and leastPadding is larger. The
// square of R may overflow, and then the ball counts as met. No other square overflows unless the center or the apex is far
// away, which makes the radius or the padding infinite.
const (
	coneError    = 0x1p-18
	leastPadding = 0x1p-60 // a length
)

// set sets q to a cone of rays from the apex along the axis. No ray makes a larger angle with the axis than the angle with
// the given sine and cosine, which is at most 90 degrees. All rays end before the plane that crosses the axis at the
// distance far. The query finds the balls whose distance from the part of the cone before this plane is at most the margin.
func (q *ballQuery) set(apex, axis geom.Vec3, sin, cos, far, margin float64) {
	origin, off := single(apex)
	if !(cos >= 2*coneError) {
		off = math.Inf(1)
	}
	q.origin = origin
	q.axis = [3]float32{float32(axis.X), float32(axis.Y), float32(axis.Z)}
	q.sin = float32(sin + coneError)
	cosine := float32(cos - coneError)
	q.cos2, q.sin2 = cosine*cosine, float32(sin*sin)
	q.far = float32(far + float64(coneError*far)/cos)
	q.padding = float32((margin + off + leastPadding) * (1 + 2*coneError))
}

// test tests ball k of a group. It returns false for met only if a plane separates the ball from the cone: one that touches the
// side of the cone, the one at its end, or the one at right angles to the axis at its apex. It returns large if the ball meets
// the cone and looks at least as large from the apex, so that a solid that fills it might hide all rays of the cone.
//
// The vector f from the apex to the ball's center has the part along on the axis and the part across beside it. The distance
// of the center from the side of the cone is across cos - along sin.
func (q *ballQuery) test(g *ballGroup, k int) (met, large bool) {
	x, y, z := g.x[k]-q.origin[0], g.y[k]-q.origin[1], g.z[k]-q.origin[2]
	along := float32(x*q.axis[0]) + float32(y*q.axis[1]) + float32(z*q.axis[2])
	x -= float32(along * q.axis[0])
	y -= float32(along * q.axis[1])
	z -= float32(along * q.axis[2])
	across2 := float32(x*x) + float32(y*y) + float32(z*z)
	radius := g.radius[k] + q.padding
	reach := float32(along*q.sin) + radius
	beside := float32(across2*q.cos2) > float32(reach*reach)
	met = !(g.radius[k] < 0 || beside || along+radius < 0 || along-radius > q.far)
	smaller := float32((across2+float32(along*along))*q.sin2) > float32(radius*radius)
	return met, met && !smaller
}

// testGroup tests the balls of a group. Both results have a bit for each ball.
func (q *ballQuery) testGroup(g *ballGroup) (met, large uint8) {
	for k := range ballGroupSize {
		m, l := q.test(g, k)
		if m {
			met |= 1 << k
		}
		if l {
			large |= 1 << k
		}
	}
	return met, large
}

// around returns the smallest ball around a solid, up to rounding.
func (s *solids) around(at primRef) ball {
	switch i := at.index(); at.kind() {
	case sphereKind:
		b := &s.spheres[i]
		return ball{b.Center, b.Radius}
	case capsuleKind:
		p := &s.capsules[i]
		return ball{p.A.Add(p.B).Scale(0.5), float64(p.B.Sub(p.A).Norm()/2) + p.Radius}
	case boxKind:
		b := &s.boxes[i]
		return ball{b.Center, b.HalfExtents.Norm()}
	case cutKind:
		return s.around(s.cuts[i].whole)
	default:
		p := &s.cylinders[i]
		return ball{p.A.Add(p.B).Scale(0.5), math.Sqrt(float64(p.length*p.length/4) + float64(p.Radius*p.Radius))}
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
	case cutKind:
		return 0 // no ball need be left inside
	default:
		p := &s.cylinders[i]
		return min(p.Radius, p.length/2)
	}
}
