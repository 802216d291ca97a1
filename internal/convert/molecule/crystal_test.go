package molecule_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/molecule"
)

// TestCrystal compares distances between atoms with the metric tensor of the unit cell. The cell's first edge must
// be along x, and the second in the plane of x and y.
func TestCrystal(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 200 {
		length := [3]float64{3 + 20*rng.Float64(), 3 + 20*rng.Float64(), 3 + 20*rng.Float64()}
		angle := [3]float64{70 + 40*rng.Float64(), 70 + 40*rng.Float64(), 70 + 40*rng.Float64()}
		if n%4 == 0 {
			angle = [3]float64{90, 90, 120}
		}
		item := "_"
		if n%3 == 0 {
			item = "." // the names of mmCIF, and of newer small-molecule files
		}
		var text strings.Builder
		cell := func() {
			for i, name := range [...]string{"a", "b", "c"} {
				fmt.Fprintf(&text, "_cell%slength_%s %.6f(12)\n", item, name, length[i])
			}
			fmt.Fprintf(&text, "_cell_formula_units_Z 4\n")
			for i, name := range [...]string{"alpha", "beta", "gamma"} {
				fmt.Fprintf(&text, "_cell%sangle_%s %.6f\n", item, name, angle[i])
			}
		}
		text.WriteString("data_x\n")
		if n%2 == 0 {
			cell()
		}
		text.WriteString("loop_\n")
		for _, name := range [...]string{"label", "type_symbol", "fract_x", "fract_y", "fract_z"} {
			fmt.Fprintf(&text, "_atom_site%s%s\n", item, name)
		}
		at := []geom.Vec3{{}, {X: 1}, {X: 0.25, Y: 1}}
		for range 5 {
			at = append(at, geom.Vec3{X: rng.Float64()*2 - 0.5, Y: rng.Float64(), Z: rng.Float64()})
		}
		for i, p := range at {
			fmt.Fprintf(&text, "C%d C %.9f(3) %.9f %.9f\n", i+1, p.X, p.Y, p.Z)
		}
		text.WriteString("loop_\n_atom_site_aniso_label\n_atom_site_aniso_U_11\nC1 0.1\n")
		if n%2 == 1 {
			cell() // items may be in any order
		}
		s := read(t, molecule.ReadMMCIF, text.String(), molecule.Options{})
		if len(s.Spheres) != len(at) || s.Spheres[1].Name != "C2" {
			t.Fatalf("%d atoms, the second is %s", len(s.Spheres), s.Spheres[1].Name)
		}
		cos := func(i int) float64 { return math.Cos(angle[i] * math.Pi / 180) }
		metric := func(d geom.Vec3) float64 {
			x, y, z := d.X*length[0], d.Y*length[1], d.Z*length[2]
			return math.Sqrt(x*x + y*y + z*z + 2*(y*z*cos(0)+x*z*cos(1)+x*y*cos(2)))
		}
		for i := range at {
			for k := range i {
				want := metric(at[i].Sub(at[k]))
				got := s.Spheres[i].Center.Sub(s.Spheres[k].Center).Norm()
				if math.Abs(got-want) > 1e-5 {
					t.Fatalf("atoms %d and %d are %v apart, want %v\n%s", i, k, got, want, text.String())
				}
			}
		}
		a, b := s.Spheres[1].Center.Sub(s.Spheres[0].Center), s.Spheres[2].Center.Sub(s.Spheres[0].Center)
		if math.Abs(a.Y) > 1e-9 || math.Abs(a.Z) > 1e-9 || !(a.X > 0) || math.Abs(b.Z) > 1e-9 || !(b.Y > 0) {
			t.Fatalf("the edges are %v and %v", a, b)
		}
	}
}

