package scene

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

const themedScene = `include = ["light.toml"]
image = { width = 40, height = 30 }
sphere = [{ center = [0, 0, 0], radius = 1, material = "glass" }]
label = [{ text = "A", at = [0, 0, 0] }, { text = "B", at = [0, 0, 0], color = "red" }]
title = { text = "T" }
axes = {}
arrow = [{ from = [0, 0, 0], to = [1, 0, 0] }]
part.p.label = [{ text = "C", at = [0, 0, 0] }]
place = [{ part = "p" }]
`

const lightTheme = `[theme]
ink = "#102030"
size = 12
image.background = "ivory"
arrow = { color = "#0000ff", width = 3 }
[material.glass]
color = "#aaccee"
`

func decodeThemed(text, light string, options ...DecodeOption) (*Scene, error) {
	files := fstest.MapFS{"light.toml": {Data: []byte(light)}}
	return Decode("s.toml", []byte(text), append(options, WithFiles(files))...)
}

// TestTheme checks that a scene with a theme equals the scene in which the keys are written out: what the scene states
// counts, tables of the theme come before ink and size, and axes keep their colors.
func TestTheme(t *testing.T) {
	got, err := decodeThemed(themedScene, lightTheme)
	if err != nil {
		t.Fatal(err)
	}
	written := `material.glass.color = "#aaccee"
image = { width = 40, height = 30, background = "ivory" }
sphere = [{ center = [0, 0, 0], radius = 1, material = "glass" }]
label = [{ text = "A", at = [0, 0, 0], size = 12, color = "#102030" }, { text = "B", at = [0, 0, 0], color = "red", size = 12 }]
title = { text = "T", color = "#102030" }
axes = { size = 12 }
arrow = [{ from = [0, 0, 0], to = [1, 0, 0], color = "#0000ff", width = 3 }]
part.p.label = [{ text = "C", at = [0, 0, 0], size = 12, color = "#102030" }]
place = [{ part = "p" }]
`
	want, err := Decode("s.toml", []byte(written))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Annotations, want.Annotations) || got.Image != want.Image || got.Outline != nil || !reflect.DeepEqual(colored(got), colored(want)) {
		t.Errorf("got\n%+v\n%+v\nwant\n%+v\n%+v", got.Annotations, got.Image, want.Annotations, want.Image)
	}
}

// TestThemeOfAnotherFile checks that [WithTheme] replaces the included theme with its materials, or adds a theme.
func TestThemeOfAnotherFile(t *testing.T) {
	const dark = "[theme]\nink = \"white\"\noutline.width = 2\n[material.glass]\ncolor = \"#204060\"\n"
	for _, text := range []string{themedScene, strings.Replace(themedScene, `include = ["light.toml"]`, "", 1), strings.Replace(themedScene, `include = ["light.toml"]`, `theme.ink = "red"`, 1)} {
		s, err := decodeThemed(text, lightTheme, WithTheme("dark.toml", []byte(dark)))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.Annotations.Labels[0].Color, s.Annotations.Labels[1].Color, s.Annotations.Labels[0].Size); got != "[1, 1, 1] [1, 0, 0] 16" {
			t.Errorf("labels have the colors and size %s", got)
		}
		if s.Outline == nil || s.Outline.Width != 2 || s.Outline.Color != s.Annotations.Labels[0].Color {
			t.Errorf("the outline is %+v", s.Outline)
		}
		if m := s.Objects.Material(0).Albedo; m.B > 0.2 {
			t.Errorf("the material has the color %v of the replaced theme", m)
		}
	}
}

// TestNoTheme checks that a file that is not a theme is one problem, in one line.
func TestNoTheme(t *testing.T) {
	for theme, want := range map[string]string{
		"":                                      "dark.toml:1:1: theme: missing: a theme is a file with a table [theme]",
		themedScene:                             "dark.toml:1:1: theme: missing: the file is a scene, and a theme is a file with a table [theme]",
		"[[panel]]\nx = 1\n":                    "dark.toml:1:1: theme: missing: a theme is a file with a table [theme]",
		"include = [\"light.toml\"]\n[theme]\n": "dark.toml:1:1: include: not allowed in a theme: it has only [theme], [material] and [part] tables",
		"[theme]\n[camera]\n[fog]\n[title]\n":   "dark.toml:2:2: camera: not allowed in a theme, nor fog, title: it has only [theme], [material] and [part] tables",
	} {
		if _, err := decodeThemed(themedScene, lightTheme, WithTheme("dark.toml", []byte(theme))); err == nil || err.Error() != want {
			t.Errorf("%q: got\n%v\nwant\n%s", theme, err, want)
		}
	}
}

