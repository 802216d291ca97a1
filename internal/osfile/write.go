package osfile

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// Outputs writes files whole or not at all: into a temporary file, which is then renamed. The zero
// value is ready to use. Its methods may be called from several goroutines.
//
// These rules hold for every file that is written:
//   - An existing file keeps its permissions. A read-only file is never replaced, not even by the
//     superuser, although the folder's permissions would allow the renaming.
//   - A symbolic link stays; the file that it leads to is replaced.
//   - A device or a named pipe is written to as it is.
//   - Missing folders are created, but only once the file is complete.
//   - Errors are [*fs.PathError]s with the given name.
type Outputs struct {
	// RefuseLinks makes a symbolic link an error: in a folder that came from elsewhere it may lead
	// anywhere.
	RefuseLinks bool

	mu      sync.Mutex // also held while temporary files are created and renamed
	temp    map[string]*os.File
	folders map[string]*os.File // temporary ones, with their locks
	closed  bool
	sync    func(*os.File) error // nil means [os.File.Sync]; for tests
}

var (
	errAbandoned = errors.New("interrupted")
	errLink      = errors.New("a symbolic link, which is not followed here")
	errReadOnly  = fmt.Errorf("read-only file: %w", fs.ErrPermission)
)

// Target is the place of an output.
type Target struct {
	Path    string // with the final symbolic links resolved
	Exists  bool
	Special bool // a device or a named pipe, which can only be written to as it is

	mode fs.FileMode // if it exists
}

// Locate returns the place of an output of the given name, which need not exist. A folder is an error.
func Locate(name string) (Target, error) {
	t := Target{Path: name}
	info, err := os.Stat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t, naming(name, err)
	}
	if err == nil {
		t.Exists, t.mode = true, info.Mode()
		t.Special = !t.mode.IsRegular()
	}
	if t.mode.IsDir() {
		return t, &fs.PathError{Op: "write", Path: name, Err: syscall.EISDIR}
	}
	if !t.Special {
		t.Path, err = followLink(name)
		return t, err
	}
	return t, nil
}

