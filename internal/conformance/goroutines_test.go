package conformance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// starters lists the packages that may start goroutines without package parallel. The value states why a panic on
// such a goroutine does not end the process, or may end it.
var starters = map[string]string{
	"internal/parallel":       "it recovers from panics",
	"animate":                 "frames come in order, to a program with one job",
	"cast":                    "rows come in order, to a program with one job",
	"suite":                   "results come in order, to a program with one job",
	"pngfile":                 "it writes files, for programs with one job",
	"internal/farm":           "a worker that dies is what the farm lives with",
	"internal/course/learner": "it supervises a process, for a program with one job",
	"internal/farm/local":     "it supervises a process, for a program with one job",
	"internal/cli":            "it belongs to programs",
	"internal/command":        "it belongs to the process",
	"internal/play/commands":  "it belongs to the process",
	"cmd/renderfarm":          "it is the process",
}

// TestGoroutines checks that only the packages in starters start goroutines without package parallel. A panic on such a
// goroutine ends the whole process, even a server.
func TestGoroutines(t *testing.T) {
	found := packages(t)
	for _, pkg := range slices.Sorted(maps.Keys(found)) {
		if strings.HasPrefix(pkg, "scripts/") || strings.HasPrefix(pkg, "docs/") {
			continue
		}
		places := goroutines(t, folderOf(pkg))
		if starters[pkg] == "" && len(places) > 0 {
			t.Errorf("package %s must start goroutines by package parallel alone, see %v", pkg, places)
		}
		if starters[pkg] != "" && len(places) == 0 {
			t.Errorf("package %s starts no goroutines, and needs no exception", pkg)
		}
	}
}

// goroutines returns the places where Go files in the folder, except tests, use a go statement, sync.WaitGroup or
// package errgroup.
func goroutines(t *testing.T, folder string) []token.Position {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var places []token.Position
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				places = append(places, files.Position(n.Pos()))
			case *ast.SelectorExpr:
				if n.Sel.Name == "WaitGroup" {
					places = append(places, files.Position(n.Pos()))
				}
			case *ast.ImportSpec:
				if strings.Contains(n.Path.Value, "errgroup") {
					places = append(places, files.Position(n.Pos()))
				}
			}
			return true
		})
	}
	return places
}
