package scene

import (
	"fmt"
	"maps"
	"slices"

	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
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

// drawing writes the lines, angles and markers. Arrows are written as lines, which keeps their order.
func (e *exporter) drawing(a *Annotations) {
	for _, x := range a.Lines {
		line := tableOfLine(x, e.point)
		keytable.WriteTable(e.Writer, "[[line]]", lineKeys(), &line)
	}
	for _, x := range a.Angles {
		angle := tableOfAngle(x, e.point)
		keytable.WriteTable(e.Writer, "[[angle]]", angleKeys(), &angle)
	}
	for _, x := range a.Markers {
		marker := tableOfMarker(x, e.point)
		keytable.WriteTable(e.Writer, "[[marker]]", markerKeys(), &marker)
	}
}

// point returns a point for a scene file, in which solids are named by their keys.
func (e *exporter) point(x Point) partPoint {
	w := partPoint{Point: x}
	switch names := e.names(x.On); {
	case x.Anchor != "":
		w.raw = names[0] + "." + x.Anchor
	case len(names) == 1:
		w.raw = names[0]
	case len(names) > 0:
		w.raw = names
	}
	return w
}
