package main

import (
	"os"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
)

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
	if got := programtest.MustRun(t, "--help"); !strings.Contains(got.Stdout, "--theme FILE ") {
		t.Error("the help does not name the value of --theme")
	}
}
