package accel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// coneWorld returns a world of up to 400 small solids of all kinds, or rarely of 12,000, more than a search may find.
func coneWorld(rng *rand.Rand) *BVH {
	var s Source
	n := 1 + rng.IntN(400)
	if rng.IntN(25) == 0 {
		n = 12_000
	}
	for range n {
		p, r := shapetest.Cube(rng, 3), shapetest.LogUniform(rng, 0.02, 0.3)
		q := p.AddScaled(r, shapetest.Direction(rng))
		switch rng.IntN(6) {
		case 0:
			s.Capsules = append(s.Capsules, shapes.Capsule{A: p, B: q, Radius: r})
		case 1:
			h := geom.Vec3{X: r, Y: r / 3, Z: r / 2}
			s.Boxes = append(s.Boxes, shapes.Box{Center: p, HalfExtents: h, Rotation: shapetest.Rotation(rng)})
		case 2:
			s.Cylinders = append(s.Cylinders, shapes.Cylinder{A: p, B: q, Radius: r})
		default:
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: p, Radius: r})
		}
	}
	return New(s)
}

// randomCone sets s to a search for a random cone of rays. Usually, the cone contains all rays from a point to a
// ball. They end before a plane across the axis, at the distance far from the point. Sometimes, the rays
// do not end: the cone contains all directions close to the axis, and far is +Inf.
func randomCone(rng *rand.Rand, w *BVH, s *coneSearch) (c testCone) {
	o := shapetest.Cube(rng, 4)
	if rng.IntN(8) == 0 {
		o.X, o.Y = math.Round(o.X), 0
	}
	dir, dist := shapetest.Direction(rng), shapetest.LogUniform(rng, 0.1, 100)
	if rng.IntN(4) == 0 {
		dir = [...]geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}[rng.IntN(6)]
	}
	radius := dist * min(1, shapetest.LogUniform(rng, 1e-4, 2))
	if rng.IntN(8) == 0 {
		radius = 0
	}
	sin := radius / dist
	cos := math.Sqrt((1 - sin) * (1 + sin))
	far := dist * cos * cos
	if rng.IntN(4) == 0 {
		far = math.Inf(1)
	}
	c = testCone{o, dir, sin, cos, far, 2 * w.slack(o)}
	s.setCone(c.apex, c.axis, c.sin, c.cos, c.far, c.margin)
	center := o.AddScaled(dist, dir)
	if math.IsInf(far, 1) {
		const away = 20
		center, radius = o.AddScaled(away, dir), away*math.Sqrt(2*(1-cos))
	}
	s.aim(geom.Bounds{Min: o, Max: o}, geom.Bounds{Min: center, Max: center}.Expand(radius), w.slack(o))
	return c
}

// TestConeSearch checks that a complete search finds each solid that a ray of the cone hits. A search must not
// find a solid twice, or a solid whose ball the cone does not meet.
func TestConeSearch(t *testing.T) { WithAndWithoutKernels(t, testConeSearch) }

func testConeSearch(t *testing.T) {
	hits, early, left := 0, 0, 0
	for seed := range effort.Of[uint64](60, 600, 10_000) {
		rng := rand.New(rand.NewPCG(53, seed))
		w := coneWorld(rng)
		var s coneSearch
		for range 10 {
			c := randomCone(rng, w, &s)
			balls := w.ballsOf()
			complete := s.search(&w.tree, balls)
			var found []primRef
			for _, slot := range s.found[:s.count] {
				if balls.refs[slot] == noPrim {
					t.Fatalf("scene %d: found a slot without a solid", seed)
				}
				found = append(found, balls.refs[slot])
				if b := w.around(found[len(found)-1]); !s.meetsBall(&b) {
					t.Fatalf("scene %d: found a ball that is apart from the cone", seed)
				}
			}
			slices.Sort(found)
			if n := len(found); len(slices.Compact(found)) != n {
				t.Fatalf("scene %d: found a solid twice", seed)
			}
			left += w.Len() - len(found)
			if !complete {
				early++
				continue
			}
			for range 40 {
				turn := math.Asin(c.sin) * math.Sqrt(rng.Float64())
				r := geom.Ray{Origin: c.apex, Dir: c.turned(rng, turn)}
				for _, at := range w.refs {
					near, end, ok := w.chord(at, r.Origin, r.Dir)
					if !ok || end < 1e-9 || near > 10 || float64(max(near, 0)*math.Cos(turn)) > c.far-1e-9 {
						continue
					}
					hits++
					if _, ok := slices.BinarySearch(found, at); !ok {
						t.Fatalf("scene %d: a ray of the cone meets a solid at %v that is not found", seed, near)
					}
				}
			}
		}
	}
	if hits < 1500 || left < 1500 || effort.IsAll() && early < 5 {
		t.Errorf("%d hits, %d solids left out, %d searches ended early", hits, left, early)
	}
}

