package shapes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// brick returns a box from (-1, -2, -3) to (1, 2, 3).
func brick() *shapes.Box {
	return &shapes.Box{HalfExtents: vec(1, 2, 3), Rotation: geom.Identity()}
}

func TestBoxSpanAlongAxes(t *testing.T) {
	for _, c := range []struct {
		dir  geom.Vec3
		half float64
	}{
		{vec(1, 0, 0), 1}, {vec(0, 1, 0), 2}, {vec(0, 0, 1), 3},
		{vec(-1, 0, 0), 1}, {vec(0, -1, 0), 2}, {vec(0, 0, -1), 3},
	} {
		in, out := c.dir.Neg(), c.dir
		checkSpans(t, brick(), exactly, []spanCase{
			{"from outside", geom.Ray{Origin: c.dir.Scale(-9), Dir: c.dir}, 2, shapes.Hit{T: 9 - c.half, Normal: in}, shapes.Hit{T: 9 + c.half, Normal: out}},
			{"from inside", geom.Ray{Origin: vec(0.5, 0.5, 0.5), Dir: c.dir}, 2,
				shapes.Hit{T: -c.half - 0.5*(c.dir.X+c.dir.Y+c.dir.Z), Normal: in},
				shapes.Hit{T: c.half - 0.5*(c.dir.X+c.dir.Y+c.dir.Z), Normal: out}},
			{"behind", geom.Ray{Origin: c.dir.Scale(9), Dir: c.dir}, 2, shapes.Hit{T: -9 - c.half, Normal: in}, shapes.Hit{T: -9 + c.half, Normal: out}},
		})
	}
}

func TestBoxSpanSlanted(t *testing.T) {
	checkSpans(t, brick(), 16*ulp, []spanCase{
		{"x to y", ray(vec(-3, -1, 0), vec(3, 4, 0)), 2, shapes.Hit{T: 2 / 0.6, Normal: vec(-1, 0, 0)}, shapes.Hit{T: 3 / 0.8, Normal: vec(0, 1, 0)}},
		{"y to x", ray(vec(1, 4, 0), vec(-3, -4, 0)), 2, shapes.Hit{T: 2.5, Normal: vec(0, 1, 0)}, shapes.Hit{T: 2 / 0.6, Normal: vec(-1, 0, 0)}},
		{"z to y", ray(vec(0, -3.5, -6), vec(0, 2, 3)), 2, shapes.Hit{T: math.Sqrt(13), Normal: vec(0, 0, -1)}, shapes.Hit{T: 2.75 * math.Sqrt(13), Normal: vec(0, 1, 0)}},
		{"z to y, in the face x", ray(vec(1, -3.5, -6), vec(0, 2, 3)), 2, shapes.Hit{T: math.Sqrt(13), Normal: vec(0, 0, -1)}, shapes.Hit{T: 2.75 * math.Sqrt(13), Normal: vec(0, 1, 0)}},
		{"from inside to z", ray(vec(0, 0, 0), vec(0, 3, 12)), 2, shapes.Hit{T: -3 * math.Sqrt(153) / 12, Normal: vec(0, 0, -1)}, shapes.Hit{T: 3 * math.Sqrt(153) / 12, Normal: vec(0, 0, 1)}},
	})
}

// TestBoxSpanTurned checks where lines cross a rotated box, and the normals there. One box is rotated about z by
// exactly a quarter turn, the other by an eighth.
func TestBoxSpanTurned(t *testing.T) {
	quarter := brick()
	quarter.Center = vec(10, 20, 30)
	quarter.Rotation = geom.RotationXYZ(0, 0, 90) // its x axis points along y
	checkSpans(t, quarter, exactly, []spanCase{
		{"along x", ray(vec(0, 20, 30), vec(1, 0, 0)), 2, shapes.Hit{T: 8, Normal: vec(-1, 0, 0)}, shapes.Hit{T: 12, Normal: vec(1, 0, 0)}},
		{"along y", ray(vec(11.5, 0, 30), vec(0, 1, 0)), 2, shapes.Hit{T: 19, Normal: vec(0, -1, 0)}, shapes.Hit{T: 21, Normal: vec(0, 1, 0)}},
		{"past", ray(vec(12.5, 0, 30), vec(0, 1, 0)), 0, shapes.Hit{}, shapes.Hit{}},
	})

	eighth := &shapes.Box{HalfExtents: vec(1, 1, 1), Rotation: geom.RotationXYZ(0, 0, 45)}
	h := math.Sqrt2 / 2
	checkSpans(t, eighth, 16*ulp, []spanCase{
		{"beside the edge", ray(vec(-9, h/2, 0), vec(1, 0, 0)), 2, shapes.Hit{T: 9 - 1.5*h, Normal: vec(-h, h, 0)}, shapes.Hit{T: 9 + 1.5*h, Normal: vec(h, h, 0)}},
		{"the other side", ray(vec(-9, -h/2, 0), vec(1, 0, 0)), 2, shapes.Hit{T: 9 - 1.5*h, Normal: vec(-h, -h, 0)}, shapes.Hit{T: 9 + 1.5*h, Normal: vec(h, -h, 0)}},
	})
}

