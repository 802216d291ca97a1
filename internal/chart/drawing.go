package chart

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"pillbox/internal/geom2"
)

// Drawing is a list of marks: lines, areas, texts and pictures. Later ones cover earlier ones.
type Drawing struct {
	Theme
	Fonts *Fonts
	Title string // describes the drawing in a line, for screen readers

	size    geom2.Point
	marks   []mark
	clip    *geom2.Box // applies to the marks that follow
	texts   []geom2.Box
	labels  []label // labels that are not placed yet
	placed  []geom2.Box
	written []PlacedLabel
	lines   []track // lines that labels avoid
}

// New returns an empty drawing with a width and height in pixels and the theme's background.
func New(width, height float64, theme Theme) *Drawing {
	return &Drawing{Theme: theme, Fonts: NewFonts(), size: geom2.Pt(width, height)}
}

// Bounds returns the box of the whole drawing, which starts at (0, 0).
func (d *Drawing) Bounds() geom2.Box { return geom2.Box{Max: d.size} }

// Cut removes the part of the drawing that is farther than height from the top. It does nothing if the drawing
// is not higher than that.
func (d *Drawing) Cut(height float64) { d.size.Y = min(d.size.Y, height) }

// mark is one element of a drawing.
type mark struct {
	shape shape
	clip  *geom2.Box // nil: not clipped
}

// shape is a path, circle, text or picture.
type shape any

type (
	// path joins points by straight lines. A closed one is filled if it has a fill color.
	path struct {
		points []geom2.Point
		closed bool
		fill   color.Color // nil: not filled
		edge   Stroke
	}
	circle struct {
		middle geom2.Point
		radius float64
		fill   color.Color // nil: not filled
		edge   Stroke
	}
	text struct {
		text  string
		at    geom2.Point
		width float64
		font  Font
		color color.Color
		halo  color.Color // around the letters; nil: none
	}
	picture struct {
		image image.Image
		at    image.Point // of the top left corner
	}
)

// Stroke is how a line is drawn. The zero value draws nothing.
type Stroke struct {
	Color color.Color
	Width float64 // pixels
	Dash  bool
	Soft  bool // labels may cross it
}

// Solid returns the stroke of a continuous line. Labels avoid such lines.
func Solid(c color.Color, width float64) Stroke { return Stroke{Color: c, Width: width} }

// Dashed returns the stroke of a dashed line. Labels may cross such lines.
func Dashed(c color.Color, width float64) Stroke {
	return Stroke{Color: c, Width: width, Dash: true, Soft: true}
}

// Crossable returns a copy of the stroke. Labels may cross the lines that are drawn with this copy.
func (s Stroke) Crossable() Stroke {
	s.Soft = true
	return s
}

func (d *Drawing) addShape(s shape) { d.marks = append(d.marks, mark{s, d.clip}) }

// Clipped calls f, and clips the marks that f adds to d, except images, to a box. The box replaces that of an enclosing
// call of Clipped.
func (d *Drawing) Clipped(within geom2.Box, f func()) {
	before := d.clip
	d.clip = &within
	f()
	d.clip = before
}

// Line draws a line from a to b. The points may be far outside the drawing.
func (d *Drawing) Line(a, b geom2.Point, s Stroke) {
	// The margin hides the caps at the line's ends.
	from, to, ok := d.Bounds().Inset(-2*s.Width).ClipSegment(a, b)
	if !ok {
		return
	}
	a, b = a.Between(b, from), a.Between(b, to)
	d.addShape(path{points: []geom2.Point{a, b}, edge: s})
	if s.Soft {
		d.mayCross(a, b)
	} else {
		d.keepOff(a, b)
	}
}

// Arrow draws a line from a to b with a head at b.
func (d *Drawing) Arrow(a, b geom2.Point, s Stroke) {
	dir := b.Sub(a).Unit(geom2.Pt(1, 0))
	head := 5 + 3*s.Width
	d.Line(a, b.Sub(dir.Scale(0.7*head)), s)
	side := dir.Left().Scale(0.42 * head)
	base := b.Sub(dir.Scale(head))
	d.Fill([]geom2.Point{b, base.Add(side), base.Sub(side)}, s.Color)
	d.keepOff(base, b)
	d.keepOff(base.Add(side), base.Sub(side))
}

// Dimension draws a dimension line parallel to the line from a to b, 24 pixels away from it in the direction of
// the unit vector side. It returns the middle of the dimension line.
func (d *Drawing) Dimension(a, b, side geom2.Point, c color.Color) geom2.Point {
	const away, tick = 24, 6
	a, b = a.Add(side.Scale(away)), b.Add(side.Scale(away))
	s := Solid(c, 1.5)
	d.Line(a, b, s)
	for _, end := range [2]geom2.Point{a, b} {
		d.Line(end.Sub(side.Scale(tick)), end.Add(side.Scale(tick)), s)
	}
	return a.Between(b, 0.5)
}

// Fill fills a polygon.
func (d *Drawing) Fill(outline []geom2.Point, c color.Color) {
	d.addShape(path{points: outline, closed: true, fill: c})
}

// Edge draws the edge of a polygon. Labels may cross it.
func (d *Drawing) Edge(outline []geom2.Point, s Stroke) {
	d.addShape(path{points: outline, closed: true, edge: s})
	for i, p := range outline {
		if q := outline[(i+1)%len(outline)]; d.Bounds().Contains(p) || d.Bounds().Contains(q) {
			d.mayCross(p, q)
		}
	}
}

// FillBox fills a rectangle.
func (d *Drawing) FillBox(b geom2.Box, c color.Color) { d.Fill(b.Corners(), c) }

