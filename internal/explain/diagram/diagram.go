// Package diagram draws explanations: a ray or a segment with a solid, beside the numbers of the derivation; other
// views of a ray, such as its path or the search tree (see [Kind]); and two capsules, beside the integers that decide
// whether they overlap. Solids are drawn in a plane or a coordinate frame in which their lengths are true. Only thin
// boxes are drawn thicker.
//
// [Draw] turns an explanation of package explain into a drawing, which can be written as pixels or SVG.
//
// Conventions: a whole diagram is 1200 x 800 pixels. It does not show the scene as the camera sees it: views of the
// scene are parallel projections. Symbols are those of the explanation's text.
package diagram

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/chart"
	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/internal/geom2"
	"pillbox/shapes"
)

// Options control what a diagram shows and its colors.
type Options struct {
	Dark bool // light on dark
	Kind Kind // of diagram, for pixels and rays only

	// Width, if not 0, selects a diagram that consists of the plot only. It is the width in pixels at which the plot
	// will be shown; labels are then at least 11 pixels high. 0 means the whole diagram.
	Width int
}

// Kind is what a diagram of a pixel or a ray shows.
type Kind string

// The kinds of diagrams. "" is the same as Solid.
const (
	Solid  Kind = "solid"  // the solid that is hit, and the ray
	Path   Kind = "path"   // the whole path with its shadow rays and mirror rays, seen from the side
	Tree   Kind = "tree"   // the boxes of the search tree that the ray enters and skips, seen from the side
	Light  Kind = "light"  // the normal, the direction to the first light, and the angle between them
	Camera Kind = "camera" // of a pixel: the picture before the eye, with forward, right and up
	Disc   Kind = "disc"   // a light with a size as the point sees it, with the light's sample points
	Sky    Kind = "sky"    // the sky as the point sees it, with the directions of ambient occlusion
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Solid, Path, Tree, Light, Camera, Disc, Sky} }

// ErrNoSolids is the error for a segment in a scene without solids.
var ErrNoSolids = errors.New("the scene has no solids")

// ErrRemoved is the error for a segment and a solid that sections take away.
var ErrRemoved = errors.New("sections take the whole solid away; choose another solid")

// KindError is the error for an explanation that cannot be drawn as a diagram of the requested kind.
type KindError struct {
	Kind   Kind
	reason string
}

// Error returns the reason.
func (e *KindError) Error() string { return e.reason }

// The layout of a diagram: a title, a plot, and to the right of it a column with a second view
// at the top and numbers below.
const (
	width         = 1200
	height        = 800
	edge          = 28.0
	titleLine     = 44.0
	secondLine    = 76.0
	contentTop    = 98.0
	contentBottom = 776.0
	plotRight     = 822.0
	columnLeft    = 852.0
	columnRight   = 1172.0
)

// The layout of a diagram that consists of the plot only.
const (
	narrowEdge  = 8.0
	narrowRatio = 0.8 // of its height to its width
	leastSize   = 11  // of text, in pixels as it is shown
)

// Draw draws an explanation. For a pixel, it draws the ray of the first sample, and the picture with the pixel marked.
//
// A diagram shows one solid: the one that WithSolid selected or, without a selection, the solid that is hit or touched.
// If none is hit or touched, it shows the first solid that was tested or, for a segment, the first of the scene.
//
// opt.Kind applies only to pixels and rays. If the kind is Solid and there is no solid to draw, the diagram is of kind
// Tree. If sections take the solid away, it is of kind Path. Outlines of solids in diagrams of paths and trees are those of
// whole solids. The error is ErrNoSolids, ErrRemoved, a [*KindError], or an error of rendering the picture. Draw panics if x
// is not of a type of package explain.
func Draw(x explain.Explanation, opt Options) (*chart.Drawing, error) {
	var prepared *follow.Prepared
	var path *follow.Path
	var line *explain.Line
	switch x := x.(type) {
	case *explain.Pixel:
		prepared, path, line = follow.Of(x.Prepared()), follow.Of(x.Samples[0].Path), x.Line
	case *explain.Ray:
		prepared, path, line = follow.Of(x.Prepared()), follow.Of(x.Path), x.Line
	default:
		return drawSolid(x, opt)
	}
	if reason := impossible(prepared, path, x, opt.Kind); reason != "" {
		return nil, &KindError{opt.Kind, reason}
	}
	switch opt.Kind {
	case Camera:
		return drawCamera(x.(*explain.Pixel), opt).Drawing, nil
	case Disc:
		return drawDisc(prepared, path, x, opt)
	case Sky:
		return drawSky(prepared, path, x, opt)
	}
	if s := ofPath(prepared, path, line, x.Title(), opt); s != nil {
		return s.Drawing, nil
	}
	return drawSolid(x, opt)
}