// TestCrystalAtoms checks how the element of an atom is found: from its type, such as Cu2+, or from its label.
// Dummy atoms, atoms without a position, and the less occupied group of a disorder must not be shown.
func TestCrystalAtoms(t *testing.T) {
	const text = `data_x
_cell_length_a 10
_cell_length_b 10
_cell_length_c 10
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_type_symbol
_atom_site_calc_flag
_atom_site_disorder_group
_atom_site_occupancy
Cu1 0.1 0 0 Cu2+ . . 1
C12A 0.2 0 0 ? . . .
Cl1 0.3 0 0 . . 1 0.4
O1 0.4 0 0 O . 2 0.6
X1 0.5 0 0 C dum . 1
H1 ? ? ? H . . 1
H2 ? ? ? H . . 1
`
	m, err := molecule.ReadMMCIF(model.Source{Name: "m", Text: strings.NewReader(text)}, molecule.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range m.Spheres {
		got = append(got, fmt.Sprint(s.Name, " ", s.Material, " ", s.Center.X))
	}
	if want := "Cu1 copper 1; C12A carbon 2; O1 oxygen 4"; strings.Join(got, "; ") != want {
		t.Errorf("%s, want %s", strings.Join(got, "; "), want)
	}
	if notes := m.Account.Notes().Error(); !strings.Contains(notes, "2 atoms without a position skipped") {
		t.Errorf("notes: %s", notes)
	}
	for color, what := range map[molecule.Coloring]string{molecule.ByChain: "chains", molecule.ByResidue: "residues"} {
		_, err := molecule.ReadMMCIF(model.Source{Name: "m", Text: strings.NewReader(text)}, molecule.Options{Color: color})
		if err == nil || err.Error() != "--color: m has no "+what {
			t.Errorf("a crystal without %s gives %v", what, err)
		}
	}
}

// TestComponent reads a ligand from the Chemical Component Dictionary, and one from a monomer library. The atoms
// must be at the ideal positions if the file has them, and the bonds must be those in the file.
func TestComponent(t *testing.T) {
	component := func(ideal string) string {
		return `data_LIG
_chem_comp.id LIG
loop_
_chem_comp_atom.comp_id
_chem_comp_atom.atom_id
_chem_comp_atom.type_symbol
_chem_comp_atom.model_Cartn_x
_chem_comp_atom.model_Cartn_y
_chem_comp_atom.model_Cartn_z
_chem_comp_atom.pdbx_model_Cartn_x_ideal
_chem_comp_atom.pdbx_model_Cartn_y_ideal
_chem_comp_atom.pdbx_model_Cartn_z_ideal
LIG C1 C 10 0 0 1 0 0
LIG C2 C 20 0 0 ` + ideal + `
LIG H1 H 30 0 0 3 0 0
loop_
_chem_comp_bond.comp_id
_chem_comp_bond.atom_id_1
_chem_comp_bond.atom_id_2
LIG C1 C2
`
	}
	for _, c := range []struct {
		text    string
		x       []float64
		bonds   int
		element string
	}{
		{component("2 0 0"), []float64{1, 2, 3}, 1, "carbon"},
		{component("? ? ?"), []float64{10, 20, 30}, 1, "carbon"},
		{"data_comp_list\n_chem_comp.id L\ndata_comp_L\nloop_\n_chem_comp_atom.atom_id\n_chem_comp_atom.type_symbol\n_chem_comp_atom.x\n_chem_comp_atom.y\n_chem_comp_atom.z\nN N 4 0 0\n", []float64{4}, 0, "nitrogen"},
	} {
		s := read(t, molecule.ReadMMCIF, c.text, molecule.Options{Style: molecule.BallsAndSticks})
		var x []float64
		for _, b := range s.Spheres {
			x = append(x, b.Center.X)
		}
		if fmt.Sprint(x) != fmt.Sprint(c.x) || len(s.Capsules) != c.bonds || s.Spheres[0].Material != c.element {
			t.Errorf("atoms at %v, %d bonds, %s; want %v, %d, %s", x, len(s.Capsules), s.Spheres[0].Material, c.x, c.bonds, c.element)
		}
	}
	// A structure file also lists the components of its residues.
	structure := "data_x\nloop_\n_chem_comp_atom.comp_id\n_chem_comp_atom.atom_id\nALA N\nALA CA\nloop_\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\nC 7 0 0\n"
	if s := read(t, molecule.ReadMMCIF, structure, molecule.Options{}); len(s.Spheres) != 1 || s.Spheres[0].Center.X != 7 {
		t.Errorf("%v", s.Spheres)
	}
	for text, want := range map[string]string{
		strings.Replace(component("? ? ?"), "10 0 0", "? ? ?", 1):                                                                                      "no ideal position and some no model position",
		"data_x\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nC1 0 0 0\n":                                      "m:7:1: _cell.length_a: missing",
		"data_x\n_cell_length_a 1\n_cell_length_b -1\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nC1 0 0 0\n": `m:3:16: _cell.length_b: must be positive, got "-1"`,
		crystal("1 2 3 90 90"):       "m:13:1: _cell.angle_gamma: missing, and the atoms have coordinates of a unit cell",
		crystal("1 2 3 90 180 90"):   `m:6:18: _cell.angle_beta: must be between 0 and 180 degrees, got "180"`,
		crystal("1 2 0(1) 90 90 90"): `m:4:16: _cell.length_c: must be positive, got "0(1)"`,
		crystal("1 2 3 20 20 90"):    `m:7:19: _cell.angle_gamma: no unit cell has this angle and the angles alpha and beta of the file, got "90"`,
		crystal("1 2 3 ? 90 90"):     "m:13:1: _cell.angle_alpha: missing",
	} {
		if _, err := molecule.ReadMMCIF(model.Source{Name: "m", Text: strings.NewReader(text)}, molecule.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngives %v, want %s", text, err, want)
		}
	}
}

// crystal returns a file with one atom. parameters describe the unit cell, and may be incomplete.
func crystal(parameters string) string {
	text := "data_x\n"
	for i, x := range strings.Fields(parameters) {
		text += "_cell." + [...]string{"length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma"}[i] + " " + x + "\n"
	}
	text += strings.Repeat("# no parameter\n", 6-len(strings.Fields(parameters)))
	return text + "loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nC1 0 0 0\n"
}
