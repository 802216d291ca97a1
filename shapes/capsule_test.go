package shapes_test

import (
	"math"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
)

// pill returns a capsule of radius 5 with its axis along z, from the origin to height 10. Many coordinates are
// sides of 3-4-5 triangles.
func pill() *shapes.Capsule { return &shapes.Capsule{B: vec(0, 0, 10), Radius: 5} }

func TestCapsuleSpanAcross(t *testing.T) {
	x := vec(1, 0, 0)
	checkSpans(t, pill(), exactly, []spanCase{
		{"body", ray(vec(-9, 3, 5), x), 2, shapes.Hit{T: 5, Normal: vec(-0.8, 0.6, 0)}, shapes.Hit{T: 13, Normal: vec(0.8, 0.6, 0)}},
		{"through the axis", ray(vec(-9, 0, 5), x), 2, shapes.Hit{T: 4, Normal: vec(-1, 0, 0)}, shapes.Hit{T: 14, Normal: x}},
		{"end A", ray(vec(-9, 0, -3), x), 2, shapes.Hit{T: 5, Normal: vec(-0.8, 0, -0.6)}, shapes.Hit{T: 13, Normal: vec(0.8, 0, -0.6)}},
		{"end B", ray(vec(-9, 0, 13), x), 2, shapes.Hit{T: 5, Normal: vec(-0.8, 0, 0.6)}, shapes.Hit{T: 13, Normal: vec(0.8, 0, 0.6)}},
		{"seam at A", ray(vec(-9, 3, 0), x), 2, shapes.Hit{T: 5, Normal: vec(-0.8, 0.6, 0)}, shapes.Hit{T: 13, Normal: vec(0.8, 0.6, 0)}},
		{"seam at B", ray(vec(-9, 3, 10), x), 2, shapes.Hit{T: 5, Normal: vec(-0.8, 0.6, 0)}, shapes.Hit{T: 13, Normal: vec(0.8, 0.6, 0)}},
		{"from inside", ray(vec(0, 3, 5), x), 2, shapes.Hit{T: -4, Normal: vec(-0.8, 0.6, 0)}, shapes.Hit{T: 4, Normal: vec(0.8, 0.6, 0)}},
		{"behind", ray(vec(9, 3, 5), x), 2, shapes.Hit{T: -13, Normal: vec(-0.8, 0.6, 0)}, shapes.Hit{T: -5, Normal: vec(0.8, 0.6, 0)}},
		{"past the body", ray(vec(-9, 6, 5), x), 0, shapes.Hit{}, shapes.Hit{}},
		{"past the end, inside the endless cylinder", ray(vec(-9, 0, -6), x), 0, shapes.Hit{}, shapes.Hit{}},
		{"past the other end, inside the endless cylinder", ray(vec(-9, 4, 14), x), 0, shapes.Hit{}, shapes.Hit{}},
	})
}

func TestCapsuleSpanTangent(t *testing.T) {
	x := vec(1, 0, 0)
	beside, below, above := vec(0, 1, 0), vec(0, 0, -1), vec(0, 0.6, 0.8)
	checkSpans(t, pill(), exactly, []spanCase{
		{"body", ray(vec(-9, 5, 5), x), 1, shapes.Hit{T: 9, Normal: beside}, shapes.Hit{T: 9, Normal: beside}},
		{"seam", ray(vec(-9, 5, 10), x), 1, shapes.Hit{T: 9, Normal: beside}, shapes.Hit{T: 9, Normal: beside}},
		{"lowest point", ray(vec(-9, 0, -5), x), 1, shapes.Hit{T: 9, Normal: below}, shapes.Hit{T: 9, Normal: below}},
		{"end B", ray(vec(-9, 3, 14), x), 1, shapes.Hit{T: 9, Normal: above}, shapes.Hit{T: 9, Normal: above}},
	})
}

// TestCapsuleSpanParallel checks lines parallel to the axis. They must enter through the ball at one end and leave
// through the ball at the other.
func TestCapsuleSpanParallel(t *testing.T) {
	z := vec(0, 0, 1)
	checkSpans(t, pill(), exactly, []spanCase{
		{"on the axis", ray(vec(0, 0, -20), z), 2, shapes.Hit{T: 15, Normal: vec(0, 0, -1)}, shapes.Hit{T: 35, Normal: z}},
		{"beside the axis", ray(vec(3, 0, -20), z), 2, shapes.Hit{T: 16, Normal: vec(0.6, 0, -0.8)}, shapes.Hit{T: 34, Normal: vec(0.6, 0, 0.8)}},
		{"downward", ray(vec(0, 3, 20), vec(0, 0, -1)), 2, shapes.Hit{T: 6, Normal: vec(0, 0.6, 0.8)}, shapes.Hit{T: 24, Normal: vec(0, 0.6, -0.8)}},
		{"from inside", ray(vec(3, 0, 5), z), 2, shapes.Hit{T: -9, Normal: vec(0.6, 0, -0.8)}, shapes.Hit{T: 9, Normal: vec(0.6, 0, 0.8)}},
		{"behind", ray(vec(3, 0, 20), z), 2, shapes.Hit{T: -24, Normal: vec(0.6, 0, -0.8)}, shapes.Hit{T: -6, Normal: vec(0.6, 0, 0.8)}},
		{"along the surface", ray(vec(0, 5, -20), z), 2, shapes.Hit{T: 20, Normal: vec(0, 1, 0)}, shapes.Hit{T: 30, Normal: vec(0, 1, 0)}},
		{"past", ray(vec(0, math.Nextafter(5, 6), -20), z), 0, shapes.Hit{}, shapes.Hit{}},
	})
}

