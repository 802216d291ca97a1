package scene

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
	"pillbox/problem"
	"pillbox/shade"
)

// Panels is a figure of several pictures in rows, read from a file with the tables [panels] and [[panel]].
type Panels struct {
	Columns    int
	Width      int     // of each panel in pixels; 0 for that of the first scene
	Gap        float64 // between panels, in pixels
	Letters    bool    // whether panels have the letters (a), (b) and so on
	Common     bool    // whether all panels, which must be orthographic, have the same scale
	Background shade.Color
	Lettering  // of letters and titles
	Panels     []Panel
}

// Panel is one picture of [Panels].
type Panel struct {
	Scene   string // path relative to the folder of the file, with slashes
	View    string // see [Scene.From]; "" for the scene's camera
	Theme   string // the file of a theme; "" for the scene's own
	Title   string // "" for none
	HasTime bool
	Time    float64 // in seconds
}

// MaxPanels is the largest number of panels.
const MaxPanels = 64

// HasPanels reports whether a file has the tables of [Panels], and so is no scene.
func HasPanels(data []byte) bool {
	if !bytes.Contains(data, []byte("panel")) {
		return false
	}
	root, err := tomltext.Parse(data, "panel")
	return err == nil && (root["panels"] != nil || root["panel"] != nil)
}

// DecodePanels reads a file with panels. It does not read their scenes. An error is of the type [Errors].
func DecodePanels(name string, data []byte) (*Panels, error) {
	r := &keytable.Report{File: name, Speller: keytable.NewSpeller(sceneWords())}
	var raw rawPanels
	if root := parseFileWith(r, data, func(data []byte, _ ...string) (map[string]any, error) { return tomltext.Parse(data, "panel") }); root != nil {
		raw, _, _ = panelsFileKeys().Read(r.Table(""), root)
		reportFormat(r.Table(""), raw.format)
	}
	panels, _, _ := panelsKeys().Read(r.Table("panels"), raw.panels)
	for i, v := range r.List("panel", raw.panel) {
		t := r.Element("panel", i)
		x, g, ok := panelKeys().Read(t, v)
		if _, isText := g["scene"].(string); ok && isText && (!fs.ValidPath(path.Clean(x.Scene)) || slices.Contains(strings.Split(x.Scene, "/"), "..")) {
			t.Wrong("scene", problem.CodeUnreadableFile, `must be in the figure's folder or below, without ".."`)
		}
		panels.Panels = append(panels.Panels, x)
	}
	switch n := len(panels.Panels); {
	case r.Errors > 0:
	case n == 0:
		r.Table("").Missing("panel", problem.CodeMissingKey, "missing: a figure has at least one [[panel]]")
	case n > MaxPanels:
		r.Element("panel", MaxPanels).Missing("", problem.CodeTooLong, "a figure must have at most %d panels, but has %d", MaxPanels, n)
	}
	if r.Errors > 0 {
		return nil, r.InOrder()
	}
	return &panels, nil
}

// Letter returns the letter of the i-th panel, such as (a).
func (p *Panels) Letter(i int) string {
	letter := ""
	for i++; i > 0; i = (i - 1) / 26 {
		letter = string(rune('a'+(i-1)%26)) + letter
	}
	return fmt.Sprintf("(%s)", letter)
}

// rawPanels holds the tables of a file with panels.
type rawPanels struct{ format, panels, panel any }

func panelsFileKeys() keytable.Keys[rawPanels] {
	return keytable.Keys[rawPanels]{List: []keytable.Key[rawPanels]{
		{Name: "format", Form: formatForm(), Unset: formatVersion, About: "version of the format", Field: func(p *rawPanels) any { return &p.format }},
		{Name: "panels", Form: keytable.RawForm("", func() *keytable.Schema { return keytable.SchemaOf(panelsKeys()) }),
			About: "how the pictures of a figure are arranged",
			Field: func(p *rawPanels) any { return &p.panels }},
		{Name: "panel", Form: keytable.RawForm("", func() *keytable.Schema {
			list := keytable.ListOf("", keytable.SchemaOf(panelKeys()))
			list.MinItems, list.MaxItems = 1, MaxPanels
			return list
		}),
			About: "the pictures of a figure, row by row",
			Field: func(p *rawPanels) any { return &p.panel }},
	}}
}

