package accel

import (
	"math"
	"math/rand/v2"
	"slices"
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

// TestBallQueryMeets compares the method meets with the distance of the ball's center from the cone, which is computed
// from the angle between the axis and the line to the center. The angle of the cone is at most 90 degrees.
func TestBallQueryMeets(t *testing.T) {
	rng := rand.New(rand.NewPCG(60, 1))
	var counts [4]int
	for range 100_000 {
		angle := rng.Float64() * math.Pi / 2
		q := ballQuery{
			ray: geom.Ray{Origin: shapetest.Cube(rng, 5), Dir: shapetest.Direction(rng)},
			sin: math.Sin(angle), cos: math.Cos(angle), far: shapetest.LogUniform(rng, 0.1, 10),
			margin: shapetest.LogUniform(rng, 1e-6, 0.1),
		}
		center, radius := q.ray.Origin.Add(shapetest.Cube(rng, 4)), shapetest.LogUniform(rng, 1e-3, 4)
		f := center.Sub(q.ray.Origin)
		away := math.Acos(f.Unit().Dot(q.ray.Dir)) - angle
		dist, place := 0.0, 0 // the ball's center is in the cone
		switch {
		case away >= math.Pi/2: // the apex is the closest point
			dist, place = f.Norm(), 1
		case away > 0: // a point of the side is the closest
			dist, place = f.Norm()*math.Sin(away), 2
		}
		gap, beyond := dist-radius-q.margin, f.Dot(q.ray.Dir)-radius-q.far
		if math.Abs(gap) < 1e-9 || math.Abs(beyond) < 1e-9 {
			continue
		}
		want := gap < 0 && beyond < 0
		if got := q.meets(center, radius); got != want {
			t.Fatalf("a ball at distance %v, of radius %v, meets the cone: %v, want %v", dist, radius, got, want)
		}
		if counts[place]++; !want {
			counts[3]++
		}
	}
	if slices.Min(counts[:]) < 5000 {
		t.Errorf("places of the centers, and balls apart from the cone: %v", counts)
	}
}
