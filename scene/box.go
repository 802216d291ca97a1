package scene

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/shapes"
)

// boxKind defines boxes.
type boxKind struct{}

func (boxKind) traits() traits {
	return traits{name: "box", plural: "boxes", lengths: []string{"x", "y", "z"}, about: "Boxes, each turned by one of rotate, axis and angle, quaternion, or axes.", turns: true}
}

func (boxKind) keys() []measure {
	return []measure{
		{"center", "x y z", slotPoint, keytable.Coordinates(), "the center"},
		{"half_extents", "hx hy hz", slotSize, keytable.Sizes(), "half the lengths of the edges along the box's own axes"},
	}
}

func (boxKind) inScene(s *Scene) *[]shapes.Box   { return &s.Boxes }
func (boxKind) inSolids(s *solids) *[]shapes.Box { return &s.boxes }

func (boxKind) make(m measures, rotation geom.Mat3) shapes.Box {
	return shapes.Box{Center: m.vector(slotPoint), HalfExtents: m.vector(slotSize), Rotation: rotation}
}

func (boxKind) measures(x *shapes.Box) (measures, geom.Mat3) {
	c, h := x.Center, x.HalfExtents
	return measures{c.X, c.Y, c.Z, h.X, h.Y, h.Z}, x.Rotation
}

func (boxKind) place(f *transform, to, from []shapes.Box) {
	for i := range from {
		x := &from[i]
		to[i] = shapes.Box{
			Center:      f.point(x.Center),
			HalfExtents: x.HalfExtents.Scale(f.scale),
			Rotation:    f.turn(x.Rotation),
		}
	}
}

func (boxKind) ball(x *shapes.Box) (center geom.Vec3, radius float64) {
	return x.Center, x.HalfExtents.Norm()
}

// width tries the directions perpendicular to the outline's edges: a convex polygon is narrowest across one of its edges.
func (boxKind) width(x *shapes.Box, along geom.Vec3) float64 {
	r, h := x.Rotation, x.HalfExtents
	narrowest := math.Inf(1)
	for _, edge := range []geom.Vec3{r.X, r.Y, r.Z} {
		across := along.Cross(edge)
		if length := across.Norm(); length > 1e-9 { // otherwise the edge is seen as a point
			sum := float64(h.X*math.Abs(across.Dot(r.X))) + float64(h.Y*math.Abs(across.Dot(r.Y))) + float64(h.Z*math.Abs(across.Dot(r.Z)))
			narrowest = math.Min(narrowest, 2*sum/length)
		}
	}
	return narrowest
}

func (boxKind) bounds(list []shapes.Box) geom.Bounds {
	b := geom.EmptyBounds()
	for i := range list {
		b = b.Union(list[i].Bounds())
	}
	return b
}

func (boxKind) reach(list []shapes.Box, from geom.Vec3) (farthest float64) {
	for i := range list {
		x := &list[i]
		d, h := x.Rotation.TransposeMulVec(x.Center.Sub(from)), x.HalfExtents
		farthest = max(farthest, geom.Vec3{X: math.Abs(d.X) + h.X, Y: math.Abs(d.Y) + h.Y, Z: math.Abs(d.Z) + h.Z}.Norm())
	}
	return farthest
}

func (boxKind) extent(list []shapes.Box, from, along geom.Vec3) extent {
	return extentOf(list, from, along, func(x *shapes.Box) (a, b geom.Vec3, half float64) {
		d, h := x.Rotation.TransposeMulVec(along), x.HalfExtents
		return x.Center, x.Center, float64(math.Abs(d.X)*h.X) + float64(math.Abs(d.Y)*h.Y) + float64(math.Abs(d.Z)*h.Z)
	})
}
