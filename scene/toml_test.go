package scene

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/problem"
)

// TestDecodeInvalidTOML checks that each invalid file of the public test suite is refused with a position inside
// the file. The decoder accepts a few of them as TOML; these must be refused for their unknown keys.
func TestDecodeInvalidTOML(t *testing.T) {
	files := fixture.Unzip(t, "../internal/tomltext/testdata/toml-test-invalid.zip", ".toml")
	if len(files) != 371 {
		t.Errorf("%d files, want 371", len(files))
	}
	syntax := 0
	names := effort.Some(t, 100, slices.Sorted(maps.Keys(files)))
	for _, name := range names {
		data := files[name]
		es, valid := problemsOf(data)
		if valid || len(es) == 0 {
			t.Errorf("%s: no problem found", name)
			continue
		}
		hasSyntax := false
		for _, e := range es {
			checkPlace(t, data, e)
			if e.Code == problem.CodeSyntax {
				hasSyntax = true
				if e.Key != "" || e.Value != "" {
					t.Errorf("%s: a syntax error has the key %q and the value %q", name, e.Key, e.Value)
				}
			}
		}
		if hasSyntax {
			syntax++
		}
	}
	if syntax < len(names)*9/10 {
		t.Errorf("only %d of %d files are syntax errors", syntax, len(names))
	}
}

// FuzzDecode checks that nothing panics, that problems have a position inside the file, and that other packages
// accept every valid scene. Decoding the same file again must give the same scene.
func FuzzDecode(f *testing.F) {
	for _, pattern := range []string{"testdata/*/*.toml", "../scenes/*.toml", "starter.toml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range effort.Some(f, 20, paths) {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add([]byte(strings.Split(string(data), "\n#: ")[0])) // without the wanted lines
		}
	}
	if effort.IsAll() {
		for _, data := range fixture.Unzip(f, "../internal/tomltext/testdata/toml-test-invalid.zip", ".toml") {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Decode("x.toml", data)
		again, errAgain := Decode("x.toml", data)
		if s != nil && again != nil {
			// The maps in motion have pointers as keys, which differ. So compare the scenes at a time instead.
			at, wrong := s.At(0.7)
			atAgain, wrongAgain := again.At(0.7)
			s.motion, again.motion = nil, nil
			if !reflect.DeepEqual(at, atAgain) || !reflect.DeepEqual(wrong, wrongAgain) {
				t.Errorf("at a time got %+v, %v once and %+v, %v now", at, wrong, atAgain, wrongAgain)
			}
		}
		if !reflect.DeepEqual(s, again) || !reflect.DeepEqual(err, errAgain) {
			t.Errorf("got %+v, %v once and %+v, %v now", s, err, again, errAgain)
		}
		es, valid := problemsOf(data)
		for i, e := range es {
			checkPlace(t, data, e)
			if i > 0 && (e.Line < es[i-1].Line || e.Line == es[i-1].Line && e.Column < es[i-1].Column) {
				t.Errorf("%v comes behind %v", e, es[i-1])
			}
			if strings.Contains(e.Error(), "\n") {
				t.Errorf("%v has several lines", e)
			}
		}
		if valid {
			checkValid(t, s)
		}
	})
}
