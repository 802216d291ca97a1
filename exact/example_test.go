package exact_test

import (
	"fmt"
	"math/big"

	"pillbox/exact"
)

// Example relates two capsules that cross like the bars of a plus sign, one 7 above the other.
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

// ExampleRelateDecimal3 relates spheres that touch exactly in decimals. In float64 arithmetic, 0.1 + 0.2 exceeds
// 0.3, so they would overlap.
func ExampleRelateDecimal3() {
	a := exact.Decimal3{R: 0.1}
	b := exact.Decimal3{P: [3]float64{0.3, 0, 0}, Q: [3]float64{0.3, 0, 0}, R: 0.2}
	fmt.Println(exact.RelateDecimal3(a, b))
	// Output: touching
}

// ExampleRelate2 relates discs and capsules in the plane to the capsule from (0, 0) to (30, 10) with radius 1.
func ExampleRelate2() {
	pill := func(x1, y1, x2, y2, r int64) exact.Capsule2 {
		point := func(x, y int64) [2]*big.Int { return [2]*big.Int{big.NewInt(x), big.NewInt(y)} }
		return exact.Capsule2{P: point(x1, y1), Q: point(x2, y2), R: big.NewInt(r)}
	}
	bar := pill(0, 0, 30, 10, 1)
	fmt.Println(exact.Relate2(bar, pill(10, 0, 10, 0, 2)))       // apart: the axes are √10 from each other
	fmt.Println(exact.Relate2(bar, pill(34, 13, 40, 20, 4)))     // touching: 5, the sum of the radii
	fmt.Println(exact.Intersects2(bar, pill(34, 13, 40, 20, 4))) // false: the interiors are apart
	// Output:
	// apart
	// touching
	// false
}

// ExampleIntersects3 checks whether a ball above a beam intersects it. A ball that rests on the beam does not,
// because only interiors count.
func ExampleIntersects3() {
	point := func(x, y, z int64) [3]*big.Int {
		return [3]*big.Int{big.NewInt(x), big.NewInt(y), big.NewInt(z)}
	}
	beam := exact.Capsule3{P: point(0, 0, 0), Q: point(100, 0, 0), R: big.NewInt(3)}
	for y := range int64(3) {
		center := point(50, 9-y, 0)
		ball := exact.Capsule3{P: center, Q: center, R: big.NewInt(5)}
		fmt.Println(exact.Intersects3(beam, ball))
	}
	// Output:
	// false
	// false
	// true
}
