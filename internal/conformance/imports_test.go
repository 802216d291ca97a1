package conformance_test

import (
	"go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// standalone lists packages that are independent of ray tracing. The value lists the packages of this module that
// the package may import.
var standalone = map[string][]string{"internal/geom2": nil, "internal/svg": {"internal/geom2"}, "internal/chart": {"internal/geom2", "internal/svg"}, "golden": {"internal/chart", "internal/geom2", "internal/osfile", "internal/parallel", "internal/sniff", "internal/text", "internal/tomltext"}, "internal/osfile": {"internal/sniff"}, "pngfile": nil}

// libraries lists the modules outside the standard library. The value lists the packages that may import them,
// except in tests. A name that ends in a slash means all packages below that folder.
var libraries = map[string][]string{
	"github.com/BurntSushi/toml":        {"internal/tomltext"},
	"github.com/pelletier/go-toml/v2":   {"internal/tomltext"},
	"github.com/fogleman/gg":            {"internal/chart"},
	"github.com/klauspost/compress":     {"internal/farm", "internal/ink", "pngfile", "suite"},
	"golang.org/x/image":                {"internal/keytable", "internal/typeface", "internal/chart", "golden", "internal/command", "internal/cli", "internal/tools/lessons/traps", "internal/picture"},
	"golang.org/x/text":                 {"internal/typeface"},
	"github.com/nats-io/nats.go":        {"internal/farm"},
	"github.com/nats-io/nats-server/v2": {"cmd/renderfarm"},
	"github.com/qmuntal/gltf":           {"internal/convert/gltf"},
	"github.com/spf13/cobra":            {"cmd/render/", "cmd/renderfarm", "internal/cli", "internal/command", "internal/convert/commands", "internal/course/commands", "internal/farm/commands", "internal/play/commands"},
	"github.com/schollz/progressbar/v3": {"internal/cli"},
	"github.com/fsnotify/fsnotify":      {"internal/osfile/watch"},
	"golang.org/x/term":                 {"internal/cli"},
	"github.com/spf13/pflag":            {"cmd/render/program", "cmd/render/program/programtest", "internal/cli", "internal/command"},
	"github.com/rivo/uniseg":            {"cmd/render/golden", "internal/cli"},
	"golang.org/x/sys":                  {"internal/accel", "internal/arealight", "internal/cli", "internal/sampler"},
}

// TestImports checks that each package imports only packages of lower layers, as docs/design.md lists them.
func TestImports(t *testing.T) {
	layers := layers(t)
	found := packages(t)
	for pkg := range layers {
		if _, ok := found[pkg]; !ok {
			t.Errorf("%s gives a layer to package %s, which is not there", designDocument, pkg)
		}
	}
	for pkg, imports := range found {
		if layers[pkg] == 0 {
			t.Errorf("package %s has no layer in %s", pkg, designDocument)
		}
		allowed, alone := standalone[pkg]
		for _, imp := range imports {
			name, ours := strings.CutPrefix(imp, "pillbox/")
			switch {
			case !ours && imp != "pillbox":
				checkLibrary(t, pkg, imp)
			case layers[name] >= layers[pkg] || alone && !slices.Contains(allowed, name):
				t.Errorf("package %s must not import %s", pkg, name)
			}
		}
	}
}

const designDocument = "docs/design.md"

// layers returns the layer of every package, from 1 at the bottom, according to the table in docs/design.md.
func layers(t *testing.T) map[string]int {
	text, err := os.ReadFile(designDocument)
	if err != nil {
		t.Fatal(err)
	}
	layers := make(map[string]int)
	link := regexp.MustCompile(`\]\((.*?)\)`)
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| (.*?) \|`).FindAllStringSubmatch(string(text), -1) {
		layer, err := strconv.Atoi(row[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range link.FindAllStringSubmatch(row[2], -1) {
			layers[packageAt(path.Join(path.Dir(designDocument), to[1]))] = layer
		}
	}
	return layers
}

// packageAt returns the name by which these tests refer to the package in the folder.
func packageAt(folder string) string {
	if folder == "." {
		return "pillbox"
	}
	return folder
}

// folderOf returns the folder of a package, relative to the module's root.
func folderOf(pkg string) string {
	if pkg == "pillbox" {
		return "."
	}
	return pkg
}

func checkLibrary(t *testing.T, pkg, imp string) {
	if !strings.Contains(strings.Split(imp, "/")[0], ".") {
		return // a package of the standard library
	}
	for module, users := range libraries {
		mayUse := func(user string) bool {
			return pkg == user || strings.HasSuffix(user, "/") && strings.HasPrefix(pkg, user)
		}
		if (imp == module || strings.HasPrefix(imp, module+"/")) && slices.ContainsFunc(users, mayUse) {
			return
		}
	}
	t.Errorf("package %s must not import %s", pkg, imp)
}

// packages returns the imports of every package of the module. Imports of tests are omitted.
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
			return fs.SkipDir // a separate module
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
		found[packageAt(path.Clean(filepath.ToSlash(dir)))] = pkg.Imports
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
