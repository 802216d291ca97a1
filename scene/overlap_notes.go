package scene

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillbox/exact"
	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/problem"
)

// Limits of [Scene.DescribeOverlaps]. The number of pairs of solids that overlap can grow with the square of the
// number of solids, and so can the number of pairs whose bounds overlap.
const (
	MaxCountedOverlaps  = 100_000   // largest number of pairs that overlap or touch to count
	MaxExaminedOverlaps = 2_000_000 // largest number of pairs of solids with overlapping bounds to examine; a pair counts 17 times in a scene with numbers kept by [WithAllDigits]
)

// DescribeOverlaps returns notes about overlaps. The first notes are about solids that are exact duplicates of another
// solid. The rest are about other pairs of [Scene.Overlaps]. Both groups are sorted by position. Similar pairs have a
// single note, which is about the first of them. Pairs are similar if they are of the same kind (duplicates,
// overlapping, touching) and belong to the same placement, to the same two placements, or to the same placement and the
// same solid outside of it.
//
// There are at most limit of these notes. If there are more pairs, or the search ended before all pairs were examined,
// an additional last note without a line reports this. The result all is the number of pairs found, at most
// MaxCountedOverlaps + 1.
//
// data is the file that s was decoded from. A note about duplicates is about the later solid, any other note about the
// first solid of its pair. Its position is the header of the solid's table, the solid's line in a bulk file or, for a
// solid from a placement, the header of the outermost placement. The text of the note contains the position of the
// other solid.
func (s *Scene) DescribeOverlaps(data []byte, limit int) (notes problem.Errors, all int) {
	twins, pairs := newOverlapGroups(s), newOverlapGroups(s)
	var distinct []int
	allowed := allowance{scene: s}
	for number, first := range s.identical() {
		switch {
		case first == number, allowed.exempts(first, number):
			distinct = append(distinct, number)
		default:
			all++
			twins.add(Overlap{A: first, B: number}, limit)
		}
	}
	if len(distinct) == s.Objects.Len() {
		distinct = nil
	}
	search := overlapSearch{scene: s, allowed: allowed, most: MaxExaminedOverlaps}
	for o := range search.among(distinct) {
		pairs.add(o, limit-len(twins.first))
		if all++; all > MaxCountedOverlaps {
			break
		}
	}
	all = min(all, MaxCountedOverlaps+1)
	notes = append(s.twinNotes(data, twins), s.pairNotes(data, pairs)...)
	listed := twins.count + pairs.count
	if more := moreOverlaps(all-listed, all > MaxCountedOverlaps, search.cut); more != "" {
		notes = append(notes, &problem.Error{File: s.Name, Severity: problem.SeverityInfo, Code: problem.CodeMoreOverlaps, Message: more})
	}
	return notes, all
}

// overlapGroups are pairs of solids, grouped by placements.
type overlapGroups struct {
	scene *Scene
	first []Overlap // the first pair of each group, in the order in which they were added
	sizes map[overlapGroup]int
	count int // number of pairs in all groups
}

// overlapGroup identifies a group: a and b are object numbers, or negative numbers for placements, the
// smaller first.
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
		return -1 - p.table.Index
	}
	return number
}

// add adds a pair. If the pair would begin a group and there are already limit groups, add ignores it.
func (g *overlapGroups) add(o Overlap, limit int) {
	key := g.group(o)
	if g.sizes[key] == 0 {
		if len(g.first) >= limit {
			return
		}
		g.first = append(g.first, o)
	}
	g.sizes[key]++
	g.count++
}

// more returns text with the number of other pairs in the group of a first pair, or "".
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

