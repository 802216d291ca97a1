package molecule_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/internal/convert/molecule"
	"pillbox/problem"
)

type reader func(model.Source, molecule.Options) (*model.Scene, error)

func read(t testing.TB, from reader, text string, opt molecule.Options) *model.Scene {
	t.Helper()
	s, err := from(model.Source{Name: "m", Text: strings.NewReader(text)}, opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

// atomLine formats a PDB record: serial, name, alternate, residue, chain, number, position, occupancy, element.
func atomLine(record string, serial int, name, alternate, kind, chain string, number int, p geom.Vec3, occupancy float64, element string) string {
	return fmt.Sprintf("%-6s%5d %-4s%1s%3s %1s%4d    %8.3f%8.3f%8.3f%6.2f%6.2f          %2s\n", record, serial, name, alternate, kind, chain, number, p.X, p.Y, p.Z, occupancy, 20.0, element)
}

// glycine returns a PDB file with a glycine whose oxygen has two alternate locations, and with a calcium and a
// water.
func glycine() string {
	return "TITLE     GLYCINE, MADE UP\n" +
		atomLine("ATOM", 1, " N", "", "GLY", "A", 1, geom.Vec3{}, 1, "N") +
		atomLine("ATOM", 2, " CA", "", "GLY", "A", 1, geom.Vec3{X: 1.46}, 1, "C") +
		atomLine("ATOM", 3, " C", "", "GLY", "A", 1, geom.Vec3{X: 2, Y: 1.42}, 1, "C") +
		atomLine("ATOM", 4, " O", "A", "GLY", "A", 1, geom.Vec3{X: 1.2, Y: 2.35}, 0.4, "O") +
		atomLine("ATOM", 5, " O", "B", "GLY", "A", 1, geom.Vec3{X: 1.25, Y: 2.4}, 0.6, "O") +
		atomLine("ATOM", 6, " H", "", "GLY", "A", 1, geom.Vec3{X: -0.3, Y: 0.5, Z: 0.8}, 1, "H") +
		"TER\n" +
		atomLine("HETATM", 7, "CA", "", "CA", "A", 2, geom.Vec3{X: 10}, 1, "") +
		atomLine("HETATM", 8, " O", "", "HOH", "A", 3, geom.Vec3{X: 20}, 1, "O") +
		"END\n"
}

func TestPDB(t *testing.T) {
	s := read(t, molecule.ReadPDB, glycine(), molecule.Options{})
	var names []string
	for _, a := range s.Spheres {
		names = append(names, a.Name+" "+a.Material)
	}
	want := []string{"A.GLY1.N nitrogen", "A.GLY1.CA carbon", "A.GLY1.C carbon", "A.GLY1.O oxygen", "A.GLY1.H hydrogen", "A.CA2.CA calcium", "A.HOH3.O oxygen"}
	if !slices.Equal(names, want) {
		t.Errorf("atoms are %q, want %q", names, want)
	}
	if at := s.Spheres[3].Center; at != (geom.Vec3{X: 1.25, Y: 2.4}) {
		t.Errorf("the oxygen is at %v, want its likelier place", at)
	}
	if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "1 other") }) || s.Notes[0] != "GLYCINE, MADE UP" {
		t.Errorf("notes are %q", s.Notes)
	}
	if r := s.Spheres[1].Radius; r != 1.77 {
		t.Errorf("carbon has radius %v, want 1.77 of Alvarez's table", r)
	}
	modeltest.Load(t, s)
}

func TestLeavesOut(t *testing.T) {
	for _, c := range []struct {
		opt  molecule.Options
		want int
	}{
		{molecule.Options{NoWater: true}, 6},
		{molecule.Options{NoHydrogens: true}, 6},
		{molecule.Options{NoWater: true, NoHydrogens: true}, 5},
	} {
		if n := read(t, molecule.ReadPDB, glycine(), c.opt).Len(); n != c.want {
			t.Errorf("%+v: %d atoms, want %d", c.opt, n, c.want)
		}
	}
	only := atomLine("HETATM", 8, " O", "", "HOH", "A", 3, geom.Vec3{}, 1, "O")
	_, err := molecule.ReadPDB(model.Source{Name: "m", Text: strings.NewReader(only)}, molecule.Options{NoWater: true})
	if err == nil || !strings.Contains(err.Error(), "the options skip all atoms") {
		t.Errorf("of water without water: %v", err)
	}
}

