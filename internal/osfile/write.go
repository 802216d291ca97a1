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
	"slices"
	"strings"
	"sync"
	"syscall"

	"pillbox/internal/sniff"
)

// Outputs writes files completely or not at all: it writes a temporary file and then renames it. The
// zero value is ready to use. Its methods may be called from several goroutines.
//
// These rules hold for every file that is written:
//   - An existing file keeps its permissions. A read-only file is never replaced, not even by the
//     superuser or where the folder's permissions would allow it.
//   - A symbolic link is kept, and its target is replaced.
//   - A device or a named pipe is written to directly.
//   - Missing folders are created, but only once the file is complete.
//   - No input of [Outputs.Protect] is replaced, no file whose format is not that of the output's extension, and no TOML
//     file, unless ReplaceScenes is set and the file is a scene. The error is a [*Refusal]. An empty file may be replaced.
//     [CheckFormat] finds outputs of another format than their extension says.
//   - Errors of the file system are [*fs.PathError]s with the name that the caller gave.
type Outputs struct {
	// RefuseLinks makes it an error to write to a symbolic link. In an untrusted folder, a link may
	// point anywhere.
	RefuseLinks bool

	// ReplaceScenes allows replacing scenes by outputs whose names end in .toml.
	ReplaceScenes bool

	// IsScene reports whether a file is a scene. It reads only what it needs. If it is nil, each TOML file is a scene.
	IsScene func(r io.Reader) (bool, error)

	rules   sync.Mutex // guards inputs and checked
	inputs  []string   // files that must not be replaced
	checked []string   // outputs

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

// Target is the file that an output will create or replace.
type Target struct {
	Path    string // with the final symbolic links resolved, unless Special
	Exists  bool
	Special bool // a device or a named pipe, which is written to directly

	mode fs.FileMode // if it exists
}

// Locate returns the target of an output with the given name. The file need not exist. It returns an
// error for a folder.
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

// followLink returns the target of the symbolic link name. Unlike [filepath.EvalSymlinks], it does not
// require that the target exists.
func followLink(name string) (string, error) {
	const maxLinks = 40 // the limit of Linux
	path := name
	for range maxLinks {
		next, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link
		}
		if !filepath.IsAbs(next) {
			// The path must not be cleaned: ".." after a linked folder means the parent of the link's target.
			dir, _ := filepath.Split(path)
			next = dir + next
		}
		path = next
	}
	return "", &fs.PathError{Op: "write", Path: name, Err: errors.New("too many symbolic links")}
}

// Canonical returns a path that is the same for all names of a file, except hard links. The file need not exist.
func Canonical(name string) string {
	if t, err := Locate(name); err == nil {
		name = t.Path
	}
	// The path must not be cleaned before links are followed: ".." after a linked folder means the parent of the
	// link's target.
	dir, base := filepath.Split(name)
	if real, err := filepath.EvalSymlinks(dir + "."); err == nil {
		name = filepath.Join(real, base)
	}
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}

// locate is [Locate], and also returns an error if the target must not be replaced.
func (o *Outputs) locate(name string) (Target, error) {
	t, err := o.locateOwn(name)
	if err == nil && t.Exists && !t.Special {
		err = o.checkReplace(name)
	}
	return t, err
}

// locateOwn is locate for a file that the program may replace whatever it contains.
func (o *Outputs) locateOwn(name string) (Target, error) {
	if o.RefuseLinks {
		if err := RefuseLink(name); err != nil {
			return Target{}, err
		}
	}
	t, err := Locate(name)
	if err != nil || t.Special || !t.Exists {
		return t, err
	}
	if t.mode.Perm()&0o222 == 0 {
		return t, &fs.PathError{Op: "write", Path: name, Err: errReadOnly}
	}
	file, err := os.OpenFile(t.Path, os.O_WRONLY, 0) // fails for access control lists and for file systems that are mounted read-only
	if err != nil {
		return t, naming(name, err)
	}
	return t, file.Close()
}

// RefuseLink returns an error if the name of an output is a symbolic link. It is for names that a program chooses and the
// user did not give: the link may be anybody's.
func RefuseLink(name string) error {
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return &fs.PathError{Op: "write", Path: name, Err: errLink}
	}
	return nil
}

