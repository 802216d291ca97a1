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
	"pillbox/internal/keytable"
	"pillbox/shapes"
)

// Overlap describes two solids that have points in common.
type Overlap struct {
	A, B     int            // the numbers of the solids, A < B
	Relation exact.Relation // Touching or Overlapping

	// Depth is the least distance by which one of the solids must move to separate them, up to rounding
	// and, for cylinders, approximately. It is 0 if they touch, or if they overlap by less than the rounding errors.
	Depth float64

	// Approximate is true if one of the solids is a box or a cylinder. Then the relation depends on a distance that is
	// computed in floating point. A distance within its rounding errors counts as touching.
	//
	// Between spheres and capsules, Approximate is false: the relation is exact for the decimals that [Scene.Decimal]
	// returns. For a solid outside parts, these are the numbers in the file if they have up to 15 significant digits,
	// or with [WithAllDigits].
	Approximate bool
}

// Overlaps yields every pair of solids that overlap or touch and that [Scene.AllowedOverlaps] does not
// exempt, in ascending order of A and then B. Overlapping solids are rendered like any others, and may
// be intended. The number of pairs and the time can grow with the square of the number of solids.
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

// overlapSearch finds solids that overlap or touch.
type overlapSearch struct {
	scene    *Scene
	allowed  allowance
	most     int  // limit of examined; 0: no limit
	examined int  // number of examined pairs; a pair counts 1 + longCost times if the scene keeps long numbers
	cut      bool // whether there were more pairs

	first        int // the first solid of the current pair; consecutive pairs share it
	firstDecimal exact.Decimal3
	hasFirst     bool
}

// longCost is the additional cost of examining a pair of solids if numbers may have more digits than a float64. Every
// pair costs at least 1.
const longCost = 16

