package osfile

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/internal/sniff"
)

// A Refusal is the error for an output that would replace a file that the program may not replace.
type Refusal struct {
	Name  string // the output, as the caller named it
	Why   string
	Scene bool // it is replaced if [Outputs.ReplaceScenes] is set
}

func (r *Refusal) Error() string { return "output " + r.Name + " would replace " + r.Why }

// Protect adds inputs: existing files that no output may replace, under any name. It returns a [*Refusal] if an output
// that has been checked is one of them.
func (o *Outputs) Protect(names ...string) error {
	o.rules.Lock()
	defer o.rules.Unlock()
	for _, name := range names {
		if !slices.Contains(o.inputs, name) {
			o.inputs = append(o.inputs, name)
		}
		for _, output := range o.checked {
			if SameTarget(output, name) {
				return replacesInput(output)
			}
		}
	}
	return nil
}

// Expect adds an output that may be written later, so that [Outputs.Protect] refuses to read it. It returns a
// [*Refusal] if the output is an input already.
func (o *Outputs) Expect(name string) error {
	o.rules.Lock()
	defer o.rules.Unlock()
	if !slices.Contains(o.checked, name) {
		o.checked = append(o.checked, name)
	}
	return o.checkInputs(name)
}

// checkInputs returns an error if an output is an input. The caller holds the lock of the rules.
func (o *Outputs) checkInputs(output string) error {
	for _, name := range o.inputs {
		if SameTarget(output, name) {
			return replacesInput(output)
		}
	}
	return nil
}

func replacesInput(output string) error { return &Refusal{Name: output, Why: "the input"} }

// SameTarget reports whether two names refer to the same file, which need not exist.
func SameTarget(a, b string) bool { return Same(a, b) || Canonical(a) == Canonical(b) }

// checkReplace returns an error if an output must not replace the existing regular file that it names.
func (o *Outputs) checkReplace(name string) error {
	o.rules.Lock()
	err := o.checkInputs(name)
	o.rules.Unlock()
	if err != nil {
		return err
	}
	head, err := readHead(name)
	if errors.Is(err, fs.ErrPermission) {
		return nil // a file that only its group may not read, for example, is replaced as its permissions allow
	}
	if err != nil {
		return naming(name, err)
	}
	if len(head) == 0 {
		return nil
	}
	is, want := sniff.Kind(head), KindOf(name)
	if want == "" {
		want = KindOf(Canonical(name))
	}
	switch isText := want == "" || want == sniff.CSV; {
	case want == sniff.TOML:
		return o.checkReplaceTOML(name, head)
	case len(sniff.Git(head)) > 0:
		return nil // nothing is lost: what git leaves is not the file
	case want == is, isText && (is == sniff.JSON || is == sniff.XML), is == "" && !sniff.Recognizes(want):
		return nil
	case is == "":
		is = "a file that is not " + want
	case is == sniff.JSON, is == sniff.XML, is == sniff.HTML, is == sniff.TOML:
		is = "a file in " + is
	}
	return &Refusal{Name: name, Why: is + otherName}
}

// otherName ends a refusal that no flag can change.
const otherName = "; remove it, or choose another name"

// checkReplaceTOML is checkReplace for a TOML file that begins with head.
func (o *Outputs) checkReplaceTOML(name string, head []byte) error {
	is, err := o.isScene(name, head)
	switch {
	case err != nil:
		return naming(name, err)
	case !is:
		return &Refusal{Name: name, Why: "a file that is not a scene" + otherName}
	case !o.ReplaceScenes:
		return &Refusal{name, "an existing TOML file", true}
	}
	return nil
}

// isScene reports whether a file that begins with head is a scene.
func (o *Outputs) isScene(name string, head []byte) (bool, error) {
	if o.IsScene == nil {
		return sniff.Kind(head) == sniff.TOML, nil
	}
	f, err := Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return o.IsScene(f)
}

// CheckFormat returns a [*FormatError] if the extension of an output belongs to another format than the kind that will be
// written, which is one of the names of package sniff. The extension is that of the name and, if this is a link, also that of
// the link's target. Unknown extensions may have any contents.
func CheckFormat(name, kind string) error {
	for _, path := range []string{name, Canonical(name)} {
		if want := KindOf(path); want != "" && want != kind {
			return &FormatError{path, kind, want}
		}
	}
	return nil
}

// A FormatError is the error for an output whose extension belongs to another format than its contents.
type FormatError struct {
	Name       string // the output or, if its name is a link, the target
	Kind, Want string
}

func (e *FormatError) Error() string {
	return "output " + e.Name + " would be " + e.Kind + ", but its extension is for " + e.Want
}

// headBytes is how much of a file is read to recognize its format. The comments before the first key of a TOML file are
// shorter.
const headBytes = 1 << 16

// readHead returns the beginning of a file.
func readHead(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return head[:n], err
}

// KindOf returns the kind that a file has by the extension of its name, one of the names of package sniff, or "" for plain
// text and unknown extensions.
func KindOf(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png":
		return sniff.PNG
	case ".jpg", ".jpeg":
		return sniff.JPEG
	case ".tif", ".tiff":
		return sniff.TIFF
	case ".bmp":
		return sniff.BMP
	case ".gif":
		return sniff.GIF
	case ".mp4":
		return sniff.MP4
	case ".webm":
		return sniff.WebM
	case ".pdf":
		return sniff.PDF
	case ".svg":
		return sniff.SVG
	case ".html", ".htm":
		return sniff.HTML
	case ".xml", ".urdf", ".xacro", ".mjcf", ".sdf", ".dae":
		return sniff.XML
	case ".json", ".jsonl", ".ndjson", ".gltf":
		return sniff.JSON
	case ".glb":
		return sniff.GLTF
	case ".toml":
		return sniff.TOML
	case ".csv":
		return sniff.CSV
	case ".yml", ".yaml":
		return sniff.YAML
	case ".pfm":
		return sniff.PFM
	case ".shard":
		return sniff.Shard
	case ".pov", ".inc":
		return sniff.POVRay
	case ".nff":
		return sniff.NFF
	case ".obj", ".stl", ".ply":
		return sniff.Mesh
	case ".xyz", ".pdb", ".ent", ".cif", ".mmcif", ".extxyz":
		return sniff.Molecule
	case ".bcif":
		return sniff.BinaryCIF
	case ".npy":
		return sniff.NumPy
	case ".npz", ".zip":
		return sniff.ZIP
	case ".gz", ".tgz":
		return sniff.Gzip
	case ".xz":
		return sniff.XZ
	case ".tar":
		return sniff.TarArchive
	}
	return ""
}
