package scene

import (
	"pillbox/geom"
	"pillbox/internal/parallel"
)

// BoundingSphere returns a sphere around all solids. Its center is the center of the solids' bounds, and its radius is
// the distance from there to the farthest point of a solid. Without solids it is the unit sphere at the origin.
func (s *Scene) BoundingSphere() (center geom.Vec3, radius float64) {
	bounds := geom.EmptyBounds()
	for _, row := range kindTable() {
		bounds = bounds.Union(row.bounds(s))
	}
	if bounds.IsEmpty() {
		return geom.Vec3{}, 1
	}
	center = bounds.Center()
	for _, row := range kindTable() {
		radius = max(radius, row.reach(s, center))
	}
	return center, radius
}

// combined calls f concurrently for parts of a list and combines the results in order. The parts depend
// only on the length of the list.
func combined[T, R any](list []T, f func([]T) R, combine func(a, b R) R) R {
	parts := make([]R, len(list)/inspected+1)
	parallel.For(len(parts), func(i int) {
		parts[i] = f(list[i*inspected : min(len(list), (i+1)*inspected)])
	})
	all := parts[0]
	for _, part := range parts[1:] {
		all = combine(all, part)
	}
	return all
}
