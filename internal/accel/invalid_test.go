package accel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/sampler"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// wrong lists numbers that make a solid invalid in most of its fields.
var wrong = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -1e300, -1, 0}

// TestInvalidSolids checks that queries terminate if some solids are invalid. Their results may be wrong.
func TestInvalidSolids(t *testing.T) { accel.WithAndWithoutKernels(t, testInvalidSolids) }

func testInvalidSolids(t *testing.T) {
	for i := range effort.Of(100, 500, 5000) {
		rng := rand.New(rand.NewPCG(23, uint64(i)))
		s := scatter(rng, 1+rng.IntN(60), 0.1, 2)
		fields := s.fields()
		for range 1 + rng.IntN(6)*rng.IntN(10) {
			*fields[rng.IntN(len(fields))] = wrong[rng.IntN(len(wrong))]
		}
		askEverything(t, rng, s)
	}
}

// TestManyInvalidSolids checks that building and querying a tree ends if all solids are invalid. There are so many
// of them that several goroutines build the tree.
func TestManyInvalidSolids(t *testing.T) {
	n := effort.Of(1200, 10_000, 10_000)
	for _, x := range wrong {
		rng := rand.New(rand.NewPCG(24, 0))
		var s solids
		for range n {
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: geom.Vec3{X: x}, Radius: 1})
			// The bounds of these capsules are inverted across the axis but not along it, so their area is
			// negative.
			a := shapetest.Cube(rng, 1)
			s.Capsules = append(s.Capsules, shapes.Capsule{A: a, B: a.Add(geom.Vec3{X: 10}), Radius: -rng.Float64()})
		}
		askEverything(t, rng, &s)
	}
}

// fields returns pointers to all numbers that describe the solids.
func (s *solids) fields() []*float64 {
	var fields []*float64
	add := func(vectors ...*geom.Vec3) {
		for _, v := range vectors {
			fields = append(fields, &v.X, &v.Y, &v.Z)
		}
	}
	for i := range s.Spheres {
		x := &s.Spheres[i]
		add(&x.Center)
		fields = append(fields, &x.Radius)
	}
	for i := range s.Capsules {
		x := &s.Capsules[i]
		add(&x.A, &x.B)
		fields = append(fields, &x.Radius)
	}
	for i := range s.Boxes {
		x := &s.Boxes[i]
		add(&x.Center, &x.HalfExtents, &x.Rotation.X, &x.Rotation.Y, &x.Rotation.Z)
	}
	for i := range s.Cylinders {
		x := &s.Cylinders[i]
		add(&x.A, &x.B)
		fields = append(fields, &x.Radius)
	}
	return fields
}

// askEverything runs every query on a BVH of the solids, and ignores the results.
func askEverything(t *testing.T, rng *rand.Rand, s *solids) {
	t.Helper()
	world := s.world()
	p, err := packet(rng, camera.Camera{
		Projection: camera.Projection(rng.IntN(2)), Position: geom.Vec3{Z: 30}, Up: camera.DefaultUp(),
		FOV: 40, ViewHeight: 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	hits := make([]accel.Hit, p.Len())
	world.Nearest(&p, hits)
	rays := make([]accel.SecondaryRay, 40)
	dist := make([]float64, len(rays))
	for i := range rays {
		d := &rays[i]
		d.Ray, d.Object = p.At(rng.IntN(p.Len())), int32(rng.IntN(s.len()+1))-1
		d.Inside = d.Object != accel.None && rng.IntN(2) == 0
		d.Eye = world.Enclosing(d.Ray.Origin)
		dist[i] = 30
		world.TraverseNearest(d.Ray, nil)
		world.TraverseReflected(*d, &log{})
	}
	world.Reflected(rays, make([]accel.Hit, len(rays)))
	world.Blocked(rays, dist, make([]bool, len(rays)))
	world.MayOcclude(rays[0].Ray.Origin, shapetest.Direction(rng), rays[0].Object, 30)
	askForSoftLight(world, rng, rays[:8])
	world.Touching(shapetest.Cube(rng, 3))
	world.Near(geom.Bounds{Max: shapetest.Cube(rng, 3)})
	if s.len() < 1000 { // otherwise there may be too many pairs
		for range world.Pairs() {
		}
	}
}

// askForSoftLight runs the queries for lights with a size and for ambient occlusion.
func askForSoftLight(world *accel.BVH, rng *rand.Rand, rays []accel.SecondaryRay) {
	const n = 9
	dirs := sampler.Directions{X: make([]float64, n), Y: make([]float64, n), Z: make([]float64, n)}
	for k := range n {
		dirs.Set(k, shapetest.Direction(rng))
	}
	for _, l := range []accel.AreaLight{{Center: geom.Vec3{Y: 20}, Radius: 1}, {Axis: geom.Vec3{Y: 1}, Sin: 0.6, Cos: 0.8}} {
		axes, cones := slices.Clone(rays), make([]accel.Cone, len(rays))
		for i := range axes {
			axes[i].Ray.Dir = l.Axis
			cones[i] = accel.Cone{Sin: l.Sin, Cos: l.Cos, Near: math.Inf(1), Far: math.Inf(1)}
			if l.Radius > 0 {
				v := l.Center.Sub(axes[i].Ray.Origin)
				d := v.Norm()
				axes[i].Ray.Dir = v.Div(d)
				cones[i] = accel.Cone{Sin: l.Radius / d, Cos: math.Sqrt(1 - l.Radius*l.Radius/d/d), Near: d - l.Radius, Far: d}
			}
		}
		world.Cover(&l, axes, cones, make([]accel.Cover, len(axes)), func(_ int, trace accel.TraceFan) bool {
			trace(&dirs, make([]float64, n), make([]bool, n))
			return true
		})
	}
	sky := accel.Sky{From: rays[0], X: dirs.X, Y: dirs.Y, Z: dirs.Z, Reach: math.Inf(1), Blocked: make([]bool, n)}
	world.BlockedSky(&sky)
}
