package ink

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/typeface"
)

// tolerance is the largest distance, in pixels, between a curve and the lines that are drawn in its place. It is half of
// the distance between the lines on which coverage is measured.
const tolerance = 0.5 / rowsPerPixel

// text calls the function add with each contour of a text's letters.
func (f *Fonts) text(t *Text, add func([]Point)) {
	face := f.face(t.Bold)
	x := 0
	for _, letter := range letters(face, t.Text) {
		for _, c := range face.Outline(letter) {
			add(flattened(&c, func(p typeface.Point) Point {
				return Point{t.At.X + inPixels(face, x+p.X, t.Size), t.At.Y + inPixels(face, p.Y, t.Size)}
			}))
		}
		x += face.Advance(letter)
	}
}

// flattened returns the corners of a polygon that follows a contour within the tolerance. The function place converts
// points of the contour to points of the picture.
func flattened(c *typeface.Contour, place func(typeface.Point) Point) []Point {
	p := place(c.Start)
	polygon := []Point{p}
	for _, curve := range c.Curves {
		q, r := place(curve.Control), place(curve.To)
		// A curve cut into n parts deviates from their chords by at most |p - 2q + r| / (4 n^2).
		bend := p.Sub(q).Add(r.Sub(q)).Norm()
		n := geom.ClampInt(math.Ceil(math.Sqrt(bend/(4*tolerance))), 1, 64)
		for i := 1; i < n; i++ {
			t := float64(i) / float64(n)
			polygon = append(polygon, p.Between(q, t).Between(q.Between(r, t), t))
		}
		polygon = append(polygon, r)
		p = r
	}
	return polygon
}

// stroke calls the function add with polygons whose union is a line of the given width. They all wind in the same
// direction.
func stroke(points []Point, width float64, round, closed bool, add func([]Point)) {
	half := width / 2
	n := len(points)
	for i, p := range points {
		if closed || round || 0 < i && i < n-1 {
			add(disc(p, half))
		}
		if i == n-1 && !closed {
			return
		}
		q := points[(i+1)%n]
		way := q.Sub(p)
		length := way.Norm()
		if length == 0 {
			continue
		}
		side := way.Left().Scale(half / length)
		add([]Point{p.Add(side), q.Add(side), q.Sub(side), p.Sub(side)})
	}
}

// disc returns a polygon that follows a circle within the tolerance. It winds in the same direction as the polygons of
// the function stroke.
func disc(middle Point, radius float64) []Point {
	// A regular polygon with n corners deviates from its circle by about 5 r / n^2.
	n := geom.ClampInt(math.Ceil(math.Sqrt(5*radius/tolerance)), 8, 256)
	polygon := make([]Point, n)
	for i := range polygon {
		sin, cos := geom.Angle(float64(360*float64(i)) / float64(n)).SinCos()
		polygon[i] = Point{middle.X + float64(radius*cos), middle.Y + float64(radius*sin)}
	}
	return polygon
}
