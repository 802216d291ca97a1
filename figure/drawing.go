package figure

import (
	"pillbox/geom"
	"pillbox/internal/ink"
	"pillbox/scene"
)

// strokePen returns the pen for a stroke of a scene.
func (l *layout) strokePen(s *scene.Stroke, color ink.Color) pen {
	scaled := func(dash, gap float64) pattern { return pattern{float64(dash * l.scale), float64(gap * l.scale)} }
	p := pen{width: float64(s.Width * l.scale), color: color, hidden: s.Hidden, isDashed: s.HasDash}
	p.pattern = scaled(s.Dashes())
	if p.behind = p.pattern; p.isDashed { // dots, which differ from the other dashes
		p.behind.dash = min(p.width, p.pattern.dash/2)
	}
	return p
}

// straight draws a line of the scene.
func (l *layout) straight(x *scene.Line) {
	l.stroke(&x.Stroke, inkOf(x.Color), []geom.Vec3{x.From.At, x.To.At})
}

// stroke draws a line through points of the scene, with arrowheads.
func (l *layout) stroke(s *scene.Stroke, color ink.Color, points []geom.Vec3) {
	c := l.curve(points)
	if !(c.length > 0) {
		return
	}
	p := l.strokePen(s, color)
	head := min(float64(s.Head()*l.scale), c.length)
	from, to := 0.0, c.length
	var first, last []ink.Point // the arrowheads
	if s.Heads.AtStart() && c.startsAt(l, points[0]) {
		from = float64(headOverlap * head)
		first = l.head(p, points[0], c.pointAt(0), c.pointAt(from), head)
	}
	if s.Heads.AtEnd() && c.endsAt(l, points[len(points)-1]) {
		to -= float64(headOverlap * head)
		last = l.head(p, points[len(points)-1], c.pointAt(c.length), c.pointAt(to), head)
	}
	before := len(l.lines)
	l.drawCurve(p, &c, from, to)
	l.attach(first, color, before)
	l.attach(last, color, max(before, len(l.lines)-1))
}

// attach adds an arrowhead to the line with the given index, or as an area if there is no such line.
func (l *layout) attach(head []ink.Point, color ink.Color, index int) {
	if head == nil {
		return
	}
	if index < len(l.lines) {
		if line, ok := l.lines[index].(*ink.Line); ok {
			line.Heads = append(line.Heads, head)
			return
		}
	}
	l.lines = append(l.lines, &ink.Fill{Points: head, Color: color})
}

// headOverlap is the part of the length of an arrowhead where there is no line, so that the line does not show beside the
// tip.
const headOverlap = 0.7

// head returns an arrowhead with its tip at a point of the scene, of which the picture is at the point tip. It points
// away from the point back of the picture. head returns nil if the arrowhead is not to be drawn.
func (l *layout) head(p pen, point geom.Vec3, tip, back ink.Point, length float64) []ink.Point {
	way := tip.Sub(back)
	n := way.Norm()
	if !(n > 0) || p.hidden == scene.HiddenHide && l.hidden(point, nil) {
		return nil
	}
	return arrowCorners(tip, way.Scale(1/n), length)
}

// curve is a line through points of the scene, in front of the camera.
type curve struct {
	tracks []track
	starts []float64 // of the tracks: distances along the curve, in pixels of the picture
	length float64
}

// curve returns the part of a line through points of the scene in front of the camera.
func (l *layout) curve(points []geom.Vec3) (c curve) {
	for i := range points[1:] {
		if t, ok := l.track(points[i], points[i+1]); ok {
			c.tracks, c.starts = append(c.tracks, t), append(c.starts, c.length)
			c.length += t.q.Sub(t.p.Point).Norm()
		}
	}
	return c
}

// startsAt and endsAt report whether the ends of the curve are the given points, and not where the line passes the camera.
func (c *curve) startsAt(l *layout, p geom.Vec3) bool { return l.project(p) == c.tracks[0].p }
func (c *curve) endsAt(l *layout, p geom.Vec3) bool {
	return l.project(p) == c.tracks[len(c.tracks)-1].q
}

// pointAt returns the point of the picture at a distance along the curve.
func (c *curve) pointAt(distance float64) ink.Point {
	i := len(c.tracks) - 1
	for i > 0 && c.starts[i] >= distance {
		i--
	}
	return c.tracks[i].point(c.fraction(i, distance))
}

