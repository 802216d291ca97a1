package geom_test

import (
	"math"
	"testing"

	"pillbox/geom"
)

func TestClampInt(t *testing.T) {
	inf := math.Inf(1)
	for x, want := range map[float64]int{
		-inf: -3, -1e300: -3, -3.5: -3, -3: -3, -2.5: -2, -0.5: 0, 0: 0,
		4.999: 4, 5: 5, 5.5: 5, 1e300: 5, inf: 5, 0x1p63: 5, -0x1p63: -3,
	} {
		if got := geom.ClampInt(x, -3, 5); got != want {
			t.Errorf("ClampInt(%v, -3, 5) = %d, want %d", x, got, want)
		}
	}
	if got := geom.ClampInt(math.NaN(), -3, 5); got != -3 {
		t.Errorf("ClampInt(NaN, -3, 5) = %d, want -3", got)
	}
}
