package scene

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/problem"
)

// TestMessagesNameTheRemedy checks messages about mistakes whose remedy is known.
func TestMessagesNameTheRemedy(t *testing.T) {
	const sphere = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	const conflict = "an unresolved merge conflict: keep the lines you want, and remove the lines <<<<<<<, ======= and >>>>>>>"
	bulk := "[[bulk]]\nfile = \"sub/m.csv\"\nshape = \"sphere\"\n"
	for _, c := range []struct{ text, csv, want string }{
		{"background = \"red\"\n" + sphere, "", "x.toml:1:1: background: unknown key: it belongs in the table [image]"},
		{"[panels]\ncolumns = 2\n[[panel]]\nscene = \"a.toml\"\n", "", "x.toml:1:2: panels: a figure with panels is no scene; only render draws it, and check checks it"},
		{"fov = 30\n" + sphere, "", "x.toml:1:1: fov: unknown key: it belongs in the table [camera]"},
		{"[image]\nwidth = 9\ninclude = [\"a.toml\"]\n" + sphere, "", "x.toml:3:1: image.include: unknown key: it belongs before the first [table] of the file"},
		{sphere + "format = 1\n", "", "x.toml:4:1: sphere[0].format: unknown key: it belongs before the first [table] of the file"},
		{"include = ['sub\\m.toml']\n" + sphere, "", "x.toml:1:12: include[0]: there is no such file: put / between folders, not \\, got 'sub\\m.toml', did you mean `sub/m.toml`?"},
		{strings.Replace(bulk, "\"sub/m.csv\"", "'sub\\m.csv'", 1), "x,y,z,radius\n0,0,0,1\n", "x.toml:2:8: bulk[0].file: there is no such file: put / between folders, not \\, got 'sub\\m.csv', did you mean `sub/m.csv`?"},
		{sphere + "color = \"d1495b\"\n", "", "x.toml:4:9: sphere[0].color: unknown color, got \"d1495b\", did you mean `#d1495b`?"},
		{sphere + "color = \"0xD1495B\"\n", "", "x.toml:4:9: sphere[0].color: unknown color, got \"0xD1495B\", did you mean `#D1495B`?"},
		{bulk, "x,y,z,radius,color\n0,0,0,1,d1495b\n", "sub/m.csv:2:9: color: unknown color, got d1495b, did you mean `#d1495b`?"},
		{"[[sphere]]\ncenter = [0, 0, 0]\nradius = 1e-500\n", "", "x.toml:3:10: sphere[0].radius: too small: numbers below 5e-324 in magnitude read as 0, got 1e-500"},
		{"[[sphere]]\ncenter = [0, 0, 0]\nradius = 0." + strings.Repeat("0", 400) + "1\n", "", "x.toml:3:10: sphere[0].radius: too small: numbers below 5e-324 in magnitude read as 0, got 0." + strings.Repeat("0", 54) + " ..."},
		{"[[sphere]]\ncenter = [0, 0, -1e500]\nradius = 1\n", "", "x.toml:2:17: sphere[0].center[2]: too large: numbers above 1.798e+308 in magnitude read as infinite, got -1e500"},
		{"[[sphere]]\ncenter = [0, 0, 0]\nradius = 1_0e4_99\n", "", "x.toml:3:10: sphere[0].radius: too large: numbers above 1.798e+308 in magnitude read as infinite, got 1_0e4_99"},
		{"[[sphere]]\ncenter = [0, 0, 0]\nradius = inf\n", "", "x.toml:3:10: sphere[0].radius: must be positive and finite, got inf"},
		{bulk, "x,y,z,radius\n0,0,0,1e500\n", "sub/m.csv:2:7: radius: too large: numbers above 1.798e+308 in magnitude read as infinite, got 1e500"},
		{"[[sphere]]\ncenter = [0, 0, 0]\nradius = 0.0e5\n", "", "x.toml:3:10: sphere[0].radius: must be positive and finite, got 0.0e5"},
		{bulk, "x,y,z,radius\n0,0,0,1e-500\n", "sub/m.csv:2:7: radius: too small: numbers below 5e-324 in magnitude read as 0, got 1e-500"},
		{bulk, "x,y,z,radius\r0,0,0,1\r", "sub/m.csv:1:13: a carriage return without a line feed: end lines with LF or CR LF"},
		{bulk, "x,y,z,radius\r\n0,0,0,1\r\n1,0,0,1\r", "sub/m.csv:3:8: a carriage return without a line feed: end lines with LF or CR LF"},
		{bulk, "x,y,z,radius\n<<<<<<< HEAD\n0,0,0,1\n=======\n0,0,0,2\n>>>>>>> b\n", "sub/m.csv:2:1: " + conflict},
		{bulk, "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "sub/m.csv:1:1: a Git LFS pointer is in place of this file: get the file with `git lfs pull`"},
		{bulk, "PK\x03\x04\xff", "sub/m.csv:1:1: this is a ZIP archive, not CSV"},
		{sphere + "<<<<<<< HEAD\nname = \"a\"\n=======\nname = \"b\"\n>>>>>>> b\n", "", "x.toml:4:1: " + conflict},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "", "x.toml:1:1: a Git LFS pointer is in place of this file: get the file with `git lfs pull`"},
		{"image:\n  width: 640\nsphere:\n  - center: [0, 0, 0]\n", "", "x.toml:1:1: this is YAML, not TOML: write `[image]` and `width = 640`, not `image:` and `width: 640`"},
		{"- sphere:\n    radius: 1\n", "", "x.toml:1:1: this is YAML, not TOML: write `[image]` and `width = 640`, not `image:` and `width: 640`"},
		{"[{\"image\": {\"width\": 1}}]", "", "x.toml:1:1: this is JSON, not TOML"},
		{"\x89PNG\r\n\x1a\n\x00", "", "x.toml:1:1: this is a PNG picture, not TOML"},
		{"{\"image\": {\"width\": 1}}", "", "x.toml:1:1: this is JSON, not TOML"},
		{"[[sphere]]\ncenter = [0, 0, 0]\ncenter = [1, 0, 0]\nradius = 1\n", "", "x.toml:3:1: the key center appears twice in this table, first on line 2"},
	} {
		files := fstest.MapFS{"sub/m.csv": {Data: []byte(c.csv)}, "sub/m.toml": {}}
		_, err := Decode("x.toml", []byte(c.text), WithFiles(files))
		var es problem.Errors
		if !errors.As(err, &es) {
			t.Errorf("%q, %q: %v, want %s", c.text, c.csv, err, c.want)
			continue
		}
		var severe []string
		for _, e := range es {
			if e.Severity == problem.SeverityError {
				severe = append(severe, e.Error())
			}
		}
		if len(severe) != 1 || severe[0] != c.want {
			t.Errorf("%q, %q: got\n%s\nwant\n%s", c.text, c.csv, strings.Join(severe, "\n"), c.want)
		}
	}
}

// TestBulkEqualWithAnyLineEndings checks that a table has the same solids with LF and with CR LF.
func TestBulkEqualWithAnyLineEndings(t *testing.T) {
	const text = "x,y,z,radius,name\n0,0,0,1,\"a\nb\"\n\n1,0,0,2,c\n"
	var names []string
	for _, csv := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
		files := fstest.MapFS{"m.csv": {Data: []byte(csv)}}
		s, err := Decode("x.toml", []byte("[[bulk]]\nfile = \"m.csv\"\nshape = \"sphere\"\n"), WithFiles(files))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, s.Name, s.Objects.Name(0), s.Objects.Name(1))
	}
	if strings.Join(names[:3], "|") != strings.Join(names[3:], "|") {
		t.Errorf("names %q", names)
	}
}