// Possible returns the kinds of diagrams that [Draw] can draw of an explanation. It returns none for segments and
// capsules, because kinds do not apply to them.
func Possible(x explain.Explanation) []Kind {
	var prepared *follow.Prepared
	var path *follow.Path
	switch x := x.(type) {
	case *explain.Pixel:
		prepared, path = follow.Of(x.Prepared()), follow.Of(x.Samples[0].Path)
	case *explain.Ray:
		prepared, path = follow.Of(x.Prepared()), follow.Of(x.Path)
	default:
		return nil
	}
	return slices.DeleteFunc(Kinds(), func(k Kind) bool { return impossible(prepared, path, x, k) != "" })
}

// impossible returns why an explanation cannot be drawn as a diagram of the given kind, and what to draw or change
// instead. It returns "" if the diagram is possible.
func impossible(prepared *follow.Prepared, q *follow.Path, x explain.Explanation, kind Kind) string {
	needsHit := kind == Light || kind == Disc || kind == Sky
	_, isPixel := x.(*explain.Pixel)
	switch {
	case needsHit && !q.IsSolid() && isPixel:
		return "the ray of the first sample hits no solid; choose another pixel, or draw path or tree"
	case needsHit && !q.IsSolid():
		return "the ray hits no solid; choose another ray, or draw path or tree"
	case kind == Light && len(q.Lights) == 0:
		return "the scene is drawn in flat colors, without light; draw path or tree"
	case kind == Camera && !isPixel:
		return "a ray has no picture; choose a pixel, or draw path"
	case kind == Camera && prepared.View.Parallel():
		return "an orthographic camera has no eye with a picture in front of it; draw path"
	case kind == Disc && sizedLight(prepared, q) == nil:
		return "no light has a size; give a light a radius or, if it is directional, an angle"
	case kind == Sky && q.Occlusion == nil:
		return "the scene has no ambient occlusion; add the table [shading.occlusion]"
	}
	return ""
}

// isRemoved reports whether sections take a solid away.
func isRemoved(prepared *follow.Prepared, object int32) bool {
	return object != accel.None && prepared.Shape(object) == nil
}

// ofPath draws the diagrams of the kinds Path, Light and Tree. For the kind Solid, it draws the path if sections take the
// solid away, and the tree if there is no solid to draw. Otherwise, it returns nil.
func ofPath(prepared *follow.Prepared, q *follow.Path, line *explain.Line, title string, opt Options) *profile {
	switch {
	case opt.Kind == Path, opt.Kind != Light && opt.Kind != Tree && isRemoved(prepared, subject(q, line)):
		return drawPath(prepared, q, title, opt)
	case opt.Kind == Light:
		return drawLight(prepared, q, title, opt)
	case opt.Kind == Tree, subject(q, line) == accel.None:
		return drawTree(prepared, q, title, opt)
	}
	return nil
}

// drawSolid draws a solid and the ray or segment, or two capsules.
func drawSolid(x explain.Explanation, opt Options) (*chart.Drawing, error) {
	var k *sketch
	var err error
	switch x := x.(type) {
	case *explain.Pixel:
		k, err = ofPixel(x, opt)
	case *explain.Ray:
		k = ofRay(x, opt)
	case *explain.Segment:
		k, err = ofSegment(x, opt)
	case *explain.Pair:
		return ofPair(x, opt).Drawing, nil
	default:
		panic(fmt.Sprintf("diagram: nothing draws %T", x))
	}
	if err != nil {
		return nil, err
	}
	k.finish()
	return k.Drawing, nil
}

