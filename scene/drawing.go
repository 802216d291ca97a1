package scene

import (
	"cmp"
	"strings"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/shade"
)

// Stroke is the look of a line. Lengths are pixels.
type Stroke struct {
	Width      float64
	HasDash    bool       // whether the whole line is dashed
	Dash       [2]float64 // lengths of dashes and of the gaps between them; 0 for the defaults, multiples of the width
	Heads      Heads
	HeadLength float64 // of arrowheads; 0 for the default, a multiple of the width
	Hidden     Hidden
}

// Heads says which ends of a line have arrowheads.
type Heads int

const (
	HeadsNone  Heads = iota // no arrowheads
	HeadsEnd                // one at the end
	HeadsStart              // one at the beginning
	HeadsBoth               // one at each end
)

// headsWords returns the words for the values of Heads, in their order.
func headsWords() []string { return []string{"none", "end", "start", "both"} }

// AtStart reports whether the line has an arrowhead at its beginning.
func (h Heads) AtStart() bool { return h == HeadsStart || h == HeadsBoth }

// AtEnd reports whether the line has an arrowhead at its end.
func (h Heads) AtEnd() bool { return h == HeadsEnd || h == HeadsBoth }

// Proportions of lines, as multiples of their widths.
const (
	dashLength = 4
	gapLength  = 3
	headLength = 6
)

// Dashes returns the lengths of the dashes of a dashed line and of the gaps between them, in pixels.
func (s *Stroke) Dashes() (dash, gap float64) {
	if s.Dash != [2]float64{} {
		return s.Dash[0], s.Dash[1]
	}
	return float64(dashLength * s.Width), float64(gapLength * s.Width)
}

// Head returns the length of an arrowhead, in pixels.
func (s *Stroke) Head() float64 {
	if s.HeadLength > 0 {
		return s.HeadLength
	}
	return float64(headLength * s.Width)
}

// Line is a line between two points of the scene.
type Line struct {
	From, To Point
	Color    shade.Color
	Stroke
}

// Angle is an arc around At, from the direction to From to the direction to To, with the angle as a number.
type Angle struct {
	At, From, To Point
	Radius       float64 // of the arc, in scene units; 0 for a third of the shorter distance of From and To from At
	Text         string  // {} is replaced by the angle; "" draws no text
	Radians      bool    // whether the angle is in radians instead of degrees
	HasDigits    bool    // if false, one decimal place, or three for radians, without trailing zeros
	Digits       int     // number of decimal places
	Stroke
	Lettering
}

// arcShare is the default radius of the arc of an angle, as a share of its shorter leg.
const arcShare = 1.0 / 3

// Arc returns the radius of the arc in scene units.
func (a *Angle) Arc() float64 {
	if a.Radius > 0 {
		return a.Radius
	}
	return float64(arcShare * min(a.From.At.Sub(a.At.At).Norm(), a.To.At.Sub(a.At.At).Norm()))
}

// Caption returns the text with the angle, correctly rounded.
func (a *Angle) Caption() string {
	of := func(p *Point) [3]float64 { return [3]float64{p.At.X, p.At.Y, p.At.Z} }
	angle := exact.Angle{At: of(&a.At), From: of(&a.From), To: of(&a.To), Radians: a.Radians}
	q := Quantity{HasDigits: a.HasDigits, Digits: a.Digits}
	if a.Radians {
		return strings.ReplaceAll(a.Text, lengthMark, q.formatNumber(angle)+" rad")
	}
	if !a.HasDigits {
		q.HasDigits, q.Digits = true, 1
	}
	number := q.formatNumber(angle)
	if !a.HasDigits {
		number = strings.TrimSuffix(number, ".0")
	}
	return strings.ReplaceAll(a.Text, lengthMark, number+"°")
}

// Shape is the shape of a [Marker].
type Shape int

const (
	ShapeDot      Shape = iota // a filled circle
	ShapeCircle                // the outline of a circle
	ShapeSquare                // filled, upright
	ShapeDiamond               // a filled square on its corner
	ShapeTriangle              // filled, with a corner at the top
	ShapePlus                  // two lines, upright
	ShapeCross                 // two lines, at 45 degrees
)

// shapeWords returns the words for shapes, in their order.
func shapeWords() []string {
	return []string{"dot", "circle", "square", "diamond", "triangle", "plus", "cross"}
}

// Marker is a sign at a point.
type Marker struct {
	At     Point
	Shape  Shape
	Size   float64 // width and height, in pixels
	Width  float64 // of lines, in pixels
	Color  shade.Color
	Hidden Hidden
}

// depthTable holds the values of the keys that say how solids hide a drawing.
type depthTable struct {
	depth bool
	hides bool // whether hidden parts are not drawn; otherwise they are dashed
}

// hidden returns how hidden parts are drawn.
func (d depthTable) hidden() Hidden {
	switch {
	case !d.depth:
		return HiddenDraw
	case d.hides:
		return HiddenHide
	}
	return HiddenDash
}

// depthTableOf is the inverse of hidden.
func depthTableOf(h Hidden) depthTable { return depthTable{h != HiddenDraw, h == HiddenHide} }

