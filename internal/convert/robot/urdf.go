package robot

import (
	"fmt"
	"io"
	"math"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/scene"
	"pillbox/shapes"
)

// WriteURDF writes a scene as a robot in URDF. Each solid is written as a collision and as a visual element of a link.
// URDF has no capsules, so a capsule is written as a cylinder and two spheres, which together are the same set of
// points. WriteURDF returns an error if s is not valid or if writing fails; then w may have received part of the robot.
func WriteURDF(w io.Writer, s *scene.Scene) error {
	if err := s.Validate(); err != nil {
		return err
	}
	u := &urdf{writer: newWriter(w)}
	u.WriteString("<?xml version=\"1.0\"?>\n")
	u.open("robot", "name", modelName(s))
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
		u.sphere(x, suffixed(x.name, "-a"), s.A, s.Radius)
		u.sphere(x, suffixed(x.name, "-b"), s.B, s.Radius)
		u.shape(x, x.name, at, "cylinder", "radius", numbers(s.Radius), "length", numbers(length))
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

// suffixed appends a suffix to a name, unless the name is empty.
func suffixed(name, suffix string) string {
	if name == "" {
		return ""
	}
	return name + suffix
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
			color := rgba(x.color)
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

// rollPitchYaw converts a rotation to angles in radians about the fixed axes x, y and z, applied in this order. Source: S.
// M. LaValle, "Planning Algorithms", section 3.2.3.
func rollPitchYaw(m geom.Mat3) geom.Vec3 {
	pitch := math.Atan2(-m.X.Z, math.Sqrt(float64(m.X.X*m.X.X)+float64(m.X.Y*m.X.Y)))
	if math.Abs(m.X.Z) > 1-1e-12 { // the axes of roll and yaw coincide
		return geom.Vec3{X: math.Atan2(-m.Z.Y, m.Y.Y), Y: pitch}
	}
	return geom.Vec3{X: math.Atan2(m.Y.Z, m.Z.Z), Y: pitch, Z: math.Atan2(m.X.Y, m.X.X)}
}
