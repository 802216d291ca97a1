package accel_test

import (
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/arealight"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/sampler"
	"pillbox/shade"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestCoverOfExtremeScenes compares the decisions of Cover, and the shadow rays that it traces, with brute force in extreme
// scenes. The lights are of all sizes; some lie in solids or close to them. Some points lie in solids, and some solids contain
// the eye.
func TestCoverOfExtremeScenes(t *testing.T) { accel.WithAndWithoutKernels(t, testCoverOfExtremeScenes) }

func testCoverOfExtremeScenes(t *testing.T) {
	var points arealight.Points
	decided := map[accel.Cover]int{}
	blocked, open, watched := 0, 0, 0
	seeds := effort.Of[uint64](100, 3000, 50_000)
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(63, seed))
		s := extremeScene(rng)
		if s.len() == 0 {
			continue
		}
		world, brute := s.world(), s.brute()
		emitter := extremeLight(rng, s)
		if !emitter.HasSize() {
			continue
		}
		var l accel.AreaLight
		isWithin := false // whether a solid contains the light
		if l.Center, l.Radius = emitter.Ball(); l.Radius == 0 {
			c := emitter.From(geom.Vec3{})
			l.Axis, l.Sin, l.Cos = c.Axis, c.Sin, c.Cos
		} else {
			for _, k := range world.Enclosing(l.Center) {
				isWithin = isWithin || containsBall(s.shape(k), l.Center, l.Radius)
			}
		}
		var axes []accel.SecondaryRay
		var cones []accel.Cone
		var caps []arealight.Cap
		for range 10 {
			d := accel.SecondaryRay{Ray: extremeRay(rng, s), Object: accel.None}
			if hit := world.TraverseNearest(d.Ray, nil); hit.Object != accel.None && rng.IntN(8) > 0 {
				d.Ray.Origin, d.Object, d.Inside = hit.Point, hit.Object, hit.Inside
			}
			if rng.IntN(4) == 0 {
				d.Eye = world.Enclosing(s.shape(int32(rng.IntN(s.len()))).Bounds().Center())
				if len(d.Eye) > 0 && isWithin {
					watched++
				}
			}
			c := emitter.From(d.Ray.Origin)
			if c.IsInside() {
				continue
			}
			d.Ray.Dir = c.Axis
			near, far := c.Between()
			axes, caps = append(axes, d), append(caps, c)
			cones = append(cones, accel.Cone{Sin: c.Sin, Cos: c.Cos, Near: near, Far: far})
		}
		count := 1 << rng.IntN(9)
		choose := func(i int) {
			set := sampler.New(count, 1).Set(sampler.Position{X: int(seed), Y: i}, sampler.Light(0), 0)
			caps[i].Points(caps[i].Axis, set, count, &points)
		}
		compare := func(i int, got func(ray int) bool) {
			for k := range points.Len() {
				d, p := axes[i], points.At(k)
				d.Ray.Dir = p.Dir
				if want := brute.TraverseBlocked(d, p.Reach, nil).Object != accel.None; got(k) != want {
					t.Fatalf("seed %d, point %d, ray %d of %d: blocked: %v, want %v; the cone is %+v", seed, i, k, points.Len(), got(k), want, cones[i])
				} else if want {
					blocked++
				} else {
					open++
				}
			}
		}
		covers := make([]accel.Cover, len(axes))
		world.Cover(&l, axes, cones, covers, func(i int, trace accel.TraceFan) bool {
			choose(i)
			got := make([]bool, points.Len())
			trace(&points.Dirs, points.Reach, got)
			compare(i, func(k int) bool { return got[k] })
			return true
		})
		for i, cover := range covers {
			if decided[cover]++; cover != accel.Partial {
				choose(i)
				compare(i, func(int) bool { return cover == accel.Covered })
			}
		}
	}
	if min(blocked, open) < int(10*seeds) || min(decided[accel.Open], decided[accel.Covered], decided[accel.Partial], watched) < int(seeds/4) {
		t.Errorf("%d rays were blocked, %d open; decisions: %v; %d points with solids around the eye and the light", blocked, open, decided, watched)
	}
	t.Log(blocked, open, decided, watched)
}

// containsBall reports whether a solid contains the corners of a cube around a ball, with a margin.
func containsBall(s shapes.Shape, center geom.Vec3, radius float64) bool {
	half := float64(radius*1.001) + float64(max(s.Bounds().MaxAbs(), center.MaxAbs())*1e-10)
	for corner := range 8 {
		side := func(bit int) float64 { return float64(half * float64(1-2*(corner>>bit&1))) }
		if !shapes.Contains(s, center.Add(geom.Vec3{X: side(0), Y: side(1), Z: side(2)})) {
			return false
		}
	}
	return true
}

// extremeLight returns a ball of light or a directional light.
func extremeLight(rng *rand.Rand, s *solids) arealight.Emitter {
	if rng.IntN(3) == 0 {
		angles := []float64{1e-12, 1e-6, 0.5, 60, 179.99, 180, shapetest.LogUniform(rng, 1e-12, 180)}
		return arealight.New(&shade.Light{Directional: true, Direction: shapetest.Direction(rng), Angle: geom.Angle(angles[rng.IntN(len(angles))]) * geom.Degree})
	}
	bounds := s.shape(int32(rng.IntN(s.len()))).Bounds()
	size := bounds.Size().Norm()
	center := bounds.Center().Add(shapetest.Cube(rng, float64(size*shapetest.LogUniform(rng, 1e-3, 1e3))))
	if !(center.MaxAbs() <= geom.MaxCoordinate) {
		center = bounds.Center()
	}
	radius := max(geom.MinSize, min(geom.MaxSize, float64(size*shapetest.LogUniform(rng, 1e-6, 1e3))))
	return arealight.New(&shade.Light{Position: center, Radius: radius})
}
