// Package mjcf reads models of MuJoCo in MJCF, its XML format.
//
// Each body becomes a part, placed in the part of its parent body. Spheres, capsules, cylinders and boxes
// are converted as they are. A plane becomes a flat, wide box whose upper face is the plane. On request,
// meshes and ellipsoids become solids that contain them. Other elements are skipped and counted. Bodies have
// the poses in the file, or those at a keyframe or at given joint positions.
//
// Lengths are in units of the file and z is up, as in MuJoCo. For the meaning of attributes, see MuJoCo's XML
// reference (mujoco.readthedocs.io, "XML Reference"). For the poses of bodies, joints and cameras, see its
// chapter "Computation", mj_kinematics and mj_camlight.
package mjcf

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/fit"
	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

// Options select the elements of a model that are converted, and its joint positions.
type Options struct {
	Groups      []int     // of geoms, 0 to 5; nil: 0, 1 and 2, as in MuJoCo's viewer
	Ghost       []int     // groups of geoms that are converted to the hull of the scene, also if they are not in Groups
	Sites       bool      // show sites as well
	Keyframe    string    // name or number of a keyframe; "": bodies are as in the file
	QPos        []float64 // positions of all joints, as in mjData.qpos, instead of a keyframe
	Camera      string    // name of a camera; "": the first that shows the model from outside
	Approximate bool      // convert meshes and ellipsoids to solids that contain them
	Fit         int       // the largest number of solids for each mesh; 0 means 1
	Strict      bool      // an invalid element is an error; by default it is skipped with a warning
}

// Limits of a model, including replicated elements.
const (
	maxElements = 1_000_000
	maxGroup    = 5
)

// Read reads a model. An error concerns a file or an option, or comes from src.Text.
func Read(src model.Source, opt Options) (*model.Scene, error) {
	root, err := markup.Parse(src.Name, src.Text)
	if err != nil {
		return nil, err
	}
	if root.Name == "robot" {
		return nil, root.Wrong("", problem.CodeUnknownValue, "is a robot in URDF, which is another format")
	}
	if root.Name == "mujocoinclude" {
		return nil, root.Wrong("", problem.CodeUnknownValue, "is a part of models that include it: import one of those")
	}
	if root.Name != "mujoco" {
		return nil, root.Wrong("", problem.CodeUnknownValue, "must be <mujoco>")
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
	if len(r.Ghost) > 0 && r.ghosts == 0 {
		return nil, root.Wrong("", problem.CodeMissingKey, "has no visible geom in the groups of --ghost: %s", strings.Trim(fmt.Sprint(r.Ghost), "[]"))
	}
	r.countOthers(root)
	if err := r.pose(root); err != nil {
		return nil, err
	}
	r.assemble()
	r.reflect()
	r.ground()
	if err := r.lights(); err != nil {
		return nil, err
	}
	if err := r.camera(); err != nil {
		return nil, err
	}
	return r.scene, nil
}

// sections reads the settings that apply to all bodies of a file; depth is the nesting depth of attached models.
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

// tolerate adds a warning that an element is skipped, and returns nil. It returns err instead if the reader is strict,
// or if err concerns the whole file: see [model.Account.Tolerate].
func (r *reader) tolerate(err error) error {
	if r.Strict {
		return err
	}
	return r.scene.Account.Tolerate(err)
}

// each calls do with every child of e that has the given name. It stops at the first error and returns it.
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

// file holds the settings that apply to all bodies of one file. Each attached model has its own.
type file struct {
	root     *markup.Element
	compiler compiler
	classes  classes
	textures map[string]texture
	finishes map[string]*finish // by name
	unknown  map[string]bool    // names of materials that were reported as unknown
	models   map[string]attachment

	assetMeshes map[string]*meshAsset
}

func newFile() *file {
	f := &file{
		compiler: compiler{degrees: true, sequence: "xyz"},
		classes:  classes{named: make(map[string]*class)},
		textures: make(map[string]texture),
		finishes: make(map[string]*finish),
		unknown:  make(map[string]bool),
		models:   make(map[string]attachment),

		assetMeshes: make(map[string]*meshAsset),
	}
	f.classes.main = f.classes.addClass("main", nil)
	return f
}

// reader holds the state of reading a model.
type reader struct {
	Options
	*file  // the file being read
	src    model.Source
	meshes *mesh.Library
	scene  *model.Scene
	parts  int // number of elements in all files
	head   headlight

	world      *body
	bodies     []*body // in MuJoCo's order, the world first
	named      map[string]*body
	elements   int
	nameBytes  int // of the names that replicated elements make
	ghosts     int // geoms of the hull
	planes     []plane
	reflectors []reflector
	lamps      []lamp
	cameras    []viewpoint
	qpos       int // length of mjData.qpos
	mocaps     int

	instances  []*instance // attached copies of models
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

// shown reports whether a group is converted, and whether it belongs to the hull of the scene. A negative number means
// group 0, and one above the last group means the last group.
func (r *reader) shown(group int) (shown, inHull bool) {
	group = max(0, min(group, maxGroup))
	inHull = slices.Contains(r.Ghost, group)
	return inHull || slices.Contains(r.Groups, group), inHull
}

// countOthers counts visible elements that are not converted because they are outside of bodies.
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

// compiler holds the settings that determine how attributes are interpreted.
type compiler struct {
	degrees  bool
	sequence string // axes of Euler angles
	global   bool   // coordinates are relative to the world, which MuJoCo supported before 2.3.4

	meshDir    string // folder of mesh files
	textureDir string // folder of texture files
	stripPath  bool   // ignore the folders in file names
	fitAABB    bool   // shapes fitted to a mesh use its bounds instead of its inertia
	alignFree  bool   // free joints align their bodies with the inertial frame
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
	if dir := e.Get("assetdir"); dir != "" {
		c.meshDir, c.textureDir = dir, dir
	}
	for attr, to := range map[string]*string{"meshdir": &c.meshDir, "texturedir": &c.textureDir} {
		if dir := e.Get(attr); dir != "" {
			*to = dir
		}
	}
	if sequence, ok := e.Attr("eulerseq"); ok {
		if len(sequence) != 3 || strings.Trim(sequence, "xyzXYZ") != "" {
			return e.Wrong("eulerseq", problem.CodeUnknownValue, "must be three of the letters x, y, z, X, Y, Z")
		}
		c.sequence = sequence
	}
	return nil
}

// angle converts an angle in the file's unit, degrees or radians, to a [geom.Angle].
func (c *compiler) angle(x float64) geom.Angle {
	if c.degrees {
		return geom.Angle(x)
	}
	return degrees(x)
}
