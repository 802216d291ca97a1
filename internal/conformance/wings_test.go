package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
)

// A wing is a row of the table of wings in docs/design.md.
type wing struct {
	name, tag string
	others    []string // wings that it may import
}

// wings returns the rows of the table of wings.
func wings(t *testing.T) []wing {
	text, err := os.ReadFile(designDocument)
	if err != nil {
		t.Fatal(err)
	}
	var all []wing
	rows := regexp.MustCompile("(?m)^\\| (\\w+) \\| \\[internal/(\\w+)\\]\\S+ \\| (?:`(\\w+)`)? ?\\| .*\\| (.*) ?\\|$")
	for _, row := range rows.FindAllStringSubmatch(string(text), -1) {
		if row[1] != row[2] {
			t.Errorf("the wing %s is in internal/%s", row[1], row[2])
		}
		w := wing{name: row[1], tag: row[3]}
		for reason := range strings.SplitSeq(row[4], ";") {
			if other, because, ok := strings.Cut(strings.TrimSpace(reason), ","); ok && strings.Contains(because, "because") {
				w.others = append(w.others, other)
			}
		}
		all = append(all, w)
	}
	if len(all) != 5 {
		t.Fatalf("%s lists %d wings, want 5", designDocument, len(all))
	}
	return all
}

// wingOf returns the name of the wing to which a package belongs, and "" for the core.
func wingOf(pkg string, all []wing) string {
	if pkg == "convert" {
		return "convert"
	}
	for _, w := range all {
		if strings.HasPrefix(pkg+"/", "internal/"+w.name+"/") {
			return w.name
		}
	}
	return ""
}

// TestWingsImport checks that the core imports no wing, except cmd/render, and that a wing imports only the wings that
// the table allows.
func TestWingsImport(t *testing.T) {
	all := wings(t)
	allowed := map[string][]string{}
	for _, w := range all {
		allowed[w.name] = append(w.others, w.name)
	}
	for pkg, imports := range packages(t) {
		from := wingOf(pkg, all)
		for _, imp := range imports {
			name, ours := strings.CutPrefix(imp, "pillbox/")
			to := wingOf(name, all)
			if !ours || to == "" || slices.Contains(allowed[from], to) || isProgram(pkg, to) {
				continue
			}
			t.Errorf("package %s of the wing %q imports %s of the wing %q", pkg, from, name, to)
		}
	}
}

// isProgram reports whether the package is a program that may import the wing.
func isProgram(pkg, wing string) bool {
	return pkg == "cmd/render" || pkg == "cmd/renderfarm" && wing == "farm"
}

// TestWingsAreNamedOnce checks that cmd/render names each wing only in the file of the wing, and that the file has the
// build tag.
func TestWingsAreNamedOnce(t *testing.T) {
	for _, w := range wings(t) {
		if w.tag == "" {
			continue
		}
		var named []string
		files, err := filepath.Glob("cmd/render/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") || !strings.Contains(string(text), "internal/"+w.name+"/") {
				continue
			}
			named = append(named, filepath.ToSlash(file))
			if !strings.HasPrefix(string(text), "//go:build !"+w.tag+"\n") {
				t.Errorf("%s does not begin with the build tag !%s", file, w.tag)
			}
		}
		if want := "cmd/render/wing_" + w.name + ".go"; len(named) != 1 || named[0] != want {
			t.Errorf("the wing %s is named in %q, want %s", w.name, named, want)
		}
	}
}

// TestWingsCanBeTakenAway lists the packages of the program without all wings, and without each: with ordinary effort, without
// one of them.
func TestWingsCanBeTakenAway(t *testing.T) {
	all := wings(t)
	var tags []string
	for _, w := range all {
		if w.tag != "" {
			tags = append(tags, w.tag)
		}
	}
	wantWithout(t, all, tags)
	for _, tag := range effort.Some(t, 1, tags) {
		wantWithout(t, all, []string{tag})
	}
}

// wantWithout checks that the program built with some tags contains no package of their wings, and no library that only
// they need.
func wantWithout(t *testing.T, all []wing, tags []string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-tags", strings.Join(tags, ","), "./cmd/render").Output()
	if err != nil {
		t.Fatal(err)
	}
	libraries := map[string]string{"no_farm": "github.com/nats-io/", "no_convert": "github.com/qmuntal/gltf"}
	for dep := range strings.Lines(string(out)) {
		name := strings.TrimSpace(dep)
		for _, tag := range tags {
			wing := wingOf(strings.TrimPrefix(name, "pillbox/"), all)
			if "no_"+wing == tag || libraries[tag] != "" && strings.HasPrefix(name, libraries[tag]) {
				t.Errorf("the program built with -tags %s contains %s", strings.Join(tags, ","), name)
			}
		}
	}
}
