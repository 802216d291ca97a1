package scene

import (
	"pillbox/geom"
	"pillbox/shade"
)

// Placement is a [[place]] table of a scene's own, as the file states it.
type Placement struct {
	Name     string          // "" if the file gives none
	Part     string          // its name
	Position geom.Vec3       // of the part's origin
	Rotation geom.Mat3       // of the part, about its origin
	Scale    float64         // of the part
	Surface  *shade.Material // of solids of the part that have none of their own; nil: none exists
	Count    int             // of copies

	// What lies between a copy and the next: the axis is zero if the copies are not turned.
	StepPosition, StepAxis geom.Vec3
	StepAngle              geom.Angle
}

// Placements returns the placements of the scene's own in file order: [Origin.Index] of a solid that
// they made is an index of them. It returns nil if s was not read from a file, or is detached from it.
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

// stated returns the placement as the file states it. The tables have its material.
func (p *place) stated(t *tables) Placement {
	stated := Placement{
		Name: p.name, Part: p.part.name,
		Position: p.frame.position, Rotation: p.frame.rotation, Scale: p.frame.scale,
		Count: p.copies, StepPosition: p.step.position, StepAxis: p.step.axis, StepAngle: p.step.angle,
	}
	if p.surface != nil {
		stated.Surface = &t.materials[*p.surface]
	}
	return stated
}

// Trail is the way from a scene to a solid that placements made.
type Trail struct {
	Placements []Placement // the outermost first; each is in the part that the one before places
	Keys       []string    // their tables there, such as place[2]

	// The solid as the last of these parts has it.
	Shape  any // a value of a type of package shapes, such as [shapes.Sphere]
	Object Object
}

// Trail returns the trail of the solid with the given number, 0 <= number < s.Objects.Len(), and false if
// no placement made it, or s was not read from a file or is detached from it.
func (s *Scene) Trail(number int) (Trail, bool) {
	o, ok := s.origin(number)
	if !ok || len(o.placed) == 0 {
		return Trail{}, false
	}
	var t Trail
	for _, c := range o.placed {
		p := c.at(c.copy)
		t.Placements = append(t.Placements, p.stated(s.root.tables))
		t.Keys = append(t.Keys, indexed("place", p.table.index))
	}
	t.Object = o.part.tables.object(o.solids().objects[o.index])
	t.Shape = o.kind.row().value(o.shape())
	return t, true
}
