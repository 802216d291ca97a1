package accel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// log is a probe that records every step of a traversal.
type log struct {
	nodes  []accel.NodeStep
	solids []accel.SolidStep
	leaf   []int // for every solid, the index of its leaf's step, or -1
}

func (l *log) Node(s accel.NodeStep) { l.nodes = append(l.nodes, s) }

func (l *log) Solid(s accel.SolidStep) {
	l.solids, l.leaf = append(l.solids, s), append(l.leaf, len(l.nodes)-1)
}

// TestWalks checks that a traversal that reports to a probe returns the same bits as the query, and that the
// reported steps agree with the result.
func TestWalks(t *testing.T) {
	for _, c := range []struct {
		solids, rays int
		lo, hi, far  float64
	}{
		{0, 10, 1, 1, 1},
		{1, 300, 0.1, 5, 1e6},
		{30, 1000, 0.1, 2, 30},
		{30, 1000, 1e-6, 1e6, 1e9},
		{1000, 500, 0.05, 0.5, 100},
	} {
		t.Run(fmt.Sprintf("solids=%d/far=%g", c.solids, c.far), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(c.solids), math.Float64bits(c.far)))
			s := scatter(rng, c.solids, c.lo, c.hi)
			world := s.world()
			for range c.rays {
				d := accel.SecondaryRay{Ray: geom.Ray{Dir: shapetest.Direction(rng)}, Object: accel.None}
				if s.len() > 0 {
					d.Ray = s.ray(rng, c.far)
					d.Object = int32(rng.IntN(s.len()+1)) - 1
				}
				d.Inside = d.Object != accel.None && rng.IntN(4) == 0
				if rng.IntN(2) == 0 {
					d.Eye = world.Enclosing(d.Ray.Origin)
				}
				dist := shapetest.LogUniform(rng, 1e-3, 10*c.far)
				checkWalks(t, s, world, d, dist)
			}
		})
	}
}

func checkWalks(t *testing.T, s *solids, world *accel.BVH, d accel.SecondaryRay, dist float64) {
	var want [1]accel.Hit
	var blocked [1]bool
	p := single(d.Ray)

	var l log
	world.Nearest(&p, want[:])
	if got := world.TraverseNearest(d.Ray, &l); got != want[0] {
		t.Fatalf("TraverseNearest(%#v) = %+v, want %+v", d.Ray, got, want[0])
	}
	l.check(t, s, d.Ray, want[0], math.MaxFloat64)

	l = log{}
	world.Reflected([]accel.SecondaryRay{d}, want[:])
	if got := world.TraverseReflected(d, &l); got != want[0] {
		t.Fatalf("TraverseReflected(%#v) = %+v, want %+v", d, got, want[0])
	}
	l.check(t, s, d.Ray, want[0], math.MaxFloat64)

	l = log{}
	world.Blocked([]accel.SecondaryRay{d}, []float64{dist}, blocked[:])
	got := world.TraverseBlocked(d, dist, &l)
	if (got.Object != accel.None) != blocked[0] {
		t.Fatalf("TraverseBlocked(%#v, %v) = %+v, want blocked %v", d, dist, got, blocked[0])
	}
	d.Inside = false // on the outside, a reflected ray hits exactly the solids that would block a shadow ray
	world.Reflected([]accel.SecondaryRay{d}, want[:])
	if blocked[0] && got != want[0] {
		t.Fatalf("TraverseBlocked(%#v, %v) = %+v, want %+v", d, dist, got, want[0])
	}
	l.check(t, s, d.Ray, got, dist)
}

// check checks that the recorded steps agree with each other, with the solids, and with hit, the result of the
// traversal.
func (l *log) check(t *testing.T, s *solids, r geom.Ray, hit accel.Hit, limit float64) {
	t.Helper()
	best, object, tested := limit, accel.None, map[int32]int{}
	for _, x := range l.solids {
		tested[x.Object]++
		if x.Best != best || x.BestObject != object {
			t.Fatalf("%+v: the best so far is solid %d at %v", x, object, best)
		}
		span, ok := s.shape(x.Object).Span(r)
		if ok == (x.Outcome == accel.Missed) && x.Outcome != accel.Own {
			t.Fatalf("%+v: Span says %v", x, ok)
		}
		if ok && (x.Near != span.Near.T || x.Far != span.Far.T) {
			t.Fatalf("%+v: Span says %v", x, span)
		}
		switch beats := x.T < best || x.T == best && object != accel.None && x.Object < object; x.Outcome {
		case accel.Accepted, accel.Farther:
			if beats != (x.Outcome == accel.Accepted) || !x.Inside && x.T != x.Near || x.Inside && x.T != x.Far {
				t.Fatalf("%+v: beats %v, span %v", x, beats, span)
			}
			if beats {
				best, object = x.T, x.Object
			}
		case accel.Behind:
			if x.Near > 0 {
				t.Fatalf("%+v: lies ahead", x)
			}
		}
	}
	if object != hit.Object || object != accel.None && best != hit.T {
		t.Fatalf("the steps end with solid %d at %v, the walk with %+v", object, best, hit)
	}

	leaves := 0
	for i, x := range l.nodes {
		leaves += x.Solids * count(x.Outcome == accel.Entered)
		if entered := x.T <= x.Limit; entered != (x.Outcome == accel.Entered) {
			t.Fatalf("%+v: entered %v", x, entered)
		}
		if i == 0 && x.Depth != 0 || i > 0 && x.Depth == 0 {
			t.Fatalf("node %d: %+v", i, x)
		}
		inParent := func(p accel.NodeStep) bool {
			return (p.Outcome == accel.Entered || p.Depth == 0) && p.Solids == 0 && p.Depth == x.Depth-1 && within(x.Bounds, p.Bounds)
		}
		if i > 0 && !slices.ContainsFunc(l.nodes[:i], inParent) {
			t.Fatalf("node %d: %+v lies in no node entered before", i, x)
		}
		// The children of a node come right after it, first those that are skipped.
		if x.Outcome == accel.Entered && x.Solids == 0 && l.nodes[i+1].Depth != x.Depth+1 {
			t.Fatalf("node %d: %+v, and then %+v", i, x, l.nodes[i+1])
		}
		if (x.Outcome == accel.Missed) != math.IsInf(x.T, 1) {
			t.Fatalf("node %d: %+v", i, x)
		}
	}
	for i, x := range l.solids {
		if l.leaf[i] >= 0 && !within(s.shape(x.Object).Bounds(), l.nodes[l.leaf[i]].Bounds) {
			t.Fatalf("%+v lies outside its leaf, %+v", x, l.nodes[l.leaf[i]])
		}
	}
	all := 0
	for _, n := range tested {
		all += n
	}
	// If a ray starts on the inner side of a solid, that solid is tested before the tree.
	if all != leaves && all != leaves+1 {
		t.Fatalf("%d solids tested, %d in the leaves entered", all, leaves)
	}
}

