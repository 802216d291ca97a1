package scene

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pillbox/internal/text"
	"pillbox/problem"
)

// measure counts what each part makes, including its nested placements, before anything is built. It reports placements that
// cannot be expanded: placements of a part that contains itself, placements that are nested too deep, and placements that make
// too much.
func (l *loader) measure() {
	m := measuring{open: make(map[*part]bool), counts: make(map[*part]partCounts), tables: l.tables}
	for _, name := range l.partNames {
		m.part(l.parts[name])
	}
	root := l.scene.root
	m.part(root)
	limit := func(limit int, noun string, of func(partCounts) float64) { l.limit(&m, limit, noun, of) }
	limit(l.mostPlaced, "solids", func(n partCounts) float64 { return n.solids })
	limit(min(MaxPlacedLights, l.mostPlaced), "lights", func(n partCounts) float64 { return n.lights })
	limit(MaxPlacedNames, "bytes of names", func(n partCounts) float64 { return n.nameBytes })
	if own := len(root.notes); own > MaxAnnotations {
		root.notes[MaxAnnotations].where().Missing("", problem.CodeTooManySolids, "a scene must have at most %d annotations, but has %d", MaxAnnotations, own)
	} else {
		limit(MaxAnnotations-own, "annotations", func(n partCounts) float64 { return n.notes })
	}
	sections := func(n partCounts) float64 { return n.sections }
	switch own := len(l.scene.Sections); {
	case own == 0:
		limit(MaxSections, "sections", sections)
	case own <= MaxSections:
		limit(MaxSections-own, fmt.Sprintf("sections besides the %d of the scene itself", own), sections)
	}
}

// limit reports an error if the placements of the scene make more than the limit. The function of selects one of the counts,
// and noun names it in the message. The position of the error is that of the placement that makes the most.
func (l *loader) limit(m *measuring, limit int, noun string, of func(partCounts) float64) {
	sum, most := 0.0, (*place)(nil)
	placed := func(pl *place) float64 { return of(m.placed(pl)) }
	for _, pl := range l.scene.root.places {
		if pl.part != nil {
			sum += placed(pl)
			if most == nil || placed(pl) > placed(most) {
				most = pl
			}
		}
	}
	if sum > float64(limit) {
		most.table.Missing("", problem.CodeTooManySolids, "placements must make at most %d %s, but they make %.15g, %.15g of them here", limit, noun, sum, placed(most))
	}
}

// measuring visits all parts, depth first: a part comes after the parts that it places.
type measuring struct {
	path   []*part        // unfinished parts, each of which places the next
	open   map[*part]bool // the same parts, as a set
	counts map[*part]partCounts
	tables *tables // with the names of solids
}

// partCounts are the counts of what a finished part makes. Those of a part that is not placed can exceed an int.
type partCounts struct {
	solids, lights, notes, sections float64

	named, nameBytes float64 // the solids and lights with names in this part, and the bytes of these names
}

// placed returns the counts of all copies of a placement. The names lack the numbers of the copies.
func (m *measuring) placed(pl *place) partCounts {
	n, copies := m.counts[pl.part], float64(pl.copies)
	if pl.name == "" {
		n.named, n.nameBytes = 0, 0
	}
	longer := float64(n.named * float64(len(pl.name)+len("/")))
	return partCounts{
		float64(copies * n.solids), float64(copies * n.lights), float64(copies * n.notes), float64(copies * n.sections),
		float64(copies * n.named), float64(copies * (n.nameBytes + longer)),
	}
}

func (n *partCounts) addCounts(o partCounts) {
	n.solids += o.solids
	n.lights += o.lights
	n.notes += o.notes
	n.sections += o.sections
	n.named += o.named
	n.nameBytes += o.nameBytes
}

// own returns the counts of a part without its placements.
func (m *measuring) own(p *part) partCounts {
	n := partCounts{lights: float64(len(p.lights)), notes: float64(len(p.notes)), sections: float64(len(p.sections))}
	names := func(s *solids) {
		for _, o := range s.objects {
			if o.name > 0 {
				n.named++
				n.nameBytes += float64(len(m.tables.name(o)))
			}
		}
	}
	for k := range kindCount {
		n.solids += float64(len(p.own[k].objects))
		names(&p.own[k])
	}
	for _, b := range p.bulks {
		n.solids += float64(b.count)
		names(&b.solids)
	}
	for i := range p.lights {
		if name := p.lights[i].Name; name != "" {
			n.named++
			n.nameBytes += float64(len(name))
		}
	}
	return n
}

