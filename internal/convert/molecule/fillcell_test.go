package molecule_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/molecule"
)

// crystalFile returns a CIF file with a cell, operators and atoms, with items of the old or the new dictionary.
func crystalFile(cell [6]float64, operators []string, atoms []string, isNew bool) string {
	text := "data_x\n"
	for i, name := range [...]string{"length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma"} {
		text += fmt.Sprintf("_cell_%s %v\n", name, cell[i])
	}
	if len(operators) > 0 {
		item := "_symmetry_equiv_pos_as_xyz"
		if isNew {
			item = "_space_group_symop_id\n_space_group_symop.operation_xyz"
		}
		text += "loop_\n" + item + "\n"
		for i, o := range operators {
			if isNew {
				text += fmt.Sprint(i+1, " ")
			}
			text += "'" + o + "'\n"
		}
	}
	return text + "loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n" + strings.Join(atoms, "\n") + "\n"
}

// spaceGroups returns operators of some space groups, and whether their cell is hexagonal.
func spaceGroups() map[string][]string {
	cubic := []string{"x,y,z", "-x,-y,z", "-x,y,-z", "x,-y,-z"}
	var all []string
	for _, o := range cubic {
		xyz := strings.Split(o, ",")
		for _, order := range [...][3]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}} {
			for _, center := range [...]string{"+0,+0,+0", "+0,+1/2,+1/2", "+1/2,+0,+1/2", "+1/2,+1/2,+0"} {
				for _, sign := range [...]string{"", "-"} {
					c := strings.Split(center, ",")
					var rows []string
					for i, k := range order {
						rows = append(rows, strings.ReplaceAll(sign+xyz[k]+c[i], "--", "+"))
					}
					all = append(all, strings.Join(rows, ","))
				}
			}
		}
	}
	return map[string][]string{
		"P 1":     nil,
		"P -1":    {"x,y,z", "-x,-y,-z"},
		"P 21/c":  {"x,y,z", "-x,y+1/2,-z+1/2", "-x,-y,-z", "x,1/2-y,0.5+z"},
		"P 31":    {"x, y, z", "-y, x-y, z+1/3", "-x+y, -x, z+2/3"},
		"R 3":     {"X,Y,Z", "-Y,X-Y,Z", "-X+Y,-X,Z", "2/3+X,1/3+Y,1/3+Z", "2/3-Y,1/3+X-Y,1/3+Z", "2/3-X+Y,1/3-X,1/3+Z", "1/3+X,2/3+Y,2/3+Z", "1/3-Y,2/3+X-Y,2/3+Z", "1/3-X+Y,2/3-X,2/3+Z"},
		"F m -3m": all,
	}
}

// cellFor returns a cell that a space group may have.
func cellFor(group string, rng *rand.Rand) [6]float64 {
	a, b, c := 4+10*rng.Float64(), 4+10*rng.Float64(), 4+10*rng.Float64()
	switch group {
	case "P 1", "P -1":
		return [6]float64{a, b, c, 70 + 40*rng.Float64(), 70 + 40*rng.Float64(), 70 + 40*rng.Float64()}
	case "P 21/c":
		return [6]float64{a, b, c, 90, 80 + 40*rng.Float64(), 90}
	case "F m -3m":
		return [6]float64{a, a, a, 90, 90, 90}
	}
	return [6]float64{a, a, c, 90, 90, 120}
}

