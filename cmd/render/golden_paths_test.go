package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
)

// TestGoldenPaths checks that annotations and JUnit files name a scene as git does, wherever the command runs, and that
// GITHUB_WORKSPACE stands in for a missing work tree.
func TestGoldenPaths(t *testing.T) {
	check := func(dir, arg, want string) {
		t.Helper()
		t.Chdir(dir)
		out := programtest.Invocation{}.Run("golden", "check", "--ci", "--github", "--junit", "golden.xml", arg).Stdout
		if !strings.Contains(out, "::error file="+want+",line=1,") {
			t.Errorf("in %s: no annotation of %s in\n%s", dir, want, out)
		}
		if xml := programtest.ReadText(t, "golden.xml"); !strings.Contains(xml, `file="`+want+`"`) {
			t.Errorf("in %s: no file %s in\n%s", dir, want, xml)
		}
	}
	top := t.TempDir()
	scenes := filepath.Join(top, "p", "scenes")
	if err := os.MkdirAll(scenes, 0o777); err != nil {
		t.Fatal(err)
	}
	const ball = "[image]\nwidth = 8\nheight = 8\n\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	if err := os.WriteFile(filepath.Join(scenes, "b.toml"), []byte(ball), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GITHUB_STEP_SUMMARY", "")
	t.Setenv("GITHUB_WORKSPACE", "")
	check(filepath.Join(top, "p"), "b", "scenes/b.toml")
	t.Setenv("GITHUB_WORKSPACE", top)
	check(filepath.Join(top, "p"), "b", "p/scenes/b.toml")

	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	t.Setenv("GITHUB_WORKSPACE", filepath.Dir(top))
	if out, err := exec.Command("git", "init", "-q", top).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	check(filepath.Join(top, "p"), "b", "p/scenes/b.toml")
	check(scenes, "b.toml", "p/scenes/b.toml")
	check(top, "p/scenes/b.toml", "p/scenes/b.toml")
	check(t.TempDir(), filepath.Join(scenes, "b.toml"), "p/scenes/b.toml")
}

// TestGoldenAcceptAllBelow checks that accept --all at the root of a repository accepts what check --all finds: the scenes in
// scenes/ and those of packages below.
func TestGoldenAcceptAllBelow(t *testing.T) {
	goldenProject(t)
	programtest.WriteText(t, "scenes/later.toml", programtest.Small)
	programtest.WriteText(t, "pkg/scenes/later.toml", programtest.Small)
	got := programtest.Invocation{}.Run("golden", "accept", "--all")
	if want := "later: accepted golden/later.png\npkg/later: accepted pkg/golden/later.png\n"; got.Status != cli.StatusDone || got.Stdout != want {
		t.Errorf("got %+v, want %q", got, want)
	}
	if got := (programtest.Invocation{}).Run("golden", "check", "--all"); got.Status != cli.StatusDone {
		t.Errorf("afterwards: %+v", got)
	}
}
