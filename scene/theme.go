package scene

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/problem"
	"pillbox/shade"
)

// WithTheme gives the scene the theme in the contents of a file: its [theme], materials and parts replace those of the
// file with a [theme] that the scene includes, and a [theme] of the scene itself. The name is for messages.
func WithTheme(name string, data []byte) DecodeOption {
	return func(l *loader) { l.theme = &namedFile{name, data} }
}

// namedFile is the contents of a file and its name in messages.
type namedFile struct {
	name string
	data []byte
}

// themeTable holds the values of [theme]. Only whether they are valid matters: [loader.applyTheme] copies raw values.
type themeTable struct {
	ink, halo shade.Color
	width     float64
	lettering Lettering // its size
}

// themed is a table for which a theme has defaults.
type themed struct {
	name  string
	keys  keytable.Description
	valid func(t keytable.Table, v any) keytable.RawTable // see [Keys.validValues]
	alone bool                                            // the defaults also hold for a scene without the table
}

// styled returns the table of a theme with some keys, separated by spaces, of the table with the same name.
func styled[T any](name string, keys keytable.Keys[T], style string) themed {
	own := keytable.Keys[T]{}
	for _, k := range keys.List {
		if slices.Contains(strings.Fields(style), k.Name) {
			k.Unset, k.Required = nil, false
			own.List = append(own.List, k)
		}
	}
	return themed{name: name, keys: own, valid: own.ValidValues}
}

// themedTables returns the tables for which a theme has defaults.
func themedTables() []themed {
	const lettering = "size color halo"
	all := []themed{
		styled("image", imageKeys(), "background"), styled("shading", shadingKeys(), "ambient shadows color"),
		styled("outline", outlineKeys(), "width color silhouettes creases contacts"), styled("fog", fogKeys(), "color strength"),
		styled("title", titleKeys(), lettering), styled("axes", axesKeys(), lettering), styled("scale_bar", scaleBarKeys(), lettering),
		styled("legend", legendKeys(), lettering), styled("colormap", colormapKeys(), "name "+lettering),
		styled("label", labelKeys(), lettering), styled("dimension", dimensionKeys(), lettering),
		styled("line", lineKeys(), "color width dash head"), styled("arrow", arrowKeys(), "color width dash head"),
		styled("angle", angleKeys(), "width dash head "+lettering), styled("marker", markerKeys(), "color size width"),
	}
	for i := range all {
		all[i].alone = slices.Contains([]string{"image", "shading", "outline"}, all[i].name)
	}
	return all
}

// themeKeys returns the keys of [theme].
func themeKeys() keytable.Keys[themeTable] {
	k := keytable.Keys[themeTable]{About: "Defaults for the look of the scene's tables, in the scene or in a file that it includes.", List: []keytable.Key[themeTable]{
		{Name: "ink", Form: keytable.ColorForm(),
			About: "color of texts, lines, markers and outlines; axes keep their own colors",
			Field: func(t *themeTable) any { return &t.ink }},
		{Name: "halo", Form: keytable.ColorForm(),
			About: "color of a border around all letters",
			Field: func(t *themeTable) any { return &t.halo }},
		{Name: "size", Form: letteringForm(), Unit: "pixels",
			About: "size of all texts except the title; also in points, as in `\"8pt\"`",
			Field: func(t *themeTable) any { return &t.lettering }},
		{Name: "width", Form: keytable.NumberForm(lineWidths()), Unit: "pixels",
			About: "width of lines, arrows, arcs and markers",
			Field: func(t *themeTable) any { return &t.width }},
	}}
	for _, x := range themedTables() {
		about := "defaults for the keys " + quotedNames(x.keys) + " of such tables"
		if x.alone {
			about += "; they also hold for a scene without the table"
		}
		k.List = append(k.List, keytable.Key[themeTable]{Name: x.name, About: about,
			Form:  keytable.RawForm("Mapping[str, Any]", func() *keytable.Schema { return keytable.SchemaOf(x.keys) }),
			Field: func(*themeTable) any { return new(any) }})
	}
	return k
}

// quotedNames lists the names of keys as Markdown.
func quotedNames(keys keytable.Description) string {
	var names []string
	for _, k := range keys.Keys() {
		names = append(names, "`"+k.Name+"`")
	}
	return strings.Join(names, ", ")
}

// common returns the keys of [theme] that stand for a key of the themed table, by the name of this key.
func (x *themed) common() map[string]string {
	c := map[string]string{"color": "ink", "halo": "halo", "size": "size", "width": "width"}
	switch x.name {
	case "image", "shading", "fog":
		return nil
	case "axes":
		delete(c, "color")
	case "title", "marker":
		delete(c, "size")
	case "outline":
		delete(c, "width")
	}
	return c
}

