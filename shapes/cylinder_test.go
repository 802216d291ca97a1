package shapes_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// can returns a cylinder of radius 5 with its axis along z, from the origin to height 10. Many coordinates are
// sides of 3-4-5 triangles.
func can() *shapes.Cylinder { return &shapes.Cylinder{B: vec(0, 0, 10), Radius: 5} }

func TestCylinderSpanAcross(t *testing.T) {
	x := vec(1, 0, 0)
	in, out := vec(-0.8, 0.6, 0), vec(0.8, 0.6, 0)
	checkSpans(t, can(), exactly, []spanCase{
		{"side", ray(vec(-9, 3, 5), x), 2, shapes.Hit{T: 5, Normal: in}, shapes.Hit{T: 13, Normal: out}},
		{"through the axis", ray(vec(-9, 0, 5), x), 2, shapes.Hit{T: 4, Normal: x.Neg()}, shapes.Hit{T: 14, Normal: x}},
		{"in the plane of disc A", ray(vec(-9, 3, 0), x), 2, shapes.Hit{T: 5, Normal: in}, shapes.Hit{T: 13, Normal: out}},
		{"in the plane of disc B", ray(vec(-9, 3, 10), x), 2, shapes.Hit{T: 5, Normal: in}, shapes.Hit{T: 13, Normal: out}},
		{"from inside", ray(vec(0, 3, 5), x), 2, shapes.Hit{T: -4, Normal: in}, shapes.Hit{T: 4, Normal: out}},
		{"behind", ray(vec(9, 3, 5), x), 2, shapes.Hit{T: -13, Normal: in}, shapes.Hit{T: -5, Normal: out}},
		{"past the side", ray(vec(-9, 6, 5), x), 0, shapes.Hit{}, shapes.Hit{}},
		{"just below disc A", ray(vec(-9, 0, -5e-324), x), 0, shapes.Hit{}, shapes.Hit{}},
		{"just above disc B", ray(vec(-9, 4, math.Nextafter(10, 11)), x), 0, shapes.Hit{}, shapes.Hit{}},
	})
}

func TestCylinderSpanTangent(t *testing.T) {
	x, beside := vec(1, 0, 0), vec(0, 1, 0)
	touch := shapes.Hit{T: 9, Normal: beside}
	checkSpans(t, can(), exactly, []spanCase{
		{"side", ray(vec(-9, 5, 5), x), 1, touch, touch},
		{"rim of A, in its plane", ray(vec(-9, 5, 0), x), 1, touch, touch},
		{"rim of B, in its plane", ray(vec(-9, 5, 10), x), 1, touch, touch},
		{"past", ray(vec(-9, math.Nextafter(5, 6), 5), x), 0, shapes.Hit{}, shapes.Hit{}},
	})
}

// TestCylinderSpanParallel checks lines parallel to the axis. They must enter through one disc and leave through
// the other.
func TestCylinderSpanParallel(t *testing.T) {
	z, down := vec(0, 0, 1), vec(0, 0, -1)
	checkSpans(t, can(), exactly, []spanCase{
		{"on the axis", ray(vec(0, 0, -20), z), 2, shapes.Hit{T: 20, Normal: down}, shapes.Hit{T: 30, Normal: z}},
		{"beside the axis", ray(vec(3, 0, -20), z), 2, shapes.Hit{T: 20, Normal: down}, shapes.Hit{T: 30, Normal: z}},
		{"downward", ray(vec(0, 3, 20), down), 2, shapes.Hit{T: 10, Normal: z}, shapes.Hit{T: 20, Normal: down}},
		{"from inside", ray(vec(3, 0, 5), z), 2, shapes.Hit{T: -5, Normal: down}, shapes.Hit{T: 5, Normal: z}},
		{"behind", ray(vec(3, 0, 20), z), 2, shapes.Hit{T: -20, Normal: down}, shapes.Hit{T: -10, Normal: z}},
		{"along the side", ray(vec(0, 5, -20), z), 2, shapes.Hit{T: 20, Normal: down}, shapes.Hit{T: 30, Normal: z}},
		{"past", ray(vec(0, math.Nextafter(5, 6), -20), z), 0, shapes.Hit{}, shapes.Hit{}},
	})
}

