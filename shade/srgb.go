package shade

import (
	"math"
	"sort"
)

// FromSRGB8 returns the linear light of an 8-bit sRGB color, correctly rounded.
func FromSRGB8(r, g, b uint8) Color {
	return Color{linearOf8[r], linearOf8[g], linearOf8[b]}
}

// FromSRGB returns the linear light of an sRGB color with channels 0..1, each within two
// units in the last place. Channels outside 0..1 are clamped; NaN counts as 0.
func FromSRGB(r, g, b float64) Color {
	return Color{decode(clamp(r)), decode(clamp(g)), decode(clamp(b))}
}

// decode is the inverse of the sRGB transfer function, IEC 61966-2-1.
func decode(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	// x = (v + 0.055)/1.055 carries its rounding error along as dx, because x^2.4 would magnify it. offsetLo
	// and scaleLo are the differences between 0.055 and 1.055 and their float64 values. The explicit math.FMA
	// is exact on every platform.
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

// fifthRoot returns the fifth root of a, 0.007 <= a <= 1, by Newton's method. It starts with the arithmetic mean of 1
// and a, which differs from the root by at most 36 percent. Each step changes a relative error e to about 2 e^2. After
// seven steps, only rounding errors remain.
func fifthRoot(a float64) float64 {
	y := 0.5 + float64(0.5*a)
	for range 7 {
		y2 := y * y
		y -= (y - a/(y2*y2)) / 5
	}
	return y
}

// EncodeSRGB8 returns the 8-bit sRGB value nearest to linear light v. Values below 0 and NaN
// give 0, values above 1 give 255. It is exact: the decision thresholds are constants.
func EncodeSRGB8(v float64) uint8 {
	if !(v >= encodeThreshold[0]) {
		return 0
	}
	if v >= 1 {
		return 255
	}
	bits := math.Float64bits(v)
	below := encodeCells[bits>>cellShift-firstCell]
	// Positive floats have the same order as their bits. short is -1 if v is less than the threshold, else 0. The
	// shifted difference avoids a branch.
	short := int64(bits-math.Float64bits(encodeThreshold[below])) >> 63
	return uint8(int64(below) + 1 + short)
}

// The interval from 2^-13, which is less than the first threshold, to 1 is cut into cells that share
// their exponent and the first bits of their mantissa: so many that none contains two thresholds.
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

// ExactSRGB8 returns the 8-bit sRGB color that [FromSRGB8] converts to exactly c, for writing c to a file. It returns
// false if no such color exists. To round a color to 8 bits, use [EncodeSRGB8] for each channel.
func (c Color) ExactSRGB8() (r, g, b uint8, ok bool) {
	r, okR := encodeExactly8(c.R)
	g, okG := encodeExactly8(c.G)
	b, okB := encodeExactly8(c.B)
	return r, g, b, okR && okG && okB
}

func encodeExactly8(v float64) (uint8, bool) {
	i := sort.SearchFloat64s(linearOf8[:], v)
	if i == len(linearOf8) || linearOf8[i] != v {
		return 0, false
	}
	return uint8(i), true
}

// NearestSRGB returns sRGB channels that [FromSRGB] converts to c, or to the nearest color that has sRGB channels, for
// writing c to a file. If the channels of c are 0..1, those of the nearest color differ from them by a few units in the
// last place at most; many colors have no sRGB channels of their own. It is slow. To round a color to 8 bits, use
// [EncodeSRGB8].
func (c Color) NearestSRGB() (r, g, b float64) {
	return encodeNearest(c.R), encodeNearest(c.G), encodeNearest(c.B)
}

// encodeNearest returns the x for which decode(x) is nearest to v. decode approximates an increasing function to within
// two units in the last place, so bisection ends near such an x.
func encodeNearest(v float64) float64 {
	v = clamp(v)
	// Numbers that are not negative are in the order of their bits.
	lo, hi := math.Float64bits(0), math.Float64bits(1)
	for hi-lo > 1 {
		if middle := lo + (hi-lo)/2; decode(math.Float64frombits(middle)) < v {
			lo = middle
		} else {
			hi = middle
		}
	}
	// A unit in the last place of x is between 1/2 and 2.4 * 13 units in the last place of v, so it
	// suffices to try a few neighbors.
	const around = 64
	best := math.Float64frombits(hi)
	for bits := hi - min(hi, around); bits <= min(hi+around, math.Float64bits(1)); bits++ {
		x := math.Float64frombits(bits)
		if math.Abs(decode(x)-v) < math.Abs(decode(best)-v) {
			best = x
		}
	}
	return best
}
