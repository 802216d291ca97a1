package molecule_test

import (
	"math"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/internal/convert/molecule"
)

// TestChainLabelsLieOnTheChain checks that the labels of the strands of a double helix lie on the strands, a radius away
// from the empty axis, and that a label without phosphorus or alpha carbon lies on an atom.
func TestChainLabelsLieOnTheChain(t *testing.T) {
	text, serial := "", 0
	for c, chain := range []string{"A", "B"} {
		for i := range 21 {
			sin, cos := math.Sincos(float64(i)*0.6 + float64(c)*math.Pi)
			for name, radius := range map[string]float64{" P": 10, " N1": 1} {
				serial++
				text += atomLine("ATOM", serial, name, "", "DG", chain, i+1, geom.Vec3{X: radius * cos, Y: radius * sin, Z: 3.4 * float64(i)}, 1, name[1:2])
			}
		}
		text += "TER\n"
	}
	labels := modeltest.Load(t, read(t, molecule.ReadPDB, text, molecule.Options{NameChains: true, Style: molecule.Tube})).Annotations.Labels
	if len(labels) != 2 {
		t.Fatalf("the labels are %+v", labels)
	}
	for i, l := range labels {
		if r := math.Hypot(l.At.X, l.At.Y); l.Text != string(rune('A'+i)) || math.Abs(r-10) > 0.01 || math.Abs(l.At.Z-34) > 10 {
			t.Errorf("the label %s lies at %v, %g from the axis", l.Text, l.At, r)
		}
	}
	if labels[0].At.Sub(labels[1].At).Norm() < 10 {
		t.Errorf("the labels lie at %v and %v", labels[0].At, labels[1].At)
	}
}

// TestLabels checks that labels of chains lie on their middle residues and those of ligands at their centers, and that each copy in an assembly has
// its own labels.
func TestLabels(t *testing.T) {
	text := ""
	for i, x := range []float64{0, 3, 6} {
		text += atomLine("ATOM", i+1, " CA", "", "GLY", "A", i+1, geom.Vec3{X: x}, 1, "C")
	}
	text += "TER\n" + atomLine("HETATM", 4, " C1", "", "LIG", "A", 9, geom.Vec3{Y: 8}, 1, "C") + atomLine("HETATM", 5, " O1", "", "LIG", "A", 9, geom.Vec3{Y: 10}, 1, "O") +
		atomLine("HETATM", 6, "ZN", "", "ZN", "A", 10, geom.Vec3{Y: 20}, 1, "ZN") + atomLine("HETATM", 7, " O", "", "HOH", "A", 11, geom.Vec3{Y: 30}, 1, "O")
	opt := molecule.Options{NameChains: true, NameLigands: true, Style: molecule.Tube}
	loaded := modeltest.Load(t, read(t, molecule.ReadPDB, text, opt))
	labels := loaded.Annotations.Labels
	if len(labels) != 2 || labels[0].Text != "A" || labels[0].At != (geom.Vec3{X: 3}) || labels[1].Text != "LIG 9" || labels[1].At != (geom.Vec3{Y: 9}) || !labels[1].Leader {
		t.Errorf("the labels are %+v", labels)
	}
	remark := "REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"
	for i, shift := range []string{"0", "50"} {
		n := string(rune('1' + i))
		remark += "REMARK 350   BIOMT1 " + n + " 1 0 0 " + shift + "\nREMARK 350   BIOMT2 " + n + " 0 1 0 0\nREMARK 350   BIOMT3 " + n + " 0 0 1 0\n"
	}
	opt.Assembly = "1"
	s := read(t, molecule.ReadPDB, remark+text, opt)
	if len(s.Captions) != 0 || len(s.Places) != 2 || len(s.Places[0].Part.Captions) != 2 {
		t.Errorf("the scene has %d labels, and %d placements", len(s.Captions), len(s.Places))
	}
	modeltest.Load(t, s)
	water := atomLine("HETATM", 7, " O", "", "HOH", "A", 11, geom.Vec3{}, 1, "O")
	for want, opt := range map[string]molecule.Options{"--label: m has no chains with names": {NameChains: true}, "--label: m has no ligands": {NameLigands: true}} {
		if _, err := molecule.ReadPDB(model.Source{Name: "m", Text: strings.NewReader(water)}, opt); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
