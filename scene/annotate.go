package scene

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/text"
)

// partLabel is a label of a part, with the paths of the solids and placements that it is on.
type partLabel struct {
	table table
	Label
	rawOn any // the value of the key on, until it is resolved
	on    []solidPath
}

// partDimension is a dimension of a part, with the path of the solid that it measures, if any.
type partDimension struct {
	table table
	Dimension
	rawOn any
	on    []solidPath
}

// solidPath leads from a part to a solid or placement in it.
type solidPath struct {
	hops    []hop
	element element
}

// annotations reads [title], [axes], [scale_bar] and [legend].
func (l *loader) annotations(raw *rawFile) {
	a := &l.scene.Annotations
	a.Title, _, _ = readOnce(l.table("title"), raw.title, titleKeys())
	a.Axes, _, _ = readOnce(l.table("axes"), raw.axes, axesKeys())
	a.ScaleBar, _, _ = readOnce(l.table("scale_bar"), raw.scaleBar, scaleBarKeys())
	a.Legend = l.legend(l.table("legend"), raw.legend)
}

// axisTexts reads the names of the axes.
func (t table) axisTexts(key string, v any) (texts [3]string) {
	list, ok := v.([]any)
	if !ok || len(list) != len(texts) {
		t.wrong(key, CodeWrongLength, "must be an array of 3 texts")
		return texts
	}
	for i, v := range list {
		texts[i] = t.caption(indexed(key, i), v, false)
	}
	return texts
}

// fitScaleBar reports a scale bar that has no single length in the picture, or does not fit into it.
func (l *loader) fitScaleBar() {
	b := l.scene.Annotations.ScaleBar
	if b == nil || l.failed() {
		return
	}
	t := l.table("scale_bar")
	view, err := l.scene.View(l.scene.Image.Width, l.scene.Image.Height)
	if err != nil {
		return // the error is reported elsewhere
	}
	if view.Parallel() && b.Depth != 0 {
		t.warn("depth", CodeUnusedKey, "has no effect in an orthographic picture")
	}
	switch pixels, err := b.Pixels(view, l.scene.Image.Width); {
	case errors.Is(err, errNoDepth):
		t.missing("depth", CodeScaleBar, "%v", err)
	case err != nil:
		t.wrong("length", CodeScaleBar, "%v", err)
	case pixels < 1: // in smaller pictures, such as previews, it may be
		t.wrong("length", CodeScaleBar, "must be longer: the bar has %.2g pixels, want at least 1", pixels)
	}
}

var errNoDepth = errors.New("required with a perspective camera, where a length has no single scale: the distance from the camera, along the view, at which the bar has its length; or use an orthographic camera")

// Pixels returns the length of the bar in pixels in a picture of the given width. It returns an error if the view is
// perspective and the bar has no depth, or if the bar is longer than nine tenths of the picture.
func (b *ScaleBar) Pixels(view *camera.View, width int) (float64, error) {
	if !view.Parallel() && b.Depth == 0 {
		return 0, errNoDepth
	}
	pixels := b.Length / view.PixelAt(b.Depth)
	if most := 0.9 * float64(width); !(pixels <= most) {
		return 0, fmt.Errorf("must be shorter: the bar has %.4g pixels, and the picture a width of %d", pixels, width)
	}
	return pixels, nil
}

func (l *loader) legend(t table, v any) *Legend {
	m, given, ok := readOnce(t, v, legendKeys())
	if !ok {
		return nil
	}
	g := &m.Legend
	if !given.has("materials") {
		return g // legendOfUsed adds the materials of solids
	}
	names, texts := m.materials, m.materials
	if given.has("texts") {
		if texts = m.texts; len(texts) != len(names) {
			t.wrong("texts", CodeLengthsDiffer, "must have as many elements as materials, %d", len(names)).got("%d", len(texts))
			return g
		}
	}
	for i, name := range names {
		at, found := slices.BinarySearchFunc(l.scene.Materials, name, func(m Material, name string) int { return cmp.Compare(m.Name, name) })
		switch {
		case found:
			g.Entries = append(g.Entries, entryOf(&l.scene.Materials[at], texts[i]))
		case l.materials != nil:
			l.materials.reportUnknown(&t.wrong(indexed("materials", i), CodeUnknownMaterial, unknownMaterial).Error, name)
		}
	}
	for i, s := range texts {
		key := indexed("texts", i)
		if !given.has("texts") {
			key = indexed("materials", i)
		}
		t.caption(key, s, false)
	}
	return g
}