// EdgeBox draws the edge of a rectangle. Labels may cross it.
func (d *Drawing) EdgeBox(b geom2.Box, s Stroke) { d.Edge(b.Corners(), s) }

// Dot draws a disc that marks a point. It draws nothing if the point lies outside the drawing.
func (d *Drawing) Dot(p geom2.Point, radius float64, c color.Color) {
	d.circle(circle{middle: p, radius: radius, fill: c})
}

// Ring draws a circle, filled with the background color, that marks a point. It draws nothing if the point lies outside
// the drawing.
func (d *Drawing) Ring(p geom2.Point, radius float64, c color.Color) {
	d.circle(circle{middle: p, radius: radius, fill: d.Paper, edge: Solid(c, 2)})
}

// Circle draws a circle around a point. Labels may cross it.
func (d *Drawing) Circle(p geom2.Point, radius float64, s Stroke) {
	d.addShape(circle{middle: p, radius: radius, edge: s})
}

func (d *Drawing) circle(c circle) {
	if !d.Bounds().Contains(c.middle) {
		return
	}
	d.addShape(c)
	d.keepOff(c.middle.Add(geom2.Pt(-c.radius, 0)), c.middle.Add(geom2.Pt(c.radius, 0)))
	d.keepOff(c.middle.Add(geom2.Pt(0, -c.radius)), c.middle.Add(geom2.Pt(0, c.radius)))
}

// Text writes a line of text with its left end and baseline at p, and returns its width.
func (d *Drawing) Text(s string, p geom2.Point, look Font, c color.Color) float64 {
	return d.write(text{text: s, at: p, font: look, color: c})
}

// TextOver is like Text, with a halo of the background color around the letters. Use it for text over lines.
func (d *Drawing) TextOver(s string, p geom2.Point, look Font, c color.Color) float64 {
	return d.write(text{text: s, at: p, font: look, color: c, halo: d.Paper})
}

func (d *Drawing) write(t text) float64 {
	t.width = d.Fonts.Width(t.text, t.font)
	d.addShape(t)
	d.texts = append(d.texts, t.box())
	return t.width
}

// box returns the box of a line of text. It extends from the height of capitals to the depth of commas.
func (t *text) box() geom2.Box {
	return geom2.Rect(t.at.X, t.at.Y-0.75*t.font.Size, t.at.X+t.width, t.at.Y+0.2*t.font.Size)
}

// Leading is the distance between the baselines of a paragraph, as a multiple of the text size.
const Leading = 1.35

// Paragraph writes text in lines of at most the given width, with the first baseline at p. It returns the next baseline.
func (d *Drawing) Paragraph(s string, p geom2.Point, width float64, look Font, c color.Color) float64 {
	for _, line := range d.Fonts.Wrap(s, width, look) {
		d.Text(line, p, look, c)
		p.Y += Leading * look.Size
	}
	return p.Y
}

// The checkerboard behind transparent pictures, and the line around pictures.
const (
	lightTile Hex = 0xffffff
	darkTile  Hex = 0xd5d9df
	rim       Hex = 0xa8a8a8
	tile          = 8 // pixels
)

// Picture draws an image at its own size with its top left corner at p, and a thin line around it. A checkerboard shows
// through transparent parts. The image must not be modified afterwards.
func (d *Drawing) Picture(m image.Image, p image.Point) {
	on := geom2.Rect(0, 0, float64(m.Bounds().Dx()), float64(m.Bounds().Dy())).Moved(geom2.Pt(float64(p.X), float64(p.Y)))
	d.FillBox(on.Inset(-1), rim)
	d.Overlay(OnCheckerboard(m), p)
}

// Overlay draws an image at its own size with its top left corner at p. It is never clipped. The image must not be modified
// afterwards.
func (d *Drawing) Overlay(m image.Image, p image.Point) {
	if !m.Bounds().Empty() {
		d.marks = append(d.marks, mark{shape: picture{m, p}})
	}
}

// OnCheckerboard returns an opaque copy of m over a checkerboard, with its top left corner at (0, 0).
func OnCheckerboard(m image.Image) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: m.Bounds().Size()})
	tiles := [2]color.RGBA{lightTile.Between(lightTile, 0), darkTile.Between(darkTile, 0)}
	for y := range out.Rect.Max.Y {
		for x := range out.Rect.Max.X {
			out.SetRGBA(x, y, tiles[(x/tile+y/tile)%2])
		}
	}
	draw.Draw(out, out.Rect, m, m.Bounds().Min, draw.Over)
	return out
}

// Collisions returns two numbers, which are 0 if there is enough room. The result texts is the number of pairs of texts
// that overlap, plus the number of texts that extend beyond the drawing. The result lines is the number of times that a
// line crosses a label. The head of an arrow, a dot and a ring count as two lines each. Other polygons and circles do not
// count, and neither do lines that labels may cross, such as dashed ones.
func (d *Drawing) Collisions() (texts, lines int) {
	for i, b := range d.texts {
		if !d.Bounds().Holds(b) {
			texts++
		}
		for _, c := range d.texts[:i] {
			if b.Overlaps(c) {
				texts++
			}
		}
	}
	for _, t := range d.lines {
		for _, b := range d.placed {
			if t.firm && t.within(b.Inset(1)) > 0 {
				lines++
			}
		}
	}
	return texts, lines
}

// Texts returns all lines of text in the order in which they were written.
func (d *Drawing) Texts() []string {
	var out []string
	for _, m := range d.marks {
		if t, ok := m.shape.(text); ok {
			out = append(out, t.text)
		}
	}
	return out
}

// whole returns the drawing's size, rounded up to whole pixels.
func (d *Drawing) whole() image.Point {
	return image.Pt(int(math.Ceil(d.size.X)), int(math.Ceil(d.size.Y)))
}
