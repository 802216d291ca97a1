package accel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// The tests in this file search for rays that need as much as possible of the margins that keep rounding errors from
// culling a hit. They construct a ray and improve it by hill climbing. Each constant is checked from both sides. No ray
// may need more, or a hit would be culled. Some ray must need more than half, or the derivation in the constant's
// comment would be too pessimistic. The rays are also traced and compared with brute force.

// climb tries n random changes of the best value so far, starting with start, in smaller and smaller steps. It
// returns the value with the highest score, and this score.
func climb[T any](n int, start T, change func(x T, step float64) T, score func(T) float64) (T, float64) {
	best, top := start, score(start)
	for i := range n {
		next := change(best, math.Pow(0x1p-30, float64(i)/float64(n)))
		if s := score(next); s > top {
			best, top = next, s
		}
	}
	return best, top
}

// least returns the smallest number in [0, hi] for which ok returns true. The function ok must return true for all
// larger numbers, too.
func least(hi float64, ok func(float64) bool) float64 {
	if ok(0) {
		return 0
	}
	lo := 0.0
	for range 30 {
		if m := (lo + hi) / 2; ok(m) {
			hi = m
		} else {
			lo = m
		}
	}
	return hi
}

// checkTight checks a margin: the largest margin that any test case needs must be at most the number allowed, and
// more than half of it.
func checkTight(t *testing.T, need, allowed float64) {
	t.Helper()
	t.Logf("needs %.3f of %.3f", need, allowed)
	if need > allowed {
		t.Errorf("a hit needs %v, allowed are %v", need, allowed)
	}
	if need < allowed/2 {
		t.Errorf("no hit needs more than %v: %v is more than twice as much", need, allowed)
	}
}

// checkPacket compares the nearest hits of a packet with brute force.
func checkPacket(t *testing.T, world *BVH, brute *BruteForce, p *geom.Packet) {
	t.Helper()
	got, want := make([]Hit, p.Len()), make([]Hit, p.Len())
	world.Nearest(p, got)
	if brute.Nearest(p, want) == 0 {
		t.Fatalf("all rays of %#v miss", *p)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("ray %d of %#v: %+v, want %+v", i, *p, got[i], want[i])
		}
	}
}

// corner describes a ray past a corner of a box that is almost parallel to the axes. The box's rotation is as far
// from orthonormal as package shapes permits, so the corner lies farther out than the half extents suggest.
type corner struct {
	center, half, normal geom.Vec3 // the ray is perpendicular to the normal
	turn, away           float64   // its angle about the normal, and how far the corner is
}

// thinPlate returns a thin box and a ray that starts at its middle and passes one of its corners. Two half extents are
// as large as the coordinates, and the coordinates of the ray's origin are small.
func thinPlate() corner {
	return corner{
		center: geom.Vec3{X: 0.92}, half: geom.Vec3{X: 0.08, Y: 1, Z: 1},
		normal: geom.Vec3{X: -1, Y: 0.42, Z: 0.42}, away: 1.64,
	}
}

func (x corner) change(rng *rand.Rand, step float64) corner {
	for _, v := range []*geom.Vec3{&x.center, &x.half, &x.normal} {
		*v = v.AddScaled(step*float64(rng.IntN(2)), shapetest.Cube(rng, 0.1))
	}
	x.turn += step * shapetest.Uniform(rng, -3, 3)
	x.away += step * shapetest.Uniform(rng, -0.1, 0.1)
	return x
}

