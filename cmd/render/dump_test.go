package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
)

const dumpedScene = `format = 1
[image]
width = 40
[material."a b"]
[part.p]
[[part.p.sphere]]
center = [1, 2.0, 3.14159265358979323846264]
radius = 1_0e-1
[[place]]
part = "p"
[[place]]
part = "p"
count = 2
step = { position = [0, +0.10, 1e3] }
`

func TestDump(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": dumpedScene, "b.toml": "[[bulk]]\nfile = \"x.csv\"\nshape = \"sphere\"\n", "x.csv": "x,y,z,radius\n"})
	const want = `{"scene":{"format":1,"image":{"width":40},"material":{"a b":{}},` +
		`"part":{"p":{"sphere":[{"center":[1,2.0,3.14159265358979323846264],"radius":1.0}]}},` +
		`"place":[{"part":"p"},{"count":2,"part":"p","step":{"position":[0,0.1,1000.0]}}]},"files":[]}` + "\n"
	if got := (programtest.Invocation{}).Run("dump", "s.toml", "--quiet"); got != (programtest.Outcome{Stdout: want}) {
		t.Errorf("%+v, want %s", got, want)
	}
	if got := (programtest.Invocation{Stdin: strings.NewReader(dumpedScene)}).Run("dump", "-", "-o", "s.json"); got != (programtest.Outcome{}) {
		t.Errorf("%+v", got)
	}
	if data, err := os.ReadFile("s.json"); string(data) != want {
		t.Errorf("s.json: %s, %v", data, err)
	}
	if got := (programtest.Invocation{}).Run("dump", "b.toml"); !strings.HasSuffix(got.Stdout, `"files":["x.csv"]}`+"\n") {
		t.Errorf("%+v", got)
	}
}

// TestDumpInvalid checks that dump prints the problems of an invalid scene to standard output, one JSON object per
// line.
func TestDumpInvalid(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": "[[sphere]]\ncenter = [0, 0, 0]\nradios = 1\ncolor = 3\n"})
	got := (programtest.Invocation{}).Run("dump", "s.toml")
	lines := strings.Split(strings.TrimSpace(got.Stdout), "\n")
	if got.Status != cli.StatusWrong || len(lines) != 2 {
		t.Fatalf("%+v", got)
	}
	for _, line := range lines {
		var problem struct {
			Line int
			Key  string
		}
		if err := json.Unmarshal([]byte(line), &problem); err != nil || problem.Line == 0 || !strings.HasPrefix(problem.Key, "sphere[0]") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// archived returns a tar archive. members are the name and the contents of each file in turn.
func archived(t *testing.T, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: members[i], Size: int64(len(members[i+1])), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, members[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const bulkScene = "[image]\nwidth = 40\nheight = 30\n[[bulk]]\nfile = \"x.csv\"\nshape = \"sphere\"\n"

// TestSceneFromArchive checks commands that read a scene from an archive on standard input. If the scene refers to
// a file that the archive lacks, that file is read from the working directory. Messages must contain the names of
// files in the archive.
func TestSceneFromArchive(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": bulkScene, "x.csv": "x,y,z,radius\n0,0,0,1\n"})
	want := (programtest.Invocation{}).Run("hash", "s.toml")
	for _, in := range [][]byte{
		archived(t, "some/name.toml", bulkScene, "x.csv", "x,y,z,radius\n0,0,0,1\n"),
		archived(t, "s.toml", bulkScene),
	} {
		if got := (programtest.Invocation{Stdin: bytes.NewReader(in)}).Run("hash", "-"); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	got := (programtest.Invocation{Stdin: bytes.NewReader(archived(t, "y.toml", bulkScene, "x.csv", "x,y,z,radius\n0,0,0,-1\n"))}).Run("check", "-")
	if got.Status != cli.StatusWrong || got.Stdout != "x.csv:2:7: radius: must be positive and finite, got -1\n" {
		t.Errorf("%+v", got)
	}
	got = (programtest.Invocation{Stdin: bytes.NewReader(archived(t, "y.toml", "x = 1\n", "x.npy", "no"))}).Run("check", "-")
	if got.Status != cli.StatusWrong || got.Stderr != "render: x.npy: must be an array of NumPy; it does not begin like one\n" {
		t.Errorf("%+v", got)
	}
}

// TestCastAfterArchive checks that rays, or requests of --serve, may follow an archive on standard input.
func TestCastAfterArchive(t *testing.T) {
	programtest.InFolder(t, nil)
	in := string(archived(t, "small.toml", programtest.Small)) + aRay
	if got := (programtest.Invocation{Stdin: strings.NewReader(in)}).Run("cast", "-"); got != (programtest.Outcome{Stdout: aHit}) {
		t.Errorf("%+v", got)
	}
	names := string([]byte{17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	in = string(archived(t, "small.toml", programtest.Small)) + names
	got := (programtest.Invocation{Stdin: strings.NewReader(in)}).Run("cast", "-", "--serve", "--attached")
	if got.Status != 0 || !strings.Contains(got.Stdout, `"names":{"0":"ball"}`) || got.Stderr != "" {
		t.Errorf("%+v", got)
	}
	if got := (programtest.Invocation{Stdin: strings.NewReader(programtest.Small)}).Run("cast", "-", "--serve"); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "standard input must begin with an archive") {
		t.Errorf("%+v", got)
	}
}

// TestAttachedEnds checks that a command with --attached is interrupted when its standard input ends, and not
// before.
func TestAttachedEnds(t *testing.T) {
	programtest.InFolder(t, nil)
	heavy := "[image]\nwidth = 4096\nheight = 4096\nantialias = 8\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	in, to := io.Pipe()
	events, progress := io.Pipe()
	ended := make(chan int)
	go func() {
		status := programtest.Run(t.Context(), []string{"-", "-o", "x.png", "--attached"}, command.Streams{
			In:    in,
			Out:   cli.Screen{Writer: io.Discard},
			Err:   cli.Screen{Writer: progress},
			Files: new(osfile.Outputs),
		})
		_ = progress.Close()
		ended <- status
	}()
	if _, err := to.Write(archived(t, "s.toml", heavy)); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(events)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), `{"stage":"rendering","done":`) {
	}
	if lines.Text() == "" {
		t.Fatal("the command ended before standard input did, without an event")
	}
	_ = to.Close()
	for lines.Scan() {
	}
	if status := <-ended; status != cli.StatusInterrupted {
		t.Errorf("exit status %d, want %d", status, cli.StatusInterrupted)
	}
	programtest.WantFiles(t, "x.partial.png")
	if got := (programtest.Invocation{Stdin: strings.NewReader(programtest.Small)}).Run("-", "-o", "-", "--attached"); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "must begin with an archive") {
		t.Errorf("%+v", got)
	}
}
