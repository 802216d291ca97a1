package mjcf

import (
	"cmp"
	"fmt"
	"slices"

	"pillbox/geom"
	"pillbox/internal/convert/model"
)

// reflector is a geom or site that MuJoCo could show as a mirror: an opaque plane or box whose material has a reflectance.
type reflector struct {
	body   *body
	kind   string // plane or box
	box    int    // index of the box in the body's part
	plane  int    // index of the plane
	isSite bool
	finish *finish
}

// reflects reports whether a plane or a box with this look can be a mirror.
func (l look) reflects() bool { return l.finish != nil && l.finish.reflectance > 0 && l.alpha >= 1 }

// mirror returns the only reflector that MuJoCo shows as a mirror, or nil. This is the first in MuJoCo's order: geoms before
// sites, then by body, then in file order. Source: MuJoCo's XML reference, "asset/material/reflectance".
func (r *reader) mirror() *reflector {
	if len(r.reflectors) == 0 {
		return nil
	}
	order := make(map[*body]int)
	for i, b := range r.bodies {
		order[b] = i
	}
	last := func(isSite bool) int {
		if isSite {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(r.reflectors, func(a, b reflector) int {
		return cmp.Or(cmp.Compare(last(a.isSite), last(b.isSite)), cmp.Compare(order[a.body], order[b.body]))
	})
	return &r.reflectors[0]
}

// reflect makes the reflector of the model a mirror, if it is a box. Only the face on the side of +z of a box reflects, so the
// mirror is a thin box, and the box ends below it.
func (r *reader) reflect() {
	m := r.mirror()
	if m == nil || m.kind != "box" {
		return
	}
	const share = 1e-3 // of the box's height
	part := m.body.part
	b := &part.Boxes[m.box]
	face := *b
	up := b.Rotation.Rotate(geom.Vec3{Z: 1})
	height := b.HalfExtents.Z
	face.HalfExtents.Z, b.HalfExtents.Z = height*share, height*(1-share)
	face.Center, b.Center = b.Center.AddScaled(height*(1-share), up), b.Center.AddScaled(-height*share, up)
	face.Label = r.mirrored(b.Label, m.finish)
	if face.Name != "" {
		face.Name += "-mirror"
	}
	part.Boxes = append(part.Boxes, face)
}

// mirrored adds a material like that of a label, with the reflectance of f, and returns the label with this material.
func (r *reader) mirrored(l model.Label, f *finish) model.Label {
	m := model.Material{Name: l.Material, Color: l.Color}
	if i := slices.IndexFunc(r.scene.Materials, func(m model.Material) bool { return m.Name == l.Material }); i >= 0 && l.Material != "" {
		m = r.scene.Materials[i]
	} else {
		m.Name = f.name
	}
	base := m.Name + " mirror"
	m.Name, m.Mirror = base, f.reflectance
	for i := 2; r.has(m.Name); i++ {
		m.Name = fmt.Sprintf("%s %d", base, i)
	}
	r.scene.Materials = append(r.scene.Materials, m)
	l.Material, l.Color = m.Name, ""
	return l
}
