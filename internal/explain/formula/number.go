package formula

import (
	"math"
	"math/big"
	"strconv"
)

// Number is the type of the numbers in formulas: [Float], or [Integer] for exact decisions. Methods
// do not modify their operands.
type Number[T any] interface {
	add(T) T
	sub(T) T
	mul(T) T
	div(T) T
	sqrt() T
	neg() T
	abs() T
	floor() T

	less(T) bool // false with NaN
	equal(T) bool

	parse(string) (T, error)
	// Text returns the number, rounded to the given number of significant digits. Integers are not rounded.
	Text(digits int) string
	plain() any // float64 or *big.Int
}

// Float is a float64 whose operations are those of package geom: each rounds once.
type Float float64

func (x Float) add(y Float) Float { return x + y }
func (x Float) sub(y Float) Float { return x - y }

// The conversion keeps the product from being fused with a sum; see package geom.
func (x Float) mul(y Float) Float { return Float(x * y) }
func (x Float) div(y Float) Float { return x / y }
func (x Float) sqrt() Float       { return Float(math.Sqrt(float64(x))) }
func (x Float) neg() Float        { return -x }
func (x Float) abs() Float        { return Float(math.Abs(float64(x))) }

func (x Float) floor() Float { return Float(math.Floor(float64(x))) }

func (x Float) less(y Float) bool  { return x < y }
func (x Float) equal(y Float) bool { return x == y }

func (Float) parse(s string) (Float, error) {
	x, err := strconv.ParseFloat(s, 64)
	return Float(x), err
}

// Numbers of significant digits. Numbers are printed with Readable digits, or with more where the step would otherwise
// be wrong. AllDigits distinguish every float64 from its neighbors.
const (
	Readable  = 6
	AllDigits = 17
)

// Short returns a number rounded for reading, to Readable digits.
func Short(x float64) string { return Float(x).Text(Readable) }

// Text implements [Number]. Zero has no sign.
func (x Float) Text(digits int) string {
	switch {
	case math.IsInf(float64(x), 1):
		return "Inf" // without a sign, as a literal of a formula
	case x == 0:
		return "0"
	}
	shortest := strconv.FormatFloat(float64(x), 'g', -1, 64)
	if digits >= AllDigits {
		return shortest
	}
	rounded := strconv.FormatFloat(float64(x), 'g', digits, 64)
	if len(shortest) <= len(rounded) {
		return shortest
	}
	return rounded
}

func (x Float) plain() any { return float64(x) }

// Integer is an integer of any size.
type Integer struct{ *big.Int }

func (x Integer) add(y Integer) Integer { return Integer{new(big.Int).Add(x.Int, y.Int)} }
func (x Integer) sub(y Integer) Integer { return Integer{new(big.Int).Sub(x.Int, y.Int)} }
func (x Integer) mul(y Integer) Integer { return Integer{new(big.Int).Mul(x.Int, y.Int)} }
func (x Integer) neg() Integer          { return Integer{new(big.Int).Neg(x.Int)} }
func (x Integer) abs() Integer          { return Integer{new(big.Int).Abs(x.Int)} }
func (x Integer) floor() Integer        { return x }
func (x Integer) div(Integer) Integer   { panic("formula: integers are not divided") }
func (x Integer) sqrt() Integer         { panic("formula: integers have no roots") }

func (x Integer) less(y Integer) bool  { return x.Cmp(y.Int) < 0 }
func (x Integer) equal(y Integer) bool { return x.Cmp(y.Int) == 0 }

func (Integer) parse(s string) (Integer, error) {
	x, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return Integer{}, strconv.ErrSyntax
	}
	return Integer{x}, nil
}

// Text implements [Number]. An integer is never rounded.
func (x Integer) Text(int) string { return x.String() }

func (x Integer) plain() any { return x.Int }
