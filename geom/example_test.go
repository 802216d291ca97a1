package geom_test

import (
	"fmt"

	"pillbox/geom"
)

// Example rotates a point by a quarter turn about the z axis. The result is exact on every machine.
func Example() {
	turn := geom.RotationXYZ(0, 0, 90)
	p := turn.MulVec(geom.Vec3{X: 0.1, Y: 0.2, Z: 0.3})
	fmt.Println(p)

	r := geom.Ray{Origin: p, Dir: geom.Vec3{X: 1}}
	fmt.Println(r.At(0.5))
	fmt.Println(geom.EmptyBounds().Include(r.Origin).Include(r.At(0.5)).Size())
	// Output:
	// [-0.2, 0.1, 0.3]
	// [0.3, 0.1, 0.3]
	// [0.5, 0, 0]
}
