package diagram_test

import (
	"fmt"

	"pillbox"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/explain/diagram"
	"pillbox/scene"
)

// Example draws a ray through a ball.
func Example() {
	s, err := scene.Decode("ball.toml", []byte("[[sphere]]\nname = \"ball\"\ncenter = [0, 0, 0]\nradius = 1\n"))
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
	x, err := tracer.Ray(geom.Vec3{X: 0.6, Z: 5}, geom.Vec3{Z: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := diagram.Draw(x, diagram.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Title, d.Image().Rect.Size())
	// Output: ball.toml: a ray: sphere "ball": the ray enters at t_near = 4.2 and leaves at t_far = 5.8 (1200,800)
}
