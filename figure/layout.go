package figure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/geom2"
	"pillbox/internal/ink"
	"pillbox/internal/typeface"
	"pillbox/scene"
)

// Proportions of annotations, as multiples of the size of their text.
const (
	lineWidth  = 1.0 / 12
	haloWidth  = scene.TextRoom // so the halo of a text with a free place covers no line
	leading    = scene.Leading
	margin     = scene.CornerMargin
	gap        = scene.TextGap
	extension  = 0.35 // of the extension lines of a dimension beyond its line
	arrowhead  = 0.6  // length of an arrow's head; its width is two thirds of that
	dotRadius  = 0.14
	dashLength = 0.3
	dashGap    = 0.2
)

// layout arranges annotations.
type layout struct {
	ctx context.Context // ends arranging
	*follow.Prepared
	fonts *ink.Fonts
	scale float64 // pixels of the picture per pixel that the scene states

	lines, texts []ink.Mark
	items        []item
	labels       []PlacedLabel
	pending      []pendingText // to be placed when all lines are drawn

	subjects  []subject // of the labels
	shifts    []ink.Point
	placed    []geom2.Box // the rooms of blocks in their places
	covered   []geom2.Box // the letters of these blocks
	obstacles []obstacle  // the parts of lines that texts avoid
	avoided   int         // the number of lines in obstacles
	work      int64       // see mostWork
	flaws     []scene.AnnotationFlaw

	characters int // of the texts so far
}

// pendingText is a text of an annotation whose lines are drawn.
type pendingText struct {
	lines []ink.Mark // of the annotation; nil for axes
	write func() *item
}

func newLayout(ctx context.Context, p *follow.Prepared) *layout {
	return &layout{ctx: ctx, Prepared: p, fonts: ink.NewFonts(), scale: float64(p.Size.Y) / float64(p.Scene.Image.Height), shifts: shifts()}
}

// all arranges all annotations: first the lines, then the texts, one after the other. Texts avoid the lines and the texts
// that were placed before, which do not move.
func (l *layout) all() error {
	a := &l.Scene.Annotations
	if a.Axes != nil {
		l.axes(a.Axes)
	}
	if err := l.each([]noteList{
		{len(a.Dimensions), func(i int) { l.dimension(i, &a.Dimensions[i]) }},
		{len(a.Lines), func(i int) { l.straight(&a.Lines[i]) }},
		{len(a.Angles), func(i int) { l.angle(i, &a.Angles[i]) }},
		{len(a.Markers), func(i int) { l.marker(&a.Markers[i]) }},
		{len(a.Labels), func(i int) { l.addSubject(i, &a.Labels[i]) }},
	}); err != nil {
		return err
	}
	if a.Title != nil {
		l.title(a.Title)
	}
	if a.Legend != nil {
		l.legend(a.Legend)
	}
	if a.ColorBar != nil {
		l.colorBar(a.ColorBar, l.Scene.Colormap)
	}
	if a.ScaleBar != nil {
		if err := l.scaleBar(a.ScaleBar); err != nil {
			return err
		}
	}
	return l.each([]noteList{
		{len(l.pending), func(i int) { l.pending[i].write().lines = l.pending[i].lines }},
		{len(a.Labels), func(i int) { l.label(i, &a.Labels[i]) }},
	})
}

// noteList is a list of annotations with a function that draws one of them.
type noteList struct {
	n    int
	draw func(i int)
}

// each draws the annotations of lists until arranging must end.
func (l *layout) each(lists []noteList) error {
	for _, list := range lists {
		for i := range list.n {
			list.draw(i)
			if err := l.err(); err != nil {
				return err
			}
		}
	}
	return l.err()
}

// Limits of a figure.
const (
	mostLines      = 1 << 20 // dashes count as lines
	mostCharacters = 1 << 18 // of all texts, with numbers inserted; ends of lines and markup count
)

// err returns an error if arranging must end: that of the context, or that there are too many lines or characters.
func (l *layout) err() error {
	if l.characters > mostCharacters {
		return fmt.Errorf("the texts of the annotations have more than %d characters together: draw fewer or shorter texts", mostCharacters)
	}
	if len(l.lines) > mostLines {
		return fmt.Errorf("the annotations have more than %d lines and dashes: draw fewer, use larger letters, or set hidden = \"draw\"", mostLines)
	}
	if l.work > mostWork {
		return errors.New("the annotations have too many lines and dashes near texts: draw fewer")
	}
	return l.ctx.Err()
}

