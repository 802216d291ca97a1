package sine_test

import (
	"fmt"

	"pillbox/internal/sampler/sine"
)

// Example prints the sine and the cosine of one eighth of a turn, 45 degrees.
func Example() {
	sum := 0.0
	for _, c := range []float64{sine.C15, sine.C13, sine.C11, sine.C9, sine.C7, sine.C5, sine.C3, sine.C1} {
		sum += c
	}
	fmt.Printf("%.15f\n", sum)
	// Output: 0.707106781186547
}
