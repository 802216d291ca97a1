package scene

import (
	"cmp"
	"fmt"
	"slices"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/shade"
	"pillbox/shapes"
)

// MaxSections is the largest number of sections of a scene.
const MaxSections = 8

// Section is a plane that cuts solids: what lies on the side that Normal points to is taken away. Several sections apply
// together. Package shapes specifies where rays meet solids that are cut; see [shapes.Cut].
type Section struct {
	Name     string    // "" if the file gives none
	Point    geom.Vec3 // a point of the plane
	Normal   geom.Vec3 // unit length
	HasColor bool      // whether cut faces have a color of their own
	Color    shade.Color
	Hatch    Hatch

	// Solids lists the solids that the section cuts, and no others, if Limited is set. Otherwise it cuts all solids.
	Solids  []Range
	Limited bool

	// LightWhole is true if light does not pass through what the section takes away: shadows are those of the whole solids.
	LightWhole bool

	stated geom.Vec3      // the normal in the file before it was normalized
	source *placedSection // nil for a section of the scene itself
}

// placedSection is where a section of a copy of a part comes from.
type placedSection struct {
	table     keytable.Table
	transform transform // of the copy
}

// Hatch is a pattern of parallel lines on the cut faces of a section.
type Hatch struct {
	Enabled         bool
	Width, Distance float64    // of the lines, and from each line to the next, in scene units
	Angle           geom.Angle // between the lines and the horizontal
	Color           shade.Color
}

// Lines returns the pattern of lines on the section's plane.
func (s *Section) Lines() shade.Lines {
	return shade.NewLines(s.Point, s.Normal, s.Hatch.Angle, s.Hatch.Width, s.Hatch.Distance)
}

// shape returns the section as a shape cuts it, with its index in the scene.
func (s *Section) shape(index int) shapes.Section {
	return shapes.Section{Point: s.Point, Normal: s.Normal, Index: index}
}

// Cut says what sections do to a solid: they cut it, or remove it.
type Cut struct {
	Object int32            // the object number
	By     []shapes.Section // those that divide the solid; none if the solid is removed
}

// Cuts lists the solids that sections cut or remove, in ascending order of object numbers. If lit is set, it ignores
// the sections with LightWhole: the result is then for shadows.
func (s *Scene) Cuts(lit bool) (cuts []Cut) {
	var sections []shapes.Section
	var limits [][]bool
	for i := range s.Sections {
		if x := &s.Sections[i]; !lit || !x.LightWhole {
			sections, limits = append(sections, x.shape(i)), append(limits, x.limit(s.Objects.Len()))
		}
	}
	if len(sections) == 0 {
		return nil
	}
	some := make([]shapes.Section, 0, len(sections))
	for number := range s.Objects.Len() {
		some = some[:0]
		for i := range sections {
			if limits[i] == nil || limits[i][number] {
				some = append(some, sections[i])
			}
		}
		if by, removed := shapes.Dissect(s.Solid(number), some); removed || len(by) > 0 {
			cuts = append(cuts, Cut{Object: int32(number), By: by})
		}
	}
	return cuts
}

// limit returns which of n solids the section cuts, or nil for all.
func (s *Section) limit(n int) []bool {
	if !s.Limited {
		return nil
	}
	in := make([]bool, n)
	for _, r := range s.Solids {
		for i := range r.Count {
			in[r.First+i] = true
		}
	}
	return in
}

// LightsWhole reports whether shadows differ from what the camera sees, because some section has LightWhole.
func (s *Scene) LightsWhole() bool {
	return slices.ContainsFunc(s.Sections, func(x Section) bool { return x.LightWhole })
}

// sameSections reports whether the sections of two scenes take away the same parts of solids, for the camera and for light.
func sameSections(a, b *Scene) bool {
	return slices.EqualFunc(a.Sections, b.Sections, func(x, y Section) bool {
		return x.Point == y.Point && x.Normal == y.Normal && x.LightWhole == y.LightWhole && x.Limited == y.Limited &&
			(!x.Limited || slices.Equal(x.Solids, y.Solids))
	})
}

// SectionLabel returns the name of a section for messages, such as section[0].
func SectionLabel(index int) string { return keytable.Indexed("section", index) }

// validateSections returns an error if a section has a value that scene files do not allow.
func (s *Scene) validateSections() error {
	if n := len(s.Sections); n > MaxSections {
		return fmt.Errorf("a scene has at most %d sections, got %d", MaxSections, n)
	}
	for i := range s.Sections {
		x := sectionTable{Section: s.Sections[i]}
		if err := cmp.Or(sectionKeys().Check("", &x), x.Hatch.check(), s.checkRanges(x.Solids)); err != nil {
			return fmt.Errorf("%s.%w", SectionLabel(i), err)
		}
	}
	return nil
}

