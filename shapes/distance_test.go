package shapes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

func randomBox(rng *rand.Rand) shapes.Box {
	m := shapetest.Rotation(rng)
	if rng.IntN(3) == 0 {
		m = geom.RotationXYZ(geom.Angle(90*rng.IntN(4)), geom.Angle(90*rng.IntN(4)), geom.Angle(90*rng.IntN(4)))
	}
	h := geom.Vec3{X: 0.1 + rng.Float64(), Y: 0.1 + rng.Float64(), Z: 0.1 + rng.Float64()}
	return shapes.Box{Center: shapetest.Cube(rng, 2), HalfExtents: h, Rotation: m}
}

// nearestInBox returns the point of the box nearest to p.
func nearestInBox(b *shapes.Box, p geom.Vec3) geom.Vec3 {
	l := b.Rotation.TransposeMulVec(p.Sub(b.Center))
	h := b.HalfExtents
	clamp := func(x, h float64) float64 { return max(-h, min(h, x)) }
	return b.Center.Add(b.Rotation.MulVec(geom.Vec3{X: clamp(l.X, h.X), Y: clamp(l.Y, h.Y), Z: clamp(l.Z, h.Z)}))
}

// project finds the distance between two convex sets by projecting to and fro, which
// converges to the nearest pair: an oracle, slow near parallel faces.
func project(a, b func(geom.Vec3) geom.Vec3, start geom.Vec3) float64 {
	p := start
	var d float64
	for range 20000 {
		q := a(p)
		p = b(q)
		d = p.Sub(q).Norm()
	}
	return d
}

func TestBoxDistanceAgreesWithProjections(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		b := randomBox(rng)
		s := geom.Segment{A: shapetest.Cube(rng, 4), B: shapetest.Cube(rng, 4)}
		got := b.Distance(s)
		want := project(
			func(p geom.Vec3) geom.Vec3 { return nearestInBox(&b, p) },
			func(p geom.Vec3) geom.Vec3 { q, _ := s.Closest(p); return q },
			s.A)
		if math.Abs(got-want) > 1e-4 || got > want+1e-14 {
			t.Errorf("Distance between %+v and %+v = %v, want %v", b, s, got, want)
		}
		if meets := b.Touches(s); meets != (got == 0) && got > 1e-14 {
			t.Errorf("distance %v but Touches is %v", got, meets)
		}
	}
}

func TestBoxDistanceOfPointsAndInside(t *testing.T) {
	b := shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 2, Z: 3}, Rotation: geom.Identity()}
	for _, c := range []struct {
		a, b geom.Vec3
		want float64
	}{
		{geom.Vec3{X: 4, Y: 6}, geom.Vec3{X: 4, Y: 6}, 5},
		{geom.Vec3{X: 0.5}, geom.Vec3{X: 0.5}, 0},
		{geom.Vec3{X: -9}, geom.Vec3{X: 9}, 0},
		{geom.Vec3{X: 2, Z: -9}, geom.Vec3{X: 2, Z: 9}, 1},
		{geom.Vec3{X: 1, Z: -9}, geom.Vec3{X: 1, Z: 9}, 0},
		{geom.Vec3{X: 5, Y: -1}, geom.Vec3{X: 2, Y: 1}, 1},
	} {
		if got := b.Distance(geom.Segment{A: c.a, B: c.b}); got != c.want {
			t.Errorf("Distance to %v %v = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestBoxSeparationAgreesWithProjections(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	apart := 0
	for range 100 {
		a, b := randomBox(rng), randomBox(rng)
		got := a.Separation(&b)
		dist := project(
			func(p geom.Vec3) geom.Vec3 { return nearestInBox(&a, p) },
			func(p geom.Vec3) geom.Vec3 { return nearestInBox(&b, p) },
			a.Center)
		if got > dist+1e-9 || (got > 1e-3) != (dist > 1e-3) && math.Abs(got) > 1e-2 {
			t.Errorf("Separation of %+v and %+v = %v, but their distance is %v", a, b, got, dist)
		}
		if back := b.Separation(&a); math.Abs(got-back) > 1e-14 {
			t.Errorf("Separation = %v one way and %v the other", got, back)
		}
		if got > 0 {
			apart++
		}
	}
	if apart < 10 || apart > 90 {
		t.Errorf("%d of 100 pairs are apart: the test has lost its balance", apart)
	}
}

func TestBoxSeparationOfFlushBoxes(t *testing.T) {
	a := shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}
	for _, c := range []struct {
		at   geom.Vec3
		want float64
	}{{geom.Vec3{X: 2}, 0}, {geom.Vec3{X: 2, Y: 2, Z: 2}, 0}, {geom.Vec3{X: 2.5}, 0.5}, {geom.Vec3{X: 1.5}, -0.5}, {geom.Vec3{}, -2}} {
		b := a
		b.Center = c.at
		if got := a.Separation(&b); got != c.want {
			t.Errorf("Separation from a box at %v = %v, want %v", c.at, got, c.want)
		}
	}
}
