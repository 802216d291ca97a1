package diagram

import (
	"strings"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/internal/chart"
	"pillbox/internal/geom2"
)

// Sizes of text in pixels.
const (
	sizeTitle = 26
	sizeLabel = chart.LabelSize
	sizeSmall = 16
)

// invisible is the largest ratio of two lengths at which the smaller one cannot be seen: if the larger one fills the
// diagram, the smaller one is about a thousandth of a pixel. Rounding errors are smaller than that, unless a solid's
// distance is a billion times its size.
const invisible = 1e-6

// colors are the colors of the elements of a diagram.
type colors struct {
	solid, slice, outline chart.Hex // a solid, the part of it in the plane of the ray, its edge
	ray, normal, help     chart.Hex
	accepted              chart.Hex
	glow, sky             chart.Hex // the visible part of a light, and of the sky
	axes                  [3]chart.Hex
	relations             map[exact.Relation]chart.Hex // verdicts on two capsules
}

func colorsOf(dark bool) colors {
	if dark {
		return colors{
			solid: 0x1b2a3a, slice: 0x24425f, outline: 0x6fb1ff,
			ray: 0xffa25e, normal: 0xc9a8ff, help: 0x63d2c6,
			accepted: 0x5ee08a, glow: 0x574c1c, sky: 0x1d3a5c,
			axes: [3]chart.Hex{0xff7f7f, 0x7fd88f, 0x7fb0ff},
			relations: map[exact.Relation]chart.Hex{
				exact.Apart: 0x5ee08a, exact.Touching: 0xf2c14e, exact.Overlapping: 0xff8a80,
			},
		}
	}
	return colors{
		solid: 0xedf4fc, slice: 0xd3e5f8, outline: 0x2f6db5,
		ray: 0xc2500c, normal: 0x7a3bd1, help: 0x0f766e,
		accepted: 0x15803d, glow: 0xfff0b0, sky: 0xe3effc,
		axes: [3]chart.Hex{0xc0352b, 0x1e8449, 0x1f5fbf},
		relations: map[exact.Relation]chart.Hex{
			exact.Apart: 0x15803d, exact.Touching: 0x8a5a00, exact.Overlapping: 0xb42318,
		},
	}
}

// canvas is an unfinished diagram.
type canvas struct {
	*chart.Drawing
	colors
	plotFrame geom2.Box
	plotOnly  bool    // there is neither a title nor a column
	lowest    float64 // y of the lower end of the paragraphs in the column
}

func newCanvas(opt Options) *canvas {
	theme := chart.Light()
	if opt.Dark {
		theme = chart.Dark()
	}
	if opt.Width > 0 {
		wide := float64(opt.Width) * sizeSmall / leastSize
		tall := narrowRatio * wide
		frame := geom2.Rect(narrowEdge, narrowEdge, wide-narrowEdge, tall-narrowEdge)
		return &canvas{Drawing: chart.New(wide, tall, theme), colors: colorsOf(opt.Dark), plotFrame: frame, plotOnly: true}
	}
	frame := geom2.Rect(edge, contentTop, plotRight, contentBottom)
	return &canvas{Drawing: chart.New(width, height, theme), colors: colorsOf(opt.Dark), plotFrame: frame}
}

// title writes the two lines at the top. The second line has the color look.
func (c *canvas) title(first, second string, look chart.Hex) {
	const wide = columnRight - edge - triadWidth
	c.Title = first + ": " + second
	if c.plotOnly {
		return
	}
	c.Text(first, geom2.Pt(edge, titleLine), c.Fonts.Fit(first, wide, chart.Bold(sizeTitle), sizeSmall), c.Ink)
	c.Text(second, geom2.Pt(edge, secondLine), c.Fonts.Fit(second, wide, chart.Regular(sizeLabel), 10), look)
}

// triadWidth is the width of the area for the scene's axes at the top right.
const triadWidth = 120.0

// triad draws the axes of the scene in a view. project projects vectors to the view.
func (c *canvas) triad(project func(geom.Vec3) geom2.Point) {
	if c.plotOnly {
		return
	}
	const length, least = 30.0, 0.12
	within := geom2.Rect(columnRight-triadWidth+20, 4, width-4, contentTop-4)
	origin := within.Middle()
	longest := 0.0
	for axis := range axisNames {
		longest = max(longest, project(unitOf(axis)).Norm())
	}
	for axis := range axisNames {
		v := project(unitOf(axis)).Scale(1 / longest)
		tip := origin.Add(geom2.Pt(v.X, -v.Y).Scale(length))
		if v.Norm() > least { // not straight toward the viewer, or away
			c.Arrow(origin, tip, chart.Solid(c.colors.axes[axis], 1.5))
		}
		c.Label(axisNames[axis:axis+1], tip, tip.Sub(origin), c.colors.axes[axis], within)
	}
	c.Dot(origin, 2.5, c.Muted)
}

// meaning is an entry of a key: what a letter represents.
type meaning struct{ letter, text string }

// key returns a sentence that explains letters.
func key(entries ...meaning) string {
	parts := make([]string, len(entries))
	for i, e := range entries {
		parts[i] = e.letter + ": " + e.text
	}
	return strings.Join(parts, "; ") + "."
}

// small writes a paragraph into the column on the right, if there is one, and returns the next baseline.
func (c *canvas) small(text string, y float64, look chart.Hex) float64 {
	if c.plotOnly {
		return y
	}
	next := c.Paragraph(text, geom2.Pt(columnLeft, y), columnRight-columnLeft, chart.Regular(sizeSmall), look)
	c.lowest = max(c.lowest, next-sizeSmall)
	return next
}
