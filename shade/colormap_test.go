package shade_test

import (
	"math"
	"testing"

	"pillbox/shade"
)

// TestColormaps compares colors with published ones: those at the ends and in the middle.
func TestColormaps(t *testing.T) {
	want := map[string][3]uint32{
		"viridis":  {0x440154, 0x21908c, 0xfde725},
		"magma":    {0x000004, 0xb6367a, 0xfcfdbf},
		"coolwarm": {0x3b4cc0, 0xdddddd, 0xb40426},
	}
	if len(shade.Colormaps()) != len(want) {
		t.Fatalf("%d color maps, want %d", len(shade.Colormaps()), len(want))
	}
	for _, m := range shade.Colormaps() {
		for i, hex := range want[m.Name()] {
			c := m.At(float64(i) / 2)
			for k, channel := range [3]float64{c.R, c.G, c.B} {
				if got, want := shade.EncodeSRGB8(channel), uint8(hex>>(16-8*k)); got != want {
					t.Errorf("%s at %v: channel %d is %d, want %d", m.Name(), float64(i)/2, k, got, want)
				}
			}
		}
		if m.At(-3) != m.At(0) || m.At(7) != m.At(1) || m.At(math.Inf(1)) != m.At(1) || m.At(math.NaN()) != m.At(0) {
			t.Errorf("%s: numbers outside 0 to 1 do not have the color of the nearer end", m.Name())
		}
	}
}

// TestColormapsAreSmooth checks that no channel jumps, and that the lightness of the sequential maps grows.
func TestColormapsAreSmooth(t *testing.T) {
	const n = 4096
	for _, m := range shade.Colormaps() {
		before := m.At(0)
		for i := 1; i <= n; i++ {
			c := m.At(float64(i) / n)
			if d := max(math.Abs(c.R-before.R), math.Abs(c.G-before.G), math.Abs(c.B-before.B)); d > 8.0/n {
				t.Errorf("%s at %d/%d jumps by %v", m.Name(), i, n, d)
			}
			light := func(c shade.Color) float64 { return 0.2126*c.R + 0.7152*c.G + 0.0722*c.B }
			if m.Name() != "coolwarm" && light(c) < light(before) {
				t.Errorf("%s at %d/%d becomes darker", m.Name(), i, n)
			}
			before = c
		}
	}
	if (shade.Colormap{}).At(0.5) != (shade.Color{}) {
		t.Error("the zero color map is not black")
	}
}