// legendOfUsed completes a legend that names no materials: it lists the materials that solids use.
func (l *loader) legendOfUsed() {
	g := l.scene.Annotations.Legend
	if g == nil || len(g.Entries) > 0 || l.failed() {
		return
	}
	for _, m := range l.scene.Materials {
		if l.materials.named[m.Name].used.Load() {
			g.Entries = append(g.Entries, entryOf(&m, m.Name))
			if code, flaw := textFlaw(m.Name, false); flaw != "" {
				l.table("legend").missing("", code, "material %q: %s", m.Name, flaw)
			}
		}
	}
	if len(g.Entries) == 0 {
		l.table("legend").warn("", CodeUnusedKey, "has no effect: no solid has a material with a name")
	}
}

// label adds a label of the scene or of a part.
func (l *loader) label(p *part, t table, x partLabel, g rawTable) {
	if x.table = t; g.has("at") {
		x.rawOn = nil
	}
	p.labels = append(p.labels, x)
}

// dimension adds a dimension of the scene or of a part.
func (l *loader) dimension(p *part, t table, x partDimension, g rawTable) {
	x.table = t
	if g.has("from") || g.has("to") || g.has("across") && x.Across == "" {
		x.rawOn = nil // the conflict or the invalid word is reported
	}
	p.dimensions = append(p.dimensions, x)
}

