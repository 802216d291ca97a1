package suite

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// tree returns all files and folders in the current folder and below, with their contents and permissions.
func tree(t *testing.T) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[path] = info.Mode().String()
		if info.Mode().IsRegular() {
			all[path] += " " + fixture.Read(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestBackupKeepsLinks checks that Restore recreates a symbolic link that Tidy has removed, and changes no other
// link or folder.
func TestBackupKeepsLinks(t *testing.T) {
	project(t)
	fixture.Edit(t, "scenes/ball.toml", "radius = 2", "radius = 3")
	if err := os.Symlink("elsewhere.png", "golden/ball.new.png"); err != nil {
		t.Skip(err)
	}
	if err := errors.Join(os.Symlink("../scenes", "golden/ball.diff.png"), os.Mkdir("golden/ball.golden.toml", 0o777)); err != nil {
		t.Fatal(err)
	}
	before := tree(t)
	r := judged(t, "ball")
	b, err := r.Backup()
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []func() error{
		func() error { return nil },
		r.Tidy,
		func() error { return os.Rename("golden/ball.png", "golden/ball.new.png") }, // replaces the link
	} {
		if err := errors.Join(change(), b.Restore(new(osfile.Outputs).Rewrite)); err != nil {
			t.Fatal(err)
		}
		if after := tree(t); !maps.Equal(after, before) {
			t.Errorf("the files are\n%v, want\n%v", after, before)
		}
		for name, want := range map[string]string{"golden/ball.new.png": "elsewhere.png", "golden/ball.diff.png": "../scenes"} {
			if got, err := os.Readlink(name); got != want {
				t.Errorf("%s leads to %q, want %q: %v", name, got, want, err)
			}
		}
	}
}

// TestBackupRestore checks that Restore undoes accepting and tidying: every file must be the same, byte for byte.
func TestBackupRestore(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name   string
		scene  string
		change func(t *testing.T)
	}{
		{"changed", "atoms", func(t *testing.T) {
			fixture.Edit(t, "scenes/csv/atoms.csv", "-1,0,0,1", "-1,0,0,2")
			must(os.Chmod("golden/atoms.png", 0o600))
		}},
		{"other files", "atoms", func(t *testing.T) {
			fixture.Edit(t, "scenes/atoms.toml", "csv/atoms.csv", "new/more/b.csv")
			fixture.Write(t, "scenes/new/more/b.csv", "x,y,z,radius\n-1,0,0,1\n")
			must(os.Chmod(stored(atomsText), 0o640))
		}},
		{"copies of an earlier version", "atoms", func(t *testing.T) {
			oldLayout(t)
			fixture.Edit(t, "scenes/csv/atoms.csv", "-1,0,0,1", "-1,0,0,2")
			must(os.Chmod("golden/atoms.scene/csv/atoms.csv", 0o640))
		}},
		{"a damaged content", "atoms", func(t *testing.T) {
			fixture.Write(t, stored(atomsText), "spoiled")
			fixture.Edit(t, "scenes/atoms.toml", "[0, 0, 10]", "[0, 0, 9]")
		}},
		{"no other files", "atoms", func(t *testing.T) { fixture.Write(t, "scenes/atoms.toml", fixture.Ball) }},
		{"new", "later", func(t *testing.T) {
			fixture.Write(t, "scenes/later.toml", strings.ReplaceAll(atoms, "csv/", ""))
			fixture.Write(t, "scenes/atoms.csv", "x,y,z,radius\n-1,0,0,1\n")
		}},
		{"the first of a project", "atoms", func(t *testing.T) { must(os.RemoveAll("golden")) }},
		{"an orphan", "atoms", func(t *testing.T) {
			must(os.Remove("scenes/atoms.toml"))
			fixture.Write(t, "golden/atoms.golden.toml", "reason = \"x\"\ntolerance = { max_pixels = 1 }\n")
		}},
		{"an unreadable golden", "ball", func(t *testing.T) { fixture.Write(t, "golden/ball.png", "not a picture") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			bulkProject(t)
			test.change(t)
			if test.name != "the first of a project" {
				fixture.Write(t, "golden/"+test.scene+".new.png", "new")
				fixture.Write(t, "golden/"+test.scene+".diff.png", "diff")
			}
			before := tree(t)
			r := judged(t, test.scene)
			b, err := r.Backup()
			must(err)
			must(r.Accept(new(osfile.Outputs).Rewrite))
			if maps.Equal(before, tree(t)) {
				t.Fatal("accepting changes nothing")
			}
			must(b.Restore(new(osfile.Outputs).Rewrite))
			if after := tree(t); !maps.Equal(before, after) {
				for name := range maps.Keys(before) {
					if before[name] != after[name] {
						t.Errorf("%s: %.40q, want %.40q", name, after[name], before[name])
					}
				}
				for name := range after {
					if before[name] == "" {
						t.Errorf("%s is left", name)
					}
				}
			}
			b, err = r.Backup()
			must(err)
			must(r.Tidy())
			must(b.Restore(new(osfile.Outputs).Rewrite))
			if !maps.Equal(before, tree(t)) {
				t.Error("what tidying removes is not restored")
			}
		})
	}
}
