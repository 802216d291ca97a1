package accel

import (
	"iter"
	"slices"

	"pillbox/geom"
)

// pairSlack is the margin by which the bounds of solids are widened, as a fraction of the largest
// coordinate. It covers the error of a box's bounds. This error is largest if the box's rotation is as far
// from orthonormal as package shapes allows. A face of the bounds is then wrong by 2^-46 times two factors.
// One is the sum of the components of the rotation along a coordinate axis, which is at most sqrt(3). The
// other is the sum of the half extents, which is at most three times the largest coordinate. Together they
// give up to 5.2 2^-46 of the largest coordinate. Rounding adds 0.13 2^-46. The worst known box needs 2.9
// 2^-46.
const pairSlack = 5.5 * 0x1p-46

// Pairs yields every pair of solids whose bounds overlap or nearly touch, as object numbers a < b in
// ascending order of a and then b. The bounds are widened by more than rounding, so these are all pairs
// that may touch, and a few more. Solids that were omitted or removed are in no pair. Cuts do not count: the bounds are
// those of whole solids.
func (bvh *BVH) Pairs() iter.Seq2[int32, int32] {
	return func(yield func(a, b int32) bool) {
		bounds := make([]geom.Bounds, len(bvh.refs))
		for i, at := range bvh.refs {
			if at != noPrim {
				b := bvh.shape(at).Bounds()
				bounds[i] = b.Expand(float64(pairSlack * b.MaxAbs()))
			}
		}
		var walk traversal
		var others []int32
		for a := range int32(len(bounds)) {
			if bvh.refs[a] == noPrim {
				continue
			}
			others = others[:0]
			// The traversal may find more: the tree's bounds are rounded outward to single precision.
			around := bounds[a].Expand(float64(pairSlack * bvh.reach))
			walk.start(&bvh.tree, (*region)(&around))
			for leaf := walk.next(0); leaf != nil; leaf = walk.next(0) {
				for _, at := range leaf {
					if b := bvh.objectNumber(at); b > a && bounds[a].Overlaps(bounds[b]) {
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
