package cast_test

import (
	"context"
	"fmt"
	"os"
	"pillbox"
	"strings"

	"pillbox/cast"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shapes"
)

// Example casts two rays at two spheres that lie one behind the other.
func Example() {
	s := scene.New()
	s.Spheres = []shapes.Sphere{
		{Center: geom.Vec3{Z: -5}, Radius: 1},
		{Center: geom.Vec3{Z: -9}, Radius: 2},
	}
	s.Objects = scene.NewObjects(scene.Object{Name: "near"}, scene.Object{Name: "far"})
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		fmt.Println(err)
		return
	}

	hits, err := cast.Cast(p, cast.Ahead, geom.Vec3{}, geom.Vec3{Z: -3}, nil)
	for _, h := range hits {
		fmt.Printf("%v: solid %d, from inside: %v\n", h.T, h.Object, h.Inside)
	}
	fmt.Println(err)

	rays := "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,-3\n0,0,0,0,0,1\n"
	if _, err := cast.Stream(context.Background(), p, strings.NewReader(rays), os.Stdout, cast.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 4: solid 0, from inside: false
	// 6: solid 0, from inside: true
	// 7: solid 1, from inside: false
	// 11: solid 1, from inside: true
	// <nil>
	// ray,t,x,y,z,nx,ny,nz,object,name,inside
	// 0,4,0,0,-4,0,0,1,0,,false
	// 1,,,,,,,,,,
}
