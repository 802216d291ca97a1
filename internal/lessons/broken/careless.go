package broken

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// careless is a world whose secondary rays hit the first crossing that is farther than least, also of the solid that
// they leave. Camera rays are right.
type careless struct {
	follow.World
	scene *scene.Scene
	least float64
}

// first returns the closest hit of a ray before reach.
func (w *careless) first(r geom.Ray, reach float64) accel.Hit {
	best := accel.Hit{T: reach, Object: accel.None}
	for i := range w.scene.Objects.Len() {
		h, ok := w.scene.Solid(i).Intersect(r, w.least, best.T)
		if !ok {
			continue
		}
		best = accel.Hit{T: h.T, Object: int32(i), Point: r.At(h.T), Normal: h.Normal, Inside: h.Normal.Dot(r.Dir) > 0}
	}
	return best
}

// Near returns true: solids may be everywhere.
func (w *careless) Near(geom.Bounds) bool { return true }

// MayOcclude returns true, so that the rays are cast.
func (w *careless) MayOcclude(_, _ geom.Vec3, _ int32, _ float64) bool { return true }

// Cover decides nothing, so that the rays are cast.
func (w *careless) Cover(_ *accel.AreaLight, _ []accel.SecondaryRay, _ []accel.Cone, covers []accel.Cover) {
	clear(covers)
}

// Reflected is TraverseReflected for several rays.
func (w *careless) Reflected(rays []accel.SecondaryRay, hits []accel.Hit) {
	for i := range rays {
		hits[i] = w.first(rays[i].Ray, math.Inf(1))
	}
}

// Blocked is TraverseBlocked for several rays.
func (w *careless) Blocked(rays []accel.SecondaryRay, dist []float64, blocked []bool) {
	for i := range rays {
		blocked[i] = w.first(rays[i].Ray, dist[i]).Object != accel.None
	}
}

// TraverseReflected returns the closest hit of a reflected ray.
func (w *careless) TraverseReflected(d accel.SecondaryRay, _ accel.Probe) accel.Hit {
	return w.first(d.Ray, math.Inf(1))
}

// TraverseBlocked returns a solid that blocks a light at the distance dist.
func (w *careless) TraverseBlocked(d accel.SecondaryRay, dist float64, _ accel.Probe) accel.Hit {
	return w.first(d.Ray, dist)
}
