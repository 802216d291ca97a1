package shade

import (
	"math"
	"testing"
)

func TestFogShare(t *testing.T) {
	f := Fog{Near: 2, Far: 6, Strength: 0.5}
	for depth, want := range map[float64]float64{math.Inf(-1): 0, -1: 0, 2: 0, 3: 0.125, 4: 0.25, 6: 0.5, 7: 0.5, math.Inf(1): 0.5} {
		if got := f.Share(depth); got != want {
			t.Errorf("Share(%v) = %v, want %v", depth, got, want)
		}
	}
	for _, far := range []float64{2, 1, 0} {
		f.Far = far
		if got := [2]float64{f.Share(2), f.Share(math.Nextafter(2, 3))}; got != [2]float64{0, 0.5} {
			t.Errorf("far %v: the shares at and after near are %v", far, got)
		}
	}
}

// TestFogOver checks that no fog keeps every bit of a color, and that full fog hides it.
func TestFogOver(t *testing.T) {
	f := Fog{Near: 1, Far: 3, Strength: 1, Color: Color{0.25, 0.5, 1}}
	c := Color{0.1, 1.7, 0.3}
	for depth, want := range map[float64]Color{0.5: c, 1: c, 2: c.Mix(f.Color, 0.5), 3: f.Color, 9: f.Color} {
		if got := f.Over(c, depth); got != want {
			t.Errorf("at depth %v: %v, want %v", depth, got, want)
		}
	}
}
