package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/fixture/effort"
	"pillbox/problem"
	"pillbox/scene"
)

// decodeProblems decodes JSON objects, one per line. It fails the test if an object has a field that is not
// documented.
func decodeProblems(t *testing.T, text string) []*problem.Error {
	t.Helper()
	fields := []string{"file", "line", "column", "end_column", "key", "severity", "code", "message", "value", "suggestion"}
	var problems []*problem.Error
	for line := range strings.Lines(text) {
		var object map[string]any
		e := new(problem.Error)
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if err := json.Unmarshal([]byte(line), e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for _, f := range fields {
			if _, ok := object[f]; !ok {
				t.Errorf("%q lacks %s", line, f)
			}
		}
		if len(object) != len(fields) {
			t.Errorf("%q has %d fields, want %d", line, len(object), len(fields))
		}
		problems = append(problems, e)
	}
	return problems
}

func TestProblemsOnTerminal(t *testing.T) {
	programtest.InFolder(t, map[string]string{"wrong.toml": "\uFEFF" + strings.ReplaceAll(programtest.Wrong, "\n", "\r\n")})
	plain := programtest.Invocation{}.Run("wrong.toml").Stderr
	lines := strings.SplitAfter(plain, "\n")
	if len(lines) != 3 {
		t.Fatalf("got %q, want two problems", plain)
	}
	want := lines[0] +
		"    4 | radius = -1\n" +
		"      |          ^^\n" +
		lines[1] +
		"    6 | [material.idle]\n" +
		"      | ^^^^^^^^^^^^^^^\n"
	if got := (programtest.Invocation{ErrColumns: 80}).Run("wrong.toml").Stderr; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestProblemsAfterByteOrderMark(t *testing.T) {
	programtest.InFolder(t, map[string]string{"bom.toml": "\uFEFFcolour = 1\n"})
	want := "    1 | colour = 1\n      | ^^^^^^\n"
	if got := (programtest.Invocation{ErrColumns: 80}).Run("bom.toml").Stderr; !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestProblemsFromStandardInput(t *testing.T) {
	got := programtest.Invocation{ErrColumns: 80, Stdin: strings.NewReader(programtest.Wrong)}.Run("-").Stderr
	if !strings.Contains(got, "    4 | radius = -1\n") {
		t.Errorf("got\n%s\nwant the line of the scene", got)
	}
}

// TestProblemsOfHostileName checks that the name of a file in a scene is printed without the terminal commands that
// it contains.
func TestProblemsOfHostileName(t *testing.T) {
	const name = "a\x1b]0;EVIL\a.csv"
	programtest.InFolder(t, map[string]string{
		"s.toml": "[[bulk]]\nfile = \"a\\u001b]0;EVIL\\u0007.csv\"\nshape = \"sphere\"\n",
		name:     "x,y,z,radius\n0,0,0,-1\n",
	})
	want := `"a\x1b]0;EVIL\a.csv":2:7: radius: must be positive and finite, got -1` + "\n" +
		"    2 | 0,0,0,-1\n" +
		"      |       ^^\n"
	if got := (programtest.Invocation{OutColumns: 80}).Run("check", "s.toml").Stdout; got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	lines := strings.Split(want, "\n")
	if got := (programtest.Invocation{}).Run("check", "s.toml").Stdout; got != lines[0]+"\n" {
		t.Errorf("got %q, want %q", got, lines[0])
	}
}

// zeros is an [io.Reader] of zeros. It returns as many as the field left states, more than a scene may have, and
// then fails.
type zeros struct{ left int }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left -= len(p); z.left < 0 {
		return 0, errors.New("too much was read")
	}
	clear(p)
	return len(p), nil
}

// TestProblemsOfEndlessInput checks that check stops reading standard input after the maximum size of a scene, and
// reports this limit.
func TestProblemsOfEndlessInput(t *testing.T) {
	if !effort.IsAll() {
		t.Skip("needs -effort all: it reads 640 MB")
	}
	in := &zeros{scene.MaxBytes + scene.MaxBytes/4}
	got := programtest.Invocation{Stdin: in}.Run("check", "-")
	const want = "<stdin>:1:1: a scene must not be larger than 512 MiB; [[bulk]] tables hold more\n"
	if got != (programtest.Outcome{Status: cli.StatusWrong, Stdout: want}) {
		t.Errorf("got %+v, want %q", got, want)
	}
}

func TestProblemsInColor(t *testing.T) {
	programtest.InFolder(t, map[string]string{"wrong.toml": programtest.Wrong})
	got := programtest.Invocation{OutColumns: 80, Color: true}.Run("check", "wrong.toml").Stdout
	for _, part := range []string{cli.Bold + "wrong.toml:4:10:" + cli.Plain, cli.Red + "^^" + cli.Plain, cli.Yellow + "^"} {
		if !strings.Contains(got, part) {
			t.Errorf("got %q, want %q in it", got, part)
		}
	}
	if got := (programtest.Invocation{OutColumns: 80}).Run("check", "wrong.toml").Stdout; strings.Contains(got, "\x1b") {
		t.Errorf("got %q, want no colors", got)
	}
}

func TestProblemsOutsideTheFile(t *testing.T) {
	for _, line := range []int{0, -1, 2} {
		var b strings.Builder
		e := &problem.Error{File: "f", Line: line, Column: 1, Severity: problem.SeverityError, Message: "m"}
		command.PrintProblem(cli.Screen{Writer: &b, Columns: 80}, e, []string{"only"})
		if got, want := b.String(), e.Error()+"\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCheckSummary(t *testing.T) {
	programtest.InFolder(t, map[string]string{"wrong.toml": programtest.Wrong, "small.toml": programtest.Small})
	for _, test := range []struct{ args, want string }{
		{"check small.toml", "1 scene: 0 errors, 0 warnings\n"},
		{"check small.toml wrong.toml wrong.toml", "3 scenes: 2 errors, 2 warnings\n"},
		{"check small.toml --quiet", ""},
	} {
		if got := (programtest.Invocation{ErrColumns: 80}).Run(strings.Fields(test.args)...).Stderr; got != test.want {
			t.Errorf("render %s says %q, want %q", test.args, got, test.want)
		}
	}
}

// TestAlikeProblems checks that problems which differ only in their place are printed once, with their number, if there
// are more than a few. The flags --all and --json list all of them.
func TestAlikeProblems(t *testing.T) {
	few := strings.Repeat("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nfew = 1\n", 3)
	programtest.InFolder(t, map[string]string{"many.toml": few + strings.Repeat("[[light]]\nposition = [0, 0, 9]\nodd = 1\n", 300)})
	for args, want := range map[string]int{"check many.toml": 4, "check --all many.toml": 303, "check --json many.toml": 303} {
		for _, v := range []programtest.Invocation{{}, {OutColumns: 80}} {
			got := v.Run(strings.Fields(args)...).Stdout
			if n := strings.Count(got, "many.toml"); n != want {
				t.Errorf("render %s shows %d problems, want %d", args, n, want)
			}
			const others = "\n    and 299 more like it, the last in line 912\n"
			if strings.Contains(got, others) != (want == 4) {
				t.Errorf("render %s shows %q", args, got)
			}
		}
	}
}

// TestManyProblems checks the output for a scene with many problems that differ. A terminal shows the first ones, and
// counts the others by kind. Other outputs, and the flags --json and --all, list all of them.
func TestManyProblems(t *testing.T) {
	const spheres, unknown = 3000, 500
	var b strings.Builder
	for i := range spheres {
		fmt.Fprintf(&b, "[[sphere]]\ncenter = [0, 0, 0]\nradius = -%d\n", i+1)
	}
	for i := range unknown {
		fmt.Fprintf(&b, "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nodd%d = 1\n", i)
	}
	programtest.InFolder(t, map[string]string{"many.toml": b.String()})
	terminal := programtest.Invocation{OutColumns: 80, ErrColumns: 80}
	for what, shown := range map[string]string{"render": terminal.Run("many.toml").Stderr, "check": terminal.Run("check", "many.toml").Stdout} {
		if got := strings.Count(shown, "^"); got < command.MostShown || got > 4*command.MostShown {
			t.Errorf("%s marks %d cells", what, got)
		}
		if got, most := strings.Count(shown, "\n"), 3*command.MostShown+5; got > most {
			t.Errorf("%s shows %d lines, want at most %d", what, got, most)
		}
		for _, want := range []string{
			fmt.Sprintf("%d more:\n", spheres+unknown-command.MostShown),
			fmt.Sprintf("   %d error:   many.toml:63:10: sphere[20].radius: must be", spheres-command.MostShown),
			fmt.Sprintf("    %d error:   many.toml:9004:1: sphere[3000].odd0: unknown key", unknown),
			"'render check --all' shows all",
		} {
			if !strings.Contains(shown, want) {
				t.Errorf("%s shows\n%s\nwant %q", what, shown, want)
			}
		}
	}
	for _, c := range []struct {
		v    programtest.Invocation
		args string
	}{{terminal, "check --all many.toml"}, {terminal, "check --json many.toml"}, {programtest.Invocation{}, "check many.toml"}} {
		if got := strings.Count(c.v.Run(strings.Fields(c.args)...).Stdout, "many.toml"); got != spheres+unknown {
			t.Errorf("render %s on a terminal of %d columns shows %d problems, want %d", c.args, c.v.OutColumns, got, spheres+unknown)
		}
	}
}
