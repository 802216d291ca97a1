package scene

import (
	"slices"
	"strings"

	"pillbox/internal/keytable"
	"pillbox/problem"
)

// fitted is an element of the camera's key fit: the solids that it names.
type fitted struct {
	key      string     // such as fit or fit[1]
	path     *solidPath // to a solid or placement; nil for a part or material
	part     *part      // nil for a material
	material *material
}

// fitNames returns the names in the camera's key fit, or nil if the camera shows all solids.
func (l *loader) fitNames() []string {
	switch v := l.rawFit.(type) {
	case string:
		if v != fitAll {
			return []string{v}
		}
	case []any:
		var names []string
		for _, v := range v {
			name, _ := v.(string)
			names = append(names, name)
		}
		return names
	}
	return nil
}

// framesMaterial reports whether the camera's key fit may name a material.
func (l *loader) framesMaterial(name string) bool {
	return slices.ContainsFunc(l.fitNames(), func(s string) bool { return strings.TrimPrefix(s, materialPrefix) == name })
}

// Prefixes of names of parts and materials that are also names of solids or placements.
const partPrefix, materialPrefix = "part.", "material."

// aimFraming finds what the camera's key fit names.
func (l *loader) aimFraming() (all []fitted) {
	t := l.Table("camera")
	list, isList := l.rawFit.([]any)
	switch {
	case l.scene.Framing == nil || l.rawFit == nil || l.rawFit == any(fitAll):
		return nil
	case !isList:
		if f, ok := l.aimFit(t, "fit", l.rawFit); ok {
			all = append(all, f)
		}
		return all
	case len(list) == 0 || len(list) > MaxAnnotations:
		t.Wrong("fit", problem.CodeWrongLength, "must be %q or have 1 to %d names", fitAll, MaxAnnotations)
	}
	for i, v := range list {
		if f, ok := l.aimFit(t, keytable.Indexed("fit", i), v); ok {
			all = append(all, f)
		}
	}
	return all
}

// aimFit finds what v, one name in the camera's key fit, names: a solid or placement or, if none has this name, a part or
// a material.
func (l *loader) aimFit(t keytable.Table, key string, v any) (f fitted, ok bool) {
	name, ok := v.(string)
	if !ok {
		t.WrongType(key, v, solidSetWords)
		return f, false
	}
	root := l.scene.root
	if len(l.solidTargets(root, name)) > 0 {
		found, ok := l.aimAt(root, t, key, v)
		return fitted{key: key, path: &solidPath{found.hops, found.element}}, ok
	}
	if p := l.parts[strings.TrimPrefix(name, partPrefix)]; p != nil {
		return fitted{key: key, part: p}, true
	}
	if l.materials == nil || l.lacksInclude || l.lacksParts || l.lacksSolids() {
		return f, false
	}
	if m := l.materials.named[strings.TrimPrefix(name, materialPrefix)]; m != nil {
		return fitted{key: key, material: m}, true
	}
	e := t.Wrong(key, problem.CodeUnknownTarget, "must be %q or the name of a solid, placement, part or material", fitAll)
	if !l.Speller.Stopped { // listing all names takes long
		l.Speller.Suggest(&e.Error, name, slices.Concat([]string{fitAll}, root.solidNames(), l.partNames, l.materials.names))
	}
	return f, false
}

// fitFraming sets the solids that the camera shows. It reports names without solids.
func (l *loader) fitFraming(all []fitted) {
	if len(all) == 0 || l.failed() || l.incomplete {
		return
	}
	e := &expander{scene: l.scene}
	e.first = l.scene.firsts()
	var on []Range
	for i := range all {
		f := &all[i]
		var more []Range
		switch {
		case f.path != nil:
			more = e.ranges(l.scene.root, [kindCount]int{}, f.path.hops, f.path.element)
		case f.part != nil:
			more = e.placed(l.scene.root, f.part, [kindCount]int{}, nil)
		default:
			more = l.withMaterial(f.material.index)
		}
		if len(more) == 0 {
			l.Table("camera").Wrong(f.key, problem.CodeUnknownTarget, "must name something with solids")
		}
		on = append(on, more...)
	}
	l.scene.Framing.Fit = united(on)
}

// firsts returns the object number of the first solid of each kind.
func (s *Scene) firsts() (first [kindCount]int) {
	for k := range kindCount {
		first[k] = s.Number(k, 0)
	}
	return first
}

// placed appends to on the solids of all copies of a part in an instance of the part p. first holds, for each kind, the
// index of the first solid of the instance.
func (e *expander) placed(p, of *part, first [kindCount]int, on []Range) []Range {
	e.eachCopy(p, of, first, func(first [kindCount]int) {
		for k, n := range of.total {
			if n > 0 {
				on = append(on, Range{e.first[k] + first[k], n})
			}
		}
	})
	return on
}

// eachCopy calls f for all copies of a part in an instance of the part p, with the index of the first solid of each kind of
// the copy. first holds those of the instance.
func (e *expander) eachCopy(p, of *part, first [kindCount]int, f func(first [kindCount]int)) {
	for _, pl := range p.places {
		for copy := range pl.copies {
			at := first
			for k := range kindCount {
				at[k] += pl.first[k] + copy*pl.part.total[k]
			}
			if pl.part == of {
				f(at)
			} else {
				e.eachCopy(pl.part, of, at, f)
			}
		}
	}
}

// withMaterial returns the solids with the owned material that has the given index, also where a solid or a placement
// changes the ghost.
func (l *loader) withMaterial(index uint32) (on []Range) {
	objects := &l.scene.Objects
	for i, o := range objects.list {
		if named, ok := objects.owned.named[o.material]; ok && named == index {
			on = append(on, Range{i, 1})
		}
	}
	return united(on)
}

// united returns the union of ranges, in ascending order.
func united(all []Range) (union []Range) {
	slices.SortFunc(all, func(a, b Range) int { return a.First - b.First })
	for _, r := range all {
		if n := len(union); n > 0 && r.First <= union[n-1].First+union[n-1].Count {
			union[n-1].Count = max(union[n-1].Count, r.First+r.Count-union[n-1].First)
			continue
		}
		union = append(union, r)
	}
	return union
}
