package scene

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/keytable"
	"pillbox/problem"
)

// problemsOf returns the problems that Decode reports for the file data, and whether the file is valid. The
// problems of a valid file are warnings.
func problemsOf(data []byte) (problem.Errors, bool) {
	s, err := Decode("x.toml", data)
	if err == nil {
		return s.Warnings, true
	}
	var es problem.Errors
	if !errors.As(err, &es) {
		panic(fmt.Sprintf("Decode returned %T, want Errors", err))
	}
	return es, false
}

// TestProblems decodes the files of testdata and compares the problems with the expected ones. These are at the
// end of each file, as comments that begin with "#: ". They omit the file's name and end with the problem's code.
// The files in bad are invalid, and those in warn are valid.
func TestProblems(t *testing.T) {
	for _, dir := range []string{"bad", "warn"} {
		paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.toml"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no files in %s: %v", dir, err)
		}
		for _, path := range paths {
			t.Run(dir+"/"+strings.TrimSuffix(filepath.Base(path), ".toml"), func(t *testing.T) {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				es, valid := problemsOf(data)
				if valid != (dir == "warn") {
					t.Errorf("valid = %v", valid)
				}
				var got []string
				for _, e := range es {
					got = append(got, fmt.Sprintf("%s [%s]", strings.TrimPrefix(e.Error(), "x.toml:"), e.Code))
					checkPlace(t, data, e)
				}
				if want := wantedLines(data); !slices.Equal(got, want) {
					t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			})
		}
	}
}

func wantedLines(data []byte) []string {
	var lines []string
	for line := range strings.Lines(string(data)) {
		if line, ok := strings.CutPrefix(line, "#: "); ok {
			lines = append(lines, strings.TrimRight(line, "\r\n"))
		}
	}
	return lines
}

// checkPlace fails the test unless the position of the problem e lies inside the file data. If the message is about
// a value or key, the position must be that of the value or key.
func checkPlace(t *testing.T, data []byte, e *problem.Error) {
	t.Helper()
	lines := strings.Split(strings.TrimPrefix(string(data), "\uFEFF"), "\n")
	if e.Line < 1 || e.Line > len(lines) {
		t.Errorf("%v: the file has %d lines", e, len(lines))
		return
	}
	line := []rune(strings.TrimSuffix(lines[e.Line-1], "\r"))
	// The end of a line is a place as well: something may be missing there.
	if e.Column < 1 || e.Column > len(line)+1 || e.EndColumn < e.Column || e.EndColumn > len(line)+1 {
		t.Errorf("%v: columns %d to %d, but the line has %d", e, e.Column, e.EndColumn, len(line))
		return
	}
	if !locatable(data) {
		return
	}
	there := string(line[e.Column-1 : e.EndColumn-1])
	switch e.Code {
	case problem.CodeWrongType, problem.CodeWrongLength, problem.CodeNotFinite, problem.CodeOutOfRange, problem.CodeZeroVector, problem.CodeNotOrthonormal, problem.CodeNoLength, problem.CodeUnknownValue, problem.CodeBadColor,
		problem.CodeUnknownColor, problem.CodeUnknownMaterial, problem.CodeDuplicateName, problem.CodeEmptyName, problem.CodeUnknownFormat:
		// A message cuts long values, and quotes only the first of several lines.
		got, want := squeeze(strings.TrimSuffix(e.Value, " ...")), squeeze(there)
		if e.Value == "" || !strings.HasPrefix(got, want) && !strings.HasPrefix(want, got) {
			t.Errorf("%v: there stands %s", e, there)
		}
	case problem.CodeUnknownKey, problem.CodeConflict:
		if quoted := strings.ContainsAny(there[:1], `"'`); !quoted && !strings.HasSuffix(e.Key, "."+there) && e.Key != there {
			t.Errorf("%v: there stands %s", e, there)
		}
	}
}

// locatable reports whether the parser that finds positions accepts data as TOML.
func locatable(data []byte) bool {
	var p unstable.Parser
	p.Reset(bytes.TrimPrefix(data, []byte("\uFEFF")))
	for p.NextExpression() {
	}
	return p.Error() == nil
}

// squeeze removes the characters of s that [Excerpt] may change.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
}

