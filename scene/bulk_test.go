package scene

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/problem"
	"pillbox/shade"
	"pillbox/shapes"
)

// TestBulkProblems loads the scenes of testdata/bulk, which read bulk files. The problems must be the lines at the
// end of each scene, as in [TestProblems] but with file names.
func TestBulkProblems(t *testing.T) {
	t.Chdir("testdata/bulk")
	paths, err := filepath.Glob("*.toml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(path, ".toml"), func(t *testing.T) {
			s, err := Load(path)
			var es problem.Errors
			if err == nil {
				es = s.Warnings
			} else if !errors.As(err, &es) {
				t.Fatal(err)
			}
			var got []string
			failed := false
			for _, e := range es {
				got = append(got, fmt.Sprintf("%s [%s]", e, e.Code))
				failed = failed || e.Severity == problem.SeverityError
				data, err := os.ReadFile(e.File)
				if err != nil {
					t.Fatal(err)
				}
				if e.File == path {
					checkPlace(t, data, e)
				} else {
					checkField(t, data, e)
				}
			}
			if failed != (err != nil) {
				t.Errorf("failed = %v", err != nil)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if want := wantedLines(data); !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// checkField fails the test unless the position of the problem e in a bulk file lies inside the file data. If e
// quotes a value, the position must be that of the value.
func checkField(t *testing.T, data []byte, e *problem.Error) {
	t.Helper()
	lines := strings.Split(strings.TrimPrefix(string(data), "\uFEFF"), "\n")
	if e.Line < 1 || e.Line > len(lines) {
		t.Errorf("%v: the file has %d lines", e, len(lines))
		return
	}
	line := []rune(strings.TrimSuffix(lines[e.Line-1], "\r"))
	if e.Column < 1 || e.Column > len(line)+1 || e.EndColumn < e.Column || e.EndColumn > len(line)+1 {
		t.Errorf("%v: columns %d to %d, but the line has %d", e, e.Column, e.EndColumn, len(line))
		return
	}
	there := squeeze(string(line[e.Column-1 : e.EndColumn-1]))
	got := squeeze(strings.TrimSuffix(e.Value, " ..."))
	if e.Code != problem.CodeWrongLength && !strings.HasPrefix(got, there) && !strings.HasPrefix(there, got) {
		t.Errorf("%v: there stands %s", e, there)
	}
}

func TestDecodeBulk(t *testing.T) {
	files := fstest.MapFS{
		"atoms.csv": {Data: []byte("name,y,x,radius,z,color\n" +
			"one,2,1,4,3,red\n" +
			`"two, ""2""",6,5,,7,` + "\n")},
		"sub/pills.csv": {Data: []byte("ax,ay,az,bx,by,bz,radius,r,g,b\n1,2,3,4,5,6,7,0.25,0.5,1\n")},
		"more.csv":      {Data: []byte("x,y,z,material\n1,2,3,steel\n4,5,6,\n")},
		"boxes.csv":     {Data: []byte("x,y,z,hx,hy,hz,rx,ry,rz\n1,2,3,4,5,6,10,20,30\n")},
		"turned.csv":    {Data: []byte("x,y,z,hx,qw,qx,qy,qz\n1,2,3,,2,0,-3,1\n")},
		"none.csv":      {Data: []byte("x,y,z,hx,hy,hz\n")},
	}
	got, err := Decode("dir/test.toml", []byte(`
[material.steel]
mirror = 0.5

[[bulk]]
file = "turned.csv"
shape = "box"
half_extents = [1, 2, 3]

[[bulk]]
file = "atoms.csv"
shape = "sphere"
radius = 8
color = "blue"

[[bulk]]
file = "none.csv"
shape = "box"

[[bulk]]
file = "sub/pills.csv"
shape = "capsule"

[[bulk]]
file = "./more.csv"
shape = "sphere"
radius = 9

[[bulk]]
file = "boxes.csv"
shape = "box"
material = "steel"

[[sphere]]
center = [0, 0, 0]
radius = 1
`), WithFiles(files))
	if err != nil {
		t.Fatal(err)
	}
	gray := shade.Material{Albedo: shade.FromSRGB8(0xcc, 0xcc, 0xcc)}
	steel := shade.Material{Albedo: gray.Albedo, Mirror: 0.5}
	turned, _ := geom.RotationQuaternion(2, 0, -3, 1)
	vec := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	file := func(path string) File { return File{path, filepath.Join("dir", filepath.FromSlash(path))} }
	want := &Scene{
		Name:      "dir/test.toml",
		Image:     got.Image,
		Shading:   got.Shading,
		Materials: []Material{{"steel", steel}},
		Spheres: []shapes.Sphere{
			{Radius: 1},
			{Center: vec(1, 2, 3), Radius: 4},
			{Center: vec(5, 6, 7), Radius: 8},
			{Center: vec(1, 2, 3), Radius: 9},
			{Center: vec(4, 5, 6), Radius: 9},
		},
		Capsules: []shapes.Capsule{{A: vec(1, 2, 3), B: vec(4, 5, 6), Radius: 7}},
		Boxes: []shapes.Box{
			{Center: vec(1, 2, 3), HalfExtents: vec(1, 2, 3), Rotation: turned},
			{Center: vec(1, 2, 3), HalfExtents: vec(4, 5, 6), Rotation: geom.RotationXYZ(10, 20, 30)},
		},
		Cylinders: []shapes.Cylinder{},
		Objects: NewObjects([]Object{
			{Material: gray},
			{Name: "one", Material: shade.Material{Albedo: shade.Color{R: 1}}},
			{Name: `two, "2"`, Material: shade.Material{Albedo: shade.Color{B: 1}}},
			{Material: steel},
			{Material: gray},
			{Material: shade.Material{Albedo: shade.FromSRGB(0.25, 0.5, 1)}},
			{Material: gray},
			{Material: steel},
		}...),
		Files: []File{
			file("turned.csv"), file("atoms.csv"), file("none.csv"), file("sub/pills.csv"), file("more.csv"), file("boxes.csv"),
		},
		root: got.root,
	}
	got.Objects = NewObjects(got.Objects.List()...)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for number, want := range []string{"", "atoms.csv:2", "atoms.csv:3", "more.csv:2", "more.csv:3", "sub/pills.csv:2", "turned.csv:2", "boxes.csv:2"} {
		file, line, ok := got.BulkLine(number)
		if ok != (want != "") || ok && fmt.Sprintf("%s:%d", filepath.ToSlash(file), line) != "dir/"+want {
			t.Errorf("BulkLine(%d) = %s, %d, %v, want %q", number, file, line, ok, want)
		}
	}
}

// TestDecodeRefusesBulk checks that Decode refuses bulk tables without the option WithFiles.
func TestDecodeRefusesBulk(t *testing.T) {
	_, err := Decode("x.toml", []byte("[material.m]\n[[bulk]]\nfile = \"atoms.csv\"\nshape = \"sphere\"\n"))
	const want = `x.toml:3:8: bulk[0].file: cannot be read: Decode reads files only with the option WithFiles, got "atoms.csv"`
	if err == nil || err.Error() != want {
		t.Errorf("Decode = %v, want %s", err, want)
	}
}

// TestBulkEqualsTables writes random solids as tables and, in many ways, as rows of bulk files. Both scenes must
// have the same solids.
func TestBulkEqualsTables(t *testing.T) {
	for seed := range effort.Of[uint64](25, 300, 3000) {
		w := &bulkWriter{rng: rand.New(rand.NewPCG(seed, 7)), files: fstest.MapFS{}}
		n := 20
		if seed == 0 {
			n = 12000 // several chunks of a file
		}
		for range 1 + w.rng.IntN(4) {
			w.bulk(w.rng.IntN(n))
		}
		materials := "[material.chalk]\n[material.\"a, b\"]\nmirror = 0.25\n\n"
		tables, err := Decode("x.toml", []byte(materials+w.tables[0].String()+w.tables[1].String()+w.tables[2].String()+w.tables[3].String()))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		bulk, err := Decode("x.toml", []byte(materials+w.bulks.String()), WithFiles(w.files))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, w.bulks.String())
		}
		if !reflect.DeepEqual(bulk.Spheres, tables.Spheres) || !reflect.DeepEqual(bulk.Capsules, tables.Capsules) ||
			!reflect.DeepEqual(bulk.Boxes, tables.Boxes) || !reflect.DeepEqual(bulk.Cylinders, tables.Cylinders) || !reflect.DeepEqual(bulk.Objects.List(), tables.Objects.List()) {
			t.Fatalf("seed %d: got %+v, want %+v", seed, bulk, tables)
		}
		for number, want := range slices.Concat(w.places[:]...) {
			if file, line, ok := bulk.BulkLine(number); !ok || fmt.Sprintf("%s:%d", file, line) != want {
				t.Fatalf("seed %d: solid %d is at %s:%d, want %s", seed, number, file, line, want)
			}
		}
	}
}

// bulkWriter writes the same solids as tables and as rows of bulk files.
type bulkWriter struct {
	rng    *rand.Rand
	names  int
	tables [kindCount]strings.Builder
	places [kindCount][]string // file:line of each solid
	bulks  strings.Builder
	files  fstest.MapFS
}

func (w *bulkWriter) oneOf(s ...string) string { return s[w.rng.IntN(len(s))] }

// number returns a random number that is valid as a size and as a coordinate.
func (w *bulkWriter) number() string {
	x := w.rng.ExpFloat64() + 1e-9
	return w.oneOf(strconv.FormatFloat(x, 'g', -1, 64), strconv.FormatFloat(x, 'e', 25, 64), strconv.Itoa(1+w.rng.IntN(9)))
}

// field returns text as a CSV field.
func (w *bulkWriter) field(text string) string {
	if strings.ContainsAny(text, "\",\n") || text != "" && w.rng.IntN(8) == 0 {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		return w.oneOf("", " ") + text
	}
	return w.oneOf("", "", " ", "\t") + text + w.oneOf("", "", " ")
}

// bulk adds a bulk table with n solids, and the same solids as tables.
func (w *bulkWriter) bulk(n int) {
	k := Kind(w.rng.IntN(int(kindCount)))
	file := fmt.Sprintf("f%d.csv", len(w.files))
	fmt.Fprintf(&w.bulks, "[[bulk]]\nfile = %q\nshape = %q\n", file, k.String())

	// field returns a column's text for the next row of the bulk file. It also stores the same value in table, under
	// the key that a table of a solid has for it.
	type written map[string]string
	type column struct {
		name  string
		field func(table written) string
	}
	var columns []column
	vector := func(key string, names ...string) {
		isOptional := key == "rotate" || key == "quaternion" || key == "color"
		leftOut := false // in this row
		for i, name := range names {
			columns = append(columns, column{name, func(table written) string {
				if i == 0 {
					other := key == "color" && table["surface"] != "" || key == "quaternion" && table["rotate"] != ""
					leftOut = isOptional && (other || w.rng.IntN(4) == 0)
				}
				if leftOut {
					return ""
				}
				x := w.number()
				if name[0] == 'q' || name[0] == 'r' || name == "x" {
					x = w.oneOf("", "-") + x
				}
				if key == "color" {
					x = strconv.FormatFloat(w.rng.Float64(), 'g', -1, 64)
				}
				if i > 0 {
					table[key] += ", "
				}
				table[key] += x
				return x
			}})
		}
	}
	optional := func(key, value, name string) {
		fmt.Fprintf(&w.bulks, "%s = %s\n", key, value)
		if w.rng.IntN(2) == 0 {
			columns = append(columns, column{name, func(table written) string {
				if table[key] = w.number(); w.rng.IntN(2) == 0 {
					table[key] = value
					return ""
				}
				return table[key]
			}})
			return
		}
		columns = append(columns, column{"", func(table written) string { table[key] = value; return "" }})
	}
	switch k {
	case KindSphere:
		vector("center", "x", "y", "z")
	case KindCapsule, KindCylinder:
		vector("a", "ax", "ay", "az")
		vector("b", "bx", "by", "bz")
	case KindBox:
		vector("center", "x", "y", "z")
		vector("half_extents", "hx", "hy", "hz")
		forms := w.rng.IntN(4)
		if forms&1 != 0 {
			vector("rotate", "rx", "ry", "rz")
		}
		if forms&2 != 0 {
			vector("quaternion", "qw", "qx", "qy", "qz")
		}
	}
	if k != KindBox {
		if w.rng.IntN(2) == 0 {
			optional("radius", w.number(), "radius")
		} else {
			columns = append(columns, column{"radius", func(table written) string { table["radius"] = w.number(); return table["radius"] }})
		}
	}
	fallback := ""
	switch w.rng.IntN(3) {
	case 0:
		fallback = "color = " + strconv.Quote(w.oneOf("red", "#1af"))
	case 1:
		fallback = "material = " + strconv.Quote(w.oneOf("chalk", "a, b"))
	}
	w.bulks.WriteString(fallback + "\n\n")
	text := func(key string, values ...string) {
		columns = append(columns, column{key, func(table written) string {
			value := w.oneOf(append(values, "")...)
			if value != "" && table["surface"] == "" {
				table["surface"] = key + " = " + strconv.Quote(value)
				return w.field(value)
			}
			return ""
		}})
	}
	// Any combination of columns for the surface; a row has at most one.
	forms := w.rng.IntN(8)
	if forms&1 != 0 {
		text("color", "teal", "#aBc", "#123456")
	}
	if forms&2 != 0 {
		text("material", "chalk", "a, b")
	}
	if forms&4 != 0 {
		vector("color", "r", "g", "b")
	}
	if w.rng.IntN(2) == 0 {
		columns = append(columns, column{"name", func(table written) string {
			if w.rng.IntN(3) == 0 {
				return ""
			}
			w.names++
			name := fmt.Sprintf("%s %d", w.oneOf("n", "ö, ", `"`, "two\nlines"), w.names)
			table["name"] = strconv.Quote(name)
			return w.field(name)
		}})
	}

	// The file has the columns in random order. The fields of a row are still computed in the original order, because
	// the numbers of a vector are appended to one key.
	order := w.rng.Perm(len(columns))
	eol := w.oneOf("\n", "\r\n")
	line := 1
	var b strings.Builder
	write := func(fields []string) int {
		for w.rng.IntN(6) == 0 {
			b.WriteString(w.oneOf("", " ", "\t ") + eol)
			line++
		}
		at := line
		row := strings.Join(fields, ",") + eol
		b.WriteString(row)
		line += strings.Count(row, "\n")
		return at
	}
	b.WriteString(w.oneOf("", "\uFEFF"))
	fields := func(of func(int) string) []string {
		var list []string
		for _, i := range order {
			if columns[i].name != "" {
				list = append(list, of(i))
			}
		}
		return list
	}
	write(fields(func(i int) string { return w.field(columns[i].name) }))
	for range n {
		table := written{}
		values := make([]string, len(columns))
		for i, c := range columns {
			if values[i] = c.field(table); strings.Trim(values[i], "0123456789.-+e") == "" {
				values[i] = w.field(values[i])
			}
		}
		at := write(fields(func(i int) string { return values[i] }))
		w.places[k] = append(w.places[k], fmt.Sprintf("%s:%d", file, at))
		fmt.Fprintf(&w.tables[k], "[[%s]]\n", k.String())
		if table["surface"] == "" && table["color"] == "" {
			table["surface"] = fallback
		}
		for key, value := range table {
			switch key {
			case "surface":
				fmt.Fprintf(&w.tables[k], "%s\n", value)
			case "radius", "name":
				fmt.Fprintf(&w.tables[k], "%s = %s\n", key, value)
			default:
				fmt.Fprintf(&w.tables[k], "%s = [%s]\n", key, value)
			}
		}
	}
	data := b.String()
	if w.rng.IntN(2) == 0 {
		data = strings.TrimSuffix(data, eol)
	}
	w.files[file] = &fstest.MapFile{Data: []byte(data)}
}

// manyRows returns a bulk file that is read in several chunks. It has solids with names, outside the view and
// around the eye. If errors is not 0, every errors-th row is invalid.
func manyRows(errors int) fstest.MapFS {
	var b strings.Builder
	b.WriteString("name,x,y,z,radius,material\n")
	for i := range 40000 {
		switch {
		case errors > 0 && i%errors == 3:
			fmt.Fprintf(&b, "\"a\nb %d\",%d,0,0,%d,stel\n", i%1000, i, i%7-3)
		case i%500 == 1:
			fmt.Fprintf(&b, "\n\"a\nb %d\",0,0,0,1,steel\n", i)
		default:
			fmt.Fprintf(&b, "n %d,%d,0,0,0.5,\n", i, i)
		}
	}
	return fstest.MapFS{"atoms.csv": {Data: []byte(b.String())}}
}

const manyRowsScene = `
[camera]
position = [0, 0, 0.5]
look_at = [0, 0, 0]
[material.steel]
[[bulk]]
file = "atoms.csv"
shape = "sphere"
`

func TestBulkIsIndependentOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, errors := range effort.Some(t, 2, []int{0, 4, 9, 5000}) {
		files := manyRows(errors)
		if size := len(files["atoms.csv"].Data); size < 3*chunkSize {
			t.Fatalf("only %d bytes", size)
		}
		runtime.GOMAXPROCS(1)
		s, err := Decode("x.toml", []byte(manyRowsScene), WithFiles(files))
		if s == nil == (errors == 0) || s != nil && len(s.Warnings) != 12 {
			t.Fatalf("every %d rows wrong: valid = %v, %.1000v", errors, s != nil, err)
		}
		for _, n := range []int{2, 7} {
			runtime.GOMAXPROCS(n)
			if again, errAgain := Decode("x.toml", []byte(manyRowsScene), WithFiles(files)); !reflect.DeepEqual(again, s) || !reflect.DeepEqual(errAgain, err) {
				t.Errorf("every %d rows wrong: %d processors give another result than one:\n%.1000v\nand\n%.1000v", errors, n, errAgain, err)
			}
		}
	}
}

