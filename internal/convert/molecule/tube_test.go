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
	"pillbox/scene"
	"pillbox/shade"
)

// helix returns a PDB file of n alpha carbons on a helix, and the positions of all n. The file omits the carbons
// with the indices missing. Carbon 1 has an alternate location.
func helix(n int, missing ...int) (string, []geom.Vec3) {
	var text strings.Builder
	var at []geom.Vec3
	for i := range n {
		sin, cos := geom.Angle(100 * float64(i)).SinCos()
		p := geom.Vec3{X: math.Round(2300*cos) / 1000, Y: math.Round(2300*sin) / 1000, Z: 1.5 * float64(i)}
		at = append(at, p)
		skip := false
		for _, m := range missing {
			skip = skip || m == i
		}
		if skip {
			continue
		}
		if i == 1 {
			text.WriteString(atomLine("ATOM", 2*i+1, " CA", "B", "ALA", "A", i+1, p.Add(geom.Vec3{X: 0.5}), 0.3, "C"))
			text.WriteString(atomLine("ATOM", 2*i+1, " CA", "A", "ALA", "A", i+1, p, 0.7, "C"))
			continue
		}
		text.WriteString(atomLine("ATOM", 2*i+1, " CA", "", "ALA", "A", i+1, p, 1, "C"))
	}
	return text.String(), at
}

// TestTube checks that a tube passes through the alpha carbons, is smooth, and has a gap where residues are
// missing.
func TestTube(t *testing.T) {
	text, at := helix(12, 6, 8)
	s := read(t, molecule.ReadPDB, text, molecule.Options{Style: molecule.Tube, Color: molecule.ByPosition})
	if len(s.Capsules) != 8*(5+3-1+0) {
		t.Fatalf("%d capsules, want 8 for each of the 5 steps of the first and the 2 of the last piece", len(s.Capsules))
	}
	if len(s.Spheres) != 1 || s.Spheres[0].Center != at[7] || s.Spheres[0].Name != "A.ALA8.CA" {
		t.Errorf("the lone residue is %v", s.Spheres)
	}
	for i, c := range s.Capsules[:40] {
		if i%8 == 0 && c.A != at[i/8] {
			t.Errorf("piece %d begins at %v, want %v", i, c.A, at[i/8])
		}
		if i > 0 {
			last := s.Capsules[i-1]
			cos := c.B.Sub(c.A).Unit().Dot(last.B.Sub(last.A).Unit())
			if c.A != last.B || cos < 0.89 {
				t.Errorf("piece %d of the tube turns by a cosine of %g", i, cos)
			}
		}
	}
	if first, second := s.Capsules[3].Material, s.Capsules[4].Material; first != "position 1 of 32" || second == first {
		t.Errorf("the colors in the first step are %q and %q", first, second)
	}
	modeltest.Load(t, s)
}

// TestTubeSpline compares the points of the tube with Barry and Goldman's recursion, the definition of its spline.
func TestTubeSpline(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 4))
		var text strings.Builder
		var p [4]geom.Vec3
		for i := range p {
			x := func() float64 { return math.Round(1000*rng.Float64()) / 1000 }
			p[i] = geom.Vec3{X: 3*float64(i) + x(), Y: x(), Z: x()}
			text.WriteString(atomLine("ATOM", i+1, " CA", "", "GLY", "A", i+1, p[i], 1, "C"))
		}
		s := read(t, molecule.ReadPDB, text.String(), molecule.Options{Style: molecule.Tube})
		var knots [4]float64
		for i := range 3 {
			knots[i+1] = knots[i] + math.Sqrt(p[i+1].Sub(p[i]).Norm())
		}
		for n := 1; n < 8; n++ {
			x := knots[1] + float64(n)/8*(knots[2]-knots[1])
			points, order := p[:], 1
			for len(points) > 1 {
				var next []geom.Vec3
				for i := range points[1:] {
					low, high := max(i, 0), i+order
					if order == 3 {
						low, high = 1, 2
					} else if order == 2 {
						low, high = i, i+2
					}
					w := (x - knots[low]) / (knots[high] - knots[low])
					next = append(next, points[i].Scale(1-w).AddScaled(w, points[i+1]))
				}
				points = next
				order++
			}
			if got := s.Capsules[8+n].A; got.Sub(points[0]).Norm() > 1e-12 {
				t.Errorf("seed %d: point %d is %v, want %v", seed, n, got, points[0])
			}
		}
	}
}

