package accel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shapes"
)

// TestAlongLosesNothing compares Along with a test of all solids. Its result must contain every solid that the line
// crosses between two distances, and every solid that the segment between them touches.
func TestAlongLosesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	found, wanted := 0, 0
	for _, far := range []float64{10, 1e3, 1e9} {
		for _, n := range []int{0, 1, 10, 300} {
			s := scatter(rng, n, 0.05, 1)
			w := s.world()
			for range 300 {
				r := geom.Ray{Dir: geom.Vec3{Z: 1}}
				if n > 0 {
					r = s.ray(rng, far)
				}
				from, to := 0.0, far*rng.Float64()
				switch rng.IntN(3) {
				case 0:
					from, to = math.Inf(-1), math.Inf(1)
				case 1:
					to = math.Inf(1)
				}
				got := w.Along(r, from, to, nil)
				want := s.along(w, r, from, to)
				found, wanted = found+len(got), wanted+len(want)
				for _, object := range want {
					if !slices.Contains(got, object) {
						t.Fatalf("Along(%#v, %v, %v) = %v lacks %d: %+v", r, from, to, got, object, w.Shape(object))
					}
				}
			}
		}
	}
	if wanted < 1000 || found > 8*wanted {
		t.Errorf("found %d solids for %d that are met", found, wanted)
	}
}

// along returns the numbers of the solids that a line crosses or a segment touches.
func (s *solids) along(w *accel.BVH, r geom.Ray, from, to float64) []int32 {
	var met []int32
	for object := range int32(s.len()) {
		shape := w.Shape(object)
		span, ok := shape.Span(r)
		crosses := func(h shapes.Hit) bool { return ok && from <= h.T && h.T <= to }
		touches := from == 0 && !math.IsInf(to, 1) && shape.Touches(geom.Segment{A: r.Origin, B: r.At(to)})
		if crosses(span.Near) || crosses(span.Far) || touches {
			met = append(met, object)
		}
	}
	return met
}

// TestAlongAppends checks that Along appends to its argument, and that Shape returns the given solid.
func TestAlongAppends(t *testing.T) {
	sphere := shapes.Sphere{Center: geom.Vec3{Z: -5}, Radius: 1}
	w := accel.New(accel.Source{Spheres: []shapes.Sphere{sphere}})
	if got := w.Along(geom.Ray{Dir: geom.Vec3{Z: -1}}, 0, math.Inf(1), []int32{7}); !slices.Equal(got, []int32{7, 0}) {
		t.Errorf("Along = %v, want 7 and 0", got)
	}
	if got := w.Along(geom.Ray{Dir: geom.Vec3{Z: -1}}, 0, 3, nil); len(got) != 0 {
		t.Errorf("Along as far as 3 = %v, want none", got)
	}
	if got, ok := w.Shape(0).(*shapes.Sphere); !ok || *got != sphere {
		t.Errorf("Shape = %v, want %v", w.Shape(0), sphere)
	}
}
