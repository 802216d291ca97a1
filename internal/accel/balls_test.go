package accel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/shapes/shapetest"
)

// TestBalls checks which balls the method find reports in a cone. They must be those for which the method meets,
// which tests a single ball, returns true. If a ball is not found, no ray of the cone may hit the solid inside the
// ball before the end of the cone.
func TestBalls(t *testing.T) { WithAndWithoutKernels(t, testBalls) }

func testBalls(t *testing.T) {
	near, apart := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(47, seed))
		w := coverWorld(rng)
		var b balls
		for _, at := range w.refs {
			b.add(w.around(at))
		}
		for range 20 {
			angle := shapetest.LogUniform(rng, 1e-3, 1.5)
			q := ballQuery{
				ray: geom.Ray{Origin: shapetest.Cube(rng, 5), Dir: shapetest.Direction(rng)},
				sin: math.Sin(angle), cos: math.Cos(angle), far: shapetest.LogUniform(rng, 0.1, 10),
			}
			found := b.find(&q)
			for k, at := range w.refs {
				got := found[k/ballGroupSize]>>(k%ballGroupSize)&1 == 1
				center, radius := w.around(at)
				if want := q.meets(center, radius); got != want {
					t.Fatalf("scene %d: ball %d meets the cone: %v, want %v", seed, k, got, want)
				}
				if got {
					near++
					continue
				}
				apart++
				for range 30 {
					turn := angle * math.Sqrt(rng.Float64())
					side, _ := aside(shapetest.Direction(rng), q.ray.Dir)
					dir := q.ray.Dir.Scale(math.Cos(turn)).AddScaled(math.Sin(turn), side).Unit()
					if in, out, ok := w.chord(at, q.ray.Origin, dir); ok && out > 1e-9 && float64(max(in, 0)*math.Cos(turn)) < q.far-1e-9 {
						t.Fatalf("scene %d: a ray of the cone meets solid %d at %v, whose ball is apart from the cone", seed, k, in)
					}
				}
			}
			if extra := len(found)*ballGroupSize - len(w.refs); extra >= ballGroupSize || found[len(found)-1]>>(ballGroupSize-extra) != 0 {
				t.Fatalf("scene %d: find returned %08b for %d balls", seed, found, len(w.refs))
			}
		}
	}
	if near < 2000 || apart < 2000 {
		t.Errorf("%d balls met a cone, %d did not", near, apart)
	}
}
