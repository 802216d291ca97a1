package scene

import (
	"math"
	"strconv"
	"strings"
)

// Proportions of legends and color bars, as multiples of the size of their text.
const (
	CornerMargin = 1.0  // to the edges of the picture
	TextGap      = 0.35 // between a text and what it belongs to
	swatchHeight = 1.4  // of the height of capitals
	swatchGap    = 0.5  // to the text
	legendStep   = 1.5  // from row to row
	barWidth     = 1.1
	tickLength   = 0.3
)

// LegendPlan holds the lengths of a legend in a picture, in pixels.
type LegendPlan struct {
	Swatch        float64 // the side of a square with a color
	Indent, Step  float64 // from the left to the texts, and from row to row
	Width, Height float64 // of the whole
}

// Plan returns the lengths of a legend with entries, in a picture in which a pixel of the scene file has scale pixels.
func (g *Legend) Plan(scale float64) (p LegendPlan) {
	size := float64(g.Size * scale)
	for i, e := range g.Entries {
		width, _ := g.box(e.Text, false, scale)
		p.Width = max(p.Width, width)
		if i == 0 {
			line, _, _ := strings.Cut(e.Text, "\n")
			_, capitals := g.box(line, false, scale)
			p.Swatch = float64(swatchHeight * capitals)
		}
	}
	p.Indent, p.Step = p.Swatch+float64(swatchGap*size), float64(legendStep*size)
	p.Width, p.Height = p.Indent+p.Width, p.Swatch+float64(p.Step*float64(len(g.Entries)-1))
	return p
}

// BarPlan holds the lengths of a color bar in a picture, in pixels, and its numbers.
type BarPlan struct {
	Length, Thickness float64 // of the bar
	Above             float64 // from the top of the whole to the bar
	TickLength        float64
	Ticks             []Tick
	Width, Height     float64 // of the whole, with numbers and title
}

// Plan returns the lengths of a color bar in a picture of a height, in which a pixel of the scene file has scale pixels.
func (b *ColorBar) Plan(c *Colormap, scale, height float64) (p BarPlan) {
	size := float64(b.Size * scale)
	p.Length = float64(b.Length * scale)
	if b.Length == 0 {
		p.Length = float64(0.4 * height)
	}
	p.Length = math.Floor(p.Length + 0.5)
	p.Thickness, p.TickLength = math.Floor(float64(barWidth*size)+0.5), float64(tickLength*size)
	p.Ticks = c.Ticks(p.Length, 1.5*size)
	_, capitals := b.box("", false, scale)
	for _, t := range p.Ticks {
		width, _ := b.box(t.Text, false, scale)
		p.Width = max(p.Width, width)
	}
	p.Width += p.Thickness + p.TickLength + float64(TextGap*size)
	half := float64(capitals / 2) // not fused with the sum
	p.Above = half
	if title := b.Title(); title != "" {
		width, high := b.box(title, false, scale)
		p.Width, p.Above = max(p.Width, width), high+size
	}
	p.Height = p.Above + p.Length + half
	return p
}

// Tick is a number beside a color bar, at a fraction of its length.
type Tick struct {
	At   float64
	Text string
}

// mostTicks is more than the largest number of round numbers beside a color bar: see [roundStep].
const mostTicks = 10

// Ticks returns the numbers beside a color bar of a length: the ends of the range, and round numbers between that are at
// least a distance apart from each other and from the ends.
func (c *Colormap) Ticks(length, distance float64) []Tick {
	r := c.Range
	low, span := r[0], r[1]-r[0]
	n := notationOf(r)
	if span <= 0 {
		return []Tick{{0.5, n.write(low)}}
	}
	all := []Tick{{0, n.write(low)}}
	apart := distance / max(length, 1)
	if step := roundStep(span, apart); step > 0 {
		first := math.Ceil(low / step)
		for i := range mostTicks { // the numbers of a range may be so large that adding 1 to first changes nothing
			x := float64((first + float64(i)) * step)
			if at := (x - low) / span; apart <= at && apart <= 1-at {
				all = append(all, Tick{at, n.write(x)})
			}
		}
	}
	return append(all, Tick{1, n.write(r[1])})
}

// roundStep returns the least 1, 2 or 5 times a power of ten that is at least a share of the span, or 0 if there is none
// that is less than the span.
func roundStep(span, share float64) float64 {
	least := float64(span * max(share, 0.15))
	power := strconv.FormatFloat(least, 'e', 0, 64)[1:] // such as e+02
	for _, by := range []string{"1", "2", "5", "10"} {
		if x, err := strconv.ParseFloat(by+power, 64); err == nil && least <= x && x < span {
			return x
		}
	}
	return 0
}

// notation says how the numbers beside a color bar are written: all in the same way, with three significant digits of the
// range.
type notation struct {
	last       int  // the power of ten of the last digit
	scientific bool // as a mantissa and a power of ten
}

// notationOf returns the notation for a range. Numbers are scientific if they are large or small, unless this would only make
// them longer, because they differ only in late digits.
func notationOf(r [2]float64) notation {
	large := max(math.Abs(r[0]), math.Abs(r[1]))
	first := exponentOf(large)
	if span := r[1] - r[0]; span > 0 && !math.IsInf(span, 0) {
		spread := exponentOf(span)
		isUsual := first < 6 && spread >= -4
		isLong := first-spread > 1 && -5 <= first && first < 17
		return notation{spread - 2, !isUsual && !isLong}
	}
	return notation{first - 2, large != 0 && (first >= 6 || first < -4)}
}

// exponentOf returns the power of ten of the first digit of x, rounded to three digits, or 0 for 0.
func exponentOf(x float64) int {
	text := strconv.FormatFloat(x, 'e', 2, 64)
	n, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	return n
}

// write writes a number. A short one that is not scientific is written as it is.
func (n notation) write(x float64) string {
	switch short := strconv.FormatFloat(x, 'f', -1, 64); {
	case x == 0:
		return "0"
	case n.scientific:
		const most = 16 // decimal places of a mantissa that mean something
		decimals := min(max(exponentOf(x)-n.last, 0), most)
		mantissa, power, _ := strings.Cut(strconv.FormatFloat(x, 'e', decimals, 64), "e")
		exponent, _ := strconv.Atoi(power)
		return trimZeros(mantissa) + "·10^{" + strconv.Itoa(exponent) + "}"
	case len(short) <= len("-12.34"):
		return short
	}
	text := trimZeros(strconv.FormatFloat(x, 'f', max(0, -n.last), 64))
	if text == "-0" {
		return "0"
	}
	return text
}

// trimZeros removes the zeros at the end of the decimal places of a number.
func trimZeros(number string) string {
	if strings.Contains(number, ".") {
		number = strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
	}
	return number
}