// sketch is an unfinished diagram of a solid with a ray or a segment.
type sketch struct {
	*canvas
	derivation *formula.Derivation[formula.Float]
	up         geom.Vec3 // the unit vector that points up in the scene
	label      string    // of the solid
	shape      shapes.Shape
	ray        geom.Ray     // the ray, or the line of the segment from its first end
	length     float64      // of the segment; infinite for a ray
	chord      derive.Chord // of a ray
	hit        bool         // whether the ray hits this solid first
	inside     bool         // whether the ray's hit, if any, is from inside
	cut        *cutting     // nil if no section cuts the solid
	below      float64      // where the free part of the column begins
}

func ofPixel(x *explain.Pixel, opt Options) (*sketch, error) {
	k := newSketch(follow.Of(x.Prepared()), follow.Of(x.Samples[0].Path), x.Line, opt)
	k.title(x.Title(), k.situation(), k.Muted)
	var err error
	k.below, err = k.inset(x)
	return k, err
}

func ofRay(x *explain.Ray, opt Options) *sketch {
	k := newSketch(follow.Of(x.Prepared()), follow.Of(x.Path), x.Line, opt)
	k.title(x.Title(), k.situation(), k.Muted)
	return k
}

// newSketch begins a diagram of a ray and one solid, the [subject]. There must be a subject.
func newSketch(prepared *follow.Prepared, q *follow.Path, line *explain.Line, opt Options) *sketch {
	object := subject(q, line)
	k := &sketch{
		canvas: newCanvas(opt),
		up:     prepared.View.Up(),
		label:  prepared.Scene.Label(int(object)),
		shape:  prepared.Scene.Solid(int(object)),
		ray:    q.Ray,
		length: math.Inf(1),
		hit:    object == q.Hit.Object,
		inside: q.Hit.Inside,
		below:  contentTop,
	}
	if c, isCut := prepared.Shape(object).(*shapes.Cut); isCut {
		k.cutRoots(c, prepared.Scene.SectionLabel)
	} else {
		k.derivation, k.chord = derive.Roots(q.Ray, k.shape)
	}
	return k
}

// finish draws the solid, the ray or segment, and the numbers.
func (k *sketch) finish() {
	if k.cut != nil {
		k.drawCut()
	} else {
		figureOf(k.shape).draw(k)
	}
	k.PlaceLabels()
}

// subject returns the solid that a diagram of a ray draws, or accel.None if none exists.
func subject(q *follow.Path, line *explain.Line) int32 {
	if line != nil {
		return line.Object
	}
	if q.Hit.Object != accel.None {
		return q.Hit.Object
	}
	for _, s := range q.Traversal.Steps {
		if s.Solid != nil {
			return s.Solid.Object
		}
	}
	return accel.None
}

// situation describes how the ray meets the solid.
func (k *sketch) situation() string { return k.label + ": " + situation(k.chord) }

func situation(c derive.Chord) string {
	switch {
	case !c.OK:
		return "the line misses it"
	case c.Near == c.Far:
		return "the line is tangent to it at t = " + formula.Short(c.Near)
	case c.Far < 0:
		return "the line crosses it only behind the ray's origin"
	case c.Far == 0:
		return "the ray starts on its surface and leaves it"
	case c.Near == 0:
		return "the ray starts on its surface, enters and leaves at t_far = " + formula.Short(c.Far)
	case c.Near < 0:
		return "the ray starts inside and leaves at t_far = " + formula.Short(c.Far)
	}
	at := formula.Apart(formula.Readable, c.Near, c.Far)
	return fmt.Sprintf("the ray enters at t_near = %s and leaves at t_far = %s", at[0], at[1])
}

// isSegment reports whether the diagram is of a segment.
func (k *sketch) isSegment() bool { return !math.IsInf(k.length, 1) }

// numbers lists values of the derivation in the free part of the column. If they do not fit, the text gets smaller
// and is set in up to three columns.
func (k *sketch) numbers(symbols ...string) {
	if k.plotOnly {
		return
	}
	var entries []entry
	for _, s := range symbols {
		if v, ok := k.derivation.Lookup(s); ok {
			entries = append(entries, entry{s, k.text(s, v)})
		}
	}
	for _, l := range []table{{1, sizeSmall}, {2, sizeSmall}, {2, 14}, {2, 12}, {3, 11}} {
		if cells, bottom := k.arrange(entries, l); bottom <= contentBottom || l.columns == 3 {
			for _, c := range cells {
				font := chart.Regular(l.size)
				k.Text(c.symbol, c.at, font, k.Muted)
				k.Paragraph(c.text, c.at.Add(geom2.Pt(c.indent, 0)), columnRight-columnLeft-c.indent, font, k.Ink)
			}
			return
		}
	}
}

