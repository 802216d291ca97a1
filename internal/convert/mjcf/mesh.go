package mjcf

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"

	"pillbox/geom"
	"pillbox/internal/convert/eigen"
	"pillbox/internal/convert/fit"
	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

// meshAsset is a mesh in the assets. Its file is read when a geom uses it.
type meshAsset struct {
	tag
	compiler compiler // the settings of its file
	folders  []string // folders, in the source's folder, in which to look for files

	read bool
	mesh *mesh.Mesh // as geoms use it: in the frame of refpos and refquat, and scaled
	err  error      // does not contain the name of the mesh

	measured bool
	inertia  inertiaBox
}

// meshAsset reads the attributes of a mesh, but not its file.
func (r *reader) meshAsset(t tag) error {
	name := t.Get("name")
	if name == "" {
		name = stem(t.Get("file"))
	}
	if name == "" {
		return t.Wrong("name", problem.CodeMissingKey, "is missing")
	}
	r.assetMeshes[name] = &meshAsset{tag: t, compiler: r.compiler, folders: r.foldersOf(t.Element)}
	return nil
}

// foldersOf returns the folders, in the source's folder, in which to look for the files of an asset: that of the model,
// and that of the file with the asset.
func (r *reader) foldersOf(e *markup.Element) []string {
	folders := []string{path.Clean(r.src.Dir)}
	if from, err := filepath.Rel(filepath.Dir(r.src.Name), filepath.Dir(e.File())); err == nil {
		folders = append(folders, path.Join(r.src.Dir, filepath.ToSlash(from)))
	}
	return folders
}

// candidates returns the paths at which the file of an asset may be found. The parameter dir is the folder that the
// compiler's settings name.
func (r *reader) candidates(name, dir string, stripPath bool, folders []string) []string {
	name, dir = filepath.ToSlash(name), filepath.ToSlash(dir)
	if stripPath {
		name = path.Base(name)
	}
	candidates := append(r.src.Absolute(name), r.src.Absolute(path.Join(dir, name))...)
	for _, folder := range folders {
		candidates = append(candidates, path.Join(folder, dir, name))
	}
	return candidates
}

// open returns the mesh after the changes that its attributes demand: it is moved, rotated and scaled. The error does
// not contain the name of the mesh.
func (r *reader) open(a *meshAsset) (*mesh.Mesh, error) {
	if !a.read {
		a.read = true
		a.mesh, a.err = r.load(a)
	}
	return a.mesh, a.err
}

func (r *reader) load(a *meshAsset) (*mesh.Mesh, error) {
	m, err := r.raw(a)
	if err != nil {
		return nil, err
	}
	refpos, err := a.vector("refpos", geom.Vec3{})
	if err != nil {
		return nil, err
	}
	refquat, err := quaternion(a.source("refquat"), "refquat")
	if err != nil {
		return nil, err
	}
	scale, err := a.vector("scale", geom.Vec3{X: 1, Y: 1, Z: 1})
	if err != nil {
		return nil, err
	}
	back := refquat.Inverse()
	if m, err = m.Moved(func(p geom.Vec3) geom.Vec3 { return back.Rotate(p.Sub(refpos)) }); err != nil {
		return nil, err
	}
	return m.Scaled(scale)
}

// raw returns the mesh as it is in its file, or as the vertices and faces in the model define it.
func (r *reader) raw(a *meshAsset) (*mesh.Mesh, error) {
	switch {
	case a.get("builtin") != "" && a.get("builtin") != "none":
		return nil, errors.New("is one that MuJoCo makes")
	case a.Get("file") == "":
		return a.inline()
	}
	candidates := r.candidates(a.Get("file"), a.compiler.meshDir, a.compiler.stripPath, a.folders)
	return r.meshes.Open(geom.Vec3{X: 1, Y: 1, Z: 1}, candidates...)
}

// inline returns the mesh of the vertices and faces in the model. Without faces it is the convex hull of the vertices.
func (a *meshAsset) inline() (*mesh.Mesh, error) {
	const most = 100_000 // numbers in an attribute
	x, err := a.Floats("vertex", 12, most)
	if err != nil {
		return nil, err
	}
	f, err := a.Floats("face", 3, most)
	if err != nil {
		return nil, err
	}
	m := &mesh.Mesh{}
	for i := 0; i+3 <= len(x); i += 3 {
		m.Vertices = append(m.Vertices, geom.Vec3{X: x[i], Y: x[i+1], Z: x[i+2]})
	}
	for i := 0; i+3 <= len(f); i += 3 {
		var t [3]int
		for j := range t {
			t[j] = int(f[i+j])
			if t[j] < 0 || t[j] >= len(m.Vertices) {
				return nil, fmt.Errorf("has no vertex %d", t[j])
			}
		}
		m.Triangles = append(m.Triangles, t)
	}
	if len(f) == 0 {
		m.Triangles = fit.ConvexHull(m.Vertices)
	}
	if len(m.Triangles) == 0 {
		return nil, errors.New("has neither a file nor vertices of a solid")
	}
	return m, nil
}

