package ink

import (
	"image"
	"math"

	"pillbox/geom"
)

// Draw draws the marks into img, which shows the part of the picture whose top left corner is at origin. A part gets
// the same pixels as if the whole picture were drawn. Colors are mixed as they are stored, in sRGB, as in programs
// that show SVG and PDF.
func (p *Page) Draw(img *image.NRGBA, origin image.Point) {
	c := canvas{img: img, region: image.Rectangle{Max: img.Rect.Size()}.Add(origin), fonts: NewFonts()}
	for _, m := range p.Marks {
		switch m := m.(type) {
		case *Line:
			c.shape(m.Color, boundsOf(m.Points, m.Width/2), func(add func([]Point)) { stroke(m.Points, m.Width, m.Round, false, add) })
		case *Fill:
			c.shape(m.Color, boundsOf(m.Points, 0), func(add func([]Point)) { add(m.Points) })
		case *Text:
			c.text(m)
		}
	}
}

// canvas is a picture that is drawn into.
type canvas struct {
	img    *image.NRGBA
	region image.Rectangle // the part of the picture that img shows
	fonts  *Fonts
}

func (c *canvas) text(t *Text) {
	ends := []Point{t.At, {t.At.X + c.fonts.Width(t.Text, t.Size, t.Bold), t.At.Y}}
	within := boundsOf(ends, float64(1.5*t.Size)+t.Halo.Width) // no letter of the fonts extends further
	if t.Halo.Width > 0 {
		c.shape(t.Halo.Color, within, func(add func([]Point)) {
			c.fonts.text(t, func(contour []Point) { stroke(contour, float64(2*t.Halo.Width), true, true, add) })
		})
	}
	c.shape(t.Color, within, func(add func([]Point)) { c.fonts.text(t, add) })
}

// boundsOf returns the pixels within a distance of the points. Its corners are at most 2^30 in magnitude.
func boundsOf(points []Point, distance float64) image.Rectangle {
	const most = 1 << 30
	var all image.Rectangle
	for i, p := range points {
		one := image.Rect(
			geom.ClampInt(math.Floor(p.X-distance), -most, most), geom.ClampInt(math.Floor(p.Y-distance), -most, most),
			geom.ClampInt(math.Ceil(p.X+distance)+1, -most, most), geom.ClampInt(math.Ceil(p.Y+distance)+1, -most, most))
		if i == 0 {
			all = one
		}
		all = all.Union(one)
	}
	return all
}

// shape fills the union of some polygons. It calls the function outline, which passes each polygon to the function add.
// The union must lie within bounds.
func (c *canvas) shape(color Color, bounds image.Rectangle, outline func(add func([]Point))) {
	clip := bounds.Intersect(c.region)
	if clip.Empty() {
		return
	}
	cover := newCoverage(clip)
	outline(cover.polygon)
	sums := make([]int32, clip.Dx())
	for y := range clip.Dy() {
		row := c.img.PixOffset(clip.Min.X-c.region.Min.X+c.img.Rect.Min.X, clip.Min.Y+y-c.region.Min.Y+c.img.Rect.Min.Y)
		cover.row(y, sums, func(x int, covered int32) { blend(c.img.Pix[row+4*x:][:4], color, covered) })
	}
}

// blend lays a color over a pixel with straight alpha. covered is the coverage, out of fullCoverage. Results are
// rounded to the nearest value.
func blend(pixel []uint8, color Color, covered int32) {
	// In units of 1/(255 fullCoverage): the weight of the color, that of the pixel, and their sum, the new alpha.
	over := 255 * int64(covered)
	under := int64(pixel[3]) * int64(fullCoverage-covered)
	whole := over + under
	for i, v := range [3]uint8{color.R, color.G, color.B} {
		pixel[i] = uint8((2*(over*int64(v)+under*int64(pixel[i])) + whole) / (2 * whole))
	}
	pixel[3] = uint8((2*whole + fullCoverage) / (2 * fullCoverage))
}
