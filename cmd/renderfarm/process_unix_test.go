//go:build unix

package main

import (
	"bytes"
	"context"
	"image"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
	"pillbox/internal/picture"
	"pillbox/scene"
)

// asProgram names an environment variable that makes the test binary act as the program.
const asProgram = "RENDERFARM_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		effort.BeProgram()
		main()
	}
	os.Exit(m.Run())
}

// child is a run of the program in a separate process.
type child struct {
	*exec.Cmd
	said bytes.Buffer // standard error; must not be read before the process has ended
	reap func()       // waits until the process has ended
}

// startProcess starts the program with the given arguments. It is killed when the test ends.
func startProcess(t *testing.T, args ...string) *child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{Cmd: exec.Command(exe, args...)}
	c.Env = append(os.Environ(), asProgram+"=1")
	c.Stderr = &c.said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	c.reap = sync.OnceFunc(func() { _ = c.Cmd.Wait() })
	t.Cleanup(func() {
		c.kill()
		if t.Failed() {
			t.Logf("renderfarm %s:\n%s", strings.Join(args, " "), c.said.String())
		}
	})
	return c
}

// kill kills the process and waits until it has ended. The process cannot clean up.
func (c *child) kill() {
	_ = c.Process.Kill()
	c.reap()
}

// status waits until the process ends, and returns its exit status.
func (c *child) status() int {
	c.reap()
	return c.ProcessState.ExitCode()
}

// eventually waits until is() is true, and fails the test after five minutes: only failing tests wait that long.
func eventually(t *testing.T, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not happen")
		}
	}
}

// TestServeStoreInUse checks that a server cannot use a store that another server is using.
func TestServeStoreInUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	release, err := osfile.Reserve(dir)
	if err != nil {
		t.Fatal(err)
	}
	if status, _, text := call(t, "serve", "--listen", "127.0.0.1:0", "--store", dir); status != cli.StatusFile || !strings.Contains(text, "store is in use by another process") {
		t.Errorf("status %d, %s", status, text)
	}
	release()
	if status, _, text := call(t, "serve", "--listen", "127.0.0.1:0", "--store", dir); status != cli.StatusInterrupted {
		t.Errorf("after the first one has ended: status %d, %s", status, text)
	}
}

// TestProcessesKilled kills and restarts the processes of a detached, audited job: the worker, the server with its
// coordinator, and a second coordinator. The job must still finish with the right picture.
func TestProcessesKilled(t *testing.T) {
	effort.Thorough(t) // tests of package farm lose workers, coordinators and streams within one process
	t.Parallel()
	dir := t.TempDir()
	address := freeAddress(t)
	url := "nats://" + address
	startServer := func() *child {
		return startProcess(t, "serve", "--listen", address, "--store", filepath.Join(dir, "store"), "--http", "127.0.0.1:0", "--lease", "1s")
	}
	server := startServer()
	f, err := farm.Connect(t.Context(), "test", farm.Access{URL: url, Patience: -1, Await: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	coordinator := startProcess(t, "coordinate", url)

	const text = "image = { width = 320, height = 240, antialias = 4 }\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	s, err := scene.Decode("ball.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	shot, err := farm.NewShot(s, pillbox.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := f.Open(t.Context(), &farm.Source{Data: []byte(text)}, s, []farm.Shot{shot},
		farm.JobOptions{Name: s.Name, Detached: true, Audit: 1, Cell: image.Pt(8, 8)})
	if err != nil {
		t.Fatal(err)
	}
	j.Close()

	worker := startProcess(t, "work", url, "--slots", "1")
	results := func() int {
		// On a busy machine, a server that has just started takes seconds to answer.
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if s, err := f.Status(ctx); err == nil {
			return s.Results
		}
		return 0
	}
	const units = 40 * 30
	eventually(t, func() bool { return results() > 5 })
	worker.kill()
	before := results()
	if before == units {
		t.Error("the job is over before anything is killed: make its picture larger")
	}
	server.kill()
	coordinator.kill()
	server = startServer()
	startProcess(t, "work", url, "--slots", "1")
	coordinator = startProcess(t, "coordinate", url)
	eventually(t, func() bool { return results() > before+20 })
	server.kill() // with its coordinator; the other one is killed below, so the leading one is killed in any case
	startServer()
	coordinator.kill()

	wait := startProcess(t, "wait", url, j.ID)
	if status := wait.status(); status != cli.StatusDone {
		t.Fatalf("status %d: %s", status, wait.said.String())
	}
	name := filepath.Join(dir, "ball.png")
	if fetch := startProcess(t, "fetch", url, j.ID, "-o", name); fetch.status() != cli.StatusDone {
		t.Fatalf("status %d: %s", fetch.status(), fetch.said.String())
	}
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	img, err := osfile.ReadPNG(name)
	if err != nil || pillbox.Hash(picture.Straighten(img)) != pillbox.Hash(film.Image) {
		t.Errorf("another picture, %v", err)
	}
}

// TestSubmitInterrupted checks that Ctrl-C during submit also interrupts the program render that it has started.
func TestSubmitInterrupted(t *testing.T) {
	dir := t.TempDir()
	const script = "#!/bin/sh\ntrap 'echo cleaned; exit 130' INT\necho started\nwhile :; do sleep 0.02; done\n"
	if err := os.WriteFile(filepath.Join(dir, "render"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt) // otherwise the script cannot trap the signal if this process ignores it
	defer signal.Stop(interrupts)
	ctx, cancel := context.WithCancel(t.Context())
	out := &lateCancel{cancel: cancel}
	var text bytes.Buffer
	if status := run(ctx, []string{"submit", "nats://127.0.0.1:1", "a.toml"}, connected(out, &text)); status != cli.StatusInterrupted || out.text != "started\ncleaned\n" {
		t.Errorf("status %d, %q, %s", status, out.text, text.String())
	}
}

// lateCancel is an [io.Writer] that keeps its data and calls cancel after each write.
type lateCancel struct {
	text   string
	cancel context.CancelFunc
}

func (w *lateCancel) Write(p []byte) (int, error) {
	w.text += string(p)
	w.cancel()
	return len(p), nil
}
