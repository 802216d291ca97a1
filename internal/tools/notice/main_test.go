package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/version"
)

// root is the root of the repository.
var root = filepath.Join("..", "..", "..")

// TestNoticeIsComplete checks that NOTICE lists what is linked into the programs and bundled into the page, with the
// licenses, and that the programs print it.
func TestNoticeIsComplete(t *testing.T) {
	works, err := works(root, effort.Of(released[:3], released, released))
	if err != nil {
		t.Fatal(err)
	}
	want, err := notice(works)
	if err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(filepath.Join(root, textFile))
	if err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(written) {
		t.Error("NOTICE is not in UTF-8")
	}
	var printed strings.Builder
	if err := version.WriteLicenses(&printed); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{textFile: string(written), "version --licenses": printed.String()} {
		if got != want {
			t.Errorf("%s differs from the licenses of what is linked: go run ./internal/tools/notice", name)
		}
	}
}

// TestBundled checks that all libraries of the page are found once, with a version and a license of a known kind.
func TestBundled(t *testing.T) {
	bundled, err := bundled(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(bundled) < 10 {
		t.Errorf("the page bundles only %d libraries", len(bundled))
	}
	seen := make(map[string]bool)
	for _, w := range bundled {
		if _, err := w.kinds(); err != nil || w.version == "" || seen[w.name] {
			t.Errorf("%s: error %v, version %q, twice %v", w.name, err, w.version, seen[w.name])
		}
		seen[w.name] = true
	}
}

// TestUnknownLicense checks that works without a license, or with one that nobody has approved, are errors.
func TestUnknownLicense(t *testing.T) {
	for want, w := range map[string]work{
		"a v1 has no license":          {name: "a", version: "v1"},
		"b: COPYING is an unknown lic": {name: "b", licenses: []license{{"COPYING", "GNU Affero General Public License"}}},
	} {
		if text, err := notice([]work{w}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q, error %v, want %s", text, err, want)
		}
	}
}

// TestLicensesOfParts checks that the license of a part of a module is found beside that of the module.
func TestLicensesOfParts(t *testing.T) {
	top := t.TempDir()
	for name, text := range map[string]string{
		"COPYING": "whole\r\n", "part/LICENSE.txt": "\npart  \n", "part/inner/code.go": "", "other/LICENSE": "other", "notice/x.go": "",
	} {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := licensesOf(filepath.Join(top, "part", "inner"), top)
	if err != nil {
		t.Fatal(err)
	}
	want := []license{{"part/LICENSE.txt", "part"}, {"COPYING", "whole"}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%v, want %v", got, want)
	}
}