// Check returns an error that [Outputs.Write] would return for this name, before the caller computes
// the contents. It changes no file. Like [Outputs.Expect], it adds the name to the outputs.
func (o *Outputs) Check(name string) error {
	if err := o.Expect(name); err != nil {
		return err
	}
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

// Write creates or replaces the named file with the data that the function fill writes. If it returns an error, the
// file is unchanged, unless it is a device or a pipe.
func (o *Outputs) Write(name string, fill func(io.Writer) error) error {
	d, err := o.Create(name)
	if err != nil {
		return err
	}
	return d.complete(fill)
}

// complete fills and commits the draft. If fill fails, complete discards the draft.
func (d *Draft) complete(fill func(io.Writer) error) error {
	if err := fill(d); err != nil {
		d.Discard()
		return err
	}
	return d.Commit()
}

// Rewrite is Write for a file that the program owns or edits, such as a golden or the scene in an editor. The rules
// about inputs, formats and scenes do not apply.
func (o *Outputs) Rewrite(name string, fill func(io.Writer) error) error {
	t, err := o.locateOwn(name)
	if err != nil {
		return err
	}
	d, err := o.createAt(name, t)
	if err != nil {
		return err
	}
	return d.complete(fill)
}

// Append adds text to the named file, to which other programs add text as well, or creates it. It returns an error if
// Write would not replace the file.
func (o *Outputs) Append(name, text string) error {
	if err := errors.Join(CheckFormat(name, sniff.Text), o.Expect(name)); err != nil {
		return err
	}
	if _, err := o.locate(name); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return naming(name, err)
	}
	_, err = file.WriteString(text)
	return naming(name, errors.Join(err, file.Close()))
}

// WriteTogether creates or replaces several files, all of them or none, as far as [Outputs.Commit] guarantees it. The
// function fill calls its argument create for each file, and writes to the writer that create returns. The files get
// their final names in the reverse order of these calls, so a file may refer to files that are created after it. The first
// file is missing while others are replaced: a process that is killed then leaves no old first file beside new others, but
// leaves the old one under a temporary name. If WriteTogether returns an error of fill or create, no file has changed,
// except for devices and pipes.
func (o *Outputs) WriteTogether(fill func(create func(name string) (io.Writer, error)) error) error {
	var drafts []*Draft
	err := fill(func(name string) (io.Writer, error) {
		d, err := o.Create(name)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
		return d, nil
	})
	if err != nil {
		for _, d := range drafts {
			d.Discard()
		}
		return err
	}
	slices.Reverse(drafts)
	return o.commit(drafts, true)
}

// WriteNew creates the named file, which must not exist: otherwise the error wraps [fs.ErrExist].
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

// A Draft is a file that is being written under a temporary name. [Draft.Commit] gives it its final
// name. The caller must call Commit or [Draft.Discard]. A Draft is not safe for concurrent use.
type Draft struct {
	outputs   *Outputs
	name      string
	target    Target
	exclusive bool // must not replace a file
	file      *os.File
	buffer    *bufio.Writer
}

// Create starts to write the named file.
func (o *Outputs) Create(name string) (*Draft, error) {
	t, err := o.locate(name)
	if err != nil {
		return nil, err
	}
	return o.createAt(name, t)
}

