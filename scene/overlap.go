package scene

import (
	"hash/maphash"
	"iter"
	"math"
	"path"
	"slices"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shapes"
)

// Overlap says that two solids have points in common.
type Overlap struct {
	A, B     int            // the numbers of the solids, A < B
	Relation exact.Relation // Touching or Overlapping

	// Depth is how far one of the solids must move at least to get free of the other, to within
	// rounding. It is 0 where they touch.
	Depth float64

	// Approximate says that a box is involved. Then the relation was decided by a numeric
	// distance, and a distance within its rounding counts as touching. Between spheres and
	// capsules it is exact, with every number representing its shortest decimal: what the
	// file says, up to 15 significant digits, and to any number of them in a scene that was decoded
	// [WithAllDigits]. Where placements put them it is exact for the numbers of [Scene.Decimal].
	Approximate bool
}

// Overlaps yields every pair of solids that overlap or touch and that [Scene.AllowedOverlaps] does
// not exempt, in ascending order of A and then B. Overlapping solids render like any others;
// whether that is intended is for the author to say. The number of pairs, and the time, can grow
// with the square of that of the solids.
func (s *Scene) Overlaps() iter.Seq[Overlap] {
	return func(yield func(Overlap) bool) {
		search := overlapSearch{scene: s, allowed: allowance{scene: s}}
		for o := range search.among(nil) {
			if !yield(o) {
				return
			}
		}
	}
}

// overlapSearch looks for solids that overlap or touch.
type overlapSearch struct {
	scene    *Scene
	allowed  allowance
	most     int  // how many pairs of solids whose bounds overlap are examined; 0: all
	examined int  // so many
	cut      bool // there were more

	first        int // a solid, of which pairs come one after the other
	firstDecimal exact.Decimal3
	hasFirst     bool
}

// longCost is how many pairs of short numbers can be examined in the time for a pair of long ones.
const longCost = 16

// among yields the pairs among the solids of the given numbers, which ascend; nil means all.
func (f *overlapSearch) among(numbers []int) iter.Seq[Overlap] {
	return func(yield func(Overlap) bool) {
		for i, j := range f.scene.worldOf(numbers).Pairs() {
			if f.examined++; f.most > 0 && f.examined > f.most {
				f.cut = true
				return
			}
			a, b := int(i), int(j)
			if numbers != nil {
				a, b = numbers[i], numbers[j]
			}
			if f.scene.keepsDecimals {
				f.examined += longCost
			}
			o := f.relate(a, b)
			if o.Relation != exact.Apart && !f.allowed.exempts(a, b) && !yield(o) {
				return
			}
		}
	}
}

// worldOf returns the solids of the given numbers, which ascend, prepared for ray queries; nil
// means all.
func (s *Scene) worldOf(numbers []int) *accel.BVH {
	if numbers == nil {
		return accel.New(s.Spheres, s.Capsules, s.Boxes)
	}
	var spheres []shapes.Sphere
	var capsules []shapes.Capsule
	var boxes []shapes.Box
	for _, n := range numbers {
		switch x := s.Solid(n).(type) {
		case *shapes.Sphere:
			spheres = append(spheres, *x)
		case *shapes.Capsule:
			capsules = append(capsules, *x)
		case *shapes.Box:
			boxes = append(boxes, *x)
		}
	}
	return accel.New(spheres, capsules, boxes)
}

// identical returns, by number, the first solid that is the same set of points as this one: the
// solid itself unless it is there again.
func (s *Scene) identical() []int {
	first := make([]int, s.Objects.Len())
	seed := maphash.MakeSeed()
	met := make(map[uint64]int, s.Objects.Len())
	for i := range first {
		first[i] = i
		shape := s.geometry(i)
		hash := maphash.Comparable(seed, shape)
		if j, ok := met[hash]; !ok {
			met[hash] = i
		} else if s.geometry(j) == shape && s.texts(i) == s.texts(j) {
			first[i] = j
		}
	}
	return first
}

