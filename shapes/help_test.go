package shapes_test

import (
	"pillbox/geom"
	"pillbox/shapes"
)

// roots returns the distances at which the line of r enters and leaves s, also behind the origin.
func roots(s shapes.Shape, r geom.Ray) (near, far float64, ok bool) {
	span, ok := s.Span(r)
	return span.Near.T, span.Far.T, ok
}

// validated is a shape with the method Validate. All solids implement it.
type validated interface {
	shapes.Shape
	Validate() error
}

const ulp = 0x1p-52 // the unit in the last place of 1
