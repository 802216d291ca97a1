package explain

import (
	"fmt"
	"image/color"
	"math"

	"github.com/fogleman/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
)

// point is a place in a plane: in a drawing's own lengths with y up, or on the canvas in
// pixels with y down.
type point struct{ x, y float64 }

func (p point) add(q point) point                { return point{p.x + q.x, p.y + q.y} }
func (p point) sub(q point) point                { return point{p.x - q.x, p.y - q.y} }
func (p point) scale(s float64) point            { return point{p.x * s, p.y * s} }
func (p point) dot(q point) float64              { return p.x*q.x + p.y*q.y }
func (p point) norm() float64                    { return math.Hypot(p.x, p.y) }
func (p point) between(q point, t float64) point { return p.add(q.sub(p).scale(t)) }

// unit returns the unit vector along p, or the one given if p has no direction.
func (p point) unit(otherwise point) point {
	if n := p.norm(); n > 0 {
		return p.scale(1 / n)
	}
	return otherwise
}

// left returns p turned by a quarter to the left, with y up.
func (p point) left() point { return point{-p.y, p.x} }

// box is a rectangle; it is empty if a side is negative.
type box struct{ x0, y0, x1, y1 float64 }

// nowhere is the box of no points.
func nowhere() box { return box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)} }

func (b box) include(p point, margin float64) box {
	return box{
		min(b.x0, p.x-margin), min(b.y0, p.y-margin),
		max(b.x1, p.x+margin), max(b.y1, p.y+margin),
	}
}

func (b box) inset(d float64) box { return box{b.x0 + d, b.y0 + d, b.x1 - d, b.y1 - d} }

func (b box) contains(p point) bool { return b.x0 <= p.x && p.x <= b.x1 && b.y0 <= p.y && p.y <= b.y1 }

// clip returns the range of t in which the point p + t (q - p) lies in the box, and false if
// there is none, or no end to it because p and q are the same.
func (b box) clip(p, q point) (from, to float64, ok bool) {
	v := q.sub(p)
	from, to = math.Inf(-1), math.Inf(1)
	for _, axis := range [2]struct{ p, v, lo, hi float64 }{{p.x, v.x, b.x0, b.x1}, {p.y, v.y, b.y0, b.y1}} {
		if axis.v == 0 {
			if axis.p < axis.lo || axis.p > axis.hi {
				return 0, 0, false
			}
			continue
		}
		t0, t1 := (axis.lo-axis.p)/axis.v, (axis.hi-axis.p)/axis.v
		from, to = max(from, min(t0, t1)), min(to, max(t0, t1))
	}
	return from, to, from <= to && !math.IsInf(to-from, 0)
}

func canvasBox() box { return box{0, 0, diagramWidth, diagramHeight} }

func (b box) overlaps(c box) bool { return b.x0 < c.x1 && c.x0 < b.x1 && b.y0 < c.y1 && c.y0 < b.y1 }

func (b box) middle() point { return point{(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2} }

// theme holds the colours of a diagram.
type theme struct {
	paper, fore, muted, faint color.Color
	solid, slice, outline     color.Color // a solid, the part of it in the plane of the ray, its edge
	ray, normal, help         color.Color
	accepted                  color.Color
	axes                      [3]color.Color
}

func rgb(hex uint32) color.Color {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xff}
}

func themeOf(dark bool) theme {
	if dark {
		return theme{
			paper: rgb(0x14181f), fore: rgb(0xe8ecf2), muted: rgb(0x9aa7b8), faint: rgb(0x364150),
			solid: rgb(0x1b2a3a), slice: rgb(0x24425f), outline: rgb(0x6fb1ff),
			ray: rgb(0xffa25e), normal: rgb(0xc9a8ff), help: rgb(0x63d2c6),
			accepted: rgb(0x5ee08a),
			axes:     [3]color.Color{rgb(0xff7f7f), rgb(0x7fd88f), rgb(0x7fb0ff)},
		}
	}
	return theme{
		paper: rgb(0xffffff), fore: rgb(0x1b2330), muted: rgb(0x5b6878), faint: rgb(0xd5dce5),
		solid: rgb(0xedf4fc), slice: rgb(0xd3e5f8), outline: rgb(0x2f6db5),
		ray: rgb(0xc2500c), normal: rgb(0x7a3bd1), help: rgb(0x0f766e),
		accepted: rgb(0x15803d),
		axes:     [3]color.Color{rgb(0xc0352b), rgb(0x1e8449), rgb(0x1f5fbf)},
	}
}

