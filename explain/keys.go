package explain

import (
	"strings"

	"pillbox/internal/explain/formula"
	"pillbox/scene"
)

// keyed sets the field Key of those steps whose values come from a table of the scene's file. names contains the
// key in the table for each symbol. If table is "", keyed changes nothing.
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

// ofSolid sets the keys of a derivation about a solid.
func (t *Tracer) ofSolid(object int32, steps []formula.Step) []formula.Step {
	kind, _ := t.prepared.Scene.Of(int(object))
	return keyed(steps, t.tableOf(object), measures(kind))
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

// tableOf returns the table of the scene's file that contains the measures of a solid, unchanged. It returns "" if no
// such table exists: if placements made the solid, if it is a row of a bulk table or in an included file, or if the
// scene moves.
func (t *Tracer) tableOf(object int32) string {
	s := t.prepared.Scene
	key, file, ok := s.Table(int(object))
	from, _ := s.Origin(int(object))
	if !ok || file != s.Name || mayMove(s) || from.Table == "place" || from.Table == "bulk" {
		return ""
	}
	return key
}

// ofCamera sets the keys of a derivation about the camera; position is the symbol of the camera's position.
func (t *Tracer) ofCamera(steps []formula.Step, position string) []formula.Step {
	s := t.prepared.Scene
	if s.Camera == nil || mayMove(s) {
		return steps
	}
	return keyed(steps, "camera", map[string]string{position: "position"})
}

// ofLight sets, for each value that a derivation about a light takes from the scene's file, the key of that value. It sets
// none for the direction of a spot light.
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
