// Package picture writes pictures as PNG, JPEG, TIFF or BMP, and converts pictures that were read to straight
// (non-premultiplied) alpha.
//
// A file states a resolution only if the caller gives one: PNG in pHYs, TIFF in XResolution and YResolution, JPEG in
// a JFIF header, BMP in its info header.
package picture

import (
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"pillbox/pngfile"
)

// Format is the format of a picture's file.
type Format uint8

const (
	PNG Format = iota
	JPEG
	TIFF
	BMP
)

// Extensions returns the extensions of file names that [FormatOf] knows.
func Extensions() []string { return []string{".png", ".jpg", ".jpeg", ".tiff", ".tif", ".bmp"} }

// MaxDPI is the largest resolution that all formats can state. The limit is that of JPEG.
const MaxDPI = 1<<16 - 1

// FormatOf returns the format for the extension of a file name, in upper or lower case. It returns false if no format
// has this extension.
func FormatOf(name string) (Format, bool) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png":
		return PNG, true
	case ".jpg", ".jpeg":
		return JPEG, true
	case ".tiff", ".tif":
		return TIFF, true
	case ".bmp":
		return BMP, true
	}
	return PNG, false
}

// IsOpaque reports whether files of the format have no transparency.
func (f Format) IsOpaque() bool { return f == JPEG || f == BMP }

// jpegQuality keeps the edges of flat-colored solids free of visible ringing.
const jpegQuality = 95

// Encode writes a picture. dpi is its resolution in dots per inch, 1 to [MaxDPI], or 0 for none. A format without
// transparency shows transparent pixels on black.
func (f Format) Encode(w io.Writer, img image.Image, dpi int) error {
	switch f {
	case JPEG:
		return jpeg.Encode(withDensity(w, dpi), onBlack(img), &jpeg.Options{Quality: jpegQuality})
	case TIFF:
		t := tiffWriter{dpi: dpi}
		if err := tiff.Encode(&t.buffer, img, &tiff.Options{Compression: tiff.Deflate, Predictor: true}); err != nil {
			return err
		}
		return t.writeTo(w)
	case BMP: // most programs ignore the alpha of a BMP
		return bmp.Encode(&patcher{w: w, at: bmpResolution, data: bmpDensity(dpi)}, onBlack(img))
	}
	return pngfile.EncodeImageAt(w, img, dpi)
}

// onBlack returns img laid over black.
func onBlack(img image.Image) *image.RGBA {
	flat := image.NewRGBA(img.Bounds())
	draw.Draw(flat, flat.Rect, image.NewUniform(color.Black), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Rect, img, flat.Rect.Min, draw.Over)
	return flat
}