// The method among searches the solids with the given object numbers; nil means all solids. It yields the pairs that
// overlap or touch, except those that the scene allows to overlap. The numbers must ascend. The pairs are in ascending
// order of A and then B. If f.most is positive, among stops when f.examined exceeds it, and sets f.cut.
func (f *overlapSearch) among(numbers []int) iter.Seq[Overlap] {
	return func(yield func(Overlap) bool) {
		for i, j := range f.scene.bvhOf(numbers).Pairs() {
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

// bvhOf returns a BVH of the solids with the given object numbers, which must ascend: solid i of the
// BVH is numbers[i]. If numbers is nil, it contains all solids.
func (s *Scene) bvhOf(numbers []int) *accel.BVH {
	some := s
	if numbers != nil {
		some = new(Scene)
		for _, n := range numbers {
			k, i := s.Of(n)
			k.row().appendTo(some, s, i)
		}
	}
	return accel.New(accel.Source{Spheres: some.Spheres, Capsules: some.Capsules, Boxes: some.Boxes, Cylinders: some.Cylinders})
}

// identical returns, for each solid by object number, an earlier solid with the same geometry, or the solid itself if
// it is no duplicate. With [WithAllDigits], solids whose numbers in the file differ are no duplicates, even if the
// float64s are equal.
func (s *Scene) identical() []int {
	first := make([]int, s.Objects.Len())
	seed := maphash.MakeSeed()
	met := make(map[uint64]int, s.Objects.Len()) // the first solid of each hash
	for i := range first {
		first[i] = i
		shape := s.geometry(i)
		hash := maphash.Comparable(seed, shape)
		j, ok := met[hash]
		if ok && s.texts(i) != s.texts(j) { // rare: look for equal numbers with all their digits
			hash = maphash.Comparable(seed, struct {
				geometry
				texts [7]string
			}{shape, s.texts(i)})
			j, ok = met[hash]
		}
		if !ok {
			met[hash] = i
		} else if s.geometry(j) == shape && s.texts(i) == s.texts(j) {
			first[i] = j
		}
	}
	return first
}

// geometry is a normal form of a solid's geometry. Solids with equal geometry are the same set of
// points. The converse does not hold for boxes, whose axes can be permuted or negated.
type geometry struct {
	kind     Kind // KindCapsule for spheres, too
	measures measures
	rotation geom.Mat3
}

// geometry returns the geometry of a solid. It swaps the ends of an axis if necessary, so that they are
// in the order of their coordinates.
func (s *Scene) geometry(number int) geometry {
	k, i := s.Of(number)
	m, rotation := k.row().measures(k.row().solid(s, i)) // as float64, as rendered
	if k.row().traits().pill {
		k = KindCapsule
	}
	if p, q := m.vector(slotPoint), m.vector(slotSize); k.has(slotSize, keytable.Coordinates()) && slices.Compare(m[slotPoint:slotSize], m[slotSize:slotRadius]) > 0 {
		copy(m[:], []float64{q.X, q.Y, q.Z, p.X, p.Y, p.Z})
	}
	return geometry{k, m, rotation}
}

// allowance decides which pairs of solids [Scene.AllowedOverlaps] exempts. It matches each name only
// once.
type allowance struct {
	scene   *Scene
	matches map[int][2]uint64 // by object number; bit i of element k is set if the name matches pattern k of pair i
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
			// An invalid pattern matches nothing; the loader reports it.
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

// decimalOfFirst returns the decimals of a solid from [Scene.decimal]. It keeps the last result, because computing it
// takes long for solids from placements.
func (f *overlapSearch) decimalOfFirst(number int) exact.Decimal3 {
	if !f.hasFirst || f.first != number {
		f.first, f.firstDecimal, f.hasFirst = number, f.scene.decimal(number), true
	}
	return f.firstDecimal
}

func (f *overlapSearch) relate(a, b int) Overlap {
	s := f.scene
	isPill := s.isPill(a)
	if isPill && s.isPill(b) {
		p, q := f.decimalOfFirst(a), s.decimal(b)
		o := Overlap{A: a, B: b, Relation: exact.RelateDecimal3(p, q)}
		if o.Relation == exact.Overlapping {
			o.Depth = depthOf(p, q)
		}
		return o
	}
	if gap, ok := separation(s.Solid(a), s.Solid(b)); ok {
		return overlapAt(a, b, gap, s.Solid(a).Bounds().MaxAbs()+s.Solid(b).Bounds().MaxAbs())
	}
	var gap, extent float64
	box := s.Solid(b).(*shapes.Box)
	if isPill {
		pill := f.decimalOfFirst(a)
		axis := axisOf(pill)
		gap = box.Distance(axis)
		if gap == 0 {
			gap = box.SegmentSeparation(axis)
		}
		gap -= pill.R
		extent = max(axis.A.MaxAbs(), axis.B.MaxAbs()) + pill.R
	} else {
		other := s.Solid(a).(*shapes.Box)
		gap = other.Separation(box)
		extent = other.Bounds().MaxAbs()
	}
	return overlapAt(a, b, gap, extent+box.Bounds().MaxAbs())
}

// depthOf returns how far two spheres or capsules overlap, or 0 if that is less than the rounding errors of the result: a
// few units in the last place of the coordinates and radii.
func depthOf(p, q exact.Decimal3) float64 {
	a, b := axisOf(p), axisOf(q)
	depth := p.R + q.R - math.Sqrt(a.Dist2(b))
	if rounding := 0x1p-51 * (max(a.A.MaxAbs(), a.B.MaxAbs(), b.A.MaxAbs(), b.B.MaxAbs()) + p.R + q.R); !(depth > rounding) {
		return 0
	}
	return depth
}

// separation returns the numeric distance of two solids, and false if neither is a cylinder.
func separation(a, b shapes.Shape) (gap float64, ok bool) {
	if c, ok := b.(*shapes.Cylinder); ok {
		return c.Separation(a), true
	}
	if c, ok := a.(*shapes.Cylinder); ok {
		return c.Separation(b), true
	}
	return 0, false
}

// overlapAt returns the relation of two solids at a numeric distance.
func overlapAt(a, b int, gap, extent float64) Overlap {
	o := Overlap{A: a, B: b, Relation: relationAt(gap, extent), Approximate: true}
	if o.Relation == exact.Overlapping {
		o.Depth = -gap
	}
	return o
}

// axisOf returns the axis of a sphere or capsule. The axis of a sphere has length zero.
func axisOf(d exact.Decimal3) geom.Segment {
	return geom.Segment{
		A: geom.Vec3{X: d.P[0], Y: d.P[1], Z: d.P[2]},
		B: geom.Vec3{X: d.Q[0], Y: d.Q[1], Z: d.Q[2]},
	}
}

// relationAt returns the relation of two solids whose distance, gap, was computed in floating point from lengths of at
// most extent. A gap of at most 64 units in the last place of extent counts as touching, because rounding may be its
// cause.
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
