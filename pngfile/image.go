package pngfile

import (
	"image"
	"image/png"
	"io"
)

// EncodeImage writes any image to w: an [image.NRGBA] or an opaque [image.RGBA] as [Encode] does,
// others, which may have more bits or a palette, as [png.Encode] does. Equal pixels are decoded
// from either.
func EncodeImage(w io.Writer, img image.Image) error {
	switch img := img.(type) {
	case *image.NRGBA:
		return Encode(w, img)
	case *image.RGBA:
		if img.Opaque() { // so straight and premultiplied colors are the same
			return Encode(w, &image.NRGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect})
		}
	}
	return png.Encode(w, img)
}
