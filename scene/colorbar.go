package scene

import (
	"math"
	"strings"

	"pillbox/internal/ticks"
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

// Tick is a number beside a color bar.
type Tick struct {
	At   float64 // the fraction of the bar's length, from the lower end
	Text string
}

// Ticks returns the numbers beside a color bar of a length: the ends of the range, and round numbers between that are at
// least a distance apart from each other and from the ends.
func (c *Colormap) Ticks(length, distance float64) []Tick {
	var all []Tick
	for _, t := range (ticks.Scale{Low: c.Range[0], High: c.Range[1], Apart: distance / max(length, 1)}).Ticks() {
		all = append(all, Tick(t))
	}
	return all
}
