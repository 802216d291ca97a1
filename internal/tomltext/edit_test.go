package tomltext_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/tomltext"
)

// forms is a TOML file with every way of writing tables and arrays.
const forms = `# head
format = 1 # one
list = [ [1, 2], [3, # three
  4], ]
"a b".c = 2
"a b".d.e = 'x'

# the picture
[image] # here
width = 320   # wide
  background = { top = "#fff", bottom = [0, 0.5, 1] }
size = {}
[image.deep.er]
x = 1

[camera.lens]
glass = "crown"

# first ball
[[sphere]]
center = [0,   1,	2.5] # odd
name = "one"
[sphere.surface]
mirror = 0.5

[[sphere]]
[[sphere.spot]]
at = [1, 2]
[[sphere.spot]]
at = [3,4]
[part."left leg"]
bones = [{ a = 1, b.c = 2 }, { a = 3 }]`

// leaf is a value in a file, with its path.
type leaf struct {
	path string
	is   any
}

// leaves returns the list all with the values in v added to it: every value that is not a table or an array of
// tables. Elements of other arrays are added, too. path is the path of v.
func leaves(path string, v any, all []leaf) []leaf {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = leaves(strings.TrimPrefix(path+"."+tomltext.QuoteKey(key), "."), v[key], all)
		}
		return all
	case []map[string]any:
		for i := range v {
			all = leaves(fmt.Sprintf("%s[%d]", path, i), v[i], all)
		}
		return all
	case []any:
		for i := range v {
			all = leaves(fmt.Sprintf("%s[%d]", path, i), v[i], all)
		}
	}
	return append(all, leaf{path, v})
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(8); {
	case n == 0:
		return r.IntN(2) == 0
	case n == 1:
		return []string{"", "red", "a \"b\"\n", "#fff"}[r.IntN(4)]
	case n == 2 && depth > 0:
		return map[string]any{"k": randomValue(r, depth-1), "a b": 1.0}
	case n <= 4 && depth > 0:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, randomValue(r, depth-1))
		}
		return list
	case n == 5:
		return float64(r.IntN(9) - 4)
	}
	return r.NormFloat64() * []float64{1e-20, 1, 1e9, 1e30}[r.IntN(4)]
}

// normal returns v with all numbers as float64, all tables as map[string]any and all arrays as []any.
func normal(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case map[string]any:
		table := map[string]any{}
		for key := range v {
			table[key] = normal(v[key])
		}
		return table
	case []map[string]any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = normal(v[i])
		}
		return list
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = normal(v[i])
		}
		return list
	}
	return v
}

// put sets the value at path in root, which has the form that normal returns. It creates missing tables on the
// path.
func put(root any, path string, v any) any {
	if path == "" {
		return v
	}
	path = strings.TrimPrefix(path, ".")
	if path[0] == '[' {
		var i int
		end := strings.IndexByte(path, ']') + 1
		fmt.Sscanf(path[:end], "[%d]", &i)
		list := slices.Clone(root.([]any))
		list[i] = put(list[i], path[end:], v)
		return list
	}
	table, ok := root.(map[string]any)
	if !ok {
		table = map[string]any{}
	}
	table = maps.Clone(table)
	key, end := "", 0
	if path[0] == '"' {
		end = strings.IndexByte(path[1:], '"') + 2
		key = path[1 : end-1]
	} else if end = strings.IndexAny(path, ".["); end < 0 {
		end = len(path)
	}
	if key == "" {
		key = path[:end]
	}
	table[key] = put(table[key], path[end:], v)
	return table
}

