package geom

import "math"

// Bounds is an axis-aligned box: the points p with Min <= p <= Max in every component. It
// is empty if Min exceeds Max in any component. The zero Bounds is the origin, not empty.
type Bounds struct{ Min, Max Vec3 }

// EmptyBounds returns the bounds of nothing, the neutral element of [Bounds.Union].
func EmptyBounds() Bounds {
	inf := math.Inf(1)
	return Bounds{Vec3{inf, inf, inf}, Vec3{-inf, -inf, -inf}}
}

// IsEmpty reports whether b contains no point.
func (b Bounds) IsEmpty() bool {
	return b.Min.X > b.Max.X || b.Min.Y > b.Max.Y || b.Min.Z > b.Max.Z
}

// Union returns the smallest bounds that contain b and c.
func (b Bounds) Union(c Bounds) Bounds {
	return Bounds{
		Vec3{min(b.Min.X, c.Min.X), min(b.Min.Y, c.Min.Y), min(b.Min.Z, c.Min.Z)},
		Vec3{max(b.Max.X, c.Max.X), max(b.Max.Y, c.Max.Y), max(b.Max.Z, c.Max.Z)},
	}
}

// Include returns the smallest bounds that contain b and the point p.
func (b Bounds) Include(p Vec3) Bounds { return b.Union(Bounds{p, p}) }

// Contains reports whether p lies in b, its faces included.
func (b Bounds) Contains(p Vec3) bool {
	return b.Min.X <= p.X && p.X <= b.Max.X &&
		b.Min.Y <= p.Y && p.Y <= b.Max.Y &&
		b.Min.Z <= p.Z && p.Z <= b.Max.Z
}

// Overlaps reports whether b and c share a point, touching faces included.
func (b Bounds) Overlaps(c Bounds) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X &&
		b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y &&
		b.Min.Z <= c.Max.Z && c.Min.Z <= b.Max.Z
}

// Expand returns b with each of its six faces moved outward by d.
func (b Bounds) Expand(d float64) Bounds {
	e := Vec3{d, d, d}
	return Bounds{b.Min.Sub(e), b.Max.Add(e)}
}

// Center returns the middle of b, which must not be empty.
func (b Bounds) Center() Vec3 { return b.Min.Add(b.Max).Scale(0.5) }

// Size returns the edge lengths of b, which must not be empty.
func (b Bounds) Size() Vec3 { return b.Max.Sub(b.Min) }

// MaxAbs returns the largest magnitude of a coordinate in b, which must not be empty.
func (b Bounds) MaxAbs() float64 { return max(b.Min.MaxAbs(), b.Max.MaxAbs()) }

// Corners returns the corners of b, first those with Min.Z. Of each two neighbors in the list, the first has Min.X.
func (b Bounds) Corners() (all [8]Vec3) {
	for i := range all {
		all[i] = b.Min
		if i&1 != 0 {
			all[i].X = b.Max.X
		}
		if i&2 != 0 {
			all[i].Y = b.Max.Y
		}
		if i&4 != 0 {
			all[i].Z = b.Max.Z
		}
	}
	return all
}
