package main

import (
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
)

// TestCameraless checks that commands that show no picture need no camera, and that check reports a camera that is
// degenerate at a frame between two keys.
func TestCameraless(t *testing.T) {
	fixture.Folder(t, map[string]string{"s.toml": overhead, "still.toml": "[camera]\nposition = [0, 8, 0]\nlook_at = [0, 0, 0]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n", "rays.csv": "ox,oy,oz,dx,dy,dz\n0,0,9,0,0,-1\n"})
	for _, line := range []string{
		"cast still.toml --rays rays.csv", "explain still.toml --ray 0,0,9,0,0,-1", "explain still.toml --segment 0,0,9,0,0,-1",
		"export still.toml -o a.toml", "export still.toml -o a.xml", "export still.toml -o a.pov", "export still.toml -o a.glb",
		"export s.toml --time 1 -o b.toml", "explain s.toml --time 1 --ray 0,0,9,0,0,-1", "check a.toml b.toml",
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields(line)...); got.Status != cli.StatusDone {
			t.Errorf("%s: %+v", line, got)
		}
	}
	got := programtest.Invocation{}.Run("check", "s.toml")
	if got.Status != cli.StatusWrong || !strings.Contains(got.Stdout, "camera.up: at 1 s: ") {
		t.Errorf("check: %+v", got)
	}
}
