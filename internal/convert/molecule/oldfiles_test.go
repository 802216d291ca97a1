package molecule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/molecule"
)

// elementsOf returns the materials of all spheres in the space-filling style, which are the names of elements.
func elementsOf(s *model.Scene) (names []string) {
	for _, a := range s.Spheres {
		names = append(names, a.Material)
	}
	return names
}

// oldAtom formats a PDB record without an element.
func oldAtom(record string, serial int, name, kind string, number int) string {
	line := atomLine(record, serial, name, "", "KIN", "A", number, geom.Vec3{X: 2 * float64(serial)}, 1, "")
	line = strings.Replace(line, "KIN ", fmt.Sprintf("%3s", kind)+"    "[:4-max(3, len(kind))], 1)
	return strings.TrimRight(line, " \n") + "\n"
}

// TestElementsByResidue checks elements in files without them. The residue decides which elements are possible, however
// the names are aligned.
func TestElementsByResidue(t *testing.T) {
	for _, c := range []struct{ kind, names, want string }{
		{"ALA", "N   ,CA  ,C   ,O   ,CB  ,HA  ,1HB ,HB2 ", "NCCOCHHH"},
		{"LYS", "CD  ,CE  ,NZ  ,HG1 ,HE2 ,HZ1 ,HD22", "CCNHHHH"},
		{"ARG", "NE  ,CD  ,HE  ,HH11,NH1 ", "NCHHN"},
		{"CYS2", "SG  ,HG  ", "SH"},
		{"NALA", "CA  ,H1  ", "CH"},
		{"MSE", "SE  , SE ,CE  ", "SeSeC"},
		{"DA5", "P   ,OP1 ,C5' ,HO5',H5T ,N9  ,CO  ", "POCHHNC"},
		{"RU", "P   ,C1' ", "PC"},
		{"ACE", "CH3 ,HH31", "CH"},
		{"HEM", "FE  , NA , CHA, HHB, CAA", "FeNCHC"},
		{"ATP", "PB  ,O1B ,PA  ,C1' ", "POPC"}, // O1B shows that names are not aligned
		{"LIG", " C1 , CL1, BR , CLA, CU1", "CClBrCCu"},
		{"SOL", "A   ,B1  ,B2  ", "XXX"},
		{"T__", "CA  ,N   ", "CN"},
		{"LIG", "PB  , O1B,PA  , C1'", "PbOPaC"},
		{"LIG", "C1  ,CL1 ,BR  ,CD1 ,NA  ,HG  ,FE  ,SI1 ", "CClBrCNHFeSi"},
		{"LIG", " C1 ,CL1 ,CO  , CO ", "CClCoC"},
		{"LIG", "C1  ,Ca  ,Hg  ", "CCaHg"},
		{"ABC", "CA  ", "C"}, {"UNK", "CA  ", "C"}, {"ABC", "HG  ", "H"}, {"ABC", "CA  ,CD  ,NE  ", "CCN"}, {"ABC", "ZN  ", "Zn"}, // no name shows an alignment
		{"ABC", "CA  , O1 ", "CaO"},
		{"1C9", "CL  , C1 , F21", "ClCF"}, {"35B", " BR1, C1 ", "BrC"}, {"F3S", "FE1 ,FE3 , S1 ", "FeFeS"}, {"N2P", "NA  , C1 ", "NaC"}, // not ions of C, B, F, N
		{"CA", "CA  ", "Ca"}, {"ZN2", "ZN  ", "Zn"}, {"SOD", "SOD ", "Na"}, {"CLA", "CLA ", "Cl"}, {"K+", "K   ", "K"}, {"MG", " MG ", "Mg"},
		{"CD", "CD  ", "Cd"}, {"HG", "HG  ", "Hg"}, {"Na+", "Na+ ", "Na"}, {"ION", "CA  ", "Ca"}, {"CAL", " CAL", "Ca"}, {"RU", "RU  ", "Ru"},
		{"CO3", "C   ,O1  ", "CO"}, {"NO3", "N   ,O1  ", "NO"},
	} {
		text := ""
		for i, name := range strings.Split(c.names, ",") {
			text += oldAtom("ATOM", i+1, name, c.kind, 1)
		}
		got := ""
		for _, name := range elementsOf(read(t, molecule.ReadPDB, text, molecule.Options{})) {
			got += molecule.SymbolOf(name)
		}
		if got != c.want {
			t.Errorf("%s %q: %s, want %s", c.kind, c.names, got, c.want)
		}
	}
}

