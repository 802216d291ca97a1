package accel

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// Shape returns the solid with the given object number, which is a [shapes.Cut] if sections cut it, and nil if they
// remove it or it is omitted. It belongs to the BVH: callers must not modify it.
func (bvh *BVH) Shape(object int32) shapes.Shape {
	at := bvh.refs[object]
	if at == noPrim {
		return nil
	}
	return bvh.shape(at)
}

// Along appends the object numbers of the solids near the line of r between the distances from and to,
// which may be infinite. The order is unspecified. The result includes all solids that the line crosses
// there, all that the closed segment between r.At(from) and r.At(to) touches, according to package
// shapes, and possibly a few more.
func (bvh *BVH) Along(r geom.Ray, from, to float64, objects []int32) []int32 {
	if bvh.Len() == 0 {
		return objects
	}
	s := newLineRange(bvh, r, from, to)
	return s.collect(bvh, child{}, objects)
}

// lineRange is the part of a ray's line between two distances, with a margin of slack around it.
type lineRange struct {
	ray             geom.Ray
	from, to, slack float64
}

// newLineRange returns the part of the line of r between two distances. The slack of the result covers
// rounding for points between the origin and both ends. An infinite end needs no slack, because there are
// no solids at infinity.
func newLineRange(w *BVH, r geom.Ray, from, to float64) lineRange {
	slack := w.slack(r.Origin)
	for _, end := range [2]float64{from, to} {
		if !math.IsInf(end, 0) {
			slack = max(slack, w.slack(r.At(end)))
		}
	}
	return lineRange{r, from - slack, to + slack, slack}
}

// collect appends the solids of all leaves at or below a child whose bounds the range meets.
func (s *lineRange) collect(w *BVH, at child, objects []int32) []int32 {
	if at.count > 0 {
		var room [maxLeaf]primRef
		for _, at := range w.tree.leaf(at, &room) {
			objects = append(objects, w.objectNumber(at))
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

// meets reports whether the range meets the bounds with corners lo and hi. The slack is large enough for
// the rounding errors of this test: the computed distance to a face is wrong by up to 2^-52 of itself.
// Projected on the coordinate axis, this is at most 2^-52 of a coordinate.
func (s *lineRange) meets(lo, hi geom.Vec3) bool {
	o, d := s.ray.Origin, s.ray.Dir
	x0, x1 := s.clip(lo.X, hi.X, o.X, d.X)
	y0, y1 := s.clip(lo.Y, hi.Y, o.Y, d.Y)
	z0, z1 := s.clip(lo.Z, hi.Z, o.Z, d.Z)
	return max(s.from, x0, y0, z0) <= min(s.to, x1, y1, z1)
}

// clip considers one coordinate axis, along which the line starts at o and advances by d per unit of
// distance. It returns the distances between which this coordinate lies between lo and hi, widened by the
// slack. If it never does, clip returns +Inf and -Inf.
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