// TestStyles checks the number of solids for glycine in each style. The bonds are N-CA, CA-C, C-O and N-H. Both
// atoms of CA-C have the same color, so this bond needs only one capsule.
func TestStyles(t *testing.T) {
	s := read(t, molecule.ReadPDB, glycine(), molecule.Options{Style: molecule.Sticks})
	if len(s.Capsules) != 7 || len(s.Spheres) != 2 {
		t.Errorf("sticks: %d capsules and %d spheres, want 7 and the 2 atoms without bonds", len(s.Capsules), len(s.Spheres))
	}
	s = read(t, molecule.ReadPDB, glycine(), molecule.Options{Style: molecule.BallsAndSticks, Color: molecule.ByChain})
	if len(s.Capsules) != 4 || len(s.Spheres) != 7 || len(s.Materials) != 1 {
		t.Errorf("balls and sticks by chain: %d capsules, %d spheres, %d materials; want 4, 7, 1", len(s.Capsules), len(s.Spheres), len(s.Materials))
	}
	s = read(t, molecule.ReadPDB, glycine(), molecule.Options{Color: molecule.ByResidue})
	if len(s.Materials) != 3 || s.Materials[0] != (model.Material{Name: "GLY", Color: "#ebebeb"}) {
		t.Errorf("by residue the materials are %v", s.Materials)
	}
	modeltest.Load(t, s)
}

// TestConect checks that two atoms that both have bonds in the file get no further bond because of their distance.
func TestConect(t *testing.T) {
	text := atomLine("HETATM", 1, " C1", "", "LIG", "A", 1, geom.Vec3{}, 1, "C") +
		atomLine("HETATM", 2, " C2", "", "LIG", "A", 1, geom.Vec3{X: 1.5}, 1, "C") +
		atomLine("HETATM", 3, " C3", "", "LIG", "A", 1, geom.Vec3{X: 0.75, Y: 1.3}, 1, "C")
	for _, c := range []struct {
		conect string
		want   int
	}{
		{"", 3},
		{"CONECT    1    2\nCONECT    2    1    3\nCONECT    3    2\n", 2},
	} {
		s := read(t, molecule.ReadPDB, text+c.conect, molecule.Options{Style: molecule.Sticks})
		if len(s.Capsules) != c.want {
			t.Errorf("%q: %d bonds, want %d", c.conect, len(s.Capsules), c.want)
		}
	}
}

