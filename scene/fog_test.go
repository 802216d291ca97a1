package scene_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// eye returns a camera at a position that looks at a point.
func eye(position, at geom.Vec3) *camera.Camera {
	return &camera.Camera{Position: position, LookAt: at, Up: geom.Vec3{Y: 1}, FOV: 40}
}

// TestDepths compares the automatic depths of fog with those of many points of the surfaces: no point lies outside, and
// the nearest and the farthest point lie close to the ends.
func TestDepths(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	for i := range 40 {
		s := scene.New()
		s.Camera = eye(shapetest.Direction(rng).Scale(12), shapetest.Cube(rng, 1))
		center, axis, r := shapetest.Cube(rng, 3), shapetest.Direction(rng).Scale(2), shapetest.Uniform(rng, 0.2, 1.5)
		turn := shapetest.Rotation(rng)
		var point func() geom.Vec3
		switch i % 4 {
		case 0:
			s.Spheres = []shapes.Sphere{{Center: center, Radius: r}}
			point = func() geom.Vec3 { return center.AddScaled(r, shapetest.Direction(rng)) }
		case 1:
			s.Capsules = []shapes.Capsule{{A: center, B: center.Add(axis), Radius: r}}
			point = func() geom.Vec3 {
				return center.AddScaled(float64(rng.IntN(2)), axis).AddScaled(r, shapetest.Direction(rng))
			}
		case 2:
			h := geom.Vec3{X: r, Y: 2, Z: 0.5}
			s.Boxes = []shapes.Box{{Center: center, HalfExtents: h, Rotation: turn}}
			sign := func() float64 { return float64(2*rng.IntN(2) - 1) }
			point = func() geom.Vec3 {
				return center.Add(turn.MulVec(geom.Vec3{X: sign() * h.X, Y: sign() * h.Y, Z: sign() * h.Z}))
			}
		case 3:
			s.Cylinders = []shapes.Cylinder{{A: center, B: center.Add(axis), Radius: r}}
			point = func() geom.Vec3 {
				return center.AddScaled(float64(rng.IntN(2)), axis).AddScaled(r, axis.Cross(shapetest.Direction(rng)).Unit())
			}
		}
		s.Objects = scene.NewObjects(scene.Object{})
		v, err := s.View(64, 48)
		if err != nil {
			t.Fatal(err)
		}
		near, far := s.Depths(v)
		first, last := math.Inf(1), math.Inf(-1)
		for range 3000 {
			d := v.Depth(point())
			first, last = min(first, d), max(last, d)
		}
		if first < near-1e-12 || last > far+1e-12 || first > near+0.01 || last < far-0.01 {
			t.Errorf("scene %d: depths %v to %v, points from %v to %v", i, near, far, first, last)
		}
	}
}

// TestDepthsAtLeastZero checks the automatic depths without solids, and with solids around and behind the camera.
func TestDepthsAtLeastZero(t *testing.T) {
	s := scene.New()
	s.Camera = eye(geom.Vec3{X: 1, Z: 9}, geom.Vec3{})
	for _, c := range []struct {
		solids    []shapes.Sphere
		near, far float64
	}{
		{nil, 0, 0},
		{[]shapes.Sphere{{Center: s.Camera.Position, Radius: 2}}, 0, 2},
		{[]shapes.Sphere{{Center: s.Camera.Position.AddScaled(-1, s.Camera.LookAt.Sub(s.Camera.Position)), Radius: 0.1}}, 0, 0},
	} {
		s.Spheres, s.Objects = c.solids, scene.NewObjects(make([]scene.Object, len(c.solids))...)
		v, err := s.View(64, 48)
		if err != nil {
			t.Fatal(err)
		}
		if near, far := s.Depths(v); math.Abs(near-c.near) > 1e-12 || math.Abs(far-c.far) > 1e-12 {
			t.Errorf("%d solids: depths %v to %v, want %v to %v", len(c.solids), near, far, c.near, c.far)
		}
	}
}