// imagesInCell lists the different images of a fractional position in the closed cell, by an exhaustive search over
// translations. It evaluates the operators on its own: as text, term by term.
func imagesInCell(operators []string, at [3]float64, edges [3]geom.Vec3) (points []geom.Vec3) {
	if operators == nil {
		operators = []string{"x,y,z"}
	}
	for _, o := range operators {
		var q [3]float64
		for i, row := range strings.Split(strings.ToLower(strings.ReplaceAll(o, " ", "")), ",") {
			for _, term := range strings.Fields(strings.NewReplacer("+", " +", "-", " -").Replace(row)) {
				sign := 1.0
				if term[0] == '-' {
					sign = -1
				}
				term = strings.TrimLeft(term, "+-")
				if k := strings.Index("xyz", term); k >= 0 {
					q[i] += sign * at[k]
				} else if n, d := 0.0, 1.0; true {
					fmt.Sscanf(strings.Replace(term, "/", " ", 1), "%g %g", &n, &d)
					q[i] += sign * n / d
				}
			}
		}
		const most, eps = 4, 1e-6
		for n := range (2*most + 1) * (2*most + 1) * (2*most + 1) {
			f := [3]float64{q[0] + float64(n%9-most), q[1] + float64(n/9%9-most), q[2] + float64(n/81-most)}
			if min(f[0], f[1], f[2]) < -eps || max(f[0], f[1], f[2]) > 1+eps {
				continue
			}
			p := edges[0].Scale(f[0]).Add(edges[1].Scale(f[1])).Add(edges[2].Scale(f[2]))
			if !slices.ContainsFunc(points, func(q geom.Vec3) bool { return p.Sub(q).Norm() < 1e-3 }) {
				points = append(points, p)
			}
		}
	}
	return points
}

// TestFillCell compares the atoms in filled cells with an exhaustive search, for several space groups, general and
// special positions, and cells with oblique angles.
func TestFillCell(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	special := [...]float64{0, 0.5, 0.25, 1, -0.25, 1.0 / 3, 2.0 / 3}
	for group, operators := range spaceGroups() {
		for n := range 12 {
			cell := cellFor(group, rng)
			sites := make([][3]float64, 3)
			var atoms []string
			for i := range sites {
				for k := range sites[i] {
					if sites[i][k] = float64(rng.IntN(72)-24) / 24; n%2 == 0 || rng.IntN(3) == 0 {
						sites[i][k] = special[rng.IntN(len(special))]
					}
				}
				atoms = append(atoms, fmt.Sprintf("C%d %.9f %.9f %.9f", i+1, sites[i][0], sites[i][1], sites[i][2]))
			}
			opt := molecule.Options{Cell: true}
			text := crystalFile(cell, operators, atoms, n%3 == 0)
			s := read(t, molecule.ReadMMCIF, text, opt)
			var edges [3]geom.Vec3
			for i := range edges { // the first edge of each direction begins at the origin
				edges[i] = s.Capsules[4*i].B
			}
			opt.FillCell = true
			s = read(t, molecule.ReadMMCIF, text, opt)
			if len(s.Capsules) != 12 {
				t.Fatalf("%s: %d edges", group, len(s.Capsules))
			}
			total := 0
			for i, site := range sites {
				want := imagesInCell(operators, site, edges)
				total += len(want)
				for _, p := range want {
					got := 0
					for _, b := range s.Spheres {
						if strings.HasPrefix(b.Name, fmt.Sprintf("C%d", i+1)) && b.Center.Sub(p).Norm() < 1e-4 {
							got++
						}
					}
					if got != 1 {
						t.Fatalf("%s: %d atoms at %v, want 1\n%s", group, got, p, text)
					}
				}
			}
			if len(s.Spheres) != total {
				t.Fatalf("%s: %d atoms, want %d\n%s", group, len(s.Spheres), total, text)
			}
		}
	}
}

// TestFillRockSalt fills the cell of rock salt: 14 sodium and 13 chlorine atoms, 54 distances of half an edge, which are
// bonds in this file.
func TestFillRockSalt(t *testing.T) {
	operators := spaceGroups()["F m -3m"]
	text := crystalFile([6]float64{5.64, 5.64, 5.64, 90, 90, 90}, operators, []string{"Na1 0 0 0", "Cl1 0.5 0.5 0.5"}, false)
	s := read(t, molecule.ReadMMCIF, text, molecule.Options{FillCell: true, Style: molecule.BallsAndSticks})
	counts := make(map[string]int)
	for _, b := range s.Spheres {
		counts[b.Material]++
	}
	if counts["sodium"] != 14 || counts["chlorine"] != 13 || len(s.Capsules) != 2*54 {
		t.Errorf("%v, %d halves of bonds; want 14 sodium, 13 chlorine, 108", counts, len(s.Capsules))
	}
}

