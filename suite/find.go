package suite

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/internal/osfile"
)

// Found is what [Search] finds.
type Found struct {
	References []Reference
	Skipped    []Skipped // files beside the scenes that are not scenes, sorted
}

// Skipped is a file that is not checked.
type Skipped struct {
	File string
	Why  string // the reason, such as "scenes/box.toml includes it"
}

// String returns the file and the reason.
func (s Skipped) String() string { return s.File + ": " + s.Why }

// ErrNoScenes is the error of [Find] and [Search] if Options.Scenes is empty and the folder scenes/ contains no scene or
// does not exist, or if no scene is found in the folders that are searched.
var ErrNoScenes = errors.New("no scenes")

// Find returns the references that [Search] finds.
func Find(o Options) ([]Reference, error) {
	found, err := Search(o)
	return found.References, err
}

// Search returns the references of the scenes in o.Scenes, in that order and without duplicates. If o.Scenes is empty, it
// returns the references of all scenes in scenes/ and all orphans, sorted by name. If o.All is set, or for an entry that
// is a folder, it returns the same for all folders below. A scene whose [animation] lists moments has an additional
// reference for each moment. Two scenes with the same file name in two folders have two references; their names then
// begin with as many folders as are needed to distinguish them.
//
// A file beside the scenes is skipped if nothing of it was accepted yet and it is not a scene: if another scene includes
// it, if it has neither a solid nor a camera, or if golden.toml excludes it. An entry that names such a file selects it
// nevertheless.
//
// Search returns an error in these cases:
//
//   - An entry that is a name matches neither a scene nor an orphan, or matches several.
//   - An entry has a moment that the scene does not list and for which nothing was accepted.
//   - The name of a scene cannot have a golden, or two scenes share a golden.
//   - A folder or a file golden.toml cannot be read.
//   - There are no scenes; then the error is [ErrNoScenes].
//
// A scene of which nothing was accepted yet is taken for an orphan under a new name if at least half of the values in its
// text are those of the orphan's accepted scene, and no other pair is as similar. Its reference then has the orphan's files,
// and the orphan is not returned.
//
// An entry that is the path of a missing file is not an error: judging its reference fails. In a folder that is searched,
// judging also fails for a scene whose name cannot have a golden or is the name of another scene's moment.
func Search(o Options) (Found, error) {
	f := finder{Options: &o, configs: make(configs)}
	var err error
	switch {
	case o.All && len(o.Scenes) > 0:
		err = errors.New("want scenes or all scenes, got both")
	case o.All:
		err = f.below(".")
	case len(o.Scenes) == 0:
		err = f.here()
	}
	for _, arg := range o.Scenes {
		if err != nil {
			break
		}
		var refs []Reference
		if refs, err = f.resolve(arg); err == nil {
			f.found = append(f.found, refs...)
		}
	}
	if err == nil {
		f.found, err = distinct(f.found)
	}
	if err != nil {
		return Found{}, err
	}
	f.renamed()
	shorten(f.found)
	slices.SortFunc(f.skipped, func(a, b Skipped) int { return strings.Compare(a.File, b.File) })
	return Found{f.found, slices.Compact(f.skipped)}, nil
}

// A finder searches for references.
type finder struct {
	*Options
	configs configs
	found   []Reference
	skipped []Skipped
}

// here finds the references of the project in the current folder.
func (f *finder) here() error {
	p, err := f.configs.of(".")
	if err != nil {
		return err
	}
	if p != nil && len(p.folders) > 0 {
		return f.below(".")
	}
	if !osfile.Exists(scenesFolder) {
		return fmt.Errorf("%w: there is no folder %s", ErrNoScenes, scenesFolder)
	}
	if err := f.folder(scenesFolder, true); err != nil {
		return err
	}
	if len(f.found) == 0 {
		return fmt.Errorf("%w in %s", ErrNoScenes, scenesFolder)
	}
	if err := f.orphans(f.found[0].folder(), true); err != nil {
		return err
	}
	slices.SortStableFunc(f.found, compareNames)
	return nil
}

