package exact

import (
	"math/big"
	"math/bits"
	"slices"
)

// integer has the operations that relate needs. Methods do not modify their operands.
type integer[T any] interface {
	add(T) T
	sub(T) T
	mul(T) T
	sign() int
	cmpMul(y, z, w T) int // compares receiver*y with z*w, even if these products overflow T
}

// bigInt is an integer of any size.
type bigInt struct{ *big.Int }

// newBigInt returns x without copying it.
func newBigInt(x *big.Int) bigInt { return bigInt{x} }

func (x bigInt) add(y bigInt) bigInt { return bigInt{new(big.Int).Add(x.Int, y.Int)} }
func (x bigInt) sub(y bigInt) bigInt { return bigInt{new(big.Int).Sub(x.Int, y.Int)} }
func (x bigInt) mul(y bigInt) bigInt { return bigInt{new(big.Int).Mul(x.Int, y.Int)} }
func (x bigInt) sign() int           { return x.Sign() }

func (x bigInt) cmpMul(y, z, w bigInt) int {
	return x.mul(y).Cmp(z.mul(w).Int)
}

// fitBits is the largest number of bits in coordinates and radii for which relate cannot overflow an
// int128.
//
// Magnitudes are below 2^29, so a difference of two coordinates and r1 + r2 are below M = 2^30. Dot
// products, squared distances and r² are then at most 3M², and sums of four of these at most 12M².
// Products of two of these, from which d, sn and tn are computed, are at most 9M⁴, and their sums at
// most 18M⁴ < 2^125. The components of n are at most 2M², and h and its partial sums at most 18M³. The
// larger products h² and rr d, up to 27M⁶, occur only in cmpMul. With one more bit, 18M⁴ would exceed
// 2^127.
const fitBits = 29

// fits reports whether relate can use int128 for c.
func (c Capsule3) fits() bool {
	longest := c.R.BitLen()
	for i := range c.P {
		longest = max(longest, c.P[i].BitLen(), c.Q[i].BitLen())
	}
	return longest <= fitBits
}

// int128 is an integer from -2^127 up to 2^127 - 1, in two's complement.
type int128 struct{ hi, lo uint64 }

// newInt128 returns x, which must be within the range of an int64.
func newInt128(x *big.Int) int128 { return int128Of(x.Int64()) }

func int128Of(x int64) int128 { return int128{uint64(x >> 63), uint64(x)} }

func (x int128) add(y int128) int128 {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, carry)
	return int128{hi, lo}
}

func (x int128) sub(y int128) int128 {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	hi, _ := bits.Sub64(x.hi, y.hi, borrow)
	return int128{hi, lo}
}

func (x int128) mul(y int128) int128 {
	hi, lo := bits.Mul64(x.lo, y.lo)
	return int128{hi + x.hi*y.lo + x.lo*y.hi, lo}
}

func (x int128) sign() int {
	if x.negative() {
		return -1
	}
	if x == (int128{}) {
		return 0
	}
	return 1
}

func (x int128) negative() bool { return int64(x.hi) < 0 }

func (x int128) cmpMul(y, z, w int128) int {
	p, q := x.mulWide(y), z.mulWide(w)
	return slices.Compare(p[:], q[:])
}

// mulWide returns x*y + 2^255, highest word first. Because of the offset, comparing the words as
// unsigned numbers compares the products.
func (x int128) mulWide(y int128) [4]uint64 {
	h00, l00 := bits.Mul64(x.lo, y.lo)
	h01, l01 := bits.Mul64(x.lo, y.hi)
	h10, l10 := bits.Mul64(x.hi, y.lo)
	h11, l11 := bits.Mul64(x.hi, y.hi)

	// Multiply as if all words were unsigned: l00 is the lowest word, and the words above it are h00 +
	// (h01, l01) + (h10, l10) + (h11, l11, 0). The sum does not overflow.
	mid, c1 := bits.Add64(l01, l10, 0)
	mid, c2 := bits.Add64(mid, h00, 0)
	high := int128{h11, l11}.add(int128{0, h01}).add(int128{0, h10}).add(int128{0, c1 + c2})

	// Read as unsigned, a negative x is x + 2^128, which added 2^128 y to the product. The same holds
	// for y.
	if x.negative() {
		high = high.sub(y)
	}
	if y.negative() {
		high = high.sub(x)
	}
	return [4]uint64{high.hi ^ 1<<63, high.lo, mid, l00}
}
