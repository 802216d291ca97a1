package shade

import "math"

// FromSRGB8 returns the linear light of an 8-bit sRGB colour, correctly rounded.
func FromSRGB8(r, g, b uint8) Color {
	return Color{linearOf8[r], linearOf8[g], linearOf8[b]}
}

// FromSRGB returns the linear light of an sRGB colour with channels 0..1, each within two
// units in the last place. Channels outside 0..1 are clamped; NaN counts as 0.
func FromSRGB(r, g, b float64) Color {
	return Color{decode(clamp(r)), decode(clamp(g)), decode(clamp(b))}
}

// decode is the inverse of the sRGB transfer function, IEC 61966-2-1.
func decode(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	// x = (v + 0.055)/1.055 carries its rounding error along as dx, because x^2.4 would
	// magnify it; the Lo constants are what 0.055 and 1.055 lose as float64. The explicit
	// math.FMA is exact on every platform.
	const (
		offset, offsetLo = 0.055, -2.7755575615628914e-19
		scale, scaleLo   = 1.055, 6.217248937900877e-17
	)
	sum := v + offset
	sumLo := sumError(v, offset, sum) + offsetLo
	x := sum / scale
	dx := (math.FMA(-x, scale, sum) + (sumLo - float64(x*scaleLo))) / scale
	// x^2.4 = x^2 * (x^2)^(1/5): package math's Pow differs between machines.
	x2 := float64(x * x)
	dx2 := math.FMA(x, x, -x2)
	y := float64(x2 * fifthRoot(x2))
	return y + float64(y*(float64(2.4*dx/x)+float64(1.2*dx2/x2)))
}

// sumError returns a + b - sum exactly, where sum is a + b rounded. Source: Moeller,
// "Quasi double-precision in floating point addition", BIT 5, 1965; Knuth's TwoSum.
func sumError(a, b, sum float64) float64 {
	bb := sum - a
	return (a - (sum - bb)) + (b - bb)
}

// fifthRoot returns the fifth root of a, 0.007 <= a <= 1, by Newton's method. The start is
// the arithmetic mean of 1 and a, a third above the root at worst; from there seven steps,
// each of which about squares the relative error and doubles it, leave nothing but rounding.
func fifthRoot(a float64) float64 {
	y := 0.5 + float64(0.5*a)
	for range 7 {
		y2 := y * y
		y -= (y - a/(y2*y2)) / 5
	}
	return y
}

// Encode8 returns the 8-bit sRGB value nearest to linear light v. Values below 0 and NaN
// give 0, values above 1 give 255. It is exact: the decision thresholds are constants.
func Encode8(v float64) uint8 {
	if !(v >= encodeThreshold[0]) {
		return 0
	}
	if v >= 1 {
		return 255
	}
	bits := math.Float64bits(v)
	below := encodeCells[bits>>cellShift-firstCell]
	// Positive floats are ordered as their bits are, and a difference costs no branch.
	short := int64(bits-math.Float64bits(encodeThreshold[below])) >> 63
	return uint8(int64(below) + 1 + short)
}

// The interval from 2^-13, which is less than the first threshold, to 1 is cut into cells that
// share their exponent and the first bits of their mantissa: so many that none has two
// thresholds.
const (
	cellShift = 52 - 7
	firstCell = (1023 - 13) << (52 - cellShift)
	lastCell  = 1023<<(52-cellShift) - 1
)

// encodeCells counts the thresholds below each cell.
var encodeCells = func() (count [lastCell - firstCell + 1]uint8) {
	below := 0
	for i := range count {
		low := math.Float64frombits(uint64(firstCell+i) << cellShift)
		for encodeThreshold[below] < low {
			below++
		}
		count[i] = uint8(below)
	}
	return count
}()
