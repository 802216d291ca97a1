package tomltext

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkRecover checks that the result of Recover for data, which may be any text, is as documented.
func checkRecover(t *testing.T, data []byte) {
	t.Helper()
	_, err := Parse(data, "sphere")
	r := Recover(data, "sphere", "part.*.sphere")
	text := WithoutMark(data)
	if len(r.Text) != len(text) || bytes.Count(r.Text, []byte("\n")) > bytes.Count(text, []byte("\n")) {
		t.Errorf("%q: the text is now %q", data, r.Text)
	}
	if root, wrong := Parse(r.Text); r.Root != nil && (wrong != nil || fmt.Sprint(root) != fmt.Sprint(r.Root)) {
		t.Errorf("%q: %q gives %v, %v, want %v", data, r.Text, root, wrong, r.Root)
	}
	if err == nil {
		return
	}
	if root, _ := Parse(data, "sphere"); root == nil && len(r.Errors) == 0 {
		t.Errorf("%q: no errors, want %v", data, err)
	}
	for _, e := range r.Errors {
		switch {
		case e.Start < 0 || e.End < e.Start || e.End > len(text):
			t.Errorf("%q: %v at %v, outside of %d bytes", data, e, e.Extent, len(text))
		case e.Message == "" || strings.ContainsAny(e.Message, "\r\n") || len(e.Message) > 2000:
			t.Errorf("%q: message %q", data, e.Message)
		case utf8.Valid(text) && !utf8.Valid(text[:e.Start]):
			t.Errorf("%q: %v begins within a character", data, e)
		}
	}
	if !slices.IsSortedFunc(r.Errors, func(a, b *SyntaxError) int { return a.Start - b.Start }) {
		t.Errorf("%q: errors are not sorted", data)
	}
}

func TestRecoverInvalidTOML(t *testing.T) {
	for _, data := range invalidTOML(t) {
		checkRecover(t, data)
		checkRecover(t, slices.Concat([]byte("[a]\nx = 1\n"), data, []byte("\n[b]\ny = 2\n")))
	}
}

// TestRecoverKeepsOthers checks that a syntax error in one table does not change the values of other tables.
func TestRecoverKeepsOthers(t *testing.T) {
	for _, line := range []string{"x = [1,", "x = 1,", "x = \"a", "x = '''", "x = \"\"\"", "x = {", "]", "}", "=", "x", "[", "[[", "\x00", "\xff", "x = [\n[a]\n"} {
		data := "n = 1\n[[sphere]]\na = 1\n[[sphere]]\n" + line + "\n[[sphere]]\nb = [\n [1],\n [2]\n]\n[sphere.c]\nd = '''\n[e]\n'''\n[f]\ng = 2\n"
		if strings.Contains(line, "'''") {
			data = data[:len(data)/2] + strings.ReplaceAll(data[len(data)/2:], "'''", `"""`) // ''' would end the string
		}
		r := Recover([]byte(data), "sphere")
		want := map[string]any{
			"n":      int64(1),
			"sphere": []map[string]any{{"a": int64(1)}, {}, {"b": []any{[]any{int64(1)}, []any{int64(2)}}, "c": map[string]any{"d": "[e]\n"}}},
			"f":      map[string]any{"g": int64(2)},
		}
		if line == "x = [\n[a]\n" {
			want["a"] = map[string]any{} // looks like a header
		}
		if !reflect.DeepEqual(r.Root, want) || !reflect.DeepEqual(r.Broken, map[string]bool{"sphere[1]": true}) || len(r.Errors) != 1 || len(r.Lost) > 0 {
			t.Errorf("%q: got %v, broken %v, lost %q, errors %v", line, r.Root, r.Broken, r.Lost, r.Errors)
		}
	}
}

// TestRecoverQuotedHeaders checks that a table with a syntax error ends at a header with quotes. It must not end at
// a line of an array that begins like such a header.
func TestRecoverQuotedHeaders(t *testing.T) {
	for _, header := range []string{`[["sphere"]]`, `[['sphere']]`, `[[ "sphere" ]] # [a]`, "[[\"sphere\"]]\r", `["a b"]`, `['a'.b]`, `[ "a" . 'b' ]`} {
		r := Recover([]byte("[f]\ng = 1,\n"+header+"\nx = [\n[\"p\", \"q\"],\n['r',\n's'],\n[\"t\"],\n]\n[h]\ny = 3\n"), "sphere")
		if !reflect.DeepEqual(r.Broken, map[string]bool{"f": true}) || len(r.Errors) != 1 || len(r.Lost) > 0 || len(r.Root) != 3 {
			t.Errorf("%s: got %v, broken %v, lost %q, errors %v", header, r.Root, r.Broken, r.Lost, r.Errors)
		}
	}
}

// TestRecoverBeforeHeaders checks lines before the first header. Each line with an error must be reported, and the
// others must keep their values.
func TestRecoverBeforeHeaders(t *testing.T) {
	const data = "a = 1,\nb = 2\nc = [\n 1 1,\n 2,\n]\nd 4\ne = \"5\n[f]\ng = 6\n"
	r := Recover([]byte(data))
	want := map[string]any{"b": int64(2), "c": []any{int64(2)}, "f": map[string]any{"g": int64(6)}}
	if !reflect.DeepEqual(r.Root, want) || len(r.Errors) != 4 || !slices.Equal(r.Lost, []string{"a = 1,\n", " 1 1,\n", "d 4\n", "e = \"5\n"}) {
		t.Errorf("got %v, lost %q, errors %v", r.Root, r.Lost, r.Errors)
	}
	r = Recover([]byte("a = [\nb = 2,\n[f]\ng = 6\n")) // without its first line, the rest would have another meaning
	if len(r.Errors) == 0 || r.Root["f"] == nil {
		t.Errorf("got %v, errors %v", r.Root, r.Errors)
	}
	many := Recover([]byte(strings.Repeat("a\n", 10*maxSyntaxErrors)))
	if len(many.Errors) == 0 || len(many.Errors) > maxSyntaxErrors {
		t.Errorf("%d errors, want at most %d", len(many.Errors), maxSyntaxErrors)
	}
}

// TestRecoverStops checks that the number of reported errors is limited, and that the time is proportional to the
// size of the file.
func TestRecoverStops(t *testing.T) {
	r := Recover(bytes.Repeat([]byte("[[a]]\nx = 1,\n"), 10*maxSyntaxErrors))
	if len(r.Errors) != maxSyntaxErrors || len(r.Lost) == 0 || !strings.Contains(r.Errors[maxSyntaxErrors-1].Message, "too many") {
		t.Errorf("%d errors, %d lost, want %d; the last is %v", len(r.Errors), len(r.Lost), maxSyntaxErrors, r.Errors[len(r.Errors)-1])
	}
	if n := len(r.Root["a"].([]map[string]any)); n != maxSyntaxErrors {
		t.Errorf("%d tables, want %d", n, maxSyntaxErrors)
	}
}

func FuzzRecover(f *testing.F) {
	for _, data := range invalidTOML(f) {
		f.Add(data)
	}
	for _, data := range validTOML(f) {
		f.Add(data)
	}
	f.Fuzz(checkRecover)
}