// TestBoxIntersectAlongFace checks that a line in the plane of a face hits, although a slab test computes 0 * Inf =
// NaN for it. A line along an edge must hit, too.
func TestBoxIntersectAlongFace(t *testing.T) {
	zero := math.Copysign(0, -1)
	for _, z := range []float64{0, zero} {
		for _, side := range []float64{-1, 1} {
			checkSpans(t, brick(), exactly, []spanCase{
				{"in face y", ray(vec(-9, 2*side, 1), vec(1, z, z)), 2, shapes.Hit{T: 8, Normal: vec(-1, 0, 0)}, shapes.Hit{T: 10, Normal: vec(1, 0, 0)}},
				{"in face z", ray(vec(-9, 1, 3*side), vec(1, z, z)), 2, shapes.Hit{T: 8, Normal: vec(-1, 0, 0)}, shapes.Hit{T: 10, Normal: vec(1, 0, 0)}},
				{"along an edge", ray(vec(-9, 2*side, 3), vec(1, z, z)), 2, shapes.Hit{T: 8, Normal: vec(-1, 0, 0)}, shapes.Hit{T: 10, Normal: vec(1, 0, 0)}},
				{"in face x, downward", ray(vec(side, 0, 9), vec(z, z, -1)), 2, shapes.Hit{T: 6, Normal: vec(0, 0, 1)}, shapes.Hit{T: 12, Normal: vec(0, 0, -1)}},
				{"just outside a face", ray(vec(-9, math.Nextafter(2, 3)*side, 1), vec(1, z, z)), 0, shapes.Hit{}, shapes.Hit{}},
				{"just outside an edge", ray(vec(-9, 2*side, math.Nextafter(3, 4)), vec(1, z, z)), 0, shapes.Hit{}, shapes.Hit{}},
			})
		}
	}
}

// TestBoxSpanTouchesEdgesAndCorners checks lines that have only one point in common with the box. They count as
// tangents.
func TestBoxSpanTouchesEdgesAndCorners(t *testing.T) {
	h := math.Sqrt2
	at := func(dist float64, n geom.Vec3) shapes.Hit { return shapes.Hit{T: dist, Normal: n} }
	checkSpans(t, brick(), 4*ulp, []spanCase{
		{"edge", ray(vec(0, 3, 1), vec(1, -1, 0)), 1, at(h, vec(0, 1, 0)), at(h, vec(0, 1, 0))},
		{"edge, the other way", ray(vec(2, 1, 1), vec(-1, 1, 0)), 1, at(h, vec(1, 0, 0)), at(h, vec(1, 0, 0))},
		{"corner", ray(vec(0, 3, 3), vec(1, -1, 0)), 1, at(h, vec(0, 1, 0)), at(h, vec(0, 1, 0))},
		{"past the edge", ray(vec(0, 3+1e-15, 1), vec(1, -1, 0)), 0, shapes.Hit{}, shapes.Hit{}},
	})
}

// TestBoxSpanTies checks the normal of a line that hits two or three faces at the same distance, at an edge or a
// corner. It must be the normal of the earlier axis.
func TestBoxSpanTies(t *testing.T) {
	cube := &shapes.Box{HalfExtents: vec(1, 1, 1), Rotation: geom.Identity()}
	for _, c := range []struct{ dir, want geom.Vec3 }{
		{vec(1, 1, 0), vec(1, 0, 0)},
		{vec(-1, 0, 1), vec(-1, 0, 0)},
		{vec(0, 1, -1), vec(0, 1, 0)},
		{vec(1, 1, 1), vec(1, 0, 0)},
	} {
		r := ray(c.dir.Scale(-3), c.dir)
		span, ok := cube.Span(r)
		if !ok || span.Near.Normal != c.want.Neg() || span.Far.Normal != c.want {
			t.Errorf("along %v: Span = %+v, %v, want normals %v and its opposite", c.dir, span, ok, c.want)
		}
	}
}

