package formula_test

import (
	"fmt"

	"pillbox/geom"
	"pillbox/internal/explain/formula"
)

// Example computes where a line is nearest to the origin, and prints the formulas with numbers in place of the
// symbols.
func Example() {
	d := formula.New[formula.Float]()
	d.Given("o", formula.Vector(geom.Vec3{X: -3, Y: 0.6}), "from")
	d.Given("d", formula.Vector(geom.Vec3{X: 1}), "along")
	d.Let("b", "-(o · d)", "where the line is nearest to the origin")
	d.Let("l", "o + b d", "that point")
	d.HoldsThen("|l| < 1", "nearer than 1")
	for _, s := range d.Steps()[2:] {
		if s.Symbol != "" {
			fmt.Print(s.Symbol, " = ")
		}
		fmt.Printf("%s: %s: %s\n", s.Formula, s.Numbers, s.Result)
	}
	// Output:
	// b = -(o · d): -((-3, 0.6, 0) · (1, 0, 0)): 3
	// l = o + b d: (-3, 0.6, 0) + 3 (1, 0, 0): (0, 0.6, 0)
	// |l| < 1: |(0, 0.6, 0)| < 1: 0.6 < 1
}
