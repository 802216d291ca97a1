package shapes_test

import (
	"flag"
	"math"
	"math/rand/v2"

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

func randomCube(rng *rand.Rand) geom.Vec3 {
	return geom.Vec3{X: 2*rng.Float64() - 1, Y: 2*rng.Float64() - 1, Z: 2*rng.Float64() - 1}
}

func randomDir(rng *rand.Rand) geom.Vec3 {
	d, ok := geom.Direction(geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()})
	if !ok {
		return geom.Vec3{X: 1}
	}
	return d
}

// logUniform returns a number between 10^lo and 10^hi.
func logUniform(rng *rand.Rand, lo, hi float64) float64 {
	return math.Pow(10, lo+(hi-lo)*rng.Float64())
}
