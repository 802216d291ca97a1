package scene

import (
	"slices"
	"strings"

	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/problem"
)

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
