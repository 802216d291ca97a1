package main

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"pillbox/internal/osfile"
)

// watchedFiles reports when one of a set of files changes, appears or vanishes. Events of the operating system report
// most changes at once. Some changes cause no events: a replaced folder, a link that now leads elsewhere, any change on
// a file system without events. To find these, watchedFiles also compares the files with their earlier state at
// intervals.
type watchedFiles struct {
	changed chan struct{} // has an element if a file has changed since the last receive

	home    string            // the working directory
	watcher *fsnotify.Watcher // nil: there are no events
	stop    chan struct{}
	stopped chan struct{}

	mu      sync.Mutex
	round   int
	files   map[string]*watchedFile // by absolute path
	folders map[string]fs.FileInfo  // folders with event subscriptions, by path without symbolic links
}

// watchedFile is a file that was read, or looked for, while loading.
type watchedFile struct {
	round int // the last round in which the file was read or looked for
	state fileState
	names []string // names of the file in events
}

// watchFiles returns a watchedFiles that watches no files yet. The caller must close it.
func watchFiles() *watchedFiles {
	home, _ := os.Getwd() // if this fails, home is "" and paths stay relative
	w := &watchedFiles{
		changed: make(chan struct{}, 1),
		home:    home,
		stop:    make(chan struct{}),
		stopped: make(chan struct{}),
		files:   make(map[string]*watchedFile),
		folders: make(map[string]fs.FileInfo),
	}
	if watcher, err := fsnotify.NewWatcher(); err == nil {
		w.watcher = watcher
	}
	go w.listen()
	return w
}

func (w *watchedFiles) close() {
	close(w.stop)
	<-w.stopped
	if w.watcher != nil {
		w.watcher.Close()
	}
}

// begin begins a round of reading files. In a round, call [watchedFiles.look] for each file before it is read or looked
// for, so that no change is missed.
func (w *watchedFiles) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.round++
	w.reenter()
}

// end ends a round. It stops watching files for which look was not called in the round.
func (w *watchedFiles) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	needed := make(map[string]bool)
	for path, f := range w.files {
		if f.round < w.round {
			delete(w.files, path)
			continue
		}
		for _, name := range f.names {
			needed[folderAbove(name)] = true
		}
	}
	for folder := range w.folders {
		if !needed[folder] {
			_ = w.watcher.Remove(folder) // fails if the folder is gone
			delete(w.folders, folder)
		}
	}
}

// reenter changes the working directory to the folder that now has its path, in case another folder has replaced it.
func (w *watchedFiles) reenter() {
	there, err := os.Stat(w.home)
	if err != nil {
		return
	}
	if here, err := os.Stat("."); err != nil || !os.SameFile(here, there) {
		_ = os.Chdir(w.home) // if this fails, reading the files fails with an error
	}
}

// look starts to watch a file, which need not exist.
func (w *watchedFiles) look(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.home, name)
	}
	f := w.files[name]
	if f == nil {
		f = new(watchedFile)
		w.files[name] = f
	}
	f.round = w.round
	f.names = eventNames(name)
	for _, name := range f.names {
		w.listenTo(folderAbove(name))
	}
	f.state = stateOf(name)
}

// eventNames returns the names by which events refer to a file: its own, and, if it is a symbolic link, that of its
// target. Their folders contain no symbolic links.
func eventNames(name string) []string {
	names := []string{name}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		names[0] = filepath.Join(folder, filepath.Base(name))
	}
	if real, err := filepath.EvalSymlinks(name); err == nil && real != names[0] {
		names = append(names, real)
	}
	return names
}

// folderAbove returns the nearest existing folder above a file.
func folderAbove(name string) string {
	for {
		folder := filepath.Dir(name)
		if info, err := os.Stat(folder); err == nil && info.IsDir() || folder == name {
			return folder
		}
		name = folder
	}
}

// listenTo subscribes to events about the files in a folder. If that fails, the comparisons still find changes.
func (w *watchedFiles) listenTo(folder string) {
	if w.watcher == nil {
		return
	}
	info, err := os.Stat(folder)
	if err != nil {
		return
	}
	known, listening := w.folders[folder]
	if listening && os.SameFile(known, info) {
		return
	}
	if listening {
		_ = w.watcher.Remove(folder) // ends the subscription to the folder that this one replaced
		delete(w.folders, folder)
	}
	if w.watcher.Add(folder) == nil {
		w.folders[folder] = info
	}
}

