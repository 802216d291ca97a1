package molecule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/internal/convert/molecule"
)

// twoChains returns a file with a capped peptide in chain A and a nucleotide in chain B, followed by a free amino acid,
// an ion and water.
func twoChains() string {
	serial := 0
	atom := func(record, name, kind, chain string, number int, element string, b float64) string {
		serial++
		p := geom.Vec3{X: 3 * float64(serial), Y: float64(serial % 3)}
		return fmt.Sprintf("%.60s%6.2f%s", atomLine(record, serial, name, "", kind, chain, number, p, 1, element), b, atomLine(record, serial, name, "", kind, chain, number, p, 1, element)[66:])
	}
	text := atom("HETATM", " C", "ACE", "A", 0, "C", 5)
	for number, kind := range []string{"GLY", "MSE", "XYZ"} { // the last is an unusual amino acid
		for _, name := range []string{" N", " CA", " C", " O"} {
			text += atom("ATOM", name, kind, "A", number+1, strings.TrimSpace(name)[:1], float64(10*(number+1)))
		}
	}
	text += "TER\n" + atom("ATOM", " P", "DG", "B", 1, "P", 1) + atom("ATOM", " C3'", "DG", "B", 1, "C", 1) + "TER\n"
	text += atom("HETATM", " N", "GLY", "A", 9, "N", 2) + atom("HETATM", " CA", "GLY", "A", 9, "C", 2)
	text += atom("HETATM", "NA", "NA", "A", 10, "NA", 3) + atom("HETATM", " O", "HOH", "B", 11, "O", 4)
	return text + "END\n"
}

func TestSelect(t *testing.T) {
	for selection, want := range map[string]int{
		"all":                        19,
		"protein":                    13,
		"nucleic":                    2,
		"ligand":                     3,
		"ion":                        1,
		"water":                      1,
		"residue ACE":                1,
		"number 1-2 and backbone":    10,
		"chain B and not water":      2,
		"element na":                 1,
		"bfactor > 10":               8,
		"serial 1-3":                 3,
		"byres name P":               2,
		"name CA and number 9":       1,
		"within 3.5 of resname HOH":  2,
		"within 3.5 of (chain C, A)": 19,
	} {
		s := read(t, molecule.ReadPDB, twoChains(), molecule.Options{Select: selection})
		if len(s.Spheres) != want {
			t.Errorf("%s: %d atoms, want %d", selection, len(s.Spheres), want)
		}
	}
	s := read(t, molecule.ReadPDB, twoChains(), molecule.Options{Select: "chain A C"})
	if notes := s.Account.Notes(); len(notes) != 1 || notes[0].Error() != `m: warning: --select: column 9: no atom has chain "C"` {
		t.Errorf("the notes are %v", notes)
	}
	for selection, want := range map[string]string{
		"chain Z":         `--select: selects nothing in m: column 7: no atom has chain "Z"`,
		"water and ion":   "--select: selects nothing in m",
		"watre":           `--select: column 1: want a selection such as chain A, ligand or not water, got "watre"; did you mean "water"?`,
		"water and chain": `--select: column 16: want a chain, such as A, but the selection ends`,
	} {
		_, err := molecule.ReadPDB(model.Source{Name: "m", Text: strings.NewReader(twoChains())}, molecule.Options{Select: selection})
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", selection, err, want)
		}
	}
}

// TestSelectCIF checks that a residue in mmCIF counts as a monomer if and only if it has a number in a sequence.
func TestSelectCIF(t *testing.T) {
	text := "data_x\nloop_\n"
	for _, item := range strings.Fields("type_symbol label_atom_id label_comp_id label_asym_id label_seq_id auth_asym_id auth_seq_id Cartn_x Cartn_y Cartn_z B_iso_or_equiv id") {
		text += "_atom_site." + item + "\n"
	}
	text += "C CA GLY A 1 X 5 0 0 0 9 1\nN N NH2 A 2 X 6 3 0 0 9 2\nC CA GLY B . X 7 6 0 0 9 3\nN N GLY B . X 7 6 1 0 9 4\nO O HOH C . X 8 9 0 0 9 5\n"
	for selection, want := range map[string][]string{
		"protein":  {"X.GLY5.CA", "X.NH26.N"},
		"ligand":   {"X.GLY7.CA", "X.GLY7.N"},
		"serial 5": {"X.HOH8.O"},
	} {
		s := read(t, molecule.ReadMMCIF, text, molecule.Options{Select: selection})
		var names []string
		for _, a := range s.Spheres {
			names = append(names, a.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %q, want %q", selection, names, want)
		}
	}
}

// TestSelectBonds checks that a selection keeps the file's bonds between selected atoms.
func TestSelectBonds(t *testing.T) {
	var text strings.Builder
	for i, symbol := range []string{"O", "C", "N", "S"} {
		text.WriteString(atomLine("HETATM", i+1, symbol, "", "LIG", "A", 1, geom.Vec3{X: 10 * float64(i)}, 1, symbol))
	}
	text.WriteString("CONECT    1    2\nCONECT    3    4\nCONECT    2    4\n")
	s := read(t, molecule.ReadPDB, text.String(), molecule.Options{Style: molecule.Sticks, Select: "not element O"})
	if len(s.Capsules) != 4 {
		t.Fatalf("%d capsules, want two for each of two bonds", len(s.Capsules))
	}
	if a, b := s.Capsules[0], s.Capsules[2]; a.A.X != 10 || b.A.X != 20 || s.Capsules[1].B.X != 30 {
		t.Errorf("the bonds are %v", s.Capsules)
	}
}

// TestColors checks colors by B-factor and by position, and the errors for files without the data for them.
func TestColors(t *testing.T) {
	s := read(t, molecule.ReadPDB, twoChains(), molecule.Options{Color: molecule.ByBFactor})
	of := make(map[string]string)
	for _, a := range s.Spheres {
		of[a.Name] = a.Material
	}
	if got, want := of["A.XYZ3.CA"], "B-factor 29.09 to 30"; got != want {
		t.Errorf("the largest B-factor is %q, want %q", got, want)
	}
	if got, want := of["B.DG1.P"], "B-factor 1 to 1.906"; got != want {
		t.Errorf("the smallest B-factor is %q, want %q", got, want)
	}
	s = read(t, molecule.ReadPDB, twoChains(), molecule.Options{Color: molecule.ByPosition, Select: "not residue MSE"})
	for _, a := range s.Spheres {
		of[a.Name] = a.Material
	}
	for name, want := range map[string]string{
		"A.ACE0.C": "position 1 of 32", "A.GLY1.CA": "position 11 of 32", "A.XYZ3.CA": "position 32 of 32", "B.DG1.P": "position 1 of 32", "A.NA10.NA": "sodium",
	} {
		if of[name] != want {
			t.Errorf("%s is %q, want %q", name, of[name], want)
		}
	}
	modeltest.Load(t, s)
	for color, want := range map[molecule.Coloring]string{molecule.ByBFactor: "--color: m has no B-factors", molecule.ByPosition: "--color: m has no residues of chains"} {
		_, err := molecule.ReadXYZ(model.Source{Name: "m", Text: strings.NewReader("1\n\nC 0 0 0\n")}, molecule.Options{Color: color})
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
