package pngfile

import (
	"encoding/binary"
	"image"
	"math"
	"slices"
)

// piece is a compressed band.
type piece struct {
	data []byte // deflate blocks, none of them the last, that end at a whole byte
	size int    // of the filtered rows
	sum  uint32 // their Adler-32
}

// sampleRows is how many rows, one below the other, a filter is tried on. Fewer miss what only
// some rows of a smooth picture have.
const sampleRows = 3

// A compressor makes pieces. Its fields are scratch space, kept from band to band.
type compressor struct {
	img   *image.NRGBA
	color Color

	zeros []byte // the row above the picture
	row   []byte // filtered, four bytes a pixel
	data  []byte // filtered rows
	match matcher
	block block
}

func newCompressor(img *image.NRGBA, c Color) *compressor {
	n := 4 * img.Rect.Dx()
	return &compressor{
		img:   img,
		color: c,
		zeros: make([]byte, n),
		row:   make([]byte, n),
		match: matcher{pixel: c.bytes()},
	}
}

// compress returns the piece of the rows from <= y < to.
func (c *compressor) compress(from, to int) piece {
	c.data = slices.Grow(c.data[:0], (to-from)*(1+len(c.row)))
	c.filter(c.choose(from, to), from, to)
	var w bitWriter
	// Twice as thorough makes files hardly smaller.
	thorough := effort{afterLiteral: 2, afterMatch: 32, lazy: 16}
	c.match.scan(c.data, 0, thorough, &c.block, func() {
		c.block.write(&w)
		c.block.clear()
	})
	w.align()
	return piece{w.out, len(c.data), checksum(c.data)}
}

// choose returns the filter that suits the rows from <= y < to best, by compressing samples of
// them. One filter for all is better than the best for each row by itself: what rows have
// in common stays in common.
func (c *compressor) choose(from, to int) filter {
	best, least := none, math.MaxInt
	for _, f := range [...]filter{above, left, paeth, none} {
		cost := c.try(f, from, to, from+(to-from)/4)
		if cost < least {
			cost += c.try(f, from, to, from+(to-from)*3/4)
		}
		if cost < least {
			best, least = f, cost
		}
	}
	return best
}

// try returns about how many bits rows around middle would take, of those from <= y < to.
func (c *compressor) try(f filter, from, to, middle int) int {
	from = max(from, middle-sampleRows/2)
	to = min(to, from+sampleRows)
	c.filter(f, from, to)
	first := 0
	if to-from == sampleRows {
		// The others look back to the first row, as they do where rows are many.
		first = len(c.data) / sampleRows
	}
	quick := effort{afterLiteral: 1, afterMatch: 4} // tells filters apart well enough
	cost := 0
	c.match.scan(c.data, first, quick, &c.block, func() {
		cost += c.block.cost()
		c.block.clear()
	})
	return cost
}

// filter sets c.data to the rows from <= y < to, filtered by f and in the file's channels.
func (c *compressor) filter(f filter, from, to int) {
	c.data = c.data[:0]
	up := c.zeros
	if from > 0 {
		up = pixels(c.img, from-1)
	}
	for y := from; y < to; y++ {
		row := pixels(c.img, y)
		f.apply(c.row, row, up)
		c.data = append(c.data, byte(f))
		c.data = c.color.appendPixels(c.data, c.row)
		up = row
	}
}

// appendPixels appends the channels of c.
func (c Color) appendPixels(dst, rgba []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, len(rgba))[:n+len(rgba)/4*c.bytes()]
	out := dst[n:]
	switch c {
	case RGBA:
		copy(out, rgba)
	case RGB:
		// Two pixels at a time; what is written beyond them is overwritten by the next.
		for len(out) >= 8 && len(rgba) >= 8 {
			two := binary.LittleEndian.Uint64(rgba)
			binary.LittleEndian.PutUint64(out, two&0xffffff|two>>8&0xffffff000000)
			out, rgba = out[6:], rgba[8:]
		}
		for len(out) >= 3 {
			copy(out[:3], rgba)
			out, rgba = out[3:], rgba[4:]
		}
	case Gray:
		for i := range out {
			out[i] = rgba[4*i]
		}
	}
	return dst
}
