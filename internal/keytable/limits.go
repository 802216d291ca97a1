package keytable

import (
	"fmt"
	"math"

	"pillbox/geom"
)

// Limits are the smallest and the largest number that a key accepts.
type Limits struct {
	Min, Max float64
	Open     bool   // whether Min and Max themselves are excluded
	Unit     string // follows the numbers in messages, such as "pt"; "" for none
}

// Finite returns the limits of all finite numbers.
func Finite() Limits { return Limits{Min: -math.MaxFloat64, Max: math.MaxFloat64} }

// Contain reports whether x is within the limits.
func (l Limits) Contain(x float64) bool {
	if l.Open {
		return l.Min < x && x < l.Max
	}
	return l.Min <= x && x <= l.Max
}

// Requirement describes the limits, for a message about x, which is outside of them.
func (l Limits) Requirement(x float64) string {
	switch isFinite := !math.IsNaN(x) && !math.IsInf(x, 0); {
	case l == Sizes() && !(isFinite && x > 0):
		return "must be positive and finite"
	case !isFinite:
		return "must be finite"
	case l.Open:
		return fmt.Sprintf("must be greater than %g%s and less than %g%s", l.Min, l.Unit, l.Max, l.Unit)
	}
	return fmt.Sprintf("must lie between %g%s and %g%s", l.Min, l.Unit, l.Max, l.Unit)
}

// Sizes returns the limits of sizes, such as radii.
func Sizes() Limits { return Limits{Min: geom.MinSize, Max: geom.MaxSize} }

// Fractions returns the limits 0 and 1.
func Fractions() Limits { return Limits{Min: 0, Max: 1} }

// Coordinates returns the limits of coordinates.
func Coordinates() Limits { return Limits{Min: -geom.MaxCoordinate, Max: geom.MaxCoordinate} }
