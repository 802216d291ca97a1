package play_test

import (
	"context"
	"fmt"

	"pillbox/internal/play"
)

func Example() {
	e := play.New(play.Options{})
	answer, err := e.Answer(context.Background(), "hover", []byte(`{"text": "[camera]\nfov = 30", "position": 10}`), nil)
	fmt.Printf("%s%v\n", answer, err)
	// Output:
	// {"from":9,"to":12,"key":"camera.fov","doc":"Vertical field of view of a perspective camera, in degrees.","type":"number","default":"40","range":"0 to 180"}
	// <nil>
}
