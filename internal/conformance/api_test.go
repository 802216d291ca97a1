package conformance_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPublicAPIHidesInternalTypes checks that no exported signature or field of a public package has a type of an
// internal package, because other modules cannot name such a type.
func TestPublicAPIHidesInternalTypes(t *testing.T) {
	for _, pkg := range publicPackages(t) {
		fset := token.NewFileSet()
		for _, file := range parseDir(t, fset, folderOf(pkg)) {
			for _, name := range internalInAPI(file) {
				t.Errorf("%s.%s shows an internal type", path.Base(pkg), name)
			}
		}
	}
}

// TestInternalTypesAreFound checks that internalInAPI finds the internal types in a source, and does not report
// allowed declarations.
func TestInternalTypesAreFound(t *testing.T) {
	const source = `package planted

import "pillbox/internal/accel"
import fol "pillbox/internal/follow"
import "pillbox/geom"

type Field struct { Hit accel.Hit }
type Embeds struct { *fol.Path }
type Hides struct { hit accel.Hit; V geom.Vec3; handle }
type handle = fol.Handle
type Alias = accel.Hit
type Interface interface { M(accel.Hit) }
type hidden struct { Hit accel.Hit }
func Parameter(h []accel.Hit) {}
func Result() map[string]*accel.Hit { return nil }
func Body() { _ = accel.Hit{} }
func private(accel.Hit) {}
func (Hides) Method(func(accel.Hit)) {}
func (hidden) Method(accel.Hit) {}
var Variable accel.Hit
const None = accel.None
`
	file, err := parser.ParseFile(token.NewFileSet(), "planted.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Field", "Embeds", "Alias", "Interface", "Parameter", "Result", "Hides.Method", "Variable"}
	if got := internalInAPI(file); !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

// publicPackages returns the packages that other modules can import. Programs, and packages that only embed files,
// are omitted.
func publicPackages(t *testing.T) []string {
	var public []string
	for _, pkg := range slices.Sorted(maps.Keys(packages(t))) {
		if !regexp.MustCompile(`(^|/)internal(/|$)|^(cmd|scripts|docs|web)(/|$)`).MatchString(pkg) {
			public = append(public, pkg)
		}
	}
	if !slices.Contains(public, "pillbox") || !slices.Contains(public, "shapes/shapetest") {
		t.Fatalf("the public packages are %v", public)
	}
	return public
}

// TestLibraryNamesPublicPackages checks that docs/library.md lists every public package.
func TestLibraryNamesPublicPackages(t *testing.T) {
	text := pages(t)["docs/library.md"]
	for _, pkg := range publicPackages(t) {
		if pkg != "scenes" && !strings.Contains(text, fmt.Sprintf("`%s`", pkg)) {
			t.Errorf("docs/library.md does not name package %s", pkg)
		}
	}
}

// internalInAPI returns the exported declarations in file that contain a type of an internal package.
func internalInAPI(file *ast.File) (found []string) {
	imports := map[string]bool{}
	for _, i := range file.Imports {
		if p := strings.Trim(i.Path.Value, `"`); strings.HasPrefix(p, "pillbox/internal/") {
			name := path.Base(p)
			if i.Name != nil {
				name = i.Name.Name
			}
			imports[name] = true
		}
	}
	shows := func(n ast.Node) bool { return showsPackage(n, imports) }
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if name, ok := exportedName(d); ok && shows(d.Type) {
				found = append(found, name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() && shows(s.Type) {
						found = append(found, s.Name.Name)
					}
				case *ast.ValueSpec:
					if s.Names[0].IsExported() && s.Type != nil && shows(s.Type) {
						found = append(found, s.Names[0].Name)
					}
				}
			}
		}
	}
	return found
}

// exportedName returns the name of a function, or of a method together with its receiver. The result is false if it
// is not exported.
func exportedName(d *ast.FuncDecl) (string, bool) {
	if d.Recv == nil {
		return d.Name.Name, d.Name.IsExported()
	}
	t := d.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	id, ok := t.(*ast.Ident)
	return fmt.Sprintf("%v.%s", t, d.Name.Name), ok && id.IsExported() && d.Name.IsExported()
}

// showsPackage reports whether the type n mentions one of the packages in imports. It ignores unexported fields and
// methods.
func showsPackage(n ast.Node, imports map[string]bool) (shows bool) {
	members := func(list *ast.FieldList) {
		for _, f := range list.List {
			if len(f.Names) == 0 || slices.ContainsFunc(f.Names, (*ast.Ident).IsExported) {
				shows = shows || showsPackage(f.Type, imports)
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			members(n.Fields)
			return false
		case *ast.InterfaceType:
			members(n.Methods)
			return false
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && imports[id.Name] {
				shows = true
			}
		}
		return true
	})
	return shows
}
