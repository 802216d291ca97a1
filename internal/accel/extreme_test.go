package accel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestWalksOfExtremeScenes compares single rays with brute force in extreme scenes. Sizes and distances are from
// 1e-15 to 1e15, around the origin and far from it. Some solids are duplicates, so that hits tie, and leaves have
// every number of spheres. Directions have components that are zero or denormal, and limits are at or next to the
// distance of a hit.
func TestWalksOfExtremeScenes(t *testing.T) { accel.WithAndWithoutKernels(t, testWalksOfExtremeScenes) }

func testWalksOfExtremeScenes(t *testing.T) {
	met, blocked := 0, 0
	for seed := range effort.Of[uint64](75, 300, 3000) {
		rng := rand.New(rand.NewPCG(41, seed))
		s := extremeScene(rng)
		world, brute := s.world(), s.brute()
		for range 40 {
			d := accel.SecondaryRay{Ray: extremeRay(rng, s), Object: int32(rng.IntN(s.len()+1)) - 1}
			around := world.Enclosing(d.Ray.Origin)
			d.Inside = slices.Contains(around, d.Object)
			if rng.IntN(3) == 0 {
				d.Eye = around
			}
			if got, want := world.TraverseNearest(d.Ray, nil), brute.TraverseNearest(d.Ray, nil); got != want {
				t.Fatalf("seed %d: TraverseNearest(%#v) = %+v, want %+v", seed, d.Ray, got, want)
			} else if want.Object != accel.None {
				met++
			}
			var each [3]accel.Hit
			world.NearestEach([]geom.Ray{d.Ray, {Origin: d.Ray.Origin, Dir: d.Ray.Dir.Neg()}, d.Ray}, each[:])
			if want := brute.TraverseNearest(d.Ray, nil); each[0] != want || each[2] != want {
				t.Fatalf("seed %d: NearestEach(%#v) = %+v, want %+v", seed, d.Ray, each, want)
			}
			want := brute.TraverseReflected(d, nil)
			if got := world.TraverseReflected(d, nil); got != want {
				t.Fatalf("seed %d: TraverseReflected(%#v) = %+v, want %+v", seed, d, got, want)
			}
			for _, dist := range []float64{want.T, math.Nextafter(want.T, math.Inf(1)), math.Nextafter(want.T, 0), math.SmallestNonzeroFloat64} {
				want := brute.TraverseBlocked(d, dist, nil)
				if got := world.TraverseBlocked(d, dist, nil); got.Object != want.Object {
					t.Fatalf("seed %d: TraverseBlocked(%#v, %v) = %+v, want %+v", seed, d, dist, got, want)
				}
				var got [1]bool
				world.Blocked([]accel.SecondaryRay{d}, []float64{dist}, got[:])
				if got[0] != (want.Object != accel.None) {
					t.Fatalf("seed %d: Blocked(%#v, %v) = %v", seed, d, dist, got[0])
				}
				blocked += count(got[0])
			}
		}
	}
	if met < 2000 || blocked < 500 {
		t.Errorf("only %d rays meet anything, and %d are blocked: the test has lost its point", met, blocked)
	}
}

// extremeScene returns up to 24 solids, some of them twice.
func extremeScene(rng *rand.Rand) *solids {
	var s solids
	far := shapetest.LogUniform(rng, 1e-14, 1e15)
	coordinate := func() float64 {
		switch rng.IntN(8) {
		case 0:
			return math.Copysign(0, rng.Float64()-0.5)
		case 1:
			return math.Copysign(shapetest.LogUniform(rng, 1e-290, far), rng.Float64()-0.5)
		case 2:
			return math.Copysign(far, rng.Float64()-0.5)
		}
		return shapetest.Uniform(rng, -far, far)
	}
	point := func() geom.Vec3 { return geom.Vec3{X: coordinate(), Y: coordinate(), Z: coordinate()} }
	spheresOnly := rng.IntN(2) == 0
	for range 1 + rng.IntN(24) {
		r := shapetest.LogUniform(rng, max(1e-15, 1e-6*far), far)
		if rng.IntN(4) == 0 {
			r = shapetest.LogUniform(rng, 1e-15, 1e15)
		}
		kind := rng.IntN(4)
		if spheresOnly {
			kind = 0
		}
		switch kind {
		case 0:
			x := shapes.Sphere{Center: point(), Radius: r}
			s.Spheres = append(s.Spheres, x)
			if rng.IntN(4) == 0 {
				s.Spheres = append(s.Spheres, x)
			}
		case 1:
			s.Capsules = append(s.Capsules, shapes.Capsule{A: point(), B: point(), Radius: r})
		case 2:
			h := geom.Vec3{X: r, Y: shapetest.LogUniform(rng, 1e-15, r), Z: r}
			m := geom.Identity()
			if rng.IntN(2) == 0 {
				m = shapetest.Rotation(rng)
			}
			s.Boxes = append(s.Boxes, shapes.Box{Center: point(), HalfExtents: h, Rotation: m})
		case 3:
			if c := (shapes.Cylinder{A: point(), B: point(), Radius: r}); c.Validate() == nil {
				s.Cylinders = append(s.Cylinders, c)
			}
		}
	}
	return &s
}

// extremeRay returns a random ray that grazes a solid or passes through it. It starts near the solid or far away.
func extremeRay(rng *rand.Rand, s *solids) geom.Ray {
	target := s.grazingPoint(rng)
	if rng.IntN(2) == 0 || !(target.MaxAbs() <= geom.MaxCoordinate) {
		target = s.shape(int32(rng.IntN(s.len()))).Bounds().Center()
	}
	d := shapetest.Direction(rng)
	tiny := []float64{0, math.Copysign(0, -1), math.SmallestNonzeroFloat64, -1e-310, 0x1p-60, -0x1p-61, 1e-30, 0x1p-130}
	for _, x := range []*float64{&d.X, &d.Y, &d.Z} {
		if rng.IntN(3) == 0 {
			*x = tiny[rng.IntN(len(tiny))]
		}
	}
	d, ok := geom.Direction(d)
	if !ok {
		d = geom.Vec3{Z: 1}
	}
	o := target.AddScaled(-shapetest.LogUniform(rng, 1e-15, 1e15), d)
	if !(o.MaxAbs() <= geom.MaxCoordinate) {
		o = target
	}
	return geom.Ray{Origin: o, Dir: d}
}
