package scene

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillbox/exact"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
)

// How far [Scene.DescribeOverlaps] goes: the number of pairs can grow with the square of that of
// the solids, also of those whose bounds overlap and which do not.
const (
	MaxCountedOverlaps  = 100_000   // pairs
	MaxExaminedOverlaps = 2_000_000 // pairs of solids whose bounds overlap
)

// DescribeOverlaps returns a note for each of the first most solids that stand where an identical
// one stands, sorted by place, and then for the first pairs of the others that [Scene.Overlaps] yields,
// likewise, most in all. What the solids of a placement have with those of another, or with a solid
// that none made, is one note, about the first pair. If there are more pairs, or the search ended before all were examined, a
// last note says so, which has no line. The number of all is MaxCountedOverlaps + 1 if it is larger.
//
// The data is the file that s was decoded from. A note about identical solids stands at the header
// of the later one, one about a pair at the header of its first solid, or at the beginning of the
// line in a bulk file, and names the place of the other.
func (s *Scene) DescribeOverlaps(data []byte, most int) (notes Errors, all int) {
	twins, pairs := newOverlapGroups(s), newOverlapGroups(s)
	var distinct []int
	allowed := allowance{scene: s}
	for number, first := range s.identical() {
		switch {
		case first == number, allowed.exempts(first, number):
			distinct = append(distinct, number)
		default:
			all++
			twins.add(Overlap{A: first, B: number}, most)
		}
	}
	if len(distinct) == s.Objects.Len() {
		distinct = nil
	}
	search := overlapSearch{scene: s, allowed: allowed, most: MaxExaminedOverlaps}
	for o := range search.among(distinct) {
		pairs.add(o, most-len(twins.first))
		if all++; all > MaxCountedOverlaps {
			break
		}
	}
	all = min(all, MaxCountedOverlaps+1)
	notes = append(s.twinNotes(data, twins), s.pairNotes(data, pairs)...)
	listed := twins.count + pairs.count
	if more := moreOverlaps(all-listed, all > MaxCountedOverlaps, search.cut); more != "" {
		notes = append(notes, &Error{File: s.Name, Severity: SeverityInfo, Code: CodeMoreOverlaps, Message: more})
	}
	return notes, all
}

// overlapGroups are pairs of solids, those of the same placements together.
type overlapGroups struct {
	scene *Scene
	first []Overlap // of each group, as they were added
	sizes map[overlapGroup]int
	count int // of the pairs in all groups
}

// overlapGroup is what a pair of solids has in common with others: the numbers of solids, or -1 and
// below for placements, the lesser first.
type overlapGroup struct {
	a, b     int
	relation exact.Relation
}

func newOverlapGroups(s *Scene) *overlapGroups {
	return &overlapGroups{scene: s, sizes: make(map[overlapGroup]int)}
}

func (g *overlapGroups) group(o Overlap) overlapGroup {
	a, b := g.member(o.A), g.member(o.B)
	return overlapGroup{min(a, b), max(a, b), o.Relation}
}

func (g *overlapGroups) member(number int) int {
	if p := g.scene.outermostPlace(number); p != nil {
		return -1 - p.table.index
	}
	return number
}

// add adds a pair, unless it would begin a group beyond the given number.
func (g *overlapGroups) add(o Overlap, most int) {
	key := g.group(o)
	if g.sizes[key] == 0 {
		if len(g.first) >= most {
			return
		}
		g.first = append(g.first, o)
	}
	g.sizes[key]++
	g.count++
}

// more says how many other pairs are in the group of its first.
func (g *overlapGroups) more(first Overlap) string {
	switch n := g.sizes[g.group(first)] - 1; n {
	case 0:
		return ""
	case 1:
		return ", like another pair of the same placements"
	default:
		return fmt.Sprintf(", like %d more pairs of the same placements", n)
	}
}

// moreOverlaps describes what a list of overlaps does not have, and nothing if it has all.
func moreOverlaps(unlisted int, uncounted, cut bool) string {
	var says []string
	switch {
	case uncounted:
		says = append(says, fmt.Sprintf("and more than %d others that overlap or touch", unlisted-1))
	case unlisted > 0:
		says = append(says, fmt.Sprintf("and %d others that overlap or touch", unlisted))
	}
	if cut {
		says = append(says, fmt.Sprintf("only the first %d pairs of solids whose bounds overlap were examined", MaxExaminedOverlaps))
	}
	return strings.Join(says, "; ")
}

// twinNotes describes solids that are identical to others.
func (s *Scene) twinNotes(data []byte, twins *overlapGroups) Errors {
	sites := s.sites(data, twins.first)
	var notes Errors
	for _, o := range twins.first {
		note := s.note(o.B, sites[o.B], sites[o.A], "is identical to "+s.Label(o.A))
		note.Message += twins.more(o)
		note.Code = CodeIdentical
		notes = append(notes, note)
	}
	s.sortByPlace(notes)
	return notes
}

