package scene

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/internal/text"
)

// measure finds out how many solids each part is made of, nested placements included, before any
// is built. It reports placements that cannot be expanded: parts that contain themselves, and
// placements that nest too deep or make too many solids.
func (l *loader) measure() {
	m := measuring{open: make(map[*part]bool), solids: make(map[*part]float64)}
	for _, name := range l.partNames {
		m.part(l.parts[name])
	}
	root := l.scene.root
	m.part(root)
	sum, most := 0.0, (*place)(nil)
	for _, pl := range root.places {
		if pl.part != nil {
			sum += m.placed(pl)
			if most == nil || m.placed(pl) > m.placed(most) {
				most = pl
			}
		}
	}
	if sum > float64(l.mostPlaced) {
		most.table.missing("", CodeTooManySolids, "placements must make at most %d solids, but they make %.15g, %.15g of them here", l.mostPlaced, sum, m.placed(most))
	}
}

// measuring is a walk through all parts, those that a part places before itself.
type measuring struct {
	path   []*part           // those that are not finished, each placed by the one before
	open   map[*part]bool    // the same
	solids map[*part]float64 // of those that are; parts that nothing places may have more than an int holds
}

// placed returns how many solids the copies of a placement are made of.
func (m *measuring) placed(pl *place) float64 { return float64(float64(pl.copies) * m.solids[pl.part]) }

func (m *measuring) part(p *part) {
	if _, done := m.solids[p]; done {
		return
	}
	m.open[p], m.path = true, append(m.path, p)
	n := 0
	for k := range kindCount {
		n += len(p.own[k].objects)
		p.named = p.named || slices.ContainsFunc(p.own[k].objects, func(o object) bool { return o.name > 0 })
	}
	for _, b := range p.bulks {
		n += b.count
		p.named = p.named || b.index.name >= 0
	}
	solids := float64(n)
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
			pl.table.missing("", CodeTooDeep, "placements must nest at most %d deep, but nest %d here", MaxNesting, MaxNesting+1)
		}
		solids += m.placed(pl)
		p.named = p.named || pl.name != "" && pl.part.named
	}
	m.solids[p] = solids
	m.open[p], m.path = false, m.path[:len(m.path)-1]
}

// reportCycle reports a placement of a part that is not finished.
func (m *measuring) reportCycle(pl *place) {
	first := len(m.path) - 1
	for m.path[first] != pl.part {
		first--
	}
	// A chain may have ten thousand parts, each of which places the first one again.
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
	pl.table.wrong("part", CodeCycle, "a part must not contain itself: %s", &cycle)
}

// number counts the solids of a part and of all that it places, and notes where each placement and
// each bulk table begins among them. None may be nil.
func (p *part) number() {
	if p.numbered {
		return
	}
	p.numbered = true
	for k := range kindCount {
		p.total[k] = len(p.own[k].objects)
	}
	for _, pl := range p.places {
		pl.part.number()
		pl.first = p.total
		for k := range kindCount {
			p.total[k] += pl.copies * pl.part.total[k]
		}
	}
	for _, b := range p.bulks {
		b.first = p.total[b.kind]
		p.total[b.kind] += b.count
	}
}

// expand builds the solids of the scene from its parts, and reports placements that put a solid
// outside the limits.
func (l *loader) expand() {
	s := l.scene
	if l.failed() {
		s.root.places = nil // their parts may be wrong, or too many
	}
	s.root.number()
	e := &expander{scene: s, valid: []bool{}, rows: kindTable()}
	e.adopt()
	e.makeRoom()
	l.valid = e.valid
	e.root(func(pl *place, err error) {
		pl.table.missing("", CodePlacedOutOfRange, "puts %s", text.Escape(err.Error()))
	})
	e.share()
}

// expander fills the slices of a scene with what its parts are made of. In each kind the order is
// that of [part.number], in every part: its own tables, its placements, its bulk tables. Nothing in
// the parts changes, so a scene that shares most of them can be expanded as well.
type expander struct {
	scene *Scene
	first [kindCount]int // the number of the first solid of each kind
	next  [kindCount]int // the index, in its kind, of the next
	valid []bool         // by number: nothing is wrong with the solid; nil: that is known
	rows  [kindCount]kindRow
	frame frame // of the solids that are placed: here, it costs no allocation for each copy
}

