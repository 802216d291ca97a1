package accel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes/shapetest"
)

// TestLayers compares the layers of random rays with those of brute force, also for many solids in few hulls, with
// distances at which a solid begins, and with omitted solids.
func TestLayers(t *testing.T) { accel.WithAndWithoutKernels(t, testLayers) }

func testLayers(t *testing.T) {
	for _, solids := range []int{0, 1, 12, 200} {
		for _, hulls := range []int32{1, 5, 1000} {
			t.Run(fmt.Sprintf("solids=%d/hulls=%d", solids, hulls), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(solids), uint64(hulls)))
				s := scatter(rng, solids, 0.1, 3)
				s.Omit = func(number int32) bool { return number%5 == 4 }
				world, brute := s.world(), s.brute()
				of := make([]int32, s.len())
				for i := range of {
					of[i] = rng.Int32N(hulls)
				}
				for range effort.Of(300, 2000, 50000) {
					r := geom.Ray{Origin: geom.Vec3{X: 1}, Dir: shapetest.Direction(rng)}
					if s.len() > 0 {
						r = s.ray(rng, 10)
					}
					tMax := math.Inf(1)
					if all := brute.Layers(r, tMax, of, nil); len(all) > 0 && rng.IntN(2) == 0 {
						tMax = all[rng.IntN(len(all))].T // this layer does not count: it is not nearer
					}
					got, want := world.Layers(r, tMax, of, nil), brute.Layers(r, tMax, of, nil)
					if !slices.Equal(got, want) {
						t.Fatalf("%+v before %v: %+v, want %+v", r, tMax, got, want)
					}
				}
			})
		}
	}
}

// TestOmittedSolids compares worlds without some of their solids with brute force. Rays also leave omitted solids.
func TestOmittedSolids(t *testing.T) { accel.WithAndWithoutKernels(t, testOmittedSolids) }

func testOmittedSolids(t *testing.T) {
	for _, solids := range []int{1, 12, 200} {
		t.Run(fmt.Sprint(solids), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(solids), 9))
			s := scatter(rng, solids, 0.1, 3)
			s.Omit = func(number int32) bool { return number%3 == 0 }
			world, brute := s.world(), s.brute()
			var rays []accel.SecondaryRay
			var dist []float64
			for range effort.Of(200, 1000, 20000) {
				d := accel.SecondaryRay{Ray: s.ray(rng, 10), Object: rng.Int32N(int32(s.len())+1) - 1}
				d.Eye = brute.Enclosing(d.Ray.Origin)
				rays, dist = append(rays, d), append(dist, shapetest.LogUniform(rng, 0.1, 50))
				if got, want := world.TraverseNearest(d.Ray, nil), brute.TraverseNearest(d.Ray, nil); !sameHit(got, want) {
					t.Fatalf("nearest of %+v: %+v, want %+v", d.Ray, got, want)
				}
				if !slices.Equal(world.Enclosing(d.Ray.Origin), d.Eye) {
					t.Fatalf("around %v: %v, want %v", d.Ray.Origin, world.Enclosing(d.Ray.Origin), d.Eye)
				}
			}
			gotHits, wantHits := make([]accel.Hit, len(rays)), make([]accel.Hit, len(rays))
			world.Reflected(rays, gotHits)
			brute.Reflected(rays, wantHits)
			got, want := make([]bool, len(rays)), make([]bool, len(rays))
			world.Blocked(rays, dist, got)
			brute.Blocked(rays, dist, want)
			for i := range rays {
				if !sameHit(gotHits[i], wantHits[i]) || got[i] != want[i] {
					t.Fatalf("%+v: %+v, blocked %v, want %+v, %v", rays[i], gotHits[i], got[i], wantHits[i], want[i])
				}
				if p, n := rays[i].Ray.Origin, rays[i].Ray.Dir; want[i] && !world.MayOcclude(p, n, rays[i].Object, dist[i]) {
					t.Fatalf("%+v: blocked, but MayOcclude is false", rays[i])
				}
			}
		})
	}
}

func sameHit(a, b accel.Hit) bool {
	return a == b || a.Object == accel.None && b.Object == accel.None
}
