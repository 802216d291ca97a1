package explain_test

import (
	"fmt"
	"image"
	"os"

	"pillbox"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/scene"
)

func Example() {
	s, err := scene.Decode("ball.toml", []byte(`
		[[sphere]]
		name = "ball"
		center = [3, 0, -2]
		radius = 2.2
	`))
	if err != nil {
		fmt.Println(err)
		return
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		fmt.Println(err)
		return
	}
	tracer := explain.New(prepared)
	x := tracer.Segment(geom.Segment{B: geom.Vec3{X: 5}})
	if err := x.Document(explain.Usual).WriteText(os.Stdout, explain.TextStyle{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ball.toml: a segment
	//
	//   The segment touches 1 of 1 solid.
	//
	//   Numbers are rounded, with enough digits for every equation to come out as printed. · is the dot
	//   product, × the cross product, |v| the length of v, and v.x its x coordinate.
	//
	//   one end of the segment P = (0, 0, 0), the other Q = (5, 0, 0)
	//
	//   sphere "ball": touched
	//
	//     center c = (3, 0, -2), radius r = 2.2
	//     P' = P - c = (0, 0, 0) - (3, 0, -2) = (-3, 0, 2)   the segment relative to the center
	//     Q' = Q - c = (5, 0, 0) - (3, 0, -2) = (2, 0, 2)
	//     e  = Q' - P' = (2, 0, 2) - (-3, 0, 2) = (5, 0, 0)   along the segment
	//     g  = e · ((0, 0, 0) - P')   position along it, times its length
	//        = (5, 0, 0) · ((0, 0, 0) - (-3, 0, 2))
	//        = 15
	//     s  = g / |e|² = 15 / |(5, 0, 0)|² = 0.6   0 at the first end, 1 at the second
	//     k  = P' + s e = (-3, 0, 2) + 0.6 (5, 0, 0) = (0, 0, 2)   the closest point
	//     |k|² <= r²: |(0, 0, 2)|² <= 2.2²: 4 <= 4.84   accepted: the segment touches the solid
}

// ExampleTracer_Pixel prints which lights reach the pixel in the middle of a picture.
func ExampleTracer_Pixel() {
	s, err := scene.Decode("ball.toml", []byte(`
		[image]
		width = 3
		height = 3
		[camera]
		position = [0, 0, 5]
		look_at = [0, 0, 0]
		[[sphere]]
		center = [0, 0, 0]
		radius = 2
		[[light]]
		position = [0, 9, 9]
		[[light]]
		position = [0, 0, -9]
	`))
	if err != nil {
		fmt.Println(err)
		return
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		fmt.Println(err)
		return
	}
	pixel, err := explain.New(prepared).Pixel(image.Pt(1, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	if hit := pixel.Samples[0].Hit; hit != nil {
		fmt.Println(s.Label(int(hit.Object)), "at", hit.T)
		for _, light := range hit.Lights {
			fmt.Println("light", light.Light, light.Visibility)
		}
	}
	// Output:
	// sphere[0] at 3
	// light 0 arrives
	// light 1 faces away
}
