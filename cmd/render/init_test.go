package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/scene"
)

// TestInitWritesTheSchema checks that init writes a schema file beside the scene, and that the scene's first line
// refers to it.
func TestInitWritesTheSchema(t *testing.T) {
	programtest.InFolder(t, map[string]string{"project/notes.txt": ""})
	got := programtest.Invocation{ErrColumns: 80}.Run("init", "project/first.toml")
	const want = "Wrote project/first.toml, and project/scene.schema.json, with which editors complete and check keys. Next: render project/first.toml\n"
	if got.Status != 0 || filepath.ToSlash(got.Stderr) != want {
		t.Fatalf("exits %d: %s", got.Status, got.Stderr)
	}
	line, _, _ := strings.Cut(programtest.ReadText(t, "project/first.toml"), "\n")
	named, ok := strings.CutPrefix(line, "#:schema ./")
	if !ok || programtest.ReadText(t, filepath.Join("project", named)) != string(scene.Schema()) {
		t.Errorf("the scene begins with %q, which is not the schema", line)
	}

	// An existing schema file is kept, and is not an error.
	programtest.WriteText(t, "project/scene.schema.json", "{}")
	got = programtest.Invocation{ErrColumns: 80}.Run("init", "project/second.toml")
	if got.Status != 0 || !strings.HasPrefix(filepath.ToSlash(got.Stderr), "Wrote project/second.toml. Next: ") {
		t.Errorf("with a schema there: exits %d: %s", got.Status, got.Stderr)
	}
	if programtest.ReadText(t, "project/scene.schema.json") != "{}" {
		t.Error("a file was overwritten")
	}
}

// TestInitToStandardOutput checks that a scene written to standard output is valid and refers to no schema.
func TestInitToStandardOutput(t *testing.T) {
	programtest.InFolder(t, nil)
	got := programtest.Invocation{}.Run("init", "-")
	if strings.HasPrefix(got.Stdout, "#:schema") || strings.HasPrefix(got.Stdout, "\n") {
		t.Errorf("begins with %.40q", got.Stdout)
	}
	if _, err := scene.Decode("stdout", []byte(got.Stdout)); err != nil {
		t.Error(err)
	}
	programtest.WantFiles(t)
}

// TestInitBesideALink checks that init does not replace an existing file or link with the schema's name.
func TestInitBesideALink(t *testing.T) {
	programtest.InFolder(t, nil)
	if err := os.Symlink("missing/x", "scene.schema.json"); err != nil {
		t.Skip(err)
	}
	if got := (programtest.Invocation{}).Run("init"); got.Status != 0 {
		t.Errorf("exits %d: %s", got.Status, got.Stderr)
	}
	programtest.WantFiles(t, "scene.schema.json", "scene.toml")
}

// TestInitSceneHasNoNotes checks that check has nothing to report about the scene that init writes.
func TestInitSceneHasNoNotes(t *testing.T) {
	programtest.InFolder(t, nil)
	programtest.MustRun(t, "init")
	if got := programtest.MustRun(t, "check scene.toml"); got.Stdout+got.Stderr != "" {
		t.Errorf("check reports\n%s%s", got.Stdout, got.Stderr)
	}
}

// TestInitKeepsFormats checks that init does not write TOML under the extension of another format.
func TestInitKeepsFormats(t *testing.T) {
	programtest.InFolder(t, nil)
	for _, name := range []string{"x.png", "x.JSON", "x.csv"} {
		got := programtest.Invocation{}.Run("init", name)
		if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "output "+name+" would be ") || !strings.Contains(got.Stderr, "; choose a name that ends in .toml") {
			t.Errorf("%s: exits %d: %s", name, got.Status, got.Stderr)
		}
	}
	programtest.WantFiles(t)
	programtest.MustRun(t, "init scene")
	programtest.WantFiles(t, "scene", "scene.schema.json")
}
