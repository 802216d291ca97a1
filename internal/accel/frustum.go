package accel

import (
	"math"

	"pillbox/geom"
)

// frustum is a convex volume that holds a group of rays: the points inside some bounds and on the
// inner side of some planes, up to twelve for a [shaft]. Kernels know its layout.
type frustum struct {
	bounds region
	ahead  plane // a lower bound of the distance at which a ray comes to a point
	count  int
	planes [maxPlanes]plane
}

const maxPlanes = 12

// addPlane adds a plane: the frustum lies where n.p - k is not positive.
func (f *frustum) addPlane(n geom.Vec3, k float64) {
	f.planes[f.count].set(n, k)
	f.count++
}

// enter implements volume.
func (f *frustum) enter(n *node, e *entered, tMax float64) {
	if !enterFrustum(f, n, &e.t) {
		for k := range e.t {
			e.t[k] = math.Inf(1)
			if n.children[k].count >= 0 {
				e.t[k] = f.entry(n.corners(k))
			}
		}
	}
	e.list(n, tMax)
}

// entry returns the distance at which the frustum enters the bounds between two corners, or a lower
// bound of it, and +Inf if it has no point in it.
func (f *frustum) entry(lo, hi geom.Vec3) float64 {
	if !f.bounds.overlaps(lo, hi) {
		return math.Inf(1)
	}
	for i := range f.planes[:f.count] {
		if f.planes[i].least(lo, hi) > 0 {
			return math.Inf(1)
		}
	}
	return f.ahead.least(lo, hi)
}
