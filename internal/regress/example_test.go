package regress_test

import (
	"context"
	"fmt"
	"image"
	"strings"

	"pillbox/golden"
	"pillbox/internal/regress"
	"pillbox/scene"
)

// read decodes the scene in text and renders it.
func read(text string) (regress.Version, *image.NRGBA) {
	s, err := scene.Decode("arm.toml", []byte(text))
	if err != nil {
		panic(err)
	}
	img, err := renderWhole(context.Background(), s)
	if err != nil {
		panic(err)
	}
	return regress.Version{Name: "arm.toml", Text: []byte(text), Scene: s}, img
}

func Example() {
	const file = `
[image]
width = 96
height = 64

[camera]
position = [0, 2, 8]
look_at = [0, 0.8, 0]

[[light]]
direction = [-1, -2, -1]

[[capsule]]
name = "arm"
a = [-1, 1, 0]
b = [1, 1, 0]
radius = 0.3

[[box]]
name = "floor"
center = [0, -0.5, 0]
half_extents = [4, 0.5, 4]

[[sphere]]
name = "bystander"
center = [2.4, 0.4, -1]
radius = 0.4
`
	edited := strings.Replace(file, "a = [-1, 1, 0]", "a = [-1, 1.1, 0]", 1)
	accepted, want := read(file)
	present, got := read(edited)
	c := regress.Comparison{Want: want, Got: got, Render: renderWhole}
	var err error
	if c.Diff, err = golden.Compare(c.Got, c.Want, golden.Tolerance{}); err != nil {
		fmt.Println(err)
		return
	}
	report, err := regress.Explain(context.Background(), accepted, present, c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report)
	// Output:
	// capsule[0].a[1] of "arm", 1 to 1.1: 156 by itself
	//   118 on capsule "arm"
	//   25 show capsule "arm" instead of the background
	//   12 show the background instead of capsule "arm"
	//   1 on box "floor"
}
