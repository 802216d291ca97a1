package nff_test

import (
	"fmt"
	"strings"

	"pillbox/internal/convert/model"
	"pillbox/internal/convert/nff"
)

// Example converts a ball that reflects half of the light.
func Example() {
	s, err := nff.Read(model.Source{Name: "ball.nff", Text: strings.NewReader("f 1 .9 .7 .5 .5 3 0 0\ns 0 0 0 1\n")}, nff.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Materials[0].Color, s.Materials[0].Mirror, s.Spheres[0].Radius)
	// Output: #ffe6b3 0.5 1
}
