package main

import (
	"os/exec"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
)

// git runs git in the current folder and reports whether it succeeded.
func git(t *testing.T, args ...string) bool {
	t.Helper()
	args = append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false"}, args...)
	out, err := exec.Command("git", args...).CombinedOutput()
	t.Logf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	return err == nil
}

// TestGoldenMerges merges branches that accept scenes, in a real git repository: different scenes merge without
// conflict. The same scene conflicts; then check names the file, and accepting the merged scene resolves the conflict.
func TestGoldenMerges(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	goldenProject(t)
	run := func(want int, args ...string) programtest.Outcome {
		t.Helper()
		got := programtest.Invocation{}.Run(append([]string{"golden"}, args...)...)
		if got.Status != want {
			t.Fatalf("golden %v: %+v, want the exit status %d", args, got, want)
		}
		return got
	}
	commit := func(branch, scene, from, to string) {
		t.Helper()
		fixture.Edit(t, scene, from, to)
		run(cli.StatusDone, "accept", "--all")
		if !git(t, "add", "-A") || !git(t, "commit", "-qm", branch) {
			t.Fatal("git failed")
		}
	}
	if !git(t, "init", "-qb", "main") || !git(t, "add", "-A") || !git(t, "commit", "-qm", "first") || !git(t, "checkout", "-qb", "other") {
		t.Fatal("git failed")
	}
	commit("other", "scenes/ball.toml", "radius = 2", "radius = 2.25")
	git(t, "checkout", "-q", "main")
	commit("main", "scenes/pills.toml", "#d1495b", "#1149db")
	if !git(t, "merge", "-q", "--no-edit", "other") {
		t.Fatal("branches that accept different scenes conflict")
	}
	run(cli.StatusDone, "check")

	git(t, "checkout", "-q", "other")
	commit("other", "scenes/second.toml", "radius = 1", "radius = 1.5")
	git(t, "checkout", "-q", "main")
	commit("main", "scenes/second.toml", "radius = 1", "radius = 0.5")
	if git(t, "merge", "-q", "--no-edit", "other") {
		t.Fatal("branches that accept the same scene do not conflict")
	}
	if !git(t, "checkout", "--theirs", "scenes/second.toml") {
		t.Fatal("git failed")
	}
	got := run(cli.StatusDifferent, "check", "second")
	for _, want := range []string{"second: changed: ", "golden/second.scene.toml:", "an unresolved merge conflict"} {
		if !strings.Contains(got.Stdout, want) {
			t.Errorf("no %q in\n%s", want, got.Stdout)
		}
	}
	run(cli.StatusDone, "accept", "second")
	run(cli.StatusDone, "check")
	if !git(t, "add", "-A") || !git(t, "commit", "-qm", "merge") {
		t.Error("the merge is not resolved")
	}
}

// conflicts returns the files that git lists as unmerged.
func conflicts(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "diff", "--name-only", "--diff-filter=U").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// TestGoldenResolve merges branches that accept the same scene. Once the scene is resolved, 'golden resolve' must resolve all
// files of the golden, also if only the picture has a conflict because git could merge both texts.
func TestGoldenResolve(t *testing.T) {
	for name, test := range map[string]struct {
		ours, theirs [2]string // edits of the scene
		scene        bool      // whether the scene has a conflict, too
	}{
		"the same line": {[2]string{"#d1495b", "#1149db"}, [2]string{"#d1495b", "#11db49"}, true},
		"two lines":     {[2]string{"#d1495b", "#1149db"}, [2]string{"width = 48", "width = 50"}, false},
	} {
		t.Run(name, func(t *testing.T) { checkResolve(t, test.ours, test.theirs, test.scene) })
	}
}

func checkResolve(t *testing.T, ours, theirs [2]string, scene bool) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	goldenProject(t)
	run := func(want int, args ...string) programtest.Outcome {
		t.Helper()
		got := programtest.Invocation{}.Run(append([]string{"golden"}, args...)...)
		if got.Status != want {
			t.Fatalf("golden %v: %+v, want the exit status %d", args, got, want)
		}
		return got
	}
	mustGit := func(args ...string) {
		t.Helper()
		if !git(t, args...) {
			t.Fatalf("git %v failed", args)
		}
	}
	change := func(edit [2]string) {
		fixture.Edit(t, "scenes/pills.toml", edit[0], edit[1])
		run(cli.StatusDone, "accept", "pills")
		mustGit("commit", "-qam", edit[1])
	}
	mustGit("init", "-qb", "main")
	mustGit("add", "-A")
	mustGit("commit", "-qm", "first")
	if got := run(cli.StatusDone, "resolve"); got.Stdout != "no golden has a merge conflict\n" {
		t.Errorf("got %+v", got)
	}
	mustGit("checkout", "-qb", "other")
	change(theirs)
	mustGit("checkout", "-q", "main")
	change(ours)
	if git(t, "merge", "-q", "--no-edit", "other") {
		t.Fatal("want a conflict")
	}
	if scene {
		got := run(cli.StatusWrong, "resolve")
		for _, want := range []string{"scenes/pills.toml", "an unresolved merge conflict", "resolve the scenes, then run 'render golden resolve' again"} {
			if !strings.Contains(got.Stderr, want) {
				t.Errorf("no %q in %+v", want, got)
			}
		}
		mustGit("checkout", "--theirs", "scenes/pills.toml")
	}
	if got := run(cli.StatusDifferent, "check"); !strings.Contains(got.Stderr, "1 golden in a merge conflict: resolve the scenes, then 'render golden resolve' writes the goldens anew") {
		t.Errorf("got %+v", got)
	}
	got := run(cli.StatusDone, "resolve")
	if !strings.HasPrefix(got.Stdout, "pills: accepted golden/pills.png (it was ") || strings.Count(got.Stdout, "\n") != 1 {
		t.Errorf("got %+v", got)
	}
	if left := conflicts(t); scene && strings.Join(left, " ") != "scenes/pills.toml" || !scene && len(left) > 0 {
		t.Errorf("conflicts: %q", left)
	}
	run(cli.StatusDone, "check")
	mustGit("add", "scenes")
	mustGit("commit", "-qm", "merge")
	run(cli.StatusDone, "check")
}