func (m *measuring) part(p *part) {
	if _, done := m.counts[p]; done {
		return
	}
	m.open[p], m.path = true, append(m.path, p)
	n := m.own(p)
	p.named = n.named > 0 || slices.ContainsFunc(p.bulks, func(b *bulk) bool { return b.index.name >= 0 })
	for _, pl := range p.places {
		if pl.part == nil {
			continue
		}
		if m.open[pl.part] {
			m.reportCycle(pl)
			pl.part = nil
			continue
		}
		m.part(pl.part)
		if p.height = max(p.height, pl.part.height+1); pl.part.height == MaxNesting {
			pl.table.Missing("", problem.CodeTooDeep, "placements must nest at most %d deep, but nest %d here", MaxNesting, MaxNesting+1)
		}
		n.addCounts(m.placed(pl))
		p.named = p.named || pl.name != "" && pl.part.named
	}
	m.counts[p] = n
	m.open[p], m.path = false, m.path[:len(m.path)-1]
}

// reportCycle reports a placement of an unfinished part, which would contain itself.
func (m *measuring) reportCycle(pl *place) {
	first := len(m.path) - 1
	for m.path[first] != pl.part {
		first--
	}
	// Shorten the message: a cycle may have ten thousand parts.
	const most = 8
	inner, more := m.path[first:], ""
	if len(inner) > most {
		inner, more = slices.Concat(inner[:most/2], inner[len(inner)-most/2:]), fmt.Sprintf(" contains ... (%d parts more)", len(inner)-most)
	}
	var cycle strings.Builder
	for i, p := range inner {
		cycle.WriteString(text.EscapeName(text.Shorten(p.name)))
		if i == most/2-1 {
			cycle.WriteString(more)
		}
		cycle.WriteString(" contains ")
	}
	cycle.WriteString(text.EscapeName(text.Shorten(pl.part.name)))
	pl.table.Wrong("part", problem.CodeCycle, "a part must not contain itself: %s", &cycle)
}

// numberSolids counts the solids, lights and annotations of a part, including those of its placements. It stores the index
// at which each placement and each bulk table begins. Every placement must have a part.
func (p *part) numberSolids() {
	if p.numbered {
		return
	}
	p.numbered = true
	for k := range kindCount {
		p.total[k] = len(p.own[k].objects)
	}
	p.allLights, p.allNotes = len(p.lights), len(p.notes)
	for _, pl := range p.places {
		pl.part.numberSolids()
		pl.first, pl.firstLight = p.total, p.allLights
		p.allLights += pl.copies * pl.part.allLights
		p.allNotes += pl.copies * pl.part.allNotes
		for k := range kindCount {
			p.total[k] += pl.copies * pl.part.total[k]
		}
	}
	for _, b := range p.bulks {
		b.first = p.total[b.kind]
		p.total[b.kind] += b.count
	}
}

// expand builds the solids, lights and annotations of the scene from its parts. It reports placements that move any
// of them outside the limits.
func (l *loader) expand() {
	s := l.scene
	if l.failed() {
		s.root.places = nil // their parts may be invalid, or they may have too many solids
		s.root.notes = nil
	}
	s.root.numberSolids()
	e := &expander{scene: s, valid: []bool{}, rows: kindTable()}
	e.adopt()
	e.makeRoom()
	l.valid = e.valid
	e.root(func(pl *place, err error) {
		code, verb := problem.CodePlacedOutOfRange, "puts"
		if errors.Is(err, errGhostMirror) {
			code, verb = problem.CodeConflict, "makes"
		}
		pl.table.Missing("", code, "%s %s", verb, text.Escape(err.Error()))
	})
	e.share()
	l.sectionTables = append(l.sectionTables, e.sectionTables...)
}

// expander fills the slices of a scene with the solids of its parts. For each kind and each part, the order is that
// of [part.number]: its own tables, its placements, its bulk tables. It does not modify the parts, except in share,
// so several scenes can share them.
type expander struct {
	scene     *Scene
	first     [kindCount]int // object number of the first solid of each kind
	next      [kindCount]int // index of the next solid of each kind
	valid     []bool         // by object number, whether the solid is valid; nil if all are known to be valid
	rows      [kindCount]kindRow
	transform transform // of the current copy; a field, so that copies need no allocation

	nextLight int // index of the next light of a placement

	hulls hulls

	sectionTables []tableOfSection // those of the sections that were added
}

