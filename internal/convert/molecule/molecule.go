// Package molecule reads atoms and bonds: PDB, mmCIF, BinaryCIF, XYZ, SDF, GRO, PQR and MOL2.
//
// Atoms become spheres and bonds become capsules. [Options] selects the style, which may omit either of them or show
// chains as tubes. Bonds are those in the file. Where the file contains none, they are found by comparing distances with
// covalent radii. Atoms in residues are named CHAIN.RESIDUE.ATOM, without the parts that the file lacks. Atoms of
// crystals have their labels as names; others are named by element and number. Lengths are in angstrom, as in the files; y is up.
//
// Sources: "Atomic Coordinate Entry Format Version 3.3" (wwPDB) for PDB; Hall, Allen and Brown, "The Crystallographic
// Information File", Acta Cryst. A47 (1991), and the PDBx/mmCIF dictionary for mmCIF; "CTfile Formats" (BIOVIA) for
// SDF, versions 2000 and 3000; the manual of GROMACS for GRO; the documentation of PDB2PQR for PQR; "Tripos Mol2 File
// Format" (Tripos, 2005) for MOL2. XYZ has no specification; its reader accepts what most programs write, and the
// properties of the extended form.
package molecule

import (
	"errors"
	"fmt"
	"slices"

	"pillbox/geom"
	"pillbox/internal/convert/lines"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/selection"
)

// Style selects how atoms and bonds are shown.
type Style uint8

const (
	SpaceFill      Style = iota // atoms with van der Waals radii, no bonds
	Sticks                      // bonds; atoms without bonds as small balls
	BallsAndSticks              // small balls and thin bonds
	Tube                        // a smooth tube through each chain, with slabs for the bases of nucleic acids; other atoms except water as sticks
)

// Coloring selects what the color of an atom depends on.
type Coloring uint8

const (
	ByElement Coloring = iota
	ByChain
	ByResidue  // the kind of residue
	ByBFactor  // from the smallest B-factor of the shown atoms to the largest
	ByPosition // of the residue in its chain, from the first to the last one; ligands and water by element
)

// Options select what of a molecule is shown, and how.
type Options struct {
	Style       Style
	Color       Coloring
	Model       int    // number of the model, frame or record in the file, from 1; 0: the first
	Select      string // which atoms, in the language of package selection; "": all
	Ghost       string // which of the shown atoms get a ghost: their spheres of SpaceFill, in the hull of the scene; "": none
	Assembly    string // name of the biological assembly; "": the atoms as in the file
	NoWater     bool   // omit water
	NoHydrogens bool   // omit hydrogen
	Cell        bool   // show the edges of the unit cell
	FillCell    bool   // show all symmetry images of the atoms in the unit cell
	NameChains  bool   // label each chain
	NameLigands bool   // label each ligand that has at least two atoms
	Print       bool   // white background, ambient occlusion, silhouettes and antialiasing, for pictures in print

	listAssemblies bool // read assemblies although none is chosen
}

// MaxAtoms is the largest number of atoms in a file.
const MaxAtoms = 10_000_000

// format reads one file format.
type format func(*lines.Reader, *molecule) error

// ReadPDB reads a file in the format of the Protein Data Bank. An error concerns the file or an option, or comes from
// src.Text.
func ReadPDB(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in PDB", readPDB)
}

// ReadMMCIF reads a macromolecular Crystallographic Information File. An error concerns the file or an option, or comes
// from src.Text.
func ReadMMCIF(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in mmCIF", readMMCIF)
}

// ReadBinaryCIF reads a file in BinaryCIF, the binary form of mmCIF. An error concerns the file or an option, or comes
// from src.Text.
func ReadBinaryCIF(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in BinaryCIF", readBinaryCIF)
}

// ReadXYZ reads a file of elements and positions. An error concerns the file or an option, or comes from src.Text.
func ReadXYZ(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in XYZ", readXYZ)
}

// ReadSDF reads a structure-data file or a molfile. An error concerns the file or an option, or comes from src.Text.
func ReadSDF(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in SDF", readSDF)
}

// ReadGRO reads a file of GROMACS. An error concerns the file or an option, or comes from src.Text.
func ReadGRO(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in GRO", readGRO)
}

// ReadPQR reads a file of atoms with charges and radii. An error concerns the file or an option, or comes from src.Text.
func ReadPQR(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in PQR", readPQR)
}

// ReadMOL2 reads a file of Tripos. An error concerns the file or an option, or comes from src.Text.
func ReadMOL2(src model.Source, opt Options) (*model.Scene, error) {
	return read(src, opt, "a molecule in MOL2", readMOL2)
}

// Assemblies describes the biological assemblies of a file. It returns an error if the file describes none. Other
// errors concern the file or an option, or come from src.Text.
func Assemblies(src model.Source, opt Options, from Format) ([]Assembly, error) {
	opt.Assembly, opt.listAssemblies = "", true
	m, err := load(src, opt, from.read)
	if err != nil {
		return nil, err
	}
	if len(m.assemblies) == 0 {
		return nil, fmt.Errorf("--assembly: %s describes no biological assemblies", m.file)
	}
	return m.describe()
}

// Format is a format whose files may describe biological assemblies.
type Format struct{ read format }

// The formats with assemblies.
var (
	PDB       = Format{readPDB}
	MMCIF     = Format{readMMCIF}
	BinaryCIF = Format{readBinaryCIF}
)

