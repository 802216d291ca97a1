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
