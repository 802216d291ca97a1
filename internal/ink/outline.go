package ink

import (
	"image"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/internal/geom2"
	"pillbox/internal/typeface"
)

// tolerance is the largest distance, in pixels, between a curve and the lines that are drawn in its place. It is half of
// the distance between the lines on which coverage is measured.
const tolerance = 0.5 / rowsPerPixel

// reach is the largest distance between a point of a letter and the part of the baseline that the letter takes up, as
// a multiple of the size of the text. A test compares it with the fonts.
const reach = 1.5

// text calls the function add with each contour of those letters of a text that may meet the clip. A halo around the
// letters is included.
func (f *Fonts) text(t *Text, clip image.Rectangle, add func([]Point)) {
	face := f.face(t)
	margin := float64(reach*t.Size) + t.Halo.Width
	x := 0
	for _, letter := range letters(face, t.Text) {
		left := t.At.X + inPixels(face, x, t.Size)
		x += face.Advance(letter)
		right := t.At.X + inPixels(face, x, t.Size)
		if right+margin < float64(clip.Min.X) || left-margin > float64(clip.Max.X) {
			continue
		}
		origin := x - face.Advance(letter)
		for _, c := range face.Outline(letter) {
			add(flattened(&c, func(p typeface.Point) Point {
				return geom2.Pt(t.At.X+inPixels(face, origin+p.X, t.Size), t.At.Y+inPixels(face, p.Y, t.Size))
			}))
		}
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

// polygons calls the function add with convex polygons whose union is the line with its heads. They all wind in the same
// direction.
func (l *Line) polygons(add func(polygon)) {
	stroke(l.Points, l.Width, l.Round, false, add)
	for _, head := range l.Heads {
		if windsBack(head) {
			head = slices.Clone(head)
			slices.Reverse(head)
		}
		add(polygon{corners: head})
	}
}

// windsBack reports whether a convex polygon winds against the direction of the polygons of the function stroke.
func windsBack(corners []Point) bool {
	area := 0.0
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		area += float64(p.X*q.Y) - float64(q.X*p.Y)
	}
	return area < 0
}

// stroke calls the function add with convex polygons whose union is a line of the given width. They all wind in the same
// direction.
func stroke(points []Point, width float64, round, closed bool, add func(polygon)) {
	half := width / 2
	circle := circleOf(half)
	n := len(points)
	for i, p := range points {
		if closed || round || 0 < i && i < n-1 {
			add(polygon{at: p, corners: circle, radius: half})
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
		side := way.Right().Scale(half / length)
		add(polygon{corners: []Point{p.Add(side), q.Add(side), q.Sub(side), p.Sub(side)}})
	}
}

// circleOf returns the corners of a polygon that follows a circle around (0, 0) within the tolerance. It winds in the
// same direction as the other polygons of the function stroke.
func circleOf(radius float64) []Point {
	// A regular polygon with n corners deviates from its circle by about 5 r / n^2.
	n := geom.ClampInt(math.Ceil(math.Sqrt(5*radius/tolerance)), 8, 256)
	corners := make([]Point, n)
	for i := range corners {
		sin, cos := geom.Angle(float64(360*float64(i)) / float64(n)).SinCos()
		corners[i] = geom2.Pt(float64(radius*cos), float64(radius*sin))
	}
	return corners
}
