package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/scene"
)

// TestInitWritesTheSchema checks that init writes a schema file beside the scene, and that the scene's first line
// refers to it.
func TestInitWritesTheSchema(t *testing.T) {
	inFolder(t, map[string]string{"project/notes.txt": ""})
	got := invocation{errColumns: 80}.run("init", "project/first.toml")
	const want = "project/first.toml is written, and project/scene.schema.json for editors; 'render project/first.toml' renders it\n"
	if got.status != 0 || filepath.ToSlash(got.stderr) != want {
		t.Fatalf("exits %d: %s", got.status, got.stderr)
	}
	line, _, _ := strings.Cut(readText(t, "project/first.toml"), "\n")
	named, ok := strings.CutPrefix(line, "#:schema ./")
	if !ok || readText(t, filepath.Join("project", named)) != string(scene.Schema()) {
		t.Errorf("the scene begins with %q, which is not the schema", line)
	}

	// An existing schema file is kept, and is not an error.
	writeText(t, "project/scene.schema.json", "{}")
	got = invocation{errColumns: 80}.run("init", "project/second.toml")
	if got.status != 0 || !strings.HasPrefix(filepath.ToSlash(got.stderr), "project/second.toml is written; ") {
		t.Errorf("with a schema there: exits %d: %s", got.status, got.stderr)
	}
	if readText(t, "project/scene.schema.json") != "{}" {
		t.Error("a file was overwritten")
	}
}

// TestInitToStandardOutput checks that a scene written to standard output is valid and refers to no schema.
func TestInitToStandardOutput(t *testing.T) {
	inFolder(t, nil)
	got := invocation{}.run("init", "-")
	if strings.HasPrefix(got.stdout, "#:schema") || strings.HasPrefix(got.stdout, "\n") {
		t.Errorf("begins with %.40q", got.stdout)
	}
	if _, err := scene.Decode("stdout", []byte(got.stdout)); err != nil {
		t.Error(err)
	}
	wantFiles(t)
}

// TestInitBesideALink checks that init does not replace an existing file or link with the schema's name.
func TestInitBesideALink(t *testing.T) {
	inFolder(t, nil)
	if err := os.Symlink("missing/x", schemaFile); err != nil {
		t.Skip(err)
	}
	if got := (invocation{}).run("init"); got.status != 0 {
		t.Errorf("exits %d: %s", got.status, got.stderr)
	}
	wantFiles(t, "scene.schema.json", "scene.toml")
}
