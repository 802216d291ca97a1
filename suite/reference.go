package suite

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pillbox/internal/osfile"
	"pillbox/scene"
)

// The usual folders of a project.
const (
	scenesFolder = "scenes"
	goldenFolder = "golden"
)

const sceneExtension = ".toml"

// A Reference is a scene together with the files of its golden, which is its accepted picture.
type Reference struct {
	Name  string  // unique among those that [Find] returns
	Scene string  // the path of the scene's file; "" for an orphan, which has only accepted files
	At    *Moment // nil: the picture shows the scene without a time
	base  string  // the path of the accepted files, without extension

	folderNamed bool  // the user named the folder of the goldens
	refused     error // why the scene cannot have a golden; nil if it can
}

// A Moment is one of the times, in seconds, that a scene lists in the key golden of its [animation].
type Moment float64

// String returns the moment as the suffix of a reference's name: @1.5.
func (m Moment) String() string { return "@" + scene.FormatTime(float64(m)) }

// cutMoment splits a name such as walk@1.5 into stem and moment. It returns false if the name has no moment.
func cutMoment(name string) (string, Moment, bool) {
	at := strings.LastIndexByte(name, '@')
	if at < 1 {
		return name, 0, false
	}
	seconds, err := strconv.ParseFloat(name[at+1:], 64)
	m := Moment(seconds)
	if err != nil || m.String() != name[at:] {
		return name, 0, false
	}
	return name[:at], m, true
}

// Picture returns the path of the accepted picture.
func (r *Reference) Picture() string { return r.base + ".png" }

// Accepted returns the path of the copy of the accepted scene.
func (r *Reference) Accepted() string { return r.base + ".scene.toml" }

// Copies returns the path of the folder with copies of the other files that the accepted scene read. Each copy has the
// name by which the scene reads the file.
func (r *Reference) Copies() string { return r.base + ".scene" }

// sidecar returns the path of the file that states which differences are accepted, see [golden.ParseSidecar].
func (r *Reference) sidecar() string { return r.base + ".golden.toml" }

// Proposal returns the path of the present picture that [Result.Propose] writes.
func (r *Reference) Proposal() string { return r.base + ".new.png" }

// Drawing returns the path of the comparison that [Result.Draw] writes for a review.
func (r *Reference) Drawing() string { return r.base + ".diff.png" }

// Files returns the paths of all files that a reference may have, except the scene and the files in the folder of
// copies.
func (r *Reference) Files() []string {
	return []string{r.Picture(), r.Accepted(), r.sidecar(), r.Proposal(), r.Drawing()}
}

// firstFile returns the first of the Files that exists, or "".
func (r *Reference) firstFile() string {
	for _, name := range r.Files() {
		if osfile.Exists(name) {
			return name
		}
	}
	return ""
}

// Argument returns the entry of [Options.Scenes] that finds the reference: its name, or the path of its scene, followed
// by the moment if there is one.
func (r *Reference) Argument() string {
	switch {
	case r.refused != nil:
		return r.Scene
	case r.Scene == "" || filepath.Dir(r.Scene) == scenesFolder:
		return r.Name
	case r.At != nil:
		return r.Scene + r.At.String()
	}
	return r.Scene
}

// reserved lists endings that a scene's name must not have. For example, the picture of a scene box.new would be
// box.new.png, which is the proposal for the scene box.
var reserved = [...]string{".scene", ".golden", ".new", ".diff"}

// owner returns the name of the scene to which a file in a folder of goldens belongs, judging by the file's name. It
// returns "" if the name does not belong to a golden.
func owner(file string) (name string) {
	endings := new(Reference).Files() // the endings alone, because the base is empty
	for _, ending := range endings {
		// The longest ending decides: box.new.png belongs to box.
		if stem, ok := strings.CutSuffix(file, ending); ok && (name == "" || len(stem) < len(name)) {
			name = stem
		}
	}
	return name
}

