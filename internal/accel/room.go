package accel

import (
	"pillbox/geom"
	"pillbox/shapes"
)

// A Room tells which solids contain a light. It remembers the last answer: in most scenes where something is inside a solid
// together with a light, this solid is a room around everything. Nothing contains the light of the zero Room. A Room must not
// be used concurrently.
type Room struct {
	solids shaper
	center geom.Vec3
	radius float64
	last   int32 // the object number of the last solid, or None
	holds  bool
}

// shaper is a [BVH] or a [BruteForce].
type shaper interface {
	Shape(object int32) shapes.Shape // nil for a solid that is removed or omitted
}

// NewRoom returns a Room for a ball of light or, if the radius is 0, for a light at a point. It keeps the solids: those of a
// [BVH] or [BruteForce].
func NewRoom(center geom.Vec3, radius float64, solids shaper) Room {
	return Room{solids: solids, center: center, radius: radius, last: None}
}

// Holds reports whether the solid with the given object number contains the light. The surface of a solid belongs to it. If
// the light is a ball, Holds reports whether the solid contains it with a margin: a ray from inside the solid then reaches the
// light before it leaves the solid.
func (r *Room) Holds(object int32) bool {
	if r.solids == nil {
		return false
	}
	if r.last != object {
		s := r.solids.Shape(object)
		r.last, r.holds = object, s != nil && r.isIn(s)
	}
	return r.holds
}

// isIn reports whether a solid contains the point or, for a ball, the corners of a cube around it. Since the solid is convex, it
// then contains the whole ball. The cube is larger than the ball by a thousandth, and by much more than the rounding errors of
// distances in and around the solid (see [shapes.Slack]).
func (r *Room) isIn(s shapes.Shape) bool {
	if r.radius == 0 {
		return shapes.Contains(s, r.center)
	}
	half := float64(r.radius*(1+0x1p-10)) + float64(max(s.Bounds().MaxAbs(), r.center.MaxAbs())*0x1p-36)
	for corner := range 8 {
		p := r.center.Add(geom.Vec3{X: half, Y: half, Z: half})
		if corner&1 != 0 {
			p.X = r.center.X - half
		}
		if corner&2 != 0 {
			p.Y = r.center.Y - half
		}
		if corner&4 != 0 {
			p.Z = r.center.Z - half
		}
		if !shapes.Contains(s, p) {
			return false
		}
	}
	return true
}
