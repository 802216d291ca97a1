package suite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pillbox/golden"
	"pillbox/internal/osfile"
	"pillbox/internal/sniff"
	"pillbox/internal/tomltext"
)

// projectFile is the name of the optional file at the root of a project.
const projectFile = "golden.toml"

// A config holds the settings of a file golden.toml, which apply to all scenes below its folder:
//
//	not_scenes = ["*/scenes/common-*.toml"]
//	reason = "the fonts of the machines differ"
//	tolerance = { max_channel = 1, max_pixels = 20 }
//
//	[[folder]]
//	scenes = "pkg*/pictures"
//	golden = "accepted"
//
// Paths of files and folders start at the folder of golden.toml, but the path of the goldens at the folder that contains
// the scenes' folder. In patterns, * stands for any part of a name. A nil config has no settings.
type config struct {
	dir       string // absolute
	notScenes []string
	folders   []projectFolder
	rules     golden.Sidecar // applies to scenes without a sidecar of their own
}

type projectFolder struct {
	scenes, golden string
	place          string // of the table in golden.toml, as file:line:column
}

// A projectError is the error of a file golden.toml.
type projectError struct{ error }

func (e *projectError) Unwrap() error { return e.error }

// configs caches the project of each folder by the folder's absolute path; nil for none.
type configs map[string]*config

// of returns the project that applies to the scenes in a folder: that of the nearest file golden.toml in this folder or
// one above. The search ends at the root of the git work tree or, without git, at the current folder.
func (ps configs) of(dir string) (*config, error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if p, ok := ps[whole]; ok {
		return p, nil
	}
	var p *config
	for _, at := range above(whole) {
		if p, err = readProject(at); p != nil || err != nil {
			break
		}
	}
	if err == nil {
		ps[whole] = p
	}
	return p, err
}

// above returns a folder and those above it, up to the root of the git work tree. If there is none, it returns the folders
// up to the current one.
func above(dir string) (list []string) {
	var here []string
	current, _ := os.Getwd()
	for ; ; dir = filepath.Dir(dir) {
		list = append(list, dir)
		if _, inside := osfile.Within(current, dir); inside {
			here = list
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return list
		}
		if dir == filepath.Dir(dir) {
			return here
		}
	}
}

// maxProjectBytes is the largest size of a file golden.toml.
const maxProjectBytes = 1 << 20

// readProject reads the file golden.toml in a folder. It returns nil if there is none, or if the file is a scene.
func readProject(dir string) (*config, error) {
	name := filepath.Join(dir, projectFile)
	file, err := osfile.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxProjectBytes+1))
	if err == nil && len(data) > maxProjectBytes {
		err = fmt.Errorf("larger than %d MiB", maxProjectBytes>>20)
	}
	if err != nil {
		return nil, &projectError{fmt.Errorf("%s: %w", shownPath(name), err)}
	}
	root, err := tomltext.Parse(data)
	if err == nil && hasPicture(root) {
		return nil, nil
	}
	r := projectReader{name: shownPath(name)}
	if err != nil {
		r.text = tomltext.WithoutMark(data)
		if found := sniff.Git(r.text); len(found) > 0 {
			return nil, &projectError{fmt.Errorf("%s: %s", r.place(found[0].Start), found[0].Message)}
		}
		if hasPicture(keysOf(data)) {
			return nil, nil
		}
		place := r.name
		var syntax *tomltext.SyntaxError
		if errors.As(err, &syntax) {
			place = r.place(syntax.Start)
		}
		return nil, &projectError{fmt.Errorf("%s: %w", place, err)}
	}
	r.text, _ = tomltext.Text(data) // Parse has accepted it
	p := r.config(dir, root)
	if err := errors.Join(r.problems...); err != nil {
		return nil, &projectError{err}
	}
	return p, nil
}

// shownPath returns a path relative to the current folder, if that contains the file.
func shownPath(name string) string {
	if current, err := os.Getwd(); err == nil {
		if rel, ok := osfile.Within(current, name); ok {
			return rel
		}
	}
	return name
}

// A projectReader reads the values of a file golden.toml.
type projectReader struct {
	name     string // of the file
	text     []byte
	problems []error
}

// place returns the position of the byte with the given index, as file:line:column.
func (r *projectReader) place(start int) string {
	line, column := tomltext.Position(r.text, start)
	return fmt.Sprintf("%s:%d:%d", r.name, line, column)
}

// placeOf returns the position of the innermost table or key that contains the given key and exists. If there is none, it
// is the beginning of the file.
func (r *projectReader) placeOf(key string) string {
	var paths []string
	for path := key; path != ""; path = path[:max(0, strings.LastIndexAny(path, ".["))] {
		paths = append(paths, path)
	}
	found := tomltext.Locate(r.text, paths)
	for _, path := range paths {
		if at := found[path]; at.Found {
			return r.place(at.Key.Start)
		}
	}
	return r.place(0)
}

// wrong adds a problem of a key.
func (r *projectReader) wrong(key, format string, args ...any) {
	r.problems = append(r.problems, fmt.Errorf("%s: %s: %s", r.placeOf(key), key, fmt.Sprintf(format, args...)))
}

