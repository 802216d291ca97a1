package scene

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"pillbox/internal/keytable"
	"pillbox/internal/text"
)

// target is the table that an [[animate]] table changes: a table of the scene's settings, or the table of a solid,
// light or placement in one of its parts.
type target struct {
	base    *part // where the path begins: the scene, or a part, which means every copy of the part
	hops    []hop // the placements along the path
	part    *part // the part at the end of the path
	element element
}

// hop is one step of a path: from a part into one copy, or all copies, of a placement of this part.
type hop struct {
	place int // index of the placement
	copy  int // or allCopies
}

const allCopies = -1

// element identifies a table of a part. Tables of settings belong to the scene itself, the outermost part.
type element struct {
	table string // one of settings, section, light, place, step (of a placement) or the name of a kind
	index int    // index of the placement, light or solid, or of the row if bulk is not 0
	copy  int    // index of the copy of a placement, or allCopies
	bulk  int    // the bulk table of the part, counted from 1, if the solid is one of its rows; otherwise 0
}

// settings returns the paths of the tables that a scene has only once and whose keys tracks may change.
func settings() []string { return []string{"camera", "shading", occlusionPath, "image", "fog"} }

// movable returns the tables that tracks may change, except those of solids, by their names in an element.
func movable() map[string]keytable.Description {
	return map[string]keytable.Description{
		"camera": cameraKeys(), "shading": shadingKeys(), occlusionPath: occlusionKeys(), "image": imageKeys(), "fog": fogKeys(),
		"section": sectionKeys(), "light": lightKeys(), "place": placeKeys(), "step": stepKeys(),
	}
}

const occlusionPath = "shading.occlusion"

// targetKey is a target in a form that can be compared.
type targetKey struct {
	base    *part
	hops    string
	element element
}

func (t *target) comparable() targetKey { return targetKey{t.base, fmt.Sprint(t.hops), t.element} }

// String returns the target as a path, for messages.
func (t *target) String() string {
	var b strings.Builder
	p := t.base
	if p.name != "" {
		fmt.Fprintf(&b, "part %q/", text.Shorten(p.name))
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
	case slices.Contains(settings(), e.table):
		return b.String() + e.table
	case e.table == "step":
		return fmt.Sprintf("%splace[%d].step", &b, e.index)
	case e.bulk > 0:
		row := t.part.bulks[e.bulk-1]
		return fmt.Sprintf("%sbulk[%d] at %s", &b, row.table.Index, row.place(e.index))
	}
	b.WriteString(e.table)
	fmt.Fprintf(&b, "[%d]", t.element.index)
	if t.element.copy >= 0 {
		fmt.Fprintf(&b, "[%d]", t.element.copy)
	}
	return b.String()
}

// maxReadings is the largest number of meanings of a path to find. A path with two is ambiguous.
const maxReadings = 8

// targets returns the possible meanings of a path, at most maxReadings. If something in the scene has
// exactly this name, other meanings do not count, so that names may contain slashes and brackets.
func (l *loader) targets(path string) []target {
	s := l.search()
	if s.whole(path); len(s.found) > 0 {
		return s.found
	}
	if stem, ok := strings.CutSuffix(path, ".step"); ok {
		s.found = l.steps(stem)
	}
	s.inside(path)
	return s.found
}

// steps returns the step tables of the placements that a path may mean. It ignores a path to a single copy of a
// placement: only the whole placement has a step.
func (l *loader) steps(path string) (found []target) {
	s := l.search()
	if s.whole(path); len(s.found) == 0 {
		s.inside(path)
	}
	for _, t := range s.found {
		if t.element.table == "place" && t.element.copy == allCopies {
			t.element.table = "step"
			found = append(found, t)
		}
	}
	return found
}

func (l *loader) search() search { return search{loader: l, deadEnds: make(map[deadEnd]bool)} }

// search finds the meanings of a path.
type search struct {
	*loader
	found    []target
	deadEnds map[deadEnd]bool
}

