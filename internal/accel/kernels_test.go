package accel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
)

// WithAndWithoutKernels runs test as a subtest without kernels and, if this machine has kernels, as another one
// with them.
func WithAndWithoutKernels(t *testing.T, test func(t *testing.T)) {
	if haveKernels {
		t.Run("kernels", test)
		haveKernels = false
		defer func() { haveKernels = true }()
	}
	t.Run("portable", test)
}

// TestKernelsStayInTheWindow tests solids against a window, a rectangle of rays in a packet, with kernels and with
// the portable code. Both must store the same values for the rays inside the window, and nothing for the others.
func TestKernelsStayInTheWindow(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels on this machine")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	got, want := new(packetTraversal), new(packetTraversal)
	met := 0
	for i := range 3000 {
		r := randomWindow(rng)
		world := &BVH{solids: solids{
			spheres:   []sphere{{shapes.Sphere{Center: randomVector(rng), Radius: 1}}},
			capsules:  []capsule{newCapsule(shapes.Capsule{A: randomVector(rng), B: randomVector(rng), Radius: 1}, 1)},
			boxes:     []box{{shapes.Box{Center: randomVector(rng), HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}, 2}},
			cylinders: []cylinder{newCylinder(shapes.Cylinder{A: randomVector(rng), B: randomVector(rng), Radius: 1}, 3)},

			sphereNumbers: []int32{0},
		}}
		*got = packetTraversal{bvh: world, made: math.MaxUint64}
		got.packet.Parallel = rng.IntN(2) == 0
		got.packet.Dir = randomVector(rng).Unit()
		switch rng.IntN(4) {
		case 0: // along the cylinder or across it
			got.packet.Dir = world.cylinders[0].u
		case 1: // along the capsule, which the portable code must handle
			got.packet.Dir = world.capsules[0].u
		}
		got.rays.dir = got.packet.Dir
		got.projection.o = randomVector(rng).Scale(3)
		got.litter(rng)
		got.place(rng, r)
		*want = *got

		at, tMin := newPrimRef(kind(rng.IntN(int(kinds))), 0), 2*rng.Float64()
		w := got.window(r, tMin, at)
		o := got.meet(at, &w)
		if o.undecided() {
			continue // a tie, or a line along an axis
		}
		haveKernels = false
		want.meet(at, &w) // prepares the solid for the eye
		if want.choose(r, tMin) {
			want.meetChosen(at)
		}
		haveKernels = true
		if o.met() != want.touched {
			t.Fatalf("case %d: a kernel says met: %v, want %v", i, o.met(), want.touched)
		}
		if got.rays.t != want.rays.t || got.rays.met != want.rays.met {
			t.Fatalf("case %d: a kernel stored other hits in %v", i, r)
		}
		if got.touched = want.touched; got.touched {
			met++
		}
		if got.rays.x != want.rays.x || got.rays.y != want.rays.y || got.rays.z != want.rays.z || got.rays.nx != want.rays.nx || got.rays.ny != want.rays.ny || got.rays.nz != want.rays.nz || got.raster != want.raster {
			t.Fatalf("case %d: a kernel stored beside the hits", i)
		}
	}
	if met < 1000 {
		t.Errorf("only %d windows met anything: the test has lost its point", met)
	}
}

func randomVector(rng *rand.Rand) geom.Vec3 {
	return geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
}

// randomWindow returns a random rectangle of rays in a packet. Often it begins near the packet's last ray.
func randomWindow(rng *rand.Rand) rect {
	r := rect{x0: rng.IntN(packetSide), y0: rng.IntN(packetSide)}
	if rng.IntN(2) == 0 {
		r.x0, r.y0 = packetSide-1-rng.IntN(4), packetSide-1-rng.IntN(2)
	}
	r.x1, r.y1 = r.x0+1+rng.IntN(packetSide-r.x0), r.y0+1+rng.IntN(packetSide-r.y0)
	return r
}

// litter fills all arrays of pt with unusual numbers, such as infinity and denormal numbers. NaN is not among
// them, because it does not equal itself.
func (pt *packetTraversal) litter(rng *rand.Rand) {
	odd := []float64{math.Inf(1), math.Inf(-1), math.MaxFloat64, 0, 5e-324, -1e-310, 1}
	for i := range maxRays {
		for _, a := range []*[maxRays]float64{&pt.rays.t, &pt.rays.x, &pt.rays.y, &pt.rays.z, &pt.rays.nx, &pt.rays.ny, &pt.rays.nz} {
			a[i] = odd[rng.IntN(len(odd))]
		}
		pt.rays.met[i] = rng.Int64()
	}
}

