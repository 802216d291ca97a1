package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"pillbox/internal/fixture"
)

// look makes a round in which w watches the files with the given names.
func look(w *Files, names ...string) {
	w.Begin()
	defer w.End()
	for _, name := range names {
		w.Look(name)
	}
}

// wantChange fails the test if no change is reported before a deadline.
func wantChange(t *testing.T, w *Files, what string) {
	t.Helper()
	select {
	case <-w.Changed():
	case <-time.After(time.Minute):
		t.Fatalf("%s is not reported", what)
	}
}

// settled waits until all effects of the last change have been reported.
func settled(w *Files) {
	for {
		select {
		case <-w.Changed():
		case <-time.After(3 * settle):
			return
		}
	}
}

// change is a way to change the file at a path. Each call of do gets a different number.
type change struct {
	name string
	do   func(name string, number int) error
}

// changes returns ways to change a file. Each can be used whether or not the file exists.
func changes() []change {
	return []change{
		{"a longer text", func(name string, _ int) error {
			old, _ := os.ReadFile(name)
			return os.WriteFile(name, append(old, 'x'), 0o666)
		}},
		{"another file with this name", func(name string, _ int) error {
			return errors.Join(os.WriteFile("new", []byte("new"), 0o666), os.Rename("new", name))
		}},
		{"removal or creation", func(name string, _ int) error {
			if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return os.WriteFile(name, nil, 0o666)
		}},
		{"a link", func(name string, number int) error {
			target := fmt.Sprint("target", number)
			return errors.Join(os.WriteFile(target, nil, 0o666), os.Symlink("../"+target, "link"), os.Rename("link", name))
		}},
		{"another folder above", func(name string, _ int) error {
			above := filepath.Dir(name)
			old := above + ".old"
			return errors.Join(os.RemoveAll(old), os.Rename(above, old), os.Mkdir(above, 0o777), os.WriteFile(name, []byte("there"), 0o666))
		}},
	}
}

// TestEveryChangeIsReported makes random changes to files that may or may not exist. Each must be reported.
func TestEveryChangeIsReported(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders in use cannot be renamed")
	}
	fixture.Folder(t, map[string]string{"d/a": "a", "d/b": "b", "e/c": "c"})
	names := []string{"d/a", "d/b", "d/missing", "e/c", "e/missing"}
	w := Start()
	defer w.Close()
	random := rand.New(rand.NewPCG(1, 0))
	for i := range 12 {
		look(w, names...)
		name, c := names[random.IntN(len(names))], changes()[random.IntN(len(changes()))]
		if err := c.do(name, i); err != nil {
			t.Fatal(err)
		}
		wantChange(t, w, c.name+" at "+name)
		settled(w)
	}
}

// TestOnlyWatchedFilesCount checks that changes of files for which the last round did not look are not reported.
func TestOnlyWatchedFilesCount(t *testing.T) {
	fixture.Folder(t, map[string]string{"d/a": "a", "e/b": "b", "e/c": "c"})
	w := Start()
	defer w.Close()
	look(w, "d/a", "e/b")
	look(w, "d/a")
	for _, name := range []string{"e/b", "e/c"} {
		fixture.Write(t, name, "changed")
		if path, err := filepath.Abs(name); err != nil || w.compare() || w.has(path) {
			t.Errorf("%s counts as changed: %v", name, err)
		}
	}
	for folder := range w.folders {
		if filepath.Base(folder) != "d" {
			t.Errorf("events of %s are still requested", folder)
		}
	}
	fixture.Write(t, "d/a", "changed")
	wantChange(t, w, "d/a")
}

// TestComparingFindsChangesWithoutEvents checks that changes are also reported on a file system without events.
func TestComparingFindsChangesWithoutEvents(t *testing.T) {
	fixture.Folder(t, map[string]string{"a": "a"})
	w := startWith(nil)
	defer w.Close()
	look(w, "a", "missing")
	fixture.Write(t, "missing", "there")
	wantChange(t, w, "a new file")
}

// TestFS checks that exactly the files that were opened or looked for are watched. Opening must fail after the
// context has ended.
func TestFS(t *testing.T) {
	fixture.Folder(t, map[string]string{"d/a": "a", "d/sub/b": "b", "d/c": "c"})
	ctx, cancel := context.WithCancelCause(t.Context())
	w := Start()
	defer w.Close()
	w.Begin()
	files := w.FS(ctx, "d", os.DirFS("d"))
	f, err := files.Open("a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fs.Stat(files, "sub/b"); err != nil {
		t.Error(err)
	}
	if _, err := files.Open("missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if list, err := fs.ReadDir(files, "."); err != nil || len(list) != 3 {
		t.Errorf("ReadDir finds %v, %v", list, err)
	}
	w.End()
	var watched []string
	for path := range w.files {
		rel, err := filepath.Rel(w.home, path)
		if err != nil {
			t.Fatal(err)
		}
		watched = append(watched, filepath.ToSlash(rel))
	}
	slices.Sort(watched)
	if want := []string{"d/a", "d/missing", "d/sub/b"}; !slices.Equal(watched, want) {
		t.Errorf("watches %v, want %v", watched, want)
	}

	ended := errors.New("ended")
	cancel(ended)
	_, open := files.Open("a")
	_, stat := fs.Stat(files, "a")
	_, read := f.Read(make([]byte, 1))
	for what, err := range map[string]error{"Open": open, "Stat": stat, "Read": read} {
		if !errors.Is(err, ended) {
			t.Errorf("%s after the end: %v", what, err)
		}
	}
}
