package explain

import (
	"fmt"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/formula"
	"pillbox/scene"
	"pillbox/shapes"
)

func (t *Tracer) shape(object int32) shapes.Shape { return t.stage.Scene.Solid(int(object)) }

func (t *Tracer) label(object int32) string { return t.stage.Scene.Label(int(object)) }

// Solid returns the number of the solid with the given name, otherwise of the one with that kind and index, such
// as sphere[3], otherwise of the one with that label, see [scene.Scene.Label]. It returns false if none exists.
func Solid(s *scene.Scene, name string) (int32, bool) {
	if name == "" {
		return accel.None, false
	}
	for i := range s.Objects.Len() {
		if s.Objects.Name(i) == name {
			return int32(i), true
		}
	}
	for i := range s.Objects.Len() {
		if s.Key(i) == name {
			return int32(i), true
		}
	}
	for i := range s.Objects.Len() {
		if s.Label(i) == name {
			return int32(i), true
		}
	}
	return accel.None, false
}

// Roots derives where the line of a ray crosses a solid. The symbols are those of the text: o and d for the ray,
// t_near and t_far for the crossings.
func Roots(r geom.Ray, s shapes.Shape) (*formula.Derivation[formula.Float], Chord) {
	d := rayDerivation(r)
	return d, lineChord(d, s)
}

// lineChord derives where the line o + t d crosses a solid.
func lineChord(d *derivation, s shapes.Shape) Chord {
	switch s := s.(type) {
	case *shapes.Sphere:
		return sphereChord(d, s)
	case *shapes.Capsule:
		return capsuleChord(d, s)
	case *shapes.Box:
		return boxChord(d, s)
	}
	panic(fmt.Sprintf("explain: no derivation for %T", s))
}

// end is an end of a chord: the symbol of its root, the symbol that its normal gets, and the part of
// the surface there.
type end struct{ root, normal, part string }

// normalAt derives the outward normal at an end of the chord, which lineChord has derived.
func normalAt(d *derivation, s shapes.Shape, e end) geom.Vec3 {
	switch s.(type) {
	case *shapes.Sphere:
		return sphereNormal(d, e)
	case *shapes.Capsule:
		return capsuleNormal(d, e)
	case *shapes.Box:
		return boxNormal(d, e)
	}
	panic(fmt.Sprintf("explain: no derivation for %T", s))
}

// rayDerivation starts a derivation about a ray that the reader may know.
func rayDerivation(r geom.Ray) *derivation {
	d := formula.New[formula.Float]()
	d.Know("o", formula.Vector(r.Origin), "the ray's origin")
	d.Know("d", formula.Vector(r.Dir), "the ray's direction")
	return d
}
