package molecule_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/molecule"
	"pillbox/problem"
)

// chargedAtoms returns the same random atoms of a protein, an ion and water in PDB, GRO, PQR and MOL2.
func chargedAtoms(seed uint64) (pdb, gro, pqr, mol2 string) {
	rng := rand.New(rand.NewPCG(seed, 9))
	residues := []struct{ kind, names, symbols string }{
		{"ALA", "N CA C O CB HA HB1", "N C C O C H H"}, {"CYS", "N CA C SG", "N C C S"}, {"CA", "CA", "Ca"}, {"SOL", "OW HW1 HW2", "O H H"},
	}
	var atoms []string
	serial := 0
	for number, r := range residues {
		for i, name := range strings.Fields(r.names) {
			serial++
			p := geom.Vec3{X: float64(rng.IntN(2000)-1000) / 100, Y: float64(rng.IntN(2000)-1000) / 100, Z: float64(rng.IntN(2000)-1000) / 100}
			pdb += atomLine("ATOM", serial, name, "", r.kind, "", number+1, p, 1, "")
			atoms = append(atoms, fmt.Sprintf("%5d%-5s%5s%5d%8.3f%8.3f%8.3f\n", number+1, r.kind, name, serial, p.X/10, p.Y/10, p.Z/10))
			pqr += fmt.Sprintf("ATOM %d %s %s %d %.3f %.3f %.3f 0.25 1.5\n", serial, name, r.kind, number+1, p.X, p.Y, p.Z)
			mol2 += fmt.Sprintf("%d %s %.3f %.3f %.3f %s %d %s%d 0.25\n", serial, name, p.X, p.Y, p.Z, strings.Fields(r.symbols)[i], number+1, r.kind, number+1)
		}
	}
	gro = fmt.Sprintf("title, t= 0.0\n%d\n%s   3.0 3.0 3.0\n", serial, strings.Join(atoms, ""))
	mol2 = fmt.Sprintf("# comment\n@<TRIPOS>MOLECULE\ntitle\n%d 0 0\nSMALL\nUSER_CHARGES\n\n@<TRIPOS>ATOM\n%s", serial, mol2)
	return pdb, gro, pqr, mol2
}

// TestSimulationFormats checks that PDB, GRO, PQR and MOL2 give the same atoms, names, elements and classes of residues.
func TestSimulationFormats(t *testing.T) {
	for seed := range uint64(10) {
		pdb, gro, pqr, mol2 := chargedAtoms(seed)
		for _, selection := range []string{"all", "protein", "ion", "water", "backbone"} {
			opt := molecule.Options{Select: selection, Style: molecule.BallsAndSticks}
			want := read(t, molecule.ReadPDB, pdb, opt)
			for name, got := range map[string]*model.Scene{
				"GRO": read(t, molecule.ReadGRO, gro, opt), "PQR": read(t, molecule.ReadPQR, pqr, opt), "MOL2": read(t, molecule.ReadMOL2, mol2, opt),
			} {
				same := slices.EqualFunc(got.Spheres, want.Spheres, func(a, b model.Sphere) bool {
					return a.Label == b.Label && a.Radius == b.Radius && a.Center.Sub(b.Center).Norm() < 1e-9
				})
				if !same || len(got.Capsules) != len(want.Capsules) {
					t.Errorf("seed %d, %s, %s: %v and %d capsules, want %v and %d", seed, selection, name, got.Spheres, len(got.Capsules), want.Spheres, len(want.Capsules))
				}
			}
		}
	}
}

// TestRadiiAndCharges checks that the radii of PQR files are shown, and that charges color atoms.
func TestRadiiAndCharges(t *testing.T) {
	text := "ATOM      1  N   ALA A1000     -10.000-100.000-100.000  0.10 1.55\nHETATM    2  C1  LIG B   2A      1.0 2.0 3.0 -0.5 0.0 C\nEND\n"
	s := read(t, molecule.ReadPQR, text, molecule.Options{Color: molecule.ByBFactor})
	var got []string
	for _, a := range s.Spheres {
		got = append(got, fmt.Sprint(a.Name, a.Center, a.Radius, a.Material))
	}
	if want := "A.ALA1000.N[-10, -100, -100] 1.55B-factor 0.08125 to 0.1; B.LIG2A.C1[1, 2, 3] 1.77B-factor -0.5 to -0.4813"; strings.Join(got, "; ") != want {
		t.Errorf("%s, want %s", strings.Join(got, "; "), want)
	}
}

