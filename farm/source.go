package farm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"pillbox/scene"
)

// Source is a scene file and the files that it names, as they were when it was read.
type Source struct {
	Data  []byte            // the scene file
	Files map[string][]byte // by their paths in its folder
}

const (
	maxFiles  = 1 << 12 // that a scene may name
	maxSource = 2 << 30 // bytes that they may have together

	maxManifest = 1 << 24 // bytes
)

// manifest says what a source is made of, by the hashes of its files.
type manifest struct {
	Scene string            `json:"scene"`
	Files map[string]string `json:"files,omitempty"`
}

// manifest returns the manifest's bytes, which are the same for equal sources.
func (s *Source) manifest() []byte {
	m := manifest{Scene: hashOf(s.Data), Files: make(map[string]string)}
	for name, data := range s.Files {
		m.Files[name] = hashOf(data)
	}
	return marshal(m)
}

// Hash names the source: the SHA-256, in hexadecimal, of the list of its files with their hashes.
func (s *Source) Hash() string { return hashOf(s.manifest()) }

// Scene decodes the source. The name is used in messages only.
func (s *Source) Scene(name string) (*scene.Scene, error) {
	return scene.DecodeFS(folder(s.Files), name, s.Data)
}

// readManifest is the reverse of [Source.manifest], for bytes that may be anything.
func readManifest(data []byte) (manifest, error) {
	var m manifest
	if len(data) > maxManifest {
		return m, fmt.Errorf("a list of %d bytes for a scene's files", len(data))
	}
	if err := unmarshal(data, &m); err != nil {
		return m, err
	}
	if len(m.Files) > maxFiles {
		return m, fmt.Errorf("a scene with %d files, of at most %d", len(m.Files), maxFiles)
	}
	for name, hash := range m.Files {
		if !fs.ValidPath(name) || !isHash(hash) {
			return m, fmt.Errorf("a scene with the file %q and the hash %q", name, hash)
		}
	}
	if !isHash(m.Scene) {
		return m, fmt.Errorf("a scene with the hash %q", m.Scene)
	}
	return m, nil
}

// hashes returns those of all files, each once, in a fixed order.
func (m *manifest) hashes() []string {
	all := append(slices.Collect(maps.Values(m.Files)), m.Scene)
	slices.Sort(all)
	return slices.Compact(all)
}

// hashOf returns the SHA-256 of data in hexadecimal.
func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// isHash reports whether s is what [hashOf] returns for some data, and so fit to be the name of a file.
func isHash(s string) bool { return isHex(s, 2*sha256.Size) }

func isHex(s string, length int) bool {
	return len(s) == length && strings.Trim(s, "0123456789abcdef") == ""
}

// marshal returns v, which must consist of numbers that are finite, texts and the like, as JSON.
func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// unmarshal reads JSON that [marshal] wrote, and nothing that has more in it.
func unmarshal(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if d.More() {
		return errors.New("something follows the JSON")
	}
	return nil
}

// A Recorder is a folder for [scene.DecodeFS] that keeps what is read from it.
type Recorder struct {
	fs.FS

	mu    sync.Mutex
	files map[string][]byte
}

// Record returns a recorder of what is read from files.
func Record(files fs.FS) *Recorder { return &Recorder{FS: files, files: make(map[string][]byte)} }

// ReadFile reads a file and keeps it.
func (r *Recorder) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(r.FS, name)
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.files[name] = data
	}
	return data, err
}

// Stat describes a file.
func (r *Recorder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(r.FS, name) }

// Source returns the source of the scene in data, once it is decoded.
func (r *Recorder) Source(data []byte) *Source { return &Source{Data: data, Files: r.files} }

// folder is a folder in memory, as much of one as [scene.DecodeFS] needs.
type folder map[string][]byte

func (f folder) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (f folder) ReadFile(name string) ([]byte, error) {
	data, ok := f[name]
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return data, nil
}

func (f folder) Stat(name string) (fs.FileInfo, error) {
	data, err := f.ReadFile(name)
	return fileInfo{path.Base(name), len(data)}, err
}

// fileInfo describes a regular file in memory.
type fileInfo struct {
	name string
	size int
}

func (i fileInfo) Name() string     { return i.name }
func (i fileInfo) Size() int64      { return int64(i.size) }
func (fileInfo) Mode() fs.FileMode  { return 0o444 }
func (fileInfo) ModTime() time.Time { return time.Time{} }
func (fileInfo) IsDir() bool        { return false }
func (fileInfo) Sys() any           { return nil }
