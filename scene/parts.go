package scene

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/problem"
	"pillbox/shade"
	"pillbox/shapes"
)

// part is a set of solids with its own coordinate system: a [part.NAME] table, or the scene itself, which is the
// outermost part. A placement puts copies of a part into another part. Errors in a part are reported once, when it is
// read.
//
// A scene keeps its parts as they were read, so that they can be expanded again for another time of the animation.
// Parts are not modified after the scene is loaded.
type part struct {
	name   string // "" for the scene
	table  keytable.Table
	tables *tables           // names and materials of its objects
	own    [kindCount]solids // solids of its own tables
	places []*place
	bulks  []*bulk
	lights []partLight

	sections    []partSection    // not those of the scene itself
	ownSections []keytable.Table // those of the sections of the scene itself

	notes []note // labels, dimensions, lines, arrows, angles and markers, in this order

	// Properties of a copy of the part, including nested placements.
	total     [kindCount]int // number of solids of each kind; in the scene they are numbered in the same order
	allLights int            // number of lights
	allNotes  int            // number of annotations
	height    int            // depth of nested placements
	named     bool           // whether a solid or light in it may have a name
	numbered  bool           // whether total, allLights, allNotes and the first indices of placements and bulk tables are set
}

// solids are solids of one kind, each with its object.
type solids struct {
	spheres   []shapes.Sphere // only one of these four slices is used
	capsules  []shapes.Capsule
	boxes     []shapes.Box
	cylinders []shapes.Cylinder
	objects   []object
	has       []surfaceFlags
	valid     []bool // whether each solid is valid
	long      longTexts
}

// surfaceFlags say what a solid states about its surface. It gets the rest from its placements.
type surfaceFlags uint8

const (
	hasSurface surfaceFlags = 1 << iota // a material or a color
	hasGhost                            // the key ghost
)

func surfaceFlagsOf(g keytable.RawTable) (f surfaceFlags) {
	if g.Has("material") || g.Has("color") || g.Has("value") {
		f = hasSurface
	}
	if g.Has("ghost") {
		f |= hasGhost
	}
	return f
}

// makeSolids returns solids of a kind with the given length and capacity.
func makeSolids(k Kind, length, capacity int) solids {
	s := solids{
		objects: make([]object, length, capacity),
		has:     make([]surfaceFlags, length, capacity),
		valid:   make([]bool, length, capacity),
	}
	k.row().allot(&s, length, capacity)
	return s
}

// cut takes room for n solids of a kind from the capacity of s, which must have no elements, and returns it as empty
// solids. If the capacity of s is too small, cut allocates the room and leaves s without capacity.
func (s *solids) cut(k Kind, n int) solids {
	if n > cap(s.objects) {
		*s = solids{}
		return makeSolids(k, 0, n)
	}
	var room solids
	k.row().cut(s, &room, n)
	cutRoom(&s.objects, &room.objects, n)
	cutRoom(&s.has, &room.has, n)
	cutRoom(&s.valid, &room.valid, n)
	return room
}

func cutRoom[T any](from, room *[]T, n int) {
	if cap(*from) > 0 {
		*room, *from = (*from)[:0:n], (*from)[n:n:cap(*from)]
	}
}

// join appends solids of the same kind, but not the texts of their numbers with more digits than a float64.
func (s *solids) join(k Kind, t *solids) {
	k.row().join(s, t)
	s.objects, s.has, s.valid = joined(s.objects, t.objects), joined(s.has, t.has), joined(s.valid, t.valid)
}

// joined is append, but it copies nothing if b already follows a in memory.
func joined[T any](a, b []T) []T {
	n := len(a)
	if len(b) > 0 && n+len(b) <= cap(a) && &a[:n+1][n] == &b[0] {
		return a[:n+len(b)]
	}
	return append(a, b...)
}

// readParts reads the [part.NAME] tables of all sources. It reads all names first, because placements
// may refer to any part.
func (l *loader) readParts() {
	l.parts = make(map[string]*part)
	keys := partKeys()
	var readers []func()
	for _, src := range l.sources {
		tables, ok := src.named("part", src.raw.part)
		l.lacksParts = l.lacksParts || !ok
		for _, n := range tables {
			if first, duplicate := l.parts[n.name]; duplicate {
				n.table.WrongKey("", problem.CodeDuplicateName, "a part of this name is already in %s", text.EscapeName(first.table.Report.File))
				continue
			}
			p := &part{name: n.name, table: n.table, tables: l.tables}
			l.parts[n.name] = p
			l.partNames = append(l.partNames, n.name)
			if n.values != nil {
				m, _, _ := keys.Read(n.table, n.values)
				readers = append(readers, func() { l.part(p, src, m) })
			}
		}
	}
	slices.Sort(l.partNames)
	for _, read := range readers {
		read()
	}
}