// assetOf returns the mesh that a geom uses.
func (r *reader) assetOf(t tag) (*meshAsset, error) {
	a := r.assetMeshes[t.get("mesh")]
	if a == nil {
		return nil, errors.New("is not in the assets")
	}
	return a, nil
}

// sourceOf returns the file of the mesh that a geom uses, or the name of the mesh if it has no file.
func (r *reader) sourceOf(t tag) string {
	if a, err := r.assetOf(t); err == nil && a.Get("file") != "" {
		return a.Get("file")
	}
	return t.get("mesh")
}

// addMesh adds the solids fitted to the mesh of a geom, or notes that the mesh is skipped.
func (r *reader) addMesh(t tag, in context, label model.Label) error {
	if !r.Approximate {
		r.scene.Account.SkipUnlessApproximate("mesh", t.Where())
		return nil
	}
	at, err := r.stand(t, in)
	if err != nil {
		return err
	}
	var m *mesh.Mesh
	a, wrong := r.assetOf(t)
	if wrong == nil {
		m, wrong = r.open(a)
	}
	r.meshes.Add(in.body.part, r.sourceOf(t), m, wrong, at, label, t.Where())
	return nil
}

// measureMesh sets the size and the pose of a shape that the model fits to a mesh. By MuJoCo's rules, the shape is
// fitted to the box with the same inertia as the mesh or, with fitaabb, to the bounds of the mesh's vertices. Source:
// MuJoCo's XML reference, "compiler/fitaabb" and "geom/mesh", and its user_mesh.cc, mjCMesh::FitGeom. The result was
// compared with version 3.14.
func (s *solid) measureMesh(t tag, r *reader, in context) error {
	a, err := r.assetOf(t)
	if err != nil {
		return err
	}
	m, err := r.open(a)
	if err != nil {
		return err
	}
	if !a.measured {
		a.measured = true
		method, err := a.word("inertia", "legacy", "exact", "convex", "shell")
		if err != nil {
			return err
		}
		a.inertia = measure(m, method)
	}
	box := a.inertia
	if !(box.half[0] > 0) || math.IsInf(box.half[2], 0) {
		return errors.New("has no volume")
	}
	offset := box.pose
	if a.compiler.fitAABB {
		center := s.enclose(m, box.pose)
		offset.Position = offset.Point(center)
	} else {
		s.equal(box.half)
	}
	scale, err := t.float("fitscale", 1)
	if err != nil {
		return err
	}
	for i := range s.size {
		s.size[i] *= scale
	}
	pose, err := r.compiler.pose(t)
	if err != nil {
		return err
	}
	s.at = r.inBody(pose.Then(offset), in)
	half := geom.Vec3{Z: s.size[1]}
	s.a, s.b = s.at.Point(half.Neg()), s.at.Point(half)
	return nil
}

// equal sets the size of the shape from the half sizes of the box that has the same inertia as the mesh.
func (s *solid) equal(half [3]float64) {
	switch s.kind {
	case "sphere":
		s.size[0] = (half[0] + half[1] + half[2]) / 3
	case "capsule":
		s.size[0] = (half[0] + half[1]) / 2
		s.size[1] = max(0, half[2]-s.size[0]/2)
	case "cylinder":
		s.size[0], s.size[1] = (half[0]+half[1])/2, half[2]
	default:
		s.size = half
	}
}

// enclose sets the size from the bounds of the vertices along the axes of a frame, and returns the center of these bounds
// in that frame.
func (s *solid) enclose(m *mesh.Mesh, frame model.Pose) geom.Vec3 {
	back := frame.Inverse()
	bounds := geom.EmptyBounds()
	for _, p := range m.Vertices {
		bounds = bounds.Include(back.Point(p))
	}
	half := bounds.Size().Scale(0.5)
	switch s.kind {
	case "sphere":
		s.size[0] = max(half.X, half.Y, half.Z)
	case "capsule":
		s.size[0] = max(half.X, half.Y)
		s.size[1] = max(0, half.Z-s.size[0])
	case "cylinder":
		s.size[0], s.size[1] = max(half.X, half.Y), half.Z
	default:
		s.size = [3]float64{half.X, half.Y, half.Z}
	}
	return bounds.Center()
}

