package accel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/sampler"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestFansAgreeWithBlocked compares the results of shadow rays that Cover traces together, as a fan from one
// point, with those of TraverseBlocked. In large worlds, Cover does not collect all solids near a cone, so it
// traces some rays singly. The first fan has more rays than a rayMask.
func TestFansAgreeWithBlocked(t *testing.T) { WithAndWithoutKernels(t, testFansAgreeWithBlocked) }

func testFansAgreeWithBlocked(t *testing.T) {
	blockedRays, openRays, fans, truncated := 0, 0, 0, 0
	for seed := range effort.Of[uint64](15, 60, 600) {
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
		if seed%8 == 0 {
			l.Radius = 3
		}
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
			c.Near, c.Far = 0.3*(dist-l.Radius)*(1-0x1p-39), dist*c.Cos*c.Cos*(1+0x1p-40)
			axes, cones = append(axes, d), append(cones, c)
		}
		covers := make([]Cover, len(axes))
		cast := 0
		w.Cover(&l, axes, cones, covers, func(i int, trace TraceFan) bool {
			n := 16
			if fans++; fans == 1 {
				n = maxMasked + 17
			}
			cast++
			c, frame := cones[i], sampler.Frame(axes[i].Ray.Dir)
			dist, got, want := make([]float64, n), make([]bool, n), make([]bool, n)
			dirs := sampler.Directions{X: make([]float64, n), Y: make([]float64, n), Z: make([]float64, n)}
			rays := make([]SecondaryRay, n)
			for k := range n {
				dir := frame.MulVec(sampler.Cap(rng.Float64(), rng.Float64(), c.Sin*c.Sin/(1+c.Cos))).Unit()
				dist[k] = c.Near * shapetest.Uniform(rng, 1, 1/0.3)
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
	if blockedRays < 500 || openRays < 500 || truncated == 0 {
		t.Errorf("%d rays were blocked, %d open; %d worlds had truncated lists", blockedRays, openRays, truncated)
	}
	t.Log(fans, blockedRays, openRays, truncated)
}

// TestFansAfterEndedSearches checks fans for points at which Cover has found only some of the solids. All rays must be
// blocked that TraverseBlocked finds blocked. Some points lie inside solids, and some fans have more rays than a rayMask.
func TestFansAfterEndedSearches(t *testing.T) { WithAndWithoutKernels(t, testFansAfterEndedSearches) }

func testFansAfterEndedSearches(t *testing.T) {
	blocked, open := 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(45, seed))
		w := coverWorld(rng)
		s := w.newCoverTracer()
		s.complete = false
		for k := range 20 {
			d := SecondaryRay{Ray: geom.Ray{Origin: shapetest.Cube(rng, 3)}, Object: None}
			if hit := w.TraverseNearest(geom.Ray{Origin: d.Ray.Origin, Dir: shapetest.Direction(rng)}, nil); hit.Object != None && rng.IntN(2) == 0 {
				d.Ray.Origin, d.Object, d.Inside = hit.Point, hit.Object, hit.Inside
			}
			if rng.IntN(2) == 0 {
				d.Eye = w.Enclosing(d.Ray.Origin)
			}
			s.axes, s.cones, s.point = []SecondaryRay{d}, []Cone{{Near: 0.1}}, 0
			s.near = s.near[:0]
			for k, at := range s.around.refs {
				if at != w.primOf(d.Object) && at != noPrim && rng.IntN(2) == 0 {
					s.near = append(s.near, int32(k))
				}
			}
			n := 1 + rng.IntN(40)
			if seed%20 == 0 && k == 0 {
				n = 2*maxMasked + 10
			}
			dist, got := make([]float64, n), make([]bool, n)
			dirs := sampler.Directions{X: make([]float64, n), Y: make([]float64, n), Z: make([]float64, n)}
			for k := range n {
				dirs.Set(k, shapetest.Direction(rng))
				dist[k] = shapetest.LogUniform(rng, 0.1, 10)
			}
			s.fan.trace(&dirs, dist, got)
			for k := range got {
				d.Ray.Dir = dirs.At(k)
				want := w.TraverseBlocked(d, dist[k], nil).Object != None
				if got[k] != want {
					t.Fatalf("scene %d, ray %d of %d from %+v: blocked: %v, want %v", seed, k, n, d, got[k], want)
				}
				if want {
					blocked++
				} else {
					open++
				}
			}
		}
	}
	if blocked < 5000 || open < 50_000 {
		t.Errorf("%d rays were blocked, %d open", blocked, open)
	}
}

// TestCastsStop checks that Cover does not call cast again after cast has returned false, but does so in its next call.
func TestCastsStop(t *testing.T) {
	w := New(Source{Spheres: []shapes.Sphere{{Center: geom.Vec3{Z: 1}, Radius: 0.01}}})
	l := AreaLight{Center: geom.Vec3{Z: 2}, Radius: 0.5}
	d := SecondaryRay{Ray: geom.Ray{Dir: geom.Vec3{Z: 1}}, Object: None}
	c := Cone{Sin: 0.25, Cos: math.Sqrt(1 - 0.0625), Near: 1.4, Far: 2}
	for _, want := range []int{2, 3, 1} {
		n := 0
		w.Cover(&l, []SecondaryRay{d, d, d}, []Cone{c, c, c}, make([]Cover, 3), func(int, TraceFan) bool { n++; return n < want })
		if n != want {
			t.Errorf("Cover cast %d fans, want %d", n, want)
		}
	}
}

// TestStoppedCoversLearnNothing checks that Cover does not try to share searches after cast has returned false. The
// statistics are kept for later calls: without any searches for single points, every shared search would seem a loss.
func TestStoppedCoversLearnNothing(t *testing.T) {
	src := Source{Spheres: []shapes.Sphere{{Center: geom.Vec3{Z: 1}, Radius: 0.01}}}
	l := AreaLight{Center: geom.Vec3{Z: 2}, Radius: 0.5}
	var axes []SecondaryRay
	var cones []Cone
	for object := range int32(8) {
		src.Spheres = append(src.Spheres, shapes.Sphere{Center: geom.Vec3{X: float64(object), Z: -3}, Radius: 0.1})
		for range minCovered + 1 {
			axes = append(axes, SecondaryRay{Ray: geom.Ray{Dir: geom.Vec3{Z: 1}}, Object: 1 + object})
			cones = append(cones, Cone{Sin: 0.25, Cos: math.Sqrt(1 - 0.0625), Near: 1.4, Far: 2})
		}
	}
	w := New(src)
	w.Cover(&l, axes, cones, make([]Cover, len(axes)), func(int, TraceFan) bool { return false })
	tried := 0
	for _, classes := range w.covers.list[0].sharing.classes {
		for _, x := range classes {
			tried += x.groups
		}
	}
	if tried != 1 {
		t.Errorf("Cover tried to share a search for %d groups, want only the one in which cast stopped it", tried)
	}
}

// TestCastsAtManyPoints checks that Cover casts rays from exactly the undecided points, even if there are more points than
// a group can contain. A quarter of the points leave random solids. Most of these form groups that are too small to share a
// search.
func TestCastsAtManyPoints(t *testing.T) { WithAndWithoutKernels(t, testCastsAtManyPoints) }

func testCastsAtManyPoints(t *testing.T) {
	const n = 2*maxGrouped + 100
	rng := rand.New(rand.NewPCG(50, 1))
	w := coneWorld(rng)
	l := AreaLight{Center: geom.Vec3{Z: 8}, Radius: 0.5}
	var axes []SecondaryRay
	var cones []Cone
	for range n {
		d := SecondaryRay{Ray: geom.Ray{Origin: shapetest.Cube(rng, 4)}, Object: None}
		if rng.IntN(4) == 0 {
			d.Object = int32(rng.IntN(w.Len()))
		}
		v := l.Center.Sub(d.Ray.Origin)
		dist := v.Norm()
		d.Ray.Dir = v.Div(dist)
		c := Cone{Sin: l.Radius / dist, Cos: math.Sqrt((dist-l.Radius)*(dist+l.Radius)) / dist, Near: dist - l.Radius, Far: dist}
		axes, cones = append(axes, d), append(cones, c)
	}
	covers, casts := make([]Cover, n), make([]int, n)
	w.Cover(&l, axes, cones, covers, func(i int, _ TraceFan) bool { casts[i]++; return true })
	decided := map[Cover]int{}
	for i, cover := range covers {
		decided[cover]++
		if (cover == Partial) != (casts[i] == 1) || casts[i] > 1 {
			t.Fatalf("point %d: Cover = %d after %d casts", i, cover, casts[i])
		}
	}
	if decided[Open] < 100 || decided[Partial] < 100 {
		t.Errorf("decisions: %v", decided)
	}
}