const (
	// settle is how long a file must be unchanged after an event before the change is reported, because programs write
	// files in several steps.
	settle = 50 * time.Millisecond

	// compareInterval is the time between two comparisons of all files.
	compareInterval = 500 * time.Millisecond
)

// listen reports changes until the watcher is closed.
func (w *watchedFiles) listen() {
	defer close(w.stopped)
	var events <-chan fsnotify.Event
	var errors <-chan error
	if w.watcher != nil {
		events, errors = w.watcher.Events, w.watcher.Errors
	}
	compare := time.NewTicker(compareInterval)
	defer compare.Stop()
	changed := false
	var settled <-chan time.Time
	for {
		select {
		case <-w.stop:
			return
		case e := <-events:
			named := !e.Has(fsnotify.Chmod) && w.has(e.Name)
			changed = changed || named
			if named || settled == nil { // not named: a folder may have appeared, or a link on the path may have changed
				settled = time.After(settle)
			}
		case <-errors: // events were lost
			settled = time.After(settle)
		case <-compare.C:
			if w.compare() {
				changed, settled = true, time.After(settle)
			}
		case <-settled:
			settled = nil
			if changed = w.compare() || changed; !changed {
				continue
			}
			changed = false
			select {
			case w.changed <- struct{}{}:
			default: // an earlier change has not been taken yet
			}
		}
	}
}

// has reports whether an event concerns one of the files.
func (w *watchedFiles) has(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.files {
		if slices.Contains(f.names, name) {
			return true
		}
	}
	return false
}

// compare reports whether any file differs from its last known state, and updates the states.
func (w *watchedFiles) compare() (changed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, f := range w.files {
		if state := stateOf(name); !state.equal(f.state) {
			f.state, changed = state, true
		}
	}
	return changed
}

// fileState is what can be learned about a file without reading it.
type fileState struct {
	info  fs.FileInfo // nil if err is not ""
	err   string
	links string // targets of the symbolic links on the path
}

func stateOf(name string) (s fileState) {
	info, err := os.Stat(name)
	if err != nil {
		s.err = err.Error()
	} else {
		s.info = info
	}
	var links strings.Builder
	for at := name; ; at = filepath.Dir(at) {
		to, _ := os.Readlink(at) // "" if this is not a link
		links.WriteString(to + "\x00")
		if at == filepath.Dir(at) {
			break
		}
	}
	s.links = links.String()
	return s
}

func (s fileState) equal(t fileState) bool {
	return s.err == t.err && s.links == t.links && osfile.Unchanged(s.info, t.info)
}

// folder returns a file system for dir that watches each file when it is opened or looked for. When ctx ends, files can
// no longer be opened or read.
func (w *watchedFiles) folder(ctx context.Context, dir string, files fs.FS) fs.FS {
	return watchedFolder{ctx, w, dir, files}
}

type watchedFolder struct {
	ctx   context.Context
	watch *watchedFiles
	dir   string
	files fs.FS
}

// Open implements [fs.FS].
func (d watchedFolder) Open(name string) (fs.File, error) {
	if err := d.look("open", name); err != nil {
		return nil, err
	}
	f, err := d.files.Open(name)
	if err != nil {
		return nil, err
	}
	return interruptibleFile{f, d.ctx}, nil
}

// ReadDir implements [fs.ReadDirFS]. Its result affects only the text of messages, so the folder is not watched.
func (d watchedFolder) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(d.files, name) }

// Stat implements [fs.StatFS].
func (d watchedFolder) Stat(name string) (fs.FileInfo, error) {
	if err := d.look("stat", name); err != nil {
		return nil, err
	}
	return fs.Stat(d.files, name)
}

func (d watchedFolder) look(op, name string) error {
	if err := context.Cause(d.ctx); err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	d.watch.look(filepath.Join(d.dir, filepath.FromSlash(path.Clean(name))))
	return nil
}

// interruptibleFile is a file that can be read until the context ends.
type interruptibleFile struct {
	fs.File
	ctx context.Context
}

func (f interruptibleFile) Read(p []byte) (int, error) {
	if err := context.Cause(f.ctx); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}
