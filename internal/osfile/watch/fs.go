package watch

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
)

// FS returns a file system that watches each file when it is opened or looked for. The argument files is the file
// system with the contents of the folder dir. When ctx ends, files can no longer be opened or read.
func (w *Files) FS(ctx context.Context, dir string, files fs.FS) fs.FS {
	return watchedFS{ctx, w, dir, files}
}

type watchedFS struct {
	ctx   context.Context
	watch *Files
	dir   string
	files fs.FS
}

// Open implements [fs.FS].
func (d watchedFS) Open(name string) (fs.File, error) {
	if err := d.look("open", name); err != nil {
		return nil, err
	}
	f, err := d.files.Open(name)
	if err != nil {
		return nil, err
	}
	return interruptibleFile{f, d.ctx}, nil
}

// ReadDir implements [fs.ReadDirFS]. Its result affects only the text of messages, so the folder is not watched.
func (d watchedFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(d.files, name) }

// Stat implements [fs.StatFS].
func (d watchedFS) Stat(name string) (fs.FileInfo, error) {
	if err := d.look("stat", name); err != nil {
		return nil, err
	}
	return fs.Stat(d.files, name)
}

func (d watchedFS) look(op, name string) error {
	if err := context.Cause(d.ctx); err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	d.watch.Look(filepath.Join(d.dir, filepath.FromSlash(path.Clean(name))))
	return nil
}

// interruptibleFile is a file that can be read until the context ends.
type interruptibleFile struct {
	fs.File
	ctx context.Context
}

func (f interruptibleFile) Read(p []byte) (int, error) {
	if err := context.Cause(f.ctx); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}
