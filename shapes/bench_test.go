package shapes_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// benchShapes returns a solid of each kind. All have about the same size and are around the origin.
func benchShapes() []struct {
	name  string
	shape shapes.Shape
} {
	return []struct {
		name  string
		shape shapes.Shape
	}{
		{"sphere", &shapes.Sphere{Radius: 1}},
		{"capsule", &shapes.Capsule{A: geom.Vec3{X: -0.6, Y: -0.3}, B: geom.Vec3{X: 0.6, Y: 0.3, Z: 0.2}, Radius: 0.5}},
		{"cylinder", &shapes.Cylinder{A: geom.Vec3{X: -0.6, Y: -0.3}, B: geom.Vec3{X: 0.6, Y: 0.3, Z: 0.2}, Radius: 0.5}},
		{"box", &shapes.Box{HalfExtents: geom.Vec3{X: 0.9, Y: 0.6, Z: 0.5}, Rotation: geom.RotationXYZ(20, 40, 60)}},
	}
}

// benchRays returns rays for benchmarks. Depending on from, they start outside and mostly hit, start outside and
// miss, or start inside.
func benchRays(from string) []geom.Ray {
	rng := rand.New(rand.NewPCG(1, 0))
	rays := make([]geom.Ray, 1024)
	for i := range rays {
		d := shapetest.Direction(rng)
		switch from {
		case "outside":
			rays[i] = geom.Ray{Origin: shapetest.Cube(rng, 1).Scale(0.5).AddScaled(-10, d), Dir: d}
		case "miss":
			rays[i] = geom.Ray{Origin: shapetest.Direction(rng).Scale(3).AddScaled(-10, d), Dir: d}
		case "inside":
			rays[i] = geom.Ray{Origin: shapetest.Cube(rng, 1).Scale(0.2), Dir: d}
		}
	}
	return rays
}

var fromKinds = []string{"outside", "miss", "inside"}

func BenchmarkIntersect(b *testing.B) {
	for _, s := range benchShapes() {
		for _, from := range fromKinds {
			b.Run(fmt.Sprintf("shape=%s/from=%s", s.name, from), func(b *testing.B) {
				rays := benchRays(from)
				i := 0
				for b.Loop() {
					s.shape.Intersect(rays[i%len(rays)], 0, 1e9)
					i++
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mray/s")
			})
		}
	}
}

func BenchmarkSpan(b *testing.B) {
	for _, s := range benchShapes() {
		b.Run("shape="+s.name, func(b *testing.B) {
			rays := benchRays("outside")
			i := 0
			for b.Loop() {
				s.shape.Span(rays[i%len(rays)])
				i++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mray/s")
		})
	}
}

func BenchmarkTouches(b *testing.B) {
	for _, s := range benchShapes() {
		b.Run("shape="+s.name, func(b *testing.B) {
			rays := benchRays("outside")
			segments := make([]geom.Segment, len(rays))
			for i, r := range rays {
				segments[i] = geom.Segment{A: r.Origin, B: r.At(10)}
			}
			i := 0
			for b.Loop() {
				s.shape.Touches(segments[i%len(segments)])
				i++
			}
		})
	}
}
