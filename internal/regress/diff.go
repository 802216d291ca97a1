package regress

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillbox/internal/tomltext"
)

// undone contains, for each edit by its index, whether the edit is undone.
type undone []bool

// A plan computes a value of a scene's file after some edits are undone. The edits are the differences between two
// versions of the file: the accepted version and the present version. If no edit is undone, the value is the present
// one. If all are undone, it is the accepted one. A plan returns false if the value does not exist after these edits
// are undone.
type plan func(undone) (value any, ok bool)

func constant(v any) plan { return func(undone) (any, bool) { return v, true } }

// An edit is an [Edit] under construction.
type edit struct {
	Edit
	places []string // paths in the present text; if Line is 0, it becomes the line of the first of them that exists
}

// A differ collects the edits of one file.
type differ struct {
	file  string
	edits *[]*edit // of all files
}

// A location is the place of a value in a file.
type location struct {
	path   string
	name   string   // name of the innermost enclosing table that has one
	places []string // paths in the present text of the value and of the tables around it, innermost first
}

func (s location) key(key string) location {
	path := tomltext.QuoteKey(key)
	if s.path != "" {
		path = s.path + "." + path
	}
	return location{path, s.name, append([]string{path}, s.places...)}
}

func (s location) element(i int, t table) location {
	path := fmt.Sprintf("%s[%d]", s.path, i)
	if name, ok := t["name"].(string); ok {
		s.name = name
	}
	return location{path, s.name, append([]string{path}, s.places...)}
}

// addEdit adds an edit and returns its index.
func (d *differ) addEdit(at location, action Action, before, after any) int {
	*d.edits = append(*d.edits, &edit{
		Edit:   Edit{Path: at.path, Name: at.name, Action: action, File: d.file, Before: before, After: after},
		places: at.places,
	})
	return len(*d.edits) - 1
}

// replaced returns the plan of a value that was changed from a to b, and adds the edit.
func (d *differ) replaced(at location, a, b any) plan {
	at, before, after := narrowed(at, a, b)
	i := d.addEdit(at, ActionChanged, before, after)
	return func(u undone) (any, bool) {
		if u[i] {
			return a, true
		}
		return b, true
	}
}

// narrowed returns the location and the values of the only element in which two arrays of equal length differ. If that
// element is an array too, narrowed searches it for the only difference. In all other cases it returns its arguments.
func narrowed(at location, a, b any) (location, any, any) {
	as, aok := a.([]any)
	bs, bok := b.([]any)
	if !aok || !bok || len(as) != len(bs) {
		return at, a, b
	}
	at0, k := at, none
	for i := range as {
		if !equal(as[i], bs[i]) {
			if k >= 0 {
				return at0, a, b
			}
			k = i
		}
	}
	at.path = fmt.Sprintf("%s[%d]", at.path, k)
	at.places = append([]string{at.path}, at.places...)
	return narrowed(at, as[k], bs[k])
}

// added returns the plan of a value that only the present version has, and adds the edit. The method removed does the
// same for a value that only the accepted version has.
func (d *differ) added(at location, b any) plan {
	i := d.addEdit(at, ActionAdded, nil, b)
	return func(u undone) (any, bool) { return b, !u[i] }
}

func (d *differ) removed(at location, a any) plan {
	i := d.addEdit(at, ActionRemoved, a, nil)
	return func(u undone) (any, bool) { return a, u[i] }
}

// value returns the plan of a value that both versions have, and adds its edits.
func (d *differ) value(at location, a, b any) plan {
	if equal(a, b) {
		return constant(b)
	}
	ta, aok := a.(table)
	tb, bok := b.(table)
	if aok && bok {
		return d.table(at, ta, tb)
	}
	as, aok := tables(a)
	bs, bok := tables(b)
	if aok && bok {
		return d.list(at, as, bs)
	}
	return d.replaced(at, a, b)
}

// table returns the plan of a table that both versions have, and adds its edits.
func (d *differ) table(at location, a, b table) plan {
	fields := make(map[string]plan)
	for _, key := range sortedKeys(a, b) {
		v, wasThere := a[key]
		w, isThere := b[key]
		empty := emptyLike(at.path, key, v, w)
		switch {
		case wasThere && isThere:
			fields[key] = d.value(at.key(key), v, w)
		case empty != nil && wasThere:
			fields[key] = d.value(at.key(key), v, empty)
		case empty != nil:
			fields[key] = d.value(at.key(key), empty, w)
		case wasThere:
			fields[key] = d.removed(at.key(key), v)
		default:
			fields[key] = d.added(at.key(key), w)
		}
	}
	return func(u undone) (any, bool) {
		t := make(table)
		for key, p := range fields {
			if v, ok := p(u); ok && !isEmptyList(v) {
				t[key] = v
			}
		}
		return t, true
	}
}