// TestThemeLacksTables checks that an unknown material or part that the replaced theme has names both files.
func TestThemeLacksTables(t *testing.T) {
	text := strings.Replace(themedScene, `part = "p"`, `part = "q"`, 1)
	_, err := decodeThemed(text, lightTheme+"[part.q]\n", WithTheme("dark.toml", []byte("[theme]\n")))
	const want = `s.toml:3:56: sphere[0].material: must be the name of a [material.NAME] (add [material.glass] to dark.toml: light.toml, which that theme replaces, has it), got "glass"
s.toml:9:19: place[0].part: must be the name of a [part.NAME] (add [part.q] to dark.toml: light.toml, which that theme replaces, has it), got "q"`
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	_, err = decodeThemed(text, lightTheme)
	if err == nil || strings.Contains(err.Error(), "replaces") {
		t.Errorf("without another theme: %v", err)
	}
}

// TestInvalidValuesOfThemes checks that an invalid value of a theme is one problem, at its place in the theme, and that the
// scene's tables do not get it.
func TestInvalidValuesOfThemes(t *testing.T) {
	for theme, want := range map[string]string{
		"ink = \"nocolor\"\nsize = 0\n":                "light.toml:2:7: theme.ink: unknown color, got \"nocolor\"\nlight.toml:3:8: theme.size: must lie between 1 and 1000, got 0",
		"[theme.label]\nsize = 0\ncolor = \"black\"\n": "light.toml:3:8: theme.label.size: must lie between 1 and 1000, got 0",
		"image.background = 3\n":                       "light.toml:2:20: theme.image.background: must be a color",
		"label = 3\n":                                  "light.toml:2:9: theme.label: must be a table, got 3",
	} {
		_, err := decodeThemed(themedScene, "[theme]\n"+theme+"[material.glass]\n")
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "s.toml") {
			t.Errorf("%q: got\n%v\nwant\n%s", theme, err, want)
		}
	}
}

// TestThemeProblems checks the messages about themes.
func TestThemeProblems(t *testing.T) {
	for _, test := range []struct{ light, theme, want string }{
		{"[theme]\nink = \"blak\"\nlabel.at = [0, 0, 0]\nlabels.size = 3\n[material.glass]\n", "",
			"light.toml:2:7: theme.ink: unknown color, got \"blak\", did you mean `black`?"},
		{"[theme]\nlabel.at = [0, 0, 0]\n[material.glass]\n", "", "light.toml:2:7: theme.label.at: unknown key"},
		{lightTheme, "[material.glass]\n", "dark.toml:1:1: theme: missing: a theme is a file with a table [theme]"},
		{lightTheme + "[theme.label]\nsize = 0\n", "", "theme.label.size: must lie between 1 and 1000, got 0"},
	} {
		var options []DecodeOption
		if test.theme != "" {
			options = append(options, WithTheme("dark.toml", []byte(test.theme)))
		}
		if _, err := decodeThemed(themedScene, test.light, options...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	if _, err := decodeThemed("theme.ink = \"red\"\n"+themedScene, lightTheme); err == nil || !strings.Contains(err.Error(), "light.toml:1:2: theme: a scene has one theme, and s.toml has it already") {
		t.Errorf("two themes: %v", err)
	}
}

// TestThemeAlone checks that a theme that is read as a scene has one warning, which says what the file is.
func TestThemeAlone(t *testing.T) {
	s, err := Decode("dark.toml", []byte(lightTheme+"[part.q]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Warnings.Error(), "dark.toml:1:1: warning: the file is a theme, not a scene: name it in a scene's include, or with --theme"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if s, err = Decode("s.toml", []byte(lightTheme+"[image]\n")); err != nil || len(s.Warnings) != 2 {
		t.Errorf("a scene with a theme has the warnings %v, %v", s.Warnings, err)
	}
}
