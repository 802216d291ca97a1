package course

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// leewayOf returns the length by which an answer about a ray and a solid may be off. It is [Leeway] times the largest
// of these lengths: the distance from the ray's origin to the farthest corner of the solid's bounding box, and the
// magnitudes of the coordinates of both. The coordinates matter because the rounding error of a point is relative to
// them.
func leewayOf(r geom.Ray, s shapes.Shape) float64 {
	b := s.Bounds()
	far := geom.Vec3{
		X: max(math.Abs(b.Min.X-r.Origin.X), math.Abs(b.Max.X-r.Origin.X)),
		Y: max(math.Abs(b.Min.Y-r.Origin.Y), math.Abs(b.Max.Y-r.Origin.Y)),
		Z: max(math.Abs(b.Min.Z-r.Origin.Z), math.Abs(b.Max.Z-r.Origin.Z)),
	}
	return Leeway * max(far.Norm(), r.Origin.MaxAbs(), b.MaxAbs())
}

// grown returns a solid with its surface moved outward. The argument by is the length of the move; if it is negative,
// the surface moves inward. grown returns false if nothing of the solid is left.
func grown(s shapes.Shape, by float64) (shapes.Shape, bool) {
	switch s := s.(type) {
	case *shapes.Sphere:
		return &shapes.Sphere{Center: s.Center, Radius: s.Radius + by}, s.Radius+by > 0
	case *shapes.Capsule:
		return &shapes.Capsule{A: s.A, B: s.B, Radius: s.Radius + by}, s.Radius+by > 0
	case *shapes.Cylinder:
		u, ok := geom.Direction(s.B.Sub(s.A))
		a, b := s.A.AddScaled(-by, u), s.B.AddScaled(by, u)
		return &shapes.Cylinder{A: a, B: b, Radius: s.Radius + by}, ok && s.Radius+by > 0 && b.Sub(a).Dot(u) > 0
	case *shapes.Box:
		h := s.HalfExtents.Add(geom.Vec3{X: by, Y: by, Z: by})
		return &shapes.Box{Center: s.Center, HalfExtents: h, Rotation: s.Rotation}, h.X > 0 && h.Y > 0 && h.Z > 0
	}
	panic("course: a solid of an unknown kind")
}

// interval is the set of numbers from lo to hi, including both.
type interval struct{ lo, hi float64 }

func (i interval) has(x float64) bool { return i.lo <= x && x <= i.hi }

// widened returns the interval with both ends moved outward.
func (i interval) widened(by float64) interval { return interval{i.lo - by, i.hi + by} }

// chord describes where a line may cross a solid, within a leeway.
type chord struct {
	possible  bool // the line may cross the solid
	certain   bool // the line certainly crosses it
	near, far interval
	leeway    float64
}

// tolerantChord returns where the line of a ray may cross a solid. A crossing is possible if the line crosses the solid
// grown by the leeway. A crossing is certain if the line also crosses the solid shrunk by the leeway.
//
// Each distance of a certain crossing lies between the distances for the grown and the shrunk solid. Each distance of a
// crossing that is only possible lies anywhere in the grown solid. These intervals are then widened by the leeway.
func tolerantChord(r geom.Ray, s shapes.Shape) chord {
	return chordWithin(r, leewayOf(r, s), func(by float64) (shapes.Shape, bool) { return grown(s, by) })
}

// chordWithin is [tolerantChord] with a given leeway. The function grow returns the grown or, if its argument is negative,
// the shrunk solid. It returns false if nothing of the solid is left.
func chordWithin(r geom.Ray, leeway float64, grow func(by float64) (shapes.Shape, bool)) chord {
	c := chord{leeway: leeway}
	large, _ := grow(c.leeway)
	outer, ok := large.Span(r)
	if !ok {
		return c
	}
	c.possible = true
	c.near = interval{outer.Near.T, outer.Far.T}
	c.far = c.near
	if small, ok := grow(-c.leeway); ok {
		if inner, ok := small.Span(r); ok {
			c.certain = true
			c.near.hi, c.far.lo = inner.Near.T, inner.Far.T
		}
	}
	c.near, c.far = c.near.widened(c.leeway), c.far.widened(c.leeway)
	return c
}

// refuses reports whether a number of crossings is certainly wrong.
func (c *chord) refuses(count int) bool {
	return count == 0 && c.certain || count > 0 && !c.possible || count == 1 && c.certain
}

// at returns the interval in which the distance of crossing i of count lies.
func (c *chord) at(i, count int) interval {
	switch {
	case count == 1:
		return interval{c.near.lo, c.far.hi}
	case i == 1:
		return c.far
	}
	return c.near
}

// ulps is the accepted error of a unit vector's components if the vector was computed from numbers around 1.
const ulps = Leeway

// near reports whether the distance of a and b is no larger than most. It returns false if a coordinate is NaN.
func near(a, b geom.Vec3, most float64) bool { return a.Sub(b).Norm() <= most }