// compareNames orders references by name, and those of one scene by their time.
func compareNames(a, b Reference) int {
	aName, aMoment, _ := cutMoment(a.stem())
	bName, bMoment, _ := cutMoment(b.stem())
	return cmp.Or(strings.Compare(aName, bName), cmp.Compare(aMoment, bMoment))
}

// compareFolders orders references by folder, and those of one folder by name.
func compareFolders(a, b Reference) int {
	return cmp.Or(slices.Compare(a.elements(""), b.elements("")), compareNames(a, b))
}

// below finds the references of all scenes in a folder and in the folders below. It does not follow symbolic links.
func (f *finder) below(dir string) error {
	before := len(f.found)
	goldens := make(map[string]bool) // the folders of goldens, and whether they are certainly for scenes
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !e.IsDir():
			return nil
		case path != dir && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"):
			return filepath.SkipDir
		}
		return f.visit(path, path == dir, goldens)
	})
	if err != nil {
		return err
	}
	for _, dir := range slices.Sorted(maps.Keys(goldens)) {
		if err := f.orphans(dir, goldens[dir]); err != nil {
			return err
		}
	}
	if len(f.found) == before {
		return fmt.Errorf("%w below %s", ErrNoScenes, filepath.ToSlash(dir))
	}
	slices.SortStableFunc(f.found[before:], compareFolders)
	return nil
}

// visit finds the references of the scenes in one folder, and adds the folder of their goldens. In a folder that is not
// for scenes only, such as the root of a repository, it finds the scenes that have a golden. If the user named that
// folder, or if it has a folder for goldens but none for scenes, it also finds other files that look like scenes.
func (f *finder) visit(dir string, named bool, goldens map[string]bool) error {
	p, err := f.configs.of(dir)
	if err != nil {
		return err
	}
	onlyScenes := p.hasScenes(dir)
	if !onlyScenes && !named && !osfile.Exists(filepath.Join(dir, goldenFolder)) {
		return nil
	}
	before := len(f.found)
	if err := f.folder(dir, onlyScenes); err != nil {
		return err
	}
	own, err := f.goldensOf(filepath.Join(dir, "any"+sceneExtension))
	if err == nil {
		goldens[own] = goldens[own] || onlyScenes || len(f.found) > before || f.Golden != ""
	}
	return err
}

// folder finds the references of the scenes in a folder. all states that every TOML file is a scene.
func (f *finder) folder(dir string, all bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	includes := includesOf(dir, entries)
	besides := osfile.Exists(filepath.Join(dir, scenesFolder))
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() || filepath.Ext(e.Name()) != sceneExtension {
			continue
		}
		refs, err := f.references(path)
		var broken *projectError
		if errors.As(err, &broken) {
			return err
		}
		if err != nil {
			if !all {
				continue
			}
			r, err := f.refuse(path, err)
			if err != nil {
				return err
			}
			refs = []Reference{r}
		}
		// The golden of scenes/x.toml is not one of x.toml.
		others := besides && f.keeps(refs[0].folder(), filepath.Join(dir, scenesFolder, e.Name()))
		switch why := f.notScene(path, refs, includes); {
		case why == "" && (all || hasRecord(refs) && !others || !besides && looksLikeScene(path)):
			f.found = append(f.found, refs...)
		case why != "" && all:
			f.skipped = append(f.skipped, Skipped{path, why})
		}
	}
	return nil
}

// hasRecord reports whether anything was accepted for one of the references of a scene.
func hasRecord(refs []Reference) bool {
	return slices.ContainsFunc(refs, func(r Reference) bool {
		return osfile.Exists(r.Picture()) || osfile.Exists(r.Accepted()) || osfile.Exists(r.sidecar())
	})
}

// refuse returns the reference of a scene whose name is not allowed for a golden. The reference's name is the path of
// the scene's file, which differs from the names of all other references because those have no extension.
func (f *finder) refuse(path string, why error) (Reference, error) {
	dir, err := f.goldensOf(path)
	return Reference{Name: filepath.ToSlash(path), Scene: path, base: filepath.Join(dir, path), folderNamed: f.Golden != "", refused: why}, err
}

