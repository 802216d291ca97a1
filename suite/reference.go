package suite

import (
	"fmt"
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

	former      *Reference // of the name that the scene had before it was renamed, which still has the accepted files; or nil
	folderNamed bool       // the user named the folder of the goldens
	refused     error      // why the scene cannot have a golden; nil if it can
	project     *config    // nil if there is no file golden.toml
}

// stem returns the reference's name without folders.
func (r *Reference) stem() string { return filepath.Base(r.base) }

// sceneName returns the name of the reference's scene without folders.
func (r *Reference) sceneName() string {
	stem, _, ok := cutMoment(r.stem())
	if r.At == nil || !ok {
		return r.stem()
	}
	return stem
}

// identity returns what distinguishes the reference from all others: the absolute path of its golden.
func (r *Reference) identity() string {
	if path, err := filepath.Abs(r.base); err == nil {
		return path
	}
	return r.base
}

// elements returns the folders of the reference's scene, without a folder scenes, and the given name. Of an orphan, it
// returns the folders above that of its golden. In the current folder, it returns only the folders below that one.
func (r *Reference) elements(name string) []string {
	dir := filepath.Dir(r.Scene)
	if r.Scene == "" {
		dir = filepath.Dir(r.folder())
	}
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	if r.Scene != "" && filepath.Base(dir) == scenesFolder {
		dir = filepath.Dir(dir)
	}
	if current, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(current, dir); err == nil && filepath.IsLocal(rel) {
			dir = strings.TrimPrefix(rel, ".")
		}
	}
	list := strings.FieldsFunc(filepath.ToSlash(dir), func(c rune) bool { return c == '/' })
	return append(list, name)
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

// Picture returns the path of the accepted picture. If the scene was renamed, the path has its former name until the present
// picture is accepted, and so have those of the other accepted files.
func (r *Reference) Picture() string { return r.holder().ownPicture() }

// Accepted returns the path of the copy of the accepted scene.
func (r *Reference) Accepted() string { return r.holder().base + ".scene.toml" }

// list returns the path of the list of the other files that the accepted scene read. Their contents are in the folder files
// beside it.
func (r *Reference) list() string { return r.holder().base + ".scene.files" }

// Copies returns the path of the folder in which earlier versions of this program stored the other files that the accepted
// scene read. Each copy has the name by which the scene reads the file. Accepting replaces them by a list.
func (r *Reference) Copies() string { return r.holder().base + ".scene" }

// sidecar returns the path of the file that states which differences are accepted, see [golden.ParseSidecar].
func (r *Reference) sidecar() string { return r.holder().ownSidecar() }

// ownPicture and ownSidecar return the paths with the scene's present name.
func (r *Reference) ownPicture() string { return r.base + ".png" }
func (r *Reference) ownSidecar() string { return r.base + ".golden.toml" }

// Proposal returns the path of the present picture that [Result.Propose] writes.
func (r *Reference) Proposal() string { return r.base + ".new.png" }

// Drawing returns the path of the comparison that [Result.Draw] writes for a review.
func (r *Reference) Drawing() string { return r.base + ".diff.png" }

// Files returns the paths of all files that a reference may have, except the scene, the files in the folder of copies, and
// the contents in the folder files, which several references may share.
func (r *Reference) Files() []string {
	return []string{r.Picture(), r.Accepted(), r.list(), r.sidecar(), r.Proposal(), r.Drawing()}
}

// Kept returns the paths of the files and folders that belong in version control, except the sidecar: the picture, the
// accepted scene, and the other files that it read.
func (r *Reference) Kept() []string {
	return []string{r.Picture(), r.Accepted(), r.list(), r.contents()}
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
	case r.Scene == "" && (r.folderNamed || filepath.Dir(r.folder()) == "."):
		return r.stem()
	case r.Scene == "":
		return filepath.ToSlash(filepath.Join(filepath.Dir(r.folder()), r.stem()))
	case filepath.Dir(r.Scene) == scenesFolder:
		return r.stem()
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

// scenePath returns the path of a scene that was given as a path or a name.
func scenePath(arg string) string {
	if arg != filepath.Base(arg) || filepath.Ext(arg) == sceneExtension {
		return arg
	}
	return filepath.Join(scenesFolder, arg+sceneExtension)
}

// atMoment returns the reference of a scene at a moment. If the scene no longer lists the moment but files of the
// reference exist, it is an orphan.
func (f *finder) atMoment(path string, moment Moment) ([]Reference, error) {
	r, err := f.reference(path)
	if err != nil {
		return nil, err
	}
	r = r.atMoment(moment)
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
func (f *finder) references(path string) ([]Reference, error) {
	r, err := f.reference(path)
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
		all = append(all, r.atMoment(m))
	}
	return all, nil
}

// sharedName is the error for two scenes with one name.
func sharedName(name, first, second string) error {
	return fmt.Errorf("two scenes are called %s: %s and %s", name, first, second)
}

// atMoment returns the reference of the same scene at a moment.
func (r Reference) atMoment(m Moment) Reference {
	r.former = nil
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
func (f *finder) reference(path string) (Reference, error) {
	path = filepath.Clean(path)
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for _, ending := range reserved {
		if strings.HasSuffix(name, ending) {
			return Reference{}, fmt.Errorf("%s: the name of a scene with a golden must not end in %s", path, ending)
		}
	}
	dir, err := f.goldensOf(path)
	if err != nil {
		return Reference{}, err
	}
	p, err := f.configs.of(filepath.Dir(path))
	return Reference{Name: name, Scene: path, base: filepath.Join(dir, name), folderNamed: f.Golden != "", project: p}, err
}

// goldensOf returns the folder of a scene's reference: f.Golden, if it is set. Otherwise it is the folder that golden.toml
// names. Without one, for a scene in a folder scenes/, it is golden/ next to that folder, and for a scene elsewhere
// golden/ next to the scene.
func (f *finder) goldensOf(scene string) (string, error) {
	if f.Golden != "" {
		return f.Golden, nil
	}
	dir := filepath.Dir(scene)
	p, err := f.configs.of(dir)
	if err != nil {
		return "", err
	}
	if goldens, ok, err := p.goldens(dir); ok || err != nil {
		return goldens, err
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if filepath.Base(whole) == scenesFolder {
		dir = filepath.Join(dir, "..")
	}
	return filepath.Join(dir, goldenFolder), nil
}
