package scene

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"time"
)

// Memory is a folder in memory, for [DecodeFS]: what files hold, by their paths. It lists no folders.
type Memory map[string][]byte

// Open implements [fs.FS].
func (m Memory) Open(name string) (fs.File, error) {
	data, ok := m[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return memoryFile{bytes.NewReader(data), name}, nil
}

// memoryFile is an open file of a [Memory], and its description.
type memoryFile struct {
	*bytes.Reader
	name string
}

func (f memoryFile) Stat() (fs.FileInfo, error) { return f, nil }
func (memoryFile) Close() error                 { return nil }
func (f memoryFile) Name() string               { return path.Base(f.name) }
func (memoryFile) Mode() fs.FileMode            { return 0o444 }
func (memoryFile) ModTime() time.Time           { return time.Time{} }
func (memoryFile) IsDir() bool                  { return false }
func (memoryFile) Sys() any                     { return nil }

// Recorder is a folder for [DecodeFS] that keeps what is read from it: the files of a scene, as they were.
// It is not safe for concurrent use.
type Recorder struct {
	fs.FS
	Files Memory // what was opened
}

// Record returns a recorder of what is read from files.
func Record(files fs.FS) Recorder { return Recorder{files, make(Memory)} }

// Open reads a regular file as a whole, and keeps it.
func (r Recorder) Open(name string) (fs.File, error) {
	f, err := r.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return f, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBulkBytes+1))
	if err != nil {
		return nil, err
	}
	r.Files[name] = data
	return r.Files.Open(name)
}

// Stat describes a file without opening it, which a pipe does not let one do at once.
func (r Recorder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(r.FS, name) }
