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

func Example() {
	w := accel.New(accel.Source{
		Spheres: []shapes.Sphere{{Center: geom.Vec3{Z: -5}, Radius: 1}},
		Boxes:   []shapes.Box{{Center: geom.Vec3{Y: -2, Z: -5}, HalfExtents: geom.Vec3{X: 9, Y: 1, Z: 9}, Rotation: geom.Identity()}},
	})
	c := camera.Camera{LookAt: geom.Vec3{Z: -1}, Up: camera.DefaultUp(), FOV: 90}
	view, err := c.View(1, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	packet := view.Packet(image.Rect(0, 0, 1, 3), 1)
	hits := make([]accel.Hit, packet.Len())
	w.Nearest(&packet, hits)
	for _, h := range hits {
		fmt.Printf("object %d at %.2f\n", h.Object, h.T)
	}
	// Output:
	// object -1 at +Inf
	// object 0 at 4.00
	// object 1 at 1.80
}

// solids holds the solids of a test, which are the argument of accel.New.
type solids struct{ accel.Source }

func (s *solids) world() *accel.BVH        { return accel.New(s.Source) }
func (s *solids) brute() *accel.BruteForce { return accel.NewBruteForce(s.Source) }
func (s *solids) len() int {
	return len(s.Spheres) + len(s.Capsules) + len(s.Boxes) + len(s.Cylinders)
}

// scatter returns n random solids in a cube of half edge 10. Their sizes are between lo and hi.
func scatter(rng *rand.Rand, n int, lo, hi float64) *solids {
	var s solids
	for range n {
		c, r := shapetest.Cube(rng, 10), shapetest.LogUniform(rng, lo, hi)
		switch rng.IntN(5) {
		case 0:
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: c, Radius: r})
		case 1:
			s.Capsules = append(s.Capsules, shapes.Capsule{A: c, B: c.Add(shapetest.Cube(rng, 3*r)), Radius: r})
		case 2:
			m := shapetest.Rotation(rng)
			if len(s.Boxes)%2 == 0 {
				m = shapetest.Skew(m, c)
			}
			s.Boxes = append(s.Boxes, shapes.Box{Center: c, HalfExtents: geom.Vec3{X: r, Y: r * rng.Float64(), Z: r * rng.Float64()}.Add(geom.Vec3{X: lo, Y: lo, Z: lo}), Rotation: m})
		case 3:
			axis := shapetest.Direction(rng)
			if len(s.Cylinders)%3 == 0 {
				axis = geom.Vec3{Z: 1}
			}
			s.Cylinders = append(s.Cylinders, shapes.Cylinder{A: c, B: c.AddScaled(shapetest.LogUniform(rng, 0.01*r, 10*r), axis), Radius: r})
		case 4: // on a lattice, so that faces, edges and corners coincide
			c = geom.Vec3{X: math.Round(c.X), Y: math.Round(c.Y), Z: math.Round(c.Z)}
			s.Boxes = append(s.Boxes, shapes.Box{Center: c, HalfExtents: geom.Vec3{X: 0.5, Y: 0.5, Z: 0.5}, Rotation: geom.Identity()})
		}
	}
	return &s
}

// grazingPoint returns a point of a random solid at which rounding errors have the largest effect. See
// [shapetest.GrazingPoint].
func (s *solids) grazingPoint(rng *rand.Rand) geom.Vec3 {
	return shapetest.GrazingPoint(rng, s.shape(int32(rng.IntN(s.len()))))
}

// ray returns a ray that passes through a grazing point. It starts before this point, at a random distance of at
// most far.
func (s *solids) ray(rng *rand.Rand, far float64) geom.Ray {
	target := s.grazingPoint(rng)
	d := shapetest.Direction(rng)
	switch rng.IntN(4) {
	case 0: // along a face of the lattice
		d, _ = geom.Direction(geom.Vec3{X: float64(rng.IntN(3) - 1), Y: float64(rng.IntN(3) - 1), Z: 1})
	case 1:
		d, _ = geom.Direction(s.grazingPoint(rng).Sub(target).Add(geom.Vec3{X: 1e-300}))
	}
	return geom.Ray{Origin: target.AddScaled(-shapetest.LogUniform(rng, 1e-3, far), d), Dir: d}
}

