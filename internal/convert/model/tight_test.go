package model_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/scene"
)

// TestTight checks the camera of a tight view, which looks along the axis of the smallest variance of the balls'
// centers. The axis of the largest variance must be horizontal in the picture. The projections of the balls must
// touch the margin on two opposite sides, in a picture of any shape.
func TestTight(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 8))
		turn, _ := geom.RotationQuaternion(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		s := &model.Scene{Tight: true}
		sizes := [3]float64{10, 4, 1}
		for range 2 + rng.IntN(300) {
			p := geom.Vec3{X: sizes[0] * rng.NormFloat64(), Y: sizes[1] * rng.NormFloat64(), Z: sizes[2] * rng.NormFloat64()}
			s.Spheres = append(s.Spheres, model.Sphere{Center: turn.MulVec(p).Add(geom.Vec3{X: 50}), Radius: 0.5 + rng.Float64()})
		}
		loaded := modeltest.Load(t, s)
		for _, size := range [][2]int{{1280, 720}, {300, 700}, {500, 500}} {
			checkTouches(t, loaded, s.Spheres, size[0], size[1])
		}
		v, _ := loaded.View(1280, 720)
		axes := v.Axes()
		checkVariances(t, s.Spheres, axes.X, axes.Y, axes.Z)
	}
}

// checkTouches checks that the projections of balls touch the margin of a picture on two opposite sides.
func checkTouches(t *testing.T, s *scene.Scene, balls []model.Sphere, width, height int) {
	t.Helper()
	v, err := s.View(width, height)
	if err != nil {
		t.Fatal(err)
	}
	c, axes := s.CameraFor(width, height), v.Axes()
	var sides [4]float64 // the tangent of the angle between the view and the plane through the eye that touches a ball
	for _, b := range balls {
		q := b.Center.Sub(v.Position())
		depth := -q.Dot(axes.Z)
		if depth <= b.Radius {
			t.Fatalf("a ball is behind the camera of a picture of %d x %d", width, height)
		}
		for i, x := range [...]float64{q.Dot(axes.X), -q.Dot(axes.X), q.Dot(axes.Y), -q.Dot(axes.Y)} {
			angle := math.Atan2(x, depth) + math.Asin(b.Radius/math.Hypot(x, depth))
			sides[i] = max(sides[i], math.Tan(angle))
		}
	}
	unit := math.Tan(c.FOV.Degrees()*math.Pi/360) / (float64(height) / 2) // per pixel
	margin := 0.04 * float64(min(width, height))
	across := max(sides[0], sides[1]) / (float64(width)/2 - margin) / unit
	along := max(sides[2], sides[3]) / (float64(height)/2 - margin) / unit
	if math.Abs(max(across, along)-1) > 1e-6 {
		t.Errorf("the balls fill %.6f of the width and %.6f of the height inside the margin of %d x %d pixels", across, along, width, height)
	}
	touching := sides[:2]
	if along > across {
		touching = sides[2:]
	}
	if math.Abs(touching[0]-touching[1]) > 1e-6*touching[0] {
		t.Errorf("the margins on both sides differ: %v", touching)
	}
}

// checkVariances checks that axes are principal axes of the balls' centers, and that the first has the largest
// variance.
func checkVariances(t *testing.T, balls []model.Sphere, axes ...geom.Vec3) {
	t.Helper()
	var mean geom.Vec3
	for _, b := range balls {
		mean = mean.AddScaled(1/float64(len(balls)), b.Center)
	}
	covariance := func(u, v geom.Vec3) (sum float64) {
		for _, b := range balls {
			q := b.Center.Sub(mean)
			sum += q.Dot(u) * q.Dot(v)
		}
		return sum
	}
	var last = math.Inf(1)
	total := covariance(axes[0], axes[0]) + covariance(axes[1], axes[1]) + covariance(axes[2], axes[2])
	for i, u := range axes {
		own := covariance(u, u)
		if own > last+1e-9*total {
			t.Errorf("axis %d has a larger variance than the one before", i)
		}
		last = own
		for _, v := range axes[:i] {
			if c := covariance(u, v); math.Abs(c) > 1e-8*total {
				t.Errorf("axis %d has the covariance %g with another one, of %g", i, c, total)
			}
		}
	}
}

// TestTightFew checks that the camera of a tight view looks from the front at one ball, and at balls in a line or a
// plane.
func TestTightFew(t *testing.T) {
	at := func(points ...geom.Vec3) *model.Scene {
		s := &model.Scene{Tight: true}
		for _, p := range points {
			s.Spheres = append(s.Spheres, model.Sphere{Center: p, Radius: 1})
		}
		return s
	}
	for _, c := range []struct {
		scene *model.Scene
		want  geom.Vec3
	}{
		{at(geom.Vec3{X: 5}), geom.Vec3{Z: 1}},
		{at(geom.Vec3{}, geom.Vec3{X: 3}), geom.Vec3{Z: 1}},
		{at(geom.Vec3{}, geom.Vec3{X: 3}, geom.Vec3{Y: 1}), geom.Vec3{Z: 1}},
		{at(geom.Vec3{}, geom.Vec3{Z: 3}, geom.Vec3{Y: 1}), geom.Vec3{X: -1}},
	} {
		loaded := modeltest.Load(t, c.scene)
		if back := loaded.Framing.Direction.Unit().Neg(); back.Sub(c.want).Norm() > 1e-9 {
			t.Errorf("the camera is in the direction %v, want %v", back, c.want)
		}
	}
}