// orphans finds the goldens in a folder whose scenes are gone. If it is not certain that the folder is for goldens of
// scenes, it considers only those with an accepted scene.
func (f *finder) orphans(dir string, certain bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	project, err := f.configs.of(dir)
	if err != nil {
		return err
	}
	taken := make(map[string]bool)
	for i := range f.found {
		taken[f.found[i].identity()] = true
	}
	for _, e := range entries {
		name := owner(e.Name())
		r := Reference{Name: name, base: filepath.Join(dir, name), folderNamed: f.Golden != "", project: project}
		if name == "" || e.IsDir() || taken[r.identity()] || !certain && !osfile.Exists(r.Accepted()) {
			continue
		}
		stem, _, isMoment := cutMoment(name)
		moving := Reference{base: filepath.Join(dir, stem)}
		if f.belongs(project, dir, name) || isMoment && !taken[moving.identity()] && f.belongs(project, dir, stem) {
			continue
		}
		taken[r.identity()] = true
		f.found = append(f.found, r)
	}
	return nil
}

// belongs reports whether a golden in the folder dir belongs to a scene that exists, so that it is not an orphan. The
// scene may lie in another folder than those that are searched, or be excluded.
func (f *finder) belongs(p *config, dir, name string) bool {
	beside := filepath.Dir(dir)
	for _, folder := range append(p.sceneFolders(), beside, filepath.Join(beside, scenesFolder)) {
		if f.keeps(dir, filepath.Join(folder, name+sceneExtension)) {
			return true
		}
	}
	return false
}

// keeps reports whether the folder dir is that of the goldens of an existing scene. The folder of the goldens of the scenes
// in scenes/ is also that of scenes beside scenes/. It reports false if the user named the folder.
func (f *finder) keeps(dir, scene string) bool {
	if f.Golden != "" || !osfile.Exists(scene) {
		return false
	}
	own, err := f.goldensOf(scene)
	return err == nil && isSamePath(own, dir)
}

func isSamePath(a, b string) bool {
	x, err := filepath.Abs(a)
	y, errB := filepath.Abs(b)
	return err == nil && errB == nil && x == y
}

// resolve returns the references for a path, a name or a folder. If the argument ends in a moment, there is only one.
func (f *finder) resolve(arg string) ([]Reference, error) {
	path := scenePath(arg)
	stem, moment, isMoment := cutMoment(arg)
	switch {
	case isFile(path):
		return f.references(path)
	case isMoment && isFile(scenePath(stem)):
		return f.atMoment(scenePath(stem), moment)
	case filepath.Ext(arg) == sceneExtension && !isFolder(arg):
		return f.references(path) // judging it reports that the file cannot be opened
	}
	refs, err := f.named(arg)
	switch {
	case refs != nil || err != nil:
		return refs, err
	case isFolder(arg):
		return f.inFolder(arg)
	}
	return f.shortNamed(arg)
}

func isFile(name string) bool   { return osfile.Exists(name) && !isFolder(name) }
func isFolder(name string) bool { info, err := os.Stat(name); return err == nil && info.IsDir() }

// inFolder returns the references of all scenes in a folder and below.
func (f *finder) inFolder(dir string) ([]Reference, error) {
	inner := finder{Options: f.Options, configs: f.configs}
	if err := inner.below(filepath.Clean(dir)); err != nil {
		return nil, err
	}
	f.skipped = append(f.skipped, inner.skipped...)
	return inner.found, nil
}

