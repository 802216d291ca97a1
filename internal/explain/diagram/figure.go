package diagram

import (
	"fmt"

	"pillbox/internal/geom2"
	"pillbox/shapes"
)

// figure draws one kind of solid.
type figure interface {
	// draw draws the solid with the ray or segment of a sketch, and the numbers of the derivation.
	draw(k *sketch)

	// outline returns the convex outline of the solid, projected onto the plane of the profile s.
	outline(s *profile) []geom2.Point
}

// figureOf returns the figure of a solid. It panics if the solid's type is not one of package shapes.
func figureOf(s shapes.Shape) figure {
	switch s := s.(type) {
	case *shapes.Sphere:
		return sphereFigure{s}
	case *shapes.Capsule:
		return capsuleFigure{s}
	case *shapes.Box:
		return boxFigure{s}
	case *shapes.Cylinder:
		return cylinderFigure{s}
	}
	panic(fmt.Sprintf("diagram: no figure for %T", s))
}
