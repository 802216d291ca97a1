package scene

import (
	"fmt"
	"math"

	"pillbox/accel"
	"pillbox/geom"
)

// World returns the solids of s prepared for ray queries. They are numbered like
// s.Objects.
func (s *Scene) World() *accel.World { return accel.New(s.Spheres, s.Capsules, s.Boxes) }

// Validate returns an error if s cannot be rendered: a solid fails its own Validate, or Objects
// has not one entry for each solid. Scenes that this package read are valid; those made in Go
// need not be.
func (s *Scene) Validate() error {
	if n := len(s.Spheres) + len(s.Capsules) + len(s.Boxes); len(s.Objects) != n {
		return fmt.Errorf("a scene of %d solids must have as many objects, got %d", n, len(s.Objects))
	}
	for i := range s.Spheres {
		if err := s.Spheres[i].Validate(); err != nil {
			return fmt.Errorf("sphere[%d]: %w", i, err)
		}
	}
	for i := range s.Capsules {
		if err := s.Capsules[i].Validate(); err != nil {
			return fmt.Errorf("capsule[%d]: %w", i, err)
		}
	}
	for i := range s.Boxes {
		if err := s.Boxes[i].Validate(); err != nil {
			return fmt.Errorf("box[%d]: %w", i, err)
		}
	}
	return nil
}

// Kind returns "sphere", "capsule" or "box" and the index within that kind of the solid
// with the given number, 0 <= number < len(s.Objects).
func (s *Scene) Kind(number int) (kind string, index int) {
	if number < len(s.Spheres) {
		return "sphere", number
	}
	if number -= len(s.Spheres); number < len(s.Capsules) {
		return "capsule", number
	}
	return "box", number - len(s.Capsules)
}

// BoundingSphere returns a sphere around all solids: its centre is that of their common
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
