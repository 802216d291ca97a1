package explain

import (
	"math"
	"math/big"
	"strconv"
)

// number is what formulas compute with: floats, or integers of any size where a decision is
// exact. A method leaves its operands as they are.
type number[T any] interface {
	add(T) T
	sub(T) T
	mul(T) T
	div(T) T
	sqrt() T
	neg() T
	abs() T

	less(T) bool // false with NaN
	equal(T) bool

	parse(string) (T, error)
	text(digits int) string // rounded to that many significant digits, if it ever is
	plain() any             // float64 or *big.Int
}

// float is a float64 whose operations are those of package geom: each rounds once.
type float float64

func (x float) add(y float) float { return x + y }
func (x float) sub(y float) float { return x - y }

// The conversion keeps the product from being fused with a sum; see package geom.
func (x float) mul(y float) float { return float(x * y) }
func (x float) div(y float) float { return x / y }
func (x float) sqrt() float       { return float(math.Sqrt(float64(x))) }
func (x float) neg() float        { return -x }
func (x float) abs() float        { return float(math.Abs(float64(x))) }

func (x float) less(y float) bool  { return x < y }
func (x float) equal(y float) bool { return x == y }

func (float) parse(s string) (float, error) {
	x, err := strconv.ParseFloat(s, 64)
	return float(x), err
}

// allDigits tell every float64 from its neighbours, and one more tells even -0 from 0, which
// matters where something is divided by it.
const (
	allDigits = 17
	allBits   = allDigits + 1
)

func (x float) text(digits int) string {
	switch {
	case math.IsInf(float64(x), 1):
		return "Inf" // without a sign, as a literal of a formula
	case x == 0 && digits < allBits:
		return "0"
	}
	shortest := strconv.FormatFloat(float64(x), 'g', -1, 64)
	if digits >= allDigits {
		return shortest
	}
	rounded := strconv.FormatFloat(float64(x), 'g', digits, 64)
	if len(shortest) <= len(rounded) {
		return shortest
	}
	return rounded
}

func (x float) plain() any { return float64(x) }

// whole is an integer.
type whole struct{ *big.Int }

func (x whole) add(y whole) whole { return whole{new(big.Int).Add(x.Int, y.Int)} }
func (x whole) sub(y whole) whole { return whole{new(big.Int).Sub(x.Int, y.Int)} }
func (x whole) mul(y whole) whole { return whole{new(big.Int).Mul(x.Int, y.Int)} }
func (x whole) neg() whole        { return whole{new(big.Int).Neg(x.Int)} }
func (x whole) abs() whole        { return whole{new(big.Int).Abs(x.Int)} }
func (x whole) div(whole) whole   { panic("explain: integers are not divided") }
func (x whole) sqrt() whole       { panic("explain: integers have no roots") }

func (x whole) less(y whole) bool  { return x.Cmp(y.Int) < 0 }
func (x whole) equal(y whole) bool { return x.Cmp(y.Int) == 0 }

func (whole) parse(s string) (whole, error) {
	x, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return whole{}, strconv.ErrSyntax
	}
	return whole{x}, nil
}

func (x whole) text(int) string { return x.String() }

func (x whole) plain() any { return x.Int }
