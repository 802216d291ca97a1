package pngfile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/adler32"
	"image"
	"io"
	"math"
	"slices"

	"github.com/klauspost/compress/flate"
)

// level is the level of compression. For pictures of 1920 x 1080, sizes relative to the files of image/png and speeds
// relative to level 5 are: level 4, size 1.18, speed 1.07; level 5, size 1.10; level 6, size 1.04, speed 0.84; level 7,
// size 1.01, speed 0.56. A rendering ends only when its file is written, so speed matters more than size.
const level = 5

// tiny is the number of pixels up to which a picture is compressed without the tables of level 5, whose memory takes
// longer to prepare than such a picture to compress. Its file has about 1.04 times the size.
const tiny = 1 << 12

// piece is a compressed band.
type piece struct {
	data []byte // deflate blocks that end at a byte boundary; none is marked as the last
	size int    // of the filtered rows, in bytes
	sum  uint32 // their Adler-32
}

// sampleRows is the number of adjacent rows in a sample on which a filter is tried. In smooth pictures,
// fewer rows are not representative.
const sampleRows = 3

// A compressor filters and compresses bands. Its buffers are reused from band to band.
type compressor struct {
	img   *image.NRGBA
	color Color

	zeros   []byte        // the row above the picture
	row     []byte        // filtered, four bytes a pixel
	data    []byte        // filtered rows
	deflate *flate.Writer // nil for a tiny picture
}

func newCompressor(img *image.NRGBA, c Color) *compressor {
	n := 4 * img.Rect.Dx()
	made := &compressor{
		img:   img,
		color: c,
		zeros: make([]byte, n),
		row:   make([]byte, n),
	}
	if img.Rect.Dx() > tiny/img.Rect.Dy() {
		deflate, err := flate.NewWriter(nil, level)
		if err != nil {
			panic(err) // the level is invalid
		}
		made.deflate = deflate
	}
	return made
}

// compress returns the compressed band of the rows from <= y < to.
func (c *compressor) compress(from, to int) piece {
	c.data = slices.Grow(c.data[:0], (to-from)*(1+len(c.row)))
	c.filter(c.choose(from, to), from, to)
	// With the end of the previous band as a dictionary, files would be 0.3% smaller, but each band
	// would have to wait until the filter of the previous one is chosen.
	var out bytes.Buffer
	c.squeeze(&out, nil, c.data)
	return piece{out.Bytes(), len(c.data), adler32.Checksum(c.data)}
}

// squeeze compresses data to w, whose Write must not fail, as deflate blocks that end at a byte boundary. No block is
// marked as the last. Matches may refer to the bytes of dictionary.
func (c *compressor) squeeze(w io.Writer, dictionary, data []byte) {
	var err error
	if c.deflate == nil {
		err = flate.StatelessDeflate(w, data, false, dictionary)
	} else {
		c.deflate.ResetDict(w, dictionary)
		_, err = c.deflate.Write(data)
		err = cmp.Or(err, c.deflate.Flush())
	}
	if err != nil {
		panic(err)
	}
}

// choose returns the filter with which a sample of the rows from <= y < to compresses best. One filter for the whole
// band compresses better than the best filter for each row, because rows that resemble each other still do so after
// the same filter.
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

// try returns the compressed size of a sample: of a few rows near the row middle, filtered by f. It uses only rows from
// <= y < to.
func (c *compressor) try(f filter, from, to, middle int) int {
	from = max(from, middle-sampleRows/2)
	to = min(to, from+sampleRows)
	c.filter(f, from, to)
	first := 0
	if to-from == sampleRows {
		// Count only the rows after the first, with the first as a dictionary: in a band, nearly every
		// row follows another.
		first = len(c.data) / sampleRows
	}
	var cost counter
	c.squeeze(&cost, c.data[:first], c.data[first:])
	return int(cost)
}

// A counter counts the bytes that are written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
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

// appendPixels appends the pixels in rgba to dst, without the channels that the Color c does not store.
func (c Color) appendPixels(dst, rgba []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, len(rgba))[:n+len(rgba)/4*c.bytes()]
	out := dst[n:]
	switch c {
	case RGBA:
		copy(out, rgba)
	case RGB:
		// Convert two pixels at a time. Each store writes 8 bytes, and the next store overwrites the last 2 of them.
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

// combine returns the Adler-32 (RFC 1950) of the concatenation of data with checksum a and of size
// bytes with checksum b. The low half of an Adler-32 is 1 plus the sum of all bytes, and the high half
// is the sum of the low halves after each byte, both modulo a prime.
func combine(a, b uint32, size int) uint32 {
	const mod = 65521
	a0, a1, b0, b1, n := uint64(a&0xffff), uint64(a>>16), uint64(b&0xffff), uint64(b>>16), uint64(size)%mod
	// After each byte of b, the low half is larger by the sum of the bytes of a.
	low := (a0 + b0 + mod - 1) % mod
	high := (a1 + b1 + n*(a0+mod-1)) % mod
	return uint32(high<<16 | low)
}
