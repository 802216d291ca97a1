package mjcf

import (
	"fmt"
	"math"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

// skip notes that a geom is skipped because scenes do not have its type.
func (r *reader) skip(kind string, t tag) {
	switch kind {
	case "ellipsoid":
		r.scene.Account.SkipUnlessApproximate(kind, t.Where())
	case "hfield":
		r.scene.Account.Skip("height field", t.Where())
	case "sdf":
		r.scene.Account.Skip("signed distance field", t.Where())
	default:
		r.scene.Account.Skip(kind, t.Where())
	}
}

// geom reads a geom, which is a solid of a MuJoCo model, or a site, which is a marker with a shape.
func (r *reader) geom(t tag, in context) error {
	kind, err := t.word("type", "sphere", "capsule", "box", "plane", "cylinder", "ellipsoid", "mesh", "hfield", "sdf")
	if err != nil {
		return err
	}
	group, err := t.group()
	if err != nil {
		return err
	}
	look, err := r.look(t)
	if err != nil {
		return err
	}
	shown, inHull := r.shown(group)
	if inHull {
		look.finish, look.colored = nil, false // a mirror or a pattern has no place in the hull
	}
	s := solid{kind: kind, label: r.label(look, in.label(t.Element))}
	s.label.InHull = inHull
	s.fitted = t.get("mesh") != "" && kind != "sdf" && kind != "mesh" && kind != "plane" && kind != "hfield"
	err = s.measure(t, r, in)
	if t.Name == "geom" {
		in.body.weigh(t, &s, err)
	}
	switch {
	case look.invisible:
		r.scene.Account.Skip("invisible "+t.Name, t.Where())
		return nil
	case !shown:
		r.scene.Account.Skip(fmt.Sprintf("%s of group %d", t.Name, group), t.Where())
		return nil
	case s.fitted && err != nil:
		r.scene.Account.SkipBecause("shape fitted to a mesh", fmt.Sprintf("%s %s", r.sourceOf(t), err), t.Where())
		return nil
	case err != nil:
		return err
	}
	if inHull {
		r.ghosts++
	}
	if kind == "mesh" {
		return r.addMesh(t, in, s.label)
	}
	s.addToPart(t, r, in, look)
	return nil
}

// group returns the group of a geom; 0 by default.
func (t tag) group() (int, error) {
	text := t.get("group")
	if text == "" {
		return 0, nil
	}
	group, err := strconv.Atoi(text)
	if err != nil {
		return 0, t.source("group").Wrong("group", problem.CodeWrongType, "must be a whole number")
	}
	return group, nil
}

// solid is the geometry of a geom.
type solid struct {
	kind   string
	fitted bool // it has the size of a mesh
	label  model.Label
	size   [3]float64
	at     model.Pose // pose in the body
	a, b   geom.Vec3  // the ends of a capsule or cylinder, in the body
}

// measure reads the size and the pose of the geom.
func (s *solid) measure(t tag, r *reader, in context) (err error) {
	if s.kind == "mesh" || s.kind == "hfield" || s.kind == "sdf" {
		return nil
	}
	if s.fitted {
		if err := s.measureMesh(t, r, in); err != nil {
			return err
		}
		if s.kind == "capsule" && s.size[1] == 0 {
			return nil // a sphere
		}
		return s.check(t)
	}
	if err := t.numbers("size", 1, s.size[:]); err != nil {
		return err
	}
	ends := t.with("fromto")
	if ends == nil {
		if s.at, err = r.stand(t, in); err != nil {
			return err
		}
		half := geom.Vec3{Z: s.size[1]}
		s.a, s.b = s.at.Point(half.Neg()), s.at.Point(half)
		return s.check(t)
	}
	if s.kind == "sphere" || s.kind == "plane" {
		return ends.Wrong("fromto", problem.CodeConflict, "is for capsules, cylinders, ellipsoids and boxes")
	}
	x, err := ends.Floats("fromto", 6, 6)
	if err != nil {
		return err
	}
	if x == nil {
		return ends.Wrong("fromto", problem.CodeWrongLength, "must be 6 numbers")
	}
	from, to := geom.Vec3{X: x[0], Y: x[1], Z: x[2]}, geom.Vec3{X: x[3], Y: x[4], Z: x[5]}
	length := to.Sub(from).Norm()
	if !geom.IsSize(length) {
		return ends.Wrong("fromto", problem.CodeOutOfRange, "must be two points that are not too near to each other")
	}
	turned := model.Pose{Position: from.Add(to).Scale(0.5), Rotation: model.FromZ(from.Sub(to))}
	s.at = r.inBody(turned, in)
	s.a, s.b = r.inBody(model.Pose{Position: from}, in).Position, r.inBody(model.Pose{Position: to}, in).Position
	s.size[1] = length / 2
	if s.kind == "box" || s.kind == "ellipsoid" {
		s.size = [3]float64{s.size[0], s.size[0], length / 2}
	}
	return s.check(t)
}

// check returns an error if a size is missing or not positive.
func (s *solid) check(t tag) error {
	need := 3
	switch s.kind {
	case "plane":
		need = 0
	case "sphere":
		need = 1
	case "capsule", "cylinder":
		need = 2
	}
	for _, x := range s.size[:need] {
		if !geom.IsSize(x) {
			return t.source("size").Wrong("size", problem.CodeOutOfRange, "must be %d positive numbers", need)
		}
	}
	return nil
}

// addToPart adds the solid to the body's part.
func (s *solid) addToPart(t tag, r *reader, in context, look look) {
	p := in.body.part
	if look.reflects() && (s.kind == "box" || s.kind == "plane") {
		r.reflectors = append(r.reflectors, reflector{in.body, s.kind, len(p.Boxes), len(r.planes), t.Name == "site", look.finish})
	}
	round := s.size[0] == s.size[1] && s.size[1] == s.size[2]
	switch {
	case s.kind == "sphere" || s.kind == "ellipsoid" && round:
		p.Spheres = append(p.Spheres, model.Sphere{Center: s.at.Position, Radius: s.size[0], Label: s.label})
	case s.kind == "capsule":
		p.Capsules = append(p.Capsules, model.Capsule{A: s.a, B: s.b, Radius: s.size[0], Label: s.label})
	case s.kind == "box":
		half := geom.Vec3{X: s.size[0], Y: s.size[1], Z: s.size[2]}
		p.Boxes = append(p.Boxes, model.Box{Center: s.at.Position, HalfExtents: half, Rotation: s.at.Rotation, Label: s.label})
	case s.kind == "plane":
		r.planes = append(r.planes, plane{solid: *s, body: in.body, look: look})
	case s.kind == "cylinder":
		p.Cylinders = append(p.Cylinders, model.Cylinder{A: s.a, B: s.b, Radius: s.size[0], Label: s.label})
	case s.kind == "ellipsoid" && r.Approximate:
		r.meshes.AddShape(p, "ellipsoid", mesh.Ellipsoid(s.size), s.at, s.label, t.Where())
	default:
		r.skip(s.kind, t)
	}
}

// plane is a geom of the type plane. Planes are added last, because the width of an infinite plane depends on the other
// solids.
type plane struct {
	solid
	body *body
	look look
}

// endless is the least half width of an infinite plane, as a multiple of the model's radius.
const endless = 25

// ground adds the planes as boxes whose upper faces are the planes.
func (r *reader) ground() {
	if len(r.planes) == 0 {
		return
	}
	mirror := r.mirror()
	center, radius := model.BoundingSphere(&r.scene.Part)
	if !(radius > 0) {
		radius = 1
	}
	for i, p := range r.planes {
		away := p.body.now.Then(p.at).Position.Sub(center).Norm()
		wide := round(endless*radius + away)
		half := geom.Vec3{X: p.size[0], Y: p.size[1], Z: round(radius / 100)}
		if !geom.IsSize(half.X) {
			half.X = wide
		}
		if !geom.IsSize(half.Y) {
			half.Y = wide
		}
		p.label = r.paved(p)
		if mirror != nil && mirror.kind == "plane" && mirror.plane == i {
			p.label = r.mirrored(p.label, mirror.finish)
		}
		p.body.part.Boxes = append(p.body.part.Boxes, model.Box{
			Center: p.at.Point(geom.Vec3{Z: -half.Z}), HalfExtents: half, Rotation: p.at.Rotation, Ground: true, Label: p.label,
		})
	}
}

// round rounds x up to 1, 2 or 5 times a power of ten.
func round(x float64) float64 {
	if !(x > 1e-14) {
		return 1e-14
	}
	decade := math.Pow10(int(math.Floor(math.Log10(min(x, 1e14)))))
	for _, n := range [...]float64{1, 2, 5} {
		if n*decade >= x {
			return n * decade
		}
	}
	return 10 * decade
}
