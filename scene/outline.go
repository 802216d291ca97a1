package scene

import (
	"fmt"

	"pillbox/problem"
	"pillbox/shade"
)

// Outline is the lines that the renderer draws along the edges of the visible surfaces, over their colors. Reflections
// in mirrors have no lines.
type Outline struct {
	// Width is in pixels of a picture of the size that the scene states. In a picture of another size, it changes with
	// the height. Half of a line lies on each side of the edge.
	Width float64
	Color shade.Color

	Silhouettes bool // where a surface ends before the background or a more distant surface
	Creases     bool // the edges of boxes and cylinders: where two faces of a solid meet
	Contacts    bool // where the surfaces of two solids meet

	// Depth is the step in depth, in scene units, that a silhouette before a more distant surface must exceed. With 0, every
	// step has a line.
	Depth float64

	HiddenDashed bool // whether silhouettes and creases behind other solids have dashed lines
}

// Limits of outlines.
const (
	MaxOutline       = 100  // width of an outline, in pixels of a picture of the size that the scene states
	MaxOutlinePixels = 1024 // width of an outline, in pixels of any picture
)

// Pixels returns the width of the outline, in pixels, in a picture of the given height. stated is the height of the
// picture that the scene states. Pixels returns an error if the outline is wider than [MaxOutlinePixels].
func (o *Outline) Pixels(stated, height int) (float64, error) {
	width := float64(o.Width*float64(height)) / float64(stated)
	if !(width <= MaxOutlinePixels) {
		return 0, fmt.Errorf("outline.width: %v pixels in a picture %d pixels high are %.4g in one %d pixels high: at most %d are possible",
			o.Width, stated, width, height, MaxOutlinePixels)
	}
	return width, nil
}

func (l *loader) outline(v any) {
	t := l.Table("outline")
	o, _, ok := readOnce(t, v, outlineKeys)
	if ok && t.Valid() && !o.Silhouettes && !o.Creases && !o.Contacts {
		t.Warn("", problem.CodeUnusedKey, "has no effect: silhouettes, creases and contacts are all false")
	} else if ok && t.Valid() && o.HiddenDashed && !o.Silhouettes && !o.Creases {
		t.Warn("hidden", problem.CodeUnusedKey, "has no effect: silhouettes and creases are both false")
	}
	l.scene.Outline = o
}

// Shaded returns the scene that the renderer shades. This is s, unless its colors are flat. Then it is a copy with even
// white ambient light and no lights, shadows and mirrors, so the light that a surface reflects is its albedo.
func (s *Scene) Shaded() *Scene {
	if !s.Shading.Flat {
		return s
	}
	flat := *s
	flat.Shading = Shading{Flat: true, Ambient: shade.Even(shade.White()), Samples: s.Shading.Samples}
	flat.Lights = nil
	return &flat
}

// unusedByFlat warns about keys of the table shading that have no effect on flat colors.
func (l *loader) unusedByFlat() {
	if l.failed() || l.scene.Moves() || !l.scene.Shading.Flat {
		return
	}
	values, _ := l.sources[0].raw.shading.(map[string]any)
	for _, key := range []string{"ambient", "shadows", "bounces", "samples", "occlusion"} {
		if values[key] != nil {
			l.Table("shading").Warn(key, problem.CodeUnusedKey, "has no effect on flat colors")
		}
	}
}
