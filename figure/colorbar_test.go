package figure_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pillbox"
	"pillbox/scene"
	"pillbox/shade"
)

// TestColorBar measures a color bar in a picture: its colors are those of the map, and the number 40 of a range from 0 to
// 80 stands beside the middle color.
func TestColorBar(t *testing.T) {
	s := decode(t, `
image = { width = 300, height = 200, background = "white" }
colormap = { range = [0, 80], label = "B", unit = "Å²", length = 128, corner = "top-left" }
sphere = [{ center = [0, 0, 0], radius = 1, value = 100 }]`)
	f := arrange(t, s, image.Point{})
	entries := fmt.Sprint(f.Entries())
	for _, want := range []string{`colormap "0"`, `colormap "80"`, `colormap "40"`, `colormap "B (Å²)"`} {
		if !strings.Contains(entries, want) {
			t.Errorf("no %s in %s", want, entries)
		}
	}
	middle := 0.0
	for _, e := range f.Entries() {
		if e.Text == "40" {
			middle = e.Y
		}
	}
	film := &pillbox.Film{Image: image.NewNRGBA(image.Rect(0, 0, 300, 200))}
	if err := f.Draw(t.Context(), film); err != nil {
		t.Fatal(err)
	}
	const x = 22 // in the bar
	for _, y := range []int{-60, -20, 0, 31, 60} {
		want := shade.Colormaps()[0].At((64 - float64(y)) / 128)
		got := film.Image.NRGBAAt(x, int(middle)+y)
		near := func(a uint8, b float64) bool { d := int(a) - int(shade.EncodeSRGB8(b)); return -6 <= d && d <= 6 }
		if got.A != 255 || !near(got.R, want.R) || !near(got.G, want.G) || !near(got.B, want.B) {
			t.Errorf("%d pixels below the middle, the bar has %v, want %v", y, got, color.NRGBA{shade.EncodeSRGB8(want.R), shade.EncodeSRGB8(want.G), shade.EncodeSRGB8(want.B), 255})
		}
	}
	var svg bytes.Buffer
	if err := f.WriteSVG(&svg, film.Image, 0); err != nil || !strings.Contains(svg.String(), ">40<") {
		t.Errorf("the SVG has no text 40, error %v", err)
	}
}

// TestColorBarNumbers checks the numbers beside color bars.
func TestColorBarNumbers(t *testing.T) {
	for _, test := range []struct{ bounds, want string }{
		{"[0, 1]", "0 0.2 0.4 0.6 0.8 1"},
		{"[-2, 2]", "-2 -1 0 1 2"},
		{"[12.25, 98.6]", "12.25 40 60 80 98.6"},
		{"[0, 0.00001]", "0 2·10^{-6} 4·10^{-6} 6·10^{-6} 8·10^{-6} 1·10^{-5}"},
		{"[1000000, 5000000]", "1·10^{6} 2·10^{6} 3·10^{6} 4·10^{6} 5·10^{6}"},
		{"[0.123456, 0.987654]", "0.123 0.4 0.6 0.8 0.988"},
		{"[1e5, 1e7]", "1·10^{5} 2·10^{6} 4·10^{6} 6·10^{6} 8·10^{6} 1·10^{7}"},
		{"[1700000000, 1700000060]", "1700000000 1700000010 1700000020 1700000030 1700000040 1700000050 1700000060"},
		{"[1, 1.0000001]", "1 1.00000002 1.00000004 1.00000006 1.00000008 1.0000001"},
		{"[123456789, 123456790]", "123456789 123456789.2 123456789.4 123456789.6 123456789.8 123456790"},
		{"[1e300, 1.0000001e300]", "1·10^{300} 1.00000002·10^{300} 1.00000004·10^{300} 1.00000006·10^{300} 1.00000008·10^{300} 1.0000001·10^{300}"},
		{"[1e16, 1.0000000000000002e16]", "10000000000000000 10000000000000002"},
		{"[-1.7e308, 1.7e308]", "-1.7·10^{308} 1.7·10^{308}"},
	} {
		s := decode(t, `image = { width = 300, height = 300 }
colormap = { range = %s, length = 200 }
sphere = [{ center = [0, 0, 0], radius = 1, value = 1 }]`, test.bounds)
		var got []string
		for _, e := range arrange(t, s, image.Point{}).Entries() {
			got = append(got, e.Text)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", test.bounds, strings.Join(got, " "), test.want)
		}
	}
}

// TestTicksAtBothEnds checks that a number may be as close to the upper end of a color bar as to the lower one.
func TestTicksAtBothEnds(t *testing.T) {
	bar := scene.Colormap{Range: [2]float64{0, 80}}
	var got []string
	for _, tick := range bar.Ticks(96, 24) {
		got = append(got, tick.Text)
	}
	if want := "0 20 40 60 80"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestColorBarTellsNumbersApart draws the color bars of random ranges. The numbers must ascend, and no two be the same.
func TestColorBarTellsNumbersApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		low := rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20))
		high := low + math.Abs(low)*math.Pow(10, -14*rng.Float64()) + math.Pow(10, float64(rng.IntN(40)-30))
		last, seen := math.Inf(-1), 0
		bar := scene.Colormap{Range: [2]float64{low, high}}
		for _, tick := range bar.Ticks(200, 20) {
			x := tick.Text
			mantissa, power, isScientific := strings.Cut(x, "·10^{")
			if isScientific {
				mantissa += "e" + strings.TrimSuffix(power, "}")
			}
			value, err := strconv.ParseFloat(mantissa, 64)
			if err != nil || value <= last || math.Abs(value-min(max(value, low), high)) > (high-low)/100 {
				t.Fatalf("%q after %g in a range from %g to %g, error %v", x, last, low, high, err)
			}
			last = value
			seen++
		}
		if seen < 2 || seen > 12 {
			t.Errorf("%d numbers in a range from %g to %g", seen, low, high)
		}
	}
}
