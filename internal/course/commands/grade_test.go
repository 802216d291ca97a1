package commands_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/course"
	"pillbox/internal/fixture/effort"
)

// interpreter returns the path of an interpreter, such as python3 or node. It skips the test if the interpreter is
// not installed.
func interpreter(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s here", name)
	}
	return path
}

// solution returns the absolute path of a file in the folder docs/course/solutions.
func solution(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../../docs/course/solutions", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestGradeSolutions checks that the Python and the JavaScript solution pass every stage, and that each is shorter
// than 450 lines.
func TestGradeSolutions(t *testing.T) {
	const mostLines = 450
	for _, s := range []struct{ program, file string }{{"python3", "tracer.py"}, {"node", "tracer.mjs"}} {
		t.Run(s.program, func(t *testing.T) {
			file := solution(t, s.file)
			if n := strings.Count(programtest.ReadText(t, file), "\n"); n >= mostLines {
				t.Errorf("%s has %d lines, want less than %d", s.file, n, mostLines)
			}
			program := interpreter(t, s.program)
			for i, stage := range course.AllStages() {
				count := "20"
				switch {
				case !effort.IsAll() && i > 0:
					continue // TestGradeExtra grades all stages, with three questions each
				case stage.Name == "picture":
					count = "1"
				}
				got := programtest.Invocation{}.Run("grade", stage.Name, "--count", count, "--timeout", "120", "--", program, file)
				if got.Status != cli.StatusDone || !strings.Contains(got.Stdout, "passed:") || got.Stderr != "" {
					t.Errorf("%s: %+v", stage.Name, got)
				}
			}
		})
	}
}

// plant is a mistake to be inserted into a solution.
type plant struct {
	language, stage string
	what            string   // what the learner did
	name            string   // "" if the course does not have a name for the mistake
	edits           []string // alternately old and new text
}

// plants parses a file of mistakes, such as testdata/planted/mistakes.txt.
func plants(t *testing.T, file string) []plant {
	t.Helper()
	var all []plant
	for line := range strings.Lines(programtest.ReadText(t, file)) {
		line = strings.TrimSuffix(line, "\n")
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "@":
			head, what, _ := strings.Cut(rest, ": ")
			language, stage, _ := strings.Cut(head, " ")
			all = append(all, plant{language: language, stage: stage, what: what})
		case "=":
			all[len(all)-1].name = rest
		case "-", "+":
			last := &all[len(all)-1]
			last.edits = append(last.edits, strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(rest))
		}
	}
	return all
}

// in returns text, a solution, with the mistake inserted.
func (p *plant) in(t *testing.T, text string) string {
	t.Helper()
	for i := 0; i < len(p.edits); i += 2 {
		from, everywhere := strings.CutPrefix(p.edits[i], "**")
		times := 1
		if everywhere {
			times = -1
		}
		if !strings.Contains(text, from) {
			t.Fatalf("%s: %s: the solution has no %q", p.stage, p.what, from)
		}
		text = strings.Replace(text, from, p.edits[i+1], times)
	}
	return text
}

// plantTools holds right solutions and the programs that compile or run them.
type plantTools struct {
	python, node, compiler string
	texts                  map[string]string // the right programs, by language
}

func newPlantTools(t *testing.T) *plantTools {
	return &plantTools{interpreter(t, "python3"), interpreter(t, "node"), interpreter(t, "go"), map[string]string{
		"go": programtest.ReadText(t, "testdata/planted/tracer.go"), "py": programtest.ReadText(t, solution(t, "tracer.py")), "js": programtest.ReadText(t, solution(t, "tracer.mjs")),
	}}
}

