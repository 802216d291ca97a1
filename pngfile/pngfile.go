// Package pngfile writes pictures of 8 bits a channel as PNG files, on several goroutines
// and while the picture is still being made.
//
// The picture is cut into bands of whole rows. Each is filtered and compressed on its own,
// as a function of its rows and the one above, and what comes out is joined in order. So a
// file depends on the pixels and how they are stored alone, never on the number of
// goroutines or on timing. Two releases of this package may write different files for the
// same picture; compare pixels, not files.
//
// Every file says that its colors are sRGB. Section numbers in this package are those of
// the PNG specification, third edition (W3C, 2025).
package pngfile

import (
	"encoding/binary"
	"hash/crc32"
	"image"
	"io"
	"math"
)

// Color describes what a file stores of each pixel.
type Color uint8

const (
	// RGBA stores all four channels of every picture, the color under alpha 0 included.
	RGBA Color = iota

	// RGB leaves out alpha: for pictures that are opaque everywhere.
	RGB

	// Gray stores one channel: for opaque pictures whose red, green and blue are equal.
	Gray
)

// bytes returns the bytes that a pixel takes.
func (c Color) bytes() int { return [...]int{RGBA: 4, RGB: 3, Gray: 1}[c] }

// code is the color type in the file (section 11.2.1).
func (c Color) code() byte { return [...]byte{RGBA: 6, RGB: 2, Gray: 0}[c] }

// Encode writes img to w in the fewest channels that hold it. The file has every pixel as it
// is. It is an error if img is empty.
func Encode(w io.Writer, img *image.NRGBA) error {
	return NewEncoder(w, img, Options{Color: colorOf(img)}).Close()
}

// colorOf returns the smallest Color that loses nothing.
func colorOf(img *image.NRGBA) Color {
	gray := true
	for y := range img.Rect.Dy() {
		opaque := uint64(0xff000000ff000000)
		differ := uint64(0) // of neighboring channels
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

// appendHeader appends what comes before the pixels.
func appendHeader(dst []byte, size image.Point, c Color, dpi int) []byte {
	dst = append(dst, "\x89PNG\r\n\x1a\n"...)

	var header []byte
	header = binary.BigEndian.AppendUint32(header, uint32(size.X))
	header = binary.BigEndian.AppendUint32(header, uint32(size.Y))
	header = append(header, 8, c.code(), 0, 0, 0) // bits a channel, color type; deflate, the filters, not interlaced
	dst = appendChunk(dst, "IHDR", header)

	// Section 11.3.2.5 recommends a gAMA of this value beside sRGB, for decoders that do not
	// know the latter.
	const perceptual, gamma = 0, 45455
	dst = appendChunk(dst, "sRGB", []byte{perceptual})
	dst = appendChunk(dst, "gAMA", binary.BigEndian.AppendUint32(nil, gamma))
	return appendResolution(dst, dpi)
}

// appendResolution appends a resolution in pixels per inch, unless it is 0 (section 11.3.4.3). The file states whole pixels
// per meter.
func appendResolution(dst []byte, dpi int) []byte {
	if dpi == 0 {
		return dst
	}
	const metersPerInch, meter = 0.0254, 1
	perMeter := uint32(math.Round(float64(dpi) / metersPerInch))
	data := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, perMeter), perMeter)
	return appendChunk(dst, "pHYs", append(data, meter))
}

// appendChunk appends a chunk (section 5.3).
func appendChunk(dst []byte, kind string, data []byte) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0) // the length, once it is known
	dst = append(dst, kind...)
	dst = append(dst, data...)
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-8))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start+4:]))
}
