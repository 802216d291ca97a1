// Package mjcf reads models of MuJoCo in MJCF, its XML format.
//
// Each body becomes a part that is placed in that of its parent, so a scene reads like the model. Spheres,
// capsules, cylinders and boxes are shown, planes as flat, wide boxes whose upper face is the plane; meshes and
// ellipsoids as solids that contain them if that was requested. All else is left out and counted. Bodies stand as the file has them, or as
// joints are at a keyframe or at given positions.
//
// Lengths are in units of the file and z is up, as in MuJoCo. What attributes mean is said in MuJoCo's XML
// reference (mujoco.readthedocs.io, "XML Reference"), the poses of bodies, joints and cameras in its
// chapter "Computation" and in mj_kinematics and mj_camlight.
package mjcf

import (
	"path"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/internal/fit"
	"pillbox/scene"
)

// Options say what of a model is shown, and how it stands.
type Options struct {
	Groups      []int     // of geoms, 0 to 5; nil: 0, 1 and 2, as in MuJoCo's viewer
	Sites       bool      // show sites as well
	Keyframe    string    // the name or the number of a keyframe; "": as the file has the bodies
	QPos        []float64 // positions of joints, instead of a keyframe: all of them, as in mjData.qpos
	Camera      string    // the name of a camera; "": the first
	Approximate bool      // meshes and ellipsoids become the solids that contain them
	Fit         int       // the number of solids for each mesh, at most; 0 means 1
	Strict      bool      // an invalid element is an error; else it is skipped with a warning
}

// Limits of a model, replicated elements included.
const (
	maxElements = 1_000_000
	maxGroup    = 5
)

// Read reads a model. An error has its place in a file, or is about an option.
func Read(src model.Source, opt Options) (*model.Scene, error) {
	root, err := markup.Parse(src.Name, src.Text)
	if err != nil {
		return nil, err
	}
	if root.Name == "robot" {
		return nil, root.Wrong("", scene.CodeUnknownValue, "is a robot in URDF, which is another format")
	}
	if root.Name == "mujocoinclude" {
		return nil, root.Wrong("", scene.CodeUnknownValue, "is a part of models that include it: import one of those")
	}
	if root.Name != "mujoco" {
		return nil, root.Wrong("", scene.CodeUnknownValue, "must be <mujoco>")
	}
	r := newReader(src, opt)
	r.meshes = &mesh.Library{Source: src, Scene: r.scene, Fit: fit.Options{Most: opt.Fit}}
	r.scene.Source = src.Name + ", a MuJoCo model"
	in := &includer{reader: r}
	if err := in.expand(root, path.Clean(src.Dir)); err != nil {
		return nil, err
	}
	if name := root.Get("model"); name != "" {
		r.scene.Notes = append(r.scene.Notes, "The model is "+name+".")
	}
	if err := r.sections(root, in, 0); err != nil {
		return nil, err
	}
	if err := each(root, "visual", func(e *markup.Element) error { return r.tolerate(r.visual(e)) }); err != nil {
		return nil, err
	}
	if err := each(root, "worldbody", func(e *markup.Element) error {
		return r.contents(e, context{body: r.world, class: r.classes.main})
	}); err != nil {
		return nil, err
	}
	r.countOthers(root)
	if err := r.pose(root); err != nil {
		return nil, err
	}
	r.assemble()
	r.ground()
	if err := r.lights(); err != nil {
		return nil, err
	}
	if err := r.camera(); err != nil {
		return nil, err
	}
	return r.scene, nil
}

// sections reads what holds for all bodies of a file, which is attached to so many others in each other.
func (r *reader) sections(root *markup.Element, in *includer, depth int) error {
	r.root = root
	if err := each(root, "compiler", func(e *markup.Element) error { return r.tolerate(r.compiler.read(e)) }); err != nil {
		return err
	}
	if err := each(root, "default", func(e *markup.Element) error { return r.tolerate(r.classes.read(e, nil)) }); err != nil {
		return err
	}
	return each(root, "asset", func(e *markup.Element) error { return r.assets(e, in, depth) })
}

// tolerate returns err or, unless the reader is strict, notes that an element is skipped.
func (r *reader) tolerate(err error) error {
	if r.Strict {
		return err
	}
	return r.scene.Account.Tolerate(err)
}

// each calls do with every child of a name.
func each(e *markup.Element, name string, do func(*markup.Element) error) error {
	for _, c := range e.Children {
		if c.Name != name {
			continue
		}
		if err := do(c); err != nil {
			return err
		}
	}
	return nil
}

