package accel

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// Shape returns the solid of the given number, 0 <= object < [BVH.Len]. It belongs to the BVH:
// do not modify it.
func (bvh *BVH) Shape(object int32) shapes.Shape { return bvh.shape(bvh.refs[object]) }

// Along appends to objects the numbers of the solids near the line of r between the distances from
// and to, which may be infinite, in no particular order. They are all that the line crosses there
// and all that the closed segment between [geom.Ray.At] of from and of to touches, as package shapes
// has it, and a few more.
func (bvh *BVH) Along(r geom.Ray, from, to float64, objects []int32) []int32 {
	if bvh.Len() == 0 {
		return objects
	}
	s := newLineRange(bvh, r, from, to)
	return s.collect(bvh, child{}, objects)
}

// stretch is a part of a line, as thick as the slack.
type lineRange struct {
	ray             geom.Ray
	from, to, slack float64
}

// newStretch returns the part of a line between two distances. A crossing at an infinite distance is
// none, so the ends that count for the slack are the finite ones.
func newLineRange(w *BVH, r geom.Ray, from, to float64) lineRange {
	slack := w.slack(r.Origin)
	for _, end := range [2]float64{from, to} {
		if !math.IsInf(end, 0) {
			slack = max(slack, w.slack(r.At(end)))
		}
	}
	return lineRange{r, from - slack, to + slack, slack}
}

// collect appends what the stretch meets of the tree from a node or leaf down.
func (s *lineRange) collect(w *BVH, at child, objects []int32) []int32 {
	if at.count > 0 {
		var room [maxLeaf]primRef
		for _, slot := range w.tree.leaf(at, &room) {
			objects = append(objects, w.number(slot))
		}
		return objects
	}
	n := &w.tree.nodes[at.first]
	for k, c := range n.children {
		if c.count >= 0 && s.meets(n.corners(k)) {
			objects = s.collect(w, c, objects)
		}
	}
	return objects
}

// meets reports whether the stretch meets the bounds between two corners. The slack leaves room for
// the rounding of this slab test: the distance to a face is good to 2^-52 of itself, which along the
// axis is as much of the coordinates.
func (s *lineRange) meets(lo, hi geom.Vec3) bool {
	o, d := s.ray.Origin, s.ray.Dir
	x0, x1 := s.clip(lo.X, hi.X, o.X, d.X)
	y0, y1 := s.clip(lo.Y, hi.Y, o.Y, d.Y)
	z0, z1 := s.clip(lo.Z, hi.Z, o.Z, d.Z)
	return max(s.from, x0, y0, z0) <= min(s.to, x1, y1, z1)
}

// clip returns where a line is between lo and hi along an axis, on which it starts at o and goes on by
// d: from +Inf to -Inf if it never is.
func (s *lineRange) clip(lo, hi, o, d float64) (near, far float64) {
	near, far = lo-s.slack-o, hi+s.slack-o
	switch {
	case d > 0:
		return near / d, far / d
	case d < 0:
		return far / d, near / d
	case near <= 0 && 0 <= far:
		return math.Inf(-1), math.Inf(1)
	}
	return math.Inf(1), math.Inf(-1)
}
