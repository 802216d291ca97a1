package scene

import (
	"cmp"
	"fmt"
	"slices"
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

// moreOverlaps says what a list of overlaps does not have, and nothing if it has all.
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
	places := s.headers(data, twins.first)
	var notes Errors
	for _, o := range twins.first {
		note := s.note(places[o.B], places[o.A], o.B, "is identical to "+s.Label(o.A))
		note.Message += twins.more(o)
		note.Code = CodeIdentical
		notes = append(notes, note)
	}
	s.sortByPlace(notes)
	return notes
}

// pairNotes describes solids that overlap or touch.
func (s *Scene) pairNotes(data []byte, pairs *overlapGroups) Errors {
	places := s.headers(data, pairs.first)
	var notes Errors
	for _, o := range pairs.first {
		verb, code := "overlaps", CodeOverlap
		if o.Relation == exact.Touching {
			verb, code = "touches", CodeTouch
		}
		note := s.note(places[o.A], places[o.B], o.A, verb+" "+s.Label(o.B))
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

// note returns a note about a solid that stands at a place; what it says ends with another solid,
// whose place it adds.
func (s *Scene) note(at, other *Error, number int, says string) *Error {
	note := *at
	note.Message = says
	if name := s.path(number); name != "" {
		note.Message = fmt.Sprintf("%q %s", name, note.Message)
	}
	switch {
	case other.File != note.File:
		note.Message += fmt.Sprintf(" at %s:%d", text.EscapeName(other.File), other.Line)
	case other.Line > 0:
		note.Message += fmt.Sprintf(" at line %d", other.Line)
	}
	return &note
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

// headers returns a blank note at the place of every solid in pairs.
func (s *Scene) headers(data []byte, pairs []Overlap) map[int]*Error {
	notes := make(map[int]*Error)
	var tables []*problem
	var paths []string
	for _, o := range pairs {
		for _, number := range [2]int{o.A, o.B} {
			if notes[number] != nil {
				continue
			}
			p := &problem{Error: Error{Key: s.Key(number), Severity: SeverityInfo}}
			notes[number] = &p.Error
			if o, ok := s.origin(number); ok && len(o.placed) > 0 {
				p.Key = o.placed[0].table.key("")
			} else if ok && o.bulk != nil {
				p.File, p.Line, p.Column, p.EndColumn = o.bulk.Name, o.bulk.line(o.index), 1, 1
				continue
			}
			paths = append(paths, p.Key)
			tables = append(tables, p)
		}
	}
	text, _ := tomltext.Text(data) // s was decoded from it, so it is UTF-8
	places := tomltext.Locate(text, paths)
	for _, p := range tables {
		p.extent = places[p.Key].Value
	}
	slices.SortFunc(tables, func(p, q *problem) int { return cmp.Compare(p.extent.Start, q.extent.Start) })
	withPositions(s.Name, text, tables)
	return notes
}
