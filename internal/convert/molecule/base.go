package molecule

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/selection"
)

// Sizes of bases beside the tubes of nucleic acids, in angstrom.
const (
	baseMargin    = 0.5  // from the outermost atoms of a base's rings to the edges of its slab
	baseThickness = 0.4  // half of it
	rungRadius    = 0.25 // of the rod from the tube to the base
)

// base adds the base of a nucleotide as a slab around its rings, and a rod from a point of the tube to it. A nucleotide
// without the atoms of a ring gets neither.
func (p *painter) base(t tracePoint, from geom.Vec3) {
	point, residue := t.atom, t.residue
	if p.classes[point.residue]&selection.Nucleic == 0 {
		return
	}
	slab, ok := slabOf(residue)
	if !ok {
		return
	}
	slab.Label = p.label(point)
	named := *point
	named.name = "base"
	slab.Name = p.fullName(&named)
	part := p.part(point)
	part.Boxes = append(part.Boxes, slab)
	part.Capsules = append(part.Capsules, model.Capsule{A: from, B: slab.Center, Radius: rungRadius, Label: p.label(point)})
}

// ringAtoms are the names of the atoms in the rings of bases, in order around the ring with six atoms, then the others.
var ringAtoms = [...]string{"N1", "C2", "N3", "C4", "C5", "C6", "N7", "C7", "C8", "N9"}

// slabOf returns a box around the rings of a base, and false if the six-membered ring is incomplete or has no plane.
func slabOf(atoms []atom) (model.Box, bool) {
	var ring []geom.Vec3
	for i, name := range ringAtoms {
		for k := range atoms {
			if atoms[k].name == name {
				ring = append(ring, atoms[k].at)
				break
			}
		}
		if i < 6 && len(ring) <= i {
			return model.Box{}, false
		}
	}
	center := geom.Vec3{}
	for _, at := range ring[:6] {
		center = center.AddScaled(1.0/6, at)
	}
	var normal geom.Vec3 // twice the area of the ring, as a vector
	for i, at := range ring[:6] {
		normal = normal.Add(at.Sub(center).Cross(ring[(i+1)%6].Sub(center)))
	}
	along := ring[3].Sub(ring[0]) // from N1 to C4
	if !(normal.Norm() > 0) || !(along.Cross(normal).Norm() > 0) {
		return model.Box{}, false
	}
	z := normal.Unit()
	y := z.Cross(along).Unit()
	axes := geom.Mat3{X: y.Cross(z), Y: y, Z: z}
	low, high := geom.Vec3{X: math.Inf(1), Y: math.Inf(1)}, geom.Vec3{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, at := range ring {
		q := axes.TransposeMulVec(at.Sub(center))
		low.X, low.Y = min(low.X, q.X), min(low.Y, q.Y)
		high.X, high.Y = max(high.X, q.X), max(high.Y, q.Y)
	}
	middle := geom.Vec3{X: (low.X + high.X) / 2, Y: (low.Y + high.Y) / 2}
	return model.Box{
		Center:      center.Add(axes.MulVec(middle)),
		HalfExtents: geom.Vec3{X: (high.X-low.X)/2 + baseMargin, Y: (high.Y-low.Y)/2 + baseMargin, Z: baseThickness},
		Rotation:    model.QuaternionOf(axes),
	}, true
}
