package osfile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

func TestOpen(t *testing.T) {
	fixture.Folder(t, map[string]string{"folder/file": "text"})
	f, err := osfile.Open("folder/file")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	var failed *fs.PathError
	if _, err := osfile.Open("folder"); !errors.As(err, &failed) || failed.Err != osfile.ErrNotRegular || failed.Path != "folder" {
		t.Errorf("a folder: %v", err)
	}
	if _, err := osfile.Open("nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestSame checks that two names are recognized as the same file, even if they are spelled differently or are hard
// links.
func TestSame(t *testing.T) {
	fixture.Folder(t, map[string]string{"a": "text", "copy": "text"})
	if err := os.Link("a", "link"); err != nil {
		t.Skip(err)
	}
	whole, err := filepath.Abs("a")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"a", "a", true}, {"a", "link", true}, {"a", whole, true}, {"a", "copy", false}, {"a", "nothing", false}, {"nothing", "nothing", false}} {
		if osfile.Same(c.a, c.b) != c.want {
			t.Errorf("Same(%q, %q) = %v", c.a, c.b, !c.want)
		}
	}
}

func Example() {
	fmt.Println(osfile.Exists("osfile.go"), osfile.Exists("nofile.go"), osfile.Same("osfile.go", "./osfile.go"))
	_, err := osfile.Open(".")
	fmt.Println(err)
	// Output:
	// true false true
	// open .: not a regular file
}

// TestUnchanged checks that replacing a file is detected as a change, even if both files have the same size and
// time.
func TestUnchanged(t *testing.T) {
	fixture.Folder(t, map[string]string{"a": "one", "b": "two"})
	now := time.Now()
	stat := func() fs.FileInfo {
		if err := os.Chtimes("a", now, now); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		info, err := os.Stat("a")
		if err != nil {
			return nil
		}
		return info
	}
	before := stat()
	for _, step := range []struct {
		name   string
		change func() error
		want   bool
	}{
		{"nothing", func() error { return nil }, true},
		{"size", func() error { return os.WriteFile("a", []byte("more"), 0o666) }, false},
		{"permissions", func() error { return os.Chmod("a", 0o444) }, false},
		{"replaced", func() error { return errors.Join(os.Chmod("a", 0o666), os.WriteFile("a", []byte("one"), 0o666)) }, false},
		{"by another of the same size", func() error { return os.Rename("b", "a") }, false},
		{"removed", func() error { return os.Remove("a") }, false},
		{"still missing", func() error { return nil }, true},
		{"a folder", func() error { return os.Mkdir("a", 0o777) }, false},
		{"a file in the folder", func() error { return os.WriteFile("a/x", nil, 0o666) }, true},
	} {
		if err := step.change(); err != nil {
			t.Fatal(err)
		}
		after := stat()
		if got := osfile.Unchanged(before, after); got != step.want {
			t.Errorf("%s: unchanged %t, want %t", step.name, got, step.want)
		}
		before = after
	}
}
