package pngfile

import (
	"encoding/binary"
	"image/png"
)

// A filter replaces each byte of a row by its difference, modulo 256, from a predicted byte. The prediction is 0, or
// the byte for the same channel of a neighboring pixel. Depending on the filter, the neighbor is the pixel to the left,
// the pixel above, or the one that the Paeth predictor selects (section 9). Outside the picture all bytes are 0.
type filter byte

// Filter 3 of PNG, the average of left and above, is missing: it is almost never the best for a band.
const (
	none  filter = 0
	left  filter = 1
	above filter = 2
	paeth filter = 4
)

// apply filters row and stores the result in dst. up is the row above. All three have the same length;
// a pixel has four bytes.
func (f filter) apply(dst, row, up []byte) {
	const pixel = 4
	switch f {
	case none:
		copy(dst, row)
	case left:
		copy(dst, row[:pixel])
		subtract(dst[pixel:], row[pixel:], row)
	case above:
		subtract(dst, row, up)
	case paeth:
		subtract(dst[:pixel], row, up) // without a left neighbor, Paeth predicts the pixel above
		subtractPaeth(dst[pixel:], row[pixel:], row, up[pixel:], up)
	}
}

// undo restores a filtered row in place. up is the restored row above. A pixel has the given number of bytes, or is smaller
// than a byte.
func (f filter) undo(row, up []byte, pixel int) error {
	const average filter = 3
	up = up[:len(row)]
	first := min(pixel, len(row)) // the bytes before it have no pixel to the left
	switch f {
	case none:
	case left:
		for i := first; i < len(row); i++ {
			row[i] += row[i-pixel]
		}
	case above:
		for i, v := range up {
			row[i] += v
		}
	case average:
		for i, v := range up[:first] {
			row[i] += v / 2
		}
		for i := first; i < len(row); i++ {
			row[i] += byte((int(row[i-pixel]) + int(up[i])) / 2)
		}
	case paeth:
		for i, v := range up[:first] {
			row[i] += v
		}
		for i := first; i < len(row); i++ {
			row[i] += predict(row[i-pixel], up[i], up[i-pixel])
		}
	default:
		return png.FormatError("bad filter type")
	}
	return nil
}

// subtract sets each byte of dst to the byte of x minus the byte of y, modulo 256.
func subtract(dst, x, y []byte) {
	const stretch = 64
	for len(dst) >= stretch {
		d, a, b := (*[stretch]byte)(dst), (*[stretch]byte)(x), (*[stretch]byte)(y)
		if *a == *b {
			*d = [stretch]byte{} // the most frequent case by far
		} else {
			for i := 0; i < stretch; i += 8 {
				store(d[i:], subtract8(load(a[i:]), load(b[i:])))
			}
		}
		dst, x, y = dst[stretch:], x[stretch:], y[stretch:]
	}
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

// subtractPaeth sets dst to x minus the Paeth prediction from a, b and c: the bytes to the left, above,
// and above left.
func subtractPaeth(dst, x, a, b, c []byte) {
	const stretch = 64
	for len(dst) >= stretch {
		dst8, x8, a8, b8, c8 := (*[stretch]byte)(dst), (*[stretch]byte)(x), (*[stretch]byte)(a), (*[stretch]byte)(b), (*[stretch]byte)(c)
		for i := 0; i < stretch; i += 8 {
			va, vb, vc := load(a8[i:]), load(b8[i:]), load(c8[i:])
			// Where c equals a, the prediction is b. Where c equals b, the prediction is a.
			isA, isB := zeros(vb^vc), zeros(va^vc)
			if isA|isB == ^uint64(0) {
				store(dst8[i:], subtract8(load(x8[i:]), vb&isB|va&^isB))
				continue
			}
			for j := i; j < i+8; j++ {
				dst8[j] = x8[j] - predict(a8[j], b8[j], c8[j])
			}
		}
		dst, x, a, b, c = dst[stretch:], x[stretch:], a[stretch:], b[stretch:], c[stretch:]
	}
	for i := range dst {
		dst[i] = x[i] - predict(a[i], b[i], c[i])
	}
}

// predict returns the one of a, b and c that is nearest to a+b-c (section 9.4).
func predict(a, b, c byte) byte {
	toA, toB := int(b)-int(c), int(a)-int(c)
	toC := abs(toA + toB)
	toA, toB = abs(toA), abs(toB)
	switch {
	case toA <= toB && toA <= toC:
		return a
	case toB <= toC:
		return b
	default:
		return c
	}
}

func abs(x int) int { return max(x, -x) }

// subtract8 subtracts each of the eight bytes of y from the byte at the same place in x (Warren, Hacker's Delight,
// section 2-18). The high bits are computed separately, so that no byte borrows from the next.
func subtract8(x, y uint64) uint64 {
	const high = 0x8080808080808080
	return ((x | high) - (y &^ high)) ^ ((x ^ ^y) & high)
}

// zeros returns 0xff in each byte that is 0 in v, and 0 in the others (ibid., section 6-1).
func zeros(v uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	return ^((v&low + low) | v | low) >> 7 * 0xff
}

func load(b []byte) uint64     { return binary.LittleEndian.Uint64(b) }
func store(b []byte, v uint64) { binary.LittleEndian.PutUint64(b, v) }
