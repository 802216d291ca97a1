package accel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/internal/accel"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestWorldOnHardRays casts each hard ray of the corpus twice. In a world with only the ray's own solid, the hit
// must be that of the solid's Intersect. In a world with other solids, too, it must be that of brute force.
func TestWorldOnHardRays(t *testing.T) { accel.WithAndWithoutKernels(t, testWorldOnHardRays) }

func testWorldOnHardRays(t *testing.T) {
	rays, err := shapetest.HardRays()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(15, 16))
	for _, h := range rays {
		var alone solids
		alone.add(h.Shape)
		p := single(h.Ray)
		var got, want [1]accel.Hit
		alone.world().Nearest(&p, got[:])
		want[0] = accel.Hit{T: math.Inf(1), Object: accel.None}
		if hit, ok := h.Shape.Intersect(h.Ray, 0, math.Inf(1)); ok {
			span, _ := h.Shape.Span(h.Ray)
			want[0] = accel.Hit{T: hit.T, Point: h.Ray.At(hit.T), Normal: hit.Normal, Inside: hit.T != span.Near.T}
		}
		if got != want {
			t.Errorf("%v alone: %+v, want %+v", &h, got[0], want[0])
		}

		company := scatter(rng, 20, 0.1, 1)
		company.add(h.Shape)
		company.world().Nearest(&p, got[:])
		company.brute().Nearest(&p, want[:])
		if got != want {
			t.Errorf("%v in company: %+v, want %+v", &h, got[0], want[0])
		}
	}
}

func (s *solids) add(shape shapes.Shape) {
	switch x := shape.(type) {
	case *shapes.Sphere:
		s.Spheres = append(s.Spheres, *x)
	case *shapes.Capsule:
		s.Capsules = append(s.Capsules, *x)
	case *shapes.Box:
		s.Boxes = append(s.Boxes, *x)
	case *shapes.Cylinder:
		s.Cylinders = append(s.Cylinders, *x)
	}
}