// load reads the atoms that the options select.
func load(src model.Source, opt Options, from format) (*molecule, error) {
	m := &molecule{
		Options: opt, file: src.Name, wanted: max(1, opt.Model), words: make(map[string]string), symbols: make(map[string]uint8),
		sums: make(map[byte]altSum), hidden: make(map[int32]int32), operators: make(map[string]operator), assemblyAt: make(map[string]int),
	}
	if opt.Select != "" {
		var err error
		if m.selection, err = selection.Parse(opt.Select); err != nil {
			return nil, fmt.Errorf("--select: %w", err)
		}
	}
	if opt.Ghost != "" {
		var err error
		if m.veiled, err = selection.Parse(opt.Ghost); err != nil {
			return nil, fmt.Errorf("--ghost: %w", err)
		}
	}
	m.limited, _ = src.Text.(model.Limited)
	l := lines.New(src.Name, src.Text)
	if err := from(l, m); err != nil {
		return nil, err
	}
	m.endResidue()
	if len(m.atoms) == 0 {
		return nil, m.nothing(l)
	}
	if m.nameElements(); len(m.atoms) == 0 {
		return nil, l.Whole("has no atoms")
	}
	m.classify()
	if err := m.chooseAssembly(); err != nil {
		return nil, err
	}
	return m, m.selectAtoms()
}

func read(src model.Source, opt Options, kind string, from format) (*model.Scene, error) {
	m, err := load(src, opt, from)
	if err != nil {
		return nil, err
	}
	if err := m.checkOptions(); err != nil {
		return nil, err
	}
	if m.FillCell {
		if err := m.fillCell(); err != nil {
			return nil, err
		}
	}
	s := &model.Scene{Source: src.Name + ", " + kind, Tight: true}
	if m.title != "" {
		s.Notes = append(s.Notes, m.title)
	}
	if opt.Select != "" {
		s.Notes = append(s.Notes, "Atoms: "+opt.Select)
	}
	if m.chosen != nil {
		s.Notes = append(s.Notes, "Biological assembly "+m.chosen.name+".")
	}
	if m.FillCell {
		s.Notes = append(s.Notes, fmt.Sprintf("Unit cell filled with %d atoms.", len(m.atoms)))
	}
	if n := m.hiddenAlternates(); n > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("Of atoms in several places the likeliest are shown: %d others are not.", n))
	}
	if m.models > 1 {
		s.Notes = append(s.Notes, fmt.Sprintf("Model %d of %d.", m.wanted, m.models))
	}
	if opt.Print {
		printLook(s)
	}
	return s, m.show(s)
}

// printLook sets the light and the background for a picture in print.
func printLook(s *model.Scene) {
	const (
		antialias = 3
		lines     = 2  // width in pixels
		reach     = 10 // of ambient occlusion in angstrom, several times the size of an atom
	)
	s.Antialias, s.Occlusion, s.Silhouettes = antialias, reach, lines
	s.Background = &model.Gradient{Top: "#ffffff", Bottom: "#ffffff"}
	s.Ambient = &model.Gradient{Top: "#c8c8c8", Bottom: "#b0b0b0"}
	s.Lights = []model.Light{{Attached: true, Directional: true, Vector: geom.Vec3{X: 0.5, Y: -0.8, Z: -0.7}, Intensity: 0.5}}
}

// hiddenAlternates returns the number of atoms of the shown residues that are at less likely alternate locations.
func (m *molecule) hiddenAlternates() (n int) {
	last := int32(noResidue)
	for i := range m.atoms {
		if r := m.atoms[i].residue; r != last && r != noResidue {
			n += int(m.hidden[r])
			last = r
		}
	}
	return n
}

// checkOptions returns an error if the options need something that the shown atoms do not have.
func (m *molecule) checkOptions() error {
	if m.Style == Tube && !slices.ContainsFunc(m.classes, func(c selection.Class) bool { return c&(selection.Protein|selection.Nucleic) != 0 }) {
		return fmt.Errorf("--style: %s has no chains of protein or nucleic acid for tubes", m.file)
	}
	if axes, ok := m.cell.axes(); ok {
		m.edges, m.hasCell = axes, true
	}
	if m.Cell && !m.hasCell {
		return fmt.Errorf("--cell: %s has no unit cell", m.file)
	}
	option := "--cell"
	if m.FillCell {
		option = "--fill-cell"
	}
	switch {
	case (m.Cell || m.FillCell) && m.hasCell && !m.matrix.isOf(m.edges):
		return fmt.Errorf("%s: the unit cell of %s is not in the standard position, with edge a along x and b in the plane of x and y, according to its %s; remove the matrix if it is wrong", option, m.file, m.matrix.name)
	case m.FillCell && !m.hasCell:
		return fmt.Errorf("--fill-cell: %s has no unit cell", m.file)
	case m.FillCell && m.chosen != nil:
		return errors.New("--fill-cell: cannot be combined with --assembly")
	}
	return m.checkColor(m.file)
}

// checkColor returns an error if atoms are to be colored by something that the file does not contain.
func (m *molecule) checkColor(file string) error {
	what := "residues"
	has := func(r residue) bool { return r.chain != "" || r.kind != "" || r.number != "" }
	switch m.Color {
	case ByElement:
		return nil
	case ByBFactor:
		if m.hasBFactors {
			return nil
		}
		return fmt.Errorf("--color: %s has no B-factors", file)
	case ByPosition:
		what = "residues of chains"
	case ByChain:
		if m.Style == Tube {
			return nil // chains without names have the same color
		}
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
	}
	return l.Whole("has no atoms")
}
