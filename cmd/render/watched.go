package main

import (
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watchedFiles tells when one of some files changes. It watches their folders: editors replace a
// file by another of its name, or take it away for a moment, and a watch of the file itself would
// be gone with it.
type watchedFiles struct {
	changed chan struct{} // has an element if a file has changed since the last was taken

	watcher *fsnotify.Watcher
	stopped chan struct{}

	mu      sync.Mutex
	files   map[string]bool // absolute paths
	folders map[string]bool
}

// watchError says that a file cannot be watched.
type watchError struct {
	name string
	err  error
}

func (e *watchError) Error() string { return fmt.Sprintf("cannot watch %s: %v", e.name, e.err) }
func (e *watchError) Unwrap() error { return e.err }

// watchFiles starts without any file. Close it.
func watchFiles() (*watchedFiles, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, &watchError{"files", err}
	}
	w := &watchedFiles{
		changed: make(chan struct{}, 1),
		watcher: watcher,
		stopped: make(chan struct{}),
		files:   make(map[string]bool),
		folders: make(map[string]bool),
	}
	go w.listen()
	return w, nil
}

func (w *watchedFiles) close() {
	w.watcher.Close()
	<-w.stopped
}

// add watches more files. It reports whether one is in a folder that was not watched before: what
// was read of it may have changed meanwhile.
func (w *watchedFiles) add(names ...string) (more bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		path, err := filepath.Abs(name)
		if err != nil {
			return false, &watchError{name, err}
		}
		paths := []string{path}
		if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
			paths = append(paths, real) // a link may change, and what it leads to
		}
		for _, path := range paths {
			w.files[path] = true
			folder := filepath.Dir(path)
			if w.folders[folder] {
				continue
			}
			if err := w.watcher.Add(folder); err != nil {
				return false, &watchError{name, err}
			}
			w.folders[folder], more = true, true
		}
	}
	return more, nil
}

// settle is how long nothing must happen to a file before it counts as changed: programs write in
// several steps.
const settle = 50 * time.Millisecond

// listen passes on what happens to the files until the watcher is closed.
func (w *watchedFiles) listen() {
	defer close(w.stopped)
	var settled <-chan time.Time
	for {
		select {
		case e, ok := <-w.watcher.Events:
			if !ok {
				return
			}
			if e.Op != fsnotify.Chmod && w.has(e.Name) {
				settled = time.After(settle)
			}
		case _, ok := <-w.watcher.Errors:
			if !ok {
				return
			}
			settled = time.After(settle) // events were lost, so anything may have changed
		case <-settled:
			settled = nil
			select {
			case w.changed <- struct{}{}:
			default: // the change before this one has not been examined
			}
		}
	}
}

func (w *watchedFiles) has(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files[path]
}
