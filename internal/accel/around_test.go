package accel_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"pillbox/shapes/shapetest"
)

// TestEnclosingAllocatesLittle: rays of an orthographic camera ask what is around the place where each of them
// starts, so the memory of a walk must not be made anew.
func TestEnclosingAllocatesLittle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	w := scatter(rng, 100, 0.1, 1).world()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const calls = 1000
	for range calls {
		w.Enclosing(shapetest.Cube(rng, 10))
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / calls; each > 1000 {
		t.Errorf("a call allocates %d bytes", each)
	}
}
