package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/geom2"
	"pillbox/internal/ink"
	"pillbox/scene"
)

// Kinds of entries.
const (
	kindTitle     = "title"
	kindLabel     = "label"
	kindDimension = "dimension"
	kindAngle     = "angle"
	kindAxes      = "axes"
	kindScaleBar  = "scale_bar"
	kindLegend    = "legend"
	kindColorBar  = "colormap"
)

func (l *layout) title(t *scene.Title) {
	text := l.lettered(kindTitle, t.Text, &t.Lettering, true)
	away, _ := t.Strip(l.scale)
	at, anchor := ink.Point{X: float64(l.Size.X) / 2, Y: away}, scene.Anchor{X: 0, Y: -1}
	if t.Bottom {
		at.Y, anchor.Y = float64(l.Size.Y)-away, 1
	}
	b := text.boxAt(at, anchor)
	l.write(&text, b.Moved(l.place(text.block(b, 0))), anchor)
}

// corner returns a box of a width and height in a corner of the picture.
func (l *layout) corner(name string, width, height, size float64) geom2.Box {
	away := math.Floor(float64(margin*size) + 0.5)
	b := geom2.Rect(away, away, away+width, away+height)
	if strings.HasSuffix(name, "right") {
		b = b.Moved(ink.Point{X: math.Floor(float64(l.Size.X) - float64(2*away) - width)})
	}
	if strings.HasPrefix(name, "bottom") {
		b = b.Moved(ink.Point{Y: math.Floor(float64(l.Size.Y) - float64(2*away) - height)})
	}
	return b
}

func (l *layout) legend(g *scene.Legend) {
	if len(g.Entries) == 0 {
		return
	}
	plan, size := g.Plan(l.scale), float64(g.Size*l.scale)
	swatch := plan.Swatch
	whole := l.corner(g.Corner, plan.Width, plan.Height, size)
	whole, ok := l.placeTogether(kindLegend, whole, 0.2, size)
	if !ok {
		return
	}
	p := l.pen(&g.Lettering, scene.HiddenDraw)
	for i := range g.Entries {
		if l.err() != nil {
			return // all reports it
		}
		text := l.lettered(kindLegend, g.Entries[i].Text, &g.Lettering, false)
		top := whole.Min.Add(ink.Point{Y: float64(plan.Step * float64(i))})
		square := []ink.Point{top, {X: top.X + swatch, Y: top.Y}, {X: top.X + swatch, Y: top.Y + swatch}, {X: top.X, Y: top.Y + swatch}}
		l.lines = append(l.lines, &ink.Fill{Points: square, Color: inkOf(g.Entries[i].Color)})
		if h := &g.Entries[i].Hatch; h.Enabled {
			for _, stripe := range stripes(square, h) {
				l.lines = append(l.lines, &ink.Fill{Points: stripe, Color: inkOf(h.Color)})
			}
		}
		l.lines = append(l.lines, &ink.Line{Points: append(square, square[0]), Width: p.width, Round: true, Color: p.color})
		b := text.boxAt(ink.Point{X: top.X + plan.Indent, Y: top.Y + float64(swatch/2)}, scene.Anchor{X: -1})
		it := l.write(&text, b, scene.Anchor{X: -1})
		it.subject, it.swatch = cmp.Or(g.Entries[i].Material, g.Entries[i].Section), inkOf(g.Entries[i].Color)
	}
}

// stripes returns the lines of a hatch on a square: those of the hatch's angle, a third of the side apart, one through the
// middle. Their width has the hatch's share of the distance.
func stripes(square []ink.Point, h *scene.Hatch) (all [][]ink.Point) {
	sin, cos := h.Angle.SinCos()
	across := ink.Point{X: sin, Y: cos} // y grows downward
	side := square[1].X - square[0].X
	middle := ink.Point{X: square[0].X + float64(side/2), Y: square[0].Y + float64(side/2)}
	distance := side / 3
	half := float64(float64(distance/2) * (h.Width / h.Distance))
	for k := -2.0; k <= 2; k++ {
		at := float64(k * distance)
		above := func(p ink.Point) float64 { return across.Dot(p.Sub(middle)) }
		stripe := geom2.Clip(square, func(p ink.Point) float64 { return at - half - above(p) })
		stripe = geom2.Clip(stripe, func(p ink.Point) float64 { return above(p) - (at + half) })
		if len(stripe) > 2 {
			all = append(all, stripe)
		}
	}
	return all
}

