package scene

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/internal/fixture/effort"
	"pillbox/problem"
)

// tablesForSyntax returns the tables of a scene without problems, including a random number of random solids. The
// scene remains valid if solids are repeated or put into another order.
func tablesForSyntax(rng *rand.Rand) []string {
	tables := []string{
		"[image]\nwidth = 64\nheight = 48\n",
		"[camera]\nposition = [0, 2, 30]\nlook_at = [0, 0, 0]\n",
		"[shading]\nambient = 0.2\n",
		"[material.red]\ncolor = \"#f00\"\n",
		"[material.\"dark blue\"]\ncolor = \"navy\"\n",
		"[part.leg]\n",
		"[[part.leg.sphere]]\ncenter = [0, 0, 0]\nradius = 0.5\n",
		"[[part.leg.capsule]]\na = [0, 0, 0]\nb = [0, 1, 0]\nradius = 0.2\n",
		"[[place]]\npart = \"leg\"\nname = \"left\"\n",
		"[[place]]\npart = \"leg\"\ncount = 2\n[place.step]\nposition = [2, 0, 0]\n",
		"[[light]]\nposition = [5, 9, 20]\n",
	}
	for i := range 2 + rng.IntN(8) {
		tables = append(tables, []string{
			fmt.Sprintf("[[sphere]]\ncenter = [%d, 3, 0]\nradius = 0.5\nname = \"s%d\"\nmaterial = \"red\"\n", i, i),
			fmt.Sprintf("[[capsule]]\na = [0, 0, 0]\nb = [%d, -3, 0]\nradius = 0.25\nmaterial = \"dark blue\"\n", i),
			fmt.Sprintf("[[box]]\ncenter = [%d, 0, 0]\nhalf_extents = [\n  1,\n  1,\n  1, # each\n]\n", i),
		}[rng.IntN(3)])
	}
	// Both materials are used in every scene.
	return append(tables, "[[sphere]]\ncenter = [1, 3, 0]\nradius = 1\nmaterial = \"red\"\n", "[[sphere]]\ncenter = [1, 3, 1]\nradius = 1\nmaterial = \"dark blue\"\n")
}

// syntaxErrors are lines that are not TOML, each with a part of the message about it.
var syntaxErrors = map[string]string{
	"x = 1,":                "remove the comma: write `x = 1`",
	"x = 0,45":              "write `x = 0.45`",
	"x = #fff4e0":           "write `x = \"#fff4e0\"`",
	"x = red":               "write `x = \"red\"`",
	"x: 1":                  "write `x = 1`",
	"x 1":                   "write `x = 1`",
	"x =":                   "the value is missing",
	"x":                     "a key needs = and a value",
	"x = True":              "write `x = true`",
	"x = “red”":             "write `x = \"red\"`",
	"x = \"red":             "write `x = \"red\"`",
	"x = 'it's'":            "a string that contains ' needs double quotes: write `x = \"it's\"`",
	"x = \"5\"x7\"":         "a string that contains \" needs single quotes: write `x = '5\"x7'`",
	"x = 'red":              "write `x = \"red\"`",
	"x = [0, 1, 2":          "write `x = [0, 1, 2]`",
	"x = [0, 1, 2]]":        "write `x = [0, 1, 2]`",
	"x = [0 1 2]":           "write `x = [0, 1, 2]`",
	"x = 0, 1, 2":           "write `x = [0, 1, 2]`",
	"x = (0, 1, 2)":         "write `x = [0, 1, 2]`",
	"x = .5":                "write `x = 0.5`",
	"x = 5.":                "write `x = 5.0`",
	"x = 007":               "write `x = 7`",
	"x = 45deg":             "write `x = 45`",
	"x = NaN":               "no value NaN",
	"x = 1\nx = 2":          "appears twice",
	"x = 1 y = 2":           "write `x = 1`",
	"x = \"a\\q\"":          "backslashes",
	"x = \"a\\m.toml\"":     "put / between folders, not \\: write `x = \"a/m.toml\"`",
	"x = [\"a\\m.csv\"]":    "write `x = [\"a/m.csv\"]`",
	"x = \"a\\m\\i.toml\"":  "write `x = \"a/m/i.toml\"`",
	"x = \"\"\"a":           "end it with the three quotes",
	"x = 1 2":               "only a comment may follow a value: write `x = 1`",
	"é = 1":                 "needs quotes: write `\"é\" = 1`",
	"\"x = 1":               "a key has two quotes or none",
	"x = ]":                 "unmatched closing bracket",
	"<robot name=\"x\"/>":   "a line must be `key = value`",
	"{":                     "a line must be `key = value`",
	"sphere { <0,0,0>, 1 }": "a line must be `key = value`",
	"x = 2*3":               "no arithmetic", "x = [0, 1/2, 3 ]": "no arithmetic", "x = [4 - 2, 1]": "no arithmetic", "x = 4 - 2": "no arithmetic",
	"x = [\n  1,\n  2\n  3]": "",
	"x = { a = 1":            "unclosed bracket",
	"// x":                   "write `# x`",
	"x = \"\x00\"":           "NUL",
	"x = \"\xff\"":           "UTF-8",
	"x = \"\x07\"":           "control character",
	"look at = 1":            "write `look_at = 1`",
	"= 1":                    "the key before = is missing",
	"}":                      "unmatched",
	"x = 2024-13-01":         "invalid datetime",
	"x = 1_":                 "underscore",
}

