package scene

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/shapes"
)

// kindTable returns the operations of this package that differ between the kinds of solids, one row per
// kind. All other code is the same for all kinds. A new kind needs a row here, a definition in its own
// file, and a slice in [Scene] and in solids.
func kindTable() [kindCount]kindRow {
	return [kindCount]kindRow{
		KindSphere:   rowOf[shapes.Sphere, *shapes.Sphere, sphereKind]{},
		KindCapsule:  rowOf[shapes.Capsule, *shapes.Capsule, capsuleKind]{},
		KindBox:      rowOf[shapes.Box, *shapes.Box, boxKind]{},
		KindCylinder: rowOf[shapes.Cylinder, *shapes.Cylinder, cylinderKind]{},
	}
}

// row returns the kind's row of the table.
func (k Kind) row() kindRow { return kindTable()[k] }

// definition is implemented for each kind. Solids of the kind are of type T.
type definition[T any] interface {
	traits() traits

	// keys returns the measures of the kind, in the order of their keys in a table.
	keys() []measure

	// inScene and inSolids return the slice for the kind.
	inScene(*Scene) *[]T
	inSolids(*solids) *[]T

	// The method make returns the solid with the given measures. If the kind has a rotation, the solid has the given
	// rotation. The method measures is the inverse of make. In the slots for which the kind has no key, the measures
	// are arbitrary.
	make(measures, geom.Mat3) T
	measures(*T) (measures, geom.Mat3)

	// ball returns a ball that contains the solid.
	ball(*T) (center geom.Vec3, radius float64)

	// width returns the smallest width of the solid's outline, seen along a unit vector from far away: the smallest
	// distance between two parallel lines that have the outline between them.
	width(x *T, along geom.Vec3) float64

	// The method place transforms the solids of one list into another list of the same length. The method bounds
	// returns the bounds of all solids in a list. The method reach returns the distance from a given point to the
	// farthest point of the solids, or 0 without solids. These methods have lists, because an indirect call for each
	// solid would take most of the time.
	place(f *transform, to, from []T)
	bounds([]T) geom.Bounds
	reach(list []T, from geom.Vec3) float64

	// The method extent returns the range of the positions of all points of the solids in a list along an axis that
	// starts at from and has the unit direction along.
	extent(list []T, from, along geom.Vec3) extent
}

// traits are the properties of a kind.
type traits struct {
	name, plural string
	about        string   // for the schema
	lengths      []string // words for the lengths that a dimension can measure, the default first
	turns        bool     // solids have a rotation about their center
	directed     bool     // a and b must differ, so that the axis has a direction
	pill         bool     // the measures fit in an [exact.Decimal3], so overlaps are exact
}

// measure is a key of a solid whose value is a number or a vector. Its numbers are also columns of bulk
// files.
type measure struct {
	key     string
	columns string // separated by spaces
	slot    int    // slot of the first number
	limits  keytable.Limits
	about   string // for the schema
}

// maxMeasures is the largest number of measures of a kind.
const maxMeasures = 3

// measures are the numbers of a solid, without its rotation, in the slots slotPoint to slotRadius. The
// order is that of [exact.Decimal3].
type measures [slotRadius + 1]float64

func (m *measures) vector(slot int) geom.Vec3 {
	return geom.Vec3{X: m[slot], Y: m[slot+1], Z: m[slot+2]}
}

// isVector reports whether the measure has three numbers.
func (m *measure) isVector() bool { return m.slot != slotRadius }

// read reads the measure from the value of its key.
func (m *measure) read(t keytable.Table, v any, into *measures) {
	if !m.isVector() {
		into[m.slot] = t.Number(m.key, v, m.limits)
		return
	}
	x := t.Numbers(m.key, v, 3, m.limits)
	copy(into[m.slot:], x[:3])
}

// has reports whether the kind has a measure in the given slot with the given limits.
func (k Kind) has(slot int, within keytable.Limits) bool {
	return slices.ContainsFunc(k.row().keys(), func(m measure) bool { return m.slot == slot && m.limits == within })
}