// namedTable is a table [KEY.NAME].
type namedTable struct {
	name   string
	table  keytable.Table
	values map[string]any // nil if it is not a table or its name is too long; named reports this
}

// named returns the tables [KEY.NAME] in v, sorted by name. If v is not a table, it reports an error and returns false.
// It also reports each value in v that is not a table.
func (src *source) named(key string, v any) (all []namedTable, ok bool) {
	tables, ok := v.(map[string]any)
	if v != nil && !ok {
		src.Table(key).Wrong("", problem.CodeWrongType, "must be tables, each written [%s.NAME]", key)
		return nil, false
	}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		t := src.Table(src.Table(key).Key(tomltext.QuoteKey(name)))
		values, ok := tables[name].(map[string]any)
		switch {
		case !ok:
			t.Wrong("", problem.CodeWrongType, "must be a table, written [%s.NAME]", key)
		case utf8.RuneCountInString(name) > MaxName:
			// Skip its contents: every further problem would repeat the name.
			src.Table(key).WrongKey(tomltext.QuoteKey(name), problem.CodeTooLong, "a name must have at most %d characters", MaxName)
			values = nil
		}
		all = append(all, namedTable{name, t, values})
	}
	return all, true
}

// part reads the contents of a part.
func (l *loader) part(p *part, src *source, m partTable) {
	l.raws[p] = m
	for k := range kindCount {
		l.solids(p, k, m.solids[k])
	}
	each(p, "light", m.light, lightKeys, func(t keytable.Table, x Light, g keytable.RawTable) { l.light(p, t, x, g) })
	l.partSections(p, m.section)
	l.notes(p, &m)
	each(p, "place", m.place, placeKeys, func(t keytable.Table, x placeTable, g keytable.RawTable) { l.place(p, t, x, g) })
	each(p, "bulk", m.bulk, bulkKeys, func(t keytable.Table, x bulkTable, g keytable.RawTable) { l.bulk(p, src, t, x, g) })
	slices.SortStableFunc(p.bulks, func(a, b *bulk) int { return cmp.Compare(a.kind, b.kind) })
}

// solids reads the solids of one kind that have tables of their own.
func (l *loader) solids(p *part, k Kind, v any) {
	report, path := p.table.Report, p.table.Key(k.String())
	list := report.List(path, v)
	runs, n := l.tableRuns(p, k, len(list)), 0
	for i := range runs {
		n += runs[i].len()
	}
	p.own[k] = makeSolids(k, n, n)
	if n == 0 {
		return
	}
	reader, next := l.solidReader(k), 0
	for i := range runs {
		run := &runs[i]
		if run.plain != nil && l.takePlain(&p.own[k], next, run) {
			next += run.len()
			continue
		}
		for _, v := range run.values(list) {
			t := report.Element(path, next)
			reader.read(&p.own[k], next, t, v)
			next++
		}
	}
}

// The function each reads every table in an array of tables of the part, and calls add for it. It builds the keys only if there
// is a table.
func each[T any](p *part, name string, v any, keys func() keytable.Keys[T], add func(keytable.Table, T, keytable.RawTable)) {
	report, path := p.table.Report, p.table.Key(name)
	list := report.List(path, v)
	if len(list) == 0 {
		return
	}
	k := keys()
	for i, v := range list {
		t := report.Element(path, i)
		if x, g, ok := k.Read(t, v); ok {
			add(t, x, g)
		}
	}
}

// solidReader reads tables of one kind of solids.
type solidReader struct {
	*loader
	row  kindRow
	keys keytable.Keys[solidTable]
	last *solidTable // the last one read
}

func (l *loader) solidReader(k Kind) solidReader {
	return solidReader{l, k.row(), solidKeys(k), new(solidTable)}
}

// read reads a table with the value v into the i-th element of s.
func (r *solidReader) read(s *solids, i int, t keytable.Table, v any) {
	x := r.last
	*x = solidTable{}
	g, ok := r.keys.ReadInto(t, v, x)
	if !ok {
		return
	}
	if r.row.traits().directed && t.Valid() {
		if flaw := x.measures.axisFlaw(); flaw != "" {
			t.Wrong("b", problem.CodeNoLength, "%s", flaw)
		}
	}
	r.row.put(s, i, x.measures, x.turn.rotation(g))
	surface := r.surface(t, x.material, x.color)
	if x.hasValue {
		surface = r.valued(x.value)
	}
	s.objects[i] = object{r.tables.addName(x.name), r.ghostly(t, surface, x.ghost)}
	s.has[i] = surfaceFlagsOf(g)
	s.valid[i] = t.Valid()
}

// surface returns the index, in the tables, of a material or, if that is nil, of a color.
func (l *loader) surface(t keytable.Table, material any, color shade.Color) uint32 {
	if material == nil {
		return l.tables.addMaterial(shade.Material{Albedo: color})
	}
	return l.materialOf(t, material)
}