// TestCapsuleSpanNearlyParallel checks lines at small angles to the axis. If only exactly parallel lines counted as
// parallel, Span would divide by a tiny number for them. The line through the middle of the axis, tilted by an
// angle of sine s and cosine c, leaves through the end B at distance 10 c.
func TestCapsuleSpanNearlyParallel(t *testing.T) {
	for _, tilt := range []float64{1, 0.5, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 3e-16, 2e-16, 1e-16, 1e-17, 1e-300, 0} {
		r := ray(vec(0, 0, 5), vec(tilt, 0, 1))
		s, c := r.Dir.X, r.Dir.Z
		checkSpans(t, pill(), 8*ulp, []spanCase{{
			"tilted", r, 2,
			shapes.Hit{T: -10 * c, Normal: vec(-2*s*c, 0, 1-2*c*c)},
			shapes.Hit{T: 10 * c, Normal: vec(2*s*c, 0, 2*c*c-1)},
		}})
	}
}

// TestCapsuleSpanEndAndBody checks lines with one crossing on an end and one on the body.
func TestCapsuleSpanEndAndBody(t *testing.T) {
	checkSpans(t, pill(), 32*ulp, []spanCase{
		{"in through A", ray(vec(-9, 0, -12), vec(3, 0, 4)), 2, shapes.Hit{T: 10, Normal: vec(-0.6, 0, -0.8)}, shapes.Hit{T: 15 + 25.0/3, Normal: vec(1, 0, 0)}},
		{"out through A", ray(vec(9, 0, 12), vec(-3, 0, -4)), 2, shapes.Hit{T: 15 - 25.0/3, Normal: vec(1, 0, 0)}, shapes.Hit{T: 20, Normal: vec(-0.6, 0, -0.8)}},
		{"in through B", ray(vec(-9, 0, 22), vec(3, 0, -4)), 2, shapes.Hit{T: 10, Normal: vec(-0.6, 0, 0.8)}, shapes.Hit{T: 15 + 25.0/3, Normal: vec(1, 0, 0)}},
		{"out through B", ray(vec(9, 0, -2), vec(-3, 0, 4)), 2, shapes.Hit{T: 15 - 25.0/3, Normal: vec(1, 0, 0)}, shapes.Hit{T: 20, Normal: vec(-0.6, 0, 0.8)}},
	})
}

// TestCapsuleSpanOrderedAtSeam checks lines that graze a seam: they enter the ball and leave the body within a
// rounding error. Before they are corrected, the computed distances are in the wrong order.
func TestCapsuleSpanOrderedAtSeam(t *testing.T) {
	for _, c := range []struct {
		height float64
		ray    geom.Ray
	}{
		{1.4451676115685648, geom.Ray{
			Origin: vec(-0.9057016328480819, -1.7669524308003415, 1.4451676017272357),
			Dir:    vec(-0.054118988691851326, 0.9985344936770945, 5.737222541814719e-09),
		}},
		{0.5331017284990517, geom.Ray{
			Origin: vec(-0.38619030033883583, 4.0604298687765015, 0.5331017376033433),
			Dir:    vec(0.33586506667716387, -0.941910110884231, -2.302396328542015e-09),
		}},
		{1.0313382655389893, geom.Ray{
			Origin: vec(1.886935221816804, -3.4635738943557377, 1.0313382626120648),
			Dir:    vec(-0.6854133541703219, 0.7281541965305076, 7.671451636846395e-10),
		}},
	} {
		pill := &shapes.Capsule{B: vec(0, 0, c.height), Radius: 1}
		if _, err := checkRay(pill, c.ray, shapes.Slack); err != nil {
			t.Error(err)
		}
		if near, far, ok := roots(pill, c.ray); !ok || near != far {
			t.Errorf("Roots = %v, %v, %v: the case has lost its point", near, far, ok)
		}
	}
}

