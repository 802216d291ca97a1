package explain

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"pillbox/figure"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/internal/text"
	"pillbox/shade"
)

// writer composes the document of an explanation.
type writer struct {
	*Document
	*Tracer
	detail Detail
}

// Title implements [Explanation].
func (x *Pixel) Title() string {
	return fmt.Sprintf("%s: pixel %d,%d of %d x %d", text.EscapeName(x.tracer.prepared.Scene.Name), x.At.X, x.At.Y, x.Size.X, x.Size.Y)
}

// Document implements [Explanation].
func (x *Pixel) Document(detail Detail) *Document {
	if detail == Brief {
		return x.brief()
	}
	w := x.tracer.writer(detail)
	w.heading(1, x.Title())
	w.answer(x.Samples[0].traced())
	w.paragraph(w.summary(x))
	w.paragraph(readingHelp)
	for i := range x.Samples {
		w.sample(x, i)
	}
	w.line(x.Samples[0].traced(), x.Line)
	w.section(2, SectionPixel, "The pixel")
	w.equations(w.averageSteps(x))
	return w.Document
}

// Title implements [Explanation].
func (x *Ray) Title() string {
	return fmt.Sprintf("%s: a ray", text.EscapeName(x.tracer.prepared.Scene.Name))
}

// Document implements [Explanation].
func (x *Ray) Document(detail Detail) *Document {
	if detail == Brief {
		return x.brief()
	}
	w := x.tracer.writer(detail)
	w.heading(1, x.Title())
	w.answer(x.traced())
	w.paragraph(x.summary(&w))
	w.paragraph(readingHelp)
	w.equations(x.raySteps())
	w.path(x.traced(), 1)
	w.line(x.traced(), x.Line)
	return w.Document
}

func (x *Ray) summary(w *writer) string {
	text := fmt.Sprintf("The ray hits %s and sees %s.", w.meets(x.traced()), seen(x.traced()))
	if !w.usesPoints() || x.Hit == nil {
		return text
	}
	size := w.prepared.Size
	if !x.Cast {
		return text + fmt.Sprintf(" The camera does not cast it through the picture of %d x %d pixels, so it gets the sample points of pixel 0,0.", size.X, size.Y)
	}
	return text + fmt.Sprintf(" It gets the sample points of sample %d of pixel %d,%d, through which the camera casts it in the picture of %d x %d pixels.",
		x.Sample+1, x.At.X, x.At.Y, size.X, size.Y)
}

func (t *Tracer) writer(detail Detail) writer { return writer{&Document{}, t, detail} }

const readingHelp = roundingHelp + "o is the ray's origin and d its direction. " +
	"· is the dot product, |v| the length of v, and v.x its x coordinate."

const roundingHelp = "Numbers are rounded, with enough digits for every equation to come out as printed. "

func (w *writer) summary(x *Pixel) string {
	first := "The ray hits"
	if len(x.Samples) > 1 {
		first = fmt.Sprintf("The first of %d rays hits", len(x.Samples))
	}
	lines := ""
	if x.Covered > 0 {
		lines = fmt.Sprintf(" Lines of the outline cover %.3g %% of the pixel.", 100*x.Covered)
	}
	text := fmt.Sprintf("%s %s.%s", first, w.meets(x.Samples[0].traced()), lines)
	if len(x.Annotations) == 0 {
		return fmt.Sprintf("%s The pixel shows %s, sRGB %s.", text, colorText(x.Linear), srgbText(x.SRGB8))
	}
	return fmt.Sprintf("%s This gives %s, sRGB %s. %s The pixel shows sRGB %s.", text, colorText(x.Linear), srgbText(x.Rendered), annotationsText(x.Annotations), srgbText(x.SRGB8))
}

// annotationsText states what annotations cover a pixel, as a sentence.
func annotationsText(layers []figure.Layer) string {
	var parts []string
	for i := range layers {
		if name := layerName(&layers[i]); !slices.Contains(parts, name) {
			parts = append(parts, name)
		}
	}
	verb := " covers"
	if len(parts) > 1 {
		verb = " cover"
	}
	list := listed(parts, "annotations")
	first, size := utf8.DecodeRuneInString(list)
	list = string(unicode.ToUpper(first)) + list[size:]
	for i := range layers {
		if layers[i].Covered == 1 {
			return list + verb + " the whole pixel."
		}
	}
	return list + verb + " a part of the pixel."
}

// layerName describes what lies over a pixel: the text of label "A", the halo of the title "T", a line of the annotations.
func layerName(l *figure.Layer) string {
	if l.Text == "" {
		return "a line or an area of the annotations"
	}
	part := "the text"
	if l.Halo {
		part = "the halo"
	}
	return fmt.Sprintf("%s of the %s %s", part, strings.ReplaceAll(l.Kind, "_", " "), strconv.Quote(text.EscapeName(l.Text)))
}