// check returns an error if the lines are not narrower than their distance.
func (h *Hatch) check() error {
	if h.Enabled && !(h.Width < h.Distance) {
		return fmt.Errorf("hatch_width: must be less than hatch_distance, %v, got %v", h.Distance, h.Width)
	}
	return nil
}

// sectionTable holds the values of a [[section]] table.
type sectionTable struct {
	Section
	scope
}

// sections reads the [[section]] tables. aimSections completes them.
func (l *loader) sections(v any) {
	l.sectionTables, l.scene.root.ownSections = nil, nil
	each(l.scene.root, "section", v, sectionKeys, func(t keytable.Table, x sectionTable, _ keytable.RawTable) {
		completeSection(t, &x)
		x.Limited = x.rawOn != nil || x.rawExcept != nil
		l.scene.Sections = append(l.scene.Sections, x.Section)
		l.sectionTables = append(l.sectionTables, tableOfSection{Table: t, scope: x.scope, part: l.scene.root})
		l.scene.root.ownSections = append(l.scene.root.ownSections, t)
	})
	if n := len(l.Report.List("section", v)); n > MaxSections {
		l.Report.Element("section", MaxSections).Missing("", problem.CodeTooManySolids, "a scene must have at most %d sections, but has %d", MaxSections, n)
	}
}

// completeSection checks a section after its keys are read.
func completeSection(t keytable.Table, x *sectionTable) {
	if t.Valid() && x.Hatch.check() != nil {
		t.Wrong("hatch_width", problem.CodeOutOfRange, "must be less than hatch_distance, %v", x.Hatch.Distance).Got("%v", x.Hatch.Width)
	}
}

// partSections reads the [[section]] tables of a part.
func (l *loader) partSections(p *part, v any) {
	each(p, "section", v, sectionKeys, func(t keytable.Table, x sectionTable, _ keytable.RawTable) {
		completeSection(t, &x)
		x.Limited = true // to the solids of a copy of the part
		p.sections = append(p.sections, partSection{t, x})
	})
}

// partSection is a section of a part, with the table that defines it.
type partSection struct {
	table keytable.Table
	sectionTable
}

// placed transforms a section of a part to scene coordinates; f is the transformation of a copy of the part.
func (s Section) placed(f *transform) Section {
	if f.rotation != geom.Identity() {
		s.stated = f.rotation.MulVec(s.Normal)
		s.Normal, _ = geom.Direction(s.stated)
	}
	s.Point = f.point(s.Point)
	s.Hatch.Width, s.Hatch.Distance = float64(s.Hatch.Width*f.scale), float64(s.Hatch.Distance*f.scale)
	return s
}

// sections adds the sections of a copy of a part to the scene, before its solids. If the copy puts a section outside the
// limits, sections returns the index of the section and an error.
func (e *expander) sections(p *part, in *instance) (int, error) {
	for i := range p.sections {
		from := &p.sections[i]
		x := from.placed(&in.transform)
		if !geom.IsCoordinate(x.Point) {
			return i, fmt.Errorf("outside the limits: point: coordinates must be finite and at most %g in magnitude, got %v", geom.MaxCoordinate, x.Point)
		}
		if x.Hatch.Enabled {
			if d := x.Hatch.Distance; !keytable.Sizes().Contain(d) {
				return i, fmt.Errorf("outside the limits: hatch_distance: %s, got %v", keytable.Sizes().Requirement(d), d)
			}
			if w := x.Hatch.Width; !keytable.Sizes().Contain(w) || x.Hatch.check() != nil {
				return i, fmt.Errorf("outside the limits: hatch_width: must be positive and less than hatch_distance, %v, got %v", x.Hatch.Distance, w)
			}
		}
		if x.Name != "" && in.named {
			x.Name = in.prefix + x.Name
		} else {
			x.Name = ""
		}
		x.source = &placedSection{from.table, in.transform}
		e.scene.Sections = append(e.scene.Sections, x)
		e.sectionTables = append(e.sectionTables, tableOfSection{from.table, from.scope, p, e.next})
	}
	return 0, nil
}

// ownSections returns the sections of the scene itself, without those of placements. s must have parts.
func (s *Scene) ownSections() []Section {
	return s.Sections[:min(len(s.root.ownSections), len(s.Sections))]
}

// SectionTable returns the table that defines the section with the given index in s.Sections. The result key is the table's
// key, such as section[2]. The result file is the name of the file with the table: the scene's own or an included one.
// SectionTable returns false for a section from a placement, and if s was not read from a file or is detached from it.
func (s *Scene) SectionTable(index int) (key, file string, ok bool) {
	if s.root == nil || index >= len(s.ownSections()) {
		return "", "", false
	}
	t := s.root.ownSections[index]
	return t.Key(""), t.Report.File, true
}