// TestConeKernel compares the kernel with the portable code. Both must find the same balls in the same order after
// the same number of nodes. The cones are of all kinds, and some numbers are zero, tiny, huge or not finite.
func TestConeKernel(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels")
	}
	defer func() { haveKernels = true }()
	odd := []float64{0, math.Copysign(0, -1), 1e-300, -1e-300, 1e-30, 1e30, -1e30, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	for seed := range effort.Of[uint64](60, 600, 10_000) {
		rng := rand.New(rand.NewPCG(54, seed))
		w := coneWorld(rng)
		var s coneSearch
		for k := range 40 {
			c := randomCone(rng, w, &s)
			if k%4 == 0 {
				o := &c.apex
				ends := geom.Bounds{Min: *o, Max: shapetest.Cube(rng, 3)}
				for _, x := range []*float64{&o.X, &o.Y, &o.Z, &ends.Min.X, &ends.Min.Y, &ends.Min.Z, &ends.Max.X, &ends.Max.Y, &c.sin, &c.cos, &c.far, &c.margin} {
					if rng.IntN(6) == 0 {
						*x = odd[rng.IntN(len(odd))]
					}
				}
				s.setCone(c.apex, c.axis, c.sin, c.cos, c.far, c.margin)
				s.aim(geom.Bounds{Min: *o, Max: *o}, ends, w.slack(geom.Vec3{}))
			} else if k%4 == 1 {
				a, b, c, d := shapetest.Cube(rng, 3), shapetest.Cube(rng, 3), shapetest.Cube(rng, 3), shapetest.Cube(rng, 3)
				s.aim(geom.EmptyBounds().Include(a).Include(b), geom.EmptyBounds().Include(c).Include(d), w.slack(a))
			}
			checkConeKernel(t, w, &s)
		}
	}
}

// checkConeKernel runs a search with the kernel and with the portable code. Both must find the same balls in the same
// order after the same number of nodes.
func checkConeKernel(t *testing.T, w *BVH, s *coneSearch) {
	t.Helper()
	portable := *s
	haveKernels = true
	got := s.search(&w.tree, w.ballsOf())
	haveKernels = false
	want := portable.search(&w.tree, w.ballsOf())
	haveKernels = true
	if got != want || s.queued != portable.queued || s.visited != portable.visited || !slices.Equal(s.found[:s.count], portable.found[:portable.count]) || !slices.Equal(s.large[:s.largeCount], portable.large[:portable.largeCount]) {
		t.Fatalf("found %d balls at %d nodes, want %d at %d; complete: %v, want %v; limits %v",
			s.count, s.visited, portable.count, portable.visited, got, want, s.limits)
	}
}

// TestConeKernelTies compares the kernel with the portable code for bounds with integer coordinates and limits that
// often tie, or differ by a few roundings. In the larger world, searches end early, some after balls and some after nodes.
func TestConeKernelTies(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels")
	}
	rng := rand.New(rand.NewPCG(56, 1))
	world := func(n, size int) *BVH {
		var s Source
		for range n {
			c := geom.Vec3{X: float64(rng.IntN(size)), Y: float64(rng.IntN(size)), Z: float64(rng.IntN(size))}
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: c, Radius: 1})
		}
		return New(s)
	}
	large, partly, byBalls, byNodes := world(40_000, 100), 0, 0, 0
	for k := range 4000 {
		w := large
		if k%20 != 0 {
			w = world(1+rng.IntN(30), 8)
		}
		var s coneSearch
		s.padding = math.MaxFloat32 // the cone meets all balls
		if rng.IntN(4) == 0 {
			s.padding = float32(math.Inf(-1)) // the cone meets none
		}
		inf := float32(math.Inf(1))
		for axis := range s.limits {
			for end := range s.limits[axis] {
				l := &s.limits[axis][end]
				if *l = (coneLimit{atMost: inf}); w == large && axis != k/20%4 {
					continue
				}
				*l = coneLimit{from: float32(rng.IntN(10)), inv: float32(rng.IntN(5)-2) * (1 + float32(rng.IntN(17)-8)*0x1p-22), atMost: inf}
				switch rng.IntN(8) {
				case 0:
				case 1, 2, 3:
					l.atMost = -inf
				default:
					l.atLeast = inf
				}
			}
		}
		checkConeKernel(t, w, &s)
		switch {
		case s.count > mostFound:
			byBalls++
		case s.visited < s.queued:
			byNodes++
		case s.count > 0 && int(s.count) < w.Len():
			partly++
		}
	}
	if partly < 500 || byBalls < 10 || byNodes < 10 {
		t.Errorf("%d searches found some balls, %d ended after balls and %d after nodes", partly, byBalls, byNodes)
	}
}

