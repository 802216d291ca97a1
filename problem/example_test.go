package problem_test

import (
	"errors"
	"fmt"

	"pillbox/problem"
	"pillbox/scene"
)

func ExampleErrors() {
	_, err := scene.Decode("ball.toml", []byte("[[sphere]]\ncenter = [0, 0, 0]\nraduis = -1\n"))
	var problems problem.Errors
	if errors.As(err, &problems) {
		for _, p := range problems {
			fmt.Println(p.Line, p.Key, p.Code, p.Suggestion)
		}
	}
	// Output: 3 sphere[0].raduis unknown-key radius
}
