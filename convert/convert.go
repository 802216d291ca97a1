// Package convert converts files of other programs to scenes.
//
// A [Format] reads one kind of file into a [Scene], which can be written as a scene file. [Formats] lists all formats.
// Readers limit the size of files. Errors about a place in a file contain its position. [Scene.Notes] lists the
// elements of a file that were skipped or are shown differently.
package convert

import (
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/internal/convert/model"
	"pillbox/internal/convert/molecule"
	"pillbox/problem"
)

// Source is a file to convert.
type Source struct {
	Name   string    // used in messages
	Text   io.Reader // the contents of the file, which may be compressed with gzip
	Folder fs.FS     // the files to which Text may refer; may be nil
	Dir    string    // path of the file's own folder in Folder; "" is Folder itself
	Path   string    // absolute path of Folder, for references with absolute paths; may be empty
}

// Format is a file format.
type Format struct {
	Name       string   // as a user types it
	Title      string   // a short description
	Extensions []string // lower-case, with the dot; files may also have .gz after it

	read       func(model.Source, Options) (*model.Scene, error)
	assemblies *molecule.Format // nil: the format has no biological assemblies
	compressed limits
}

// Formats returns all formats, sorted by name.
func Formats() []Format {
	return []Format{
		{"bcif", "molecules in BinaryCIF", []string{".bcif"}, ofMolecule(molecule.ReadBinaryCIF), &molecule.BinaryCIF, keptWhole},
		{"gro", "molecules of GROMACS", []string{".gro"}, ofMolecule(molecule.ReadGRO), nil, readByLine},
		{"mjcf", "models of MuJoCo", []string{".xml", ".mjcf"}, readMJCF, nil, keptWhole},
		{"mmcif", "molecules in PDBx/mmCIF", []string{".cif", ".mmcif"}, ofMolecule(molecule.ReadMMCIF), &molecule.MMCIF, readByLine},
		{"mol2", "molecules of Tripos", []string{".mol2"}, ofMolecule(molecule.ReadMOL2), nil, readByLine},
		{"nff", "scenes in the Neutral File Format", []string{".nff"}, readNFF, nil, keptWhole},
		{"pdb", "molecules in the format of the Protein Data Bank", []string{".pdb", ".ent"}, ofMolecule(molecule.ReadPDB), &molecule.PDB, readByLine},
		{"pqr", "molecules with charges and radii", []string{".pqr"}, ofMolecule(molecule.ReadPQR), nil, readByLine},
		{"sdf", "molecules in structure-data files and molfiles", []string{".sdf", ".mol"}, ofMolecule(molecule.ReadSDF), nil, readByLine},
		{"urdf", "robots in the Unified Robot Description Format", []string{".urdf"}, readURDF, nil, keptWhole},
		{"xyz", "molecules as elements and positions", []string{".xyz", ".extxyz"}, ofMolecule(molecule.ReadXYZ), nil, readByLine},
	}
}

// Read converts a file. It fails if reading src.Text fails, and then returns that error. Any other error is
// about an option or about the contents of the file; an error about the contents is usually a
// [*problem.Error] or [problem.Errors].
func (f Format) Read(src Source, opt Options) (*Scene, error) {
	text, err := decompressed(src.Name, src.Text, f.compressed)
	if err != nil {
		return nil, err
	}
	src.Text = text
	s, err := f.read(model.Source(src), opt)
	if err != nil {
		return nil, err
	}
	s.File = src.Name
	return &Scene{s}, nil
}

// Scene is a converted scene. It is immutable.
type Scene struct{ model *model.Scene }

// Tables creates the bulk tables of a scene file: files that contain many solids each. With the zero
// value, all solids are written to the scene file itself.
type Tables struct {
	Prefix string // prefix of file names: the scene's name without its extension
	Create func(name string) (io.Writer, error)
}

// Write writes the scene as a scene file to w. If a part has more than a thousand solids of one kind,
// it writes these to bulk tables. It returns an error if there are no solids, if the scene exceeds a
// limit of scene files, or if writing fails. If solids are too far from the origin, the error is a
// [*problem.Error].
func (s *Scene) Write(w io.Writer, tables Tables) error {
	return s.model.Write(w, model.Tables(tables))
}

// Notes returns a warning for each invalid element, and a note for each kind of element that was skipped or is
// shown differently. A note has the place of the first such element.
func (s *Scene) Notes() problem.Errors { return s.model.Account.Notes() }

// Files returns the names, as in messages, of the files that were read in addition to the source.
func (s *Scene) Files() []string { return slices.Clone(s.model.Files) }

// Named returns the format with a name, and false if none exists.
func Named(name string) (Format, bool) {
	return find(func(f Format) bool { return f.Name == name })
}

// ForFile returns the format for a file's extension, and false if none exists. It ignores a final .gz.
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
