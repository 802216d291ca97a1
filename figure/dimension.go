package figure

import (
	"math"
	"strings"

	"pillbox/geom"
	"pillbox/internal/ink"
	"pillbox/scene"
	"pillbox/shapes"
)

func (l *layout) dimension(index int, d *scene.Dimension) {
	first := len(l.lines)
	from, to, number := d.From, d.To, d.WriteDistance(d.From, d.To, 0)
	if d.Across != "" {
		from, to, number = l.across(d)
	}
	t, ok := l.track(from.Add(d.Offset), to.Add(d.Offset))
	if !ok {
		return
	}
	p := l.pen(&d.Lettering, d.Hidden)
	text := l.lettered(kindDimension, strings.ReplaceAll(d.Text, "{}", number), &d.Lettering, false)
	measured := l.project(from.Add(to.Sub(from).Scale(0.5)))
	if d.Offset != (geom.Vec3{}) {
		l.extend(p, from, d.Offset, text.size)
		l.extend(p, to, d.Offset, text.size)
	}
	way := t.q.Sub(t.p.Point)
	pixels := way.Norm()
	if !(pixels > 1) { // seen from its end, the line has no direction
		return
	}
	way = way.Scale(1 / pixels)
	l.measuringLine(p, &t, way, pixels, text.size)

	middle := l.pointAt(&t, 0.5)
	at := l.project(middle)
	if !l.isShown(at) || d.Hidden == scene.HiddenHide && l.hidden(middle, nil) {
		return
	}
	// The text is beside the line, on the side away from the measured length. If the line is the measured length
	// itself, the text is above it.
	side := way.Right()
	away := at.Sub(measured.Point)
	toward := float64(side.X*away.X) + float64(side.Y*away.Y)
	if away.Norm() < 1 {
		if toward = -side.Y; math.Abs(side.Y) < 0.1 {
			toward = side.X
		}
	}
	if toward < 0 {
		side = side.Scale(-1)
	}
	free := p.width / 2
	if along := float64(text.width*math.Abs(way.X)) + float64(text.height()*math.Abs(way.Y)); d.Offset != (geom.Vec3{}) && along > pixels {
		free = float64(extension * text.size) // the text does not fit between the extension lines
	}
	distance := text.beside(side, free)
	l.later(first, &text, text.boxAt(at.Add(side.Scale(distance)), scene.Anchor{}), index, func(it *item) {
		if d.Across == "" {
			it.points = []geom.Vec3{d.From, d.To}
		} else {
			it.subject, it.across = l.Scene.Objects.Name(d.Solid), d.Across
		}
	})
}

// measuringLine draws the line of a dimension with its arrows. Arrows that do not fit between its ends point inward
// from outside.
func (l *layout) measuringLine(p pen, t *track, way ink.Point, pixels, size float64) {
	head := float64(arrowhead * size)
	ends := [2]struct {
		at   projected
		in   geom.Vec3
		away ink.Point
	}{{t.p, t.a, way.Scale(-1)}, {t.q, t.b, way}}
	fits := pixels > 2.5*head
	if inset := float64(0.7*head) / pixels; fits {
		l.draw(p, t, inset, 1-inset)
	} else {
		l.draw(p, t, 0, 1)
	}
	for _, e := range ends {
		hidden := p.hidden != scene.HiddenDraw && l.hidden(e.in, nil)
		if hidden && p.hidden == scene.HiddenHide {
			continue
		}
		if fits {
			l.arrow(p, e.at.Point, e.away, size)
			continue
		}
		l.arrow(p, e.at.Point, e.away.Scale(-1), size)
		l.line(p, e.at.Add(e.away.Scale(0.7*head)), e.at.Add(e.away.Scale(2*head)), hidden)
	}
}

