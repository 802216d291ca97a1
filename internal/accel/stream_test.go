package accel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
)

// TestStreams compares rays traced in a stream with rays traced one after the other: their hits and
// their cost, with and without kernels.
func TestStreams(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 3, 40, 3000} {
		w := randomWorld(rng, n)
		for _, rays := range []int{0, 1, streaming, streamed + 1, 500} {
			queries := make([]rayQuery, rays)
			for i := range queries {
				queries[i] = randomQuery(rng, w)
			}
			for _, g := range []goal{closestHit, anyHit} {
				checkStream(t, w, queries, g)
			}
		}
	}
}

// randomWorld returns a world of n capsules, n boxes, n cylinders and a swarm of spheres.
func randomWorld(rng *rand.Rand, n int) *BVH {
	size := 0.5 / math.Cbrt(float64(n+1))
	spheres, capsules, boxes := make([]shapes.Sphere, 8*n), make([]shapes.Capsule, n), make([]shapes.Box, n)
	cylinders := make([]shapes.Cylinder, n)
	for i := range spheres { // so close together that some leaves hold eight
		spheres[i] = shapes.Sphere{Center: randomVector(rng).Scale(0.2), Radius: size / 4 * rng.Float64()}
	}
	for i := range n {
		a := randomVector(rng)
		capsules[i] = shapes.Capsule{A: a, B: a.AddScaled(size, randomVector(rng)), Radius: size / 4}
		boxes[i] = shapes.Box{Center: randomVector(rng), HalfExtents: geom.Vec3{X: size, Y: size / 2, Z: size / 3}, Rotation: geom.Identity()}
		b := randomVector(rng)
		cylinders[i] = shapes.Cylinder{A: b, B: b.AddScaled(size, randomVector(rng)), Radius: size / 4}
	}
	return New(Source{Spheres: spheres, Capsules: capsules, Boxes: boxes, Cylinders: cylinders})
}

// randomQuery returns a random query. Half of the rays leave a solid.
func randomQuery(rng *rand.Rand, w *BVH) rayQuery {
	from := randomVector(rng)
	q := rayQuery{ray: geom.Ray{Origin: from, Dir: randomVector(rng).Scale(0.2).Sub(from).Unit()}, object: noPrim, other: crossingRule(rng.IntN(2)), tMax: math.Inf(1)}
	if rng.IntN(2) == 0 {
		q.tMax = rng.Float64()
	}
	if w.Len() > 0 && rng.IntN(2) == 0 {
		q.object, q.own, q.other = w.refs[rng.IntN(w.Len())], rng.IntN(4) == 0, entering
		q.eye = w.Enclosing(randomVector(rng))
	}
	return q
}

func checkStream(t *testing.T, w *BVH, queries []rayQuery, g goal) {
	t.Helper()
	had := haveKernels
	defer func() { haveKernels = had }()
	for _, kernels := range []bool{false, had} {
		haveKernels = kernels
		alone, cost := w.newSingleTraversal(), traversalCost(0)
		want := make([]candidate, len(queries))
		for i := range queries {
			if q := &queries[i]; g == closestHit {
				want[i] = alone.nearestCrossing(q)
			} else if want[i].prim = noPrim; alone.blocked(q) {
				want[i].prim = 0
			}
			cost += alone.cost()
		}
		ended := 0
		got := w.traceStream(len(queries), g, func(a *activeRay) {
			a.query = queries[a.index]
			a.best = candidate{t: min(a.query.tMax, math.MaxFloat64), prim: noPrim}
			if g == closestHit {
				a.best = a.known(&a.query)
			}
		}, func(a *activeRay) {
			ended++
			if same := a.best == want[a.index]; g == closestHit && !same || (a.best.prim == noPrim) != (want[a.index].prim == noPrim) {
				t.Errorf("kernels %v, %d solids, ray %d of %d: %+v, alone %+v", kernels, w.Len(), a.index, len(queries), a.best, want[a.index])
			}
		})
		if ended != len(queries) || g == closestHit && got != cost {
			t.Errorf("kernels %v, %d solids: %d of %d rays ended, effort %d, alone %d", kernels, w.Len(), ended, len(queries), got, cost)
		}
	}
}
