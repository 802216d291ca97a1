package golden

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"

	"pillbox/internal/chart"
	"pillbox/internal/parallel"
)

// Changes draws where the image got differs from the image want; d must be the result of [Compare] for these two. The
// background is a darkened copy of want. Changed pixels glow, brighter for larger differences; differences within the
// tolerance are blue; masks are hatched. The result has the size of want. If the sizes of got and want differ, it shows
// no differences. Neither image may be nil.
func Changes(got, want image.Image, d Diff) *image.RGBA {
	out := image.NewRGBA(extent(want))
	draw.Draw(out, out.Rect, want, want.Bounds().Min, draw.Over)
	fade(out)
	if d.Got != d.Want {
		return out
	}
	for _, r := range d.Tolerance.Masks {
		hatch(out, r.Intersect(out.Rect))
	}
	whole := view{region: out.Rect, scale: ratio{1, 1}}
	glowing := whole.glowing(peaksOf(got, want, d.Tolerance.Masks), d.Tolerance.MaxChannel)
	draw.Draw(out, out.Rect, glowing, image.Point{}, draw.Over)
	return out
}

// peaksOf returns, for each pixel, the largest difference in one of its channels.
func peaksOf(got, want image.Image, masks []image.Rectangle) *image.Gray {
	m := image.NewGray(extent(got))
	parallel.Partition{N: m.Rect.Dy(), Size: stripRows}.Do(func(_, from, to int) {
		c := newComparer(got, want, masks)
		for y := from; y < to; y++ {
			c.row(y, func(x, peak int, _ uint64) { m.Pix[m.PixOffset(x, y)] = uint8(peak) })
		}
	})
	return m
}

// fade turns m into dark grays.
func fade(m *image.RGBA) {
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			v := 24 + color.GrayModel.Convert(m.RGBAAt(x, y)).(color.Gray).Y/4
			m.SetRGBA(x, y, color.RGBA{v, v, v, 0xff})
		}
	}
}

// hatch draws diagonal lines over r. The lines of neighboring rectangles continue each other.
func hatch(m *image.RGBA, r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if (x+y)%8 < 2 {
				m.Set(x, y, maskColor)
			}
		}
	}
}

// glowing returns an image as large as the view that contains only the pixels that differ. If a pixel of
// the result shows several pixels of the compared images, it has the color of the largest difference among
// these. Differences within the tolerance have a color of their own.
func (v view) glowing(peaks *image.Gray, tolerance int) *image.RGBA {
	most := image.NewGray(image.Rectangle{Max: v.size()})
	for y := v.region.Min.Y; y < v.region.Max.Y; y++ {
		for x := v.region.Min.X; x < v.region.Max.X; x++ {
			if peak := peaks.GrayAt(x, y).Y; peak > 0 {
				raise(most, v.cells(image.Rect(x, y, x+1, y+1)), peak)
			}
		}
	}
	out := image.NewRGBA(most.Rect)
	for y := range most.Rect.Max.Y {
		for x := range most.Rect.Max.X {
			switch peak := int(most.GrayAt(x, y).Y); {
			case peak > tolerance:
				out.SetRGBA(x, y, glow(peak))
			case peak > 0:
				out.Set(x, y, mildColor)
			}
		}
	}
	return out
}

func raise(m *image.Gray, r image.Rectangle, to uint8) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			i := m.PixOffset(x, y)
			m.Pix[i] = max(m.Pix[i], to)
		}
	}
}

// glow returns the color of a difference of 1 to 255: from dark magenta over orange to pale yellow. It scales
// with the square root because most differences are small, and the root makes small ones easier to tell apart.
func glow(difference int) color.RGBA {
	const small, middling, large chart.Hex = 0xd81b8c, 0xff8c1a, 0xfff6b0
	t := 2 * math.Sqrt(float64(difference)/255)
	if t < 1 {
		return small.Between(middling, t)
	}
	return middling.Between(large, t-1)
}
