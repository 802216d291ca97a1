// Package watch reports changes of the files that a program reads.
package watch

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"pillbox/internal/parallel"
)

// Files reports when one of a set of files changes, appears or vanishes. Events of the operating system report most
// changes at once. Some changes cause no events: a replaced folder, a link that now leads elsewhere, any change on a
// file system without events. To find these, Files also compares the files with their earlier state at intervals.
//
// A program reads its files in rounds: it calls [Files.Begin], then [Files.Look] for each file just before it reads or
// looks for it, and then [Files.End]. Relative names start at the working directory at the time of [Start]. Methods may
// be called from several goroutines.
type Files struct {
	changed chan struct{} // has an element if a file has changed since the last receive

	home    string            // the working directory
	watcher *fsnotify.Watcher // nil: there are no events
	stop    chan struct{}
	running parallel.Group

	mu      sync.Mutex
	round   int
	files   map[string]*file       // by absolute path
	folders map[string]fs.FileInfo // folders with event subscriptions, by path without symbolic links
}

// file is a file that was read or looked for in a round.
type file struct {
	round int // the last round in which the file was read or looked for
	state fileState
	names []string // names of the file in events
}

// Start returns a Files that watches no files yet. The caller must call [Files.Close]. If the operating system has no
// events, changes are only found by comparing.
func Start() *Files {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		watcher = nil
	}
	return startWith(watcher)
}

// startWith is [Start] with the given source of events, or with none if it is nil.
func startWith(watcher *fsnotify.Watcher) *Files {
	home, _ := os.Getwd() // if this fails, home is "" and paths stay relative
	w := &Files{
		changed: make(chan struct{}, 1),
		home:    home,
		watcher: watcher,
		stop:    make(chan struct{}),
		files:   make(map[string]*file),
		folders: make(map[string]fs.FileInfo),
	}
	w.running.Go(w.listen)
	return w
}

// Changed returns a channel that receives an element when a file has changed since the last receive. Several changes
// between two receives count as one.
func (w *Files) Changed() <-chan struct{} { return w.changed }

// Close stops watching. It must be called once.
func (w *Files) Close() {
	close(w.stop)
	w.running.Wait()
	if w.watcher != nil {
		w.watcher.Close()
	}
}

// Begin begins a round of reading files. If another folder has replaced the working directory, Begin makes that folder
// the working directory of the process.
func (w *Files) Begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.round++
	w.reenter()
}

// End ends a round. It stops watching files for which Look was not called in the round.
func (w *Files) End() {
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
func (w *Files) reenter() {
	there, err := os.Stat(w.home)
	if err != nil {
		return
	}
	if here, err := os.Stat("."); err != nil || !os.SameFile(here, there) {
		_ = os.Chdir(w.home) // if this fails, reading the files fails with an error
	}
}

// Look starts to watch a file, which need not exist. Call it before the file is read, so that no change is missed.
func (w *Files) Look(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.home, name)
	}
	f := w.files[name]
	if f == nil {
		f = new(file)
		w.files[name] = f
	}
	f.round = w.round
	f.names = eventNames(name)
	for _, name := range f.names {
		w.listenTo(folderAbove(name))
	}
	f.state = stateOf(name)
}

// eventNames returns the names by which events refer to a file: its own path and, if it is a symbolic link, the path
// of its target. No folder in these paths is a symbolic link.
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
func (w *Files) listenTo(folder string) {
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

// listen reports changes until [Files.Close] is called.
func (w *Files) listen() {
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
			default: // the channel still holds an earlier change
			}
		}
	}
}

// has reports whether an event with the given name concerns one of the files.
func (w *Files) has(name string) bool {
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
func (w *Files) compare() (changed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, f := range w.files {
		if state := stateOf(name); !state.equal(f.state) {
			f.state, changed = state, true
		}
	}
	return changed
}
