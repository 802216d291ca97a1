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
