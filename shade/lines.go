package shade

import (
	"math"

	"pillbox/geom"
)

// Lines is a pattern of parallel lines of equal distance on a plane: a hatch. It is a value, safe for concurrent use.
type Lines struct {
	Origin geom.Vec3 // a point at which a line begins
	Across geom.Vec3 // the unit vector across the lines, divided by their distance
	Share  float64   // the width of a line divided by the distance, less than 1
}

// NewLines returns lines on the plane through a point with a unit normal. One line begins at the point. The angle is that
// between the lines and the horizontal line of the plane, counterclockwise for a viewer toward whom the normal points. In a
// plane that is nearly horizontal, the x axis takes the place of the horizontal line. The width of each line must be less
// than the distance from one to the next.
func NewLines(point, normal geom.Vec3, angle geom.Angle, width, distance float64) Lines {
	u := geom.Vec3{Y: 1}.Cross(normal)
	if math.Abs(normal.Y) > nearlyHorizontal {
		u = geom.Vec3{X: 1}.AddScaled(-normal.X, normal)
	}
	u = u.Unit()
	v := normal.Cross(u)
	sin, cos := angle.SinCos()
	return Lines{point, v.Scale(cos).AddScaled(-sin, u).Div(distance), width / distance}
}

// nearlyHorizontal is the vertical component of a unit normal above which a plane counts as horizontal. Any number below 1
// works: nearer to 1, a small change of the normal would turn the lines a lot.
const nearlyHorizontal = 0.999

// At returns the number of the line that covers the point p of the plane or, plus a half, of the line before p.
func (l *Lines) At(p geom.Vec3) float64 {
	n := math.Floor(p.Sub(l.Origin).Dot(l.Across))
	if l.Cover(p) {
		return n
	}
	return n + 0.5
}

// Cover reports whether a line covers the point p of the plane.
func (l *Lines) Cover(p geom.Vec3) bool {
	x := p.Sub(l.Origin).Dot(l.Across)
	return x-math.Floor(x) < l.Share
}
