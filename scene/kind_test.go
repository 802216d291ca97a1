package scene

import (
	"math/rand/v2"
	"testing"

	"pillbox/shapes"
)

// TestNumbersFollowKinds: Number and Of are inverse, numbers ascend kind by kind without gaps, and
// Solid points into the slice of the kind, in scenes that lack some kinds, too.
func TestNumbersFollowKinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		s := &Scene{
			Spheres:  make([]shapes.Sphere, rng.IntN(4)),
			Capsules: make([]shapes.Capsule, rng.IntN(4)),
			Boxes:    make([]shapes.Box, rng.IntN(4)),
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
					KindSphere:  func() shapes.Shape { return &s.Spheres[i] },
					KindCapsule: func() shapes.Shape { return &s.Capsules[i] },
					KindBox:     func() shapes.Shape { return &s.Boxes[i] },
				}[k]()
				if got := s.Solid(number); got != want {
					t.Fatalf("solid %d is %p, want %v[%d], %p", number, got, k, i, want)
				}
				number++
			}
		}
		if n := len(s.Spheres) + len(s.Capsules) + len(s.Boxes); number != n {
			t.Fatalf("%d solids have numbers, want %d", number, n)
		}
	}
	if _, ok := ParseKind("Sphere"); ok {
		t.Error("ParseKind accepts another case")
	}
}
