package shapes_test

import (
	"math"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
)

// vec returns the vector (x, y, z).
func vec(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }

func ray(origin, dir geom.Vec3) geom.Ray {
	d, ok := geom.Direction(dir)
	if !ok {
		panic("a ray needs a direction")
	}
	return geom.Ray{Origin: origin, Dir: d}
}

func segment(a, b geom.Vec3) geom.Segment { return geom.Segment{A: a, B: b} }

// spanCase is a line and its span, simple enough to be checked by hand.
type spanCase struct {
	name      string
	ray       geom.Ray
	crossings int
	near, far shapes.Hit
}

const exactly = 0

// checkSpans compares the spans of s with the expected ones, within tol. If tol is 0, they must be equal to the
// bit, so the numbers must be such that nothing is rounded.
func checkSpans(t *testing.T, s shapes.Shape, tol float64, cases []spanCase) {
	t.Helper()
	differ := func(a, b shapes.Hit) bool {
		return !(math.Abs(a.T-b.T) <= tol && a.Normal.Sub(b.Normal).MaxAbs() <= tol)
	}
	for _, c := range cases {
		span, ok := s.Span(c.ray)
		if k := shapes.Crossings(s, c.ray); k != c.crossings || ok != (c.crossings > 0) || span.Tangent != (c.crossings == 1) {
			t.Errorf("%s: Crossings = %d, Span = %+v, %v, want %d crossings", c.name, k, span, ok, c.crossings)
			continue
		}
		if differ(span.Near, c.near) || differ(span.Far, c.far) {
			t.Errorf("%s: Span = %+v, want %+v and %+v", c.name, span, c.near, c.far)
		}
	}
}

// intersectCase is a ray with its expected first hit ahead of the origin, up to tMax. A tMax of 0 means no limit.
type intersectCase struct {
	name string
	ray  geom.Ray
	tMax float64
	want shapes.Hit // zero if none exists
}

func checkIntersect(t *testing.T, s shapes.Shape, cases []intersectCase) {
	t.Helper()
	for _, c := range cases {
		tMax := c.tMax
		if tMax == 0 {
			tMax = math.Inf(1)
		}
		got, ok := s.Intersect(c.ray, 0, tMax)
		if want := c.want; got != want || ok != (want != shapes.Hit{}) {
			t.Errorf("%s: Intersect = %+v, %v, want %+v", c.name, got, ok, want)
		}
	}
}

type touchCase struct {
	name string
	seg  geom.Segment
	want bool
}

// checkTouches checks each segment in both directions.
func checkTouches(t *testing.T, s shapes.Shape, cases []touchCase) {
	t.Helper()
	for _, c := range cases {
		if got := s.Touches(c.seg); got != c.want {
			t.Errorf("%s: Touches(%v) = %v", c.name, c.seg, got)
		}
		if back := segment(c.seg.B, c.seg.A); s.Touches(back) != c.want {
			t.Errorf("%s: Touches(%v) = %v", c.name, back, !c.want)
		}
	}
}

