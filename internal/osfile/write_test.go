package osfile

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pillbox/internal/fixture"
)

func filling(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestOutputsWrite(t *testing.T) {
	fixture.Folder(t, map[string]string{"old": "old text"})
	var disk Outputs
	for _, name := range []string{"old", "new", "./dotted", filepath.Join(t.TempDir(), "absolute")} {
		if err := disk.Check(name); err != nil {
			t.Errorf("check %s: %v", name, err)
		}
		if err := disk.Write(name, filling("text of "+name)); err != nil {
			t.Errorf("write %s: %v", name, err)
		}
		if got := fixture.Read(t, name); got != "text of "+name {
			t.Errorf("%s holds %q", name, got)
		}
	}
	fixture.WantFiles(t, "dotted", "new", "old")
}

func TestOutputsWriteFailureLeavesNothing(t *testing.T) {
	fixture.Folder(t, map[string]string{"old": "old text"})
	full := errors.New("no more")
	for _, name := range []string{"old", "new"} {
		err := new(Outputs).Write(name, func(w io.Writer) error {
			io.WriteString(w, strings.Repeat("half", 1<<16))
			return full
		})
		if !errors.Is(err, full) {
			t.Errorf("write %s = %v, want %v", name, err, full)
		}
	}
	fixture.WantFiles(t, "old")
	if got := fixture.Read(t, "old"); got != "old text" {
		t.Errorf("old holds %q", got)
	}
}

// TestOutputsWriteSyncs checks that Write syncs a file's contents before it gives the file its name. If syncing
// fails, nothing must be written, except on file systems that do not support it.
func TestOutputsWriteSyncs(t *testing.T) {
	for failure, want := range map[error]string{nil: "text", syscall.EIO: "old text", errors.ErrUnsupported: "text", syscall.EINVAL: "text"} {
		fixture.Folder(t, map[string]string{"old": "old text"})
		synced := false
		disk := Outputs{sync: func(file *os.File) error {
			synced = true
			if got := fixture.Read(t, "old"); got != "old text" {
				t.Errorf("old holds %q before it is synced", got)
			}
			if got := fixture.Read(t, file.Name()); got != "text" {
				t.Errorf("%q is synced", got)
			}
			return failure
		}}
		err := disk.Write("old", filling("text"))
		if !synced || (err != nil) != (want == "old text") {
			t.Errorf("write = %v after %v, synced: %t", err, failure, synced)
		}
		if got := fixture.Read(t, "old"); got != want {
			t.Errorf("old holds %q after %v, want %q", got, failure, want)
		}
		fixture.WantFiles(t, "old")
	}
}

func TestOutputsCheckLeavesNothing(t *testing.T) {
	fixture.Folder(t, map[string]string{"old": "old text"})
	var disk Outputs
	if err := errors.Join(disk.Check("old"), disk.Check("new")); err != nil {
		t.Error(err)
	}
	fixture.WantFiles(t, "old")
	if got := fixture.Read(t, "old"); got != "old text" {
		t.Errorf("old holds %q", got)
	}
}

func symlink(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

func TestOutputsWriteThroughLinks(t *testing.T) {
	fixture.Folder(t, map[string]string{"real/old": "old text", "deep/er/x": ""})
	symlink(t, filepath.Join("real", "old"), "link")
	symlink(t, filepath.Join("real", "new"), "dangling")
	symlink(t, "link", "chain")
	// "hop/../beside" is deep/beside, not ./beside.
	symlink(t, filepath.Join("deep", "er"), "hop")
	symlink(t, filepath.FromSlash("hop/../beside"), "crooked")
	var disk Outputs
	for link, real := range map[string]string{
		"link": "real/old", "dangling": "real/new", "crooked": "deep/beside", "hop/../plain": "deep/plain",
	} {
		if err := errors.Join(disk.Check(link), disk.Write(link, filling(link))); err != nil {
			t.Errorf("%s: %v", link, err)
			continue
		}
		if got := fixture.Read(t, real); got != link {
			t.Errorf("%s holds %q, want %q", real, got, link)
		}
	}
	if err := disk.Write("chain", filling("chain")); err != nil {
		t.Fatal(err)
	}
	if got := fixture.Read(t, "real/old"); got != "chain" {
		t.Errorf("real/old holds %q, want %q", got, "chain")
	}
	for _, link := range []string{"link", "dangling", "chain", "crooked"} {
		if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", link)
		}
	}
	fixture.WantFiles(t, "chain", "crooked", "dangling", "deep", "hop", "link", "real")
}

func TestOutputsKeepPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	fixture.Folder(t, map[string]string{"ordinary": "", "private": ""})
	if err := os.Chmod("private", 0o600); err != nil {
		t.Fatal(err)
	}
	ordinary := permissions(t, "ordinary")
	for name, want := range map[string]fs.FileMode{"new": ordinary, "ordinary": ordinary, "private": 0o600} {
		if err := new(Outputs).Write(name, filling("text")); err != nil {
			t.Fatal(err)
		}
		if got := permissions(t, name); got != want {
			t.Errorf("%s has permissions %v, want %v", name, got, want)
		}
	}
}

