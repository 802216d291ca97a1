package mesh

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"pillbox/internal/convert/model"
	"pillbox/internal/text"
)

// maxLibraryBytes is the largest size of a file with materials, and maxLibraries the largest number of them that a mesh names.
const (
	maxLibraryBytes = 16 << 20
	maxLibraries    = 100
)

// addLibrary adds the names in a statement mtllib.
func (b *builder) addLibrary(names string) {
	words := len(strings.Fields(names))
	switch {
	case words == 0 || slices.Contains(b.mesh.libraries, names):
	case b.libraries+words > maxLibraries:
		b.skip(fmt.Sprintf("library of materials beyond the first %d", maxLibraries))
	default:
		b.libraries += words
		b.mesh.libraries = append(b.mesh.libraries, names)
	}
}

// material is a material in a file in Wavefront's format.
type material struct {
	color   model.Color // "": the file states none
	texture string      // a picture, after options; "": none
	file    string      // path of the file in the source's folder
}

// library holds the materials that a mesh can use.
type library struct {
	names   []string              // of the files, relative to the mesh
	files   []map[string]material // the materials in each file
	problem error                 // why the first unreadable file could not be read
}

// libraryOf reads the materials for a mesh. The name of a file may contain spaces.
func (l *Library) libraryOf(m *Mesh) *library {
	all := &library{}
	dir := path.Dir(m.file)
	for _, statement := range m.libraries {
		names := []string{statement}
		if _, err := l.find([]string{path.Join(dir, statement)}); err != nil {
			names = strings.Fields(withoutComment(statement))
		}
		for _, name := range names {
			if slices.Contains(all.names, name) {
				continue
			}
			materials, err := l.materialsIn(path.Join(dir, name))
			if err != nil && all.problem == nil {
				all.problem = fmt.Errorf("%s %w", text.Shorten(name), err)
			}
			all.names, all.files = append(all.names, name), append(all.files, materials)
		}
	}
	return all
}

// find returns a material. If several files contain it, the first of them counts.
func (a *library) find(name string) (material, error) {
	for _, key := range [...]string{name, withoutComment(name)} {
		for _, materials := range a.files {
			if found, ok := materials[key]; ok {
				return found, nil
			}
		}
	}
	switch {
	case len(a.names) == 0:
		return material{}, nil
	case a.problem != nil:
		return material{}, missingError{a.problem.Error()}
	case len(a.names) == 1:
		return material{}, missingError{fmt.Sprintf("%s has no material %q", text.Shorten(a.names[0]), text.Shorten(name))}
	}
	return material{}, missingError{fmt.Sprintf("its %d files of materials have no material %q", len(a.names), text.Shorten(name))}
}

// missingError describes why a material is missing.
type missingError struct{ reason string }

func (e missingError) Error() string { return e.reason }

// colorOfMaterial returns the mean color of a material's texture or, if that cannot be read, its color and an error.
func (l *Library) colorOfMaterial(m material) (model.Color, error) {
	if m.texture == "" {
		return m.color, nil
	}
	const most = 20 // words
	var candidates []string
	words := strings.Fields(m.texture)
	for i, name := 0, m.texture; i < len(words); i++ { // options come first, and names may contain spaces
		if len(words)-i <= most {
			candidates = append(candidates, path.Join(path.Dir(m.file), name))
		}
		name = rest([]byte(name))
	}
	c, err := l.Texture(candidates...)
	if err != nil {
		return m.color, fmt.Errorf("%s %w", text.Shorten(words[len(words)-1]), err)
	}
	return c, nil
}

// materialsResult is the result of reading a file of materials.
type materialsResult struct {
	materials map[string]material
	err       error
}

// materialsIn returns the materials in a file in Wavefront's format, by name.
func (l *Library) materialsIn(file string) (map[string]material, error) {
	r, ok := l.materials[file]
	if !ok {
		if l.materials == nil {
			l.materials = make(map[string]materialsResult)
		}
		r.materials, r.err = l.readMaterials(file)
		l.materials[file] = r
	}
	return r.materials, r.err
}

func (l *Library) readMaterials(file string) (map[string]material, error) {
	if _, err := l.find([]string{file}); err != nil {
		return nil, err
	}
	contents, err := l.contents(file, maxLibraryBytes)
	if err != nil {
		return nil, err
	}
	all := make(map[string]material)
	name := ""
	var commented []string // names that may end in a comment
	for row := range rows(bytes.TrimPrefix(contents, []byte("\ufeff"))) {
		words := bytes.Fields(row)
		if len(words) < 2 {
			continue
		}
		m := all[name]
		switch string(words[0]) {
		case "newmtl":
			name = rest(row)
			if m = all[name]; withoutComment(name) != name {
				commented = append(commented, name)
			}
		case "Kd":
			if m.color, err = parseColor(words[1:]); err != nil {
				return nil, fmt.Errorf("has an invalid color %q", text.Shorten(string(row)))
			}
		case "map_Kd":
			m.texture = withoutComment(slashes(rest(row)))
		}
		m.file = file
		all[name] = m
	}
	for _, name := range commented {
		short := withoutComment(name)
		if _, there := all[short]; !there {
			all[short] = all[name]
		}
	}
	return all, nil
}

// parseColor parses three channels, or one for all of them.
func parseColor(words [][]byte) (model.Color, error) {
	var rgb [3]float64
	for i := range rgb {
		x, err := parseLocalNumber(string(words[min(i, len(words)-1)]))
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return "", errors.New("is not a color")
		}
		rgb[i] = x
	}
	return model.RGB(rgb[0], rgb[1], rgb[2]), nil
}

// withoutComment returns a text up to a word that begins with #.
func withoutComment(s string) string {
	for i := range s {
		if s[i] == '#' && (i == 0 || strings.TrimRightFunc(s[:i], unicode.IsSpace) != s[:i]) {
			return strings.TrimSpace(s[:i])
		}
	}
	return s
}

// rest returns what follows the first word of a line, without the white space around it.
func rest(row []byte) string {
	row = bytes.TrimSpace(row)
	if i := bytes.IndexFunc(row, unicode.IsSpace); i >= 0 {
		return string(bytes.TrimSpace(row[i:]))
	}
	return ""
}

// slashes returns the name of a file with slashes, whatever system wrote it.
func slashes(name string) string { return strings.ReplaceAll(name, `\`, "/") }