// TestTubeOthers checks what the tube style shows besides tubes: ligands and ions, but no water and no side chains.
// Nucleic acids must have tubes, too.
func TestTubeOthers(t *testing.T) {
	var text strings.Builder
	for i := range 3 {
		x := 6.5 * float64(i)
		if i > 0 {
			text.WriteString(atomLine("ATOM", 4*i+1, " P", "", "DA", "B", i+1, geom.Vec3{X: x}, 1, "P"))
		}
		text.WriteString(atomLine("ATOM", 4*i+2, " O5'", "", "DA", "B", i+1, geom.Vec3{X: x + 1.6}, 1, "O"))
		text.WriteString(atomLine("ATOM", 4*i+3, " C3'", "", "DA", "B", i+1, geom.Vec3{X: x + 3, Y: 1}, 1, "C"))
	}
	text.WriteString(atomLine("HETATM", 20, " C1", "", "LIG", "B", 9, geom.Vec3{Y: 9}, 1, "C") + atomLine("HETATM", 21, " O1", "", "LIG", "B", 9, geom.Vec3{Y: 10.4}, 1, "O"))
	text.WriteString(atomLine("HETATM", 22, "MG", "", "MG", "B", 10, geom.Vec3{Y: 20}, 1, "MG") + atomLine("HETATM", 23, " O", "", "HOH", "B", 11, geom.Vec3{Y: 30}, 1, "O"))
	s := read(t, molecule.ReadPDB, text.String(), molecule.Options{Style: molecule.Tube, Color: molecule.ByChain})
	if len(s.Capsules) != 18 || len(s.Spheres) != 1 || s.Spheres[0].Material != "magnesium" {
		t.Errorf("%d capsules and spheres %v, want 16 pieces of the tube, 2 halves of a bond, 1 ion", len(s.Capsules), s.Spheres)
	}
	if c := s.Capsules[0]; c.A != (geom.Vec3{X: 1.6}) || c.Material != "chain B" {
		t.Errorf("the tube begins with %v", c)
	}
	_, err := molecule.ReadXYZ(model.Source{Name: "m", Text: strings.NewReader("1\n\nC 0 0 0\n")}, molecule.Options{Style: molecule.Tube})
	if err == nil || err.Error() != "--style: m has no chains of protein or nucleic acid for tubes" {
		t.Error(err)
	}
}

// TestCell checks the edges of the unit cell, for all formats with cells.
func TestCell(t *testing.T) {
	atom := atomLine("ATOM", 1, " CA", "", "GLY", "A", 1, geom.Vec3{}, 1, "C")
	cif := "data_x\n_cell.length_a 10\n_cell.length_b 20\n_cell.length_c 30\n_cell.angle_alpha 90\n_cell.angle_beta 90\n_cell.angle_gamma 120\n" +
		"loop_\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\nC 0 0 0\n"
	for _, c := range []struct {
		from reader
		text string
	}{
		{molecule.ReadPDB, "CRYST1   10.000   20.000   30.000  90.00  90.00 120.00 P 1\n" + atom},
		{molecule.ReadMMCIF, cif},
		{molecule.ReadXYZ, "1\nLattice=\"10 0 0 -10 17.320508075688775 0 0 0 30\" Properties=species:S:1:pos:R:3\nC 0 0 0\n"},
	} {
		s := read(t, c.from, c.text, molecule.Options{Cell: true})
		lengths := make(map[string]int)
		var far geom.Vec3
		for _, edge := range s.Capsules {
			lengths[fmt.Sprintf("%.6f", edge.B.Sub(edge.A).Norm())]++
			if edge.B.Norm() > far.Norm() {
				far = edge.B
			}
		}
		if len(s.Capsules) != 12 || lengths["10.000000"] != 4 || lengths["20.000000"] != 4 || lengths["30.000000"] != 4 {
			t.Errorf("the edges are %v", lengths)
		}
		if want := (geom.Vec3{X: 0, Y: 20 * math.Sqrt(0.75), Z: 30}); far.Sub(want).Norm() > 1e-9 && far.Sub(geom.Vec3{X: -10, Y: want.Y, Z: 30}).Norm() > 1e-9 {
			t.Errorf("the far corner is %v, want %v", far, want)
		}
	}
	for _, text := range []string{atom, "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1\n" + atom} {
		_, err := molecule.ReadPDB(model.Source{Name: "m", Text: strings.NewReader(text)}, molecule.Options{Cell: true})
		if err == nil || err.Error() != "--cell: m has no unit cell" {
			t.Error(err)
		}
	}
}

