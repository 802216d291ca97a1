package pngfile

import (
	"encoding/binary"
	"hash/crc32"
	"image"
	"math"
)

// appendHeader appends the signature and the chunks that precede the pixels.
func appendHeader(dst []byte, size image.Point, c Color, dpi int) []byte {
	dst = append(dst, "\x89PNG\r\n\x1a\n"...)

	var header []byte
	header = binary.BigEndian.AppendUint32(header, uint32(size.X))
	header = binary.BigEndian.AppendUint32(header, uint32(size.Y))
	header = append(header, 8, c.code(), 0, 0, 0) // bits per channel, color type, compression by deflate, standard filters, not interlaced
	dst = appendChunk(dst, "IHDR", header)

	// Section 11.3.2.5 recommends a gAMA chunk with this value for decoders that do not support sRGB.
	const perceptual, gamma = 0, 45455
	dst = appendChunk(dst, "sRGB", []byte{perceptual})
	dst = appendChunk(dst, "gAMA", binary.BigEndian.AppendUint32(nil, gamma))
	return appendPHYs(dst, dpi)
}

// appendPHYs appends the resolution as a pHYs chunk (section 11.3.4.3), unless dpi is 0. The chunk has
// whole pixels per meter.
func appendPHYs(dst []byte, dpi int) []byte {
	if dpi == 0 {
		return dst
	}
	const metersPerInch, meter = 0.0254, 1
	perMeter := uint32(math.Round(float64(dpi) / metersPerInch))
	data := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, perMeter), perMeter)
	return appendChunk(dst, "pHYs", append(data, meter))
}

// appendChunk appends a chunk: length, type, data and CRC (section 5.3).
func appendChunk(dst []byte, kind string, data []byte) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0) // the length, set below
	dst = append(dst, kind...)
	dst = append(dst, data...)
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-8))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start+4:]))
}