// TestConeSearchWithoutLimits checks that a search finds each solid once if its limits exclude nothing, not even the empty bounds
// of missing children.
func TestConeSearchWithoutLimits(t *testing.T) { WithAndWithoutKernels(t, testConeSearchWithoutLimits) }

func testConeSearchWithoutLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 1))
	for n := 1; n < mostFound; n += 1 + n/8 {
		var src Source
		for range n {
			src.Spheres = append(src.Spheres, shapes.Sphere{Center: shapetest.Cube(rng, 1), Radius: 0.1})
		}
		w := New(src)
		var s coneSearch
		s.padding = math.MaxFloat32 // the cone meets all balls
		for axis := range s.limits {
			for end := range s.limits[axis] {
				s.limits[axis][end].atMost = float32(math.Inf(1))
			}
		}
		complete := s.search(&w.tree, w.ballsOf())
		found := slices.Clone(s.found[:s.count])
		slices.Sort(found)
		if !complete || len(slices.Compact(found)) != n || int(s.count) != n || int(s.visited) != len(w.tree.nodes) {
			t.Fatalf("found %d of %d spheres at %d of %d nodes; complete: %v", s.count, n, s.visited, len(w.tree.nodes), complete)
		}
	}
}

// TestConeLimits checks that no bounds are missed that contain a point within the slack of a segment between the two
// bounds of a search. The segments join corners of the two bounds, and the points are at a corner of the bounds to find.
func TestConeLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 1))
	signed := func(x float64) float64 { return math.Copysign(x, rng.Float64()-0.5) }
	for range 100_000 {
		var from, to, x [3][2]float64 // along each axis: the ends of both bounds, and of the bounds to find
		reach := 1.0
		most := shapetest.LogUniform(rng, 1e-7, 1) // of the distance of the point along an axis
		for axis := range 3 {
			o := signed(shapetest.LogUniform(rng, 1e-9, 1))
			if rng.IntN(2) == 0 {
				o = 0
			}
			from[axis] = [2]float64{o, o}
			if rng.IntN(2) == 0 {
				from[axis][rng.IntN(2)] += signed(shapetest.LogUniform(rng, 1e-7, 1))
			}
			if from[axis][0] > from[axis][1] {
				from[axis][0], from[axis][1] = from[axis][1], from[axis][0]
			}
			e := o + signed(shapetest.LogUniform(rng, 1e-7, 1))
			if rng.IntN(4) == 0 {
				e = 0
			}
			to[axis] = [2]float64{e, e + shapetest.LogUniform(rng, 1e-7, 1)*float64(rng.IntN(2))}
			reach = max(reach, math.Abs(from[axis][0]), math.Abs(from[axis][1]), math.Abs(to[axis][0]), math.Abs(to[axis][1]))
		}
		slack := 2 * slackFactor * shapes.Slack * reach
		fraction := [...]float64{0, 1, rng.Float64(), most}[rng.IntN(4)]
		var bounds [2][3][fanout]float32
		for axis := range 3 {
			end := rng.IntN(2) // the segment runs along this end of both bounds
			p := from[axis][end]
			at := p + fraction*(to[axis][end]-p)
			at += float64(2*end-1) * slack * (1 - 0x1p-8)
			x[axis] = [2]float64{at, at}
			x[axis][end] += float64(2*end-1) * rng.Float64()
			bounds[0][axis][0], bounds[1][axis][0] = below(x[axis][0]), -below(-x[axis][1])
		}
		corners := func(v [3][2]float64) geom.Bounds {
			return geom.Bounds{Min: geom.Vec3{X: v[0][0], Y: v[1][0], Z: v[2][0]}, Max: geom.Vec3{X: v[0][1], Y: v[1][1], Z: v[2][1]}}
		}
		var s coneSearch
		if s.aim(corners(from), corners(to), slack); !s.meets(&bounds, 0) {
			t.Fatalf("between %v and %v, the bounds %v at the fraction %v are missed", from, to, x, fraction)
		}
	}
}