// named returns the references with a name: pkg/x for the scene pkg/scenes/x.toml, pkg/x.toml, or an orphan in
// pkg/golden. It returns nil if none exist.
func (f *finder) named(arg string) ([]Reference, error) {
	dir, name := filepath.Split(filepath.FromSlash(arg))
	if name == "" || name == "." || name == ".." {
		return nil, nil
	}
	stem, moment, isMoment := cutMoment(name)
	for _, folder := range []string{filepath.Join(dir, scenesFolder), filepath.Clean(dir)} {
		path, moving := filepath.Join(folder, name+sceneExtension), filepath.Join(folder, stem+sceneExtension)
		goldens, err := f.goldensOf(filepath.Join(dir, scenesFolder, name+sceneExtension))
		switch {
		case err != nil:
			return nil, err
		case dir == "" && folder == "." && !f.keeps(goldens, path) && !f.keeps(goldens, moving):
		case isFile(path):
			return f.references(path)
		case isMoment && isFile(moving):
			return f.atMoment(moving, moment)
		}
	}
	r, err := f.reference(filepath.Join(dir, scenesFolder, name+sceneExtension))
	if err != nil || r.firstFile() == "" {
		return nil, err
	}
	r.Scene = ""
	return []Reference{r}, nil
}

// shortNamed returns the references of the scene or orphan below the current folder that has the given short name. It
// searches only in a project: with a file golden.toml, or in a git work tree.
func (f *finder) shortNamed(arg string) ([]Reference, error) {
	missing, err := f.reference(scenePath(arg))
	if err != nil {
		return nil, err
	}
	none := fmt.Errorf("no scene %s and no picture %s", missing.Scene, missing.Picture())
	p, err := f.configs.of(".")
	if err != nil {
		return nil, err
	}
	if _, ok := osfile.InWorkTree("any"); !ok && p == nil {
		return nil, none
	}
	inner := finder{Options: f.Options, configs: f.configs}
	if err := inner.below("."); err != nil {
		return nil, none
	}
	wanted := strings.Split(filepath.ToSlash(filepath.Clean(arg)), "/")
	var hits []Reference
	var names []string
	scenes := make(map[string]bool)
	for _, r := range inner.found {
		scene := r.elements(r.sceneName())
		if !endsIn(r.elements(r.stem()), wanted) && (r.Scene == "" || !endsIn(scene, wanted)) {
			continue
		}
		hits = append(hits, r)
		if of := strings.Join(scene, "/"); !scenes[of] {
			scenes[of] = true
			names = append(names, r.Argument())
		}
	}
	switch len(scenes) {
	case 0:
		return nil, none
	case 1:
		return hits, nil
	}
	return nil, fmt.Errorf("%s is the name of several goldens: %s", arg, strings.Join(names, ", "))
}

func endsIn(list, end []string) bool {
	return len(list) >= len(end) && slices.Equal(list[len(list)-len(end):], end)
}

// distinct returns the references without duplicates, and an error if two scenes share a golden.
func distinct(refs []Reference) ([]Reference, error) {
	var kept []Reference
	seen := make(map[string]string)
	for _, r := range refs {
		id := r.identity()
		first, known := seen[id]
		switch {
		case !known:
			seen[id] = r.Scene
			kept = append(kept, r)
		case filepath.Clean(first) != filepath.Clean(r.Scene):
			return nil, sharedName(r.Name, first, r.Scene)
		}
	}
	return kept, nil
}

// shorten gives references with the same name longer ones, which begin with as few folders as distinguish them.
func shorten(refs []Reference) {
	byName := make(map[string][]int)
	for i := range refs {
		byName[refs[i].Name] = append(byName[refs[i].Name], i)
	}
	for _, same := range byName {
		for length := 2; len(same) > 1; length++ {
			counts := make(map[string]int)
			longer := func(i int) string {
				e := refs[i].elements(refs[i].stem())
				return strings.Join(e[max(0, len(e)-length):], "/")
			}
			for _, i := range same {
				counts[longer(i)]++
			}
			longest := 0
			same = slices.DeleteFunc(same, func(i int) bool {
				longest = max(longest, len(refs[i].elements("")))
				if counts[longer(i)] > 1 {
					return false
				}
				refs[i].Name = longer(i)
				return true
			})
			if length > longest { // only golden.toml can cause this
				for _, i := range same {
					refs[i].Name = filepath.ToSlash(cmp.Or(refs[i].Scene, refs[i].base))
				}
				break
			}
		}
	}
}