func permissions(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// TestOutputsReadOnly checks that a read-only file is not replaced, not even if root runs the program.
func TestOutputsReadOnly(t *testing.T) {
	fixture.Folder(t, map[string]string{"protected": "text"})
	symlink(t, "protected", "link")
	if err := os.Chmod("protected", 0o444); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"protected", "link"} {
		for what, err := range map[string]error{
			"Check": new(Outputs).Check(name),
			"Write": new(Outputs).Write(name, filling("other")),
		} {
			var path *fs.PathError
			if !errors.Is(err, fs.ErrPermission) || !errors.As(err, &path) || path.Path != name {
				t.Errorf("%s %s = %v, want %v", what, name, err, fs.ErrPermission)
			}
		}
	}
	if got := fixture.Read(t, "protected"); got != "text" {
		t.Errorf("the file holds %q", got)
	}
	fixture.WantFiles(t, "link", "protected")
}

func TestOutputsProtectedFolder(t *testing.T) {
	switch {
	case runtime.GOOS == "windows":
		t.Skip("Windows has no permission bits")
	case os.Geteuid() == 0:
		t.Skip("the superuser may write everywhere")
	}
	fixture.Folder(t, map[string]string{"locked/x": ""})
	if err := os.Chmod("locked", 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod("locked", 0o777) })
	for _, name := range []string{"locked/new", "locked/deep/new"} {
		if err := new(Outputs).Check(name); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("Check %s = %v, want %v", name, err, fs.ErrPermission)
		}
	}
}

// TestOutputsMissingFolders checks that missing folders are created when the file is written, and not earlier.
func TestOutputsMissingFolders(t *testing.T) {
	fixture.Folder(t, map[string]string{"deep/er/x": ""})
	symlink(t, filepath.Join("deep", "er"), "hop")
	symlink(t, filepath.Join("away", "file"), "dangling")
	var o Outputs
	for _, test := range []struct{ name, real string }{
		{"a/b/file", "a/b/file"},
		{"a/c/file", "a/c/file"},
		{"hop/../beside/file", "deep/beside/file"},
		{"dangling", "away/file"},
		{filepath.Join(t.TempDir(), "new", "file"), ""},
	} {
		folder := filepath.Dir(test.real)
		if err := o.Check(test.name); err != nil || test.real != "" && Exists(folder) {
			t.Errorf("Check %s = %v, and %s exists: %t", test.name, err, folder, Exists(folder))
		}
		if err := o.Write(test.name, func(io.Writer) error { return io.ErrClosedPipe }); err != io.ErrClosedPipe || test.real != "" && Exists(folder) {
			t.Errorf("Write %s = %v, and %s exists: %t", test.name, err, folder, Exists(folder))
		}
		if err := o.Write(test.name, filling("text")); err != nil {
			t.Errorf("Write %s = %v", test.name, err)
		}
		if got := fixture.Read(t, filepath.FromSlash(test.name)); got != "text" {
			t.Errorf("%s holds %q", test.name, got)
		}
		if test.real != "" && fixture.Read(t, test.real) != "text" {
			t.Errorf("%s is not at %s", test.name, test.real)
		}
	}
	long := strings.Repeat("x", 300)
	if err := o.Write("gone/"+long, filling("text")); err == nil || Exists("gone") {
		t.Errorf("a name that is too long: %v, and its folder exists: %t", err, Exists("gone"))
	}
	fixture.WantFiles(t, "a", "away", "dangling", "deep", "hop")
}

