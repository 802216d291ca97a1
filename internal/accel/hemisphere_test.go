package accel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestMayOccludeMissesNothing checks with brute force that no ray into a hemisphere is blocked if MayOcclude
// returns false for that hemisphere. Some rays lie in the plane that bounds it, and some graze solids. MayOcclude
// must return false often enough to save work.
func TestMayOccludeMissesNothing(t *testing.T) {
	accel.WithAndWithoutKernels(t, testMayOccludeMissesNothing)
}

func testMayOccludeMissesNothing(t *testing.T) {
	blocked, open := 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 5))
		s := scatter(rng, 1+rng.IntN(12), 0.1, 1)
		world, brute := s.world(), s.brute()
		for range 60 {
			object := int32(rng.IntN(s.len()))
			p := s.grazingPoint(rng)
			n := shapetest.Direction(rng)
			if rng.IntN(3) == 0 { // through a point of another solid
				n = p.Sub(s.grazingPoint(rng)).Cross(shapetest.Direction(rng)).Add(geom.Vec3{X: 1e-300}).Unit()
			}
			reach := shapetest.LogUniform(rng, 0.01, 30)
			if rng.IntN(3) == 0 {
				reach = math.Inf(1)
			}
			may := world.MayOcclude(p, n, object, reach)
			for range 12 {
				d, ok := geom.Direction(s.grazingPoint(rng).Sub(p))
				if !ok {
					continue
				}
				if below := d.Dot(n); below < 0 {
					d = d.AddScaled(-below, n).Unit() // in the plane
					if !(math.Abs(d.Norm()-1) < 1e-9) {
						continue
					}
				}
				ray := accel.SecondaryRay{Ray: geom.Ray{Origin: p, Dir: d}, Object: object}
				if hit := brute.TraverseBlocked(ray, reach, nil); hit.Object != accel.None {
					blocked++
					if !may {
						t.Fatalf("seed %d: object %d at %v blocks %v before %v", seed, hit.Object, hit.T, ray.Ray, reach)
					}
				}
			}
			if !may {
				open++
			}
		}
	}
	if blocked < 5000 || open < 500 {
		t.Errorf("%d rays were blocked and %d hemispheres open: the test sees too little", blocked, open)
	}
}

// TestMayOccludeIsSharp moves solids across the limits of the hemisphere by 0.0001. MayOcclude must return true
// only if the solid's top is above the plane and its surface is nearer than the distance. It must ignore the solid
// that the rays leave.
func TestMayOccludeIsSharp(t *testing.T) {
	up := geom.Vec3{Y: 1}
	turned := geom.RotationXYZ(10, 20, 30)
	for name, s := range map[string]accel.Source{
		"sphere":   {Spheres: []shapes.Sphere{{Radius: 1}}},
		"capsule":  {Capsules: []shapes.Capsule{{A: geom.Vec3{X: -1}, B: geom.Vec3{X: 1}, Radius: 1}}},
		"box":      {Boxes: []shapes.Box{{HalfExtents: geom.Vec3{X: 2, Y: 1, Z: 3}, Rotation: geom.Identity()}}},
		"cylinder": {Cylinders: []shapes.Cylinder{{A: geom.Vec3{X: -1}, B: geom.Vec3{X: 1}, Radius: 1}}},
	} {
		w := accel.New(s)
		for what, c := range map[string]struct {
			y, reach float64
			n        geom.Vec3
			want     bool
		}{
			"above its top":                 {1.0001, math.Inf(1), up, false},
			"below its top":                 {0.9999, math.Inf(1), up, true},
			"above, facing it":              {3, math.Inf(1), up.Neg(), true},
			"above, facing it from too far": {3, 1.9999, up.Neg(), false},
			"above, facing it, near enough": {3, 2.0001, up.Neg(), true},
		} {
			if got := w.MayOcclude(geom.Vec3{Y: c.y}, c.n, accel.None, c.reach); got != c.want {
				t.Errorf("%s, %s: %v", name, what, got)
			}
			if w.MayOcclude(geom.Vec3{Y: c.y}, c.n, 0, c.reach) {
				t.Errorf("%s, %s: it occludes its own rays", name, what)
			}
		}
	}
	box := shapes.Box{Center: geom.Vec3{X: 1, Y: 2, Z: 3}, HalfExtents: geom.Vec3{X: 2, Y: 1, Z: 3}, Rotation: turned}
	w := accel.New(accel.Source{Boxes: []shapes.Box{box}})
	corner := box.Center.Add(turned.MulVec(box.HalfExtents)) // the nearest point of the box from beyond it
	p := corner.AddScaled(2, turned.MulVec(geom.Vec3{X: 2, Y: 1, Z: 2}).Div(3))
	for reach, want := range map[float64]bool{1.9999: false, 2.0001: true} {
		if got := w.MayOcclude(p, corner.Sub(p).Div(2), accel.None, reach); got != want {
			t.Errorf("a turned box at distance 2, before %v: %v", reach, got)
		}
	}
}
