package accel

import (
	"math/bits"
	"slices"

	"pillbox/geom"
)

// maxMasked is the largest number of rays in a [rayMask].
const maxMasked = 64

// rayMask is a set of rays: bit k is set if ray k is in it.
type rayMask uint64

// firstRays returns the set of the first n rays.
func firstRays(n int) rayMask { return 1<<n - 1 }

// first returns the index of the first ray. The set must not be empty.
func (s rayMask) first() int { return bits.TrailingZeros64(uint64(s)) & (maxMasked - 1) }

// nestedBalls are two balls with a common center: one contains a solid, and the solid contains the other. Kernels depend on
// the layout.
type nestedBalls struct {
	center       geom.Vec3
	outer, inner float32 // the radii: the outer one is rounded up, the inner one down
}

// maskedBalls is the largest number of solids for which a masker computes masks at a time.
const maskedBalls = 64

// fewestMasked is the smallest number of solids for the kernel, which processes this many at a time.
const fewestMasked = 8

// masker finds out which rays from one point certainly hit a solid, and which ones may hit it, from balls around and inside the
// solid. It only saves exact tests, so it computes in single precision, with margins. Kernels depend on its layout.
type masker struct {
	origin geom.Vec3
	margin float64 // a solid may extend from its outer ball by this much, and its inner ball from the solid
	light  float64 // no ray reaches the light before this distance; not positive if no hit is certain

	blocked rayMask             // the rays that are certainly blocked: find adds rays
	masks   []rayMask           // the result of find: for each solid, other rays that may hit it
	few     [fewestMasked]int32 // the solids of find if there are fewer

	// memory of the kernel
	single struct {
		margin, light float32 // at least the margin, and at most the distance of the light
	}
	x, y, z [maxMasked]float32 // the directions of the rays
	toward  struct {           // for each solid, the direction to its balls, and limits of the differences from it
		x, y, z, most, least [maskedBalls]float32
	}
}

const (
	leastMaskMargin   = 1e-15   // the squares of larger distances do not underflow in single precision
	maskDistanceError = 0x1p-19 // at least five times the relative error of a distance in the kernel: see kernelgen/raymask.go
)

// find adds to blocked the rays that certainly hit one of the solids before they reach the light. Then it sets masks[i], for each
// solid near[i], to the other rays that may hit it. There must be 1 to maskedBalls solids. The rays are the first n of l, where n
// is from 1 to maxMasked. In the masks, the bits of further rays and of blocked rays are undefined. If this machine has no
// kernel for it, find returns false.
//
// Seen from the origin, a ball of radius r at distance d has the angle b, where sin b = r/d. A ray meets the ball if and only if the
// angle between its direction and the direction to the ball's center is at most b, that is if the difference of the two unit
// vectors is at most 2 sin(b/2) long. The square of this limit is
//
//	2 (1 - cos b) = 2 sin^2 b / (1 + cos b)
//
// A ray may hit the solid only if it meets the outer ball, whose radius includes the margin. A ray that meets the inner ball, from
// whose radius the margin is subtracted, certainly hits the solid, no farther away than the balls' center: halfway through the inner
// ball it lies inside the solid by at least the margin, which exceeds all rounding errors. Such a ray is blocked if the
// origin lies outside the outer ball and the light is farther away than the center. The kernel widens the limit of the
// outer ball and reduces that of the inner one, so that rounding to single precision never leads to a wrong result: see
// kernelgen/raymask.go. If the origin lies in the outer ball or almost touches it, or if the distance of the center is so
// large or small that its square does not fit into single precision, all rays may hit the solid.
func (m *masker) find(l *shadowRays, n int, balls []nestedBalls, near []int32) bool {
	m.masks = slices.Grow(m.masks[:0], len(near))[:len(near)]
	m.single.margin = -below(-max(m.margin, leastMaskMargin))
	m.single.light = below(m.light * (1 - maskDistanceError))
	m.blocked |= ^firstRays(n) // so that the kernel ignores the rays that do not exist
	if len(near) < fewestMasked {
		m.few = [fewestMasked]int32{}
		copy(m.few[:], near) // and balls[0]
		near = m.few[:]
	}
	return maskRays(m, l, n, balls, near)
}

// fill sets masks to n masks that contain all rays that are not blocked.
func (m *masker) fill(n int) {
	m.masks = slices.Grow(m.masks[:0], n)[:n]
	for k := range m.masks {
		m.masks[k] = ^m.blocked
	}
}
