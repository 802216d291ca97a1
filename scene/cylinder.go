package scene

import (
	"fmt"
	"math"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/shapes"
)

// cylinderKind defines cylinders.
type cylinderKind struct{}

func (cylinderKind) traits() traits {
	return traits{name: "cylinder", plural: "cylinders", lengths: []string{"length", "diameter"}, about: "Cylinders with flat ends.", directed: true}
}

func (cylinderKind) keys() []measure {
	return []measure{
		{"a", "ax ay az", slotPoint, keytable.Coordinates(), "the center of one end"},
		{"b", "bx by bz", slotSize, keytable.Coordinates(), "the center of the other end; at least 1e-15 from `a`"},
		{"radius", columnRadius, slotRadius, keytable.Sizes(), "distance of the side from the axis"},
	}
}

func (cylinderKind) inScene(s *Scene) *[]shapes.Cylinder   { return &s.Cylinders }
func (cylinderKind) inSolids(s *solids) *[]shapes.Cylinder { return &s.cylinders }

func (cylinderKind) make(m measures, _ geom.Mat3) shapes.Cylinder {
	return shapes.Cylinder{A: m.vector(slotPoint), B: m.vector(slotSize), Radius: m[slotRadius]}
}

func (cylinderKind) measures(x *shapes.Cylinder) (measures, geom.Mat3) {
	return measures{x.A.X, x.A.Y, x.A.Z, x.B.X, x.B.Y, x.B.Z, x.Radius}, geom.Mat3{}
}

func (cylinderKind) place(f *transform, to, from []shapes.Cylinder) {
	for i := range from {
		x := &from[i]
		to[i] = shapes.Cylinder{A: f.point(x.A), B: f.point(x.B), Radius: float64(f.scale * x.Radius)}
	}
}

func (cylinderKind) ball(x *shapes.Cylinder) (center geom.Vec3, radius float64) {
	axis := geom.Segment{A: x.A, B: x.B}
	half := axis.Length() / 2
	return axis.At(0.5), math.Sqrt(float64(half*half) + float64(x.Radius*x.Radius))
}

// width compares the width across the axis with that along it. The outline's width in a direction is the sum of those of
// an axis and a disk, which is a concave function of the angle to the axis, so one of the two is the smallest.
func (cylinderKind) width(x *shapes.Cylinder, along geom.Vec3) float64 {
	axis := x.B.Sub(x.A)
	length := axis.Norm()
	cosine := math.Min(1, math.Abs(axis.Dot(along)/length))
	sine := math.Sqrt(1 - float64(cosine*cosine))
	return math.Min(float64(2*x.Radius), float64(length*sine)+float64(2*x.Radius*cosine))
}

func (cylinderKind) bounds(list []shapes.Cylinder) geom.Bounds {
	b := geom.EmptyBounds()
	for i := range list {
		b = b.Union(list[i].Bounds())
	}
	return b
}

func (cylinderKind) reach(list []shapes.Cylinder, from geom.Vec3) (farthest float64) {
	for i := range list {
		x := &list[i]
		u, f := x.B.Sub(x.A).Unit(), from.Sub(x.A)
		across := f.AddScaled(-f.Dot(u), u).Norm() + x.Radius
		along := max(math.Abs(f.Dot(u)), math.Abs(from.Sub(x.B).Dot(u)))
		farthest = max(farthest, geom.Vec3{X: across, Y: along}.Norm())
	}
	return farthest
}

func (cylinderKind) extent(list []shapes.Cylinder, from, along geom.Vec3) extent {
	return extentOf(list, from, along, func(x *shapes.Cylinder) (a, b geom.Vec3, half float64) {
		// The part of along perpendicular to the axis: its length is the sine of the angle between them.
		u := x.B.Sub(x.A).Unit()
		return x.A, x.B, float64(along.AddScaled(-along.Dot(u), u).Norm() * x.Radius)
	})
}

// axisFlaw returns the problem of an axis that has no direction, or "".
func (m *measures) axisFlaw() string {
	a, b := m.vector(slotPoint), m.vector(slotSize)
	switch {
	case a == b:
		return "must differ from a; for a ball use [[sphere]]"
	case b.Sub(a).Norm() < geom.MinSize:
		return fmt.Sprintf("must be at least %g from a", geom.MinSize)
	}
	return ""
}