// program writes the solution in p's language, with the mistake p, to the working directory. It returns the command
// that runs it.
func (tools *plantTools) program(t *testing.T, p *plant) []string {
	t.Helper()
	text := p.in(t, tools.texts[p.language])
	switch p.language {
	case "py":
		programtest.WriteText(t, "tracer.py", text)
		return []string{tools.python, "tracer.py"}
	case "js":
		programtest.WriteText(t, "tracer.mjs", text)
		return []string{tools.node, "tracer.mjs"}
	}
	programtest.WriteText(t, "tracer.go", text)
	programtest.WriteText(t, "go.mod", "module tracer\n\ngo 1.26\n")
	if out, err := exec.Command(tools.compiler, "build", "-o", "tracer", ".").CombinedOutput(); err != nil {
		t.Fatalf("%s: %s: %v\n%s", p.stage, p.what, err, out)
	}
	return []string{"./tracer"}
}

// TestGradePlanted inserts mistakes into right solutions in three languages. For each mistake, grade must report
// the name that the file of mistakes states. For a mistake without a name, it must only describe what the wrong answers have in
// common. The file must have at least 150 mistakes, nine in ten with a name.
func TestGradePlanted(t *testing.T) {
	tools := newPlantTools(t)
	all := plants(t, "testdata/planted/mistakes.txt")
	names := 0
	for _, p := range all {
		if p.name != "" {
			names++
		}
	}
	if len(all) < 150 || 10*names < 9*len(all) {
		t.Errorf("%d mistakes, %d of them with a name", len(all), names)
	}
	some := append(all, plants(t, "testdata/mistakes.txt")...)
	if !effort.IsCampaign() {
		every := some
		some = nil
		for i := 11; i < len(every); i += effort.Of(240, 19, 1) { // in different languages
			some = append(some, every[i])
		}
	}
	t.Chdir(t.TempDir())
	var right, misnamed, passed int
	for _, p := range some {
		command := tools.program(t, &p)
		got := programtest.Invocation{}.Run(append([]string{"grade", p.stage, "--json", "--timeout", "120", "--"}, command...)...)
		var v course.Verdict
		if err := json.Unmarshal([]byte(got.Stdout), &v); err != nil {
			t.Errorf("%s: %s: %v, %.3000s", p.stage, p.what, err, got.Stdout+got.Stderr)
			continue
		}
		var found []string
		for _, m := range v.Mistakes {
			found = append(found, m.Name)
		}
		guess := strings.Join(found, "; ")
		t.Logf("| %s | %s | %s | %s |", p.language, p.stage, p.what, guess)
		switch {
		case v.Passed:
			passed++
			t.Errorf("%s: %s passes", p.stage, p.what)
		case guess == p.name, p.name == "" && (v.Basis == "" || v.Basis == course.Common):
			right++
		case guess != "":
			misnamed++
			t.Errorf("%s: %s is named %q, want %q", p.stage, p.what, guess, p.name)
		default:
			t.Errorf("%s: %s has no name, want %q", p.stage, p.what, p.name)
		}
	}
	t.Logf("%d of %d as stated, %d misnamed, %d pass", right, len(some), misnamed, passed)
}

// TestGradeHints checks that grade prints the hints of a stage. The stage's chapter must contain the same hints,
// before its formula.
func TestGradeHints(t *testing.T) {
	for i, s := range course.AllStages() {
		files, err := filepath.Glob(fmt.Sprintf("../../../docs/course/%02d-*.md", i+1))
		if err != nil || len(files) != 1 {
			t.Fatalf("%s has the chapters %q, %v", s.Name, files, err)
		}
		chapter := strings.Join(strings.Fields(programtest.ReadText(t, files[0])), " ")
		from := 0
		for n, hint := range s.Hints() {
			got := programtest.Invocation{}.Run("grade", s.Name, "--hint", strconv.Itoa(n+1))
			if text := strings.Join(strings.Fields(got.Stdout), " "); got.Status != cli.StatusDone || text != hint || hint == "" {
				t.Errorf("%s, hint %d: %+v, want %q", s.Name, n+1, got, hint)
			}
			at := strings.Index(chapter, hint)
			if at < from {
				t.Errorf("%s: hint %d is missing or misplaced: %q", files[0], n+1, hint)
			}
			from = at
		}
		if formula := strings.Index(chapter, "## The formula"); formula < from {
			t.Errorf("%s: the formula does not follow the hints", files[0])
		}
	}
	for args, says := range map[string]string{
		"grade sphere --hint 4":         "must be 1 to 3",
		"grade sphere --hint 1 -- true": "--hint runs no command",
		"grade shpere --hint 1":         `did you mean "sphere"?`,
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields(args)...); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, says) {
			t.Errorf("%s: %+v, want %q", args, got, says)
		}
	}
}