// fraction returns the fraction of a track's length at a distance along the curve, from 0 to 1.
func (c *curve) fraction(track int, distance float64) float64 {
	length := c.tracks[track].q.Sub(c.tracks[track].p.Point).Norm()
	if length == 0 {
		return 0
	}
	return max(0, min(1, (distance-c.starts[track])/length))
}

// drawCurve draws the part of a curve between two distances along it.
func (l *layout) drawCurve(p pen, c *curve, from, to float64) {
	var run []ink.Point // the current section
	var isHidden bool
	flush := func() {
		if len(run) > 1 && (!isHidden || p.hidden == scene.HiddenDash) {
			l.path(p, run, isHidden)
		}
		run = nil
	}
	for i := range c.tracks {
		t := &c.tracks[i]
		start, end := c.fraction(i, from), c.fraction(i, to)
		if !(start < end) {
			continue
		}
		l.divide(p, t, start, end, func(from, to float64, hidden bool) {
			a, b := t.point(from), t.point(to)
			if to == 1 {
				b = t.q.Point // exactly where the next track begins
			}
			if hidden != isHidden || len(run) > 0 && run[len(run)-1] != a {
				flush()
			}
			if len(run) == 0 {
				run, isHidden = append(run, a), hidden
			}
			run = append(run, b)
		})
	}
	flush()
}

// angle draws the arc of an angle and its text.
func (l *layout) angle(index int, x *scene.Angle) {
	before := len(l.lines)
	u, v, ok := x.Legs()
	radius := x.Arc()
	if !ok || !(radius > 0) {
		return
	}
	points := l.arc(x.At.At, u, v, radius)
	l.stroke(&x.Stroke, inkOf(x.Color), points)
	caption := x.Caption()
	if caption == "" {
		return
	}
	middle := points[len(points)/2]
	at, vertex := l.project(middle), l.project(x.At.At)
	if !l.isShown(at) || x.Hidden == scene.HiddenHide && l.hidden(middle, nil) {
		return
	}
	away := at.Sub(vertex.Point)
	if n := away.Norm(); n > 0 && vertex.depth > 0 {
		away = away.Scale(1 / n)
	} else {
		away = ink.Point{Y: -1}
	}
	text := l.lettered(kindAngle, caption, &x.Lettering, false)
	distance := text.beside(away, float64(x.Width*l.scale)/2)
	if x.Heads != scene.HeadsNone {
		distance += float64(x.Head()*l.scale) / 6
	}
	l.later(before, &text, text.boxAt(at.Add(away.Scale(distance)), scene.Anchor{}), index, func(it *item) {
		it.points = []geom.Vec3{x.At.At}
	})
}

// arcTolerance is the largest distance between an arc and the lines that are drawn in its place, in pixels.
const arcTolerance = 1.0 / 64

// mostArcParts limits the number of lines of an arc.
const mostArcParts = 1 << 10

// arc returns points on an arc around a center, from the direction u to the direction v: an odd number of them, of which
// the middle one lies in the middle of the arc.
func (l *layout) arc(center, u, v geom.Vec3, radius float64) []geom.Vec3 {
	middle := l.bisector(u, v)
	ways := []geom.Vec3{u, middle, v}
	// An arc of n parts that covers half a circle or less deviates from its chords by at most r (pi/n)^2 / 8.
	size := l.pixelsOf(center, ways, radius)
	for n := 2.0; float64(size*1.25) > float64(n*n)*arcTolerance && n < mostArcParts; n *= 2 {
		finer := ways[:1:1]
		for i := range ways[1:] {
			finer = append(finer, l.bisector(ways[i], ways[i+1]), ways[i+1])
		}
		ways = finer
	}
	points := make([]geom.Vec3, len(ways))
	for i, way := range ways {
		points[i] = center.AddScaled(radius, way)
	}
	return points
}

// pixelsOf returns the largest size in the picture of a length at points around a center.
func (l *layout) pixelsOf(center geom.Vec3, ways []geom.Vec3, length float64) (pixels float64) {
	for _, way := range ways {
		if p := l.project(center.AddScaled(length, way)); p.depth > 0 {
			pixels = max(pixels, length/l.View.PixelAt(p.depth))
		}
	}
	return pixels
}

