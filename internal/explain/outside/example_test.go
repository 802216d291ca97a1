package outside_test

import (
	"context"
	"fmt"
	"image"

	"pillbox"
	"pillbox/internal/explain/outside"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// Example renders the ray of a pixel as seen from outside.
func Example() {
	s, err := scene.Decode("ball.toml", []byte(`
		[camera]
		position = [0, 0, 5]
		look_at = [0, 0, 0]
		[[sphere]]
		name = "ball"
		center = [0, 0, 0]
		radius = 1
	`))
	if err != nil {
		fmt.Println(err)
		return
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(3, 3)})
	if err != nil {
		fmt.Println(err)
		return
	}
	st, pixel := follow.Of(prepared), image.Pt(1, 1)
	rays := st.PixelRays(pixel, 1)
	path := st.Follow(st.CameraRay(rays.SampleRay(0, 0)), follow.PositionOf(&rays, 0), nil)

	subject := &outside.Subject{Prepared: prepared, Pixel: &pixel, Path: path}
	from := subject.Camera()
	from.Position.X += 5
	marks := subject.Marks(from)
	for i := range marks.Objects.Len() {
		if marks.Objects.Name(i) == "camera ray" {
			c := marks.Capsules[i-len(marks.Spheres)]
			fmt.Println("the camera ray leads from", c.A, "to", c.B)
		}
	}
	img, err := subject.Render(context.Background(), outside.Picture{Camera: from, Size: image.Pt(40, 30), Antialias: 1})
	fmt.Println(img.Rect.Size(), err)
	// Output:
	// the camera ray leads from [0, 0, 5] to [0, 0, 1]
	// (40,30) <nil>
}