// build returns the box and a packet of only the ray past its corner. ok is false if there is no such ray.
func (x corner) build(parallel bool) (b shapes.Box, p geom.Packet, ok bool) {
	n := x.normal.Unit()
	b = shapes.Box{Center: x.center, HalfExtents: x.half, Rotation: shapetest.Skew(geom.Identity(), n)}
	if b.Validate() != nil {
		return b, p, false
	}
	tip := shapetest.Corner(&b, n).Sub(b.Center)
	u := n.Cross(b.Center).Unit()
	sin, cos := math.Sincos(x.turn)
	d := u.Scale(sin).AddScaled(cos, n.Cross(u)).Unit()
	for inward := 0x1p-52; inward < 0x1p-48; inward *= 1.2 {
		p = geom.Packet{
			Parallel: parallel,
			Origin:   b.Center.AddScaled(1-inward, tip).AddScaled(-x.away, d),
			Dir:      d,
			DX:       n.AddScaled(-n.Dot(d), d).Scale(0x1p-40),
			DY:       d.Cross(n).Scale(0x1p-40),
			CenterX:  0.5, CenterY: 0.5, Density: 1, NX: 1, NY: 1,
		}
		if span, ok := b.Span(p.SampleRay(0, 0)); ok && span.Near.T > 0 {
			return b, p, true
		}
	}
	return b, p, false
}

// slackNeeded returns the smallest slack, in units of slackFactor, with which the projection of the box to the
// packet includes the ray. It returns 0 if the ray misses the box.
func (x corner) slackNeeded() float64 {
	b, p, ok := x.build(true)
	if !ok {
		return 0
	}
	solid := box{b, 0}
	unit := shapes.Slack * (p.Origin.MaxAbs() + b.Bounds().MaxAbs())
	return least(2*slackFactor, func(factor float64) bool {
		f, _ := newProjection(&p, factor*unit)
		f.narrow(&p)
		var l laneProjection
		l.prepare(&f)
		r, _ := f.box(&solid, &l)
		return !r.empty()
	})
}

func TestSlackIsTight(t *testing.T) { WithAndWithoutKernels(t, testSlackIsTight) }

func testSlackIsTight(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	start, _ := climb(300, thinPlate(), func(x corner, _ float64) corner {
		x.turn = shapetest.Uniform(rng, 0, 2*math.Pi)
		return x
	}, corner.slackNeeded)
	best, need := climb(3000, start, func(x corner, step float64) corner { return x.change(rng, step) }, corner.slackNeeded)
	checkTight(t, need, slackFactor)

	for _, parallel := range []bool{false, true} {
		b, p, ok := best.build(parallel)
		if !ok {
			continue
		}
		world, brute := New(Source{Boxes: []shapes.Box{b}}), NewBruteForce(Source{Boxes: []shapes.Box{b}})
		checkPacket(t, world, brute, &p)
		d := []SecondaryRay{{Ray: p.SampleRay(0, 0), Object: None}}
		var hit [1]Hit
		var blocked [1]bool
		world.Reflected(d, hit[:])
		world.Blocked(d, []float64{math.Inf(1)}, blocked[:])
		if hit[0].Object != 0 || !blocked[0] {
			t.Errorf("the ray %v meets %+v, blocked: %v", d[0].Ray, hit[0], blocked[0])
		}
	}
}

// tangent describes a sphere that touches a ray of an orthographic picture. The number of the packet's first
// column is just below a power of two. The number of the ray's column is just above it, and therefore has a larger
// rounding error. The samples are so far apart that the slack has almost no effect.
type tangent struct {
	density       float64 // also the number of samples from the edge of the picture to its middle
	first, column int     // X0, and the ray's column in the packet
	side, depth   float64
}

func randomTangent(rng *rand.Rand) tangent {
	const octave = 1 << 18
	for {
		x := tangent{
			density: octave + shapetest.Uniform(rng, 1, packetSide), first: octave - 1, column: 1 + rng.IntN(packetSide-1),
			side:  float64(2*rng.IntN(2) - 1), // the sphere's center is to the left of the ray if it is -1
			depth: shapetest.LogUniform(rng, 0x1p-51, 0x1p-47),
		}
		if sample := float64(x.first+x.column) + 0.5; sample/x.density*x.density != sample {
			return x
		}
	}
}

