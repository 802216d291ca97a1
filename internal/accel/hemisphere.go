package accel

import (
	"math"

	"pillbox/geom"
)

// hemisphere is a half ball: the points within a distance of a center, on the outer side of a plane through
// the center.
type hemisphere struct {
	shaft
	center geom.Vec3
	radius float64 // may be infinite
	slack  float64
}

// hemisphereSlack is the slack of a hemisphere in units of [BVH.slack]. One unit covers all errors except that of a ray's
// direction: because of rounding, the direction may point below the plane, by an angle of a few 2^-53. The second unit
// covers this.
const hemisphereSlack = 2

// set sets h to the hemisphere around p with the axis n, which has unit length.
func (h *hemisphere) set(p, n geom.Vec3, radius, slack float64) {
	h.center, h.radius, h.slack = p, radius, slack
	reach := radius + slack
	if reach > math.MaxFloat64 {
		reach = math.MaxFloat64 / 2
	}
	h.bounds, h.ahead, h.count = region(geom.Bounds{Min: p, Max: p}.Expand(reach)), plane{}, 0
	outward := n.Neg()
	k := outward.Dot(p) + slack
	h.faces[0] = shaftFace{outward, k, 1}
	h.addPlane(outward, k)
}

// reaches reports whether a solid may overlap the hemisphere.
func (h *hemisphere) reaches(w *solids, at primRef) bool {
	return h.admits(w, at) && (math.IsInf(h.radius, 1) || w.gap(at, h.center) <= h.radius+h.slack)
}

// gap returns a lower bound of the distance between p and a solid. It is not positive if p is inside.
func (s *solids) gap(at primRef, p geom.Vec3) float64 {
	switch i := at.index(); at.kind() {
	case sphereKind:
		b := &s.spheres[i]
		return p.Sub(b.Center).Norm() - b.Radius
	case capsuleKind:
		c := &s.capsules[i]
		nearest, _ := geom.Segment{A: c.A, B: c.B}.Closest(p)
		return p.Sub(nearest).Norm() - c.Radius
	case boxKind:
		return s.boxes[i].gap(p)
	case cutKind:
		return s.gap(s.cuts[i].whole, p)
	default: // the capsule around the cylinder
		c := &s.cylinders[i]
		nearest, _ := geom.Segment{A: c.A, B: c.B}.Closest(p)
		return p.Sub(nearest).Norm() - c.Radius
	}
}

// gap returns the distance between p and the box, or 0 if p is inside.
func (b *box) gap(p geom.Vec3) float64 {
	q := b.Rotation.TransposeMulVec(p.Sub(b.Center))
	beyond := func(x, h float64) float64 { return max(math.Abs(x)-h, 0) }
	return geom.Vec3{X: beyond(q.X, b.HalfExtents.X), Y: beyond(q.Y, b.HalfExtents.Y), Z: beyond(q.Z, b.HalfExtents.Z)}.Norm()
}

// MayOcclude reports whether a solid other than the given object may block a ray from p within the distance reach,
// which may be infinite. The ray may have any direction at an angle of at most 90 degrees from the unit vector n, up to
// rounding. If MayOcclude returns false, no such ray is blocked.
func (bvh *BVH) MayOcclude(p, n geom.Vec3, object int32, reach float64) bool {
	h := bvh.hemispheres.take(newHemisphereTraversal)
	h.set(p, n, reach, hemisphereSlack*bvh.slack(p))
	own := bvh.primOf(object)
	found := h.find(bvh, own)
	bvh.hemispheres.put(h)
	return found
}

// hemisphereTraversal finds solids in hemispheres.
type hemisphereTraversal struct {
	traversal
	hemisphere
	last primRef // the solid that was found last: it is often in the next hemisphere, too
}

func newHemisphereTraversal() *hemisphereTraversal { return &hemisphereTraversal{last: noPrim} }

// find reports whether any solid except the one in the parameter own may overlap the hemisphere.
func (h *hemisphereTraversal) find(bvh *BVH, own primRef) bool {
	is := func(at primRef) bool { return at != own && h.reaches(&bvh.solids, at) }
	if h.last != noPrim && is(h.last) {
		return true
	}
	h.start(&bvh.tree, &h.hemisphere)
	for leaf := h.next(0); leaf != nil; leaf = h.next(0) {
		for _, at := range leaf {
			if is(at) {
				h.last = at
				return true
			}
		}
	}
	return false
}