// extend draws the line from a measured point to the line of its dimension, and a little further.
func (l *layout) extend(p pen, from, offset geom.Vec3, size float64) {
	a, b := l.project(from), l.project(from.Add(offset))
	pixels := b.Sub(a.Point).Norm()
	if !(a.depth > 0 && b.depth > 0 && pixels > 1) {
		return
	}
	further := float64(extension*size) / pixels
	if t, ok := l.track(from, from.Add(offset.Scale(1+further))); ok {
		p.width = float64(0.7 * p.width)
		l.draw(p, &t, min(0.5, float64(0.2*size)/pixels), 1)
	}
}

// across returns the two points between which a dimension measures a solid, and their distance as a text.
func (l *layout) across(d *scene.Dimension) (from, to geom.Vec3, number string) {
	right := l.View.Axes().X
	switch s := l.Scene.Solid(d.Solid).(type) {
	case *shapes.Sphere:
		return s.Center.AddScaled(-s.Radius, right), s.Center.AddScaled(s.Radius, right), d.Write(2 * s.Radius)
	case *shapes.Capsule:
		axis, ok := geom.Direction(s.B.Sub(s.A))
		if !ok {
			axis = right
		}
		if d.Across == "diameter" {
			from, to = l.girth(s.A, s.B, axis, s.Radius)
			return from, to, d.Write(2 * s.Radius)
		}
		return s.A.AddScaled(-s.Radius, axis), s.B.AddScaled(s.Radius, axis), d.WriteDistance(s.A, s.B, 2*s.Radius)
	case *shapes.Cylinder:
		axis, _ := geom.Direction(s.B.Sub(s.A))
		if d.Across == "diameter" {
			from, to = l.girth(s.A, s.B, axis, s.Radius)
			return from, to, d.Write(2 * s.Radius)
		}
		return s.A, s.B, d.WriteDistance(s.A, s.B, 0)
	case *shapes.Box:
		var length float64
		from, to, length = l.edge(s, d.Across)
		return from, to, d.Write(length)
	}
	panic("figure: a solid of an unknown kind")
}

// girth returns the ends of a diameter through the middle of a round solid. The diameter is perpendicular to the axis and
// to the direction of view, so it appears in full length.
func (l *layout) girth(a, b, axis geom.Vec3, radius float64) (from, to geom.Vec3) {
	middle := a.Add(b.Sub(a).Scale(0.5))
	side, ok := geom.Direction(axis.Cross(l.toward(middle)))
	if !ok {
		side = l.View.Axes().X
	}
	return middle.AddScaled(-radius, side), middle.AddScaled(radius, side)
}

// toward returns a vector from a point toward the camera.
func (l *layout) toward(p geom.Vec3) geom.Vec3 {
	if l.View.Parallel() {
		return l.View.Axes().Z
	}
	return l.View.Position().Sub(p)
}

// edge returns the ends of an edge of the box b that is parallel to the given axis of the box, and the
// edge's length. Of the four such edges, it prefers those on the outline of the box, where one adjacent
// face is visible and the other is not. Among these, it takes the lowest in the picture.
func (l *layout) edge(b *shapes.Box, axis string) (from, to geom.Vec3, length float64) {
	axes := [3]geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z}
	half := [3]float64{b.HalfExtents.X, b.HalfExtents.Y, b.HalfExtents.Z}
	i := strings.Index("xyz", axis)
	j, k := (i+1)%3, (i+2)%3
	lowest, onOutline := math.Inf(-1), false
	for _, signs := range [4][2]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		middle := b.Center.AddScaled(float64(signs[0]*half[j]), axes[j]).AddScaled(float64(signs[1]*half[k]), axes[k])
		toward := l.toward(middle)
		outline := float64(signs[0]*axes[j].Dot(toward)) > 0 != (float64(signs[1]*axes[k].Dot(toward)) > 0)
		y := l.project(middle).Y
		if outline && !onOutline || outline == onOutline && y > lowest {
			lowest, onOutline = y, outline
			from, to = middle.AddScaled(-half[i], axes[i]), middle.AddScaled(half[i], axes[i])
		}
	}
	return from, to, 2 * half[i]
}
