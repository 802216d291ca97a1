package conformance_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pillbox/scene"
)

// accelSources lists the packages that have declarations for each kind of solid, such as sphereKind, meetSphere and
// sphereFrom.
var accelSources = []string{"internal/accel", "internal/tools/kernelgen"}

// someAccelKinds lists the declarations in [accelSources] that intentionally handle only some kinds of solids, with
// the reasons.
var someAccelKinds = map[string]string{
	"accel.store":                        "some solids are prepared by a function, and others are stored as they are",
	"accel.chord":                        "spheres are not prepared for one ray",
	"accel.numbering":                    "it counts the solids of the kinds before",
	"accel.objectNumber":                 "the object numbers of spheres have an array of their own",
	"main.narrowMasks":                   "the masks of spheres are narrow",
	"internal/tools/kernelgen/layout.go": "the fields of a kind are its own",
}

// someFamilies lists families of names, such as "meet*" for meetSphere and meetBox, that intentionally have no
// name for some kinds of solids. The values are the reasons.
var someFamilies = map[string]string{
	"new*": "some solids are prepared without a function",
	"not*": "a comparison with the first number of the next kind",
}

// TestKindsAreCompleteInAccel checks the code for kinds of solids in the acceleration structure and in the
// generator of its kernels. Names that differ only in the kind, such as meetSphere and meetBox, form a family. A
// file or a function that mentions two names of a family must mention one for each kind. The default case of a
// switch counts as one kind. The kinds are those that package accel enumerates, which include all kinds of solids
// in scenes.
func TestKindsAreCompleteInAccel(t *testing.T) {
	kinds := accelKinds(t)
	for _, k := range scene.Kinds() {
		if !slices.Contains(kinds, k.String()) {
			t.Errorf("internal/accel has no %sKind", k)
		}
	}
	examined := 0
	used := map[string]bool{}
	check := func(position fmt.Stringer, name string, families map[string][]string) {
		for family, found := range families {
			if len(found) < 2 || someFamilies[family] != "" {
				continue
			}
			examined++
			for _, k := range kinds {
				if slices.Contains(found, k) {
					continue
				}
				if used[name] = true; someAccelKinds[name] == "" {
					t.Errorf("%s: %s has %q for %s, and not for %s", position, name, family, strings.Join(found, ", "), k)
				}
			}
		}
	}
	fset := token.NewFileSet()
	for _, folder := range accelSources {
		for path, file := range filesIn(t, fset, folder) {
			check(fset.Position(file.Pos()), path, familiesOf(declaredNames(file), kinds))
			for _, d := range file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					families := familiesOf(namesIn(fn.Body), kinds)
					countDefaults(fn.Body, families, kinds)
					check(fset.Position(fn.Pos()), file.Name.Name+"."+fn.Name.Name, families)
				}
			}
		}
	}
	if examined < 40 {
		t.Errorf("only %d places are about several kinds", examined)
	}
	for name := range someAccelKinds {
		if !used[name] {
			t.Errorf("%s is about all kinds, or gone: it needs no exemption", name)
		}
	}
}

// TestFamiliesOfNames tests the grouping of names into families.
func TestFamiliesOfNames(t *testing.T) {
	kinds := []string{"sphere", "box"}
	got := familiesOf([]string{"meetSphereParallel", "meetBoxParallel", "boxes", "spheres", "boxFrom", "inbox", "sphereBox", "bvh"}, kinds)
	want := map[string][]string{"meet*Parallel": {"sphere", "box"}, "*s": {"box", "sphere"}, "*From": {"box"}}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("families %v, want %v", got, want)
	}
}

// accelKinds returns the kinds that package accel enumerates.
func accelKinds(t *testing.T) []string {
	var kinds []string
	for _, file := range filesIn(t, token.NewFileSet(), accelSources[0]) {
		ast.Inspect(file, func(n ast.Node) bool {
			if block, ok := n.(*ast.GenDecl); ok && block.Tok == token.CONST {
				names := constantsOf(block)
				if end := slices.Index(names, "kinds"); end >= 0 {
					for _, name := range names[:end] {
						kinds = append(kinds, strings.TrimSuffix(name, "Kind"))
					}
				}
			}
			return true
		})
	}
	if len(kinds) < 3 {
		t.Fatalf("the kinds of internal/accel are %v", kinds)
	}
	return kinds
}

func constantsOf(block *ast.GenDecl) (names []string) {
	for _, spec := range block.Specs {
		for _, name := range spec.(*ast.ValueSpec).Names {
			names = append(names, name.Name)
		}
	}
	return names
}

// filesIn parses the files of a folder for all operating systems and processors, except tests.
func filesIn(t *testing.T, fset *token.FileSet, folder string) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.ToSlash(path)] = file
	}
	if len(files) == 0 {
		t.Fatalf("no files in %s", folder)
	}
	return files
}

// declaredNames returns the names of the functions, types, variables and constants of a file. It omits methods.
func declaredNames(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}

// namesIn returns the names that a function mentions, without duplicates.
func namesIn(body ast.Node) []string {
	names := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names[id.Name] = true
		}
		return true
	})
	return slices.Sorted(maps.Keys(names))
}

// familiesOf groups names that differ only in a kind of solid. The result maps each family's name, in which a star
// replaces the kind, to the kinds. Names with no kind, or with two, are omitted.
func familiesOf(names, kinds []string) map[string][]string {
	families := map[string][]string{}
	for _, name := range names {
		words, found := camelWords(name), ""
		for i, word := range words {
			for _, k := range kinds {
				plural := k + "s"
				if strings.HasSuffix(k, "x") {
					plural = k + "es"
				}
				switch strings.ToLower(word) {
				case k:
					words[i], found = "*", found+k
				case plural:
					words[i], found = "*s", found+k
				}
			}
		}
		family := strings.Join(words, "")
		if slices.Contains(kinds, found) && !slices.Contains(families[family], found) {
			families[family] = append(families[family], found)
		}
	}
	return families
}

// camelWords splits a name before capital letters.
func camelWords(name string) (words []string) {
	start := 0
	for i, c := range name {
		if unicode.IsUpper(c) && i > start {
			words = append(words, name[start:i])
			start = i
		}
	}
	return append(words, name[start:])
}

// countDefaults looks for switches in body that have a case for every kind except the last, and a default case. If
// there is one, it adds the last kind to the family *Kind.
func countDefaults(body ast.Node, families map[string][]string, kinds []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		s, ok := n.(*ast.SwitchStmt)
		if !ok {
			return true
		}
		var cases []string
		hasDefault := false
		for _, clause := range s.Body.List {
			clause := clause.(*ast.CaseClause)
			hasDefault = hasDefault || clause.List == nil
			for _, x := range clause.List {
				if id, ok := x.(*ast.Ident); ok {
					cases = append(cases, id.Name)
				}
			}
		}
		last := kinds[len(kinds)-1]
		if found := familiesOf(cases, kinds)["*Kind"]; hasDefault && len(found) == len(kinds)-1 && !slices.Contains(families["*Kind"], last) {
			families["*Kind"] = append(families["*Kind"], last)
		}
		return true
	})
}
