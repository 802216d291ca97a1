package exact

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Decimal3 is a pill like [Capsule3] whose seven numbers are exact decimals. A number is its entry in Text
// or, if the entry is empty, the shortest decimal that rounds to its float64.
//
// Most numbers in files need no entry: if a number has at most 15 significant digits, and is 0 or at least
// 1e-307 in magnitude, it equals the shortest decimal of its float64.
type Decimal3 struct {
	P, Q [3]float64
	R    float64

	// Text has an entry for each number, in the order P, Q, R. If a number is not the shortest decimal of
	// its float64, the entry is the number as text, in the form that [ReadDecimal] returns as long.
	// Otherwise the entry is empty.
	Text [7]string
}

// MaxPlaces is the largest number of decimal places that a decimal may have, not counting trailing
// zeros. The time for comparing two capsules grows with the square of the number of places.
const MaxPlaces = 400

// ErrTooLong is the error for a decimal with more than [MaxPlaces] decimal places.
var ErrTooLong = fmt.Errorf("must have at most %d decimal places", MaxPlaces)

// ReadDecimal reads a number in decimal notation: a sign, digits with or without a decimal point, and an
// exponent. It ignores underscores.
//
// ReadDecimal returns the nearest float64, x. If the number is not the shortest decimal that rounds to x,
// long is the exact number as text; otherwise long is empty. Store long in the entry of [Decimal3].Text.
// The error is [ErrTooLong], or states that text is not such a number or that the number is too large for a
// float64.
func ReadDecimal(text string) (x float64, long string, err error) {
	text = strings.ReplaceAll(text, "_", "")
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, "", fmt.Errorf("must be a decimal, got %.60q", text)
	}
	if x, err = strconv.ParseFloat(text, 64); err != nil {
		return 0, "", fmt.Errorf("must be a finite decimal, got %.60q", text)
	}
	if strconv.FormatFloat(x, 'f', -1, 64) == text {
		return x, "", nil // the usual case: the rest of this function takes ten times as long
	}
	d, ok := parseDecimal(text)
	if !ok {
		return x, "", ErrTooLong
	}
	if d.equal(shortest(x)) {
		return x, "", nil
	}
	return x, fmt.Sprintf("%de%d", d.big, d.exp), nil // in a normal form: equal numbers have equal texts
}

// Validate returns an error if a coordinate or the radius is not finite, or if the radius is negative. It also
// returns an error if an entry of Text is not a decimal that rounds to its float64. The package treats such a pill
// as the empty set.
func (c Decimal3) Validate() error {
	for i := range c.P {
		if !finite(c.P[i]) {
			return fmt.Errorf("P[%d]: must be finite, got %v", i, c.P[i])
		}
		if !finite(c.Q[i]) {
			return fmt.Errorf("Q[%d]: must be finite, got %v", i, c.Q[i])
		}
	}
	if !finite(c.R) || c.R < 0 {
		return fmt.Errorf("R: must be finite and not negative, got %v", c.R)
	}
	for i, number := range c.numbers() {
		if c.Text[i] == "" {
			continue
		}
		if x, _, err := ReadDecimal(c.Text[i]); err != nil || x != number {
			return fmt.Errorf("Text[%d]: must be a decimal that rounds to %v, got %.60q", i, number, c.Text[i])
		}
	}
	return nil
}

