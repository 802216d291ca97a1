// Package ticks chooses the round numbers beside a scale, such as a color bar.
package ticks

import (
	"math"
	"strconv"
	"strings"
)

// Scale is the range of a scale, and the rules for its numbers.
type Scale struct {
	Low, High float64
	Apart     float64 // the least distance between two numbers, as a share of the scale
	Whole     bool    // numbers between the ends are whole numbers
	Plain     bool    // large numbers are written like 1.5e+06, not with the markup 1.5·10^{6}
}

// Tick is a number beside a scale, at a share of its length.
type Tick struct {
	At   float64
	Text string
}

// most is more than the largest number of round numbers on a scale: see [Scale.step].
const most = 10

// Ticks returns the numbers beside a scale: its ends, and round numbers between that are far enough from each other and from
// the ends. A scale whose ends are equal has one number, in the middle.
func (s Scale) Ticks() []Tick {
	span := s.High - s.Low
	n := s.notation()
	if span <= 0 {
		return []Tick{{0.5, n.write(s.Low)}}
	}
	all := []Tick{{0, n.write(s.Low)}}
	if step := s.step(); step > 0 {
		first := math.Ceil(s.Low / step)
		for i := range most { // the numbers of a range may be so large that adding 1 to first changes nothing
			x := float64((first + float64(i)) * step)
			if at := (x - s.Low) / span; s.Apart <= at && s.Apart <= 1-at {
				all = append(all, Tick{at, n.write(x)})
			}
		}
	}
	return append(all, Tick{1, n.write(s.High)})
}

// step returns the distance between round numbers: the least 1, 2 or 5 times a power of ten that keeps them apart. It returns 0
// if there is none that is less than the range.
func (s Scale) step() float64 {
	span := s.High - s.Low
	least := float64(span * max(s.Apart, 0.15))
	if s.Whole {
		least = max(least, 1)
	}
	power := strconv.FormatFloat(least, 'e', 0, 64)[1:] // such as e+02
	for _, by := range []string{"1", "2", "5", "10"} {
		if x, err := strconv.ParseFloat(by+power, 64); err == nil && least <= x && x < span {
			return x
		}
	}
	return 0
}

// notation says how the numbers of a scale are written: all in the same way, with three significant digits of the range.
type notation struct {
	last       int  // the power of ten of the last digit
	scientific bool // as a mantissa and a power of ten
	plain      bool
}

// notation returns the notation of a scale. Numbers are scientific if they are large or small, unless this would only make
// them longer, because they differ only in late digits.
func (s Scale) notation() notation {
	large := max(math.Abs(s.Low), math.Abs(s.High))
	first := exponentOf(large)
	if span := s.High - s.Low; span > 0 && !math.IsInf(span, 0) {
		spread := exponentOf(span)
		isUsual := first < 6 && spread >= -4
		isLong := first-spread > 1 && -5 <= first && first < 17
		return notation{spread - 2, !isUsual && !isLong, s.Plain}
	}
	return notation{first - 2, large != 0 && (first >= 6 || first < -4), s.Plain}
}

// exponentOf returns the power of ten of the first digit of x, rounded to three digits, or 0 for 0.
func exponentOf(x float64) int {
	text := strconv.FormatFloat(x, 'e', 2, 64)
	n, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	return n
}

// write writes a number. A short one that is not scientific is written as it is.
func (n notation) write(x float64) string {
	switch short := strconv.FormatFloat(x, 'f', -1, 64); {
	case x == 0:
		return "0"
	case n.scientific:
		return n.power(x)
	case len(short) <= len("-12.34"):
		return short
	}
	text := trimZeros(strconv.FormatFloat(x, 'f', max(0, -n.last), 64))
	if text == "-0" {
		return "0"
	}
	return text
}

// power writes a number as a mantissa and a power of ten.
func (n notation) power(x float64) string {
	const most = 16 // decimal places of a mantissa that mean something
	decimals := min(max(exponentOf(x)-n.last, 0), most)
	mantissa, power, _ := strings.Cut(strconv.FormatFloat(x, 'e', decimals, 64), "e")
	if n.plain {
		return trimZeros(mantissa) + "e" + power
	}
	exponent, _ := strconv.Atoi(power)
	return trimZeros(mantissa) + "·10^{" + strconv.Itoa(exponent) + "}"
}

// trimZeros removes the zeros at the end of the decimal places of a number.
func trimZeros(number string) string {
	if strings.Contains(number, ".") {
		number = strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
	}
	return number
}