// place fills the rectangle r with rays that often hit a solid near the origin.
func (pt *packetTraversal) place(rng *rand.Rand, r rect) {
	for j := r.y0; j < r.y1; j++ {
		for i := r.x0; i < r.x1; i++ {
			k := j*packetSide + i
			v := randomVector(rng).Sub(pt.projection.o).Unit()
			if pt.packet.Parallel {
				v = randomVector(rng).AddScaled(-3, pt.packet.Dir)
			}
			pt.rays.x[k], pt.rays.y[k], pt.rays.z[k] = v.X, v.Y, v.Z
			pt.rays.t[k], pt.rays.met[k] = math.MaxFloat64, noHit
			if rng.IntN(4) == 0 {
				pt.rays.t[k], pt.rays.met[k] = 5*rng.Float64(), encodeHit(0, fromOutside)
			}
		}
	}
}

// TestKernelWalksAlike compares traversals of the kernel with those of the portable code. Both must visit the same
// leaves in the same order, after the same numbers of nodes and solids. The kernel must omit the leaves for which
// the method concerns returns false.
func TestKernelWalksAlike(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels on this machine")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	spheres := make([]shapes.Sphere, 2000)
	for i := range spheres {
		spheres[i] = shapes.Sphere{Center: randomVector(rng), Radius: 0.1 * rng.Float64()}
	}
	boxes := make([]shapes.Box, 50)
	for i := range boxes {
		boxes[i] = shapes.Box{Center: randomVector(rng), HalfExtents: geom.Vec3{X: 0.1, Y: 0.1, Z: 0.1}, Rotation: geom.Identity()}
	}
	w := New(Source{Spheres: spheres, Boxes: boxes})
	leaves, left := 0, 0
	for i := range 6000 {
		r := geom.Ray{Origin: randomVector(rng).Scale(2), Dir: randomVector(rng).Unit()}
		if rng.IntN(4) == 0 {
			r.Dir = geom.Vec3{Z: math.Copysign(1, r.Dir.Z)}
		}
		got, want := singleTraversal{BVH: w}, singleTraversal{BVH: w}
		q := rayQuery{ray: r, object: w.refs[rng.IntN(w.Len())], other: crossingRule(rng.IntN(2)), eye: make([]int32, rng.IntN(2))}
		got.start(&q)
		want.start(&q)
		for tMax := math.Inf(1); ; tMax = 30 * rng.Float64() {
			a := got.next(tMax)
			haveKernels = false
			b := want.next(tMax)
			for len(b) > 0 && !want.concerns(b) {
				left++
				b = want.next(tMax)
			}
			haveKernels = true
			if !slices.Equal(a, b) || got.visited != want.visited || got.tested != want.tested || got.n != want.n {
				t.Fatalf("ray %d: the kernel comes to %v after %d nodes, the portable code to %v after %d", i, a, got.visited, b, want.visited)
			}
			if len(a) == 0 {
				break
			}
			leaves++
		}
	}
	if leaves < 1000 || left < 1000 {
		t.Errorf("only %d leaves, and %d left out: the test has lost its point", leaves, left)
	}
}

// concerns reports whether the kernel must stop at leaf. It must if the leaf contains a solid other than a sphere,
// or a sphere that the ray may hit. It need not if the leaf's only solid is the one that the ray leaves.
func (w *singleTraversal) concerns(leaf []primRef) bool {
	if len(leaf) == 1 && leaf[0] == w.own && w.own.kind() != sphereKind {
		return false
	}
	return slices.ContainsFunc(leaf, func(at primRef) bool {
		if at.kind() != sphereKind {
			return true
		}
		near, far, ok := w.chord(at, w.ray.Origin, w.ray.Dir)
		if w.enters == onlyEnters {
			far = near
		}
		return ok && far > 0 && near <= w.tMax
	})
}