func (l *layout) scaleBar(b *scene.ScaleBar) error {
	pixels, err := b.Pixels(l.View, l.Size.X)
	if err != nil {
		return err
	}
	text := l.lettered(kindScaleBar, b.Write(b.Length), &b.Lettering, false)
	thick := float64(0.16 * text.size)
	whole := l.corner(b.Corner, max(pixels, text.width), text.height()+float64(gap*text.size)+thick, text.size)
	whole, ok := l.placeTogether(kindScaleBar, whole, 0.1, text.size)
	if !ok {
		return nil
	}
	left := whole.Middle().X - float64(pixels/2)
	bar := geom2.Rect(left, whole.Max.Y-thick, left+pixels, whole.Max.Y)
	l.lines = append(l.lines, &ink.Fill{
		Points: []ink.Point{bar.Min, {X: bar.Max.X, Y: bar.Min.Y}, bar.Max, {X: bar.Min.X, Y: bar.Max.Y}},
		Color:  inkOf(b.Color),
	})
	l.write(&text, text.boxAt(ink.Point{X: whole.Middle().X, Y: whole.Min.Y}, scene.Anchor{Y: -1}), scene.Anchor{}).length = pixels
	return nil
}

// axisColors are the colors of the x, y and z axes without a color of their own.
func axisColors() [3]ink.Color {
	return [3]ink.Color{{R: 200, G: 30, B: 30}, {R: 20, G: 130, B: 40}, {R: 30, G: 70, B: 200}}
}

func (l *layout) axes(a *scene.Axes) {
	directions := [3]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	order := []int{0, 1, 2} // the farthest tip first
	slices.SortStableFunc(order, func(i, j int) int {
		toward := l.View.Axes().Z
		return cmp.Compare(directions[i].Dot(toward), directions[j].Dot(toward))
	})
	for _, i := range order {
		p := l.pen(&a.Lettering, a.Hidden)
		if p.color = axisColors()[i]; a.HasColor {
			p.color = inkOf(a.Color)
		}
		text := l.lettered(kindAxes, a.Texts[i], &a.Lettering, false)
		tip, ok := l.axis(a, p, directions[i], text.size)
		if !ok {
			continue
		}
		l.later(len(l.lines), &text, text.boxAt(tip, scene.Anchor{}), i, func(it *item) {
			for _, text := range it.texts {
				text.Color = p.color
			}
		})
	}
}

// axis draws an axis and returns the point for the middle of its text. It returns false if the text is not
// to be shown, because the tip of the axis is outside the picture or hidden.
func (l *layout) axis(a *scene.Axes, p pen, direction geom.Vec3, size float64) (ink.Point, bool) {
	var start, tip ink.Point
	shown := true
	if a.Corner == "" {
		t, ok := l.track(a.At, a.At.AddScaled(a.Length, direction))
		if !ok {
			return tip, false
		}
		start, tip = t.p.Point, t.q.Point
		length := tip.Sub(start).Norm()
		l.draw(p, &t, 0, 1-min(0.5, float64(0.7*arrowhead*size)/max(length, size)))
		shown = l.isShown(t.q) && !(a.Hidden == scene.HiddenHide && l.hidden(t.b, nil))
	} else {
		reach := float64(a.Length * l.scale)
		around := reach + float64(scene.AxesReach*size)
		start = l.corner(a.Corner, 2*around, 2*around, scene.AxesMargin*size).Middle()
		axes := l.View.Axes()
		tip = start.Add(ink.Point{X: float64(reach * direction.Dot(axes.X)), Y: -float64(reach * direction.Dot(axes.Y))})
		l.line(p, start, start.Between(tip, 1-min(0.5, float64(0.7*arrowhead*size)/max(tip.Sub(start).Norm(), size))), false)
	}
	way := tip.Sub(start)
	length := way.Norm()
	if length <= 1 { // the axis points toward the viewer or away
		return tip.Add(ink.Point{X: float64(0.8 * size), Y: float64(0.8 * size)}), shown
	}
	way = way.Scale(1 / length)
	if shown {
		l.arrow(p, tip, way, min(size, length/arrowhead)) // the head of a short arrow is as long as the axis
	}
	return tip.Add(way.Scale(0.8 * size)), shown
}