// emptyLike returns the value that a missing key means: an empty array of tables, or an empty table if all of the
// table's keys have defaults. It returns nil for keys whose absence means something else.
func emptyLike(path, key string, v, w any) any {
	if v == nil {
		v = w
	}
	if _, ok := tables(v); ok {
		return []table{}
	}
	if _, ok := v.(table); ok && path == "" && slices.Contains([]string{"image", "shading", "overlaps", "material", "part"}, key) {
		return table{}
	}
	return nil
}

// maxListEdits is the largest number of edits into which an array of tables, or a file of rows, is split. An array with
// more edits counts as one edit. It may have been generated anew by a program.
const maxListEdits = 64

// list returns the plan of an array of tables, and adds its edits.
func (d *differ) list(at location, as, bs []table) plan {
	items := items{
		a: tableRecords(as), b: tableRecords(bs),
		both:    func(i, j int) plan { return d.value(at.element(j, bs[j]), as[i], bs[j]) },
		added:   func(j int) int { return d.addEdit(at.element(j, bs[j]), ActionAdded, nil, bs[j]) },
		removed: func(i int) int { return d.addRemoved(at, i, as[i]) },
		first:   func(i int) any { return as[i] }, second: func(j int) any { return bs[j] },
	}
	values := d.sequence(at, items)
	return func(u undone) (any, bool) {
		list := []table{}
		for _, v := range values(u) {
			list = append(list, v.(table))
		}
		return list, true
	}
}

// addRemoved adds the edit for a table that was removed from an array. The edit's path contains the table's index in
// the accepted text.
func (d *differ) addRemoved(at location, i int, t table) int {
	e := at.element(i, t)
	e.places = at.places[1:] // without the table's own path: another table may have that index in the present text
	return d.addEdit(e, ActionRemoved, t, nil)
}

// items describes two sequences to compare, and how to add edits of their elements.
type items struct {
	a, b           []record
	both           func(i, j int) plan // the plan of a pair of elements that match but differ
	added, removed func(int) int       // add an edit for an element and return the edit's index
	first, second  func(int) any       // the value of an element
}

// An item is an element of one of the sequences, or a matching pair of elements.
type item struct {
	value plan
	edit  int  // index of the edit that added or removed the element; none if both sequences have it
	gone  bool // whether only the first sequence has it
}

func (x *item) isThere(u undone) bool { return x.edit == none || u[x.edit] == x.gone }

// sequence returns the plan of a sequence, and adds its edits. More than [maxListEdits] edits are replaced by a single
// one.
func (d *differ) sequence(at location, s items) func(undone) []any {
	mark := len(*d.edits)
	was, is, order := d.items(at, s)
	if len(*d.edits)-mark <= maxListEdits {
		return func(u undone) []any { return mixed(was, is, order != none && u[order], u) }
	}
	*d.edits = (*d.edits)[:mark]
	i := d.addEdit(at, ActionChanged, fmt.Sprintf("%d elements", len(s.a)), fmt.Sprintf("%d elements", len(s.b)))
	was, is = nil, nil
	for k := range s.a {
		was = append(was, &item{constant(s.first(k)), i, true})
	}
	for k := range s.b {
		is = append(is, &item{constant(s.second(k)), i, false})
	}
	return func(u undone) []any { return mixed(was, is, u[i], u) }
}

// items matches the elements of both sequences and adds their edits. It returns the items of each sequence in order,
// and the index of the edit that reordered them, or the constant none.
func (d *differ) items(at location, s items) (was, is []*item, order int) {
	partner := match(s.a, s.b)
	was, is = make([]*item, len(s.a)), make([]*item, len(s.b))
	order, last := none, none
	for i, j := range partner {
		switch {
		case j == none:
			was[i] = &item{constant(s.first(i)), s.removed(i), true}
			continue
		case s.a[i].same(&s.b[j]):
			was[i] = &item{constant(s.second(j)), none, false}
		default:
			was[i] = &item{s.both(i, j), none, false}
		}
		is[j] = was[i]
		if j < last && order == none {
			order = d.addEdit(at, ActionReordered, nil, nil)
		}
		last = max(last, j)
	}
	for j := range is {
		if is[j] == nil {
			is[j] = &item{constant(s.second(j)), s.added(j), false}
		}
	}
	return was, is, order
}

