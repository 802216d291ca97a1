package suite

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"pillbox/disk"
	"pillbox/scene"
)

// reading is a folder that remembers which files were read, and what they held.
type reading struct {
	fs.FS
	files map[string][]byte
}

func newReading(folder string) reading {
	return reading{scene.Folder(folder), make(map[string][]byte)}
}

// Stat implements [fs.StatFS].
func (r reading) Stat(name string) (fs.FileInfo, error) { return fs.Stat(r.FS, name) }

// ReadFile implements [fs.ReadFileFS].
func (r reading) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(r.FS, name)
	if err == nil {
		r.files[name] = data
	}
	return data, err
}

// equal reports whether the same files held the same.
func (r reading) equal(other reading) bool { return maps.EqualFunc(r.files, other.files, bytes.Equal) }

// names returns the files that were read.
func (r reading) names() []string { return slices.Sorted(maps.Keys(r.files)) }

// checkOtherFiles reports files of the scene that lie where the files of its reference do: they would
// be replaced or removed one day.
func (r *Result) checkOtherFiles() error {
	const remedy = "move it, or keep the goldens in another folder"
	for _, file := range append(r.OtherFiles, r.Scene) {
		if r.HoldsCopy(file) {
			return fmt.Errorf("%s lies in %s, which is for copies of accepted files; %s", file, r.Copies(), remedy)
		}
		for _, own := range r.Files() {
			if disk.Same(file, own) {
				return fmt.Errorf("%s has the name of a file that belongs to the golden; %s", file, remedy)
			}
		}
	}
	return nil
}

// HoldsCopy reports whether a file that is there lies in the folder of copies or below it, by whatever
// names, where only accepting writes.
func (r *Reference) HoldsCopy(file string) bool {
	there, err := os.Stat(r.Copies())
	if err != nil {
		return false
	}
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return false
	}
	if file, err = filepath.Abs(file); err != nil {
		return false
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if above, err := os.Stat(dir); err == nil && os.SameFile(above, there) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
