package conformance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pillbox/scene"
)

// someKinds lists functions that intentionally handle only some kinds of solids, with the reason.
var someKinds = map[string]string{
	"outside.Marks":      "marks are balls, capsules and boxes",
	"course.outward":     "normals of boxes are judged by faces",
	"accel.numbering":    "it counts the kinds before one",
	"course.Stages":      "no stage is about cylinders",
	"course.aheadStage":  "likewise",
	"course.cutFeatures": "likewise",
	"urdf.round":         "the sizes of spheres and boxes have other names",
	"mjcf.check":         "three sizes, as of a box, are its default",
	"mjcf.enclose":       "boxes are the default",
	"mjcf.equal":         "likewise",
	"mjcf.measure":       "the words are those of MJCF, which has more shapes",
	"molecule.base":      "a base is a slab and a rod",
	"molecule.tube":      "tubes consist of capsules, and of spheres where a residue is alone",
	"course.lineKeepers": "programs have an interval or a list of roots only for boxes and capsules",
	"shapetest.Ray":      "what is straight over the top of a box is found by its faces",
	"nff.joinCapsules":   "what is joined has no boxes",
	"outline.faceOf":     "the surfaces of spheres and capsules are smooth",
	"main.vesicle":       "a lipid is a ball with two rods",
	"robot.solid":        "spheres are written by another function",
	"urdf.solid":         "round solids are read by another function",
}

// TestKindsAreComplete checks that a function that mentions several kinds of solids mentions all of them. When a kind
// is added, this test lists the places to change: see "To add a solid" in docs/design.md.
func TestKindsAreComplete(t *testing.T) {
	fset := token.NewFileSet()
	used := make(map[string]bool)
	examined := 0
	for _, file := range slices.Sorted(sources(t)) {
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			name := f.Name.Name + "." + fn.Name.Name
			for what, kinds := range mentionedKinds(fn.Body) {
				if len(kinds) < 2 {
					continue
				}
				examined++
				if len(kinds) == len(scene.Kinds()) {
					continue
				}
				if used[name] = true; someKinds[name] == "" {
					t.Errorf("%s: %s has %s for %s, and for no other kind", fset.Position(fn.Pos()), name, what, strings.Join(kinds, ", "))
				}
			}
		}
	}
	if examined < 40 {
		t.Errorf("only %d functions are about several kinds", examined)
	}
	for name := range someKinds {
		if !used[name] {
			t.Errorf("%s is about all kinds, or gone: it needs no exemption", name)
		}
	}
}

// mention is a word that names a kind of solid, and what the word is: a Kind, a case, a slice or a plain word.
type mention struct{ what, word string }

// kindWords returns the names of the kinds by their mentions.
var kindWords = sync.OnceValue(func() map[mention]string {
	words := make(map[mention]string)
	for _, k := range scene.Kinds() {
		title := strings.ToUpper(k.String()[:1]) + k.String()[1:]
		plural := strings.ToUpper(k.Plural()[:1]) + k.Plural()[1:]
		words[mention{"a Kind", "Kind" + title}] = k.String()
		words[mention{"a case", title}] = k.String()
		words[mention{"a slice", plural}] = k.String()
		words[mention{"a word", strconv.Quote(k.String())}] = k.String()
	}
	return words
})

// mentionedKinds returns the kinds of solids that body mentions. They are grouped by the form of the mention, such
// as "a Kind" for scene.KindBox.
func mentionedKinds(body ast.Node) map[string][]string {
	found := make(map[string][]string)
	add := func(what, word string) {
		if k, ok := kindWords()[mention{what, word}]; ok && !slices.Contains(found[what], k) {
			found[what] = append(found[what], k)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSwitchStmt:
			for _, clause := range n.Body.List {
				for _, x := range clause.(*ast.CaseClause).List {
					if star, ok := x.(*ast.StarExpr); ok {
						x = star.X
					}
					if sel, ok := x.(*ast.SelectorExpr); ok {
						add("a case", sel.Sel.Name)
					}
				}
			}
		case *ast.SelectorExpr:
			add("a slice", n.Sel.Name)
			add("a Kind", n.Sel.Name)
		case *ast.BasicLit:
			add("a word", n.Value)
		case *ast.Ident:
			add("a Kind", n.Name)
		}
		return true
	})
	return found
}

// sources yields the names of the module's Go files, except tests.
func sources(t *testing.T) iter.Seq[string] {
	t.Helper()
	return func(yield func(string) bool) {
		for pkg := range packages(t) {
			files, err := filepath.Glob(filepath.Join(folderOf(pkg), "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				if !strings.HasSuffix(file, "_test.go") && !yield(file) {
					return
				}
			}
		}
	}
}
