package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func filling(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestFilesWrite(t *testing.T) {
	inFolder(t, map[string]string{"old": "old text"})
	var disk files
	for _, name := range []string{"old", "new", "./dotted", filepath.Join(t.TempDir(), "absolute")} {
		if err := disk.check(name); err != nil {
			t.Errorf("check %s: %v", name, err)
		}
		if err := disk.write(name, filling("text of "+name)); err != nil {
			t.Errorf("write %s: %v", name, err)
		}
		if got := readText(t, name); got != "text of "+name {
			t.Errorf("%s holds %q", name, got)
		}
	}
	wantFiles(t, "dotted", "new", "old")
}

func TestFilesWriteFailureLeavesNothing(t *testing.T) {
	inFolder(t, map[string]string{"old": "old text"})
	full := errors.New("no more")
	for _, name := range []string{"old", "new"} {
		err := new(files).write(name, func(w io.Writer) error {
			io.WriteString(w, strings.Repeat("half", 1<<16))
			return full
		})
		if !errors.Is(err, full) {
			t.Errorf("write %s = %v, want %v", name, err, full)
		}
	}
	wantFiles(t, "old")
	if got := readText(t, "old"); got != "old text" {
		t.Errorf("old holds %q", got)
	}
}

// TestFilesWriteSyncs: what a file holds is on the disk before it gets its name, and if it cannot
// be, nothing has changed. File systems that do not know of that are no reason to fail.
func TestFilesWriteSyncs(t *testing.T) {
	for failure, want := range map[error]string{nil: "text", syscall.EIO: "old text", errors.ErrUnsupported: "text", syscall.EINVAL: "text"} {
		inFolder(t, map[string]string{"old": "old text"})
		synced := false
		disk := files{sync: func(file *os.File) error {
			synced = true
			if got := readText(t, "old"); got != "old text" {
				t.Errorf("old holds %q before it is synced", got)
			}
			if got := readText(t, file.Name()); got != "text" {
				t.Errorf("%q is synced", got)
			}
			return failure
		}}
		err := disk.write("old", filling("text"))
		if !synced || (err != nil) != (want == "old text") {
			t.Errorf("write = %v after %v, synced: %t", err, failure, synced)
		}
		if got := readText(t, "old"); got != want {
			t.Errorf("old holds %q after %v, want %q", got, failure, want)
		}
		wantFiles(t, "old")
	}
}

func TestFilesCheckLeavesNothing(t *testing.T) {
	inFolder(t, map[string]string{"old": "old text"})
	var disk files
	if err := errors.Join(disk.check("old"), disk.check("new")); err != nil {
		t.Error(err)
	}
	wantFiles(t, "old")
	if got := readText(t, "old"); got != "old text" {
		t.Errorf("old holds %q", got)
	}
}

// TestFilesErrors holds check and write to the same errors, which name the file that was
// asked for.
func TestFilesErrors(t *testing.T) {
	inFolder(t, map[string]string{"text": "", "dir/x": ""})
	symlink(t, "circle", "circle")
	symlink(t, filepath.Join("missing", "x"), "dangling")
	for _, test := range []struct {
		name string
		want error
	}{
		{"dir", syscall.EISDIR},
		{filepath.Join("missing", "x"), fs.ErrNotExist},
		{"dangling", fs.ErrNotExist},
		{filepath.Join("text", "x"), syscall.ENOTDIR},
		{"circle", syscall.ELOOP},
		{strings.Repeat("x", 300), syscall.ENAMETOOLONG},
	} {
		if runtime.GOOS == "windows" && test.want != fs.ErrNotExist {
			continue // other numbers
		}
		check := new(files).check(test.name)
		write := new(files).write(test.name, filling("text"))
		for _, err := range []error{check, write} {
			var path *fs.PathError
			if !errors.Is(err, test.want) || !errors.As(err, &path) || path.Path != test.name {
				t.Errorf("%s: %v, want %v", test.name, err, test.want)
			}
		}
	}
}

func symlink(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

func TestFilesWriteThroughLinks(t *testing.T) {
	inFolder(t, map[string]string{"real/old": "old text", "deep/er/x": ""})
	symlink(t, filepath.Join("real", "old"), "link")
	symlink(t, filepath.Join("real", "new"), "dangling")
	symlink(t, "link", "chain")
	// "hop/../beside" is deep/beside, not ./beside.
	symlink(t, filepath.Join("deep", "er"), "hop")
	symlink(t, filepath.FromSlash("hop/../beside"), "crooked")
	var disk files
	for link, real := range map[string]string{
		"link": "real/old", "dangling": "real/new", "crooked": "deep/beside", "hop/../plain": "deep/plain",
	} {
		if err := errors.Join(disk.check(link), disk.write(link, filling(link))); err != nil {
			t.Errorf("%s: %v", link, err)
			continue
		}
		if got := readText(t, real); got != link {
			t.Errorf("%s holds %q, want %q", real, got, link)
		}
	}
	if err := disk.write("chain", filling("chain")); err != nil {
		t.Fatal(err)
	}
	if got := readText(t, "real/old"); got != "chain" {
		t.Errorf("real/old holds %q, want %q", got, "chain")
	}
	for _, link := range []string{"link", "dangling", "chain", "crooked"} {
		if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", link)
		}
	}
	wantFiles(t, "chain", "crooked", "dangling", "deep", "hop", "link", "real")
}

func TestFilesKeepPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	inFolder(t, map[string]string{"ordinary": "", "private": ""})
	if err := os.Chmod("private", 0o600); err != nil {
		t.Fatal(err)
	}
	ordinary := permissions(t, "ordinary")
	for name, want := range map[string]fs.FileMode{"new": ordinary, "ordinary": ordinary, "private": 0o600} {
		if err := new(files).write(name, filling("text")); err != nil {
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

func TestFilesRespectProtected(t *testing.T) {
	skipIfAllowed(t)
	inFolder(t, map[string]string{"protected": "text", "locked/x": ""})
	if err := errors.Join(os.Chmod("protected", 0o444), os.Chmod("locked", 0o555)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod("locked", 0o777) })
	for _, name := range []string{"protected", filepath.Join("locked", "new")} {
		if err := new(files).check(name); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("check %s = %v, want %v", name, err, fs.ErrPermission)
		}
	}
}

// skipIfAllowed skips a test that needs permissions to be enforced.
func skipIfAllowed(t *testing.T) {
	t.Helper()
	switch {
	case runtime.GOOS == "windows":
		t.Skip("Windows has no permission bits")
	case os.Geteuid() == 0:
		t.Skip("permissions do not bind the superuser")
	}
}

func TestFilesAbandon(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not remove open files")
	}
	inFolder(t, nil)
	var disk files
	writing, done := make(chan bool), make(chan bool)
	go disk.write("new", func(w io.Writer) error {
		close(writing)
		<-done // never: abandon comes before the end of the process
		return nil
	})
	<-writing
	disk.abandon()
	wantFiles(t)
}
