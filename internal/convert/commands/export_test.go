package commands_test

import (
	"os"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
)

// stairs is a scene with a part from another file.
const stairs = `
include = ["parts/step.toml"]

[image]
width = 60
height = 45

[[place]]
part = "step"
name = "stair"
material = "oak"
count = 12
step = { position = [0, 0.3, 0], axis = [0, 1, 0], angle = 30 }
`

const stairStep = `
[material.oak]
color = "#8a5a2b"

[[part.step.box]]
name = "board"
center = [1, 0, 0]
half_extents = [0.7, 0.05, 0.3]

[[part.step.capsule]]
a = [1.6, 0, 0]
b = [1.6, 0.8, 0]
radius = 0.05
color = "silver"
`

// TestExport checks that an exported scene renders to the same picture and needs no other file.
func TestExport(t *testing.T) {
	programtest.InFolder(t, map[string]string{"stairs.toml": stairs, "parts/step.toml": stairStep})
	want := programtest.Invocation{}.Run("hash", "stairs.toml")
	if want.Status != cli.StatusDone {
		t.Fatal(want)
	}
	if got := (programtest.Invocation{}).Run("export", "stairs.toml", "-o", "flat.toml"); got != (programtest.Outcome{}) {
		t.Errorf("export: %+v", got)
	}
	data, err := os.ReadFile("flat.toml")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "name = \"stair["); n != 12 {
		t.Errorf("%d boards have names, want 12, in\n%s", n, data)
	}
	if got := (programtest.Invocation{}).Run("export", "stairs.toml", "-o", "-"); got != (programtest.Outcome{Stdout: string(data)}) {
		t.Errorf("to standard output: %+v, want the same as to a file", got)
	}
	if err := os.RemoveAll("parts"); err != nil {
		t.Fatal(err)
	}
	if got := (programtest.Invocation{}).Run("hash", "flat.toml"); got != want {
		t.Errorf("the picture of the flat scene: %+v, want %+v", got, want)
	}
	if got := (programtest.Invocation{}).Run("export", "flat.toml", "-o", "-"); got.Stdout != string(data) {
		t.Errorf("the flat scene exports as\n%s\nwant itself\n%s", got.Stdout, data)
	}
}

func TestExportRefuses(t *testing.T) {
	programtest.InFolder(t, map[string]string{"stairs.toml": stairs, "parts/step.toml": stairStep, "bad.toml": "[[sphere]]\n"})
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"export stairs.toml", cli.StatusWrong, "want an output"},
		{"export stairs.toml -o flat.png", cli.StatusWrong, `.toml, got "flat.png"`},
		{"export stairs.toml -o stairs.toml", cli.StatusWrong, "output stairs.toml would replace the input"},
		{"export stairs.toml -o parts/step.toml", cli.StatusWrong, "output parts/step.toml would replace"},
		{"export stairs.toml -o flat.toml --format png", cli.StatusWrong, "must be"},
		{"export bad.toml -o flat.toml", cli.StatusWrong, "center: missing"},
		{"export none.toml -o flat.toml", cli.StatusFile, "none.toml"},
		{"export stairs.toml -o stairs.toml/flat.toml", cli.StatusFile, "stairs.toml/flat.toml"},
	} {
		got := programtest.Invocation{}.Run(strings.Fields(c.args)...)
		if got.Status != c.status || !strings.Contains(got.Stderr, c.says) || got.Stdout != "" {
			t.Errorf("%s: %+v, want status %d and %s", c.args, got, c.status, c.says)
		}
	}
	if _, err := os.Stat("flat.toml"); err == nil {
		t.Error("flat.toml is there")
	}
}

// TestExportPOVRay checks the notes about what POV-Ray shows differently, and that --quiet suppresses them.
func TestExportPOVRay(t *testing.T) {
	programtest.InFolder(t, map[string]string{"mirror.toml": "[material.glass]\nmirror = 0.5\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nmaterial = \"glass\"\n"})
	got := (programtest.Invocation{}).Run("export", "mirror.toml", "-o", "mirror.POV")
	if got.Status != cli.StatusDone || !strings.HasPrefix(got.Stderr, "mirror.toml: note: POV-Ray shows a mirror black") {
		t.Errorf("%+v", got)
	}
	data, err := os.ReadFile("mirror.POV")
	if err != nil {
		t.Fatal(err)
	}
	if got := (programtest.Invocation{}).Run("export", "mirror.toml", "-o", "-", "--format", "pov", "--quiet"); got != (programtest.Outcome{Stdout: string(data)}) {
		t.Errorf("%+v, want the same as to a file", got)
	}
}