// TestCylinderSpanNearlyParallel tilts the line through the middle by an angle of sine s and cosine c. While it is
// steep enough, it must leave through the disc at distance 5 / c.
func TestCylinderSpanNearlyParallel(t *testing.T) {
	for _, tilt := range []float64{0.9, 0.5, 1e-1, 1e-2, 1e-3, 1e-6, 1e-9, 1e-12, 1e-14, 1e-15, 3e-16, 2e-16, 1e-16, 1e-17, 1e-300, 0} {
		r := ray(vec(0, 0, 5), vec(tilt, 0, 1))
		checkSpans(t, can(), 8*ulp, []spanCase{{
			"tilted", r, 2, shapes.Hit{T: -5 / r.Dir.Z, Normal: vec(0, 0, -1)}, shapes.Hit{T: 5 / r.Dir.Z, Normal: vec(0, 0, 1)},
		}})
	}
}

// TestCylinderSpanDiscAndSide checks lines with one crossing on a disc and one on the side.
func TestCylinderSpanDiscAndSide(t *testing.T) {
	checkSpans(t, can(), 32*ulp, []spanCase{
		{"in through A", ray(vec(-9, 0, -12), vec(3, 0, 4)), 2, shapes.Hit{T: 15, Normal: vec(0, 0, -1)}, shapes.Hit{T: 14 / 0.6, Normal: vec(1, 0, 0)}},
		{"out through A", ray(vec(9, 0, 12), vec(-3, 0, -4)), 2, shapes.Hit{T: 4 / 0.6, Normal: vec(1, 0, 0)}, shapes.Hit{T: 15, Normal: vec(0, 0, -1)}},
		{"in through B", ray(vec(-9, 0, 22), vec(3, 0, -4)), 2, shapes.Hit{T: 15, Normal: vec(0, 0, 1)}, shapes.Hit{T: 14 / 0.6, Normal: vec(1, 0, 0)}},
		{"past a rim, inside the endless cylinder", ray(vec(-9, 0, -20), vec(3, 0, 4)), 0, shapes.Hit{}, shapes.Hit{}},
	})
}

// TestCylinderRim checks the normals of rays exactly through the rim, at every scale. Such a ray gets the normal of
// the disc or, if it lies in the plane of the disc, the normal of the side.
func TestCylinderRim(t *testing.T) {
	for exp := -49; exp <= 46; exp++ {
		k := math.Ldexp(1, exp)
		for _, turn := range []geom.Mat3{geom.Identity(), geom.RotationXYZ(90, 0, 0), geom.RotationXYZ(0, 90, 0), geom.RotationXYZ(0, 0, 90), geom.RotationXYZ(180, 0, 0)} {
			at := func(x, y, z float64) geom.Vec3 { return turn.MulVec(vec(x, y, z).Scale(k)) }
			way := func(x, y, z float64) geom.Vec3 { return turn.MulVec(vec(x, y, z)) }
			c := &shapes.Cylinder{A: at(0, 0, 0), B: at(0, 0, 8), Radius: 4 * k}
			if err := c.Validate(); err != nil {
				t.Fatal(err)
			}
			up, down := way(0, 0, 1), way(0, 0, -1)
			// A ray of slope 1 through the rims: its distances to the disc and to the side are the same
			// numbers.
			slant := ray(geom.Vec3{}, vec(1, 0, 1)).Dir
			rise, fall := turn.MulVec(slant), way(slant.X, 0, -slant.Z)
			span := func(name string, r geom.Ray, near, far geom.Vec3, tangent bool) {
				s, ok := c.Span(r)
				if !ok || s.Near.Normal != near || s.Far.Normal != far || s.Tangent != tangent {
					t.Errorf("scale 2^%d, %s: Span = %+v, %v, want the normals %v and %v", exp, name, s, ok, near, far)
				}
			}
			span("through both rims", geom.Ray{Origin: at(-8, 0, -4), Dir: rise}, down, up, false)
			span("through both rims, downward", geom.Ray{Origin: at(-8, 0, 12), Dir: fall}, up, down, false)
			span("touching the rim of A", geom.Ray{Origin: at(2, 0, -2), Dir: rise}, down, down, true)
			span("touching the rim of B", geom.Ray{Origin: at(-8, 0, 4), Dir: rise}, up, up, true)
			span("along the axis through the rims", geom.Ray{Origin: at(0, 4, -3), Dir: up}, down, up, false)
			span("in the plane of B", geom.Ray{Origin: at(-9, 0, 8), Dir: way(1, 0, 0)}, way(-1, 0, 0), way(1, 0, 0), false)
			span("touching the rim of B in its plane", geom.Ray{Origin: at(-9, 4, 8), Dir: way(1, 0, 0)}, way(0, 1, 0), way(0, 1, 0), true)
		}
	}
}

