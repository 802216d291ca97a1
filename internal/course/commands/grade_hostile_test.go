//go:build unix

package commands_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pillbox/cmd/render/program/programtest"
	"pillbox/geom"
	"pillbox/internal/cli"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
)

// shell runs grade, with a shell script as the learner's program. It fails the test if grade takes more than a
// minute.
func shell(t *testing.T, program string, flags ...string) programtest.Outcome {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no shell here")
	}
	args := append([]string{"grade", "sphere", "--count", "20"}, flags...)
	done := make(chan programtest.Outcome, 1)
	go func() { done <- programtest.Invocation{}.Run(append(args, "--", "/bin/sh", "-c", program)...) }()
	select {
	case got := <-done:
		return got
	case <-time.After(time.Minute):
		t.Fatalf("grade does not end: %s", program)
		return programtest.Outcome{}
	}
}

// Values of --timeout for three kinds of programs. hangs is for programs that hang at once, hangsThen for programs
// that hang after some work, and ends for programs that end by themselves.
const (
	hangs     = "--timeout=0.5"
	hangsThen = "--timeout=3"
	ends      = "--timeout=50"
)

// TestGradeHostile checks that grade ends with status 3 and a message, whatever the graded command does.
func TestGradeHostile(t *testing.T) {
	type hostile struct{ name, limit, program, says string }
	for _, c := range effort.Some(t, 8, []hostile{
		{"garbage", ends, "echo hello", "line 1 of the answers: no JSON object"},
		{"bytes", ends, `printf '\001\377\n'`, "line 1 of the answers: no JSON object"},
		{"a list", ends, "echo '[1]'", "no JSON object"},
		{"no id", ends, `echo '{"count":0}'`, "the field id is missing"},
		{"a wrong id", ends, `echo '{"id":"1"}'`, "id must be an integer"},
		{"an unknown id", ends, `echo '{"id":20}'`, "no question has the id 20"},
		{"an answer twice", ends, `printf '{"id":3}\n{"id":3}\n'`, "line 2 of the answers: a second answer with the id 3"},
		{"hangs and reads nothing", hangs, "sleep 100", "gave no answer for 500ms: 0 of 20 questions are answered"},
		{"hangs after an answer", hangsThen, `echo '{"id":0}'; sleep 100`, "1 of 20 questions are answered, the first without an answer has the id 1 (ordinary: past)"},
		{"closes its output", hangs, "exec >&-; sleep 100", "gave no answer for 500ms"},
		{"dies", ends, "echo 'no such luck' >&2; exit 7", "ended with exit status 7: 0 of 20 questions"},
		{"is killed", ends, "kill -9 $$", "ended with signal: killed"},
		{"answers nothing", ends, "cat > /dev/null", "ended without all answers: 0 of 20"},
		{"reads nothing and ends", ends, "true", "ended without all answers"},
		{"floods with lines", ends, "yes", "line 1 of the answers: no JSON object"},
		{"floods with blank lines", hangs, "yes ''", "gave no answer for 500ms"},
		{"floods without a line", ends, "yes | tr -d '\\n'", "a line of the answers is longer than 1048576 bytes"},
		{"floods its standard error", hangs, "yes >&2", "gave no answer for 500ms"},
		{"leaves a child that holds the pipes", ends, "sleep 100 & exit 0", "ended without all answers"},
		{"leaves a child that got away", ends, "setsid sleep 5 & sleep 0.2; exit 0", "ended without all answers"},
	}) {
		t.Run(c.name, func(t *testing.T) {
			got := shell(t, c.program, c.limit)
			if got.Status != cli.StatusFile || !strings.Contains(got.Stderr, c.says) {
				t.Errorf("%+v, want status %d and %q", got, cli.StatusFile, c.says)
			}
			if c.name == "dies" && !strings.Contains(got.Stderr, "| no such luck\n") {
				t.Errorf("%q, want the end of its standard error", got.Stderr)
			}
		})
	}
}

