package scene

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/internal/archive"
	"pillbox/internal/fixture/effort"
)

// tableColumns lists the columns of tables for each kind of solid, with their NumPy types.
var tableColumns = map[string][]string{
	"sphere":   {"x <f8", "y <f8", "z >f8", "radius <f4"},
	"capsule":  {"ax <f8", "ay <f4", "az |i1", "bx <f8", "by <f8", "bz >i2", "radius <f8"},
	"cylinder": {"ax <f8", "ay <f8", "az <f8", "bx <f8", "by <f8", "bz <f8", "radius <f8"},
	"box":      {"x <f8", "y <f8", "z <f8", "hx <f8", "hy <f8", "hz <f8"},
}

// randomTable returns a NumPy file with random solids of the given kind. If flaws is set, some values are invalid.
func randomTable(rng *rand.Rand, kind string, rows int, flaws bool) []byte {
	columns := tableColumns[kind]
	if kind == "box" {
		columns = append(columns[:6:6], [][]string{nil, {"rx <f8", "ry <f8", "rz <f8"}, {"qw <f8", "qx <f8", "qy <f8", "qz <f8"}}[rng.IntN(3)]...)
	}
	switch rng.IntN(4) {
	case 0:
		columns = append(columns[:len(columns):len(columns)], "r <f8", "g <f8", "b <f8")
	case 1:
		columns = append(columns[:len(columns):len(columns)], "color |S7")
	case 2:
		columns = append(columns[:len(columns):len(columns)], "material <U9")
	}
	if rng.IntN(8) == 0 {
		columns = append(columns[:len(columns):len(columns)], "name |S4")
	}
	var types []string
	var data []byte
	for _, c := range columns {
		name, typ, _ := strings.Cut(c, " ")
		types = append(types, fmt.Sprintf("('%s', '%s')", name, typ))
	}
	for range rows {
		for _, c := range columns {
			name, typ, _ := strings.Cut(c, " ")
			x := 0.001 + rng.Float64()*0.9
			switch {
			case flaws && rng.IntN(3*rows) == 0:
				x = []float64{math.NaN(), math.Inf(1), -1, 0, 1e300}[rng.IntN(5)]
			case rng.IntN(5) == 0:
				x = 1
			}
			data = appendValue(data, rng, name, typ, x, flaws)
		}
	}
	header := fmt.Sprintf("{'descr': [%s], 'fortran_order': False, 'shape': (%d,), }\n", strings.Join(types, ", "), rows)
	file := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	return append(append(file, header...), data...)
}

func appendValue(data []byte, rng *rand.Rand, name, typ string, x float64, flaws bool) []byte {
	words := []string{"", "red", "#0f0", "#123456", " tan"}
	switch name {
	case "material":
		words = []string{"", "chalk", "é, \"b\""}
	case "name":
		words = []string{""}
	}
	if flaws {
		words = append(words, "no", "a\nb")
	}
	word := words[rng.IntN(len(words))]
	switch typ {
	case "<f8":
		return binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	case ">f8":
		return binary.BigEndian.AppendUint64(data, math.Float64bits(x))
	case "<f4":
		return binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
	case "|i1":
		return append(data, byte(rng.IntN(256)))
	case ">i2":
		return binary.BigEndian.AppendUint16(data, uint16(rng.IntN(1<<16)))
	case "|S4", "|S7":
		return append(data, append([]byte(word), make([]byte, 8)...)[:int(typ[2]-'0')]...)
	}
	for _, r := range append([]rune(word), make([]rune, 9)...)[:9] {
		data = binary.LittleEndian.AppendUint32(data, uint32(r))
	}
	return data
}

// TestTableEqualsItsText checks that a binary table gives the same solids, lines, warnings and problems as its
// text.
func TestTableEqualsItsText(t *testing.T) {
	asNumbers, valid := 0, 0
	seeds := effort.Of(50, 400, 4000)
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 1))
		kind := KindNames()[rng.IntN(4)]
		rows := rng.IntN(40)
		if seed%100 == 0 {
			rows = 2*tableRows + rng.IntN(tableRows)
		}
		text := fmt.Sprintf("[material.chalk]\n[material.'é, \"b\"']\nmirror = 0.25\n[[bulk]]\nshape = '%s'\nfile = 't.csv'\n%s", kind, []string{"", "color = 'teal'\n"}[rng.IntN(2)])
		files := archived(t, randomTable(rng, kind, rows, seed%2 == 1))
		csv, err := fs.ReadFile(files, "t.csv")
		if err != nil {
			t.Fatal(err)
		}
		var steps int64
		got, gotErr := Decode("x.toml", []byte(text), WithFiles(files), WithProgress(func(_, all int64) { steps = all }))
		want, wantErr := Decode("x.toml", []byte(text), WithFiles(fstest.MapFS{"t.csv": {Data: csv}}))
		if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
			t.Fatalf("seed %d: %v, want %v", seed, gotErr, wantErr)
		}
		if wantErr != nil {
			continue
		}
		valid++
		if steps == int64(len(text)+rows) { // one for each record
			asNumbers++
		}
		if !reflect.DeepEqual(got.Spheres, want.Spheres) || !reflect.DeepEqual(got.Capsules, want.Capsules) ||
			!reflect.DeepEqual(got.Boxes, want.Boxes) || !reflect.DeepEqual(got.Cylinders, want.Cylinders) ||
			!reflect.DeepEqual(got.Objects.List(), want.Objects.List()) || !reflect.DeepEqual(got.Warnings, want.Warnings) {
			t.Fatalf("seed %d: got %+v, want %+v", seed, got, want)
		}
		for i := range want.Objects.Len() {
			gotFile, gotLine, _ := got.BulkLine(i)
			if file, line, _ := want.BulkLine(i); file != gotFile || line != gotLine {
				t.Fatalf("seed %d: solid %d is at %s:%d, want %s:%d", seed, i, gotFile, gotLine, file, line)
			}
		}
	}
	if valid < seeds/2 || valid > seeds*9/10 || asNumbers < valid*3/4 {
		t.Errorf("%d of %d tables are valid, %d of them without names", valid, seeds, asNumbers)
	}
}

// archived returns the files of an archive that contains the table as t.csv.
func archived(t *testing.T, table []byte) fs.FS {
	var data bytes.Buffer
	to := tar.NewWriter(&data)
	for _, member := range []struct {
		name string
		data []byte
	}{{"x.toml", nil}, {"t.npy", table}} {
		if err := to.WriteHeader(&tar.Header{Name: member.name, Size: int64(len(member.data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write(member.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := archive.Read(&data)
	if err != nil {
		t.Fatal(err)
	}
	return a.Over(fstest.MapFS{})
}
