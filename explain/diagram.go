package explain

import (
	"errors"
	"fmt"
	"image"
	"math"

	"pillbox/accel"
	"pillbox/escape"
	"pillbox/geom"
	"pillbox/shapes"
	"pillbox/stage"
)

// DiagramOptions say what a diagram shows.
type DiagramOptions struct {
	Dark bool // light on dark

	// Object is the number of the solid to draw, or accel.None for the one that the
	// explanation is about: what is met, or else what was tested first.
	Object int32
}

// ErrNothing says that a diagram has no solid to draw.
var ErrNothing = errors.New("no solid was met or tested")

// Where things are in a diagram: a title, a plot, and to the right of it a column with a view
// of its own at the top and numbers below.
const (
	diagramWidth  = 1200
	diagramHeight = 800
	edge          = 28.0
	titleLine     = 44.0
	secondLine    = 76.0
	contentTop    = 98.0
	contentBottom = 776.0
	plotRight     = 822.0
	columnLeft    = 852.0
	columnRight   = 1172.0
)

func plotFrame() box { return box{edge, contentTop, plotRight, contentBottom} }

// sketch is a diagram of one solid and a ray or a segment in the making.
type sketch struct {
	*canvas
	values map[string]value[float] // of the derivation
	ray    geom.Ray                // or the segment's line, from its first end
	length float64                 // of the segment; infinite for a ray
	chord  chord                   // of a ray
	hit    bool                    // the ray meets this solid first,
	inside bool                    // and from inside
	below  float64                 // where the free part of the column begins
}

// Diagram implements [Explanation]. It draws the first sample's ray, and the picture with the
// pixel marked.
func (x *Pixel) Diagram(opt DiagramOptions) (image.Image, error) {
	t := x.tracer
	title := fmt.Sprintf("%s: pixel %d,%d of %d x %d", escape.Name(t.stage.Scene.Name), x.At.X, x.At.Y, x.Size.X, x.Size.Y)
	return t.diagram(x.Samples[0].Path, title, opt, x.inset)
}

// Diagram implements [Explanation].
func (x *Ray) Diagram(opt DiagramOptions) (image.Image, error) {
	return x.tracer.diagram(x.Path, escape.Name(x.tracer.stage.Scene.Name)+": a ray", opt, nil)
}

// diagram draws a ray and a solid. If there is a function for it, that draws into the column
// on the right and returns where it ends.
func (t *Tracer) diagram(q *stage.Path, title string, opt DiagramOptions, column func(*canvas) (float64, error)) (image.Image, error) {
	opt.Object = subject(q, opt.Object)
	if opt.Object == accel.None {
		return nil, ErrNothing
	}
	k := t.sketch(q, title, opt)
	if column != nil {
		var err error
		if k.below, err = column(k.canvas); err != nil {
			return nil, err
		}
	}
	k.finish(t.solids().at(opt.Object))
	return k.dc.Image(), nil
}

// sketch begins a diagram of a ray.
func (t *Tracer) sketch(q *stage.Path, title string, opt DiagramOptions) *sketch {
	d := rayDerivation(q.Ray)
	k := &sketch{
		canvas: newCanvas(opt.Dark),
		values: d.values,
		ray:    q.Ray,
		length: math.Inf(1),
		chord:  lineChord(d, t.solids().at(opt.Object)),
		hit:    opt.Object == q.Hit.Object,
		inside: q.Hit.Inside,
		below:  contentTop,
	}
	k.title(title, t.solids().label(opt.Object)+": "+k.chord.situation())
	return k
}

// finish draws the solid and what belongs to it.
func (k *sketch) finish(s shapes.Shape) {
	switch s := s.(type) {
	case *shapes.Sphere:
		k.ball(s.Center, s.Radius, "c")
		k.numbers("t_near", "t_far", "o", "P", "Q", "d", "c", "r", "b", "l", "disc", "h", "e", "g", "s", "k")
	case *shapes.Capsule:
		k.capsule(s)
	case *shapes.Box:
		k.box(s)
	}
	k.placeLabels()
}

// subject returns the solid that a diagram of the ray draws.
func subject(q *stage.Path, object int32) int32 {
	if object != accel.None {
		return object
	}
	if q.Hit.Object != accel.None {
		return q.Hit.Object
	}
	for _, s := range q.Walk.Steps {
		if s.Solid != nil {
			return s.Solid.Object
		}
	}
	return accel.None
}

// situation says in words how a ray meets a solid.
func (c chord) situation() string {
	switch {
	case !c.ok:
		return "the line misses it"
	case c.near == c.far:
		return "the line touches it at t = " + short(c.near)
	case c.far < 0:
		return "the line meets it only behind the ray's origin"
	case c.near < 0:
		return "the ray starts inside and leaves at t_far = " + short(c.far)
	}
	at := apart(readable, c.near, c.far)
	return fmt.Sprintf("the ray enters at t_near = %s and leaves at t_far = %s", at[0], at[1])
}

func (c *canvas) title(first, second string) {
	size := float64(sizeTitle)
	for c.setFace(true, size); size > sizeSmall && c.width(first) > columnRight-edge; c.setFace(true, size) {
		size--
	}
	c.text(first, point{edge, titleLine}, c.fore, true, size)
	c.text(second, point{edge, secondLine}, c.muted, false, sizeLabel)
}