// moreOverlaps describes the overlaps that a list omits. unlisted is their number. If uncounted is set, there are even
// more. If cut is set, the search ended early. moreOverlaps returns "" if the list is complete.
func moreOverlaps(unlisted int, uncounted, cut bool) string {
	var says []string
	switch {
	case uncounted && unlisted <= 1:
		says = append(says, "and others that overlap or touch")
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
func (s *Scene) twinNotes(data []byte, twins *overlapGroups) problem.Errors {
	sites := s.sites(data, twins.first)
	var notes problem.Errors
	for _, o := range twins.first {
		note := s.note(o.B, sites[o.B], sites[o.A], "is identical to "+s.Label(o.A))
		note.Message += twins.more(o)
		note.Code = problem.CodeIdentical
		notes = append(notes, note)
	}
	s.sortByPlace(notes)
	return notes
}

// pairNotes describes solids that overlap or touch.
func (s *Scene) pairNotes(data []byte, pairs *overlapGroups) problem.Errors {
	sites := s.sites(data, pairs.first)
	var notes problem.Errors
	for _, o := range pairs.first {
		verb, code := "overlaps", problem.CodeOverlap
		if o.Relation == exact.Touching {
			verb, code = "touches", problem.CodeTouch
		}
		note := s.note(o.A, sites[o.A], sites[o.B], verb+" "+s.Label(o.B))
		switch {
		case o.Relation != exact.Overlapping:
		case o.Depth > 0:
			note.Message += fmt.Sprintf(", %.3g deep", o.Depth)
		default:
			note.Message += ", by less than rounding errors"
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

// note returns a note about the solid with the given number, whose site is own. The text of the note is this solid's
// name, then relation, such as 'overlaps box "a"', then the position of another solid, whose site is other. relation
// must end with the name of the other solid.
func (s *Scene) note(number int, own, other site, relation string) *problem.Error {
	note := *own.header
	name := s.path(number)
	if name != "" {
		name = strconv.Quote(name) + own.defined(note.File) + " "
	}
	note.Message = name + relation
	if other.header.Line > 0 {
		note.Message += " at " + positionIn(note.File, other.header)
	}
	note.Message += other.defined(note.File)
	return &note
}

// defined returns text for a note in the given file that says where a part defines the solid, such as " (defined at
// line 3)". It returns "" for a solid that is not from a placement.
func (s site) defined(file string) string {
	if s.definition == nil {
		return ""
	}
	return fmt.Sprintf(" (defined at %s)", positionIn(file, s.definition))
}

// positionIn returns the position of e for a text about the given file: "line 3", or "atoms.csv:3" if e
// is in another file.
func positionIn(file string, e *problem.Error) string {
	if e.File == file {
		return fmt.Sprintf("line %d", e.Line)
	}
	return fmt.Sprintf("%s:%d", text.EscapeName(e.File), e.Line)
}

// sortByPlace sorts notes by position, with those in other files last.
func (s *Scene) sortByPlace(notes problem.Errors) {
	slices.SortStableFunc(notes, func(a, b *problem.Error) int {
		switch here := a.File == s.Name; {
		case here == (b.File == s.Name):
			return comparePlaces(a, b)
		case here:
			return -1
		}
		return +1
	})
}

// path returns the name of a solid or, if it comes from placements, its path.
func (s *Scene) path(number int) string {
	if o, ok := s.origin(number); ok && len(o.placed) > 0 {
		return o.path()
	}
	return s.Objects.Name(number)
}

// site is where a solid is in the file.
type site struct {
	header     *problem.Error // an empty note at its table or row or, if it comes from placements, at the outermost placement
	definition *problem.Error // for a solid from a placement, an empty note at its table or row in its part; otherwise nil
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

// locator finds the positions of tables. It reads each file only once.
type locator struct {
	scene *Scene
	data  []byte // text of the scene's own file
	files []locatedFile
}

// locatedFile is a TOML file and the tables to find in it.
type locatedFile struct {
	*keytable.Report
	tables []*keytable.Problem
}

func (l *locator) site(number int) site {
	o, ok := l.scene.origin(number)
	switch {
	case !ok:
		return site{header: &problem.Error{File: l.scene.Name, Key: l.scene.Key(number), Severity: problem.SeverityInfo}}
	case len(o.placed) == 0:
		header := l.solid(o)
		header.Key = l.scene.Key(number)
		return site{header: header}
	default:
		return site{header: l.table(o.placed[0].table), definition: l.solid(o)}
	}
}

// solid returns an empty note at the table or row of a solid.
func (l *locator) solid(o origin) *problem.Error {
	if o.bulk == nil {
		return l.table(o.part.element(o.kind, o.index))
	}
	return &problem.Error{Severity: problem.SeverityInfo, File: o.bulk.Name, Line: o.bulk.line(o.index), Column: 1, EndColumn: 1}
}

// table returns an empty note at a table. locate sets its position later.
func (l *locator) table(t keytable.Table) *problem.Error {
	p := &keytable.Problem{Error: problem.Error{Key: t.Key(""), Severity: problem.SeverityInfo}}
	i := slices.IndexFunc(l.files, func(f locatedFile) bool { return f.Report == t.Report })
	if i < 0 {
		i = len(l.files)
		l.files = append(l.files, locatedFile{Report: t.Report})
	}
	l.files[i].tables = append(l.files[i].tables, p)
	return &p.Error
}

func (l *locator) locate() {
	for _, f := range l.files {
		text := f.Text // an included file
		if f.Report == l.scene.root.table.Report {
			text, _ = tomltext.Text(l.data) // the scene was decoded from it, so it is UTF-8
		}
		paths := make([]string, len(f.tables))
		for i, p := range f.tables {
			paths[i] = p.Key
		}
		places := tomltext.Locate(text, paths)
		for _, p := range f.tables {
			p.Extent = places[p.Key].Value
		}
		slices.SortFunc(f.tables, func(p, q *keytable.Problem) int { return cmp.Compare(p.Extent.Start, q.Extent.Start) })
		keytable.WithPositions(f.File, text, f.tables)
	}
}
