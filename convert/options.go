package convert

import (
	"pillbox/internal/convert/mjcf"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/molecule"
	"pillbox/internal/convert/nff"
	"pillbox/internal/convert/urdf"
)

// Options control how files are read. Options of other formats than the file's have no effect.
type Options struct {
	Approximate bool   // show meshes, ellipsoids and cones by solids that contain them
	Fit         int    // the number of solids for each mesh, at most; 0 means 1
	Strict      bool   // an invalid element of a robot is an error; else it is skipped with a warning
	Camera      string // the name of a robot's camera to look through; "": of a model of MuJoCo the first that shows it from outside
	MJCF        MJCF
	Molecule    Molecule
	URDF        URDF
}

// MJCF are the options for models of MuJoCo.
type MJCF struct {
	Groups   []int     // of geoms, 0 to 5; nil: 0, 1 and 2, as in MuJoCo's viewer
	Sites    bool      // show sites as well
	Keyframe string    // the name or the number of a keyframe; "": as the file has the bodies
	QPos     []float64 // positions of joints, instead of a keyframe: all of them, as in mjData.qpos
}

// URDF are the options for robots in URDF.
type URDF struct {
	Visual bool               // convert visual geometry instead of collision geometry
	Joints map[string]float64 // radians or meters by the names of joints; others are at 0, mimics follow
}

// Molecule are the options for molecules.
type Molecule struct {
	Style       Style
	Color       Coloring
	Model       int  // which model, frame or record of the file, from 1; 0: the first
	NoWater     bool // leave out water
	NoHydrogens bool // leave out hydrogen
}

// Style is how atoms and bonds are shown.
type Style uint8

// The styles of molecules.
const (
	SpaceFill      = Style(molecule.SpaceFill)      // atoms with van der Waals radii, no bonds
	Sticks         = Style(molecule.Sticks)         // bonds; atoms without any as small balls
	BallsAndSticks = Style(molecule.BallsAndSticks) // small balls and thin bonds
)

// Coloring is what atoms that have the same color have in common. A file must have the property.
type Coloring uint8

// The colorings of molecules.
const (
	ByElement = Coloring(molecule.ByElement)
	ByChain   = Coloring(molecule.ByChain)
	ByResidue = Coloring(molecule.ByResidue) // the kind of residue
)

func readMJCF(src model.Source, opt Options) (*model.Scene, error) {
	m := opt.MJCF
	return mjcf.Read(src, mjcf.Options{
		Groups: m.Groups, Sites: m.Sites, Keyframe: m.Keyframe, QPos: m.QPos,
		Camera: opt.Camera, Approximate: opt.Approximate, Strict: opt.Strict, Fit: opt.Fit,
	})
}

func readNFF(src model.Source, opt Options) (*model.Scene, error) {
	return nff.Read(src, nff.Options{Approximate: opt.Approximate})
}

func readURDF(src model.Source, opt Options) (*model.Scene, error) {
	return urdf.Read(src, urdf.Options{
		Visual: opt.URDF.Visual, Joints: opt.URDF.Joints,
		Camera: opt.Camera, Approximate: opt.Approximate, Strict: opt.Strict, Fit: opt.Fit,
	})
}

func ofMolecule(read func(model.Source, molecule.Options) (*model.Scene, error)) func(model.Source, Options) (*model.Scene, error) {
	return func(src model.Source, opt Options) (*model.Scene, error) {
		m := opt.Molecule
		return read(src, molecule.Options{
			Style: molecule.Style(m.Style), Color: molecule.Coloring(m.Color),
			Model: m.Model, NoWater: m.NoWater, NoHydrogens: m.NoHydrogens,
		})
	}
}