// mixed returns the values of a sequence after some edits are undone. They are in the order of the first sequence if
// byFirst is set, otherwise in the order of the second. Some items are only in the other sequence. Such an item
// follows the same common item as in that sequence.
func mixed(was, is []*item, byFirst bool, u undone) []any {
	base, other := is, was
	if byFirst {
		base, other = was, is
	}
	following := make(map[*item][]*item) // items of the other sequence only, by the preceding common item
	var before *item
	for _, x := range other {
		switch {
		case x.edit == none:
			before = x
		case x.isThere(u):
			following[before] = append(following[before], x)
		}
	}
	var values []any
	add := func(list ...*item) {
		for _, x := range list {
			if v, ok := x.value(u); ok {
				values = append(values, v)
			}
		}
	}
	add(following[nil]...)
	for _, x := range base {
		if x.isThere(u) {
			add(x)
		}
		if x.edit == none {
			add(following[x]...)
		}
	}
	return values
}

// sheet returns the plan of a CSV file that has the same columns in both versions, and adds its edits.
func (d *differ) sheet(a, b *sheet) plan {
	at := location{path: "csv " + d.file}
	place := func(n int) location { return location{path: fmt.Sprintf("%s row %d", at.path, n+1)} }
	inLine := func(edit, line int) int {
		(*d.edits)[edit].Line = line
		return edit
	}
	s := items{
		a: rowRecords(a), b: rowRecords(b),
		both: func(i, j int) plan { return d.row(place(j), b, a.rows[i], b.rows[j]) },
		added: func(j int) int {
			return inLine(d.addEdit(place(j), ActionAdded, nil, b.table(b.rows[j])), b.rows[j].line)
		},
		removed: func(i int) int { return inLine(d.addEdit(place(i), ActionRemoved, a.table(a.rows[i]), nil), 1) },
		first:   func(i int) any { return a.rows[i] }, second: func(j int) any { return b.rows[j] },
	}
	values := d.sequence(at, s)
	return func(u undone) (any, bool) {
		mixed := &sheet{header: b.header, blank: b.blank}
		for _, v := range values(u) {
			mixed.rows = append(mixed.rows, v.(row))
		}
		return mixed, true
	}
}

func sameFields(a, b row) bool { return slices.Equal(a.fields, b.fields) }

// row returns the plan of a row that was changed, and adds its edits.
func (d *differ) row(at location, s *sheet, a, b row) plan {
	before, after := make(table), make(table)
	for i, name := range s.header {
		if a.fields[i] != b.fields[i] {
			before[name], after[name] = cell(a.fields[i]), cell(b.fields[i])
		}
	}
	var v, w any = before, after
	if len(before) == 1 {
		for name := range before {
			at.path, v, w = at.path+" "+name, before[name], after[name]
		}
	}
	i := d.addEdit(at, ActionChanged, v, w)
	(*d.edits)[i].Line = b.line
	return func(u undone) (any, bool) {
		if u[i] {
			return a, true
		}
		return b, true
	}
}

// cell returns the value of a field: a number if it is one, else a string.
func cell(field string) any {
	if n, err := strconv.ParseFloat(field, 64); err == nil {
		return n
	}
	return field
}

// document returns the plan of a file that both versions have, and adds its edits.
func (d *differ) document(a, b any) plan {
	switch a := a.(type) {
	case table:
		if b, ok := b.(table); ok {
			return d.value(location{}, a, b)
		}
	case *sheet:
		if b, ok := b.(*sheet); ok && slices.Equal(a.header, b.header) {
			if slices.EqualFunc(a.rows, b.rows, sameFields) {
				return constant(b) // a file that was moved
			}
			return d.sheet(a, b)
		}
	}
	if slices.Equal(encode(a), encode(b)) {
		return constant(b)
	}
	i := d.addEdit(location{path: strings.TrimSpace("csv " + d.file)}, ActionChanged, "another file", "this file")
	(*d.edits)[i].Line = 1
	return func(u undone) (any, bool) {
		if u[i] {
			return a, true
		}
		return b, true
	}
}