// deadEnd identifies a search without result: the last rest bytes of the path have no meaning in the part. Without a
// record of dead ends, a search could take exponential time: names may contain slashes, so many ways can lead to the
// same part.
type deadEnd struct {
	part *part
	rest int
}

func (s *search) addTarget(t target) {
	if len(s.found) < maxReadings {
		s.found = append(s.found, t)
	}
}

// The method whole adds to s.found everything in the scene whose name is the whole path.
func (s *search) whole(name string) {
	root := s.scene.root
	at := func(table string, i int) {
		s.addTarget(target{base: root, part: root, element: element{table: table, index: i, copy: allCopies}})
	}
	if slices.Contains(settings(), name) && (name != "fog" || s.scene.Fog != nil) { // solids of older scenes may be called fog
		at(name, 0)
	}
	if name == "" {
		return
	}
	for i := range s.scene.Sections {
		if s.scene.Sections[i].Name == name {
			at("section", i)
		}
	}
	labels := s.labels(root)
	for _, e := range labels.named[name] {
		s.addTarget(target{base: root, part: root, element: e})
	}
	for _, i := range labels.places.values[name] {
		if root.places[i].name == name {
			at("place", i)
		}
	}
}

// The method inside adds to s.found everything that the path leads to in the scene, or in a part that the path names.
func (s *search) inside(path string) {
	root := s.scene.root
	s.within(target{base: root, part: root}, path)
	s.inParts(path)
}

// The method inParts adds to s.found everything that the path leads to in a part that the path names.
func (s *search) inParts(path string) {
	rest, ok := strings.CutPrefix(path, partPrefix)
	if !ok {
		return
	}
	for end := range rest {
		if p := s.parts[rest[:end]]; rest[end] == '/' && p != nil {
			s.within(target{base: p, part: p}, rest[end+1:])
		}
	}
}

// The method within adds to s.found the meanings of the rest of a path, in the part to which t leads.
func (s *search) within(t target, path string) {
	here := deadEnd{t.part, len(path)}
	if s.deadEnds[here] || len(s.found) == maxReadings {
		return
	}
	before := len(s.found)
	s.elements(t, path)
	for _, i := range s.labels(t.part).places.prefixes(path) {
		pl := t.part.places[i]
		for _, label := range pl.labels() {
			copy, rest, ok := pl.cut(path, label)
			switch {
			case !ok:
			case rest == "":
				t.element = element{table: "place", index: i, copy: copy}
				s.addTarget(t)
			default:
				next := t
				next.hops = append(slices.Clone(t.hops), hop{i, copy})
				next.part = pl.part
				s.within(next, rest[1:])
			}
		}
	}
	if len(s.found) == before {
		s.deadEnds[here] = true
	}
}

// elements adds to s.found those solids, rows and lights of t's part that the rest of the path names completely.
func (s *search) elements(t target, path string) {
	p, labels := t.part, s.labels(t.part)
	for _, t.element = range labels.named[path] {
		s.addTarget(t)
	}
	table, i, _ := cutIndex(path)
	k, isKind := ParseKind(table)
	switch {
	case isKind && i < len(p.own[k].objects) && p.tables.name(p.own[k].objects[i]) != path:
		t.element = element{table: table, index: i, copy: allCopies}
		s.addTarget(t)
	case table == "section" && p.isRoot() && i < len(s.scene.Sections) && s.scene.Sections[i].Name != path:
		t.element = element{table: table, index: i, copy: allCopies}
		s.addTarget(t)
	case table == "light" && i < len(p.lights) && p.lights[i].Name != path:
		t.element = element{table: table, index: i, copy: allCopies}
		s.addTarget(t)
	}
	file, line, _ := cutLine(path)
	for _, i := range labels.files[file] {
		if row, ok := p.bulks[i].rowAt(line); ok {
			t.element = rowElement(p.bulks[i], i, row)
			s.addTarget(t)
		}
	}
}

// labels returns the names by which paths refer to the contents of a part. It collects them once.
func (l *loader) labels(p *part) *labels {
	in, ok := l.labeled[p]
	if !ok {
		in = newLabels(p)
		l.labeled[p] = in
	}
	return in
}