// TestFillCellTolerance checks the distance below which images are one atom, and below which an atom is on a face: 0.05
// angstrom.
func TestFillCellTolerance(t *testing.T) {
	mirror := []string{"x,y,z", "-x,y,z"}
	for at, want := range map[string]int{
		"0.502 0.3 0.3":  1, // the images are 0.04 apart
		"0.503 0.3 0.3":  2,
		"0.5 0.3 0.004":  2, // 0.04 above a face
		"0.5 0.3 -0.004": 2,
		"0.5 0.3 0.006":  1,
		"0.5 0.3 -0.006": 1,
		"0.5 0.9961 1":   4,
	} {
		text := crystalFile([6]float64{10, 10, 10, 90, 90, 90}, mirror, []string{"C1 " + at}, true)
		if s := read(t, molecule.ReadMMCIF, text, molecule.Options{FillCell: true}); len(s.Spheres) != want {
			t.Errorf("%s: %d atoms, want %d", at, len(s.Spheres), want)
		}
	}
}

// TestFillCellWithoutOperators checks that symmetry that the file states only by name causes a warning, and that
// nothing is derived from the name.
func TestFillCellWithoutOperators(t *testing.T) {
	cubic := [6]float64{10, 10, 10, 90, 90, 90}
	for symbol, warned := range map[string]bool{
		"": false, "_symmetry_space_group_name_H-M 'P 1'\n": false, "_space_group_IT_number 1\n": false,
		"_symmetry_space_group_name_H-M 'P 21/c'\n": true, "_space_group.name_H-M_alt 'F m -3 m'\n": true,
		"_symmetry.space_group_name_H-M 'P 21 21 21'\n": true, "_symmetry_Int_Tables_number 225\n": true,
		"_space_group_name_Hall '-P 2ybc'\n": true, "_space_group_magn.number_BNS 14.75\n": true,
	} {
		text := strings.Replace(crystalFile(cubic, nil, []string{"C1 0 0 0", "O1 0.3 1.4 -0.2"}, false), "data_x\n", "data_x\n"+symbol, 1)
		m, err := molecule.ReadMMCIF(model.Source{Name: "m", Text: strings.NewReader(text)}, molecule.Options{FillCell: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Spheres) != 9 {
			t.Errorf("%q: %d atoms, want 9", symbol, len(m.Spheres))
		}
		says := ""
		if notes := m.Account.Notes(); len(notes) > 0 {
			says = notes.Error()
		}
		if strings.Contains(says, "without its operators") != warned {
			t.Errorf("%q: %s", symbol, says)
		}
	}
}

// TestFillCellOfStructure fills the cell of a structure with Cartesian coordinates, from PDB and mmCIF. Every copy of a
// residue must keep its name and its bonds, and its tube must not continue in another copy.
func TestFillCellOfStructure(t *testing.T) {
	var atoms, cif string
	for i := range 6 {
		at := geom.Vec3{X: 2 + float64(i)*1.5, Y: 3 + 2*float64(i%2), Z: 5}
		atoms += atomLine("ATOM", i+1, " CA", "", "GLY", "A", i+1, at, 1, "C")
		cif += fmt.Sprintf("%d C CA GLY A %d %v %v %v\n", i+1, i+1, at.X, at.Y, at.Z)
	}
	const cryst = "CRYST1   20.000   30.000   40.000  90.00  90.00  90.00 P 2 2 2\n"
	pdb := cryst + atoms + "CONECT    1    2\n"
	remark := "REMARK 290     NNNMMM   OPERATOR\nREMARK 290       1555   X,Y,Z\nREMARK 290       2555   -X,-Y,Z\nREMARK 290       3555   -X+1/2,Y,-Z\nREMARK 290       4555   X+1/2,-Y,-Z\n" +
		"REMARK 290   SMTRY1   1  1.000000  0.000000  0.000000        0.00000\n"
	mmcif := "data_x\n_cell.length_a 20\n_cell.length_b 30\n_cell.length_c 40\n_cell.angle_alpha 90\n_cell.angle_beta 90\n_cell.angle_gamma 90\n" +
		"loop_\n_symmetry_equiv.id\n_symmetry_equiv.pos_as_xyz\n1 X,Y,Z\n2 -X,-Y,Z\n3 1/2-X,Y,-Z\n4 X+1/2,-Y,-Z\n" +
		"loop_\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n" + cif
	for _, c := range []struct {
		from reader
		text string
	}{{molecule.ReadPDB, remark + pdb}, {molecule.ReadMMCIF, mmcif}} {
		if s := read(t, c.from, c.text, molecule.Options{FillCell: true}); len(s.Spheres) != 24 || s.Spheres[6].Name != "A.GLY1.CA" {
			t.Errorf("%d atoms", len(s.Spheres))
		}
		tube := read(t, c.from, c.text, molecule.Options{FillCell: true, Style: molecule.Tube, Color: molecule.ByPosition})
		one := read(t, c.from, c.text, molecule.Options{Style: molecule.Tube, Color: molecule.ByPosition})
		pieces := 4 * len(one.Capsules)
		if len(tube.Capsules) > pieces || len(tube.Capsules) < pieces*3/4 || len(tube.Materials) != len(one.Materials) {
			t.Errorf("%d capsules with %d materials, want at most %d with %d", len(tube.Capsules), len(tube.Materials), pieces, len(one.Materials))
		}
	}
	// The bond in the file is in each copy; it is longer than bonds that are found.
	if s := read(t, molecule.ReadPDB, remark+pdb, molecule.Options{FillCell: true, Style: molecule.Sticks}); len(s.Capsules) != 4 {
		t.Errorf("%d bonds, want 4", len(s.Capsules))
	}
	m, err := molecule.ReadPDB(model.Source{Name: "m", Text: strings.NewReader(pdb)}, molecule.Options{FillCell: true})
	if err != nil || len(m.Spheres) != 6 || !strings.Contains(m.Account.Notes().Error(), `the space group "P 2 2 2" without its operators`) {
		t.Errorf("without remark 290: %v, %v", err, m.Account.Notes())
	}
	// A cell of another format has no symmetry.
	xyz := "2\nLattice=\"4 0 0 1 4 0 0 1 4\" Properties=species:S:1:pos:R:3\nC 0 0 0\nO 2.5 2.5 2\n"
	if s := read(t, molecule.ReadXYZ, xyz, molecule.Options{FillCell: true}); len(s.Spheres) != 9 {
		t.Errorf("%d atoms, want 9", len(s.Spheres))
	}
}

// TestFillCellSpecialBonds checks that all images of a bond to an atom at a special position are shown: zinc on an axis of
// order 2 has two bonds, whether the file lists one or none, and whether distances would reveal it or not.
func TestFillCellSpecialBonds(t *testing.T) {
	remark := "REMARK 290       1555   X,Y,Z\nREMARK 290       2555   -X,-Y,Z\n"
	cryst := "CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 2\n"
	conn := "loop_\n_struct_conn.id\n_struct_conn.conn_type_id\n_struct_conn.ptnr1_label_asym_id\n_struct_conn.ptnr1_label_seq_id\n_struct_conn.ptnr1_label_atom_id\n" +
		"_struct_conn.ptnr2_label_asym_id\n_struct_conn.ptnr2_label_seq_id\n_struct_conn.ptnr2_label_atom_id\nm metalc A 1 ZN B 2 N\n"
	for _, c := range []struct {
		length                float64
		withList, withoutList int // number of bonds
	}{{2, 2, 2}, {3.5, 2, 0}} {
		for _, at := range []geom.Vec3{{X: 10, Y: 10, Z: 5}, {X: -10, Y: 30, Z: 5}} { // x = -10 is merged with 10 by a translation
			zinc, n := at, at.Add(geom.Vec3{X: c.length * 0.6, Y: c.length * 0.8})
			atoms := atomLine("HETATM", 1, "ZN", "", "ZN", "A", 1, zinc, 1, "ZN") + atomLine("HETATM", 2, " N", "", "LIG", "B", 2, n, 1, "N")
			mmcif := "data_x\n_cell.length_a 20\n_cell.length_b 20\n_cell.length_c 20\n_cell.angle_alpha 90\n_cell.angle_beta 90\n_cell.angle_gamma 90\n" +
				"loop_\n_symmetry_equiv.pos_as_xyz\nX,Y,Z\n-X,-Y,Z\n" +
				"loop_\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n" +
				fmt.Sprintf("ZN ZN ZN A 1 %v %v %v\nN N LIG B 2 %v %v %v\n", zinc.X, zinc.Y, zinc.Z, n.X, n.Y, n.Z)
			for _, f := range []struct {
				what string
				from reader
				text string
				want int
			}{
				{"PDB", molecule.ReadPDB, remark + cryst + atoms, c.withoutList}, {"CONECT", molecule.ReadPDB, remark + cryst + atoms + "CONECT    1    2\n", c.withList},
				{"mmCIF", molecule.ReadMMCIF, mmcif, c.withoutList}, {"_struct_conn", molecule.ReadMMCIF, mmcif + conn, c.withList},
			} {
				s := read(t, f.from, f.text, molecule.Options{FillCell: true, Style: molecule.BallsAndSticks})
				if len(s.Spheres) != 3 || len(s.Capsules) != 2*f.want {
					t.Errorf("%s, %v, zinc at %v: %d atoms, %d halves of bonds; want 3, %d", f.what, c.length, at, len(s.Spheres), len(s.Capsules), 2*f.want)
				}
			}
		}
	}
}

// TestFillCellBondsBetweenCopies checks that an atom is bonded to its own image by distance, even if the file lists another
// bond of the atom.
func TestFillCellBondsBetweenCopies(t *testing.T) {
	text := "REMARK 290       1555   X,Y,Z\nREMARK 290       2555   -X,-Y,Z\nCRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 2\n" +
		atomLine("HETATM", 1, " C1", "", "LIG", "A", 1, geom.Vec3{X: 10.7, Y: 10, Z: 5}, 1, "C") +
		atomLine("HETATM", 2, " C2", "", "LIG", "A", 1, geom.Vec3{X: 11.5, Y: 11.2, Z: 5}, 1, "C")
	for _, list := range []string{"", "CONECT    1    2\n"} {
		if s := read(t, molecule.ReadPDB, text+list, molecule.Options{FillCell: true, Style: molecule.Sticks}); len(s.Capsules) != 3 {
			t.Errorf("%q: %d bonds, want 3", list, len(s.Capsules))
		}
	}
}

// TestFillCellConnections checks bonds of the file between symmetry copies, which are too long to be found by distance:
// with operators, with translations only, and with codes that name no copy. Without the copies, there is no bond.
func TestFillCellConnections(t *testing.T) {
	text := "data_x\n_cell.length_a 20\n_cell.length_b 20\n_cell.length_c 20\n_cell.angle_alpha 90\n_cell.angle_beta 90\n_cell.angle_gamma 90\n" +
		"loop_\n_space_group_symop.id\n_space_group_symop.operation_xyz\n1 x,y,z\n2 -x,-y,-z\n" +
		"loop_\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.auth_comp_id\n_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n" +
		"_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\nNA NA NA A 1 3 4 5\nO O LIG B 1 13 12 11\n" +
		"loop_\n_struct_conn.conn_type_id\n_struct_conn.ptnr1_auth_asym_id\n_struct_conn.ptnr1_auth_seq_id\n_struct_conn.ptnr1_label_atom_id\n_struct_conn.ptnr1_symmetry\n" +
		"_struct_conn.ptnr2_auth_asym_id\n_struct_conn.ptnr2_auth_seq_id\n_struct_conn.ptnr2_label_atom_id\n_struct_conn.ptnr2_symmetry\nmetalc A 1 NA "
	for _, c := range []struct {
		row  string
		fill bool
		want []float64 // the squares of the lengths of the bonds
	}{
		{"1_555 B 1 O 1_555", true, []float64{200, 200}}, // once in each copy
		{"1_555 B 1 O ?", false, []float64{200}},
		{"1_555 B 1 O 2_666", true, []float64{48, 48}}, // the oxygen at 7, 8, 9; the inverse bond starts at 17, 16, 15
		{"2_666 B 1 O 1_555", true, []float64{48, 48}},
		{"3_555 B 1 O 4_555", true, nil},
		{"1_555 B 1 O 1_655", true, nil}, // leaves the cell
		{"1_555 B 1 O x", true, nil},
		{"1_555 B 1 O 2_666", false, nil},
	} {
		s := read(t, molecule.ReadMMCIF, text+c.row+"\n", molecule.Options{Style: molecule.BallsAndSticks, FillCell: c.fill})
		var got []float64
		for i := 0; i+1 < len(s.Capsules); i += 2 { // a bond consists of two capsules
			d := s.Capsules[i].A.Sub(s.Capsules[i+1].B)
			got = append(got, math.Round(d.Dot(d)))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s, filled %v: squares of lengths %v, want %v", c.row, c.fill, got, c.want)
		}
	}
}

// TestCellMatrix checks that a matrix that contradicts the standard position of the unit cell is refused, if the position
// matters.
func TestCellMatrix(t *testing.T) {
	const cell = "CRYST1   20.000   30.000   40.000  90.00 100.00  90.00 P 1\n"
	atom := atomLine("HETATM", 1, "ZN", "", "ZN", "A", 1, geom.Vec3{X: 1, Y: 2, Z: 3}, 1, "ZN")
	usual := [3][4]float64{{0.05, 0, 0.008816}, {0, 0.033333, 0}, {0, 0, 0.025386}}
	turned, moved, rounded := usual, usual, usual
	turned[0], turned[1] = [4]float64{0, 0.05, 0.008816}, [4]float64{0.033333, 0, 0}
	moved[1][3] = 0.25
	rounded[2] = [4]float64{0.00001, 0, 0.02538, 0.00001}
	for _, c := range []struct {
		what    string
		matrix  [3][4]float64
		refused bool
	}{{"usual", usual, false}, {"rounded", rounded, false}, {"unknown", [3][4]float64{}, false}, {"turned", turned, true}, {"moved", moved, true}} {
		pdb, cif := cell, "data_x\n_cell.length_a 20\n_cell.length_b 30\n_cell.length_c 40\n_cell.angle_alpha 90\n_cell.angle_beta 100\n_cell.angle_gamma 90\n"
		for i, row := range c.matrix {
			pdb += fmt.Sprintf("SCALE%d    %10.6f%10.6f%10.6f     %10.5f\n", i+1, row[0], row[1], row[2], row[3])
			for k := range 3 {
				cif += fmt.Sprintf("_atom_sites.fract_transf_matrix[%d][%d] %v\n", i+1, k+1, row[k])
			}
			cif += fmt.Sprintf("_atom_sites.fract_transf_vector[%d] %v\n", i+1, row[3])
		}
		cif += "loop_\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\nZN 1 2 3\n"
		for _, f := range []struct {
			read       reader
			text, name string
		}{{molecule.ReadPDB, pdb + atom, "SCALE"}, {molecule.ReadMMCIF, cif, "_atom_sites.fract_transf_matrix"}} {
			for option, opt := range map[string]molecule.Options{"--cell": {Cell: true}, "--fill-cell": {FillCell: true}, "": {}} {
				_, err := f.read(model.Source{Name: "m", Text: strings.NewReader(f.text)}, opt)
				want := fmt.Sprintf("%s: the unit cell of m is not in the standard position, with edge a along x and b in the plane of x and y, according to its %s; remove the matrix if it is wrong", option, f.name)
				if refused := c.refused && option != ""; (err != nil) != refused || refused && err.Error() != want {
					t.Errorf("%s, %s, %s: %v, want %s", c.what, f.name, option, err, want)
				}
			}
		}
	}
}

// TestFillCellErrors checks the messages about invalid operators, cells and options.
func TestFillCellErrors(t *testing.T) {
	cubic := [6]float64{10, 10, 10, 90, 90, 90}
	file := func(operator string) string {
		return crystalFile(cubic, []string{"x,y,z", operator}, []string{"C1 0 0 0"}, false)
	}
	for _, wrong := range []string{"x,y", "x,y,z,", "x,y,w", "x,x,z", "2x,y,z", "x,y,", "x y,y,z", "x,y,z+1/0", "x,y+nan,z", "x,y,z+", "x,y,1e9"} {
		_, err := molecule.ReadMMCIF(model.Source{Name: "m", Text: strings.NewReader(file(wrong))}, molecule.Options{FillCell: true})
		if err == nil || !strings.HasPrefix(err.Error(), "m:11:1: must be a symmetry operator, such as -x,y+1/2,-z") {
			t.Errorf("%q: %v", wrong, err)
		}
		read(t, molecule.ReadMMCIF, file(wrong), molecule.Options{}) // the operators are not needed
	}
	for text, want := range map[string]string{
		crystalFile(cubic, nil, []string{"C1 1e6 0 0"}, false):                                                         "--fill-cell: m has atoms more than 100000 edges away from the unit cell",
		"data_x\nloop_\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\nC 0 0 0\n": "--fill-cell: m has no unit cell",
	} {
		_, err := molecule.ReadMMCIF(model.Source{Name: "m", Text: strings.NewReader(text)}, molecule.Options{FillCell: true})
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	flat := "1\nLattice=\"4 0 0 4 4 0 8 4 0\"\nC 0 0 0\n"
	if _, err := molecule.ReadXYZ(model.Source{Name: "m", Text: strings.NewReader(flat)}, molecule.Options{FillCell: true}); err == nil || err.Error() != "--fill-cell: the edges of the unit cell of m lie in a plane" {
		t.Error(err)
	}
	var many []string
	for i := range 1001 {
		many = append(many, fmt.Sprintf("x,y,z+%d/2000", i))
	}
	if _, err := molecule.ReadMMCIF(model.Source{Name: "m", Text: strings.NewReader(crystalFile(cubic, many, []string{"C1 0 0 0"}, true))}, molecule.Options{FillCell: true}); err == nil || !strings.Contains(err.Error(), "there are more than 1000 symmetry operators") {
		t.Error(err)
	}
	atoms := make([]string, 1001)
	for i := range atoms {
		atoms[i] = fmt.Sprintf("C%d 0 0 0.%04d", i, i)
	}
	_, err := molecule.ReadMMCIF(model.Source{Name: "m", Text: strings.NewReader(crystalFile(cubic, many[:1000], atoms, true))}, molecule.Options{FillCell: true})
	if want := "--fill-cell: m has 1000 symmetry operators; with as many, it must have at most 1000 atoms"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
