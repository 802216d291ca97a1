// Package sine contains the coefficients with which package sampler computes sines. The generator of the vector
// kernels, a separate module, also imports this package, so the kernels use the same coefficients.
//
// The sine of t eighths of a turn is approximately C1 t + C3 t^3 + ... + C15 t^15. For |t| <= 1, the next term of the
// power series is less than 5e-17. The constants are exact; each is rounded once where it becomes a float64.
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
