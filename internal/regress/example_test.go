package regress_test

import (
	"context"
	"fmt"
	"strings"

	"pillbox"
	"pillbox/golden"
	"pillbox/internal/regress"
	"pillbox/scene"
)

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
	accepted, err := scene.Decode("accepted.toml", []byte(file))
	if err != nil {
		fmt.Println(err)
		return
	}
	edited := strings.Replace(file, "a = [-1, 1, 0]", "a = [-1, 1.1, 0]", 1)
	present, err := scene.Decode("present.toml", []byte(edited))
	if err != nil {
		fmt.Println(err)
		return
	}

	ctx := context.Background()
	want, err := pillbox.Render(ctx, accepted, pillbox.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	got, err := pillbox.Render(ctx, present, pillbox.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	diff, err := golden.Compare(got.Image, want.Image, golden.Tolerance{})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := regress.Explain(ctx, accepted, present, regress.Comparison{Want: want.Image, Got: got.Image, Diff: diff})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report)
	// Output: 156 pixels changed. Cause: capsule "arm" moved (a[1] 1 to 1.1). 143 on its silhouette, 12 of the background uncovered, 1 its shadow on box "floor"
}