// newExpander makes new room for the solids of a scene whose parts are numbered.
func newExpander(s *Scene) *expander {
	for k := range kindCount {
		k.row().adopt(s, new(solids))
	}
	s.Objects = Objects{}
	e := &expander{scene: s, rows: kindTable()}
	e.makeRoom()
	return e
}

// adopt makes the solids of the scene's own tables, or of a bulk table, those of the scene, where they are
// all of a kind: then they are in memory once.
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

// makeRoom makes room for the solids, as far as none exists.
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
}

func sum(numbers []int) (n int) {
	for _, x := range numbers {
		n += x
	}
	return n
}

// exactly returns s if it has n elements, and otherwise n zeros. Their capacity is n.
func exactly[T any](s []T, n int) []T {
	if len(s) != n || s == nil {
		return make([]T, n)
	}
	return s[:n:n]
}

// root adds all solids. It reports the placements of which not all copies can be.
func (e *expander) root(report func(*place, error)) {
	root := e.scene.root
	for k := range kindCount {
		e.copy(k, &root.own[k])
	}
	for _, pl := range root.places {
		e.next = pl.first // also where the one before failed
		if err := e.place(pl, &instance{frame: identityFrame(), named: true}); err != nil {
			report(pl, err)
		}
	}
	for _, b := range root.bulks {
		e.next[b.kind] = b.first // likewise
		e.copy(b.kind, &b.solids)
	}
}

// copy adds solids of the scene itself, which need no transformation. Adopted solids are already there.
func (e *expander) copy(k Kind, s *solids) {
	i, number := e.next[k], e.first[k]+e.next[k]
	k.row().copy(e.scene, i, s)
	joined(e.scene.Objects.list[:number], s.objects)
	if e.valid != nil {
		joined(e.valid[:number], s.valid)
	}
	e.next[k] += len(s.objects)
}

// share gives the scene's own tables and bulk tables the slices of the scene for their solids, so
// that these are in memory once.
func (e *expander) share() {
	root := e.scene.root
	for k := range kindCount {
		root.own[k] = e.slice(k, 0, len(root.own[k].objects))
	}
	for _, b := range root.bulks {
		b.solids = e.slice(b.kind, b.first, b.count)
	}
}

// slice returns the solids of a kind from the first on.
func (e *expander) slice(k Kind, first, n int) solids {
	s := solids{objects: e.scene.Objects.list[e.first[k]+first:][:n]}
	k.row().share(&s, e.scene, first, n)
	return s
}

// instance is one copy of a part in the scene, wherever it is nested.
type instance struct {
	frame   frame   // in the scene
	surface *uint32 // the index of the material of bare solids; nil: the default, which they have
	prefix  string  // of names
	named   bool    // every placement around it has a name
}

// place adds the copies of a placement in an instance of the part that contains it. The error names a solid that
// ends up outside the limits.
func (e *expander) place(pl *place, around *instance) error {
	if pl.part.total == ([kindCount]int{}) {
		return nil
	}
	in := instance{named: around.named && pl.name != ""}
	for i := range pl.copies {
		c := pl.at(i)
		f := c.copyFrame(i)
		in.frame = f.within(&around.frame)
		if in.surface = c.surface; in.surface == nil {
			in.surface = around.surface
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

// part adds what a part is made of.
func (e *expander) part(p *part, in *instance) error {
	for k := range kindCount {
		if i, err := e.solids(k, &p.own[k], in); err != nil {
			return fmt.Errorf("%s (%s) %w", text.Shorten(segmentOf(p, k, nil, i)), text.ShortenMiddle(p.element(k, i).key("")), err)
		}
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

// solids adds solids of a part. If one ends up outside the limits, solids returns its index and the reason.
func (e *expander) solids(k Kind, s *solids, in *instance) (int, error) {
	if len(s.objects) == 0 {
		return 0, nil
	}
	e.frame = in.frame
	n, err := e.rows[k].place(e.scene, e.next[k], s, &e.frame)
	if err != nil {
		err = fmt.Errorf("outside the limits: %w", err)
	}
	for i, o := range s.objects[:n] {
		if s.bare[i] && in.surface != nil {
			o.material = *in.surface
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