// chooseTheme reads the file of [WithTheme] and removes the themes that it replaces.
func (l *loader) chooseTheme() {
	if l.theme == nil {
		return
	}
	isReplaced := func(s *source) bool { return s != l.sources[0] && s.raw.theme != nil }
	for _, s := range l.sources {
		if isReplaced(s) {
			l.replaced = s
		}
	}
	l.sources = slices.DeleteFunc(l.sources, isReplaced)
	l.sources[0].raw.theme = nil
	src, root := l.parseIncluded(File{Path: l.theme.name, Name: l.theme.name}, l.theme.data)
	if root == nil {
		return
	}
	if isNoTheme(src.Table(""), root) {
		l.lacksInclude = true // so that materials which the theme should have cause no further errors
		return
	}
	l.readIncluded(src, root)
}

// lost returns what a message adds about a missing material or part, by its name, if the file whose theme [WithTheme] replaces
// has it: where to add it. kind is "material" or "part".
func (l *loader) lost(kind string) map[string]string {
	if l.replaced == nil {
		return nil
	}
	values := l.replaced.raw.material
	if kind == "part" {
		values = l.replaced.raw.part
	}
	tables, _ := values.(map[string]any)
	texts := make(map[string]string, len(tables))
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		texts[name] = fmt.Sprintf(" (add [%s.%s] to %s: %s, which that theme replaces, has it)", kind, tomltext.QuoteKey(name), text.EscapeName(l.theme.name), text.EscapeName(l.replaced.File))
	}
	return texts
}

// isTheme reports whether the scene's own file is a theme rather than a scene.
func (l *loader) isTheme() bool { return l.onlyIncludable && l.sources[0].raw.theme != nil }

// isNoTheme reports whether the root of a file is not a theme, and reports this as one problem.
func isNoTheme(t keytable.Table, root map[string]any) bool {
	foreign := foreignKeys(root)
	_, there := root["theme"]
	switch {
	case len(foreign) == 0 && there:
		return false
	case there:
		message := "not allowed in a theme"
		if others := foreign[1:]; len(others) > 0 {
			message += ", nor " + listed(others)
		}
		t.WrongKey(foreign[0], problem.CodeNotIncludable, "%s: it has only [theme], [material] and [part] tables", message)
	case len(foreign) == 0:
		t.Missing("theme", problem.CodeMissingKey, "missing: a theme is a file with a table [theme]")
	default:
		t.Missing("theme", problem.CodeMissingKey, "missing: the file is a scene, and a theme is a file with a table [theme]")
	}
	return true
}

// applyTheme fills the tables of the scene and of its parts with the defaults of its theme, where they lack these keys.
func (l *loader) applyTheme() {
	var theme *source
	for _, s := range l.sources {
		switch {
		case s.raw.theme == nil:
		case theme == nil:
			theme = s
		default:
			s.Table("").WrongKey("theme", problem.CodeDuplicateName, "a scene has one theme, and %s has it already", theme.File)
		}
	}
	if theme == nil {
		return
	}
	t := theme.Table("theme")
	given := themeKeys().ValidValues(t, theme.raw.theme)
	for _, x := range themedTables() {
		style := x.valid(theme.Table(t.Key(x.name)), given[x.name])
		defaults := make(map[string]any)
		for _, k := range x.keys.Keys() {
			if v, there := style[k.Name]; there {
				defaults[k.Name] = v
			} else if v, there := given[x.common()[k.Name]]; there {
				defaults[k.Name] = v
			}
		}
		l.fill(&x, defaults, len(style) > 0)
	}
}

// fill fills the tables of one name. isStated is whether the theme has a table for them.
func (l *loader) fill(x *themed, defaults map[string]any, isStated bool) {
	own := &l.sources[0].raw
	if v := own.single(x.name); v != nil {
		if *v == nil && x.alone && isStated {
			*v = make(map[string]any)
		}
		fillTable(*v, defaults)
		return
	}
	fillList(*own.list(x.name), defaults)
	for _, s := range l.sources {
		parts, _ := s.raw.part.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(parts)) {
			if p, ok := parts[name].(map[string]any); ok {
				fillList(p[x.name], defaults)
			}
		}
	}
}

// single returns the table of a scene that it has only once, or nil for an array of tables.
func (f *rawFile) single(name string) *any {
	return map[string]*any{
		"image": &f.image, "shading": &f.shading, "outline": &f.outline, "fog": &f.fog, "title": &f.title, "axes": &f.axes,
		"scale_bar": &f.scaleBar, "legend": &f.legend, "colormap": &f.colormap,
	}[name]
}

// list returns an array of tables of annotations.
func (p *partTable) list(name string) *any {
	return map[string]*any{"label": &p.label, "dimension": &p.dimension, "line": &p.line, "arrow": &p.arrow, "angle": &p.angle, "marker": &p.marker}[name]
}

func fillList(v any, defaults map[string]any) {
	list, _ := keytable.TablesOf(v)
	for _, v := range list {
		fillTable(v, defaults)
	}
}

func fillTable(v any, defaults map[string]any) {
	values, ok := v.(map[string]any)
	if !ok {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(defaults)) {
		if _, there := values[key]; !there {
			values[key] = defaults[key]
		}
	}
}