// acrossWords returns the words for the lengths of solids of all kinds that a [Dimension] can measure, such as
// "diameter".
func acrossWords() (words []string) {
	for _, k := range Kinds() {
		for _, w := range k.row().traits().lengths {
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	return words
}

// Lengths returns the words for the lengths of a solid of this kind that a [Dimension] can measure, such as "diameter".
// The default is the first.
func (k Kind) Lengths() []string { return slices.Clone(k.row().traits().lengths) }

// aimAnnotations finds the solids and placements to which the labels and dimensions refer.
func (l *loader) aimAnnotations() {
	l.aimPart(l.scene.root)
	for _, name := range l.partNames {
		l.aimPart(l.parts[name])
	}
}

func (l *loader) aimPart(p *part) {
	for i := range p.labels {
		if x := &p.labels[i]; x.rawOn != nil {
			x.on = l.aimLabel(p, x.table, x.rawOn)
		}
	}
	for i := range p.dimensions {
		if x := &p.dimensions[i]; x.rawOn != nil {
			l.aimDimension(p, x)
		}
	}
}

// aimLabel finds the solids and placements that a label is on. v is the value of the key on: a name or an array of
// names.
func (l *loader) aimLabel(p *part, t table, v any) (on []solidPath) {
	list, isList := v.([]any)
	if !isList {
		if found, ok := l.aimAt(p, t, "on", v); ok {
			on = append(on, solidPath{found.hops, found.element})
		}
		return on
	}
	if len(list) == 0 || len(list) > MaxAnnotations {
		t.wrong("on", CodeWrongLength, "must have 1 to %d names", MaxAnnotations)
		return nil
	}
	for i, v := range list {
		if found, ok := l.aimAt(p, t, indexed("on", i), v); ok {
			on = append(on, solidPath{found.hops, found.element})
		}
	}
	return on
}

// aimDimension finds the solid that a dimension measures.
func (l *loader) aimDimension(p *part, x *partDimension) {
	t := x.table
	found, ok := l.aimAt(p, t, "on", x.rawOn)
	if !ok {
		return
	}
	kind, isSolid := ParseKind(found.element.table)
	if !isSolid {
		t.wrong("on", CodeUnknownTarget, "must be the name of a solid: a placement has no length of its own")
		return
	}
	x.on = []solidPath{{found.hops, found.element}}
	known := kind.row().traits().lengths
	switch {
	case x.Across == "" && kind == KindBox:
		t.missing("across", CodeMissingKey, "required for a box: x, y or z, its own axis along which to measure")
	case x.Across == "":
		x.Across = known[0]
	case !slices.Contains(known, x.Across):
		t.wrong("across", CodeUnknownValue, "must be %s for a %s", text.Series(known, "or"), kind)
	}
}

// aimAt finds the solid or placement that v, a path, names in a part. It returns false unless exactly one has this
// path.
func (l *loader) aimAt(p *part, t table, key string, v any) (target, bool) {
	words, ok := t.text(key, v)
	if !ok {
		return target{}, false
	}
	found := l.solidTargets(p, words)
	switch {
	case len(found) == 1:
		for _, h := range found[0].hops {
			if pl := found[0].pathPlace(h); h.copy == allCopies && pl.copies > 1 {
				t.wrong(key, CodeAmbiguousTarget, "may mean any of %d copies of a placement: write an index, such as %s[0]", pl.copies, text.Shorten(pl.labels()[0]))
				return target{}, false
			}
		}
		return found[0], true
	case len(found) > 1:
		var readings []string
		for i := range found {
			readings = append(readings, found[i].String())
		}
		t.wrong(key, CodeAmbiguousTarget, "may mean %s", strings.Join(readings, " or "))
	case !l.lacksInclude && !l.lacksParts && !l.lacksSolids():
		e := t.wrong(key, CodeUnknownTarget, "must be the name of a solid or placement")
		if !l.speller.stopped { // listing all names takes long
			l.speller.suggest(&e.Error, words, p.solidNames())
		}
	}
	return target{}, false
}

// solidTargets returns the solids and placements that a path names in a part.
func (l *loader) solidTargets(p *part, path string) []target {
	s := l.search()
	if p.isRoot() {
		s.whole(path)
	}
	if s.dropOthers(); len(s.found) == 0 {
		s.within(target{base: p, part: p}, path)
		s.dropOthers()
	}
	return s.found
}

// dropOthers keeps the solids and placements in s.found, and removes all other targets, such as lights.
func (s *search) dropOthers() {
	s.found = slices.DeleteFunc(s.found, func(t target) bool {
		_, isSolid := ParseKind(t.element.table)
		return !isSolid && t.element.table != "place"
	})
}

// pathPlace returns the placement that h, one of the target's hops, leads into.
func (t *target) pathPlace(h hop) *place {
	p := t.base
	for _, other := range t.hops {
		if pl := p.places[other.place]; other == h {
			return pl
		}
		p = p.places[other.place].part
	}
	panic("scene: a hop that is not in the path")
}

// solidNames returns the names of the solids of the part's own tables and of its placements.
func (p *part) solidNames() (names []string) {
	for k := range kindCount {
		for _, o := range p.own[k].objects {
			names = append(names, p.tables.name(o))
		}
	}
	for _, pl := range p.places {
		names = append(names, pl.name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// notes returns the number of the part's own labels and dimensions.
func (p *part) notes() int { return len(p.labels) + len(p.dimensions) }

// noteTable returns the table of the i-th label or dimension of the part. The labels are counted first.
func (p *part) noteTable(i int) table {
	if i < len(p.labels) {
		return p.labels[i].table
	}
	return p.dimensions[i-len(p.labels)].table
}

// annotate adds the labels and dimensions of an instance of a part. If one of them would be outside the limits,
// annotate returns the table of this label or dimension, and an error.
func (e *expander) annotate(p *part, f *transform) (table, error) {
	first := e.next // the solids of the instance begin here
	a := &e.scene.Annotations
	for i := range p.labels {
		x := p.labels[i].Label
		x.At, x.On = f.point(x.At), nil
		for _, path := range p.labels[i].on {
			x.On = append(x.On, e.ranges(p, first, path.hops, path.element)...)
		}
		if !geom.IsCoordinate(x.At) {
			return p.labels[i].table, fmt.Errorf("outside the limits: at: coordinates must be finite and at most %g in magnitude, got %v", geom.MaxCoordinate, x.At)
		}
		a.Labels = append(a.Labels, x)
		e.scene.labelTables = append(e.scene.labelTables, p.labels[i].table)
	}
	for i := range p.dimensions {
		x := p.dimensions[i].Dimension
		x.From, x.To, x.Offset = f.point(x.From), f.point(x.To), f.rotation.MulVec(x.Offset.Scale(f.scale))
		for _, path := range p.dimensions[i].on {
			x.Solid = e.ranges(p, first, path.hops, path.element)[0].First
		}
		for _, v := range []geom.Vec3{x.From, x.To, x.Offset} {
			if !geom.IsCoordinate(v) {
				return p.dimensions[i].table, fmt.Errorf("outside the limits: coordinates must be finite and at most %g in magnitude, got %v", geom.MaxCoordinate, v)
			}
		}
		a.Dimensions = append(a.Dimensions, x)
	}
	return table{}, nil
}

// ranges returns the object numbers of a solid, or of all solids of a placement, in one instance of the part p. The
// path to this solid or placement leads through the placements in hops, and ends at the table end. first holds, for
// each kind, the index of the first solid of the instance.
func (e *expander) ranges(p *part, first [kindCount]int, hops []hop, end element) (all []Range) {
	for _, h := range hops {
		pl := p.places[h.place]
		p = pl.part
		for k := range kindCount {
			first[k] += pl.first[k] + max(0, h.copy)*p.total[k]
		}
	}
	if k, isSolid := ParseKind(end.table); isSolid {
		index := end.index
		if end.bulk > 0 {
			index += p.bulks[end.bulk-1].first
		}
		return []Range{{e.first[k] + first[k] + index, 1}}
	}
	pl := p.places[end.index]
	copies := 1
	if end.copy == allCopies {
		copies = pl.copies
	}
	for k := range kindCount {
		if n := copies * pl.part.total[k]; n > 0 {
			all = append(all, Range{e.first[k] + first[k] + pl.first[k] + max(0, end.copy)*pl.part.total[k], n})
		}
	}
	return all
}

// LabelTable returns the table that defines the label with the given index in s.Annotations.Labels. The result key is
// the table's full key, such as label[2] or part.leg.label[0]. The result file is the name of the file with the table:
// the scene's own or an included one. LabelTable returns false if s was not read from a file, is detached from it, or
// has more or fewer labels than were read.
func (s *Scene) LabelTable(index int) (key, file string, ok bool) {
	if s.root == nil || len(s.labelTables) != len(s.Annotations.Labels) {
		return "", "", false
	}
	t := s.labelTables[index]
	return t.key(""), t.report.file, true
}

// centerLabels moves the labels that are on solids to the centers of the solids' bounds.
func (s *Scene) centerLabels() {
	for i := range s.Annotations.Labels {
		x := &s.Annotations.Labels[i]
		if len(x.On) == 0 {
			continue
		}
		b := geom.EmptyBounds()
		for _, r := range x.On {
			for n := range r.Count {
				b = b.Union(s.Solid(r.First + n).Bounds())
			}
		}
		x.At = b.Min.Add(b.Max.Sub(b.Min).Scale(0.5))
	}
}

func (q *Quantity) write(x float64) string {
	n := decimalsOf(x)
	if q.HasDigits {
		n = q.Digits
	}
	s := strconv.FormatFloat(x, 'f', n, 64)
	if !q.HasDigits {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	if q.Unit != "" {
		s += " " + q.Unit
	}
	return s
}

// decimalsOf returns the number of decimal places for a length without digits of its own: three, or more if fewer than two
// significant digits would remain, so that no length is written as 0.
func decimalsOf(x float64) int {
	const most = 330 // float64 has no smaller numbers
	n := 3
	for least := 0.01; math.Abs(x) < least && x != 0 && n < most; least /= 10 {
		n++
	}
	return n
}

// caption reads a text that is drawn. It may have several lines if lines is set.
func (t table) caption(key string, v any, lines bool) string {
	s, ok := t.text(key, v)
	if !ok {
		return ""
	}
	if code, flaw := textFlaw(s, lines); flaw != "" {
		t.wrong(key, code, "%s", flaw)
	}
	return s
}

// texts reads an array of strings.
func (t table) texts(key string, v any) []string {
	list, ok := v.([]any)
	if !ok {
		t.wrongType(key, v, "must be an array of strings")
		return nil
	}
	all := make([]string, len(list))
	for i, v := range list {
		all[i], _ = t.text(indexed(key, i), v)
	}
	return all
}

// wordOf reads one of the given words. It returns "" for any other value.
func (t table) wordOf(key string, v any, known []string) string {
	if i, ok := t.word(key, v, known); ok {
		return known[i]
	}
	return ""
}
