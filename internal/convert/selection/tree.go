package selection

import (
	"cmp"
	"slices"

	"pillbox/geom"
)

// tree is a k-d tree of points, to find out whether any is near a given point. It is stored as an array: the median of
// a range of points, by one coordinate, is in the middle of the range. Source: Bentley, "Multidimensional Binary Search
// Trees Used for Associative Searching", Communications of the ACM 18(9), 1975.
type tree []geom.Vec3

// newTree returns a tree of the points, which it rearranges.
func newTree(points []geom.Vec3) tree {
	t := tree(points)
	t.build(0)
	return t
}

func (t tree) build(axis int) {
	if len(t) < 2 {
		return
	}
	slices.SortFunc(t, func(p, q geom.Vec3) int { return cmp.Compare(coordinate(p, axis), coordinate(q, axis)) })
	middle := len(t) / 2
	t[:middle].build((axis + 1) % 3)
	t[middle+1:].build((axis + 1) % 3)
}

// isWithin reports whether some point of the tree is at a distance of at most d from p.
func (t tree) isWithin(p geom.Vec3, d float64) bool { return t.search(p, d, float64(d*d), 0) }

func (t tree) search(p geom.Vec3, d, d2 float64, axis int) bool {
	if len(t) == 0 {
		return false
	}
	middle := len(t) / 2
	if t[middle].Sub(p).Norm2() <= d2 {
		return true
	}
	near, far := t[:middle], t[middle+1:]
	offset := coordinate(p, axis) - coordinate(t[middle], axis)
	if offset > 0 {
		near, far = far, near
	}
	next := (axis + 1) % 3
	return near.search(p, d, d2, next) || max(offset, -offset) <= d && far.search(p, d, d2, next)
}

func coordinate(p geom.Vec3, axis int) float64 {
	switch axis {
	case 0:
		return p.X
	case 1:
		return p.Y
	}
	return p.Z
}
