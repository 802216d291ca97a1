package server

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"
	"unicode/utf8"

	"pillbox/internal/osfile"
	"pillbox/internal/play"
	"pillbox/internal/tomltext"
	"pillbox/scene"
)

// Disk gives access to a served file.
type Disk interface {
	Read() ([]byte, error)
	Write([]byte) error // completely or not at all
	Folder() fs.FS      // the folder that contains the file
}

// Served is a file that pages and other programs edit at the same time. It is safe for concurrent use.
//
// Pages may read only the files that the scene named when NewServed read it, whatever the file names later. Otherwise a
// client that can save could name any file of the folder, and read parts of it in messages.
type Served struct {
	disk   Disk
	most   int      // bytes
	named  []string // paths in the folder that pages may read; immutable
	mu     sync.Mutex
	state  play.FileState
	files  []fs.FileInfo // of the named files; nil for a file that cannot be read
	change chan struct{} // closed at the next change
}

// errChanged is returned if the file is not the version that the client edited.
var errChanged = errors.New("the file has changed")

// NewServed reads the file, which may have at most the given number of bytes. The name is used in messages. NewServed
// returns an error if the file cannot be read, is too large or is not UTF-8.
func NewServed(name string, disk Disk, most int) (*Served, error) {
	s := &Served{disk: disk, most: most, change: make(chan struct{})}
	s.state.Name = name
	data, err := s.read()
	if err != nil {
		return nil, err
	}
	s.named = namedFiles(disk.Folder(), data)
	s.setText(data)
	return s, nil
}

func (s *Served) read() ([]byte, error) {
	data, err := s.disk.Read()
	if err == nil {
		err = s.checkText(data)
	}
	return data, err
}

// checkText returns an error for contents that a page cannot edit.
func (s *Served) checkText(data []byte) error {
	switch {
	case len(data) > s.most:
		return fmt.Errorf("%s has %d bytes, and at most %d can be served", s.state.Name, len(data), s.most)
	case !utf8.Valid(data):
		return fmt.Errorf("%s is not UTF-8 and cannot be edited", s.state.Name)
	}
	return nil
}

// setText makes data the state of the file. The caller holds the lock, or no one else has a reference to s.
func (s *Served) setText(data []byte) {
	version := versionOf(data)
	files := describe(s.disk.Folder(), s.named)
	changed := s.files != nil && !slices.EqualFunc(s.files, files, osfile.Unchanged)
	s.files = files
	if version == s.state.Version && !changed {
		return
	}
	if changed {
		s.state.Files++
	}
	s.state.Text, s.state.Version = string(data), version
	close(s.change)
	s.change = make(chan struct{})
}

func versionOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// describe returns a description of each file, or nil for a file that cannot be read.
func describe(folder fs.FS, names []string) []fs.FileInfo {
	files := make([]fs.FileInfo, len(names))
	for i, name := range names {
		if info, err := fs.Stat(folder, name); err == nil {
			files[i] = info
		}
	}
	return files
}

// Refresh reads the file again, because it or a file that it names may have changed. If reading fails, the state stays the
// same, because some editors remove a file briefly while they save it.
func (s *Served) Refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if data, err := s.read(); err == nil {
		s.setText(data)
	}
}

// Named returns the files that the scene named when it was opened, as paths in its folder.
func (s *Served) Named() []string { return slices.Clone(s.named) }

// State implements [play.File].
func (s *Served) State() play.FileState {
	state, _ := s.now()
	return state
}

// now returns the state, and a channel that is closed when the state changes.
func (s *Served) now() (play.FileState, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state, s.change
}

// save writes a text if the file still has the given version or was removed, and returns the file's state. If another
// program has changed the file, the error is errChanged, and the state has the text and the version of the file.
func (s *Served) save(text, version string) (play.FileState, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(text) > s.most {
		return s.state, fmt.Errorf("it would have %d bytes, and at most %d can be served", len(text), s.most)
	}
	data, err := s.disk.Read()
	switch is := versionOf(data); {
	case errors.Is(err, fs.ErrNotExist): // removed: there is nothing to overwrite
	case err != nil:
		return s.state, err
	case s.checkText(data) != nil: // the page cannot show these contents, so it must not replace them
		return s.state, s.checkText(data)
	case is != version:
		return play.FileState{Text: string(data), Version: is}, errChanged
	}
	if err := s.disk.Write([]byte(text)); err != nil {
		return s.state, err
	}
	s.setText([]byte(text))
	return s.state, nil
}

// Files implements [play.File].
func (s *Served) Files() fs.FS { return only{s.disk.Folder(), s.named} }

// only is a folder in which only the named files can be opened.
type only struct {
	folder fs.FS
	names  []string
}

var errNotNamed = errors.New("the scene did not name this file when it was opened; save, and restart 'render serve'")

// Open implements [fs.FS].
func (o only) Open(name string) (fs.File, error) {
	if !slices.Contains(o.names, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotNamed}
	}
	return o.folder.Open(name)
}

// namedFiles returns the files that a scene names: included files, and bulk tables of the scene and of the included files.
func namedFiles(folder fs.FS, data []byte) []string {
	root, _ := tomltext.Parse(data) // invalid TOML yields no files
	var names []string
	add := func(below string, v any) {
		if name, ok := v.(string); ok && fs.ValidPath(path.Join(below, name)) && !slices.Contains(names, path.Join(below, name)) {
			names = append(names, path.Join(below, name))
		}
	}
	addBulk(root, ".", add)
	list, _ := root["include"].([]any)
	for _, v := range list {
		name, ok := v.(string)
		if !ok || !fs.ValidPath(path.Clean(name)) {
			continue
		}
		add(".", name)
		if info, err := fs.Stat(folder, path.Clean(name)); err != nil || !info.Mode().IsRegular() || info.Size() > scene.MaxBytes {
			continue
		}
		if data, err := fs.ReadFile(folder, path.Clean(name)); err == nil {
			inner, _ := tomltext.Parse(data)
			addBulk(inner, path.Dir(path.Clean(name)), add)
		}
	}
	slices.Sort(names)
	return names
}

// addBulk calls the function add with the file of every bulk table of a scene and its parts.
func addBulk(root map[string]any, below string, add func(below string, v any)) {
	of := func(v any) {
		switch tables := v.(type) {
		case []map[string]any:
			for _, t := range tables {
				add(below, t["file"])
			}
		case []any:
			for _, t := range tables {
				if t, ok := t.(map[string]any); ok {
					add(below, t["file"])
				}
			}
		}
	}
	of(root["bulk"])
	parts, _ := root["part"].(map[string]any)
	for _, p := range parts {
		if p, ok := p.(map[string]any); ok {
			of(p["bulk"])
		}
	}
}
