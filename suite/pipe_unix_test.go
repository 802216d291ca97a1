//go:build unix

package suite

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"pillbox/internal/osfile"
)

// TestJudgeReadsNoPipe replaces each file in turn by a named pipe without a writer. Judge must refuse it, because
// reading would block forever.
func TestJudgeReadsNoPipe(t *testing.T) {
	for _, name := range []string{"scenes/ball.toml", "golden/ball.png", "golden/ball.scene.toml", "golden/ball.golden.toml"} {
		project(t)
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Skip(err)
		}
		refs, err := Find(Options{Scenes: []string{"ball"}})
		if err != nil || len(refs) != 1 {
			t.Fatalf("%d references, %v", len(refs), err)
		}
		judged := make(chan *Result, 1)
		go func() { judged <- Judge(t.Context(), Options{}, refs[0]) }()
		select {
		case r := <-judged:
			if r.Verdict != Failed || r.Err == nil || !strings.HasSuffix(r.Err.Error(), name+": not a regular file") {
				t.Errorf("a pipe %s: %v, %v", name, r.Verdict, r.Err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("a pipe %s is read", name)
		}
	}
}

// TestAcceptWritesNoPipe replaces the picture, or the copy of the scene, by a named pipe after the scene was
// judged. Accept must refuse it, because opening a pipe without a reader would block forever.
func TestAcceptWritesNoPipe(t *testing.T) {
	for _, name := range []string{"golden/ball.png", "golden/ball.scene.toml"} {
		project(t)
		if err := os.WriteFile("scenes/ball.toml", []byte("[image]\nwidth = 8\nheight = 8\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		refs, err := Find(Options{Scenes: []string{"ball"}})
		if err != nil || len(refs) != 1 {
			t.Fatalf("%d references, %v", len(refs), err)
		}
		r := Judge(t.Context(), Options{}, refs[0])
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Skip(err)
		}
		accepted := make(chan error, 1)
		go func() { accepted <- r.Accept(new(osfile.Outputs).Rewrite) }()
		select {
		case err := <-accepted:
			if err == nil || !strings.HasSuffix(err.Error(), name+": not a regular file") {
				t.Errorf("a pipe %s: %v", name, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("a pipe %s is opened", name)
		}
	}
}
