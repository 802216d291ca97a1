package mjcf

import (
	"pillbox/internal/convert/model"
)

// aligned reports whether a free joint aligns the frame of its body with the inertial frame.
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
		in.body.unknown = true // its axes would have to be computed from a matrix
		return nil
	}
	p, err := r.stand(t, in)
	if err == nil {
		in.body.inertia = &p
	}
	return err
}

// weigh records the frame of a geom, unless the geom is a plane or has no mass. The method inertialFrame derives the
// body's inertial frame from the recorded frames. err is the error of measuring the geom; if it is not nil, the
// inertial frame is unknown.
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

// inertialFrame returns the inertial frame of a body: the frame that the file states, or else the frame of the body's
// only geom with mass. In other cases it returns false, because the common frame of several geoms is not computed.
// Source: MuJoCo's user_objects.cc, mjCBody::InertiaFromGeom.
func (b *body) inertialFrame() (model.Pose, bool) {
	switch {
	case b.inertia != nil:
		return *b.inertia, true
	case b.unknown || len(b.massive) != 1:
		return model.Pose{}, false
	}
	return b.massive[0], true
}

// align corrects the pose of a body that has no children and whose free joint aligns the body with its inertial frame.
// MuJoCo replaces the frame of such a body by the inertial frame, so the joint positions in the file are those of the
// inertial frame.
func (r *reader) align(b *body, key *keyframe) {
	if key.qpos == nil || len(b.joints) != 1 || !b.joints[0].align || len(b.children) > 0 {
		return
	}
	if q := key.qpos[b.joints[0].at]; q != q {
		return // the keyframe does not contain this joint
	}
	frame, ok := b.inertialFrame()
	if !ok {
		r.scene.Account.Note("body", "shown at the pose of its inertial frame, which is not computed", b.Where())
		return
	}
	b.local = b.local.Then(frame.Inverse())
}