// inertiaBox is the box with the same inertia as a mesh.
type inertiaBox struct {
	pose model.Pose // its center and the principal axes
	half [3]float64 // half sizes, the longest last
}

// measure returns the box with the same inertia as a mesh. The parameter method selects how MuJoCo computes the
// inertia. "exact" adds the signed volumes of the tetrahedra between the triangles and an inner point. "legacy" adds
// these volumes without signs. "convex" uses the convex hull, and "shell" the areas of the triangles. Source: MuJoCo's
// user_mesh.cc, mjCMesh::Process.
func measure(m *mesh.Mesh, method string) inertiaBox {
	triangles := m.Triangles
	if method == "convex" {
		triangles = fit.ConvexHull(m.Vertices)
	}
	var centroid geom.Vec3 // centroid of the surface
	var area float64
	for _, t := range m.Triangles {
		c, n := facet(m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]])
		a := n.Norm() / 2
		centroid = centroid.AddScaled(a, c)
		area += a
	}
	centroid = centroid.Div(area)
	weight := func(c, n geom.Vec3, about geom.Vec3) float64 {
		switch v := c.Sub(about).Dot(n) / 6; method {
		case "shell":
			return n.Norm() / 2
		case "legacy":
			return math.Abs(v)
		default:
			return v
		}
	}
	var center geom.Vec3
	var total float64
	for _, t := range triangles {
		c, n := facet(m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]])
		w := weight(c, n, centroid)
		center = center.AddScaled(w, c.Scale(0.75).AddScaled(0.25, centroid))
		total += w
	}
	center = center.Div(total)
	products, total := secondMoments(m, triangles, center, weight, method == "shell")
	trace := products[0][0] + products[1][1] + products[2][2]
	var inertia [3][3]float64
	for i := range 3 {
		for j := range 3 {
			inertia[i][j] = -products[i][j]
		}
		inertia[i][i] += trace
	}
	return boxOf(inertia, center, total)
}

// facet returns the center of a triangle, and its normal with twice its area as length.
func facet(a, b, c geom.Vec3) (center, normal geom.Vec3) {
	return a.Add(b).Add(c).Div(3), b.Sub(a).Cross(c.Sub(a))
}

// secondMoments returns the integrals, over all triangles or tetrahedra, of the products of two coordinates relative to
// a center. total is the sum of their weights, which are volumes or areas.
func secondMoments(m *mesh.Mesh, triangles [][3]int, center geom.Vec3, weight func(c, n, about geom.Vec3) float64, shell bool) (sum [3][3]float64, total float64) {
	divisor := 20.0
	if shell {
		divisor = 12
	}
	for _, t := range triangles {
		a, b, c := m.Vertices[t[0]].Sub(center), m.Vertices[t[1]].Sub(center), m.Vertices[t[2]].Sub(center)
		middle, normal := facet(a, b, c)
		w := weight(middle, normal, geom.Vec3{})
		total += w
		x := [3][3]float64{{a.X, a.Y, a.Z}, {b.X, b.Y, b.Z}, {c.X, c.Y, c.Z}}
		for i := range 3 {
			for j := range 3 {
				var p float64
				for k := range 3 {
					for l := range 3 {
						p += float64(x[k][i] * x[l][j])
					}
					p += float64(x[k][i] * x[k][j])
				}
				sum[i][j] += float64(w / divisor * p)
			}
		}
	}
	return sum, total
}

// boxOf returns the box with the given total weight and inertia about its center. Its axes are sorted by their moments
// of inertia, the largest first.
func boxOf(inertia [3][3]float64, center geom.Vec3, total float64) inertiaBox {
	type principal struct {
		moment float64
		axis   geom.Vec3
	}
	moments, axes := eigen.Symmetric(inertia)
	p := []principal{{moments.X, axes.X}, {moments.Y, axes.Y}, {moments.Z, axes.Z}}
	slices.SortStableFunc(p, func(a, b principal) int { return cmp.Compare(b.moment, a.moment) })
	var box inertiaBox
	for i := range box.half {
		others := p[(i+1)%3].moment + p[(i+2)%3].moment - p[i].moment
		box.half[i] = math.Sqrt(max(0, 6*others/total)) / 2
	}
	x, y := p[0].axis, p[1].axis
	box.pose = model.Pose{Position: center, Rotation: model.QuaternionOf(geom.Mat3{X: x, Y: y, Z: x.Cross(y)}.Orthonormalized())}
	return box
}
