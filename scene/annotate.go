package scene

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pillbox/camera"
	"pillbox/exact"
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/shade"
)

// partLabel is a label of a part, with the paths of the solids and placements that it is on.
type partLabel struct {
	noted
	Label
	rawOn any // the value of the key on, until it is resolved
	on    []solidPath
}

func (x *partLabel) aim(l *loader, p *part) {
	if x.rawOn != nil {
		x.on = l.aimNames(p, x.table, "on", x.rawOn)
	}
}

func (x *partLabel) place(in *noteInstance) error {
	label := x.Label
	at, err := in.moved("at", label.At)
	label.At, label.On = at, in.solids(x.on)
	in.scene.Annotations.Labels = append(in.scene.Annotations.Labels, label)
	in.scene.noteTables.labels = append(in.scene.noteTables.labels, x.table)
	return err
}

// partDimension is a dimension of a part, with the path of the solid that it measures, if any.
type partDimension struct {
	noted
	Dimension
	rawOn any
	on    []solidPath
}

func (x *partDimension) place(in *noteInstance) error {
	d := x.Dimension
	f := &in.transform
	d.From, d.To, d.Offset = f.point(d.From), f.point(d.To), f.rotation.MulVec(d.Offset.Scale(f.scale))
	if len(x.on) > 0 {
		d.Solid = in.solids(x.on)[0].First
	}
	for _, v := range []geom.Vec3{d.From, d.To, d.Offset} {
		if !geom.IsCoordinate(v) {
			return fmt.Errorf("outside the limits: coordinates must be finite and at most %g in magnitude, got %v", geom.MaxCoordinate, v)
		}
	}
	in.scene.Annotations.Dimensions = append(in.scene.Annotations.Dimensions, d)
	in.scene.noteTables.dimensions = append(in.scene.noteTables.dimensions, x.table)
	return nil
}

// annotations reads [title], [axes], [scale_bar] and [legend].
func (l *loader) annotations(raw *rawFile) {
	a := &l.scene.Annotations
	a.Title, _, _ = readOnce(l.Table("title"), raw.title, titleKeys())
	a.Axes, _, _ = readOnce(l.Table("axes"), raw.axes, axesKeys())
	a.ScaleBar, _, _ = readOnce(l.Table("scale_bar"), raw.scaleBar, scaleBarKeys())
	a.Legend = l.legend(l.Table("legend"), raw.legend)
}

// readAxisTexts reads the names of the axes.
func readAxisTexts(t keytable.Table, key string, v any) (texts [3]string) {
	list, ok := v.([]any)
	if !ok || len(list) != len(texts) {
		t.Wrong(key, problem.CodeWrongLength, "must be an array of 3 texts")
		return texts
	}
	for i, v := range list {
		texts[i] = readCaption(t, keytable.Indexed(key, i), v, false)
	}
	return texts
}

// fitScaleBar reports a scale bar that has no single length in the picture, or does not fit into it.
func (l *loader) fitScaleBar() {
	b := l.scene.Annotations.ScaleBar
	if b == nil || l.failed() {
		return
	}
	t := l.Table("scale_bar")
	view, err := l.scene.View(l.scene.Image.Width, l.scene.Image.Height)
	if err != nil {
		return // the error is reported elsewhere
	}
	if view.Parallel() && b.Depth != 0 {
		t.Warn("depth", problem.CodeUnusedKey, "has no effect in an orthographic picture")
	}
	switch pixels, err := b.Pixels(view, l.scene.Image.Width); {
	case errors.Is(err, errNoDepth):
		t.Missing("depth", problem.CodeScaleBar, "%v", err)
	case err != nil:
		t.Wrong("length", problem.CodeScaleBar, "%v", err)
	case pixels < 1: // in smaller pictures, such as previews, it may be
		t.Wrong("length", problem.CodeScaleBar, "must be longer: the bar has %.2g pixels, want at least 1", pixels)
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

func (l *loader) legend(t keytable.Table, v any) *Legend {
	m, given, ok := readOnce(t, v, legendKeys())
	if !ok {
		return nil
	}
	g := &m.Legend
	names := slices.Concat(m.materials, m.sections)
	if !given.Has("materials") && !given.Has("sections") {
		return g // legendOfUsed adds the materials of solids
	}
	texts, keyOf := names, func(i int) string {
		if i < len(m.materials) {
			return keytable.Indexed("materials", i)
		}
		return keytable.Indexed("sections", i-len(m.materials))
	}
	if given.Has("texts") {
		if texts = m.texts; len(texts) != len(names) {
			t.Wrong("texts", problem.CodeLengthsDiffer, "must have as many elements as %s, %d", listedOf(given), len(names)).Got("%d", len(texts))
			return g
		}
	}
	for i, name := range names {
		if e, ok := l.legendEntry(t, keyOf(i), name, i >= len(m.materials)); ok {
			e.Text = texts[i]
			g.Entries = append(g.Entries, e)
		}
	}
	if given.Has("texts") {
		keyOf = func(i int) string { return keytable.Indexed("texts", i) }
	}
	for i, s := range texts {
		readCaption(t, keyOf(i), s, false)
	}
	return g
}

// listedOf names the keys with the entries of a legend.
func listedOf(given keytable.RawTable) string {
	switch {
	case !given.Has("sections"):
		return "materials"
	case !given.Has("materials"):
		return "sections"
	}
	return "materials and sections together"
}

// legendEntry returns the entry for a material or section of the scene, without its text. If it does not exist, legendEntry
// reports a problem at the key.
func (l *loader) legendEntry(t keytable.Table, key, name string, isSection bool) (LegendEntry, bool) {
	if isSection {
		i := slices.IndexFunc(l.scene.Sections, func(x Section) bool { return x.Name == name && name != "" })
		if i < 0 {
			t.Wrong(key, problem.CodeUnknownTarget, "must be the name of a section of the scene")
			return LegendEntry{}, false
		}
		return entryOfSection(&l.scene.Sections[i]), true
	}
	at, found := slices.BinarySearchFunc(l.scene.Materials, name, func(m Material, name string) int { return cmp.Compare(m.Name, name) })
	if found {
		return entryOf(&l.scene.Materials[at], ""), true
	}
	if l.materials != nil {
		l.materials.reportUnknown(&t.Wrong(key, problem.CodeUnknownMaterial, unknownMaterial).Error, name)
	}
	return LegendEntry{}, false
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
				l.Table("legend").Missing("", code, "material %q: %s", m.Name, flaw)
			}
		}
	}
	if len(g.Entries) == 0 {
		l.Table("legend").Warn("", problem.CodeUnusedKey, "has no effect: no solid has a material with a name")
	}
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

// aimNames finds the solids and placements that v, a name or an array of names, refers to in a part.
func (l *loader) aimNames(p *part, t keytable.Table, key string, v any) (on []solidPath) {
	list, isList := v.([]any)
	if !isList {
		if found, ok := l.aimAt(p, t, key, v); ok {
			on = append(on, solidPath{found.hops, found.element})
		}
		return on
	}
	if len(list) == 0 || len(list) > MaxAnnotations {
		t.Wrong(key, problem.CodeWrongLength, "must have 1 to %d names", MaxAnnotations)
		return nil
	}
	for i, v := range list {
		if found, ok := l.aimAt(p, t, keytable.Indexed(key, i), v); ok {
			on = append(on, solidPath{found.hops, found.element})
		}
	}
	return on
}

// aim finds the solid that a dimension measures.
func (x *partDimension) aim(l *loader, p *part) {
	if x.rawOn == nil {
		return
	}
	t := x.table
	found, ok := l.aimAt(p, t, "on", x.rawOn)
	if !ok {
		return
	}
	kind, isSolid := ParseKind(found.element.table)
	if !isSolid {
		t.Wrong("on", problem.CodeUnknownTarget, "must be the name of a solid: a placement has no length of its own")
		return
	}
	x.on = []solidPath{{found.hops, found.element}}
	known := kind.row().traits().lengths
	switch {
	case x.Across == "" && kind == KindBox:
		t.Missing("across", problem.CodeMissingKey, "required for a box: x, y or z, its own axis along which to measure")
	case x.Across == "":
		x.Across = known[0]
	case !slices.Contains(known, x.Across):
		t.Wrong("across", problem.CodeUnknownValue, "must be %s for a %s", text.Series(known, "or"), kind)
	}
}

// aimAt finds the solid or placement that v, a path, names in a part. It returns false unless exactly one has this
// path.
func (l *loader) aimAt(p *part, t keytable.Table, key string, v any) (target, bool) {
	path, ok := t.Text(key, v)
	if !ok {
		return target{}, false
	}
	return l.aimPath(p, t, key, path)
}

