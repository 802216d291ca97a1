package scene

import (
	"fmt"
	"strconv"

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
}

// Limits of outlines.
const (
	MaxOutline       = 100  // width of an outline, in pixels of a picture of the size that the scene states
	MaxOutlinePixels = 1024 // width of an outline, in pixels of any picture
)

// Defaults of outlines.
const (
	defaultOutline = 1.5
	defaultFollows = true
	defaultShading = "lit"
)

func outlineWidths() limits { return limits{min: 0.1, max: MaxOutline} }

// colorWords returns the words for how surfaces are colored, flat colors last.
func colorWords() []string { return []string{defaultShading, "flat"} }

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

func (l *loader) outline(t table, m outlineTable) Outline {
	o := Outline{
		Width:       t.number("width", or(m.Width, defaultOutline), outlineWidths()),
		Color:       t.color("color", or(m.Color, defaultInk)),
		Silhouettes: t.boolean("silhouettes", or(m.Silhouettes, defaultFollows)),
		Creases:     t.boolean("creases", or(m.Creases, defaultFollows)),
		Contacts:    t.boolean("contacts", or(m.Contacts, defaultFollows)),
	}
	if t.valid() && !o.Silhouettes && !o.Creases && !o.Contacts {
		t.warn("", CodeUnusedKey, "has no effect: silhouettes, creases and contacts are all false")
	}
	return o
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

// flat reports whether a word requests flat colors.
func (t table) flat(key string, v any) bool {
	index, _ := t.word(key, v, colorWords())
	return index == 1
}

// unusedByFlat warns about keys of the table shading that have no effect on flat colors.
func (l *loader) unusedByFlat() {
	if l.failed() || l.scene.Moves() || !l.scene.Shading.Flat {
		return
	}
	values, _ := l.sources[0].raw.Shading.(map[string]any)
	for _, key := range []string{"ambient", "shadows", "bounces", "samples", "occlusion"} {
		if values[key] != nil {
			l.table("shading").warn(key, CodeUnusedKey, "has no effect on flat colors")
		}
	}
}

func (o *Outline) check() error {
	if o == nil {
		return nil
	}
	if !outlineWidths().contain(o.Width) {
		return fmt.Errorf("outline.width: %s, got %v", outlineWidths().requirement(o.Width), o.Width)
	}
	return checkColor("outline.color", o.Color)
}

func (s *Scene) validateOutline() error { return s.Outline.check() }

func (e *exporter) outline() {
	o := e.scene.Outline
	if o == nil {
		return
	}
	e.table("[outline]")
	e.key("width", numberText(o.Width))
	e.key("color", e.color(o.Color))
	e.key("silhouettes", strconv.FormatBool(o.Silhouettes))
	e.key("creases", strconv.FormatBool(o.Creases))
	e.key("contacts", strconv.FormatBool(o.Contacts))
}