// TestKernelSlabs checks that a kernel prepares rays for tests of bounds in exactly the same way as the portable
// code.
func TestKernelSlabs(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels on this machine")
	}
	rng := rand.New(rand.NewPCG(17, 18))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0x1p-60, -0x1p-61, 0x1p-1060, math.SmallestNonzeroFloat64, 1e30, -1e300}
	number := func() float64 {
		if rng.IntN(4) == 0 {
			return special[rng.IntN(len(special))]
		}
		return rng.NormFloat64()
	}
	vector := func() geom.Vec3 { return geom.Vec3{X: number(), Y: number(), Z: number()} }
	for range 10_000 {
		r, slack := geom.Ray{Origin: vector(), Dir: vector()}, math.Abs(number())
		var got, want slabRay
		got.prepare(&r, slack)
		haveKernels = false
		want.prepare(&r, slack)
		haveKernels = true
		if got != want {
			t.Fatalf("%v with a slack of %v becomes %v in the kernel, want %v", r, slack, got, want)
		}
	}
}

// TestShadowKernels compares the kernels that test a solid against shadow rays with the portable code. Many coordinates are
// integers, so that rays touch solids, run along their axes and faces, or start or end exactly where they enter them.
func TestShadowKernels(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels on this machine")
	}
	rng := rand.New(rand.NewPCG(19, 20))
	number := func() float64 { return float64(rng.IntN(7) - 3) }
	point := func() geom.Vec3 { return geom.Vec3{X: number(), Y: number(), Z: number()} }
	blocked, open, undecided, cases := 0, 0, 0, effort.Of(1500, 8000, 80_000)
	for i := range cases {
		a, u, r := point(), [...]geom.Vec3{{X: 1}, {Y: 2}, {Z: -1}, randomVector(rng)}[rng.IntN(4)], float64(1+rng.IntN(2))
		w := New(Source{
			Spheres:   []shapes.Sphere{{Center: a, Radius: r}},
			Capsules:  []shapes.Capsule{{A: a, B: a.Add(u), Radius: r}},
			Boxes:     []shapes.Box{{Center: a, HalfExtents: geom.Vec3{X: 1, Y: r, Z: 2}, Rotation: geom.Identity()}},
			Cylinders: []shapes.Cylinder{{A: a, B: a.Add(u), Radius: r}},
		})
		at := w.refs[rng.IntN(w.Len())]
		var got, want shadowRays
		n := 1 + rng.IntN(20)
		for k := range n {
			ray := geom.Ray{Origin: point(), Dir: randomVector(rng).Unit()}
			switch rng.IntN(5) {
			case 0:
				ray.Origin = randomVector(rng).Scale(2)
			case 1:
				ray.Dir = u.Unit()
			case 2: // touches the capsule between its side and one end, up to a few rounding errors
				axis := u.Unit()
				side, _ := aside(randomVector(rng), axis)
				sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
				ray.Dir = axis.Scale(cos).AddScaled(sin, side.Cross(axis)).Unit()
				ray.Origin = a.AddScaled(float64(rng.IntN(2)), u).AddScaled(r*(1+float64(rng.IntN(17)-8)*0x1p-53), side).AddScaled(-2, ray.Dir)
			default:
				ray.Dir = [...]geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}[rng.IntN(6)]
			}
			if at.kind() == capsuleKind && ray.Dir.Cross(u).Norm() < 1e-9 && i%8 > 0 {
				ray.Dir = randomVector(rng).Unit() // rays along the axis would make the kernel leave most cases to the portable code
			}
			near, _, ok := w.chord(at, ray.Origin, ray.Dir)
			dist := [...]float64{math.Inf(1), near, 10 * rng.Float64()}[rng.IntN(3)]
			got.set(k, &ray, dist)
			want.set(k, &ray, dist)
			if ok && near > 0 && near < dist {
				want.open[k] = 0
			}
			if rng.IntN(4) == 0 {
				got.open[k], want.open[k] = 0, 0
			}
		}
		o := w.occlude(at, &got, n)
		if o.undecided() {
			undecided++
			continue
		}
		if got.open != want.open {
			t.Fatalf("case %d: %+v leaves open\n%v, want\n%v", i, w.shape(at), got.open[:n], want.open[:n])
		}
		left := 0
		for _, x := range got.open[:n] {
			if x == isOpen {
				left++
			}
		}
		if o.met() != (left > 0) {
			t.Fatalf("case %d: %d rays remain open, and the kernel says %v", i, left, o.met())
		}
		open, blocked = open+left, blocked+n-left
	}
	if min(blocked, open) < 5*cases/2 || undecided < cases/80 {
		t.Errorf("%d rays are blocked, %d open; %d cases need the portable code", blocked, open, undecided)
	}
}
