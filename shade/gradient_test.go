package shade_test

import (
	"testing"

	"pillbox/geom"
	"pillbox/shade"
)

func TestGradientToward(t *testing.T) {
	g := shade.Gradient{Top: shade.Color{R: 1, G: 0.5}, Bottom: shade.Color{B: 0.25}}
	up := geom.Vec3{X: 0.6, Y: 0.8}
	for _, c := range []struct {
		dir  geom.Vec3
		want shade.Color
	}{
		{up.Neg(), g.Bottom},
		{geom.Vec3{Z: 1}, shade.Color{R: 0.5, G: 0.25, B: 0.125}},
		{geom.Vec3{X: -0.8, Y: 0.6}, g.Level()},
		{up, g.Top},
		{geom.Vec3{Y: 1}, shade.Color{R: 0.9, G: 0.45, B: 0.025}},
	} {
		d := g.Toward(c.dir, up).Sub(c.want)
		if max(d.R, d.G, d.B, -d.R, -d.G, -d.B) > 1e-15 {
			t.Errorf("toward %v: %v, want %v", c.dir, g.Toward(c.dir, up), c.want)
		}
	}
	// A mixture of one color with itself would be off by a rounding.
	even := shade.Even(shade.Color{R: 0.1, G: 0.7, B: 1.0 / 3})
	for _, dir := range []geom.Vec3{{X: 1}, {X: 0.6, Y: 0.8}, {X: 0.48, Y: 0.6, Z: 0.64}} {
		if got := even.Toward(dir, geom.Vec3{Y: 1}); got != even.Top {
			t.Errorf("toward %v the same everywhere is %v, want %v", dir, got, even.Top)
		}
	}
	if even.Level() != even.Top {
		t.Errorf("Level() = %v, want %v", even.Level(), even.Top)
	}
}