func texts(t *testing.T) []string {
	all := []string{forms, strings.ReplaceAll(forms, "\n", "\r\n"), "", "# only this", "x = 1", "[a]"}
	files, err := filepath.Glob("../../scenes/*.toml")
	if err != nil || len(files) < 20 {
		t.Fatalf("only %d scenes: %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(data))
	}
	return all
}

// TestSet checks that Set gives keys their new values and changes no other key. Bytes outside the edits and all
// comments must be kept. It must be possible to undo the edits.
func TestSet(t *testing.T) {
	rounds := effort.Of(5, 25, 1000)
	for n, text := range texts(t) {
		root, err := tomltext.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all := leaves("", root, nil)
		r := rand.New(rand.NewPCG(uint64(n), 1))
		for range rounds {
			var changes []tomltext.Change
			want := normal(root)
			for range 1 + r.IntN(4) {
				path := []string{"camera.position", "camera.fov", "image.width", "new.table.key", "top", `material."x y".color`, "image.background.top", "sphere[0].made", `"a b".new`, `"a b".d.new`, "image.size.new", "image.new.inner.key", "camera.new", `part."left leg".bones[1].new`}[r.IntN(14)]
				if len(all) > 0 && r.IntN(3) > 0 {
					path = all[r.IntN(len(all))].path
				}
				v := randomValue(r, 2)
				if strings.HasPrefix(path, "sphere[0]") && root["sphere"] == nil || strings.HasPrefix(path, `part."left`) && root["part"] == nil {
					continue
				}
				if _, err := tomltext.Set(context.Background(), []byte(text), append(changes, tomltext.Change{Path: path, Value: v})...); err != nil {
					continue // the path leads through a value that is no longer a table
				}
				changes = append(changes, tomltext.Change{Path: path, Value: v})
				want = put(want, path, normal(v))
			}
			edits, err := tomltext.Set(context.Background(), []byte(text), changes...)
			if err != nil {
				t.Fatal(err)
			}
			after := tomltext.Apply([]byte(text), edits)
			got, err := tomltext.Parse(after)
			if err != nil {
				t.Fatalf("%v\n%v\nedits %v\n%s", err, changes, edits, after)
			}
			if !reflect.DeepEqual(normal(got), want) {
				t.Fatalf("Set(%v) gives %v, want %v\n%s", changes, normal(got), want, after)
			}
			if back := tomltext.Apply(after, inverse([]byte(text), edits)); string(back) != text {
				t.Fatalf("undone, Set(%v) leaves\n%s\nof\n%s", changes, back, text)
			}
		}
	}
}

// inverse returns the edits that undo edits of text.
func inverse(text []byte, edits []tomltext.Edit) []tomltext.Edit {
	var back []tomltext.Edit
	shift, end := 0, 0
	for i, e := range edits {
		if e.Start < end || i > 0 && e.Start == edits[i-1].End {
			panic(fmt.Sprintf("edits touch each other: %v", edits))
		}
		start := e.Start + shift
		back = append(back, tomltext.Edit{Extent: tomltext.Extent{Start: start, End: start + len(e.Insert)}, Insert: string(text[e.Start:e.End])})
		shift, end = shift+len(e.Insert)-(e.End-e.Start), e.End
	}
	return back
}

// TestSetIsSmall checks that Set changes only lines that it must change.
func TestSetIsSmall(t *testing.T) {
	vector := func(x, y, z float64) []any { return []any{x, y, z} }
	for _, test := range []struct {
		path  string
		value any
		want  string // the new lines
	}{
		{"sphere[0].center", vector(0, 1, 3), "center = [0,   1,\t3] # odd"},
		{"sphere[0].center", vector(0, 1, 2.5), ""},
		{"image.width", 320.0, ""},
		{"list[1][1]", 5.0, "  5], ]"},
		{"image.background.top", "red", `  background = { top = "red", bottom = [0, 0.5, 1] }`},
		{"image.background.middle", "red", `  background = { top = "#fff", bottom = [0, 0.5, 1], middle = "red" }`},
		{"image.size.x", 1, "size = { x = 1 }"},
		{"sphere[0].radius", 2, "radius = 2"},
		{"sphere[1].radius", 2, "radius = 2"},
		{"camera.fov", 30.5, "[camera]\nfov = 30.5\n"},
		{"shading.bounces", 2, "[shading]\nbounces = 2\n"},
		{`"a b".f`, true, `"a b".f = true`},
		{`part."left leg".bones[0].b.d`, 1, `bones = [{ a = 1, b.c = 2, b.d = 1 }, { a = 3 }]`},
		{"zoom", 1, "zoom = 1\n"},
	} {
		edits, err := tomltext.Set(context.Background(), []byte(forms), tomltext.Change{Path: test.path, Value: test.value})
		if err != nil {
			t.Fatal(err)
		}
		old := strings.Split(forms, "\n")
		var added []string
		for _, line := range strings.Split(string(tomltext.Apply([]byte(forms), edits)), "\n") {
			if len(old) > 0 && line == old[0] {
				old = old[1:]
			} else if added = append(added, line); len(old) > 1 && !strings.Contains(test.want, "\n") && strings.HasPrefix(line, strings.SplitN(old[0], " ", 2)[0]) {
				old = old[1:]
			}
		}
		if got := strings.Join(added, "\n"); !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("Set(%s, %v) gives the lines %q, want %q", test.path, test.value, got, test.want)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	for path, want := range map[string]string{
		"image":             "image is a table",
		"sphere[0]":         "sphere[0] is a table",
		"sphere[2].center":  "there is no sphere[2]",
		"list[5]":           "there is no list[5]",
		"format.x":          "format is no table",
		"":                  "no path",
		"a..b":              "no path",
		"a[x]":              "no path",
		"[0]":               "no path",
		`"a`:                "no path",
		"image.width.x.y":   "is no table",
		"sphere[9].a.b":     "there is no sphere[9]",
		"camera.lens.glass": "must be finite",
	} {
		value := any(1.0)
		if want == "must be finite" {
			value = math.Inf(1)
		}
		if _, err := tomltext.Set(context.Background(), []byte(forms), tomltext.Change{Path: path, Value: value}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Set(%q): %v, want %q", path, err, want)
		}
	}
	if _, err := tomltext.Set(context.Background(), []byte("x ="), tomltext.Change{Path: "x", Value: 1}); err == nil {
		t.Error("Set edits invalid TOML")
	}
}

// TestOutline checks that Outline returns every header, and where the last key below it ends.
func TestOutline(t *testing.T) {
	var got []string
	for _, s := range tomltext.Outline([]byte(forms)) {
		got = append(got, fmt.Sprintf("%s %s ... %.6s", s.Path, forms[s.Header.Start:s.Header.End], forms[max(s.End-6, s.Header.Start):s.End]))
	}
	want := []string{
		"image [image] ... e = {}", "image.deep.er [image.deep.er] ... \nx = 1", `camera.lens [camera.lens] ... crown"`,
		`sphere[0] [[sphere]] ...  "one"`, "sphere[0].surface [sphere.surface] ...  = 0.5", "sphere[1] [[sphere]] ... here]]",
		"sphere[1].spot[0] [[sphere.spot]] ... [1, 2]", "sphere[1].spot[1] [[sphere.spot]] ...  [3,4]",
		`part."left leg" [part."left leg"] ... = 3 }]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("Outline gives\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestSetRemoves compares the text after the removal of keys.
func TestSetRemoves(t *testing.T) {
	for _, test := range []struct{ text, path, want string }{
		{"[camera]\nfit = \"all\" # everything\nup = [0, 1, 0]\n", "camera.fit", "[camera]\nup = [0, 1, 0]\n"},
		{"[camera]\nup = [0, 1, 0]\nfit = [\n\"a\",\n\"b\",\n]", "camera.fit", "[camera]\nup = [0, 1, 0]\n"},
		{"camera.fit = \"all\"\ncamera.fov = 3\n", "camera.fit", "camera.fov = 3\n"},
		{"camera = { fit = \"a\", fov = 3 }\n", "camera.fit", "camera = { fov = 3 }\n"},
		{"camera = { fov = 3, fit = \"a\" }\n", "camera.fit", "camera = { fov = 3 }\n"},
		{"camera = { fit = \"a\" }\n", "camera.fit", "camera = { }\n"},
		{"[camera]\nfov = 3\n", "camera.fit", "[camera]\nfov = 3\n"},
	} {
		edits, err := tomltext.Set(context.Background(), []byte(test.text), tomltext.Change{Path: test.path})
		if got := string(tomltext.Apply([]byte(test.text), edits)); err != nil || got != test.want {
			t.Errorf("%q without %s: got %q, %v, want %q", test.text, test.path, got, err, test.want)
		}
	}
	if _, err := tomltext.Set(context.Background(), []byte("[camera]\nfov = 3\n"), tomltext.Change{Path: "camera"}); err == nil {
		t.Error("a table was removed")
	}
}
