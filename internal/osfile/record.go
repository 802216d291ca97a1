package osfile

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"time"
)

// Memory is a file system in memory: it maps the paths of files to their contents. It cannot list
// folders.
type Memory map[string][]byte

// Open implements [fs.FS].
func (m Memory) Open(name string) (fs.File, error) {
	data, ok := m[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return memoryFile{bytes.NewReader(data), name}, nil
}

// memoryFile is an open file of a [Memory], and its [fs.FileInfo].
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

// Recorder is a file system that keeps the contents of every regular file opened through it. It is not safe for
// concurrent use.
type Recorder struct {
	fs.FS
	Files Memory // the files that were opened

	maxBytes int64
}

// Record returns a Recorder for files. Of a file larger than maxBytes, it reads and keeps only maxBytes
// + 1 bytes, enough to detect that the file is too large.
func Record(files fs.FS, maxBytes int64) Recorder { return Recorder{files, make(Memory), maxBytes} }

// Open reads a whole regular file and keeps its contents. It opens other files without reading them.
func (r Recorder) Open(name string) (fs.File, error) {
	f, err := r.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return f, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, r.maxBytes+1))
	if err != nil {
		return nil, err
	}
	r.Files[name] = data
	return r.Files.Open(name)
}

// Stat describes a file without opening it: opening a pipe would wait for its other end.
func (r Recorder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(r.FS, name) }
