package tomltext

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pillbox/internal/fixture"
)

// invalidTOML returns the files of toml-test v1.6.0 that are invalid in TOML 1.0 (github.com/toml-lang/toml-test;
// the archive contains its MIT license).
func invalidTOML(t testing.TB) map[string][]byte {
	t.Helper()
	files := fixture.Unzip(t, "testdata/toml-test-invalid.zip", ".toml")
	if len(files) != 371 {
		t.Fatalf("%d files, want 371", len(files))
	}
	return files
}

// validTOML returns the project's scene files that are valid TOML.
func validTOML(t testing.TB) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, pattern := range []string{"../../scene/testdata/*/*.toml", "../../scenes/*.toml", "../../scene/starter.toml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[path] = data
		}
	}
	return files
}

// checkParse parses data whole and in several chunks, and compares the results. Errors must be syntax errors inside
// the file. Each must lie within one line, and begin and end at whole characters.
func checkParse(t *testing.T, data []byte) (root map[string]any, err error) {
	t.Helper()
	root, err = Parse(data)
	again, errAgain := Parse(data, "sphere", "capsule", "box")
	// Compared as texts, because NaN does not equal itself.
	if fmt.Sprintf("%#v", root) != fmt.Sprintf("%#v", again) || !reflect.DeepEqual(err, errAgain) {
		t.Errorf("%q: Parse = %v, %v as a whole and %v, %v in chunks", data, root, err, again, errAgain)
	}
	if err == nil {
		return root, nil
	}
	text, _ := Text(data)
	var e *SyntaxError
	if !errors.As(err, &e) {
		t.Fatalf("%q: error %T, want a SyntaxError", data, err)
	}
	if e.Start < 0 || e.End < e.Start || e.End > len(text) {
		t.Errorf("%q: %v at %v, outside of %d bytes", data, e, e.Extent, len(text))
	}
	if e.Message == "" || strings.ContainsAny(e.Message, "\r\n") || strings.HasSuffix(e.Message, ".") {
		t.Errorf("%q: message %q", data, e.Message)
	}
	if utf8.Valid(text) && !utf8.Valid(text[:e.Start]) {
		t.Errorf("%q: %v begins within a character", data, e)
	}
	return root, err
}

func TestParseInvalidTOML(t *testing.T) {
	for name, data := range invalidTOML(t) {
		if _, err := checkParse(t, data); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestParseReplacesHugeNumbers(t *testing.T) {
	root, err := Parse([]byte("\uFEFFa = 1e400\nb = [-1e400, 1]\nc = 99999999999999999999\nd = 2\n"))
	var e *SyntaxError
	if !errors.As(err, &e) || (e.Extent != Extent{4, 9}) {
		t.Errorf("error %#v, want one at 1e400", err)
	}
	want := map[string]any{"a": math.Inf(1), "b": []any{math.Inf(1), int64(1)}, "c": int64(math.MaxInt64), "d": int64(2)}
	if !reflect.DeepEqual(root, want) {
		t.Errorf("values %v, want %v", root, want)
	}
	if root, err := Parse([]byte("a = 1e400\nb = \n")); root != nil || err == nil {
		t.Errorf("Parse = %v, %v with another error, want no values", root, err)
	}
}

func TestTextOfWrongBytes(t *testing.T) {
	text, err := Text([]byte("\uFEFFä\xff"))
	var e *SyntaxError
	if !errors.As(err, &e) || (e.Extent != Extent{2, 3}) || e.Message != "invalid UTF-8 byte 0xff" {
		t.Errorf("error %#v, want the byte 0xff at 2", err)
	}
	if string(text) != "ä\xff" {
		t.Errorf("text %q", text)
	}
}

// FuzzParse checks that nothing panics, that parsing in chunks gives the same values, and that errors lie inside
// the file. Every path in the values must have a position inside the file.
func FuzzParse(f *testing.F) {
	for _, data := range validTOML(f) {
		f.Add(data)
	}
	for _, data := range invalidTOML(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkChunks(t, data)
		root, err := checkParse(t, data)
		if err == nil {
			checkLocate(t, data, root)
		}
	})
}