// file is what holds for all bodies of one file. Those that are attached bring their own.
type file struct {
	root     *markup.Element
	compiler compiler
	classes  classes
	textures map[string]texture
	finishes map[string]finish // the materials
	models   map[string]attachment

	assetMeshes map[string]*meshAsset
}

func newFile() *file {
	f := &file{
		compiler: compiler{degrees: true, sequence: "xyz"},
		classes:  classes{named: make(map[string]*class)},
		textures: make(map[string]texture),
		finishes: make(map[string]finish),
		models:   make(map[string]attachment),

		assetMeshes: make(map[string]*meshAsset),
	}
	f.classes.main = f.classes.add("main", nil)
	return f
}

// reader is a model while it is read.
type reader struct {
	Options
	*file  // that is being read
	src    model.Source
	meshes *mesh.Library
	scene  *model.Scene
	parts  int // elements of all files
	head   headlight

	world    *body
	bodies   []*body // in MuJoCo's order, the world first
	named    map[string]*body
	elements int
	planes   []plane
	lamps    []lamp
	cameras  []viewpoint
	qpos     int // numbers in mjData.qpos
	mocaps   int

	instances  []*instance // of attached models
	deformable []deformable
}

func newReader(src model.Source, opt Options) *reader {
	if opt.Groups == nil {
		opt.Groups = []int{0, 1, 2}
	}
	r := &reader{
		Options: opt,
		file:    newFile(),
		src:     src,
		scene:   &model.Scene{Up: geom.Vec3{Z: 1}, From: geom.Vec3{X: 1.4, Y: -1, Z: 0.6}},
		head:    defaultHeadlight(),
		named:   make(map[string]*body),
	}
	r.world = &body{part: &r.scene.Part, name: "world"}
	r.bodies = []*body{r.world}
	r.named["world"] = r.world
	return r
}

// shown reports whether a group is shown. Groups beyond the last count as it.
func (r *reader) shown(group int) bool {
	return slices.Contains(r.Groups, max(0, min(group, maxGroup)))
}

// countOthers counts what is seen in MuJoCo and stands elsewhere in the file.
func (r *reader) countOthers(root *markup.Element) {
	for _, section := range root.Children {
		for _, e := range section.Children {
			switch {
			case section.Name == "tendon" && e.Name == "spatial":
				r.scene.Account.Skip("tendon", e.Where())
			case (section.Name == "deformable" || section.Name == "asset") && (e.Name == "flex" || e.Name == "skin"):
				r.scene.Account.Skip(e.Name, e.Where())
			}
		}
	}
}

// compiler says how attributes are read.
type compiler struct {
	degrees  bool
	sequence string // of Euler angles
	global   bool   // coordinates are the world's, which MuJoCo before 2.3.4 could read

	meshDir   string // in which the files of meshes are
	stripPath bool   // files are named without their folders
	fitAABB   bool   // shapes that are fitted to a mesh have its bounds, instead of its inertia
	alignFree bool   // free joints align their bodies with the inertial frame
}

func (c *compiler) read(e *markup.Element) error {
	if _, ok := e.Attr("angle"); ok {
		angle, err := e.Word("angle", "degree", "radian")
		if err != nil {
			return err
		}
		c.degrees = angle == "degree"
	}
	if _, ok := e.Attr("coordinate"); ok {
		coordinate, err := e.Word("coordinate", "local", "global")
		if err != nil {
			return err
		}
		c.global = coordinate == "global"
	}
	for attr, value := range map[string]*bool{"alignfree": &c.alignFree, "strippath": &c.stripPath, "fitaabb": &c.fitAABB} {
		if _, ok := e.Attr(attr); ok {
			word, err := e.Word(attr, "false", "true")
			if err != nil {
				return err
			}
			*value = word == "true"
		}
	}
	for _, attr := range [...]string{"assetdir", "meshdir"} {
		if dir := e.Get(attr); dir != "" {
			c.meshDir = dir
		}
	}
	if sequence, ok := e.Attr("eulerseq"); ok {
		if len(sequence) != 3 || strings.Trim(sequence, "xyzXYZ") != "" {
			return e.Wrong("eulerseq", scene.CodeUnknownValue, "must be three of the letters x, y, z, X, Y, Z")
		}
		c.sequence = sequence
	}
	return nil
}

// angle returns an angle of the file.
func (c *compiler) angle(x float64) geom.Angle {
	if c.degrees {
		return geom.Angle(x)
	}
	return degrees(x)
}
