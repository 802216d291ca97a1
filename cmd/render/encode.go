package main

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

	"pillbox"
	"pillbox/pngfile"
)

// An encoder writes a picture in one file format.
type encoder func(io.Writer, image.Image) error

// jpegQuality keeps the edges of flat-colored solids free of visible ringing.
const jpegQuality = 95

// extensions are those that encoderFor knows, for messages.
const extensions = ".png, .jpg, .jpeg, .tiff, .tif or .bmp"

// encoderFor returns the encoder that the extension of a file name asks for, in upper or
// lower case, and false if none exists.
func encoderFor(name string) (encoder, bool) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png":
		return pngfile.EncodeImage, true
	case ".jpg", ".jpeg":
		return encodeJPEG, true
	case ".tiff", ".tif":
		return encodeTIFF, true
	case ".bmp":
		return encodeBMP, true
	default:
		return nil, false
	}
}

// isOpaque reports whether the format that the extension of a file name asks for has no transparency.
func isOpaque(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".jpg", ".jpeg", ".bmp":
		return true
	}
	return false
}

// isPNG reports whether the extension of a file name asks for a PNG.
func isPNG(name string) bool { return strings.EqualFold(filepath.Ext(name), ".png") }

func encodeJPEG(w io.Writer, img image.Image) error {
	return jpeg.Encode(w, onBlack(img), &jpeg.Options{Quality: jpegQuality})
}

func encodeTIFF(w io.Writer, img image.Image) error {
	return tiff.Encode(w, img, &tiff.Options{Compression: tiff.Deflate, Predictor: true})
}

// encodeBMP shows transparent pixels on black, for most programs ignore the alpha of a BMP.
func encodeBMP(w io.Writer, img image.Image) error {
	return bmp.Encode(w, onBlack(img))
}

// onBlack returns img laid over black.
func onBlack(img image.Image) *image.RGBA {
	flat := image.NewRGBA(img.Bounds())
	draw.Draw(flat, flat.Rect, image.NewUniform(color.Black), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Rect, img, flat.Rect.Min, draw.Over)
	return flat
}

// A pngWriter writes a picture as a PNG while it is being rendered.
type pngWriter struct {
	w       io.Writer
	options pngfile.Options
	encoder *pngfile.Encoder // nil before the first rows
}

// rows is for [pillbox.Options.Rows].
func (p *pngWriter) rows(film *pillbox.Film, n int) {
	if p.encoder == nil {
		p.encoder = pngfile.NewEncoder(p.w, film.Image, p.options)
	}
	p.encoder.Rows(n)
}

// finish waits until the rendered picture is written.
func (p *pngWriter) finish() error { return p.encoder.Close() }

// stop gives up.
func (p *pngWriter) stop() {
	if p.encoder != nil {
		p.encoder.Stop()
	}
}

// A tripwire calls trip at every error.
type tripwire struct {
	io.Writer
	trip func(error)
}

func (t tripwire) Write(p []byte) (int, error) {
	n, err := t.Writer.Write(p)
	if err != nil {
		t.trip(err)
	}
	return n, err
}
