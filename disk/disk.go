// Package disk answers questions about named files that package os leaves to its callers.
package disk

import (
	"errors"
	"io/fs"
	"os"
)

// ErrNotRegular is why a file is not opened.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file for reading, or a symbolic link to one. Of other files, which are
// not touched, the error is an [*fs.PathError] of [ErrNotRegular]: opening a pipe waits until
// another process opens it for writing.
func Open(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	return os.Open(name)
}

// Exists reports whether there is a file or a folder of that name, even one that cannot be looked at.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return !os.IsNotExist(err)
}

// Same reports whether two names are those of one file that is there.
func Same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
