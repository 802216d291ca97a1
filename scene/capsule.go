package scene

import (
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/shapes"
)

// capsuleKind defines capsules.
type capsuleKind struct{}

func (capsuleKind) traits() traits {
	return traits{name: "capsule", plural: "capsules", lengths: []string{"length", "diameter"}, about: "Pills: cylinders with round ends.", pill: true}
}

func (capsuleKind) keys() []measure {
	return []measure{
		{"a", "ax ay az", slotPoint, keytable.Coordinates(), "one end of the axis"},
		{"b", "bx by bz", slotSize, keytable.Coordinates(), "the other end; may be the same point"},
		{"radius", columnRadius, slotRadius, keytable.Sizes(), "distance of the surface from the axis"},
	}
}

func (capsuleKind) inScene(s *Scene) *[]shapes.Capsule   { return &s.Capsules }
func (capsuleKind) inSolids(s *solids) *[]shapes.Capsule { return &s.capsules }

func (capsuleKind) make(m measures, _ geom.Mat3) shapes.Capsule {
	return shapes.Capsule{A: m.vector(slotPoint), B: m.vector(slotSize), Radius: m[slotRadius]}
}

func (capsuleKind) measures(x *shapes.Capsule) (measures, geom.Mat3) {
	return measures{x.A.X, x.A.Y, x.A.Z, x.B.X, x.B.Y, x.B.Z, x.Radius}, geom.Mat3{}
}

func (capsuleKind) place(f *transform, to, from []shapes.Capsule) {
	for i := range from {
		x := &from[i]
		to[i] = shapes.Capsule{A: f.point(x.A), B: f.point(x.B), Radius: float64(f.scale * x.Radius)}
	}
}

func (capsuleKind) ball(x *shapes.Capsule) (center geom.Vec3, radius float64) {
	axis := geom.Segment{A: x.A, B: x.B}
	return axis.At(0.5), float64(axis.Length()/2) + x.Radius
}

func (capsuleKind) width(x *shapes.Capsule, _ geom.Vec3) float64 { return float64(2 * x.Radius) }

func (capsuleKind) bounds(list []shapes.Capsule) geom.Bounds {
	b := geom.EmptyBounds()
	for i := range list {
		b = b.Union(list[i].Bounds())
	}
	return b
}

func (capsuleKind) reach(list []shapes.Capsule, from geom.Vec3) (farthest float64) {
	for i := range list {
		x := &list[i]
		farthest = max(farthest, x.A.Sub(from).Norm()+x.Radius, x.B.Sub(from).Norm()+x.Radius)
	}
	return farthest
}

func (capsuleKind) extent(list []shapes.Capsule, from, along geom.Vec3) extent {
	return extentOf(list, from, along, func(x *shapes.Capsule) (a, b geom.Vec3, half float64) { return x.A, x.B, x.Radius })
}
