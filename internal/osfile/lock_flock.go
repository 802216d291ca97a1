//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package osfile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// lockName is the file in a temporary folder that the process using the folder keeps locked. The system
// releases the lock when the process ends for any reason.
const lockName = ".lock"

// lockFolder creates and locks the lock file of a new folder. It locks the file under another name and
// then renames it, so that no other process finds it unlocked.
func lockFolder(folder string) (*os.File, error) {
	temp := filepath.Join(folder, lockName+".new")
	f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if !tryLock(f) {
		f.Close()
		return nil, &fs.PathError{Op: "lock", Path: temp, Err: fs.ErrExist}
	}
	if err := os.Rename(temp, filepath.Join(folder, lockName)); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Reserve creates a folder unless it exists, and locks it for this process until the returned function release is
// called or the process ends. It returns an error if the folder is locked already. On systems without flock, Reserve
// only creates the folder.
func Reserve(folder string) (release func(), err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(folder, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if !tryLock(f) {
		f.Close()
		return nil, fmt.Errorf("%s is in use by another process", folder)
	}
	return func() { f.Close() }, nil
}

// removeDead removes the temporary folders of this user whose processes have ended. It keeps folders
// without a lock file, which may be in creation. It ignores errors: the next call tries again.
func removeDead(parent, prefix string) {
	names, err := filepath.Glob(filepath.Join(parent, prefix+"*"))
	if err != nil {
		return
	}
	for _, name := range names {
		info, err := os.Lstat(name)
		if err != nil || !info.IsDir() || !isOwn(info) {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(name, lockName), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		dead := tryLock(lock)
		lock.Close()
		if dead {
			_ = os.RemoveAll(name)
		}
	}
}

// tryLock locks a file for this process. It returns false if the file is locked already, or if locking fails.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// isOwn reports whether a file belongs to the user of this process.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