// withKey returns the plurals of the kinds that have the given key.
func withKey(key string) (plurals []string) {
	for _, k := range Kinds() {
		if slices.ContainsFunc(k.row().keys(), func(m measure) bool { return m.key == key }) {
			plurals = append(plurals, k.Plural())
		}
	}
	return plurals
}

// columnsOf returns the required columns of a bulk file for the kind.
func (k Kind) columnsOf() (names []string) {
	for _, m := range k.row().keys() {
		names = append(names, strings.Fields(m.columns)...)
	}
	return names
}

// kindRow has the operations on solids of one kind. All shapes passed to it must be of that kind.
type kindRow interface {
	traits() traits
	keys() []measure

	// solid returns a pointer into the scene's slice for the kind, and shapeAt returns one into the slice of s.
	solid(s *Scene, i int) shapes.Shape
	shapeAt(s *solids, i int) shapes.Shape

	// value returns a copy of a shape as a value, not a pointer.
	value(shapes.Shape) any

	placed(*transform, shapes.Shape) any // also as a value
	measures(shapes.Shape) (measures, geom.Mat3)
	ball(shapes.Shape) (center geom.Vec3, radius float64)
	width(x shapes.Shape, along geom.Vec3) float64

	// The method bounds returns the bounds of all solids of the kind. The method reach returns the distance from a
	// given point to the farthest point of these solids.
	bounds(*Scene) geom.Bounds
	reach(s *Scene, from geom.Vec3) float64
	extent(s *Scene, r Range, from, along geom.Vec3) extent // of the solids with these indices; see definition
	validate(*Scene) error

	// equal reports whether two scenes have equal solids of the kind.
	equal(a, b *Scene) bool

	// The method allot allocates the slice of s with a length and a capacity. The method cut takes room for n shapes
	// from the unused capacity of s, and makes it the slice of room.
	allot(s *solids, length, capacity int)
	cut(s, room *solids, n int)

	join(s, more *solids)
	clone(s *solids)
	empty(s *solids)                  // sets the length to 0 and keeps the memory
	set(s *solids, i int, by *solids) // replaces the shapes from the i-th on
	addSolid(*solids, measures, geom.Mat3)
	put(s *solids, i int, m measures, rotation geom.Mat3)

	// The method adopt makes the slice of the given solids the slice of the scene. The method share makes s refer
	// to n shapes of the scene, starting at the index first. The method exactly allocates a slice of n shapes in the
	// scene, unless the scene's slice has n shapes already.
	adopt(*Scene, *solids)
	share(s *solids, scene *Scene, first, n int)
	exactly(scene *Scene, n int)

	// The method copy copies the shapes of s to the scene, starting at index i. The method place does the same and
	// also transforms the shapes. If a transformed shape is invalid, place returns the index of this shape in s, and
	// the reason. Otherwise it returns the number of shapes, and nil.
	copy(scene *Scene, i int, s *solids)
	place(scene *Scene, i int, s *solids, f *transform) (n int, err error)
}

// pointerTo is a pointer to a solid of type T.
type pointerTo[T any] interface {
	*T
	shapes.Shape
	Validate() error
}

// rowOf implements kindRow for solids of type T.
type rowOf[T comparable, P pointerTo[T], D definition[T]] struct{}

func (rowOf[T, P, D]) traits() traits  { return D.traits(*new(D)) }
func (rowOf[T, P, D]) keys() []measure { return D.keys(*new(D)) }

func (rowOf[T, P, D]) list(s *Scene) *[]T    { return D.inScene(*new(D), s) }
func (rowOf[T, P, D]) shapes(s *solids) *[]T { return D.inSolids(*new(D), s) }

func (r rowOf[T, P, D]) solid(s *Scene, i int) shapes.Shape    { return P(&(*r.list(s))[i]) }
func (r rowOf[T, P, D]) shapeAt(s *solids, i int) shapes.Shape { return P(&(*r.shapes(s))[i]) }

func (rowOf[T, P, D]) value(x shapes.Shape) any { return *x.(P) }

