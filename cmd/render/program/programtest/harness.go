// Package programtest runs the program within tests.
package programtest

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pillbox/cmd/render/program"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
	"pillbox/scenes"
)

// AsProgram names an environment variable that makes the test binary act as the program.
const AsProgram = "RENDER_TEST_AS_PROGRAM"

// Tested are the wings of the program under test.
var Tested []command.Wing

// Main runs the tests of a package. They use the program with some wings.
func Main(m *testing.M, wings ...command.Wing) {
	Tested = wings
	if os.Getenv(AsProgram) != "" {
		effort.BeProgram()
		program.Main(wings...)
	}
	os.Exit(m.Run())
}

// Run runs the program under test within the test process.
func Run(ctx context.Context, args []string, std command.Streams) int {
	defer forgetPrograms()
	return program.Run(ctx, args, std, Tested...)
}

// Process returns a command that runs the program as a separate process.
func Process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), AsProgram+"=1")
	return cmd
}

// Outcome holds the exit status and the output of a run of the program.
type Outcome struct {
	Status         int
	Stdout, Stderr string
}

// Invocation is a run of the program within the test process.
type Invocation struct {
	Ctx        context.Context
	Stdin      io.Reader
	OutColumns int // width of the terminal on standard output; 0: not a terminal
	ErrColumns int
	Color      bool
}

// Run runs the program under test.
func (v Invocation) Run(args ...string) Outcome {
	if v.Ctx == nil {
		v.Ctx = context.Background()
	}
	if v.Stdin == nil {
		v.Stdin = strings.NewReader("")
	}
	var stdout, stderr bytes.Buffer
	status := Run(v.Ctx, args, command.Streams{
		In:    v.Stdin,
		Out:   cli.Screen{Writer: &stdout, Columns: v.OutColumns, Color: v.Color},
		Err:   cli.Screen{Writer: &stderr, Columns: v.ErrColumns, Color: v.Color},
		Files: new(osfile.Outputs),
	})
	return Outcome{status, stdout.String(), stderr.String()}
}

// Small is a valid scene that renders quickly and has something visible in every quarter.
const Small = fixture.Ball

// Wrong has an error in line 4 and a warning in line 6.
const Wrong = `[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = -1

[material.idle]
color = "red"
`

// InFolder changes to a new folder with the given files for the rest of the test.
func InFolder(t *testing.T, files map[string]string) { t.Helper(); fixture.Folder(t, files) }

// WriteText writes a file.
func WriteText(t *testing.T, name, text string) { t.Helper(); fixture.Write(t, name, text) }

// ReadText returns the contents of a file.
func ReadText(t *testing.T, name string) string { t.Helper(); return fixture.Read(t, name) }

// WantFiles checks that the working directory contains exactly these files.
func WantFiles(t *testing.T, want ...string) { t.Helper(); fixture.WantFiles(t, want...) }

// Symlink makes a symbolic link. It skips the test if the system has none.
func Symlink(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// Script is an [io.Writer] that reacts to the program's output. When the text of the next step appears in the
// output, script calls that step's function.
type Script struct {
	Log   bytes.Buffer
	seen  int // length of the log up to the last text found
	Steps []Step
}

// Step is one step of a [Script].
type Step struct {
	Text string
	Then func()
}

// On returns the step that calls then when a text appears.
func On(text string, then func()) Step { return Step{text, then} }

// Write adds output to the log and takes the steps whose text appears.
func (s *Script) Write(p []byte) (int, error) {
	s.Log.Write(p)
	for len(s.Steps) > 0 {
		at := strings.Index(s.Log.String()[s.seen:], s.Steps[0].Text)
		if at < 0 {
			break
		}
		s.seen += at + len(s.Steps[0].Text)
		then := s.Steps[0].Then
		s.Steps = s.Steps[1:]
		then()
	}
	return len(p), nil
}

// Bouncing is a ball that rises for two seconds. At three seconds the scene is invalid, because the camera looks at its
// own position.
const Bouncing = `
[image]
width = 40
height = 30
[camera]
position = [0, 0, 9]
look_at = [0, 0, 0]
[animation]
duration = 3
fps = 4
[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = 1
[[animate]]
target = "ball.center"
times = [0, 2]
values = [[0, -2, 0], [0, 2, 0]]
[[animate]]
target = "camera.look_at"
times = [2, 4]
values = [[0, 0, 0], [0, 0, 18]]
`

// SoftScene returns a scene with lights that have a size, one with an animated radius. It also has ambient
// occlusion, a mirror and adaptive antialiasing.
func SoftScene(t *testing.T) string {
	t.Helper()
	text, err := fs.ReadFile(scenes.Files(), "penumbra-adaptive.toml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + `
[animation]
duration = 1
fps = 4

[[animate]]
target = "lamp.radius"
times = [0, 1]
values = [0.1, 0.9]
`
}

// MustRun runs the program and fails the test if the exit status is not 0.
func MustRun(t *testing.T, args string) Outcome {
	t.Helper()
	got := Invocation{}.Run(strings.Fields(args)...)
	if got.Status != cli.StatusDone {
		t.Fatalf("render %s exits %d: %s", args, got.Status, got.Stderr)
	}
	return got
}

// Names returns the names of the files in the working directory.
func Names(t *testing.T) map[string]bool {
	t.Helper()
	set := make(map[string]bool)
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		set[e.Name()] = true
	}
	return set
}
