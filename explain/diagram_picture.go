package explain

import (
	"context"
	"image"

	"pillbox"
)

// inset draws the picture with the pixel marked into the column and returns where it ends.
func (x *Pixel) inset(c *canvas) (float64, error) {
	const tallest = 200
	wide, tall := columnRight-columnLeft, float64(tallest)
	scale := min(wide/float64(x.Size.X), tall/float64(x.Size.Y))
	size := image.Pt(max(1, int(scale*float64(x.Size.X))), max(1, int(scale*float64(x.Size.Y))))
	film, err := pillbox.Render(context.Background(), x.tracer.stage.Scene, pillbox.Options{Size: size, Antialias: 2, World: x.tracer.stage.World})
	if err != nil {
		return 0, err
	}
	left := columnLeft + (wide-float64(size.X))/2
	c.dc.DrawImage(film.Image, int(left), int(contentTop))
	at := point{
		left + (float64(x.At.X)+0.5)*float64(size.X)/float64(x.Size.X),
		contentTop + (float64(x.At.Y)+0.5)*float64(size.Y)/float64(x.Size.Y),
	}
	c.crosshair(at, box{left, contentTop, left + float64(size.X), contentTop + float64(size.Y)})
	return contentTop + float64(size.Y) + 8, nil
}

// crosshair marks a point in a picture so that it shows on every colour.
func (c *canvas) crosshair(at point, within box) {
	for _, s := range []stroke{{rgb(0xffffff), 3.5, false}, {rgb(0xd00000), 1.5, false}} {
		c.use(s)
		c.dc.DrawCircle(at.x, at.y, 9)
		c.dc.DrawLine(within.x0, at.y, at.x-9, at.y)
		c.dc.DrawLine(at.x+9, at.y, within.x1, at.y)
		c.dc.DrawLine(at.x, within.y0, at.x, at.y-9)
		c.dc.DrawLine(at.x, at.y+9, at.x, within.y1)
		c.dc.Stroke()
	}
}
