// Package overlap finds the solids of a scene that overlap or touch, and describes them in notes for its author.
//
// Conventions: solids are object numbers, as in package scene, and depths are in scene units. Between spheres and capsules, the
// relation is exact for the decimals of the scene file (package exact decides it in integers); with boxes and cylinders it is
// computed in floating point, and [Overlap] says so. Solids count whole, whatever sections take away. Nothing here changes a
// scene, so several goroutines may use one at the same time.
package overlap

import (
	"cmp"
	"hash/maphash"
	"iter"
	"math"
	"path"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/scene"
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
	// Between spheres and capsules, Approximate is false: the relation is exact for the decimals that
	// [scene.Scene.Decimal] returns. For a solid outside parts, these are the numbers in the file if they have up to 15
	// significant digits, or with [scene.WithAllDigits].
	Approximate bool
}

// All yields every pair of solids that overlap or touch and that [scene.Scene.AllowedOverlaps] does not exempt, in ascending
// order of A and then B. Overlapping solids are rendered like any others, and may be intended. Solids count whole, whatever
// sections take away. The number of pairs and the time can grow with the square of the number of solids.
func All(s *scene.Scene) iter.Seq[Overlap] {
	return func(yield func(Overlap) bool) {
		f := search{scene: s, allowed: allowance{scene: s}}
		for o := range f.among(nil) {
			if !yield(o) {
				return
			}
		}
	}
}

// search finds solids that overlap or touch.
type search struct {
	scene    *scene.Scene
	allowed  allowance
	most     int  // limit of examined; 0: no limit
	examined int  // number of examined pairs; a pair counts 1 + longCost times if the scene keeps long numbers
	cut      bool // whether there were more pairs

	first        int // the first solid of the current pair; consecutive pairs share it
	firstDecimal exact.Decimal3
	firstIsPill  bool
	hasFirst     bool
}

// longCost is the additional cost of examining a pair of solids if numbers may have more digits than a float64. Every
// pair costs at least 1.
const longCost = 16

// The method among searches the solids that omit, if it is not nil, does not report. It yields the pairs that overlap or
// touch, except those that the scene allows to overlap. The pairs are in ascending order of A and then B. If f.most is positive, among stops when f.examined exceeds it, and sets f.cut.
func (f *search) among(omit func(number int32) bool) iter.Seq[Overlap] {
	return func(yield func(Overlap) bool) {
		s := f.scene
		all := accel.Source{Spheres: s.Spheres, Capsules: s.Capsules, Boxes: s.Boxes, Cylinders: s.Cylinders, Omit: omit}
		for a, b := range accel.New(all).Pairs() {
			if f.examined++; f.most > 0 && f.examined > f.most {
				f.cut = true
				return
			}
			if s.KeepsDigits() {
				f.examined += longCost
			}
			o := f.relate(int(a), int(b))
			if o.Relation != exact.Apart && !f.allowed.exempts(o.A, o.B) && !yield(o) {
				return
			}
		}
	}
}

// identical returns, for each solid by object number, an earlier solid with the same geometry, or the solid itself if
// it is no duplicate. With [scene.WithAllDigits], solids whose numbers in the file differ are no duplicates, even if the
// float64s are equal.
func identical(s *scene.Scene) []int {
	first := make([]int, s.Objects.Len())
	seed := maphash.MakeSeed()
	met := make(map[uint64]int, s.Objects.Len()) // the first solid of each hash; geometries would take much memory
	for i := range first {
		first[i] = i
		g := geometryOf(s, i)
		hash := maphash.Comparable(seed, g)
		if j, ok := met[hash]; !ok {
			met[hash] = i
		} else if geometryOf(s, j) == g {
			first[i] = j
		}
	}
	return first
}

// geometry identifies the set of points of a solid. Solids with equal geometry are the same set. The converse does not hold
// for boxes, whose axes can be permuted or negated.
type geometry struct {
	form any       // from normalForm
	long [7]string // the numbers that a float64 cannot represent
}

func geometryOf(s *scene.Scene, number int) geometry {
	g := geometry{form: normalForm(s.Solid(number))}
	if s.KeepsDigits() {
		g.long = s.LongNumbers(number)
	}
	return g
}

// normalForm returns a solid as a comparable value: a sphere as a capsule of length zero, and the ends of an axis in the order
// of their coordinates. The numbers are those of the solid as rendered.
func normalForm(x shapes.Shape) any {
	switch x := x.(type) {
	case *shapes.Sphere:
		return shapes.Capsule{A: x.Center, B: x.Center, Radius: x.Radius}
	case *shapes.Capsule:
		a, b := ordered(x.A, x.B)
		return shapes.Capsule{A: a, B: b, Radius: x.Radius}
	case *shapes.Cylinder:
		a, b := ordered(x.A, x.B)
		return shapes.Cylinder{A: a, B: b, Radius: x.Radius}
	case *shapes.Box:
		return *x
	}
	panic("overlap: a solid of an unknown kind")
}

// ordered returns two points in the order of their coordinates.
func ordered(p, q geom.Vec3) (first, second geom.Vec3) {
	if cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y), cmp.Compare(p.Z, q.Z)) > 0 {
		return q, p
	}
	return p, q
}

// allowance decides which pairs of solids [scene.Scene.AllowedOverlaps] exempts. It matches each name only
// once.
type allowance struct {
	scene   *scene.Scene
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

// decimalOfFirst returns the decimals of a solid from [scene.Scene.Decimal]. It keeps the last result, because computing it
// takes long for solids from placements.
func (f *search) decimalOfFirst(number int) (d exact.Decimal3, isPill bool) {
	if !f.hasFirst || f.first != number {
		f.first, f.hasFirst = number, true
		f.firstDecimal, f.firstIsPill = f.scene.Decimal(number)
	}
	return f.firstDecimal, f.firstIsPill
}

func (f *search) relate(a, b int) Overlap {
	s := f.scene
	pill, isPill := f.decimalOfFirst(a)
	if other, ok := s.Decimal(b); ok && isPill {
		o := Overlap{A: a, B: b, Relation: exact.RelateDecimal3(pill, other)}
		if o.Relation == exact.Overlapping {
			o.Depth = depthOf(pill, other)
		}
		return o
	}
	if gap, ok := separation(s.Solid(a), s.Solid(b)); ok {
		return overlapAt(a, b, gap, s.Solid(a).Bounds().MaxAbs()+s.Solid(b).Bounds().MaxAbs())
	}
	var gap, extent float64
	box := s.Solid(b).(*shapes.Box)
	if isPill {
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
