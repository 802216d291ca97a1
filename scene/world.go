package scene

import (
	"math"

	"pillbox/geom"
)

// BoundingSphere returns a sphere around all solids: its center is that of their common
// bounds and its radius reaches the farthest of their points. Without solids it is the
// unit sphere at the origin.
func (s *Scene) BoundingSphere() (center geom.Vec3, radius float64) {
	bounds := geom.EmptyBounds()
	for i := range s.Spheres {
		bounds = bounds.Union(s.Spheres[i].Bounds())
	}
	for i := range s.Capsules {
		bounds = bounds.Union(s.Capsules[i].Bounds())
	}
	for i := range s.Boxes {
		bounds = bounds.Union(s.Boxes[i].Bounds())
	}
	if bounds.IsEmpty() {
		return geom.Vec3{}, 1
	}
	center = bounds.Center()
	for _, x := range s.Spheres {
		radius = max(radius, x.Center.Sub(center).Norm()+x.Radius)
	}
	for _, x := range s.Capsules {
		radius = max(radius, x.A.Sub(center).Norm()+x.Radius, x.B.Sub(center).Norm()+x.Radius)
	}
	for _, x := range s.Boxes {
		d, h := x.Rotation.TransposeMulVec(x.Center.Sub(center)), x.HalfExtents
		corner := geom.Vec3{X: math.Abs(d.X) + h.X, Y: math.Abs(d.Y) + h.Y, Z: math.Abs(d.Z) + h.Z}
		radius = max(radius, corner.Norm())
	}
	return center, radius
}
