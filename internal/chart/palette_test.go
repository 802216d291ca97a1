package chart_test

import (
	"testing"

	"pillbox/internal/chart"
)

// TestDistinct checks that the palette's colors are opaque, that the first hundred are different, and that
// successive ones differ visibly.
func TestDistinct(t *testing.T) {
	seen := map[any]int{}
	for n := range 100 {
		c, next := chart.Distinct(n), chart.Distinct(n+1)
		if first, ok := seen[c]; ok || c.A != 0xff {
			t.Errorf("color %d is %v, as color %d is", n, c, first)
		}
		seen[c] = n
		far := 0
		for _, d := range []int{int(c.R) - int(next.R), int(c.G) - int(next.G), int(c.B) - int(next.B)} {
			far = max(far, d, -d)
		}
		if far < 50 {
			t.Errorf("colors %d and %d are %v and %v", n, n+1, c, next)
		}
	}
}