// solids returns the names of the solids in the given ranges, separated by spaces. It returns "" if one of
// them has no name.
func (l *layout) solids(on []scene.Range) string {
	var names []string
	for _, r := range on {
		for i := range r.Count {
			name := l.Scene.Objects.Name(r.First + i)
			if name == "" {
				return ""
			}
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// anchored returns the point of a box that an anchor names.
func anchored(b geom2.Box, a scene.Anchor) ink.Point {
	p, half := b.Middle(), b.Max.Sub(b.Min).Scale(0.5)
	return p.Add(ink.Point{X: float64(float64(a.X) * half.X), Y: float64(float64(a.Y) * half.Y)})
}

// picture returns the box of the whole picture.
func (l *layout) picture() geom2.Box {
	return geom2.Rect(0, 0, float64(l.Size.X), float64(l.Size.Y))
}

// lettered is a text with its look, in pixels of the picture.
type lettered struct {
	kind  string
	lines []string
	width float64 // of the longest line
	cap   float64 // height of capitals
	above float64 // how far letters reach above the capitals of the first line
	below float64 // and below the baseline of the last line
	size  float64
	bold  bool
	look  *scene.Lettering
}

func (l *layout) lettered(kind, text string, look *scene.Lettering, bold bool) lettered {
	t := lettered{kind: kind, lines: strings.Split(text, "\n"), size: float64(look.Size * l.scale), bold: bold, look: look}
	for _, line := range t.lines {
		t.width = max(t.width, typeface.LineWidth(line, t.size, bold))
	}
	t.cap = l.fonts.CapHeight(t.size, bold)
	t.above, t.below = look.Reach(text, bold, l.scale)
	return t
}

// height returns the height of the text's box, from the capitals of the first line to the baseline of the last.
func (t *lettered) height() float64 {
	return t.cap + float64(float64(len(t.lines)-1)*float64(leading*t.size))
}

// boxAt returns the box of the text, placed so that the point of the box that the anchor a names lies at p.
func (t *lettered) boxAt(p ink.Point, a scene.Anchor) geom2.Box {
	w, h := t.width/2, t.height()/2
	middle := ink.Point{X: p.X - float64(float64(a.X)*w), Y: p.Y - float64(float64(a.Y)*h)}
	half := ink.Point{X: w, Y: h}
	return geom2.Box{Min: middle.Sub(half), Max: middle.Add(half)}
}

// room returns the box around the text's box that lines and the rooms of other texts stay out of.
func (t *lettered) room(b geom2.Box) geom2.Box {
	return t.letters(b).Inset(-float64(scene.TextRoom * t.size))
}

// letters returns the box around the letters of the text whose box is b.
func (t *lettered) letters(b geom2.Box) geom2.Box {
	b.Min.Y -= t.above
	b.Max.Y += t.below
	return b
}

// beside returns how far the middle of the text's box lies from the axis of a line if the text is beside the line, in the
// given direction of length 1 perpendicular to it. Its room begins at least the distance free from the axis.
func (t *lettered) beside(way ink.Point, free float64) float64 {
	const rounding = 1.0 / 16 // pixels; more than that of [ink.Part.Across]
	facing := t.above
	if way.Y < 0 {
		facing = t.below
	}
	x, y := math.Abs(way.X), math.Abs(way.Y)
	room := float64(scene.TextRoom * t.size * (x + y))
	box := float64(t.width/2*x) + float64(t.height()/2*y)
	return box + max(float64(gap*t.size), float64(facing*y)+room+rounding+free)
}

// write adds a text to the layout, in the box b. The anchor is the point of the box that stays in place if
// the text becomes longer. It also determines the alignment of lines that are shorter than the box: an
// anchor on the left side aligns them to the left.
func (l *layout) write(t *lettered, b geom2.Box, a scene.Anchor) *item {
	l.items = append(l.items, item{Entry: Entry{t.kind, strings.Join(t.lines, "\n"), b.Middle().X, b.Middle().Y}, at: anchored(b, a)})
	it := &l.items[len(l.items)-1]
	l.characters += utf8.RuneCountInString(it.Text)
	for i, line := range t.lines {
		at := ink.Point{X: b.Min.X, Y: b.Min.Y + t.cap + float64(float64(i)*float64(leading*t.size))}
		at.X += float64((t.width - typeface.LineWidth(line, t.size, t.bold)) * float64(a.X+1) / 2)
		marks := t.marks(line, at)
		for _, mark := range marks {
			l.texts, it.texts = append(l.texts, mark), append(it.texts, mark)
		}
	}
	return it
}

// marks returns the marks of a line of the text that begins at a point. The halos of several runs come before their
// letters, so that no halo covers a letter.
func (t *lettered) marks(line string, at ink.Point) (marks []*ink.Text) {
	runs := typeface.Runs(line)
	for _, r := range runs {
		right, down := r.Shift(t.size, t.bold)
		marks = append(marks, &ink.Text{
			Text: r.Text, At: at.Add(ink.Point{X: right, Y: down}), Size: float64(r.Script.Size() * t.size),
			Bold: t.bold, Italic: r.Italic, Signs: r.Signs, Color: inkOf(t.look.Color),
		})
		at.X += r.Width(t.size, t.bold)
	}
	if !t.look.HasHalo {
		return marks
	}
	halo := ink.Halo{Width: float64(haloWidth * t.size), Color: inkOf(t.look.Halo)}
	if len(marks) == 1 {
		marks[0].Halo = halo
		return marks
	}
	var halos []*ink.Text
	for _, m := range marks {
		border := *m
		border.Halo, border.HaloOnly = halo, true
		halos = append(halos, &border)
	}
	return append(halos, marks...)
}

// projected is a point of the scene in the picture.
type projected struct {
	ink.Point
	depth float64
}

func (l *layout) project(p geom.Vec3) projected {
	x, y, depth := l.View.Project(p)
	return projected{ink.Point{X: x, Y: y}, depth}
}

// isShown reports whether a point is in front of the camera and in the picture.
func (l *layout) isShown(p projected) bool {
	return p.depth > 0 && l.picture().Contains(p.Point)
}

// hidden reports whether a solid hides the point p, which must be in front of the camera. It considers the
// first solid on the ray from the camera to p. This solid hides p if the distance from the solid to p is
// more than a pixel's width, and if the solid is not in the list on. The pixel's width is a tolerance: a
// point on a visible surface stays visible even if rounding puts it slightly inside the solid.
func (l *layout) hidden(p geom.Vec3, on []scene.Range) bool {
	depth := p.Sub(l.View.Position()).Dot(l.View.Axes().Z.Neg())
	ray, distance := geom.Ray{Dir: l.View.Axes().Z.Neg()}, depth
	if l.View.Parallel() {
		ray.Origin = p.AddScaled(-depth, ray.Dir)
	} else {
		way := p.Sub(l.View.Position())
		ray.Origin, distance = l.View.Position(), way.Norm()
		direction, ok := geom.Direction(way)
		if !ok {
			return false
		}
		ray.Dir = direction
	}
	hit := l.World.TraverseNearest(ray, nil)
	if hit.Object == accel.None || !(hit.T < distance-l.View.PixelAt(depth)) {
		return false
	}
	return !slices.ContainsFunc(on, func(r scene.Range) bool {
		return r.First <= int(hit.Object) && int(hit.Object) < r.First+r.Count
	})
}

// pen holds the style of a line.
type pen struct {
	width    float64
	behind   pattern // of hidden parts that are dashed
	color    ink.Color
	hidden   scene.Hidden
	isDashed bool
	pattern  pattern // of other parts, if isDashed is set
}

// pattern holds the lengths of dashes and of the gaps between them.
type pattern struct{ dash, gap float64 }

func (l *layout) pen(look *scene.Lettering, hidden scene.Hidden) pen {
	size := float64(look.Size * l.scale)
	return pen{width: float64(lineWidth * size), behind: pattern{float64(dashLength * size), float64(dashGap * size)}, color: inkOf(look.Color), hidden: hidden}
}

// line draws a line of the picture.
func (l *layout) line(p pen, a, b ink.Point, hidden bool) { l.path(p, []ink.Point{a, b}, hidden) }

// path draws a line through points of the picture.
func (l *layout) path(p pen, points []ink.Point, hidden bool) {
	parts := [][]ink.Point{points}
	switch {
	case hidden:
		parts = ink.Dashes(points, p.behind.dash, p.behind.gap)
	case p.isDashed:
		parts = ink.Dashes(points, p.pattern.dash, p.pattern.gap)
	}
	for _, part := range parts {
		l.lines = append(l.lines, &ink.Line{Points: part, Width: p.width, Color: p.color})
	}
}

// arrow draws the head of an arrow with its tip at a point and the given direction, of length 1.
func (l *layout) arrow(p pen, tip, direction ink.Point, size float64) {
	l.lines = append(l.lines, &ink.Fill{Points: arrowCorners(tip, direction, arrowhead*size), Color: p.color})
}

// arrowCorners returns the corners of the head of an arrow, the tip first.
func arrowCorners(tip, direction ink.Point, length float64) []ink.Point {
	length = float64(length)
	base := tip.Sub(direction.Scale(length))
	side := direction.Right().Scale(length / 3)
	return []ink.Point{tip, base.Add(side), base.Sub(side)}
}

// track is a line in the scene, from a to b, in front of the camera.
type track struct {
	a, b geom.Vec3
	p, q projected
}

// track returns the part of the line from a to b in front of the camera, and false if the whole line lies behind the
// camera.
func (l *layout) track(a, b geom.Vec3) (track, bool) {
	t := track{a: a, b: b, p: l.project(a), q: l.project(b)}
	if !(t.p.depth > 0 || t.q.depth > 0) {
		return t, false
	}
	// Omit points that are very close to the plane through a perspective camera: they would be far outside
	// the picture.
	least := float64(0x1p-10 * max(t.p.depth, t.q.depth))
	if t.p.depth < least {
		t.a = b.AddScaled((t.q.depth-least)/(t.q.depth-t.p.depth), a.Sub(b))
		t.p = l.project(t.a)
	}
	if t.q.depth < least {
		t.b = a.AddScaled((t.p.depth-least)/(t.p.depth-t.q.depth), b.Sub(a))
		t.q = l.project(t.b)
	}
	return t, t.p.depth > 0 && t.q.depth > 0
}

// pointAt returns a point of the track t, in the scene. In the picture, this point lies at the fraction s, 0 to 1, of the way
// from the track's beginning to its end.
func (l *layout) pointAt(t *track, s float64) geom.Vec3 {
	if !l.View.Parallel() {
		// The inverse of the depth is linear in the picture.
		s = float64(s*t.p.depth) / (t.q.depth + float64(s*(t.p.depth-t.q.depth)))
	}
	return t.a.AddScaled(s, t.b.Sub(t.a))
}

// Along a line, samplesPerPixel points per pixel are tested for whether solids hide them, but at most
// mostSamples. Between a visible point and a hidden one, bisections more points are tested to find where
// solids begin to hide the line.
const samplesPerPixel, bisections, mostSamples = 4, 6, 1 << 16

// draw draws the part of a line between two fractions of its length in the picture, 0 <= from < to <= 1.
// The field hidden of the pen selects whether sections behind solids are drawn like the rest, dashed or not
// at all.
func (l *layout) draw(p pen, t *track, from, to float64) {
	l.divide(p, t, from, to, func(from, to float64, hidden bool) {
		if !hidden || p.hidden == scene.HiddenDash {
			l.line(p, t.point(from), t.point(to), hidden)
		}
	})
}

// point returns the point of the picture at the fraction s of the track's length.
func (t *track) point(s float64) ink.Point { return t.p.Between(t.q.Point, s) }

// divide calls the function add with the sections of a part of a line, in their order: those that solids hide, and those
// between. It omits what is far outside the picture. If solids do not hide lines of this pen, there is one section.
func (l *layout) divide(p pen, t *track, from, to float64, add func(from, to float64, hidden bool)) {
	from, to = l.clip(t, from, to)
	if !(from < to) {
		return
	}
	if p.hidden == scene.HiddenDraw {
		add(from, to, false)
		return
	}
	isHidden := func(s float64) bool { return l.hidden(l.pointAt(t, s), nil) }
	length := float64(t.q.Sub(t.p.Point).Norm() * (to - from))
	n := geom.ClampInt(math.Ceil(length*samplesPerPixel), 1, mostSamples)
	sample := func(i int) float64 { return from + float64((to-from)*(float64(i)+0.5))/float64(n) }
	start, now := from, isHidden(sample(0))
	finish := func(end float64) {
		add(start, end, now)
		start = end
	}
	for i := 1; i < n; i++ {
		if i%1024 == 0 && l.ctx.Err() != nil {
			return
		}
		next := isHidden(sample(i))
		if next == now {
			continue
		}
		low, high := sample(i-1), sample(i)
		for range bisections {
			if middle := (low + high) / 2; isHidden(middle) == now {
				low = middle
			} else {
				high = middle
			}
		}
		finish(high)
		now = next
	}
	finish(to)
}

// clip shortens a part of a line so that it does not extend far beyond the picture. The part lies between
// the fractions from and to of the line's length in the picture. If the whole part is far outside, the
// first result is larger than the second.
func (l *layout) clip(t *track, from, to float64) (float64, float64) {
	b := l.picture().Inset(-float64(l.Size.Y))
	way := t.q.Sub(t.p.Point)
	for _, side := range [2][4]float64{{t.p.X, way.X, b.Min.X, b.Max.X}, {t.p.Y, way.Y, b.Min.Y, b.Max.Y}} {
		at, by := side[0], side[1]
		if by == 0 {
			if at < side[2] || at > side[3] {
				return 1, 0
			}
			continue
		}
		in, out := (side[2]-at)/by, (side[3]-at)/by
		from, to = max(from, min(in, out)), min(to, max(in, out))
	}
	return from, to
}