// meets describes the closest hit of a ray.
func (w *writer) meets(q *follow.Path) string {
	switch {
	case q.Light > 0:
		return fmt.Sprintf("the ball of %s at %s%s", w.lightLabel(q.Light-1), formula.Short(q.Hit.T), w.behindGhosts(q))
	case !q.IsSolid():
		return "nothing" + w.behindGhosts(q)
	}
	return fmt.Sprintf("%s at %s%s%s", w.label(q.Hit.Object), formula.Short(q.Hit.T), w.onFace(&q.Hit), w.behindGhosts(q))
}

func srgbText(c color.NRGBA) string {
	text := fmt.Sprintf("(%d, %d, %d)", c.R, c.G, c.B)
	if c.A < 255 {
		text += fmt.Sprintf(" with alpha %d", c.A)
	}
	return text
}

// sample describes sample i of a pixel, counted from 0. The first sample is described in full, and in a
// verbose explanation every sample is. In other explanations, the call for sample 1 adds a list with one
// line for each sample after the first, and later calls add nothing.
func (w *writer) sample(x *Pixel, i int) {
	s := &x.Samples[i]
	title := "The ray"
	if len(x.Samples) > 1 {
		title = fmt.Sprintf("Sample %d of %d: column %d, row %d of the pixel's grid", i+1, len(x.Samples), s.Column, s.Row)
	}
	if i == 0 || w.detail == Verbose {
		w.about(2, SectionCamera, title, RayName(0, -1))
		w.equations(w.cameraSteps(x, s))
		w.path(s.traced(), 2)
		return
	}
	if i == 1 {
		w.section(2, SectionSamples, "The other samples")
		w.list(w.others(x))
	}
}

// others returns a list with one line for each sample except the first.
func (w *writer) others(x *Pixel) []Item {
	var items []Item
	for i := range x.Samples[1:] {
		s := &x.Samples[i+1]
		items = append(items, Item{Text: fmt.Sprintf("%d: column %d, row %d: hits %s, sees %s", i+2, s.Column, s.Row, w.meets(s.traced()), seen(s.traced()))})
	}
	return items
}

func seen(q *follow.Path) string {
	if q.Alpha == 0 {
		return "nothing (transparent)"
	}
	return colorText(q.Color)
}

// path describes a ray, from its traversal to its color. The headings of its sections are one level below
// the given level.
func (w *writer) path(q *follow.Path, level int) {
	kind := cameraRay
	if q.Depth > 0 {
		kind = mirrorRay
	}
	w.about(level+1, SectionTree, "Traversal of the tree", RayName(q.Depth, -1))
	w.traversal(&q.Traversal)
	w.tested(q, kind, level)
	if q.Hit.Object == accel.None {
		title := titleBackground
		if q.Light > 0 {
			title = "No hit before " + w.lightLabel(q.Light-1)
		}
		w.section(level+1, SectionColor, title)
		w.equations(w.backgroundSteps(q))
		return
	}
	w.surface(q, level)
	w.occlusion(q, level)
	w.lights(q, level)
	if q.Mirror != nil {
		w.about(level+1, SectionMirror, fmt.Sprintf("Mirror ray %d", q.Mirror.Depth), RayName(q.Mirror.Depth, -1))
		w.equations(mirrorSteps(q))
		w.path(q.Mirror, level+1)
	}
	w.color(q, level)
}

// shadowRay states the shadow ray that the derivations below are about.
func (w *writer) shadowRay(r geom.Ray) {
	d := formula.New[formula.Float]()
	d.Given("o", formula.Vector(r.Origin), "the shadow ray's origin")
	d.Given("d", formula.Vector(r.Dir), "its direction")
	w.equations(d.All())
}

// traversal describes a traversal of the tree.
func (w *writer) traversal(traversal *follow.Traversal) {
	n := traversal.Tally()
	w.paragraph(tallyText(n))
	if w.detail == Verbose || n.Nodes <= manyNodes {
		w.list(w.steps(traversal))
	}
}