// TestWorldEqualsBrute compares Nearest, Reflected, Blocked and Enclosing of the BVH with brute force, to the bit.
// The rays graze corners, edges, silhouettes and shared faces, near and far.
func TestWorldEqualsBrute(t *testing.T) { accel.WithAndWithoutKernels(t, testWorldEqualsBrute) }

func testWorldEqualsBrute(t *testing.T) {
	for _, c := range []struct {
		solids, rays int
		lo, hi, far  float64
	}{
		{0, 10, 1, 1, 1},
		{1, 500, 0.1, 5, 1e6},
		{30, 3000, 0.1, 2, 30},
		{30, 3000, 0.1, 2, 1e6},
		{30, 3000, 1e-6, 1e6, 1e9},
		{1000, 3000, 0.05, 0.5, 100},
		{1000, 3000, 0.05, 0.5, 1e8},
	} {
		t.Run(fmt.Sprintf("solids=%d/far=%g", c.solids, c.far), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(c.solids), math.Float64bits(c.far)))
			s := scatter(rng, c.solids, c.lo, c.hi)
			n := max(c.rays/effort.Of(7, 1, 1), min(c.rays, 300))
			compare(t, rng, s, n, c.far)
			s.cut(rng)
			compare(t, rng, s, n, c.far)
		})
	}
}

// cut cuts or removes some of the solids with random sections, which often pass through grazing points.
func (s *solids) cut(rng *rand.Rand) {
	if s.len() == 0 {
		return
	}
	var sections []shapes.Section
	for i := range 1 + rng.IntN(3) {
		n := shapetest.Direction(rng)
		if rng.IntN(2) == 0 {
			n = [3]geom.Vec3{{X: 1}, {Y: -1}, {Z: 1}}[rng.IntN(3)]
		}
		sections = append(sections, shapes.Section{Point: s.grazingPoint(rng), Normal: n, Index: i})
	}
	s.Cuts = nil
	for i := range int32(s.len()) {
		if rng.IntN(8) == 0 {
			continue
		}
		if by, removed := shapes.Dissect(s.shape(i), sections); removed || len(by) > 0 {
			s.Cuts = append(s.Cuts, accel.Cut{Object: i, By: by})
		}
	}
}

// removes reports whether sections remove an object.
func (s *solids) removes(object int32) bool {
	return slices.ContainsFunc(s.Cuts, func(c accel.Cut) bool { return c.Object == object && len(c.By) == 0 })
}

func compare(t *testing.T, rng *rand.Rand, s *solids, n int, far float64) {
	world, brute := s.world(), s.brute()
	rays := make([]accel.SecondaryRay, n)
	dist := make([]float64, n)
	met := 0
	for i := range rays {
		d := &rays[i]
		d.Object = accel.None
		if s.len() > 0 {
			d.Ray = s.ray(rng, far)
			if d.Object = int32(rng.IntN(s.len()+1)) - 1; s.removes(d.Object) {
				d.Object = accel.None
			}
		} else {
			d.Ray.Dir = shapetest.Direction(rng)
		}
		d.Inside = d.Object != accel.None && rng.IntN(4) == 0
		if rng.IntN(4) == 0 {
			d.Eye = world.Enclosing(d.Ray.Origin)
			if got, want := d.Eye, brute.Enclosing(d.Ray.Origin); !slices.Equal(got, want) {
				t.Fatalf("Enclosing(%v) = %v, want %v", d.Ray.Origin, got, want)
			}
		}
		dist[i] = shapetest.LogUniform(rng, 1e-3, 10*far)
		if rng.IntN(2) == 0 {
			dist[i] = math.Inf(1)
		}

		p := single(d.Ray)
		var got, want [1]accel.Hit
		world.Nearest(&p, got[:])
		brute.Nearest(&p, want[:])
		if got != want {
			t.Fatalf("Nearest of ray %d, %#v = %+v, want %+v", i, d.Ray, got, want)
		}
		if want[0].Object != accel.None {
			met++
		}
	}
	got, want := make([]accel.Hit, n), make([]accel.Hit, n)
	world.Reflected(rays, got)
	brute.Reflected(rays, want)
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("Reflected of %#v = %+v, want %+v", rays[i], got[i], want[i])
		}
	}
	gotB, wantB := make([]bool, n), make([]bool, n)
	world.Blocked(rays, dist, gotB)
	brute.Blocked(rays, dist, wantB)
	for i := range gotB {
		if gotB[i] != wantB[i] {
			t.Fatalf("Blocked of %#v before %v = %v, want %v", rays[i], dist[i], gotB[i], wantB[i])
		}
	}
	if s.len() > 1 && met < n/(5+5*min(len(s.Cuts), 1)) {
		t.Errorf("only %d of %d rays met anything: the test has lost its point", met, n)
	}
}

