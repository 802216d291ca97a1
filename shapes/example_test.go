package shapes_test

import (
	"fmt"
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// Example intersects two rays with an upright capsule of radius 5 whose axis is 10 long. The first ray passes 3
// beside the axis. It crosses the body 4 before the axis and 4 after it, because 3, 4 and 5 are the sides of a
// right triangle. The second ray is parallel to the axis, and enters through the upper end and leaves through the
// lower one.
func Example() {
	pill := &shapes.Capsule{B: geom.Vec3{Y: 10}, Radius: 5}
	show := func(r geom.Ray) {
		span, ok := pill.Span(r)
		if !ok {
			fmt.Println("past")
			return
		}
		fmt.Printf("in at %v, normal %v\n", span.Near.T, span.Near.Normal)
		fmt.Printf("out at %v, normal %v\n", span.Far.T, span.Far.Normal)
	}
	show(geom.Ray{Origin: geom.Vec3{X: -9, Y: 5, Z: 3}, Dir: geom.Vec3{X: 1}})
	show(geom.Ray{Origin: geom.Vec3{X: 3, Y: 20}, Dir: geom.Vec3{Y: -1}})

	// What a camera sees is the first crossing ahead of the ray's origin.
	hit, ok := pill.Intersect(geom.Ray{Origin: geom.Vec3{X: -2, Y: 5, Z: 3}, Dir: geom.Vec3{X: 1}}, 0, math.Inf(1))
	fmt.Println("from inside:", hit.T, ok)
	// Output:
	// in at 5, normal [-0.8, 0, 0.6]
	// out at 13, normal [0.8, 0, 0.6]
	// in at 6, normal [0.6, 0.8, 0]
	// out at 24, normal [0.6, -0.8, 0]
	// from inside: 6 true
}

func ExampleShape_touches() {
	seg := geom.Segment{A: geom.Vec3{}, B: geom.Vec3{X: 5}}
	for _, s := range []shapes.Sphere{
		{Center: geom.Vec3{X: 3, Z: -2}, Radius: 1},
		{Center: geom.Vec3{X: 3, Z: -2}, Radius: 2.2},
		{Center: geom.Vec3{X: 5.7, Z: -1.8}, Radius: 2.2},
	} {
		fmt.Println(s.Touches(seg))
	}
	// Output:
	// false
	// true
	// true
}