// aimPath finds the solid or placement that a path names in a part. It returns false unless exactly one has this path.
func (l *loader) aimPath(p *part, t keytable.Table, key, path string) (target, bool) {
	found := l.solidTargets(p, path)
	switch {
	case len(found) == 1:
		for _, h := range found[0].hops {
			if pl := found[0].pathPlace(h); h.copy == allCopies && pl.copies > 1 {
				t.Wrong(key, problem.CodeAmbiguousTarget, "may mean any of %d copies of a placement: write an index, such as %s[0]", pl.copies, text.Shorten(pl.labels()[0]))
				return target{}, false
			}
		}
		return found[0], true
	case len(found) > 1:
		var readings []string
		for i := range found {
			readings = append(readings, found[i].String())
		}
		t.Wrong(key, problem.CodeAmbiguousTarget, "may mean %s", strings.Join(readings, " or "))
	case !l.lacksInclude && !l.lacksParts && !l.lacksSolids():
		e := t.Wrong(key, problem.CodeUnknownTarget, "must be the name of a solid or placement")
		if !l.Speller.Stopped { // listing all names takes long
			l.Speller.Suggest(&e.Error, path, p.solidNames())
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
	if s.root == nil || len(s.noteTables.labels) != len(s.Annotations.Labels) {
		return "", "", false
	}
	t := s.noteTables.labels[index]
	return t.Key(""), t.Report.File, true
}

// AnnotationFlaw is something wrong with the place of an annotation in the picture.
type AnnotationFlaw struct {
	Table   string // the table of the scene file: "label", "dimension", "angle", "title", "legend", "colormap", "scale_bar" or "axes"
	Index   int    // of a label, dimension or angle, in the list of the scene's Annotations
	Message string
}

// AnnotationWarnings returns warnings about flaws, sorted by position. data is the file that s was decoded from. Copies of an
// annotation in a part have one warning.
func (s *Scene) AnnotationWarnings(data []byte, flaws []AnnotationFlaw) (all problem.Errors) {
	l := locator{scene: s, data: data}
	copies := make(map[keytable.Table]int)
	var order []keytable.Table
	first := make(map[keytable.Table]*problem.Error)
	for _, f := range flaws {
		t, ok := s.tableOf(&f)
		if copies[t]++; ok && copies[t] > 1 {
			continue
		}
		e := &problem.Error{File: s.Name, Key: fmt.Sprintf("%s[%d]", f.Table, f.Index)}
		if ok {
			e = l.table(t)
			order, first[t] = append(order, t), e
		}
		e.Severity, e.Code, e.Message = problem.SeverityWarning, problem.CodeNoRoom, f.Message
		all = append(all, e)
	}
	for _, t := range order {
		if n := copies[t]; n > 1 {
			first[t].Message = fmt.Sprintf("in %d copies: %s", n, first[t].Message)
		}
	}
	if len(l.files) > 0 {
		l.locate()
	}
	return all.Sorted(s.Name)
}

// tableOf returns the table of an annotation. It returns false if the annotation was not read from a file.
func (s *Scene) tableOf(f *AnnotationFlaw) (keytable.Table, bool) {
	if s.root == nil {
		return keytable.Table{}, false
	}
	var list []keytable.Table
	switch f.Table {
	case "label":
		list = s.noteTables.labels
	case "dimension":
		list = s.noteTables.dimensions
	case "angle":
		list = s.noteTables.angles
	default:
		return s.root.table.Report.Table(f.Table), true
	}
	if f.Index >= len(list) {
		return keytable.Table{}, false
	}
	return list[f.Index], true
}

// write writes a length, which must already be in the unit.
func (q *Quantity) write(x exact.Magnitude) string {
	s := q.number(x)
	if q.Unit != "" {
		s += " " + q.Unit
	}
	return s
}

// number writes a magnitude, correctly rounded. Only 0 is written as 0: a magnitude that is less gets more digits.
func (q *Quantity) number(x exact.Magnitude) string {
	places := q.Digits
	if !q.HasDigits {
		places = decimalsOf(x.Float64())
	}
	s := x.Text(places)
	if least := x.Float64(); least > 0 && strings.Trim(s, "0.") == "" {
		for places = 0; least < 0.6 && places < mostPlaces; places++ { // 0.5 may be rounded down
			least *= 10
		}
		s = x.Text(places)
	}
	if !q.HasDigits && strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// mostPlaces is the largest number of decimal places of a number. float64 has no numbers that need more for two digits.
const mostPlaces = 330

// decimalsOf returns the number of decimal places for a length without digits of its own: three, or more if fewer than two
// significant digits would remain, so that no length is written as 0.
func decimalsOf(x float64) int {
	n := 3
	for least := 0.01; x < least && x != 0 && n < mostPlaces; least /= 10 {
		n++
	}
	return n
}

// entryOf returns the line of a legend for a material.
func entryOf(m *Material, text string) LegendEntry {
	return LegendEntry{Material: m.Name, Text: text, Color: m.Albedo}
}

// entryOfSection returns the line of a legend for a section, with its name as the text. If its cut faces have the colors of the
// solids, the color is white.
func entryOfSection(x *Section) LegendEntry {
	e := LegendEntry{Section: x.Name, Text: x.Name, Color: shade.Color{R: 1, G: 1, B: 1}, Hatch: x.Hatch}
	if x.HasColor {
		e.Color = x.Color
	}
	return e
}