// newExpander allocates the slices of a scene whose parts are numbered.
func newExpander(s *Scene) *expander {
	for k := range kindCount {
		k.row().adopt(s, new(solids))
	}
	s.Objects = Objects{}
	s.Annotations.clearCounted()
	s.noteTables = noteTables{}
	s.Sections = slices.Clip(s.ownSections())
	e := &expander{scene: s, rows: kindTable()}
	e.makeRoom()
	return e
}

// adopt looks for kinds of solids that all come from one place: the scene's own tables, or one bulk table. For such a
// kind, the scene uses the slice that was read, without a copy.
func (e *expander) adopt() {
	for k := range kindCount {
		e.adoptFrom(k, &e.scene.root.own[k])
	}
	for _, b := range e.scene.root.bulks {
		e.adoptFrom(b.kind, &b.solids)
	}
}

func (e *expander) adoptFrom(k Kind, from *solids) {
	s, total := e.scene, e.scene.root.total
	n := len(from.objects)
	if n == 0 || n != total[k] {
		return
	}
	k.row().adopt(s, from)
	if n == sum(total[:]) {
		s.Objects.list, e.valid = from.objects, from.valid
	}
}

// makeRoom allocates the scene's slices, except those that adopt has set.
func (e *expander) makeRoom() {
	s, total := e.scene, e.scene.root.total
	for k := range kindCount {
		e.first[k] = sum(total[:k])
		k.row().exactly(s, total[k])
	}
	s.Objects.list = exactly(s.Objects.list, sum(total[:]))
	s.Objects.tables = s.root.tables.clipped()
	if e.valid != nil {
		e.valid = exactly(e.valid, s.Objects.Len())
	}
	if n := s.root.allLights; n > len(s.root.lights) {
		lights := make([]Light, n)
		copy(lights, s.Lights) // the scene's own lights; root adds those of placements
		s.Lights = lights
	}
}

func sum(numbers []int) (n int) {
	for _, x := range numbers {
		n += x
	}
	return n
}

// exactly returns s if it has n elements, and otherwise a new slice of n zeros.
func exactly[T any](s []T, n int) []T {
	if len(s) != n || s == nil {
		return make([]T, n)
	}
	return s[:n:n]
}

// root adds all solids. It calls report for each placement that puts a solid, light or annotation outside the limits.
func (e *expander) root(report func(*place, error)) {
	root := e.scene.root
	identity := identityTransform()
	_, _ = e.annotate(root, &identity) // no error: the scene's own annotations are within the limits
	for k := range kindCount {
		e.copy(k, &root.own[k])
	}
	for _, pl := range root.places {
		e.next, e.nextLight = pl.first, pl.firstLight // set in any case, because the previous placement may have failed
		if err := e.place(pl, &instance{transform: identityTransform(), named: true, whole: true}); err != nil {
			report(pl, err)
		}
	}
	for _, b := range root.bulks {
		e.next[b.kind] = b.first // set here, too, because a previous placement may have failed
		e.copy(b.kind, &b.solids)
	}
	e.scene.centerPoints()
}

// copy adds solids of the scene itself, which need no transformation. It copies nothing if s uses the
// slice of the scene, see adopt.
func (e *expander) copy(k Kind, s *solids) {
	i, number := e.next[k], e.first[k]+e.next[k]
	k.row().copy(e.scene, i, s)
	joined(e.scene.Objects.list[:number], s.objects)
	if e.valid != nil {
		joined(e.valid[:number], s.valid)
	}
	e.next[k] += len(s.objects)
}

// share makes the scene's own tables and bulk tables refer to the slices of the scene, so that their
// solids are in memory only once.
func (e *expander) share() {
	root := e.scene.root
	for k := range kindCount {
		root.own[k] = e.slice(k, 0, len(root.own[k].objects))
	}
	for _, b := range root.bulks {
		b.solids = e.slice(b.kind, b.first, b.count)
	}
}

// slice returns n solids of a kind in the scene, starting at index first.
func (e *expander) slice(k Kind, first, n int) solids {
	s := solids{objects: e.scene.Objects.list[e.first[k]+first:][:n]}
	k.row().share(&s, e.scene, first, n)
	return s
}

