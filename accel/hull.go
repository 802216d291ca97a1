package accel

import (
	"math"

	"pillbox/geom"
)

// hull is a convex volume in which rays travel together: the points in some bounds that lie
// beyond none of some planes, and the direction along which distances are measured. Kernels
// know its layout.
type hull struct {
	bounds region
	ahead  plane
	count  int
	planes [maxPlanes]plane
}

const maxPlanes = 12

// bound adds a plane: the hull lies where n.p - k is not positive.
func (h *hull) bound(n geom.Vec3, k float64) {
	h.planes[h.count].set(n, k)
	h.count++
}

// enter implements volume.
func (h *hull) enter(n *node, t *[fanout]float64) {
	if enterHull(h, n, t) {
		return
	}
	for k := range t {
		t[k] = h.entry(n.corners(k))
	}
}

// entry returns the distance at which the hull enters the box between two corners, or a lower
// bound of it, and +Inf if it has no point in it.
func (h *hull) entry(lo, hi geom.Vec3) float64 {
	if !h.bounds.overlaps(lo, hi) {
		return math.Inf(1)
	}
	for i := range h.planes[:h.count] {
		if h.planes[i].least(lo, hi) > 0 {
			return math.Inf(1)
		}
	}
	return h.ahead.least(lo, hi)
}