// single returns a packet that contains only the ray r.
func single(r geom.Ray) geom.Packet {
	across := geom.Vec3{X: 1}
	if math.Abs(r.Dir.X) > 0.5 {
		across = geom.Vec3{Y: 1}
	}
	dx := across.Cross(r.Dir).Unit()
	return geom.Packet{
		Parallel: true,
		Origin:   r.Origin, Dir: r.Dir, DX: dx, DY: dx.Cross(r.Dir),
		CenterX: 0.5, CenterY: 0.5, Density: 1, NX: 1, NY: 1,
	}
}

// TestNearestOfFlatPackets compares the hits of packets in which all rays are equal with brute force.
func TestNearestOfFlatPackets(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	s := scatter(rng, 30, 0.1, 1)
	world, brute := s.world(), s.brute()
	met := 0
	for range 300 {
		p := single(s.ray(rng, 20))
		p.DX, p.DY, p.NX, p.NY = geom.Vec3{}, geom.Vec3{}, 3, 2
		var got, want [6]accel.Hit
		if n := world.Nearest(&p, got[:]); n != brute.Nearest(&p, want[:]) || got != want {
			t.Fatalf("Nearest of %#v = %+v, want %+v", p, got, want)
		}
		if want[0].Object != accel.None {
			met++
		}
	}
	if met < 100 {
		t.Errorf("only %d of 300 rays met anything: the test has lost its point", met)
	}
}

func TestNearestTieGoesToSmallerNumber(t *testing.T) {
	accel.WithAndWithoutKernels(t, testNearestTieGoesToSmallerNumber)
}

func testNearestTieGoesToSmallerNumber(t *testing.T) {
	box := shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}
	s := solids{accel.Source{Boxes: slices.Repeat([]shapes.Box{box}, 40)}}
	w, r := s.world(), geom.Ray{Origin: geom.Vec3{Z: 5}, Dir: geom.Vec3{Z: -1}}
	want := accel.Hit{T: 4, Point: geom.Vec3{Z: 1}, Normal: geom.Vec3{Z: 1}, Object: 0}
	p := single(r)
	p.DX, p.DY = p.DX.Scale(0x1p-10), p.DY.Scale(0x1p-10)
	p.CenterX, p.CenterY, p.NX, p.NY = 16.5, 16.5, 33, 33 // enough rays that the shared traversal is not abandoned
	hits := make([]accel.Hit, p.Len())
	w.Nearest(&p, hits)
	if got := hits[16*33+16]; got != want {
		t.Errorf("a packet's hit in the middle = %+v, want %+v", got, want)
	}
	for i := range hits {
		if hits[i].Object != 0 {
			t.Errorf("ray %d of a packet meets %+v, want object 0", i, hits[i])
		}
	}
	if got := w.TraverseNearest(r, nil); got != want {
		t.Errorf("a walk's hit = %+v, want %+v", got, want)
	}
}

func TestDepartures(t *testing.T) { accel.WithAndWithoutKernels(t, testDepartures) }