// Find returns the references of the scenes in o.Scenes, in that order and without duplicates. If o.Scenes is empty, it
// returns the references of all scenes in scenes/ and all orphans, sorted by name. A scene whose [animation] lists
// moments has an additional reference for each moment.
//
// Find returns an error in these cases:
//
//   - An entry that is a name matches neither a scene nor an orphan.
//   - An entry has a moment that the scene does not list and for which nothing was accepted.
//   - The name of a scene cannot have a golden, or two scenes share a name.
//   - A folder cannot be read.
//   - o.Scenes is empty and there are no scenes; then the error is [ErrNoScenes].
//
// An entry that is the path of a missing file is not an error: judging its reference fails. If o.Scenes is empty,
// judging also fails for a scene whose name cannot have a golden or is the name of another scene's moment.
func Find(o Options) ([]Reference, error) {
	if len(o.Scenes) == 0 {
		return o.all()
	}
	var found []Reference
	for _, arg := range o.Scenes {
		refs, err := o.resolve(arg)
		if err != nil {
			return nil, err
		}
		found = append(found, refs...)
	}
	return distinct(found)
}

// distinct returns the references without duplicates, and an error if two scenes share a name.
func distinct(refs []Reference) ([]Reference, error) {
	var kept []Reference
	seen := make(map[string]string)
	for _, r := range refs {
		first, known := seen[r.Name]
		switch {
		case !known:
			seen[r.Name] = r.Scene
			kept = append(kept, r)
		case first != r.Scene:
			return nil, sharedName(r.Name, first, r.Scene)
		}
	}
	return kept, nil
}

// resolve returns the references for a path or a name. If the argument ends in a moment, there is only one.
func (o *Options) resolve(arg string) ([]Reference, error) {
	path := scenePath(arg)
	stem, moment, isMoment := cutMoment(arg)
	switch {
	case osfile.Exists(path):
		return o.references(path)
	case isMoment && osfile.Exists(scenePath(stem)):
		return o.atMoment(scenePath(stem), moment)
	case path == arg:
		return o.references(path) // judging it reports that the file cannot be opened
	case o.keepsBeside(arg):
		return o.references(arg + sceneExtension)
	case isMoment && o.keepsBeside(stem):
		return o.atMoment(stem+sceneExtension, moment)
	}
	r, err := o.reference(path)
	if err == nil && r.firstFile() == "" {
		err = fmt.Errorf("no scene %s and no picture %s", path, r.Picture())
	}
	r.Scene = ""
	return []Reference{r}, err
}

// keepsBeside reports whether a golden with this name belongs to a scene in the current folder, so that it is not an
// orphan. This is true if the current folder contains a scene with this name, and the scene's golden is in the same
// folder as the goldens of the scenes in scenes/. keepsBeside returns false if o.Golden is set.
func (o *Options) keepsBeside(name string) bool {
	path := name + sceneExtension
	if o.Golden != "" || !osfile.Exists(path) {
		return false
	}
	own, err := o.folder(path)
	shared, errShared := o.folder(scenePath(name))
	return err == nil && errShared == nil && own == shared
}

// scenePath returns the path of a scene that was given as a path or a name.
func scenePath(arg string) string {
	if arg != filepath.Base(arg) || filepath.Ext(arg) == sceneExtension {
		return arg
	}
	return filepath.Join(scenesFolder, arg+sceneExtension)
}

// atMoment returns the reference of a scene at a moment. If the scene no longer lists the moment but files of the
// reference exist, it is an orphan.
func (o *Options) atMoment(path string, moment Moment) ([]Reference, error) {
	r, err := o.reference(path)
	if err != nil {
		return nil, err
	}
	r = r.at(moment)
	switch {
	case slices.Contains(momentsOf(path), moment):
	case r.firstFile() != "":
		r.Scene = ""
	default:
		err = fmt.Errorf("%s does not list %s in the golden of its [animation], and there is no picture %s", path, moment.String()[1:], r.Picture())
	}
	return []Reference{r}, err
}

// references returns all references of a scene file, which need not exist. It returns an error if a moment of another
// scene has the same name, as with the file walk@1.5.toml and the moment 1.5 of walk.toml.
func (o *Options) references(path string) ([]Reference, error) {
	r, err := o.reference(path)
	if err != nil {
		return nil, err
	}
	if stem, moment, ok := cutMoment(strings.TrimSuffix(r.Scene, sceneExtension)); ok {
		if moving := stem + sceneExtension; slices.Contains(momentsOf(moving), moment) {
			return nil, sharedName(r.Name, moving, r.Scene)
		}
	}
	all := []Reference{r}
	for _, m := range momentsOf(r.Scene) {
		all = append(all, r.at(m))
	}
	return all, nil
}

