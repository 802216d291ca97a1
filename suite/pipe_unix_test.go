//go:build unix

package suite

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestJudgeReadsNoPipe replaces each file in turn by a named pipe that has no writer. Judge must refuse it, because
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
