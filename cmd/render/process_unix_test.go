//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pillbox/cmd/render/program"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
)

// finish runs a command and waits until it has ended. The command may fail, but it must be possible to start it.
func finish(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
}

func TestProcessPipes(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	cmd := programtest.Process(t, "-", "-o", "-")
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(picturesque), &stdout, &stderr
	finish(t, cmd)
	if got := cmd.ProcessState.ExitCode(); got != cli.StatusDone || stderr.Len() > 0 {
		t.Fatalf("exit status %d, standard error %q", got, &stderr)
	}
	piped, err := png.Decode(&stdout)
	if err != nil {
		t.Fatal(err)
	}
	writePNG(t, "piped.png", piped)
	programtest.MustRun(t, "s.toml")
	if !slices.Equal(decode(t, "piped.png").Pix, decode(t, "s.png").Pix) {
		t.Error("the process makes another picture")
	}
}

// TestProcessWithoutStandardFile starts the program without standard input or output. A command that reads or writes data
// there fails, and no other command does.
func TestProcessWithoutStandardFile(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	programtest.MustRun(t, "s.toml")
	for _, test := range []struct {
		args, redirection, file string // file is the name of the missing file in the message; "": it does not matter
	}{
		{"- -o a.png", "<&-", "standard input"},
		{"hash -", "<&-", "standard input"},
		{"import - --format urdf -o a.toml", "<&-", "standard input"},
		{"cast s.toml --rays -", "<&-", "standard input"},
		{"diff - s.png", "<&-", "standard input"},
		{"s.toml -o -", ">&-", "standard output"},
		{"export s.toml -o -", ">&-", "standard output"},
		{"dump s.toml", ">&-", "standard output"},
		{"hash s.toml", ">&-", "standard output"},
		{"schema", ">&-", "standard output"},
		{"explain s.toml --pixel 1,1", ">&-", "standard output"},
		{"vectors sphere --count 3", ">&-", "standard output"},
		{"bench s.toml --repeat 1", ">&-", "standard output"},
		{"check s.toml", ">&-", ""},
		{"diff s.png s.png", ">&-", ""},
		{"s.toml", ">&-", ""},
		{"s.toml", "<&-", ""},
		{"s.toml", "<&- >&- 2>&-", ""},
		{"- -o b.png", "</dev/null", ""},
		{"s.toml -o -", ">/dev/null", ""},
	} {
		program := programtest.Process(t, strings.Fields(test.args)...)
		cmd := exec.Command("sh", append([]string{"-c", `exec "$0" "$@" ` + test.redirection}, program.Args...)...)
		cmd.Env = program.Env
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		finish(t, cmd)
		want, message := cli.StatusDone, ""
		if test.file != "" {
			want, message = cli.StatusFile, test.file+": it is closed"
		}
		if got := cmd.ProcessState.ExitCode(); got != want || !strings.Contains(stderr.String(), message) {
			t.Errorf("render %s %s: exit status %d, want %d, and %q: %s", test.args, test.redirection, got, want, message, &stderr)
		}
	}
	programtest.WantFiles(t, "b.png", "s.png", "s.toml")
}

func TestProcessStandardOutputClosed(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	for _, args := range []string{"s.toml -o -", "schema", "--help", "completion bash", "version"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := programtest.Process(t, strings.Fields(args)...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &stderr
		finish(t, cmd)
		w.Close()
		if got := cmd.ProcessState.ExitCode(); got != cli.StatusFile || stderr.Len() > 0 {
			t.Errorf("render %s: %v, standard error %q, want exit status %d and nothing", args, cmd.ProcessState, &stderr, cli.StatusFile)
		}
	}
	programtest.WantFiles(t, "s.toml")
}

func TestProcessStandardErrorClosed(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": "[material.idle]\n" + picturesque})
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	cmd := programtest.Process(t, "s.toml")
	cmd.Stderr = w
	finish(t, cmd)
	if got := cmd.ProcessState.ExitCode(); got != cli.StatusDone {
		t.Errorf("%v, want exit status %d", cmd.ProcessState, cli.StatusDone)
	}
	programtest.WantFiles(t, "s.png", "s.toml")
}

// makePipe creates a named pipe in the current folder and returns its name. Tests must use their own pipes and
// devices, because a bug in the program could replace those of the system.
func makePipe(t *testing.T) string {
	t.Helper()
	const name = "pipe"
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	return name
}

func wantPipe(t *testing.T, name string) {
	t.Helper()
	if info, err := os.Stat(name); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Fatalf("%s is no pipe any more", name)
	}
}