func TestCylinderIntersect(t *testing.T) {
	checkIntersect(t, can(), []intersectCase{
		{"side behind", ray(vec(9, 3, 5), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"disc behind", ray(vec(3, 0, 20), vec(0, 0, 1)), 0, shapes.Hit{}},
		{"tangent behind", ray(vec(9, 5, 5), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"side ahead", ray(vec(9, 3, 5), vec(-1, 0, 0)), 0, shapes.Hit{T: 5, Normal: vec(0.8, 0.6, 0)}},
		{"from inside to the side", ray(vec(0, 3, 5), vec(1, 0, 0)), 0, shapes.Hit{T: 4, Normal: vec(0.8, 0.6, 0)}},
		{"from inside to a disc", ray(vec(3, 0, 5), vec(0, 0, -1)), 0, shapes.Hit{T: 5, Normal: vec(0, 0, -1)}},
		{"from a disc outward", ray(vec(0, 0, 10), vec(0, 0, 1)), 0, shapes.Hit{}},
		{"from a disc inward", ray(vec(0, 0, 10), vec(0, 0, -1)), 0, shapes.Hit{T: 10, Normal: vec(0, 0, -1)}},
		{"from the side outward", ray(vec(5, 0, 5), vec(1, 0, 0)), 0, shapes.Hit{}},
		{"beyond tMax", ray(vec(9, 3, 5), vec(-1, 0, 0)), 5, shapes.Hit{}},
	})
}

func TestCylinderTouches(t *testing.T) {
	checkTouches(t, can(), []touchCase{
		{"across the body", segment(vec(-9, 0, 5), vec(9, 0, 5)), true},
		{"in a disc", segment(vec(-9, 0, 0), vec(9, 0, 0)), true},
		{"inside", segment(vec(1, 0, 2), vec(0, 1, 8)), true},
		{"along the axis, beyond the end", segment(vec(0, 0, 11), vec(0, 0, 99)), false},
		{"touching a disc", segment(vec(0, 0, 10), vec(0, 0, 99)), true},
		{"touching a disc from afar", segment(vec(1, 2, 99), vec(1, 2, 10)), true},
		{"touching beside, crosswise", segment(vec(-9, 5, 5), vec(9, 5, 5)), true},
		{"touching beside, lengthwise", segment(vec(0, 5, 2), vec(0, 5, 8)), true},
		{"touching beside, longer than the axis", segment(vec(0, 5, -99), vec(0, 5, 99)), true},
		{"touching the rim with an end", segment(vec(3, 4, 10), vec(9, 9, 19)), true},
		{"touching the rim in passing", segment(vec(6, 0, 9), vec(4, 0, 11)), true},
		{"just past the rim", segment(vec(6.001, 0, 9), vec(4.001, 0, 11)), false},
		{"just past", segment(vec(-9, math.Nextafter(5, 6), 5), vec(9, math.Nextafter(5, 6), 5)), false},
		{"just above", segment(vec(-9, 0, math.Nextafter(10, 11)), vec(9, 0, math.Nextafter(10, 11))), false},
		{"through the slab beside the body, to its middle outside", segment(vec(9, 0, -5), vec(0, 0, 99)), false},
		{"short of it", segment(vec(9, 0, 5), vec(6, 0, 5)), false},
		{"point inside", segment(vec(3, 4, 5), vec(3, 4, 5)), true},
		{"point on the rim", segment(vec(3, 4, 10), vec(3, 4, 10)), true},
		{"point above", segment(vec(0, 0, 10.5), vec(0, 0, 10.5)), false},
		{"point outside", segment(vec(3, 4.5, 5), vec(3, 4.5, 5)), false},
	})
}

func TestCylinderValidate(t *testing.T) {
	c := &shapes.Cylinder{B: vec(1, 0, 0), Radius: 1}
	for _, x := range []*float64{&c.A.X, &c.A.Y, &c.A.Z} {
		checkRefused(t, c, "a", x, badCoordinates())
	}
	for _, x := range []*float64{&c.B.X, &c.B.Y, &c.B.Z} {
		checkRefused(t, c, "b", x, badCoordinates())
	}
	checkRefused(t, c, "radius", &c.Radius, badSizes())
	for _, b := range []geom.Vec3{{}, vec(5e-324, 0, 0), vec(0, 9e-16, 0)} {
		c.B = b
		if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), "b: ") || !strings.Contains(err.Error(), "1e-15") {
			t.Errorf("an axis of %v: error %v, want one about b", b, err)
		}
	}
}

