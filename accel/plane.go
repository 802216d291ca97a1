package accel

import "pillbox/geom"

// plane is a linear function of a point, n.p - k. The components of n are separated by their
// sign, because those tell in which corner of a box the function is least.
type plane struct {
	up, down geom.Vec3
	k        float64
}

func newPlane(n geom.Vec3, k float64) plane {
	return plane{
		up:   geom.Vec3{X: max(n.X, 0), Y: max(n.Y, 0), Z: max(n.Z, 0)},
		down: geom.Vec3{X: min(n.X, 0), Y: min(n.Y, 0), Z: min(n.Z, 0)},
		k:    k,
	}
}

// least returns the least value of the function in the box between the corners lo and hi.
// They are two arguments because the compiler keeps nothing larger in registers.
func (p *plane) least(lo, hi geom.Vec3) float64 { return p.up.Dot(lo) + p.down.Dot(hi) - p.k }
