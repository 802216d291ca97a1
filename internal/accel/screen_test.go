package accel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
)

// randomScreen returns the projection of a random packet, and the screen made from it. The packet's rays go
// roughly toward the origin, from near or far.
func randomScreen(rng *rand.Rand) (*projection, screen) {
	dir, up := randomVector(rng).Unit(), randomVector(rng)
	right := dir.Cross(up).Unit()
	p := &geom.Packet{
		Parallel: rng.IntN(3) == 0,
		Origin:   dir.Scale(-5 * rng.Float64()),
		Dir:      dir, DX: right, DY: right.Cross(dir),
		CenterX: 0.5, CenterY: 0.5, Density: 30 + 100*rng.Float64(),
		X0: rng.IntN(64), Y0: rng.IntN(64), NX: 1 + rng.IntN(packetSide), NY: 1 + rng.IntN(packetSide),
	}
	f, ok := newProjection(p, 1e-12)
	if !ok {
		panic("the vectors of a camera are not perpendicular")
	}
	f.narrow(p)
	var s screen
	s.prepare(&f)
	return &f, s
}

// randomDepths returns random distances of hits for the rays of p, and a depth buffer that was updated with some
// of these distances.
func randomDepths(rng *rand.Rand, p *geom.Packet) (*depthBuffer, *rays) {
	d, r := new(depthBuffer), new(rays)
	d.reset(p.NX, p.NY)
	for j := range p.NY {
		for i := range p.NX {
			r.t[j*packetSide+i] = 10 * rng.Float64()
			if rng.IntN(60) == 0 {
				r.t[j*packetSide+i] = math.MaxFloat64
			}
		}
	}
	for range rng.IntN(6) {
		x, y := rng.IntN(p.NX), rng.IntN(p.NY)
		d.update(r, rect{x, y, x + 1 + rng.IntN(p.NX-x), y + 1 + rng.IntN(p.NY-y)})
	}
	d.settle()
	return d, r
}

// TestScreenHoldsRays checks the method rect of a screen, which returns a rectangle of samples and a distance for
// a bounding box. If the ray of a sample passes through a point in the box, the sample must lie in the rectangle,
// and the point must not be nearer than the distance.
func TestScreenHoldsRays(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	whole := 0
	for range effort.Of(5000, 20_000, 200_000) {
		f, s := randomScreen(rng)
		p := f.packet
		i, j := rng.IntN(p.NX), rng.IntN(p.NY)
		dist := 8 * rng.Float64()
		at := p.SampleRay(i, j).At(dist)
		b := geom.Bounds{Min: at, Max: at}.Include(at.Add(randomVector(rng).Scale(rng.Float64())))
		if rng.IntN(4) == 0 {
			b = geom.Bounds{Min: at, Max: at}.Expand(rng.Float64())
		}
		r, tMin, ok := s.rect(b.Min, b.Max)
		if !ok || i < r.x0 || i >= r.x1 || j < r.y0 || j >= r.y1 || tMin > dist {
			t.Fatalf("%v of %+v is at %v in %+v: rect = %v, %v, %v", [2]int{i, j}, p, dist, b, r, tMin, ok)
		}
		if r == (rect{0, 0, p.NX, p.NY}) {
			whole++
		}
	}
	if whole > 15000 {
		t.Errorf("%d rectangles are the whole packet: the test has lost its point", whole)
	}
}

// TestScreenKernelEntersAlike compares the children of random nodes that a packet enters, and their distances,
// according to the kernel and to the portable code.
func TestScreenKernelEntersAlike(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels on this machine")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	some := 0
	for i := range effort.Of(2500, 10_000, 100_000) {
		f, s := randomScreen(rng)
		d, _ := randomDepths(rng, f.packet)
		n := 1 + rng.IntN(fanout)
		var node node
		for k := range fanout {
			b := emptyBounds32()
			if node.children[k].count = -1; k < n {
				at := randomVector(rng).Scale(2)
				x := newItem(geom.Bounds{Min: at, Max: at}.Include(at.Add(randomVector(rng).Scale(rng.Float64()))), 0)
				b, node.children[k].count = x.bounds(), 1
			}
			node.setBounds(k, &b)
		}
		var got, want entered
		s.enter(&node, &got, d)
		haveKernels = false
		s.enter(&node, &want, d)
		haveKernels = true
		children := func(e *entered) []int32 {
			var list []int32
			for _, k := range e.order[:e.n] {
				list = append(list, k&(fanout-1))
			}
			return list
		}
		a, b := children(&got), children(&want)
		for _, k := range a {
			if got.t[k] != want.t[k] {
				t.Fatalf("case %d: the kernel enters child %d at %v, the portable code at %v", i, k, got.t[k], want.t[k])
			}
		}
		slices.Sort(a) // equal distances, and nearly equal ones, in any order
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Fatalf("case %d: the kernel enters %v, the portable code %v", i, a, b)
		}
		if 0 < len(a) && len(a) < n {
			some++
		}
	}
	if some < 250 {
		t.Errorf("only %d nodes are entered in part: the test has lost its point", some)
	}
}

// TestDepthsHide checks the method hides of a depth buffer. It must return true for a square of blocks and a
// distance if all rays of these blocks have nearer hits, and false if the farthest hit is at this distance.
func TestDepthsHide(t *testing.T) { WithAndWithoutKernels(t, testDepthsHide) }

func testDepthsHide(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	hidden := 0
	for range effort.Of(1200, 5000, 50_000) {
		f, _ := randomScreen(rng)
		p := f.packet
		d, r := randomDepths(rng, p)
		d.update(r, rect{0, 0, p.NX, p.NY})
		d.settle()
		x, y := rng.IntN(p.NX), rng.IntN(p.NY)
		b := blocksOf(rect{x, y, x + 1 + rng.IntN(p.NX-x), y + 1 + rng.IntN(p.NY-y)})
		far, all := 0.0, 0.0
		for j := range p.NY {
			for i := range p.NX {
				at := r.t[j*packetSide+i]
				all = max(all, at)
				if b.x0 <= i/blockSide && i/blockSide < b.x1 && b.y0 <= j/blockSide && j/blockSide < b.y1 {
					far = max(far, at)
				}
			}
		}
		if d.farthest != float64(depth(all)) {
			t.Fatalf("farthest of %v = %v, want %v", p, d.farthest, all)
		}
		next := math.Nextafter32(depth(far), math.MaxFloat32)
		if d.hides(b, depth(far)) {
			t.Fatalf("%v hides what is at %v", b, far)
		}
		if square := b.x1-b.x0 == b.y1-b.y0; square && next > depth(far) {
			if hidden++; !d.hides(b, next) {
				t.Fatalf("%v does not hide what is beyond %v", b, far)
			}
		}
	}
	if hidden < 100 {
		t.Errorf("only %d squares hide anything: the test has lost its point", hidden)
	}
}
