package convert

import (
	"fmt"

	"pillbox/internal/convert/mjcf"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/molecule"
	"pillbox/internal/convert/nff"
	"pillbox/internal/convert/urdf"
)

// Options control how files are read. A format ignores the options of other formats.
type Options struct {
	Approximate bool   // replace meshes, ellipsoids and cones by solids that contain them
	Fit         int    // the largest number of solids for each mesh; 0 means 1
	Strict      bool   // an invalid element of a robot is an error; by default it is skipped with a warning
	Camera      string // name of the robot's camera; if "", MJCF uses the first camera that shows the model from outside, URDF a camera that shows everything
	MJCF        MJCF
	Molecule    Molecule
	URDF        URDF
}

// MJCF are the options for models of MuJoCo.
type MJCF struct {
	Groups   []int     // groups of geoms to show, 0 to 5; nil: 0, 1 and 2, as in MuJoCo's viewer
	Ghost    []int     // groups of geoms to show as a ghost, also if Groups does not contain them
	Sites    bool      // show sites as well
	Keyframe string    // name or number of a keyframe; "": bodies are as in the file
	QPos     []float64 // positions of all joints, as in mjData.qpos, instead of a keyframe
}

// URDF are the options for robots in URDF.
type URDF struct {
	Visual bool               // convert visual geometry instead of collision geometry
	Ghost  string             // "collision" or "visual": also show this geometry, as a ghost; or only as a ghost if Visual chooses the same; "": none
	Joints map[string]float64 // positions in radians or meters by joint name; 0 by default; mimic joints follow others
}

// Molecule are the options for molecules.
type Molecule struct {
	Style       Style
	Color       Coloring
	Model       int    // number of the model, frame or record in the file, from 1; 0: the first
	Select      string // which atoms, such as "chain A and not water"; "": all
	Ghost       string // which of the shown atoms get a ghost: a transparent surface of their van der Waals spheres; "": none
	Assembly    string // name of the biological assembly to show; "": the atoms as in the file
	NoWater     bool   // omit water
	NoHydrogens bool   // omit hydrogen
	Cell        bool   // show the edges of the unit cell
	FillCell    bool   // show all symmetry images of the atoms in the unit cell
	NameChains  bool   // label each chain
	NameLigands bool   // label each ligand that has at least two atoms
	Print       bool   // white background, ambient occlusion and antialiasing, for pictures in print
}

// Style selects how atoms and bonds are shown.
type Style uint8

// The styles of molecules.
const (
	SpaceFill      = Style(molecule.SpaceFill)      // atoms with van der Waals radii, no bonds
	Sticks         = Style(molecule.Sticks)         // bonds; atoms without bonds are small balls
	BallsAndSticks = Style(molecule.BallsAndSticks) // small balls and thin bonds
	Tube           = Style(molecule.Tube)           // a smooth tube through each chain; other atoms except water as sticks
)

// Coloring selects the property that determines the color of an atom. The file must contain the property.
type Coloring uint8

// The colorings of molecules.
const (
	ByElement  = Coloring(molecule.ByElement)
	ByChain    = Coloring(molecule.ByChain)
	ByResidue  = Coloring(molecule.ByResidue)  // the kind of residue
	ByBFactor  = Coloring(molecule.ByBFactor)  // the B-factor, or the number that the file contains in its place
	ByPosition = Coloring(molecule.ByPosition) // the position of the residue in its chain
)

// Assembly describes a biological assembly: copies of chains.
type Assembly struct {
	Name    string
	Details string   // such as "author_defined_assembly, dimeric"
	Units   []string // chains that are copied
	Copies  int      // number of copies; if they differ among chains, the largest number
	Atoms   int      // in all copies
}

// Assemblies lists the biological assemblies of a file. The numbers of atoms count only those that the options select.
// It is an error if the format or the file has no assemblies. Other errors are those of [Format.Read].
func (f Format) Assemblies(src Source, opt Options) ([]Assembly, error) {
	if f.assemblies == nil {
		return nil, fmt.Errorf("%s: files of the format %s have no biological assemblies", src.Name, f.Name)
	}
	text, err := decompressed(src.Name, src.Text, f.compressed)
	if err != nil {
		return nil, err
	}
	src.Text = text
	found, err := molecule.Assemblies(model.Source(src), opt.molecule(), *f.assemblies)
	var list []Assembly
	for _, a := range found {
		list = append(list, Assembly(a))
	}
	return list, err
}

func readMJCF(src model.Source, opt Options) (*model.Scene, error) {
	m := opt.MJCF
	return mjcf.Read(src, mjcf.Options{
		Groups: m.Groups, Ghost: m.Ghost, Sites: m.Sites, Keyframe: m.Keyframe, QPos: m.QPos,
		Camera: opt.Camera, Approximate: opt.Approximate, Strict: opt.Strict, Fit: opt.Fit,
	})
}

func readNFF(src model.Source, opt Options) (*model.Scene, error) {
	return nff.Read(src, nff.Options{Approximate: opt.Approximate})
}

func readURDF(src model.Source, opt Options) (*model.Scene, error) {
	return urdf.Read(src, urdf.Options{
		Visual: opt.URDF.Visual, Ghost: opt.URDF.Ghost, Joints: opt.URDF.Joints,
		Camera: opt.Camera, Approximate: opt.Approximate, Strict: opt.Strict, Fit: opt.Fit,
	})
}

// molecule returns the options for package molecule.
func (o *Options) molecule() molecule.Options {
	m := o.Molecule
	return molecule.Options{
		Style: molecule.Style(m.Style), Color: molecule.Coloring(m.Color), Model: m.Model, Select: m.Select, Ghost: m.Ghost, Assembly: m.Assembly,
		NoWater: m.NoWater, NoHydrogens: m.NoHydrogens, Cell: m.Cell, FillCell: m.FillCell, Print: m.Print, NameChains: m.NameChains, NameLigands: m.NameLigands,
	}
}

func ofMolecule(read func(model.Source, molecule.Options) (*model.Scene, error)) func(model.Source, Options) (*model.Scene, error) {
	return func(src model.Source, opt Options) (*model.Scene, error) { return read(src, opt.molecule()) }
}
