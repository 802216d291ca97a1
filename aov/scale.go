package aov

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"

	"pillbox/internal/chart"
	"pillbox/internal/geom2"
)

// scale maps values from lo to hi to colors. A value below lo has the color of lo, and a value above hi has
// the color of hi.
type scale struct {
	lo, hi  float64
	isCount bool // values are integers
	isShare bool // values have the colors of shadeOf
}

// Scale returns the values at the ends of the scale of a view of depth, bounces or cost. It returns
// false if the kind has no scale or a view of depth has no finite value.
func (v *View) Scale() (lo, hi float64, ok bool) {
	s, ok := v.scale()
	return s.lo, s.hi, ok
}

// scale returns the scale of a view, and false if its kind has no scale or a view of depth has no
// finite value. If lo equals hi, every value gets the first color.
func (v *View) scale() (scale, bool) {
	switch v.Kind {
	case Depth:
		lo, hi := v.finite()
		return scale{lo: lo, hi: hi}, lo <= hi
	case Bounces:
		return scale{hi: float64(v.bounces), isCount: true}, true
	case Cost:
		_, hi := v.finite()
		return scale{hi: hi, isCount: true}, true
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
			return scale{lo: -1, hi: 1, isShare: true}, true
		}
		return scale{hi: 1, isShare: true}, true
	case Shadow, Occlusion:
		return scale{hi: 1, isShare: true}, true
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

func (s scale) color(x float64) color.NRGBA {
	if s.isShare {
		return shadeOf(float32(x))
	}
	return viridis(s.position(x))
}

// position returns the position of a value on the scale, from 0 at lo to 1 at hi.
func (s scale) position(x float64) float64 {
	if !(s.hi > s.lo) {
		return 0
	}
	return max(0, min((x-s.lo)/(s.hi-s.lo), 1))
}

// viridis returns the color at t, 0 to 1, of the color map Viridis. Equal steps of t look equally large,
// and the brightness increases with t. The function interpolates linearly between nine colors of the map,
// which is by Stéfan van der Walt and Nathaniel Smith, of matplotlib, 2015.
func viridis(t float64) color.NRGBA {
	stops := [...]chart.Hex{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725}
	const intervals = len(stops) - 1
	at := t * float64(intervals)
	i := min(int(at), intervals-1)
	return color.NRGBA(stops[i].Between(stops[i+1], at-float64(i)))
}

const (
	barHeight   = 12
	scaleHeight = barHeight + 22 // bar and numbers
)

// draw draws the scale as a bar with numbers below. p is the top left corner.
func (s scale) draw(d *chart.Drawing, p geom2.Point, width float64) {
	bar := image.NewNRGBA(image.Rect(0, 0, int(width), barHeight))
	for x := range bar.Rect.Max.X {
		c := s.color(s.lo + (float64(x)+0.5)/width*(s.hi-s.lo))
		for y := range barHeight {
			bar.SetNRGBA(x, y, c)
		}
	}
	d.Overlay(bar, image.Pt(int(p.X), int(p.Y)))
	for _, v := range s.ticks() {
		s.number(d, v, p, width)
	}
}

// number draws a tick and the number v below the bar whose top left corner is p.
func (s scale) number(d *chart.Drawing, v float64, p geom2.Point, width float64) {
	at := math.Floor(p.X+min(s.position(v)*width, width-1)) + 0.5
	foot := geom2.Point{X: at, Y: p.Y + barHeight}
	d.Line(foot, foot.Add(geom2.Point{Y: 4}), chart.Solid(d.Ink, 1))

	text, font := strconv.FormatFloat(v, 'g', 4, 64), chart.Regular(smallSize)
	w := d.Fonts.Width(text, font)
	left := max(p.X, min(at-w/2, p.X+width-w)) // not beyond the bar
	d.Text(text, geom2.Point{X: left, Y: p.Y + barHeight + 16}, font, d.Ink)
}

// ticks returns the values of the ticks of a bar: its two ends, and between them a few round values that
// are not too close to the ends.
func (s scale) ticks() []float64 {
	span := s.hi - s.lo
	ticks := []float64{s.lo}
	if !(span > 0) {
		return ticks
	}
	step := roundStep(span / 4)
	if s.isCount {
		step = max(step, 1)
	}
	for i := math.Ceil(s.lo / step); ; i++ {
		v := i * step
		if v >= s.hi-span/6 {
			break
		}
		if v > s.lo+span/6 {
			ticks = append(ticks, v)
		}
	}
	return append(ticks, s.hi)
}

// roundStep returns the smallest number that is not below x and is 1, 2 or 5 times a power of ten. x must be
// positive.
func roundStep(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= x {
			return m * unit
		}
	}
	return 10 * unit
}
