package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
)

// action runs the script of action.yml as a job does.
type action struct {
	script, temp string
	environment  []string
}

// newAction returns the action for a job in the current folder. The job's temporary folder has a space in its name.
func newAction(t *testing.T) *action {
	t.Helper()
	for _, name := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("needs " + name)
		}
	}
	script, err := filepath.Abs(filepath.Join("..", "..", "scripts", "golden-action"))
	if err != nil {
		t.Fatal(err)
	}
	a := &action{script: script, temp: filepath.Join(t.TempDir(), "runner temp")}
	if err := os.Mkdir(a.temp, 0o777); err != nil {
		t.Fatal(err)
	}
	return a
}

// run runs a step and returns its exit status and output.
func (a *action) run(t *testing.T, step string, environment ...string) (status int, out string) {
	t.Helper()
	cmd := exec.Command("bash", a.script, step)
	cmd.Env = append(os.Environ(), "RUNNER_TEMP="+a.temp, "RUNNER_OS=Linux", "RUNNER_ARCH=X64", programtest.AsProgram+"=1",
		"GITHUB_OUTPUT="+filepath.Join(a.temp, "output"), "GITHUB_STEP_SUMMARY="+filepath.Join(a.temp, "summary.md"), "GITHUB_WORKSPACE=")
	cmd.Env = append(append(cmd.Env, a.environment...), environment...)
	data, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(data)
}

// released makes the action download this test program, which acts as the program render.
func (a *action) released(t *testing.T) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	a.environment = append(a.environment, "PILLBOX_URL=file://"+program, "PILLBOX_SHA256="+strings.ToUpper(hex.EncodeToString(sum[:])))
}

// TestAction runs the steps of the action in a small repository: with accepted pictures, with a changed one, and with a
// scene that has an error.
func TestAction(t *testing.T) {
	a := newAction(t)
	programtest.InFolder(t, fixture.Scenes())
	programtest.MustRun(t, "golden accept --all")
	before := fixture.Snapshot(t)
	a.released(t)
	for _, step := range []string{"identify", "program"} {
		if status, out := a.run(t, step); status != 0 {
			t.Fatalf("%s: status %d, %s", step, status, out)
		}
	}
	output := programtest.ReadText(t, filepath.Join(a.temp, "output"))
	if !regexp.MustCompile(`(?m)^key=pillbox-Linux-X64-[0-9a-f]{64}\nprogram=.*/pillbox/render\nreport=.*/golden.html\njunit=.*/golden.xml\n$`).MatchString(output) {
		t.Errorf("outputs\n%s", output)
	}
	report, junit, summary := filepath.Join(a.temp, "pillbox", "golden.html"), filepath.Join(a.temp, "pillbox", "golden.xml"), filepath.Join(a.temp, "summary.md")
	if status, out := a.run(t, "check", "PILLBOX_SCENES=--all"); status != 0 || exists(report) || !exists(junit) {
		t.Errorf("unchanged: status %d, report %v, %s", status, exists(report), out)
	}

	fixture.Edit(t, "scenes/ball.toml", "radius = 2", "radius = 1.9")
	for scenes, want := range map[string]int{"ball\r\n\nsecond\n": 1, "none": 2} {
		status, out := a.run(t, "check", "PILLBOX_SCENES="+scenes)
		if status != want || exists(report) != (want == 1) {
			t.Errorf("changed, checking %q: status %d, report %v, want %d: %s", scenes, status, exists(report), want, out)
		}
		if want != 1 {
			continue
		}
		if !strings.Contains(out, "::error file=scenes/ball.toml,line=13") {
			t.Errorf("no annotation in\n%s", out)
		}
		for file, text := range map[string]string{report: "<!DOCTYPE html>", junit: "<testsuite", summary: "ball"} {
			if !strings.Contains(strings.ToLower(programtest.ReadText(t, file)), strings.ToLower(text)) {
				t.Errorf("%s does not contain %s", file, text)
			}
		}
	}
	fixture.Edit(t, "scenes/ball.toml", "radius = 1.9", "radius = 2")
	after := fixture.Snapshot(t)
	for name := range after {
		if before[name] != after[name] {
			t.Errorf("the action changed %s", name)
		}
	}
}

