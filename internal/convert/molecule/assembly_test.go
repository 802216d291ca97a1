package molecule_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/internal/convert/molecule"
)

// motion is a rotation followed by a translation.
type motion struct {
	turn  geom.Mat3
	shift geom.Vec3
}

func (m motion) point(p geom.Vec3) geom.Vec3 { return m.turn.MulVec(p).Add(m.shift) }

// randomMotion returns a random motion m, and the rows of its matrix with six decimals as in files.
func randomMotion(rng *rand.Rand) (m motion, rows [3][4]string) {
	number := func() float64 { return math.Round(rng.NormFloat64()*1e6) / 1e6 }
	m.turn, _ = geom.RotationQuaternion(number(), number(), number(), number())
	m.shift = geom.Vec3{X: 30 * number(), Y: 30 * number(), Z: 30 * number()}
	columns := [4]geom.Vec3{m.turn.X, m.turn.Y, m.turn.Z, m.shift}
	for i := range rows {
		for k, c := range columns {
			rows[i][k] = fmt.Sprintf("%.6f", [3]float64{c.X, c.Y, c.Z}[i])
		}
	}
	return m, rows
}

// chains returns three chains as an mmCIF table and as PDB records. at holds the positions of the atoms by name.
func chains() (cif, pdb string, at map[string]geom.Vec3) {
	at = make(map[string]geom.Vec3)
	cif = "loop_\n"
	for _, item := range strings.Fields("type_symbol label_atom_id label_comp_id label_asym_id auth_asym_id auth_seq_id Cartn_x Cartn_y Cartn_z") {
		cif += "_atom_site." + item + "\n"
	}
	for i, chain := range []string{"A", "B", "C"} {
		p := geom.Vec3{X: 1 + float64(i), Y: 2, Z: float64(i * i)}
		at[chain] = p
		cif += fmt.Sprintf("C CA GLY %s %s 1 %g %g %g\n", chain, chain, p.X, p.Y, p.Z)
		pdb += atomLine("ATOM", i+1, " CA", "", "GLY", chain, 1, p, 1, "C")
	}
	return cif, pdb, at
}

// TestAssembly compares the positions of atoms in random assemblies with those that the test computes from the
// rotations and translations in the file.
func TestAssembly(t *testing.T) {
	cif, pdb, at := chains()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 9))
		var motions [5]motion
		operators := "loop_\n_pdbx_struct_oper_list.id\n"
		for i := range 3 {
			for k := range 3 {
				operators += fmt.Sprintf("_pdbx_struct_oper_list.matrix[%d][%d]\n", i+1, k+1)
			}
			operators += fmt.Sprintf("_pdbx_struct_oper_list.vector[%d]\n", i+1)
		}
		remark := "REMARK 350 BIOMOLECULE: 1\nREMARK 350 AUTHOR DETERMINED BIOLOGICAL UNIT: DIMERIC\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A,\nREMARK 350                    AND CHAINS: B\n"
		names := []string{"1", "2", "P", "X0", "5"}
		for i := range motions {
			m, rows := randomMotion(rng)
			motions[i] = m
			operators += names[i] + "\n"
			for k := range rows {
				operators += strings.Join(rows[k][:], " ") + "\n"
				if i < 2 {
					remark += fmt.Sprintf("REMARK 350   BIOMT%d %3d%10s%10s%10s    %11s\n", k+1, i+1, rows[k][0], rows[k][1], rows[k][2], rows[k][3])
				}
			}
			if i == 1 {
				remark += "REMARK 350 BIOMOLECULE: 2\n"
			}
		}
		generators := "loop_\n_pdbx_struct_assembly_gen.assembly_id\n_pdbx_struct_assembly_gen.oper_expression\n_pdbx_struct_assembly_gen.asym_id_list\n" +
			"1 1,2 A,B\n2 '(1-2)(X0,5)' A\n2 '(P)' C\n3 (1)(2)(P) B\n"
		dimer := map[string][]motion{"A": motions[:2], "B": motions[:2]}
		check(t, molecule.ReadPDB, remark+pdb, "1", at, dimer)
		whole := "data_x\n" + generators + cif + operators
		check(t, molecule.ReadMMCIF, whole, "1", at, dimer)
		product := func(list ...int) motion {
			m := motion{turn: geom.Identity()}
			for _, i := range list {
				m = motion{m.turn.Mul(motions[i].turn), m.point(motions[i].shift)}
			}
			return m
		}
		check(t, molecule.ReadMMCIF, whole, "2", at, map[string][]motion{"A": {product(0, 3), product(0, 4), product(1, 3), product(1, 4)}, "C": {motions[2]}})
		check(t, molecule.ReadMMCIF, whole, "3", at, map[string][]motion{"B": {product(0, 1, 2)}})
	}
}

