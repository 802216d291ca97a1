// Package mjcf reads models of MuJoCo in MJCF, its XML format.
//
// Each body becomes a part that is placed in that of its parent, so a scene reads like the model. Spheres,
// capsules and boxes are shown, planes as flat, wide boxes whose upper face is the plane; cylinders as
// capsules if that is asked for. All else is left out and counted. Bodies stand as the file has them, or as
// joints are at a keyframe or at given positions.
//
// Lengths are in units of the file and z is up, as in MuJoCo. What attributes mean is said in MuJoCo's XML
// reference (mujoco.readthedocs.io, "XML Reference"), the poses of bodies, joints and cameras in its
// chapter "Computation" and in mj_kinematics and mj_camlight.
package mjcf

import (
	"slices"
	"strings"

	"pillbox/convert/markup"
	"pillbox/convert/model"
	"pillbox/geom"
	"pillbox/scene"
)

// Options say what of a model is shown, and how it stands.
type Options struct {
	Groups      []int     // of geoms, 0 to 5; nil: 0, 1 and 2, as in MuJoCo's viewer
	Sites       bool      // show sites as well
	Keyframe    string    // the name or the number of a keyframe; "": as the file has the bodies
	QPos        []float64 // positions of joints, instead of a keyframe: all of them, as in mjData.qpos
	Camera      string    // the name of a camera; "": the first
	Approximate bool      // cylinders become capsules
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
	if root.Name != "mujoco" {
		return nil, root.Wrong("", scene.CodeUnknownValue, "must be <mujoco>")
	}
	in := includer{src: src, main: root}
	if err := in.expand(root, "."); err != nil {
		return nil, err
	}
	r := newReader(opt)
	r.scene.Source, r.scene.Files = src.Name+", a MuJoCo model", in.names
	if name := root.Get("model"); name != "" {
		r.scene.Notes = append(r.scene.Notes, "The model is "+name+".")
	}
	for _, section := range []struct {
		name string
		read func(*markup.Element) error
	}{
		{"compiler", r.compiler.read},
		{"default", func(e *markup.Element) error { return r.classes.read(e, nil) }},
		{"asset", r.assets},
		{"visual", r.visual},
		{"worldbody", func(e *markup.Element) error { return r.contents(e, context{body: r.world, class: r.classes.main}) }},
	} {
		for _, e := range root.Children {
			if e.Name == section.name {
				if err := section.read(e); err != nil {
					return nil, err
				}
			}
		}
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

// reader is a model while it is read.
type reader struct {
	Options
	scene    *model.Scene
	compiler compiler
	classes  classes
	textures map[string]texture
	finishes map[string]finish // the materials
	head     headlight

	world    *body
	bodies   []*body // in MuJoCo's order, the world first
	named    map[string]*body
	elements int
	planes   []plane
	lamps    []lamp
	cameras  []viewpoint
	qpos     int // numbers in mjData.qpos
	mocaps   int
}

func newReader(opt Options) *reader {
	if opt.Groups == nil {
		opt.Groups = []int{0, 1, 2}
	}
	r := &reader{
		Options:  opt,
		scene:    &model.Scene{Up: geom.Vec3{Z: 1}, From: geom.Vec3{X: 1.4, Y: -1, Z: 0.6}},
		compiler: compiler{degrees: true, sequence: "xyz"},
		classes:  classes{named: make(map[string]*class)},
		textures: make(map[string]texture),
		finishes: make(map[string]finish),
		head:     defaultHeadlight(),
		named:    make(map[string]*body),
	}
	r.classes.main = r.classes.add("main", nil)
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
				r.scene.Account.LeftOut("tendon", e.Place())
			case (section.Name == "deformable" || section.Name == "asset") && (e.Name == "flex" || e.Name == "skin"):
				r.scene.Account.LeftOut(e.Name, e.Place())
			}
		}
	}
}

// compiler says how attributes are read.
type compiler struct {
	degrees  bool
	sequence string // of Euler angles
	global   bool   // coordinates are the world's, which MuJoCo before 2.3.4 could read
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
