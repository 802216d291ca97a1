package overlap

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillbox/exact"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/scene"
)

// Limits of [Describe]. The number of pairs of solids that overlap can grow with the square of the number of solids, and so
// can the number of pairs whose bounds overlap.
const (
	MaxCounted  = 100_000   // largest number of pairs that overlap or touch to count
	MaxExamined = 2_000_000 // largest number of pairs of solids with overlapping bounds to examine; a pair counts 17 times in a scene with numbers kept by [scene.WithAllDigits]
)

// Describe returns notes about overlaps. The first notes are about solids that are exact duplicates of another solid. The rest
// are about other pairs of [All]. Both groups are sorted by position. Similar pairs have a single note, which is about the
// first of them. Pairs are similar if they are of the same kind (duplicates, overlapping, touching) and belong to the same
// placement, to the same two placements, or to the same placement and the same solid outside of it.
//
// There are at most limit of these notes. If there are more pairs, or the search ended before all pairs were examined,
// an additional last note without a line reports this. The result all is the number of pairs found, at most
// MaxCounted + 1.
//
// data is the file that s was decoded from. A note about duplicates is about the later solid, any other note about the
// first solid of its pair. Its position is the header of the solid's table, the solid's line in a bulk file or, for a
// solid from a placement, the header of the outermost placement. The text of the note contains the position of the
// other solid.
func Describe(s *scene.Scene, data []byte, limit int) (notes problem.Errors, all int) {
	allowed := allowance{scene: s}
	twins, pairs := newGroups(s), newGroups(s)
	isTwin := make([]bool, s.Objects.Len())
	for number, first := range identical(s) {
		if first != number && !allowed.exempts(first, number) {
			isTwin[number] = true
			all++
			twins.addOverlap(Overlap{A: first, B: number}, limit)
		}
	}
	f := search{scene: s, allowed: allowed, most: MaxExamined}
	for o := range f.among(func(number int32) bool { return isTwin[number] }) {
		pairs.addOverlap(o, limit-len(twins.first))
		if all++; all > MaxCounted {
			break
		}
	}
	all = min(all, MaxCounted+1)
	notes = append(twins.twinNotes(data), pairs.pairNotes(data)...)
	if more := moreOverlaps(all-twins.count-pairs.count, all > MaxCounted, f.cut); more != "" {
		notes = append(notes, &problem.Error{File: s.Name, Severity: problem.SeverityInfo, Code: problem.CodeMoreOverlaps, Message: more})
	}
	return notes, all
}

// groups are pairs of solids, grouped by placements.
type groups struct {
	scene *scene.Scene
	first []Overlap // the first pair of each group, in the order in which they were added
	sizes map[group]int
	count int // number of pairs in all groups
}

// group identifies a group: a and b are object numbers, or negative numbers for placements, the
// smaller first.
type group struct {
	a, b     int
	relation exact.Relation
}

func newGroups(s *scene.Scene) *groups {
	return &groups{scene: s, sizes: make(map[group]int)}
}

func (g *groups) group(o Overlap) group {
	a, b := g.member(o.A), g.member(o.B)
	return group{min(a, b), max(a, b), o.Relation}
}

func (g *groups) member(number int) int {
	if from, ok := g.scene.Origin(number); ok && from.Table == "place" {
		return -1 - from.Index
	}
	return number
}

// addOverlap adds a pair. If the pair would begin a group and there are already limit groups, addOverlap ignores it.
func (g *groups) addOverlap(o Overlap, limit int) {
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
func (g *groups) more(first Overlap) string {
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
		says = append(says, fmt.Sprintf("only the first %d pairs of solids whose bounds overlap were examined", MaxExamined))
	}
	return strings.Join(says, "; ")
}

// twinNotes describes solids that are identical to others.
func (g *groups) twinNotes(data []byte) problem.Errors {
	s, sites := g.scene, g.sites(data)
	var notes problem.Errors
	for _, o := range g.first {
		note := newNote(s, o.B, sites[o.B], sites[o.A], "is identical to "+s.Label(o.A))
		note.Message += g.more(o)
		note.Code = problem.CodeIdentical
		notes = append(notes, note)
	}
	sortByPlace(s.Name, notes)
	return notes
}

// pairNotes describes solids that overlap or touch.
func (g *groups) pairNotes(data []byte) problem.Errors {
	s, sites := g.scene, g.sites(data)
	var notes problem.Errors
	for _, o := range g.first {
		verb, code := "overlaps", problem.CodeOverlap
		if o.Relation == exact.Touching {
			verb, code = "touches", problem.CodeTouch
		}
		note := newNote(s, o.A, sites[o.A], sites[o.B], verb+" "+s.Label(o.B))
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
		note.Message += g.more(o)
		note.Code = code
		notes = append(notes, note)
	}
	sortByPlace(s.Name, notes)
	return notes
}

// newNote returns a note about the solid with the given number, whose site is own. The text of the note is this solid's
// name, then relation, such as 'overlaps box "a"', then the position of another solid, whose site is other. relation
// must end with the name of the other solid.
func newNote(s *scene.Scene, number int, own, other scene.Site, relation string) *problem.Error {
	note := *own.Header
	name := s.Path(number)
	if name != "" {
		name = strconv.Quote(name) + defined(own, note.File) + " "
	}
	note.Message = name + relation
	if other.Header.Line > 0 {
		note.Message += " at " + positionIn(note.File, other.Header)
	}
	note.Message += defined(other, note.File)
	return &note
}

// defined returns text for a note in the given file that says where a part defines the solid, such as " (defined at
// line 3)". It returns "" for a solid that is not from a placement.
func defined(at scene.Site, file string) string {
	if at.Definition == nil {
		return ""
	}
	return fmt.Sprintf(" (defined at %s)", positionIn(file, at.Definition))
}

// positionIn returns the position of e for a text about the given file: "line 3", or "atoms.csv:3" if e
// is in another file.
func positionIn(file string, e *problem.Error) string {
	if e.File == file {
		return fmt.Sprintf("line %d", e.Line)
	}
	return fmt.Sprintf("%s:%d", text.EscapeName(e.File), e.Line)
}

// sortByPlace sorts notes by position, with those in other files than the given one last.
func sortByPlace(file string, notes problem.Errors) {
	slices.SortStableFunc(notes, func(a, b *problem.Error) int {
		switch here := a.File == file; {
		case here == (b.File == file):
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		case here:
			return -1
		}
		return +1
	})
}

// sites returns the site of every solid in the first pairs.
func (g *groups) sites(data []byte) map[int]scene.Site {
	var numbers []int
	for _, o := range g.first {
		numbers = append(numbers, o.A, o.B)
	}
	return g.scene.Sites(data, numbers...)
}