// within reports whether b lies in c, apart from the rounding of the bounds of nodes to single precision.
func within(b, c geom.Bounds) bool {
	c = c.Expand(0x1p-22 * c.MaxAbs())
	return c.Union(b) == c
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (s *solids) shape(number int32) shapes.Shape {
	i := int(number)
	if i < len(s.Spheres) {
		return &s.Spheres[i]
	}
	if i -= len(s.Spheres); i < len(s.Capsules) {
		return &s.Capsules[i]
	}
	if i -= len(s.Capsules); i < len(s.Boxes) {
		return &s.Boxes[i]
	}
	return &s.Cylinders[i-len(s.Boxes)]
}

// TestWalkSkipsWithReason checks the steps that are reported to a probe: the root comes first, with its bounds, and
// the closest solid is accepted.
func TestWalkSkipsWithReason(t *testing.T) {
	w := accel.New(accel.Source{Spheres: []shapes.Sphere{
		{Center: geom.Vec3{Z: -5}, Radius: 1},
		{Center: geom.Vec3{Z: -500}, Radius: 1},
		{Center: geom.Vec3{Z: 5}, Radius: 1},
		{Center: geom.Vec3{X: 900, Z: -50}, Radius: 1},
	}})
	var l log
	w.TraverseNearest(geom.Ray{Dir: geom.Vec3{Z: -1}}, &l)
	if len(l.nodes) == 0 || l.nodes[0].Outcome != accel.Entered || l.nodes[0].Bounds.Max != (geom.Vec3{X: 901, Y: 1, Z: 6}) {
		t.Errorf("the walk begins with %+v, want the root, entered", l.nodes)
	}
	i := slices.IndexFunc(l.solids, func(s accel.SolidStep) bool { return s.Object == 0 })
	if i < 0 || l.solids[i].Outcome != accel.Accepted || l.solids[i].T != 4 {
		t.Errorf("solid 0 is not accepted at 4: %+v", l.solids)
	}
}

// TestWalkEntersRoot checks that the root is reported as entered even if the ray misses the bounds of all solids or
// ends before them, because its children are tested in all cases.
func TestWalkEntersRoot(t *testing.T) {
	w := accel.New(accel.Source{Spheres: []shapes.Sphere{{Center: geom.Vec3{X: 10}, Radius: 1}, {Center: geom.Vec3{Y: 10}, Radius: 1}}})
	for _, test := range []struct {
		y, before float64
		want      accel.Outcome // of the second ball's leaf
	}{
		{y: 10, before: 100, want: accel.Entered},
		{y: 12, before: 100, want: accel.Missed}, // above all solids
		{y: 10, before: 5, want: accel.Farther},
	} {
		var l log
		r := accel.SecondaryRay{Ray: geom.Ray{Origin: geom.Vec3{Y: test.y, Z: 20}, Dir: geom.Vec3{Z: -1}}, Object: accel.None}
		w.TraverseBlocked(r, test.before, &l)
		if root := l.nodes[0]; root.Outcome != accel.Entered || root.T != 0 || root.Depth != 0 {
			t.Errorf("y = %v, before %v: the walk begins with %+v, want the root, entered", test.y, test.before, root)
		}
		if !slices.ContainsFunc(l.nodes[1:], func(n accel.NodeStep) bool { return n.Bounds.Min.Y == 9 && n.Outcome == test.want }) {
			t.Errorf("y = %v, before %v: %+v, want the leaf %v", test.y, test.before, l.nodes, test.want)
		}
	}
}

// BenchmarkWalk measures the traversal of single rays.
func BenchmarkWalk(b *testing.B) {
	for _, n := range []int{30, 1000, 100_000} {
		b.Run(fmt.Sprintf("solids=%d", n), func(b *testing.B) {
			size := 10 * math.Pow(float64(n), -1.0/3) * 0.45
			rng := rand.New(rand.NewPCG(1, 1))
			s := scatter(rng, n, size/2, size)
			w := s.world()
			rays := make([]accel.SecondaryRay, 1000)
			for i := range rays {
				rays[i] = accel.SecondaryRay{Ray: s.ray(rng, 30), Object: accel.None}
			}
			hits := make([]accel.Hit, 1)
			for b.Loop() {
				for i := range rays {
					w.Reflected(rays[i:i+1], hits)
				}
			}
			b.ReportMetric(float64(len(rays))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mray/s")
		})
	}
}
