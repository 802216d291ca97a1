package accel_test

import (
	"sync/atomic"
	"testing"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shapes"
)

// giants returns n large spheres that overlap almost entirely, so that a ray tests nearly all of them.
func giants(n int) accel.Source {
	var s accel.Source
	for i := range n {
		s.Spheres = append(s.Spheres, shapes.Sphere{Center: geom.Vec3{X: float64(i) / float64(n), Z: -1000}, Radius: 500 - float64(i)/float64(n)})
	}
	return s
}

// TestCancelable checks that a canceled view ends queries without visiting the solids, that a view that is not canceled
// finds the same hits as the hierarchy, and that a view that is used again is no longer canceled.
func TestCancelable(t *testing.T) {
	bvh := accel.New(giants(2000))
	ray := geom.Ray{Dir: geom.Vec3{Z: -1}}
	rays, hits := []geom.Ray{ray, ray, ray}, make([]accel.Hit, 3)
	want := bvh.TraverseNearest(ray, nil)
	if want.Object == accel.None {
		t.Fatal("the ray hits nothing")
	}
	for range 2 {
		var canceled atomic.Bool
		view, release := bvh.Cancelable(&canceled)
		if got := view.TraverseNearest(ray, nil); got != want {
			t.Errorf("hit %+v, want %+v", got, want)
		}
		view.NearestEach(rays, hits)
		if hits[2] != want {
			t.Errorf("one of several rays hits %+v, want %+v", hits[2], want)
		}
		canceled.Store(true)
		if got := view.TraverseNearest(ray, nil); got.Object != accel.None {
			t.Errorf("canceled: hit %+v, want none", got)
		}
		if view.NearestEach(rays, hits); hits[0].Object != accel.None || hits[2].Object != accel.None {
			t.Errorf("canceled: several rays hit %+v, want nothing", hits)
		}
		if view.Near(geom.Bounds{Min: geom.Vec3{Z: -1000}, Max: geom.Vec3{Z: -1000}}) {
			t.Error("canceled: a solid was found")
		}
		release()
	}
}