func (x tangent) build() (shapes.Sphere, geom.Packet) {
	p := geom.Packet{
		Parallel: true, Origin: geom.Vec3{Z: 2}, Dir: geom.Vec3{Z: -1},
		DX: geom.Vec3{X: 1000 * x.density}, DY: geom.Vec3{Y: 1000 * x.density},
		CenterX: 1, CenterY: 0.5 / x.density, Density: x.density, X0: x.first, NX: packetSide, NY: 1,
	}
	o := p.SampleRay(x.column, 0).Origin
	return shapes.Sphere{Center: geom.Vec3{X: o.X + x.side*(1-x.depth)/2, Y: o.Y}, Radius: 0.5}, p
}

// marginNeeded returns the smallest margin, in units of marginFactor, with which the projection of the sphere to
// the packet includes the ray. It returns 0 if the ray misses the sphere. The slack is that of a BVH of this
// sphere.
func (x tangent) marginNeeded() float64 {
	s, p := x.build()
	if _, ok := s.Span(p.SampleRay(x.column, 0)); !ok {
		return 0
	}
	w := New(Source{Spheres: []shapes.Sphere{s}})
	f, _ := newProjection(&p, w.slackIn(p.Origins().Include(p.Origin)))
	f.narrow(&p)
	unit := f.margin / marginFactor
	return least(2*marginFactor, func(factor float64) bool {
		f.margin = factor * unit
		var l laneProjection
		l.prepare(&f)
		r, _ := f.sphere(&w.spheres[0], &l)
		return !r.empty() && r.x0 <= x.column && x.column < r.x1
	})
}

func TestMarginIsTight(t *testing.T) { WithAndWithoutKernels(t, testMarginIsTight) }

func testMarginIsTight(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 0))
	best, need := climb(30, randomTangent(rng), func(tangent, float64) tangent { return randomTangent(rng) }, tangent.marginNeeded)
	checkTight(t, need, marginFactor)
	s, p := best.build()
	checkPacket(t, New(Source{Spheres: []shapes.Sphere{s}}), NewBruteForce(Source{Spheres: []shapes.Sphere{s}}), &p)
}

// skewPacket returns two rays of a packet whose DX and DY are as far from perpendicular as [newProjection]
// accepts. The unscaled direction of the first ray is shorter than the packet's direction nearest to the
// axis.
func skewPacket() geom.Packet {
	const (
		skew = 0x1.6ap-16 // almost 2^-15.5
		up   = 8
	)
	return geom.Packet{
		Dir: geom.Vec3{Z: -1}, DX: geom.Vec3{X: 2 * skew * up}, DY: geom.Vec3{X: up * skew, Y: up * math.Sqrt(1-skew*skew)},
		CenterY: 1.5, Density: 1, X0: -1, NX: 2, NY: 1,
	}
}

// TestShortestIsTight checks the margin shortestLoss in the estimate of a packet's shortest direction. It also
// compares packets with brute force in scenes with a wall close behind another one. Whether the wall behind is
// culled depends on this estimate.
func TestShortestIsTight(t *testing.T) { WithAndWithoutKernels(t, testShortestIsTight) }

func testShortestIsTight(t *testing.T) {
	p := skewPacket()
	f, ok := newProjection(&p, 0)
	if !ok {
		t.Fatal("the packet is too skew")
	}
	f.narrow(&p)
	least := p.Dir.AddScaled(0.5+p.CenterY-1, p.DY).AddScaled(-0.5, p.DX).Norm()
	allowed := shortestLoss
	need := 1 - least/(f.shortest/(1-shortestLoss))
	checkTight(t, need*0x1p32, allowed*0x1p32)

	wall := func(z float64) shapes.Box {
		return shapes.Box{Center: geom.Vec3{Z: -z - 1}, HalfExtents: geom.Vec3{X: 20, Y: 20, Z: 1}, Rotation: geom.Identity()}
	}
	for _, gap := range []float64{0.1, 0.2, 0.4, 0.6, 0.8, 0.9} {
		walls := []shapes.Box{wall(2 * (1 + gap*need)), wall(2)}
		checkPacket(t, New(Source{Boxes: walls}), NewBruteForce(Source{Boxes: walls}), &p)
	}
}

