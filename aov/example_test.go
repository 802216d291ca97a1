package aov_test

import (
	"context"
	"fmt"
	"image"

	"pillbox"
	"pillbox/aov"
	"pillbox/scene"
)

func Example() {
	s, err := scene.Decode("ball.toml", []byte(`
		[camera]
		position = [0, 0, 5]
		look_at = [0, 0, 0]
		[[sphere]]
		center = [0, 0, 0]
		radius = 1
	`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(5, 5)})
	if err != nil {
		fmt.Println(err)
		return
	}
	views, err := aov.Render(context.Background(), p, []aov.Kind{aov.Depth, aov.Cost}, pillbox.Work{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range views {
		middle := v.Values[2*5:][:5] // of five rows
		fmt.Printf("%v (%s): %.3v\n", v.Kind, v.Kind.Meaning(), middle)
	}
	// Output:
	// depth (distance along the ray): [+Inf 4.25 4 4.25 +Inf]
	// cost (nodes entered + solids tested): [1 3 3 3 1]
}
