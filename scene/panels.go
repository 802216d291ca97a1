package scene

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"pillbox/internal/tomltext"
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
	r := &report{file: name, speller: new(speller)}
	var raw rawPanels
	if root := r.parseWith(data, func(data []byte, _ ...string) (map[string]any, error) { return tomltext.Parse(data, "panel") }); root != nil {
		raw, _, _ = panelsFileKeys().read(r.table(""), root)
	}
	panels, _, _ := panelsKeys().read(r.table("panels"), raw.panels)
	for i, v := range r.list("panel", raw.panel) {
		t := r.element("panel", i)
		x, g, ok := panelKeys().read(t, v)
		if _, isText := g["scene"].(string); ok && isText && (!fs.ValidPath(path.Clean(x.Scene)) || slices.Contains(strings.Split(x.Scene, "/"), "..")) {
			t.wrong("scene", CodeUnreadableFile, `must be in the figure's folder or below, without ".."`)
		}
		panels.Panels = append(panels.Panels, x)
	}
	switch n := len(panels.Panels); {
	case r.errors > 0:
	case n == 0:
		r.table("").missing("panel", CodeMissingKey, "missing: a figure has at least one [[panel]]")
	case n > MaxPanels:
		r.element("panel", MaxPanels).missing("", CodeTooLong, "a figure must have at most %d panels, but has %d", MaxPanels, n)
	}
	if r.errors > 0 {
		return nil, r.located()
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

func panelsFileKeys() keysOf[rawPanels] {
	return keysOf[rawPanels]{list: []key[rawPanels]{
		{name: "format", form: rawForm("", nil), field: func(p *rawPanels) any { return &p.format }},
		{name: "panels", form: rawForm("", nil), field: func(p *rawPanels) any { return &p.panels }},
		{name: "panel", form: rawForm("", nil), field: func(p *rawPanels) any { return &p.panel }},
	}}
}

func panelsKeys() keysOf[Panels] {
	own := keysOf[Panels]{list: []key[Panels]{
		{name: "columns", form: integerForm(limits{min: 1, max: MaxPanels}), unset: int64(2), field: func(p *Panels) any { return &p.Columns }},
		{name: "width", form: integerForm(sides()), field: func(p *Panels) any { return &p.Width }},
		{name: "gap", form: numberForm(limits{max: MaxLettering}), unset: 16.0, field: func(p *Panels) any { return &p.Gap }},
		{name: "letters", form: booleanForm(), unset: true, field: func(p *Panels) any { return &p.Letters }},
		{name: "scale", form: switchForm("fit", "common"), unset: "fit", field: func(p *Panels) any { return &p.Common }},
		{name: "background", form: colorForm(), unset: "white", field: func(p *Panels) any { return &p.Background }},
	}}
	return own.with(embedded(letteringKeys(20), func(p *Panels) *Lettering { return &p.Lettering }))
}

func panelKeys() keysOf[Panel] {
	return keysOf[Panel]{list: []key[Panel]{
		{name: "scene", form: textForm(), required: true, field: func(p *Panel) any { return &p.Scene }},
		{name: "view", form: wordsForm(ViewNames()), field: func(p *Panel) any { return &p.View }},
		{name: "theme", form: textForm(), field: func(p *Panel) any { return &p.Theme }},
		{name: "title", form: optionalCaptionForm(), field: func(p *Panel) any { return &p.Title }},
		{name: "time", form: numberForm(moments()), has: func(p *Panel) *bool { return &p.HasTime }, field: func(p *Panel) any { return &p.Time }},
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