// text returns the value of a symbol with few digits. If the derivation prints the value with more digits than usual,
// text returns it as printed.
func (k *sketch) text(symbol string, v formula.Value[formula.Float]) string {
	const few = 4
	for _, s := range slices.Backward(k.derivation.Steps()) {
		if s.Symbol != symbol {
			continue
		}
		if s.Result != v.Text(formula.Readable) {
			return s.Result
		}
		break
	}
	return v.Text(few)
}

// table is a layout of numbers: how many columns they fill, and the size of the text.
type table struct {
	columns int
	size    float64 // of the text
}

// entry is a symbol and its value.
type entry struct{ symbol, text string }

// cell is an entry with its position in the column.
type cell struct {
	entry
	at     geom2.Point
	indent float64 // of the value
}

// arrange places the entries in the free part of the column, in the layout l, and returns the baseline of the last
// line. An entry that is wider than one of the layout's columns gets a row of its own.
func (k *sketch) arrange(entries []entry, l table) (cells []cell, bottom float64) {
	const wide, gap = columnRight - columnLeft, 10
	font := chart.Regular(l.size)
	indent := 0.0
	for _, e := range entries {
		indent = max(indent, k.Fonts.Width(e.symbol, font)+gap)
	}
	line, column := chart.Leading*l.size, 0
	y := k.below + line
	for _, e := range entries {
		isWide := indent+k.Fonts.Width(e.text, font)+gap > float64(wide/l.columns)
		if isWide && column > 0 {
			column, y = 0, y+line
		}
		at := geom2.Pt(columnLeft+float64(column*wide/l.columns), y)
		cells = append(cells, cell{e, at, indent})
		lines := 1
		if isWide {
			lines = len(k.Fonts.Wrap(e.text, wide-indent, font))
		}
		bottom = y + float64(lines-1)*line
		if column++; isWide || column == l.columns {
			column, y = 0, bottom+line
		}
	}
	return cells, bottom
}

// caption writes a sentence below what is already in the column of numbers.
func (k *sketch) caption(text string) { k.below = k.small(text, k.below+1.45*sizeSmall, k.Muted) }

// rayKey describes what the letters o, d and n represent in a diagram of a ray.
func (k *sketch) rayKey() []meaning {
	return []meaning{{"o", "the ray's origin"}, {"d", "its direction"}, {"n", "normals"}}
}

func (k *sketch) has(symbol string) bool {
	_, ok := k.derivation.Lookup(symbol)
	return ok
}

func (k *sketch) vec(symbol string) geom.Vec3 { return formula.Vec3(k.derivation.Of(symbol)) }

func (k *sketch) scalar(symbol string) float64 { return float64(k.derivation.Scalar(symbol)) }

// rayLine draws the part of the ray or segment that is inside the plot, and the rest of its line dashed.
func (k *sketch) rayLine(p *chart.Plot, at func(t float64) geom2.Point) {
	from, to, ok := p.Seen().Clip(at(0), at(1))
	if !ok {
		k.ends(p, at, 0, 0)
		return
	}
	look := k.colors.ray
	if k.length == 0 {
		from, to = 0, 0 // a point: its line could be any
	}
	if from < 0 {
		p.Segment(at(from), at(min(0, to)), chart.Dashed(look, 1.5))
	}
	if to > k.length {
		p.Segment(at(max(k.length, from)), at(to), chart.Dashed(look, 1.5))
	}
	switch start, stop := max(0, from), min(k.length, to); {
	case start >= stop:
	case k.isSegment():
		p.Segment(at(start), at(stop), chart.Solid(look, 3))
	default:
		p.Arrow(p.On(at(start)), p.On(at(stop)), chart.Solid(look, 3))
	}
	k.ends(p, at, from, to)
}

