package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

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

// checkTables reports files of the scene that lie where the program keeps its own: they would be
// replaced or removed one day.
func (j *judgement) checkTables() error {
	const remedy = "move it, or keep the goldens elsewhere with --golden DIR"
	for _, file := range append(j.tables, j.scene) {
		if liesIn(j.copies(), file) {
			return fmt.Errorf("%s lies in %s, which is for copies of accepted files; %s", file, j.copies(), remedy)
		}
		for _, own := range j.files() {
			if sameFile(file, own) {
				return fmt.Errorf("%s has the name of a file that belongs to the golden; %s", file, remedy)
			}
		}
	}
	return nil
}

// liesIn reports whether a file is in a folder or below it, by whatever names.
func liesIn(folder, file string) bool {
	there, err := os.Stat(folder)
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

// acceptBulk keeps copies of the files of the scene's bulk tables, instead of those that the
// accepted scene had. Other files in the folder are not the program's.
func (g *goldens) acceptBulk(j *judgement) error {
	if err := j.removeCopies(); err != nil {
		return err
	}
	for _, name := range j.bulk.names() {
		copied := j.copyOf(name)
		if err := os.MkdirAll(filepath.Dir(copied), 0o777); err != nil {
			return err
		}
		if err := g.writeBytes(copied, j.bulk.files[name]); err != nil {
			return err
		}
	}
	return nil
}

// removeCopies removes the copies of files that the present scene does not use, and what folders
// that leaves empty.
func (j *judgement) removeCopies() error {
	for _, name := range j.kept.names() {
		if _, used := j.bulk.files[name]; used {
			continue
		}
		if err := removeIfThere(j.copyOf(name)); err != nil {
			return err
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			_ = os.Remove(j.copyOf(dir)) // fails if anything is in it
		}
		_ = os.Remove(j.copies())
	}
	return nil
}

// copyOf returns the path of the copy of a file, whose name is that in the scene.
func (j *judgement) copyOf(name string) string {
	return filepath.Join(j.copies(), filepath.FromSlash(name))
}

func (g *goldens) writeBytes(name string, data []byte) error {
	return g.disk.write(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
