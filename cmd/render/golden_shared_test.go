package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillbox/cmd/render/golden"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
)

// TestGoldenCheckGroups checks the whole output of a check of many scenes: new ones are counted, and an edit of a file that
// all of them include is reported once, in JSON as well.
func TestGoldenCheckGroups(t *testing.T) {
	const scenes = 25
	files := map[string]string{"scenes/lib/look.toml": "[material.red]\ncolor = \"#d1495b\"\n"}
	for i := range scenes {
		files[fmt.Sprintf("scenes/s%02d.toml", i)] = fmt.Sprintf("include = [\"lib/look.toml\"]\n[image]\nwidth = 16\nheight = 12\n[[sphere]]\ncenter = [0, 0, 0]\nradius = %v\nmaterial = \"red\"\n", 1+0.01*float64(i))
	}
	programtest.InFolder(t, files)
	run := func(want int, args ...string) []string {
		t.Helper()
		got := programtest.Invocation{}.Run(append([]string{"golden"}, args...)...)
		if got.Status != want {
			t.Fatalf("%v: %+v", args, got)
		}
		return strings.Split(strings.TrimSuffix(got.Stdout, "\n"), "\n")
	}
	lines := run(cli.StatusDifferent, "check", "--ci")
	if len(lines) != 22 || lines[19] != "s19: new: no picture was accepted yet" || lines[20] != "5 more new scenes: no picture was accepted yet" || lines[21] != "25 goldens: 25 new" {
		t.Errorf("new scenes: %q", lines)
	}
	if pending := run(cli.StatusDone, "pending"); len(pending) != scenes {
		t.Errorf("pending lists %d scenes", len(pending))
	}
	run(cli.StatusDone, "accept", "--all")
	fixture.Edit(t, "scenes/lib/look.toml", "#d1495b", "#a1495b")
	lines = run(cli.StatusDifferent, "check")
	if len(lines) != 4 || lines[0] != `scenes/lib/look.toml:2: material.red.color, "#d1495b" to "#a1495b": changes 25 goldens` ||
		strings.Count(lines[1], "pixels") != scenes || !strings.HasPrefix(lines[2], "    most changed: golden/s") || lines[3] != "25 goldens: 25 changed" {
		t.Errorf("one cause: %q", lines)
	}
	lines = run(cli.StatusDifferent, "check", "--ci", "--json")
	var last golden.Record
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || len(lines) != scenes {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	if c := last.Causes; len(c) != 1 || len(c[0].Goldens) != scenes || c[0].File != "scenes/lib/look.toml" || c[0].Line != 2 ||
		!slices.IsSortedFunc(c[0].Goldens, func(a, b golden.ChangeRecord) int { return b.Pixels - a.Pixels }) {
		t.Errorf("causes in JSON: %+v", c)
	}
}