// TestPrint checks the scene that the option Print gives: ambient occlusion, antialiasing, a white background, and
// lines along silhouettes only.
func TestPrint(t *testing.T) {
	text, _ := helix(5)
	loaded := modeltest.Load(t, read(t, molecule.ReadPDB, text, molecule.Options{Print: true}))
	white := shade.Color{R: 1, G: 1, B: 1}
	if b := loaded.Image.Background; loaded.Image.Antialias != 3 || b.Top != white || b.Bottom != white || loaded.Shading.Occlusion.Reach() != 10 || len(loaded.Lights) != 1 {
		t.Errorf("the picture is %+v, %+v, %+v, with %d lights", loaded.Image, b, loaded.Shading, len(loaded.Lights))
	}
	if o := loaded.Outline; o == nil || *o != (scene.Outline{Width: 2, Silhouettes: true}) {
		t.Errorf("the outline is %+v, want lines of 2 pixels along silhouettes", o)
	}
	if plain := modeltest.Load(t, read(t, molecule.ReadPDB, text, molecule.Options{})); plain.Outline != nil {
		t.Errorf("the plain look has the outline %+v", plain.Outline)
	}
}

// TestPrintedLabels checks that labels of the look for print have at least 6 points if the picture is printed 85 mm wide.
func TestPrintedLabels(t *testing.T) {
	text, _ := helix(5)
	loaded := modeltest.Load(t, read(t, molecule.ReadPDB, text, molecule.Options{Print: true, NameChains: true}))
	if len(loaded.Annotations.Labels) == 0 {
		t.Fatal("no labels")
	}
	for _, l := range loaded.Annotations.Labels {
		if points := l.Size / float64(loaded.Image.Width) * 85 / 25.4 * 72; points < 6 {
			t.Errorf("label %q has %.2f points, want at least 6", l.Text, points)
		}
	}
}

// TestBases checks the slab and the rod of each base: the slab contains the atoms of the rings, lies in their plane, and
// the rod goes from the tube to its center. A nucleotide without a base has neither.
func TestBases(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 8))
		x := func() float64 { return rng.Float64() - 0.5 }
		turn, _ := geom.RotationAxis(geom.Vec3{X: x(), Y: x(), Z: x()}, geom.Angle(360*x()))
		var text strings.Builder
		var ring []geom.Vec3
		for number := 1; number <= 2; number++ {
			text.WriteString(atomLine("ATOM", 1, " P", "", "DG", "A", number, geom.Vec3{X: 6 * float64(number), Y: 9}, 1, "P"))
			text.WriteString(atomLine("ATOM", 2, " C3'", "", "DG", "A", number, geom.Vec3{X: 6*float64(number) + 1, Y: 8}, 1, "C"))
		}
		for i, name := range []string{" N1", " C2", " N3", " C4", " C5", " C6", " N7", " C8", " N9"} {
			sin, cos := geom.Angle(60 * float64(i)).SinCos()
			p := turn.MulVec(geom.Vec3{X: 1.4*cos + float64(i/6), Y: 1.4 * sin}).Add(geom.Vec3{X: 14, Y: 3})
			ring = append(ring, p)
			text.WriteString(atomLine("ATOM", 3, name, "", "DG", "A", 2, p, 1, name[1:2]))
		}
		s := read(t, molecule.ReadPDB, text.String(), molecule.Options{Style: molecule.Tube, Color: molecule.ByResidue})
		if len(s.Boxes) != 1 || len(s.Capsules) != 8+1 {
			t.Fatalf("seed %d: %d boxes and %d capsules, want 1 and 9", seed, len(s.Boxes), len(s.Capsules))
		}
		b, rod := s.Boxes[0], s.Capsules[8]
		for _, p := range ring {
			q := b.Rotation.Inverse().Rotate(p.Sub(b.Center))
			if math.Abs(q.X) > b.HalfExtents.X-0.49 || math.Abs(q.Y) > b.HalfExtents.Y-0.49 || math.Abs(q.Z) > 0.01 {
				t.Errorf("seed %d: an atom is at %v in a slab of %v", seed, q, b.HalfExtents)
			}
		}
		if rod.A != (geom.Vec3{X: 12, Y: 9}) || rod.B != b.Center || b.Material != "DG" || b.Name != "A.DG2.base" {
			t.Errorf("seed %d: the rod is %v, the slab %v", seed, rod, b)
		}
		modeltest.Load(t, s)
	}
}
