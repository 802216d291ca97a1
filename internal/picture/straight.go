package picture

import (
	"image"
	"image/color"
)

// Straighten returns img with straight alpha. The result may share the memory of img, and Straighten may overwrite its
// pixels. So img must not be used afterwards. This saves a copy of pictures that can be very large.
func Straighten(img image.Image) *image.NRGBA {
	switch img := img.(type) {
	case *image.NRGBA:
		return img
	case *image.RGBA:
		for i := 0; i < len(img.Pix); i += 4 {
			if p := img.Pix[i : i+4 : i+4]; p[3] != 0xff {
				c := color.NRGBAModel.Convert(color.RGBA{p[0], p[1], p[2], p[3]}).(color.NRGBA)
				p[0], p[1], p[2] = c.R, c.G, c.B
			}
		}
		return &image.NRGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}
	}
	b := img.Bounds()
	straight := image.NewNRGBA(b)
	at := straightAt(img)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			straight.SetNRGBA(x, y, at(x, y))
		}
	}
	return straight
}

// straightAt returns a function that returns the pixel of img at (x, y) with straight alpha. For paletted and gray
// images, calls of this function do not allocate memory.
func straightAt(img image.Image) func(x, y int) color.NRGBA {
	convert := func(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }
	switch img := img.(type) {
	case *image.Paletted:
		palette := make([]color.NRGBA, len(img.Palette))
		for i, c := range img.Palette {
			palette[i] = convert(c)
		}
		return func(x, y int) color.NRGBA { return palette[img.ColorIndexAt(x, y)] }
	case *image.Gray:
		return func(x, y int) color.NRGBA {
			v := img.GrayAt(x, y).Y
			return color.NRGBA{v, v, v, 0xff}
		}
	}
	return func(x, y int) color.NRGBA { return convert(img.At(x, y)) }
}
