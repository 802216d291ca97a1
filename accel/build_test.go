package accel

import "testing"

// TestHeightBelowPlanes halves a long list whose first items are the largest, so that every
// node cuts its first half again, and leaves the other one to a single child.
func TestHeightBelowPlanes(t *testing.T) {
	items := make([]item, 1<<21)
	for i := range items {
		size := float32(len(items) - i)
		items[i] = item{bounds32{max: [3]float32{size, size, size}}, int32(i)}
	}
	c := cluster{items: items, all: boundsOf(items)}
	nodes := nodesOver(c, sahDepth)
	var height func(at int32) int
	height = func(at int32) int {
		most := 0
		for _, c := range nodes[at].children {
			if c.count == 0 {
				most = max(most, height(c.first))
			}
		}
		return 1 + most
	}
	got := height(0)
	t.Logf("%d levels", got)
	if most := maxDepth - sahDepth; got > most {
		t.Errorf("the tree has %d levels, want at most %d", got, most)
	}
}
