package accel_test

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// shot returns a random camera that looks at a point of a solid where rounding errors are large. It looks from far
// away with a tiny field of view, from nearby, or from inside.
func (s *solids) shot(rng *rand.Rand, far float64) camera.Camera {
	target := s.grazingPoint(rng)
	away := shapetest.LogUniform(rng, 1e-3, far)
	d := s.ray(rng, far).Dir
	window := shapetest.LogUniform(rng, 0x1p-50, 1) // half the picture's height as seen from a unit away
	return camera.Camera{
		Projection: camera.Projection(rng.IntN(2)),
		Position:   target.AddScaled(-away, d),
		LookAt:     target,
		Up:         shapetest.Direction(rng),
		FOV:        geom.Angle(min(179.9, 360/math.Pi*math.Atan(window*[]float64{1, 1, 100}[rng.IntN(3)]))),
		ViewHeight: 2 * away * window,
	}
}

// packet returns a random packet of a picture of random size.
func packet(rng *rand.Rand, c camera.Camera) (geom.Packet, error) {
	sides := []int{1, 2, 3, 5, 8, 13, 32, 33}
	w, h := sides[rng.IntN(len(sides))], sides[rng.IntN(len(sides))]
	density := []int{1, 1, 2, 3}[rng.IntN(4)]
	width, height := w+rng.IntN(40), h+rng.IntN(40)
	view, err := c.View(width, height)
	if err != nil {
		return geom.Packet{}, err
	}
	corner := image.Pt(rng.IntN(width-w+1), rng.IntN(height-h+1))
	return view.Packet(image.Rectangle{corner, corner.Add(image.Pt(w, h))}, density), nil
}

func TestNearestOfCameraPackets(t *testing.T) {
	accel.WithAndWithoutKernels(t, testNearestOfCameraPackets)
}

func testNearestOfCameraPackets(t *testing.T) {
	for _, c := range []struct {
		solids, packets int
		lo, hi, far     float64
	}{
		{0, 10, 1, 1, 1},
		{1, 300, 0.1, 5, 1e6},
		{20, 150, 0.1, 2, 30},
		{20, 150, 0.1, 2, 1e6},
		{20, 150, 1e-6, 1e6, 1e9},
		{20, 150, 1e-9, 1e-3, 1e3},
		{300, 20, 0.05, 0.5, 100},
		{300, 30, 0.05, 0.5, 1e8},
	} {
		t.Run(fmt.Sprintf("solids=%d/sizes=%g:%g/far=%g", c.solids, c.lo, c.hi, c.far), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(c.solids), math.Float64bits(c.far)))
			s := scatter(rng, c.solids, c.lo, c.hi)
			world, brute := s.world(), s.brute()
			met, rays := 0, 0
			for range c.packets / effort.Of(5, 1, 1) {
				look := camera.Camera{LookAt: shapetest.Direction(rng), Up: shapetest.Direction(rng), FOV: 90, ViewHeight: 1}
				if s.len() > 0 {
					look = s.shot(rng, c.far)
				}
				p, err := packet(rng, look)
				if err != nil {
					continue // the camera is degenerate
				}
				got, want := make([]accel.Hit, p.Len()), make([]accel.Hit, p.Len())
				n := world.Nearest(&p, got)
				brute.Nearest(&p, want)
				stale := slices.Repeat([]accel.Hit{{Object: -7}}, p.Len())
				if m := world.NearestIfAny(&p, stale); m != n || n > 0 && !slices.Equal(stale, got) {
					t.Fatalf("NearestIfAny of %#v = %d, %+v, want %d, %+v", p, m, stale, n, got)
				}
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("Nearest of ray %d of %#v = %+v, want %+v", i, p, got[i], want[i])
					}
					if want[i].Object != accel.None {
						met++
					}
				}
				rays += p.Len()
			}
			t.Logf("%d of %d rays met something", met, rays)
			if s.len() > 0 && met < rays/5 {
				t.Errorf("only %d of %d rays met anything: the test has lost its point", met, rays)
			}
		})
	}
}

// TestDeparturesOfCameraPackets compares secondary rays of camera packets with brute force: shadow rays to a light
// at a random place, and reflected rays.
func TestDeparturesOfCameraPackets(t *testing.T) {
	accel.WithAndWithoutKernels(t, testDeparturesOfCameraPackets)
}

