package suite

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"maps"
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
	files     map[string]savedFile // by path
	missing   []string             // folders that did not exist, the innermost first
}

// savedFile is a regular file or a symbolic link, or records that nothing existed.
type savedFile struct {
	mode fs.FileMode // 0: nothing existed
	of   *Reference
	data []byte // of a regular file
	link string // the target of a symbolic link
	sum  string // of a stored content, which other goldens may need; "" for other files
}

// Backup reads all files and symbolic links that [Result.Accept] and [Reference.Tidy] may write or
// remove. It saves neither folders nor pipes nor devices. After [Result.Release] it returns an error.
func (r *Result) Backup() (*Backup, error) {
	if err := r.checkNotReleased(); err != nil {
		return nil, err
	}
	b := &Backup{reference: r.Reference, files: make(map[string]savedFile)}
	b.reference.former = nil // after Accept, the files have the scene's own name
	of := []*Reference{&b.reference}
	if r.former != nil {
		of = append(of, r.former)
	}
	for _, ref := range of {
		for _, name := range ref.Files() {
			if err := b.save(ref, name); err != nil {
				return nil, err
			}
		}
		for _, name := range names(r.acceptedFiles.Files) {
			if err := b.save(ref, ref.copyOf(name)); err != nil {
				return nil, err
			}
		}
		for sum := range r.sums(ref) {
			if err := b.save(ref, ref.content(sum)); err != nil {
				return nil, err
			}
			saved := b.files[ref.content(sum)]
			saved.sum, saved.of = sum, ref
			b.files[ref.content(sum)] = saved
		}
	}
	slices.SortFunc(b.missing, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return b, nil
}

// sums returns the sums of the contents that accepting may store or remove for a reference.
func (r *Result) sums(ref *Reference) map[string]bool {
	sums := ref.listedSums()
	for _, sum := range contentSums(r.presentFiles.Files) {
		sums[sum] = true
	}
	return sums
}

func (b *Backup) save(of *Reference, name string) error {
	for dir := filepath.Dir(name); !osfile.Exists(dir) && !slices.Contains(b.missing, dir); dir = filepath.Dir(dir) {
		b.missing = append(b.missing, dir)
	}
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		b.files[name] = savedFile{of: of}
		return nil
	}
	if err != nil {
		return err
	}
	saved := savedFile{mode: info.Mode(), of: of}
	switch {
	case saved.mode.IsRegular():
		saved.data, err = os.ReadFile(name)
	case saved.mode&fs.ModeSymlink != 0:
		saved.link, err = os.Readlink(name)
	default:
		return nil
	}
	b.files[name] = saved
	return err
}

// Restore undoes all changes to the saved files. It rewrites files that were changed or removed, with
// their permissions, and creates removed links again. It removes files that did not exist when the
// backup was made, and folders that did not exist, if they are empty. It keeps the contents of files that other goldens
// have needed since.
func (b *Backup) Restore(write WriteFunc) error {
	accepting.Lock()
	defer accepting.Unlock()
	r := &b.reference
	// The lists of files come before the stored contents, because they decide which contents are needed.
	isContent := func(name string) int { return min(len(b.files[name].sum), 1) }
	order := slices.SortedFunc(maps.Keys(b.files), func(a, b string) int { return cmp.Compare(isContent(a), isContent(b)) })
	for _, name := range order {
		saved := b.files[name]
		var err error
		switch {
		case saved.mode == 0 && saved.sum != "":
			err = saved.of.dropContents(write, map[string]bool{saved.sum: true})
		case saved.mode == 0:
			err = saved.of.remove(name)
		case saved.mode.IsRegular():
			err = restore(write, name, saved)
		default:
			err = restoreLink(saved.of, name, saved.link)
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

func restore(write WriteFunc, name string, saved savedFile) error {
	r := saved.of
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

func restoreLink(r *Reference, name, target string) error {
	if present, err := os.Readlink(name); err == nil && present == target {
		return nil
	}
	if err := r.makeFolders(filepath.Dir(name)); err != nil {
		return err
	}
	if err := r.remove(name); err != nil {
		return err
	}
	return r.inFolder(name, func(root *os.Root, name string) error { return root.Symlink(target, name) })
}