// TestActionRefusesPrograms checks that a program with another checksum, or without one, never runs.
func TestActionRefusesPrograms(t *testing.T) {
	a := newAction(t)
	a.released(t)
	program := filepath.Join(a.temp, "pillbox", "render")
	type change struct{ environment, want string }
	for _, change := range effort.Some(t, 2, []change{
		{"PILLBOX_SHA256=" + strings.Repeat("0", 64), "has the SHA-256"},
		{"PILLBOX_SHA256=", "needs the input sha256"},
		{"PILLBOX_SHA256=abc", "got 'abc'"},
		{"PILLBOX_URL=", "needs the input url"},
		{"PILLBOX_URL=file:///does/not/exist", "cannot download"},
	}) {
		status, out := a.run(t, "program", change.environment)
		if status != 2 || !strings.Contains(out, "::error::") || !strings.Contains(out, change.want) || exists(program) {
			t.Errorf("%s: status %d, want 2 and %q: %s", change.environment, status, change.want, out)
		}
	}
}

// TestActionBuilds checks that the action builds the program from its own source.
func TestActionBuilds(t *testing.T) {
	if !effort.IsAll() {
		t.Skip("builds the program: -effort all")
	}
	a := newAction(t)
	if status, out := a.run(t, "program"); status != 0 || !strings.Contains(out, "renderer ") {
		t.Errorf("status %d, %s", status, out)
	}
}

// TestActionFile checks that action.yml uses only inputs, outputs of steps and steps of the script that exist, and that
// the workflow in the docs uses only inputs that exist.
func TestActionFile(t *testing.T) {
	text := programtest.ReadText(t, filepath.Join("..", "..", "action.yml"))
	var file struct {
		Inputs map[string]struct{ Description string }
		Runs   struct {
			Using string
			Steps []struct{ ID, Uses, Shell, Run string }
		}
	}
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	if file.Runs.Using != "composite" || len(file.Runs.Steps) == 0 {
		t.Fatalf("%+v", file.Runs)
	}
	used := make(map[string]bool)
	for _, m := range regexp.MustCompile(`inputs\.(\w+)`).FindAllStringSubmatch(text, -1) {
		used[m[1]] = true
		if file.Inputs[m[1]].Description == "" {
			t.Errorf("no input %s with a description", m[1])
		}
	}
	for name := range file.Inputs {
		if !used[name] {
			t.Errorf("nothing uses the input %s", name)
		}
	}
	script := programtest.ReadText(t, filepath.Join("..", "..", "scripts", "golden-action"))
	var ids []string
	for _, s := range file.Runs.Steps {
		ids = append(ids, s.ID)
		if (s.Run == "") == (s.Uses == "") || s.Run != "" && s.Shell != "bash" {
			t.Errorf("step %+v", s)
		}
		if _, step, found := strings.Cut(s.Run, `scripts/golden-action" `); s.Run != "" && (!found || !strings.Contains(script, "\n"+step+") ")) {
			t.Errorf("the script has no step %q", s.Run)
		}
	}
	for _, m := range regexp.MustCompile(`steps\.(\w+)\.outputs\.([\w-]+)`).FindAllStringSubmatch(text, -1) {
		if !slices.Contains(ids, m[1]) || m[1] == "identify" && !regexp.MustCompile(`(\b|\\n)`+m[2]+"=(%s|pillbox)").MatchString(script) {
			t.Errorf("no step has the output %s", m[0])
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^          (\w+):`).FindAllStringSubmatch(programtest.ReadText(t, filepath.Join("..", "..", "docs", "golden-workflow.yml")), -1) {
		if file.Inputs[m[1]].Description == "" {
			t.Errorf("docs/golden-workflow.yml uses the input %s, which does not exist", m[1])
		}
	}
}

// exists reports whether there is a file.
func exists(name string) bool {
	_, err := fs.Stat(os.DirFS(filepath.Dir(name)), filepath.Base(name))
	return err == nil
}
