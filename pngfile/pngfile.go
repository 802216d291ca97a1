// Package pngfile writes pictures of 8 bits per channel as PNG files, on several goroutines and while
// the picture is still being rendered.
//
// The picture is divided into bands of whole rows. Each band is filtered and compressed independently
// of the others, except that filters use the last row above it. The compressed bands are written in
// order. So the file depends only on the pixels and the [Options], never on the number of goroutines or
// on timing. Different releases of this package may write different files for the same picture: compare
// pixels, not files.
//
// Every file declares its colors as sRGB, except for the files that [EncodeImage] leaves to image/png.
//
// A [Decoder] reads most PNGs of 8 bits per channel row by row, for pictures that are larger than the memory should be.
//
// Section numbers in this package are those of the PNG specification, third edition (W3C, 2025).
package pngfile

import (
	"encoding/binary"
	"image"
	"io"
)

// Color selects the channels that a file stores of each pixel.
type Color uint8

const (
	// RGBA stores all four channels of every picture, the color under alpha 0 included.
	RGBA Color = iota

	// RGB omits alpha: for pictures that are opaque everywhere.
	RGB

	// Gray stores one channel: for opaque pictures whose red, green and blue are equal.
	Gray
)

// bytes returns the number of bytes per pixel.
func (c Color) bytes() int { return [...]int{RGBA: 4, RGB: 3, Gray: 1}[c] }

// code is the color type in the file (section 11.2.1).
func (c Color) code() byte { return [...]byte{RGBA: 6, RGB: 2, Gray: 0}[c] }

// Encode writes img to w, without loss, in the fewest channels that suffice. It returns an error if img
// is empty.
func Encode(w io.Writer, img *image.NRGBA) error {
	return NewEncoder(w, img, Options{Color: colorOf(img)}).Close()
}

// colorOf returns the Color with the fewest channels that is lossless for img.
func colorOf(img *image.NRGBA) Color {
	gray := true
	for y := range img.Rect.Dy() {
		opaque := uint64(0xff000000ff000000)
		differ := uint64(0) // bits in which neighboring channels differ
		row := pixels(img, y)
		for ; len(row) >= 32; row = row[32:] {
			eight := (*[32]byte)(row)
			p, q, r, s := load(eight[0:]), load(eight[8:]), load(eight[16:]), load(eight[24:])
			opaque &= p & q & r & s
			differ |= (p ^ p>>8) | (q ^ q>>8) | (r ^ r>>8) | (s ^ s>>8)
		}
		for ; len(row) >= 4; row = row[4:] {
			p := uint64(binary.LittleEndian.Uint32(row))
			opaque &= p | p<<32
			differ |= p ^ p>>8
		}
		if opaque != 0xff000000ff000000 {
			return RGBA
		}
		gray = gray && differ&0x0000ffff0000ffff == 0
	}
	if gray {
		return Gray
	}
	return RGB
}

// pixels returns row y of img, counted from its top.
func pixels(img *image.NRGBA, y int) []byte {
	start := y * img.Stride
	return img.Pix[start : start+4*img.Rect.Dx()]
}