// Sizes of text in pixels.
const (
	sizeTitle = 26
	sizeLabel = 19
	sizeSmall = 16
)

// canvas is a diagram in the making. Labels wait until all lines are drawn, and then find
// places where they cover none.
type canvas struct {
	theme
	dc      *gg.Context
	regular *opentype.Font
	bold    *opentype.Font
	faces   map[typeface]font.Face
	drawn   []track // lines that labels keep off
	taken   []box   // by labels
	labels  []label
	written []writing // in paragraphs
}

// writing is a line of text and where it stands.
type writing struct {
	text string
	at   box
}

type typeface struct {
	bold bool
	size float64
}

func newCanvas(dark bool) *canvas {
	c := &canvas{theme: themeOf(dark), dc: gg.NewContext(diagramWidth, diagramHeight), faces: map[typeface]font.Face{}}
	c.regular, c.bold = parseFont(goregular.TTF), parseFont(gobold.TTF)
	c.dc.SetColor(c.paper)
	c.dc.Clear()
	c.dc.SetLineCapRound()
	return c
}

func parseFont(data []byte) *opentype.Font {
	f, err := opentype.Parse(data)
	if err != nil {
		panic(fmt.Sprintf("explain: a built-in font does not parse: %v", err))
	}
	return f
}

// setFace chooses the font of the text that follows.
func (c *canvas) setFace(bold bool, size float64) {
	key := typeface{bold, size}
	if c.faces[key] == nil {
		f := c.regular
		if bold {
			f = c.bold
		}
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72})
		if err != nil {
			panic(fmt.Sprintf("explain: a built-in font: %v", err))
		}
		c.faces[key] = face
	}
	c.dc.SetFontFace(c.faces[key])
}

// width returns how wide a text is in the font that was chosen last.
func (c *canvas) width(s string) float64 {
	w, _ := c.dc.MeasureString(s)
	return w
}

// text writes a line whose left end and baseline are at p.
func (c *canvas) text(s string, p point, look color.Color, bold bool, size float64) {
	c.setFace(bold, size)
	c.dc.SetColor(look)
	c.dc.DrawString(s, p.x, p.y)
}

// halo prepares a place for text that may cross a line.
func (c *canvas) halo(s string, p point, size float64) {
	for k := range 8 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 4)
		c.text(s, p.add(point{2.5 * cos, 2.5 * sin}), c.paper, false, size)
	}
}

// leading is the distance of the lines of a paragraph, as a multiple of its size.
const leading = 1.35

// paragraph writes text in lines of at most the given width, the first baseline at p, and
// returns the baseline that comes next.
func (c *canvas) paragraph(s string, p point, width float64, look color.Color, size float64) float64 {
	for _, line := range c.lines(s, width, size) {
		c.text(line, p, look, false, size)
		c.written = append(c.written, writing{line, box{p.x, p.y - 0.75*size, p.x + c.width(line), p.y + 0.2*size}})
		p.y += leading * size
	}
	return p.y
}

// lines breaks text between words into lines of at most the given width.
func (c *canvas) lines(s string, width, size float64) []string {
	c.setFace(false, size)
	return c.dc.WordWrap(s, width)
}

// stroke says how a line is drawn.
type stroke struct {
	color color.Color
	width float64
	dash  bool
}

func (c *canvas) use(s stroke) {
	c.dc.SetColor(s.color)
	c.dc.SetLineWidth(s.width)
	if s.dash {
		c.dc.SetDash(7, 6)
	} else {
		c.dc.SetDash()
	}
}

// line draws a line between two points of the canvas.
func (c *canvas) line(a, b point, s stroke) {
	from, to, ok := canvasBox().clip(a, b)
	if !ok {
		return
	}
	from, to = max(0, from), min(1, to)
	if from > to {
		return
	}
	a, b = a.between(b, from), a.between(b, to)
	c.use(s)
	c.dc.DrawLine(a.x, a.y, b.x, b.y)
	c.dc.Stroke()
	// Text stays legible on dashes and on the edges of a solid, which are long.
	c.mark(a, b, !s.dash && s.color != c.outline && s.color != c.faint)
}

// track is where a line was drawn. A label does not cross a firm one if it can help it.
type track struct {
	a, b point
	firm bool
}

// mark keeps labels off a line.
func (c *canvas) mark(a, b point, firm bool) { c.drawn = append(c.drawn, track{a, b, firm}) }

