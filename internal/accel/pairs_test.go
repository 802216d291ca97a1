package accel_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shapes"
)

// TestPairsAreAllOverlappingBounds compares Pairs with a test of all pairs of bounds.
func TestPairsAreAllOverlappingBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	s := scatter(rng, 600, 0.05, 1.5)
	var bounds []geom.Bounds
	for i := range s.Spheres {
		bounds = append(bounds, s.Spheres[i].Bounds())
	}
	for i := range s.Capsules {
		bounds = append(bounds, s.Capsules[i].Bounds())
	}
	for i := range s.Boxes {
		bounds = append(bounds, s.Boxes[i].Bounds())
	}
	for i := range s.Cylinders {
		bounds = append(bounds, s.Cylinders[i].Bounds())
	}
	got := map[[2]int32]bool{}
	last := [2]int32{-1, -1}
	for a, b := range s.world().Pairs() {
		if a >= b || a < last[0] || a == last[0] && b <= last[1] {
			t.Errorf("pair %d, %d after %v", a, b, last)
		}
		last = [2]int32{a, b}
		got[last] = true
	}
	count := 0
	for a := range bounds {
		for b := a + 1; b < len(bounds); b++ {
			if bounds[a].Overlaps(bounds[b]) {
				count++
				if !got[[2]int32{int32(a), int32(b)}] {
					t.Errorf("pair %d, %d is missing", a, b)
				}
			}
		}
	}
	if count < 300 || len(got) > count+count/100 {
		t.Errorf("%d pairs for %d overlapping bounds", len(got), count)
	}
}

// TestPairsOfSome checks that Pairs without omitted solids yields the pairs of the other solids, with their object numbers.
func TestPairsOfSome(t *testing.T) {
	s := scatter(rand.New(rand.NewPCG(13, 14)), 300, 0.05, 1.5)
	omit := func(number int32) bool { return number%3 == 1 }
	var want, got [][2]int32
	for a, b := range s.world().Pairs() {
		if !omit(a) && !omit(b) {
			want = append(want, [2]int32{a, b})
		}
	}
	s.Omit = omit
	for a, b := range s.world().Pairs() {
		got = append(got, [2]int32{a, b})
	}
	if !slices.Equal(got, want) || len(want) < 30 {
		t.Errorf("%d pairs, want %d", len(got), len(want))
	}
}

// TestPairsKeepTouchingSolids checks that Pairs yields touching solids, although rounding may separate their
// bounds.
func TestPairsKeepTouchingSolids(t *testing.T) {
	spheres := []shapes.Sphere{{Center: geom.Vec3{X: 0.1}, Radius: 0.1}, {Center: geom.Vec3{X: 0.3}, Radius: 0.1}, {Center: geom.Vec3{X: 0.7}, Radius: 0.3}}
	n := 0
	for range accel.New(accel.Source{Spheres: spheres}).Pairs() {
		n++
	}
	if n != 2 {
		t.Errorf("%d pairs, want 2", n)
	}
}