// rightAnswers writes a file with the right answers to the questions that the function shell asks, in reverse
// order. It returns the file's name.
func rightAnswers(t *testing.T) string {
	t.Helper()
	questions := programtest.Invocation{}.Run("vectors", "sphere", "--count", "20")
	var lines []string
	for text := range strings.Lines(questions.Stdout) {
		lines = append([]string{rightCrossings(t, text)}, lines...)
	}
	name := filepath.Join(t.TempDir(), "answers.jsonl")
	programtest.WriteText(t, name, strings.Join(lines, "\n")+"\n")
	return name
}

// rightCrossings returns the right answer to a question of the stage sphere, both as JSON.
func rightCrossings(t *testing.T, question string) string {
	t.Helper()
	var q struct {
		ID                        int
		Origin, Direction, Center [3]float64
		Radius                    float64
	}
	if err := json.Unmarshal([]byte(question), &q); err != nil {
		t.Fatal(err)
	}
	vec := func(v [3]float64) geom.Vec3 { return geom.Vec3{X: v[0], Y: v[1], Z: v[2]} }
	list := func(v geom.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }
	r := geom.Ray{Origin: vec(q.Origin), Dir: vec(q.Direction)}
	s := shapes.Sphere{Center: vec(q.Center), Radius: q.Radius}
	ts, points, normals := []float64{}, [][3]float64{}, [][3]float64{}
	if span, ok := s.Span(r); ok {
		for _, h := range [...]shapes.Hit{span.Near, span.Far} {
			ts, points, normals = append(ts, h.T), append(points, list(r.At(h.T))), append(normals, list(h.Normal))
		}
	}
	data, err := json.Marshal(map[string]any{"id": q.ID, "count": len(ts), "t": ts, "points": points, "normals": normals})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestGradeOrders checks that programs pass if they answer in reverse order, answer before they have read the
// questions, or write text to standard error. A program that has answered everything must also end, with exit
// status 0.
func TestGradeOrders(t *testing.T) {
	name := rightAnswers(t)
	for _, program := range []string{
		"cat > /dev/null; cat %s",
		"cat %s; cat > /dev/null",
		"cat %s",
		"echo log >&2; cat %s; sleep 100 & ",
		"cat %s; printf '\\n\\n'",
	} {
		got := shell(t, fmt.Sprintf(program, name))
		if got.Status != cli.StatusDone || !strings.Contains(got.Stdout, "passed:") || got.Stderr != "" {
			t.Errorf("%s: %+v", program, got)
		}
	}
	for program, says := range map[string]string{
		"cat %s; exit 3":    "answered everything and ended with exit status 3",
		"cat %s; sleep 100": "answered everything but did not end within 3s",
	} {
		got := shell(t, fmt.Sprintf(program, name), hangsThen)
		if got.Status != cli.StatusFile || !strings.Contains(got.Stderr, says) {
			t.Errorf("%s: %+v, want %q", program, got, says)
		}
	}
}

// TestGradeRefuses checks the messages of grade and vectors about invalid command lines.
func TestGradeRefuses(t *testing.T) {
	for args, says := range map[string]string{
		"grade":                         "want a stage before --",
		"grade sphere":                  "want a command to judge",
		"grade sphere true":             "want -- between the stage and the command",
		"grade -- true":                 "want a stage before --",
		"grade shpere -- true":          `did you mean "sphere"?`,
		"grade sphere --timeout 0 -- x": "must be a duration above 0",
		"vectors":                       "want one stage",
		"vectors sphere --seed -1":      "must be a whole number",
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields(args)...); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, says) {
			t.Errorf("%s: %+v, want %q", args, got, says)
		}
	}
	got := programtest.Invocation{}.Run("grade", "sphere", "--", "no-such-program")
	if got.Status != cli.StatusFile || !strings.Contains(got.Stderr, "cannot run no-such-program") {
		t.Errorf("%+v", got)
	}
}