// createAt starts to write a file that was located.
func (o *Outputs) createAt(name string, t Target) (d *Draft, err error) {
	d = &Draft{outputs: o, name: name, target: t}
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

// Path returns the final path of the draft.
func (d *Draft) Path() string { return d.target.Path }

// TempName returns the temporary name, so that other programs can write the file.
func (d *Draft) TempName() string { return d.file.Name() }

func (d *Draft) Write(p []byte) (int, error) {
	n, err := d.buffer.Write(p)
	return n, naming(d.name, err)
}

// WriteAt overwrites data at an offset.
func (d *Draft) WriteAt(p []byte, off int64) (int, error) {
	if err := d.buffer.Flush(); err != nil {
		return 0, naming(d.name, err)
	}
	n, err := d.file.WriteAt(p, off)
	return n, naming(d.name, err)
}

// Rename changes the final name of the draft. The new name must be in the same folder as the old one.
func (d *Draft) Rename(name string) error {
	t, err := d.outputs.locate(name)
	if err == nil {
		d.name, d.target = name, t
	}
	return err
}

// Commit completes the file and gives it its final name. If it fails, it discards the draft.
func (d *Draft) Commit() error { return d.outputs.Commit(d) }

// Commit completes drafts and gives them their final names, in order. If another goroutine calls
// [Outputs.Abandon] at the same time, either all drafts get these names or none. If Commit fails, it
// discards the drafts that are not renamed yet.
func (o *Outputs) Commit(drafts ...*Draft) error { return o.commit(drafts, false) }

// commit is Commit. If the last draft refers to the others, it puts the old file of the last draft aside while it
// replaces others.
func (o *Outputs) commit(drafts []*Draft, lastRefers bool) error {
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
	aside := ""
	if lastRefers && slices.ContainsFunc(drafts[:max(len(drafts)-1, 0)], func(d *Draft) bool { return d.target.Exists }) {
		aside = drafts[len(drafts)-1].putAside()
	}
	for i, d := range drafts {
		if err := d.rename(); err != nil {
			if i == 0 && aside != "" {
				_ = os.Rename(aside, drafts[len(drafts)-1].target.Path)
			}
			for _, d := range drafts[i:] {
				d.remove()
			}
			return naming(d.name, err)
		}
	}
	if aside != "" {
		_ = os.Remove(aside) // it remains as a temporary file
	}
	return nil
}

// putAside gives the file that the draft replaces a temporary name, and returns this name, or "" if there is no such file.
// The caller holds the lock.
func (d *Draft) putAside() string {
	if d.target.Special || !d.target.Exists || d.outputs.closed {
		return ""
	}
	aside := strings.TrimSuffix(d.file.Name(), tempSuffix) + asideSuffix
	if os.Rename(d.target.Path, aside) != nil {
		return ""
	}
	return aside
}

// finish writes the contents to the disk and closes the file. If they were not on the disk, the renamed file could be
// empty after a power failure.
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

// rename gives a finished draft its final name. The caller holds the lock.
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
			err = os.Rename(temp, d.target.Path) // the file system has no links
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

// foldersOf returns the missing folders in the path of a file, innermost first, and the existing folder
// that would contain them; "" is the current folder. It does not clean the path, because ".." after a
// linked folder means the parent of the link's target.
func foldersOf(path string) (existing string, missing []string) {
	existing, _ = filepath.Split(path)
	for existing != "" && !Exists(existing) {
		missing = append(missing, existing)
		existing, _ = filepath.Split(strings.TrimRight(existing, string(filepath.Separator)))
	}
	return existing, missing
}

// makeFolders creates the missing folders of a path. undo removes them again.
func makeFolders(path string) (undo func(), err error) {
	_, missing := foldersOf(path)
	undo = func() {
		for _, created := range missing {
			_ = os.Remove(created) // fails if the folder is not empty
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

// Discard removes the draft. An existing file with its final name is unchanged.
func (d *Draft) Discard() {
	if d.target.Special {
		d.file.Close()
	} else {
		d.outputs.discard(d.file)
	}
}

// remove is Discard for callers that hold the lock.
func (d *Draft) remove() {
	if !d.target.Special {
		d.outputs.remove(d.file)
	}
}

// Names of temporary files begin and end like this: they are hidden, and no scene or picture has such a
// name.
const (
	tempPrefix  = ".render-"
	tempSuffix  = ".tmp"
	asideSuffix = "-old" + tempSuffix // of an old file that was put aside
)

// IsTemporary reports whether a name has the form of temporary file names. A killed process can leave such a file.
func IsTemporary(name string) bool {
	base := filepath.Base(name)
	return strings.HasPrefix(base, tempPrefix) && strings.HasSuffix(base, tempSuffix)
}

// IsAside reports whether a temporary file is the old version of a file that [Outputs.WriteTogether] was replacing. It may be the
// only copy.
func IsAside(name string) bool { return IsTemporary(name) && strings.HasSuffix(name, asideSuffix) }

// Leftovers returns the paths of the temporary files in folders, each once even if folders have several names. A process that was
// killed leaves such files; a process that writes a file at the same time has some as well. A folder that cannot be read has none.
func Leftovers(folders ...string) (names []string) {
	searched := make(map[string]bool)
	for _, folder := range folders {
		if searched[folder] {
			continue
		}
		searched[folder] = true
		real := Canonical(filepath.Join(folder, ".render")) // of a file in it, so that links to folders are followed
		if real != folder && searched[real] {
			continue
		}
		searched[real] = true
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			if IsTemporary(e.Name()) {
				names = append(names, filepath.Join(folder, e.Name()))
			}
		}
	}
	return names
}

// create creates a temporary file in the target's folder or, if that is missing, in the nearest existing folder above.
// The file gets the permissions of the file that it replaces. If none exists, it gets those that the umask allows.
// ([os.CreateTemp] would give permissions only to the owner.)
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
		return nil // the file system does not support it
	}
	return err
}

// discard removes a temporary file.
func (o *Outputs) discard(file *os.File) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.remove(file)
}

// remove is discard for callers that hold the lock.
func (o *Outputs) remove(file *os.File) {
	file.Close() // fails if the file is closed already, because only the rename failed
	os.Remove(file.Name())
	delete(o.temp, file.Name())
}

// Abandon removes all temporary files and folders. Call it just before the process ends. Goroutines
// that are still writing get errors, and no file can be created or completed any more.
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

// naming replaces the name of a temporary file in err with the given name.
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
