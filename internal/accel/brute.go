package accel

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// Brute answers the queries of a [World] by asking every solid through the interface of
// package shapes. It is slow and simple: the oracle.
type Brute struct{ shapes []shapes.Shape }

// NewBrute returns the solids as a plain list. It keeps copies.
func NewBrute(spheres []shapes.Sphere, capsules []shapes.Capsule, boxes []shapes.Box) *Brute {
	b := &Brute{shapes: make([]shapes.Shape, 0, len(spheres)+len(capsules)+len(boxes))}
	for _, s := range spheres {
		b.shapes = append(b.shapes, &s)
	}
	for _, c := range capsules {
		b.shapes = append(b.shapes, &c)
	}
	for _, x := range boxes {
		b.shapes = append(b.shapes, &x)
	}
	return b
}

// Enclosing is [World.Enclosing].
func (b *Brute) Enclosing(p geom.Vec3) []int32 { return b.at(p, encloses) }

// Touching is [World.Touching].
func (b *Brute) Touching(p geom.Vec3) []int32 { return b.at(p, shapes.Contains) }

func (b *Brute) at(p geom.Vec3, is func(shapes.Shape, geom.Vec3) bool) []int32 {
	var found []int32
	for i, s := range b.shapes {
		if is(s, p) {
			found = append(found, int32(i))
		}
	}
	return found
}

// Len is [World.Len].
func (b *Brute) Len() int { return len(b.shapes) }

// Nearest is [World.Nearest].
func (b *Brute) Nearest(p *geom.Packet, hits []Hit) int {
	met := 0
	for i := range hits {
		hits[i] = b.WalkNearest(p.At(i), nil)
		if hits[i].Object != None {
			met++
		}
	}
	return met
}

// NearestIfAny is [World.NearestIfAny].
func (b *Brute) NearestIfAny(p *geom.Packet, hits []Hit) int { return b.Nearest(p, hits) }

// Near is [World.Near].
func (b *Brute) Near(bounds geom.Bounds) bool {
	return slices.ContainsFunc(b.shapes, func(s shapes.Shape) bool { return s.Bounds().Overlaps(bounds) })
}

// Reflected is [World.Reflected].
func (b *Brute) Reflected(rays []SecondaryRay, hits []Hit) {
	for i := range rays {
		hits[i] = b.WalkReflected(rays[i], nil)
	}
}

// Blocked is [World.Blocked].
func (b *Brute) Blocked(rays []SecondaryRay, dist []float64, blocked []bool) {
	for i := range rays {
		blocked[i] = b.WalkBlocked(rays[i], dist[i], nil).Object != None
	}
}

// WalkNearest is [World.WalkNearest]. There is no tree to walk through: the probe sees nothing.
func (b *Brute) WalkNearest(r geom.Ray, _ Probe) Hit {
	return b.first(r, math.Inf(1), func(int32) (side, bool) { return either, true })
}

// WalkReflected is [World.WalkReflected]. The probe sees nothing.
func (b *Brute) WalkReflected(d SecondaryRay, _ Probe) Hit {
	return b.first(d.Ray, math.Inf(1), func(object int32) (side, bool) {
		switch {
		case object == d.Object:
			return leaving, d.Inside
		case slices.Contains(d.Eye, object):
			return enclosed, true
		}
		return entering, true
	})
}

// WalkBlocked is [World.WalkBlocked]. The probe sees nothing.
func (b *Brute) WalkBlocked(d SecondaryRay, dist float64, _ Probe) Hit {
	return b.first(d.Ray, dist, func(object int32) (side, bool) {
		switch {
		case object == d.Object:
			return 0, false
		case slices.Contains(d.Eye, object):
			return enclosed, true
		}
		return entering, true
	})
}

// first returns the nearest crossing before tMax among the solids and sides that may be met.
func (b *Brute) first(r geom.Ray, tMax float64, may func(object int32) (side, bool)) Hit {
	best := Hit{T: tMax, Object: None}
	for i, s := range b.shapes {
		which, ok := may(int32(i))
		if !ok {
			continue
		}
		span, ok := s.Span(r)
		if !ok {
			continue
		}
		t, inside, ok := which.pick(span.Near.T, span.Far.T)
		if !ok || t >= best.T {
			continue // in ascending order, so that the smaller number wins a tie
		}
		best = Hit{t, r.At(t), span.Near.Normal, int32(i), inside}
		if inside {
			best.Normal = span.Far.Normal
		}
	}
	return best
}
