package osfile

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"io/fs"
	"os"

	"pillbox/internal/sniff"
)

// Limits of a picture. A scene's picture has the same limits. In memory, a picture takes at most 1 GiB with 8 bits per
// channel and 2 GiB with 16 bits.
const (
	MaxSide   = 1 << 15 // width and height
	MaxPixels = 1 << 28
)

// Limits of a picture file. No format needs more than 8 bytes per pixel, or slightly more for
// incompressible pixels. All other data in the file is small.
const (
	maxBytesPerPixel = 9
	maxOtherBytes    = 1 << 24
)

// jpegShare divides the limit of pixels for JPEGs: the decoder of a progressive JPEG needs another 12 bytes per
// pixel.
const jpegShare = 2

// ReadPNG reads a PNG file. If it does not exist, is not readable, is not a PNG or exceeds the limits,
// the error is an [*fs.PathError].
func ReadPNG(name string) (image.Image, error) { return readPNG(name, always) }

// ReadPNGSize returns the width and the height that the header of a PNG file states. The file may be damaged otherwise.
func ReadPNGSize(name string) (image.Point, error) {
	f, err := Open(name)
	if err != nil {
		return image.Point{}, err
	}
	defer f.Close()
	head, err := png.DecodeConfig(f)
	if err != nil {
		return image.Point{}, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return image.Pt(head.Width, head.Height), nil
}

// A pixelLimit returns the largest number of pixels of a picture with the given header, and which pictures the limit holds
// for, for a message. The picture's file has the given number of bytes.
type pixelLimit func(head image.Config, bytes int64) (most int, where string)

// always is the limit of all pictures.
func always(image.Config, int64) (most int, where string) { return MaxPixels, "in all" }

// Limits of the memory of a picture whose size the program does not know in advance, for [Decode] and [DecodeFile].
const (
	MaxMemory = 1 << 27 // bytes, or a multiple of the file's bytes
	MaxGrowth = 64      // this multiple
)

// inProportion is the limit of pictures that may come from anywhere. A small file that claims a huge picture is refused.
func inProportion(head image.Config, bytes int64) (most int, where string) {
	pixel := int64(4) // bytes
	switch head.ColorModel {
	case color.Gray16Model, color.RGBA64Model, color.NRGBA64Model:
		pixel = 8
	}
	if n := max(MaxMemory, MaxGrowth*bytes) / pixel; n < MaxPixels {
		return int(n), fmt.Sprintf("in a file of %d bytes; if that is no mistake, save it as BMP, without compression", bytes)
	}
	return always(head, bytes)
}

// MaxOtherPixels is the largest number of pixels that [ReadPNGBeside] reads of a picture of another size.
const MaxOtherPixels = 1 << 24

// ReadPNGBeside reads a PNG file to compare it with a picture of the given size. It is like [ReadPNG], but a picture of another
// size must have at most [MaxOtherPixels] pixels.
func ReadPNGBeside(name string, size image.Point) (image.Image, error) {
	return readPNG(name, func(head image.Config, bytes int64) (most int, where string) {
		if head.Width == size.X && head.Height == size.Y {
			return always(head, bytes)
		}
		return MaxOtherPixels, fmt.Sprintf("in a picture of another size than %d x %d", size.X, size.Y)
	})
}

// readPNG reads a PNG file within a limit.
func readPNG(name string, limit pixelLimit) (image.Image, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	img, format, err := decodeFile(f, limit)
	if errors.Is(err, image.ErrFormat) || err == nil && format != "png" {
		err = png.FormatError("not a PNG file")
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return img, nil
}

// DecodeFile decodes the contents of a regular file as [Decode] does.
func DecodeFile(f *os.File) (img image.Image, format string, err error) {
	return decodeFile(f, inProportion)
}

func decodeFile(f *os.File, limit pixelLimit) (img image.Image, format string, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, "", err
	}
	return decode(f, info.Size(), limit)
}

// Decode decodes the picture in the first size bytes of r and returns the name of its format. The error is
// [image.ErrFormat] if no decoder for the format is registered with package image. Decode takes at most [MaxMemory] for the
// pixels, or [MaxGrowth] times the size.
func Decode(r io.ReaderAt, size int64) (img image.Image, format string, err error) {
	return decode(r, size, inProportion)
}

// decode is [Decode] with another limit of pixels.
func decode(r io.ReaderAt, size int64, limit pixelLimit) (img image.Image, format string, err error) {
	head, format, err := image.DecodeConfig(newReader(r, size))
	if err != nil {
		return nil, "", cmp.Or(leftByGit(r, size), err)
	}
	maxPixels, where := limit(head, size)
	if format == "jpeg" {
		maxPixels /= jpegShare
	}
	err = checkSize(head.Width, head.Height, maxPixels, where)
	switch w, h := head.Width, head.Height; {
	case err != nil:
	case size > int64(w*h)*maxBytesPerPixel+maxOtherBytes:
		err = fmt.Errorf("has %d bytes, too many for %d x %d pixels", size, w, h)
	case format == "png" && size < leastPNG(head):
		err = fmt.Errorf("claims %d x %d pixels, but has only %d bytes", w, h, size)
	}
	if err != nil {
		return nil, format, err
	}
	return image.Decode(newReader(r, size))
}

// CheckSize returns an error if a picture of the given size exceeds the limits of all pictures.
func CheckSize(size image.Point) error { return checkSize(size.X, size.Y, MaxPixels, "in all") }

// checkSize is [CheckSize] with another limit of pixels, for the pictures that where describes.
func checkSize(w, h, maxPixels int, where string) error {
	switch {
	case w < 1 || h < 1:
		return fmt.Errorf("claims %d x %d pixels, want at least one", w, h)
	case w > MaxSide || h > MaxSide:
		return fmt.Errorf("claims %d x %d pixels, want at most %d either way", w, h, MaxSide)
	case w*h > maxPixels:
		return fmt.Errorf("claims %d x %d pixels, want at most %d %s", w, h, maxPixels, where)
	}
	return nil
}

// leastPNG returns a size in bytes that a PNG of colors, or of gray with alpha, does not fall below. The decoder takes memory for all pixels before
// it finds out that they are missing. It returns 0 for other PNGs, which take less memory.
func leastPNG(head image.Config) int64 {
	const bytesPerPixel, deflateRatio = 2, 1032 // of gray with alpha; deflate makes nothing smaller than by this factor
	switch head.ColorModel {
	case color.RGBAModel, color.NRGBAModel, color.RGBA64Model, color.NRGBA64Model:
		return int64(head.Width) * int64(head.Height) * bytesPerPixel / deflateRatio
	}
	return 0
}

// leftByGit returns an error if the file is what git left in place of a picture, such as a Git LFS pointer.
func leftByGit(r io.ReaderAt, size int64) error {
	const enough = 1 << 10 // larger than any pointer
	text := make([]byte, min(size, enough))
	n, _ := r.ReadAt(text, 0) // an error was reported by the decoder
	for _, f := range sniff.Git(text[:n]) {
		return errors.New(f.Message)
	}
	return nil
}

// A reader reads a file. It has all the methods that package image and the decoders check for. So they do not wrap it
// in a reader with a buffer.
type reader struct{ *io.SectionReader }

func newReader(r io.ReaderAt, size int64) reader { return reader{io.NewSectionReader(r, 0, size)} }

// Peek returns the next n bytes without advancing. If there are fewer, it also returns an error.
func (r reader) Peek(n int) ([]byte, error) {
	at, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	next := make([]byte, n)
	n, err = r.ReadAt(next, at)
	return next[:n], err
}
