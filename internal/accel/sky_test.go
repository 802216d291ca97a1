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

// skyWorld returns a random world of a few large solids or of many small ones.
func skyWorld(rng *rand.Rand) *BVH {
	if rng.IntN(3) > 0 {
		return coverWorld(rng)
	}
	var s Source
	for range 300 {
		p, r := shapetest.Cube(rng, 3), shapetest.LogUniform(rng, 0.02, 0.4)
		s.Spheres = append(s.Spheres, shapes.Sphere{Center: p, Radius: r})
		if rng.IntN(3) == 0 {
			s.Boxes = append(s.Boxes, shapes.Box{Center: shapetest.Cube(rng, 3), HalfExtents: geom.Vec3{X: r, Y: 0.2, Z: 0.1}, Rotation: shapetest.Rotation(rng)})
		}
	}
	return New(s)
}

// randomSky returns rays from a random point, which is on a solid or possibly inside solids. Some rays are parallel
// to the axes, or nearly so, and others pass through or near the centers of bounds. Some are marked as blocked.
func randomSky(rng *rand.Rand, w *BVH) *Sky {
	s := &Sky{Reach: math.Inf(1)}
	s.From = SecondaryRay{Ray: geom.Ray{Origin: shapetest.Cube(rng, 4)}, Object: None}
	if rng.IntN(3) == 0 {
		s.From.Eye = w.Enclosing(shapetest.Cube(rng, 3))
	}
	if hit := w.TraverseNearest(geom.Ray{Origin: s.From.Ray.Origin, Dir: shapetest.Direction(rng)}, nil); hit.Object != None && rng.IntN(5) > 0 {
		s.From.Ray.Origin, s.From.Object, s.From.Inside = hit.Point, hit.Object, hit.Inside
	}
	if rng.IntN(3) == 0 {
		s.From.Eye = w.Enclosing(s.From.Ray.Origin)
	}
	if rng.IntN(3) == 0 {
		s.Reach = shapetest.LogUniform(rng, 1e-3, 10)
	}
	for range 1 + rng.IntN(75) {
		d := shapetest.Direction(rng)
		switch rng.IntN(6) {
		case 0:
			d = geom.Vec3{X: []float64{1, -1}[rng.IntN(2)], Y: []float64{0, math.Copysign(0, -1), 1e-300, -1e-19}[rng.IntN(4)]}
			if rng.IntN(2) == 0 {
				d.X, d.Z = d.Y, d.X
			}
		case 1:
			if v, ok := geom.Direction(w.shape(w.refs[rng.IntN(w.Len())]).Bounds().Center().Sub(s.From.Ray.Origin)); ok {
				d = v
			}
		}
		s.X, s.Y, s.Z = append(s.X, d.X), append(s.Y, d.Y), append(s.Z, d.Z)
		s.Blocked = append(s.Blocked, rng.IntN(10) == 0)
	}
	return s
}

// TestBlockedSky checks that BlockedSky marks exactly the rays for which TraverseBlocked finds a solid, and does
// not change those that were marked before.
func TestBlockedSky(t *testing.T) { WithAndWithoutKernels(t, testBlockedSky) }

func testBlockedSky(t *testing.T) {
	if !haveSkyKernels && haveKernels {
		t.Skip("this machine traces rays into the sky with the kernels of Blocked")
	}
	blocked, open := 0, 0
	for seed := range effort.Of[uint64](100, 400, 4000) {
		rng := rand.New(rand.NewPCG(61, seed))
		w := skyWorld(rng)
		for range 10 {
			s := randomSky(rng, w)
			want := slices.Clone(s.Blocked)
			for k := range want {
				want[k] = want[k] || w.TraverseBlocked(s.Ray(k), s.Reach, nil).Object != None
				if want[k] {
					blocked++
				} else {
					open++
				}
			}
			if !w.BlockedSky(s) {
				t.Fatal("BlockedSky = false")
			}
			if !slices.Equal(s.Blocked, want) {
				t.Fatalf("scene %d: from %+v, blocked: %v, want %v", seed, s.From, s.Blocked, want)
			}
		}
	}
	if blocked < 5000 || open < 5000 {
		t.Errorf("%d rays were blocked, %d open", blocked, open)
	}
	none := Sky{From: SecondaryRay{Object: None}, X: []float64{1}, Y: []float64{0}, Z: []float64{0}, Reach: 1, Blocked: []bool{false}}
	if New(Source{}).BlockedSky(&none); none.Blocked[0] {
		t.Error("a ray in an empty world is blocked")
	}
}

