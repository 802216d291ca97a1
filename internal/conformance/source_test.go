package conformance_test

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox"
	"pillbox/internal/sourcehash"
)

// TestSourceHash checks that pillbox.SourceHash covers every file of the packages that decide pixels, and no other
// file.
func TestSourceHash(t *testing.T) {
	root := "."
	want, embedded := rendererFiles(t, root), embeddedFiles(t, root)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !embedded[name] {
			t.Errorf("render.go does not embed %s", name)
		}
	}
	files := fstest.MapFS{}
	for _, name := range slices.Sorted(maps.Keys(embedded)) {
		if !want[name] {
			t.Errorf("render.go embeds %s, which is not part of the renderer", name)
		}
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	sum, err := sourcehash.Of(files)
	if err != nil {
		t.Fatal(err)
	}
	if got := pillbox.SourceHash(); got != sum {
		t.Errorf("SourceHash is %s, and the embedded files have %s", got, sum)
	}
}

// embeddedFiles returns the names of the files that render.go embeds.
func embeddedFiles(t *testing.T, root string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, pattern := range embedPatterns(t, filepath.Join(root, "render.go")) {
		matches, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range matches {
			name, err := filepath.Rel(root, m)
			if err != nil {
				t.Fatal(err)
			}
			names[filepath.ToSlash(name)] = true
		}
	}
	if len(names) == 0 {
		t.Fatal("render.go embeds no files")
	}
	return names
}

// rendererFiles returns the names of the files that make up the renderer on all systems. They are go.mod, and the
// sources and embedded files of the root package and of all packages of this module that it imports, directly or
// indirectly. Tests are not included.
func rendererFiles(t *testing.T, root string) map[string]bool {
	t.Helper()
	names := map[string]bool{"go.mod": true}
	seen := map[string]bool{".": true}
	for queue := []string{"."}; len(queue) > 0; queue = queue[1:] {
		entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(queue[0])))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			name := path.Join(queue[0], entry.Name())
			ext := path.Ext(name)
			if strings.HasSuffix(name, "_test.go") || !slices.Contains([]string{".go", ".s", ".wasm"}, ext) {
				continue
			}
			names[name] = true
			if ext != ".go" {
				continue
			}
			local := filepath.Join(root, filepath.FromSlash(name))
			for _, imp := range importsOf(t, local) {
				if dir, ours := strings.CutPrefix(imp, "pillbox/"); ours && !seen[dir] {
					seen[dir] = true
					queue = append(queue, dir)
				}
			}
			if name == "render.go" {
				continue // it embeds the files of the renderer themselves
			}
			for _, pattern := range embedPatterns(t, local) {
				names[path.Join(queue[0], pattern)] = true
			}
		}
	}
	return names
}

// importsOf returns the import paths in a Go file.
func importsOf(t *testing.T, file string) (paths []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, imp := range f.Imports {
		imported, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, imported)
	}
	return paths
}

// embedPatterns returns the patterns in the //go:embed lines of a Go file.
func embedPatterns(t *testing.T, file string) (patterns []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if list, embeds := strings.CutPrefix(line, "//go:embed "); embeds {
			patterns = append(patterns, strings.Fields(list)...)
		}
	}
	return patterns
}