// TestGROFrames checks frames, velocities, digits of coordinates, boxes and residue numbers of GRO files.
func TestGROFrames(t *testing.T) {
	frame := func(x float64, box string) string {
		return fmt.Sprintf("frame\n 2\n99999SOL     OW99999%9.4f%9.4f%9.4f  0.1000  0.2000  0.3000\n    0SOL     OW    0%9.4f%9.4f%9.4f  0.1000  0.2000  0.3000\n%s\n", x, 0.0, 0.0, x, 1.0, 0.0, box)
	}
	text := frame(1, "0 0 0") + frame(2, "1 2 3 0 0 0.5 0 0 0") + "\n"
	for wanted, x := range map[int]float64{1: 10, 2: 20} {
		s := read(t, molecule.ReadGRO, text, molecule.Options{Model: wanted, Cell: wanted == 2})
		if len(s.Spheres) != 2 || s.Spheres[1].Center != (geom.Vec3{X: x, Y: 10}) || s.Spheres[0].Name != "SOL99999.OW" {
			t.Errorf("frame %d: %v", wanted, s.Spheres)
		}
		if wanted == 2 && !slices.ContainsFunc(s.Capsules, func(c model.Capsule) bool { return c.A == geom.Vec3{} && c.B == geom.Vec3{X: 5, Y: 20} }) {
			t.Errorf("the edges are %v", s.Capsules)
		}
	}
	full := strings.Replace(frame(1, "X"), "X", "40000.0000050000.0000060000.00000", 1)
	if s := read(t, molecule.ReadGRO, full, molecule.Options{Cell: true}); len(s.Capsules) != 12 {
		t.Errorf("a box that fills its columns has %d edges", len(s.Capsules))
	}
	if _, err := molecule.ReadGRO(model.Source{Name: "m", Text: strings.NewReader(text)}, molecule.Options{Cell: true}); err == nil || err.Error() != "--cell: m has no unit cell" {
		t.Error(err)
	}
}

// TestMOL2 checks molecules, bonds, chains, atom types, lone pairs and continued lines.
func TestMOL2(t *testing.T) {
	text := "@<TRIPOS>MOLECULE\nfirst\n1\n\n@<TRIPOS>ATOM\n1 C1 9 9 9 C.3\n" +
		"@<TRIPOS>MOLECULE\nsecond\n 7 3 2\nPROTEIN\nNO_CHARGES\n\n@<TRIPOS>ATOM\n" +
		"1 CA 0 0 0 C.3 1 GLY7\n2 N 4 0 \\\n 0 N.am 1 GLY7\n\n# comment\n3 CA 8 0 0 ca 2 LIG\n4 C1 12 0 0 CT 2 LIG\n5 LP1 0 1 0 LP 2 LIG\n6 X 16 0 0 Du 2 <0>\n7 Cl 20 0 0 cl 2 LIG\n" +
		"@<TRIPOS>BOND\n1 1 2 am\n2 3 4 ar BACKBONE\n3 4 7 nc\n@<TRIPOS>SUBSTRUCTURE\n1 GLY7 1 RESIDUE 1 A GLY\n2 LIG 3 GROUP 0 **** ****\n@<TRIPOS>CRYSIN\n5 6 7 90 90 90 1 1\n"
	s := read(t, molecule.ReadMOL2, text, molecule.Options{Model: 2, Style: molecule.BallsAndSticks, Cell: true})
	var got []string
	for _, a := range s.Spheres {
		got = append(got, a.Name+" "+a.Material)
	}
	want := "A.GLY7.CA carbon; A.GLY7.N nitrogen; LIG.CA carbon; LIG.C1 carbon; X unknown element; LIG.Cl chlorine"
	if strings.Join(got, "; ") != want || len(s.Capsules) != 12+2+1 || s.Notes[0] != "second" {
		t.Errorf("%s and %d capsules, want %s", strings.Join(got, "; "), len(s.Capsules), want)
	}
	if notes := s.Account.Notes().Error(); !strings.Contains(notes, "1 virtual site skipped") || !strings.Contains(notes, "1 unknown atom") {
		t.Errorf("notes: %s", notes)
	}
}

