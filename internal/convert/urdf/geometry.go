package urdf

import (
	"fmt"

	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

// solids adds the geometry of a link to its part.
func (r *reader) solids(p *model.Part, l *link) error {
	if kind, _ := r.kind(); kind != r.Ghost {
		var painted surface // visual elements have no use for it
		if !r.Visual {
			var err error
			if painted, err = r.painted(l); err != nil {
				return err
			}
		}
		look := func(e *markup.Element) (model.Label, error) { return r.label(e, painted) }
		if err := each(l.Element, kind, func(e *markup.Element) error { return r.tolerate(r.geometry(p, e, look)) }); err != nil {
			return err
		}
	}
	if r.Ghost == "" {
		return nil
	}
	return each(l.Element, r.Ghost, func(e *markup.Element) error { return r.tolerate(r.geometry(p, e, hull)) })
}

// hull returns the label for the solids of an element in the hull of the scene.
func hull(e *markup.Element) (model.Label, error) {
	return model.Label{Name: e.Get("name"), InHull: true}, nil
}

// label returns the label for the solids of a collision or visual element. The argument painted is the material for a
// collision element without a material of its own.
func (r *reader) label(e *markup.Element, painted surface) (model.Label, error) {
	if m := e.Child("material"); m != nil {
		own, err := r.surfaceOrNone(m)
		return own.label(e.Get("name")), err
	}
	return painted.label(e.Get("name")), nil
}

// geometry adds the shapes of a collision or visual element to the part p. Their label is that which look returns.
func (r *reader) geometry(p *model.Part, e *markup.Element, look func(*markup.Element) (model.Label, error)) error {
	label, err := look(e)
	if err != nil {
		return err
	}
	at, err := r.origin(e)
	if err != nil {
		return err
	}
	g := e.Child("geometry")
	if g == nil {
		return e.Wrong("", problem.CodeMissingKey, "must have a <geometry>")
	}
	for _, shape := range g.Children {
		if err := r.tolerate(r.solid(p, shape, at, label)); err != nil {
			return err
		}
	}
	return nil
}

// surfaceOrNone reads a material. If the material is invalid, it returns an error if the reader is strict, and no
// material otherwise.
func (r *reader) surfaceOrNone(m *markup.Element) (surface, error) {
	s, err := r.surface(m)
	if err != nil {
		return surface{}, r.tolerate(err)
	}
	if t := m.Child("texture"); t != nil && s.textureProblem != nil {
		r.scene.Account.Note("texture of a material", fmt.Sprintf("not shown: %s %v", t.Get("filename"), s.textureProblem), m.Where())
	} else if t != nil {
		r.scene.Account.Note("texture of a material", "shown as its mean color", m.Where())
	}
	if s.name != "" && s.color == "" && m.Child("texture") == nil && !r.unknown[s.name] {
		r.unknown[s.name] = true
		unknown := m.Wrong("name", problem.CodeUnknownMaterial, "must be the name of a material with a color (shown without a material)")
		r.scene.Account.Warn(unknown)
	}
	return s, nil
}

// painted returns the material of the first visual geometry of a link that has a material. If this gives no color and
// meshes are read, painted returns the color of the first visual mesh that has colors.
func (r *reader) painted(l *link) (surface, error) {
	for _, v := range l.Children {
		if v.Name != "visual" {
			continue
		}
		if m := v.Child("material"); m != nil {
			s, err := r.surfaceOrNone(m)
			if err != nil || s.color != "" {
				return s, err
			}
			break
		}
	}
	return surface{color: r.meshColor(l)}, nil
}

// meshColor returns the color of the first visual mesh of a link that has colors, or "". Meshes that cannot be read have
// none.
func (r *reader) meshColor(l *link) (color model.Color) {
	if !r.Approximate {
		return ""
	}
	_ = each(l.Element, "visual", func(v *markup.Element) error {
		g := v.Child("geometry")
		if g == nil || color != "" {
			return nil
		}
		return each(g, "mesh", func(e *markup.Element) error {
			name := e.Get("filename")
			m, wrong := r.meshes.Open(geom.Vec3{X: 1, Y: 1, Z: 1}, mesh.Candidates(&r.meshes.Source, name)...)
			if wrong == nil && color == "" {
				color = r.meshes.Color(name, m, e.Where())
			}
			return nil
		})
	})
	return color
}

// solid adds a shape to a part.
func (r *reader) solid(p *model.Part, e *markup.Element, at model.Pose, label model.Label) error {
	switch e.Name {
	case "box":
		size, err := e.Floats("size", 3, 3)
		if err != nil {
			return err
		}
		if size == nil {
			return e.Wrong("size", problem.CodeMissingKey, "is missing")
		}
		half := geom.Vec3{X: size[0] / 2, Y: size[1] / 2, Z: size[2] / 2}
		for _, x := range [...]float64{half.X, half.Y, half.Z} {
			switch {
			case x == 0:
				r.scene.Account.Skip(empty+e.Name, e.Where())
				return nil
			case !geom.IsSize(x):
				return e.Wrong("size", problem.CodeOutOfRange, "must be 0, or from %g to %g", 2*geom.MinSize, 2*geom.MaxSize)
			}
		}
		p.Boxes = append(p.Boxes, model.Box{Center: at.Position, HalfExtents: half, Rotation: at.Rotation, Label: label})
	case "sphere":
		radius, err := size(e, "radius")
		if err != nil {
			return err
		}
		if radius == 0 {
			r.scene.Account.Skip(empty+e.Name, e.Where())
			return nil
		}
		p.Spheres = append(p.Spheres, model.Sphere{Center: at.Position, Radius: radius, Label: label})
	case "cylinder", "capsule":
		return r.round(p, e, at, label)
	case "mesh":
		return r.mesh(p, e, at, label)
	default:
		r.scene.Account.Skip(e.Name, e.Where())
	}
	return nil
}

// mesh adds the solids fitted to a mesh.
func (r *reader) mesh(p *model.Part, e *markup.Element, at model.Pose, label model.Label) error {
	if !r.Approximate {
		r.scene.Account.SkipUnlessApproximate("mesh", e.Where())
		return nil
	}
	name, err := required(e, "filename")
	if err != nil {
		return err
	}
	scale, err := e.Vector("scale", geom.Vec3{X: 1, Y: 1, Z: 1})
	if err != nil {
		return err
	}
	m, wrong := r.meshes.Open(scale, mesh.Candidates(&r.meshes.Source, name)...)
	if wrong == nil && label.Color == "" && !label.InHull {
		label.Color = r.meshes.Color(name, m, e.Where())
	}
	r.meshes.Add(p, name, m, wrong, at, label, e.Where())
	return nil
}

// round adds a cylinder or a capsule. The length of a capsule does not include its round ends.
func (r *reader) round(p *model.Part, e *markup.Element, at model.Pose, label model.Label) error {
	radius, err := size(e, "radius")
	if err != nil {
		return err
	}
	length, err := size(e, "length")
	if err != nil {
		return err
	}
	a, b := at.Point(geom.Vec3{Z: -length / 2}), at.Point(geom.Vec3{Z: length / 2})
	switch {
	case radius == 0 || length == 0 && e.Name == "cylinder":
		r.scene.Account.Skip(empty+e.Name, e.Where())
	case e.Name == "capsule":
		p.Capsules = append(p.Capsules, model.Capsule{A: a, B: b, Radius: radius, Label: label})
	default:
		p.Cylinders = append(p.Cylinders, model.Cylinder{A: a, B: b, Radius: radius, Label: label})
	}
	return nil
}

// The constant empty is the word that messages write before the noun of a shape without volume.
const empty = "empty "

// size returns the value of a required attribute that is a length or 0.
func size(e *markup.Element, attr string) (float64, error) {
	if _, err := required(e, attr); err != nil {
		return 0, err
	}
	x, err := e.Float(attr, 0)
	if err == nil && x != 0 && !geom.IsSize(x) {
		err = e.Wrong(attr, problem.CodeOutOfRange, "must be 0, or from %g to %g", geom.MinSize, geom.MaxSize)
	}
	return x, err
}