// TestBulkChunksEndBetweenRows checks that no chunk ends inside a quoted field, although most line ends of the file
// are inside such fields.
func TestBulkChunksEndBetweenRows(t *testing.T) {
	const row = "1,2,3,4,\"\n, \"\"\n%d\n\"\n"
	var b strings.Builder
	b.WriteString("x,y,z,radius,name\n")
	n := 0
	for b.Len() < 5*chunkSize {
		fmt.Fprintf(&b, row, n)
		n++
	}
	files := fstest.MapFS{"atoms.csv": {Data: []byte(b.String())}}
	s, err := Decode("x.toml", []byte("[[bulk]]\nfile = \"atoms.csv\"\nshape = \"sphere\"\n"), WithFiles(files))
	if err != nil {
		t.Fatalf("%.1000v", err)
	}
	for i := range n {
		_, line, _ := s.BulkLine(i)
		// The space at the ends of a field does not count.
		if want := fmt.Sprintf(", \"\n%d", i); s.Objects.Name(i) != want || line != 2+4*i {
			t.Fatalf("solid %d is %q at line %d, want %q at line %d", i, s.Objects.Name(i), line, want, 2+4*i)
		}
	}
}

// TestBulkErrorsAreBounded checks that the first hundred errors of a bulk file are listed and that the others are
// counted.
func TestBulkErrorsAreBounded(t *testing.T) {
	for _, n := range []int{1, maxBulkErrors, maxBulkErrors + 1, maxBulkErrors + 2, 30000} {
		var b strings.Builder
		b.WriteString("x,y,z,radius,name\n0,0,0,1,twin\n")
		for i := range n {
			if i%2 == 0 {
				b.WriteString("0,0,0,1,twin\n")
			} else {
				b.WriteString("0,0,0,-1,\n")
			}
		}
		files := fstest.MapFS{"atoms.csv": {Data: []byte(b.String())}}
		_, err := Decode("x.toml", []byte("[[bulk]]\nfile = \"atoms.csv\"\nshape = \"sphere\"\n"), WithFiles(files))
		var es problem.Errors
		if !errors.As(err, &es) {
			t.Fatal(err)
		}
		listed := min(n, maxBulkErrors)
		if n == maxBulkErrors+1 {
			listed = n // "and 1 errors more" would be as long as the error itself
		}
		for i, e := range es[:listed] {
			want := fmt.Sprintf("atoms.csv:%d:7: radius: must be positive and finite, got -1", i+3)
			if i%2 == 0 {
				want = fmt.Sprintf("atoms.csv:%d:9: name: must be unique, but sphere[0] at atoms.csv:2 has it too, got twin", i+3)
			}
			if e.Error() != want {
				t.Errorf("%d errors: got %v, want %s", n, e, want)
			}
		}
		if n == listed {
			if len(es) != n {
				t.Errorf("%d errors: got %d", n, len(es))
			}
			continue
		}
		want := fmt.Sprintf("atoms.csv:%d:9: and %d errors more in this file", maxBulkErrors+3, n-maxBulkErrors)
		if len(es) != maxBulkErrors+1 || es[maxBulkErrors].Error() != want || es[maxBulkErrors].Code != problem.CodeMoreErrors {
			t.Errorf("%d errors: got %d, the last %v, want %s", n, len(es), es[len(es)-1], want)
		}
	}
}