// pairNotes describes solids that overlap or touch.
func (s *Scene) pairNotes(data []byte, pairs *overlapGroups) Errors {
	sites := s.sites(data, pairs.first)
	var notes Errors
	for _, o := range pairs.first {
		verb, code := "overlaps", CodeOverlap
		if o.Relation == exact.Touching {
			verb, code = "touches", CodeTouch
		}
		note := s.note(o.A, sites[o.A], sites[o.B], verb+" "+s.Label(o.B))
		if o.Relation == exact.Overlapping {
			note.Message += fmt.Sprintf(", %.3g deep", o.Depth)
		}
		if o.Approximate {
			note.Message += ", approximately"
		}
		note.Message += pairs.more(o)
		note.Code = code
		notes = append(notes, note)
	}
	s.sortByPlace(notes)
	return notes
}

// note returns a note about a solid. What it says ends with another solid, whose place it adds.
func (s *Scene) note(number int, at, other site, says string) *Error {
	note := *at.header
	name := s.path(number)
	if name != "" {
		name = strconv.Quote(name) + at.defined(note.File) + " "
	}
	note.Message = name + says
	if other.header.Line > 0 {
		note.Message += " at " + other.header.position(note.File)
	}
	note.Message += other.defined(note.File)
	return &note
}

// defined says where the part of a placed solid has it, for a note in the given file.
func (s site) defined(file string) string {
	if s.definition == nil {
		return ""
	}
	return fmt.Sprintf(" (defined at %s)", s.definition.position(file))
}

// position returns the place of e as a text in the given file calls it: line 3, or atoms.csv:3 in
// another file.
func (e *Error) position(file string) string {
	if e.File == file {
		return fmt.Sprintf("line %d", e.Line)
	}
	return fmt.Sprintf("%s:%d", text.EscapeName(e.File), e.Line)
}

// sortByPlace sorts notes by place, those in bulk files behind.
func (s *Scene) sortByPlace(notes Errors) {
	slices.SortStableFunc(notes, func(a, b *Error) int {
		switch here := a.File == s.Name; {
		case here == (b.File == s.Name):
			return comparePlaces(a, b)
		case here:
			return -1
		}
		return +1
	})
}

// path returns the name of a solid or, if placements made it, its path.
func (s *Scene) path(number int) string {
	if o, ok := s.origin(number); ok && len(o.placed) > 0 {
		return o.path()
	}
	return s.Objects.Name(number)
}

// site is where the file has a solid.
type site struct {
	header     *Error // a blank note at its table or row, or at the outermost placement that made it
	definition *Error // likewise at its table or row in its part; nil if no placement made it
}

// sites returns the site of every solid in pairs.
func (s *Scene) sites(data []byte, pairs []Overlap) map[int]site {
	sites := make(map[int]site)
	l := locator{scene: s, data: data}
	for _, o := range pairs {
		for _, number := range [2]int{o.A, o.B} {
			if _, done := sites[number]; !done {
				sites[number] = l.site(number)
			}
		}
	}
	l.locate()
	return sites
}

// locator looks up the places of tables. It goes through each file once.
type locator struct {
	scene *Scene
	data  []byte // of the scene's own file
	files []locatedFile
}

// locatedFile is a file of tables and those that are looked up in it.
type locatedFile struct {
	*report
	tables []*problem
}

func (l *locator) site(number int) site {
	o, ok := l.scene.origin(number)
	switch {
	case !ok:
		return site{header: &Error{File: l.scene.Name, Key: l.scene.Key(number), Severity: SeverityInfo}}
	case len(o.placed) == 0:
		header := l.solid(o)
		header.Key = l.scene.Key(number)
		return site{header: header}
	default:
		return site{header: l.table(o.placed[0].table), definition: l.solid(o)}
	}
}

// solid returns a blank note at the table or row of a solid.
func (l *locator) solid(o origin) *Error {
	if o.bulk == nil {
		return l.table(o.part.element(o.kind, o.index))
	}
	return &Error{Severity: SeverityInfo, File: o.bulk.Name, Line: o.bulk.line(o.index), Column: 1, EndColumn: 1}
}

// table returns a blank note at a table, whose place is known after locate.
func (l *locator) table(t table) *Error {
	p := &problem{Error: Error{Key: t.key(""), Severity: SeverityInfo}}
	i := slices.IndexFunc(l.files, func(f locatedFile) bool { return f.report == t.report })
	if i < 0 {
		i = len(l.files)
		l.files = append(l.files, locatedFile{report: t.report})
	}
	l.files[i].tables = append(l.files[i].tables, p)
	return &p.Error
}

func (l *locator) locate() {
	for _, f := range l.files {
		text := f.text // of an included file
		if f.report == l.scene.root.table.report {
			text, _ = tomltext.Text(l.data) // the scene was decoded from it, so it is UTF-8
		}
		paths := make([]string, len(f.tables))
		for i, p := range f.tables {
			paths[i] = p.Key
		}
		places := tomltext.Locate(text, paths)
		for _, p := range f.tables {
			p.extent = places[p.Key].Value
		}
		slices.SortFunc(f.tables, func(p, q *problem) int { return cmp.Compare(p.extent.Start, q.extent.Start) })
		withPositions(f.file, text, f.tables)
	}
}
