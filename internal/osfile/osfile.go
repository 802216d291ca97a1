// Package osfile reads and writes named files.
//
// [Open] opens only regular files: a pipe or a device may block forever or never end. [ReadPNG] and
// [Decode] check the size in a picture's header before they decode pixels. Otherwise a file of a
// kilobyte could demand more memory than the machine has, because decoders trust the header. [Outputs]
// writes files completely or not at all.
//
// [Decode] supports the formats whose decoders the program imports, such as "image/gif"; this package
// imports "image/png".
package osfile

import (
	"errors"
	"io/fs"
	"os"
)

// ErrNotRegular is the error of [Open] for pipes, devices and other files that are not regular.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file, or a symbolic link to one, for reading. For any other file, it returns an
// [*fs.PathError] of [ErrNotRegular] without opening the file: opening a pipe would wait until another
// process opens it for writing.
func Open(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	return os.Open(name)
}

// Exists reports whether a file or folder with that name exists. If it cannot determine that, it returns true.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return !os.IsNotExist(err)
}

// Same reports whether two names refer to the same existing file.
func Same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Unchanged reports whether two descriptions of a name, taken at different times, describe the same file. The file must
// have the same permissions and, if it is regular, the same size and time. nil means that there was no file. The
// identity of a file is compared only for files of the operating system.
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