// TestWrongElementColumn checks that a calcium in an amino acid is a carbon, even if the file states its element.
func TestWrongElementColumn(t *testing.T) {
	text := atomLine("ATOM", 1, "CA", "", "ALA", "A", 1, geom.Vec3{}, 1, "CA") + atomLine("HETATM", 2, "CA", "", "CA", "A", 2, geom.Vec3{X: 9}, 1, "CA")
	if got := elementsOf(read(t, molecule.ReadPDB, text, molecule.Options{})); !slices.Equal(got, []string{"carbon", "calcium"}) {
		t.Errorf("%v", got)
	}
}

// TestVirtualSites checks that points of a force field that are not atoms are skipped with a note, in all formats.
func TestVirtualSites(t *testing.T) {
	water := func(kind string, names ...string) (text string) {
		for i, name := range names {
			text += oldAtom("ATOM", i+1, name, kind, 1)
		}
		return text
	}
	for _, c := range []struct {
		from reader
		text string
		want int
	}{
		{molecule.ReadPDB, water("SOL", " OW ", " HW1", " HW2", " MW "), 3},
		{molecule.ReadPDB, water("WAT", " O  ", " H1 ", " H2 ", "EPW "), 3},
		{molecule.ReadPDB, water("TIP5", " OH2", " H1 ", " H2 ", " LP1", " LP2"), 3},
		{molecule.ReadPDB, water("TIP4", " OH2", " H1 ", " H2 ", " OM "), 3},
		{molecule.ReadPDB, water("HOH", " O  ", " H1 ", " H2 ", " M  "), 3},
		{molecule.ReadPDB, water("ALA", " CA ", " QB ", " MCB"), 1},
		{molecule.ReadXYZ, "4\n\nO 0 0 0\nH 1 0 0\nH 0 1 0\nMW 0.1 0.1 0\n", 3},
		{molecule.ReadSDF, "t\n\n\n  2  0\n    0.0000    0.0000    0.0000 O  \n    0.5000    0.0000    0.0000 LP \nM  END\n", 1},
	} {
		s := read(t, c.from, c.text, molecule.Options{})
		if notes := s.Account.Notes(); len(s.Spheres) != c.want || len(notes) != 1 || !strings.Contains(notes[0].Message, "virtual site") {
			t.Errorf("%d atoms, want %d, and notes %v, of\n%s", len(s.Spheres), c.want, notes, c.text)
		}
	}
}

// TestFramesEndedByEND checks that frames without MODEL records are models, with their own cells, titles and bonds.
func TestFramesEndedByEND(t *testing.T) {
	text := ""
	for frame := range 3 {
		text += fmt.Sprintf("TITLE     frame %d\nCRYST1%9.3f   10.000   10.000  90.00  90.00  90.00\n", frame+1, 10+float64(frame))
		text += atomLine("ATOM", 1, " C", "", "LIG", "A", 1, geom.Vec3{X: float64(frame)}, 1, "C") + atomLine("ATOM", 2, " C", "", "LIG", "A", 1, geom.Vec3{X: 5}, 1, "C")
		if frame == 2 {
			text += "CONECT    1    2\n"
		}
		text += "END\n"
	}
	for wanted := 1; wanted <= 3; wanted++ {
		s := read(t, molecule.ReadPDB, text, molecule.Options{Model: wanted, Cell: true, Style: molecule.BallsAndSticks})
		bonds := 0
		if wanted == 3 {
			bonds = 1
		}
		if len(s.Spheres) != 2 || s.Spheres[0].Center.X != float64(wanted-1) || len(s.Capsules) != 12+bonds || s.Capsules[bonds].B.X != 9+float64(wanted) || s.Notes[0] != fmt.Sprintf("frame %d", wanted) {
			t.Errorf("frame %d: %v, %d capsules, %q", wanted, s.Spheres, len(s.Capsules), s.Notes)
		}
	}
	if _, err := molecule.ReadPDB(model.Source{Name: "m", Text: strings.NewReader(text)}, molecule.Options{Model: 4}); err == nil || !strings.Contains(err.Error(), "must be at most 3") {
		t.Error(err)
	}
}