// sharedName is the error for two scenes with one name.
func sharedName(name, first, second string) error {
	return fmt.Errorf("two scenes are called %s: %s and %s", name, first, second)
}

// The method at returns the reference of the same scene at a moment.
func (r Reference) at(m Moment) Reference {
	r.Name, r.base, r.At = r.Name+m.String(), r.base+m.String(), &m
	return r
}

// momentsOf returns the moments that a scene lists. If the file cannot be read, it returns none; judging the scene
// reports the error.
func momentsOf(path string) []Moment {
	data, _ := scene.ReadFile(path)
	var all []Moment
	for _, seconds := range scene.GoldenTimes(data) {
		all = append(all, Moment(seconds))
	}
	return all
}

// reference returns the reference of a scene file, which need not exist.
func (o *Options) reference(path string) (Reference, error) {
	path = filepath.Clean(path)
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for _, ending := range reserved {
		if strings.HasSuffix(name, ending) {
			return Reference{}, fmt.Errorf("%s: the name of a scene with a golden must not end in %s", path, ending)
		}
	}
	dir, err := o.folder(path)
	return Reference{Name: name, Scene: path, base: filepath.Join(dir, name), folderNamed: o.Golden != ""}, err
}

// folder returns the folder of a scene's reference: o.Golden, if it is set. Otherwise, for a scene in a
// folder scenes/, it is golden/ next to that folder, and for a scene elsewhere golden/ next to the
// scene.
func (o *Options) folder(scene string) (string, error) {
	if o.Golden != "" {
		return o.Golden, nil
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

// ErrNoScenes is the error of [Find] if Options.Scenes is empty and the folder scenes/ contains no
// scene or does not exist.
var ErrNoScenes = errors.New("no scenes")

func (o *Options) all() ([]Reference, error) {
	entries, err := os.ReadDir(scenesFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no folder %s", ErrNoScenes, scenesFolder)
	}
	if err != nil {
		return nil, err
	}
	var found []Reference
	names := make(map[string]bool)
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != sceneExtension {
			continue
		}
		path := filepath.Join(scenesFolder, e.Name())
		refs, err := o.references(path)
		if err != nil {
			r, err := o.refuse(path, err)
			if err != nil {
				return nil, err
			}
			refs = []Reference{r}
		}
		found = append(found, refs...)
		for i := range refs {
			names[refs[i].Name] = true
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%w in %s", ErrNoScenes, scenesFolder)
	}
	orphans, err := o.orphans(names)
	if err != nil {
		return nil, err
	}
	found = append(found, orphans...)
	slices.SortStableFunc(found, func(a, b Reference) int {
		aName, aMoment, _ := cutMoment(a.Name)
		bName, bMoment, _ := cutMoment(b.Name)
		return cmp.Or(strings.Compare(aName, bName), cmp.Compare(aMoment, bMoment))
	})
	return distinct(found)
}

// refuse returns the reference of a scene whose name is not allowed for a golden. The reference's name is the path of
// the scene's file, which differs from the names of all other references because they contain no slash.
func (o *Options) refuse(path string, why error) (Reference, error) {
	dir, err := o.folder(path)
	return Reference{Name: filepath.ToSlash(path), Scene: path, base: filepath.Join(dir, path), folderNamed: o.Golden != "", refused: why}, err
}

// orphans returns references for the goldens whose names are not in the map names, and adds the names of these goldens
// to the map. It skips goldens of scenes in the current folder.
func (o *Options) orphans(names map[string]bool) ([]Reference, error) {
	dir, err := o.folder(filepath.Join(scenesFolder, "any"+sceneExtension))
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var found []Reference
	for _, e := range entries {
		if name := owner(e.Name()); name != "" && !e.IsDir() && !names[name] {
			names[name] = true
			stem, _, _ := cutMoment(name)
			if o.keepsBeside(name) || o.keepsBeside(stem) {
				continue
			}
			found = append(found, Reference{Name: name, base: filepath.Join(dir, name), folderNamed: o.Golden != ""})
		}
	}
	return found, nil
}
