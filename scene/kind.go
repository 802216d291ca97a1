package scene

import (
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/shapes"
)

// Kind is a kind of solid. The solids of a scene are numbered kind by kind, in the order of the
// constants, and within a kind in the order of the scene's slice for it.
type Kind int

// The kinds of solids. A new kind goes last, so that the numbers of all others stay the same.
const (
	KindSphere Kind = iota
	KindCapsule
	KindBox
	KindCylinder

	kindCount
)

// KindNames returns the names of the kinds, indexed by Kind. These are the names of their tables in a
// scene file. The caller owns the slice.
func KindNames() []string {
	names := make([]string, kindCount)
	for k := range kindCount {
		names[k] = k.String()
	}
	return names
}

// Kinds returns all kinds in order. The caller owns the slice.
func Kinds() []Kind {
	all := make([]Kind, kindCount)
	for k := range all {
		all[k] = Kind(k)
	}
	return all
}

// ParseKind returns the kind with the given name, and false if none exists.
func ParseKind(name string) (Kind, bool) {
	for k := range kindCount {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// String returns the name of the kind, such as sphere.
func (k Kind) String() string { return k.row().traits().name }

// Plural returns the name for several solids of the kind, such as spheres.
func (k Kind) Plural() string { return k.row().traits().plural }

// Count returns the number of solids of a kind.
func (s *Scene) Count(k Kind) int { return s.counts()[k] }

// counts returns the number of solids of each kind.
func (s *Scene) counts() [kindCount]int {
	return [kindCount]int{KindSphere: len(s.Spheres), KindCapsule: len(s.Capsules), KindBox: len(s.Boxes), KindCylinder: len(s.Cylinders)}
}

// Number returns the object number of a solid, given its kind and its index within that kind, counted
// from 0. It is the inverse of [Scene.Of].
func (s *Scene) Number(k Kind, index int) int {
	counts := s.counts()
	for _, n := range counts[:k] {
		index += n
	}
	return index
}

// Of returns the kind of the solid with the given number and its index within that kind,
// 0 <= number < s.Objects.Len().
func (s *Scene) Of(number int) (k Kind, index int) { return kindAt(s.counts(), number) }

// kindAt returns the kind of a solid and its index within that kind, given its object number and the
// number of solids of each kind.
func kindAt(counts [kindCount]int, number int) (k Kind, index int) {
	for ; k < kindCount-1 && number >= counts[k]; k++ {
		number -= counts[k]
	}
	return k, number
}

// Points returns the points of the solid with the given number, 0 <= number < s.Objects.Len(), by their keys, such as
// center. The caller owns the map.
func (s *Scene) Points(number int) map[string]geom.Vec3 {
	k, i := s.Of(number)
	n, _ := k.row().measures(k.row().solid(s, i))
	points := make(map[string]geom.Vec3)
	for _, m := range k.row().keys() {
		if m.limits == keytable.Coordinates() {
			points[m.key] = n.vector(m.slot)
		}
	}
	return points
}

// SameSolids reports whether two scenes have equal solids that are cut by equal sections, ignoring names, materials and
// colors, except for which solids are ghosts. It takes no time if the scenes share their slices, as copies of a scene usually
// do, and have no ghosts.
func SameSolids(a, b *Scene) bool {
	if !sameSections(a, b) {
		return false
	}
	for _, row := range kindTable() {
		if !row.equal(a, b) {
			return false
		}
	}
	return sameGhosts(&a.Objects, &b.Objects)
}

func sameGhosts(a, b *Objects) bool {
	if !a.ghosts && !b.ghosts {
		return true
	}
	for i := range min(a.Len(), b.Len()) {
		if a.IsGhost(i) != b.IsGhost(i) {
			return false
		}
	}
	return true
}

// Solid returns the geometry of the solid with the given number, 0 <= number < s.Objects.Len(): a
// pointer into the scene's slice for its kind.
func (s *Scene) Solid(number int) shapes.Shape {
	k, i := s.Of(number)
	return k.row().solid(s, i)
}