// TestTERInsideChain checks that a TER record at a gap does not end the polymer.
func TestTERInsideChain(t *testing.T) {
	residue := func(record string, number int) (text string) {
		for i, name := range []string{" N", " CA", " C", " O"} {
			text += atomLine(record, 4*number+i, name, "", "ALA", "A", number, geom.Vec3{X: float64(4*number + i)}, 1, name[1:2])
		}
		return text
	}
	for _, c := range []struct {
		text string
		want int
	}{
		{residue("ATOM", 1) + "TER\n" + residue("ATOM", 2), 8},
		{residue("ATOM", 1) + "TER\n" + residue("ATOM", 2) + "TER\n" + residue("HETATM", 3), 8},
		{residue("ATOM", 1) + "TER\n" + residue("HETATM", 2) + residue("ATOM", 3) + residue("HETATM", 4), 12},
		{residue("ATOM", 1) + "TER\n" + residue("HETATM", 2), 4},
	} {
		if s := read(t, molecule.ReadPDB, c.text, molecule.Options{Select: "protein"}); len(s.Spheres) != c.want {
			t.Errorf("%d atoms of protein, want %d, of\n%s", len(s.Spheres), c.want, c.text)
		}
	}
}

// TestConectNumbers checks CONECT records with numbers of up to six digits in all common layouts.
func TestConectNumbers(t *testing.T) {
	atoms := func(serials ...string) (text string) {
		for i, serial := range serials {
			line := oldAtom("HETATM", 1, " C1 ", "LIG", 1)
			line = fmt.Sprintf("HETATM%-6s%s%8.3f%s", fmt.Sprintf("%5s", serial), line[12:30], 10*float64(i), line[38:])
			text += line
		}
		return text
	}
	shifted := strings.ReplaceAll(atoms("100000", "100001"), " C1  LIG", "  C1  LIG")
	for _, c := range []struct {
		atoms, conect string
		bonds, notes  int
	}{
		{atoms("1", "2"), "CONECT    1    2", 1, 0},
		{atoms("1", "2"), "CONECT    1    2    0                   ", 1, 0},
		{atoms("1", "2"), "CONECT 1 2", 1, 0},
		{atoms("12345", "12346"), "CONECT1234512346", 1, 0},
		{atoms("100000", "100001"), "CONECT100000100001", 1, 0},
		{atoms("100000", "100001"), "CONECT100000 100001", 1, 0},
		{atoms("99999", "100000"), "CONECT 99999100000", 1, 0},
		{atoms("12345", "100000"), "CONECT1234512345", 0, 0},
		{atoms("A0000", "A0001"), "CONECTA0000A0001", 1, 0},
		{atoms("186a0", "186a1"), "CONECT186a0186a1", 1, 0},
		{atoms("1", "2"), "CONECT9999910000199998", 0, 1},
		{atoms("1", "2"), "CONECT*****    2", 0, 0},
		{shifted, "CONECT100000100001", 1, 0},
	} {
		s := read(t, molecule.ReadPDB, c.atoms+c.conect+"\n", molecule.Options{Style: molecule.BallsAndSticks})
		if len(s.Spheres) != 2 || len(s.Capsules) != c.bonds || len(s.Account.Notes()) != c.notes {
			t.Errorf("%s: %d atoms, %d bonds, notes %v; want 2, %d, %d", c.conect, len(s.Spheres), len(s.Capsules), s.Account.Notes(), c.bonds, c.notes)
		}
	}
}

