package pngfile

import (
	"bytes"
	"image"
	"image/png"
	"io"
)

// EncodeImage writes any image to w. It uses [Encode] for an [image.NRGBA] or an opaque [image.RGBA],
// and [png.Encode] for other types, which may have more bits or a palette. Decoding the file gives
// equal pixels in both cases.
func EncodeImage(w io.Writer, img image.Image) error { return EncodeImageAt(w, img, 0) }

// EncodeImageAt is [EncodeImage] with a resolution in pixels per inch, which it writes into the file
// unless dpi is 0.
func EncodeImageAt(w io.Writer, img image.Image, dpi int) error {
	switch img := img.(type) {
	case *image.NRGBA:
		return NewEncoder(w, img, Options{Color: colorOf(img), DPI: dpi}).Close()
	case *image.RGBA:
		if img.Opaque() { // straight and premultiplied colors are equal
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
	if _, err := w.Write(appendPHYs(bytes.Clone(file.Next(header)), dpi)); err != nil {
		return err
	}
	_, err := file.WriteTo(w)
	return err
}
