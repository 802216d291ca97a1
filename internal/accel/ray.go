package accel

import (
	"math"

	"pillbox/geom"
)

// rayQuery is a single ray, and the rules that decide which of its crossings with solids count as hits.
type rayQuery struct {
	ray    geom.Ray
	object primRef      // the solid that the ray leaves, or noPrim
	own    bool         // the point where the ray leaves object counts as a hit of object
	other  crossingRule // which crossings with other solids count
	eye    []int32      // solids that contain the eye: only the points where the ray leaves them count
	tMax   float64      // only crossings before this distance count
}

// candidate is the closest hit of a ray so far.
type candidate struct {
	t      float64 // distance; before the first hit, the limit of the query
	prim   primRef // the solid; noPrim before the first hit
	inside bool    // the ray hits the solid from inside
}

// The method meet tests the ray of q against the solid at. The rule which decides which crossing counts as a hit. If
// this hit is closer than best, meet stores it in best. The result says whether it did and, if not, why.
func (bvh *BVH) meet(q *rayQuery, at primRef, which crossingRule, best *candidate) Outcome {
	near, far, ok := bvh.chord(at, q.ray.Origin, q.ray.Dir)
	if !ok {
		return Missed
	}
	return bvh.keep(at, which, near, far, best)
}

// keep compares a ray's hit of the solid at with best, and stores the closer hit in best. near and far are the distances
// at which the ray's line enters and leaves the solid; the rule which decides which of them counts as a hit. The result
// says whether best has changed and, if not, why.
func (bvh *BVH) keep(at primRef, which crossingRule, near, far float64, best *candidate) Outcome {
	t, inside, ok := which.pick(near, far)
	if !ok {
		return Behind
	}
	if t > best.t || t == best.t && !bvh.winsTie(at, best.prim) {
		return Farther
	}
	*best = candidate{t, at, inside}
	return Accepted
}

// complete converts best, the closest hit of the ray r, to a Hit and stores it in h. If best is no hit, h becomes a miss.
// A hit is stored field by field, because the compiler would build a Hit literal in temporary memory and then copy it.
func (bvh *BVH) complete(h *Hit, r *geom.Ray, best candidate) {
	if best.prim == noPrim {
		*h = Hit{T: math.Inf(1), Object: None}
		return
	}
	h.T, h.Inside, h.Object = best.t, best.inside, bvh.objectNumber(best.prim)
	h.Point = r.At(best.t)
	h.Face = 0
	if best.prim.kind() == cutKind {
		h.Normal, h.Face = bvh.surface(&bvh.cuts[best.prim.index()], *r, best.t)
		return
	}
	h.Normal = bvh.normal(best.prim, *r, best.t)
}

// slabRay is a ray prepared for testing bounds in single precision. In spite of rounding, the test
// never misses bounds that contain a hit, for two reasons:
//
//   - The test widens all bounds by a margin, the slack (see [BVH.slack]). Instead of moving the faces, it
//     uses two origins, near and far, which are moved the other way. The slack is increased a little, so
//     that rounding the origins to single precision can only widen the bounds further.
//   - A distance is a difference times a reciprocal. The difference, the reciprocal and the product each
//     have a relative error of at most 2^-24. Distances to far faces are multiplied by boundsGrowth, which
//     exceeds 1 by more than twice the sum of these three errors.
//
// See Ize, "Robust BVH Ray Traversal", JCGT 2(2), 2013.
type slabRay struct {
	near, far [3]float32 // the origin for distances to the near and to the far faces
	inv       [3]float32 // 1/direction, finite
	descends  [3]uint32  // 1 if this component of the direction is negative, so that the upper face is the near one
}

const boundsGrowth = 1 + 0x1p-20

// prepare sets s to the ray r. The slack is the margin by which tests with s widen bounds.
func (s *slabRay) prepare(r *geom.Ray, slack float64) {
	if prepareSlabs(s, r, slack) {
		return
	}
	s.set(0, r.Origin.X, r.Dir.X, slack)
	s.set(1, r.Origin.Y, r.Dir.Y, slack)
	s.set(2, r.Origin.Z, r.Dir.Z, slack)
}

// maxInv is the largest magnitude of a reciprocal in a slabRay. Reciprocals of zero and of tiny direction components are
// limited to it. Because it is finite, the distance to a face in which the origin lies is 0 instead of NaN, and all
// distances are finite. It is large enough not to cull a hit: if bounds contain a hit, the slack keeps their far face at
// least 2^-50 of the largest coordinate away from the origin. This times maxInv is larger than the distance of any hit.
const maxInv = 0x1p60

// set prepares one axis of s. o and d are the components of the ray's origin and direction along this axis.
func (s *slabRay) set(axis int, o, d, slack float64) {
	// Rounding to single precision changes a number by at most 2^-24 of its magnitude, or by 2^-150 if it is tiny.
	slack += float64((math.Abs(o)+slack)*0x1p-23) + 0x1p-149
	inv := 1 / d
	slack = math.Copysign(slack, inv)
	s.descends[axis] = uint32(math.Float64bits(inv) >> 63)
	s.near[axis], s.far[axis] = float32(o+slack), float32(o-slack)
	s.inv[axis] = invert(d)
}

// invert returns 1/d. If its magnitude would exceed maxInv, invert returns maxInv with the sign of 1/d.
func invert(d float64) float32 {
	inv := 1 / d
	if math.Abs(inv) > maxInv {
		inv = math.Copysign(maxInv, inv)
	}
	return float32(inv)
}

// limit returns an upper bound for the results of [slabRay.enter]: if bounds contain a hit at a distance less than t,
// the distance that enter stores for them is at most limit(t).
func limit(t float64) float32 {
	if t *= boundsGrowth; t > math.MaxFloat32 { // in wasm, min is a call
		t = math.MaxFloat32
	}
	return float32(t)
}

// enter stores in t, for every child of the node, the distance at which the ray enters the child's bounds. The stored
// distance may be slightly too small, but never too large. It is 0 if the ray starts inside the bounds, and +Inf if the
// ray misses them.
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
