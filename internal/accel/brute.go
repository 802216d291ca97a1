package accel

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// BruteForce answers the queries of a [BVH] by testing every solid through the interface of package shapes.
// It is slow but simple, and so tests compare the results of a BVH with it.
type BruteForce struct{ shapes []shapes.Shape } // by object number; nil for an object that is omitted or removed

// NewBruteForce returns the solids as a plain list. It keeps copies.
func NewBruteForce(given Source) *BruteForce {
	b := &BruteForce{shapes: make([]shapes.Shape, 0, given.len())}
	for _, s := range given.Spheres {
		b.shapes = append(b.shapes, &s)
	}
	for _, c := range given.Capsules {
		b.shapes = append(b.shapes, &c)
	}
	for _, x := range given.Boxes {
		b.shapes = append(b.shapes, &x)
	}
	for _, c := range given.Cylinders {
		b.shapes = append(b.shapes, &c)
	}
	for _, c := range given.Cuts {
		if len(c.By) == 0 {
			b.shapes[c.Object] = nil
		} else {
			b.shapes[c.Object] = &shapes.Cut{Whole: b.shapes[c.Object], By: c.By}
		}
	}
	for i := range b.shapes {
		if given.Omit != nil && given.Omit(int32(i)) {
			b.shapes[i] = nil
		}
	}
	return b
}

// Enclosing returns the object numbers of the solids that contain the point p, like [BVH.Enclosing].
func (b *BruteForce) Enclosing(p geom.Vec3) []int32 { return b.solidsAt(p, Encloses) }

// Touching returns the object numbers of the solids that contain the point p or have it on their surface, like
// [BVH.Touching].
func (b *BruteForce) Touching(p geom.Vec3) []int32 { return b.solidsAt(p, shapes.Contains) }

func (b *BruteForce) solidsAt(p geom.Vec3, is func(shapes.Shape, geom.Vec3) bool) []int32 {
	var found []int32
	for i, s := range b.shapes {
		if s != nil && is(s, p) {
			found = append(found, int32(i))
		}
	}
	return found
}

// Nearest stores the closest hit of each ray in hits and returns the number of rays that hit a solid, like
// [BVH.Nearest].
func (b *BruteForce) Nearest(p *geom.Packet, hits []Hit) int {
	met := 0
	for i := range hits {
		hits[i] = b.TraverseNearest(p.At(i), nil)
		if hits[i].Object != None {
			met++
		}
	}
	return met
}

// NearestIfAny does the same as Nearest. Unlike [BVH.NearestIfAny], it sets hits even if no ray hits a
// solid.
func (b *BruteForce) NearestIfAny(p *geom.Packet, hits []Hit) int { return b.Nearest(p, hits) }

// Near reports whether the bounds of a solid overlap the given bounds. See [BVH.Near].
func (b *BruteForce) Near(bounds geom.Bounds) bool {
	return slices.ContainsFunc(b.shapes, func(s shapes.Shape) bool { return s != nil && s.Bounds().Overlaps(bounds) })
}

// MayOcclude always returns true. The contract of [BVH.MayOcclude] permits this.
func (b *BruteForce) MayOcclude(_, _ geom.Vec3, _ int32, _ float64) bool { return true }

// Reflected stores the closest hit of each reflected ray in hits, like [BVH.Reflected].
func (b *BruteForce) Reflected(rays []SecondaryRay, hits []Hit) {
	for i := range rays {
		hits[i] = b.TraverseReflected(rays[i], nil)
	}
}

// Blocked stores in blocked whether each shadow ray is blocked before its distance in dist, like [BVH.Blocked].
func (b *BruteForce) Blocked(rays []SecondaryRay, dist []float64, blocked []bool) {
	for i := range rays {
		blocked[i] = b.TraverseBlocked(rays[i], dist[i], nil).Object != None
	}
}

// BlockedSky does nothing and returns false, like [BVH.BlockedSky] if it does not trace the rays. The
// caller then traces them with Blocked.
func (b *BruteForce) BlockedSky(*Sky) bool { return false }

// Cover sets all covers to Partial, so that all rays are cast. See [BVH.Cover].
func (b *BruteForce) Cover(_ *AreaLight, axes []SecondaryRay, _ []Cone, covers []Cover, cast CastFan) {
	CastAll(b, axes, covers, cast)
}

// TraverseNearest returns the closest hit of r, like [BVH.TraverseNearest]. It does not use the probe, because
// there is no tree.
func (b *BruteForce) TraverseNearest(r geom.Ray, _ Probe) Hit {
	return b.first(r, math.Inf(1), func(int32) (crossingRule, bool) { return either, true })
}

// TraverseReflected returns the closest hit of the reflected ray d, like [BVH.TraverseReflected]. It does not use
// the probe.
func (b *BruteForce) TraverseReflected(d SecondaryRay, _ Probe) Hit {
	return b.first(d.Ray, math.Inf(1), func(object int32) (crossingRule, bool) {
		switch {
		case object == d.Object:
			return leaving, d.Inside
		case slices.Contains(d.Eye, object):
			return enclosed, true
		}
		return entering, true
	})
}

// TraverseBlocked returns the closest hit of the shadow ray d before the distance dist, like [BVH.TraverseBlocked]. If no
// solid blocks the ray, the hit's object is [None] and its T is dist. It does not use the probe.
func (b *BruteForce) TraverseBlocked(d SecondaryRay, dist float64, _ Probe) Hit {
	return b.first(d.Ray, dist, func(object int32) (crossingRule, bool) {
		switch {
		case object == d.Object:
			return 0, false
		case slices.Contains(d.Eye, object):
			return enclosed, true
		}
		return entering, true
	})
}

// first returns the closest hit of r before the distance tMax. It calls the function may for each solid.
// This function returns the rule that selects the crossing that counts, or false if r cannot hit the solid
// at all.
func (b *BruteForce) first(r geom.Ray, tMax float64, may func(object int32) (crossingRule, bool)) Hit {
	best := Hit{T: tMax, Object: None}
	for i, s := range b.shapes {
		which, ok := may(int32(i))
		if !ok || s == nil {
			continue
		}
		span, ok := s.Span(r)
		if !ok {
			continue
		}
		t, inside, ok := which.pick(span.Near.T, span.Far.T)
		if !ok || t >= best.T {
			continue // objects come in ascending order, so the smallest number wins a tie
		}
		best = Hit{T: t, Point: r.At(t), Normal: span.Near.Normal, Object: int32(i), Inside: inside}
		if inside {
			best.Normal = span.Far.Normal
		}
		best.Face = FaceOf(s, r, inside)
	}
	return best
}

// FaceOf returns the face of a hit, see [Hit], where the line of r enters a solid or, if inside is set, leaves it.
func FaceOf(s shapes.Shape, r geom.Ray, inside bool) uint8 {
	c, isCut := s.(*shapes.Cut)
	if !isCut {
		return 0
	}
	x, _ := c.Ends(r)
	i := x.In
	if inside {
		i = x.Out
	}
	if i < 0 {
		return 0
	}
	return faceOf(&c.By[i])
}

// Shape returns a solid, or nil if it is removed. See [BVH.Shape].
func (b *BruteForce) Shape(object int32) shapes.Shape { return b.shapes[object] }
