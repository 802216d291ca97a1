package pillbox_test

import (
	"go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers is the architecture, bottom to top: a package imports only packages on lines
// above its own.
const layers = `
geom escape
shapes exact
shapes/shapetest
camera shade accel
scene/tomltext
scene
stage
pillbox
explain/formula cast
explain regress aov animate
explain/diagram suite
cmd/render scripts/peers docs/lessons/refresh docs/lessons/traps
scripts/peers/versus
`

// standalone packages know nothing of rays: of this module they import only the packages
// listed. Layers above pillbox may import them.
var standalone = map[string][]string{"chart": nil, "golden": {"chart", "imagefile"}, "imagefile": nil, "pngfile": nil}

// libraries lists the modules outside the standard library and who may import them, tests
// aside.
var libraries = map[string][]string{
	"github.com/BurntSushi/toml":        {"scene/tomltext", "golden"},
	"github.com/pelletier/go-toml/v2":   {"scene/tomltext"},
	"github.com/fogleman/gg":            {"chart"},
	"github.com/klauspost/compress":     {"pngfile"},
	"golang.org/x/image":                {"scene", "chart", "golden", "cmd/render", "docs/lessons/traps"},
	"github.com/spf13/cobra":            {"cmd/render"},
	"github.com/schollz/progressbar/v3": {"cmd/render"},
	"github.com/fsnotify/fsnotify":      {"cmd/render"},
	"golang.org/x/term":                 {"cmd/render"},
	"github.com/spf13/pflag":            {"cmd/render"},
	"github.com/rivo/uniseg":            {"cmd/render"},
	"golang.org/x/sync":                 {"scene", "scene/tomltext", "suite"},
	"golang.org/x/sys":                  {"accel"},
}

func TestImports(t *testing.T) {
	rank := map[string]int{}
	for i, line := range strings.Split(strings.TrimSpace(layers), "\n") {
		for _, pkg := range strings.Fields(line) {
			rank[pkg] = i
		}
	}
	for pkg, imports := range packages(t) {
		own, layered := rank[pkg]
		allowed, alone := standalone[pkg]
		if !layered && !alone {
			t.Errorf("package %s has no place in the architecture", pkg)
		}
		for _, imp := range imports {
			name, ours := strings.CutPrefix(imp, "pillbox/")
			if imp == "pillbox" {
				name, ours = imp, true
			}
			if !ours {
				checkLibrary(t, pkg, imp)
				continue
			}
			if alone {
				if !slices.Contains(allowed, name) {
					t.Errorf("package %s must not import %s", pkg, name)
				}
				continue
			}
			above, layeredToo := rank[name]
			if _, ok := standalone[name]; ok {
				above, layeredToo = rank["pillbox"], true
			}
			if !layeredToo || above >= own {
				t.Errorf("package %s must not import %s", pkg, name)
			}
		}
	}
}

func checkLibrary(t *testing.T, pkg, imp string) {
	if !strings.Contains(strings.Split(imp, "/")[0], ".") {
		return // the standard library
	}
	for module, users := range libraries {
		if (imp == module || strings.HasPrefix(imp, module+"/")) && slices.Contains(users, pkg) {
			return
		}
	}
	t.Errorf("package %s must not import %s", pkg, imp)
}

// packages returns the imports of every package of the module, those of tests left out.
func packages(t *testing.T) map[string][]string {
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if base := d.Name(); base == "testdata" || dir != "." && strings.HasPrefix(base, ".") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && dir != "." {
			return fs.SkipDir // a module of its own
		}
		pkg, err := build.ImportDir(dir, 0)
		if _, none := err.(*build.NoGoError); none {
			return nil
		}
		if err != nil {
			return err
		}
		if len(pkg.GoFiles) == 0 {
			return nil
		}
		name := path.Clean(filepath.ToSlash(dir))
		if name == "." {
			name = "pillbox"
		}
		found[name] = pkg.Imports
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 8 {
		t.Fatalf("found only %d packages: the test runs in the wrong place", len(found))
	}
	return found
}
