//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"pillbox/internal/osfile"
	"pillbox/scene"
)

// Cache is a folder with files of scenes. Several workers may share one.
type Cache struct {
	Dir  string // "": no files are kept on disk
	Most int64  // largest total size in bytes; the least recently used files are removed
}

// read returns the file with a hash, and false if the cache does not contain it or it is damaged.
func (c *Cache) read(hash string) ([]byte, bool) {
	if c.Dir == "" {
		return nil, false
	}
	name := filepath.Join(c.Dir, hash) // safe as a file name: see isHash
	data, err := os.ReadFile(name)
	if err != nil || hashOf(data) != hash {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(name, now, now) // the time of the last use, for shrink
	return data, true
}

// keep writes a file atomically, after removing old ones to make room. It ignores a file that is larger than Most.
func (c *Cache) keep(hash string, data []byte) error {
	if c.Dir == "" || int64(len(data)) > c.Most {
		return nil
	}
	if err := c.shrink(c.Most - int64(len(data))); err != nil {
		return err
	}
	return new(osfile.Outputs).Rewrite(filepath.Join(c.Dir, hash), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// shrink removes the least recently used files until the others have at most the given number of bytes in all. It counts
// and removes only temporary files and files whose names are hashes.
func (c *Cache) shrink(most int64) error {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return err
	}
	var files []os.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && (isHash(e.Name()) || osfile.IsTemporary(e.Name())) {
			files = append(files, info)
			most -= info.Size()
		}
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for i := 0; most < 0 && i < len(files); i++ {
		if err := os.Remove(filepath.Join(c.Dir, files[i].Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		most += files[i].Size()
	}
	return nil
}

// load returns the scene of the source with the given hash, from the cache or the server.
func (w *Worker) load(ctx context.Context, hash string) (*scene.Scene, error) {
	return loadScene(ctx, hash, w.file)
}

// loadScene returns the scene of the source with the given hash. It reads each file by its hash with the function file.
func loadScene(ctx context.Context, hash string, file func(context.Context, string) ([]byte, error)) (*scene.Scene, error) {
	data, err := file(ctx, hash)
	if err != nil {
		return nil, err
	}
	m, err := readManifest(data)
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	size := int64(0)
	for _, hash := range m.hashes() {
		if files[hash], err = file(ctx, hash); err != nil {
			return nil, err
		}
		if size += int64(len(files[hash])); size > maxSource {
			return nil, fmt.Errorf("the scene's files have more than %d bytes", int64(maxSource))
		}
	}
	src := Source{Data: files[m.Scene], Files: make(osfile.Memory)}
	for name, hash := range m.Files {
		src.Files[name] = files[hash]
	}
	return src.Scene("scene")
}

// file returns the file with a hash, from the cache or the server. It adds a file from the server to the cache.
func (w *Worker) file(ctx context.Context, hash string) ([]byte, error) {
	if data, ok := w.Cache.read(hash); ok {
		return data, nil
	}
	data, err := w.Farm.get(ctx, hash)
	if err != nil {
		return nil, err
	}
	if err := w.Cache.keep(hash, data); err != nil {
		w.log("the cache cannot be written: %v", err)
	}
	return data, nil
}
