package robot

import (
	"fmt"
	"io"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/scene"
	"pillbox/shapes"
)

// WriteURDF writes a scene as a robot in URDF. Each solid is written as a collision and as a visual element of a link.
// A robot with capsules is in URDF 1.1, any other one in URDF 1.0, which all programs read. WriteURDF returns an error if s is not valid or if writing fails; then w may have received part of the robot.
func WriteURDF(w io.Writer, s *scene.Scene) error {
	if err := s.Validate(); err != nil {
		return err
	}
	u := &urdf{writer: newWriter(w)}
	u.WriteString("<?xml version=\"1.0\"?>\n")
	version := ""
	if slices.ContainsFunc(s.Capsules, func(c shapes.Capsule) bool { return c.A != c.B }) {
		version = "1.1"
	}
	u.open("robot", "name", modelName(s), "version", version)
	root := tree(s)
	if len(root.solids) == 0 && len(root.bodies) == 1 && root.bodies[0].isAtOrigin() {
		root = root.bodies[0] // the robot's outermost link
	}
	u.link(root)
	u.close("robot")
	return u.Flush()
}

type urdf struct {
	*writer
}

// link writes a link and its descendants, each after the joint that fixes it.
func (u *urdf) link(b *body) {
	u.open("link", "name", b.name)
	for i := range b.solids {
		u.solid(&b.solids[i])
	}
	u.close("link")
	for _, inner := range b.bodies {
		u.joint(b.name, inner)
		u.link(inner)
	}
}

// isAtOrigin reports whether a body has the same frame as its parent.
func (b *body) isAtOrigin() bool {
	return b.at.Position == (geom.Vec3{}) && quaternion(b.at.Rotation) == ""
}

// joint writes the joint that fixes a body to its parent.
func (u *urdf) joint(parent string, b *body) {
	u.open("joint", "name", b.name+"_joint", "type", "fixed")
	u.origin(b.at)
	u.empty("parent", "link", parent)
	u.empty("child", "link", b.name)
	u.close("joint")
}

func (u *urdf) solid(x *solid) {
	switch s := x.shape.(type) {
	case shapes.Sphere:
		u.sphere(x, x.name, s.Center, s.Radius)
	case shapes.Capsule:
		length, at := round(s.A, s.B)
		if length == 0 {
			u.sphere(x, x.name, s.A, s.Radius)
			return
		}
		u.shape(x, x.name, at, "capsule", "radius", numbers(s.Radius), "length", numbers(length))
	case shapes.Cylinder:
		length, at := round(s.A, s.B)
		u.shape(x, x.name, at, "cylinder", "radius", numbers(s.Radius), "length", numbers(length))
	case shapes.Box:
		at := model.Pose{Position: s.Center, Rotation: model.QuaternionOf(s.Rotation)}
		u.shape(x, x.name, at, "box", "size", vector(s.HalfExtents.Scale(2)))
	}
}

func (u *urdf) sphere(x *solid, name string, center geom.Vec3, radius float64) {
	u.shape(x, name, model.Pose{Position: center}, "sphere", "radius", numbers(radius))
}

// shape writes a shape as a collision and as a visual element.
func (u *urdf) shape(x *solid, name string, at model.Pose, kind string, attrs ...string) {
	for _, use := range [...]string{"collision", "visual"} {
		u.open(use, "name", name)
		u.origin(at)
		u.open("geometry")
		u.empty(kind, attrs...)
		u.close("geometry")
		if use == "visual" {
			color := rgba(x.material)
			u.open("material", "name", fmt.Sprintf("rgba %s", color))
			u.empty("color", "rgba", color)
			u.close("material")
		}
		u.close(use)
	}
}

// origin writes a pose, unless it is the identity.
func (u *urdf) origin(at model.Pose) {
	rpy := ""
	if quaternion(at.Rotation) != "" {
		rpy = vector(rollPitchYaw(at.Rotation.Matrix()))
	}
	if xyz := position(at.Position); xyz != "" || rpy != "" {
		u.empty("origin", "xyz", xyz, "rpy", rpy)
	}
}

// rollPitchYaw converts a rotation to angles in radians about the fixed axes x, y and z, applied in this order. The roll
// is that of the rotation without its yaw, so it is precise even where the axes of roll and yaw almost coincide.
// Source: S. M. LaValle, "Planning Algorithms", section 3.2.3.
func rollPitchYaw(m geom.Mat3) geom.Vec3 {
	pitch := math.Atan2(-m.X.Z, math.Sqrt(float64(m.X.X*m.X.X)+float64(m.X.Y*m.X.Y)))
	yaw := math.Atan2(m.X.Y, m.X.X)
	sin, cos := math.Sincos(yaw)
	roll := math.Atan2(float64(sin*m.Z.X)-float64(cos*m.Z.Y), float64(cos*m.Y.Y)-float64(sin*m.Y.X))
	return geom.Vec3{X: roll, Y: pitch, Z: yaw}
}