// geometry returns the numbers that make a solid, equal for equal solids: of a capsule, the end
// that comes first in the order of coordinates is first. The last tells boxes from capsules.
func (s *Scene) geometry(number int) [16]float64 {
	if k, i := s.Of(number); k == KindBox {
		b := &s.Boxes[i]
		c, h, r := b.Center, b.HalfExtents, b.Rotation
		return [16]float64{c.X, c.Y, c.Z, h.X, h.Y, h.Z, r.X.X, r.X.Y, r.X.Z, r.Y.X, r.Y.Y, r.Y.Z, r.Z.X, r.Z.Y, r.Z.Z, 1}
	}
	d := decimalOf(s.pill(number)) // rounded: what is drawn twice is the same
	if slices.Compare(d.P[:], d.Q[:]) > 0 {
		d.P, d.Q = d.Q, d.P
	}
	return [16]float64{d.P[0], d.P[1], d.P[2], d.Q[0], d.Q[1], d.Q[2], d.R}
}

// allowance knows which pairs of solids [Scene.AllowedOverlaps] exempts. It matches each name once.
type allowance struct {
	scene   *Scene
	matches map[int][2]uint64 // by number: bit i is set if the name matches the first, or second, pattern of pair i
}

func (a *allowance) exempts(i, j int) bool {
	if len(a.scene.AllowedOverlaps) == 0 {
		return false
	}
	m, n := a.match(i), a.match(j)
	return m[0]&n[1]|m[1]&n[0] != 0
}

func (a *allowance) match(number int) [2]uint64 {
	if m, ok := a.matches[number]; ok {
		return m
	}
	var m [2]uint64
	for i, pair := range a.scene.AllowedOverlaps {
		for side, pattern := range pair {
			// A pattern that is wrong matches nothing; the loader refuses it.
			if ok, _ := path.Match(pattern, a.scene.Objects.Name(number)); ok {
				m[side] |= 1 << i
			}
		}
	}
	if a.matches == nil {
		a.matches = make(map[int][2]uint64)
	}
	a.matches[number] = m
	return m
}

// decimalOfFirst is [Scene.decimal], which takes long for what placements made.
func (f *overlapSearch) decimalOfFirst(number int) exact.Decimal3 {
	if !f.hasFirst || f.first != number {
		f.first, f.firstDecimal, f.hasFirst = number, f.scene.decimal(number), true
	}
	return f.firstDecimal
}

func (f *overlapSearch) relate(a, b int) Overlap {
	s := f.scene
	kindA, i := s.Of(a)
	kindB, j := s.Of(b)
	if kindB != KindBox {
		p, q := f.decimalOfFirst(a), s.decimal(b)
		o := Overlap{A: a, B: b, Relation: exact.RelateDecimal3(p, q)}
		if o.Relation == exact.Overlapping {
			o.Depth = p.R + q.R - math.Sqrt(axisOf(p).Dist2(axisOf(q)))
		}
		return o
	}
	box := &s.Boxes[j]
	var gap, extent float64
	if kindA != KindBox {
		pill := f.decimalOfFirst(a)
		axis := axisOf(pill)
		gap = box.Distance(axis)
		if gap == 0 {
			gap = box.SegmentSeparation(axis)
		}
		gap -= pill.R
		extent = max(axis.A.MaxAbs(), axis.B.MaxAbs()) + pill.R
	} else {
		other := &s.Boxes[i]
		gap = other.Separation(box)
		extent = other.Bounds().MaxAbs()
	}
	o := Overlap{A: a, B: b, Relation: relationAt(gap, extent+box.Bounds().MaxAbs()), Approximate: true}
	if o.Relation == exact.Overlapping {
		o.Depth = -gap
	}
	return o
}

// axisOf returns the axis of a pill.
func axisOf(d exact.Decimal3) geom.Segment {
	return geom.Segment{
		A: geom.Vec3{X: d.P[0], Y: d.P[1], Z: d.P[2]},
		B: geom.Vec3{X: d.Q[0], Y: d.Q[1], Z: d.Q[2]},
	}
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