// TestOptionalNumbers checks that occupancies and B-factors that are not numbers count as missing.
func TestOptionalNumbers(t *testing.T) {
	for _, bad := range []string{"inf", "nan", "******", "1e300", "x", ""} {
		line := atomLine("ATOM", 1, " C", "", "ALA", "A", 1, geom.Vec3{}, 1, "C")
		text := fmt.Sprintf("%s%6s%6s%s", line[:54], bad, bad, line[66:])
		if s := read(t, molecule.ReadPDB, text, molecule.Options{Select: "occupancy = 1 and bfactor = 0"}); len(s.Spheres) != 1 {
			t.Errorf("%q: %d atoms", bad, len(s.Spheres))
		}
		if bad == "" {
			bad = "?"
		}
		cif := "data_x\nloop_\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.occupancy\n_atom_site.B_iso_or_equiv\nC 0 0 0 " + bad + " " + bad + "\n"
		if s := read(t, molecule.ReadMMCIF, cif, molecule.Options{Select: "occupancy = 1 and bfactor = 0"}); len(s.Spheres) != 1 {
			t.Errorf("mmCIF: %q: %d atoms", bad, len(s.Spheres))
		}
	}
}

// TestTemplates checks that templates and R-groups of version 3000 are not drawn, and that atom types may be quoted.
func TestTemplates(t *testing.T) {
	table := func(atoms ...string) string {
		text := "M  V30 BEGIN CTAB\nM  V30 COUNTS 9 1 0 0 0\nM  V30 BEGIN ATOM\n"
		for i, atom := range atoms {
			text += fmt.Sprintf("M  V30 %d %s %d 0 0 0\n", i+1, atom, i)
		}
		return text + "M  V30 END ATOM\nM  V30 BEGIN BOND\nM  V30 1 1 1 2\nM  V30 END BOND\nM  V30 BEGIN SGROUP\nM  V30 1 SUP 1 ATOMS=(1 1)\nM  V30 END SGROUP\nM  V30 END CTAB\n"
	}
	text := "t\n\n\n  0  0  0  0  0            999 V3000\n" + table("C", "\"N\"", "'N'", "\"NOT [C, N]\"", "NOT [C, N]", "[C, N]", "\"R#\"", "O") +
		"M  V30 BEGIN TEMPLATE\nM  V30 TEMPLATE 1 AA/Ala/A/\n" + table("C", "N", "O") + "M  V30 END TEMPLATE\n" +
		"M  V30 begin rgroup 1\nM  V30 RLOGIC 0 0 \"\"\n" + table("S", "S") + "M  V30 end rgroup\nM  END\n"
	s := read(t, molecule.ReadSDF, text, molecule.Options{Style: molecule.BallsAndSticks})
	want := "carbon nitrogen nitrogen unknown element unknown element unknown element unknown element oxygen"
	if got := strings.Join(elementsOf(s), " "); got != want || len(s.Capsules) != 2 {
		t.Errorf("%s and %d capsules, want %s and the 2 halves of a bond", got, len(s.Capsules), want)
	}
	template := strings.Replace(text, "M  V30 1 C 0 0 0 0", "M  V30 1 C 0 0 0 0 CLASS=AA", 1)
	if got := read(t, molecule.ReadSDF, template, molecule.Options{}).Spheres[0].Material; got != "unknown element" {
		t.Errorf("an atom that stands for a template is %s", got)
	}
}

// TestTinker checks files in the format of Tinker, with and without a cell, and usual files that resemble them.
func TestTinker(t *testing.T) {
	atoms := "     1  CT    0.0 0.0 0.0    1   2  3\n     2  HC    1.0 0.0 0.0    5   1\n     3  Cl-   9.0 0.0 0.0   7  1\n"
	for _, text := range []string{"3 title\n" + atoms, "     3\n" + atoms, "3 title\n 10.0 20.0 30.0 90.0 90.0 90.0\n" + atoms} {
		s := read(t, molecule.ReadXYZ, text+text, molecule.Options{Style: molecule.BallsAndSticks, Model: 2, Cell: strings.Contains(text, "90.0")})
		if got := strings.Join(elementsOf(s), " "); got != "carbon hydrogen chlorine" || len(s.Capsules)%12 != 4 || s.Spheres[1].Name != "H2" {
			t.Errorf("%q: %s, %d capsules", text, got, len(s.Capsules))
		}
	}
	usual := "1\n1.0 2.0 3.0 90 90 90\nC 0 0 0\n"
	if s := read(t, molecule.ReadXYZ, usual, molecule.Options{}); len(s.Spheres) != 1 || s.Spheres[0].Material != "carbon" {
		t.Errorf("%v", s.Spheres)
	}
}

