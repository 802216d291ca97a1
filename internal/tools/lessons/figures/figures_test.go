package main

import (
	"math"
	"testing"

	"pillbox/internal/chart"
)

// TestPatch checks Lambert's law in the figure: the light on each part of a patch is proportional to the cosine of
// the angle.
func TestPatch(t *testing.T) {
	for angle := 0.0; angle < 90; angle += 7 {
		if share := 1 / patch(1, angle); math.Abs(share-math.Cos(angle*math.Pi/180)) > 1e-15 {
			t.Errorf("at %g degrees, the share is %g", angle, share)
		}
	}
}

// TestFiguresAreLegible checks that no text covers another one or extends beyond the figure.
func TestFiguresAreLegible(t *testing.T) {
	for name, draw := range map[string]func() (*chart.Drawing, string){"beam": beam, "cut": cut, "slabs": slabs} {
		d, numbers := draw()
		if texts, _ := d.Collisions(); texts != 0 || numbers == "" {
			t.Errorf("%s: %d texts collide; it prints %q", name, texts, numbers)
		}
	}
}
