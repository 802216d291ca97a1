package scene

import (
	"errors"
	"fmt"
	"slices"

	"pillbox/internal/keytable"
	"pillbox/problem"
	"pillbox/shade"
)

// Colormap gives the solids that have a value, which is in [shade.Material], a color.
type Colormap struct {
	Map   shade.Colormap
	Range [2]float64 // the values of the first and of the last color; they are equal if all values are
}

// ColorBar shows the colors of the scene's [Colormap], with numbers.
type ColorBar struct {
	Label, Unit string  // "" for none
	Length      float64 // in pixels; 0 for two fifths of the picture's height
	Corner      string
	Lettering
}

// Title returns the text above the bar, or "".
func (b *ColorBar) Title() string {
	switch {
	case b.Unit == "":
		return b.Label
	case b.Label == "":
		return b.Unit
	}
	return b.Label + " (" + b.Unit + ")"
}

// ColorOf returns the color of a value, as linear light. Values outside the range have the color of the nearer end. If the range has only
// one value, all values have the middle color.
func (c *Colormap) ColorOf(value float64) shade.Color { return c.Map.At(c.ShareOf(value)) }

// ShareOf returns where a value lies in the range: 0 at its beginning and 1 at its end. Values outside the range are below 0 or
// above 1. If the range has only one value, ShareOf returns 0.5.
func (c *Colormap) ShareOf(value float64) float64 {
	half := func(x float64) float64 { return float64(x / 2) } // halves, so that no difference overflows
	low, high := half(c.Range[0]), half(c.Range[1])
	if low == high {
		return 0.5
	}
	return (half(value) - low) / (high - low)
}

// valued returns the material of a solid with a value. A nil c leaves it without a color.
func valued(value float64, c *Colormap) shade.Material {
	m := shade.Material{Value: &value}
	if c != nil {
		m.Albedo = c.ColorOf(value)
	}
	return m
}

// valued returns the index of the material of a solid with a value.
func (l *loader) valued(value float64) uint32 {
	return l.tables.addMaterial(valued(value, l.scene.Colormap))
}

// colormapTable holds the values of [colormap].
type colormapTable struct {
	Colormap
	ColorBar
	hasRange, bar bool
}

// colormapTable returns the table of the scene's color map.
func (s *Scene) colormapTable() *colormapTable {
	t := &colormapTable{Colormap: *s.Colormap, hasRange: s.Colormap.Range[0] < s.Colormap.Range[1]}
	if b := s.Annotations.ColorBar; b != nil {
		t.ColorBar, t.bar = *b, true
	}
	return t
}

// colormap reads the table [colormap].
func (l *loader) colormap(v any) {
	t := l.Table("colormap")
	c, given, ok := readOnce(t, v, colormapKeys)
	if !ok {
		return
	}
	if given.Has("range") && t.Valid() && !(c.Range[0] < c.Range[1]) {
		t.Wrong("range", problem.CodeNotAscending, "must be [low, high] with low < high").Got("[%v, %v]", c.Range[0], c.Range[1])
	}
	l.scene.Colormap = &c.Colormap
	if c.bar {
		l.scene.Annotations.ColorBar = &c.ColorBar
		return
	}
	for _, key := range []string{"label", "unit", "length", "corner"} {
		if given.Has(key) {
			t.Warn(key, problem.CodeUnusedKey, "has no effect: bar is false")
		}
	}
}

// checkRange returns an error if low and high, the values of the first and the last color, do not ascend.
func checkRange(key string, x [2]float64) error {
	if !(x[0] < x[1]) || !keytable.Finite().Contain(x[0]) || !keytable.Finite().Contain(x[1]) {
		return fmt.Errorf("%s: must be finite and ascend, got %v", key, x)
	}
	return nil
}

// checkColormap returns an error if the color map or its bar has a value that scene files do not allow.
func (s *Scene) checkColormap() error {
	switch {
	case s.Colormap != nil:
		return colormapKeys().Check("colormap.", s.colormapTable())
	case s.Annotations.ColorBar != nil:
		return errors.New("colormap: a scene with a color bar must have a color map")
	}
	return nil
}

// colorValues gives the materials with values their colors. If [colormap] has no range, it is that of all values, those of
// tracks included.
func (l *loader) colorValues() {
	if l.failed() {
		return
	}
	s, all := l.scene, l.values()
	if len(all) == 0 {
		if s.Colormap != nil && s.Colormap.Range == ([2]float64{}) && !l.incomplete {
			l.Table("colormap").Warn("", problem.CodeUnusedKey, "has no effect: no solid has a value, and there is no range")
			s.Annotations.ColorBar = nil
		}
		return
	}
	if s.Colormap == nil {
		s.Colormap = &Colormap{Map: shade.Colormaps()[0]}
	}
	if s.Colormap.Range == ([2]float64{}) { // no valid range has equal ends
		s.Colormap.Range = [2]float64{slices.Min(all), slices.Max(all)}
	}
	for i := range l.tables.materials {
		if m := &l.tables.materials[i]; m.Value != nil {
			m.Albedo = s.Colormap.ColorOf(*m.Value)
		}
	}
}

// values returns the values of all solids, at all times.
func (l *loader) values() (all []float64) {
	for i := range l.tables.materials {
		if v := l.tables.materials[i].Value; v != nil {
			all = append(all, *v)
		}
	}
	if l.scene.motion == nil {
		return all
	}
	for _, tr := range l.scene.motion.tracks {
		if tr.key != "value" {
			continue
		}
		for _, v := range tr.values {
			if x, ok := v.(float64); ok {
				all = append(all, x)
			}
		}
	}
	return all
}