func TestRenderToNamedPipe(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	pipe := makePipe(t)
	read := make(chan []byte)
	go func() {
		data, _ := os.ReadFile(pipe)
		read <- data
	}()
	programtest.MustRun(t, "s.toml -o "+pipe)
	wantPipe(t, pipe)
	piped, err := png.Decode(bytes.NewReader(<-read))
	if err != nil {
		t.Fatal(err)
	}
	programtest.MustRun(t, "s.toml")
	if !slices.Equal(piped.(*image.NRGBA).Pix, decode(t, "s.png").Pix) {
		t.Error("a pipe gets another picture than a file")
	}
	programtest.WantFiles(t, pipe, "s.png", "s.toml")
}

// TestSceneFromNamedPipe checks the messages about a scene that check reads from a named pipe. They must not quote
// the line with the problem, because the pipe cannot be read again.
func TestSceneFromNamedPipe(t *testing.T) {
	programtest.InFolder(t, nil)
	pipe := makePipe(t)
	go os.WriteFile(pipe, []byte(programtest.Wrong), 0)
	got := make(chan programtest.Outcome)
	go func() { got <- programtest.Invocation{OutColumns: 80}.Run("check", pipe) }()
	select {
	case got := <-got:
		if got.Status != cli.StatusWrong || !strings.HasPrefix(got.Stdout, "pipe:4:10: sphere[0].radius: ") || strings.Contains(got.Stdout, "^") {
			t.Errorf("got %+v, want problems without lines", got)
		}
	case <-time.After(time.Minute):
		t.Error("the pipe is read a second time")
	}
}

