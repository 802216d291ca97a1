package golden_test

import (
	"fmt"
	"image"
	"image/color"
	"testing"

	"pillbox/golden"
)

func square(side int, c color.NRGBA) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 100, 100))
	for y := range side {
		for x := range side {
			m.SetNRGBA(40+x, 30+y, c)
		}
	}
	return m
}

func Example() {
	want := square(10, color.NRGBA{200, 0, 0, 255})
	got := square(11, color.NRGBA{201, 0, 0, 255})

	d, err := golden.Compare(got, want, golden.Tolerance{MaxChannel: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d)
	fmt.Println("passes:", d.Passes())
	for _, c := range d.Clusters {
		fmt.Println(c.Pixels, "pixels in", c.Bounds)
	}
	// Output:
	// 21 pixels of 10000 changed in 1 cluster, largest channel difference 255 at (50, 30), first at (50, 30)
	// passes: false
	// 21 pixels in (40,30)-(51,41)
}

func ExampleCompareFLIP() {
	red := square(10, color.NRGBA{200, 0, 0, 255})
	for _, c := range []color.NRGBA{{201, 0, 0, 255}, {255, 0, 0, 255}, {0, 200, 0, 255}} {
		f, err := golden.CompareFLIP(square(10, c), red)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("mean %.4f, 99th percentile %.4f\n", f.Mean, f.P99)
	}
	// Output:
	// mean 0.0005, 99th percentile 0.0184
	// mean 0.0101, 99th percentile 0.3965
	// mean 0.0176, 99th percentile 0.7855
}

// ExampleAssert shows a test that compares an image with testdata/golden/square.png.
func ExampleAssert() {
	_ = func(t *testing.T) { // TestSquare
		golden.Assert(t, "square", square(10, color.NRGBA{200, 0, 0, 255}))
	}
}

func ExampleParseSidecar() {
	const sidecar = `
reason = "the clock shows the time of the test"
tolerance = { max_channel = 2, max_pixels = 10 }
masks = [[0, 0, 64, 32], "clock hand"]
`
	s, err := golden.ParseSidecar([]byte(sidecar), "clock.golden.toml")
	fmt.Println(s.Tolerance.MaxChannel, s.Tolerance.MaxPixels, s.Tolerance.Masks, s.Objects, err)

	_, err = golden.ParseSidecar([]byte("tolerance = { max_chanel = 2 }"), "clock.golden.toml")
	fmt.Println(err)
	// Output:
	// 2 10 [(0,0)-(64,32)] [{clock hand false false}] <nil>
	// clock.golden.toml: reason: is required: say why the image may differ
	// clock.golden.toml: tolerance.max_chanel: unknown key, want one of max_channel, max_pixels
}
