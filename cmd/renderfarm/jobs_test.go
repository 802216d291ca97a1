//go:build !js && !plan9

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
	"pillbox/internal/picture"
	"pillbox/scene"
)

const ball = "image = { width = 40, height = 30 }\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"

// startServer starts a server without a token and returns its URL.
func startServer(t *testing.T) string {
	t.Helper()
	p := &program{connected(io.Discard, io.Discard)}
	srv, err := p.start(new(cobra.Command), serving{listen: "127.0.0.1:0", store: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
	return srv.ClientURL()
}

// submitBall submits a job that renders ball.toml. It returns the job's identifier and the hash of the picture that
// the job must produce.
func submitBall(t *testing.T, f *farm.Farm) (id, want string) {
	t.Helper()
	s, err := scene.Decode("ball.toml", []byte(ball))
	if err != nil {
		t.Fatal(err)
	}
	shot, err := farm.NewShot(s, pillbox.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := f.Open(t.Context(), &farm.Source{Data: []byte(ball)}, s, []farm.Shot{shot}, farm.JobOptions{Name: s.Name, Detached: true})
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return j.ID, pillbox.Hash(film.Image)
}

// startWorking runs a worker until the test ends.
func startWorking(t *testing.T, url string) {
	t.Helper()
	f, err := farm.Connect(t.Context(), "test", farm.Access{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- (&farm.Worker{Farm: f, Slots: 1}).Run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended; f.Close() })
}

// TestJobs runs the commands for jobs one after another: list, pause, resume, cancel, resubmit, wait, log and
// fetch. After each command, the job must be in the expected state.
func TestJobs(t *testing.T) {
	url := startServer(t)
	f, err := farm.Connect(t.Context(), "test", farm.Access{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	id, want := submitBall(t, f)
	must := func(args ...string) string {
		t.Helper()
		var out, errors bytes.Buffer
		if status := run(t.Context(), args, connected(&out, &errors)); status != cli.StatusDone {
			t.Fatalf("renderfarm %s: status %d, %s", strings.Join(args, " "), status, errors.String())
		}
		return out.String()
	}
	state := func() string {
		t.Helper()
		var jobs []farm.JobStatus
		if err := json.Unmarshal([]byte(must("list", url, "--json")), &jobs); err != nil || len(jobs) != 1 || jobs[0].ID != id {
			t.Fatalf("%+v, %v", jobs, err)
		}
		if text := must("list", url); !strings.Contains(text, id) || !strings.Contains(text, jobs[0].State) {
			t.Errorf("the list has no job %s: %s", id, text)
		}
		return jobs[0].State
	}
	if got := state(); got != "running" {
		t.Errorf("the job is %s", got)
	}
	must("pause", url, "ball.toml")
	if got := state(); got != "paused" {
		t.Errorf("the job is %s", got)
	}
	must("resume", url, "ball.toml")
	must("cancel", url, "ball.toml")
	if got := state(); got != "canceled" {
		t.Errorf("the job is %s", got)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "ball.png")
	var out, errors bytes.Buffer
	if status := run(t.Context(), []string{"fetch", url, "ball.toml", "-o", name}, connected(&out, &errors)); status != cli.StatusFile || !strings.Contains(errors.String(), "canceled") {
		t.Errorf("a canceled job is fetched: status %d, %s", status, errors.String())
	}
	must("resubmit", url, "ball.toml")
	startWorking(t, url)
	must("wait", url, id[:8])
	must("log", url, id)
	must("fetch", url, "ball.toml", "-o", filepath.Join(dir, "ball.shard"), "--keep")
	must("fetch", url, "ball.toml", "-o", name)
	img, err := osfile.ReadPNG(name)
	if err != nil || pillbox.Hash(picture.Straighten(img)) != want {
		t.Errorf("another picture, %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, "ball.shard")); err != nil || info.Size() == 0 {
		t.Error(err)
	}
	if text := must("list", url); strings.Contains(text, id) {
		t.Errorf("the job is still listed: %s", text)
	}
}

// TestFetchFilms submits films in all formats. For each, fetch must write the same files as render animate.
func TestFetchFilms(t *testing.T) {
	if !effort.IsAll() {
		t.Skip("needs -effort all: it builds two programs")
	}
	dir := t.TempDir()
	fixture.Program(t, "render", dir)
	fixture.Program(t, "renderfarm", dir)
	url := startServer(t)
	startWorking(t, url)
	moving := ball + "name = \"ball\"\n[animation]\nduration = 1\n[[animate]]\ntarget = \"ball.center\"\ntimes = [0, 1]\nvalues = [[-1, 0, 0], [1, 0, 0]]\n"
	writeFile(t, filepath.Join(dir, "move.toml"), []byte(moving))
	must := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(filepath.Join(dir, name), args...)
		var errors bytes.Buffer
		cmd.Dir, cmd.Stderr = dir, &errors
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %s: %v: %s", name, strings.Join(args, " "), err, errors.String())
		}
		return strings.TrimSpace(string(out))
	}
	_, noFFmpeg := exec.LookPath("ffmpeg")
	for _, test := range []struct{ flags, output string }{
		{"--fps 4", "film.gif"},
		{"--fps 4", "film.png"},
		{"--fps 4", "%04d.png"},
		{"--fps 8 --from 0.25 --to 0.75", "frame-%d.png"},
		{"--turntable 0.5 --fps 8", "turn.png"},
		{"--fps 8", "film.mp4"},
		{"--fps 8", "film.webm"},
	} {
		if video := strings.HasSuffix(test.output, ".mp4") || strings.HasSuffix(test.output, ".webm"); video && noFFmpeg != nil {
			continue
		}
		flags := strings.Fields(test.flags)
		want, got := filepath.Join(dir, "want"), filepath.Join(dir, "got")
		for _, folder := range []string{want, got} {
			if err := errors.Join(os.RemoveAll(folder), os.Mkdir(folder, 0o700)); err != nil {
				t.Fatal(err)
			}
		}
		must("render", append([]string{"animate", "move.toml", "-o", filepath.Join(want, test.output)}, flags...)...)
		id := must("renderfarm", append([]string{"submit", url, "animate", "move.toml"}, flags...)...)
		must("renderfarm", "fetch", url, id, "-o", filepath.Join(got, test.output))
		if name := test.output; strings.HasSuffix(name, ".webm") { // the files have random identifiers
			for _, folder := range []string{want, got} {
				raw := exec.Command("ffmpeg", "-loglevel", "error", "-i", name, "-f", "rawvideo", "raw")
				raw.Dir = folder
				if err := errors.Join(raw.Run(), os.Remove(filepath.Join(folder, name))); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got, want := folder(t, got), folder(t, want); !maps.Equal(got, want) {
			t.Errorf("%s %s: fetch writes %v, want %v", test.flags, test.output, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	}
}

// folder returns the contents of the files in dir, by name.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

// TestSubmitNeedsRender checks the message of submit if the program render is not installed.
func TestSubmitNeedsRender(t *testing.T) {
	t.Setenv("PATH", "")
	if status, _, text := call(t, "submit", "nats://127.0.0.1:1", "s.toml"); status != cli.StatusFile || !strings.Contains(text, "the program render,") {
		t.Errorf("status %d, %s", status, text)
	}
	if status, text, _ := call(t, "submit", "--help"); status != cli.StatusDone || !strings.Contains(text, "submit URL [animate] SCENE") {
		t.Errorf("status %d, %s", status, text)
	}
}