// subject is the point to which a label belongs.
type subject struct {
	at       ink.Point // in the picture
	isHidden bool      // by a solid
	isDrawn  bool      // the label is drawn
}

// subjectOf returns the subject of a label.
func (l *layout) subjectOf(x *scene.Label) subject {
	at := l.project(x.At)
	if !l.isShown(at) {
		return subject{}
	}
	isHidden := x.Hidden != scene.HiddenDraw && l.hidden(x.At, x.On)
	return subject{at.Point, isHidden, !isHidden || x.Hidden != scene.HiddenHide}
}

// addSubject adds the subject of the next label, and the dot of its leader, which is drawn later, to what texts avoid. The text of
// the label itself may cover the dot, which is then not drawn.
func (l *layout) addSubject(index int, x *scene.Label) {
	s := l.subjectOf(x)
	l.subjects = append(l.subjects, s)
	if x.Leader && s.isDrawn {
		l.addObstacle(l.leaderDot(x, s.at), index+1)
	}
}

// label arranges the text of a label and its leader. Package ink draws them.
func (l *layout) label(index int, x *scene.Label) {
	s := l.subjects[index]
	if !s.isDrawn {
		return
	}
	text := l.lettered(kindLabel, x.Text, &x.Lettering, false)
	b := text.boxAt(s.at.Add(ink.Point{X: float64(x.Offset[0] * l.scale), Y: float64(x.Offset[1] * l.scale)}), x.Anchor)
	first, block := len(l.lines), text.block(b, index)
	if x.Leader {
		block.leader = func(shift ink.Point) (from, to ink.Point) { return s.at, text.leaderEnd(b.Moved(shift), s.at) }
	}
	shift := l.place(block)
	b = b.Moved(shift)
	l.labels = append(l.labels, PlacedLabel{index, b.Min.X, b.Min.Y, b.Max.X, b.Max.Y, shift.X, shift.Y})
	// There is no leader if its dot would reach its end.
	if end := text.leaderEnd(b, s.at); x.Leader && end.Sub(s.at).Norm() > float64(dotRadius*text.size) {
		l.line(l.pen(&x.Lettering, x.Hidden), s.at, end, s.isHidden)
		l.lines = append(l.lines, l.leaderDot(x, s.at))
	}
	it := l.write(&text, b, x.Anchor)
	it.index, it.lines = index, l.lines[first:len(l.lines):len(l.lines)]
	it.subject, it.points = l.solids(x.On), []geom.Vec3{x.At}
}

// leaderDot returns the dot of a label's leader, which is at a point.
func (l *layout) leaderDot(x *scene.Label, at ink.Point) *ink.Line {
	return &ink.Line{Points: []ink.Point{at, at}, Width: float64(2 * float64(dotRadius*float64(x.Size*l.scale))), Round: true, Color: inkOf(x.Color)}
}

// leaderEnd returns the end of the leader from a point to the text in the box b. The leader stays out of the text's room.
func (t *lettered) leaderEnd(b geom2.Box, at ink.Point) ink.Point {
	near, room := b.Inset(-0.25*t.size), t.room(b).Inset(-float64(lineWidth*t.size)/2)
	return geom2.Box{
		Min: ink.Point{X: min(near.Min.X, room.Min.X), Y: min(near.Min.Y, room.Min.Y)},
		Max: ink.Point{X: max(near.Max.X, room.Max.X), Y: max(near.Max.Y, room.Max.Y)},
	}.Nearest(at)
}
