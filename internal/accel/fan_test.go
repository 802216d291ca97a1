package accel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/sampler"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestFansAgreeWithBlocked compares the results of shadow rays that Cover traces together, as a fan from one
// point, with those of TraverseBlocked. In large worlds, Cover does not collect all solids near a cone, so it
// traces some rays singly. The first fan has so many rays that they do not fit into one group.
func TestFansAgreeWithBlocked(t *testing.T) { WithAndWithoutKernels(t, testFansAgreeWithBlocked) }

func testFansAgreeWithBlocked(t *testing.T) {
	blockedRays, openRays, fans, truncated := 0, 0, 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(44, seed))
		w := coverWorld(rng)
		if seed%4 == 0 {
			var s Source
			for range 4000 {
				s.Spheres = append(s.Spheres, shapes.Sphere{Center: shapetest.Cube(rng, 3), Radius: shapetest.LogUniform(rng, 0.01, 0.05)})
				s.Boxes = append(s.Boxes, shapes.Box{Center: shapetest.Cube(rng, 3), HalfExtents: geom.Vec3{X: 0.02, Y: 0.04, Z: 0.01}, Rotation: shapetest.Rotation(rng)})
			}
			w = New(s)
		}
		l := AreaLight{Center: shapetest.Direction(rng).Scale(8), Radius: shapetest.LogUniform(rng, 0.1, 1)}
		var axes []SecondaryRay
		var cones []Cone
		eye := w.Enclosing(geom.Vec3{})
		for range 30 {
			d := SecondaryRay{Ray: geom.Ray{Origin: shapetest.Cube(rng, 4)}, Object: None, Eye: eye}
			if hit := w.TraverseNearest(geom.Ray{Origin: d.Ray.Origin, Dir: shapetest.Direction(rng)}, nil); hit.Object != None {
				d.Ray.Origin, d.Object, d.Inside = hit.Point, hit.Object, hit.Inside
			}
			v := l.Center.Sub(d.Ray.Origin)
			dist := v.Norm()
			d.Ray.Dir = v.Div(dist)
			c := Cone{Sin: l.Radius / dist, Cos: math.Sqrt((dist-l.Radius)*(dist+l.Radius)) / dist}
			c.Near, c.Far = (dist-l.Radius)*(1-0x1p-39), dist*c.Cos*c.Cos*(1+0x1p-40)
			axes, cones = append(axes, d), append(cones, c)
		}
		covers := make([]Cover, len(axes))
		cast := 0
		w.Cover(&l, axes, cones, covers, func(i int, trace TraceFan) bool {
			n := 16
			if fans++; fans == 1 {
				n = maxGrouped + 17
			}
			cast++
			c, frame := cones[i], sampler.Frame(axes[i].Ray.Dir)
			dist, got, want := make([]float64, n), make([]bool, n), make([]bool, n)
			dirs := sampler.Directions{X: make([]float64, n), Y: make([]float64, n), Z: make([]float64, n)}
			rays := make([]SecondaryRay, n)
			for k := range n {
				dir := frame.MulVec(sampler.Cap(rng.Float64(), rng.Float64(), c.Sin*c.Sin/(1+c.Cos))).Unit()
				dist[k] = c.Near * shapetest.Uniform(rng, 0.3, 1)
				rays[k] = axes[i]
				rays[k].Ray.Dir = dir
				dirs.Set(k, dir)
			}
			trace(&dirs, dist, got)
			for k := range want {
				want[k] = w.TraverseBlocked(rays[k], dist[k], nil).Object != None
			}
			for k := range want {
				if got[k] != want[k] {
					t.Fatalf("scene %d, point %d, ray %d of %d: blocked: %v, want %v", seed, i, k, n, got[k], want[k])
				}
				if want[k] {
					blockedRays++
				} else {
					openRays++
				}
			}
			return true
		})
		partial := 0
		for _, c := range covers {
			if c == Partial {
				partial++
			}
		}
		if cast != partial {
			t.Fatalf("scene %d: Cover cast %d fans, and %d points are undecided", seed, cast, partial)
		}
		if len(w.streams.list) > 0 {
			truncated++
		}
	}
	if blockedRays < 2000 || openRays < 2000 || truncated == 0 {
		t.Errorf("%d rays were blocked, %d open; %d worlds had truncated lists", blockedRays, openRays, truncated)
	}
	t.Log(fans, blockedRays, openRays, truncated)
}