// TestCylinderSwapEnds checks that swapping the ends of a cylinder moves the hits by rounding errors only.
func TestCylinderSwapEnds(t *testing.T) {
	for i := range effort.Of(1000, 5000, 5000) {
		rng := rand.New(rand.NewPCG(uint64(i), 5))
		solid, r := cylinderRay(rng)
		c := solid.(*shapes.Cylinder)
		swapped := &shapes.Cylinder{A: c.B, B: c.A, Radius: c.Radius}
		if _, err := checkRay(swapped, r, shapes.Slack); err != nil {
			t.Errorf("%#v, %#v: %v", swapped, r, err)
		}
		if swapped.Bounds() != c.Bounds() {
			t.Errorf("%#v: Bounds = %v, want %v", swapped, swapped.Bounds(), c.Bounds())
		}
	}
}

// TestCylinderEqualsOracle compares hits of random and of degenerate rays with an independent computation in 256
// bits. In a campaign, there are 60,000 random and 20,000 degenerate rays.
func TestCylinderEqualsOracle(t *testing.T) {
	random, degenerate := effort.Of(600, 6000, 60_000), effort.Of(400, 4000, 20_000)
	for _, k := range []struct {
		name string
		n    int
		ray  func(*rand.Rand) (validated, geom.Ray)
	}{{"random", random, cylinderRay}, {"degenerate", degenerate, degenerateCylinderRay}} {
		off, hits := 0, 0
		for i := range k.n {
			s, r := k.ray(rand.New(rand.NewPCG(uint64(i), 7)))
			hit, err := checkRay(s, r, shapes.Slack)
			if err != nil {
				t.Errorf("%s ray %d: %v\nsolid %#v\nray %#v", k.name, i, err, s, r)
				off++
			}
			if hit {
				hits++
			}
		}
		if hits < k.n/4 || hits > k.n-k.n/20 {
			t.Errorf("%d of %d %s rays hit: the test has lost its point", hits, k.n, k.name)
		}
		t.Logf("%d %s rays, %d hits, %d off", k.n, k.name, hits, off)
	}
}

// degenerateCylinderRay returns a cylinder and a ray whose coordinates are small integers, scaled by a random power
// of two. The ray often lies in the plane of a disc, along the axis or along the side, passes through a rim, or
// starts on the surface. If the cylinder's axis is parallel to a coordinate axis, it does so exactly.
func degenerateCylinderRay(rng *rand.Rand) (validated, geom.Ray) {
	k := math.Ldexp(1, rng.IntN(80)-40)
	whole := func() geom.Vec3 {
		coordinate := func() float64 { return float64(rng.IntN(9) - 4) }
		return vec(coordinate(), coordinate(), coordinate())
	}
	axis := whole()
	for axis == (geom.Vec3{}) || rng.IntN(2) == 0 && axis.Norm() != axis.MaxAbs() {
		axis = whole()
	}
	zero := math.Copysign(0, float64(rng.IntN(2))-0.5)
	c := &shapes.Cylinder{Radius: k * float64(1+rng.IntN(4))}
	from := whole()
	c.A, c.B = from.Scale(k), from.Add(axis).Scale(k)
	origin := from.Add(whole())
	dir := whole()
	switch rng.IntN(4) {
	case 0:
		dir = axis
	case 1:
		dir = axis.Cross(whole())
	case 2: // through a rim
		u, _ := geom.Direction(axis)
		n, ok := geom.Direction(u.Cross(whole()))
		if ok {
			rim := from.Add(axis.Scale(float64(rng.IntN(2)))).AddScaled(c.Radius/k, n)
			dir = rim.Sub(origin)
		}
	}
	d, ok := geom.Direction(dir)
	if !ok {
		d = shapetest.Direction(rng)
	}
	return c, geom.Ray{Origin: origin.Scale(k).Add(vec(zero, zero, zero)), Dir: d.Add(vec(zero, zero, zero))}
}
