package scene

import (
	"maps"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
)

// TestNumbersFollowKinds checks the numbers of solids, also in scenes that lack some kinds. Number and Of must be
// inverse, numbers must ascend kind by kind without gaps, and Solid must point into the slice of the kind.
func TestNumbersFollowKinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		s := &Scene{
			Spheres:   make([]shapes.Sphere, rng.IntN(4)),
			Capsules:  make([]shapes.Capsule, rng.IntN(4)),
			Boxes:     make([]shapes.Box, rng.IntN(4)),
			Cylinders: make([]shapes.Cylinder, rng.IntN(4)),
		}
		number := 0
		for _, k := range Kinds() {
			for i := range s.Count(k) {
				if gotKind, gotIndex := s.Of(number); gotKind != k || gotIndex != i || s.Number(k, i) != number {
					t.Fatalf("%v[%d] has the number %d, whose solid is %v[%d], want %d", k, i, s.Number(k, i), gotKind, gotIndex, number)
				}
				if parsed, ok := ParseKind(k.String()); parsed != k || !ok {
					t.Fatalf("ParseKind(%q) = %v, %v", k, parsed, ok)
				}
				want := map[Kind]func() shapes.Shape{
					KindSphere:   func() shapes.Shape { return &s.Spheres[i] },
					KindCapsule:  func() shapes.Shape { return &s.Capsules[i] },
					KindBox:      func() shapes.Shape { return &s.Boxes[i] },
					KindCylinder: func() shapes.Shape { return &s.Cylinders[i] },
				}[k]()
				if got := s.Solid(number); got != want {
					t.Fatalf("solid %d is %p, want %v[%d], %p", number, got, k, i, want)
				}
				number++
			}
		}
		if n := len(s.Spheres) + len(s.Capsules) + len(s.Boxes) + len(s.Cylinders); number != n {
			t.Fatalf("%d solids have numbers, want %d", number, n)
		}
	}
	if _, ok := ParseKind("Sphere"); ok {
		t.Error("ParseKind accepts another case")
	}
}

// TestSameSolids checks that SameSolids ignores names and materials, and detects changed numbers and missing
// solids.
func TestSameSolids(t *testing.T) {
	one := func() *Scene {
		return &Scene{Spheres: make([]shapes.Sphere, 2), Capsules: make([]shapes.Capsule, 2), Boxes: make([]shapes.Box, 2), Cylinders: make([]shapes.Cylinder, 2)}
	}
	a, same := one(), one()
	same.Name, same.Objects = "other", NewObjects(Object{Name: "ball"})
	if !SameSolids(a, a) || !SameSolids(a, same) {
		t.Error("equal solids are not the same")
	}
	for i, change := range []func(*Scene){
		func(s *Scene) { s.Spheres[1].Radius = 1 },
		func(s *Scene) { s.Capsules[1].B.Z = 1 },
		func(s *Scene) { s.Boxes[1].Rotation.Z.Z = 1 },
		func(s *Scene) { s.Spheres = s.Spheres[:1] },
		func(s *Scene) { s.Boxes = nil },
	} {
		b := one()
		if change(b); SameSolids(a, b) || SameSolids(b, a) {
			t.Errorf("change %d makes no difference", i)
		}
	}
}

// TestPoints checks that the points of a solid are exactly the keys that change when the solid moves. Lengths are
// not among them.
func TestPoints(t *testing.T) {
	p, q := geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 4, Y: 5, Z: 6}
	s := &Scene{
		Spheres:   []shapes.Sphere{{Center: p, Radius: 7}},
		Capsules:  []shapes.Capsule{{A: p, B: q, Radius: 7}},
		Boxes:     []shapes.Box{{Center: q, HalfExtents: p, Rotation: geom.Identity()}},
		Cylinders: []shapes.Cylinder{{A: q, B: p, Radius: 7}},
	}
	for number, want := range []map[string]geom.Vec3{{"center": p}, {"a": p, "b": q}, {"center": q}, {"a": q, "b": p}} {
		if got := s.Points(number); !maps.Equal(got, want) {
			t.Errorf("%s: points %v, want %v", s.Key(number), got, want)
		}
	}
}