// TestCastsStop checks that Cover does not call cast again after cast has returned false.
func TestCastsStop(t *testing.T) {
	w := New(Source{Spheres: []shapes.Sphere{{Center: geom.Vec3{Z: 1}, Radius: 0.01}}})
	l := AreaLight{Center: geom.Vec3{Z: 2}, Radius: 0.5}
	d := SecondaryRay{Ray: geom.Ray{Dir: geom.Vec3{Z: 1}}, Object: None}
	c := Cone{Sin: 0.25, Cos: math.Sqrt(1 - 0.0625), Near: 1.4, Far: 2}
	n := 0
	w.Cover(&l, []SecondaryRay{d, d, d}, []Cone{c, c, c}, make([]Cover, 3), func(int, TraceFan) bool { n++; return n < 2 })
	if n != 2 {
		t.Errorf("Cover cast %d fans, want 2", n)
	}
}

// TestFanKernel checks that the kernel for several spheres leaves the same rays open as the portable code, also for rays
// along tangents and for numbers that are zero, huge or not finite.
func TestFanKernel(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels")
	}
	odd := []float64{0, math.Copysign(0, -1), 1e-300, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	rng := rand.New(rand.NewPCG(55, 1))
	open, closed, ended := 0, 0, 0
	for range 4000 {
		var got, want shadowRays
		n := 1 + rng.IntN(40)
		o := shapetest.Cube(rng, 2)
		for k := range n {
			r, dist := geom.Ray{Origin: o, Dir: shapetest.Direction(rng)}, shapetest.LogUniform(rng, 0.1, 10)
			if rng.IntN(50) == 0 {
				r.Dir.Y, dist = odd[rng.IntN(len(odd))], odd[rng.IntN(len(odd))]
			}
			got.set(k, &r, dist)
			if rng.IntN(4) == 0 {
				got.open[k] = 0
			}
		}
		want = got
		spheres := make([]sphere, 1+rng.IntN(20))
		var refs []primRef
		for k := range spheres {
			b := &spheres[k]
			b.Center, b.Radius = shapetest.Cube(rng, 3), shapetest.LogUniform(rng, 0.01, 2)
			switch rng.IntN(10) {
			case 0: // a tangent
				side, _ := aside(b.Center.Sub(o), geom.Vec3{X: got.dx[0], Y: got.dy[0], Z: got.dz[0]})
				b.Center = o.Add(geom.Vec3{X: got.dx[0], Y: got.dy[0], Z: got.dz[0]}).AddScaled(b.Radius, side)
			case 1:
				b.Center.X = odd[rng.IntN(len(odd))]
			}
			refs = append(refs, newPrimRef(sphereKind, rng.IntN(k+1)))
		}
		left := false
		for _, at := range refs {
			left = false
			for k := range n {
				if want.open[k] != isOpen {
					continue
				}
				dir := geom.Vec3{X: want.dx[k], Y: want.dy[k], Z: want.dz[k]}
				if near, _, ok := spheres[at.index()].chord(o, dir); ok && near > 0 && near < want.dist[k] {
					want.open[k] = 0
				} else {
					left = true
				}
			}
			if !left {
				ended++
				break
			}
		}
		if gotLeft, ok := occludeSpheres(&got, spheres, refs, n); ok && gotLeft != left {
			t.Fatalf("rays remain open: %v, want %v", gotLeft, left)
		} else if !ok {
			t.Skip("no kernel for several spheres")
		}
		if got.open != want.open {
			t.Fatalf("open rays:\n%v, want\n%v", got.open[:n], want.open[:n])
		}
		for _, x := range got.open[:n] {
			if x == isOpen {
				open++
			} else {
				closed++
			}
		}
	}
	if open < 1000 || closed < 1000 || ended < 20 {
		t.Errorf("%d rays are open, %d blocked; none was open in %d fans", open, closed, ended)
	}
}
