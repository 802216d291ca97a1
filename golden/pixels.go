package golden

import (
	"encoding/binary"
	"image"
	"image/color"
)

const (
	channels = 4
	fine     = 257 // an 8-bit step in 16-bit steps: 255 * 257 = 65535
)

// isDeep reports whether m may hold more than 8 bits per channel. It is true for the images that
// image/png encodes with 16 bits.
func isDeep(m image.Image) bool {
	switch model := m.ColorModel(); model {
	case color.GrayModel, color.AlphaModel, color.RGBAModel, color.NRGBAModel:
		return false
	default:
		_, ok := model.(color.Palette)
		return !ok
	}
}

// pixelSize returns the number of bytes per pixel.
func pixelSize(deep bool) int {
	if deep {
		return 2 * channels
	}
	return channels
}

// A reader reads an image row by row as non-premultiplied pixels: R, G, B, A with one byte each or, if deep,
// two bytes each, high byte first. It reuses its buffers, so it must not be used concurrently.
type reader struct {
	img    image.Image
	bounds image.Rectangle
	deep   bool
	buf    []uint8
	wide   []uint8 // only for an 8-bit image that is read as deep
}

func newReader(m image.Image, deep bool) *reader {
	return &reader{img: m, bounds: m.Bounds(), deep: deep}
}

// row returns row y, counted from the top. The slice is valid until the next call. Do not modify it: it may be
// the image's own memory.
func (r *reader) row(y int) []uint8 {
	if !r.deep {
		return r.row8(r.bounds.Min.Y + y)
	}
	if isDeep(r.img) {
		return r.row16(r.bounds.Min.Y + y)
	}
	r.wide = r.wide[:0]
	for _, v := range r.row8(r.bounds.Min.Y + y) {
		r.wide = append(r.wide, v, v) // v * 257
	}
	return r.wide
}

func (r *reader) row8(y int) []uint8 {
	x0, x1 := r.bounds.Min.X, r.bounds.Max.X
	switch m := r.img.(type) {
	case *image.NRGBA:
		return m.Pix[m.PixOffset(x0, y):][:channels*(x1-x0)]
	case *image.RGBA:
		return r.straight(m.Pix[m.PixOffset(x0, y):][:channels*(x1-x0)])
	}
	r.buf = r.buf[:0]
	if at := r.premultiplied(); at != nil {
		for x := x0; x < x1; x++ {
			c := straight64(at.RGBA64At(x, y))
			r.buf = append(r.buf, uint8(c[0]>>8), uint8(c[1]>>8), uint8(c[2]>>8), uint8(c[3]>>8))
		}
		return r.buf
	}
	for x := x0; x < x1; x++ {
		c := color.NRGBAModel.Convert(r.img.At(x, y)).(color.NRGBA)
		r.buf = append(r.buf, c.R, c.G, c.B, c.A)
	}
	return r.buf
}

// premultiplied returns the image if its colors have no straight alpha that RGBA64At would lose. RGBA64At takes no memory
// for each pixel, as At does. Otherwise premultiplied returns nil.
func (r *reader) premultiplied() image.RGBA64Image {
	switch m := r.img.(type) {
	case *image.RGBA64, *image.Gray, *image.Gray16, *image.Alpha, *image.Alpha16, *image.YCbCr, *image.CMYK:
		return m.(image.RGBA64Image)
	}
	return nil
}

// straight64 converts a pixel from premultiplied alpha, as color.NRGBA64Model does.
func straight64(c color.RGBA64) [channels]uint16 {
	p := [channels]uint16{c.R, c.G, c.B, c.A}
	switch c.A {
	case 0:
		return [channels]uint16{}
	case 0xffff:
		return p
	}
	for i, v := range p[:3] {
		p[i] = uint16(uint32(v) * 0xffff / uint32(c.A))
	}
	return p
}

func (r *reader) row16(y int) []uint8 {
	x0, x1 := r.bounds.Min.X, r.bounds.Max.X
	if m, ok := r.img.(*image.NRGBA64); ok {
		return m.Pix[m.PixOffset(x0, y):][:2*channels*(x1-x0)]
	}
	r.buf = r.buf[:0]
	if at := r.premultiplied(); at != nil {
		for x := x0; x < x1; x++ {
			for _, v := range straight64(at.RGBA64At(x, y)) {
				r.buf = binary.BigEndian.AppendUint16(r.buf, v)
			}
		}
		return r.buf
	}
	for x := x0; x < x1; x++ {
		c := color.NRGBA64Model.Convert(r.img.At(x, y)).(color.NRGBA64)
		for _, v := range [channels]uint16{c.R, c.G, c.B, c.A} {
			r.buf = binary.BigEndian.AppendUint16(r.buf, v)
		}
	}
	return r.buf
}

// straight converts a row from premultiplied alpha, as color.NRGBAModel does. Different premultiplied pixels
// remain different: the division is done with 16 bits, where the results for neighboring values of a channel
// are at least 65535/255 = 257 apart. So they still differ after the low 8 bits are cut off.
func (r *reader) straight(row []uint8) []uint8 {
	if opaque(row) {
		return row
	}
	r.buf = r.buf[:0]
	for ; len(row) > 0; row = row[channels:] {
		a := uint32(row[3])
		if a == 0 {
			r.buf = append(r.buf, 0, 0, 0, 0)
			continue
		}
		for _, v := range row[:3] {
			r.buf = append(r.buf, uint8(uint32(v)*0xffff/a>>8))
		}
		r.buf = append(r.buf, row[3])
	}
	return r.buf
}

func opaque(row []uint8) bool {
	for i := channels - 1; i < len(row); i += channels {
		if row[i] != 255 {
			return false
		}
	}
	return true
}

// distance returns the differences between two pixels: peak, the largest in one channel, in 8-bit steps rounded up,
// and sum, over all channels, in 16-bit steps.
func distance(a, b []uint8, deep bool) (peak int, sum uint64) {
	var most int
	for c := range channels {
		var d int
		if deep {
			d = int(binary.BigEndian.Uint16(a[2*c:])) - int(binary.BigEndian.Uint16(b[2*c:]))
		} else {
			d = fine * (int(a[c]) - int(b[c]))
		}
		d = max(d, -d)
		most = max(most, d)
		sum += uint64(d)
	}
	return (most + fine - 1) / fine, sum
}
