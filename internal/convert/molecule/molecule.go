// Package molecule reads atoms and bonds: PDB, mmCIF, XYZ and SDF.
//
// Atoms become spheres and bonds become capsules, in the style given by [Options]. Bonds are those in the
// file; where it contains none, they are found by distance, with covalent radii. Atoms in residues are named
// CHAIN.RESIDUE.ATOM, others by element and number. Lengths are in angstrom, as in the files; y is up.
//
// Sources: "Atomic Coordinate Entry Format Version 3.3" (wwPDB) for PDB; Hall, Allen and Brown, "The
// Crystallographic Information File", Acta Cryst. A47 (1991), and the PDBx/mmCIF dictionary for mmCIF; "CTfile
// Formats" (BIOVIA) for SDF, versions 2000 and 3000. XYZ has no specification; what is read is what most
// programs write, and the properties of the extended form.
package molecule

import (
	"fmt"
	"slices"

	"pillbox/internal/convert/lines"
	"pillbox/internal/convert/model"
)

// Style selects how atoms and bonds are shown.
type Style uint8

const (
	SpaceFill      Style = iota // atoms with van der Waals radii, no bonds
	Sticks                      // bonds; atoms without any as small balls
	BallsAndSticks              // small balls and thin bonds
)

// Coloring selects what the color of an atom depends on.
type Coloring uint8

const (
	ByElement Coloring = iota
	ByChain
	ByResidue // the kind of residue
)

// Options select what of a molecule is shown, and how.
type Options struct {
	Style       Style
	Color       Coloring
	Model       int  // number of the model, frame or record in the file, from 1; 0: the first
	NoWater     bool // omit water
	NoHydrogens bool // omit hydrogen
}

// MaxAtoms is the largest number of atoms in a file.
const MaxAtoms = 10_000_000

// format reads one file format.
type format func(*lines.Reader, *molecule) error

// ReadPDB reads a file in the format of the Protein Data Bank. The error concerns the file or an option, or is that of
// src.Text.
func ReadPDB(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in PDB", readPDB)
}

// ReadMMCIF reads a macromolecular Crystallographic Information File. The error concerns the file or an option, or is that
// of src.Text.
func ReadMMCIF(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in mmCIF", readMMCIF)
}

// ReadXYZ reads a file of elements and positions. The error concerns the file or an option, or is that of src.Text.
func ReadXYZ(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in XYZ", readXYZ)
}

// ReadSDF reads a structure-data file or a molfile. The error concerns the file or an option, or is that of src.Text.
func ReadSDF(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in SDF", readSDF)
}

func read(src model.Source, opt Options, kind string, from format) (*model.Scene, error) {
	m := &molecule{Options: opt, words: make(map[string]string), sums: make(map[byte]altSum)}
	m.wanted, m.file = max(1, opt.Model), src.Name
	l := lines.New(src.Name, src.Text)
	if err := from(l, m); err != nil {
		return nil, err
	}
	m.endResidue()
	if len(m.atoms) == 0 {
		return nil, m.nothing(l)
	}
	if err := m.checkColor(src.Name); err != nil {
		return nil, err
	}
	s := &model.Scene{Source: src.Name + ", " + kind}
	if m.title != "" {
		s.Notes = append(s.Notes, m.title)
	}
	if m.hiddenAlternates > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("Of atoms in several places the likeliest are shown: %d others are not.", m.hiddenAlternates))
	}
	if m.models > 1 {
		s.Notes = append(s.Notes, fmt.Sprintf("Model %d of %d.", m.wanted, m.models))
	}
	m.show(s)
	return s, nil
}

// checkColor returns an error if atoms are to be colored by something that the file does not contain.
func (m *molecule) checkColor(file string) error {
	what := "residues"
	has := func(r residue) bool { return r != residue{} }
	switch m.Color {
	case ByElement:
		return nil
	case ByChain:
		what = "chains"
		has = func(r residue) bool { return r.chain != "" }
	}
	if slices.ContainsFunc(m.residues, has) {
		return nil
	}
	return fmt.Errorf("--color: %s has no %s", file, what)
}

// nothing returns the error for a file without atoms to show.
func (m *molecule) nothing(l *lines.Reader) error {
	switch {
	case m.wanted > m.models && m.models > 0:
		return fmt.Errorf("--model: must be at most %d, the number of models in %s, got %d", m.models, l.Name, m.wanted)
	case m.left > 0:
		return fmt.Errorf("%s: nothing to show: the options skip all atoms", l.Name)
	}
	return l.Whole("has no atoms")
}
