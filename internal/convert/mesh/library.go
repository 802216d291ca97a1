package mesh

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/fit"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

// Library reads the mesh files that a model names, each of them once. It also fits solids to each mesh once. It is not safe
// for concurrent use.
type Library struct {
	Source model.Source
	Scene  *model.Scene // receives the names of the files that are read, and notes
	Fit    fit.Options
	NoRoot bool // the user cannot choose another folder, so messages do not propose it

	opened int // number of files
	meshes map[string]result
	scaled map[scaled]result
	fits   map[*Mesh]fit.Fit

	colors    map[string]model.Color // by the file of a mesh
	noted     map[string]bool        // files of meshes whose skipped elements are noted
	textures  map[string]textureResult
	materials map[string]materialsResult
}

// result is the result of reading a mesh file or of scaling a mesh. It is kept so that neither is done twice.
type result struct {
	mesh *Mesh
	err  error
}

// scaled identifies a mesh: a file and the scale of the mesh.
type scaled struct {
	file  string
	scale geom.Vec3
}

// maxFiles is the largest number of files with meshes, materials and textures of a model.
const maxFiles = 10_000

// Open returns the mesh in the first candidate that exists, scaled along each axis. Candidates are paths in the source's
// folder. The error describes the problem without naming the file.
func (l *Library) Open(scale geom.Vec3, candidates ...string) (*Mesh, error) {
	file, err := l.find(candidates)
	if err != nil {
		return nil, err
	}
	key := scaled{file, scale}
	if r, ok := l.scaled[key]; ok {
		return r.mesh, r.err
	}
	m, err := l.read(file)
	if err == nil {
		m, err = m.Scaled(scale)
	}
	if l.scaled == nil {
		l.scaled = make(map[scaled]result)
	}
	l.scaled[key] = result{m, err}
	return m, err
}

// find returns the first candidate that exists.
func (l *Library) find(candidates []string) (string, error) {
	inside := false
	for _, file := range candidates {
		if !fs.ValidPath(file) || l.Source.Folder == nil {
			continue
		}
		inside = true
		if info, err := fs.Stat(l.Source.Folder, file); err == nil && info.Mode().IsRegular() {
			return file, nil
		}
	}
	reason := "was not found in "
	if !inside {
		reason = "lies outside of "
	}
	switch {
	case l.NoRoot:
		reason += "the mesh's folder"
	case l.Source.HasRoot():
		reason += "the folder of --root"
	default:
		reason += "the model's folder; --root DIR allows another folder"
	}
	return "", errors.New(reason)
}

func (l *Library) read(file string) (*Mesh, error) {
	if r, ok := l.meshes[file]; ok {
		return r.mesh, r.err
	}
	if l.meshes == nil {
		l.meshes = make(map[string]result)
	}
	m, err := l.load(file)
	l.meshes[file] = result{m, err}
	return m, err
}

func (l *Library) load(file string) (*Mesh, error) {
	f, err := l.open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := Read(l.name(file), f)
	if m != nil {
		m.file = file
	}
	var wrong *problem.Error
	if errors.As(err, &wrong) {
		message := wrong.Message
		if wrong.Line > 0 {
			message = fmt.Sprintf("line %d: %s", wrong.Line, message)
		}
		return nil, errors.New(message)
	}
	return m, err
}

// open opens a file in the source's folder, and adds its name to the files of the scene.
func (l *Library) open(file string) (fs.File, error) {
	if l.opened == maxFiles {
		return nil, fmt.Errorf("is one too many: a model has at most %d files with meshes, materials and textures", maxFiles)
	}
	l.opened++
	f, err := l.Source.Folder.Open(file)
	if err != nil {
		return nil, errors.New("cannot be opened")
	}
	l.Scene.Files = append(l.Scene.Files, l.name(file))
	return f, nil
}

// name returns the name of a file in the source's folder for messages.
func (l *Library) name(file string) string {
	name, err := filepath.Rel(filepath.FromSlash(path.Clean(l.Source.Dir)), filepath.FromSlash(file))
	if err != nil {
		name = filepath.FromSlash(file)
	}
	return filepath.Join(filepath.Dir(l.Source.Name), name)
}

// Add fits solids to the mesh m, adds them to part p at a pose, and notes how much larger they are than the
// mesh. The parameter problem is the error that opening the mesh gave. If it is not nil, Add only notes that
// the mesh is skipped. The parameter name is the name of the mesh in the notes.
func (l *Library) Add(p *model.Part, name string, m *Mesh, problem error, at model.Pose, label model.Label, where problem.Error) {
	if problem != nil {
		l.Scene.Account.SkipBecause("mesh", fmt.Sprintf("%s %s", name, problem), where)
		return
	}
	f, ok := l.fits[m]
	if !ok {
		if l.fits == nil {
			l.fits = make(map[*Mesh]fit.Fit)
		}
		f = m.Fit(l.Fit)
		l.fits[m] = f
	}
	if !l.noted[m.file] {
		if l.noted == nil {
			l.noted = make(map[string]bool)
		}
		l.noted[m.file] = true
		m.NoteSkipped(&l.Scene.Account, name, where)
	}
	l.Scene.Account.Note("mesh", fmt.Sprintf("fitted: %s by %s", name, Describe(&f)), where)
	AddSolids(p, &f, at, label)
}