// TestDecodeRecovers decodes files with a syntax error in one table and an invalid value in another. Exactly these
// two problems must be reported, at their positions.
func TestDecodeRecovers(t *testing.T) {
	for line, want := range syntaxErrors {
		for seed := range effort.Of[uint64](1, 12, 100) {
			rng := rand.New(rand.NewPCG(seed, 1))
			tables := tablesForSyntax(rng)
			broken, wrong := rng.IntN(len(tables)), rng.IntN(len(tables)-1)
			if wrong >= broken {
				wrong++
			}
			tables[broken] += line + "\n"
			tables[wrong] += "zzz = 1\n"
			checkRecovered(t, "", tables, broken, wrong, want)
			// The same in a file with its keys before the first table, and other ends of lines.
			for i := range tables {
				tables[i] = strings.ReplaceAll(tables[i], "\n", "\r\n")
			}
			checkRecovered(t, "\uFEFFformat = 1\r\n", tables, broken, wrong, want)
		}
	}
}

// checkRecovered decodes a file that consists of the text in before, followed by the given tables. tables[broken]
// has a syntax error, whose message must contain want. tables[wrong] has an unknown key zzz. Exactly these two
// problems must be reported.
func checkRecovered(t *testing.T, before string, tables []string, broken, wrong int, want string) {
	t.Helper()
	text := before + strings.Join(tables, "")
	es, _ := problemsOf([]byte(text))
	if len(es) != 2 {
		t.Errorf("got\n%v\nwant 2 problems in\n%s", es, text)
		return
	}
	syntax, unknown := es[0], es[1]
	if broken > wrong {
		syntax, unknown = unknown, syntax
	}
	from := 1 + strings.Count(before+strings.Join(tables[:broken], ""), "\n")
	to := from + strings.Count(tables[broken], "\n")
	if syntax.Code != problem.CodeSyntax || !strings.Contains(syntax.Message, want) || syntax.Line < from || syntax.Line > to {
		t.Errorf("got %v, want a syntax error %q on lines %d to %d of\n%s", syntax, want, from, to, text)
	}
	index := 0
	header := strings.SplitN(strings.TrimSpace(tables[wrong]), "\n", 2)[0]
	for _, table := range tables[:wrong] {
		if strings.HasPrefix(table, header) {
			index++
		}
	}
	key := strings.Trim(strings.TrimSuffix(header, "\r"), "[]")
	if strings.HasPrefix(header, "[[") {
		key = fmt.Sprintf("%s[%d]", key, index)
	}
	if strings.Contains(tables[wrong], "[place.step]") {
		key += ".step"
	}
	line := strings.Count(before+strings.Join(tables[:wrong+1], ""), "\n")
	if unknown.Key != key+".zzz" || unknown.Line != line || unknown.Code != problem.CodeUnknownKey {
		t.Errorf("got %v, want an unknown key %s.zzz on line %d of\n%s", unknown, key, line, text)
	}
}

