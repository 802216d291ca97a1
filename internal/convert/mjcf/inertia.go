package mjcf

import (
	"pillbox/internal/convert/model"
)

// aligned reports whether a free joint aligns its body with the inertial frame.
func (r *reader) aligned(t tag) (bool, error) {
	if t.Name != "freejoint" || t.get("align") == "" {
		return r.compiler.alignFree, nil
	}
	align, err := t.word("align", "auto", "true", "false")
	return align == "true" || align == "auto" && r.compiler.alignFree, err
}

// inertial reads the inertial frame of a body.
func (r *reader) inertial(t tag, in context) error {
	if t.get("fullinertia") != "" {
		in.body.unknown = true // its axes are those of a matrix
		return nil
	}
	p, err := r.stand(t, in)
	if err == nil {
		in.body.inertia = &p
	}
	return err
}

// weigh records the frame of a geom for the inertial frame of its body. The error is that of its measures.
func (b *body) weigh(t tag, s *solid, err error) {
	for _, attr := range [...]string{"mass", "density"} {
		if x, problem := t.float(attr, 1); problem == nil && x == 0 {
			return
		}
	}
	switch {
	case s.kind == "plane":
	case err != nil || s.fitted || s.kind == "mesh" || s.kind == "sdf" || s.kind == "hfield":
		b.unknown = true
	default:
		b.massive = append(b.massive, s.at)
	}
}

// inertialFrame returns the inertial frame of a body, and false if it is not known: that of several geoms
// is not computed. Source: MuJoCo's user_objects.cc, mjCBody::InertiaFromGeom.
func (b *body) inertialFrame() (model.Pose, bool) {
	switch {
	case b.inertia != nil:
		return *b.inertia, true
	case b.unknown || len(b.massive) != 1:
		return model.Pose{}, false
	}
	return b.massive[0], true
}

// align corrects the pose of a body that a free joint moves and whose frame MuJoCo replaces by its inertial
// frame, as it does for bodies without children: there the positions are those of the inertial frame.
func (r *reader) align(b *body, key *keyframe) {
	if key.qpos == nil || len(b.joints) != 1 || !b.joints[0].align || len(b.children) > 0 {
		return
	}
	if q := key.qpos[b.joints[0].at]; q != q {
		return // as in the file
	}
	frame, ok := b.inertialFrame()
	if !ok {
		r.scene.Account.Note("body", "shown at the pose of its inertial frame, which is not computed", b.Where())
		return
	}
	b.local = b.local.Then(frame.Inverse())
}
