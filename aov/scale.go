package aov

import (
	"image/color"
	"math"
	"strconv"

	"github.com/fogleman/gg"
)

// scale maps values from lo to hi to colours. Values outside get those of the ends.
type scale struct {
	lo, hi  float64
	isCount bool // of whole numbers
}

// scale returns the scale of a view, and false if its kind has none or there is nothing to
// measure. Where all values are equal, all of it has the first colour.
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

// finite returns the smallest and the largest of the finite values, +Inf and -Inf if there are
// none.
func (v *View) finite() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, x := range v.Values {
		if x := float64(x); !math.IsInf(x, 0) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	return lo, hi
}

func (s scale) color(x float64) color.NRGBA { return viridis(s.position(x)) }

// position returns where on the scale a value lies, 0..1 from lo to hi.
func (s scale) position(x float64) float64 {
	if !(s.hi > s.lo) {
		return 0
	}
	return max(0, min((x-s.lo)/(s.hi-s.lo), 1))
}

// viridis returns a colour for t in 0..1: equal steps look equally large, and the brightness alone
// tells them apart. By Stéfan van der Walt and Nathaniel Smith, of matplotlib, 2015; here
// linear between nine of its colours.
func viridis(t float64) color.NRGBA {
	stops := [...]uint32{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725}
	const intervals = len(stops) - 1
	at := t * float64(intervals)
	i := min(int(at), intervals-1)
	at -= float64(i)
	channel := func(shift int) uint8 {
		a, b := float64(stops[i]>>shift&0xff), float64(stops[i+1]>>shift&0xff)
		return uint8(a + float64(at*(b-a)) + 0.5)
	}
	return color.NRGBA{channel(16), channel(8), channel(0), 0xff}
}

const (
	barHeight   = 12
	scaleHeight = barHeight + 22 // with its numbers
)

// draw draws the scale as a bar with numbers, its top left at x, y.
func (s scale) draw(dc *gg.Context, x, y, width float64) {
	for i := range int(width) {
		t := (float64(i) + 0.5) / width
		dc.SetColor(s.color(s.lo + t*(s.hi-s.lo)))
		dc.DrawRectangle(x+float64(i), y, 1, barHeight)
		dc.Fill()
	}
	for _, v := range s.ticks() {
		s.number(dc, v, x, y, width)
	}
}

// number marks a value on a bar.
func (s scale) number(dc *gg.Context, v, x, y, width float64) {
	at := math.Floor(x+min(s.position(v)*width, width-1)) + 0.5
	dc.SetColor(ink())
	dc.SetLineWidth(1)
	dc.DrawLine(at, y+barHeight, at, y+barHeight+4)
	dc.Stroke()

	text := strconv.FormatFloat(v, 'g', 4, 64)
	setFace(dc, smallSize)
	w, _ := dc.MeasureString(text)
	left := max(x, min(at-w/2, x+width-w)) // not beyond the bar
	write(dc, text, left, y+barHeight+16, smallSize, ink())
}

// ticks returns the values that a bar is marked with: its ends and, between them, a few round
// ones that keep clear of the ends.
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

// roundStep returns the smallest of 1, 2 and 5 times a power of ten that is not below x, for
// x > 0.
func roundStep(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= x {
			return m * unit
		}
	}
	return 10 * unit
}
