package nff

import (
	"fmt"
	"math"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

// rectangle holds a rectangle's center, and the vectors from the center to the midpoints of two adjacent edges. Seen
// from its front, the corners run counterclockwise.
type rectangle struct {
	middle, u, v geom.Vec3
	place        problem.Error
}

// The constant same is the relative tolerance for comparing corners of a box. Numbers in files have about six digits.
const same = 1e-4

// The constant flat is the thickness of the box that replaces a single rectangle, relative to the rectangle's shorter
// edge.
const flat = 1e-3

// polygon reads a polygon. Each corner has perCorner numbers: 3, or 6 with a normal, which is ignored.
func (r *reader) polygon(perCorner int) error {
	place := r.Where()
	word, err := r.want("the number of corners")
	if err != nil {
		return err
	}
	n, err := r.Integer("number of corners", word, 3, maxCorners)
	if err != nil {
		return err
	}
	var corners []geom.Vec3
	for i := range n {
		what := fmt.Sprintf("corner %d of %d", i+1, n)
		p, err := r.vector(what)
		if err == nil && perCorner > 3 {
			_, err = r.vector("normal of " + what)
		}
		if err != nil {
			return err
		}
		corners = append(corners, p)
	}
	q, ok := rectangleOf(corners)
	if !ok {
		r.scene.Account.Skip("polygon", place)
		return nil
	}
	if err := r.room(); err != nil {
		return err
	}
	q.place = place
	r.pending = append(r.pending, q)
	if len(r.pending) == faces {
		if b, ok := boxOf(r.pending); ok {
			b.Material = r.surface
			r.scene.Boxes = append(r.scene.Boxes, b)
			r.pending = r.pending[:0]
		} else {
			r.thin(r.pending[0])
			r.pending = append(r.pending[:0], r.pending[1:]...)
		}
	}
	return nil
}

// faces is the number of faces of a box.
const faces = 6

// flush adds a thin box for each pending rectangle, and empties the list of pending rectangles. It is called when they
// are not the faces of a box.
func (r *reader) flush() {
	for _, q := range r.pending {
		r.thin(q)
	}
	r.pending = r.pending[:0]
}

// thin adds a thin box whose front face is the rectangle.
func (r *reader) thin(q rectangle) {
	hu, hv := q.u.Norm(), q.v.Norm()
	half := min(hu, hv) * flat
	x, y := q.u.Scale(1/hu), q.v.Scale(1/hv)
	front := x.Cross(y)
	if !(half >= geom.MinSize) {
		r.scene.Account.Skip("polygon", q.place)
		return
	}
	r.scene.Account.Note("rectangle", "shown as a thin box", q.place)
	r.scene.Boxes = append(r.scene.Boxes, model.Box{
		Center:      q.middle.AddScaled(-half, front),
		HalfExtents: geom.Vec3{X: hu, Y: hv, Z: half},
		Rotation:    model.QuaternionOf(geom.Mat3{X: x, Y: y, Z: front}),
		Label:       model.Label{Material: r.surface},
	})
}

// rectangleOf returns the rectangle with these corners. It returns false if they do not form a rectangle.
func rectangleOf(c []geom.Vec3) (rectangle, bool) {
	if len(c) != 4 {
		return rectangle{}, false
	}
	e, f := c[1].Sub(c[0]), c[3].Sub(c[0])
	size := max(e.Norm(), f.Norm())
	if least := min(e.Norm(), f.Norm()); !(least > size*same && least >= geom.MinSize) {
		return rectangle{}, false
	}
	if math.Abs(e.Dot(f)) > same*e.Norm()*f.Norm() || c[0].Add(e).Add(f).Sub(c[2]).Norm() > size*same {
		return rectangle{}, false
	}
	// A rotation needs exactly perpendicular axes.
	f = f.Sub(e.Scale(e.Dot(f) / e.Dot(e)))
	return rectangle{middle: c[0].AddScaled(0.5, e.Add(f)), u: e.Scale(0.5), v: f.Scale(0.5)}, true
}

// boxOf returns the box whose faces are the six rectangles. It returns false if there is no such box.
func boxOf(q []rectangle) (model.Box, bool) {
	center := geom.Vec3{}
	for i := range q {
		center = center.Add(q[i].middle.Scale(1.0 / faces))
	}
	x, y := q[0].u, q[0].v
	z := q[0].middle.Sub(center)
	size := max(x.Norm(), y.Norm(), z.Norm())
	close := func(a, b geom.Vec3) bool { return a.Sub(b).Norm() <= 4*same*size }
	axes := [3]geom.Vec3{x, y, z}
	var seen [2 * 3]bool
	for i := range q {
		face := -1
		for k, axis := range axes {
			switch d := q[i].middle.Sub(center); {
			case close(d, axis):
				face = 2 * k
			case close(d, axis.Neg()):
				face = 2*k + 1
			}
		}
		if face < 0 || seen[face] {
			return model.Box{}, false
		}
		seen[face] = true
		// The edges of the face are those of the box.
		a, b := axes[(face/2+1)%3], axes[(face/2+2)%3]
		along := func(edge, axis geom.Vec3) bool { return close(edge, axis) || close(edge, axis.Neg()) }
		if !(along(q[i].u, a) && along(q[i].v, b) || along(q[i].u, b) && along(q[i].v, a)) {
			return model.Box{}, false
		}
	}
	h := geom.Vec3{X: x.Norm(), Y: y.Norm(), Z: z.Norm()}
	if !(min(h.X, h.Y, h.Z) >= geom.MinSize) {
		return model.Box{}, false
	}
	ux, uy := x.Scale(1/h.X), y.Scale(1/h.Y)
	return model.Box{Center: center, HalfExtents: h, Rotation: model.QuaternionOf(geom.Mat3{X: ux, Y: uy, Z: ux.Cross(uy)})}, true
}