// followLink returns the path that the symbolic link name leads to, whether or not it exists.
// ([filepath.EvalSymlinks] requires that.)
func followLink(name string) (string, error) {
	const maxLinks = 40 // the limit of Linux
	path := name
	for range maxLinks {
		next, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link
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

// Canonical returns one name for all names of a file, whether or not it exists.
func Canonical(name string) string {
	if t, err := Locate(name); err == nil {
		name = t.Path
	}
	// Not cleaned before links are followed: ".." after a linked folder means that folder's parent.
	dir, base := filepath.Split(name)
	if real, err := filepath.EvalSymlinks(dir + "."); err == nil {
		name = filepath.Join(real, base)
	}
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}

// locate is [Locate], and reports what must not be replaced.
func (o *Outputs) locate(name string) (Target, error) {
	if o.RefuseLinks {
		if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return Target{}, &fs.PathError{Op: "write", Path: name, Err: errLink}
		}
	}
	t, err := Locate(name)
	if err != nil || t.Special || !t.Exists {
		return t, err
	}
	if t.mode.Perm()&0o222 == 0 {
		return t, &fs.PathError{Op: "write", Path: name, Err: errReadOnly}
	}
	file, err := os.OpenFile(t.Path, os.O_WRONLY, 0) // access control lists, file systems mounted read-only
	if err != nil {
		return t, naming(name, err)
	}
	return t, file.Close()
}

// Check reports an error that [Outputs.Write] would return, before the work of making the file.
// It changes nothing.
func (o *Outputs) Check(name string) error {
	t, err := o.locate(name)
	if err != nil || t.Special {
		return err
	}
	file, err := o.create(t)
	if err != nil {
		return naming(name, err)
	}
	o.discard(file)
	return nil
}

// Write creates or replaces the named file with what fill writes. If it returns an error, nothing
// has changed, unless the file is special.
func (o *Outputs) Write(name string, fill func(io.Writer) error) error {
	d, err := o.Create(name)
	if err != nil {
		return err
	}
	if err := fill(d); err != nil {
		d.Discard()
		return err
	}
	return d.Commit()
}

// WriteNew creates the named file, which must not exist: otherwise the error is [fs.ErrExist].
func (o *Outputs) WriteNew(name string, data []byte) error {
	if _, err := os.Lstat(name); err == nil {
		return &fs.PathError{Op: "write", Path: name, Err: fs.ErrExist}
	}
	d, err := o.Create(name)
	if err != nil {
		return err
	}
	d.exclusive = true
	if _, err := d.Write(data); err != nil {
		d.Discard()
		return err
	}
	return d.Commit()
}

// A Draft is a file that is being written. [Draft.Commit] gives it its name; either Commit or
// [Draft.Discard] must be called. It must not be used by several goroutines at once.
type Draft struct {
	outputs   *Outputs
	name      string
	target    Target
	exclusive bool // replaces nothing
	file      *os.File
	buffer    *bufio.Writer
}

// Create starts to write the named file.
func (o *Outputs) Create(name string) (*Draft, error) {
	t, err := o.locate(name)
	if err != nil {
		return nil, err
	}
	d := &Draft{outputs: o, name: name, target: t}
	if t.Special {
		d.file, err = os.OpenFile(name, os.O_WRONLY, 0)
	} else {
		d.file, err = o.create(t)
	}
	if err != nil {
		return nil, naming(name, err)
	}
	d.buffer = bufio.NewWriterSize(d.file, 1<<16)
	return d, nil
}

// Path returns the path that the draft will have.
func (d *Draft) Path() string { return d.target.Path }

// TempName returns the name of the file that holds the draft, for other programs to write to.
func (d *Draft) TempName() string { return d.file.Name() }

func (d *Draft) Write(p []byte) (int, error) {
	n, err := d.buffer.Write(p)
	return n, naming(d.name, err)
}

// WriteAt replaces what was written at an offset.
func (d *Draft) WriteAt(p []byte, off int64) (int, error) {
	if err := d.buffer.Flush(); err != nil {
		return 0, naming(d.name, err)
	}
	n, err := d.file.WriteAt(p, off)
	return n, naming(d.name, err)
}

// Rename gives the draft another name, in the same folder.
func (d *Draft) Rename(name string) error {
	t, err := d.outputs.locate(name)
	if err == nil {
		d.name, d.target = name, t
	}
	return err
}

// Commit completes the file and gives it its name. After an error the draft is discarded.
func (d *Draft) Commit() error { return d.outputs.Commit(d) }

// Commit completes drafts and gives them their names, in the given order. If the process is interrupted,
// all of them or none have their names. After an error the drafts that were not renamed are discarded.
func (o *Outputs) Commit(drafts ...*Draft) error {
	for _, d := range drafts {
		if err := d.finish(); err != nil {
			for _, d := range drafts {
				d.Discard()
			}
			return naming(d.name, err)
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, d := range drafts {
		if err := d.rename(); err != nil {
			for _, d := range drafts[i:] {
				d.remove()
			}
			return naming(d.name, err)
		}
	}
	return nil
}

// finish closes the file when its contents are on the disk: after a power cut the name must not
// belong to an empty file.
func (d *Draft) finish() error {
	if err := d.buffer.Flush(); err != nil {
		return err
	}
	if !d.target.Special {
		if err := d.outputs.flush(d.file); err != nil {
			return err
		}
	}
	return d.file.Close()
}

// rename gives a finished draft its name. The lock is held.
func (d *Draft) rename() error {
	o, temp := d.outputs, d.file.Name()
	if d.target.Special {
		return nil
	}
	if o.closed {
		return errAbandoned
	}
	undo, err := makeFolders(d.target.Path)
	if err != nil {
		return err
	}
	if d.exclusive {
		err = os.Link(temp, d.target.Path)
		if err == nil {
			err = os.Remove(temp)
		} else if _, there := os.Lstat(d.target.Path); errors.Is(there, fs.ErrNotExist) {
			err = os.Rename(temp, d.target.Path) // a file system without links
		}
	} else {
		err = os.Rename(temp, d.target.Path)
	}
	if err != nil {
		undo()
		return err
	}
	delete(o.temp, temp)
	return nil
}

// foldersOf returns the folders that the path of a file needs and that do not exist, the innermost first, and
// the one that holds them, which does. "" is the current folder. Nothing is cleaned, because ".." after
// a linked folder means that folder's parent.
func foldersOf(path string) (existing string, missing []string) {
	existing, _ = filepath.Split(path)
	for existing != "" && !Exists(existing) {
		missing = append(missing, existing)
		existing, _ = filepath.Split(strings.TrimRight(existing, string(filepath.Separator)))
	}
	return existing, missing
}

// makeFolders creates the folders that a path needs, and returns what removes them again.
func makeFolders(path string) (undo func(), err error) {
	_, missing := foldersOf(path)
	undo = func() {
		for _, created := range missing {
			_ = os.Remove(created) // fails if it is not empty
		}
	}
	if len(missing) == 0 {
		return undo, nil
	}
	if err := os.MkdirAll(missing[0], 0o777); err != nil {
		undo()
		return nil, err
	}
	return undo, nil
}

// Discard removes the draft. What had its name stays as it was.
func (d *Draft) Discard() {
	if d.target.Special {
		d.file.Close()
	} else {
		d.outputs.discard(d.file)
	}
}

// remove is Discard while the lock is held.
func (d *Draft) remove() {
	if !d.target.Special {
		d.outputs.remove(d.file)
	}
}

// The names of temporary files. They are hidden, and no scene or picture is called that.
const (
	tempPrefix = ".render-"
	tempSuffix = ".tmp"
)

// IsTemporary reports whether a file of this name may be what a process that was killed has left of an output.
func IsTemporary(name string) bool {
	base := filepath.Base(name)
	return strings.HasPrefix(base, tempPrefix) && strings.HasSuffix(base, tempSuffix)
}

// create creates a temporary file in the target's folder or, while that is missing, in the nearest one above.
// Its permissions are those of the file that it replaces or, if none exists, what the umask allows.
// ([os.CreateTemp] admits only the owner.)
func (o *Outputs) create(t Target) (*os.File, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, errAbandoned
	}
	dir, _ := foldersOf(t.Path)
	for {
		name := fmt.Sprintf("%s%s%08x%s", dir, tempPrefix, rand.Uint32(), tempSuffix)
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if o.temp == nil {
			o.temp = make(map[string]*os.File)
		}
		o.temp[name] = file
		if t.Exists {
			// Best effort: some file systems have no permissions to set.
			_ = file.Chmod(t.mode.Perm())
		}
		return file, nil
	}
}

func (o *Outputs) flush(file *os.File) error {
	sync := o.sync
	if sync == nil {
		sync = (*os.File).Sync
	}
	err := sync(file)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil // the file system cannot
	}
	return err
}

// discard removes a temporary file.
func (o *Outputs) discard(file *os.File) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.remove(file)
}

// remove is discard while the lock is held.
func (o *Outputs) remove(file *os.File) {
	file.Close() // closed already if only the renaming failed
	os.Remove(file.Name())
	delete(o.temp, file.Name())
}

// Abandon removes all temporary files and folders. Call it just before the process ends, whatever
// goroutines are still writing: they get errors, and no file can be created or completed any more.
func (o *Outputs) Abandon() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	var err error
	for name, file := range o.temp {
		file.Close() // Windows does not remove open files
		if failed := os.Remove(name); !errors.Is(failed, fs.ErrNotExist) {
			err = cmp.Or(err, failed)
		}
	}
	clear(o.temp)
	for name := range o.folders {
		err = cmp.Or(err, o.removeFolder(name))
	}
	return err
}

// naming returns err, which may be about a temporary file, as an error about the named file.
func naming(name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return &fs.PathError{Op: "write", Path: name, Err: path.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "write", Path: name, Err: link.Err}
	case err == errAbandoned:
		return &fs.PathError{Op: "write", Path: name, Err: err}
	default:
		return err
	}
}