// partLine is a line of a part.
type partLine struct {
	noted
	from, to partPoint
	depthTable
	Line
}

func (x *partLine) aim(l *loader, p *part) {
	x.from.aim(l, p, x.table, "from")
	x.to.aim(l, p, x.table, "to")
}

func (x *partLine) place(in *noteInstance) error {
	line := x.Line
	line.Hidden = x.hidden()
	var first, second error
	line.From, first = x.from.placed(in, "from")
	line.To, second = x.to.placed(in, "to")
	in.scene.Annotations.Lines = append(in.scene.Annotations.Lines, line)
	in.scene.noteTables.lines = append(in.scene.noteTables.lines, x.table)
	return cmp.Or(first, second)
}

// partAngle is an angle of a part.
type partAngle struct {
	noted
	at, from, to partPoint
	depthTable
	Angle
}

func (x *partAngle) aim(l *loader, p *part) {
	x.at.aim(l, p, x.table, "at")
	x.from.aim(l, p, x.table, "from")
	x.to.aim(l, p, x.table, "to")
}

func (x *partAngle) place(in *noteInstance) error {
	angle := x.Angle
	angle.Hidden, angle.Radius = x.hidden(), float64(angle.Radius*in.transform.scale)
	var errs [3]error
	angle.At, errs[0] = x.at.placed(in, "at")
	angle.From, errs[1] = x.from.placed(in, "from")
	angle.To, errs[2] = x.to.placed(in, "to")
	in.scene.Annotations.Angles = append(in.scene.Annotations.Angles, angle)
	in.scene.noteTables.angles = append(in.scene.noteTables.angles, x.table)
	return cmp.Or(errs[:]...)
}

// partMarker is a marker of a part.
type partMarker struct {
	noted
	at partPoint
	depthTable
	Marker
}

func (x *partMarker) aim(l *loader, p *part) { x.at.aim(l, p, x.table, "at") }

func (x *partMarker) place(in *noteInstance) (err error) {
	marker := x.Marker
	marker.Hidden = x.hidden()
	marker.At, err = x.at.placed(in, "at")
	in.scene.Annotations.Markers = append(in.scene.Annotations.Markers, marker)
	in.scene.noteTables.markers = append(in.scene.noteTables.markers, x.table)
	return err
}

// tableOfLine, tableOfAngle and tableOfMarker return annotations as they are written, with the names of their points.
func tableOfLine(x Line, name func(Point) partPoint) partLine {
	return partLine{Line: x, depthTable: depthTableOf(x.Hidden), from: name(x.From), to: name(x.To)}
}

func tableOfAngle(x Angle, name func(Point) partPoint) partAngle {
	return partAngle{Angle: x, depthTable: depthTableOf(x.Hidden), at: name(x.At), from: name(x.From), to: name(x.To)}
}

func tableOfMarker(x Marker, name func(Point) partPoint) partMarker {
	return partMarker{Marker: x, depthTable: depthTableOf(x.Hidden), at: name(x.At)}
}

// unnamed returns a point without the names of its solids, for checks.
func unnamed(x Point) partPoint { return partPoint{Point: x} }

// readPoint reads a point: coordinates, a name, or an array of names.
func readPoint(t keytable.Table, key string, v any) (x partPoint) {
	list, isList := v.([]any)
	_, isName := v.(string)
	switch {
	case isName:
		x.raw = v
	case !isList:
		t.WrongType(key, v, "must be a point [x, y, z], or a name of a solid or placement, or an array of such names")
	case len(list) > 0 && isText(list[0]):
		x.raw = v
	default:
		x.At = t.Vector(key, v, keytable.Coordinates())
	}
	return x
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

// readDashes reads whether a line is dashed: true or false, or the lengths of its dashes and gaps, which are not zero.
func readDashes(t keytable.Table, key string, v any) dashes {
	if on, ok := v.(bool); ok {
		return dashes{on: on}
	}
	if _, ok := v.([]any); !ok {
		t.WrongType(key, v, "must be true, false, or two lengths in pixels: [dash, gap]")
		return dashes{}
	}
	x := t.Numbers(key, v, 2, dashLengths())
	return dashes{true, [2]float64{x[0], x[1]}}
}

// dashes are the values of the key dash.
type dashes struct {
	on      bool
	lengths [2]float64
}

// direction is the unit vector from a point toward another one. It returns false if they are equal.
func (x *Point) direction(to *Point) (geom.Vec3, bool) { return geom.Direction(to.At.Sub(x.At)) }

// Legs returns the directions from the vertex of the angle to its other two points, with length 1. It returns false if one
// of these is at the vertex.
func (a *Angle) Legs() (from, to geom.Vec3, ok bool) {
	from, ok = a.At.direction(&a.From)
	to, ok2 := a.At.direction(&a.To)
	return from, to, ok && ok2
}

// IsFilled reports whether the shape is an area, not lines.
func (s Shape) IsFilled() bool {
	return s == ShapeDot || s == ShapeSquare || s == ShapeDiamond || s == ShapeTriangle
}
