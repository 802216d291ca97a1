package aov

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"pillbox/chart"
	"pillbox/shade"
)

// Image returns how the view looks, a pixel for a pixel, its top left at (0, 0).
func (v *View) Image() *image.NRGBA {
	size := v.Region.Size()
	img := image.NewNRGBA(image.Rectangle{Max: size})
	look, n := v.look(), v.Kind.Channels()
	for i := range size.X * size.Y {
		img.SetNRGBA(i%size.X, i/size.X, look(v.Values[i*n:][:n]))
	}
	return img
}

// Picture returns [View.Image] and, below the picture, the scale of a view that has one: depth,
// bounces and cost. That of bounces ends at the scene's limit, those of depth and cost where
// the values of the view do.
func (v *View) Picture() image.Image {
	img := v.Image()
	scale, ok := v.scale()
	if !ok {
		return img
	}
	const (
		least  = 300 // pixels that the scale needs in width
		border = 16
		title  = 24
	)
	size := img.Rect.Size()
	canvas := image.NewNRGBA(image.Rect(0, 0, max(size.X, least), size.Y+title+scaleHeight+border/2))
	dc := gg.NewContext(canvas.Rect.Dx(), canvas.Rect.Dy()-size.Y)
	dc.SetColor(paper())
	dc.Clear()
	write(dc, v.Kind.String()+": "+v.Kind.Meaning(), border, 17, textSize, ink())
	scale.draw(dc, border, title, float64(canvas.Rect.Dx()-2*border))
	copyInto(canvas, img, image.Point{})
	copyInto(canvas, dc.Image(), image.Pt(0, size.Y))
	return canvas
}

// copyInto stores the pixels of img, none of which it blends, with the top left at p.
func copyInto(canvas *image.NRGBA, img image.Image, p image.Point) {
	b := img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			canvas.Set(p.X+x, p.Y+y, img.At(b.Min.X+x, b.Min.Y+y))
		}
	}
}

// look returns the function from a pixel's values to its colour.
func (v *View) look() func(values []float32) color.NRGBA {
	transparent := color.NRGBA{}
	switch v.Kind {
	case Color:
		return func(values []float32) color.NRGBA {
			return color.NRGBA{encode(values[0]), encode(values[1]), encode(values[2]), 0xff}
		}
	case Normal:
		return func(n []float32) color.NRGBA {
			if isNaN(n[0]) {
				return transparent
			}
			return color.NRGBA{unit8((n[0] + 1) / 2), unit8((n[1] + 1) / 2), unit8((n[2] + 1) / 2), 0xff}
		}
	case Object:
		return func(number []float32) color.NRGBA {
			if isNaN(number[0]) {
				return transparent
			}
			return chart.Distinct(int(number[0]))
		}
	case Facing, Shadow:
		return func(share []float32) color.NRGBA {
			if isNaN(share[0]) {
				return transparent
			}
			return shadeOf(share[0])
		}
	}
	scale, _ := v.scale()
	return func(value []float32) color.NRGBA {
		if x := float64(value[0]); x <= math.MaxFloat64 {
			return scale.color(x)
		}
		return transparent // NaN or +Inf
	}
}

func encode(linear float32) uint8 { return shade.Encode8(float64(linear)) }

func isNaN(x float32) bool { return x != x }

// unit8 returns the integer next to 255 x, x in 0..1 give or take rounding.
func unit8(x float32) uint8 { return uint8(float64(255*max(0, min(x, 1))) + 0.5) }

// shadeOf returns a grey from black at 0 to white at 1, and a red from black at -0 to bright at
// -1.
func shadeOf(x float32) color.NRGBA {
	if math.Signbit(float64(x)) {
		return color.NRGBA{unit8(-x), unit8(-x / 4), unit8(-x / 4), 0xff}
	}
	return color.NRGBA{unit8(x), unit8(x), unit8(x), 0xff}
}
