package aov

import (
	"context"
	"image"
	"image/color"
	"math"
	"slices"

	"pillbox/internal/chart"
	"pillbox/internal/ink"
	"pillbox/internal/ticks"
	"pillbox/scene"
	"pillbox/shade"
)

// scale maps values to colors.
type scale struct {
	scene.Colormap
	isCount bool // values are integers
	isShare bool // values have the colors of shadeOf, not those of the color map
}

// scaleOf returns a scale from lo to hi.
func scaleOf(lo, hi float64) scale {
	return scale{Colormap: scene.Colormap{Map: shade.Colormaps()[0], Range: [2]float64{lo, hi}}}
}

// counts returns a scale of integers from 0 to hi.
func counts(hi float64) scale {
	s := scaleOf(0, hi)
	s.isCount = true
	return s
}

// shares returns a scale of shares from lo to 1.
func shares(lo float64) scale {
	s := scaleOf(lo, 1)
	s.isShare = true
	return s
}

// Scale returns the values at the ends of the scale of a view of depth, bounces or cost. It returns
// false if the kind has no scale or a view of depth has no finite value.
func (v *View) Scale() (lo, hi float64, ok bool) {
	s, ok := v.scale()
	return s.Range[0], s.Range[1], ok
}

// scale returns the scale of a view, and false if its kind has no scale or a view of depth has no
// finite value.
func (v *View) scale() (scale, bool) {
	switch v.Kind {
	case Depth:
		lo, hi := v.finite()
		return scaleOf(lo, hi), lo <= hi
	case Bounces:
		return counts(float64(v.bounces)), true
	case Cost:
		_, hi := v.finite()
		return counts(hi), true
	}
	return scale{}, false
}

// sheetScale returns the scale of a view on a sheet of all views. Unlike [View.Picture], a sheet also shows
// the scales of facing, shadow and occlusion. The scale of facing is 0..1, or -1..1 if the view shows a
// solid from inside.
func (v *View) sheetScale() (scale, bool) {
	switch v.Kind {
	case Facing:
		if slices.ContainsFunc(v.Values, func(x float32) bool { return x < 0 }) {
			return shares(-1), true
		}
		return shares(0), true
	case Shadow, Occlusion:
		return shares(0), true
	}
	return v.scale()
}

// finite returns the smallest and the largest of the finite values. If no value is finite, it returns +Inf
// and -Inf. No value may be NaN.
func (v *View) finite() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, x := range v.Values {
		if x := float64(x); !math.IsInf(x, 0) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	return lo, hi
}

// color returns the color of a value. Values outside the scale have the color of the nearer end.
func (s scale) color(x float64) color.NRGBA {
	if s.isShare {
		return shadeOf(float32(x))
	}
	r, g, b := s.Map.SRGB8(s.ShareOf(x))
	return color.NRGBA{r, g, b, 0xff}
}

const (
	barHeight   = 12
	scaleHeight = barHeight + 22 // bar and numbers
)

// image returns a picture of the scale, of a width and of the height scaleHeight: a bar with numbers below. Other pixels are
// transparent.
func (s scale) image(width int, theme chart.Theme) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, scaleHeight))
	page := ink.Page{Size: img.Rect.Max, Marks: s.bar(float64(width))}
	fonts := ink.NewFonts()
	for _, t := range s.ticks() {
		page.Marks = append(page.Marks, mark(t, float64(width), fonts, inkOf(theme.Ink))...)
	}
	_ = page.Draw(context.Background(), img, image.Point{}) // its only error is that of a context that ends
	return img
}

// bar returns a bar with the colors of the scale.
func (s scale) bar(width float64) []ink.Mark {
	left, right := ink.Point{Y: barHeight / 2}, ink.Point{X: width, Y: barHeight / 2}
	return ink.Gradient(left, right, barHeight, func(x float64) ink.Color {
		return inkOf(s.color(s.Range[0] + float64(x*(s.Range[1]-s.Range[0]))))
	})
}

// ticks returns the numbers below the bar.
func (s scale) ticks() []ticks.Tick {
	return ticks.Scale{Low: s.Range[0], High: s.Range[1], Apart: 0.17, Whole: s.isCount, Plain: true}.Ticks()
}

// mark returns a number below a bar of a width, with its line.
func mark(t ticks.Tick, width float64, fonts *ink.Fonts, c ink.Color) []ink.Mark {
	at := math.Floor(min(float64(t.At*width), width-1)) + 0.5
	line := &ink.Line{Points: []ink.Point{{X: at, Y: barHeight}, {X: at, Y: barHeight + 4}}, Width: 1, Color: c}
	w := fonts.Width(t.Text, smallSize, false)
	left := max(0, min(at-w/2, width-w)) // not beyond the bar
	return []ink.Mark{line, &ink.Text{Text: t.Text, At: ink.Point{X: left, Y: barHeight + 16}, Size: smallSize, Color: c}}
}

// inkOf returns a color without its alpha.
func inkOf(c color.Color) ink.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return ink.Color{R: n.R, G: n.G, B: n.B}
}
