package scene

import (
	"fmt"
	"path"
	"slices"
	"sort"
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
	table string // camera, shading, image, light, place, step (of a placement) or a kind of solids
	index int    // of the placement, light or solid; of the row if bulk is not 0
	copy  int    // of a placement, or allCopies
	bulk  int    // not 0: the solid is a row of this bulk table of the part, counted from 1
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
	e := &t.element
	switch {
	case e.table == "camera" || e.table == "shading" || e.table == "image":
		return b.String() + e.table
	case e.table == "step":
		return fmt.Sprintf("%splace[%d].step", &b, e.index)
	case e.bulk > 0:
		row := t.part.bulks[e.bulk-1]
		return fmt.Sprintf("%sbulk[%d] at %s", &b, row.table.index, row.place(e.index))
	}
	b.WriteString(e.table)
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
	if stem, ok := strings.CutSuffix(path, ".step"); ok {
		found = l.steps(stem)
	}
	found = append(found, l.within(target{base: root, part: root}, path)...)
	for _, name := range l.partNames {
		if rest, ok := strings.CutPrefix(path, "part."+name+"/"); ok {
			p := l.parts[name]
			found = append(found, l.within(target{base: p, part: p}, rest)...)
		}
	}
	return found
}

// steps returns the steps of the placements that a path may mean. No copy has one of its own.
func (l *loader) steps(path string) (found []target) {
	for _, t := range l.targets(path) {
		if t.element.table == "place" && t.element.copy == allCopies {
			t.element.table = "step"
			found = append(found, t)
		}
	}
	return found
}

// named returns what in the scene has the name.
func (l *loader) named(root *part, name string) (found []target) {
	at := func(table string, i int) {
		found = append(found, target{base: root, part: root, element: element{table: table, index: i, copy: allCopies}})
	}
	for k := range kindCount {
		for i := range root.own[k].objects {
			if root.tables.name(root.own[k].objects[i]) == name {
				at(k.String(), i)
			}
		}
	}
	for i, b := range root.bulks {
		for _, row := range b.named(name) {
			found = append(found, target{base: root, part: root, element: rowElement(b, i, row)})
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
		t.element = element{table: table, index: i, copy: copy}
		found = append(found, t)
	}
	for k := range kindCount {
		kind := k.String()
		for i := range t.part.own[k].objects {
			if path == t.part.tables.name(t.part.own[k].objects[i]) || path == indexed(kind, i) {
				end(kind, i, allCopies)
			}
		}
	}
	for i, b := range t.part.bulks {
		rows := b.named(path)
		if row, ok := b.rowAt(path); ok {
			rows = append(rows, row)
		}
		for _, row := range rows {
			t.element = rowElement(b, i, row)
			found = append(found, t)
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

// rowElement returns the element of a row of the i-th bulk table of a part.
func rowElement(b *bulk, i, row int) element {
	return element{table: b.kind.String(), index: row, copy: allCopies, bulk: i + 1}
}

// named returns the rows that have a name.
func (b *bulk) named(name string) (rows []int) {
	if b.index.name < 0 || name == "" {
		return nil
	}
	for i := range b.objects {
		if b.tables.name(b.objects[i]) == name {
			rows = append(rows, i)
		}
	}
	return rows
}

// rowAt returns the row that paths name by its line, as in atoms.csv:3.
func (b *bulk) rowAt(label string) (row int, ok bool) {
	digits, ok := strings.CutPrefix(label, path.Base(b.Path)+":")
	line, err := strconv.Atoi(digits)
	if !ok || err != nil || strconv.Itoa(line) != digits || b.count == 0 {
		return 0, false
	}
	row = sort.Search(b.count, func(i int) bool { return b.line(i) >= line })
	return row, row < b.count && b.line(row) == line
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