func TestOutputsRefuseLinks(t *testing.T) {
	fixture.Folder(t, map[string]string{"real": "text"})
	symlink(t, "real", "link")
	symlink(t, "none", "dangling")
	o := Outputs{RefuseLinks: true}
	for _, name := range []string{"link", "dangling"} {
		if err := errors.Join(o.Check(name), o.Write(name, filling("other"))); !errors.Is(err, errLink) {
			t.Errorf("%s: %v, want %v", name, err, errLink)
		}
	}
	if err := o.Write("real", filling("other")); err != nil {
		t.Error(err)
	}
	fixture.WantFiles(t, "dangling", "link", "real")
}

// TestWriteNew checks that WriteNew never replaces a file, even if another process creates the file at the last
// moment.
func TestWriteNew(t *testing.T) {
	fixture.Folder(t, map[string]string{"old": "old text"})
	symlink(t, "nothing", "dangling")
	var o Outputs
	if err := o.WriteNew("new", []byte("text")); err != nil || fixture.Read(t, "new") != "text" {
		t.Error(err)
	}
	for _, name := range []string{"old", "dangling"} {
		if err := o.WriteNew(name, []byte("text")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v, want %v", name, err, fs.ErrExist)
		}
	}
	d, err := o.Create("late")
	if err != nil {
		t.Fatal(err)
	}
	d.exclusive = true
	fixture.Write(t, "late", "of another process")
	if err := d.Commit(); !errors.Is(err, fs.ErrExist) || fixture.Read(t, "late") != "of another process" {
		t.Errorf("Commit = %v, want %v", err, fs.ErrExist)
	}
	fixture.WantFiles(t, "dangling", "late", "new", "old")
}

// TestCommit checks that Commit gives either all of several drafts, which are files with temporary names, their
// final names, or none of them.
func TestCommit(t *testing.T) {
	fixture.Folder(t, nil)
	var o Outputs
	start := func(names ...string) (drafts []*Draft) {
		for _, name := range names {
			d, err := o.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(d, "text of "+name)
			drafts = append(drafts, d)
		}
		return drafts
	}
	if err := o.Commit(start("a", "b")...); err != nil {
		t.Error(err)
	}
	drafts := start("c", "d", "e")
	drafts[1].file.Close() // so it can no longer be written
	if err := o.Commit(drafts...); err == nil {
		t.Error("no error")
	}
	fixture.WantFiles(t, "a", "b")
	drafts = start("f", "g")
	o.Abandon()
	if err := o.Commit(drafts...); err == nil {
		t.Error("no error after Abandon")
	}
	fixture.WantFiles(t, "a", "b")
}

