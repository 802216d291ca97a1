package diagram

import (
	"context"
	"image"

	"pillbox"
	"pillbox/explain"
	"pillbox/internal/chart"
	"pillbox/internal/geom2"
)

// inset draws the rendered picture into the column, with the pixel marked. It returns the y coordinate at which the
// free part of the column begins.
func (c *canvas) inset(x *explain.Pixel) (below float64, err error) {
	if c.plotOnly {
		return contentTop, nil
	}
	const tallest = 150
	const wide = columnRight - columnLeft
	scale := min(wide/float64(x.Size.X), tallest/float64(x.Size.Y))
	size := image.Pt(max(1, int(scale*float64(x.Size.X))), max(1, int(scale*float64(x.Size.Y))))
	p, err := x.Prepared().Prepare(x.Prepared().Scene(), pillbox.Picture{Size: size, Antialias: 2})
	if err != nil {
		return 0, err
	}
	film, err := p.Render(context.Background(), pillbox.Work{})
	if err != nil {
		return 0, err
	}
	corner := image.Pt(int(columnLeft+(wide-float64(size.X))/2), int(contentTop))
	c.Picture(film.Image, corner)
	box := geom2.Rect(0, 0, float64(size.X), float64(size.Y)).Moved(geom2.Pt(float64(corner.X), float64(corner.Y)))
	c.crosshair(box, geom2.Pt(
		(float64(x.At.X)+0.5)/float64(x.Size.X)*box.Width(),
		(float64(x.At.Y)+0.5)/float64(x.Size.Y)*box.Height(),
	).Add(box.Min))
	return box.Max.Y + 8, nil
}

// crosshair marks a point in a picture, visibly on any color.
func (c *canvas) crosshair(within geom2.Box, at geom2.Point) {
	const mark, around chart.Hex = 0xd00000, 0xffffff
	const radius = 9
	for _, s := range []chart.Stroke{chart.Solid(around, 3.5), chart.Solid(mark, 1.5)} {
		c.Circle(at, radius, s)
		c.Line(geom2.Pt(within.Min.X, at.Y), geom2.Pt(at.X-radius, at.Y), s)
		c.Line(geom2.Pt(at.X+radius, at.Y), geom2.Pt(within.Max.X, at.Y), s)
		c.Line(geom2.Pt(at.X, within.Min.Y), geom2.Pt(at.X, at.Y-radius), s)
		c.Line(geom2.Pt(at.X, at.Y+radius), geom2.Pt(at.X, within.Max.Y), s)
	}
}
