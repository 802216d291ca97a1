package chart

import (
	"image/color"
	"math"

	"pillbox/internal/geom2"
)

// LabelSize is the size of the text of labels.
const LabelSize = 19

// label is a text to be placed near a point.
type label struct {
	text   string
	at     geom2.Point
	toward geom2.Point // the preferred direction from the point
	color  color.Color
	within geom2.Box
}

// Label adds a label. PlaceLabels writes it near the point in the parameter at, inside the box within. It prefers
// the side of the point to which the vector toward points. Labels that were added earlier are placed first.
func (d *Drawing) Label(text string, at, toward geom2.Point, c color.Color, within geom2.Box) {
	d.labels = append(d.labels, label{text, at, toward.Unit(geom2.Pt(1, 0)), c, within})
}

// PlaceLabels writes the labels, if possible without covering lines. Call it after all lines were drawn.
func (d *Drawing) PlaceLabels() {
	for _, l := range d.labels {
		d.place(l)
	}
	d.labels = nil
}

// PlacedLabel is a label as PlaceLabels has written it.
type PlacedLabel struct {
	Text string
	At   geom2.Point // the point that it labels
	Box  geom2.Box   // around the text
}

// Labels returns the labels that PlaceLabels has written.
func (d *Drawing) Labels() []PlacedLabel { return d.written }

// track is the position of a line that labels avoid. Labels avoid firm lines more than others.
type track struct {
	a, b geom2.Point
	firm bool
}

// keepOff adds a firm line, which labels avoid.
func (d *Drawing) keepOff(a, b geom2.Point) { d.lines = append(d.lines, track{a, b, true}) }

// mayCross adds a line that labels cross only if there is no better position.
func (d *Drawing) mayCross(a, b geom2.Point) { d.lines = append(d.lines, track{a, b, false}) }

// The method within returns the length of the part of the line that lies in a box.
func (t track) within(b geom2.Box) float64 {
	from, to, ok := b.ClipSegment(t.a, t.b)
	if !ok {
		return 0
	}
	return (to - from) * t.b.Sub(t.a).Norm()
}

// The method place writes a label at the position with the lowest cost. The cost is low for positions that
// cover little, are close to the label's point and lie in the preferred direction.
func (d *Drawing) place(l label) {
	width := d.Fonts.Width(l.text, Regular(LabelSize)) + 4
	const height = LabelSize * 1.15
	best, cost := geom2.Box{}, math.Inf(1)
	for _, away := range []float64{10, 18, 28, 42, 60, 84, 114, 150, 200} {
		for k := range 24 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 12)
			dir := geom2.Pt(cos, sin)
			// If dir is along an axis, near is the middle of a side of the box. Otherwise near lies inside the box,
			// close to the corner that faces the label's point.
			near := l.at.Add(dir.Scale(away))
			x, y := near.X+(dir.X-1)*width/2, near.Y+(dir.Y-1)*height/2
			b, turned := geom2.Rect(x, y, x+width, y+height), 25*(1-dir.Dot(l.toward))
			if away+turned >= cost {
				continue // even a box that covers nothing costs as much
			}
			if is := d.cost(b, l, cost) + away + turned; is < cost {
				best, cost = b, is
			}
		}
	}
	d.placed = append(d.placed, best)
	d.written = append(d.written, PlacedLabel{l.text, l.at, best})
	if from, to, ok := l.leader(best); ok {
		d.Line(from, to, Solid(d.Muted, 1))
	}
	d.Text(l.text, geom2.Pt(best.Min.X+2, best.Max.Y-0.26*height), Regular(LabelSize), l.color)
}

// cost returns the cost of writing a label in a box. It stops counting at a cost of at least most.
func (d *Drawing) cost(b geom2.Box, l label, most float64) float64 {
	const leaves, covers, crosses, perPixel = 1e5, 1e4, 1e3, 6
	sum := 0.0
	if !l.within.Holds(b) {
		sum += leaves
	}
	from, to, leads := l.leader(b)
	for _, t := range d.placed {
		if t.Inset(-3).Overlaps(b) {
			sum += covers
		}
		if in, out, ok := t.Clip(from, to); leads && ok && in < 1 && out > 0 {
			sum += crosses
		}
	}
	roomy := b.Inset(-2)
	for _, t := range d.lines {
		if sum >= most {
			break
		}
		length := t.within(roomy)
		sum += perPixel * length
		if t.firm && length > 0 {
			sum += crosses
		}
	}
	return sum
}

// leader returns the line from a label's point to its box. It returns false if the two are so close that no line is
// needed.
func (l *label) leader(b geom2.Box) (from, to geom2.Point, ok bool) {
	to = b.Nearest(l.at)
	way := to.Sub(l.at)
	return l.at.Add(way.Unit(geom2.Pt(1, 0)).Scale(9)), to, way.Norm() > 30
}