// check compares the positions of an assembly's atoms with the expected ones. at holds the original positions, and
// want the motions that the assembly applies to each chain.
func check(t *testing.T, from reader, text, assembly string, at map[string]geom.Vec3, want map[string][]motion) {
	t.Helper()
	loaded := modeltest.Load(t, read(t, from, text, molecule.Options{Assembly: assembly}))
	count := 0
	for chain, motions := range want {
		for _, m := range motions {
			count++
			p, near := m.point(at[chain]), false
			for _, s := range loaded.Spheres {
				near = near || s.Center.Sub(p).Norm() < 1e-5*30
			}
			if !near {
				t.Errorf("assembly %s: chain %s has no copy at %v", assembly, chain, p)
			}
		}
	}
	if n := len(loaded.Spheres); n != count {
		t.Errorf("assembly %s: %d atoms, want %d", assembly, n, count)
	}
}

// identities returns a table of n operators, numbered from 1. Operator i is a translation by i - 1 along x.
func identities(n int) string {
	text := "loop_\n_pdbx_struct_oper_list.id\n"
	for i := range 3 {
		for k := range 3 {
			text += fmt.Sprintf("_pdbx_struct_oper_list.matrix[%d][%d]\n", i+1, k+1)
		}
		text += fmt.Sprintf("_pdbx_struct_oper_list.vector[%d]\n", i+1)
	}
	for i := range n {
		text += fmt.Sprintf("%d 1 0 0 %d 0 1 0 0 0 0 1 0\n", i+1, i)
	}
	return text
}

// TestOperatorExpressions checks the number of copies for valid operator expressions, and the errors for invalid
// ones.
func TestOperatorExpressions(t *testing.T) {
	cif, _, _ := chains()
	for expression, want := range map[string]any{
		"1":                       1,
		"1,3,5-8":                 6,
		"(1-60)":                  60,
		"(1-60)(61-88)":           1680,
		"(1,2,(4-6))":             5,
		"(1)(2)(3)":               1,
		"1,1,1":                   1,
		"(1-3),7":                 4,
		"1-1000000000":            "an assembly must have at most 100000 copies of a chain",
		"(1-1000)(1-1000)(1-90)":  "an assembly must have at most 100000 copies of a chain",
		"(1-99999),(1-99999)":     "an assembly must have at most 100000 copies of a chain",
		"":                        "want an operator, such as 1 or 1-60",
		"1,":                      "want an operator, such as 1 or 1-60",
		"(1":                      "a parenthesis is not closed",
		"1)":                      "want a comma between operators",
		"(1)2":                    "want a comma between operators",
		"5-3":                     "a range must have two numbers, the smaller one first",
		"P-Q":                     "a range must have two numbers, the smaller one first",
		"89":                      `the file has no operator "89"`,
		"(((((((((1)))))))))":     "parentheses must nest at most 8 deep",
		strings.Repeat("(1)", 20): "a product must have at most 8 factors",
	} {
		text := fmt.Sprintf("data_x\n_pdbx_struct_assembly_gen.assembly_id 7\n_pdbx_struct_assembly_gen.oper_expression '%s'\n_pdbx_struct_assembly_gen.asym_id_list A\n%s%s", expression, cif, identities(88))
		list, err := molecule.Assemblies(model.Source{Name: "m", Text: strings.NewReader(text)}, molecule.Options{}, molecule.MMCIF)
		if n, ok := want.(int); ok {
			if err != nil || len(list) != 1 || list[0].Copies != n || list[0].Atoms != n || list[0].Name != "7" {
				t.Errorf("%q: %+v, %v; want %d copies", expression, list, err, n)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), "m:3:43: "+want.(string)) {
			t.Errorf("%q: %v, want %s", expression, err, want)
		}
	}
}

