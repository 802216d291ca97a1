package main

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
)

// TestThemeElsewhere checks the flag --theme of hash, check, watch, bench and explain: it changes the picture, and its errors
// are theirs.
func TestThemeElsewhere(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"s.toml":   "image = { width = 60, height = 40 }\nsphere = [{ center = [0, 0, 0], radius = 1 }]\nlabel = [{ text = \"A\", at = [0, 0, 0] }]\n",
		"red.toml": "[theme]\nink = \"red\"\nimage = { background = \"black\" }\n",
		"bad.toml": "[theme]\nink = \"rde\"\n",
	})
	plain, themed := outcome(t, "hash", "s.toml").Stdout, outcome(t, "hash", "s.toml", "--theme", "red").Stdout
	if plain == themed {
		t.Error("the theme does not change the hash")
	}
	if got := outcome(t, "explain", "s.toml", "--pixel", "0,0", "--theme", "red", "--json").Stdout; !strings.Contains(got, `"srgb8": [0, 0, 0]`) {
		t.Errorf("with a black background, the corner is explained as %s", got)
	}
	outcome(t, "bench", "s.toml", "--repeat", "1", "--theme", "red")
	if got := (programtest.Invocation{}).Run("bench", "s.toml", "--theme", "bad"); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "bad.toml:2:7: theme.ink: ") {
		t.Errorf("bench with a wrong theme: %+v", got)
	}
	if got := outcome(t, "check", "s.toml", "--theme", "red").Stdout; got != "" {
		t.Errorf("check with a theme: %q", got)
	}
	if got := (programtest.Invocation{}).Run("check", "s.toml", "--theme", "bad"); got.Status != cli.StatusWrong || !strings.Contains(got.Stdout, "bad.toml:2:7: theme.ink: ") {
		t.Errorf("check with a wrong theme: %+v", got)
	}
	outcome(t, "s.toml", "--theme", "red", "-o", "want.png")
	if got := (programtest.Invocation{}).Run("hash", "want.png", "--theme", "red"); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "--theme is for scenes") {
		t.Errorf("hash of an image with a theme: %+v", got)
	}
	status, log := watchScript(t, cli.Screen{}, []string{"s.toml", "--theme", "red"}, func(cancel func()) []programtest.Step {
		return []programtest.Step{programtest.On("s.png: 60 x 40 pixels in ", cancel)}
	})
	if status != cli.StatusInterrupted || !reflect.DeepEqual(readPNG(t, "s.png"), readPNG(t, "want.png")) {
		t.Errorf("watch, status %d, renders another picture than render\n%s", status, log)
	}
}

// TestThemeFiles checks the messages about values of --theme that name no file with a theme: they name the flag.
func TestThemeFiles(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n", "dir.toml/x": ""})
	tests := map[string]string{
		".":        "render: --theme: . is a folder, want a file with a [theme]",
		"dir":      "render: --theme: dir.toml is a folder, want a file with a [theme]",
		"dir.toml": "render: --theme: dir.toml is a folder, want a file with a [theme]",
		"none":     "render: --theme: there is neither a file none nor a file none.toml beside the scene",
	}
	if _, err := os.Stat("/dev/null"); err == nil {
		tests["/dev/null"] = "render: --theme: open /dev/null: not a regular file"
	}
	for theme, want := range tests {
		got := programtest.Invocation{}.Run("s.toml", "-o", "x.png", "--theme", theme)
		if got.Status != cli.StatusFile || strings.TrimSpace(got.Stderr) != want {
			t.Errorf("%s: exits %d: %s", theme, got.Status, got.Stderr)
		}
	}
	want := "render: --theme: there is neither a file dark nor a file dark.toml beside the scene; for a diagram in these colors, use `--colors dark`"
	if got := (programtest.Invocation{}).Run("explain", "s.toml", "--pixel", "1,1", "--diagram", "x.svg", "--theme", "dark"); strings.TrimSpace(got.Stderr) != want {
		t.Errorf("explain --theme dark: exits %d: %s", got.Status, got.Stderr)
	}
	if got := programtest.MustRun(t, "--help"); !strings.Contains(got.Stdout, "--theme FILE ") {
		t.Error("the help does not name the value of --theme")
	}
}

// outcome runs the program, which must succeed.
func outcome(t *testing.T, args ...string) programtest.Outcome {
	t.Helper()
	got := programtest.Invocation{}.Run(args...)
	if got.Status != cli.StatusDone {
		t.Fatalf("%q: %+v", args, got)
	}
	return got
}
