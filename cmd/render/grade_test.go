package main

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/internal/cli"
	"pillbox/internal/course"
)

var long = flag.Bool("long", false, "run long tests, too")

// interpreter skips the test if a program that runs solutions is not installed.
func interpreter(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s here", name)
	}
	return path
}

// solution returns the absolute path of a solution of the course.
func solution(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../docs/course/solutions", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestGradeSolutions: both solutions pass every stage and have the lengths that the course states.
func TestGradeSolutions(t *testing.T) {
	const mostLines = 450
	for _, s := range []struct{ program, file string }{{"python3", "tracer.py"}, {"node", "tracer.mjs"}} {
		t.Run(s.program, func(t *testing.T) {
			file := solution(t, s.file)
			if n := strings.Count(readText(t, file), "\n"); n >= mostLines {
				t.Errorf("%s has %d lines, want less than %d", s.file, n, mostLines)
			}
			program := interpreter(t, s.program)
			for _, stage := range course.AllStages() {
				count := "20"
				if stage.Name == "picture" {
					count = "1"
				}
				got := invocation{}.run("grade", stage.Name, "--count", count, "--timeout", "60", "--", program, file)
				if got.status != cli.StatusDone || !strings.Contains(got.stdout, "passed:") || got.stderr != "" {
					t.Errorf("%s: %+v", stage.Name, got)
				}
			}
		})
	}
}

// plant is a mistake to be inserted into the Python solution.
type plant struct {
	stage, name string   // "" if the course does not have a name for the mistake
	edits       []string // alternately old and new text
}

// plants reads testdata/mistakes.txt.
func plants(t *testing.T) []plant {
	t.Helper()
	var all []plant
	for line := range strings.Lines(readText(t, "testdata/mistakes.txt")) {
		line = strings.TrimSuffix(line, "\n")
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "@":
			stage, name, _ := strings.Cut(rest, ":")
			all = append(all, plant{stage: stage, name: strings.TrimSpace(name)})
		case "-", "+":
			last := &all[len(all)-1]
			last.edits = append(last.edits, strings.ReplaceAll(rest, `\n`, "\n"))
		}
	}
	return all
}

// in returns the solution with the mistake in it.
func (p *plant) in(t *testing.T, text string) string {
	t.Helper()
	for i := 0; i < len(p.edits); i += 2 {
		from, everywhere := strings.CutPrefix(p.edits[i], "**")
		times := 1
		if everywhere {
			times = -1
		}
		if !strings.Contains(text, from) {
			t.Fatalf("%s: %s: the solution has no %q", p.stage, p.name, from)
		}
		text = strings.Replace(text, from, p.edits[i+1], times)
	}
	return text
}

// TestGradePlanted inserts mistakes into the solution. Grade must name each mistake that the course knows, and must not
// name the others.
func TestGradePlanted(t *testing.T) {
	python := interpreter(t, "python3")
	text := readText(t, solution(t, "tracer.py"))
	all := plants(t)
	if !*long {
		var some []plant
		for i := 0; i < len(all); i += 40 {
			some = append(some, all[i])
		}
		all = some
	}
	checkPlants(t, plants(t))
	t.Chdir(t.TempDir())
	named, known, foreign := 0, 0, 0
	for _, p := range all {
		writeText(t, "tracer.py", p.in(t, text))
		got := invocation{}.run("grade", p.stage, "--json", "--timeout", "120", "--", python, "tracer.py")
		var v course.Verdict
		if err := json.Unmarshal([]byte(got.stdout), &v); err != nil || got.status == cli.StatusDone { // some mistakes divide by zero at the end
			t.Errorf("%s: %s: %v, %.3000s", p.stage, p.name, err, got.stdout+got.stderr)
			continue
		}
		var names []string
		for _, m := range v.Mistakes {
			names = append(names, m.Name)
		}
		guess := strings.Join(names, "; ")
		t.Logf("| %s | %s | %s |", p.stage, p.name, guess)
		switch {
		case p.name == "":
			foreign++
			if guess != "" {
				t.Errorf("%s: a mistake that is not in the library is named %q", p.stage, guess)
			}
		case guess == p.name:
			named++
			known++
		default:
			known++
			t.Errorf("%s: %q is named %q", p.stage, p.name, guess)
		}
	}
	t.Logf("%d of %d named, %d foreign", named, known, foreign)
}