// within returns the length of the part that lies in a box.
func (t track) within(b box) float64 {
	from, to, ok := b.clip(t.a, t.b)
	if !ok {
		return 0
	}
	return max(0, min(1, to)-max(0, from)) * t.b.sub(t.a).norm()
}

// arrow draws a line with a head at b.
func (c *canvas) arrow(a, b point, s stroke) {
	dir := b.sub(a).unit(point{1, 0})
	head := 5 + 3*s.width
	c.line(a, b.sub(dir.scale(0.7*head)), s)
	side := dir.left().scale(0.42 * head)
	base := b.sub(dir.scale(head))
	c.fill([]point{b, base.add(side), base.sub(side)}, s.color)
	c.mark(base, b, true)
	c.mark(base.add(side), base.sub(side), true)
}

// dimension draws a measured length beside the line from a to b, away from it on one side.
func (c *canvas) dimension(a, b, side point, look color.Color) (middle point) {
	const away, tick = 24, 6
	a, b = a.add(side.scale(away)), b.add(side.scale(away))
	s := stroke{look, 1.5, false}
	c.line(a, b, s)
	for _, end := range [2]point{a, b} {
		c.line(end.sub(side.scale(tick)), end.add(side.scale(tick)), s)
	}
	return a.between(b, 0.5)
}

// fill fills a polygon.
func (c *canvas) fill(outline []point, look color.Color) {
	c.path(outline)
	c.dc.SetColor(look)
	c.dc.Fill()
}

// outline draws the edge of a polygon.
func (c *canvas) outlined(outline []point, s stroke) {
	c.use(s)
	c.path(outline)
	c.dc.Stroke()
	for i, p := range outline {
		if q := outline[(i+1)%len(outline)]; canvasBox().contains(p) || canvasBox().contains(q) {
			c.mark(p, q, false)
		}
	}
}

func (c *canvas) path(outline []point) {
	c.dc.NewSubPath()
	for _, p := range outline {
		c.dc.LineTo(p.x, p.y)
	}
	c.dc.ClosePath()
}

// dot marks a point, filled or hollow.
func (c *canvas) dot(p point, radius float64, look color.Color, filled bool) {
	if !canvasBox().contains(p) {
		return
	}
	c.dc.DrawCircle(p.x, p.y, radius)
	if filled {
		c.dc.SetColor(look)
		c.dc.Fill()
	} else {
		c.dc.SetColor(c.paper)
		c.dc.FillPreserve()
		c.use(stroke{look, 2, false})
		c.dc.Stroke()
	}
	c.mark(p.add(point{-radius, 0}), p.add(point{radius, 0}), true)
	c.mark(p.add(point{0, -radius}), p.add(point{0, radius}), true)
}

// label is a text that belongs to a point.
type label struct {
	text   string
	at     point
	toward point // where it would like to be, as seen from the point
	look   color.Color
	within box
}

// name asks for a label. Of two that would like the same place the first gets it.
func (c *canvas) name(text string, at, toward point, look color.Color, within box) {
	c.labels = append(c.labels, label{text, at, toward.unit(point{1, 0}), look, within})
}

// placeLabels writes the labels that were asked for.
func (c *canvas) placeLabels() {
	for _, l := range c.labels {
		c.place(l)
	}
	c.labels = nil
}

// place tries places around a label's point and takes the one that covers least, is nearest
// and lies most where the label would like to be.
func (c *canvas) place(l label) {
	c.setFace(false, sizeLabel)
	w := c.width(l.text) + 4
	const h = sizeLabel * 1.15
	best, cost := box{}, math.Inf(1)
	for _, away := range []float64{10, 18, 28, 42, 60, 84, 114, 150, 200} {
		for k := range 24 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 12)
			dir := point{cos, sin}
			// The nearest point of the box lies at that distance in that direction.
			near := l.at.add(dir.scale(away))
			b := box{near.x - w/2 + dir.x*w/2, near.y - h/2 + dir.y*h/2, 0, 0}
			b.x1, b.y1 = b.x0+w, b.y0+h
			if is := c.cost(b, l) + away + 25*(1-dir.dot(l.toward)); is < cost {
				best, cost = b, is
			}
		}
	}
	c.taken = append(c.taken, best)
	if from, to, ok := l.leader(best); ok {
		c.line(from, to, stroke{c.muted, 1, false})
	}
	c.text(l.text, point{best.x0 + 2, best.y1 - 0.26*h}, l.look, false, sizeLabel)
}

