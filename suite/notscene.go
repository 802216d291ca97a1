package suite

import (
	"bytes"
	"io/fs"
	"path"
	"path/filepath"

	"pillbox/internal/tomltext"
	"pillbox/scene"
)

// includesOf returns the files that the scenes in a folder include, by the path of the file, each with the path of a scene
// that includes it.
func includesOf(dir string, entries []fs.DirEntry) func() map[string]string {
	var includes map[string]string
	return func() map[string]string {
		if includes != nil {
			return includes
		}
		includes = make(map[string]string)
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			if e.IsDir() || filepath.Ext(name) != sceneExtension {
				continue
			}
			for _, file := range includedBy(name) {
				if _, known := includes[file]; !known && file != name {
					includes[file] = name
				}
			}
		}
		return includes
	}
}

// includedBy returns the paths of the files that a scene includes.
func includedBy(name string) (files []string) {
	data, err := scene.ReadFile(name)
	if err != nil || !bytes.Contains(data, []byte("include")) {
		return nil
	}
	list, _ := keysOf(data)["include"].([]any)
	for _, v := range list {
		if file, ok := v.(string); ok {
			files = append(files, filepath.Join(filepath.Dir(name), filepath.FromSlash(path.Clean(file))))
		}
	}
	return files
}

// keysOf returns the values of a TOML file, of a file with syntax errors as far as it can be read.
func keysOf(data []byte) map[string]any {
	if root, err := tomltext.Parse(data); err == nil {
		return root
	}
	return tomltext.Recover(data).Root
}

// notScene returns why a file beside scenes is not a scene, or "". refs are the references that the file would have. If
// anything was accepted for them, only golden.toml can exclude the file.
func (f *finder) notScene(name string, refs []Reference, includes func() map[string]string) string {
	if why := refs[0].project.excludes(name); why != "" || refs[0].refused != nil || hasRecord(refs) {
		return why
	}
	if by, ok := includes()[name]; ok {
		return filepath.ToSlash(by) + " includes it"
	}
	data, err := scene.ReadFile(name)
	if err != nil {
		return "" // judging the scene reports the error
	}
	root, err := tomltext.Parse(data)
	if err != nil || hasPicture(root) {
		return ""
	}
	return "it has neither a solid nor a camera"
}

// looksLikeScene reports whether a TOML file has something that only scenes have.
func looksLikeScene(name string) bool {
	data, err := scene.ReadFile(name)
	return err == nil && hasPicture(keysOf(data))
}

// hasPicture reports whether a scene's keys include a solid or a camera.
func hasPicture(keys map[string]any) bool {
	names := []string{"camera", "place", "bulk"}
	for _, k := range scene.Kinds() {
		names = append(names, k.String())
	}
	for _, name := range names {
		if v, ok := keys[name]; ok {
			switch v.(type) {
			case map[string]any, []map[string]any, []any:
				return true
			}
		}
	}
	return false
}
