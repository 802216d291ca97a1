package shapes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
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

// nearestInBox returns the point of b that is nearest to p.
func nearestInBox(b *shapes.Box, p geom.Vec3) geom.Vec3 {
	l := b.Rotation.TransposeMulVec(p.Sub(b.Center))
	h := b.HalfExtents
	clamp := func(x, h float64) float64 { return max(-h, min(h, x)) }
	return b.Center.Add(b.Rotation.MulVec(geom.Vec3{X: clamp(l.X, h.X), Y: clamp(l.Y, h.Y), Z: clamp(l.Z, h.Z)}))
}

// project returns the distance between two convex sets. a and b return the nearest point of each set, and
// alternating between them converges to the nearest pair of points. This is slow for nearly parallel faces.
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

// TestBoxSegmentSeparation compares the separation of a segment with that of a box of the same length and almost no
// width.
func TestBoxSegmentSeparation(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	vector := func(scale float64) geom.Vec3 {
		return geom.Vec3{X: rng.NormFloat64() * scale, Y: rng.NormFloat64() * scale, Z: rng.NormFloat64() * scale}
	}
	const width = 1e-9
	overlapping := 0
	for range 5000 {
		b := shapes.Box{
			Center:      vector(0.3),
			HalfExtents: geom.Vec3{X: rng.ExpFloat64(), Y: rng.ExpFloat64(), Z: rng.ExpFloat64()},
			Rotation:    geom.RotationXYZ(geom.Angle(rng.Float64()*360), geom.Angle(rng.Float64()*360), geom.Angle(rng.Float64()*360)),
		}
		turn := geom.RotationXYZ(geom.Angle(rng.Float64()*360), geom.Angle(rng.Float64()*360), geom.Angle(rng.Float64()*360))
		if rng.IntN(4) == 0 {
			turn = b.Rotation // parallel to edges
		}
		thin := shapes.Box{Center: vector(1), HalfExtents: geom.Vec3{X: rng.ExpFloat64(), Y: width, Z: width}, Rotation: turn}
		half := turn.X.Scale(thin.HalfExtents.X)
		s := geom.Segment{A: thin.Center.Sub(half), B: thin.Center.Add(half)}
		// If the segment and the box are apart, the variable want may be larger: Separation also projects onto the axes
		// of the thin box's own faces.
		got, want := b.SegmentSeparation(s), b.Separation(&thin)
		if (got < 0 || want < 0) && math.Abs(got-want) > 1e-8 || got > want+1e-8 {
			t.Fatalf("%+v and %+v: %g, want %g", b, s, got, want)
		}
		if got < 0 {
			overlapping++
		}
	}
	if overlapping < 500 || overlapping > 4500 {
		t.Errorf("%d of 5000 overlap", overlapping)
	}
}

// nearestIn returns the point of s that is nearest to p.
func nearestIn(s shapes.Shape, p geom.Vec3) geom.Vec3 {
	ball := func(center geom.Vec3, radius float64) geom.Vec3 {
		away := p.Sub(center)
		return center.AddScaled(min(1, radius/away.Norm()), away)
	}
	switch s := s.(type) {
	case *shapes.Sphere:
		return ball(s.Center, s.Radius)
	case *shapes.Capsule:
		q, _ := geom.Segment{A: s.A, B: s.B}.Closest(p)
		return ball(q, s.Radius)
	case *shapes.Box:
		f, h := s.Rotation.TransposeMulVec(p.Sub(s.Center)), s.HalfExtents
		clamp := func(x, h float64) float64 { return max(-h, min(h, x)) }
		return s.Center.Add(s.Rotation.MulVec(geom.Vec3{X: clamp(f.X, h.X), Y: clamp(f.Y, h.Y), Z: clamp(f.Z, h.Z)}))
	case *shapes.Cylinder:
		w := s.B.Sub(s.A)
		u, f := w.Unit(), p.Sub(s.A)
		across := f.AddScaled(-f.Dot(u), u)
		return s.A.AddScaled(max(0, min(w.Norm(), f.Dot(u))), u).AddScaled(min(1, s.Radius/across.Norm()), across)
	}
	panic("no such solid")
}

// TestCylinderSeparation compares separations with the distances that von Neumann's alternating projections find:
// they go from a point of one solid to the nearest point of the other, and back.
func TestCylinderSeparation(t *testing.T) {
	apart, near := 0, 0
	n := effort.Of(100, 1000, 20_000)
	for i := range n {
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		a := shapetest.Cube(rng, 1)
		c := &shapes.Cylinder{A: a, B: a.Add(shapetest.Cube(rng, 1)), Radius: shapetest.Uniform(rng, 0.1, 1)}
		b := randomBox(rng)
		at := shapetest.Cube(rng, 1.8)
		other := []shapes.Shape{
			&shapes.Sphere{Center: at, Radius: 0.3}, &shapes.Capsule{A: at, B: at.Add(shapetest.Cube(rng, 1)), Radius: 0.2}, &b,
			&shapes.Cylinder{A: at, B: at.Add(shapetest.Cube(rng, 1)), Radius: shapetest.Uniform(rng, 0.1, 1)},
		}[i%4]
		b.Center = at
		p := c.A
		q := nearestIn(other, p)
		for range 20_000 {
			p = nearestIn(c, q)
			q = nearestIn(other, p)
		}
		distance := p.Sub(q).Norm()
		gap := c.Separation(other)
		switch {
		case gap > distance+1e-12:
			t.Errorf("%#v and %#v: %g apart, and %g says Separation", c, other, distance, gap)
		case distance > 1e-3 && gap <= 0:
			t.Errorf("%#v and %#v: %g apart, and %g says Separation", c, other, distance, gap)
		case distance > 1e-3 && distance < 0.05 && gap < 0.2*distance:
			near++
			t.Logf("%#v and %#v: %g apart, and %g says Separation", c, other, distance, gap)
		}
		if distance > 1e-3 {
			apart++
		}
		if d, ok := other.(*shapes.Cylinder); ok && math.Abs(d.Separation(c)-gap) > 1e-6 && gap <= 0 {
			t.Errorf("%#v and %#v: %g, the other way round %g", c, d, gap, d.Separation(c))
		}
	}
	if apart < n/10 || apart > n-n/10 {
		t.Errorf("%d of %d are apart: the test has lost its point", apart, n)
	}
	t.Logf("%d apart, %d with a gap much narrower than the distance", apart, near)
}
