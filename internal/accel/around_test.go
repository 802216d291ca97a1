package accel_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"pillbox/shapes/shapetest"
)

// TestEnclosingAllocatesLittle checks that Enclosing does not allocate a traversal, because it is called for every ray
// of an orthographic camera.
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
