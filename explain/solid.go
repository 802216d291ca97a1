package explain

import (
	"pillbox/internal/accel"
	"pillbox/scene"
	"pillbox/shapes"
)

// shape returns a whole solid, without sections. See [Tracer.left].
func (t *Tracer) shape(object int32) shapes.Shape { return t.prepared.Scene.Solid(int(object)) }

func (t *Tracer) label(object int32) string { return t.prepared.Scene.Label(int(object)) }

// Solid returns the number of the solid with the given name. If no solid has this name, it tries name
// as a kind and index, such as sphere[3], and then as a label, see [scene.Scene.Label]. It returns
// false if none of these matches.
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