func testDeparturesOfCameraPackets(t *testing.T) {
	for _, c := range []struct {
		solids, packets int
		lo, hi, far     float64
	}{
		{1, 1000, 0.1, 5, 1e6},
		{20, 100, 0.1, 2, 30},
		{20, 100, 0.1, 2, 1e6},
		{20, 100, 1e-6, 1e6, 1e9},
		{300, 20, 0.05, 0.5, 100},
		{300, 20, 0.05, 0.5, 1e8},
	} {
		t.Run(fmt.Sprintf("solids=%d/sizes=%g:%g/far=%g", c.solids, c.lo, c.hi, c.far), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(c.solids), math.Float64bits(c.far)))
			s := scatter(rng, c.solids, c.lo, c.hi)
			world, brute := s.world(), s.brute()
			count, met := 0, 0
			for range c.packets / effort.Of(5, 1, 1) {
				p, err := packet(rng, s.shot(rng, c.far))
				if err != nil {
					continue
				}
				hits := make([]accel.Hit, p.Len())
				brute.Nearest(&p, hits)
				rays, dist := toLight(&p, hits, s.light(rng, c.far), brute)
				got, want := make([]bool, len(rays)), make([]bool, len(rays))
				for i := range got {
					got[i] = rng.IntN(2) == 0
				}
				world.Blocked(rays, dist, got)
				brute.Blocked(rays, dist, want)
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("Blocked of ray %d of %d, %#v before %v = %v, want %v", i, len(rays), rays[i], dist[i], got[i], want[i])
					}
				}
				rays = reflected(&p, hits, brute)
				gotHits, wantHits := make([]accel.Hit, len(rays)), make([]accel.Hit, len(rays))
				world.Reflected(rays, gotHits)
				brute.Reflected(rays, wantHits)
				for i := range gotHits {
					if gotHits[i] != wantHits[i] {
						t.Fatalf("Reflected of ray %d of %d, %#v = %+v, want %+v", i, len(rays), rays[i], gotHits[i], wantHits[i])
					}
					if wantHits[i].Object != accel.None {
						met++
					}
				}
				for i := range got {
					if want[i] {
						met++
					}
				}
				count += len(got) + len(gotHits)
			}
			t.Logf("%d of %d rays met something", met, count)
			if met < count/20 {
				t.Errorf("only %d of %d rays met anything: the test has lost its point", met, count)
			}
		})
	}
}

// light is a light at the position at. If point is false, the light is infinitely far away in the direction at.
type light struct {
	at    geom.Vec3
	point bool
}

func (s *solids) light(rng *rand.Rand, far float64) light {
	switch rng.IntN(3) {
	case 0:
		return light{shapetest.Direction(rng), false}
	case 1:
		return light{s.grazingPoint(rng), true} // in the middle of the scene
	}
	return light{s.ray(rng, far).Origin, true}
}

// toLight returns the shadow rays to l from all hits whose surface faces l, and their lengths.
func toLight(p *geom.Packet, hits []accel.Hit, l light, b *accel.BruteForce) (rays []accel.SecondaryRay, dist []float64) {
	for i, h := range hits {
		if h.Object == accel.None {
			continue
		}
		d := depart(p, i, h, b)
		d.Ray.Dir, h.T = l.at, math.Inf(1)
		if l.point {
			to := l.at.Sub(d.Ray.Origin)
			h.T = to.Norm()
			d.Ray.Dir = to.Div(h.T)
		}
		if d.Ray.Dir.Dot(h.Normal) > 0 != d.Inside && h.T > 0 {
			rays, dist = append(rays, d), append(dist, h.T)
		}
	}
	return rays, dist
}

// reflected returns the reflected rays of all hits.
func reflected(p *geom.Packet, hits []accel.Hit, b *accel.BruteForce) (rays []accel.SecondaryRay) {
	for i, h := range hits {
		if h.Object == accel.None {
			continue
		}
		d := depart(p, i, h, b)
		in := d.Ray.Dir
		d.Ray.Dir = in.AddScaled(-2*in.Dot(h.Normal), h.Normal).Unit()
		rays = append(rays, d)
	}
	return rays
}