// TestFolderIsClosed checks that no name or link leads out of a folder.
func TestFolderIsClosed(t *testing.T) {
	dir := t.TempDir()
	const rows = "x,y,z,radius\n1,2,3,4\n"
	for _, name := range []string{"secret.csv", "in/here.csv", "in/sub/there.csv"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(rows), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	in := filepath.Join(dir, "in")
	for link, to := range map[string]string{"out.csv": "../secret.csv", "abs.csv": filepath.Join(dir, "secret.csv"), "abs-in.csv": filepath.Join(in, "here.csv"), "up": "..", "ok.csv": "sub/there.csv"} {
		if err := os.Symlink(to, filepath.Join(in, link)); err != nil {
			t.Skip(err)
		}
	}
	for file, ok := range map[string]bool{
		"here.csv": true, "sub/there.csv": true, "./sub//there.csv": true, "ok.csv": true,
		"../secret.csv": false, "sub/../../secret.csv": false, "sub/../here.csv": false, "out.csv": false, "abs.csv": false, "abs-in.csv": false,
		"up/secret.csv": false, "up/in/here.csv": false, filepath.Join(dir, "secret.csv"): false, filepath.Join(in, "here.csv"): false,
		"sub": false, ".": false, "": false, "none.csv": false, `sub\there.csv`: false, "/here.csv": false,
	} {
		path := filepath.Join(in, "scene.toml")
		text := fmt.Sprintf("[[bulk]]\nfile = %q\nshape = \"sphere\"\n", file)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Load(path)
		if ok != (err == nil) || ok && len(s.Spheres) != 1 {
			t.Errorf("file = %q: %v", file, err)
		}
		var e *problem.Error
		if err != nil && (!errors.As(err, &e) || e.Code != problem.CodeUnreadableFile || e.Line != 2 || e.Key != "bulk[0].file") {
			t.Errorf("file = %q: %v, want an error of the key file", file, err)
		}
	}
}

// giant is a file system whose files report a size above the limit.
type giant struct{ fstest.MapFS }

type giantInfo struct{ os.FileInfo }

func (giantInfo) Size() int64 { return MaxBulkBytes + 1 }

func (g giant) Stat(name string) (os.FileInfo, error) {
	info, err := g.MapFS.Stat(name)
	return giantInfo{info}, err
}

func TestBulkFileTooLarge(t *testing.T) {
	files := giant{fstest.MapFS{"atoms.csv": {Data: []byte("x,y,z,radius\n")}}}
	_, err := Decode("x.toml", []byte("[[bulk]]\nfile = \"atoms.csv\"\nshape = \"sphere\"\n"), WithFiles(files))
	const want = `x.toml:2:8: bulk[0].file: cannot be read: larger than 1024 MiB, got "atoms.csv"`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// FuzzDecodeBulk checks that nothing panics, that problems have a position inside their file, and that other
// packages accept every valid scene. Decoding the same files again must give the same scene.
func FuzzDecodeBulk(f *testing.F) {
	paths, err := filepath.Glob("testdata/bulk/*.csv")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no files: %v", err)
	}
	for i, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), data)
		f.Add(uint8(i+1), data)
		f.Add(uint8(i+2), data)
	}
	f.Fuzz(func(t *testing.T, k uint8, data []byte) {
		text := fmt.Appendf(nil, "material.steel.mirror = 0.5\nsphere = [{ name = \"n\", center = [0, 0, 0], radius = 1 }]\n"+
			"[[bulk]]\nfile = \"b.csv\"\nshape = %q\n", KindNames()[k%uint8(kindCount)])
		if k >= 128 {
			text = append(text, "radius = 1\nhalf_extents = [1, 2, 3]\nmaterial = \"steel\"\n"...)
		}
		files := fstest.MapFS{"b.csv": {Data: data}}
		s, err := Decode("a.toml", text, WithFiles(files))
		again, errAgain := Decode("a.toml", text, WithFiles(files))
		if !reflect.DeepEqual(s, again) || !reflect.DeepEqual(err, errAgain) {
			t.Errorf("got %+v, %v once and %+v, %v now", s, err, again, errAgain)
		}
		var es problem.Errors
		if err != nil && !errors.As(err, &es) {
			t.Fatalf("Decode returned %T, want Errors", err)
		}
		if s != nil {
			es = s.Warnings
		}
		for i, e := range es {
			if e.File == "b.csv" {
				checkField(t, data, e)
			} else {
				checkPlace(t, text, e)
			}
			if i > 0 && comparePlaces(es[i-1], e) > 0 {
				t.Errorf("%v comes behind %v", e, es[i-1])
			}
			if strings.Contains(e.Error(), "\n") {
				t.Errorf("%v has several lines", e)
			}
		}
		if s == nil {
			return
		}
		checkValid(t, s)
		last := 1
		for number := range s.Objects.Len() {
			file, line, ok := s.BulkLine(number)
			if _, index := s.Of(number); index == 0 && number == 0 {
				continue // the solid with a table of its own
			}
			if !ok || file != "b.csv" || line <= last || line > 1+strings.Count(string(data), "\n") {
				t.Errorf("solid %d is at %s:%d, the one before at line %d", number, file, line, last)
			}
			last = line
		}
	})
}