// checkPlants: the file contains every mistake that the course can name, and at least ten that it cannot.
func checkPlants(t *testing.T, all []plant) {
	t.Helper()
	count := make(map[[2]string]int)
	foreign := 0
	for _, p := range all {
		count[[2]string{p.stage, p.name}]++
		if p.name == "" {
			foreign++
		}
	}
	for _, s := range course.AllStages() {
		for _, m := range s.Mistakes() {
			if count[[2]string{s.Name, m.Name}] == 0 {
				t.Errorf("%s: %q is not planted", s.Name, m.Name)
			}
		}
	}
	if foreign < 10 {
		t.Errorf("only %d mistakes are none of the library", foreign)
	}
}

// TestGradeShowsWhatHelps: for a wrong answer, grade prints the kind of question, the question, the right answer, the
// lesson and the command that derives the answer.
func TestGradeShowsWhatHelps(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no shell here")
	}
	inFolder(t, nil)
	const answer = `{"id":0,"count":0,"t":[],"points":[],"normals":[]}`
	got := invocation{}.run("grade", "sphere", "--count", "1", "--", "/bin/sh", "-c", "cat > /dev/null; echo '"+answer+"'")
	for _, want := range []string{"not passed", "ordinary: through", `expected  {"count":2,`, "docs/lessons/sphere.md", "render explain - --ray=", "[[sphere]]"} {
		if got.status != cli.StatusDifferent || !strings.Contains(got.stdout, want) {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}

// TestGradeExtra: all runs the stages of the course, and with --extra also the optional ones.
func TestGradeExtra(t *testing.T) {
	python, file := interpreter(t, "python3"), solution(t, "tracer.py")
	grade := func(flags ...string) string {
		args := append([]string{"grade", "all", "--count", "1"}, flags...)
		got := invocation{}.run(append(args, "--", python, file)...)
		if got.status != cli.StatusDone {
			t.Errorf("%q: %+v", flags, got)
		}
		return got.stdout
	}
	var own, extra string
	for _, s := range course.Stages() {
		own += s.Name + ": passed: the answer is right\n"
	}
	for _, s := range course.ExtraStages() {
		extra += s.Name + ": passed: the answer is right\n"
	}
	if got := grade(); got != own {
		t.Errorf("all: %q, want %q", got, own)
	}
	if got := grade("--extra"); got != own+extra {
		t.Errorf("all --extra: %q, want %q", got, own+extra)
	}
}

// TestGradeCylinders: the solutions render scenes of the user's that have cylinders.
func TestGradeCylinders(t *testing.T) {
	for _, s := range []struct{ program, file string }{{"python3", "tracer.py"}, {"node", "tracer.mjs"}} {
		t.Run(s.program, func(t *testing.T) {
			program, file := interpreter(t, s.program), solution(t, s.file)
			inFolder(t, map[string]string{"drum.toml": `[camera]
position = [2, 3, 4]
look_at = [0, 0.5, 0]
[[light]]
position = [4, 8, 4]
[[cylinder]]
a = [0, 0, 0]
b = [0, 1, 0]
radius = 1
`})
			got := invocation{}.run("grade", "picture", "--scene", "drum.toml", "--width", "48", "--timeout", "60", "--", program, file)
			if got.status != cli.StatusDone || got.stdout != "picture: passed: the answer is right\n" {
				t.Errorf("%+v", got)
			}
		})
	}
}
