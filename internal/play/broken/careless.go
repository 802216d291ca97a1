package broken

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// careless is a world with the mistake acne or epsilon. A secondary ray hits the first surface that it crosses at a
// distance above least, even if that surface belongs to the solid that the ray leaves. Camera rays are right. Shadow
// rays do not detect that they start inside another solid.
type careless struct {
	follow.World
	scene *scene.Scene
	least float64
}

// isBlocked returns a hit of a shadow ray with any solid, at a distance between least and reach. If the ray hits no
// solid there, the hit's field Object is accel.None.
func (w *careless) isBlocked(d *accel.SecondaryRay, reach float64) accel.Hit {
	entered := w.World.TraverseBlocked(accel.SecondaryRay{Ray: d.Ray, Object: accel.None}, reach, nil)
	switch {
	case entered.Object == accel.None: // the ray may leave its own solid from inside
		return w.crossing(d.Ray, d.Object, reach)
	case entered.T > w.least:
		return entered
	}
	return w.first(d.Ray, reach)
}

// reflected returns the first hit of a ray with a solid at a distance above least.
func (w *careless) reflected(r geom.Ray) accel.Hit {
	hit := w.World.TraverseNearest(r, nil)
	if hit.Object == accel.None || hit.T > w.least {
		return hit
	}
	return w.first(r, math.Inf(1))
}

// first returns the closest hit of a ray with any solid, at a distance between least and reach. If none exists, the
// hit's field Object is accel.None.
func (w *careless) first(r geom.Ray, reach float64) accel.Hit {
	best := accel.Hit{T: reach, Object: accel.None}
	for i := range w.scene.Objects.Len() {
		if hit := w.crossing(r, int32(i), best.T); hit.Object != accel.None {
			best = hit
		}
	}
	return best
}

// crossing returns the first crossing of a ray with a solid between least and reach.
func (w *careless) crossing(r geom.Ray, object int32, reach float64) accel.Hit {
	if object == accel.None {
		return accel.Hit{T: reach, Object: accel.None}
	}
	h, ok := w.scene.Solid(int(object)).Intersect(r, w.least, reach)
	if !ok {
		return accel.Hit{T: reach, Object: accel.None}
	}
	return accel.Hit{T: h.T, Object: object, Point: r.At(h.T), Normal: h.Normal, Inside: h.Normal.Dot(r.Dir) > 0}
}

// Near returns true: solids may be everywhere.
func (w *careless) Near(geom.Bounds) bool { return true }

// MayOcclude returns true, so that the rays are cast.
func (w *careless) MayOcclude(_, _ geom.Vec3, _ int32, _ float64) bool { return true }

// Cover decides nothing, so that the rays are cast.
func (w *careless) Cover(_ *accel.AreaLight, axes []accel.SecondaryRay, _ []accel.Cone, covers []accel.Cover, cast accel.CastFan) {
	accel.CastAll(w, axes, covers, cast)
}

// Reflected is TraverseReflected for several rays.
func (w *careless) Reflected(rays []accel.SecondaryRay, hits []accel.Hit) {
	for i := range rays {
		hits[i] = w.reflected(rays[i].Ray)
	}
}

// Blocked is TraverseBlocked for several rays.
func (w *careless) Blocked(rays []accel.SecondaryRay, dist []float64, blocked []bool) {
	w.World.Blocked(rays, dist, blocked) // by other solids
	for i := range rays {
		switch {
		case !blocked[i]:
			blocked[i] = w.crossing(rays[i].Ray, rays[i].Object, dist[i]).Object != accel.None
		case w.least > 0: // the crossing may be too near to count
			blocked[i] = w.isBlocked(&rays[i], dist[i]).Object != accel.None
		}
	}
}

// BlockedSky leaves all rays to be traced by Blocked.
func (w *careless) BlockedSky(*accel.Sky) bool { return false }

// TraverseReflected returns the closest hit of a reflected ray.
func (w *careless) TraverseReflected(d accel.SecondaryRay, _ accel.Probe) accel.Hit {
	return w.reflected(d.Ray)
}

// TraverseBlocked returns a solid that blocks a light at the distance dist.
func (w *careless) TraverseBlocked(d accel.SecondaryRay, dist float64, _ accel.Probe) accel.Hit {
	return w.isBlocked(&d, dist)
}