// TestCapsuleIntersectBehindOrigin checks capsules behind the ray's origin. A widely copied test reports hits
// there.
func TestCapsuleIntersectBehindOrigin(t *testing.T) {
	checkIntersect(t, pill(), []intersectCase{
		{"body behind", ray(vec(9, 3, 5), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"end behind", ray(vec(9, 0, -3), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"all behind along the axis", ray(vec(3, 0, 20), vec(0, 0, 1)), 0, shapes.Hit{}},
		{"tangent behind", ray(vec(9, 5, 5), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"body ahead", ray(vec(9, 3, 5), vec(-1, 0, 0)), 0, shapes.Hit{T: 5, Normal: vec(0.8, 0.6, 0)}},
		{"from inside", ray(vec(0, 3, 5), vec(1, 0, 0)), 0, shapes.Hit{T: 4, Normal: vec(0.8, 0.6, 0)}},
		{"from inside along the axis", ray(vec(3, 0, 5), vec(0, 0, -1)), 0, shapes.Hit{T: 9, Normal: vec(0.6, 0, -0.8)}},
		{"from inside the end only", ray(vec(0, 0, -4), vec(0, 0, -1)), 0, shapes.Hit{T: 1, Normal: vec(0, 0, -1)}},
		{"from the surface outward", ray(vec(5, 0, 5), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"from the surface inward", ray(vec(5, 0, 5), vec(-1, 0, 0)), 0, shapes.Hit{T: 10, Normal: vec(-1, 0, 0)}},
		{"beyond tMax", ray(vec(9, 3, 5), vec(-1, 0, 0)), 5, shapes.Hit{}},
	})
}

// TestCapsuleZeroLengthAxis compares capsules whose axis has no length, or is too short to matter, with spheres.
func TestCapsuleZeroLengthAxis(t *testing.T) {
	center := vec(1, 2, 3)
	sphere := &shapes.Sphere{Center: center, Radius: 5}
	for _, axis := range []geom.Vec3{{}, vec(0, 0, 5e-324), vec(1e-200, 0, 0), vec(0, 0x1p-55, 0)} {
		c := &shapes.Capsule{A: center, B: center.Add(axis), Radius: 5}
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, r := range []geom.Ray{
			ray(vec(-9, 5, 3), vec(1, 0, 0)),
			ray(vec(1, 5, 20), vec(0, 0, -1)),
			ray(vec(1, 2, 3), vec(1, 2, 3)),
			ray(vec(-9, 7, 3), vec(1, 0, 0)),
			ray(vec(-9, 8, 3), vec(1, 0, 0)),
		} {
			got, ok := c.Span(r)
			if want, wantOK := sphere.Span(r); got != want || ok != wantOK {
				t.Errorf("axis %v: Span = %+v, %v, want the sphere's %+v, %v", axis, got, ok, want, wantOK)
			}
		}
		for _, seg := range []geom.Segment{
			segment(vec(6, 2, 3), vec(9, 2, 3)), segment(vec(7, 2, 3), vec(9, 2, 3)), segment(center, center),
		} {
			if got, want := c.Touches(seg), sphere.Touches(seg); got != want {
				t.Errorf("axis %v: Touches(%v) = %v, want the sphere's %v", axis, seg, got, want)
			}
		}
	}
}

func TestCapsuleTouches(t *testing.T) {
	checkTouches(t, pill(), []touchCase{
		{"across the body", segment(vec(-9, 0, 5), vec(9, 0, 5)), true},
		{"crossing the axis at an end", segment(vec(-9, 0, 0), vec(9, 0, 0)), true},
		{"inside", segment(vec(1, 0, 2), vec(0, 1, 8)), true},
		{"inside an end", segment(vec(0, 0, 11), vec(0, 1, 12)), true},
		{"along the axis, beyond the end", segment(vec(0, 0, 16), vec(0, 0, 99)), false},
		{"touching the tip", segment(vec(0, 0, 15), vec(0, 0, 99)), true},
		{"touching beside, crosswise", segment(vec(-9, 5, 5), vec(9, 5, 5)), true},
		{"touching beside, lengthwise", segment(vec(0, 5, 2), vec(0, 5, 8)), true},
		{"touching beside, longer than the axis", segment(vec(0, 5, -99), vec(0, 5, 99)), true},
		{"touching with an end", segment(vec(5, 0, 5), vec(9, 3, 8)), true},
		{"touching end B", segment(vec(3, 0, 14), vec(3, 9, 14)), true},
		{"just past", segment(vec(-9, math.Nextafter(5, 6), 5), vec(9, math.Nextafter(5, 6), 5)), false},
		{"skew past", segment(vec(-9, 6, 1), vec(9, 6, 9)), false},
		{"past the end, inside the endless cylinder", segment(vec(-9, 4, 14), vec(9, 4, 14)), false},
		{"short of it", segment(vec(9, 0, 5), vec(6, 0, 5)), false},
		{"point inside", segment(vec(3, 4, 5), vec(3, 4, 5)), true},
		{"point on the axis", segment(vec(0, 0, 5), vec(0, 0, 5)), true},
		{"point outside", segment(vec(3, 4.5, 5), vec(3, 4.5, 5)), false},
	})
}

// TestCapsuleNormalContinuousAtSeam moves hits over both seams in steps down to a rounding error. The normal must
// not jump.
func TestCapsuleNormalContinuousAtSeam(t *testing.T) {
	for _, seam := range []float64{0, 10} {
		for step := 1.0; step > 1e-17; step /= 2 {
			for _, z := range []float64{seam - step, seam + step} {
				span, ok := pill().Span(ray(vec(-9, 3, z), vec(1, 0, 0)))
				if want := vec(-0.8, 0.6, 0); !ok || span.Near.Normal.Sub(want).Norm() > step {
					t.Errorf("at height %v: normal %v, want within %g of %v", z, span.Near.Normal, step, want)
				}
			}
		}
	}
}