// TestElementsOfOldFiles checks that the element of an atom in an old file is taken from the first two columns of
// its name. Another atom of the file shows that names are aligned.
func TestElementsOfOldFiles(t *testing.T) {
	for name, want := range map[string]string{
		" CA ": "carbon", "CA  ": "calcium", "1HB ": "hydrogen", "HG11": "hydrogen", "FE  ": "iron", " O5'": "oxygen", " D  ": "hydrogen",
		"XX  ": "unknown element",
	} {
		text := atomLine("ATOM", 1, name, "", "UNK", "A", 1, geom.Vec3{}, 1, "") + atomLine("ATOM", 2, " N  ", "", "UNK", "A", 1, geom.Vec3{X: 5}, 1, "")
		s := read(t, molecule.ReadPDB, text, molecule.Options{})
		if got := s.Spheres[0].Material; got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
}

// random is a random chain in several formats, with the same coordinates.
type random struct{ pdb, cif, xyz, sdf2000, sdf3000 string }

func newRandom(seed uint64, n int) random {
	rng := rand.New(rand.NewPCG(seed, 1))
	symbols := []string{"C", "N", "O", "S", "H", "FE", "CL"}
	var r random
	var atoms2, atoms3 strings.Builder
	r.cif = "data_made_up\n_entry.id 'made up'\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n" +
		"_atom_site.label_alt_id\n_atom_site.label_comp_id\n_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.occupancy\n"
	r.xyz = fmt.Sprintf("%d\nmade up\n", n)
	for i := range n {
		// Coordinates have as many digits as PDB allows.
		p := geom.Vec3{X: float64(rng.IntN(9000)) / 1000, Y: float64(rng.IntN(9000)) / 1000, Z: float64(rng.IntN(9000)) / 1000}
		symbol := symbols[rng.IntN(len(symbols))]
		name, number := fmt.Sprintf("%s%d", symbol, i%10), 1+i/10
		r.pdb += atomLine("ATOM", i+1, name, "", "ALA", "B", number, p, 1, symbol)
		r.cif += fmt.Sprintf("ATOM %d %s %q . ALA B %d %.3f %.3f\n%.3f 1.0\n", i+1, symbol, name, number, p.X, p.Y, p.Z)
		r.xyz += fmt.Sprintf("%s %.3f %.3f %.3f\n", symbol, p.X, p.Y, p.Z)
		fmt.Fprintf(&atoms2, "%10.4f%10.4f%10.4f %-3s 0  0\n", p.X, p.Y, p.Z, symbol)
		fmt.Fprintf(&atoms3, "M  V30 %d %s -\nM  V30 %.3f %.3f %.3f 0\n", i+1, symbol, p.X, p.Y, p.Z)
	}
	r.sdf2000 = fmt.Sprintf("made up\n\n\n%3d  1  0  0  0            999 V2000\n%s  1  2  1  0\nM  END\n$$$$\n", n, atoms2.String())
	r.sdf3000 = fmt.Sprintf("made up\n\n\n  0  0  0  0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS %d 1 0 0 0\nM  V30 BEGIN ATOM\n%sM  V30 END ATOM\nM  V30 BEGIN BOND\nM  V30 1 1 1 2\nM  V30 END BOND\nM  V30 END CTAB\nM  END\n", n, atoms3.String())
	return r
}

// TestFormatsAgree checks that the same atoms give the same solids in all formats. Names may differ in formats
// without residues.
func TestFormatsAgree(t *testing.T) {
	unnamed := func(s *model.Scene) []model.Sphere {
		list := slices.Clone(s.Spheres)
		for i := range list {
			list[i].Name = ""
		}
		return list
	}
	for seed := range uint64(20) {
		r := newRandom(seed, 60)
		for _, style := range []molecule.Style{molecule.SpaceFill, molecule.Sticks, molecule.BallsAndSticks} {
			opt := molecule.Options{Style: style}
			want := read(t, molecule.ReadPDB, r.pdb, opt)
			got := read(t, molecule.ReadMMCIF, r.cif, opt)
			if !slices.Equal(got.Spheres, want.Spheres) || !slices.Equal(got.Capsules, want.Capsules) {
				t.Errorf("seed %d, style %d: mmCIF and PDB differ", seed, style)
			}
			got = read(t, molecule.ReadXYZ, r.xyz, opt)
			if !slices.Equal(unnamed(got), unnamed(want)) || !slices.Equal(got.Capsules, want.Capsules) {
				t.Errorf("seed %d, style %d: XYZ and PDB differ", seed, style)
			}
			two, three := read(t, molecule.ReadSDF, r.sdf2000, opt), read(t, molecule.ReadSDF, r.sdf3000, opt)
			if !slices.Equal(two.Spheres, three.Spheres) || !slices.Equal(two.Capsules, three.Capsules) {
				t.Errorf("seed %d, style %d: the versions of SDF differ", seed, style)
			}
			if style == molecule.SpaceFill && !slices.Equal(unnamed(two), unnamed(want)) {
				t.Errorf("seed %d: SDF and PDB differ", seed)
			}
			if style == molecule.BallsAndSticks && len(two.Capsules) > 2 {
				t.Errorf("seed %d: SDF has %d capsules for its one bond", seed, len(two.Capsules))
			}
		}
	}
}

// TestModels checks the option that selects one of several models, frames or records.
func TestModels(t *testing.T) {
	at := func(x float64) string { return atomLine("ATOM", 1, " C", "", "ALA", "A", 1, geom.Vec3{X: x}, 1, "C") }
	record := func(x float64) string {
		return fmt.Sprintf("t\n\n\n  1  0  0  0  0            999 V2000\n%10.4f%10.4f%10.4f C  \nM  END\n> <field>\nvalue\n\n$$$$\n", x, 0.0, 0.0)
	}
	files := map[string]struct {
		from reader
		text string
	}{
		"pdb":   {molecule.ReadPDB, "MODEL        1\n" + at(1) + "ENDMDL\nMODEL        7\n" + at(2) + "ENDMDL\n"},
		"xyz":   {molecule.ReadXYZ, "1\n\nC 1 0 0\n1\n\nC 2 0 0\n\n"},
		"sdf":   {molecule.ReadSDF, record(1) + record(2)},
		"mmcif": {molecule.ReadMMCIF, "data_x\nloop_\n_atom_site.pdbx_PDB_model_num\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n1 C 1 0 0\n2 C 2 0 0\n"},
	}
	for name, f := range files {
		for wanted, x := range map[int]float64{0: 1, 1: 1, 2: 2} {
			s := read(t, f.from, f.text, molecule.Options{Model: wanted})
			if len(s.Spheres) != 1 || s.Spheres[0].Center.X != x {
				t.Errorf("%s: model %d is %v, want one atom at %g", name, wanted, s.Spheres, x)
			}
		}
		_, err := f.from(model.Source{Name: "m", Text: strings.NewReader(f.text)}, molecule.Options{Model: 3})
		if err == nil || !strings.Contains(err.Error(), "--model: must be at most 2") {
			t.Errorf("%s: model 3 of 2: %v", name, err)
		}
	}
}

// TestExtendedXYZ checks that the comment line determines which columns are the coordinates.
func TestExtendedXYZ(t *testing.T) {
	s := read(t, molecule.ReadXYZ, "1\nLattice=\"1 0 0 0 1 0 0 0 1\" Properties=id:I:1:pos:R:3:species:S:1 t=0\n9 1 2 3 Fe\n", molecule.Options{})
	if s.Spheres[0].Center != (geom.Vec3{X: 1, Y: 2, Z: 3}) || s.Spheres[0].Material != "iron" {
		t.Errorf("the atom is %v", s.Spheres[0])
	}
}

// TestMMCIFBonds checks the sources of bonds in mmCIF: the listed connections, the known residues and, for other
// residues, distances.
func TestMMCIFBonds(t *testing.T) {
	const atoms = `loop_
_atom_site.id
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_comp_id
_atom_site.auth_asym_id
_atom_site.auth_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
1 C C1 LIG A 1 0 0 0
2 C C2 LIG A 1 1.5 0 0
3 C C3 LIG A 1 0.75 1.3 0
4 S SG CYS B 1 9 0 0
5 S SG CYS C 1 13 0 0
`
	const connections = `loop_
_struct_conn.id
_struct_conn.conn_type_id
_struct_conn.ptnr1_auth_asym_id
_struct_conn.ptnr1_auth_seq_id
_struct_conn.ptnr1_label_atom_id
_struct_conn.ptnr2_auth_asym_id
_struct_conn.ptnr2_auth_seq_id
_struct_conn.ptnr2_label_atom_id
_struct_conn.ptnr2_symmetry
1 disulf B 1 SG C 1 SG ?
2 hydrog A 1 C1 C 1 SG ?
3 covale A 1 C1 C 1 SG 2_555
`
	const known = "_chem_comp_bond.comp_id LIG\n_chem_comp_bond.atom_id_1 C1\n_chem_comp_bond.atom_id_2 C2\n"
	for _, c := range []struct {
		text string
		want int
	}{
		{"data_x\n" + atoms, 3},
		{"data_x\n" + connections + atoms, 4},
		{"data_x\n" + atoms + known, 1},
		{"data_x\n" + known + connections + atoms, 2},
		{"data_x\n" + atoms + "data_y\n" + connections + atoms, 3}, // the second block is skipped
	} {
		if s := read(t, molecule.ReadMMCIF, c.text, molecule.Options{Style: molecule.Sticks}); len(s.Capsules) != c.want {
			t.Errorf("%d bonds, want %d, of\n%s", len(s.Capsules), c.want, c.text)
		}
	}
}

// TestBonds compares the bonds found by distance with those of a test of all pairs of atoms.
func TestBonds(t *testing.T) {
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 2))
		const n = 300
		var text strings.Builder
		fmt.Fprintf(&text, "%d\n\n", n)
		at := make([]geom.Vec3, n)
		for i := range at {
			at[i] = geom.Vec3{X: float64(rng.IntN(16000)-8000) / 1000, Y: float64(rng.IntN(16000)-8000) / 1000, Z: float64(rng.IntN(16000)-8000) / 1000}
			fmt.Fprintf(&text, "C %v %v %v\n", at[i].X, at[i].Y, at[i].Z)
		}
		want := 0
		for i := range at {
			for k := range i {
				if d := at[i].Sub(at[k]).Norm(); 0.4 < d && d <= 2*0.76+0.4 {
					want++
				}
			}
		}
		if got := len(read(t, molecule.ReadXYZ, text.String(), molecule.Options{Style: molecule.Sticks}).Capsules); got != want || want == 0 {
			t.Errorf("seed %d: %d bonds, want %d", seed, got, want)
		}
	}
}