// tested derives the roots of the solids that a ray was tested against, and lists the solids whose tests are not derived.
func (w *writer) tested(q *follow.Path, kind rayKind, level int) {
	derives := derivedTests(&q.Traversal, w.detail)
	var missed, crossed []Item
	for _, s := range q.Traversal.Steps {
		switch {
		case s.Solid == nil:
		case derives(s.Solid):
			w.about(level+1, SectionTests, "Tested: "+w.label(s.Solid.Object), RayName(q.Depth, -1))
			w.equations(w.test(&q.SecondaryRay, kind, s.Solid))
		case s.Solid.Outcome == accel.Missed:
			missed = append(missed, Item{Text: w.label(s.Solid.Object), Verdict: Rejects})
		default:
			crossed = append(crossed, Item{Text: w.solidText(s.Solid), Verdict: solidVerdict(s.Solid)})
		}
	}
	if len(crossed) > 0 {
		w.section(level+1, SectionTests, "Tested, but not the hit")
		w.list(crossed)
	}
	if len(missed) > 0 {
		w.section(level+1, SectionTests, "Tested, but missed")
		w.list(missed)
	}
}

// line derives where the whole line of a ray crosses the solid that the user chose with WithSolid. It adds
// nothing if l is nil, because no solid was chosen.
func (w *writer) line(q *follow.Path, l *Line) {
	if l != nil {
		w.section(2, SectionLine, w.lineTitle(l))
		w.equations(w.lineSteps(q, l, isDerived(&q.Traversal, l.Object, w.detail)))
	}
}

// surface derives the point and the normal of the closest hit.
func (w *writer) surface(q *follow.Path, level int) {
	w.about(level+1, SectionHit, titleHit+w.label(q.Hit.Object), RayName(q.Depth, -1))
	w.equations(w.surfaceSteps(q))
}

// lights derives the contribution of each light at the end of a path, or what blocks it.
func (w *writer) lights(q *follow.Path, level int) {
	for i := range q.Lights {
		a := &q.Lights[i]
		which := strconv.Itoa(a.Index)
		if name := w.nameOfLight(a.Index); name != "" {
			which += fmt.Sprintf(" %q", name)
		} else if len(w.prepared.Scene.Lights) > 0 {
			if label := w.prepared.Scene.LightLabel(a.Index); strings.Contains(label, "/") { // placements made it
				which += " " + label
			}
		}
		w.about(level+1, SectionLights, fmt.Sprintf("Light %s: %s", which, w.lightText(a)), RayName(q.Depth, a.Index))
		w.equations(w.lightSteps(q, a))
		if len(a.Points) > 0 {
			w.hidden(lightPoints(a), "point")
		}
		if a.Traversal == nil {
			continue
		}
		w.paragraph(tallyText(a.Traversal.Tally()))
		if w.detail == Verbose {
			w.list(w.steps(a.Traversal))
		}
		if a.Visibility == follow.Blocked {
			w.about(level+2, SectionLights, "Blocked by "+w.label(a.Object), RayName(q.Depth, a.Index))
			from := q.SpawnRay(a.Dir)
			w.shadowRay(from.Ray)
			w.equations(w.test(&from, shadowRay, blocker(a)))
		}
	}
}

// nameOfLight returns the name of a light, or "".
func (t *Tracer) nameOfLight(index int) string {
	if lights := t.prepared.Scene.Lights; len(lights) > 0 {
		return lights[index].Name
	}
	return "" // the default light
}

func (w *writer) lightText(a *follow.LightSample) string {
	lights := w.prepared.Scene.Lights
	if len(lights) == 0 {
		return "at the camera, because the scene has no light"
	}
	text := "at " + vectorText(a.Light.Position)
	switch {
	case a.Light.Directional:
		text = "directional, along " + vectorText(a.Light.Direction)
	case a.Light.IsSpot():
		text += fmt.Sprintf(", along %s in a cone of %s degrees", vectorText(a.Light.Direction), formula.Short(a.Light.Cone.Angle.Degrees()))
	}
	switch {
	case a.Light.Directional && a.Light.HasSize():
		text += fmt.Sprintf(", %s degrees across", formula.Short(a.Light.Angle.Degrees()))
	case a.Light.HasSize():
		text += ", a ball of radius " + formula.Short(a.Light.Radius)
	}
	if lights[a.Index].Attached {
		text += ", attached to the camera"
	}
	return text
}

// color derives the color at the end of a path.
func (w *writer) color(q *follow.Path, level int) {
	title := "Color"
	if q.Depth > 0 {
		title = fmt.Sprintf("Color of mirror ray %d", q.Depth)
	}
	w.about(level+1, SectionColor, title, RayName(q.Depth, -1))
	w.equations(w.colorSteps(q))
}

func vectorText(v geom.Vec3) string { return formula.Vector(v).Text(formula.Readable) }

func colorText(c shade.Color) string { return light(c).Text(formula.Readable) }

func light(c shade.Color) formula.Value[formula.Float] {
	return formula.Triple(formula.Float(c.R), formula.Float(c.G), formula.Float(c.B))
}

// Titles that usual and brief explanations share.
const (
	titleHit        = "Closest hit: "
	titleBackground = "No hit: the background"
)
