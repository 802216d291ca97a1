package ink

import (
	"context"
	"image"
	"image/color"
	"math"

	"pillbox/geom"
	"pillbox/internal/geom2"
)

// Draw draws the marks into img, which shows the part of the picture whose top left corner is at origin. A part gets
// the same pixels as if the whole picture were drawn. Colors are mixed as they are stored, in sRGB, as in programs
// that show SVG and PDF. If ctx ends first, Draw returns its error, and only some of the marks are drawn.
func (p *Page) Draw(ctx context.Context, img *image.NRGBA, origin image.Point) error {
	shown := image.Rectangle{Max: img.Rect.Size()}.Add(origin)
	for _, x := range p.Panels {
		r := image.Rectangle{Max: x.Page.Size}.Add(x.At).Intersect(shown)
		part := img.SubImage(r.Sub(origin).Add(img.Rect.Min)).(*image.NRGBA)
		if err := x.Page.Draw(ctx, part, r.Min.Sub(x.At)); err != nil {
			return err
		}
	}
	return p.cover(ctx, shown, func(x, y int, l *Layer) {
		i := img.PixOffset(x-origin.X+img.Rect.Min.X, y-origin.Y+img.Rect.Min.Y)
		blend(img.Pix[i:][:4], l.Color, int32(l.Covered))
	})
}

// Layer is a color that a mark, or the halo of a text, lays over a pixel.
type Layer struct {
	Mark    Mark
	Halo    bool // whether this is the halo of a text
	Color   Color
	Covered int // how much of the pixel it covers, from 1 to [FullCoverage]
}

// At returns what the marks lay over a pixel, from the lowest to the highest. It returns the error of ctx if ctx ends
// first.
func (p *Page) At(ctx context.Context, pixel image.Point) (all []Layer, err error) {
	err = p.cover(ctx, image.Rectangle{pixel, pixel.Add(image.Pt(1, 1))}, func(_, _ int, l *Layer) { all = append(all, *l) })
	return all, err
}

// Over returns the pixel under with the layer over it, as [Page.Draw] computes it.
func (l *Layer) Over(under color.NRGBA) color.NRGBA {
	p := [4]uint8{under.R, under.G, under.B, under.A}
	blend(p[:], l.Color, int32(l.Covered))
	return color.NRGBA{R: p[0], G: p[1], B: p[2], A: p[3]}
}

// cover calls the function paint for each pixel of a region that a mark covers, mark by mark. paint must not keep the
// layer. cover returns the error of ctx if ctx ends first.
func (p *Page) cover(ctx context.Context, region image.Rectangle, paint func(x, y int, l *Layer)) error {
	c := canvas{ctx: ctx, region: region, paint: paint, fonts: NewFonts()}
	for _, m := range p.Marks {
		c.layer.Mark = m
		switch m := m.(type) {
		case *Line:
			bounds := boundsOf(m.Points, m.Width/2)
			for _, head := range m.Heads {
				bounds = bounds.Union(boundsOf(head, 0))
			}
			c.stroke(m.Color, bounds, func(_ image.Rectangle, add func(polygon)) { m.polygons(add) })
		case *Fill:
			c.fill(m.Color, boundsOf(m.Points, 0), func(_ image.Rectangle, add func(polygon)) { add(polygon{corners: m.Points}) })
		case *Text:
			c.text(m)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// canvas is a part of a picture that is drawn into.
type canvas struct {
	ctx    context.Context
	region image.Rectangle // the part of the picture
	paint  func(x, y int, l *Layer)
	layer  Layer // the current argument of paint
	fonts  *Fonts
}

func (c *canvas) text(t *Text) {
	face := c.fonts.face(t)
	ends := []Point{t.At, geom2.Pt(t.At.X+inPixels(face, face.Width(t.Text), t.Size), t.At.Y)}
	within := boundsOf(ends, float64(reach*t.Size)+t.Halo.Width)
	if t.Halo.Width > 0 {
		c.layer.Halo = true
		c.stroke(t.Halo.Color, within, func(clip image.Rectangle, add func(polygon)) {
			c.fonts.text(t, clip, func(contour []Point) { stroke(contour, float64(2*t.Halo.Width), true, true, add) })
		})
		c.layer.Halo = false
	}
	if t.HaloOnly {
		return
	}
	c.fill(t.Color, within, func(clip image.Rectangle, add func(polygon)) {
		c.fonts.text(t, clip, func(contour []Point) { add(polygon{corners: contour}) })
	})
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

// outliner calls the function add with the polygons of a shape. It may omit those that do not meet the clip.
type outliner func(clip image.Rectangle, add func(polygon))

// fill fills the union of some polygons, which must lie within bounds.
func (c *canvas) fill(color Color, bounds image.Rectangle, outline outliner) {
	c.shape(color, bounds, false, outline)
}

// stroke fills the union of convex polygons that wind in the same direction. They must lie within bounds.
func (c *canvas) stroke(color Color, bounds image.Rectangle, outline outliner) {
	c.shape(color, bounds, true, outline)
}

func (c *canvas) shape(color Color, bounds image.Rectangle, strokes bool, outline outliner) {
	clip := bounds.Intersect(c.region)
	if clip.Empty() {
		return
	}
	c.layer.Color = color
	cover := newCoverage(clip, strokes)
	outline(clip, cover.addPolygon)
	cover.begin()
	sums := make([]int32, clip.Dx())
	for y := range clip.Dy() {
		if c.ctx.Err() != nil {
			return
		}
		cover.row(y, sums, func(x int, covered int32) {
			c.layer.Covered = int(covered)
			c.paint(clip.Min.X+x, clip.Min.Y+y, &c.layer)
		})
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