// TestCrowd puts thousands of atoms at one place. Not all pairs must be tested for bonds, and a note must say so.
func TestCrowd(t *testing.T) {
	const n = 20_000
	s := read(t, molecule.ReadXYZ, fmt.Sprintf("%d\n\n%s", n, strings.Repeat("C 0 0 0\n", n)), molecule.Options{Style: molecule.Sticks})
	if len(s.Spheres) != n || len(s.Account.Notes()) != 1 {
		t.Errorf("%d spheres, notes %v", len(s.Spheres), s.Account.Notes())
	}
}

func TestErrors(t *testing.T) {
	bad := strings.Replace(glycine(), "   1.460", "   1.4x0", 1)
	cif := newRandom(1, 2).cif
	for _, c := range []struct {
		from       reader
		text, want string
	}{
		{molecule.ReadPDB, bad, `m:3:34: x: must be a number, got "1.4x0"`},
		{molecule.ReadPDB, "ATOM      1  N   GLY A   1\n", "m:1:27: x: missing"},
		{molecule.ReadPDB, "", "m: has no atoms"},
		{molecule.ReadPDB, strings.Repeat("x", 2<<20), "m:1:1: a line must have less than 1048576 bytes"},
		{molecule.ReadXYZ, "two\n", `m:1:1: number of atoms: must be a whole number from 0 to 10000000, got "two"`},
		{molecule.ReadXYZ, "2\n\nC 0 0 0\n", "m:4:1: the file ends before atom 2 of 2"},
		{molecule.ReadXYZ, "1\n\nC 0 0\n", "m:3:6: want an element and three coordinates"},
		{molecule.ReadXYZ, "1\n\nC 0 0 1e400\n", `m:3:7: z: must be finite, got "1e400"`},
		{molecule.ReadXYZ, "1\n\nC 0 0 1e16\n", `m:3:7: z: must be at most 1e+15 in magnitude, got "1e16"`},
		{molecule.ReadSDF, "t\n\n\n  2  0\n    0.0000    0.0000    0.0000 C  \n", "m:6:1: the file ends before atom 2 of 2"},
		{molecule.ReadSDF, "t\n\n\n  1  1\n    0.0000    0.0000    0.0000 C  \n  1  7\n", `m:6:6: second atom: must be a whole number from 1 to 1, got "7"`},
		{molecule.ReadSDF, "", "m: has no atoms"},
		{molecule.ReadSDF, "t\n\n", "m:3:1: the file ends before the comment"},
		{molecule.ReadSDF, "t\n\n\n  0  0  0  0  0            999 V3000\nM  V30 BEGIN ATOM\nM  V30 1 C 0 0 -\n", "m:7:1: the file ends before the continuation of a line"},
		{molecule.ReadMMCIF, cif[:len(cif)-4], "_atom_site.occupancy: the last row of the table has no value for it"},
		{molecule.ReadMMCIF, "data_x\n_a.b 'x\n", `m:2:6: the quotation mark is not closed, got "'x"`},
		{molecule.ReadMMCIF, "data_x\n5\n", `m:2:1: want a name before a value, got "5"`},
		{molecule.ReadMMCIF, "data_x\n_a.b 1 2\n", `m:2:8: _a.b: has two values, got "2"`},
		{molecule.ReadMMCIF, "_a.\x1b[1m 1 2\n", `m:1:11: _a.\x1b[1m: has two values, got "2"`},
		{molecule.ReadMMCIF, "_a." + strings.Repeat("b", 1000) + "\n_c 1\n", "m:2:5: _a." + strings.Repeat("b", 77) + ": has no value"},
		{molecule.ReadMMCIF, "data_x\n_a.b\n;text\n", "the file ends in a text"},
		{molecule.ReadMMCIF, "data_x\nloop_\n_atom_site.id\n1\n", "_atom_site.cartn_x: missing from the table"},
		{molecule.ReadMMCIF, strings.Replace(cif, " 1.0", " ?", 1) + "ATOM 3 C C . ALA B 1 0 zero 0 1.0\n", `_atom_site.cartn_y`},
	} {
		_, err := c.from(model.Source{Name: "m", Text: strings.NewReader(c.text)}, molecule.Options{})
		var place *problem.Error
		if err == nil || !errors.As(err, &place) || !strings.Contains(err.Error(), strings.TrimPrefix(c.want, "_atom_site.cartn_y")) {
			t.Errorf("%.60q: %v, want %s", c.text, err, c.want)
		}
	}
}

