package animate

import (
	"errors"
	"fmt"
	"image"
	"math"

	"pillbox/geom"
)

// A Writer writes a film, frame by frame. Call Close after the last frame. The file is complete if Close
// returns nil. Close does not close the underlying [io.Writer]. It returns an error if no frame or more
// than [Format].Frames frames were written. Fewer frames are allowed, but a writer of [NewAPNG] supports
// this only for some underlying writers. A Writer must not be used concurrently.
type Writer interface {
	Frame(img *image.NRGBA) error
	Close() error
}

// Format describes a film to a [Writer] before the first frame.
type Format struct {
	Size        image.Point
	FPS         float64
	Frames      int
	Transparent bool // whether pixels may be transparent
}

// Format returns the format of a film.
func (f *Film) Format() (Format, error) {
	size, err := f.Size()
	return Format{Size: size, FPS: f.FPS, Frames: f.Len(), Transparent: f.Scene.MayBeTransparent()}, err
}

// check returns an error if a picture is nil or does not have the size of the film.
func (f *Format) check(img *image.NRGBA) error {
	if img == nil || img.Rect.Size() != f.Size {
		return fmt.Errorf("every frame must have %d x %d pixels", f.Size.X, f.Size.Y)
	}
	return nil
}

var errFrames = errors.New("a film must have at least one frame, and not more than its format says")

// checkLength returns an error if a film of n frames is too short or too long: if n is 0 or larger than
// f.Frames.
func (f *Format) checkLength(n int) error {
	if n < 1 || n > f.Frames {
		return errFrames
	}
	return nil
}

// ticks returns the time from the first frame to the i-th, in units of 1/perSecond seconds, rounded to
// an integer. Delays are differences of such times, so rounding errors do not add up.
func (f *Format) ticks(i int, perSecond float64) int {
	return geom.ClampInt(math.Round(float64(i)*perSecond/f.FPS), 0, math.MaxInt32)
}

// over returns the channels of a pixel composited over black.
func over(p []uint8) (r, g, b int) {
	if p[3] == 255 {
		return int(p[0]), int(p[1]), int(p[2])
	}
	a := int(p[3])
	return (int(p[0])*a + 127) / 255, (int(p[1])*a + 127) / 255, (int(p[2])*a + 127) / 255
}

// row returns row y of img, counted from its top.
func row(img *image.NRGBA, y int) []uint8 {
	start := y * img.Stride
	return img.Pix[start : start+4*img.Rect.Dx()]
}