func depart(p *geom.Packet, i int, h accel.Hit, b *accel.BruteForce) accel.SecondaryRay {
	r := p.SampleRay(i%p.NX, i/p.NX)
	eye := b.Enclosing(r.Origin)
	r.Origin = r.At(h.T)
	return accel.SecondaryRay{Ray: r, Object: h.Object, Inside: h.Inside, Eye: eye}
}

// TestNearestInsideManySolids compares packets whose eye is inside many solids with brute force.
func TestNearestInsideManySolids(t *testing.T) {
	accel.WithAndWithoutKernels(t, testNearestInsideManySolids)
}

func testNearestInsideManySolids(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var s solids
	for range 5 {
		c := shapetest.Cube(rng, 0.3)
		s.Spheres = append(s.Spheres, shapes.Sphere{Center: c, Radius: shapetest.Uniform(rng, 1, 4)})
		s.Capsules = append(s.Capsules, shapes.Capsule{A: c, B: shapetest.Cube(rng, 3), Radius: shapetest.Uniform(rng, 1, 4)})
		s.Boxes = append(s.Boxes, shapes.Box{Center: c, HalfExtents: geom.Vec3{X: 1, Y: 2, Z: 3}, Rotation: shapetest.Rotation(rng)})
		d := shapetest.Direction(rng)
		s.Cylinders = append(s.Cylinders, shapes.Cylinder{A: c.AddScaled(-2, d), B: c.AddScaled(2, d), Radius: shapetest.Uniform(rng, 1, 4)})
	}
	world, brute := s.world(), s.brute()
	for range 50 {
		p, err := packet(rng, camera.Camera{LookAt: shapetest.Direction(rng), Up: shapetest.Direction(rng), FOV: geom.Angle(shapetest.Uniform(rng, 10, 170))})
		if err != nil {
			continue
		}
		got, want := make([]accel.Hit, p.Len()), make([]accel.Hit, p.Len())
		world.Nearest(&p, got)
		brute.Nearest(&p, want)
		if !slices.Equal(got, want) {
			t.Fatalf("Nearest of %#v differs", p)
		}
		if i := slices.IndexFunc(want, func(h accel.Hit) bool { return !h.Inside }); i >= 0 {
			t.Fatalf("ray %d of %#v hits %+v: not from inside", i, p, want[i])
		}
	}
}

// TestNearestOfSteepCameras compares packets of cameras that look almost along their up vector with brute force.
// The axes of such a picture are not exactly perpendicular, which causes errors of distances. The surfaces are so
// close to each other that these errors could change their order.
func TestNearestOfSteepCameras(t *testing.T) {
	accel.WithAndWithoutKernels(t, testNearestOfSteepCameras)
}

func testNearestOfSteepCameras(t *testing.T) {
	const half = 1e-3 // extent of a small box
	rng := rand.New(rand.NewPCG(21, 5))
	tested := 0
	for tested < 20 {
		forward := shapetest.Direction(rng)
		c := camera.Camera{
			Projection: camera.Orthographic,
			LookAt:     forward,
			Up:         forward.AddScaled(2.4e-10, forward.Cross(shapetest.Direction(rng)).Unit()),
			ViewHeight: 1,
		}
		view, err := c.View(1024, 64)
		if err != nil {
			continue
		}
		p := view.Packet(image.Rect(1024-32, 16, 1024, 48), 1)
		skew := p.DX.Dot(p.Dir) / p.DX.Norm()
		if skew < 5e-8 {
			continue
		}
		// The solids are a wall across the rays and, in front of it, the corners of small boxes. The distance
		// between the wall and the corners is smaller than the effect of the skew.
		away := p.SampleRay(0, 0).Origin.Norm() * skew
		var s solids
		x := p.DX.Unit()
		z := x.Cross(p.DY).Unit()
		wall := shapes.Box{Center: p.SampleRay(16, 16).At(2), HalfExtents: geom.Vec3{X: 20, Y: 20, Z: 1}, Rotation: geom.Mat3{X: x, Y: z.Cross(x), Z: z}}
		s.Boxes = append(s.Boxes, wall)
		for range 40 {
			r := p.SampleRay(rng.IntN(32), rng.IntN(32))
			span, ok := wall.Span(r)
			if !ok {
				t.Fatal("a ray misses the wall")
			}
			corner := r.At(span.Near.T - rng.Float64()*away)
			inward := geom.Vec3{X: math.Copysign(half, r.Dir.X), Y: math.Copysign(half, r.Dir.Y), Z: math.Copysign(half, r.Dir.Z)}
			s.Boxes = append(s.Boxes, shapes.Box{Center: corner.AddScaled(1-1e-6, inward), HalfExtents: geom.Vec3{X: half, Y: half, Z: half}, Rotation: geom.Identity()})
		}
		tested++
		if n := differences(t, &s, &p); n > 0 {
			t.Fatalf("camera %d: %d rays differ", tested, n)
		}
	}
}

