package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// files writes files whole or not at all: into a temporary file in the same folder, which
// then takes the name. Its methods may be called from several goroutines.
type files struct {
	mu   sync.Mutex // also held while temporary files are made and renamed
	temp map[string]bool
	sync func(*os.File) error // nil means [os.File.Sync]; for tests
}

// target is where a named file will be.
type target struct {
	path    string // behind symbolic links
	exists  bool
	mode    fs.FileMode // if it exists
	special bool        // a device or a pipe, which can only be written to as it is
}

// locate says where a file of the given name will be. A folder is an error.
func locate(name string) (target, error) {
	t := target{path: name}
	info, err := os.Stat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t, err
	}
	if err == nil {
		t.exists, t.mode = true, info.Mode()
		t.special = !t.mode.IsRegular()
	}
	if t.mode.IsDir() {
		return t, &fs.PathError{Op: "write", Path: name, Err: syscall.EISDIR}
	}
	if !t.special {
		t.path, err = followLink(name)
	}
	return t, err
}

// followLink returns the path behind the symbolic link name, whether or not anything is there.
// (filepath.EvalSymlinks wants the file to exist.)
func followLink(name string) (string, error) {
	const maxLinks = 40 // as Linux has it
	path := name
	for range maxLinks {
		next, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link
		}
		if !filepath.IsAbs(next) {
			// Not cleaned: ".." after a linked folder means that folder's parent.
			dir, _ := filepath.Split(path)
			next = dir + next
		}
		path = next
	}
	return "", &fs.PathError{Op: "write", Path: name, Err: errors.New("too many symbolic links")}
}

// check reports, before any work is done for it, an error that [files.write] would meet.
func (f *files) check(name string) error {
	t, err := locate(name)
	if err != nil || t.special {
		return err
	}
	if t.exists {
		// Renaming would replace a file that its owner has protected.
		file, err := os.OpenFile(t.path, os.O_WRONLY, 0)
		if err != nil {
			return naming(name, err)
		}
		file.Close()
	}
	file, err := f.create(t)
	if err != nil {
		return naming(name, err)
	}
	f.discard(file)
	return nil
}

// write makes or replaces the named file with what fill writes. An existing file keeps its
// permissions, and a symbolic link its place. If write returns an error, nothing has changed.
func (f *files) write(name string, fill func(io.Writer) error) error {
	d, err := f.draft(name)
	if err != nil {
		return err
	}
	if err := fill(d); err != nil {
		d.discard()
		return err
	}
	return d.keep()
}

// A draft is a file that is being written. It gets its name, and replaces what had it, when
// it is kept. Either keep or discard ends it.
type draft struct {
	files  *files
	name   string
	target target
	file   *os.File
	buffer *bufio.Writer
}

// draft starts to write the named file.
func (f *files) draft(name string) (*draft, error) {
	t, err := locate(name)
	if err != nil {
		return nil, err
	}
	d := &draft{files: f, name: name, target: t}
	if t.special {
		d.file, err = os.OpenFile(name, os.O_WRONLY, 0)
	} else {
		d.file, err = f.create(t)
	}
	if err != nil {
		return nil, naming(name, err)
	}
	d.buffer = bufio.NewWriterSize(d.file, 1<<16)
	return d, nil
}

func (d *draft) Write(p []byte) (int, error) {
	n, err := d.buffer.Write(p)
	return n, naming(d.name, err)
}

// WriteAt replaces what was written at an offset.
func (d *draft) WriteAt(p []byte, off int64) (int, error) {
	if err := d.buffer.Flush(); err != nil {
		return 0, naming(d.name, err)
	}
	n, err := d.file.WriteAt(p, off)
	return n, naming(d.name, err)
}

// rename gives the draft another name, in the same folder.
func (d *draft) rename(name string) (err error) {
	d.name = name
	d.target, err = locate(name)
	return err
}

// keep ends the draft as the named file.
func (d *draft) keep() error {
	err := d.buffer.Flush()
	if err == nil && d.target.special {
		err = d.file.Close()
	} else if err == nil {
		err = d.files.keep(d.file, d.target)
	}
	if err != nil {
		d.discard()
	}
	return naming(d.name, err)
}

// discard ends the draft as if it had never been.
func (d *draft) discard() {
	if d.target.special {
		d.file.Close()
	} else {
		d.files.discard(d.file)
	}
}

// create makes a temporary file with the permissions that the file at t has or, as it is
// new, will have: those that the umask allows. (os.CreateTemp allows the owner only.)
func (f *files) create(t target) (*os.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dir, _ := filepath.Split(t.path)
	for {
		name := fmt.Sprintf("%s.render-%08x.tmp", dir, rand.Uint32())
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if f.temp == nil {
			f.temp = make(map[string]bool)
		}
		f.temp[name] = true
		if t.exists {
			// Best effort: some file systems have no permissions to set.
			_ = file.Chmod(t.mode.Perm())
		}
		return file, nil
	}
}

// keep closes a temporary file and gives it its name. What it holds is on the disk before: after a
// power cut the name must not stand for an empty file.
func (f *files) keep(file *os.File, t target) error {
	if err := f.flush(file); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := os.Rename(file.Name(), t.path); err != nil {
		return err
	}
	delete(f.temp, file.Name())
	return nil
}

func (f *files) flush(file *os.File) error {
	sync := f.sync
	if sync == nil {
		sync = (*os.File).Sync
	}
	err := sync(file)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil // some file systems have no such thing
	}
	return err
}

// discard removes a temporary file.
func (f *files) discard(file *os.File) {
	file.Close() // closed already if only the renaming failed
	f.mu.Lock()
	defer f.mu.Unlock()
	os.Remove(file.Name())
	delete(f.temp, file.Name())
}

// abandon removes all temporary files. No file can be made or finished after that, so call
// it just before the program ends.
func (f *files) abandon() {
	f.mu.Lock() // for good
	for name := range f.temp {
		os.Remove(name)
	}
}

// naming returns err, which may speak of a temporary file, as an error about the named file.
func naming(name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return &fs.PathError{Op: "write", Path: name, Err: path.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "write", Path: name, Err: link.Err}
	default:
		return err
	}
}
