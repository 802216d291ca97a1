package animate

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"math"

	"pillbox/geom"
)

// NewY4M returns a writer of raw video in the format YUV4MPEG2 of MJPEG Tools, without chroma
// subsampling, with the matrix and the limited range of ITU-R BT.709. Programs such as ffmpeg and mpv
// read it.
func NewY4M(w io.Writer, f Format) Writer {
	return &y4m{w: bufio.NewWriterSize(w, 1<<16), format: f}
}

type y4m struct {
	w      *bufio.Writer
	format Format
	frames int
	planes [3][]uint8
}

// rateUnits is the denominator of a frame rate that is not an integer.
const rateUnits = 1000

func (y *y4m) header() {
	num, den := y.format.ticksOfRate()
	fmt.Fprintf(y.w, "YUV4MPEG2 W%d H%d F%d:%d Ip A1:1 C444\n", y.format.Size.X, y.format.Size.Y, num, den)
	for i := range y.planes {
		y.planes[i] = make([]uint8, y.format.Size.X*y.format.Size.Y)
	}
}

// ticksOfRate returns the frames a second as a fraction.
func (f *Format) ticksOfRate() (num, den int) {
	if whole := geom.ClampInt(f.FPS, 1, math.MaxInt16); float64(whole) == f.FPS {
		return whole, 1
	}
	return geom.ClampInt(math.Round(f.FPS*rateUnits), 1, math.MaxInt32), rateUnits
}

func (y *y4m) Frame(img *image.NRGBA) error {
	if err := y.format.check(img); err != nil {
		return err
	}
	if y.frames == 0 {
		y.header()
	}
	y.frames++
	i := 0
	for v := range y.format.Size.Y {
		for p := row(img, v); len(p) > 0; p = p[4:] {
			y.planes[0][i], y.planes[1][i], y.planes[2][i] = yCbCr(over(p))
			i++
		}
	}
	y.w.WriteString("FRAME\n")
	for _, plane := range y.planes {
		y.w.Write(plane) // the buffer keeps its first error
	}
	return y.w.Flush()
}

func (y *y4m) Close() error {
	if err := y.format.checkLength(y.frames); err != nil {
		return err
	}
	return y.w.Flush()
}

// yCbCr converts an RGB color, 0 to 255, to luma and chroma by ITU-R BT.709-6, section 3, in the limited
// range: luma is 16 to 235, chroma is 16 to 240. It computes in fixed point with 16 fractional bits.
func yCbCr(r, g, b int) (y, cb, cr uint8) {
	const half = 1 << 15
	return uint8(16 + (11966*r+40254*g+4064*b+half)>>16),
		uint8(128 + (-6596*r-22189*g+28785*b+half)>>16),
		uint8(128 + (28785*r-26145*g-2640*b+half)>>16)
}
