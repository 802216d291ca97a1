package scene

import (
	"slices"
	"strings"

	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/problem"
)

// solidSet is what a name means: a solid or placement, a part, or a material.
type solidSet struct {
	path     *target // to a solid or placement; nil for a part or material
	part     *part   // nil for a material
	material *material
}

// solidSetWords is what a name must be to mean a set of solids.
const solidSetWords = "must be the name of a solid, placement, part or material"

// solidSets returns what v, a name or an array of names, means in a part.
func (l *loader) solidSets(p *part, t keytable.Table, key string, v any) (all []solidSet) {
	add := func(key string, v any) {
		if x, ok := l.solidSet(p, t, key, v); ok {
			all = append(all, x)
		}
	}
	switch v := v.(type) {
	case nil:
	case string:
		add(key, v)
	case []any:
		if len(v) == 0 {
			t.Wrong(key, problem.CodeWrongLength, "must not be empty")
		}
		for i, v := range v {
			add(keytable.Indexed(key, i), v)
		}
	default:
		t.WrongType(key, v, solidSetWords+", or an array of such names")
	}
	return all
}

// solidSet returns what v, a name, means in a part. It reports a name that does not mean exactly one thing.
func (l *loader) solidSet(p *part, t keytable.Table, key string, v any) (x solidSet, ok bool) {
	name, isText := v.(string)
	if !isText {
		t.WrongType(key, v, solidSetWords)
		return x, false
	}
	found := l.meanings(p, name)
	switch {
	case len(found) == 1:
		return found[0], true
	case len(found) > 1:
		t.Wrong(key, problem.CodeAmbiguousTarget, "may mean %s", text.Series(readings(name, found), "or"))
	case l.materials != nil && !l.lacksInclude && !l.lacksParts && !l.lacksSolids():
		l.unknownSolids(p, t, key, name)
	}
	return x, false
}

// readings returns the meanings of a name, each as a name that has no other meaning.
func readings(name string, found []solidSet) (list []string) {
	for _, x := range found {
		switch {
		case x.path != nil:
			list = append(list, x.path.String())
		case x.part != nil:
			list = append(list, partPrefix+text.Shorten(name))
		default:
			list = append(list, materialPrefix+text.Shorten(name))
		}
	}
	return list
}

// meanings returns everything that has a name in a part.
func (l *loader) meanings(p *part, name string) (all []solidSet) {
	for _, named := range []string{name, strings.TrimPrefix(name, materialPrefix)} {
		if m := l.materialNamed(named); m != nil {
			all = append(all, solidSet{material: m})
			break
		}
	}
	for _, named := range []string{name, strings.TrimPrefix(name, partPrefix)} {
		if of := l.parts[named]; of != nil {
			all = append(all, solidSet{part: of})
			break
		}
	}
	s := l.search()
	s.inParts(name)
	s.dropOthers()
	for _, path := range append(l.solidTargets(p, name), s.found...) {
		all = append(all, solidSet{path: &path})
	}
	return all
}

// materialNamed returns the material with a name, or nil.
func (l *loader) materialNamed(name string) *material {
	if l.materials == nil {
		return nil
	}
	return l.materials.named[name]
}

// unknownSolids reports a name that has no meaning in a part.
func (l *loader) unknownSolids(p *part, t keytable.Table, key, name string) {
	if other := l.otherThing(p, name); other != "" {
		t.Wrong(key, problem.CodeUnknownTarget, solidSetWords+", not of %s", other)
		return
	}
	inPart := partPrefix + name
	if of := l.partOfSolid(name); of != "" {
		inPart = partPrefix + of + "/" + name
	}
	if len(l.meanings(p, inPart)) > 0 {
		t.Wrong(key, problem.CodeUnknownTarget, solidSetWords+": write %q for all copies of the part", text.Shorten(inPart))
		return
	}
	unknown := t.Wrong(key, problem.CodeUnknownTarget, solidSetWords)
	if !l.Speller.Stopped { // listing all names takes long
		l.Speller.Suggest(&unknown.Error, name, slices.Concat(p.solidNames(), l.partNames, l.materials.names))
	}
}

// partOfSolid returns the name of a part that has a solid or placement with a name, or "".
func (l *loader) partOfSolid(name string) string {
	if l.partsOfSolids == nil {
		l.partsOfSolids = make(map[string]string)
		for _, of := range slices.Backward(l.partNames) {
			for _, name := range l.parts[of].solidNames() {
				l.partsOfSolids[name] = of
			}
		}
	}
	return l.partsOfSolids[name]
}

// otherThing returns what a name means in a part that is neither a solid nor a placement, such as light[0], or "".
func (l *loader) otherThing(p *part, name string) string {
	s := l.search()
	if p.isRoot() {
		s.whole(name)
	}
	s.within(target{base: p, part: p}, name)
	if len(s.found) == 0 {
		return ""
	}
	return s.found[0].String()
}

// pathSolids appends to all the solids that a path leads to in an instance of the part p: in all copies of a placement
// without an index and, if the path begins in another part, in all copies of that part.
func (e *expander) pathSolids(p *part, first [kindCount]int, path *target, all []Range) []Range {
	if path.base == p {
		return append(all, e.rangesOfAll(p, first, path.hops, path.element)...)
	}
	e.eachCopy(p, path.base, first, func(first [kindCount]int) {
		all = append(all, e.rangesOfAll(path.base, first, path.hops, path.element)...)
	})
	return all
}

// rangesOfAll returns the solids that a path leads to, like ranges, but in all copies of a placement without an index.
func (e *expander) rangesOfAll(p *part, first [kindCount]int, hops []hop, end element) (all []Range) {
	if len(hops) == 0 {
		return e.ranges(p, first, nil, end)
	}
	h := hops[0]
	pl := p.places[h.place]
	from, to := h.copy, h.copy+1
	if h.copy == allCopies {
		from, to = 0, pl.copies
	}
	for copy := from; copy < to; copy++ {
		inner := first
		for k := range kindCount {
			inner[k] += pl.first[k] + copy*pl.part.total[k]
		}
		all = append(all, e.rangesOfAll(pl.part, inner, hops[1:], end)...)
	}
	return all
}
