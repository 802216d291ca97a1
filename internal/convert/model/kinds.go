package model

import (
	"iter"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/scene"
)

// kinds returns the part's own solids by kind, in the order in which scenes number them. A new kind of solid needs an
// entry here, and a type that implements solid.
func (p *Part) kinds() []kind {
	return []kind{
		kindOf[Sphere, *Sphere]{&p.Spheres, scene.KindSphere, "x y z radius"},
		kindOf[Capsule, *Capsule]{&p.Capsules, scene.KindCapsule, "ax ay az bx by bz radius"},
		kindOf[Box, *Box]{&p.Boxes, scene.KindBox, "x y z hx hy hz qw qx qy qz"},
		kindOf[Cylinder, *Cylinder]{&p.Cylinders, scene.KindCylinder, "ax ay az bx by bz radius"},
	}
}

// kind is the list of a part's solids of one kind.
type kind interface {
	kind() scene.Kind
	columns() []string // of bulk files
	len() int
	solidAt(i int) solid
	clone() // copies the list, so that other parts do not share it
	equal(kind) bool
}

// solid is a solid of a part.
type solid interface {
	label() *Label

	// corners calls visit with balls; the convex hull of the balls contains the solid.
	corners(visit func(center geom.Vec3, radius float64))

	// keys writes the keys of the solid's table, except those of the label. row appends the numbers for the columns of a
	// bulk file.
	keys(*writer)
	row([]float64) []float64
}

// label returns l. Types that embed Label thus have this method.
func (l *Label) label() *Label { return l }

// kindOf implements kind for solids of type T.
type kindOf[T comparable, P interface {
	*T
	solid
}] struct {
	list  *[]T
	of    scene.Kind
	names string // of the columns, separated by spaces
}

func (k kindOf[T, P]) kind() scene.Kind    { return k.of }
func (k kindOf[T, P]) columns() []string   { return strings.Fields(k.names) }
func (k kindOf[T, P]) len() int            { return len(*k.list) }
func (k kindOf[T, P]) solidAt(i int) solid { return P(&(*k.list)[i]) }
func (k kindOf[T, P]) clone()              { *k.list = slices.Clone(*k.list) }
func (k kindOf[T, P]) equal(other kind) bool {
	return slices.Equal(*k.list, *other.(kindOf[T, P]).list)
}

// solids yields the part's own solids.
func (p *Part) solids() iter.Seq[solid] {
	return func(yield func(solid) bool) {
		for _, k := range p.kinds() {
			for i := range k.len() {
				if !yield(k.solidAt(i)) {
					return
				}
			}
		}
	}
}

func (s *Sphere) corners(visit func(geom.Vec3, float64)) { visit(s.Center, s.Radius) }

func (s *Sphere) keys(e *writer) {
	e.Key("center", vectorText(s.Center))
	e.Key("radius", numberText(s.Radius))
}

func (s *Sphere) row(to []float64) []float64 {
	return append(to, s.Center.X, s.Center.Y, s.Center.Z, s.Radius)
}

func (c *Capsule) corners(visit func(geom.Vec3, float64)) {
	visit(c.A, c.Radius)
	visit(c.B, c.Radius)
}

func (c *Capsule) keys(e *writer) {
	e.Key("a", vectorText(c.A))
	e.Key("b", vectorText(c.B))
	e.Key("radius", numberText(c.Radius))
}

func (c *Capsule) row(to []float64) []float64 {
	return append(to, c.A.X, c.A.Y, c.A.Z, c.B.X, c.B.Y, c.B.Z, c.Radius)
}

// These methods convert the cylinder to a capsule with the same numbers, because both have the same keys and columns. The
// corners are valid, too: the capsule contains the cylinder.

func (c *Cylinder) corners(visit func(geom.Vec3, float64)) { (*Capsule)(c).corners(visit) }
func (c *Cylinder) keys(e *writer)                         { (*Capsule)(c).keys(e) }
func (c *Cylinder) row(to []float64) []float64             { return (*Capsule)(c).row(to) }

func (b *Box) corners(visit func(geom.Vec3, float64)) {
	h, m := b.HalfExtents, b.Rotation.Matrix()
	for _, corner := range (geom.Bounds{Min: h.Neg(), Max: h}).Corners() {
		visit(b.Center.Add(m.MulVec(corner)), 0)
	}
}

func (b *Box) keys(e *writer) {
	e.Key("center", vectorText(b.Center))
	e.Key("half_extents", sizesText(b.HalfExtents))
	e.rotation(b.Rotation)
}

func (b *Box) row(to []float64) []float64 {
	h, q := b.HalfExtents, b.Rotation.Unit()
	return append(to, b.Center.X, b.Center.Y, b.Center.Z, h.X, h.Y, h.Z, q.W, q.X, q.Y, q.Z)
}
