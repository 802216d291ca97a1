package scene

import (
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/shade"
)

// Placement is a [[place]] table with the values in the file.
type Placement struct {
	Name     string          // "" if the file gives none
	Part     string          // name of the part
	Position geom.Vec3       // position of the part's origin
	Rotation geom.Mat3       // rotation of the part about its origin
	Scale    float64         // of the part
	Surface  *shade.Material // material for solids of the part that have no material; nil if the placement has no material
	Ghost    float64         // share of the solids of the part that state none; 1 for ordinary surfaces; 0 if the placement states none
	Count    int             // number of copies

	// The transformation from a copy to the next. The axis is zero if the step has none.
	StepPosition, StepAxis geom.Vec3
	StepAngle              geom.Angle
}

// Placements returns the placements of the scene itself in file order. [Origin].Index of a solid from a
// placement is an index of this slice. Placements returns nil if s was not read from a file or is
// detached from it.
func (s *Scene) Placements() []Placement {
	if !s.isAsRead() {
		return nil
	}
	all := make([]Placement, len(s.root.places))
	for i, p := range s.root.places {
		all[i] = p.stated(s.root.tables)
	}
	return all
}

// stated returns a placement with the values in the file. t contains its material.
func (p *place) stated(t *tables) Placement {
	stated := Placement{
		Name: p.name, Part: p.part.name,
		Position: p.transform.position, Rotation: p.transform.rotation, Scale: p.transform.scale,
		Ghost: p.ghost, Count: p.copies, StepPosition: p.step.position, StepAxis: p.step.axis, StepAngle: p.step.angle,
	}
	if p.surface != nil {
		stated.Surface = &t.materials[*p.surface]
	}
	return stated
}

// Trail is the sequence of placements from the scene to a solid.
type Trail struct {
	Placements []Placement // the outermost first; each is in the part that the previous one places
	Keys       []string    // key of each placement's table within its part, such as place[2]

	// The solid as defined in the innermost part.
	Shape  any // a value of a type of package shapes, such as [shapes.Sphere]
	Object Object
}

// Trail returns the trail of the solid with the given number, 0 <= number < s.Objects.Len(). It returns
// false if the solid is not from a placement, or s was not read from a file or is detached from it.
func (s *Scene) Trail(number int) (Trail, bool) {
	o, ok := s.origin(number)
	if !ok || len(o.placed) == 0 {
		return Trail{}, false
	}
	var t Trail
	for _, c := range o.placed {
		p := c.ofCopy(c.copy)
		t.Placements = append(t.Placements, p.stated(s.root.tables))
		t.Keys = append(t.Keys, keytable.Indexed("place", p.table.Index))
	}
	t.Object = o.part.tables.object(o.solids().objects[o.index])
	t.Shape = o.kind.row().value(o.shape())
	return t, true
}
