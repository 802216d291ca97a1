package molecule_test

import (
	"fmt"
	"strings"

	"pillbox/internal/convert/model"
	"pillbox/internal/convert/molecule"
)

// Example shows water as balls and sticks. Each bond has two colors, so it consists of two capsules.
func Example() {
	water := `3
water
O 0 0 0
H 0.757 0.586 0
H -0.757 0.586 0
`
	s, err := molecule.ReadXYZ(model.Source{Name: "water.xyz", Text: strings.NewReader(water)}, molecule.Options{Style: molecule.BallsAndSticks})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range s.Spheres {
		fmt.Println(b.Name, b.Material, b.Radius)
	}
	fmt.Println(len(s.Capsules), "capsules")
	// Output:
	// O1 oxygen 0.375
	// H2 hydrogen 0.3
	// H3 hydrogen 0.3
	// 4 capsules
}
