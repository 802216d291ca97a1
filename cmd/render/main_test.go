package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pillbox/internal/cli"
	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// asProgram names an environment variable that makes the test binary act as the program.
const asProgram = "RENDER_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// process returns a command that runs the program as a separate process.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// outcome holds the exit status and the output of a run of the program.
type outcome struct {
	status         int
	stdout, stderr string
}

// invocation is a run of the program within the test process.
type invocation struct {
	ctx        context.Context
	stdin      io.Reader
	outColumns int // width of the terminal on standard output; 0: not a terminal
	errColumns int
	color      bool
}

func (v invocation) run(args ...string) outcome {
	if v.ctx == nil {
		v.ctx = context.Background()
	}
	if v.stdin == nil {
		v.stdin = strings.NewReader("")
	}
	var stdout, stderr bytes.Buffer
	status := run(v.ctx, args, streams{
		in:    v.stdin,
		out:   cli.Screen{Writer: &stdout, Columns: v.outColumns, Color: v.color},
		err:   cli.Screen{Writer: &stderr, Columns: v.errColumns, Color: v.color},
		files: new(osfile.Outputs),
	})
	return outcome{status, stdout.String(), stderr.String()}
}

// small is a valid scene that renders quickly and has something visible in every quarter.
const small = fixture.Ball

// wrong has an error in line 4 and a warning in line 6.
const wrong = `[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = -1

[material.idle]
color = "red"
`

func inFolder(t *testing.T, files map[string]string) { t.Helper(); fixture.Folder(t, files) }
func writeText(t *testing.T, name, text string)      { t.Helper(); fixture.Write(t, name, text) }
func readText(t *testing.T, name string) string      { t.Helper(); return fixture.Read(t, name) }

func wantFiles(t *testing.T, want ...string) { t.Helper(); fixture.WantFiles(t, want...) }

func symlink(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}
