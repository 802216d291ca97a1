package convert_test

import (
	"fmt"
	"os"
	"strings"

	"pillbox/convert"
)

// Example converts a robot with one link. A mesh of the robot cannot be shown in a scene.
func Example() {
	robot := `<robot name="ball">
  <link name="base">
    <collision><geometry><sphere radius="0.5"/></geometry></collision>
    <collision><geometry><mesh filename="package://ball/hull.stl"/></geometry></collision>
  </link>
</robot>`
	format, _ := convert.ForFile("ball.urdf")
	s, err := format.Read(convert.Source{Name: "ball.urdf", Text: strings.NewReader(robot)}, convert.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Notes())
	if err := s.Write(os.Stdout, convert.Tables{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ball.urdf:4:26: note: 1 mesh skipped (--approximate shows what contains it)
	// # Made by render import from ball.urdf, a robot in URDF.
	// # The robot is ball.
	// # ball.urdf:4:26: 1 mesh skipped (--approximate shows what contains it).
	// format = 1
	// up = "z"
	//
	// [camera]
	// direction = [-1.4, 1, -0.6]
	// up = [0, 0, 1]
	//
	// [shading]
	// ambient = { top = "#9f9f9f", bottom = "#696969" }
	//
	// [[light]]
	// attach = "camera"
	// direction = [0.5, -0.8, -0.7]
	// intensity = 0.7
	//
	// [[place]]
	// part = "base"
	// name = "base"
	//
	// [[part.base.sphere]]
	// center = [0, 0, 0]
	// radius = 0.5
}
