package geom_test

import (
	"fmt"

	"pillbox/geom"
)

// A quarter turn about the z axis is exact: not one bit of the point is lost, on any
// machine.
func Example() {
	turn := geom.RotationXYZ(0, 0, 90)
	p := turn.MulVec(geom.Vec3{X: 0.1, Y: 0.2, Z: 0.3})
	fmt.Println(p)

	r := geom.Ray{Origin: p, Dir: geom.Vec3{X: 1}}
	fmt.Println(r.At(0.5))
	fmt.Println(geom.EmptyBounds().Include(r.Origin).Include(r.At(0.5)).Size())
	// Output:
	// {-0.2 0.1 0.3}
	// {0.3 0.1 0.3}
	// {0.5 0 0}
}
