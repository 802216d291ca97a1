package accel

import (
	"slices"

	"pillbox/geom"
)

// maxMasked is the largest number of rays in a [rayMask].
const maxMasked = 64

// rayMask is a set of rays: bit k is set if ray k is in it.
type rayMask uint64

// masker determines, for several balls, which rays from one point may meet each ball. The masks only save exact tests, so
// they are computed in single precision, with margins. Kernels depend on its layout.
type masker struct {
	origin  geom.Vec3
	margin  float64            // a ray may meet a ball if it passes the ball at this distance or closer
	masks   []rayMask          // the result of find
	x, y, z [maxMasked]float32 // memory of the kernel: the directions of the rays
}

// find sets masks[i] to the rays that may meet the ball near[i], for every i. near must not be empty. The rays are the
// first n of l, where n is from 1 to maxMasked; the bits of other rays are undefined. find returns false, and leaves the
// masks undefined, if this machine has no kernel for it.
//
// Seen from the origin, a ball of radius r at distance d has the angle b, where sin b = r/d. A ray can meet the ball only
// if the angle between its direction and the direction to the ball's center is at most b. Then the difference of the two
// unit vectors is at most 2 sin(b/2) long. The square of this bound is
//
//	2 (1 - cos b) = 2 sin^2 b / (1 + cos b)
//
// The radius r includes the margin. The kernel increases the bound, so that rounding to single precision never excludes
// a ray that meets the ball: see kernelgen/raymask.go. If the origin lies in the ball or almost touches it, all rays may
// meet the ball.
func (m *masker) find(l *shadowRays, n int, balls *leafBalls, near []int32) bool {
	m.masks = slices.Grow(m.masks[:0], len(near))[:len(near)]
	return maskRays(m, l, n, balls, near)
}