func TestSimulationErrors(t *testing.T) {
	for _, c := range []struct {
		from       reader
		text, want string
	}{
		{molecule.ReadGRO, "", "m: has no atoms"},
		{molecule.ReadGRO, "t\n", "m:2:1: the file ends before the number of atoms"},
		{molecule.ReadGRO, "t\nx\n", `m:2:1: number of atoms: must be a whole number from 0 to 10000000, got "x"`},
		{molecule.ReadGRO, "t\n2\n    1SOL     OW    1   0.000   0.000   0.000\n", "m:4:1: the file ends before atom 2 of 2"},
		{molecule.ReadGRO, "t\n1\n    1SOL     OW    1   0.000   0.0x0   0.000\n", `m:3:32: y: must be a number, got "0.0x0"`},
		{molecule.ReadGRO, "t\n1\n    1SOL     OW    1\n", "want coordinates with decimal points"},
		{molecule.ReadGRO, "t\n1\n    1SOL     OW    1   0.000   0.000   0.000\n1 2\n", "the box must have 3 or 9 numbers"},
		{molecule.ReadPQR, "ATOM 1 N ALA\n", "m:1:13: want a number, a name, a residue"},
		{molecule.ReadPQR, "ATOM 1 N ALA 1 0 0 x 0 1\n", `m:1:20: z: must be a number, got "x"`},
		{molecule.ReadPQR, "", "m: has no atoms"},
		{molecule.ReadMOL2, "", "m: has no atoms"},
		{molecule.ReadMOL2, "@<TRIPOS>MOLECULE\nt\n2 1\n@<TRIPOS>ATOM\n1 C 0 0 0 C.3\n", "the molecule ends before atom 2 of 2"},
		{molecule.ReadMOL2, "@<TRIPOS>MOLECULE\nt\n1\n@<TRIPOS>ATOM\n1 C 0 0 y C.3\n", `m:5:9: z: must be a number, got "y"`},
		{molecule.ReadMOL2, "@<TRIPOS>MOLECULE\nt\n1\n@<TRIPOS>ATOM\n1 C 0 0\n", "want a number, a name, three coordinates and a type"},
		{molecule.ReadMOL2, "@<TRIPOS>MOLECULE\nt\n0\n@<TRIPOS>ATOM\n1 C 0 0 \\\n", "the file ends before the continuation of a line"},
	} {
		_, err := c.from(model.Source{Name: "m", Text: strings.NewReader(c.text)}, molecule.Options{})
		var place *problem.Error
		if err == nil || !errors.As(err, &place) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %s", c.text, err, c.want)
		}
	}
}

func FuzzGRO(f *testing.F) {
	_, gro, _, _ := chargedAtoms(1)
	f.Add([]byte(gro))
	f.Add([]byte("t\n1\n    1SOL     OW    1 1.0 2.0 3.0\n1 2 3 4 5 6 7 8 9\n"))
	f.Fuzz(func(t *testing.T, text []byte) { checkAny(t, molecule.ReadGRO, text) })
}

func FuzzPQR(f *testing.F) {
	_, _, pqr, _ := chargedAtoms(1)
	f.Add([]byte(pqr))
	f.Add([]byte("HETATM12345 C LIG A1 -1.0 2 3 0.5 1e2 C\n"))
	f.Fuzz(func(t *testing.T, text []byte) { checkAny(t, molecule.ReadPQR, text) })
}

func FuzzMOL2(f *testing.F) {
	_, _, _, mol2 := chargedAtoms(1)
	f.Add([]byte(mol2 + "@<TRIPOS>BOND\n1 1 2 ar\n@<TRIPOS>SUBSTRUCTURE\n1 ALA1 1 RESIDUE 1 A\n@<TRIPOS>CRYSIN\n1 2 3 90 90 90 1 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) { checkAny(t, molecule.ReadMOL2, text) })
}
