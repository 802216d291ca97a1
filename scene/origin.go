package scene

import (
	"fmt"
	"path"
	"sort"
	"strings"

	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/shapes"
)

// Origin is the table of a scene file that a solid comes from.
type Origin struct {
	Table string // the name of the solid's kind, "bulk" for a row of a bulk file, or "place" for a solid from a placement, the outermost one
	Index int    // index among the tables with this name
	File  File   // the bulk file that has the solid, also within parts; zero if the solid is not a row of a file
}

// Origin returns the origin of the solid with the given number, 0 <= number < s.Objects.Len(). It returns false if s
// was not read from a file or is detached from it. A scene in which the number of solids of some kind has changed
// counts as detached.
func (s *Scene) Origin(number int) (Origin, bool) {
	o, ok := s.origin(number)
	if !ok {
		return Origin{}, false
	}
	from := Origin{Table: o.kind.String(), Index: o.index}
	if o.bulk != nil {
		from = Origin{Table: "bulk", Index: o.bulk.table.Index, File: o.bulk.File}
	}
	if len(o.placed) > 0 {
		from.Table, from.Index = "place", o.placed[0].table.Index
	}
	return from, true
}

// Table returns the table that defines the solid with the given number, 0 <= number < s.Objects.Len(). The result key
// is the table's full key, such as sphere[3] or part.leg.capsule[0]. The result file is the name of the TOML file with
// the table: the scene's own or an included one. A row of a bulk file is defined by the [[bulk]] table. Table returns
// false if s was not read from a file or is detached from it.
func (s *Scene) Table(number int) (key, file string, ok bool) {
	o, ok := s.origin(number)
	if !ok {
		return "", "", false
	}
	t := o.part.table
	if o.bulk != nil {
		return o.bulk.table.Key(""), t.Report.File, true
	}
	return t.Key(keytable.Indexed(o.kind.String(), o.index)), t.Report.File, true
}

// origin is where a solid of a scene comes from: a table or a row in a part, and the placements that
// lead to that part.
type origin struct {
	placed []placedCopy // the outermost first; empty for a solid of the scene itself
	part   *part        // the part that contains the solid
	kind   Kind
	bulk   *bulk // nil if the solid has a table of its own
	index  int   // index of its table, or of its row in bulk
}

// solids returns the list that holds the solid at o.index: a list of the part or of its bulk table.
func (o *origin) solids() *solids {
	if o.bulk != nil {
		return &o.bulk.solids
	}
	return &o.part.own[o.kind]
}

// shape returns the solid as defined in its part.
func (o *origin) shape() shapes.Shape { return o.kind.row().shapeAt(o.solids(), o.index) }

// measures returns the numbers that define the solid in its part.
func (o *origin) measures() measures {
	m, _ := o.kind.row().measures(o.shape())
	return m
}

// placedCopy is one of the copies of a placement.
type placedCopy struct {
	*place
	copy int
}

// Detach removes the connection of s to the files that it was read from, and its [[animate]] tables, so that
// [Scene.At] returns s itself. A camera that framed all frames of a film frames only the solids of s then. Detach a copy of a scene before you change its solids; otherwise, if the number of
// solids of each kind stays the same, [Scene.Origin] and other methods return the origins of the original solids.
func (s *Scene) Detach() {
	s.root, s.motion, s.film, s.Files, s.noteTables = nil, nil, nil, nil, noteTables{}
}

// origin returns the origin of the solid with the given number, and false if s was not read from a file
// or is detached from it.
func (s *Scene) origin(number int) (origin, bool) {
	if !s.isAsRead() {
		return origin{}, false
	}
	k, i := kindAt(s.root.total, number)
	return s.root.origin(k, i), true
}

// isAsRead reports whether s was read from a file and still has the same number of solids of each kind.
// If not, s counts as detached.
func (s *Scene) isAsRead() bool {
	return s.root != nil && s.root.total == s.counts()
}

// outermostPlace returns the placement of the scene itself that makes a solid. It returns nil if no placement makes it.
func (s *Scene) outermostPlace(number int) *place {
	if !s.isAsRead() || len(s.root.places) == 0 {
		return nil
	}
	k, i := kindAt(s.root.total, number)
	pl, _ := s.root.placeOf(k, i)
	return pl
}

// placeOf returns the placement of p that makes the part's i-th solid of kind k. n is the index of this solid among the
// solids of kind k that the placement makes. It returns nil if the solid is not from a placement.
func (p *part) placeOf(k Kind, i int) (pl *place, n int) {
	after := sort.Search(len(p.places), func(j int) bool { return p.places[j].first[k] > i })
	if after == 0 {
		return nil, 0
	}
	pl = p.places[after-1]
	if n = i - pl.first[k]; n >= pl.copies*pl.part.total[k] {
		return nil, 0
	}
	return pl, n
}

