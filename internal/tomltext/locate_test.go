package tomltext

import (
	"fmt"
	"reflect"
	"testing"
)

// paths returns the paths of all keys and elements in v. path is the path of v.
func paths(path string, v any) []string {
	var all []string
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			inner := QuoteKey(key)
			if path != "" {
				inner = path + "." + inner
			}
			all = append(append(all, inner), paths(inner, value)...)
		}
	case []map[string]any:
		for i := range v {
			inner := fmt.Sprintf("%s[%d]", path, i)
			all = append(append(all, inner), paths(inner, v[i])...)
		}
	case []any:
		for i := range v {
			inner := fmt.Sprintf("%s[%d]", path, i)
			all = append(append(all, inner), paths(inner, v[i])...)
		}
	}
	return all
}

// checkLocate locates every key of the file data, whose values are root. all is the number of keys, and found is
// the number of those that were located.
func checkLocate(t *testing.T, data []byte, root map[string]any) (all, found int) {
	t.Helper()
	text, _ := Text(data)
	for path, place := range Locate(text, paths("", root)) {
		all++
		if place.Found {
			found++
		}
		for _, e := range []Extent{place.Key, place.Value} {
			if e.Start < 0 || e.End < e.Start || e.End > len(text) {
				t.Errorf("%q: %s at %v, outside of %d bytes", data, path, e, len(text))
			}
		}
	}
	return all, found
}

// TestLocateFindsEveryKey checks that every key and element of every scene file is found.
func TestLocateFindsEveryKey(t *testing.T) {
	for name, data := range validTOML(t) {
		root, err := Parse(data)
		if err != nil {
			continue
		}
		if all, found := checkLocate(t, data, root); found < all {
			t.Errorf("%s: found %d of %d keys", name, found, all)
		}
	}
}

func TestLocatePlaces(t *testing.T) {
	const text = `a = 1
b.c = [ [2], { d = "x" } ] # comment
[[e]]
f = true
[[e]]
[[e.g]]
"h i" = 'y'
[j.k]
`
	type spelled struct{ key, value string }
	want := map[string]spelled{
		"a":               {"a", "1"},
		"b":               {"b", `b.c = [ [2], { d = "x" } ]`},
		"b.c":             {"c", `[ [2], { d = "x" } ]`},
		"b.c[0][0]":       {"2", "2"},
		"b.c[1].d":        {"d", `"x"`},
		"e":               {"e", "[[e]]"},
		"e[0].f":          {"f", "true"},
		"e[1]":            {"e", "[[e]]"},
		`e[1].g[0]."h i"`: {`"h i"`, "'y'"},
		"j":               {"j", "[j.k]"},
		"j.k":             {"k", "[j.k]"},
		"missing":         {},
	}
	var wanted []string
	for path := range want {
		wanted = append(wanted, path)
	}
	got := make(map[string]spelled)
	for path, p := range Locate([]byte(text), wanted) {
		got[path] = spelled{text[p.Key.Start:p.Key.End], text[p.Value.Start:p.Value.End]}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