// bisector returns the direction in the middle between two directions. Between opposite ones, it is the direction
// perpendicular to them that is nearest to up in the picture.
func (l *layout) bisector(u, v geom.Vec3) geom.Vec3 {
	const least = 0x1p-20 // below, the sum is mostly rounding errors
	sum := u.Add(v)
	if sum.MaxAbs() < least {
		axes := l.View.Axes()
		for _, way := range []geom.Vec3{axes.Y, axes.X, axes.Z} {
			if sum = way.AddScaled(-way.Dot(u), u); sum.MaxAbs() > 0.5 {
				break
			}
		}
	}
	way, _ := geom.Direction(sum)
	return way
}

// marker draws a sign at a point.
func (l *layout) marker(x *scene.Marker) {
	at := l.project(x.At.At)
	if !(at.depth > 0) || !l.picture().Inset(-float64(x.Size*l.scale)).Contains(at.Point) {
		return
	}
	hidden := x.Hidden != scene.HiddenDraw && l.hidden(x.At.At, x.At.On)
	if hidden && x.Hidden == scene.HiddenHide {
		return
	}
	width := float64(x.Width * l.scale)
	p := pen{width: width, behind: pattern{float64(2 * width), float64(1.5 * width)}, color: inkOf(x.Color), hidden: x.Hidden}
	if x.Shape == scene.ShapeDot && !hidden {
		l.lines = append(l.lines, &ink.Line{Points: []ink.Point{at.Point, at.Point}, Width: float64(x.Size * l.scale), Round: true, Color: p.color})
		return
	}
	for _, points := range l.sign(x, at.Point) {
		if x.Shape.IsFilled() && !hidden {
			l.lines = append(l.lines, &ink.Fill{Points: points[1:], Color: p.color})
		} else {
			l.path(p, points, hidden)
		}
	}
}

// sign returns the lines of a marker. Those of a filled shape are closed.
func (l *layout) sign(x *scene.Marker, at ink.Point) (lines [][]ink.Point) {
	half := float64(x.Size * l.scale / 2)
	through := func(points ...ink.Point) {
		line := make([]ink.Point, len(points))
		for i, p := range points {
			line[i] = at.Add(p.Scale(half))
		}
		lines = append(lines, line)
	}
	const diagonal = 0.7071067811865476 // the root of 1/2
	switch x.Shape {
	case scene.ShapeSquare:
		through(ink.Point{X: 1, Y: 1}, ink.Point{X: 1, Y: -1}, ink.Point{X: -1, Y: -1}, ink.Point{X: -1, Y: 1}, ink.Point{X: 1, Y: 1})
	case scene.ShapeDiamond:
		through(ink.Point{X: 1}, ink.Point{Y: -1}, ink.Point{X: -1}, ink.Point{Y: 1}, ink.Point{X: 1})
	case scene.ShapeTriangle:
		const side, base = 0.8660254037844386, 0.5 // the corners lie on a circle
		through(ink.Point{Y: -1}, ink.Point{X: -side, Y: base}, ink.Point{X: side, Y: base}, ink.Point{Y: -1})
	case scene.ShapePlus:
		through(ink.Point{X: -1}, ink.Point{X: 1})
		through(ink.Point{Y: -1}, ink.Point{Y: 1})
	case scene.ShapeCross:
		through(ink.Point{X: -diagonal, Y: -diagonal}, ink.Point{X: diagonal, Y: diagonal})
		through(ink.Point{X: -diagonal, Y: diagonal}, ink.Point{X: diagonal, Y: -diagonal})
	default:
		if x.Shape == scene.ShapeCircle { // the line is inside the circle
			half = max(0, half-float64(x.Width*l.scale)/2)
		}
		through(circle()...)
	}
	return lines
}

// circle returns the corners of a polygon that follows the circle around (0, 0) with radius 1, from the right and back.
func circle() []ink.Point {
	const n = 96
	points := make([]ink.Point, n+1)
	for i := range points {
		sin, cos := geom.Angle(float64(360*float64(i%n)) / n).SinCos()
		points[i] = ink.Point{X: cos, Y: sin}
	}
	return points
}