// withEnds returns the box seen, extended to contain the ends of the ray or segment. It ignores an end whose distance
// from the box is larger than far.
func (k *sketch) withEnds(seen geom2.Box, at func(t float64) geom2.Point, far float64) geom2.Box {
	near := seen.Inset(-far)
	for _, t := range []float64{0, k.length} {
		if !math.IsInf(t, 1) && near.Contains(at(t)) {
			seen = seen.Include(at(t), 0)
		}
	}
	return seen
}

// ends labels the ends of a ray or segment, and the direction of a ray. The part of its line from the distance from
// to the distance to is visible in the plot.
func (k *sketch) ends(p *chart.Plot, at func(t float64) geom2.Point, from, to float64) {
	side := at(1).Sub(at(0)).Unit(geom2.Pt(1, 0)).Left()
	look := k.colors.ray
	name := "o"
	switch {
	case k.length == 0:
		name = "P = Q"
	case k.isSegment():
		name = "P"
		k.lastEnd(p, at, from, to)
	}
	switch {
	case from > 0:
		p.Name(name+" is "+brief(from)+" farther", at(from+(to-from)*0.01), side, look)
	case to < 0:
		p.Name(name+" is "+brief(-to)+" farther", at(to-(to-from)*0.01), side, look)
	default:
		p.Spot(name, at(0), side, look)
	}
	if to > 0 && !k.isSegment() {
		p.Name("d", at(to-(to-from)*0.04), side, look)
	}
}

// lastEnd labels the end Q of a segment. If Q is outside of the plot, the label states the distance of Q from the
// visible part.
func (k *sketch) lastEnd(p *chart.Plot, at func(t float64) geom2.Point, from, to float64) {
	side := at(1).Sub(at(0)).Unit(geom2.Pt(1, 0)).Left()
	switch look := k.colors.ray; {
	case to < k.length:
		p.Name("Q is "+brief(k.length-to)+" farther", at(to-(to-from)*0.01), side, look)
	case from > k.length:
		p.Name("Q is "+brief(from-k.length)+" farther", at(from+(to-from)*0.01), side, look)
	default:
		p.Spot("Q", at(k.length), side, look)
	}
}

// roots marks where the ray enters and leaves, with the normals there.
func (k *sketch) roots(p *chart.Plot, at func(t float64) geom2.Point, normal func(t float64) geom2.Point) {
	if !k.chord.OK {
		return
	}
	type end struct {
		text   string
		t      float64
		counts bool
	}
	text := formula.Apart(formula.Readable, k.chord.Near, k.chord.Far)
	ends := []end{
		{"t_near = " + text[0], k.chord.Near, k.hit && !k.inside},
		{"t_far = " + text[1], k.chord.Far, k.hit && k.inside},
	}
	if k.chord.Near == k.chord.Far {
		ends = []end{{"t = " + text[0], k.chord.Near, k.hit}}
	}
	for _, e := range ends {
		where := at(e.t)
		if !p.Shows(where) {
			continue
		}
		k.normal(p, where, normal(e.t))
		look := k.colors.ray
		if e.counts {
			look = k.accepted
		}
		if e.counts {
			p.Dot(p.On(where), 7, look)
		} else {
			p.Ring(p.On(where), 7, look)
		}
		p.Name(e.text, where, geom2.Pt(0, 1), look)
	}
}

// normal draws a unit normal. The arrow is shorter the more the normal points out of the plane of the plot. If the
// normal is nearly perpendicular to the plane, normal draws a circle.
func (k *sketch) normal(p *chart.Plot, at, n geom2.Point) {
	const arrow, least = 62, 0.25
	if n.Norm() < least {
		p.Circle(p.On(at), 12, chart.Solid(k.colors.normal, 2))
		p.Name("n, perpendicular to this plane", at, geom2.Pt(1, 1), k.colors.normal)
		return
	}
	tip := at.Add(n.Scale(arrow / p.Scale))
	p.Arrow(p.On(at), p.On(tip), chart.Solid(k.colors.normal, 2.5))
	p.Name("n", tip, n, k.colors.normal)
}

// brief formats a length with few digits.
func brief(x float64) string { return formula.Float(x).Text(4) }