// checkAny reads text, which may be any input. It fails the test if reading panics, or if the result cannot be
// written and loaded.
func checkAny(t *testing.T, from reader, text []byte) {
	for _, opt := range []molecule.Options{{}, {Style: molecule.Sticks}, {Style: molecule.BallsAndSticks, Color: molecule.ByResidue, NoHydrogens: true}} {
		s, err := from(model.Source{Name: "m", Text: bytes.NewReader(text)}, opt)
		modeltest.Check(t, s, err)
	}
}

func FuzzPDB(f *testing.F) {
	f.Add([]byte(glycine()))
	f.Add([]byte("MODEL        1\n" + glycine() + "ENDMDL\nCONECT    1    2    3    4    5\n"))
	f.Fuzz(func(t *testing.T, text []byte) { checkAny(t, molecule.ReadPDB, text) })
}

func FuzzMMCIF(f *testing.F) {
	f.Add([]byte(newRandom(1, 12).cif))
	f.Add([]byte("data_x\n_struct.title\n;two\nlines\n;\n_atom_site.Cartn_x 1\n_atom_site.Cartn_y 2 _atom_site.Cartn_z 3 # comment\n"))
	f.Fuzz(func(t *testing.T, text []byte) { checkAny(t, molecule.ReadMMCIF, text) })
}

