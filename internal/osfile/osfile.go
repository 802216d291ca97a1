// Package osfile reads and writes named files.
//
// [Open] opens regular files only: a pipe or a device may block forever or never end. Pictures are read
// within limits: the header of a picture states its size and decoders believe it, so a file of a
// kilobyte can demand more memory than the machine has. Headers are therefore read first, and a
// picture larger than the limits is an error before any pixel is decoded. [Outputs] writes files, whole
// or not at all.
//
// Package image decodes the formats that a program has imported, such as "image/gif"; this package
// imports "image/png".
package osfile

import (
	"errors"
	"io/fs"
	"os"
)

// ErrNotRegular is the reason why [Open] does not open a file.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file for reading, or a symbolic link to one. For other files,
// which are not touched, the error is an [*fs.PathError] of [ErrNotRegular]: opening a pipe waits until
// another process opens it for writing.
func Open(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	return os.Open(name)
}

// Exists reports whether there is a file or a folder of that name, even if it cannot be inspected.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return !os.IsNotExist(err)
}

// Same reports whether two names belong to the same existing file.
func Same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Unchanged reports whether two descriptions of one name, nil if there was no file, are of the same file with the
// same permissions and, if it is regular, the same size and time. Files that are not the operating system's
// have no identity to compare.
func Unchanged(before, after fs.FileInfo) bool {
	if before == nil || after == nil {
		return before == nil && after == nil
	}
	hasIdentity := os.SameFile(before, before)
	if hasIdentity && !os.SameFile(before, after) || before.Mode() != after.Mode() {
		return false
	}
	return !before.Mode().IsRegular() || before.Size() == after.Size() && before.ModTime().Equal(after.ModTime())
}
