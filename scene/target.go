package scene

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// target is what a track changes: a table of the scene, or a solid or a placement somewhere in its
// parts.
type target struct {
	base    *part // the path begins there: in the scene, or in a part, of which it then means every copy
	hops    []hop // through placements
	part    *part // at the end of the path
	element element
}

// hop is a step into a placement of a part.
type hop struct {
	place int // index
	copy  int // or allCopies
}

const allCopies = -1

// element is a table.
type element struct {
	table string // camera, shading, image, light, place or a kind of solids
	index int
	copy  int // of a placement, or allCopies
}

func (t *target) equal(u *target) bool {
	return t.base == u.base && slices.Equal(t.hops, u.hops) && t.element == u.element
}

// String returns where the target stands, for messages.
func (t *target) String() string {
	var b strings.Builder
	p := t.base
	if p.name != "" {
		fmt.Fprintf(&b, "part %q/", p.name)
	}
	for _, h := range t.hops {
		fmt.Fprintf(&b, "place[%d]", h.place)
		if h.copy >= 0 {
			fmt.Fprintf(&b, "[%d]", h.copy)
		}
		b.WriteByte('/')
	}
	b.WriteString(t.element.table)
	switch t.element.table {
	case "camera", "shading", "image":
		return b.String()
	}
	fmt.Fprintf(&b, "[%d]", t.element.index)
	if t.element.copy >= 0 {
		fmt.Fprintf(&b, "[%d]", t.element.copy)
	}
	return b.String()
}

// targets returns what a path may mean. If it is the whole name of something in the scene, that is
// all; then slashes and brackets in names do no harm.
func (l *loader) targets(path string) []target {
	root := l.scene.root
	var found []target
	if slices.Contains([]string{"camera", "shading", "image"}, path) {
		found = append(found, target{base: root, part: root, element: element{table: path, copy: allCopies}})
	}
	found = append(found, l.named(root, path)...)
	if len(found) > 0 {
		return found
	}
	found = l.within(target{base: root, part: root}, path)
	for _, name := range l.partNames {
		if rest, ok := strings.CutPrefix(path, "part."+name+"/"); ok {
			p := l.parts[name]
			found = append(found, l.within(target{base: p, part: p}, rest)...)
		}
	}
	return found
}

// named returns what in the scene has the name.
func (l *loader) named(root *part, name string) (found []target) {
	at := func(table string, i int) {
		found = append(found, target{base: root, part: root, element: element{table, i, allCopies}})
	}
	for k := range kinds {
		for i := range root.own[k].objects {
			if root.own[k].objects[i].Name == name {
				at(kindNames()[k], i)
			}
		}
	}
	for i, pl := range root.places {
		if pl.name == name {
			at("place", i)
		}
	}
	for i := range root.lights {
		if l.scene.Lights[i].Name == name {
			at("light", i)
		}
	}
	return found
}

// within returns what a path may mean from a part on, to which that of t leads.
func (l *loader) within(t target, path string) (found []target) {
	end := func(table string, i, copy int) {
		t.element = element{table, i, copy}
		found = append(found, t)
	}
	for k := range kinds {
		kind := kindNames()[k]
		for i := range t.part.own[k].objects {
			if path == t.part.own[k].objects[i].Name || path == indexed(kind, i) {
				end(kind, i, allCopies)
			}
		}
	}
	for i := range t.part.lights {
		if path == indexed("light", i) {
			end("light", i, allCopies)
		}
	}
	for i, pl := range t.part.places {
		if pl.part == nil {
			continue // which is reported
		}
		for _, label := range []string{pl.name, indexed("place", pl.table.index)} {
			copy, rest, ok := pl.cut(path, label)
			switch {
			case label == "" || !ok:
			case rest == "":
				end("place", i, copy)
			default:
				next := t
				next.hops = append(slices.Clone(t.hops), hop{i, copy})
				next.part = pl.part
				found = append(found, l.within(next, rest[1:])...)
			}
		}
	}
	return found
}

func indexed(table string, i int) string { return table + "[" + strconv.Itoa(i) + "]" }

// cut takes the label of a placement from the front of a path, with the number of a copy if there is
// one. What is left is empty or begins with a slash.
func (p *place) cut(path, label string) (copy int, rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, label)
	copy = allCopies
	if inner, bracket := strings.CutPrefix(rest, "["); ok && bracket {
		digits, behind, closed := strings.Cut(inner, "]")
		n, err := strconv.Atoi(digits)
		if !closed || err != nil || n < 0 || n >= p.copies || strconv.Itoa(n) != digits {
			return 0, "", false
		}
		copy, rest = n, behind
	}
	return copy, rest, ok && (rest == "" || rest[0] == '/' && len(rest) > 1)
}
