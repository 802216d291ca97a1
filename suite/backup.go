package suite

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/internal/osfile"
)

// A Backup holds copies of a reference's files, from which [Backup.Restore] undoes [Result.Accept] or
// [Reference.Tidy].
type Backup struct {
	reference Reference
	files     map[string]savedFile // by path; mode 0: no regular file with this path existed
	missing   []string             // folders that did not exist, the innermost first
}

type savedFile struct {
	data []byte
	mode fs.FileMode
}

// Backup reads all files that [Result.Accept] and [Reference.Tidy] may write or remove. It does not
// save symbolic links, which these methods refuse or remove. After [Result.Release] it returns an
// error.
func (r *Result) Backup() (*Backup, error) {
	if err := r.checkNotReleased(); err != nil {
		return nil, err
	}
	b := &Backup{reference: r.Reference, files: make(map[string]savedFile)}
	for _, name := range r.Files() {
		if err := b.save(name); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Concat(names(r.acceptedFiles.Files), names(r.presentFiles.Files)) {
		if err := b.save(r.copyOf(name)); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(b.missing, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return b, nil
}

func (b *Backup) save(name string) error {
	for dir := filepath.Dir(name); !osfile.Exists(dir) && !slices.Contains(b.missing, dir); dir = filepath.Dir(dir) {
		b.missing = append(b.missing, dir)
	}
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !info.Mode().IsRegular():
		b.files[name] = savedFile{}
		return nil
	case err != nil:
		return err
	}
	data, err := os.ReadFile(name)
	b.files[name] = savedFile{data, info.Mode()}
	return err
}

// Restore undoes all changes to the saved files. It rewrites files that were changed or removed, with
// their permissions. It removes files that did not exist or were symbolic links when the backup was
// made, and folders that did not exist, if they are empty.
func (b *Backup) Restore(write WriteFunc) error {
	r := &b.reference
	for name, saved := range b.files {
		var err error
		if saved.mode == 0 {
			err = r.remove(name)
		} else {
			err = b.restore(write, name, saved)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, dir := range b.missing {
		if dir == r.folder() || strings.HasPrefix(r.folder(), dir+string(filepath.Separator)) {
			_ = os.Remove(dir) // fails if the folder contains other files
		} else {
			_ = r.remove(dir)
		}
	}
	return nil
}

func (b *Backup) restore(write WriteFunc, name string, saved savedFile) error {
	r := &b.reference
	if data, err := os.ReadFile(name); err == nil && bytes.Equal(data, saved.data) {
		return nil
	}
	if err := r.makeFolders(filepath.Dir(name)); err != nil {
		return err
	}
	if err := r.writeBytes(write, name, saved.data); err != nil {
		return err
	}
	return r.inFolder(name, func(root *os.Root, name string) error { return root.Chmod(name, saved.mode.Perm()) })
}
