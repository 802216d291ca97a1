package cast_test

import (
	"math/rand/v2"
	"pillbox"
	"testing"

	"pillbox/cast"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shapes/shapetest"
)

// BenchmarkCast casts random rays at the demo scene, from outside it.
func BenchmarkCast(b *testing.B) {
	s, err := scene.Load("../scenes/demo.toml")
	if err != nil {
		b.Fatal(err)
	}
	w, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	rays := make([][2]geom.Vec3, 1<<14)
	for i := range rays {
		from := shapetest.Direction(rng).Scale(8)
		rays[i] = [2]geom.Vec3{from, shapetest.Cube(rng, 3).Sub(from)}
	}
	for q, name := range map[cast.Query]string{cast.First: "first", cast.Ahead: "ahead", cast.Through: "through"} {
		b.Run("query="+name, func(b *testing.B) { benchmarkCast(b, w, q, rays) })
	}
}

func benchmarkCast(b *testing.B, w *pillbox.Prepared, q cast.Query, rays [][2]geom.Vec3) {
	var hits []cast.Hit
	i := 0
	for b.Loop() {
		hits, _ = cast.Cast(w, q, rays[i][0], rays[i][1], hits[:0])
		i = (i + 1) % len(rays)
	}
	b.ReportMetric(float64(b.N)/1e6/b.Elapsed().Seconds(), "Mray/s")
}
