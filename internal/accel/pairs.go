package accel

import (
	"iter"
	"slices"

	"pillbox/geom"
)

// pairSlack is how far the bounds of solids are widened, as a fraction of the coordinates. A face
// of a box whose rotation is as skew as package shapes allows is off by 2^-46 times the sum of the
// components of its rotation along a coordinate, at most sqrt(3), times the sum of the half extents,
// at most three times the coordinates: 5.2. Rounding comes to 0.13 more. The worst box that was found needs 2.9.
const pairSlack = 5.5 * 0x1p-46

// Pairs yields every pair of solids, a < b, whose bounds overlap or nearly touch, in
// ascending order of a and then b: all pairs that may touch, and a few more. The bounds are
// widened beyond their own rounding, so no touching pair is lost.
func (bvh *BVH) Pairs() iter.Seq2[int32, int32] {
	return func(yield func(a, b int32) bool) {
		bounds := make([]geom.Bounds, bvh.Len())
		for i := range bounds {
			b := bvh.shape(bvh.refs[i]).Bounds()
			bounds[i] = b.Expand(float64(pairSlack * b.MaxAbs()))
		}
		var walk traversal
		var others []int32
		for a := range int32(len(bounds)) {
			others = others[:0]
			// The tree's bounds are not widened, and may be much larger.
			around := bounds[a].Expand(float64(pairSlack * bvh.reach))
			walk.start(&bvh.tree, (*region)(&around))
			for leaf := walk.next(0); leaf != nil; leaf = walk.next(0) {
				for _, at := range leaf {
					if b := bvh.number(at); b > a && bounds[a].Overlaps(bounds[b]) {
						others = append(others, b)
					}
				}
			}
			slices.Sort(others)
			for _, b := range others {
				if !yield(a, b) {
					return
				}
			}
		}
	}
}
