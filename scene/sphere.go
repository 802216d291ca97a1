package scene

import (
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/shapes"
)

// sphereKind defines spheres. A sphere has the measures of a capsule of length zero.
type sphereKind struct{}

func (sphereKind) traits() traits {
	return traits{name: "sphere", plural: "spheres", lengths: []string{"diameter"}, about: "Balls.", pill: true}
}

func (sphereKind) keys() []measure {
	return []measure{
		{"center", "x y z", slotPoint, keytable.Coordinates(), "the center"},
		{"radius", columnRadius, slotRadius, keytable.Sizes(), "distance of the surface from the center"},
	}
}

func (sphereKind) inScene(s *Scene) *[]shapes.Sphere   { return &s.Spheres }
func (sphereKind) inSolids(s *solids) *[]shapes.Sphere { return &s.spheres }

func (sphereKind) make(m measures, _ geom.Mat3) shapes.Sphere {
	return shapes.Sphere{Center: m.vector(slotPoint), Radius: m[slotRadius]}
}

func (sphereKind) measures(x *shapes.Sphere) (measures, geom.Mat3) {
	c := x.Center
	return measures{c.X, c.Y, c.Z, c.X, c.Y, c.Z, x.Radius}, geom.Mat3{}
}

func (sphereKind) place(f *transform, to, from []shapes.Sphere) {
	for i := range from {
		x := &from[i]
		to[i] = shapes.Sphere{Center: f.point(x.Center), Radius: float64(f.scale * x.Radius)}
	}
}

func (sphereKind) ball(x *shapes.Sphere) (center geom.Vec3, radius float64) {
	return x.Center, x.Radius
}

func (sphereKind) width(x *shapes.Sphere, _ geom.Vec3) float64 { return float64(2 * x.Radius) }

func (sphereKind) bounds(list []shapes.Sphere) geom.Bounds {
	b := geom.EmptyBounds()
	for i := range list {
		b = b.Union(list[i].Bounds())
	}
	return b
}

func (sphereKind) reach(list []shapes.Sphere, from geom.Vec3) (farthest float64) {
	for i := range list {
		x := &list[i]
		farthest = max(farthest, x.Center.Sub(from).Norm()+x.Radius)
	}
	return farthest
}

func (sphereKind) extent(list []shapes.Sphere, from, along geom.Vec3) extent {
	return extentOf(list, from, along, func(x *shapes.Sphere) (a, b geom.Vec3, half float64) { return x.Center, x.Center, x.Radius })
}