// TestNearestOfSkewPackets compares packets that no camera produces, because DX, DY and Dir are not perpendicular,
// with brute force. The solids are groups of concentric spheres, and their order in the list is not the order in
// which rays hit them.
func TestNearestOfSkewPackets(t *testing.T) {
	accel.WithAndWithoutKernels(t, testNearestOfSkewPackets)
}

func testNearestOfSkewPackets(t *testing.T) {
	for i := range effort.Of(100, 400, 4000) {
		rng := rand.New(rand.NewPCG(22, uint64(i)))
		var s solids
		for range 20 {
			center := shapetest.Cube(rng, 10)
			for range 8 {
				s.Spheres = append(s.Spheres, shapes.Sphere{Center: center, Radius: 1 + rng.Float64()})
			}
		}
		p := geom.Packet{
			Parallel: rng.IntN(2) == 0,
			Origin:   shapetest.Cube(rng, 30),
			CenterX:  20, CenterY: 20, Density: 1, X0: rng.IntN(30), Y0: rng.IntN(30), NX: 10, NY: 10,
		}
		p.Dir = s.grazingPoint(rng).Sub(p.Origin).Unit()
		p.DX = p.Dir.Cross(shapetest.Direction(rng)).Unit().AddScaled(shapetest.LogUniform(rng, 1e-9, 1), shapetest.Direction(rng)).Scale(0.05)
		p.DY = p.Dir.Cross(p.DX).AddScaled(shapetest.LogUniform(rng, 1e-9, 0.05), shapetest.Direction(rng))
		if n := differences(t, &s, &p); n > 0 {
			t.Fatalf("packet %d: %d rays differ", i, n)
		}
	}
}

// TestNearestOfTinyFieldsOfView compares packets with tiny fields of view with brute force. The area of a pixel is
// a denormal number, or nearly so. The centers of many spheres are close to each other on the axis of the view.
func TestNearestOfTinyFieldsOfView(t *testing.T) {
	accel.WithAndWithoutKernels(t, testNearestOfTinyFieldsOfView)
}

func testNearestOfTinyFieldsOfView(t *testing.T) {
	for i := range effort.Of(75, 300, 3000) {
		rng := rand.New(rand.NewPCG(25, uint64(i)))
		toward := shapetest.Direction(rng)
		c := camera.Camera{Position: toward.Scale(-5), Up: shapetest.Direction(rng), FOV: geom.Angle(shapetest.LogUniform(rng, 1e-160, 1e-150))}
		view, err := c.View(8, 8)
		if err != nil {
			t.Fatal(err)
		}
		p := view.Packet(image.Rect(0, 0, 8, 8), 1)
		var s solids
		for range 60 {
			nearer := toward.Scale(-shapetest.LogUniform(rng, 1e-14, 0.1))
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: nearer.Add(shapetest.Cube(rng, 0.5)), Radius: 1})
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: nearer, Radius: 1})
		}
		if n := differences(t, &s, &p); n > 0 {
			t.Fatalf("packet %d: %d rays differ", i, n)
		}
	}
}

// differences returns the number of rays of a packet for which the BVH and brute force differ.
func differences(t *testing.T, s *solids, p *geom.Packet) int {
	t.Helper()
	got, want := make([]accel.Hit, p.Len()), make([]accel.Hit, p.Len())
	s.world().Nearest(p, got)
	if s.brute().Nearest(p, want) == 0 {
		t.Log("no ray meets anything")
	}
	n := 0
	for i := range got {
		if got[i] != want[i] {
			n++
		}
	}
	return n
}