// TestGradeShowsWhatHelps checks what grade prints for a wrong answer: the kind of question, the question, the
// right answer, the lesson, and the command that derives the answer.
func TestGradeShowsWhatHelps(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no shell here")
	}
	programtest.InFolder(t, nil)
	const answer = `{"id":0,"count":0,"t":[],"points":[],"normals":[]}`
	got := programtest.Invocation{}.Run("grade", "sphere", "--count", "1", "--timeout", "120", "--", "/bin/sh", "-c", "cat > /dev/null; echo '"+answer+"'")
	for _, want := range []string{"not passed", "ordinary: through", `expected  {"count":2,`, "docs/lessons/sphere.md", "render explain - --ray=", "[[sphere]]"} {
		if got.Status != cli.StatusDifferent || !strings.Contains(got.Stdout, want) {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}

// TestGradeHelpStatesTheExitStatus checks that the help of grade describes every exit status and the time limit.
func TestGradeHelpStatesTheExitStatus(t *testing.T) {
	help := strings.Join(strings.Fields(programtest.Invocation{}.Run("help", "grade").Stdout), " ")
	for _, want := range []string{"is 0 if", "and 1 if any", "is 3 if", "a status other than 0", "before it has answered all", "neither reads a question nor writes an answer", "is 2 for", "130 after Ctrl-C"} {
		if !strings.Contains(help, want) {
			t.Errorf("no %q in %s", want, help)
		}
	}
}

// TestGradeExtra checks that "grade all" runs the required stages, and with --extra the optional stages, too.
func TestGradeExtra(t *testing.T) {
	// Node paints the pictures of the last stage much faster.
	program, file := interpreter(t, "node"), solution(t, "tracer.mjs")
	if effort.IsAll() {
		program, file = interpreter(t, "python3"), solution(t, "tracer.py")
	}
	grade := func(flags ...string) string {
		args := append([]string{"grade", "all", "--count", "3", "--timeout", "120"}, flags...) // two stages have scenes with the number 2
		got := programtest.Invocation{}.Run(append(args, "--", program, file)...)
		if got.Status != cli.StatusDone {
			t.Errorf("%q: %+v", flags, got)
		}
		return got.Stdout
	}
	var own, extra string
	for _, s := range course.Stages() {
		own += s.Name + ": passed: all 3 answers are right\n"
	}
	for _, s := range course.ExtraStages() {
		extra += s.Name + ": passed: all 3 answers are right\n"
	}
	if effort.IsAll() {
		if got := grade(); got != own {
			t.Errorf("all: %q, want %q", got, own)
		}
	}
	if got := grade("--extra"); got != own+extra {
		t.Errorf("all --extra: %q, want %q", got, own+extra)
	}
}

// TestGradeCylinders checks that the solutions can render a user's scene with cylinders.
func TestGradeCylinders(t *testing.T) {
	for _, s := range []struct{ program, file string }{{"python3", "tracer.py"}, {"node", "tracer.mjs"}} {
		t.Run(s.program, func(t *testing.T) {
			program, file := interpreter(t, s.program), solution(t, s.file)
			programtest.InFolder(t, map[string]string{"drum.toml": `[camera]
position = [2, 3, 4]
look_at = [0, 0.5, 0]
[[light]]
position = [4, 8, 4]
[[cylinder]]
a = [0, 0, 0]
b = [0, 1, 0]
radius = 1
`})
			got := programtest.Invocation{}.Run("grade", "picture", "--scene", "drum.toml", "--width", "48", "--timeout", "120", "--", program, file)
			if got.Status != cli.StatusDone || got.Stdout != "picture: passed: the answer is right\n" {
				t.Errorf("%+v", got)
			}
		})
	}
}