// instance is a copy of a part in the scene, at any depth of nesting.
type instance struct {
	transform transform // in the scene
	surface   *uint32   // index of the material for solids without a surface of their own; nil if they keep the default
	ghost     float64   // share of solids that state none; 0 if they keep that of their material
	prefix    string    // prefix of the names of its solids
	named     bool      // all placements that lead to it have names
	whole     bool      // it is the scene itself
}

// place adds the copies of a placement. around is the instance of the part that contains the placement. The error
// names a solid, light or annotation that is outside the limits.
func (e *expander) place(pl *place, around *instance) error {
	if pl.part.total == ([kindCount]int{}) && pl.part.allLights == 0 && pl.part.allNotes == 0 {
		return nil // sections of a part without solids cut nothing
	}
	in := instance{named: around.named && pl.name != ""}
	for i := range pl.copies {
		if around.whole {
			e.hulls.next()
		}
		c := pl.ofCopy(i)
		f := c.copyTransform(i)
		in.transform = f.within(&around.transform)
		if in.surface = c.surface; in.surface == nil {
			in.surface = around.surface
		}
		if in.ghost = c.ghost; in.ghost == 0 {
			in.ghost = around.ghost
		}
		if in.named && pl.part.named {
			in.prefix = around.prefix + pl.segment(i) + "/"
		}
		if err := e.part(c.part, &in); err != nil {
			return fmt.Errorf("%s/%w", text.Shorten(pl.segment(i)), err)
		}
	}
	return nil
}

// part adds the solids, lights and annotations of an instance of a part, including those of its placements.
func (e *expander) part(p *part, in *instance) error {
	if len(p.notes) > 0 {
		if t, err := e.annotate(p, &in.transform); err != nil {
			return fmt.Errorf("%s %w", text.ShortenMiddle(t.Key("")), err)
		}
	}
	if i, err := e.sections(p, in); err != nil {
		return fmt.Errorf("%s %w", text.ShortenMiddle(p.sections[i].table.Key("")), err)
	}
	for k := range kindCount {
		if i, err := e.solids(k, &p.own[k], in); err != nil {
			return fmt.Errorf("%s (%s) %w", text.Shorten(segmentOf(p, k, nil, i)), text.ShortenMiddle(p.element(k, i).Key("")), err)
		}
	}
	if i, err := e.lights(p, in); err != nil {
		return fmt.Errorf("%s (%s) %w", text.Shorten(p.lightSegment(i)), text.ShortenMiddle(p.lights[i].table.Key("")), err)
	}
	for _, pl := range p.places {
		if err := e.place(pl, in); err != nil {
			return err
		}
	}
	for _, b := range p.bulks {
		if i, err := e.solids(b.kind, &b.solids, in); err != nil {
			return fmt.Errorf("%s %w", segmentOf(p, b.kind, b, i), err)
		}
	}
	return nil
}

// surface sets the material of a solid in an instance.
func (e *expander) surface(o *object, has surfaceFlags, in *instance) (err error) {
	t, ghost := &e.scene.Objects.tables, in.ghost
	if has&hasGhost != 0 {
		ghost = shareOf(t.materials[o.material].Ghost)
	}
	if has&hasSurface == 0 && in.surface != nil {
		o.material = *in.surface
	}
	if t.ghosts || ghost > 0 {
		o.material, err = e.hulls.of(t, o.material, ghost)
	}
	return err
}

// solids adds solids of an instance of a part. If one is outside the limits, it returns the index of
// that solid and the reason.
func (e *expander) solids(k Kind, s *solids, in *instance) (int, error) {
	if len(s.objects) == 0 {
		return 0, nil
	}
	e.transform = in.transform
	n, err := e.rows[k].place(e.scene, e.next[k], s, &e.transform)
	if err != nil {
		err = fmt.Errorf("outside the limits: %w", err)
	}
	for i, o := range s.objects[:n] {
		if err := e.surface(&o, s.has[i], in); err != nil {
			return i, err
		}
		if o.name = 0; in.named && s.objects[i].name > 0 {
			o.name = e.scene.Objects.addName(in.prefix + e.scene.Objects.name(s.objects[i]))
		}
		number := e.first[k] + e.next[k]
		e.scene.Objects.list[number] = o
		if e.valid != nil {
			e.valid[number] = true
		}
		e.next[k]++
	}
	return n, err
}
