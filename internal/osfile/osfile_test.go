package osfile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

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

// TestSame: names are those of one file by what lies behind them, not by how they are written.
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
