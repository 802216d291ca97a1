package accel

import "testing"

// TestDivisionsThatDoNotPayAreRare checks how often groups of rays are divided into smaller groups. All groups
// must be divided as long as little is known about their class, or if many rays then share a traversal. Otherwise,
// only one group in sharingRetry must be divided, to notice changes.
func TestDivisionsThatDoNotPayAreRare(t *testing.T) {
	var s sharing
	var x costStatistics
	divisions := func(groups, shared int) int {
		n := 0
		for range groups {
			if s.worthDividing(&x) {
				x.learnDivision(64, shared)
				n++
			}
		}
		return n
	}
	if n := divisions(100, 16); n != 100 {
		t.Errorf("with one ray in four that shares a traversal, %d groups of 100 were divided, want all", n)
	}
	divisions(20, 0) // forget
	if n := divisions(10*sharingRetry, 0); n != 10 {
		t.Errorf("with no ray that shares a traversal, %d groups of %d were divided, want 10", n, 10*sharingRetry)
	}
	divisions(5*sharingRetry, 64) // notice the change
	if n := divisions(100, 64); n != 100 {
		t.Errorf("with rays that share traversals again, %d groups of 100 were divided, want all", n)
	}
	var few costStatistics
	if !s.worthDividing(&few) {
		t.Error("a group of an unknown class was not divided")
	}
}
