package accel

import (
	"pillbox/geom"
	"pillbox/shapes"
)

// A Room tells which solids contain an area light. It remembers the last answer: in most scenes where something is inside a
// solid together with a light, this solid is a room around everything. A Room must not be used concurrently.
type Room struct {
	light  *AreaLight
	solids interface {
		Shape(object int32) shapes.Shape // see [BVH.Shape]
	}
	last  int32 // the object number of the last solid, or None
	holds bool
}

// NewRoom returns a Room for a light and the solids of a [BVH] or [BruteForce]. It keeps both.
func NewRoom(l *AreaLight, solids interface {
	Shape(object int32) shapes.Shape
}) Room {
	return Room{light: l, solids: solids, last: None}
}

// Holds reports whether the solid with the given object number contains the light with a margin: a ray from inside the solid
// then reaches the light before it leaves the solid. No solid contains a directional light.
func (r *Room) Holds(object int32) bool {
	if r.last != object {
		s := r.solids.Shape(object)
		r.last, r.holds = object, s != nil && r.light.isWithin(s)
	}
	return r.holds
}

// isWithin reports whether a solid contains the corners of a cube around the ball. Since the solid is convex, it then
// contains the whole ball. The cube is larger than the ball by a thousandth, and by much more than the rounding errors of
// distances in and around the solid (see [shapes.Slack]).
func (l *AreaLight) isWithin(s shapes.Shape) bool {
	if l.Radius == 0 {
		return false
	}
	half := float64(l.Radius*(1+0x1p-10)) + float64(max(s.Bounds().MaxAbs(), l.Center.MaxAbs())*0x1p-36)
	for corner := range 8 {
		p := l.Center.Add(geom.Vec3{X: half, Y: half, Z: half})
		if corner&1 != 0 {
			p.X = l.Center.X - half
		}
		if corner&2 != 0 {
			p.Y = l.Center.Y - half
		}
		if corner&4 != 0 {
			p.Z = l.Center.Z - half
		}
		if !shapes.Contains(s, p) {
			return false
		}
	}
	return true
}