// TestShaftsReachEveryHit checks that rays traced together hit a sphere along the diagonal of the coordinate axes,
// where a solid can be farthest from their origin. It also checks that the margin reachFactor is less than twice
// as large as this case needs.
func TestShaftsReachEveryHit(t *testing.T) { WithAndWithoutKernels(t, testShaftsReachEveryHit) }

func testShaftsReachEveryHit(t *testing.T) {
	corner := geom.Vec3{X: 1, Y: 1, Z: 1}
	w := New(Source{Spheres: []shapes.Sphere{{Center: corner.Scale(1 - 1e-3), Radius: 1e-3}}})
	rays := make([]SecondaryRay, minShared)
	dist := make([]float64, len(rays))
	for i := range rays {
		rays[i] = SecondaryRay{Ray: geom.Ray{Origin: corner.Scale(-1), Dir: corner.Unit()}, Object: None}
		dist[i] = math.Inf(1)
	}
	hits, blocked := make([]Hit, len(rays)), make([]bool, len(rays))
	w.Reflected(rays, hits)
	w.Blocked(rays, dist, blocked)
	for i := range rays {
		if hits[i].Object != 0 || !blocked[i] {
			t.Errorf("ray %d meets %+v, blocked: %v", i, hits[i], blocked[i])
		}
	}
	checkTight(t, hits[0].T/2, reachFactor)
}

// TestPairSlackIsTight checks that Pairs finds a tiny sphere at the corner of a box whose rotation is not
// orthonormal, so that the corner sticks out of the box's bounds. It also checks that the margin pairSlack is less
// than twice as large as this case needs.
func TestPairSlackIsTight(t *testing.T) {
	toward := geom.Vec3{X: 1, Y: 1, Z: 1}
	m := geom.Mat3{X: geom.Vec3{X: 1, Y: -1e-6, Z: -1e-6}, Y: geom.Vec3{X: 1e-6, Y: 1}, Z: geom.Vec3{X: 1e-6, Z: 1}}
	m.Y = m.Y.AddScaled(-m.Y.Dot(m.X), m.X).Unit()
	m.X = m.X.Unit()
	m.Z = m.X.Cross(m.Y)
	b := shapes.Box{HalfExtents: toward, Rotation: shapetest.Skew(m, toward)}
	tip := shapetest.Corner(&b, toward)
	all := b.Bounds()
	checkTight(t, (tip.X-all.Max.X)/all.MaxAbs()*0x1p46, pairSlack*0x1p46)

	n := 0
	for range New(Source{Spheres: []shapes.Sphere{{Center: tip, Radius: geom.MinSize}}, Boxes: []shapes.Box{b}}).Pairs() {
		n++
	}
	if n != 1 {
		t.Errorf("%d pairs, want 1: %v lies in the box", n, tip)
	}
}

// TestPairsOfTinyAndHuge checks that Pairs finds small spheres that touch large ones. In single precision, the
// bounds of the large spheres have rounding errors that exceed the size of the small ones.
func TestPairsOfTinyAndHuge(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 0))
	for range 2000 {
		k := math.Round(1e9*shapetest.Uniform(rng, 1, 10)) / 10
		spheres := []shapes.Sphere{{Center: geom.Vec3{X: 0.3}, Radius: 0.1}, {Center: geom.Vec3{X: -k}, Radius: k + 0.2}}
		for i := range 20 { // so that the large one has a leaf of its own
			spheres = append(spheres, shapes.Sphere{Center: geom.Vec3{X: float64(i + 1)}, Radius: 0.1})
		}
		n := 0
		for range New(Source{Spheres: spheres}).Pairs() {
			n++
		}
		if n != 1 {
			t.Fatalf("%d pairs of %v, want 1", n, spheres)
		}
	}
}
