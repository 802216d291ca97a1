package exact

import (
	"math/big"
	"strings"
)

// Magnitude is a number, at least 0, that is not rounded until it is written.
type Magnitude interface {
	// Float64 returns the number with an error of a few units in the last place. It is 0 only if the number is 0 or
	// less than the smallest float64.
	Float64() float64

	// Text returns the number with the given number of decimal places, 0 or more, correctly rounded: to the nearest
	// decimal and, if two are equally near, to the one whose last digit is even.
	Text(places int) string
}

// Length is the magnitude (|Q - P| + More) * Factor. All numbers must be finite, and More and Factor at least 0.
type Length struct {
	P, Q         [3]float64
	More, Factor float64
}

// Float64 implements [Magnitude].
func (l Length) Float64() float64 {
	const precision = 64
	root, more := l.scaled(0)
	x := new(big.Float).SetPrec(precision).SetRat(root)
	x.Sqrt(x)
	y, _ := x.Add(x, new(big.Float).SetPrec(precision).SetRat(more)).Float64()
	return y
}

// Text implements [Magnitude].
func (l Length) Text(places int) string {
	return withPoint(nearest(l.scaled(places)), places)
}

// scaled returns the parts of the length times 10^places: it is the sum of the root of the first and of the second.
func (l Length) scaled(places int) (square, more *big.Rat) {
	scale := new(big.Rat).Mul(rat(l.Factor), tens(places))
	square = new(big.Rat)
	for _, x := range difference(l.Q, l.P) {
		x.Mul(x, scale)
		square.Add(square, x.Mul(x, x))
	}
	return square, scale.Mul(scale, rat(l.More))
}

// nearest returns the integer nearest to the root of a number plus another number, neither of which is negative. Of two
// equally near integers, it returns the even one.
func nearest(square, more *big.Rat) *big.Int {
	n := new(big.Int).Quo(square.Num(), square.Denom())
	n.Sqrt(n).Add(n, new(big.Int).Quo(more.Num(), more.Denom())) // at most 2 less than the sum
	one := big.NewInt(1)
	for {
		// Is the sum at least n + 1/2, that is, the root at least n + 1/2 - more?
		bound := new(big.Rat).SetFrac(new(big.Int).Add(new(big.Int).Lsh(n, 1), one), big.NewInt(2))
		bound.Sub(bound, more)
		order := 1
		if bound.Sign() >= 0 {
			order = square.Cmp(bound.Mul(bound, bound))
		}
		if order < 0 || order == 0 && n.Bit(0) == 0 {
			return n
		}
		n.Add(n, one)
	}
}

// Angle is the angle at At between the directions to From and To, from 0 to 180 degrees. All coordinates must be finite.
type Angle struct {
	At, From, To [3]float64
	Radians      bool // whether the magnitude is in radians instead of degrees
}

// IsDefined reports whether At differs from From and To. An angle that is not defined counts as 0.
func (a Angle) IsDefined() bool { return a.At != a.From && a.At != a.To }

// Float64 implements [Magnitude].
func (a Angle) Float64() float64 {
	x, _ := a.value(128).Float64()
	return x
}

// Text implements [Magnitude].
func (a Angle) Text(places int) string {
	// An angle whose tangent has a rational square is never half way between two decimals. In degrees, such an angle that
	// is a rational number is a multiple of 30 or 45. In radians, it is 0 or transcendental. So some precision suffices.
	scale := new(big.Float).SetInt(tens(places).Num())
	for precision := uint(192); ; precision *= 2 {
		y := a.value(precision + uint(4*places))
		y.Mul(y, scale)
		half := new(big.Float).SetPrec(y.Prec()).Add(y, big.NewFloat(0.5))
		n, _ := half.Int(nil)
		rest := half.Sub(half, new(big.Float).SetPrec(y.Prec()).SetInt(n)) // 0 and 1 are half way between two decimals
		error := new(big.Float).SetMantExp(big.NewFloat(1), -int(precision/2))
		if rest.Cmp(error) > 0 && new(big.Float).Sub(big.NewFloat(1), rest).Cmp(error) > 0 {
			return withPoint(n, places)
		}
	}
}

// value returns the angle with a few wrong bits at the end.
func (a Angle) value(precision uint) *big.Float {
	precision += 32
	float := func(x *big.Rat) *big.Float { return new(big.Float).SetPrec(precision).SetRat(x) }
	result := new(big.Float).SetPrec(precision)
	if !a.IsDefined() {
		return result
	}
	u, v := difference(a.From, a.At), difference(a.To, a.At)
	dot, cross2 := new(big.Rat), new(big.Rat)
	for i := range u {
		j := (i + 1) % 3
		dot.Add(dot, new(big.Rat).Mul(u[i], v[i]))
		c := new(big.Rat).Mul(u[i], v[j])
		c.Sub(c, new(big.Rat).Mul(u[j], v[i]))
		cross2.Add(cross2, c.Mul(c, c))
	}
	cross, along := float(cross2), float(new(big.Rat).Abs(dot))
	cross.Sqrt(cross)
	pi := arctan(big.NewFloat(1).SetPrec(precision))
	pi.SetMantExp(pi, 2)
	if cross.Cmp(along) <= 0 {
		result = arctan(cross.Quo(cross, along))
	} else {
		result.SetMantExp(pi, -1)
		result.Sub(result, arctan(along.Quo(along, cross)))
	}
	if dot.Sign() < 0 {
		result.Sub(pi, result)
	}
	if !a.Radians {
		result.Mul(result, big.NewFloat(180))
		result.Quo(result, pi)
	}
	return result
}

// arctan returns the arc tangent of x, from 0 to 1, with the precision of x.
func arctan(x *big.Float) *big.Float {
	number := func(n int64) *big.Float { return new(big.Float).SetPrec(x.Prec()).SetInt64(n) }
	const halvings = 8
	x = new(big.Float).Set(x)
	for range halvings { // arctan x = 2 arctan(x / (1 + sqrt(1 + x^2)))
		root := number(0).Mul(x, x)
		root.Sqrt(root.Add(root, number(1)))
		x.Quo(x, root.Add(root, number(1)))
	}
	sum, power, square := number(0), number(0).Set(x), number(0).Mul(x, x)
	for n := int64(1); power.Sign() != 0 && (n == 1 || power.MantExp(nil) > sum.MantExp(nil)-int(x.Prec())-8); n += 2 {
		term := number(0).Quo(power, number(n))
		if n%4 == 3 {
			term.Neg(term)
		}
		sum.Add(sum, term)
		power.Mul(power, square)
	}
	return sum.SetMantExp(sum, halvings)
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// tens returns 10^n.
func tens(n int) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil))
}

func difference(p, q [3]float64) (d [3]*big.Rat) {
	for i := range d {
		d[i] = rat(p[i])
		d[i].Sub(d[i], rat(q[i]))
	}
	return d
}

// withPoint writes n / 10^places, where n is at least 0.
func withPoint(n *big.Int, places int) string {
	s := n.String()
	if places == 0 {
		return s
	}
	s = strings.Repeat("0", max(0, places+1-len(s))) + s
	return s[:len(s)-places] + "." + s[len(s)-places:]
}