func FuzzXYZ(f *testing.F) {
	f.Add([]byte(newRandom(1, 12).xyz))
	f.Add([]byte("1\nProperties=species:S:1:pos:R:3\nC 1 2 3\n\n1\n\n6 0 0 0\n"))
	f.Fuzz(func(t *testing.T, text []byte) { checkAny(t, molecule.ReadXYZ, text) })
}

func FuzzSDF(f *testing.F) {
	f.Add([]byte(newRandom(1, 12).sdf2000))
	f.Add([]byte(newRandom(2, 12).sdf3000))
	f.Fuzz(func(t *testing.T, text []byte) { checkAny(t, molecule.ReadSDF, text) })
}

// TestDensePlaces reads thousands of atoms in one place, as no matter has them, beside a water molecule. They must have next
// to no bonds: the pairs of near atoms would take a hundred times the memory of the file, or more. The water keeps its bonds.
func TestDensePlaces(t *testing.T) {
	const n = 4000
	rng := rand.New(rand.NewPCG(3, 4))
	var text strings.Builder
	fmt.Fprintf(&text, "%d\n\nO 90 0 0\nH 90.76 0.59 0\nH 89.24 0.59 0\n", n+3)
	for range n {
		fmt.Fprintf(&text, "C %.3f %.3f %.3f\n", 2*rng.Float64(), 2*rng.Float64(), 2*rng.Float64())
	}
	s := read(t, molecule.ReadXYZ, text.String(), molecule.Options{Style: molecule.Sticks})
	if len(s.Capsules) < 2 || len(s.Capsules) > n {
		t.Errorf("%d parts of bonds, want those of the water and at most one per atom", len(s.Capsules))
	}
	if !slices.ContainsFunc(s.Account.Notes(), func(e *problem.Error) bool { return strings.Contains(e.Message, "crowded place") }) {
		t.Errorf("no note: %v", s.Account.Notes())
	}
}
