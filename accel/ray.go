package accel

import (
	"math"

	"pillbox/geom"
)

// query is one ray and what it may meet.
type query struct {
	ray    geom.Ray
	object int32   // the solid that the ray leaves
	own    bool    // that solid is met, where the ray leaves it
	other  side    // which crossings of other solids are met
	eye    []int32 // solids that contain the eye, met only where the ray leaves them
	tMax   float64 // only crossings before this distance are met
}

// candidate is the best crossing found so far.
type candidate struct {
	t      float64
	slot   slot
	inside bool
}

// meet tests one solid and keeps the better candidate.
func (w *World) meet(q *query, at slot, which side, best *candidate) Outcome {
	near, far, ok := w.chord(at, q.ray.Origin, q.ray.Dir)
	if !ok {
		return Missed
	}
	return w.keep(at, which, near, far, best)
}

// keep keeps the crossing that may be met of a solid whose chord is given, if it is better
// than the best so far.
func (w *World) keep(at slot, which side, near, far float64, best *candidate) Outcome {
	t, inside, ok := which.pick(near, far)
	if !ok {
		return Behind
	}
	if t > best.t || t == best.t && (best.slot == noSlot || w.number(at) > w.number(best.slot)) {
		return Farther
	}
	*best = candidate{t, at, inside}
	return Accepted
}

// slabs is a ray prepared for testing bounds that are moved outward by some slack. Moving
// the origin instead of each bound gives the same.
type slabs struct {
	near, far geom.Vec3 // the origin, as seen from the bounds' near and far faces
	inv       geom.Vec3 // 1/direction, finite
	x, y, z   uint8     // 1 where the direction descends, so that the upper face is near
}

func newSlabs(r geom.Ray, slack float64) slabs {
	var s slabs
	s.x, s.near.X, s.far.X, s.inv.X = newSlab(r.Origin.X, r.Dir.X, slack)
	s.y, s.near.Y, s.far.Y, s.inv.Y = newSlab(r.Origin.Y, r.Dir.Y, slack)
	s.z, s.near.Z, s.far.Z, s.inv.Z = newSlab(r.Origin.Z, r.Dir.Z, slack)
	return s
}

// maxInv stands for the reciprocal of 0 and of anything close: finite, so that a face that
// the origin lies in gives 0 and not NaN, and so large that any other face is beyond reach.
const maxInv = 0x1p1000

func newSlab(o, d, slack float64) (descends uint8, near, far, inv float64) {
	inv = 1 / d
	if inv < 0 {
		return 1, o - slack, o + slack, max(inv, -maxInv)
	}
	return 0, o + slack, o - slack, min(inv, maxInv)
}

// enter stores for every child of the node the distance at which the ray enters its bounds,
// and +Inf where it misses them. A ray that starts inside enters at 0.
func (s *slabs) enter(n *node, t *[fanout]float64) {
	if enterSlabs(s, n, t) {
		return
	}
	lo, hi := &n.bounds, &n.bounds
	xNear, xFar := &lo[s.x&1][0], &hi[s.x&1^1][0]
	yNear, yFar := &lo[s.y&1][1], &hi[s.y&1^1][1]
	zNear, zFar := &lo[s.z&1][2], &hi[s.z&1^1][2]
	for k := range t {
		t0 := max(0,
			(float64(xNear[k])-s.near.X)*s.inv.X,
			(float64(yNear[k])-s.near.Y)*s.inv.Y,
			(float64(zNear[k])-s.near.Z)*s.inv.Z)
		t1 := min(
			(float64(xFar[k])-s.far.X)*s.inv.X,
			(float64(yFar[k])-s.far.Y)*s.inv.Y,
			(float64(zFar[k])-s.far.Z)*s.inv.Z)
		if !(t0 <= t1) {
			t0 = math.Inf(1)
		}
		t[k] = t0
	}
}