func TestAssemblyErrors(t *testing.T) {
	cif, pdb, _ := chains()
	with := func(generator string) string {
		return "data_x\nloop_\n_pdbx_struct_assembly_gen.assembly_id\n_pdbx_struct_assembly_gen.oper_expression\n_pdbx_struct_assembly_gen.asym_id_list\n" + generator + "\n" + cif + identities(2)
	}
	many := "1 1-2 " + strings.Repeat("A,", 100_000) + "A"
	for _, c := range []struct {
		from             reader
		text, name, want string
	}{
		{molecule.ReadPDB, pdb, "1", "--assembly: m describes no biological assemblies"},
		{molecule.ReadMMCIF, with("1 1 A\n2 2 B"), "3", `--assembly: m has no assembly "3"; it has 1 and 2`},
		{molecule.ReadMMCIF, with("1 1 Z"), "1", "--assembly: assembly 1 has no atoms in m"},
		{molecule.ReadMMCIF, strings.Replace(with("1 2 A"), "2 1 0 0 1", "2 -1 0 0 1", 1), "1", "operator 2: must be a rotation and a translation"},
		{molecule.ReadMMCIF, strings.Replace(with("1 2 A"), "2 1 0 0 1", "2 1.1 0 0 1", 1), "1", "operator 2: must be a rotation and a translation"},
		{molecule.ReadMMCIF, strings.Replace(with("1 2 A"), "2 1 0 0 1", "2 1 0 0 nan", 1), "1", "vector[1]: must be finite"},
		{molecule.ReadMMCIF, with(strings.Repeat(many+"\n", 6)), "1", "assemblies must have at most 1000000 copies of chains"},
		{molecule.ReadPDB, "REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\nREMARK 350   BIOMT1   1  1.000000  0.000000\n" + pdb, "1", "m:3:44: want a number, three elements of a matrix and one of a translation"},
		{molecule.ReadPDB, "REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\nREMARK 350   BIOMT1   1  1.000000  0.000000  0 x\n" + pdb, "1", "m:3:48: operator: must be a number"},
	} {
		_, err := c.from(model.Source{Name: "m", Text: strings.NewReader(c.text)}, molecule.Options{Assembly: c.name})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	// A file whose assemblies are invalid can be shown without them.
	if _, err := molecule.ReadMMCIF(model.Source{Name: "m", Text: strings.NewReader(with("1 9 A"))}, molecule.Options{}); err != nil {
		t.Error(err)
	}
}

// TestAssemblyParts checks that chains with the same copies share a part, and that chains that are not moved are
// in the scene itself. If a bond joins atoms of different parts, each part must contain its half of the bond.
func TestAssemblyParts(t *testing.T) {
	text := "data_x\nloop_\n_pdbx_struct_assembly_gen.assembly_id\n_pdbx_struct_assembly_gen.oper_expression\n_pdbx_struct_assembly_gen.asym_id_list\n1 1-3 A\n1 1 B\n1 1,2,3 C\n"
	cif, _, _ := chains()
	s := read(t, molecule.ReadMMCIF, text+cif+identities(3), molecule.Options{Assembly: "1", Style: molecule.BallsAndSticks})
	if len(s.Spheres) != 1 || s.Spheres[0].Name != "B.GLY1.CA" || len(s.Places) != 3 || s.Places[0].Part != s.Places[2].Part || s.Places[2].Name != "3" {
		t.Errorf("the scene has %v and %d placements", s.Spheres, len(s.Places))
	}
	if part := s.Places[0].Part; len(part.Spheres) != 2 {
		t.Errorf("the part has %v", part.Spheres)
	}
	if loaded := modeltest.Load(t, s); loaded.Objects.Len() != 7+3*len(s.Places[0].Part.Capsules)+len(s.Capsules) {
		t.Errorf("%d solids", loaded.Objects.Len())
	}
	// The atoms of A and B are 1.41 apart, so they are bonded.
	if len(s.Capsules) == 0 || len(s.Places[0].Part.Capsules) == 0 {
		t.Errorf("%d and %d halves of bonds", len(s.Capsules), len(s.Places[0].Part.Capsules))
	}
}
