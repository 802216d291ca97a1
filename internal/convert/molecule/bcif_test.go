package molecule_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/binarycif/bciftest"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/molecule"
)

// bothForms returns a molecule with an assembly, as mmCIF text and as BinaryCIF.
func bothForms() (text string, binary []byte) {
	names := []string{"N", "CA", "C", "O", "O", "N", "CA", "C", "O", "MG", "O"}
	elements := []string{"N", "C", "C", "O", "O", "N", "C", "C", "O", "MG", "O"}
	kinds := []string{"ALA", "ALA", "ALA", "ALA", "ALA", "GLY", "GLY", "GLY", "GLY", "MG", "HOH"}
	units := []string{"A", "A", "A", "A", "A", "A", "A", "A", "A", "B", "C"}
	alternates := []string{"", "", "", "A", "B", "", "", "", "", "", ""}
	numbers := []int32{1, 1, 1, 1, 1, 2, 2, 2, 2, 0, 0}
	authors := []int32{51, 51, 51, 51, 51, 52, 52, 52, 52, 300, 400}
	n := len(names)
	var nulls, noNumber, ones []int32
	var x, y, z, occupancy, b []float64
	text = "data_MADE_UP\nloop_\n"
	for _, item := range strings.Fields("id type_symbol label_atom_id label_alt_id label_comp_id label_asym_id label_seq_id auth_asym_id auth_seq_id Cartn_x Cartn_y Cartn_z occupancy B_iso_or_equiv") {
		text += "_atom_site." + item + "\n"
	}
	null := func(is bool) int32 {
		if is {
			return 1
		}
		return 0
	}
	var ids []int32
	for i := range n {
		ids, ones = append(ids, int32(i+1)), append(ones, 0)
		nulls, noNumber = append(nulls, null(alternates[i] == "")), append(noNumber, null(numbers[i] == 0))
		x, y, z = append(x, float64(i)*1.457), append(y, float64(i%3)), append(z, -0.001*float64(i*i))
		occupancy, b = append(occupancy, 1-0.4*float64(null(alternates[i] == "A"))), append(b, 10+float64(i)/4)
		alternate, number := alternates[i], fmt.Sprint(numbers[i])
		if alternate == "" {
			alternate = "."
		}
		if numbers[i] == 0 {
			number = "?"
		}
		text += fmt.Sprintf("%d %s %s %s %s %s %s X %d %.3f %g %.3f %g %g\n", i+1, elements[i], names[i], alternate, kinds[i], units[i], number, authors[i], x[i], y[i], z[i], occupancy[i], b[i])
		x[i], z[i] = float64(int(x[i]*1000+0.5))/1000, -float64(i*i)/1000
	}
	one := func(s string) []string { return []string{s} }
	assembly := bciftest.Category("_pdbx_struct_assembly_gen", 1, bciftest.Strings("assembly_id", one("1"), nil), bciftest.Strings("oper_expression", one("1,2"), nil), bciftest.Strings("asym_id_list", one("A,B"), nil))
	text += "_pdbx_struct_assembly_gen.assembly_id 1\n_pdbx_struct_assembly_gen.oper_expression 1,2\n_pdbx_struct_assembly_gen.asym_id_list A,B\n" + identities(2)
	columns := []any{bciftest.Ints("id", []int32{1, 2}, nil)}
	for i := range 3 {
		for k := range 3 {
			same := float64(null(i == k))
			columns = append(columns, bciftest.Floats(fmt.Sprintf("matrix[%d][%d]", i+1, k+1), []float64{same, same}, nil, 0))
		}
		columns = append(columns, bciftest.Floats(fmt.Sprintf("vector[%d]", i+1), []float64{0, float64(null(i == 0))}, nil, 100))
	}
	strings := func(name string, list []string) bciftest.Map { return bciftest.Strings(name, list, nil) }
	binary = bciftest.File(
		bciftest.Category("_atom_site", n,
			bciftest.Ints("id", ids, nil, "Delta", "RunLength"), strings("type_symbol", elements), strings("label_atom_id", names),
			bciftest.Strings("label_alt_id", alternates, nulls), strings("label_comp_id", kinds), strings("label_asym_id", units),
			bciftest.Ints("label_seq_id", numbers, noNumber, "RunLength"), strings("auth_asym_id", []string{"X", "X", "X", "X", "X", "X", "X", "X", "X", "X", "X"}),
			bciftest.Ints("auth_seq_id", authors, nil, "Delta", "IntegerPacking"),
			bciftest.Floats("Cartn_x", x, nil, 1000), bciftest.Floats("Cartn_y", y, nil, 10), bciftest.Floats("Cartn_z", z, nil, 1000),
			bciftest.Floats("occupancy", occupancy, ones, 100), bciftest.Floats("B_iso_or_equiv", b, nil, 100)),
		assembly, bciftest.Category("_pdbx_struct_oper_list", 2, columns...))
	return text, binary
}

// TestBinaryCIF checks that a molecule as text and as BinaryCIF gives the same scene.
func TestBinaryCIF(t *testing.T) {
	text, binary := bothForms()
	for _, opt := range []molecule.Options{
		{}, {Style: molecule.Sticks, Color: molecule.ByBFactor}, {Style: molecule.Tube, Color: molecule.ByPosition, Assembly: "1"},
		{Select: "protein and number 51", Color: molecule.ByChain}, {Select: "ligand or serial 1", Assembly: "1"},
	} {
		want := read(t, molecule.ReadMMCIF, text, opt)
		got := read(t, molecule.ReadBinaryCIF, string(binary), opt)
		got.Source = want.Source
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: the forms differ:\n%+v\n%+v", opt, got, want)
		}
	}
}

func TestBinaryCIFErrors(t *testing.T) {
	type m = bciftest.Map
	position := func(x m) []byte {
		zero := func(name string) m { return bciftest.Floats(name, []float64{0}, nil, 10) }
		return bciftest.File(bciftest.Category("_atom_site", 1, x, zero("Cartn_y"), zero("Cartn_z")))
	}
	_, whole := bothForms()
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "m: byte 0: the file is truncated"},
		{whole[:len(whole)/2], "the file is truncated"},
		{bciftest.File(), "m: has no atoms"},
		{position(bciftest.Strings("Cartn_x", []string{"1.5x"}, nil)), "m: cartn_x: must be a finite number in row 1"},
		{position(bciftest.Floats("Cartn_x", []float64{1e16}, nil, 0)), "m: cartn_x: is too large in row 1"},
		{position(bciftest.Floats("Cartn_x", []float64{1, 2}, nil, 0)), "m: _atom_site.Cartn_x: has 2 values for 1 rows"},
		{position(m{"name", "Cartn_x"}), "m: _atom_site.Cartn_x: has 0 values for 1 rows"},
		{position(m{"name", "Cartn"}), "m: _atom_site.cartn_x: missing from the table"},
	} {
		_, err := molecule.ReadBinaryCIF(model.Source{Name: "m", Text: strings.NewReader(string(c.data))}, molecule.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %s", c.data, err, c.want)
		}
	}
	s := read(t, molecule.ReadBinaryCIF, string(position(bciftest.Strings("Cartn_x", []string{"-1.5"}, nil))), molecule.Options{})
	if s.Spheres[0].Center != (geom.Vec3{X: -1.5}) {
		t.Errorf("the atom is at %v", s.Spheres[0].Center)
	}
}

func FuzzBinaryCIF(f *testing.F) {
	_, binary := bothForms()
	f.Add(binary)
	f.Fuzz(func(t *testing.T, data []byte) { checkAny(t, molecule.ReadBinaryCIF, data) })
}