// TestBlocks checks that the structures of several data blocks are models, each with its own cell, bonds and title.
func TestBlocks(t *testing.T) {
	block := func(n int) string {
		text := fmt.Sprintf("data_%d\n", n)
		for i, item := range []string{"length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma"} {
			text += fmt.Sprintf("_cell.%s %d\n", item, [...]int{10 * n, 90}[i/3])
		}
		return text + "loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nC1 0.5 0 0\n"
	}
	component := "data_comp_L\nloop_\n_chem_comp_atom.atom_id\n_chem_comp_atom.type_symbol\n_chem_comp_atom.x\n_chem_comp_atom.y\n_chem_comp_atom.z\nN N 4 0 0\n"
	text := "data_global\n_audit.x 1\n" + block(1) + block(2) + component + "data_last\nloop_\n_atom_site.id\n1\n"
	for wanted, x := range map[int]float64{0: 5, 1: 5, 2: 10, 3: 4} {
		s := read(t, molecule.ReadMMCIF, text, molecule.Options{Model: wanted})
		notes := s.Account.Notes()
		if len(s.Spheres) != 1 || s.Spheres[0].Center.X != x || (len(notes) == 1) != (wanted == 0) {
			t.Errorf("model %d: %v, notes %v", wanted, s.Spheres, notes)
		}
	}
}

// TestConnectionsOfAlternates checks that a connection applies to its own alternate location and kind of residue only.
func TestConnectionsOfAlternates(t *testing.T) {
	text := "data_x\nloop_\n"
	for _, item := range strings.Fields("id type_symbol label_atom_id label_alt_id label_comp_id auth_asym_id auth_seq_id Cartn_x Cartn_y Cartn_z occupancy") {
		text += "_atom_site." + item + "\n"
	}
	text += "1 S SG A CYS A 1 0 0 0 0.7\n2 S SG B CYS A 1 5 0 0 0.3\n3 S SG . CYS A 2 9 0 0 1\nloop_\n"
	for _, item := range strings.Fields("conn_type_id ptnr1_auth_asym_id ptnr1_auth_comp_id ptnr1_auth_seq_id ptnr1_label_atom_id pdbx_ptnr1_label_alt_id ptnr2_auth_asym_id ptnr2_auth_seq_id ptnr2_label_atom_id") {
		text += "_struct_conn." + item + "\n"
	}
	for connection, want := range map[string]int{"CYS 1 SG A": 1, "CYS 1 SG B": 0, "CYS 1 SG ?": 1, "SEC 1 SG A": 0} {
		if s := read(t, molecule.ReadMMCIF, text+"disulf A "+connection+" A 2 SG\n", molecule.Options{Style: molecule.Sticks}); len(s.Capsules) != want {
			t.Errorf("%s: %d bonds, want %d", connection, len(s.Capsules), want)
		}
	}
}

// TestTubeWithoutChains checks that chains without names have tubes of one color.
func TestTubeWithoutChains(t *testing.T) {
	text, _ := helix(5)
	s := read(t, molecule.ReadPDB, strings.ReplaceAll(text, "ALA A", "ALA  "), molecule.Options{Style: molecule.Tube, Color: molecule.ByChain})
	if len(s.Capsules) != 32 || len(s.Materials) != 1 || s.Materials[0].Name != "chain" {
		t.Errorf("%d capsules, %v", len(s.Capsules), s.Materials)
	}
}
