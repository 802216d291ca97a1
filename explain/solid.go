package explain

import (
	"fmt"

	"pillbox/accel"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shapes"
)

// solids are the solids of a scene by number.
type solids struct{ *scene.Scene }

// at returns a solid.
func (s solids) at(object int32) shapes.Shape {
	switch kind, i := s.Kind(int(object)); kind {
	case "sphere":
		return &s.Spheres[i]
	case "capsule":
		return &s.Capsules[i]
	default:
		return &s.Boxes[i]
	}
}

// label returns a solid's kind and name, such as capsule "arm", or its kind and index, such
// as sphere[3].
func (s solids) label(object int32) string {
	kind, i := s.Kind(int(object))
	if name := s.Objects[object].Name; name != "" {
		return fmt.Sprintf("%s %q", kind, name)
	}
	return fmt.Sprintf("%s[%d]", kind, i)
}

// Solid returns the number of the solid with the given name or else, such as sphere[3], kind
// and index, and false if there is none.
func Solid(s *scene.Scene, name string) (int32, bool) {
	if name == "" {
		return accel.None, false
	}
	for i := range s.Objects {
		if s.Objects[i].Name == name {
			return int32(i), true
		}
	}
	for i := range s.Objects {
		if kind, index := s.Kind(i); fmt.Sprintf("%s[%d]", kind, index) == name {
			return int32(i), true
		}
	}
	return accel.None, false
}

// lineChord derives where the line o + t d crosses a solid.
func lineChord(d *derivation[float], s shapes.Shape) chord {
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

// surfaceNormal derives the outward normal at t, an end of the chord that was derived before.
func surfaceNormal(d *derivation[float], s shapes.Shape, c chord, inside bool) geom.Vec3 {
	switch s.(type) {
	case *shapes.Sphere:
		return sphereNormal(d)
	case *shapes.Capsule:
		return capsuleNormal(d)
	case *shapes.Box:
		if inside {
			return boxNormal(d, c.farPart)
		}
		return boxNormal(d, c.nearPart)
	}
	panic(fmt.Sprintf("explain: no derivation for %T", s))
}

// rayDerivation begins a derivation about a ray that has been told.
func rayDerivation(r geom.Ray) *derivation[float] {
	d := newDerivation[float]()
	d.know("o", vector(r.Origin))
	d.know("d", vector(r.Dir))
	return d
}