func TestSphereSpan(t *testing.T) {
	// Radius 5 at height 3 above the center: a chord from -4 to 4.
	s := &shapes.Sphere{Center: vec(1, 2, 3), Radius: 5}
	x := vec(1, 0, 0)
	near, far := vec(-0.8, 0.6, 0), vec(0.8, 0.6, 0)
	checkSpans(t, s, exactly, []spanCase{
		{"through the center", ray(vec(-9, 2, 3), x), 2, shapes.Hit{T: 5, Normal: vec(-1, 0, 0)}, shapes.Hit{T: 15, Normal: x}},
		{"off the center", ray(vec(-9, 5, 3), x), 2, shapes.Hit{T: 6, Normal: near}, shapes.Hit{T: 14, Normal: far}},
		{"from inside", ray(vec(1, 5, 3), x), 2, shapes.Hit{T: -4, Normal: near}, shapes.Hit{T: 4, Normal: far}},
		{"from the center", ray(vec(1, 2, 3), x), 2, shapes.Hit{T: -5, Normal: vec(-1, 0, 0)}, shapes.Hit{T: 5, Normal: x}},
		{"from the surface", ray(vec(-3, 5, 3), x), 2, shapes.Hit{T: 0, Normal: near}, shapes.Hit{T: 8, Normal: far}},
		{"behind", ray(vec(11, 5, 3), x), 2, shapes.Hit{T: -14, Normal: near}, shapes.Hit{T: -6, Normal: far}},
		{"tangent", ray(vec(-9, 7, 3), x), 1, shapes.Hit{T: 10, Normal: vec(0, 1, 0)}, shapes.Hit{T: 10, Normal: vec(0, 1, 0)}},
		{"tangent behind", ray(vec(11, 2, -2), x), 1, shapes.Hit{T: -10, Normal: vec(0, 0, -1)}, shapes.Hit{T: -10, Normal: vec(0, 0, -1)}},
		{"past", ray(vec(-9, 8, 3), x), 0, shapes.Hit{}, shapes.Hit{}},
		{"past by a rounding error", ray(vec(-9, math.Nextafter(7, 8), 3), x), 0, shapes.Hit{}, shapes.Hit{}},
	})
}