// TestSkyAtFaces checks rays from the origin to boxes and spheres with integer coordinates, so that their bounds are exact.
// Many rays pass through corners and edges, touch spheres, or start or end exactly where they enter a solid.
func TestSkyAtFaces(t *testing.T) { WithAndWithoutKernels(t, testSkyAtFaces) }

func testSkyAtFaces(t *testing.T) {
	if !haveSkyKernels && haveKernels {
		t.Skip("this machine traces rays into the sky with the kernels of Blocked")
	}
	blocked, open := 0, 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(64, seed))
		number := func() float64 { return float64(rng.IntN(9) - 4) }
		var s Source
		for range 1 + rng.IntN(20) {
			c := geom.Vec3{X: number(), Y: number(), Z: number()}
			if seed%2 == 0 {
				s.Spheres = append(s.Spheres, shapes.Sphere{Center: c, Radius: float64(1 + rng.IntN(2))})
			} else {
				s.Boxes = append(s.Boxes, shapes.Box{Center: c, HalfExtents: geom.Vec3{X: float64(1 + rng.IntN(2)), Y: 1, Z: 1}, Rotation: geom.Identity()})
			}
		}
		w := New(s)
		sky := Sky{From: SecondaryRay{Object: None}, Reach: math.Inf(1)}
		for range 32 {
			d, ok := geom.Direction(geom.Vec3{X: number(), Y: number(), Z: number() + float64(rng.IntN(2))*rng.Float64()})
			if rng.IntN(4) == 0 {
				d, ok = [...]geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}[rng.IntN(6)], true
			}
			if ok {
				sky.X, sky.Y, sky.Z, sky.Blocked = append(sky.X, d.X), append(sky.Y, d.Y), append(sky.Z, d.Z), append(sky.Blocked, false)
			}
		}
		for k := range sky.Blocked {
			if hit := w.TraverseBlocked(sky.Ray(k), sky.Reach, nil); hit.Object != None {
				sky.Reach = [...]float64{math.Inf(1), hit.T, math.Nextafter(hit.T, math.Inf(1))}[rng.IntN(3)]
				break
			}
		}
		w.BlockedSky(&sky)
		for k, got := range sky.Blocked {
			want := w.TraverseBlocked(sky.Ray(k), sky.Reach, nil).Object != None
			if got != want {
				t.Fatalf("scene %d: the ray along %v, up to %v: blocked: %v, want %v", seed, sky.Ray(k).Ray.Dir, sky.Reach, got, want)
			}
			if want {
				blocked++
			} else {
				open++
			}
		}
	}
	if blocked < 5000 || open < 5000 {
		t.Errorf("%d rays were blocked, %d open", blocked, open)
	}
}