// TestHashFromNamedPipe checks that hash, which looks whether its input is an image, hashes the whole scene of a pipe.
func TestHashFromNamedPipe(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	want := programtest.MustRun(t, "hash s.toml").Stdout
	programtest.MustRun(t, "s.toml")
	pipe := makePipe(t)
	for _, name := range []string{"s.toml", "s.png"} {
		go os.WriteFile(pipe, []byte(programtest.ReadText(t, name)), 0)
		got := make(chan programtest.Outcome)
		go func() { got <- programtest.Invocation{}.Run("hash", pipe) }()
		select {
		case got := <-got:
			if got.Status != cli.StatusDone || got.Stdout != want {
				t.Errorf("%s: got %+v, want %s", name, got, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: the pipe is opened a second time", name)
		}
	}
}

// TestInterruptWhileSaving checks that a picture that is complete is also written if the command is interrupted while it is encoded
// or written, after SIGTERM only if the picture is not too large.
func TestInterruptWhileSaving(t *testing.T) {
	for _, test := range []struct {
		format       string
		height       int
		isTerminable bool
	}{{"jpg", 20, true}, {"svg", 20, true}, {"jpg", 2049, false}} {
		programtest.InFolder(t, map[string]string{"s.toml": programtest.Small})
		pipe := "out." + test.format
		if err := os.Rename(makePipe(t), pipe); err != nil {
			t.Fatal(err)
		}
		p := command.NewEnv(command.Streams{Out: cli.Screen{Writer: io.Discard}, Err: cli.Screen{Writer: io.Discard}, Files: new(osfile.Outputs)}, nil)
		args := []string{"s.toml", "-o", pipe, "--width", "4096", "--height", strconv.Itoa(test.height), "--antialias", "1"}
		done := make(chan int)
		go func() { done <- program.Execute(t.Context(), p, args) }()
		// The command cannot open the pipe before it is read.
		for deadline := time.Now().Add(time.Minute); !p.IsSaving(context.Canceled) && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if isSaved, isTerminable := p.IsSaving(context.Canceled), p.IsSaving(cli.ErrTerminated); !isSaved || isTerminable != test.isTerminable {
			t.Errorf("%q: a picture is saved after Ctrl-C: %v, after SIGTERM: %v; want true, %v", args, isSaved, isTerminable, test.isTerminable)
		}
		if data, err := os.ReadFile(pipe); err != nil || len(data) == 0 {
			t.Errorf("%q: %d bytes, error %v", args, len(data), err)
		}
		if status := <-done; status != cli.StatusDone || p.IsSaving(context.Canceled) {
			t.Errorf("%q: exit status %d, and the command is still saving: %v", args, status, p.IsSaving(context.Canceled))
		}
	}
}

func TestInterruptLeavesNamedPipeAlone(t *testing.T) {
	programtest.InFolder(t, nil)
	pipe := makePipe(t)
	status, _, log := interrupt(t, "-", "-o", pipe)
	if status != cli.StatusInterrupted || !strings.HasSuffix(log, "render: interrupted\n") {
		t.Errorf("exit status %d, standard error %q", status, log)
	}
	wantPipe(t, pipe)
	programtest.WantFiles(t, pipe)
}

// TestProcessKilledWhileWriting checks that a command leaves no unfinished file if it is interrupted while it
// writes.
func TestProcessKilledWhileWriting(t *testing.T) {
	var spheres, rays, atoms strings.Builder
	spheres.WriteString("x,y,z,radius\n")
	rays.WriteString("ox,oy,oz,dx,dy,dz\n")
	const lines = 20_000
	for i := range lines {
		fmt.Fprintf(&spheres, "%d,%d,0,0.4\n", i%300, i/300)
		fmt.Fprintf(&rays, "%d,%d,9,0,0,-1\n", i%300, i/300)
		fmt.Fprintf(&atoms, "C %d %d 0\n", i%300, i/300)
	}
	for _, args := range []string{
		"export s.toml -o out.toml",
		"import m.xyz -o out.toml",
		"cast s.toml --rays rays.csv -o out.csv",
	} {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			programtest.InFolder(t, map[string]string{
				"s.toml":   "[image]\nwidth = 100\nheight = 100\n[[bulk]]\nfile = \"s.csv\"\nshape = \"sphere\"\n",
				"s.csv":    spheres.String(),
				"rays.csv": rays.String(),
				"m.xyz":    fmt.Sprintf("%d\n\n%s", lines, &atoms),
			})
			cmd := programtest.Process(t, strings.Fields(args)...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() { _ = cmd.Wait(); close(ended) }()
			awaitUnfinished(ended)
			_ = cmd.Process.Signal(signal) // fails if the process has ended
			<-ended
			if left := unfinished(); len(left) > 0 {
				t.Errorf("render %s leaves %q after %v", args, left, signal)
			}
		}
	}
}

// awaitUnfinished waits until a non-empty temporary file exists or the channel ended is closed.
func awaitUnfinished(ended <-chan struct{}) {
	for len(unfinished()) == 0 {
		select {
		case <-ended:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// unfinished returns the names of non-empty temporary files in the current folder.
func unfinished() (names []string) {
	all, _ := filepath.Glob(".*")
	for _, name := range all {
		if info, err := os.Stat(name); err == nil && info.Size() > 0 && osfile.IsTemporary(name) {
			names = append(names, name)
		}
	}
	return names
}

// TestCastToPipeInterrupted checks that an interrupt ends cast while it waits for a reader of the named pipe that
// is its output.
func TestCastToPipeInterrupted(t *testing.T) {
	for _, flag := range []string{"--names", "-o"} {
		programtest.InFolder(t, map[string]string{"s.toml": programtest.Small, "r.csv": aRay})
		pipe := makePipe(t)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel) // also correct if cast does not wait yet
		got := make(chan programtest.Outcome)
		go func() { got <- programtest.Invocation{Ctx: ctx}.Run("cast", "s.toml", "--rays", "r.csv", flag, pipe) }()
		select {
		case got := <-got:
			if got.Status != cli.StatusInterrupted {
				t.Errorf("%s: %+v", flag, got)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s waits for a reader after an interrupt", flag)
		}
		programtest.WantFiles(t, pipe, "r.csv", "s.toml")
	}
}

// TestProcessKeepsStandardInput checks that no output replaces the file to which standard input is redirected.
func TestProcessKeepsStandardInput(t *testing.T) {
	files := map[string]string{"s.toml": picturesque, "r.csv": aRay, "m.xyz": "1\n\nC 0 0 0\n", "t.toml": picturesque}
	for args, input := range map[string]string{
		"cast s.toml -o r.csv":                         "r.csv",
		"cast s.toml --names r.csv":                    "r.csv",
		"export - -o t.toml --force":                   "t.toml",
		"import - --format xyz -o m.xyz --force":       "m.xyz",
		"import - --format xyz -o ./link.toml --force": "m.xyz",
	} {
		programtest.InFolder(t, files)
		if err := os.Symlink("m.xyz", "link.toml"); err != nil {
			t.Fatal(err)
		}
		from, err := os.Open(input)
		if err != nil {
			t.Fatal(err)
		}
		cmd := programtest.Process(t, strings.Fields(args)...)
		var stderr bytes.Buffer
		cmd.Stdin, cmd.Stderr = from, &stderr
		finish(t, cmd)
		from.Close()
		if got, err := os.ReadFile(input); err != nil || string(got) != files[input] || cmd.ProcessState.ExitCode() != cli.StatusWrong {
			t.Errorf("render %s < %s: %v, %s", args, input, cmd.ProcessState, &stderr)
		}
	}
}
