// Package sine contains the coefficients with which package sampler computes sines. The vector kernels use the same ones:
// their generator, which is a module of its own, imports this package.
//
// The sine of t eighths of a turn is C1 t + C3 t^3 + ... + C15 t^15, up to the next term, which is less than 5e-17 for
// |t| <= 1. The constants are exact; each is rounded once where it becomes a float64.
package sine

import "math"

// The coefficients of the power series of sin(t * math.Pi / 4).
const (
	C1  = math.Pi / 4
	C3  = -C1 * C1 * C1 / (2 * 3)
	C5  = -C3 * C1 * C1 / (4 * 5)
	C7  = -C5 * C1 * C1 / (6 * 7)
	C9  = -C7 * C1 * C1 / (8 * 9)
	C11 = -C9 * C1 * C1 / (10 * 11)
	C13 = -C11 * C1 * C1 / (12 * 13)
	C15 = -C13 * C1 * C1 / (14 * 15)
)
