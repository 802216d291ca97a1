package pillbox

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// TestSourceHashHasAllFiles: the hash has every file of the packages that the renderer consists of, and no other.
func TestSourceHashHasAllFiles(t *testing.T) {
	want := map[string]bool{"go.mod": true}
	seen := map[string]bool{".": true}
	for queue := []string{"."}; len(queue) > 0; queue = queue[1:] {
		names, err := filepath.Glob(filepath.Join(filepath.FromSlash(queue[0]), "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			name = filepath.ToSlash(name)
			ext := path.Ext(name)
			if strings.HasSuffix(name, "_test.go") || !slices.Contains([]string{".go", ".s", ".wasm"}, ext) {
				continue
			}
			want[name] = true
			if ext != ".go" {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, imp := range file.Imports {
				text, err := strconv.Unquote(imp.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				if dir, ours := strings.CutPrefix(text, "pillbox/"); ours && !seen[dir] {
					seen[dir] = true
					queue = append(queue, dir)
				}
			}
			if name == "source.go" {
				continue // its embedded files are what this test checks
			}
			for _, group := range file.Comments {
				for _, line := range group.List {
					if pattern, embeds := strings.CutPrefix(line.Text, "//go:embed "); embeds {
						want[path.Join(queue[0], pattern)] = true
					}
				}
			}
		}
	}
	got := map[string]bool{}
	err := fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			got[name] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !got[name] {
			t.Errorf("source.go does not embed %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if !want[name] {
			t.Errorf("source.go embeds %s, which is not part of the renderer", name)
		}
	}
}

// TestSourceHash depends on every name and byte, but not on how lines end.
func TestSourceHash(t *testing.T) {
	files := func() fstest.MapFS {
		return fstest.MapFS{"a.go": {Data: []byte("x\ny\n")}, "b/k.wasm": {Data: []byte("\r\n")}}
	}
	base := hashSources(files())
	ends := files()
	ends["a.go"].Data = []byte("x\r\ny\r\n")
	if got := hashSources(ends); got != base {
		t.Errorf("other line ends give the hash %s, want %s", got, base)
	}
	for what, change := range map[string]func(fstest.MapFS){
		"another byte":      func(f fstest.MapFS) { f["a.go"].Data[0]++ },
		"binary line ends":  func(f fstest.MapFS) { f["b/k.wasm"].Data = []byte("\n") },
		"another name":      func(f fstest.MapFS) { f["c.go"] = f["a.go"]; delete(f, "a.go") },
		"one more file":     func(f fstest.MapFS) { f["c.go"] = &fstest.MapFile{} },
		"one file less":     func(f fstest.MapFS) { delete(f, "b/k.wasm") },
		"a byte, elsewhere": func(f fstest.MapFS) { f["b/k.wasm"].Data = append(f["b/k.wasm"].Data, 0) },
	} {
		changed := files()
		change(changed)
		if hashSources(changed) == base {
			t.Errorf("%s gives the same hash", what)
		}
	}
}
