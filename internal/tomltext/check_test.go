package tomltext

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestRefusesMoreThanTheDecoder checks texts that BurntSushi/toml accepts but TOML 1.0 does not, and keys that are
// defined twice. Parse and Recover must report the same.
func TestRefusesMoreThanTheDecoder(t *testing.T) {
	for text, want := range map[string]string{
		"a = { x = 1,\n y = 2 }":              "1:5: an inline table must be on one line: join the lines, or write a table with a header",
		"a = { x = 1 # one\n}":                "1:5: an inline table must be on one line: join the lines, or write a table with a header",
		"a = {\n}":                            "1:5: an inline table must be on one line: join the lines, or write a table with a header",
		"a = [{ x = 1 }, {\r\n x = 2 }]":      "1:17: an inline table must be on one line: join the lines, or write a table with a header",
		"a = { x = 1, }":                      "1:12: an inline table must not end with a comma: remove it",
		"a = [[{ x = [1,\n2], }]]":            "2:3: an inline table must not end with a comma: remove it",
		`a = "\e[0m"`:                         `1:6: TOML 1.0 has no escape \e: write \u001b`,
		`a = ["", "\\\x41"]`:                  `1:13: TOML 1.0 has no escape \x: write \u0041`,
		`"\x41" = 1`:                          `1:2: TOML 1.0 has no escape \x: write \u0041`,
		`["\x41"]`:                            `1:3: TOML 1.0 has no escape \x: write \u0041`,
		"a = \"\"\"\nb\\e\"\"\"":              `2:2: TOML 1.0 has no escape \e: write \u001b`,
		"a = 12:30":                           "1:5: invalid date or time: write it as 2006-01-02T15:04:05Z",
		"a = 2020-01-02T03:04Z":               "1:5: invalid date or time: write it as 2006-01-02T15:04:05Z",
		"a = 2020-01-02T03:04:05+12:60":       "1:5: invalid date or time: write it as 2006-01-02T15:04:05Z",
		"a = [1]\n# a\na = [2]":               "3:1: the key a appears twice in this table, first on line 1",
		"[s]\n\"a\" = [1]\na = { x = 1 }":     "3:1: the key a appears twice in this table, first on line 2",
		"a = { x = 1, y = 2, x = 3 }":         "1:21: the key x appears twice in this table",
		"a = [\n{ x = [\n1], x = 3 }]":        "3:5: the key x appears twice in this table, first on line 2",
		"a = { x = { y = 1 }, x.z = 2 }":      "1:22: a dotted key cannot extend the value x",
		"a = {}\n[b]\n[a.c]":                  "3:2: a header cannot extend the value a, first on line 1",
		"a = 1\n[[a]]":                        "2:3: the header of an array of tables cannot extend the value a, first on line 1",
		"a = []\n[[a]]":                       "2:3: the header of an array of tables cannot extend the value a, first on line 1",
		"[a]\n[[a]]":                          "2:3: the header of an array of tables cannot extend the table a, first on line 1",
		"[a.b]\n[a.b.c]\n[a]\nb.d = 1":        "4:1: a dotted key cannot extend the table b, first on line 1",
		"[[a.b]]\n[a]\nb.c = 1":               "3:1: a dotted key cannot extend the array of tables b, first on line 1",
		"[a]\nb.c = 1\n[a.b]":                 "3:4: a header cannot extend the table b of dotted keys, first on line 2",
		"[a]\nb.c.d = 1\n[a.b.c]":             "3:6: a header cannot extend the table c of dotted keys, first on line 2",
		"a.b = 1\na.b.c = 2":                  "2:3: a dotted key cannot extend the value b, first on line 1",
		"a.b.c = 1\na.b = 2":                  "2:3: the key b appears twice in this table, first on line 1",
		"[a]\nx = 1\n[[b]]\n[a]":              "4:1: the table [a] appears twice, first on line 1",
		"[[a]]\n[a.b]\n[[a]]\n[a.b]\n[a.b]":   "5:1: the table [a[1].b] appears twice, first on line 4",
		"x = \"\"\"\\\\\"\"\"\"\"\"":          "1:10: too many quotes at the end of a multiline basic string",
		"a = 1\rb = 2":                        "1:6: a carriage return without a line feed: end lines with LF or CR LF",
		"a = \"\"\"\r\r\n\"\"\"":              "1:8: a carriage return without a line feed: end lines with LF or CR LF",
		"a = 1 # comment\rb":                  "1:16: a carriage return without a line feed: end lines with LF or CR LF",
		"a = [1,\r2]":                         "1:8: a carriage return without a line feed: end lines with LF or CR LF",
		"a = 1\nb = 2024-13-01\nc = 1\nc = 2": "2:5: invalid datetime: \"2024-13-01\"",
	} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q: no error, want %s", text, want)
		}
		var got string
		if r := Recover([]byte(text)); len(r.Errors) > 0 {
			e := r.Errors[0]
			before := text[:e.Start]
			got = fmt.Sprintf("%d:%d: %s", 1+strings.Count(before, "\n"), len(before)-strings.LastIndex(before, "\n"), e.Message)
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// definitions is an independent statement of which keys and tables TOML 1.0 lets a file define, by the paths that are
// taken. Arrays of tables are left to the examples.
type definitions struct {
	header         []string
	values         map[string]bool
	tables, dotted map[string]bool // by their own headers, by dotted keys
	parents        map[string]bool // of anything
}

// add adds a header or, with a value, a key in the last header's table. It reports whether TOML allows that.
func (d *definitions) add(path []string, isHeader bool) bool {
	if !isHeader {
		path = append(append([]string(nil), d.header...), path...)
	}
	whole := strings.Join(path, ".")
	for i := 1; i < len(path); i++ {
		parent := strings.Join(path[:i], ".")
		if d.values[parent] || !isHeader && i > len(d.header) && d.tables[parent] {
			return false
		}
		d.parents[parent] = true
		if !isHeader && i > len(d.header) {
			d.dotted[parent] = true
		}
	}
	if isHeader {
		free := !d.values[whole] && !d.tables[whole] && !d.dotted[whole]
		d.header, d.tables[whole] = path, true
		return free
	}
	free := !d.values[whole] && !d.tables[whole] && !d.parents[whole]
	d.values[whole] = true
	return free
}

// TestDefinitionsOfRandomFiles compares which files Parse accepts with [definitions].
func TestDefinitionsOfRandomFiles(t *testing.T) {
	accepted := 0
	const files = 4_000
	for seed := range uint64(files) {
		rng := rand.New(rand.NewPCG(seed, 7))
		d := definitions{values: make(map[string]bool), tables: make(map[string]bool), dotted: make(map[string]bool), parents: make(map[string]bool)}
		var text strings.Builder
		ok := true
		for range 2 + rng.IntN(4) {
			path := make([]string, 1+rng.IntN(3))
			for i := range path {
				path[i] = []string{"a", "b", "c"}[rng.IntN(3)]
			}
			isHeader := rng.IntN(2) == 0
			if isHeader {
				fmt.Fprintf(&text, "[%s]\n", strings.Join(path, "."))
			} else {
				fmt.Fprintf(&text, "%s = %s\n", strings.Join(path, "."), []string{"1", "{}", "[]", "{ a = 1 }"}[rng.IntN(4)])
			}
			ok = ok && d.add(path, isHeader)
		}
		if ok {
			accepted++
		}
		if _, err := Parse([]byte(text.String())); (err == nil) != ok {
			t.Fatalf("Parse: %v, want an error: %t\n%s", err, !ok, text.String())
		}
	}
	if accepted < files/10 || accepted > files*9/10 {
		t.Errorf("%d of %d files are valid", accepted, files)
	}
}

// TestParseEqualWithAnyLineEndings checks that the values of a file do not depend on its line endings.
func TestParseEqualWithAnyLineEndings(t *testing.T) {
	for _, text := range []string{
		"a = \"\"\"\nx\n\ny \\\n   z\n\"\"\"\nb = '''\nx\ny'''\nc = \"x\\r\\ny\"\n",
		"[[s]]\nt = \"\"\"one\ntwo\"\"\"\n[[s]]\nt = '''\none\ntwo'''\n",
	} {
		want, err := Parse([]byte(text), "s")
		if err != nil {
			t.Fatal(err)
		}
		for _, mixed := range []string{strings.ReplaceAll(text, "\n", "\r\n"), strings.Replace(text, "\n", "\r\n", 3)} {
			if got, err := Parse([]byte(mixed), "s"); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%q: got %q, %v, want %q", mixed, got, err, want)
			}
			if got, ok := decodeChunks([]byte(mixed), []string{"s"}, 1); ok && !reflect.DeepEqual(got, want) {
				t.Errorf("%q in chunks: got %q, want %q", mixed, got, want)
			}
		}
	}
}
