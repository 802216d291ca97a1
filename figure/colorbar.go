package figure

import (
	"math"

	"pillbox/internal/geom2"
	"pillbox/internal/ink"
	"pillbox/scene"
)

// colorBar arranges a vertical color bar with its numbers to the right and its title above.
func (l *layout) colorBar(b *scene.ColorBar, c *scene.Colormap) {
	plan := b.Plan(c, l.scale, float64(l.Size.Y))
	size, length, thick := float64(b.Size*l.scale), plan.Length, plan.Thickness
	whole := l.corner(b.Corner, plan.Width, plan.Height, size)
	whole, ok := l.placeTogether(kindColorBar, whole, 0.2, size)
	if !ok {
		return
	}
	left, top := math.Floor(whole.Min.X+0.5), math.Floor(whole.Min.Y+plan.Above+0.5)
	l.gradient(geom2.Rect(left, top, left+thick, top+length), c, &b.Lettering)
	p := l.pen(&b.Lettering, scene.HiddenDraw)
	for _, x := range plan.Ticks {
		at := ink.Point{X: left + thick, Y: top + length - float64(x.At*length)}
		end := at.Add(ink.Point{X: plan.TickLength})
		l.line(p, at, end, false)
		number, anchor := l.lettered(kindColorBar, x.Text, &b.Lettering, false), scene.Anchor{X: -1}
		l.write(&number, number.boxAt(end.Add(ink.Point{X: float64(gap * size)}), anchor), anchor)
	}
	if text := b.Title(); text != "" {
		title, anchor := l.lettered(kindColorBar, text, &b.Lettering, false), scene.Anchor{X: -1, Y: -1}
		l.write(&title, title.boxAt(whole.Min, anchor), anchor)
	}
}

// gradient fills a box with the colors of a map, the first at the bottom, and draws a line around it.
func (l *layout) gradient(b geom2.Box, c *scene.Colormap, look *scene.Lettering) {
	bottom, top := b.Middle(), b.Middle()
	bottom.Y, top.Y = b.Max.Y, b.Min.Y
	colors := func(x float64) ink.Color { return inkOf(c.Map.At(x)) }
	l.lines = append(l.lines, ink.Gradient(bottom, top, b.Width(), colors)...)
	p := l.pen(look, scene.HiddenDraw)
	frame := []ink.Point{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}, b.Min}
	l.lines = append(l.lines, &ink.Line{Points: frame, Width: p.width, Round: true, Color: p.color})
}