// TestBoxIntersectMisses checks rays without a hit, and a few with one. The lines of the first six rays cross the
// intersection of two slabs and miss the third slab. A slab test with an inverted comparison would report hits for
// them.
func TestBoxIntersectMisses(t *testing.T) {
	checkIntersect(t, brick(), []intersectCase{
		{"stopped by x", ray(vec(2, -9, 0), vec(0, 1, 0)), 0, shapes.Hit{}},
		{"stopped by y", ray(vec(-9, 3, 0), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"stopped by z", ray(vec(-9, 0, 4), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"slanted, stopped by x", ray(vec(-9, -2, 0), vec(1, 1, 0.1)), 0, shapes.Hit{}},
		{"slanted, stopped by y", ray(vec(0, -9, -3), vec(0.1, 1, 1)), 0, shapes.Hit{}},
		{"slanted, stopped by z", ray(vec(-1, 0, -9), vec(1, 0.1, 1)), 0, shapes.Hit{}},
		{"behind", ray(vec(9, 0, 0), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"behind, slanted", ray(vec(2, 4, 6), vec(1, 2, 3)), 0, shapes.Hit{}},
		{"from the face outward", ray(vec(1, 0, 0), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"beyond tMax", ray(vec(-9, 0, 0), vec(1, 0, 0)), 8, shapes.Hit{}},
	})
	checkIntersect(t, brick(), []intersectCase{
		{"ahead", ray(vec(-9, 0, 0), vec(1, 0, 0)), 0, shapes.Hit{T: 8, Normal: vec(-1, 0, 0)}},
		{"from inside", ray(vec(0, 0, 0), vec(0, -1, 0)), 0, shapes.Hit{T: 2, Normal: vec(0, -1, 0)}},
		{"from the face inward", ray(vec(1, 0, 0), vec(-1, 0, 0)), 0, shapes.Hit{T: 2, Normal: vec(-1, 0, 0)}},
	})
}

// TestBoxNormalNearEdge checks normals of points on the face x = -1, closer and closer to its edge with the face
// y = 2, and of points next to a corner, hit from inside. Code that finds the face by comparing the hit point with each
// face, to within an epsilon, returns wrong normals there.
func TestBoxNormalNearEdge(t *testing.T) {
	for _, scale := range []float64{0x1p-30, 1, 0x1p30} {
		b := brick()
		b.HalfExtents = b.HalfExtents.Scale(scale)
		for gap := 1.0; gap > 1e-15; gap /= 2 {
			r := geom.Ray{Origin: vec(-9, 2-gap, 0).Scale(scale), Dir: vec(1, 0, 0)}
			span, ok := b.Span(r)
			if want := vec(-1, 0, 0); !ok || span.Near.Normal != want || span.Far.Normal != want.Neg() {
				t.Errorf("scale %g, %g from the edge: Span = %+v, want normals %v and its opposite", scale, gap, span, want)
			}
		}
	}
	// From inside, to the left and to the right of a corner.
	for _, c := range []struct {
		dir, want geom.Vec3
	}{
		{vec(1+1e-15, 2, 3), vec(1, 0, 0)}, {vec(1, 2+2e-15, 3), vec(0, 1, 0)}, {vec(1, 2, 3+3e-15), vec(0, 0, 1)},
	} {
		h, ok := brick().Intersect(ray(geom.Vec3{}, c.dir), 0, math.Inf(1))
		if !ok || h.Normal != c.want {
			t.Errorf("from the center along %v: %+v, want the normal %v", c.dir, h, c.want)
		}
	}
}

// TestBoxNormalIsColumn checks that normals are columns of the rotation, or their negatives, to the bit.
func TestBoxNormalIsColumn(t *testing.T) {
	b := brick()
	b.Rotation = geom.RotationXYZ(10, 20, 30)
	for _, axis := range []geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z} {
		span, ok := b.Span(ray(axis.Scale(-9), axis))
		if !ok || span.Near.Normal != axis.Neg() || span.Far.Normal != axis {
			t.Errorf("Span along %v = %+v, %v", axis, span, ok)
		}
	}
}

func TestBoxTouches(t *testing.T) {
	checkTouches(t, brick(), []touchCase{
		{"through", segment(vec(-9, 0, 0), vec(9, 0, 0)), true},
		{"inside", segment(vec(0, 0, 0), vec(0.5, 1, 2)), true},
		{"one end inside", segment(vec(0, 0, 0), vec(0, 9, 0)), true},
		{"touching a face with an end", segment(vec(1, 0, 0), vec(9, 0, 0)), true},
		{"touching a face from afar", segment(vec(1, 0.3, 0.7), vec(1e6, 0.1, 7)), true},
		{"in a face", segment(vec(1, -1, -1), vec(1, 1, 1)), true},
		{"in a face's plane, beside it", segment(vec(1, 3, 0), vec(1, 9, 0)), false},
		{"along an edge", segment(vec(1, 2, -1), vec(1, 2, 1)), true},
		{"across an edge", segment(vec(0, 3, 0), vec(2, 1, 0)), true},
		{"past an edge", segment(vec(0, 3.5, 0), vec(2.5, 1, 0)), false},
		{"touching a corner with an end", segment(vec(1, 2, 3), vec(4, 5, 6)), true},
		{"across a corner", segment(vec(0, 3, 3), vec(2, 1, 3)), true},
		{"past a corner", segment(vec(0, 3, 3.5), vec(2, 1, 3.5)), false},
		{"short of it", segment(vec(9, 0, 0), vec(1+1e-14, 0, 0)), false},
		{"beyond it", segment(vec(-9, -9, -9), vec(-2, -3, -4)), false},
		{"two slabs overlap, the third does not", segment(vec(-9, 0, 4), vec(9, 0, 4)), false},
		{"point inside", segment(vec(0.5, 0, 0), vec(0.5, 0, 0)), true},
		{"point on a face", segment(vec(0.5, 2, 0), vec(0.5, 2, 0)), true},
		{"point at a corner", segment(vec(-1, 2, -3), vec(-1, 2, -3)), true},
		{"point outside", segment(vec(0.5, 2.5, 0), vec(0.5, 2.5, 0)), false},
	})
}

// TestBoxTouchesTurned checks the method Touches of a rotated box, with segments that end or run just inside or
// just outside a face.
func TestBoxTouchesTurned(t *testing.T) {
	b := &shapes.Box{Center: vec(10, 20, 30), HalfExtents: vec(1, 2, 3), Rotation: geom.RotationXYZ(30, 45, 60)}
	x, y := b.Rotation.X, b.Rotation.Y
	checkTouches(t, b, []touchCase{
		{"beside face x", segment(b.Center.AddScaled(1+1e-12, x), b.Center.AddScaled(9, x)), false},
		{"into face x", segment(b.Center.AddScaled(1-1e-12, x), b.Center.AddScaled(9, x)), true},
		{"beside face y", segment(b.Center.AddScaled(2+1e-12, y).AddScaled(-9, x), b.Center.AddScaled(2+1e-12, y).AddScaled(9, x)), false},
		{"inside face y", segment(b.Center.AddScaled(2-1e-12, y).AddScaled(-9, x), b.Center.AddScaled(2-1e-12, y).AddScaled(9, x)), true},
	})
}

// TestBoxOnFace computes points on the faces of random boxes from their coordinates on the face. OnFace must return
// these coordinates, for both directions of the normal.
func TestBoxOnFace(t *testing.T) {
	for i := range uint64(2000) {
		rng := rand.New(rand.NewPCG(6, i))
		b := shapes.Box{
			Center:      shapetest.Cube(rng, 10),
			HalfExtents: vec(shapetest.LogUniform(rng, 0.1, 10), shapetest.LogUniform(rng, 0.1, 10), shapetest.LogUniform(rng, 0.1, 10)),
			Rotation:    shapetest.Rotation(rng),
		}
		local := vec(shapetest.Uniform(rng, -1, 1)*b.HalfExtents.X, shapetest.Uniform(rng, -1, 1)*b.HalfExtents.Y, shapetest.Uniform(rng, -1, 1)*b.HalfExtents.Z)
		axis, side := rng.IntN(3), float64(2*rng.IntN(2)-1)
		var normal geom.Vec3
		var u, v float64
		switch axis {
		case 0:
			local.X, normal, u, v = side*b.HalfExtents.X, b.Rotation.X, local.Y, local.Z
		case 1:
			local.Y, normal, u, v = side*b.HalfExtents.Y, b.Rotation.Y, local.X, local.Z
		case 2:
			local.Z, normal, u, v = side*b.HalfExtents.Z, b.Rotation.Z, local.X, local.Y
		}
		p := b.Center.Add(b.Rotation.MulVec(local))
		for _, n := range []geom.Vec3{normal, normal.Neg()} {
			if got := b.Across(n); got != axis {
				t.Fatalf("box %d: the normal %v is across %d, want %d", i, n, got, axis)
			}
			gotU, gotV := b.OnFace(p, n)
			if math.Abs(gotU-u) > 1e-13 || math.Abs(gotV-v) > 1e-13 {
				t.Fatalf("box %d: on the face across %d: %v, %v, want %v, %v", i, axis, gotU, gotV, u, v)
			}
		}
	}
}
