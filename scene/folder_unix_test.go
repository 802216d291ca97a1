//go:build unix

package scene

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pillbox/internal/osfile"
)

// TestBulkFileIsNoPipe checks that a named pipe as a bulk file is an error. Opening it would wait for a writer
// forever.
func TestBulkFileIsNoPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.csv"), 0o600); err != nil {
		t.Skip(err)
	}
	path := filepath.Join(dir, "scene.toml")
	if err := os.WriteFile(path, []byte("[[bulk]]\nfile = \"pipe.csv\"\nshape = \"box\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Load(path)
	if err == nil || !strings.HasSuffix(err.Error(), `:2:8: bulk[0].file: cannot be read: not a regular file, got "pipe.csv"`) {
		t.Errorf("Load = %v, want an error of the pipe", err)
	}
}

// TestReadFileReadsNoPipe checks that a named pipe as a scene file is an error. Opening it would wait for a writer
// forever.
func TestReadFileReadsNoPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.toml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	var failed *fs.PathError
	if _, err := Load(pipe); !errors.As(err, &failed) || failed.Err != osfile.ErrNotRegular {
		t.Errorf("Load = %v, want an error of the pipe", err)
	}
}
