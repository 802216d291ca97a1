package pngfile

import (
	"bytes"
	"image"
	"image/png"
	"io"
)

// EncodeImage writes any image to w: an [image.NRGBA] or an opaque [image.RGBA] as [Encode] does,
// others, which may have more bits or a palette, as [png.Encode] does. Equal pixels are decoded
// from either.
func EncodeImage(w io.Writer, img image.Image) error { return EncodeImageAt(w, img, 0) }

// EncodeImageAt is [EncodeImage] for a file that states a resolution in pixels per inch, unless dpi is 0.
func EncodeImageAt(w io.Writer, img image.Image, dpi int) error {
	switch img := img.(type) {
	case *image.NRGBA:
		return NewEncoder(w, img, Options{Color: colorOf(img), DPI: dpi}).Close()
	case *image.RGBA:
		if img.Opaque() { // so straight and premultiplied colors are the same
			return EncodeImageAt(w, &image.NRGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}, dpi)
		}
	}
	if dpi == 0 {
		return png.Encode(w, img)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		return err
	}
	const header = 33 // signature and IHDR, which must come first
	if _, err := w.Write(appendResolution(bytes.Clone(file.Next(header)), dpi)); err != nil {
		return err
	}
	_, err := file.WriteTo(w)
	return err
}
