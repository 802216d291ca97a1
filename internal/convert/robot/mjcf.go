package robot

import (
	"io"
	"path/filepath"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/scene"
	"pillbox/shapes"
)

// WriteMJCF writes a scene as a model of MuJoCo. It returns an error if s is not valid or if writing fails; then w may have
// received part of the model.
func WriteMJCF(w io.Writer, s *scene.Scene) error {
	if err := s.Validate(); err != nil {
		return err
	}
	m := &mjcf{writer: newWriter(w), names: make(map[string]int)}
	m.open("mujoco", "model", modelName(s))
	m.open("worldbody")
	m.contents(tree(s))
	m.close("worldbody")
	m.close("mujoco")
	return m.Flush()
}

// modelName returns the name of a model, which is made from the name of the scene's file.
func modelName(s *scene.Scene) string {
	base := filepath.Base(s.Name)
	if name := strings.TrimSuffix(base, filepath.Ext(base)); name != "" && name != "." && name != "-" {
		return name
	}
	return "scene"
}

type mjcf struct {
	*writer
	names map[string]int // of geoms
}

func (m *mjcf) body(b *body) {
	m.open("body", "name", b.name, "pos", position(b.at.Position), "quat", quaternion(b.at.Rotation))
	m.contents(b)
	m.close("body")
}

func (m *mjcf) contents(b *body) {
	for i := range b.solids {
		m.geom(&b.solids[i])
	}
	for _, inner := range b.bodies {
		m.body(inner)
	}
}

func (m *mjcf) geom(x *solid) {
	name := x.name
	if name != "" {
		name = unique(name, "", m.names)
	}
	color := rgba(x.material)
	switch s := x.shape.(type) {
	case shapes.Sphere:
		m.empty("geom", "name", name, "type", "sphere", "size", numbers(s.Radius), "pos", position(s.Center), "rgba", color)
	case shapes.Capsule:
		if s.A == s.B {
			m.empty("geom", "name", name, "type", "sphere", "size", numbers(s.Radius), "pos", position(s.A), "rgba", color)
			return
		}
		m.empty("geom", "name", name, "type", "capsule", "size", numbers(s.Radius), "fromto", vector(s.A)+" "+vector(s.B), "rgba", color)
	case shapes.Cylinder:
		m.empty("geom", "name", name, "type", "cylinder", "size", numbers(s.Radius), "fromto", vector(s.A)+" "+vector(s.B), "rgba", color)
	case shapes.Box:
		m.empty("geom", "name", name, "type", "box", "size", vector(s.HalfExtents), "pos", position(s.Center), "quat", quaternion(model.QuaternionOf(s.Rotation)), "rgba", color)
	}
}

// quaternion formats a rotation as an attribute; "" for no rotation.
func quaternion(q model.Quaternion) string {
	q = q.Unit()
	if (geom.Vec3{X: q.X, Y: q.Y, Z: q.Z}) == (geom.Vec3{}) {
		return ""
	}
	return numbers(q.W, q.X, q.Y, q.Z)
}