func testDepartures(t *testing.T) {
	inf := math.Inf(1)
	up := geom.Vec3{Y: 1}
	s := solids{accel.Source{Spheres: []shapes.Sphere{
		{Radius: 1},                          // 0, at the origin
		{Center: geom.Vec3{Y: 5}, Radius: 1}, // 1, above it
		{Radius: 10},                         // 2, around both
	}}}
	top := geom.Ray{Origin: geom.Vec3{Y: 1}, Dir: up}
	bottom := geom.Ray{Origin: geom.Vec3{Y: -1}, Dir: up}
	for _, c := range []struct {
		name    string
		ray     accel.SecondaryRay
		dist    float64
		hit     accel.Hit
		blocked bool
	}{
		{"from outside skips itself and what surrounds it", accel.SecondaryRay{Ray: top, Object: 0}, inf,
			accel.Hit{T: 3, Normal: up.Neg(), Object: 1}, true},
		{"blocked only before the light", accel.SecondaryRay{Ray: top, Object: 0}, 3,
			accel.Hit{T: 3, Normal: up.Neg(), Object: 1}, false},
		{"from inside meets its own far side", accel.SecondaryRay{Ray: bottom, Object: 0, Inside: true}, inf,
			accel.Hit{T: 2, Normal: up, Object: 0, Inside: true}, true},
		{"leaves what does not contain the eye", accel.SecondaryRay{Ray: geom.Ray{Origin: geom.Vec3{Y: 6}, Dir: up}, Object: 1}, inf,
			accel.Hit{T: inf, Object: accel.None}, false},
		{"meets what contains the eye", accel.SecondaryRay{Ray: geom.Ray{Origin: geom.Vec3{Y: 6}, Dir: up}, Object: 1, Eye: []int32{2}}, inf,
			accel.Hit{T: 4, Normal: up, Object: 2, Inside: true}, true},
	} {
		for name, w := range map[string]interface {
			Reflected([]accel.SecondaryRay, []accel.Hit)
			Blocked([]accel.SecondaryRay, []float64, []bool)
		}{"world": s.world(), "brute": s.brute()} {
			var hit [1]accel.Hit
			var blocked [1]bool
			w.Reflected([]accel.SecondaryRay{c.ray}, hit[:])
			w.Blocked([]accel.SecondaryRay{c.ray}, []float64{c.dist}, blocked[:])
			want := c.hit
			if want.Object != accel.None {
				want.Point = c.ray.Ray.At(want.T)
			}
			if hit[0] != want || blocked[0] != c.blocked {
				t.Errorf("%s, %s: %+v, blocked %v; want %+v, %v", name, c.name, hit[0], blocked[0], want, c.blocked)
			}
		}
	}
}

func TestOutcomeString(t *testing.T) {
	for o, want := range map[accel.Outcome]string{accel.Entered: "entered", accel.Own: "own", accel.Own + 1: "Outcome(6)", 255: "Outcome(255)"} {
		if got := o.String(); got != want {
			t.Errorf("Outcome %d is %q, want %q", uint8(o), got, want)
		}
	}
}

func TestWorldCopiesItsSolids(t *testing.T) {
	spheres := []shapes.Sphere{{Radius: 1}}
	w := accel.New(accel.Source{Spheres: spheres})
	spheres[0].Radius = 3
	if hit := w.TraverseNearest(geom.Ray{Origin: geom.Vec3{Z: 9}, Dir: geom.Vec3{Z: -1}}, nil); hit.T != 8 {
		t.Errorf("the sphere is hit at %v after the caller's slice changed, want 8", hit.T)
	}
}

func BenchmarkNearest(b *testing.B) {
	for _, n := range []int{30, 1000, 100_000} {
		b.Run(fmt.Sprintf("solids=%d", n), func(b *testing.B) {
			size := 10 * math.Pow(float64(n), -1.0/3) * 0.45
			w := scatter(rand.New(rand.NewPCG(1, 1)), n, size/2, size).world()
			c := camera.Camera{Position: geom.Vec3{Z: 32}, Up: camera.DefaultUp(), FOV: 40}
			view, err := c.View(256, 256)
			if err != nil {
				b.Fatal(err)
			}
			hits := make([]accel.Hit, 32*32)
			for b.Loop() {
				for y := 0; y < 256; y += 32 {
					for x := 0; x < 256; x += 32 {
						p := view.Packet(image.Rect(x, y, x+32, y+32), 1)
						w.Nearest(&p, hits)
					}
				}
			}
			b.ReportMetric(256*256*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mray/s")
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprintf("solids=%d", n), func(b *testing.B) {
			s := scatter(rand.New(rand.NewPCG(1, 1)), n, 0.1, 0.3)
			for b.Loop() {
				s.world()
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msolid/s")
		})
	}
}