// Scaled returns the mesh with its coordinates multiplied by a scale along each axis. If the scale mirrors the mesh, Scaled
// also reverses the triangles, so that they still face outward.
func (m *Mesh) Scaled(scale geom.Vec3) (*Mesh, error) {
	s, err := m.Moved(func(p geom.Vec3) geom.Vec3 {
		return geom.Vec3{X: float64(p.X * scale.X), Y: float64(p.Y * scale.Y), Z: float64(p.Z * scale.Z)}
	})
	if err == nil && float64(scale.X*scale.Y)*scale.Z < 0 {
		s.Triangles = slices.Clone(m.Triangles)
		for i := range s.Triangles {
			t := &s.Triangles[i]
			t[1], t[2] = t[2], t[1]
		}
	}
	return s, err
}

// Moved returns the mesh with move applied to every vertex. It shares the triangles. It returns an error if a
// coordinate becomes too large.
func (m *Mesh) Moved(move func(geom.Vec3) geom.Vec3) (*Mesh, error) {
	moved := &Mesh{Vertices: make([]geom.Vec3, len(m.Vertices)), Triangles: m.Triangles, Skipped: m.Skipped, surfaces: m.surfaces, libraries: m.libraries, file: m.file}
	for i, p := range m.Vertices {
		moved.Vertices[i] = move(p)
		if !geom.IsCoordinate(moved.Vertices[i]) {
			return nil, fmt.Errorf("is too large: coordinates must be at most %g in magnitude", geom.MaxCoordinate)
		}
	}
	return moved, nil
}

// Fit fits solids to the mesh.
func (m *Mesh) Fit(opt fit.Options) fit.Fit { return fit.Mesh(m.Vertices, m.Triangles, opt) }

// Describe describes the fit of a mesh: "a capsule of 1.31 times its volume".
func Describe(f *fit.Fit) string {
	what := "a " + f.Solids[0].Kind.String()
	if n := len(f.Solids); n > 1 {
		what = fmt.Sprintf("%d solids", n)
	}
	ratio, ok := f.Ratio()
	of := "its volume"
	switch {
	case !ok:
		return what + "; it is flat"
	case !f.Closed:
		of = "the volume of its convex hull (its triangles do not bound one volume)"
	}
	return fmt.Sprintf("%s of %.2f times %s", what, ratio, of)
}

// AddSolids adds fitted solids to a part, at a pose. If there are several, a number is appended to the name of each.
func AddSolids(p *model.Part, f *fit.Fit, at model.Pose, label model.Label) {
	name := label.Name
	for i := range f.Solids {
		if len(f.Solids) > 1 && name != "" {
			label.Name = fmt.Sprintf("%s-%d", name, i+1)
		}
		s := f.Solids[i]
		s.Grow(at.Position.MaxAbs())
		switch s.Kind {
		case fit.Sphere:
			p.Spheres = append(p.Spheres, model.Sphere{Center: at.Point(s.Center), Radius: s.Radius, Label: label})
		case fit.Capsule:
			p.Capsules = append(p.Capsules, model.Capsule{A: at.Point(s.A), B: at.Point(s.B), Radius: s.Radius, Label: label})
		case fit.Cylinder:
			p.Cylinders = append(p.Cylinders, model.Cylinder{A: at.Point(s.A), B: at.Point(s.B), Radius: s.Radius, Label: label})
		case fit.Box:
			p.Boxes = append(p.Boxes, model.Box{Center: at.Point(s.Center), HalfExtents: s.HalfExtents, Rotation: at.Rotation.Mul(model.QuaternionOf(s.Axes)), Label: label})
		}
	}
}

// Candidates returns the paths at which a file may be found. The file has the given name in a robot's description src, which is
// in the folder dir. The paths, and dir, are relative to the source's folder.
//
//   - A plain name is relative to dir, or absolute.
//   - A URL such as "file:///FILE" or "file:/FILE" is absolute, or relative to dir or to the source's folder.
//   - For "package://NAME/FILE" or "model://NAME/FILE", the candidates are NAME/FILE and FILE, both in dir and in every
//     folder above it.
func Candidates(src *model.Source, name string) (all []string) {
	dir := path.Clean(src.Dir)
	name = filepath.ToSlash(name)
	if rest, ok := cutFile(name); ok {
		if plain, err := url.PathUnescape(rest); err == nil {
			rest = plain
		}
		return append(src.Absolute(rest), path.Join(dir, rest), strings.TrimPrefix(rest, "/"))
	}
	_, rest, ok := strings.Cut(name, "://")
	if !ok {
		return append(src.Absolute(name), path.Join(dir, name))
	}
	rest = strings.TrimLeft(rest, "/") // some files have three slashes
	inPackage := rest
	if _, after, ok := strings.Cut(rest, "/"); ok {
		inPackage = after
	}
	for folder := dir; ; folder = path.Dir(folder) {
		all = append(all, path.Join(folder, rest), path.Join(folder, inPackage))
		if folder == "." || folder == "/" {
			return all
		}
	}
}

// cutFile returns the path of a URL with the scheme file, and whether the name is one. Two slashes before the path, and
// the host localhost, mean nothing.
func cutFile(name string) (string, bool) {
	const scheme = "file:"
	if len(name) < len(scheme) || !strings.EqualFold(name[:len(scheme)], scheme) {
		return name, false
	}
	file := strings.TrimPrefix(name[len(scheme):], "//")
	if _, absolute, ok := strings.Cut(file, "/"); ok && strings.HasPrefix(file, "localhost/") {
		file = "/" + absolute
	}
	return file, true
}
