package convert_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/convert"
	"pillbox/internal/convert/binarycif/bciftest"
	"pillbox/scene"
)

// load writes the scene s as a file, and loads that file.
func load(t *testing.T, s *convert.Scene) *scene.Scene {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b, convert.Tables{}); err != nil {
		t.Fatal(err)
	}
	loaded, err := scene.Decode("m.toml", b.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	return loaded
}

// TestFormats converts a file of each format, plain and compressed, and loads the result as a scene. The format
// must be found by its name and each of its extensions. Each file contains a second solid that options show or
// hide, to check that the reader receives the options.
func TestFormats(t *testing.T) {
	atom := "HETATM    1  O   HOH A   1       0.000   0.000   0.000  1.00  0.00           O\n"
	binary := bciftest.File(bciftest.Category("_atom_site", 2, bciftest.Strings("type_symbol", []string{"C", "H"}, nil),
		bciftest.Floats("Cartn_x", []float64{0, 5}, nil, 10), bciftest.Floats("Cartn_y", []float64{0, 0}, nil, 0), bciftest.Floats("Cartn_z", []float64{0, 0}, nil, 0)))
	files := map[string]string{
		"bcif":  string(binary),
		"gro":   "t\n2\n    1LIG      C    1   0.000   0.000   0.000\n    1LIG      H    2   0.500   0.000   0.000\n 0 0 0\n",
		"mol2":  "@<TRIPOS>MOLECULE\nt\n2 0\n@<TRIPOS>ATOM\n1 C 0 0 0 C.3\n2 H 5 0 0 H\n",
		"pqr":   "ATOM 1 C LIG 1 0 0 0 0 1.7\nATOM 2 H LIG 1 5 0 0 0 1\n",
		"mjcf":  `<mujoco><worldbody><geom size="1"/><geom type="ellipsoid" size="1 2 3" pos="5 0 0"/></worldbody></mujoco>`,
		"mmcif": "data_x\nloop_\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\nC 0 0 0\nH 5 0 0\n",
		"nff":   "v\nfrom 9 0 0\nat 0 0 0\nup 0 0 1\nangle 45\nhither 1\nresolution 8 8\ns 0 0 0 1\nc\n5 0 0 1\n5 0 3 2\n",
		"pdb":   atom + strings.NewReplacer(" O  ", " H  ", "           O", "           H", "  0.000   0.000   0.000", "  5.000   0.000   0.000").Replace(atom),
		"sdf":   "\n\n\n  2  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n    5.0000    0.0000    0.0000 H   0  0\nM  END\n",
		"urdf":  `<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/></geometry></collision><collision><geometry><mesh filename="m.obj"/></geometry></collision></link></robot>`,
		"xyz":   "2\n\nC 0 0 0\nH 5 0 0\n",
	}
	for _, f := range convert.Formats() {
		named, ok := convert.Named(f.Name)
		if !ok || named.Title != f.Title {
			t.Errorf("%s: Named = %+v, %v", f.Name, named, ok)
		}
		for _, extension := range f.Extensions {
			if of, ok := convert.ForFile("dir/FILE" + strings.ToUpper(extension)); !ok || of.Name != f.Name {
				t.Errorf("%s: ForFile(%s) = %s, %v", f.Name, extension, of.Name, ok)
			}
		}
		var counts []int
		for _, more := range []bool{false, true} {
			opt := convert.Options{Approximate: more, Molecule: convert.Molecule{NoHydrogens: !more}}
			folder := fstest.MapFS{"m.obj": {Data: []byte("v 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")}}
			m, err := named.Read(convert.Source{Name: "f", Text: strings.NewReader(files[f.Name]), Folder: folder}, opt)
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			counts = append(counts, load(t, m).Objects.Len())
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		io.WriteString(z, files[f.Name])
		z.Close()
		whole := packed.Bytes()
		zipped, ok := convert.ForFile("x" + f.Extensions[0] + ".GZ")
		if !ok || zipped.Name != f.Name {
			t.Errorf("%s: ForFile of a compressed file = %s, %v", f.Name, zipped.Name, ok)
		}
		m, err := zipped.Read(convert.Source{Name: "f", Text: bytes.NewReader(whole)}, convert.Options{})
		if err != nil || load(t, m).Objects.Len() < 1 {
			t.Errorf("%s: a compressed file gives %v", f.Name, err)
		}
		for _, cut := range []int{5, len(whole) / 2, len(whole) - 4} {
			if _, err := zipped.Read(convert.Source{Name: "f", Text: bytes.NewReader(whole[:cut])}, convert.Options{}); err == nil || !strings.HasPrefix(err.Error(), "f: cannot decompress the file: ") {
				t.Errorf("%s: %d of %d compressed bytes give %v", f.Name, cut, len(whole), err)
			}
		}
		if !slices.Equal(counts, []int{1, 2}) {
			t.Errorf("%s: %d solids without and with what options add, want 1 and 2", f.Name, counts)
		}
	}
	if f, ok := convert.Named("obj"); ok {
		t.Errorf("a format that is not read is %+v", f)
	}
	if f, ok := convert.ForFile("hull.stl"); ok {
		t.Errorf("a file that is not read is of %+v", f)
	}
}

// TestDecompressionBomb checks how much of a file of which few bytes are left when it is compressed is read.
func TestDecompressionBomb(t *testing.T) {
	const line = 64
	r := rand.New(rand.NewPCG(1, 1))
	random := fmt.Sprintf("#%%06x%%%ds\n", line-8) // compressed to about 6 bytes
	equal := "#" + strings.Repeat("x", line-2) + "\n"
	for _, test := range []struct {
		format, want string
		lines        int
		line         func() string
		head         string
	}{
		{"mjcf", "more than 4194304 bytes and is more than 10 times as large as the file; decompress it first", 5 << 20 / line, func() string { return equal }, ""},
		{"bcif", "more than 4194304 bytes and is more than 10 times as large as the file; decompress it first", 5 << 20 / line, func() string { return equal }, ""},
		{"mmcif", "more than 33554432 bytes and is more than 40 times as large as the file; decompress it first", 33 << 20 / line, func() string { return equal }, ""},
		{"mmcif", "f: has no atoms", 33 << 20 / line, func() string { return fmt.Sprintf(random, r.IntN(1<<24), "") }, ""},
		{"xyz", "f:300003:8: there are more than 300000 atoms, too many for the size of the compressed file; decompress it first", 400_000, func() string { return "C 0 0 0\n" }, "400000\n\n"},
		{"pdb", "there are more than 300000 bonds, too many for the size of the compressed file; decompress it first", 80_000, func() string { return "CONECT    1    2    3    4    5\n" }, ""},
	} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		io.WriteString(z, test.head)
		for range test.lines {
			io.WriteString(z, test.line())
		}
		z.Close()
		f, _ := convert.Named(test.format)
		_, err := f.Read(convert.Source{Name: "f", Text: &packed}, convert.Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.format, err, test.want)
		}
	}
}
