package accel

// narrower removes rays from the masks of a masker, so that fewer rays need exact tests. It removes rays that certainly miss a
// capsule, a box or a cylinder, and rays that certainly hit it. The balls of a masker fit such solids badly. Kernels depend
// on the layout.
type narrower struct {
	left [maskedBalls]int32 // the result of narrow

	// memory of the kernel: numbers of the current solid, and the limits with which lines are compared
	scratch [20]float32
}

// narrowSpace limits the solids that a narrower considers: the distance between the origin and the outer ball, with the margin,
// must exceed the radius of the ball divided by narrowSpace. Then masks contain only rays that make an angle of less than 90
// degrees with the direction to the ball's center. So all crossings of such a ray's line with the ball lie in front of the origin.
const narrowSpace = 16

// narrow considers the solids near[i] with the masks m.masks[i] that m.find has computed. It adds to m.blocked the rays that
// certainly hit one of them before they reach the light, and removes the rays that certainly miss a solid from its mask. It returns,
// in ascending order, the indices i of the solids for which rays that are not blocked may remain. Only their masks remain
// defined. The slice is valid until the next call.
//
// Let f be the vector from the origin to the center of the solid's balls, and d the direction of a ray. All vectors to points
// start at the origin, too. The ray meets the solid if and only if its line does: see narrowSpace.
//
//   - The distance of a point p from the line is the length of p x d. For the points a + s w of a capsule's axis, where s is
//     from 0 to 1, this is the length of a x d + s w x d. The line meets the capsule if and only if the least such length is
//     at most the radius.
//   - A cylinder lies in the capsule with the same axis and radius. If it is longer than wide, it contains the capsule that is
//     shorter by the radius at each end. Otherwise, it contains a ball with half its length as the radius.
//   - The line misses a box if and only if a plane separates them that contains the line or is parallel to it, and is parallel to an
//     axis of the box. Let e1, e2, e3 be the axes and h1, h2, h3 the half extents. A plane parallel to e1 separates them if and
//     only if |e1.(f x d)| > h2 |e3.d| + h3 |e2.d|. For the other axes, the indices are exchanged.
//
// If the surface of the solid is moved outward or inward by a distance, the right sides change by this distance for a capsule, and by
// at most sqrt(2) times this distance for a box. So a ray certainly misses the solid if the left side is larger by more than 1.5
// margins plus the rounding errors of single precision, which kernelgen/narrow.go derives. If the left sides are smaller by
// as much, the line passes through a point that lies inside the solid by at least the margin, unless the box is too flat for
// such a point. The ray enters the solid before this point, which is no farther away than the far side of the outer ball. So the ray
// is blocked if the light is farther away than that.
func (t *narrower) narrow(m *masker, s *solids, around *leafBalls, near []int32) []int32 {
	n, ok := narrowMasks(t, m, s, around, near)
	if !ok {
		n = len(near)
		for k := range n {
			t.left[k] = int32(k)
		}
	}
	return t.left[:n]
}
