package shade

import "math"

// Checker is a checkerboard pattern on a flat surface with coordinates u and v. A corner of four
// squares is at the origin. Squares are even or odd ([Cell.IsOdd]); the even ones have the material's
// own color.
type Checker struct {
	Albedo Color   // of the odd squares
	Size   float64 // the edge length of all squares, positive
}

// Cell is a square of a [Checker]: U and V are its column and row, whole numbers that count from the
// origin.
type Cell struct{ U, V float64 }

// Cell returns the square at u and v: floor(u / Size) and floor(v / Size), with one rounding in each
// division. Beyond a magnitude of 2^53, a float64 represents no odd number, so a U or V of that size counts as even.
func (c *Checker) Cell(u, v float64) Cell {
	return Cell{math.Floor(u / c.Size), math.Floor(v / c.Size)}
}

// IsOdd reports whether U + V is odd.
func (c Cell) IsOdd() bool { return isOdd(c.U) != isOdd(c.V) }

// isOdd reports whether a whole number is odd. Nothing here rounds.
func isOdd(n float64) bool { return 2*math.Floor(n/2) != n }
