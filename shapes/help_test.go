package shapes_test

import (
	"flag"

	"pillbox/geom"
	"pillbox/shapes"
)

var long = flag.Bool("long", false, "test with a million random rays")

// rooted is what the solids offer beside shapes.Shape.
type rooted interface {
	shapes.Shape
	Roots(r geom.Ray) (near, far float64, ok bool)
	Validate() error
}

const ulp = 0x1p-52 // the unit in the last place of 1