// config returns the settings of a file golden.toml in the given folder.
func (r *projectReader) config(dir string, root map[string]any) *config {
	p := &config{dir: dir}
	known := []string{"not_scenes", "reason", "tolerance", "folder"}
	rules := make(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(root)) {
		switch v := root[key]; key {
		case "reason", "tolerance":
			rules[key] = v
		case "not_scenes":
			p.notScenes = r.patterns(key, v)
		case "folder":
			p.folders = r.folders(v)
		default:
			r.wrong(tomltext.QuoteKey(key), "unknown key, want one of %s", strings.Join(known, ", "))
		}
	}
	if len(rules) > 0 {
		var err error
		if p.rules, err = golden.ParseSidecar(tomltext.Encode(rules), r.name); err != nil {
			for line := range strings.Lines(err.Error()) {
				key, problem, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), r.name+": "), ": ")
				r.wrong(key, "%s", problem)
			}
		}
	}
	return p
}

// patterns reads an array of patterns of local paths.
func (r *projectReader) patterns(key string, v any) (list []string) {
	all, ok := v.([]any)
	if !ok {
		r.wrong(key, "must be an array of paths, got %s", shown(v))
	}
	for i, v := range all {
		if pattern, ok := r.pattern(fmt.Sprintf("%s[%d]", key, i), v); ok {
			list = append(list, pattern)
		}
	}
	return list
}

// pattern reads a pattern of local paths.
func (r *projectReader) pattern(key string, v any) (string, bool) {
	s, ok := v.(string)
	if _, err := path.Match(s, ""); !ok || err != nil || !filepath.IsLocal(filepath.FromSlash(s)) {
		r.wrong(key, "must be a path below this folder, got %s", shown(v))
		return "", false
	}
	return path.Clean(s), true
}

// shown returns a value of a TOML file as text for messages.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return strconv.Quote(v)
	case []any, []map[string]any:
		return "an array"
	case map[string]any:
		return "a table"
	}
	return fmt.Sprint(v)
}

// folders reads the tables [[folder]].
func (r *projectReader) folders(v any) (list []projectFolder) {
	all, ok := v.([]map[string]any)
	if !ok {
		r.wrong("folder", "must be tables [[folder]] with scenes and golden, got %s", shown(v))
	}
	for i, t := range all {
		key := fmt.Sprintf("folder[%d]", i)
		dir := goldenFolder
		if v, there := t["golden"]; there {
			s, ok := v.(string)
			if !ok || s == "" || path.IsAbs(s) || strings.Contains(s, "\\") {
				r.wrong(key+".golden", "must be the path of a folder, relative to the folder that contains the scenes' folder, got %s", shown(v))
			}
			dir = s
		}
		for _, k := range slices.Sorted(maps.Keys(t)) {
			if k != "scenes" && k != "golden" {
				r.wrong(key+"."+tomltext.QuoteKey(k), "unknown key, want scenes or golden")
			}
		}
		if scenes, ok := r.pattern(key+".scenes", t["scenes"]); ok {
			list = append(list, projectFolder{scenes, dir, r.placeOf(key)})
		}
	}
	return list
}

// rel returns the path of a file relative to the project's folder, with slashes.
func (p *config) rel(name string) (string, bool) {
	whole, err := filepath.Abs(name)
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(p.dir, whole)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// excludes returns why the project excludes a file, or "".
func (p *config) excludes(name string) string {
	if p == nil {
		return ""
	}
	rel, ok := p.rel(name)
	for _, pattern := range p.notScenes {
		if match, _ := path.Match(pattern, rel); ok && match {
			return fmt.Sprintf("not_scenes in %s excludes it", shownPath(filepath.Join(p.dir, projectFile)))
		}
	}
	return ""
}

// folderOf returns the project's folder of scenes that is the given one.
func (p *config) folderOf(dir string) (projectFolder, bool) {
	if p != nil {
		rel, ok := p.rel(dir)
		for _, folder := range p.folders {
			if match, _ := path.Match(folder.scenes, rel); ok && match {
				return folder, true
			}
		}
	}
	return projectFolder{}, false
}

// sceneFolders returns the existing folders of scenes that the project names.
func (p *config) sceneFolders() (list []string) {
	if p == nil {
		return nil
	}
	for _, folder := range p.folders {
		found, _ := fs.Glob(os.DirFS(p.dir), folder.scenes) // the pattern is valid
		for _, name := range found {
			list = append(list, filepath.Join(p.dir, filepath.FromSlash(name)))
		}
	}
	return list
}

// hasScenes reports whether a folder is for scenes only.
func (p *config) hasScenes(dir string) bool {
	if _, ok := p.folderOf(dir); ok {
		return true
	}
	whole, err := filepath.Abs(dir)
	return err == nil && filepath.Base(whole) == scenesFolder
}

// goldens returns the folder with the goldens of the scenes in the folder dir, if the project names one. The folder must
// be in the project: otherwise, a pull request could choose which files accepting replaces.
func (p *config) goldens(dir string) (string, bool, error) {
	folder, ok := p.folderOf(dir)
	if !ok {
		return "", false, nil
	}
	goldens := filepath.Join(dir, "..", filepath.FromSlash(folder.golden))
	if rel, inside := p.rel(goldens); !inside || rel == "." {
		return "", false, &projectError{fmt.Errorf("%s: folder: the goldens of %s must be in a folder below this file, got %s", folder.place, filepath.ToSlash(dir), goldens)}
	}
	if p.hasScenes(goldens) {
		return "", false, &projectError{fmt.Errorf("%s: folder: the goldens of %s must not be in a folder of scenes, got %s", folder.place, filepath.ToSlash(dir), goldens)}
	}
	return goldens, true, nil
}
