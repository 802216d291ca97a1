package explain

import (
	"strings"

	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
	"pillbox/scene"
	"pillbox/shapes"
)

// keyed sets the field Key of the steps whose values come from the given table of the scene's file. For
// example, with the table sphere[0], the step for the symbol r gets the key sphere[0].radius. The map names
// contains the key within the table for each symbol. If table is "", keyed changes nothing.
func keyed(steps []formula.Step, table string, names map[string]string) []formula.Step {
	if table == "" {
		return steps
	}
	for i := range steps {
		if s := &steps[i]; s.Formula == "" && s.Symbol != "" {
			if name, ok := names[s.Symbol]; ok {
				s.Key = table + "." + name
			}
		}
	}
	return steps
}

// ofSolid sets the field Key of the steps whose values the scene's file states for a solid, such as its
// radius.
func (t *Tracer) ofSolid(object int32, steps []formula.Step) []formula.Step {
	kind, _ := t.prepared.Scene.Of(int(object))
	return t.ofSections(keyed(steps, t.tableOf(object), measures(kind)))
}

// ofSections sets the field Key of the steps whose values the scene's file states for sections: their points and normals.
func (t *Tracer) ofSections(steps []formula.Step) []formula.Step {
	s := t.prepared.Scene
	if mayMove(s) {
		return steps
	}
	for i := range s.Sections {
		if key, file, ok := s.SectionTable(i); ok && file == s.Name {
			plane := derive.PlaneOf(&shapes.Section{Index: i})
			steps = keyed(steps, key, map[string]string{plane.Point: "point", plane.Normal: "normal"}) // of the same direction as in the table
		}
	}
	return steps
}

// measures maps symbols of derivations to the keys of a solid's table that hold their values.
func measures(k scene.Kind) map[string]string {
	switch k {
	case scene.KindSphere:
		return map[string]string{"c": "center", "r": "radius"}
	case scene.KindCapsule, scene.KindCylinder:
		return map[string]string{"A": "a", "B": "b", "r": "radius"}
	case scene.KindBox:
		return map[string]string{"c": "center", "h": "half_extents"}
	}
	return nil
}

// tableOf returns the key of the table of the scene's file that states the measures of a solid, such as
// sphere[0]. It returns "" if no table states them as they are: if placements made the solid, if the solid
// is a row of a bulk table or in an included file, or if the scene moves.
func (t *Tracer) tableOf(object int32) string {
	s := t.prepared.Scene
	key, file, ok := s.Table(int(object))
	from, _ := s.Origin(int(object))
	if !ok || file != s.Name || mayMove(s) || from.Table == "place" || from.Table == "bulk" {
		return ""
	}
	return key
}

// ofCamera sets the field Key of the step for the camera's position, whose symbol is position, if the
// scene's file states the position.
func (t *Tracer) ofCamera(steps []formula.Step, position string) []formula.Step {
	s := t.prepared.Scene
	if s.Camera == nil || mayMove(s) {
		return steps
	}
	return keyed(steps, "camera", map[string]string{position: "position"})
}

// ofLight sets the field Key of the steps whose values the scene's file states for a light, such as its
// intensity. It sets none for the direction of a spot light.
func (t *Tracer) ofLight(index int, steps []formula.Step) []formula.Step {
	s := t.prepared.Scene
	if len(s.Lights) == 0 || s.Lights[index].Attached || mayMove(s) {
		return steps
	}
	key, file, ok := s.LightTable(index)
	if !ok || file != s.Name || strings.HasPrefix(key, "part.") {
		return steps
	}
	names := map[string]string{"P": "position", "I": "intensity"}
	if s.Lights[index].Directional {
		names["D"] = "direction" // the unit vector has the same direction as the one in the table
	}
	return keyed(steps, key, names)
}

// mayMove reports whether a scene moves, or is a moment of a scene that does.
func mayMove(s *scene.Scene) bool { return s.Moves() || s.Animation != nil }
