package accel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestPanicLeavesNoScratch checks that a BVH works like a new one after a query has panicked and its caller has
// recovered.
func TestPanicLeavesNoScratch(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	spheres := make([]shapes.Sphere, 300)
	for i := range spheres {
		spheres[i] = shapes.Sphere{Center: shapetest.Cube(rng, 2), Radius: 0.2}
	}
	// A query with a ray that leaves an unknown solid panics when it comes to that ray.
	seen, fresh := accel.New(accel.Source{Spheres: spheres}), accel.New(accel.Source{Spheres: spheres})
	panics := 0
	recovered := func(query func()) {
		defer func() {
			if recover() != nil {
				panics++
			}
		}()
		query()
	}
	for n := range 100 {
		rays, dist := make([]accel.SecondaryRay, 60), make([]float64, 60)
		for i := range rays {
			rays[i].Object = int32(rng.IntN(len(spheres)))
			rays[i].Ray = geom.Ray{Origin: spheres[rays[i].Object].Center.AddScaled(0.2, shapetest.Direction(rng)), Dir: shapetest.Direction(rng)}
			dist[i] = 4 * rng.Float64()
		}
		wrong := slices.Clone(rays)
		wrong[20+rng.IntN(40)].Object = int32(len(spheres))
		recovered(func() { seen.Blocked(wrong, dist, make([]bool, len(rays))) })
		recovered(func() { seen.Reflected(wrong, make([]accel.Hit, len(rays))) })

		few := 1 + rng.IntN(20)
		got, want := make([]bool, few), make([]bool, few)
		seen.Blocked(rays[:few], dist[:few], got)
		fresh.Blocked(rays[:few], dist[:few], want)
		gotHits, wantHits := make([]accel.Hit, few), make([]accel.Hit, few)
		seen.Reflected(rays[:few], gotHits)
		fresh.Reflected(rays[:few], wantHits)
		if !slices.Equal(got, want) || !slices.Equal(gotHits, wantHits) {
			t.Fatalf("round %d: after a panic the answers differ", n)
		}
	}
	if panics < 100 {
		t.Errorf("only %d panics: the test has lost its point", panics)
	}
}

// TestNewHoldsToMaxSolids checks that New panics if there are more solids than references can represent. It must
// panic before it reads a solid.
func TestNewHoldsToMaxSolids(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("a slice of so many solids does not fit an address space of 32 bits")
	}
	var one shapes.Sphere
	many := unsafe.Slice(&one, accel.MaxSolids+1) // only its length is valid
	defer func() {
		if problem, ok := recover().(string); !ok || !strings.Contains(problem, "want at most 268435456") {
			t.Errorf("New panics with %v", problem)
		}
	}()
	accel.New(accel.Source{Spheres: many})
	t.Error("New accepts too many solids")
}
