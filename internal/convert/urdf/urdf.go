// Package urdf reads robots in the Unified Robot Description Format: links with their collision or visual
// geometry, and the joints between them.
//
// Each link becomes a part, placed in the part of its parent. Spheres, boxes, cylinders and capsules
// are converted. On request, meshes become solids that contain them. Shapes without volume,
// which some files use as placeholders, are skipped. Planar, floating and spherical joints (the last are an
// extension of Bullet) stay at their origin. Angles of joints are in radians and lengths in meters, as in
// the file; z is up.
//
// An invalid element is skipped with a warning, unless [Options.Strict] is set. An invalid origin counts as no origin,
// an invalid shape is not shown, and a link whose joint is invalid is placed at the origin.
//
// Sources: the specification of URDF 1.0 at wiki.ros.org/urdf/XML, and the reader urdfdom for what URDF 1.1 adds:
// capsules, and the attribute quat_xyzw.
package urdf

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/fit"
	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/internal/text"
	"pillbox/problem"
)

// Options select the geometry and the joint positions.
type Options struct {
	Visual      bool               // convert visual geometry instead of collision geometry
	Ghost       string             // also convert this geometry, "collision" or "visual", to the hull of the scene; "": none
	Joints      map[string]float64 // positions by joint name, radians or meters; others are at 0 or mimic a joint
	Camera      string             // name of a camera sensor of Gazebo to use; "": a camera that shows everything
	Approximate bool               // meshes become the solids that contain them
	Fit         int                // the number of solids for each mesh, at most; 0 means 1
	Strict      bool               // an invalid element is an error; else it is skipped with a warning
}

// maxLinks is the largest number of links in a chain.
const maxLinks = 1000

// Read reads a robot. An error concerns the file or an option, or is an error of src.Text.
func Read(src model.Source, opt Options) (*model.Scene, error) {
	root, err := markup.Parse(src.Name, src.Text)
	if err != nil {
		return nil, err
	}
	if root.Name != "robot" {
		return nil, root.Wrong("", problem.CodeUnknownValue, "must be <robot>")
	}
	for _, c := range root.Children {
		if strings.HasSuffix(c.Space, "xacro") {
			return nil, c.Wrong("", problem.CodeUnknownValue, "belongs to xacro, the program that must expand the file first")
		}
	}
	r := &reader{
		Options: opt,
		scene:   &model.Scene{Source: src.Name + ", a robot in URDF", Up: geom.Vec3{Z: 1}, From: geom.Vec3{X: 1.4, Y: -1, Z: 0.6}},
		colors:  make(map[string]surface),
		unknown: make(map[string]bool),
		links:   make(map[string]*link),
		joints:  make(map[string]*joint),
	}
	r.meshes = &mesh.Library{Source: src, Scene: r.scene, Fit: fit.Options{Most: opt.Fit}}
	if name := root.Get("name"); name != "" {
		r.scene.Notes = append(r.scene.Notes, fmt.Sprintf("The robot is %s.", name))
	}
	for _, step := range []func(*markup.Element) error{r.materials, r.readLinks, r.readJoints, r.assemble, r.camera} {
		if err := step(root); err != nil {
			return nil, err
		}
	}
	return r.scene, nil
}

// link is a link with its joints.
type link struct {
	*markup.Element
	name     string
	parent   *joint
	children []*joint
	at       model.Pose // pose in the robot
	seen     bool
}

// joint connects a link to its parent.
type joint struct {
	*markup.Element
	name   string
	kind   string
	child  *link
	origin model.Pose
	axis   geom.Vec3

	mimic              *markup.Element // nil if it does not follow another joint
	multiplier, offset float64
}

// surface is a material: its name and color, each "" if unknown.
type surface struct {
	name  string
	color model.Color
	ghost float64 // the alpha of the color, if it is transparent in part; otherwise 0

	textureProblem error // why the texture of the material was not read
}