// panelTables returns the tables of a file with panels, by their paths, as [tablesByName] does for scenes.
func panelTables() map[string]keytable.Description {
	return map[string]keytable.Description{"panels": panelsKeys(), "panel": panelKeys()}
}

func panelsKeys() keytable.Keys[Panels] {
	own := keytable.Keys[Panels]{About: "A figure of several pictures. Its file has no solids.", List: []keytable.Key[Panels]{
		{Name: "columns", Form: keytable.IntegerForm(keytable.Limits{Min: 1, Max: MaxPanels}), Unset: int64(2),
			About: "number of panels in a row",
			Field: func(p *Panels) any { return &p.Columns }},
		{Name: "width", Form: keytable.IntegerForm(sides()), Unit: "pixels",
			About: "width of each panel; without it, that of the first scene. Heights follow from the scenes",
			Field: func(p *Panels) any { return &p.Width }},
		{Name: "gap", Form: keytable.NumberForm(keytable.Limits{Max: MaxLettering}), Unset: 16.0, Unit: "pixels",
			About: "space between panels",
			Field: func(p *Panels) any { return &p.Gap }},
		{Name: "letters", Form: keytable.BooleanForm(), Unset: true,
			About: "whether the panels have letters, (a), (b) and so on",
			Field: func(p *Panels) any { return &p.Letters }},
		{Name: "scale", Form: keytable.SwitchForm("fit", "common"), Unset: "fit",
			About: "whether each scene's camera decides its scale, `\"fit\"`, or all panels show lengths at the same scale, the smallest of them, `\"common\"`; then the cameras must be orthographic",
			Field: func(p *Panels) any { return &p.Common }},
		{Name: "background", Form: keytable.ColorForm(), Unset: "white",
			About: "color between the panels",
			Field: func(p *Panels) any { return &p.Background }},
	}}
	texts := keytable.Embedded(letteringKeys(20), func(p *Panels) *Lettering { return &p.Lettering })
	texts.List[0].About = "size of letters and titles; or `\"8pt\"`, 8 points in print, see [Sizes of texts](#sizes-of-texts)"
	texts.List[1].About = "color of letters and titles"
	return own.With(texts)
}

func panelKeys() keytable.Keys[Panel] {
	return keytable.Keys[Panel]{About: "One picture of a figure.", List: []keytable.Key[Panel]{
		{Name: "scene", Form: keytable.TextForm(), Required: true,
			About: "the file of the scene, in the folder of the figure or below",
			Field: func(p *Panel) any { return &p.Scene }},
		{Name: "view", Form: keytable.WordsForm(ViewNames()),
			About: "shows all solids from a side, as `--view`",
			Field: func(p *Panel) any { return &p.View }},
		{Name: "theme", Form: keytable.TextForm(),
			About: "the file of a [theme](#themes), as `--theme`",
			Field: func(p *Panel) any { return &p.Theme }},
		{Name: "title", Form: optionalCaptionForm(),
			About: "a text beside the letter, with [markup](#annotations)",
			Field: func(p *Panel) any { return &p.Title }},
		{Name: "time", Form: keytable.NumberForm(moments()), Unit: "seconds",
			About: "the time of an animated scene",
			Has:   func(p *Panel) *bool { return &p.HasTime }, Field: func(p *Panel) any { return &p.Time }},
	}}
}

// AtScale returns the scene with a camera of the given scale, for a picture of the given height. Its camera must be
// orthographic. perPixel is a length in scene units.
func (s *Scene) AtScale(perPixel float64, width, height int) *Scene {
	scaled, c := *s, s.CameraFor(width, height)
	c.ViewHeight = float64(perPixel * float64(height))
	scaled.Camera, scaled.Framing = &c, nil
	return &scaled
}