// BenchmarkDecodeBulk decodes rows with a color, on all processors or, with -cpu 1, on one.
func BenchmarkDecodeBulk(b *testing.B) {
	for _, k := range Kinds() {
		for _, n := range []int{1000, 100_000} {
			rng := rand.New(rand.NewPCG(1, 2))
			var rows strings.Builder
			columns := map[Kind]string{
				KindSphere: "x,y,z,radius", KindCapsule: "ax,ay,az,bx,by,bz,radius", KindCylinder: "ax,ay,az,bx,by,bz,radius",
				KindBox: "x,y,z,hx,hy,hz,qw,qx,qy,qz",
			}[k]
			rows.WriteString(columns + ",color\n")
			for range n {
				for range strings.Split(columns, ",") {
					fmt.Fprintf(&rows, "%v,", rng.Float64())
				}
				fmt.Fprintf(&rows, "#%06x\n", rng.IntN(1<<24))
			}
			files := fstest.MapFS{"atoms.csv": {Data: []byte(rows.String())}}
			text := fmt.Appendf(nil, "[[bulk]]\nfile = \"atoms.csv\"\nshape = %q\n", k.String())
			b.Run(fmt.Sprintf("shape=%s/solids=%d", k, n), func(b *testing.B) {
				b.SetBytes(int64(rows.Len()))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Decode("", text, WithFiles(files)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