func (rowOf[T, P, D]) placed(f *transform, x shapes.Shape) any {
	var placed [1]T
	D.place(*new(D), f, placed[:], []T{*x.(P)})
	return placed[0]
}

func (rowOf[T, P, D]) measures(x shapes.Shape) (measures, geom.Mat3) {
	return D.measures(*new(D), x.(P))
}

func (rowOf[T, P, D]) ball(x shapes.Shape) (center geom.Vec3, radius float64) {
	return D.ball(*new(D), x.(P))
}

func (rowOf[T, P, D]) width(x shapes.Shape, along geom.Vec3) float64 {
	return D.width(*new(D), x.(P), along)
}

func (r rowOf[T, P, D]) bounds(s *Scene) geom.Bounds {
	return combined(*r.list(s), func(list []T) geom.Bounds { return D.bounds(*new(D), list) }, geom.Bounds.Union)
}

func (r rowOf[T, P, D]) reach(s *Scene, from geom.Vec3) float64 {
	return combined(*r.list(s), func(list []T) float64 { return D.reach(*new(D), list, from) },
		func(a, b float64) float64 { return max(a, b) })
}

func (r rowOf[T, P, D]) extent(s *Scene, of Range, from, along geom.Vec3) extent {
	return combined((*r.list(s))[of.First:][:of.Count], func(list []T) extent { return D.extent(*new(D), list, from, along) }, extent.union)
}

func (r rowOf[T, P, D]) validate(s *Scene) error {
	list := *r.list(s)
	for i := range list {
		if err := P(&list[i]).Validate(); err != nil {
			return fmt.Errorf("%s: %w", keytable.Indexed(r.traits().name, i), err)
		}
	}
	return nil
}

func (r rowOf[T, P, D]) equal(a, b *Scene) bool {
	x, y := *r.list(a), *r.list(b)
	return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0] || slices.Equal(x, y))
}

func (r rowOf[T, P, D]) allot(s *solids, length, capacity int) {
	*r.shapes(s) = make([]T, length, capacity)
}

func (r rowOf[T, P, D]) cut(s, room *solids, n int)       { cutRoom(r.shapes(s), r.shapes(room), n) }
func (r rowOf[T, P, D]) join(s, more *solids)             { *r.shapes(s) = joined(*r.shapes(s), *r.shapes(more)) }
func (r rowOf[T, P, D]) empty(s *solids)                  { *r.shapes(s) = (*r.shapes(s))[:0] }
func (r rowOf[T, P, D]) clone(s *solids)                  { *r.shapes(s) = slices.Clone(*r.shapes(s)) }
func (r rowOf[T, P, D]) set(s *solids, i int, by *solids) { copy((*r.shapes(s))[i:], *r.shapes(by)) }

func (r rowOf[T, P, D]) addSolid(s *solids, m measures, rotation geom.Mat3) {
	*r.shapes(s) = append(*r.shapes(s), D.make(*new(D), m, rotation))
}

func (r rowOf[T, P, D]) put(s *solids, i int, m measures, rotation geom.Mat3) {
	(*r.shapes(s))[i] = D.make(*new(D), m, rotation)
}

func (r rowOf[T, P, D]) adopt(scene *Scene, s *solids) { *r.list(scene) = *r.shapes(s) }

func (r rowOf[T, P, D]) share(s *solids, scene *Scene, first, n int) {
	*r.shapes(s) = (*r.list(scene))[first:][:n]
}

func (r rowOf[T, P, D]) exactly(scene *Scene, n int) {
	*r.list(scene) = exactly(*r.list(scene), n)
}

func (r rowOf[T, P, D]) copy(scene *Scene, i int, s *solids) {
	joined((*r.list(scene))[:i], *r.shapes(s))
}

func (r rowOf[T, P, D]) place(scene *Scene, i int, s *solids, f *transform) (n int, err error) {
	from := *r.shapes(s)
	to := (*r.list(scene))[i:][:len(from)]
	D.place(*new(D), f, to, from)
	for n := range to {
		if err := P(&to[n]).Validate(); err != nil {
			return n, err
		}
	}
	return len(from), nil
}