// labels are the names by which paths refer to the contents of a part.
type labels struct {
	named  map[string][]element // solids, including rows of bulk tables, and lights
	files  map[string][]int     // bulk tables, by the last element of their files' paths
	places prefixes             // placements, also by their keys
}

func newLabels(p *part) *labels {
	in := &labels{named: make(map[string][]element), files: make(map[string][]int)}
	name := func(o object, e element) {
		if name := p.tables.name(o); name != "" {
			in.named[name] = append(in.named[name], e)
		}
	}
	for k := range kindCount {
		for i, o := range p.own[k].objects {
			name(o, element{table: k.String(), index: i, copy: allCopies})
		}
	}
	for i := range p.lights {
		if name := p.lights[i].Name; name != "" {
			in.named[name] = append(in.named[name], element{table: "light", index: i, copy: allCopies})
		}
	}
	for i, b := range p.bulks {
		file := path.Base(b.Path)
		in.files[file] = append(in.files[file], i)
		for row, o := range b.objects {
			name(o, rowElement(b, i, row))
		}
	}
	for i, pl := range p.places {
		if pl.part == nil {
			continue // its unknown name is reported elsewhere
		}
		for _, label := range pl.labels() {
			in.places.addLabel(label, i)
		}
	}
	return in
}

// labels returns the names by which paths refer to a placement, without the indices of copies.
func (p *place) labels() []string {
	key := keytable.Indexed("place", p.table.Index)
	if p.name == "" || p.name == key {
		return []string{key}
	}
	return []string{p.name, key}
}

// prefixes finds all labels with which a path may begin. Each label has one or more indices, for example of
// placements.
type prefixes struct {
	values  map[string][]int
	lengths []int // of labels, ascending
}

func (p *prefixes) addLabel(label string, value int) {
	if p.values == nil {
		p.values = make(map[string][]int)
	}
	if i, there := slices.BinarySearch(p.lengths, len(label)); !there {
		p.lengths = slices.Insert(p.lengths, i, len(label))
	}
	p.values[label] = append(p.values[label], value)
}

// prefixes returns the indices of all labels that are a prefix of the path, in ascending order.
func (p *prefixes) prefixes(path string) (found []int) {
	for _, n := range p.lengths {
		if n > len(path) {
			break
		}
		found = append(found, p.values[path[:n]]...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// rowElement returns the element of a row of the i-th bulk table of a part.
func rowElement(b *bulk, i, row int) element {
	return element{table: b.kind.String(), index: row, copy: allCopies, bulk: i + 1}
}

// cutLine splits a label such as atoms.csv:3 into the name of a file and a line. It returns false for other labels.
func cutLine(label string) (file string, line int, ok bool) {
	colon := max(0, strings.LastIndexByte(label, ':'))
	line, err := strconv.Atoi(strings.TrimPrefix(label[colon:], ":"))
	if err != nil || label != fmt.Sprintf("%s:%d", label[:colon], line) {
		return "", 0, false
	}
	return label[:colon], line, true
}

// cutIndex splits a label such as sphere[3] into the name of a table and an index. It returns false for other labels.
func cutIndex(label string) (table string, i int, ok bool) {
	table, rest, _ := strings.Cut(label, "[")
	i, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	if err != nil || i < 0 || keytable.Indexed(table, i) != label {
		return "", 0, false
	}
	return table, i, true
}

// rowAt returns the row that begins on a line, and false if no row does.
func (b *bulk) rowAt(line int) (row int, ok bool) {
	if b.count == 0 {
		return 0, false
	}
	row = sort.Search(b.count, func(i int) bool { return b.line(i) >= line })
	return row, row < b.count && b.line(row) == line
}

// cut removes the label of a placement, and the index of a copy if there is one, from the front of a path. The rest is
// empty or begins with a slash. It returns false if the path does not begin with the label, if anything else follows,
// or if there is no such copy.
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