// origin returns the origin of the part's i-th solid of a kind.
func (p *part) origin(k Kind, i int) origin {
	if i < len(p.own[k].objects) {
		return origin{part: p, kind: k, index: i}
	}
	if pl, n := p.placeOf(k, i); pl != nil {
		each := pl.part.total[k]
		o := pl.part.origin(k, n%each)
		o.placed = append([]placedCopy{{pl, n / each}}, o.placed...)
		return o
	}
	for _, b := range p.bulks {
		if n := i - b.first; b.kind == k && n < b.count {
			return origin{part: p, kind: k, bulk: b, index: n}
		}
	}
	panic(fmt.Sprintf("scene: a part has no %s %d", k, i))
}

// path returns the path of a solid from a placement, for messages, such as hand/thumb or, if placement
// and solid have no names, place[1]/sphere[0].
func (o origin) path() string {
	var segments []string
	for _, c := range o.placed {
		segments = append(segments, c.segment(c.copy))
	}
	return strings.Join(append(segments, segmentOf(o.part, o.kind, o.bulk, o.index)), "/")
}

// segment returns the name of the i-th copy in paths, such as hand or place[1][3].
func (p *place) segment(i int) string {
	name := p.name
	if name == "" {
		name = fmt.Sprintf("place[%d]", p.table.Index)
	}
	if p.copies > 1 {
		name += fmt.Sprintf("[%d]", i)
	}
	return name
}

// segmentOf returns the name of a solid of a part in paths, such as thumb, sphere[0] or atoms.csv:7.
func segmentOf(p *part, k Kind, b *bulk, i int) string {
	if b != nil {
		return fmt.Sprintf("%s:%d", path.Base(b.Path), b.line(i))
	}
	if name := p.tables.name(p.own[k].objects[i]); name != "" {
		return name
	}
	return fmt.Sprintf("%s[%d]", k, i)
}

// Key returns the kind and the index of the solid with the given number, 0 <= number < s.Objects.Len(),
// such as sphere[3]. This is the key of the solid's table if it has one of its own in the scene's file.
func (s *Scene) Key(number int) string {
	k, index := s.Of(number)
	return fmt.Sprintf("%s[%d]", k, index)
}

// Label returns a description of the solid with the given number for texts, 0 <= number < s.Objects.Len(). A solid with
// a name has its kind and name, such as capsule "arm". A solid without a name has its path if it comes from placements,
// such as place[2][3]/sphere[0], and otherwise its key, such as sphere[3].
func (s *Scene) Label(number int) string {
	if name := s.Objects.Name(number); name != "" {
		kind, _ := s.Of(number)
		return fmt.Sprintf("%s %q", kind, name)
	}
	if s.outermostPlace(number) == nil {
		return s.Key(number)
	}
	o, _ := s.origin(number)
	return text.EscapeName(o.path())
}

// Path returns the name of the solid with the given number, 0 <= number < s.Objects.Len(), or, if it comes from placements, its
// path, such as place[2][3]/sphere[0]. A solid without a name outside placements has none: "".
func (s *Scene) Path(number int) string {
	if o, ok := s.origin(number); ok && len(o.placed) > 0 {
		return o.path()
	}
	return s.Objects.Name(number)
}

// SectionLabel returns a description of the section with the given index for texts, 0 <= index < len(s.Sections): its name,
// such as section "lid", or section 0 if it has none.
func (s *Scene) SectionLabel(index int) string {
	if name := s.Sections[index].Name; name != "" {
		return fmt.Sprintf("section %q", text.EscapeName(name))
	}
	return fmt.Sprintf("section %d", index)
}

// locatedLabel returns the label of a solid. If the solid is a row of a bulk table, and no placement made it, the position
// of the row follows.
func (s *Scene) locatedLabel(number int) string {
	if o, ok := s.origin(number); ok && o.bulk != nil && len(o.placed) == 0 {
		return fmt.Sprintf("%s at %s", s.Label(number), o.bulk.place(o.index))
	}
	return s.Label(number)
}

// BulkLine returns the bulk file and the line in it, counted from 1, of the solid with the given number, 0 <= number
// < s.Objects.Len(). The name of the file is [File.Name]. For a solid from a placement, the file is a bulk file of
// the part. BulkLine returns false if the solid has a table of its own, or if s was not read from a file or is
// detached from it.
func (s *Scene) BulkLine(number int) (file string, line int, ok bool) {
	o, ok := s.origin(number)
	if !ok || o.bulk == nil {
		return "", 0, false
	}
	return o.bulk.Name, o.bulk.line(o.index), true
}
