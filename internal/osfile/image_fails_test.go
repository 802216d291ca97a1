package osfile_test

import (
	"errors"
	"os"
	"testing"

	"pillbox/internal/osfile"
)

// TestDecodeFileClosed checks that DecodeFile returns the error of Stat if that fails.
func TestDecodeFileClosed(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/closed.png")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if img, format, err := osfile.DecodeFile(f); img != nil || format != "" || !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v, %q, %v", img, format, err)
	}
}