// isSegment reports whether the diagram is of a segment.
func (k *sketch) isSegment() bool { return !math.IsInf(k.length, 1) }

// numbers lists values of the derivation in the free part of the column, as far as there is
// room: the most important first.
func (k *sketch) numbers(symbols ...string) {
	const column, gap, wide = 88, 0.1 * sizeSmall, columnRight - columnLeft
	y := k.below + leading*sizeSmall + gap
	for _, s := range symbols {
		v, ok := k.values[s]
		if !ok {
			continue
		}
		text := v.text(4)
		if further := len(k.lines(text, wide-column, sizeSmall)) - 1; y+float64(further)*leading*sizeSmall > contentBottom {
			break
		}
		k.paragraph(s, point{columnLeft, y}, column, k.muted, sizeSmall)
		y = gap + k.paragraph(text, point{columnLeft + column, y}, wide-column, k.fore, sizeSmall)
	}
	k.below = y
}

// caption writes a sentence below what is in the column.
func (k *sketch) caption(text string) {
	k.below = k.paragraph(text, point{columnLeft, k.below + 1.45*sizeSmall}, columnRight-columnLeft, k.muted, sizeSmall)
}

func (k *sketch) vec(symbol string) geom.Vec3 { return vec3(k.values[symbol]) }

func (k *sketch) number(symbol string) float64 { return float64(k.values[symbol].x[0]) }

// rayLine draws the ray or the segment, and its line beyond its ends dashed, where its points
// are in the plot.
func (k *sketch) rayLine(p *plot, at func(t float64) point) {
	from, to, ok := p.seen().clip(at(0), at(1))
	if !ok {
		k.ends(p, at, 0, 0)
		return
	}
	look := k.theme.ray
	if k.length == 0 {
		from, to = 0, 0 // a point: its line could be any
	}
	if from < 0 {
		p.segment(at(from), at(min(0, to)), stroke{look, 1.5, true})
	}
	if to > k.length {
		p.segment(at(max(k.length, from)), at(to), stroke{look, 1.5, true})
	}
	switch start, stop := max(0, from), min(k.length, to); {
	case start >= stop:
	case k.isSegment():
		p.segment(at(start), at(stop), stroke{look, 3, false})
	default:
		p.arrow(p.on(at(start)), p.on(at(stop)), stroke{look, 3, false})
	}
	k.ends(p, at, from, to)
}

// withEnds returns what is seen together with the ends of the ray or segment that lie in the
// plot and at most so far outside.
func (k *sketch) withEnds(seen box, at func(t float64) point, far float64) box {
	near := seen.inset(-far)
	for _, t := range []float64{0, k.length} {
		if !math.IsInf(t, 1) && near.contains(at(t)) {
			seen = seen.include(at(t), 0)
		}
	}
	return seen
}

// ends names the ends of a ray or segment of which the plot shows a part, and its direction.
func (k *sketch) ends(p *plot, at func(t float64) point, from, to float64) {
	side := at(1).sub(at(0)).unit(point{1, 0}).left()
	look := k.theme.ray
	name := "o"
	switch {
	case k.length == 0:
		name = "P = Q"
	case k.isSegment():
		name = "P"
		p.spot("Q", at(k.length), side, look)
	}
	switch {
	case from > 0:
		p.label(name+" is "+brief(from)+" further", at(from+(to-from)*0.01), side, look)
	case to < 0:
		p.label(name+" is "+brief(-to)+" further", at(to-(to-from)*0.01), side, look)
	default:
		p.spot(name, at(0), side, look)
	}
	if to > 0 && !k.isSegment() {
		p.label("d", at(to-(to-from)*0.04), side, look)
	}
}

// roots marks where the ray enters and leaves, with the normals there.
func (k *sketch) roots(p *plot, at func(t float64) point, normal func(t float64) point) {
	if !k.chord.ok {
		return
	}
	type end struct {
		text   string
		t      float64
		counts bool
	}
	text := apart(readable, k.chord.near, k.chord.far)
	ends := []end{
		{"t_near = " + text[0], k.chord.near, k.hit && !k.inside},
		{"t_far = " + text[1], k.chord.far, k.hit && k.inside},
	}
	if k.chord.near == k.chord.far {
		ends = []end{{"t = " + text[0], k.chord.near, k.hit}}
	}
	for _, e := range ends {
		where := at(e.t)
		if !p.shows(where) {
			continue
		}
		k.normal(p, where, normal(e.t))
		look := k.theme.ray
		if e.counts {
			look = k.accepted
		}
		p.dot(p.on(where), 7, look, e.counts)
		p.label(e.text, where, point{0, 1}, look)
	}
}

// normal draws a unit normal, which is shorter in the plot if it leaves its plane.
func (k *sketch) normal(p *plot, at, n point) {
	const arrow, least = 62, 0.25
	if n.norm() < least {
		k.use(stroke{k.theme.normal, 2, false})
		k.dc.DrawCircle(p.on(at).x, p.on(at).y, 12)
		k.dc.Stroke()
		p.label("n, across this plane", at, point{1, 1}, k.theme.normal)
		return
	}
	tip := at.add(n.scale(arrow / p.scale))
	p.arrow(p.on(at), p.on(tip), stroke{k.theme.normal, 2.5, false})
	p.label("n", tip, n, k.theme.normal)
}

// brief writes a length with few digits.
func brief(x float64) string { return float(x).text(4) }
