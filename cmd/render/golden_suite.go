package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The usual folders of a project.
const (
	scenesFolder = "scenes"
	goldenFolder = "golden"
)

const sceneExtension = ".toml"

// A reference is a scene and what was accepted of it.
type reference struct {
	name  string // unique in a suite
	scene string // the scene's file; "" for an orphan, of which only accepted files are there
	base  string // the path of the accepted files, without extension
}

func (r *reference) picture() string  { return r.base + ".png" }
func (r *reference) accepted() string { return r.base + ".scene.toml" }  // the scene, as it was accepted
func (r *reference) copies() string   { return r.base + ".scene" }       // a folder: the files of its bulk tables
func (r *reference) sidecar() string  { return r.base + ".golden.toml" } // see golden.ParseSidecar
func (r *reference) proposal() string { return r.base + ".new.png" }     // what the scene gives now
func (r *reference) drawing() string  { return r.base + ".diff.png" }    // what a review opens

// files returns the paths of all files that there may be of a reference, but for copies.
func (r *reference) files() []string {
	return []string{r.picture(), r.accepted(), r.sidecar(), r.proposal(), r.drawing()}
}

// inputs returns the paths of all files that no other output may replace.
func inputs(refs []reference) []string {
	var all []string
	for i := range refs {
		all = append(all, refs[i].files()...)
		if scene := refs[i].scene; scene != "" {
			all = append(all, scene)
		}
	}
	return all
}

// first returns the first of the files that are there, or "".
func (r *reference) first() string {
	for _, name := range r.files() {
		if exists(name) {
			return name
		}
	}
	return ""
}

// reserved are endings of a scene's name whose files would collide with those of another one.
var reserved = [...]string{".scene", ".golden", ".new", ".diff"}

// owner returns the name of the scene to which a file beside goldens belongs by its own name; it
// is "" if the file belongs to none.
func owner(file string) (name string) {
	endings := new(reference).files() // those of no base
	for _, ending := range endings {
		// The longest ending counts: box.new.png belongs to box.
		if stem, ok := strings.CutSuffix(file, ending); ok && (name == "" || len(stem) < len(name)) {
			name = stem
		}
	}
	return name
}

// A suite finds scenes and their references.
type suite struct {
	golden string // the folder of the references; "" if each scene's own place decides
}

// find returns the references of the given scenes, in that order: paths, or names of scenes in
// scenes/ and of orphans in golden/. Without any it returns those of all scenes in scenes/
// and all orphans, sorted by name.
func (s suite) find(scenes []string) ([]reference, error) {
	if len(scenes) == 0 {
		return s.all()
	}
	var found []reference
	for _, arg := range scenes {
		r, err := s.resolve(arg)
		if err != nil {
			return nil, err
		}
		found = append(found, r)
	}
	return distinct(found)
}

// distinct returns the references without repetitions, and an error if two scenes have one
// name.
func distinct(refs []reference) ([]reference, error) {
	var kept []reference
	seen := make(map[string]string)
	for _, r := range refs {
		first, known := seen[r.name]
		switch {
		case !known:
			seen[r.name] = r.scene
			kept = append(kept, r)
		case first != r.scene:
			return nil, fmt.Errorf("two scenes are called %s: %s and %s", r.name, first, r.scene)
		}
	}
	return kept, nil
}

// resolve returns the reference for a path or a name on the command line.
func (s suite) resolve(arg string) (reference, error) {
	if arg != filepath.Base(arg) || filepath.Ext(arg) == sceneExtension {
		return s.reference(arg)
	}
	r, err := s.reference(filepath.Join(scenesFolder, arg+sceneExtension))
	if err != nil || exists(r.scene) {
		return r, err
	}
	if r.first() == "" {
		return r, fmt.Errorf("no scene %s and no picture %s", r.scene, r.picture())
	}
	r.scene = ""
	return r, nil
}

// reference returns the reference of a scene file, which need not exist.
func (s suite) reference(path string) (reference, error) {
	path = filepath.Clean(path)
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for _, ending := range reserved {
		if strings.HasSuffix(name, ending) {
			return reference{}, fmt.Errorf("%s: the name of a scene with a golden must not end in %s", path, ending)
		}
	}
	dir, err := s.folder(path)
	return reference{name: name, scene: path, base: filepath.Join(dir, name)}, err
}

// folder returns where the reference of a scene is kept: in golden/ beside the folder
// scenes/ that holds the scene. A scene elsewhere has golden/ beside itself.
func (s suite) folder(scene string) (string, error) {
	if s.golden != "" {
		return s.golden, nil
	}
	dir := filepath.Dir(scene)
	whole, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if filepath.Base(whole) == scenesFolder {
		dir = filepath.Join(dir, "..")
	}
	return filepath.Join(dir, goldenFolder), nil
}

func (s suite) all() ([]reference, error) {
	entries, err := os.ReadDir(scenesFolder)
	if err != nil {
		return nil, err
	}
	var found []reference
	names := make(map[string]bool)
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != sceneExtension {
			continue
		}
		r, err := s.reference(filepath.Join(scenesFolder, e.Name()))
		if err != nil {
			return nil, err
		}
		found = append(found, r)
		names[r.name] = true
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no scenes in %s", scenesFolder)
	}
	orphans, err := s.orphans(names)
	if err != nil {
		return nil, err
	}
	found = append(found, orphans...)
	slices.SortFunc(found, func(a, b reference) int { return strings.Compare(a.name, b.name) })
	return found, nil
}

// orphans returns the references that belong to none of the named scenes.
func (s suite) orphans(names map[string]bool) ([]reference, error) {
	dir, err := s.folder(filepath.Join(scenesFolder, "any"+sceneExtension))
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var found []reference
	for _, e := range entries {
		if name := owner(e.Name()); name != "" && !e.IsDir() && !names[name] {
			names[name] = true
			found = append(found, reference{name: name, base: filepath.Join(dir, name)})
		}
	}
	return found, nil
}