// TestProblemsOfUnreadable checks the problems of files with invalid UTF-8, control characters, or a syntax error
// at their end.
func TestProblemsOfUnreadable(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"\xff\xfe[\x00i\x00]\x00", "x.toml:1:1: invalid UTF-8 byte 0xff: save the file as UTF-8"},
		{"\xff\xfewidth = 1", "x.toml:1:1: invalid UTF-8 byte 0xff: save the file as UTF-8"},
		{"a\x00=\x001\x00", "x.toml:1:2: a NUL byte: save the file as UTF-8, not as UTF-16"},
		{"[image]\nwidth = 1\n# \xc3(", "x.toml:3:3: invalid UTF-8 byte 0xc3: save the file as UTF-8"},
		{"name = \"日本\xe6\x97", "x.toml:1:11: invalid UTF-8 byte 0xe6: save the file as UTF-8"},
		{"\uFEFF\uFEFFformat = 1", "x.toml:1:1: a second byte order mark: remove it"},
		{"\x89PNG\r\n\x1a\n", "x.toml:1:1: this is a PNG picture, not TOML"},
		{"[image]\rwidth = 1\r", "x.toml:1:8: a carriage return without a line feed: end lines with LF or CR LF"},
		{"name = \"größe", "x.toml:1:14: unclosed string: write `name = \"größe\"`"},
		{"\"ö", "x.toml:1:1: unclosed string: a key has two quotes or none"},
		{"name = \"\"\"a\nb\n", "x.toml:1:1: unclosed string: end it with the three quotes that begin it"},
		{"width = [\r\n", "x.toml:1:10: unexpected EOF; expected value"},
		{"[image]\n\rwidth = 1", "x.toml:2:1: a carriage return without a line feed: end lines with LF or CR LF"},
		{"[image]\nwidth = {\n = 3", "x.toml:3:2: unexpected '=': key name appears blank"},
		{"name = \"\"\"\n\nabc\\q\"\"\"", "x.toml:3:4: invalid escape character U+0071 'q'"},
	} {
		es, _ := problemsOf([]byte(c.data))
		if es.Error() != c.want {
			t.Errorf("%q: got %s, want %s", c.data, es, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	_, err := Decode("dir/demo.toml", []byte("[material.red]\n\n[[sphere]]\nraduis = 1\ncenter = [0, 0, 1e99]\n"))
	const want = "dir/demo.toml:1:1: warning: material.red: no solid has this material\n" +
		"dir/demo.toml:4:1: sphere[0].raduis: unknown key, did you mean `radius`?\n" +
		"dir/demo.toml:5:17: sphere[0].center[2]: must lie between -1e+15 and 1e+15, got 1e99"
	if err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	wantErrors := problem.Errors{
		{File: "dir/demo.toml", Line: 1, Column: 1, EndColumn: 15, Key: "material.red", Severity: problem.SeverityWarning, Code: problem.CodeUnusedMaterial, Message: "no solid has this material"},
		{File: "dir/demo.toml", Line: 4, Column: 1, EndColumn: 7, Key: "sphere[0].raduis", Severity: problem.SeverityError, Code: problem.CodeUnknownKey, Message: "unknown key", Suggestion: "radius"},
		{File: "dir/demo.toml", Line: 5, Column: 17, EndColumn: 21, Key: "sphere[0].center[2]", Severity: problem.SeverityError, Code: problem.CodeOutOfRange, Message: "must lie between -1e+15 and 1e+15", Value: "1e99"},
	}
	var es problem.Errors
	if !errors.As(err, &es) || !reflect.DeepEqual(es, wantErrors) {
		t.Errorf("got %#v", err)
	}
	var e *problem.Error
	if !errors.As(err, &e) || e != es[0] {
		t.Errorf("errors.As found %v, want %v", e, es[0])
	}
	text, err := json.Marshal(es[1])
	const wantJSON = `{"file":"dir/demo.toml","line":4,"column":1,"end_column":7,"key":"sphere[0].raduis","severity":"error","code":"unknown-key","message":"unknown key","value":"","suggestion":"radius"}`
	if string(text) != wantJSON || err != nil {
		t.Errorf("JSON: got %s, %v, want %s", text, err, wantJSON)
	}
}

// TestErrorIsPrintable checks that messages escape the control characters in names, which may come from untrusted
// files.
func TestErrorIsPrintable(t *testing.T) {
	data := "[material.\"re\\u001bd\"]\n[material.\"\\u001b[31m\"]\nmirror = 2\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nmaterial = \"re\\u001b\"\nname = \"\u009b31m\u202e\"\n\"\\u0007\" = 1\n[[sphere]]\nname = \"\u009b31m\u202e\"\ncenter = 0\nradius = \"\u009b\u00a0\""
	es, _ := problemsOf([]byte(data))
	if len(es) < 5 {
		t.Errorf("got only %d problems", len(es))
	}
	for line := range strings.Lines(es.Error()) {
		for _, r := range strings.TrimSuffix(line, "\n") {
			if r != ' ' && (r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0 || r == '\u202e') {
				t.Errorf("%U in %q", r, line)
			}
		}
	}
}

// TestErrorQuotesWhatIsNotPrintable checks that messages escape characters that reverse the direction of text, in
// file names and in suggestions.
func TestErrorQuotesWhatIsNotPrintable(t *testing.T) {
	for file, want := range map[string]string{
		"größe (1).csv":     "größe (1).csv:2:3:",
		`dir\a "b".csv`:     `dir\a "b".csv:2:3:`,
		"a\x1b]0;b\a.csv":   `"a\x1b]0;b\a.csv":2:3:`,
		"a\u202evsc.toml":   `"a\u202evsc.toml":2:3:`,
		"a\x9b31m\xff.toml": `"a\x9b31m\xff.toml":2:3:`,
		"a\nb.toml":         `"a\nb.toml":2:3:`,
	} {
		e := &problem.Error{File: file, Line: 2, Column: 3, Severity: problem.SeverityError, Message: "wrong"}
		if got := e.Position(); got != want {
			t.Errorf("the place in %q is %s, want %s", file, got, want)
		}
		if got := e.Error(); got != want+" wrong" {
			t.Errorf("the text for %q is %s, want %s wrong", file, got, want)
		}
	}
	for word, want := range map[string]string{
		"steel":    "wrong, did you mean `steel`?",
		"st`eel":   "wrong, did you mean \"st`eel\"?",
		"st\u202e": `wrong, did you mean "st\u202e"?`,
		"st\tl":    `wrong, did you mean "st\tl"?`,
	} {
		e := &problem.Error{Message: "wrong", Suggestion: word}
		if got := strings.TrimPrefix(e.Error(), e.Position()+" "); got != want {
			t.Errorf("the suggestion of %q is %s, want %s", word, got, want)
		}
	}
}

// TestProblemsAreDeterministic decodes the same files repeatedly. The problems must always have the same order,
// although tables are decoded into maps, whose order is random.
func TestProblemsAreDeterministic(t *testing.T) {
	data := []byte("a = 1\nb = 1\nc = 1\n[[sphere]]\nRadius = 1\nradius = -1\nRADIUS = 2\n[material]\nx = 1\ny = { mirror = 2, glow = 3 }\nz = {}\n")
	want, _ := problemsOf(data)
	for range 50 {
		if got, _ := problemsOf(data); !reflect.DeepEqual(got, want) {
			t.Fatalf("got\n%v\nonce and\n%v\nnow", want, got)
		}
	}
}

// TestPlaces writes random scenes in random TOML style with several invalid values. The reported positions must be
// those of the values.
func TestPlaces(t *testing.T) {
	for seed := range effort.Of[uint64](60, 300, 300) {
		w := &writer{rng: rand.New(rand.NewPCG(seed, 3)), line: 1, column: 1}
		data := w.scene()
		es, _ := problemsOf(data)
		var got []string
		for _, e := range es {
			if e.Severity == problem.SeverityWarning {
				continue // the eye may be anywhere
			}
			got = append(got, fmt.Sprintf("%d:%d-%d: %s, got %s", e.Line, e.Column, e.EndColumn, e.Key, e.Value))
		}
		if !slices.Equal(got, w.want) {
			t.Fatalf("seed %d:\ngot\n%s\nwant\n%s\nin\n%s", seed, strings.Join(got, "\n"), strings.Join(w.want, "\n"), data)
		}
	}
}

// writer writes a scene, and counts the lines and columns of its text.
type writer struct {
	rng          *rand.Rand
	b            strings.Builder
	eol          string
	line, column int
	want         []string // the places of the wrong values
}

func (w *writer) write(s string) {
	for _, r := range s {
		if r == '\n' {
			w.b.WriteString(w.eol)
			w.line, w.column = w.line+1, 1
			continue
		}
		w.b.WriteRune(r)
		w.column++
	}
}

func (w *writer) oneOf(s ...string) string { return s[w.rng.IntN(len(s))] }

// space writes white space that is allowed anywhere in a line.
func (w *writer) space() { w.write(w.oneOf("", "", " ", "\t", "  ")) }

// filler writes comments and blank lines that are allowed between lines.
func (w *writer) filler() {
	w.write(w.oneOf("", "", "\n", "  \n", "# größe [[sphere]] \"\n", "\t# radius = -1\n\n"))
}

// key writes a key in a random spelling.
func (w *writer) key(key string) {
	w.write(w.oneOf(key, key, `"`+key+`"`, `'`+key+`'`, fmt.Sprintf(`"\u%04x%s"`, key[0], key[1:])))
}

// wrong writes an invalid value and records the problem that is expected for it.
func (w *writer) wrong(key, value string) {
	w.want = append(w.want, fmt.Sprintf("%d:%d-%d: %s, got %s", w.line, w.column, w.column+utf8.RuneCountInString(value), key, value))
	w.write(value)
}

// number writes a number, which is invalid with a probability of 1/4.
func (w *writer) number(key string) {
	if w.rng.IntN(4) > 0 {
		w.write(w.oneOf("1", "0.5", "1_0", "2e-1"))
		return
	}
	w.wrong(key, w.oneOf("nan", "-1e300", `"größe"`, "true", "'['", "2001-01-01", "[ ]", "{ }", "{ a = [1, 2] }", "-inf"))
}

// vector writes an array of three numbers, possibly on several lines.
func (w *writer) vector(key string) {
	w.write("[")
	for i := range 3 {
		w.write(w.oneOf("", " ", "\n  ", " # [ # ,\n\t"))
		w.number(fmt.Sprintf("%s[%d]", key, i))
		w.write(w.oneOf("", " ", "\n  ", " # ] é\n\t"))
		if i < 2 || w.rng.IntN(2) == 0 {
			w.write(",")
		}
	}
	w.write(w.oneOf("", "\n", "  ") + "]")
}

// assignment writes a key with its value.
func (w *writer) assignment(path, key string) {
	w.key(key)
	w.space()
	w.write("=")
	w.space()
	if key == "radius" {
		w.number(path + "." + key)
	} else {
		w.vector(path + "." + key)
	}
}

func (w *writer) scene() []byte {
	w.eol = w.oneOf("\n", "\r\n")
	w.b.WriteString(w.oneOf("", "\uFEFF"))
	w.filler()
	keys := map[string][]string{"sphere": {"center", "radius"}, "capsule": {"a", "b", "radius"}, "box": {"center", "half_extents"}}
	counts := map[string]int{}
	// The array of inline tables comes before all headers, because after a header it would belong to that table.
	inline := w.oneOf("sphere", "capsule", "box")
	w.key(inline)
	w.write(" = [")
	for i := range w.rng.IntN(4) {
		w.write(w.oneOf("", "\n", " # {\n "))
		w.write("{ ")
		for j, key := range keys[inline] {
			if j > 0 {
				w.write(", ")
			}
			w.assignment(fmt.Sprintf("%s[%d]", inline, i), key)
		}
		w.write(" },")
	}
	w.write("]\n")
	delete(keys, inline)

	w.filler()
	w.write(w.oneOf("camera . ", "'camera'.", "camera\t."))
	w.assignment("camera", "position")
	w.write("\n" + w.oneOf("camera.", ` "camera" .`) + "look_at = [3, 4, 5]\n")
	for range w.rng.IntN(12) {
		w.filler()
		kind := w.oneOf("sphere", "capsule", "box")
		if keys[kind] == nil {
			continue
		}
		path := fmt.Sprintf("%s[%d]", kind, counts[kind])
		counts[kind]++
		w.space()
		w.write("[[")
		w.space()
		w.key(kind)
		w.space()
		w.write("]]" + w.oneOf("", " ", " # é") + "\n")
		for _, key := range keys[kind] {
			w.filler()
			w.space()
			w.assignment(path, key)
			w.write(w.oneOf("", " ", "\t# é") + "\n")
		}
	}
	return []byte(w.b.String())
}

// TestSuggestionsAreRemembered checks that an unknown material name that occurs many times is compared with all
// known names only once.
func TestSuggestionsAreRemembered(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "[material.metal_%02d]\n", i)
	}
	once := testing.AllocsPerRun(1, func() { problemsOf([]byte(b.String())) })
	const n = 100
	b.WriteString(strings.Repeat("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nmaterial = \"metel_42\"\n", n))
	var es problem.Errors
	often := testing.AllocsPerRun(1, func() { es, _ = problemsOf([]byte(b.String())) })
	if e := es[len(es)-1]; e.Suggestion != "metal_42" {
		t.Errorf("%v, want metal_42 suggested", e)
	}
	// Comparing each name with all materials would take several hundred allocations.
	if each := (often - once) / n; each > 150 {
		t.Errorf("%v allocations for each wrong name", each)
	}
}

