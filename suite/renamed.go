package suite

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"pillbox/internal/osfile"
	"pillbox/internal/regress"
	"pillbox/scene"
)

// holder returns the reference that has the accepted files: that of the scene's former name, until Accept has moved them, or
// r itself.
func (r *Reference) holder() *Reference {
	if r.former == nil {
		return r
	}
	return r.former
}

// renamed finds scenes that were renamed, or moved to another folder: those of which nothing was accepted yet and whose text
// is similar to an accepted scene whose own scene is gone. Their references then use the files of that orphan, which is no
// longer found by itself.
func (f *finder) renamed() {
	if f.Golden != "" || !slices.ContainsFunc(f.found, isNew) {
		return // a folder that the user named may contain goldens of scenes elsewhere
	}
	all := f.surroundings()
	var orphans, scenes []*Reference
	for i := range all {
		switch r := &all[i]; {
		case isNew(*r):
			scenes = append(scenes, r)
		case r.isGone():
			orphans = append(orphans, r)
		}
	}
	if len(orphans) == 0 {
		return
	}
	var gone, come []regress.Named
	for _, r := range orphans {
		gone = append(gone, named(r, r.Accepted()))
	}
	for _, r := range scenes {
		come = append(come, named(r, r.Scene))
	}
	former := make(map[string]*Reference)
	for _, p := range regress.Pair(gone, come) {
		former[filepath.Clean(scenes[p[1]].Scene)] = orphans[p[0]]
	}
	f.takeOver(former)
}

// isNew reports whether r is the reference of a scene without a time and nothing was accepted for it yet.
func isNew(r Reference) bool {
	return r.Scene != "" && r.At == nil && r.refused == nil && !hasRecord([]Reference{r})
}

// isGone reports whether an orphan is that of a scene that is gone, rather than of a time.
func (r *Reference) isGone() bool {
	_, _, isMoment := cutMoment(r.stem())
	return r.Scene == "" && !isMoment && osfile.Exists(r.Accepted())
}

func named(r *Reference, file string) regress.Named {
	text, _ := scene.ReadFile(file) // an unreadable file is similar to none
	return regress.Named{Name: r.stem(), Text: text}
}

// surroundings returns the references among which a renamed scene and its golden may be: in a git work tree or the project
// of a file golden.toml, all below the current folder, and otherwise those of the folders of the new scenes.
func (f *finder) surroundings() []Reference {
	if f.All {
		return slices.Clone(f.found)
	}
	all := slices.Clone(f.found)
	inner := finder{Options: f.Options, configs: f.configs}
	project, err := f.configs.of(".")
	if _, ok := osfile.InWorkTree("any"); err == nil && (ok || project != nil) {
		if inner.below(".") == nil {
			all = append(all, inner.found...)
		}
	}
	folders := make(map[string]string) // of scenes, by the folder of their goldens
	for _, r := range f.found {
		if isNew(r) {
			folders[r.folder()] = filepath.Dir(r.Scene)
		}
	}
	for _, goldens := range slices.Sorted(maps.Keys(folders)) {
		inner := finder{Options: f.Options, configs: f.configs}
		if inner.folder(folders[goldens], filepath.Base(folders[goldens]) == scenesFolder) == nil && inner.orphans(goldens, true) == nil {
			all = append(all, inner.found...)
		}
	}
	seen := make(map[string]bool)
	return slices.DeleteFunc(all, func(r Reference) bool {
		id := r.identity()
		again := seen[id]
		seen[id] = true
		return again
	})
}

// takeOver gives the references of each scene the goldens of its former name, and removes the orphans that these were.
func (f *finder) takeOver(former map[string]*Reference) {
	taken := make(map[string]bool)
	for i := range f.found {
		r := &f.found[i]
		old := former[filepath.Clean(r.Scene)]
		if r.Scene == "" || old == nil {
			continue
		}
		was := *old
		if r.At != nil {
			was = was.atMoment(*r.At)
		}
		if hasRecord([]Reference{was}) {
			r.former = &was
			taken[was.identity()] = true
		}
	}
	f.found = slices.DeleteFunc(f.found, func(r Reference) bool { return r.Scene == "" && taken[r.identity()] })
}

// copyFormer copies a file of the scene's former name, if it exists.
func (r *Result) copyFormer(write WriteFunc, from, to string) error {
	in, err := osfile.Open(from) // not a pipe
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	return r.write(write, to, func(w io.Writer) error { _, err := io.Copy(w, in); return err })
}

// removeFormer removes the files of the scene's former name.
func (r *Result) removeFormer(write WriteFunc, old *Reference) error {
	was := Result{Reference: *old, acceptedFiles: r.acceptedFiles}
	return was.removeAll(write)
}

// renamedDetail states that the scene was renamed, unless the details of the verdict do.
func (r *Result) renamedDetail() string {
	if r.former == nil || r.Verdict == New {
		return ""
	}
	return fmt.Sprintf("renamed from %s: accepting also moves the files of the golden", r.formerName())
}

// formerName returns the name of the golden that the scene had before it was renamed, with its folders if that is in
// another folder; or "".
func (r *Reference) formerName() string {
	switch {
	case r.former == nil:
		return ""
	case isSamePath(r.former.folder(), r.folder()):
		return r.former.stem()
	}
	return cmp.Or(r.former.Argument(), r.former.stem())
}