// SectionPoint is the key with the point of a section.
type SectionPoint struct {
	Key, File string    // such as part.housing.section[0].point, and the name of the file with the key
	Value     geom.Vec3 // for the key, in the coordinates of the part
	Scale     float64   // by which the placement multiplies lengths of the part
}

// SectionThrough returns how to put the section with the given index in s.Sections through the point p of the scene. In a
// part, this moves the sections of all its copies. SectionThrough returns false if s was not read from a file or is detached
// from it.
func (s *Scene) SectionThrough(index int, p geom.Vec3) (SectionPoint, bool) {
	if s.root == nil || index >= len(s.Sections) {
		return SectionPoint{}, false
	}
	if in := s.Sections[index].source; in != nil {
		return SectionPoint{in.table.Key("point"), in.table.Report.File, in.transform.inverse(p), in.transform.scale}, true
	}
	key, file, ok := s.SectionTable(index)
	return SectionPoint{key + ".point", file, p, 1}, ok
}

// tableOfSection is the table of a section of the scene itself, or of a copy of a part.
type tableOfSection struct {
	keytable.Table
	scope
	part  *part
	first [kindCount]int // the index of the first solid of each kind of the copy
}

// scope holds the values of the keys on and except of a section, and what they name in its part.
type scope struct {
	rawOn, rawExcept any
	on, except       []solidSet // set by aim
}

// aim finds what the names mean. It reports those that do not mean exactly one thing.
func (x *scope) aim(l *loader, p *part, t keytable.Table) {
	x.on, x.except = l.solidSets(p, t, "on", x.rawOn), l.solidSets(p, t, "except", x.rawExcept)
}

// aimSections finds what the sections of the scene and of its parts are limited to, also in parts without copies. It must
// be called before expand, which copies the sections of parts.
func (l *loader) aimSections() {
	for i := range l.sectionTables {
		t := &l.sectionTables[i]
		t.aim(l, t.part, t.Table)
	}
	for _, name := range l.partNames {
		p := l.parts[name]
		for i := range p.sections {
			p.sections[i].aim(l, p, p.sections[i].table)
		}
	}
}

// limitSections finds the solids that sections are limited to. It must be called after expand.
func (l *loader) limitSections() {
	if l.failed() || len(l.sectionTables) != len(l.scene.Sections) {
		return
	}
	for i := range l.sectionTables {
		t, x := &l.sectionTables[i], &l.scene.Sections[i]
		if !x.Limited {
			continue
		}
		x.Solids = l.solidsOfCopy(t)
		switch {
		case t.rawOn != nil:
			x.Solids = l.solidsOf(t, t.on)
		case t.rawExcept != nil:
			x.Solids = common(x.Solids, others(l.solidsOf(t, t.except), l.scene.Objects.Len()))
		}
	}
}

// solidsOfCopy returns the solids of the copy of a part to which a section belongs.
func (l *loader) solidsOfCopy(t *tableOfSection) (all []Range) {
	firsts := l.scene.firsts()
	for k, n := range t.part.total {
		if n > 0 {
			all = append(all, Range{firsts[k] + t.first[k], n})
		}
	}
	return united(all)
}

