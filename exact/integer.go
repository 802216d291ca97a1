package exact

import (
	"math/big"
	"math/bits"
	"slices"
)

// integer is what the algorithm asks of a number type. A method leaves its operands as they are.
type integer[T any] interface {
	add(T) T
	sub(T) T
	mul(T) T
	sign() int
	cmpMul(y, z, w T) int // compares receiver*y with z*w, even if these products do not fit into a T
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

// fitBits is the length of coordinates and radii up to which the algorithm cannot overflow an int128.
//
// Magnitudes are below 2^29, so a difference of two coordinates and r1 + r2 are below M = 2^30. Dot
// products, squared distances and r² are then within 3M², sums of four of those within 12M². The
// products of two, which make d, sn and tn, are within 9M⁴ and their sums within 18M⁴ < 2^125. The
// components of n are within 2M², h and its partial sums within 18M³. Larger products, h² and rr d
// with up to 27M⁶, occur in cmpMul alone. One more bit would take 18M⁴ beyond 2^127.
const fitBits = 29

// fits reports whether the algorithm may compute with c in int128.
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

// mulWide returns x*y + 2^255, highest word first. The offset makes the order of products that of
// their words.
func (x int128) mulWide(y int128) [4]uint64 {
	h00, l00 := bits.Mul64(x.lo, y.lo)
	h01, l01 := bits.Mul64(x.lo, y.hi)
	h10, l10 := bits.Mul64(x.hi, y.lo)
	h11, l11 := bits.Mul64(x.hi, y.hi)

	// As words without sign: h00 + (h01, l01) + (h10, l10) + (h11, l11, 0), none of which overflows.
	mid, c1 := bits.Add64(l01, l10, 0)
	mid, c2 := bits.Add64(mid, h00, 0)
	high := int128{h11, l11}.add(int128{0, h01}).add(int128{0, h10}).add(int128{0, c1 + c2})

	// A negative x was taken for x + 2^128, which adds 2^128 y; a negative y likewise.
	if x.negative() {
		high = high.sub(y)
	}
	if y.negative() {
		high = high.sub(x)
	}
	return [4]uint64{high.hi ^ 1<<63, high.lo, mid, l00}
}
