package main

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"os"
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

// acceptBulk keeps copies of the files of the scene's bulk tables, and no others.
func (g *goldens) acceptBulk(j *judgement) error {
	if err := os.RemoveAll(j.copies()); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(j.bulk.files)) {
		copied := filepath.Join(j.copies(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(copied), 0o777); err != nil {
			return err
		}
		if err := g.writeBytes(copied, j.bulk.files[name]); err != nil {
			return err
		}
	}
	return nil
}

func (g *goldens) writeBytes(name string, data []byte) error {
	return g.disk.write(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