// cost says how bad it is to write a label into a box.
func (c *canvas) cost(b box, l label) float64 {
	const covers, crosses, perPixel = 1e4, 1e3, 6
	sum := 0.0
	if b.x0 < l.within.x0 || b.y0 < l.within.y0 || b.x1 > l.within.x1 || b.y1 > l.within.y1 {
		sum += 1e5
	}
	from, to, leads := l.leader(b)
	for _, t := range c.taken {
		if t.inset(-3).overlaps(b) {
			sum += covers
		}
		if in, out, ok := t.clip(from, to); leads && ok && in < 1 && out > 0 {
			sum += crosses
		}
	}
	roomy := b.inset(-2)
	for _, t := range c.drawn {
		length := t.within(roomy)
		sum += float64(perPixel * length)
		if t.firm && length > 0 {
			sum += crosses
		}
	}
	return sum
}

// leader returns the line that leads from a label's point to its box, and false if that is so
// near that none is needed.
func (l *label) leader(b box) (from, to point, ok bool) {
	to = point{min(max(l.at.x, b.x0), b.x1), min(max(l.at.y, b.y0), b.y1)}
	way := to.sub(l.at)
	return l.at.add(way.unit(point{1, 0}).scale(9)), to, way.norm() > 30
}

// plot is a part of the canvas with lengths of its own, y up.
type plot struct {
	*canvas
	frame  box // on the canvas
	middle point
	scale  float64 // pixels per length
}

// plotOf fits what must be seen into a frame, with a margin of so many pixels around.
func (c *canvas) plotOf(frame box, seen box, margin float64) *plot {
	w, h := seen.x1-seen.x0, seen.y1-seen.y0
	scale := min((frame.x1-frame.x0-2*margin)/w, (frame.y1-frame.y0-2*margin)/h)
	return &plot{c, frame, seen.middle(), scale}
}

// clip keeps what is drawn inside the frame, until the canvas' clip is reset.
func (p *plot) clip() {
	p.dc.DrawRectangle(p.frame.x0, p.frame.y0, p.frame.x1-p.frame.x0, p.frame.y1-p.frame.y0)
	p.dc.Clip()
}

// on returns where a point of the plot lies on the canvas.
func (p *plot) on(q point) point {
	m := p.frame.middle()
	return point{m.x + (q.x-p.middle.x)*p.scale, m.y - (q.y-p.middle.y)*p.scale}
}

// seen returns the part of the plot inside the frame, in its own lengths.
func (p *plot) seen() box {
	w, h := (p.frame.x1-p.frame.x0)/p.scale/2, (p.frame.y1-p.frame.y0)/p.scale/2
	return box{p.middle.x - w, p.middle.y - h, p.middle.x + w, p.middle.y + h}
}

// arc returns points along a circle, counter-clockwise between two angles.
func arc(middle point, radius, from, to float64) []point {
	const steps = 72
	var out []point
	for i := range steps + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(i)/steps)
		out = append(out, middle.add(point{radius * cos, radius * sin}))
	}
	return out
}

// onAll returns where points of the plot lie on the canvas.
func (p *plot) onAll(points []point) []point {
	out := make([]point, len(points))
	for i, q := range points {
		out[i] = p.on(q)
	}
	return out
}

// label asks for a label at a point of the plot; toward is a direction in it.
func (p *plot) label(text string, at, toward point, look color.Color) {
	if p.shows(at) {
		p.name(text, p.on(at), point{toward.x, -toward.y}, look, p.frame.inset(4))
	}
}

// shows reports whether a point of the plot lies in the frame.
func (p *plot) shows(at point) bool { return p.frame.inset(-1).contains(p.on(at)) }

// spot marks and names a point of the plot.
func (p *plot) spot(text string, at, toward point, look color.Color) {
	if p.shows(at) {
		p.dot(p.on(at), 5, look, true)
		p.label(text, at, toward, look)
	}
}

// segment draws a line between two points of the plot.
func (p *plot) segment(a, b point, s stroke) { p.line(p.on(a), p.on(b), s) }

// disc draws a filled circle.
func (p *plot) disc(middle point, radius float64, fill, edge color.Color) {
	circle := p.onAll(arc(middle, radius, 0, 2*math.Pi))
	p.fill(circle, fill)
	p.outlined(circle, stroke{edge, 2, false})
}
