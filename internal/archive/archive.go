// Package archive reads a scene together with its files from one stream.
//
// An archive is a tar file. Its first member is the scene, whatever its name; the other members are files
// that the scene names. An archive ends with the two empty blocks that tar prescribes, so other data can
// follow it in the same stream.
//
// A member NAME.npy, a one-dimensional array of NumPy with named fields, replaces the file NAME.csv: the fields become
// columns and the records become rows. So a program can pass millions of numbers without writing and reading them as
// decimals. [TableOf] returns the numbers. A program that reads the file as text gets decimals: the shortest ones from
// which the same bits can be read back.
package archive

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// MaxBytes is the largest size of a member.
const MaxBytes = 1 << 30

// BlockBytes is the size of a tar header, the first bytes of an archive.
const BlockBytes = 512

// Begins reports whether data begins with the header of a tar file. It returns false for every scene, because the
// header contains zero bytes.
func Begins(data []byte) bool {
	const magic = 257 // offset of "ustar" in a header: POSIX.1-1988, ustar interchange format
	return len(data) >= BlockBytes && bytes.HasPrefix(data[magic:], []byte("ustar"))
}

// Archive is a scene and its files. It is immutable and safe for concurrent use.
type Archive struct {
	Name  string // of the member with the scene
	Scene []byte
	files map[string]content
}

// content is a function that returns the size of a file, exact or estimated, and a new reader of the file. The
// reader must not be used concurrently.
type content func() (size int64, from io.Reader)

// Read reads an archive and nothing after it. An error about a member begins with the member's name.
func Read(r io.Reader) (*Archive, error) {
	a := &Archive{files: make(map[string]content)}
	from := tar.NewReader(r)
	for first := true; ; first = false {
		member, err := from.Next()
		switch {
		case err == io.EOF && first:
			return nil, errors.New("the archive has no members; the first must be the scene")
		case err == io.EOF:
			return a, nil
		case err != nil:
			return nil, fmt.Errorf("reading the archive: %w", err)
		}
		if err := a.addMember(member, from, first); err != nil {
			return nil, fmt.Errorf("%s: %w", member.Name, err)
		}
	}
}

// addMember reads a member.
func (a *Archive) addMember(member *tar.Header, from io.Reader, isScene bool) error {
	name := path.Clean(member.Name)
	switch {
	case member.Typeflag == tar.TypeDir && !isScene:
		return nil
	case member.Typeflag != tar.TypeReg:
		return errors.New("must be a regular file")
	case member.Size > MaxBytes:
		return fmt.Errorf("must have at most %d bytes, got %d", MaxBytes, member.Size)
	case isScene:
	case !fs.ValidPath(name) || strings.Contains(member.Name, ".."):
		return errors.New(`must be a path relative to the scene's folder, without ".."`)
	}
	data := make([]byte, member.Size)
	if _, err := io.ReadFull(from, data); err != nil {
		return err
	}
	if isScene {
		a.Name, a.Scene = member.Name, data
		return nil
	}
	file := content(func() (int64, io.Reader) { return int64(len(data)), bytes.NewReader(data) })
	if stem, isTable := strings.CutSuffix(name, ".npy"); isTable {
		t, err := parseTable(data)
		if err != nil {
			return err
		}
		name, file = stem+".csv", t.content
	}
	if _, twice := a.files[name]; twice {
		return fmt.Errorf("the archive has the file %s twice", name)
	}
	a.files[name] = file
	return nil
}

// Over returns a file system with the files of the archive. For all other names, it has the files of folder.
func (a *Archive) Over(folder fs.FS) fs.FS { return overlay{a, folder} }

type overlay struct {
	archive *Archive
	folder  fs.FS
}

// Open implements [fs.FS].
func (o overlay) Open(name string) (fs.File, error) {
	if file, ok := o.archive.files[name]; ok {
		size, from := file()
		return &opened{Reader: from, info: info{path.Base(name), size}}, nil
	}
	return o.folder.Open(name)
}

// TableOf returns the table that f reads. It returns nil if f is not an open file of an archive, or if its member is
// not a table.
func TableOf(f fs.File) *Table {
	if o, ok := f.(*opened); ok {
		if r, ok := o.Reader.(*rows); ok {
			return r.Table
		}
	}
	return nil
}

// opened is an open file of an archive.
type opened struct {
	io.Reader
	info
}

func (f *opened) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *opened) Close() error               { return nil }

// info describes a file of an archive.
type info struct {
	name string
	size int64
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return 0o444 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }
