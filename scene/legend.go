package scene

import (
	"cmp"
	"slices"

	"pillbox/internal/keytable"
	"pillbox/problem"
	"pillbox/shade"
)

// Legend lists materials with their colors, and sections with their hatches.
type Legend struct {
	Entries []LegendEntry
	Corner  string
	Lettering
}

// LegendEntry is a line of a legend.
type LegendEntry struct {
	Material string // its name in the scene file; "" for a section
	Section  string // the name of a section, or ""
	Text     string
	Color    shade.Color
	Hatch    Hatch // of a section
}

func (l *loader) legend(t keytable.Table, v any) *Legend {
	m, given, ok := readOnce(t, v, legendKeys)
	if !ok {
		return nil
	}
	g := &m.Legend
	names := slices.Concat(m.materials, m.sections)
	if !given.Has("materials") && !given.Has("sections") {
		return g // legendOfUsed adds the materials of solids
	}
	texts, keyOf := names, func(i int) string {
		if i < len(m.materials) {
			return keytable.Indexed("materials", i)
		}
		return keytable.Indexed("sections", i-len(m.materials))
	}
	if given.Has("texts") {
		if texts = m.texts; len(texts) != len(names) {
			t.Wrong("texts", problem.CodeLengthsDiffer, "must have as many elements as %s, %d", listedOf(given), len(names)).Got("%d", len(texts))
			return g
		}
	}
	for i, name := range names {
		if e, ok := l.legendEntry(t, keyOf(i), name, i >= len(m.materials)); ok {
			e.Text = texts[i]
			g.Entries = append(g.Entries, e)
		}
	}
	if given.Has("texts") {
		keyOf = func(i int) string { return keytable.Indexed("texts", i) }
	}
	for i, s := range texts {
		readCaption(t, keyOf(i), s, false)
	}
	return g
}

// listedOf names the keys with the entries of a legend.
func listedOf(given keytable.RawTable) string {
	switch {
	case !given.Has("sections"):
		return "materials"
	case !given.Has("materials"):
		return "sections"
	}
	return "materials and sections together"
}

// legendEntry returns the entry for a material or section of the scene, without its text. If it does not exist, legendEntry
// reports a problem at the key.
func (l *loader) legendEntry(t keytable.Table, key, name string, isSection bool) (LegendEntry, bool) {
	if isSection {
		i := slices.IndexFunc(l.scene.Sections, func(x Section) bool { return x.Name == name && name != "" })
		if i < 0 {
			t.Wrong(key, problem.CodeUnknownTarget, "must be the name of a section of the scene")
			return LegendEntry{}, false
		}
		return entryOfSection(&l.scene.Sections[i]), true
	}
	at, found := slices.BinarySearchFunc(l.scene.Materials, name, func(m Material, name string) int { return cmp.Compare(m.Name, name) })
	if found {
		return entryOf(&l.scene.Materials[at], ""), true
	}
	if l.materials != nil {
		l.materials.reportUnknown(&t.Wrong(key, problem.CodeUnknownMaterial, unknownMaterial).Error, name)
	}
	return LegendEntry{}, false
}

// legendOfUsed completes a legend that names no materials: it lists the materials that solids use.
func (l *loader) legendOfUsed() {
	g := l.scene.Annotations.Legend
	if g == nil || len(g.Entries) > 0 || l.failed() {
		return
	}
	for _, m := range l.scene.Materials {
		if l.materials.named[m.Name].used.Load() {
			g.Entries = append(g.Entries, entryOf(&m, m.Name))
			if code, flaw := textFlaw(m.Name, false); flaw != "" {
				l.Table("legend").Missing("", code, "material %q: %s", m.Name, flaw)
			}
		}
	}
	if len(g.Entries) == 0 {
		l.Table("legend").Warn("", problem.CodeUnusedKey, "has no effect: no solid has a material with a name")
	}
}

// entryOf returns the line of a legend for a material.
func entryOf(m *Material, text string) LegendEntry {
	return LegendEntry{Material: m.Name, Text: text, Color: m.Albedo}
}

// entryOfSection returns the line of a legend for a section, with its name as the text. If its cut faces have the colors of the
// solids, the color is white.
func entryOfSection(x *Section) LegendEntry {
	e := LegendEntry{Section: x.Name, Text: x.Name, Color: shade.Color{R: 1, G: 1, B: 1}, Hatch: x.Hatch}
	if x.HasColor {
		e.Color = x.Color
	}
	return e
}