type reader struct {
	Options
	scene   *model.Scene
	colors  map[string]surface // by material name
	unknown map[string]bool    // names of materials that were reported as unknown
	links   map[string]*link
	order   []*link // in file order
	joints  map[string]*joint
	meshes  *mesh.Library
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
		if c.Name == name {
			if err := do(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// materials reads the materials of the robot and of its links, so that later elements can refer to them by name. If the
// reader is strict, an invalid material is an error. Otherwise, the problem is reported where the material is used.
func (r *reader) materials(root *markup.Element) error {
	define := func(m *markup.Element) error {
		if _, err := r.surface(m); err != nil && r.Strict {
			return err
		}
		return nil
	}
	if err := each(root, "material", define); err != nil {
		return err
	}
	return each(root, "link", func(l *markup.Element) error {
		return each(l, "visual", func(v *markup.Element) error { return each(v, "material", define) })
	})
}

// surface reads a material and stores its color under its name. A material without a color gets the color that is already
// stored under its name. If a different color is already stored under its name, the result has its own color but no name.
func (r *reader) surface(m *markup.Element) (surface, error) {
	s := surface{name: m.Get("name")}
	if c := m.Child("color"); c != nil {
		rgba, err := c.Floats("rgba", 3, 4)
		if err != nil {
			return s, err
		}
		if rgba != nil {
			s.color = model.RGB(rgba[0], rgba[1], rgba[2])
			if len(rgba) == 4 && 0 < rgba[3] && rgba[3] < 1 {
				s.ghost = rgba[3]
			}
		}
	}
	if t := m.Child("texture"); t != nil && t.Get("filename") != "" {
		mean, err := r.meshes.Texture(mesh.Candidates(&r.meshes.Source, t.Get("filename"))...)
		if s.textureProblem = err; err == nil {
			s.color = mean
		}
	}
	known, isKnown := r.colors[s.name]
	switch {
	case s.name == "":
	case s.color == "":
		s.color, s.ghost = known.color, known.ghost
	case !isKnown:
		r.colors[s.name] = s
		r.scene.Materials = append(r.scene.Materials, model.Material{Name: s.name, Color: s.color})
	case known.color != s.color:
		s.name = "" // another material has the same name; it may also differ in its share as a ghost, which is the solid's own
	}
	return s, nil
}

// label returns the label for a solid that has this material and the given name.
func (s surface) label(name string) model.Label {
	l := model.Label{Name: name, Color: s.color, Ghost: s.ghost}
	if s.color != "" {
		l.Material = s.name
	}
	return l
}

func (r *reader) readLinks(root *markup.Element) error {
	return each(root, "link", func(e *markup.Element) error { return r.tolerate(r.readLink(e)) })
}

func (r *reader) readLink(e *markup.Element) error {
	name, err := required(e, "name")
	if err != nil {
		return err
	}
	if r.links[name] != nil {
		return e.Wrong("name", problem.CodeDuplicateName, "must be unique among links")
	}
	l := &link{Element: e, name: name}
	r.links[name] = l
	r.order = append(r.order, l)
	return nil
}

// required returns the value of a required attribute.
func required(e *markup.Element, attr string) (string, error) {
	value := e.Get(attr)
	if value == "" {
		return "", e.Wrong(attr, problem.CodeMissingKey, "is missing")
	}
	return value, nil
}

func (r *reader) readJoints(root *markup.Element) error {
	if err := each(root, "joint", func(e *markup.Element) error { return r.tolerate(r.readJoint(e)) }); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.Joints)) {
		j := r.joints[name]
		switch {
		case j == nil:
			return unknownJoint(name, slices.Sorted(maps.Keys(r.joints)))
		case !j.moves():
			return fmt.Errorf("joint %q has the type %s and does not move along or about an axis", name, j.kind)
		}
	}
	return nil
}

func unknownJoint(name string, known []string) error {
	return fmt.Errorf("the robot has no joint %q%s", name, text.DidYouMean(text.ClosestWord(name, known), "%q"))
}

// moves reports whether the joint turns about an axis or slides along it, so that it has a position.
func (j *joint) moves() bool {
	return j.kind == "revolute" || j.kind == "continuous" || j.kind == "prismatic"
}

func (r *reader) readJoint(e *markup.Element) (err error) {
	j := &joint{Element: e}
	if j.name, err = required(e, "name"); err != nil {
		return err
	}
	if r.joints[j.name] != nil {
		return e.Wrong("name", problem.CodeDuplicateName, "must be unique among joints")
	}
	if err := j.readKind(); err != nil {
		if err := r.tolerate(err); err != nil {
			return err
		}
		j.kind = "fixed"
	}
	if j.origin, err = r.origin(e); err != nil {
		return err
	}
	if err := r.tolerate(j.readAxis()); err != nil {
		return err
	}
	if err := r.tolerate(j.readMimic()); err != nil {
		return err
	}
	parent, _, err := r.end(e, "parent")
	if err != nil {
		return err
	}
	child, at, err := r.end(e, "child")
	if err != nil {
		return err
	}
	if child.parent != nil {
		return at.Wrong("link", problem.CodeConflict, "has a parent already, by joint %q", child.parent.name)
	}
	j.child, child.parent = child, j
	r.joints[j.name] = j
	parent.children = append(parent.children, j)
	return nil
}

// end returns the link at one end of a joint. It also returns the child element of the joint that names the link. The
// argument name is the name of this element: parent or child.
func (r *reader) end(j *markup.Element, name string) (*link, *markup.Element, error) {
	e := j.Child(name)
	if e == nil {
		return nil, nil, j.Wrong("", problem.CodeMissingKey, "must have a <%s>", name)
	}
	to, err := required(e, "link")
	if err != nil {
		return nil, nil, err
	}
	l := r.links[to]
	if l == nil {
		problem := e.Wrong("link", problem.CodeUnknownValue, "must be the name of a link")
		problem.Suggestion = text.ClosestWord(to, slices.Sorted(maps.Keys(r.links)))
		return nil, nil, problem
	}
	return l, e, nil
}

func (j *joint) readKind() (err error) {
	if _, err = required(j.Element, "type"); err != nil {
		return err
	}
	j.kind, err = j.Word("type", "revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical")
	return err
}

// readAxis reads the axis of a joint. It is x by default.
func (j *joint) readAxis() error {
	j.axis = geom.Vec3{X: 1}
	a := j.Child("axis")
	if a == nil {
		return nil
	}
	axis, err := a.Vector("xyz", j.axis)
	if err != nil {
		return err
	}
	if _, ok := geom.Direction(axis); !ok && j.moves() {
		return a.Wrong("xyz", problem.CodeZeroVector, "must not be zero")
	}
	j.axis = axis
	return nil
}

// readMimic reads which other joint determines the position of this joint, and by what formula.
func (j *joint) readMimic() error {
	m := j.Child("mimic")
	if m == nil {
		return nil
	}
	if _, err := required(m, "joint"); err != nil {
		return err
	}
	multiplier, err := m.Float("multiplier", 1)
	if err != nil {
		return err
	}
	offset, err := m.Float("offset", 0)
	if err != nil {
		return err
	}
	j.mimic, j.multiplier, j.offset = m, multiplier, offset
	return nil
}

// origin reads the pose of an element in its parent. If the pose is invalid, origin returns an error if the reader is
// strict, and the identity otherwise.
func (r *reader) origin(e *markup.Element) (model.Pose, error) {
	p, err := origin(e)
	if err != nil {
		return model.Pose{}, r.tolerate(err)
	}
	return p, nil
}

// origin reads the pose of an element: a translation, and a rotation about the fixed axes x, y and z, in this order, or
// a quaternion of any length.
func origin(e *markup.Element) (p model.Pose, err error) {
	o := e.Child("origin")
	if o == nil {
		return p, nil
	}
	if p.Position, err = o.Vector("xyz", geom.Vec3{}); err != nil {
		return p, err
	}
	rpy, err := o.Vector("rpy", geom.Vec3{})
	if err != nil {
		return p, err
	}
	p.Rotation = turned(rpy)
	xyzw, err := o.Floats("quat_xyzw", 4, 4)
	if err != nil || xyzw == nil {
		return p, err
	}
	if o.Get("rpy") != "" {
		return p, o.Wrong("quat_xyzw", problem.CodeConflict, "must not be together with rpy")
	}
	p.Rotation = model.Quaternion{W: xyzw[3], X: xyzw[0], Y: xyzw[1], Z: xyzw[2]}
	if p.Rotation == (model.Quaternion{}) {
		return p, o.Wrong("quat_xyzw", problem.CodeZeroVector, "must not be zero")
	}
	return p, nil
}

// turned returns the rotation by angles in radians about the fixed axes x, y and z, applied in this order.
func turned(rpy geom.Vec3) model.Quaternion {
	x, y, z := model.Turn(geom.Vec3{X: 1}, degrees(rpy.X)), model.Turn(geom.Vec3{Y: 1}, degrees(rpy.Y)), model.Turn(geom.Vec3{Z: 1}, degrees(rpy.Z))
	return z.Mul(y).Mul(x)
}

func degrees(radians float64) geom.Angle { return geom.Angle(radians * (180 / math.Pi)) }

// value returns the position of a joint. This is the position in the options or, without one, the position that follows
// from the joint that this joint mimics. Otherwise it is 0.
func (r *reader) value(j *joint) (float64, error) {
	scale, sum := 1.0, 0.0
	for range len(r.joints) {
		if x, given := r.Joints[j.name]; given {
			return sum + float64(scale*x), nil
		}
		if j.mimic == nil {
			return sum, nil
		}
		sum += float64(scale * j.offset)
		scale *= j.multiplier
		next := r.joints[j.mimic.Get("joint")]
		if next == nil {
			problem := j.mimic.Wrong("joint", problem.CodeUnknownValue, "must be the name of a joint")
			problem.Suggestion = text.ClosestWord(j.mimic.Get("joint"), slices.Sorted(maps.Keys(r.joints)))
			return 0, problem
		}
		j = next
	}
	return 0, j.mimic.Wrong("joint", problem.CodeCycle, "follows itself")
}

// motion returns the pose of a joint's child relative to the joint's origin.
func (r *reader) motion(j *joint) (model.Pose, error) {
	if !j.moves() {
		return model.Pose{}, nil
	}
	x, err := r.value(j)
	if err != nil {
		return model.Pose{}, r.tolerate(err)
	}
	if !(math.Abs(x) <= geom.MaxCoordinate) {
		return model.Pose{}, j.Wrong("", problem.CodeOutOfRange, "its value must be at most %g in magnitude", geom.MaxCoordinate)
	}
	if j.kind != "prismatic" {
		return model.Pose{Rotation: model.Turn(j.axis, degrees(x))}, nil
	}
	axis, _ := geom.Direction(j.axis)
	return model.Pose{Position: axis.Scale(x)}, nil
}

// roots returns the links without a parent. A robot should have exactly one. If it has several, this is an error if the
// reader is strict, and otherwise a warning.
func (r *reader) roots() ([]*link, error) {
	var roots []*link
	for _, l := range r.order {
		if l.parent != nil {
			continue
		}
		roots = append(roots, l)
		if len(roots) == 1 {
			continue
		}
		problem := l.Wrong("name", problem.CodeConflict, "has no parent, and neither has link %q at line %d: a robot has one root", roots[0].name, roots[0].Where().Line)
		if r.Strict {
			return nil, problem
		}
		problem.Message += "; it is placed at the origin"
		r.scene.Account.Warn(problem)
	}
	return roots, nil
}

// assemble places each link in its parent, and the links without a parent in the scene.
func (r *reader) assemble(root *markup.Element) error {
	roots, err := r.roots()
	if err != nil {
		return err
	}
	if len(r.order) == 0 {
		return root.Wrong("", problem.CodeMissingKey, "must have a <link>")
	}
	switch kind, other := r.kind(); {
	case r.Ghost != "" && !r.has(r.Ghost):
		return root.Wrong("", problem.CodeMissingKey, "has no %s geometry for --ghost", r.Ghost)
	case r.Ghost == "" && !r.has(kind) && r.has(other):
		return root.Wrong("", problem.CodeMissingKey, "has no %s geometry; use --geometry %s", kind, other)
	case r.Ghost != "" && r.Ghost != kind && !r.has(kind):
		return root.Wrong("", problem.CodeMissingKey, "has no %s geometry to show inside the ghost; use --geometry %s to show only the ghost", kind, other)
	}
	for _, l := range roots {
		part, err := r.part(l, 0)
		if err != nil {
			return err
		}
		r.scene.Places = append(r.scene.Places, model.Place{Part: part, Name: l.name})
	}
	for _, l := range r.order {
		if !l.seen { // a link has one parent, so a link that no root reaches is in a cycle or below one
			return r.ring(l).parent.Wrong("name", problem.CodeCycle, "belongs to a ring of links")
		}
	}
	return nil
}

// kind returns the kind of geometry that is converted, and the other kind.
func (r *reader) kind() (shown, other string) {
	if r.Visual {
		return "visual", "collision"
	}
	return "collision", "visual"
}

// has reports whether any link has geometry of a kind: "visual" or "collision".
func (r *reader) has(kind string) bool {
	return slices.ContainsFunc(r.order, func(l *link) bool { return l.Child(kind) != nil })
}

// ring returns some link of a cycle that is found by going from the link l to its parents.
func (r *reader) ring(l *link) *link {
	parents := make(map[*link]*link)
	for _, p := range r.order {
		for _, j := range p.children {
			parents[j.child] = p
		}
	}
	met := make(map[*link]bool)
	for !met[l] {
		met[l] = true
		l = parents[l]
	}
	return l
}

// part returns the part of a link: its solids, and placements of the parts of its children.
func (r *reader) part(l *link, depth int) (*model.Part, error) {
	l.seen = true
	if depth == maxLinks {
		return nil, l.Wrong("", problem.CodeTooDeep, "a chain must have at most %d links", maxLinks)
	}
	p := &model.Part{Name: l.name}
	if err := r.solids(p, l); err != nil {
		return nil, err
	}
	for _, j := range l.children {
		motion, err := r.motion(j)
		if err != nil {
			return nil, err
		}
		pose := j.origin.Then(motion)
		j.child.at = l.at.Then(pose)
		child, err := r.part(j.child, depth+1)
		if err != nil {
			return nil, err
		}
		p.Places = append(p.Places, model.Place{Part: child, Name: j.child.name, Pose: pose})
	}
	return p, nil
}
