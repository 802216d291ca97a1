// Package convert makes scenes from the files of other programs.
//
// A [Format] reads one kind of file into a [model.Scene], which writes itself as a scene file. Each format
// has a package of its own; [Formats] is the table of all. Readers hold files to limits and say what is
// wrong as a [*scene.Error] with its place; what a scene cannot show is in the scene's account.
package convert

import (
	"path/filepath"
	"slices"
	"strings"

	"pillbox/internal/convert/mjcf"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/molecule"
	"pillbox/internal/convert/nff"
	"pillbox/internal/convert/urdf"
)

// Options control how files are read. Options of other formats than the file's have no effect.
type Options struct {
	Approximate bool // show meshes, ellipsoids and cones by solids that contain them
	Fit         int  // the number of solids for each mesh, at most; 0 means 1
	Strict      bool // an invalid element of a robot is an error; else it is skipped with a warning
	MJCF        mjcf.Options
	Molecule    molecule.Options
	URDF        urdf.Options
}

// Format is a file format.
type Format struct {
	Name       string   // as a user types it
	Title      string   // a short description
	Extensions []string // of files, lower-case, with the dot; each may be followed by .gz

	// Read converts a file, which may be compressed with gzip.
	Read func(model.Source, Options) (*model.Scene, error)
}

// Formats returns all formats, sorted by name.
func Formats() []Format {
	all := []Format{
		{"mjcf", "models of MuJoCo", []string{".xml", ".mjcf"}, readMJCF},
		{"mmcif", "molecules in PDBx/mmCIF", []string{".cif", ".mmcif"}, ofMolecule(molecule.ReadMMCIF)},
		{"nff", "scenes in the Neutral File Format", []string{".nff"}, readNFF},
		{"pdb", "molecules in the format of the Protein Data Bank", []string{".pdb", ".ent"}, ofMolecule(molecule.ReadPDB)},
		{"sdf", "molecules in structure-data files and molfiles", []string{".sdf", ".mol"}, ofMolecule(molecule.ReadSDF)},
		{"urdf", "robots in the Unified Robot Description Format", []string{".urdf"}, readURDF},
		{"xyz", "molecules as elements and positions", []string{".xyz", ".extxyz"}, ofMolecule(molecule.ReadXYZ)},
	}
	for i := range all {
		read := all[i].Read
		all[i].Read = func(src model.Source, opt Options) (*model.Scene, error) {
			text, err := decompressed(src.Text)
			if err != nil {
				return nil, err
			}
			src.Text = text
			return read(src, opt)
		}
	}
	return all
}

func readMJCF(src model.Source, opt Options) (*model.Scene, error) {
	opt.MJCF.Approximate, opt.MJCF.Strict, opt.MJCF.Fit = opt.Approximate, opt.Strict, opt.Fit
	return mjcf.Read(src, opt.MJCF)
}

func readNFF(src model.Source, opt Options) (*model.Scene, error) {
	return nff.Read(src, nff.Options{Approximate: opt.Approximate})
}

func readURDF(src model.Source, opt Options) (*model.Scene, error) {
	opt.URDF.Approximate, opt.URDF.Strict, opt.URDF.Fit = opt.Approximate, opt.Strict, opt.Fit
	return urdf.Read(src, opt.URDF)
}

func ofMolecule(read func(model.Source, molecule.Options) (*model.Scene, error)) func(model.Source, Options) (*model.Scene, error) {
	return func(src model.Source, opt Options) (*model.Scene, error) { return read(src, opt.Molecule) }
}

// Named returns the format with a name, and false if none exists.
func Named(name string) (Format, bool) {
	return find(func(f Format) bool { return f.Name == name })
}

// ForFile returns the format of a file by its extension, in which a final .gz is ignored, and false if no
// format has it.
func ForFile(name string) (Format, bool) {
	extension := strings.ToLower(filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")))
	return find(func(f Format) bool { return slices.Contains(f.Extensions, extension) })
}

func find(is func(Format) bool) (Format, bool) {
	all := Formats()
	i := slices.IndexFunc(all, is)
	if i < 0 {
		return Format{}, false
	}
	return all[i], true
}