// TestSuggestionsAreBounded checks a file with too many unknown and known names to compare all. Some unknown names
// get no suggestion, and the message of the first of these must say so.
func TestSuggestionsAreBounded(t *testing.T) {
	const n = 2000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[material.metal_%04d]\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nmaterial = \"metel_%04d\"\n", i)
	}
	es, _ := problemsOf([]byte(b.String()))
	if len(es) != n {
		t.Fatalf("%d problems, want %d", len(es), n)
	}
	for i, e := range es {
		want := fmt.Sprintf("metal_%04d", i)
		if i >= keytable.MaxCompared/n {
			want = ""
		}
		if e.Suggestion != want {
			t.Fatalf("%v, want %q suggested", e, want)
		}
		if said := strings.Contains(e.Message, "no similar word is looked for"); said != (i == keytable.MaxCompared/n) {
			t.Fatalf("%v", e)
		}
	}
}

// TestUnusedMaterialsAreOneWarning checks that all unused materials of a file share one warning.
func TestUnusedMaterialsAreOneWarning(t *testing.T) {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "[material.m%02d]\n", i)
	}
	b.WriteString("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n")
	s := decode(t, b.String())
	const want = "test.toml:1:1: warning: material.m00: no solid has this material, " +
		"nor m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11, m12 and 7 more"
	if got := s.Warnings.Error(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestEveryCSSColorName checks that the color names are those of SVG 1.1, with both spellings of gray, and
// rebeccapurple from CSS Color 4.
func TestEveryCSSColorName(t *testing.T) {
	names := keytable.ColorNames()
	if len(names) != 148 || !slices.IsSorted(names) {
		t.Errorf("%d names, sorted: %v", len(names), slices.IsSorted(names))
	}
	for _, name := range names {
		if _, ok := keytable.ParseColor(name); !ok {
			t.Errorf("%s is no color", name)
		}
	}
	for name, hex := range map[string]string{
		"red": "#f00", "green": "#008000", "gray": "#808080", "lightsteelblue": "#b0c4de", "rebeccapurple": "#663399",
	} {
		got, _ := keytable.ParseColor(name)
		if want, _ := keytable.ParseColor(hex); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if c, ok := keytable.ParseColor("Red"); ok {
		t.Errorf("Red is %v, want an error that suggests red", c)
	}
}

// TestNoSolids checks that a scene without solids is valid and has one warning. A scene with solids or with an
// error must not have this warning.
func TestNoSolids(t *testing.T) {
	files := fstest.MapFS{
		"none.csv":  {Data: []byte("x,y,z,radius\n")},
		"one.csv":   {Data: []byte("x,y,z,radius\n0,0,0,1\n")},
		"wrong.csv": {Data: []byte("x,y,z,radius\n0,0,0,no\n")},
	}
	const ball = "[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	bulk := func(file string) string { return "[[bulk]]\nshape = \"sphere\"\nfile = \"" + file + "\"\n" }
	for text, want := range map[string]bool{
		"":                                    true,
		"[image]\nwidth = 3\n":                true,
		"sphere = []\nbox = []\n":             true,
		ball:                                  true,
		ball + "[[place]]\npart = \"p\"\n":    false,
		"[part.p]\n[[place]]\npart = \"p\"\n": true,
		bulk("none.csv"):                      true,
		bulk("one.csv"):                       false,
		bulk("wrong.csv"):                     false,
		bulk("missing.csv"):                   false,
		"[[sphere]]\nradius = 1\n":            false,
		"[image]\nwidth = -1\n":               false,
	} {
		s, err := Decode("s.toml", []byte(text), WithFiles(files))
		var problems problem.Errors
		if err == nil {
			problems = s.Warnings
		} else if !errors.As(err, &problems) {
			t.Fatal(err)
		}
		count := 0
		for _, e := range problems {
			if e.Code == problem.CodeNoSolids {
				count++
			}
		}
		if want != (count == 1) || count > 1 {
			t.Errorf("%q has %d warnings that there are no solids: %v", text, count, problems)
		}
	}
}