// TestSkyKernels compares each step of a traversal by kernels with the same step of the portable code.
func TestSkyKernels(t *testing.T) {
	if !haveKernels || !haveSkyKernels {
		t.Skip("no kernels on this machine")
	}
	steps, leaves := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(62, seed))
		w := skyWorld(rng)
		got, want := &skyTracer{bvh: w}, &skyTracer{bvh: w}
		s := randomSky(rng, w)
		s.From.Eye = nil
		n := min(len(s.X), skyGroup)
		for _, v := range []*skyTracer{got, want} {
			v.from, v.own = &s.From, w.primOf(s.From.Object)
			copy(v.rays.dir[0][:], s.X[:n])
			copy(v.rays.dir[1][:], s.Y[:n])
			copy(v.rays.dir[2][:], s.Z[:n])
			haveKernels = v == got
			v.rays.prepare(s.From.Ray.Origin, w.slack(s.From.Ray.Origin), s.Reach, n)
			v.open = 1<<n - 1
			v.sets[0], v.n = v.open, 1
		}
		haveKernels = true
		for k := range n {
			for axis := range 3 {
				if g, w := got.rays.inv[axis][k], want.rays.inv[axis][k]; g != w {
					t.Fatalf("scene %d: ray %d: reciprocal %v, want %v", seed, k, g, w)
				}
			}
		}
		for {
			some, _ := nextSky(&got.skyTraversal, w.tree.nodes)
			if want := want.next(w.tree.nodes); some != want {
				t.Fatalf("scene %d: leaves %b, want %b", seed, some, want)
			}
			h := int(want.n)
			if got.n != want.n || !slices.Equal(got.nodes[:h], want.nodes[:h]) || !slices.Equal(got.sets[:h], want.sets[:h]) {
				t.Fatalf("scene %d: stack %v, %v, want %v, %v", seed, got.nodes[:got.n], got.sets[:got.n], want.nodes[:h], want.sets[:h])
			}
			if some == 0 {
				break
			}
			if got.at != want.at {
				t.Fatalf("scene %d: node %d, want %d", seed, got.at, want.at)
			}
			steps++
			for k := range fanout {
				leaf, rays := w.tree.nodes[got.at].children[k], got.entered[k]&got.open
				if some&(1<<k) == 0 || rays == 0 {
					continue
				}
				if rays != want.entered[k]&want.open {
					t.Fatalf("scene %d: rays %b enter child %d, want %b", seed, got.entered[k], k, want.entered[k])
				}
				leaves++
				got.testLeaf(leaf, rays)
				haveKernels = false
				want.testLeaf(leaf, rays)
				haveKernels = true
				if got.open != want.open {
					t.Fatalf("scene %d: rays %b remain open, want %b", seed, got.open, want.open)
				}
			}
		}
	}
	if steps < 500 || leaves < 1000 {
		t.Errorf("%d steps, %d leaves: the test sees too little", steps, leaves)
	}
}

// TestFewSkyRays checks which rays BlockedSky traces in a large world. If there are fewer than 16 rays or no
// kernels, it must trace none of them and return false, so that its caller uses Blocked.
func TestFewSkyRays(t *testing.T) { WithAndWithoutKernels(t, testFewSkyRays) }

func testFewSkyRays(t *testing.T) {
	var s Source
	rng := rand.New(rand.NewPCG(63, 0))
	for range 20_000 {
		h := geom.Vec3{X: 0.01, Y: 0.01, Z: 0.01}
		s.Boxes = append(s.Boxes, shapes.Box{Center: shapetest.Cube(rng, 3), HalfExtents: h, Rotation: geom.Identity()})
	}
	w := New(s)
	if len(w.tree.nodes) <= cachedNodes {
		t.Fatalf("the tree has %d nodes: the world is too small", len(w.tree.nodes))
	}
	for _, n := range []int{1, 15, 16, 40} {
		sky := Sky{From: SecondaryRay{Object: None}, Reach: math.Inf(1)}
		for range n {
			d := shapetest.Direction(rng)
			sky.X, sky.Y, sky.Z = append(sky.X, d.X), append(sky.Y, d.Y), append(sky.Z, d.Z)
		}
		sky.Blocked = make([]bool, n)
		got, want := w.BlockedSky(&sky), haveKernels && haveSkyKernels && n >= 16
		if got != want || !got && slices.Contains(sky.Blocked, true) {
			t.Errorf("%d rays: BlockedSky = %v, want %v", n, got, want)
		}
	}
}