// common returns the object numbers that are in both of two lists of united ranges.
func common(a, b []Range) (all []Range) {
	for len(a) > 0 && len(b) > 0 {
		endA, endB := a[0].First+a[0].Count, b[0].First+b[0].Count
		if from, to := max(a[0].First, b[0].First), min(endA, endB); from < to {
			all = append(all, Range{from, to - from})
		}
		if endA < endB {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return all
}

// solidsOf returns the solids of the section's copy of a part that belong to any of the sets.
func (l *loader) solidsOf(t *tableOfSection, sets []solidSet) (all []Range) {
	e := &expander{scene: l.scene, first: l.scene.firsts()}
	for i := range sets {
		switch x := &sets[i]; {
		case x.path != nil:
			all = e.pathSolids(t.part, t.first, x.path, all)
		case x.part != nil:
			all = e.placed(t.part, x.part, t.first, all)
		default:
			all = append(all, common(l.solidsOfCopy(t), l.withMaterial(x.material.index))...)
		}
	}
	return united(all)
}

// others returns the object numbers below n that are in none of the united ranges.
func others(list []Range, n int) (all []Range) {
	next := 0
	for _, r := range append(slices.Clip(list), Range{First: n}) {
		if r.First > next {
			all = append(all, Range{next, r.First - next})
		}
		next = r.First + r.Count
	}
	return all
}

// idleSections warns about sections that take nothing away or everything, and about annotations of what is taken away.
func (l *loader) idleSections() {
	s := l.scene
	if len(s.Sections) == 0 || l.failed() || l.incomplete || s.Moves() || s.Objects.Len() == 0 {
		return
	}
	whole := *s
	tables := make([]keytable.Table, len(l.sectionTables))
	for i := range tables {
		tables[i] = l.sectionTables[i].Table
	}
	warnEach(tables, s.Sections, func(x *Section) string {
		if whole.Sections = []Section{*x}; len(whole.Cuts(false)) == 0 {
			return "has no effect: the section takes nothing away"
		}
		if i := s.covering(x); i >= 0 {
			return fmt.Sprintf("has no effect: %s takes away all that it takes away", SectionLabel(i))
		}
		return ""
	})
	cuts := s.cutsByNumber(false)
	l.allTakenAway(cuts)
	l.notesTakenAway(cuts)
}

// covering returns the index of a section that faces in the same direction and takes away more than x, one of s.Sections, or
// the same as a later x. It returns -1 if there is none.
func (s *Scene) covering(x *Section) int {
	isBefore := true
	for i := range s.Sections {
		y := &s.Sections[i]
		if y == x {
			isBefore = false
			continue
		}
		alike := y.Normal == x.Normal && y.LightWhole == x.LightWhole && (!y.Limited || x.Limited && slices.Equal(x.Solids, y.Solids))
		if cut := y.shape(i); alike && (cut.Beyond(x.Point) > 0 || cut.Beyond(x.Point) == 0 && isBefore) {
			return i
		}
	}
	return -1
}

// allTakenAway warns if sections remove all solids. cuts are those of the scene.
func (l *loader) allTakenAway(cuts map[int][]shapes.Section) {
	n := l.scene.Objects.Len()
	for number := range n {
		if by, isCut := cuts[number]; !isCut || len(by) > 0 {
			return
		}
	}
	if n > 0 {
		l.sectionTables[0].Warn("", problem.CodeNoSolids, "sections take all solids away: the picture shows only the background; a normal points to what is taken away")
	}
}

// maxTakenAway bounds the number of pairs of an annotation's point and a solid that notesTakenAway examines.
const maxTakenAway = 1 << 20

// solids returns the number of solids to which a point refers.
func (x *Point) solids() (n int) {
	for _, r := range x.On {
		n += r.Count
	}
	return n
}

// notesTakenAway warns about annotations that point to what sections take away. cuts are those of the scene.
func (l *loader) notesTakenAway(cuts map[int][]shapes.Section) {
	s := l.scene
	a, tables := &s.Annotations, &s.noteTables
	left := maxTakenAway
	flaw := func(points ...*Point) string {
		for _, x := range points {
			if left -= x.solids(); left < 0 {
				return ""
			}
			if flaw := s.cutFlaw(cuts, x); flaw != "" {
				return flaw
			}
		}
		return ""
	}
	warnEach(tables.labels, a.Labels, func(x *Label) string { return flaw(&Point{At: x.At, On: x.On}) })
	warnEach(tables.dimensions, a.Dimensions, func(x *Dimension) string {
		if by, isCut := cuts[x.Solid]; x.Across == "" || !isCut || len(by) > 0 {
			return ""
		}
		return fmt.Sprintf("measures %s, which sections remove", s.locatedLabel(x.Solid))
	})
	warnEach(tables.lines, a.Lines, func(x *Line) string { return flaw(&x.From, &x.To) })
	warnEach(tables.angles, a.Angles, func(x *Angle) string { return flaw(&x.At, &x.From, &x.To) })
	warnEach(tables.markers, a.Markers, func(x *Marker) string { return flaw(&x.At) })
}

// cutFlaw returns that sections take away the point of solids to which an annotation refers, or "". cuts are those of the
// scene. A point with coordinates has no flaw: it may be meant to lie in the open.
func (s *Scene) cutFlaw(cuts map[int][]shapes.Section, x *Point) (flaw string) {
	single, anyLeft := len(x.On) == 1 && x.On[0].Count == 1, false
	for _, r := range x.On {
		for n := r.First; n < r.First+r.Count; n++ {
			by, isCut := cuts[n]
			isRemoved := isCut && len(by) == 0
			anyLeft = anyLeft || !isRemoved
			if isRemoved || !single && !shapes.Contains(s.Solid(n), x.At) {
				continue
			}
			beyond := slices.IndexFunc(by, func(c shapes.Section) bool { return c.Beyond(x.At) > 0 })
			if beyond < 0 {
				return "" // this solid is left at the point
			}
			flaw = fmt.Sprintf("points to what %s takes away: give coordinates instead of a name", text.Escape(SectionLabel(by[beyond].Index)))
		}
	}
	if len(x.On) > 0 && !anyLeft {
		return fmt.Sprintf("points to %s, which sections remove", s.locatedLabel(x.On[0].First))
	}
	return flaw
}
