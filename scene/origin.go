package scene

import (
	"fmt"
	"path"
	"sort"
	"strings"

	"pillbox/internal/text"
	"pillbox/shapes"
)

// Origin says which table of a scene's file a solid comes from.
type Origin struct {
	Table string // the name of the solid's kind, or "bulk" or, if placements made the solid, "place", the outermost
	Index int    // among the tables of this name
	File  File   // of the bulk table that has the solid, nested or not; zero if it is not a row of a file
}

// Origin returns where the solid with the given number comes from, 0 <= number < s.Objects.Len(), and
// false if s was not read from a file, or is detached from it.
func (s *Scene) Origin(number int) (Origin, bool) {
	o, ok := s.origin(number)
	if !ok {
		return Origin{}, false
	}
	from := Origin{Table: o.kind.String(), Index: o.index}
	if o.bulk != nil {
		from = Origin{Table: "bulk", Index: o.bulk.table.index, File: o.bulk.File}
	}
	if len(o.placed) > 0 {
		from.Table, from.Index = "place", o.placed[0].table.index
	}
	return from, true
}

// Table returns the full key of the table that has the solid with the given number, 0 <= number <
// s.Objects.Len(), such as sphere[3] or part.leg.capsule[0], a [[bulk]] table if it is a row of a
// file, and the name of the scene's file in which the table stands, the scene's own or one that it
// includes; and false if s was not read from a file, or is detached from it.
func (s *Scene) Table(number int) (key, file string, ok bool) {
	o, ok := s.origin(number)
	if !ok {
		return "", "", false
	}
	t := o.part.table
	if o.bulk != nil {
		return o.bulk.table.key(""), t.report.file, true
	}
	return t.key(indexed(o.kind.String(), o.index)), t.report.file, true
}

// origin is where a solid of a scene comes from: a table or a row in some part, and the placements
// that lead there.
type origin struct {
	placed []placedCopy // the outermost first; none: the solid is the scene's own
	part   *part        // has the solid
	kind   Kind
	bulk   *bulk // nil: the solid has a table of its own
	index  int   // of its table, or of its row in bulk
}

// solids returns the solids among which the part has it, at index.
func (o *origin) solids() *solids {
	if o.bulk != nil {
		return &o.bulk.solids
	}
	return &o.part.own[o.kind]
}

// shape returns the solid as its part has it.
func (o *origin) shape() shapes.Shape { return o.kind.row().at(o.solids(), o.index) }

// measures returns the measures of the solid as its part has it.
func (o *origin) measures() measures {
	m, _ := o.kind.row().measures(o.shape())
	return m
}

// placedCopy is one of the copies of a placement.
type placedCopy struct {
	*place
	copy int
}

// Detach makes s forget the files that it was read from. A copy of a scene must be detached before
// its solids are changed: otherwise it would say of them where others come from, unless it has more or
// fewer than were read.
func (s *Scene) Detach() { s.root, s.motion, s.Files = nil, nil, nil }

// origin returns where the solid with the given number comes from, and false if s was not read from
// a file, or is detached from it.
func (s *Scene) origin(number int) (origin, bool) {
	if !s.isAsRead() {
		return origin{}, false
	}
	k, i := kindAt(s.root.total, number)
	return s.root.origin(k, i), true
}

// isAsRead reports whether s was read from a file and has as many solids of each kind as then. A copy
// that has others, and was not detached, counts as detached.
func (s *Scene) isAsRead() bool {
	return s.root != nil && s.root.total == s.counts()
}

// outermostPlace returns the placement of the scene's own that made a solid, nil if none did.
func (s *Scene) outermostPlace(number int) *place {
	if !s.isAsRead() || len(s.root.places) == 0 {
		return nil
	}
	k, i := kindAt(s.root.total, number)
	pl, _ := s.root.placeOf(k, i)
	return pl
}

// placeOf returns the placement of the part that makes its i-th solid of a kind, and which one of that
// kind it is there; nil if none does.
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

// origin returns where the i-th solid of a kind in the part comes from.
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

// path returns how messages name a solid that a placement made: index/bone, or place[1]/sphere[0]
// where names are missing.
func (o origin) path() string {
	var segments []string
	for _, c := range o.placed {
		segments = append(segments, c.segment(c.copy))
	}
	return strings.Join(append(segments, segmentOf(o.part, o.kind, o.bulk, o.index)), "/")
}

// segment returns how paths name a copy.
func (p *place) segment(i int) string {
	name := p.name
	if name == "" {
		name = fmt.Sprintf("place[%d]", p.table.index)
	}
	if p.copies > 1 {
		name += fmt.Sprintf("[%d]", i)
	}
	return name
}

// segmentOf returns how paths name a solid within its part.
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
// such as sphere[3]. If the solid has a table of its own in the scene's file, that is the table's key.
func (s *Scene) Key(number int) string {
	k, index := s.Of(number)
	return fmt.Sprintf("%s[%d]", k, index)
}

// Label returns what texts call the solid with the given number, 0 <= number < s.Objects.Len(): its kind
// and its name, such as capsule "arm"; without a name its path, such as place[2][3]/sphere[0], if
// placements made it; or else its key, such as sphere[3].
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

// locatedLabel returns the label of a solid and, if it is a row of the scene's own, where that stands.
func (s *Scene) locatedLabel(number int) string {
	if o, ok := s.origin(number); ok && o.bulk != nil && len(o.placed) == 0 {
		return fmt.Sprintf("%s at %s", s.Label(number), o.bulk.place(o.index))
	}
	return s.Label(number)
}

// BulkLine returns the file and the line, from 1, that the solid with the given number comes from,
// 0 <= number < s.Objects.Len(), and false if it comes from a table of its own. The name of the file
// is that of [File.Name]. A solid that placements made comes from where their part has it.
func (s *Scene) BulkLine(number int) (file string, line int, ok bool) {
	o, ok := s.origin(number)
	if !ok || o.bulk == nil {
		return "", 0, false
	}
	return o.bulk.Name, o.bulk.line(o.index), true
}