// TestWriteTogether checks that several files appear in the reverse order of their creation. After an error at any
// point, no file must have changed.
func TestWriteTogether(t *testing.T) {
	names := []string{"scene", "sub/table", "old", "last"}
	failure := errors.New("no more")
	for stop := range 2*len(names) + 1 {
		fixture.Folder(t, map[string]string{"old": "old text"})
		before := fixture.Snapshot(t)
		var synced []string
		o := Outputs{sync: func(file *os.File) error {
			synced = append(synced, fixture.Read(t, file.Name()))
			return nil
		}}
		step := 0
		proceed := func() error {
			if step++; step > stop {
				return failure
			}
			return nil
		}
		err := o.WriteTogether(func(create func(string) (io.Writer, error)) error {
			for _, name := range names {
				if err := proceed(); err != nil {
					return err
				}
				w, err := create(name)
				if err != nil {
					return err
				}
				io.WriteString(w, name)
				if err := proceed(); err != nil {
					return err
				}
			}
			return nil
		})
		if stop < 2*len(names) {
			if err != failure || !maps.Equal(fixture.Snapshot(t), before) || len(synced) > 0 {
				t.Errorf("an error at step %d: %v; the files are %v", stop, err, fixture.Snapshot(t))
			}
			continue
		}
		if want := []string{"last", "old", "sub/table", "scene"}; err != nil || !slices.Equal(synced, want) {
			t.Errorf("WriteTogether = %v, and completes %v, want %v", err, synced, want)
		}
		for _, name := range names {
			if got := fixture.Read(t, name); got != name {
				t.Errorf("%s holds %q", name, got)
			}
		}
	}
	fixture.Folder(t, map[string]string{"folder/file": ""})
	err := new(Outputs).WriteTogether(func(create func(string) (io.Writer, error)) error {
		create("first")
		_, err := create("folder")
		return err
	})
	if !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a folder: %v", err)
	}
	fixture.WantFiles(t, "folder")
}

// TestOutputsAbandon checks that, after Abandon, no part remains of the files that other goroutines are writing,
// even if these continue.
func TestOutputsAbandon(t *testing.T) {
	fixture.Folder(t, nil)
	var o Outputs
	folder, err := o.TempFolder("osfile-test-")
	if err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, filepath.Join(folder, "file"), "text")
	writing, abandoned, done := make(chan bool), make(chan bool), make(chan error)
	go func() {
		done <- o.Write("new", func(w io.Writer) error {
			close(writing)
			<-abandoned
			_, err := io.WriteString(w, "text")
			return err
		})
	}()
	<-writing
	if err := o.Abandon(); err != nil {
		t.Error(err)
	}
	fixture.WantFiles(t)
	if Exists(folder) {
		t.Errorf("%s still exists", folder)
	}
	close(abandoned)
	if err := <-done; err == nil {
		t.Error("a file is completed after Abandon")
	}
	if err := o.Write("late", filling("text")); err == nil {
		t.Error("a file is created after Abandon")
	}
	if _, err := o.TempFolder("osfile-test-"); err == nil {
		t.Error("a folder is created after Abandon")
	}
	fixture.WantFiles(t)
}

func TestIsTemporary(t *testing.T) {
	fixture.Folder(t, nil)
	d, err := new(Outputs).Create("folder.png")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Discard()
	if !IsTemporary(d.TempName()) || IsTemporary("folder.png") || IsTemporary(".render") {
		t.Errorf("%s is a temporary file, folder.png is not", d.TempName())
	}
}

// TestLeftovers checks that each temporary file is returned once, however its folder is named.
func TestLeftovers(t *testing.T) {
	fixture.Folder(t, map[string]string{"a/.render-0000002a.tmp": "x", "a/.render-0000002b-old.tmp": "x", "a/s.toml": "x", ".render-0000002c.tmp": "x"})
	folders := []string{".", "a", "a", "./a", "a/../a", "absent", "..", "a/.."}
	if path, err := filepath.Abs("a"); err == nil {
		folders = append(folders, path)
	}
	if os.Symlink("a", "link") == nil {
		folders = append(folders, "link")
	}
	names := Leftovers(folders...)
	var old int
	for _, name := range names {
		if IsAside(name) {
			old++
		}
	}
	if len(names) != 3 || old != 1 {
		t.Errorf("temporary files %q, %d of them old versions, want 3 and 1", names, old)
	}
}