// TestDecodeRecoversHeaders decodes files with syntax errors in and beside headers. Some of these errors make the
// names of tables unknown.
func TestDecodeRecoversHeaders(t *testing.T) {
	const sphere = "center = [0, 0, 0]\nradius = 1\n"
	for _, c := range []struct{ text, want string }{
		{"[[sphere]\n" + sphere + "[[sphere]]\ncenter = [0, 0, 0]\nradius = -1\n",
			"x.toml:1:10: unbalanced brackets in the header: write `[[sphere]]`\nx.toml:6:10: sphere[1].radius: must be positive and finite, got -1"},
		{"[sphere]\n" + sphere + "[[sphere]]\ncenter = [0, 0, 0]\nradius = -1\n[sphere]\n" + sphere,
			"x.toml:1:1: sphere is an array of tables: write `[[sphere]]`\nx.toml:6:10: sphere[1].radius: must be positive and finite, got -1\nx.toml:7:1: sphere is an array of tables: write `[[sphere]]`"},
		{"[part.a.sphere]\n" + sphere + "[part.a.sphere]\n" + sphere + "[[place]]\npart = \"b\"\n",
			"x.toml:1:1: part.a.sphere is an array of tables: write `[[part.a.sphere]]`\nx.toml:4:1: part.a.sphere is an array of tables: write `[[part.a.sphere]]`\nx.toml:8:8: place[0].part: must be the name of a [part.NAME], got \"b\""},
		{"[label]\ntext = \"A\"\nat = [0, 0, 0]\n[label]\ntext = \"B\"\nat = [1, 0, 0]\n",
			"x.toml:1:1: label is an array of tables: write `[[label]]`\nx.toml:4:1: label is an array of tables: write `[[label]]`"},
		{"[part.a.light]\nposition = [0, 0, 0]\n[part.a.light]\nposition = [1, 0, 0]\n",
			"x.toml:1:1: part.a.light is an array of tables: write `[[part.a.light]]`\nx.toml:3:1: part.a.light is an array of tables: write `[[part.a.light]]`"},
		{"[material.dark red]\nmirror = 0\n[[sphere]]\nmaterial = \"dark red\"\n" + sphere + "[[sphere]]\nmaterial = \"blue\"\n" + sphere,
			"x.toml:1:11: names with spaces need quotes: write `[material.\"dark red\"]`\nx.toml:8:12: sphere[1].material: must be the name of a [material.NAME], got \"blue\""},
		// Since the name of this material is unknown, references to unknown materials are not reported.
		{"[material.]\ncolor = \"red\"\n[[sphere]]\nmaterial = \"red\"\nradius = -1\ncenter = [0, 0, 0]\n",
			"x.toml:1:11: unexpected end of table name (table names cannot be empty)\nx.toml:5:10: sphere[0].radius: must be positive and finite, got -1"},
		{"[image]\nwidth = 0\n[image]\nwidth = -1\n", "x.toml:2:9: image.width: must lie between 1 and 32768, got 0\nx.toml:3:1: the table [image] appears twice, first on line 1"},
		{"include = [\"a.toml\"\n[[sphere]]\nmaterial = \"red\"\nradius = -1\ncenter = [0, 0, 0]\n",
			"x.toml:1:20: unclosed bracket: write `include = [\"a.toml\"]`\nx.toml:4:10: sphere[0].radius: must be positive and finite, got -1"},
		{"format = 1;\n[[sphere]]\nmaterial = \"red\"\nradius = 1\ncenter = [0, 0, 0]\n",
			"x.toml:1:11: remove the semicolon: write `format = 1`\nx.toml:3:12: sphere[0].material: must be the name of a [material.NAME], got \"red\""},
		{"[material.red]\n[[sphere]]\nmaterial = \"red\"\nradius = 1,\ncenter = [0, 0, 0]\n",
			"x.toml:4:11: remove the comma: write `radius = 1`"},
		{"[[sphere]]\nname = \"a\"\nradius = 1,\n[[animate]]\ntarget = \"a.radius\"\ntimes = [0, 1]\nvalues = [1, 2]\n[[animate]]\ntarget = \"sphere[0].colour\"\ntimes = [1, 0]\nvalues = [1, 2]\n",
			"x.toml:3:11: remove the comma: write `radius = 1`\nx.toml:9:10: animate[1].target: want one of the keys that may change with time, center, color, ghost, material, radius, value, got \"sphere[0].colour\", did you mean `color`?\nx.toml:10:13: animate[1].times[1]: must be later than the one before, got 0"},
	} {
		es, _ := problemsOf([]byte(c.text))
		if es.Error() != c.want {
			t.Errorf("%s: got\n%v\nwant\n%s", c.text, es, c.want)
		}
	}
}

// TestIncludedFileRecovers checks that the tables of an included file can be used although another table of the
// file has a syntax error.
func TestIncludedFileRecovers(t *testing.T) {
	files := fstest.MapFS{"a.toml": {Data: []byte("[material.red]\ncolor = red\n[part.p]\n[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = -1\n")}}
	_, err := Decode("x.toml", []byte("include = [\"a.toml\"]\n[[place]]\npart = \"p\"\nmaterial = \"red\"\n[[place]]\npart = \"q\"\n"), WithFiles(files))
	const want = "x.toml:6:8: place[1].part: must be the name of a [part.NAME], got \"q\"\n" +
		"a.toml:2:9: a string needs quotes: write `color = \"red\"`\n" +
		"a.toml:6:10: part.p.sphere[0].radius: must be positive and finite, got -1"
	var es problem.Errors
	if !errors.As(err, &es) || es.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
