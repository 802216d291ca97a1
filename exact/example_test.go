package exact_test

import (
	"fmt"
	"math/big"

	"pillbox/exact"
)

// Two pills cross like the bars of a plus sign, one 7 above the other.
func Example() {
	point := func(x, y, z int64) [3]*big.Int {
		return [3]*big.Int{big.NewInt(x), big.NewInt(y), big.NewInt(z)}
	}
	low := exact.Capsule3{P: point(-10, 0, 0), Q: point(10, 0, 0), R: big.NewInt(3)}
	for r := range int64(3) {
		high := exact.Capsule3{P: point(0, -10, 7), Q: point(0, 10, 7), R: big.NewInt(3 + r)}
		fmt.Println(exact.Relate3(low, high))
	}
	// Output:
	// apart
	// touching
	// overlapping
}

// Coordinates from a file count as they are written: in float64 arithmetic 0.1 + 0.2 exceeds 0.3, and
// these spheres would overlap.
func ExampleRelateDecimal3() {
	a := exact.Decimal3{R: 0.1}
	b := exact.Decimal3{P: [3]float64{0.3, 0, 0}, Q: [3]float64{0.3, 0, 0}, R: 0.2}
	fmt.Println(exact.RelateDecimal3(a, b))
	// Output: touching
}
