package conformance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writersOfScenes lists the files of package scene that write: scene files, the schema, and the tables of a file. They use the rest
// of the package, which does not use them.
var writersOfScenes = []string{"dump.go", "schema.go", "starter.go", "write.go", "write_annotations.go"}

// TestWritersAreAboveTheScene checks that no other file of package scene refers to what its writers declare.
func TestWritersAreAboveTheScene(t *testing.T) {
	declared, others := make(map[string]bool), make(map[string]*ast.File)
	files, err := filepath.Glob("scene/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(writersOfScenes, filepath.Base(name)) {
			others[name] = file
			continue
		}
		for name := range file.Scope.Objects {
			declared[name] = true
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && receiver(f) == "Scene" {
				declared["."+f.Name.Name] = true
			}
		}
	}
	if !declared["exporter"] || !declared["Schema"] || !declared[".WriteTOML"] {
		t.Fatalf("the writers declare %v, without exporter, Schema or WriteTOML", declared)
	}
	for name, file := range others {
		for _, used := range namesFromElsewhere(file) {
			if declared[used] {
				t.Errorf("%s uses %s, which a writer declares: writers are above the scene", name, used)
			}
		}
	}
}

// namesFromElsewhere returns the names that a file uses and does not declare. Those of methods and fields begin with a point.
func namesFromElsewhere(file *ast.File) (all []string) {
	keys := make(map[*ast.Ident]bool) // of literals
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				keys[key] = true
			}
		case *ast.SelectorExpr:
			all = append(all, "."+n.Sel.Name)
		}
		return true
	})
	for _, x := range file.Unresolved {
		if !keys[x] {
			all = append(all, x.Name)
		}
	}
	return all
}

// receiver returns the name of the type of a method.
func receiver(f *ast.FuncDecl) string {
	of := f.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
