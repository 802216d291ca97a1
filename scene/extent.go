package scene

import (
	"math"

	"pillbox/geom"
)

// extent is a range of positions along an axis. It is empty if low is greater than high.
type extent struct{ low, high float64 }

func emptyExtent() extent { return extent{math.Inf(1), math.Inf(-1)} }

func (e extent) union(f extent) extent {
	return extent{min(e.low, f.low), max(e.high, f.high)}
}

// extentOf returns the range of the positions of all points of the solids in a list, along an axis that starts at a
// point and has a unit direction. span returns the two ends of the part of a solid's axis that its surface
// follows, and how far the solid reaches beyond them along the direction.
func extentOf[T any](list []T, from, along geom.Vec3, span func(*T) (a, b geom.Vec3, half float64)) extent {
	all := emptyExtent()
	for i := range list {
		a, b, half := span(&list[i])
		p, q := a.Sub(from).Dot(along), b.Sub(from).Dot(along)
		if p > q {
			p, q = q, p
		}
		// Comparisons rather than min and max, which also care for NaN: they take half the time, and Decode frames all
		// solids of a scene without a camera.
		if x := p - half; x < all.low {
			all.low = x
		}
		if x := q + half; x > all.high {
			all.high = x
		}
	}
	return all
}

// extent returns the range of the positions of all points of some solids along an axis that starts at a point and has a
// unit direction. on selects the solids; nil means all.
func (s *Scene) extent(on []Range, from, along geom.Vec3) extent {
	all, counts := emptyExtent(), s.counts()
	for _, r := range s.ranges(on) {
		first := 0 // number of the first solid of the kind
		for k, row := range kindTable() {
			begin, end := max(r.First, first), min(r.First+r.Count, first+counts[k])
			if begin < end {
				all = all.union(row.extent(s, Range{begin - first, end - begin}, from, along))
			}
			first += counts[k]
		}
	}
	return all
}
