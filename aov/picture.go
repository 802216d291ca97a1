package aov

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"pillbox/internal/chart"
	"pillbox/internal/geom2"
	"pillbox/shade"
)

// Image draws the view with one pixel per pixel of its region. The top left is at (0, 0).
func (v *View) Image() *image.NRGBA {
	size := v.Region.Size()
	img := image.NewNRGBA(image.Rectangle{Max: size})
	look, n := v.look(), v.Kind.Channels()
	for i := range size.X * size.Y {
		img.SetNRGBA(i%size.X, i/size.X, look(v.Values[i*n:][:n]))
	}
	return img
}

// Picture returns [View.Image]. If the view shows depth, bounces or cost, a scale is added below the image.
// The scale of bounces ends at the scene's limit of bounces. The scales of depth and cost end at the
// largest finite value of the view. A view of depth without a finite value has no scale.
func (v *View) Picture() image.Image {
	img := v.Image()
	scale, ok := v.scale()
	if !ok {
		return img
	}
	const (
		least  = 300 // smallest width of a scale, in pixels
		border = 16
		title  = 24
	)
	size := img.Rect.Size()
	whole := image.NewNRGBA(image.Rect(0, 0, max(size.X, least), size.Y+title+scaleHeight+border/2))
	below := whole.Rect
	below.Min.Y = size.Y
	legend := chart.New(float64(below.Dx()), float64(below.Dy()), chart.Light())
	legend.Text(v.Kind.String()+": "+v.Kind.Meaning(), geom2.Point{X: border, Y: 17}, textFont(), legend.Ink)
	legend.Overlay(scale.image(below.Dx()-2*border, legend.Theme), image.Pt(border, title))
	draw.Draw(whole, below, legend.Image(), image.Point{}, draw.Src)
	draw.Draw(whole, image.Rectangle{Max: size}, img, image.Point{}, draw.Src) // img may be transparent: replace, do not blend
	return whole
}

// look returns a function that maps a pixel's values to its color.
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
	case Facing, Shadow, Occlusion:
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

func encode(linear float32) uint8 { return shade.EncodeSRGB8(float64(linear)) }

func isNaN(x float32) bool { return x != x }

// unit8 clamps x to 0..1 and returns the integer nearest to 255 x.
func unit8(x float32) uint8 { return uint8(float64(255*max(0, min(x, 1))) + 0.5) }

// shadeOf returns a gray for positive x, from black at 0 to white at 1, and a red for negative x, from
// black at -0 to bright red at -1.
func shadeOf(x float32) color.NRGBA {
	if math.Signbit(float64(x)) {
		return color.NRGBA{unit8(-x), unit8(-x / 4), unit8(-x / 4), 0xff}
	}
	return color.NRGBA{unit8(x), unit8(x), unit8(x), 0xff}
}