func (l *loader) materialOf(t keytable.Table, v any) uint32 {
	name, ok := v.(string)
	if !ok || l.materials == nil {
		return 0
	}
	m, ok := l.materials.use(name)
	if !ok {
		l.materials.reportUnknown(&t.Wrong("material", problem.CodeUnknownMaterial, unknownMaterial).Error, name)
	}
	return m
}

const unknownMaterial = "must be the name of a [material.NAME]"

// unusedParts reports the parts of the scene's own file that are never placed, in one warning. It reports nothing if
// the scene has errors. Included files are collections whose parts need not all be used.
func (l *loader) unusedParts() {
	if l.failed() || l.isTheme() {
		return
	}
	placed := make(map[*part]bool)
	for _, p := range append(slices.Collect(maps.Values(l.parts)), l.scene.root) {
		for _, pl := range p.places {
			placed[pl.part] = true
		}
	}
	var unused []string
	for _, name := range l.partNames {
		if p := l.parts[name]; !placed[p] && p.table.Report == &l.Report {
			unused = append(unused, tomltext.QuoteKey(name))
		}
	}
	l.warnUnused("part", problem.CodeUnusedPart, "nothing places this part", unused)
}

// warnUnused reports named tables that nothing refers to, all in one warning.
func (l *loader) warnUnused(key string, code problem.Code, message string, unused []string) {
	if len(unused) == 0 {
		return
	}
	if others := unused[1:]; len(others) > 0 {
		message += ", nor " + listed(others)
	}
	l.Table(key).Warn(unused[0], code, "%s", message)
}

const notUnique = "must be unique, but %s has it too"

// uniqueNames reports duplicate names among the solids, placements and lights of a part.
func (l *loader) uniqueNames(p *part) {
	holders := make(map[string]int) // index of the first holder of each name, in the order of p.holder
	next := 0
	// claim assigns a name to the next holder. If another holder already has the name, claim returns the index of
	// that holder and true.
	claim := func(name string) (first int, duplicate bool) {
		next++
		if name == "" {
			return 0, false
		}
		if first, duplicate = holders[name]; !duplicate {
			holders[name] = next - 1
		}
		return first, duplicate
	}
	for k := range kindCount {
		for i, o := range p.own[k].objects {
			if first, duplicate := claim(p.tables.name(o)); duplicate {
				p.own[k].valid[i] = false
				p.element(k, i).Wrong("name", problem.CodeDuplicateName, notUnique, text.ShortenMiddle(p.holder(first)))
			}
		}
		for _, b := range p.bulks {
			switch {
			case b.kind != k:
				continue
			case b.index.name < 0:
				next += b.count
				continue
			}
			for i := range b.objects {
				if first, duplicate := claim(p.tables.name(b.objects[i])); duplicate {
					b.valid[i] = false
					l.Errors++
					b.duplicates.addError(func() *problem.Error {
						return b.reread(i).wrong(b.index.name, columnName, problem.CodeDuplicateName, notUnique, text.ShortenMiddle(p.holder(first)))
					})
				}
			}
		}
	}
	for _, pl := range p.places {
		if first, duplicate := claim(pl.name); duplicate {
			pl.table.Wrong("name", problem.CodeDuplicateName, notUnique, text.ShortenMiddle(p.holder(first)))
		}
	}
	for i := range p.lights {
		if first, duplicate := claim(p.lights[i].Name); duplicate {
			p.lights[i].table.Wrong("name", problem.CodeDuplicateName, notUnique, text.ShortenMiddle(p.holder(first)))
		}
	}
}

// element returns the table of a solid that has a table of its own.
func (p *part) element(k Kind, index int) keytable.Table {
	return p.table.Report.Element(p.table.Key(k.String()), index)
}

// holder returns the key of the n-th solid, placement or light of the part, in the order of
// uniqueNames. For a row of a bulk file, it returns the position in the file.
func (p *part) holder(n int) string {
	for k := range kindCount {
		index := len(p.own[k].objects)
		if n < index {
			return p.element(k, n).Key("")
		}
		n -= index
		for _, b := range p.bulks {
			if b.kind != k {
				continue
			}
			if n < b.count {
				return fmt.Sprintf("%s at %s", p.element(k, index+n).Key(""), b.place(n))
			}
			n -= b.count
			index += b.count
		}
	}
	if n < len(p.places) {
		return p.places[n].table.Key("")
	}
	return p.lights[n-len(p.places)].table.Key("")
}

// listed returns words as a list for a message. It omits words if there are many.
func listed(words []string) string {
	const most = 12
	shown, rest := words, len(words)-most
	if rest > 1 {
		shown = words[:most]
	}
	var short []string
	for _, word := range shown {
		short = append(short, text.ShortenMiddle(word))
	}
	if rest > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(short, ", "), rest)
	}
	return strings.Join(short, ", ")
}
