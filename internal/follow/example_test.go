package follow_test

import (
	"fmt"
	"image"
	"pillbox"

	"pillbox/internal/follow"
	"pillbox/scene"
)

// Example follows a ray to a ball under two lights. A capsule hides one of them.
func Example() {
	s, err := scene.Decode("ball.toml", []byte(`
		[image]
		width = 3
		height = 3
		[camera]
		position = [0, 0, 4]
		look_at = [0, 0, 0]
		[[light]]
		direction = [0, 0, -1]
		[[light]]
		direction = [-1, 0, -1]
		[[sphere]]
		center = [0, 0, 0]
		radius = 1
		[[capsule]]
		a = [2, -1, 3]
		b = [2, 1, 3]
		radius = 0.3
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
	st := follow.Of(prepared)
	center := st.PixelRays(image.Pt(1, 1), 1)
	path := st.Follow(st.CameraRay(center.SampleRay(0, 0)), follow.PositionOf(&center, 0), follow.Record(1000))
	fmt.Println("meets solid", path.Hit.Object, "at", path.Hit.T)
	for _, a := range path.Lights {
		fmt.Println("light", a.Index, a.Visibility)
	}
	fmt.Println("steps of the traversal:", len(path.Traversal.Steps))
	// Output:
	// meets solid 0 at 3
	// light 0 arrives
	// light 1 blocked
	// steps of the traversal: 4
}
