package disk_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pillbox/disk"
	"pillbox/internal/fixture"
)

func TestOpen(t *testing.T) {
	fixture.Folder(t, map[string]string{"folder/file": "text"})
	f, err := disk.Open("folder/file")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	var failed *fs.PathError
	if _, err := disk.Open("folder"); !errors.As(err, &failed) || failed.Err != disk.ErrNotRegular || failed.Path != "folder" {
		t.Errorf("a folder: %v", err)
	}
	if _, err := disk.Open("nothing"); !errors.Is(err, fs.ErrNotExist) {
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
		if disk.Same(c.a, c.b) != c.want {
			t.Errorf("Same(%q, %q) = %v", c.a, c.b, !c.want)
		}
	}
}

func Example() {
	fmt.Println(disk.Exists("disk.go"), disk.Exists("disc.go"), disk.Same("disk.go", "./disk.go"))
	_, err := disk.Open(".")
	fmt.Println(err)
	// Output:
	// true false true
	// open .: not a regular file
}
