package mjcf

import (
	"fmt"
	"math"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/model"
	"pillbox/internal/text"
	"pillbox/problem"
)

// joint is a joint, by which a body moves relative to its parent.
type joint struct {
	kind      string
	position  geom.Vec3 // in the body
	axis      geom.Vec3 // in the body, unit length
	reference float64   // the joint position at which the body is placed as in the file, in degrees or units of length
	at        int       // index of its first number in mjData.qpos
	align     bool      // it aligns its body's frame with the inertial frame: [reader.align]

	element  *markup.Element
	copied   *copied   // see [context]
	attached *instance // the attached model that contains it
}

// width returns how many numbers in qpos, MuJoCo's list of joint positions, belong to the joint.
func (j *joint) width() int {
	switch j.kind {
	case "free":
		return 7
	case "ball":
		return 4
	}
	return 1
}

func (r *reader) joint(t tag, in context) error {
	j := joint{kind: "free", axis: geom.Vec3{Z: 1}, element: t.Element, copied: in.copied, attached: in.attached}
	var err error
	if t.Name == "joint" {
		if j.kind, err = t.word("type", "hinge", "slide", "ball", "free"); err != nil {
			return err
		}
	}
	switch {
	case in.body.isWorld():
		return t.Wrong("", problem.CodeConflict, "not allowed in the world body, which does not move")
	case j.kind == "free" && (!in.body.parent.isWorld() || len(in.body.joints) > 0):
		return t.Wrong("", problem.CodeConflict, "moves freely, which must be the only joint of a body in the world")
	case len(in.body.joints) > 0 && in.body.joints[0].kind == "free":
		return t.Wrong("", problem.CodeConflict, "cannot be combined with a free joint")
	}
	if j.kind != "free" {
		if err := j.place(t, r, in); err != nil {
			return err
		}
	} else if j.align, err = r.aligned(t); err != nil {
		return err
	}
	in.body.joints = append(in.body.joints, j)
	return nil
}

// place reads the position and the axis of a joint.
func (j *joint) place(t tag, r *reader, in context) (err error) {
	if j.position, err = t.vector("pos", geom.Vec3{}); err != nil {
		return err
	}
	j.position = r.inBody(model.Pose{Position: j.position}, in).Position
	if j.kind == "ball" {
		return nil
	}
	if j.axis, err = t.vector("axis", j.axis); err != nil {
		return err
	}
	turn := in.frame.Rotation
	if r.compiler.global {
		turn = in.body.reference.Rotation.Inverse()
	}
	var ok bool
	if j.axis, ok = geom.Direction(turn.Rotate(j.axis)); !ok {
		return t.source("axis").Wrong("axis", problem.CodeZeroVector, "must not be zero")
	}
	if j.reference, err = t.float("ref", 0); err == nil && j.kind == "hinge" {
		j.reference = r.compiler.angle(j.reference).Degrees()
	}
	return err
}

// pose moves the bodies to the joint positions of [Options].
func (r *reader) pose(root *markup.Element) error {
	r.numberJoints()
	key, err := r.positions(root)
	if err != nil {
		return err
	}
	for _, b := range r.bodies[1:] {
		if key != nil {
			key.move(b)
			r.align(b, key)
		}
		b.now = b.parent.now.Then(b.local)
	}
	return nil
}

// numberJoints determines, for every joint, the index of the joint's first number in MuJoCo's list mjData.qpos.
func (r *reader) numberJoints() {
	r.qpos = 0
	for _, b := range r.bodies {
		for i := range b.joints {
			b.joints[i].at = r.qpos
			r.qpos += b.joints[i].width()
		}
	}
}

// keyframe holds the positions of all joints and of the motion-capture bodies.
type keyframe struct {
	qpos       []float64 // nil: as in the file; NaN: this joint is as in the file
	mpos, mrot []float64
}

// positions returns the joint positions that [Options] select, by QPos or by a keyframe. It returns nil if they select
// none.
func (r *reader) positions(root *markup.Element) (*keyframe, error) {
	if r.QPos != nil {
		qpos, err := r.withoutDeformable(r.QPos)
		if err != nil {
			return nil, err
		}
		return &keyframe{qpos: qpos}, nil
	}
	if r.Keyframe == "" {
		return nil, nil
	}
	var names []string
	for _, key := range r.keys(root) {
		if key.name == r.Keyframe || strconv.Itoa(len(names)) == r.Keyframe {
			return r.keyframe(key)
		}
		names = append(names, key.name)
	}
	return nil, fmt.Errorf("the model has %d keyframes, and none is called %q%s", len(names), r.Keyframe,
		text.DidYouMean(text.ClosestWord(r.Keyframe, names), "%q"))
}

// key is a keyframe of the model or of an attached model.
type key struct {
	*markup.Element
	name string
	from *instance // nil: the model itself
}

// keys returns all keyframes in MuJoCo's order: those of the model, then those of each attached model, with its prefix.
func (r *reader) keys(root *markup.Element) []key {
	list := keysOf(root, nil, "")
	for _, from := range r.instances {
		list = append(list, keysOf(from.root, from, from.prefix)...)
	}
	return list
}

