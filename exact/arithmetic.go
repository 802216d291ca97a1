package exact

import (
	"fmt"
	"math"
	"math/big"
)

// A Decimal is a finite decimal number. Its arithmetic does not round. The zero value is 0. It is
// immutable.
type Decimal struct {
	d decimal // normalized by reduced: the last digit is not 0, unless the number is 0
}

// DecimalOf returns the decimal with the fewest digits that rounds to the finite number x.
func DecimalOf(x float64) Decimal { return Decimal{shortest(x)} }

// Negated returns -a.
func (a Decimal) Negated() Decimal {
	if a.d.big != nil {
		return Decimal{decimal{big: new(big.Int).Neg(a.d.big), exp: a.d.exp}}
	}
	return Decimal{decimal{coef: -a.d.coef, exp: a.d.exp}}
}

// Times returns the product of a and b.
func (a Decimal) Times(b Decimal) Decimal {
	x, y, exp := a.d, b.d, a.d.exp+b.d.exp
	if x.big == nil && y.big == nil && max(abs(x.coef), abs(y.coef)) <= math.MaxInt32 {
		return reduced(decimal{coef: x.coef * y.coef, exp: exp})
	}
	return reduced(decimal{big: new(big.Int).Mul(x.coefficient(), y.coefficient()), exp: exp})
}

// Plus returns a + b.
func (a Decimal) Plus(b Decimal) Decimal {
	x, y := a.d, b.d
	switch {
	case x.isZero():
		return b
	case y.isZero():
		return a
	case x.exp < y.exp:
		x, y = y, x
	}
	const digits = 9 // the highest power of ten in an int32
	n := x.exp - y.exp
	if n <= digits && x.big == nil && y.big == nil && abs(x.coef) <= math.MaxInt32 && abs(y.coef) <= math.MaxInt64/2 {
		return reduced(decimal{coef: x.coef*power(n) + y.coef, exp: y.exp})
	}
	return reduced(decimal{big: new(big.Int).Add(x.over(y.exp), y.coefficient()), exp: y.exp})
}

// Float64 returns the float64 nearest to a. If a is not the shortest decimal that rounds to it, long is the
// exact number as text, as [ReadDecimal] returns it; otherwise long is empty. The error is [ErrTooLong], or
// states that a is too large.
func (a Decimal) Float64() (x float64, long string, err error) {
	// Both operands are exact as float64, so only the division rounds. A decimal of up to 15 digits is
	// always the shortest one of its float64.
	const most, places = 1e15, 18
	if a.d.big == nil && abs(a.d.coef) < most && -places <= a.d.exp && a.d.exp <= 0 {
		return float64(a.d.coef) / float64(power(-a.d.exp)), "", nil
	}
	return ReadDecimal(fmt.Sprintf("%de%d", a.d.coefficient(), a.d.exp))
}

func (d decimal) isZero() bool { return d.coef == 0 && (d.big == nil || d.big.Sign() == 0) }

// reduced returns d without zeros at the end of its digits.
func reduced(d decimal) Decimal {
	if d.isZero() {
		return Decimal{}
	}
	for d.big == nil && d.coef%10 == 0 {
		d.coef, d.exp = d.coef/10, d.exp+1
	}
	if d.big != nil {
		ten, digit := big.NewInt(10), new(big.Int)
		for q := new(big.Int); ; d.exp++ {
			if q.QuoRem(d.big, ten, digit); digit.Sign() != 0 {
				break
			}
			d.big.Set(q)
		}
	}
	return Decimal{d}
}

func abs(n int64) int64 { return max(n, -n) }
