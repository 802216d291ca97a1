package diagram

import "pillbox/chart"

// Sizes of text in pixels.
const (
	sizeTitle = 26
	sizeLabel = chart.LabelSize
	sizeSmall = 16
)

// invisible is a share of a length that nobody sees: a thousandth of a pixel where the length is as
// long as a diagram. Rounding is smaller unless a solid is a billion times its size away.
const invisible = 1e-6

// colors are those of what diagrams show.
type colors struct {
	solid, slice, outline chart.Hex // a solid, the part of it in the plane of the ray, its edge
	ray, normal, help     chart.Hex
	accepted              chart.Hex
	axes                  [3]chart.Hex
}

func colorsOf(dark bool) colors {
	if dark {
		return colors{
			solid: 0x1b2a3a, slice: 0x24425f, outline: 0x6fb1ff,
			ray: 0xffa25e, normal: 0xc9a8ff, help: 0x63d2c6,
			accepted: 0x5ee08a,
			axes:     [3]chart.Hex{0xff7f7f, 0x7fd88f, 0x7fb0ff},
		}
	}
	return colors{
		solid: 0xedf4fc, slice: 0xd3e5f8, outline: 0x2f6db5,
		ray: 0xc2500c, normal: 0x7a3bd1, help: 0x0f766e,
		accepted: 0x15803d,
		axes:     [3]chart.Hex{0xc0352b, 0x1e8449, 0x1f5fbf},
	}
}

// canvas is a diagram in the making.
type canvas struct {
	*chart.Drawing
	colors
}

func newCanvas(opt Options) *canvas {
	theme := chart.Light()
	if opt.Dark {
		theme = chart.Dark()
	}
	return &canvas{chart.New(width, height, theme), colorsOf(opt.Dark)}
}

// title writes the two lines at the top.
func (c *canvas) title(first, second string) {
	c.Title = first + ": " + second
	c.Text(first, chart.Pt(edge, titleLine), c.Fonts.Fit(first, columnRight-edge, chart.Bold(sizeTitle), sizeSmall), c.Ink)
	c.Text(second, chart.Pt(edge, secondLine), c.Fonts.Fit(second, columnRight-edge, chart.Regular(sizeLabel), 10), c.Muted)
}

// small writes a paragraph into the column on the right and returns the baseline that comes next.
func (c *canvas) small(text string, y float64, look chart.Hex) float64 {
	return c.Paragraph(text, chart.Pt(columnLeft, y), columnRight-columnLeft, chart.Regular(sizeSmall), look)
}