// numbers returns the numbers of c in the order P, Q, R.
func (c Decimal3) numbers() [7]float64 {
	return [7]float64{c.P[0], c.P[1], c.P[2], c.Q[0], c.Q[1], c.Q[2], c.R}
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// largest returns the greatest magnitude among the numbers of c.
func (c Decimal3) largest() float64 {
	m := c.R
	for i := range c.P {
		m = max(m, math.Abs(c.P[i]), math.Abs(c.Q[i]))
	}
	return m
}

// RelateDecimal3 returns whether the closed pills a and b are apart, touch or overlap. The result is the
// same as with [Common3] and [Relate3]. RelateDecimal3 is much faster, unless the surfaces nearly touch.
func RelateDecimal3(a, b Decimal3) Relation {
	if a.Validate() != nil || b.Validate() != nil {
		return Apart
	}
	if r, ok := relateCoarse(a, b); ok {
		return r
	}
	return Relate3(Common3(a, b))
}

// gridBits is the number of bits of a coordinate on the coarse grid: one less than fitBits, which
// leaves room to add gridAbove to a radius.
const gridBits = fitBits - 1

// gridAbove and gridBelow are margins, in steps of the coarse grid. Where the distance of the axes
// differs from r1 + r2 by more than these, rounding to the grid cannot change the answer.
//
// Numbers are rounded down to multiples of a step, which is 2^-28 of a power of two above the largest
// number. Each number then lies between its grid point and one step above, except for errors of less
// than 2^-25 steps: half an ulp between a float64 and its decimal, or an underflow. Consider two points
// that divide the axes in given ratios. Moving the axes to the grid changes each coordinate of their
// difference by at most 1 + 2^-24 steps, and so their distance by at most about sqrt(3) steps, which is
// less than 2. The sum r1 + r2 is larger than on the grid by -2^-24 to 2 + 2^-24 steps.
const (
	gridAbove = 4 // axes farther apart than r1 + r2 + 4 on the grid: the pills are apart, since 4 - sqrt(3) > 2
	gridBelow = 2 // axes nearer than r1 + r2 - 2 on the grid: the pills overlap, since 2 > sqrt(3)
)

// minTop limits how fine the grid can be: if all numbers are less than 2^minTop, the grid is that for
// 2^minTop. So a step is far above the spacing of subnormal numbers, for which the bounds above do not
// hold.
const minTop = -1000

// relateCoarse relates a and b after rounding them to a coarse grid. It returns false if this rounding
// could change the result.
func relateCoarse(a, b Decimal3) (Relation, bool) {
	_, top := math.Frexp(max(a.largest(), b.largest()))
	scale := gridBits - max(top, minTop)
	p, q := a.grid(scale), b.grid(scale)
	r := p.r

	p.r = r.add(int128Of(gridAbove))
	if relate(p, q) == Apart {
		return Apart, true
	}
	p.r = r.sub(int128Of(gridBelow))
	if p.r.add(q.r).sign() > 0 && relate(p, q) == Overlapping {
		return Overlapping, true
	}
	return Apart, false
}

// grid returns c with every number multiplied by 2^scale and rounded down.
func (c Decimal3) grid(scale int) capsule[int128] {
	step := func(x float64) int128 {
		// In range: the result is at most 2^gridBits in magnitude, so the conversion is the same on every machine.
		return int128Of(int64(math.Floor(math.Ldexp(x, scale))))
	}
	return capsule[int128]{
		p: [3]int128{step(c.P[0]), step(c.P[1]), step(c.P[2])},
		q: [3]int128{step(c.Q[0]), step(c.Q[1]), step(c.Q[2])},
		r: step(c.R),
	}
}

// Common3 multiplies all numbers of a and b by the smallest power of ten that makes all of them
// integers. If Validate rejects a or b, both results are Capsule3{}, which Validate rejects too.
func Common3(a, b Decimal3) (Capsule3, Capsule3) {
	if a.Validate() != nil || b.Validate() != nil {
		return Capsule3{}, Capsule3{}
	}
	exp := Exponent3(a, b)
	return over(a.decimals(), exp), over(b.decimals(), exp)
}

// Exponent3 returns the exponent e such that one unit in the integers of [Common3] is 10^e. It is 0 if
// all numbers are 0, or if Validate rejects a or b.
func Exponent3(a, b Decimal3) int {
	if a.Validate() != nil || b.Validate() != nil {
		return 0
	}
	if exp := min(lowest(a.decimals()), lowest(b.decimals())); exp != math.MaxInt {
		return exp
	}
	return 0
}

// decimal is coef * 10^exp.
type decimal struct {
	coef int64    // no shortest decimal of a float64 has more than 17 digits
	big  *big.Int // if not nil, the coefficient, and coef is not used
	exp  int
}

// decimals returns the numbers of c in the order P, Q, R.
func (c Decimal3) decimals() (ds [7]decimal) {
	for i, x := range c.numbers() {
		if c.Text[i] != "" {
			ds[i], _ = parseDecimal(c.Text[i])
		} else {
			ds[i] = shortest(x)
		}
	}
	return ds
}

// parseDecimal reads a number in decimal notation, without trailing zeros in the coefficient. It
// returns false if the number has more than MaxPlaces decimal places.
func parseDecimal(text string) (decimal, bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	negative := strings.HasPrefix(whole, "-")
	all := strings.TrimLeft(whole, "+-0") + fraction
	digits := strings.TrimLeft(strings.TrimRight(all, "0"), "0")
	if digits == "" {
		return decimal{}, true
	}
	exp, err := strconv.Atoi(cmp.Or(exponent, "0"))
	if err != nil { // an exponent that is too small: the caller has excluded numbers too large for a float64
		return decimal{}, false
	}
	exp += len(all) - len(strings.TrimRight(all, "0")) - len(fraction)
	if exp < -MaxPlaces {
		return decimal{}, false
	}
	coef, _ := new(big.Int).SetString(digits, 10)
	if negative {
		coef.Neg(coef)
	}
	return decimal{big: coef, exp: exp}, true
}

// equal reports whether two decimals, whose last digits are not 0, are the same number.
func (d decimal) equal(e decimal) bool {
	x, y := d.coefficient(), e.coefficient()
	return x.Cmp(y) == 0 && (d.exp == e.exp || x.Sign() == 0)
}

// coefficient returns a copy of the coefficient.
func (d decimal) coefficient() *big.Int {
	if d.big != nil {
		return new(big.Int).Set(d.big)
	}
	return big.NewInt(d.coef)
}

// shortest returns the decimal of fewest digits that rounds to the finite number x.
func shortest(x float64) decimal {
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	coef, _ := strconv.ParseInt(whole+fraction, 10, 64)
	e, _ := strconv.Atoi(exp)
	return decimal{coef: coef, exp: e - len(fraction)}
}

// lowest returns the lowest exponent of the nonzero decimals in ds.
func lowest(ds [7]decimal) int {
	exp := math.MaxInt
	for _, d := range ds {
		if d.coef != 0 || d.big != nil && d.big.Sign() != 0 {
			exp = min(exp, d.exp)
		}
	}
	return exp
}

// over returns the capsule with the numbers ds, in the order P, Q, R, in units of 10^exp.
func over(ds [7]decimal, exp int) Capsule3 {
	var x [7]*big.Int
	for i, d := range ds {
		x[i] = d.over(exp)
	}
	return Capsule3{P: [3]*big.Int(x[0:3]), Q: [3]*big.Int(x[3:6]), R: x[6]}
}

// over returns d in units of 10^exp. Unless d is zero, exp must not be larger than the exponent of d.
func (d decimal) over(exp int) *big.Int {
	const digits = 18 // the highest power of ten in an int64
	x := d.coefficient()
	for n := d.exp - exp; n > 0; n -= digits {
		x.Mul(x, big.NewInt(power(min(n, digits))))
	}
	return x
}

// power returns 10^n for 0 <= n <= 18.
func power(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}
