package scene

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
	"pillbox/shade"
)

// annotations writes the labels, the dimensions and the other annotations. Solids are named by their keys. Call it
// after usedMaterials.
func (e *exporter) annotations() {
	a := &e.scene.Annotations
	if a.Title != nil {
		keytable.WriteTable(e.Writer, "[title]", titleKeys(), a.Title)
	}
	for i := range a.Labels {
		x := partLabel{Label: a.Labels[i]}
		if len(x.On) > 0 {
			x.rawOn = e.names(x.On)
		}
		keytable.WriteTable(e.Writer, "[[label]]", labelKeys(), &x)
	}
	for i := range a.Dimensions {
		x := partDimension{Dimension: a.Dimensions[i]}
		if x.Across != "" {
			x.rawOn = e.scene.Key(x.Solid)
		}
		keytable.WriteTable(e.Writer, "[[dimension]]", dimensionKeys(), &x)
	}
	e.drawing(a)
	if a.Axes != nil {
		keytable.WriteTable(e.Writer, "[axes]", axesKeys(), a.Axes)
	}
	if a.ScaleBar != nil {
		keytable.WriteTable(e.Writer, "[scale_bar]", scaleBarKeys(), a.ScaleBar)
	}
	if a.Legend != nil && len(a.Legend.Entries) > 0 {
		e.legend(a.Legend)
	}
}

// names returns the keys of solids.
func (e *exporter) names(on []Range) (names []string) {
	for _, r := range on {
		for n := range r.Count {
			names = append(names, e.scene.Key(r.First+n))
		}
	}
	if len(names) > MaxAnnotations {
		e.Fail(fmt.Errorf("a label or section on %d solids: a scene file can name at most %d", len(names), MaxAnnotations))
	}
	return names
}

// legend writes the legend. Before the legend, it writes the materials in it that no solid has.
func (e *exporter) legend(g *Legend) {
	written := slices.Sorted(maps.Values(e.materials))
	table := legendTable{Legend: *g}
	var texts []string // of sections, which follow those of materials
	for _, x := range g.Entries {
		if x.Section != "" {
			table.sections, texts = append(table.sections, x.Section), append(texts, x.Text)
			continue
		}
		table.materials, table.texts = append(table.materials, x.Material), append(table.texts, x.Text)
		if slices.Contains(written, x.Material) {
			continue
		}
		written = append(written, x.Material)
		if x.Material == "" {
			e.Fail(fmt.Errorf("legend: the entry %q must name a material or section", x.Text))
		}
		e.Table("[material." + tomltext.QuoteKey(x.Material) + "]")
		e.Key("color", e.Color(x.Color))
	}
	table.texts = append(table.texts, texts...)
	keytable.WriteTable(e.Writer, "[legend]", legendKeys(), &table)
}

// validateAnnotations returns an error if an annotation cannot be drawn.
func (s *Scene) validateAnnotations() error {
	a := &s.Annotations
	if n := a.count(); n > MaxAnnotations {
		return fmt.Errorf("a scene has at most %d annotations, got %d", MaxAnnotations, n)
	}
	for i := range a.Labels {
		l := partLabel{Label: a.Labels[i]}
		if err := cmp.Or(labelKeys().Check("", &l), s.checkRanges(l.On)); err != nil {
			return fmt.Errorf("label[%d].%w", i, err)
		}
	}
	for i := range a.Dimensions {
		d := partDimension{Dimension: a.Dimensions[i]}
		err := dimensionKeys().Check("", &d)
		if err == nil && d.Across != "" {
			err = s.checkAcross(&d.Dimension)
		}
		if err != nil {
			return fmt.Errorf("dimension[%d].%w", i, err)
		}
	}
	if err := s.validateDrawing(); err != nil {
		return err
	}
	return cmp.Or(checkOptional("title.", titleKeys(), a.Title), checkOptional("axes.", axesKeys(), a.Axes),
		checkOptional("scale_bar.", scaleBarKeys(), a.ScaleBar), a.Legend.check())
}

// checkOptional is [Keys.check] for a table that may be nil.
func checkOptional[T any](path string, keys keytable.Keys[T], x *T) error {
	if x == nil {
		return nil
	}
	return keys.Check(path, x)
}

func (s *Scene) checkRanges(on []Range) error {
	for _, r := range on {
		if n := s.Objects.Len(); r.First < 0 || r.Count < 1 || r.First > n || r.Count > n-r.First {
			return fmt.Errorf("on: must be numbers of the scene's %d solids, got %+v", n, r)
		}
	}
	return nil
}

func (s *Scene) checkAcross(d *Dimension) error {
	if err := s.checkRanges([]Range{{d.Solid, 1}}); err != nil {
		return err
	}
	kind, _ := s.Of(d.Solid)
	if known := kind.row().traits().lengths; !slices.Contains(known, d.Across) {
		return fmt.Errorf("across: must be one of %v for a %s, got %q", known, kind, d.Across)
	}
	return nil
}

func (g *Legend) check() error {
	if g == nil {
		return nil
	}
	err := legendKeys().Check("legend.", &legendTable{Legend: *g})
	for _, x := range g.Entries {
		err = cmp.Or(err, checkCaption("legend.texts", x.Text, false), keytable.CheckColor("legend.color", x.Color))
	}
	return err
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

// DefaultLettering returns the defaults of a label's text.
func DefaultLettering() Lettering {
	return Lettering{Size: defaultLettering, Color: shade.Color{}}
}
