package osfile_test

import (
	"errors"
	"os"
	"testing"

	"pillbox/internal/osfile"
)

// TestDecodeFileClosed: if Stat fails, DecodeFile returns its error and no picture.
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
