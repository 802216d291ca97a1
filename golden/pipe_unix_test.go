//go:build unix

package golden

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAssertOpensNoPipe replaces each file of a golden in turn by a named pipe that no other process has open.
// Assert must refuse or remove it, because opening it would block forever.
func TestAssertOpensNoPipe(t *testing.T) {
	for _, update := range []string{"", "1"} {
		for _, name := range []string{"a.png", "a.golden.toml", "a.new.png", "a.diff.png"} {
			inEmptyPackage(t)
			if err := writePNG("testdata/golden/a.png", paint(2, 2, gray(0))); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "golden", name)
			_ = os.Remove(path)
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Skip(err)
			}
			t.Setenv("GOLDEN_UPDATE", update)
			done := make(chan string, 1)
			go func() { done <- failure("a", paint(2, 2, gray(9))) }()
			select {
			case message := <-done:
				if update == "" && message == "" {
					t.Errorf("%s: another picture passes", name)
				}
				if update == "1" && name == "a.png" && !strings.Contains(message, "not a regular file") {
					t.Errorf("%s: %q", name, message)
				}
			case <-time.After(time.Minute):
				t.Fatalf("GOLDEN_UPDATE=%s: a pipe %s is opened", update, name)
			}
		}
	}
}
