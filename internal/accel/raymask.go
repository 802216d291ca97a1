package accel

import "pillbox/geom"

// maxMasked is the largest number of rays in a [rayMask].
const maxMasked = 64

// rayMask is a set of rays: bit k stands for ray k.
type rayMask uint64

// masker finds out, for several balls, which rays from one point may meet each ball. It only saves exact tests, so it is
// computed in single precision, with margins. Kernels depend on its layout.
type masker struct {
	origin  geom.Vec3
	margin  float64 // rays that pass a ball closer than this may meet it
	masks   []rayMask
	x, y, z [maxMasked]float32 // memory of the kernel: the directions of the rays
}

// find sets masks to the rays that may meet each of the balls, of which there must be at least one. The rays are the first
// n of l, at most maxMasked; the bits of others are undefined. It returns false if this machine has no kernel for it.
//
// Seen from the origin, a ball of radius r at distance d has the angle b, where sin b = r/d. A ray can meet the ball only
// if the angle between its direction and the direction to the ball's center is at most b. Then the difference of the two
// unit vectors is at most 2 sin(b/2) long. The square of this bound is
//
//	2 (1 - cos b) = 2 sin^2 b / (1 + cos b)
//
// The kernel increases this bound, so that rounding to single precision never excludes a ray that meets the ball:
// see kernelgen/raymask.go. If the origin lies in the ball, all rays may meet it.
func (m *masker) find(l *shadowRays, n int, balls *leafBalls, near []int32) bool {
	for len(m.masks) < len(near) {
		m.masks = append(m.masks, 0)
	}
	return maskRays(m, l, n, balls, near)
}
