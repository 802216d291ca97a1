package accel

import (
	"math"

	"pillbox/geom"
)

// rayQuery is one ray and the range in which it may hit solids.
type rayQuery struct {
	ray    geom.Ray
	object primRef      // the solid that the ray leaves, or noPrim
	own    bool         // that solid is met, where the ray leaves it
	other  crossingRule // which crossings of other solids are met
	eye    []int32      // solids that contain the eye, met only where the ray leaves them
	tMax   float64      // only crossings before this distance are met
}

// candidate is the best crossing found so far.
type candidate struct {
	t      float64
	slot   primRef
	inside bool
}

// meet tests one solid and keeps the better candidate.
func (bvh *BVH) meet(q *rayQuery, at primRef, which crossingRule, best *candidate) Outcome {
	near, far, ok := bvh.chord(at, q.ray.Origin, q.ray.Dir)
	if !ok {
		return Missed
	}
	return bvh.keep(at, which, near, far, best)
}

// keep keeps the crossing that may be met of a solid whose chord is given, if it is better
// than the best so far.
func (bvh *BVH) keep(at primRef, which crossingRule, near, far float64, best *candidate) Outcome {
	t, inside, ok := which.pick(near, far)
	if !ok {
		return Behind
	}
	if t > best.t || t == best.t && (best.slot == noPrim || bvh.number(at) > bvh.number(best.slot)) {
		return Farther
	}
	*best = candidate{t, at, inside}
	return Accepted
}

// complete stores the hit of a ray whose best candidate is known: field by field, because a whole Hit would be put
// together elsewhere first, and copied.
func (bvh *BVH) complete(h *Hit, r *geom.Ray, best candidate) {
	if best.slot == noPrim {
		*h = Hit{T: math.Inf(1), Object: None}
		return
	}
	h.T, h.Inside, h.Object = best.t, best.inside, bvh.number(best.slot)
	h.Point = r.At(best.t)
	h.Normal = bvh.normal(best.slot, *r, best.t)
}

// slabRay is a ray prepared for testing bounds in single precision, which lets through every hit:
//
//   - The bounds are moved outward by some slack; moving the origin instead gives the same. The
//     slack is increased so that rounding the origin can only move them further.
//   - A difference, a product and the reciprocal are each good to 2^-24 of themselves. Distances to far
//     faces are increased by slabGrowth, which is more than twice three of those.
//
// See Ize, "Robust BVH Ray Traversal", JCGT 2(2), 2013.
type slabRay struct {
	near, far [3]float32 // the origin, as seen from the bounds' near and far faces
	inv       [3]float32 // 1/direction, finite
	descends  [3]uint32  // 1 where the direction descends, so that the upper face is near
}

const boundsGrowth = 1 + 0x1p-20

// prepare prepares a ray.
func (s *slabRay) prepare(r *geom.Ray, slack float64) {
	if prepareSlabs(s, r, slack) {
		return
	}
	s.set(0, r.Origin.X, r.Dir.X, slack)
	s.set(1, r.Origin.Y, r.Dir.Y, slack)
	s.set(2, r.Origin.Z, r.Dir.Z, slack)
}

// maxInv represents the reciprocal of 0 and of anything close. It is finite, so that a face that the
// origin lies in gives 0 and not NaN, and its products with coordinates are. The far face of bounds that
// hold a hit is so far from the origin, a part of the slack and so 2^-50 of the largest coordinate at
// least, that the product is beyond the reach of the ray.
const maxInv = 0x1p60

// set prepares an axis.
func (s *slabRay) set(axis int, o, d, slack float64) {
	// Rounding to single precision loses at most 2^-24 of a number, or 2^-150 of tiny ones.
	slack += float64((math.Abs(o)+slack)*0x1p-23) + 0x1p-149
	inv := 1 / d
	slack = math.Copysign(slack, inv)
	s.descends[axis] = uint32(math.Float64bits(inv) >> 63)
	s.near[axis], s.far[axis] = float32(o+slack), float32(o-slack)
	if math.Abs(inv) > maxInv {
		inv = math.Copysign(maxInv, inv)
	}
	s.inv[axis] = float32(inv)
}

// limit returns a number that no distance exceeds that enter stores for bounds of a hit before t.
func limit(t float64) float32 {
	if t *= boundsGrowth; t > math.MaxFloat32 { // in wasm, min is a call
		t = math.MaxFloat32
	}
	return float32(t)
}

// enter stores for every child of the node the distance at which the ray enters its bounds, or a little
// less, and +Inf where it misses them. A ray that starts inside enters at 0.
func (s *slabRay) enter(n *node, t *[fanout]float32) {
	x, y, z := s.descends[0]&1, s.descends[1]&1, s.descends[2]&1
	xNear, xFar := &n.bounds[x][0], &n.bounds[x^1][0]
	yNear, yFar := &n.bounds[y][1], &n.bounds[y^1][1]
	zNear, zFar := &n.bounds[z][2], &n.bounds[z^1][2]
	for k := range t {
		if n.children[k].count < 0 {
			t[k] = float32(math.Inf(1))
			continue
		}
		in := max(0,
			(xNear[k]-s.near[0])*s.inv[0],
			(yNear[k]-s.near[1])*s.inv[1],
			(zNear[k]-s.near[2])*s.inv[2])
		out := min(
			(xFar[k]-s.far[0])*s.inv[0],
			(yFar[k]-s.far[1])*s.inv[1],
			(zFar[k]-s.far[2])*s.inv[2])
		if !(in <= out*boundsGrowth) {
			in = float32(math.Inf(1))
		}
		t[k] = in
	}
}
