package scene

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/scene/tomltext"
	"pillbox/shapes"
)

// Overlap says that two solids have points in common.
type Overlap struct {
	A, B     int            // the numbers of the solids, A < B
	Relation exact.Relation // Touching or Overlapping

	// Approximate says that a box is involved. Then the relation was decided by a numeric
	// distance, and a distance within its rounding counts as touching. Between spheres and
	// capsules it is exact, with every number standing for its shortest decimal: what the
	// file says, up to 15 significant digits.
	Approximate bool
}

// Overlaps yields every pair of solids that overlap or touch, in ascending order of A and
// then B. Overlapping solids render like any others; whether that is intended is for the
// author to say.
func (s *Scene) Overlaps() iter.Seq[Overlap] {
	return func(yield func(Overlap) bool) {
		for a, b := range s.World().Pairs() {
			o := s.relate(int(a), int(b))
			if o.Relation != exact.Apart && !yield(o) {
				return
			}
		}
	}
}

func (s *Scene) relate(a, b int) Overlap {
	firstBox := len(s.Spheres) + len(s.Capsules)
	if b < firstBox {
		return Overlap{A: a, B: b, Relation: exact.RelateDecimal3(s.decimal(a), s.decimal(b))}
	}
	box := &s.Boxes[b-firstBox]
	var gap, extent float64
	if a < firstBox {
		pill := s.decimal(a)
		axis := geom.Segment{
			A: geom.Vec3{X: pill.P[0], Y: pill.P[1], Z: pill.P[2]},
			B: geom.Vec3{X: pill.Q[0], Y: pill.Q[1], Z: pill.Q[2]},
		}
		gap = box.Distance(axis) - pill.R
		extent = max(axis.A.MaxAbs(), axis.B.MaxAbs()) + pill.R
	} else {
		other := &s.Boxes[a-firstBox]
		gap = other.Separation(box)
		extent = other.Bounds().MaxAbs()
	}
	return Overlap{A: a, B: b, Relation: relationAt(gap, extent+box.Bounds().MaxAbs()), Approximate: true}
}

// relationAt returns the relation of two surfaces at a numeric distance. The distance is a sum of
// a few dozen products of coordinates, none larger than extent, so 64 units in the last
// place of extent cover its rounding.
func relationAt(gap, extent float64) exact.Relation {
	slack := float64(64 * 0x1p-52 * extent)
	switch {
	case gap > slack:
		return exact.Apart
	case gap < -slack:
		return exact.Overlapping
	}
	return exact.Touching
}

// decimal returns a sphere or capsule by its number. A sphere is a capsule without length.
func (s *Scene) decimal(number int) exact.Decimal3 {
	var c shapes.Capsule
	if number < len(s.Spheres) {
		x := &s.Spheres[number]
		c = shapes.Capsule{A: x.Center, B: x.Center, Radius: x.Radius}
	} else {
		c = s.Capsules[number-len(s.Spheres)]
	}
	return exact.Decimal3{
		P: [3]float64{c.A.X, c.A.Y, c.A.Z},
		Q: [3]float64{c.B.X, c.B.Y, c.B.Z},
		R: c.Radius,
	}
}

// MaxCountedOverlaps is how far [Scene.DescribeOverlaps] counts. The number of pairs can
// grow with the square of that of the solids.
const MaxCountedOverlaps = 100_000

// DescribeOverlaps returns a note for each of the first most pairs that [Scene.Overlaps]
// yields, sorted by place, and the number of all pairs; if there are more than
// [MaxCountedOverlaps], it is that plus 1. The data is the file that s was decoded from; a
// note stands at the header of the pair's first solid, or at the beginning of its line in a
// bulk file, and names the place of the second.
func (s *Scene) DescribeOverlaps(data []byte, most int) (notes Errors, all int) {
	var pairs []Overlap
	for o := range s.Overlaps() {
		if all++; all <= most {
			pairs = append(pairs, o)
		}
		if all > MaxCountedOverlaps {
			break
		}
	}
	if all == 0 {
		return nil, 0
	}
	places := s.headers(data, pairs)
	for _, o := range pairs {
		note := *places[o.A]
		note.Message = fmt.Sprintf("%s %s", verb(o), s.label(o.B))
		if name := s.Objects[o.A].Name; name != "" {
			note.Message = fmt.Sprintf("%q %s", name, note.Message)
		}
		switch second := places[o.B]; {
		case second.File != note.File:
			note.Message += fmt.Sprintf(" at %s:%d", oneLine(second.File), second.Line)
		case second.Line > 0:
			note.Message += fmt.Sprintf(" at line %d", second.Line)
		}
		if o.Approximate {
			note.Message += ", approximately"
		}
		note.Code = CodeOverlap
		if o.Relation == exact.Touching {
			note.Code = CodeTouch
		}
		notes = append(notes, &note)
	}
	slices.SortStableFunc(notes, func(a, b *Error) int {
		switch here := a.File == s.Name; {
		case here == (b.File == s.Name):
			return comparePlaces(a, b)
		case here:
			return -1
		}
		return +1
	})
	return notes, all
}

func verb(o Overlap) string {
	if o.Relation == exact.Touching {
		return "touches"
	}
	return "overlaps"
}

// label returns the key of a solid and its name, if it has one.
func (s *Scene) label(number int) string {
	kind, index := s.Kind(number)
	key := fmt.Sprintf("%s[%d]", kind, index)
	if name := s.Objects[number].Name; name != "" {
		return fmt.Sprintf("%s %q", key, name)
	}
	return key
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
			kind, index := s.Kind(number)
			p := &problem{Error: Error{Key: fmt.Sprintf("%s[%d]", kind, index), Severity: SeverityInfo}}
			notes[number] = &p.Error
			if file, line, ok := s.BulkLine(number); ok {
				p.File, p.Line, p.Column, p.EndColumn = file, line, 1, 1
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
