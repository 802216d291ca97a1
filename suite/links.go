package suite

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pillbox/internal/osfile"
)

// errLink is the error for a symbolic link among the files of a golden. A pull request may contain symbolic links, so
// its author could otherwise choose which files are read, written or removed.
var errLink = errors.New("symbolic links are refused among goldens: replace it by what it leads to")

// folder returns the folder that contains the golden.
func (r *Reference) folder() string { return filepath.Dir(r.base) }

// checkLinks returns an error if a file of the reference that will be read is a symbolic link. It does not check the
// proposal and the drawing, because writing them replaces a link by a file.
func (r *Reference) checkLinks() error {
	for _, name := range []string{r.Picture(), r.Accepted(), r.list(), r.sidecar(), r.Copies(), r.contents()} {
		if err := r.checkLink(name); err != nil {
			return err
		}
	}
	for sum := range r.listedSums() {
		if err := r.checkLink(r.content(sum)); err != nil {
			return err
		}
	}
	err := filepath.WalkDir(r.Copies(), func(name string, e fs.DirEntry, err error) error {
		if err == nil && isLink(e.Type()) {
			err = linkError(name)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// checkLink returns an error if a file of the reference, or a folder between [Reference.trusted] and that file, is a
// symbolic link.
func (r *Reference) checkLink(name string) error {
	at, err := filepath.Abs(r.trusted())
	if err != nil {
		return err
	}
	if name, err = filepath.Abs(name); err != nil {
		return err
	}
	rel, err := filepath.Rel(at, name)
	if err != nil {
		return err
	}
	for element := range strings.SplitSeq(rel, string(filepath.Separator)) {
		at = filepath.Join(at, element)
		if err := refuseLink(at); err != nil {
			return err
		}
	}
	return nil
}

// trusted returns the folder that the path of the goldens may reach through links: the goldens' folder if the user named
// it, the folder of golden.toml if there is one, or else the folder that contains the goldens' folder.
func (r *Reference) trusted() string {
	switch {
	case r.folderNamed:
		return r.folder()
	case r.project != nil:
		return r.project.dir
	}
	return filepath.Dir(r.folder())
}

func refuseLink(name string) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case isLink(info.Mode()):
		return linkError(name)
	}
	return nil
}

// isLink reports whether a file is a symbolic link or, on Windows, a junction.
func isLink(mode fs.FileMode) bool { return mode&(fs.ModeSymlink|fs.ModeIrregular) != 0 }

func linkError(name string) error {
	if current, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(current, name); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
	}
	return &fs.PathError{Op: "open", Path: name, Err: errLink}
}

// write creates or replaces a file of the reference. It checks for links again after fill has returned and before write
// renames the file, so a link that appears in the meantime is refused, too. Anything that is not a regular file is
// refused: opening a named pipe, for example, would wait for a reader.
func (r *Reference) write(write WriteFunc, name string, fill func(io.Writer) error) error {
	if err := r.checkLink(name); err != nil {
		return err
	}
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "write", Path: name, Err: osfile.ErrNotRegular}
	}
	return write(name, func(w io.Writer) error {
		if err := fill(w); err != nil {
			return err
		}
		return r.checkLink(name)
	})
}

// remove removes a file or an empty folder of the reference, if it exists.
func (r *Reference) remove(name string) error {
	if err := r.checkLink(filepath.Dir(name)); err != nil {
		return err
	}
	err := r.inFolder(name, (*os.Root).Remove)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// makeFolders creates a folder of the reference and its parents.
func (r *Reference) makeFolders(name string) error {
	if err := r.checkLink(name); err != nil {
		return err
	}
	return r.inFolder(name, func(root *os.Root, name string) error { return root.MkdirAll(name, 0o777) })
}

// inFolder calls f with a root at the goldens' folder and a name relative to it. The root follows no link to a place
// outside.
func (r *Reference) inFolder(name string, f func(root *os.Root, name string) error) error {
	rel, err := filepath.Rel(r.folder(), name)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(r.folder())
	if err != nil {
		return err
	}
	defer root.Close()
	err = f(root, rel)
	var path *fs.PathError
	if errors.As(err, &path) {
		path.Path = name // relative to the working directory, as in other errors
	}
	return err
}