// TestSphereIntersectBothRootsBehind checks spheres behind the ray's origin. A widely copied test returns a
// negative distance for them.
func TestSphereIntersectBothRootsBehind(t *testing.T) {
	s := &shapes.Sphere{Radius: 1}
	checkIntersect(t, s, []intersectCase{
		{"behind", ray(vec(3, 0, 0), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"ahead", ray(vec(3, 0, 0), vec(-1, 0, 0)), 0, shapes.Hit{T: 2, Normal: vec(1, 0, 0)}},
		{"from inside", ray(vec(0.5, 0, 0), vec(1, 0, 0)), 0, shapes.Hit{T: 0.5, Normal: vec(1, 0, 0)}},
		{"leaving the surface outward", ray(vec(1, 0, 0), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"leaving the surface inward", ray(vec(1, 0, 0), vec(-1, 0, 0)), 0, shapes.Hit{T: 2, Normal: vec(-1, 0, 0)}},
		{"beyond tMax", ray(vec(3, 0, 0), vec(-1, 0, 0)), 2, shapes.Hit{}},
		{"the far hit is beyond tMax, too", ray(vec(0, 0, 0), vec(-1, 0, 0)), 1, shapes.Hit{}},
		{"before tMax", ray(vec(3, 0, 0), vec(-1, 0, 0)), math.Nextafter(2, 3), shapes.Hit{T: 2, Normal: vec(1, 0, 0)}},
	})
}

// TestSphereSpanFromInside checks rays that start inside a sphere. A quadratic with the wrong sign of r^2, f.f +
// r^2, has no roots for them.
func TestSphereSpanFromInside(t *testing.T) {
	s := &shapes.Sphere{Radius: 5}
	for _, d := range []geom.Vec3{vec(1, 0, 0), vec(0, -1, 0), vec(0, 0, 1)} {
		near, far, ok := roots(s, geom.Ray{Dir: d})
		if !ok || near != -5 || far != 5 {
			t.Errorf("Roots from the center along %v = %v, %v, %v, want -5, 5", d, near, far, ok)
		}
	}
}

// TestSphereCrossingsAtAnyScale checks the number of crossings with spheres of all sizes. With an epsilon of 1e-7,
// every line through a small sphere would count as a tangent, and no line at a large sphere would.
func TestSphereCrossingsAtAnyScale(t *testing.T) {
	for exp := -45; exp <= 45; exp++ {
		scale := math.Ldexp(1, exp)
		s := &shapes.Sphere{Radius: 5 * scale}
		for _, c := range []struct {
			height float64
			want   int
		}{{0, 2}, {3, 2}, {math.Nextafter(5, 0), 2}, {5, 1}, {math.Nextafter(5, 6), 0}, {6, 0}} {
			r := geom.Ray{Origin: vec(-9*scale, c.height*scale, 0), Dir: vec(1, 0, 0)}
			if got := shapes.Crossings(s, r); got != c.want {
				t.Errorf("radius 5 * 2^%d, height %v of 5: Crossings = %d, want %d", exp, c.height, got, c.want)
			}
		}
	}
}

// TestSphereTouchesWorkedExample checks examples in which a test fails that compares a squared distance with a
// radius, or has the comparison inverted.
func TestSphereTouchesWorkedExample(t *testing.T) {
	seg := segment(vec(0, 0, 0), vec(5, 0, 0))
	for _, c := range []struct {
		center geom.Vec3
		radius float64
		want   bool
	}{
		{vec(3, 0, -2), 1, false},
		{vec(3, 0, -2), 2.2, true},
		{vec(5.7, 0, -1.8), 2.2, true},
	} {
		s := &shapes.Sphere{Center: c.center, Radius: c.radius}
		checkTouches(t, s, []touchCase{{"worked example", seg, c.want}})
	}
}

func TestSphereTouches(t *testing.T) {
	s := &shapes.Sphere{Center: vec(1, 2, 3), Radius: 5}
	checkTouches(t, s, []touchCase{
		{"through", segment(vec(-9, 2, 3), vec(11, 2, 3)), true},
		{"inside", segment(vec(0, 2, 3), vec(2, 2, 3)), true},
		{"one end inside", segment(vec(1, 2, 3), vec(11, 2, 3)), true},
		{"touching beside", segment(vec(-9, 7, 3), vec(11, 7, 3)), true},
		{"touching with an end", segment(vec(6, 2, 3), vec(11, 2, 3)), true},
		{"just short", segment(vec(math.Nextafter(6, 7), 2, 3), vec(11, 2, 3)), false},
		{"just past", segment(vec(-9, math.Nextafter(7, 8), 3), vec(11, math.Nextafter(7, 8), 3)), false},
		{"on a line through, but short of it", segment(vec(7, 2, 3), vec(11, 2, 3)), false},
	})
}

// TestSphereTouchesPoint checks segments of length zero, for which a division by the length would fail.
func TestSphereTouchesPoint(t *testing.T) {
	s := &shapes.Sphere{Center: vec(1, 2, 3), Radius: 5}
	checkTouches(t, s, []touchCase{
		{"inside", segment(vec(2, 2, 3), vec(2, 2, 3)), true},
		{"center", segment(vec(1, 2, 3), vec(1, 2, 3)), true},
		{"on the surface", segment(vec(4, 6, 3), vec(4, 6, 3)), true},
		{"outside", segment(vec(4, 6, 4), vec(4, 6, 4)), false},
	})
	if !shapes.Contains(s, vec(4, 6, 3)) || shapes.Contains(s, vec(4, 6, 4)) {
		t.Error("Contains differs from Touches")
	}
}

// TestSphereSpanFarAway checks rays that start more than 1e6 radii away. The discriminant of textbooks can lose 12
// of its 16 digits there.
func TestSphereSpanFarAway(t *testing.T) {
	s := &shapes.Sphere{Radius: 5}
	far := 0x1p23
	checkSpans(t, s, exactly, []spanCase{
		{"off the center", ray(vec(-far, 3, 0), vec(1, 0, 0)), 2, shapes.Hit{T: far - 4, Normal: vec(-0.8, 0.6, 0)}, shapes.Hit{T: far + 4, Normal: vec(0.8, 0.6, 0)}},
		{"tangent", ray(vec(-far, 5, 0), vec(1, 0, 0)), 1, shapes.Hit{T: far, Normal: vec(0, 1, 0)}, shapes.Hit{T: far, Normal: vec(0, 1, 0)}},
	})
}

// TestSphereNormalOfDust checks that the normal of a sphere smaller than the rounding errors at its distance has
// length 1.
func TestSphereNormalOfDust(t *testing.T) {
	s := &shapes.Sphere{Center: vec(1e15, 0, 0), Radius: 1e-15}
	span, ok := s.Span(ray(vec(-1e15, 0, 0), vec(1, 0, 0)))
	if want := vec(-1, 0, 0); !ok || span.Near.Normal != want {
		t.Errorf("Span = %+v, %v, want the near normal %v", span, ok, want)
	}
}
