package scene

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/keytable"
)

// decodeWith decodes a scene with the fast reader for plain tables or, if decodesAll is true, with the TOML decoder
// alone. plain is the number of solids from plain tables.
func decodeWith(data []byte, decodesAll bool, options ...DecodeOption) (s *Scene, plain int, err error) {
	l := loader{mostPlaced: MaxPlaced, decodesAll: decodesAll}
	for _, set := range options {
		set(&l)
	}
	s, err = l.decode("x.toml", data)
	// A loader forgets its plain tables.
	again := loader{Report: keytable.Report{Speller: keytable.NewSpeller(sceneWords())}, tables: new(tables), decodesAll: decodesAll}
	again.parseOwn(data)
	for i := range again.plain {
		for k := range kindCount {
			plain += len(again.plain[i].Read.own[k].objects)
		}
	}
	return s, plain, err
}

// checkPlain decodes a scene with and without the fast reader for plain tables. It fails the test unless both give
// the same bits and the same problems. It returns the number of solids in plain tables.
func checkPlain(t *testing.T, data []byte, options ...DecodeOption) (plain int) {
	t.Helper()
	want, _, wantErr := decodeWith(data, true, options...)
	got, plain, err := decodeWith(data, false, options...)
	if !reflect.DeepEqual(err, wantErr) {
		t.Fatalf("%s\ngives\n%v\nwant\n%v", data, err, wantErr)
	}
	if want == nil {
		return plain
	}
	if a, b := bitsOf(t, got), bitsOf(t, want); !bytes.Equal(a, b) {
		t.Errorf("%s\ngives other solids than it does decoded", data)
	}
	if want.motion != nil {
		// The maps in motion have pointers as keys, which differ. So compare the scenes at a time instead.
		at, wrong := got.At(0.7)
		wantAt, wantWrong := want.At(0.7)
		got.motion, want.motion = nil, nil
		if !reflect.DeepEqual(at, wantAt) || !reflect.DeepEqual(wrong, wantWrong) {
			t.Errorf("%s\nat a time gives %+v, %v, want %+v, %v", data, at, wrong, wantAt, wantWrong)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\ngives\n%+v\nwant\n%+v", data, got, want)
	}
	return plain
}

// bitsOf returns the bits of all numbers of the solids of s and of their materials. Unlike DeepEqual, they
// distinguish 0 and -0.
func bitsOf(t *testing.T, s *Scene) []byte {
	t.Helper()
	var b []byte
	for number := range s.Objects.Len() {
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, s.Solid(number)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range s.Objects.Len() {
		m := s.Objects.Material(i)
		for _, x := range []float64{m.Albedo.R, m.Albedo.G, m.Albedo.B, m.Mirror} {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	return b
}

// TestPlainTablesOfScenes checks that nearly all solids of typical scenes have plain tables, whether people or
// programs wrote the scenes.
func TestPlainTablesOfScenes(t *testing.T) {
	folder := WithFiles(os.DirFS("../scenes"))
	paths, err := filepath.Glob("../scenes/*.toml")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d scenes, %v", len(paths), err)
	}
	plain, all := 0, 0
	for _, path := range effort.Some(t, 12, paths) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		plain += checkPlain(t, data, folder)
		s, _, err := decodeWith(data, true, folder)
		if err != nil {
			t.Fatal(err)
		}
		for k := range kindCount {
			all += len(s.root.own[k].objects)
		}
		s.Detach()
		var written bytes.Buffer
		if err := s.WriteTOML(&written); err != nil {
			t.Fatal(err)
		}
		if n := checkPlain(t, written.Bytes()); n != s.Objects.Len() {
			t.Errorf("%s, written anew: %d of %d solids have plain tables", path, n, s.Objects.Len())
		}
	}
	if plain < all*effort.Of(80, 95, 95)/100 {
		t.Errorf("%d of %d solids have plain tables, want nearly all", plain, all)
	}
}

// plainScene returns a scene of random tables. Most are plain, and a few are invalid.
func plainScene(rng *rand.Rand) []byte {
	oneOf := func(words ...string) string { return words[rng.IntN(len(words))] }
	number := func() string {
		switch rng.IntN(200) {
		case 0:
			return oneOf("-1", "0", "1e13", "inf", "nan", "1e400", "99999999999999999999", "-0", "1_0", "0x10", "true", `"1"`, "[1]", "1979-05-27", "", "01")
		case 1, 2, 3, 4:
			return oneOf("1", "2", "-0.0", "+3", "1e-3", "5E-1")
		}
		return fmt.Sprint(rng.Float64())
	}
	array := func(n int) string {
		if rng.IntN(150) == 0 {
			n = rng.IntN(5)
		}
		elements := make([]string, n)
		for i := range elements {
			elements[i] = number()
		}
		return "[" + strings.Join(elements, oneOf(", ", ",", ",\n\t", ", # a\n")) + oneOf("", "", ",") + "]"
	}
	keys := func() (lines []string) {
		add := func(key, value string) {
			if rng.IntN(150) == 0 {
				key = oneOf("center", "radius", "raduis", "size", `"radius"`, "a.b", "name", "material")
			}
			if rng.IntN(150) == 0 {
				lines = append(lines, key+" = "+value) // twice
			}
			if rng.IntN(150) > 0 {
				lines = append(lines, key+oneOf(" = ", "=", "  =\t")+value+oneOf("", "", "", " # c"))
			}
		}
		kind := Kind(rng.IntN(int(kindCount)))
		lines = append(lines, oneOf("", "", "", "", "", "  ")+"[["+kind.String()+"]]")
		for _, m := range kind.row().keys() {
			if m.isVector() {
				add(m.key, array(3))
			} else {
				add(m.key, number())
			}
		}
		if rng.IntN(2) == 0 && kind.row().traits().turns {
			switch rng.IntN(6) {
			case 0:
				add("rotate", array(3))
			case 1:
				add("axis", array(3))
				add("angle", number())
			case 2:
				add("axis", oneOf("[0, 0, 0]", "[0, 1, 0]"))
				add("angle", "90")
			case 3:
				add("quaternion", oneOf(array(4), "[0, 0, 0, 0]", "[1, 0, 0, 0]"))
			case 4:
				add("axes", oneOf("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "[[0, 1, 0], [-1, 0, 0], [0, 0, 1]]", "[[1, 0, 0], [0, 1, 0], [0, 0, 2]]", "[[1], 2]"))
			case 5:
				add("rotate", array(3))
				add("angle", number())
			}
		}
		switch rng.IntN(12) {
		case 0, 1, 2:
			add("material", oneOf(`"a"`, `"b"`, `"ä ö"`, `'a'`, `"a"`, `"b"`, oneOf(`"c"`, `""`, `"\u0061"`, "1")))
		case 3, 4, 5:
			add("color", oneOf(`"#fff"`, `"#102030"`, `"red"`, array(3), "[0.5, 0.25, 1]", "[1, 0, 0]", oneOf(`"#ff"`, `"rde"`, "1", "[2, 0, 0]")))
		case 6:
			add("material", `"a"`)
			add("color", `"red"`)
		}
		switch rng.IntN(6) {
		case 0:
			add("name", fmt.Sprintf(`"n%d"`, rng.IntN(1000)))
		case 1:
			add("name", oneOf(`"ä"`, `"a/b"`, `"x.y"`, `'q"'`, `""`, `"`+strings.Repeat("ä", MaxName)+`"`, `"`+strings.Repeat("ä", MaxName+1)+`"`, "1", `"""m"""`, `"e\\"`))
		}
		return lines
	}
	lines := []string{oneOf("", "format = 1", "# plain", "\uFEFF", "include = [\"b.toml\"]"), "[camera]", "position = [0, 0, 9]", "look_at = [0, 0, 0]"}
	if rng.IntN(20) > 0 {
		lines = append(lines, "[material.a]", `color = "blue"`, "[material.b]", "mirror = 0.5", `[material."ä ö"]`)
	}
	for range rng.IntN(20) {
		lines = append(lines, keys()...)
		if rng.IntN(40) == 0 {
			lines = append(lines, oneOf("[[light]]\nposition = [1, 2, 3]", "[shading]", "[part.p]\n[[part.p.sphere]]\ncenter = [1, 2, 3]\nradius = 1", `[[place]]`+"\n"+`part = "p"`,
				"[[animate]]\ntarget = \"sphere[0]\"\ntimes = [0, 1]\nvalues = [1, 2]", "[[animate]]\ntarget = \"capsule[1].radius\"\ntimes = [0, 1]\nvalues = [1, 2]",
				"[[animate]]\ntarget = \"box[0].center\"\ntimes = [0, 1]\nvalues = [[0, 0, 0], [1, 1, 1]]", "[sphere.x]", "[[sphere.x]]", "[sphere]", "x = 1", "[overlaps]", "a =", "]", "\"\"\""))
		}
	}
	return []byte(strings.Join(lines, oneOf("\n", "\n", "\n\n", "\r\n")))
}

// TestPlainTablesOfRandomScenes decodes scenes of random tables, some of them invalid, with and without the fast
// reader for plain tables. The results must be the same.
func TestPlainTablesOfRandomScenes(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 66))
	n, plain, valid := effort.Of(30, 600, 15_000), 0, 0
	for i := range n {
		data := plainScene(rng)
		var options []DecodeOption
		if i%4 == 0 {
			options = append(options, WithAllDigits())
		}
		plain += checkPlain(t, data, options...)
		if _, _, err := decodeWith(data, true); err == nil {
			valid++
		}
	}
	if plain < n || valid < n/20 || valid > n*19/20 {
		t.Errorf("%d solids had plain tables, %d of %d scenes were valid", plain, valid, n)
	}
}

// FuzzPlainTables decodes any file with and without the fast reader for plain tables. The scenes and the problems
// must be the same.
func FuzzPlainTables(f *testing.F) {
	for _, pattern := range []string{"testdata/*/*.toml", "../scenes/*.toml", "starter.toml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range effort.Some(f, 20, paths) {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	rng := rand.New(rand.NewPCG(7, 77))
	for range effort.Of(10, 100, 100) {
		f.Add(plainScene(rng))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkPlain(t, data) })
}

// TestPlainTablesOfManyChunks checks that solids from plain and from other tables keep their order in a file of
// several chunks.
func TestPlainTablesOfManyChunks(t *testing.T) {
	var b strings.Builder
	b.WriteString("[material.a]\n")
	n := effort.Of(3000, 6000, 6000)
	for i := range n {
		fmt.Fprintf(&b, "\n[[sphere]]\nname = \"s%d\"\ncenter = [%d, 0, 0]\nradius = 0.25\nmaterial = \"a\"\n", i, i)
		if i%1000 == 500 {
			b.WriteString("color = \"\\u0072ed\"\n") // cannot be combined with material
		}
		fmt.Fprintf(&b, "[[box]]\ncenter = [%d, 2, 0]\nhalf_extents = [0.25, 0.25, 0.%d]\n", i, 1+i%9)
	}
	data := []byte(b.String())
	if plain := checkPlain(t, data); plain < 2*n-n/1000*30 {
		t.Errorf("%d of %d solids have plain tables", plain, 2*n)
	}
	valid := bytes.ReplaceAll(data, []byte("color = \"\\u0072ed\"\n"), nil)
	if plain := checkPlain(t, valid); plain != 2*n {
		t.Errorf("%d of %d solids have plain tables", plain, 2*n)
	}
	unknown := bytes.Replace(valid, []byte(`material = "a"`), []byte(`material = "b"`), 5)
	checkPlain(t, unknown[bytes.Index(unknown, []byte("[[sphere]]")):])
	checkPlain(t, unknown)
}
