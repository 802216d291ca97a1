package accel

import (
	"math"

	"pillbox/geom"
)

// frustum is a convex volume that contains a group of rays: the points inside bounds and on the inner side of all
// planes. A [shaft] has up to twelve planes. Kernels depend on its layout.
type frustum struct {
	bounds region
	ahead  plane // a function of a point: a lower bound of the distance at which a ray reaches it
	count  int
	planes [maxPlanes]plane
}

const maxPlanes = 12

// addPlane adds a plane: points p of the frustum have n.p <= k.
func (f *frustum) addPlane(n geom.Vec3, k float64) {
	f.planes[f.count].set(n, k)
	f.count++
}

// enter implements [volume]. It lists the children of n whose bounds the frustum meets before the distance
// tMax.
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

// entry returns a lower bound of the distance at which a ray of the frustum enters the bounds with corners lo and hi.
// If the frustum does not meet the bounds, it returns +Inf.
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