func keysOf(root *markup.Element, from *instance, prefix string) (list []key) {
	for _, section := range root.Children {
		if section.Name != "keyframe" {
			continue
		}
		for _, e := range section.Children {
			name := e.Get("name")
			if name != "" {
				name = prefix + name
			}
			list = append(list, key{e, name, from})
		}
	}
	return list
}

// keyframe reads the positions of joints and mocap bodies of a keyframe.
func (r *reader) keyframe(from key) (*keyframe, error) {
	if from.from != nil {
		return r.attachedKeyframe(from)
	}
	var k keyframe
	x, err := from.Floats("qpos", 0, maxElements)
	if err == nil && x != nil {
		if k.qpos, err = r.withoutDeformable(x); err != nil {
			if len(r.deformable) == 0 { // the usual case has a simpler message
				_, err = from.Floats("qpos", r.qpos, r.qpos)
			} else {
				err = from.Wrong("qpos", problem.CodeWrongLength, "%v", err)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	if k.mpos, err = from.Floats("mpos", 3*r.mocaps, 3*r.mocaps); err != nil {
		return nil, err
	}
	if k.mrot, err = from.Floats("mquat", 4*r.mocaps, 4*r.mocaps); err != nil {
		return nil, err
	}
	return &k, nil
}

// attachedKeyframe reads a keyframe of an attached copy of a model. Its qpos has the positions of all joints in the
// model's file, even if only a part of the model is attached; positions of the other joints are ignored. Joints outside
// this copy stay as in the file. mpos and mquat are ignored.
func (r *reader) attachedKeyframe(from key) (*keyframe, error) {
	own := newReader(r.src, r.Options)
	own.file = from.from.file
	if err := each(own.root, "worldbody", func(e *markup.Element) error {
		return own.contents(e, context{body: own.world, class: own.classes.main})
	}); err != nil {
		return nil, err
	}
	own.numberJoints()
	x, err := from.Floats("qpos", own.qpos, own.qpos)
	if err != nil {
		return nil, err
	}
	if x == nil {
		return &keyframe{}, nil
	}
	joints := make(map[*markup.Element][]*joint)
	for _, b := range own.bodies {
		for i := range b.joints {
			j := &b.joints[i]
			joints[j.element] = append(joints[j.element], j)
		}
	}
	k := keyframe{qpos: make([]float64, r.qpos)}
	for i := range k.qpos {
		k.qpos[i] = math.NaN()
	}
	for _, b := range r.bodies {
		for i := range b.joints {
			j := &b.joints[i]
			if j.attached != from.from {
				continue
			}
			if found := j.original(joints[j.element]); found != nil {
				copy(k.qpos[j.at:j.at+j.width()], x[found.at:])
			}
		}
	}
	return &k, nil
}

// original returns the joint in the file of an attached model of which j is a copy. all contains the joints that the
// element of j makes in that file. If j is in a replicate or attach element, and only contents of this element were
// attached, original returns the first joint that fits.
func (j *joint) original(all []*joint) (found *joint) {
	for _, o := range all {
		outer, ok := o.copied.within(j.copied, j.attached.copied)
		if ok && outer == nil {
			return o
		}
		if ok && found == nil {
			found = o
		}
	}
	return found
}

// move sets the pose of a body in its parent according to the keyframe. Source: MuJoCo's mj_kinematics.
func (k *keyframe) move(b *body) {
	if b.mocap > 0 {
		if at := 3 * (b.mocap - 1); k.mpos != nil {
			b.local.Position = geom.Vec3{X: k.mpos[at], Y: k.mpos[at+1], Z: k.mpos[at+2]}
		}
		if at := 4 * (b.mocap - 1); k.mrot != nil {
			b.local.Rotation = unit(k.mrot[at:])
		}
	}
	if k.qpos == nil {
		return
	}
	for i := range b.joints {
		b.joints[i].move(&b.local, k.qpos)
	}
}

// move changes the pose of the joint's body in its parent by the joint's position in qpos.
func (j *joint) move(p *model.Pose, qpos []float64) {
	q := qpos[j.at:]
	if math.IsNaN(q[0]) {
		return
	}
	switch j.kind {
	case "free":
		*p = model.Pose{Position: geom.Vec3{X: q[0], Y: q[1], Z: q[2]}, Rotation: unit(q[3:])}
	case "slide":
		p.Position = p.Position.AddScaled(q[0]-j.reference, p.Rotation.Rotate(j.axis))
	default:
		turn := unit(q)
		if j.kind == "hinge" {
			turn = model.Turn(j.axis, degrees(q[0])-geom.Angle(j.reference))
		}
		anchor := p.Point(j.position)
		p.Rotation = p.Rotation.Mul(turn)
		p.Position = anchor.Sub(p.Rotation.Rotate(j.position))
	}
}

// unit returns the rotation for the quaternion in the first four numbers of q. If one of them is missing or NaN, it
// returns the zero quaternion, which does not rotate.
func unit(q []float64) model.Quaternion {
	if len(q) < 4 || math.IsNaN(q[0]+q[1]+q[2]+q[3]) {
		return model.Quaternion{}
	}
	return model.Quaternion{W: q[0], X: q[1], Y: q[2], Z: q[3]}.Unit()
}
